"""Questions in other languages: understood as their English would be, over English abstracts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from extract_corpus import Asking, shown

from rag.question import understand
from rag.question.gloss import glossed


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    yield Asking(tmp_path_factory.mktemp("gloss"))


@pytest.mark.parametrize(
    ("question", "english"),
    [
        (
            "Sur combien de benchmarks DriftGuard est-il évalué ?",
            "on how many benchmarks DriftGuard is it evaluated ?",
        ),
        ("Wie viele Modelle nutzt FedEcho?", "how many models uses FedEcho?"),
        ("¿Cuántos datos usa MossNet?", "how many data uses MossNet?"),
        ("TidePool 在哪些数据集上验证?", "TidePool on which datasets validated ?"),
        ("Was macht der Steered-MossNet-Sampler?", "what macht the Steered MossNet Sampler?"),
    ],
)
def test_what_asks_is_in_english_and_names_stay(question: str, english: str) -> None:
    assert glossed(question) == english


@pytest.mark.parametrize(
    "language", ["Wie viele Datensätze", "Combien de jeux de données", "¿Cuántos conjuntos de datos"]
)
def test_a_count_is_understood_in_any_of_them(language: str) -> None:
    asked = understand(f"{language} MossNet?").asked
    assert asked.kind == "number"


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("Wie viele Bilder hat MossNet gesehen, auf denen es trainiert wurde?", "12,400"),
        ("Par rapport à RadixCache, de combien TidePool réduit-il le time to first token ?", "43%"),
        ("¿Cuántos problemas de OlympIneq resuelve IneqSearch?", "61 of 80"),
        ("DriftGuard 提高 accuracy 多少?", "9%"),
    ],
)
def test_the_fact_is_shown(asking: Asking, question: str, fact: str) -> None:
    found = asking.ask(question)
    assert fact in shown(found), found.reason


def test_an_english_question_is_left_alone() -> None:
    assert understand("What does La Jolla die casting do?").search == "What does La Jolla die casting do?"
