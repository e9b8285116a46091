"""Real questions to a real library: what is answered, what is refused, and that everything shown is quoted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from extract_corpus import PAPERS, Asking, shown
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag.extract.scene import able_to_answer
from rag.text.sentences import split
from rag.types import Sentence, field_text


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    yield Asking(tmp_path_factory.mktemp("extract"))


FACTS = [
    ("By how much does TidePool reduce time to first token?", "43%"),
    ("What does TidePool evict entries by?", "learned estimate"),
    ("How many images was MossNet trained on?", "12,400"),
    ("What mean absolute error does MossNet reach?", "1.7 plants"),
    ("What is the main cause of errors of MossNet?", "Shadows"),
    ("Where is the code of TidePool?", "https://example.org/tidepool"),
    ("How many problems of OlympIneq does IneqSearch prove?", "61 of 80"),
    ("What lower bound is proved for private mean estimation?", "\\Omega"),
    ("How much longer does training take with sparse rewards?", "31%"),
]


@pytest.mark.parametrize(("question", "fact"), FACTS)
def test_a_fact_is_in_the_answer(asking: Asking, question: str, fact: str) -> None:
    found = asking.ask(question)
    assert found.answered, found.reason
    assert fact in shown(found)


@pytest.mark.parametrize(
    "question",
    [
        "Who won the football world cup in 1998?",
        "What is the capital of Mongolia?",
        "Which GPU was MossNet trained on?",
        "How many GPU hours does TidePool need?",
        "What throughput does Medusa reach on Llama?",
        "Which papers study earthquake early warning?",
    ],
)
def test_what_the_corpus_does_not_hold_is_refused_with_a_reason(asking: Asking, question: str) -> None:
    found = asking.ask(question)
    assert not found.answered, shown(found)
    assert found.reason


def test_a_draft_quotes_its_evidence_word_for_word(asking: Asking) -> None:
    for question, _ in FACTS:
        found = asking.ask(question)
        texts = {held.key: held.text for held in found.evidence}
        for sentence in found.draft.sentences:
            assert [texts[key] for key in sentence.keys] == [sentence.text]
        assert len(found.draft.sentences) <= 4


def test_a_sentence_that_leans_on_another_comes_after_it(asking: Asking) -> None:
    found = asking.ask("What mean absolute error does MossNet reach?")
    texts = [sentence.text for sentence in found.draft.sentences]
    at = next(i for i, text in enumerate(texts) if text.startswith("It reaches"))
    assert texts[at - 1].startswith("MossNet was trained")


def test_a_list_holds_one_sentence_of_each_paper_that_belongs(asking: Asking) -> None:
    found = asking.ask("Which papers are about federated learning?")
    cited = {held.paper.title for held in found.evidence}
    assert cited == {"Federated Tuning of Speech Models", "Federated Learning under Concept Drift"}


def test_a_comparison_shows_both_sides(asking: Asking) -> None:
    found = asking.ask("Compare FedEcho and DriftGuard")
    assert "FedEcho" in shown(found) and "DriftGuard" in shown(found)


def test_a_comparison_begins_with_the_sentence_that_names_both_and_leaves_out_what_names_neither(
    asking: Asking,
) -> None:
    found = asking.ask("Compare IneqSearch with OlympIneq")
    assert found.draft.sentences[0].text == "On the OlympIneq benchmark IneqSearch proves 61 of 80 problems."
    assert all("IneqSearch" in sentence.text for sentence in found.draft.sentences)


def test_of_papers_that_propose_the_proposal_is_shown(asking: Asking) -> None:
    found = asking.ask("Which papers propose systems for federated learning?")
    assert "We present FedEcho" in shown(found)


def test_a_comparison_with_a_stranger_is_refused(asking: Asking) -> None:
    found = asking.ask("Compare FedEcho with Scaffold++")
    assert not found.answered
    assert "Scaffold++" in (found.reason or "")


def test_a_false_premise_shows_what_the_abstract_says(asking: Asking) -> None:
    found = asking.ask("Why does FedEcho lower communication cost by 20 times on LibriSpeech?")
    assert "8 times" in shown(found)
    assert found.premise == "contradicted"
    assert found.note


METADATA = [
    ("Who wrote the TidePool paper?", "Ada Lund, Bo Ek"),
    ("Who is the first author of TidePool?", "Ada Lund"),
    ("How many authors does the TidePool paper have?", "2 authors"),
    ("When was MossNet published?", "2025"),
    ("At which conference did FedEcho appear?", "ICML"),
    ("link to the MossNet paper", "https://example.org/1"),
    ("What is the full title of the MossNet paper?", "Counting Seedlings from Drone Images"),
    ("papers by Ada Lund", "TidePool"),
    ("What did Ada Lund write?", "TidePool"),
    ("What did Ada Lund co-author?", "TidePool"),
    ("Where and when was MossNet published?", "ICML in 2025"),
    ("How many papers are there?", "8 papers"),
    ("How many papers are from ICML?", "6 papers"),
    ("TidePool 的作者是谁?", "Ada Lund, Bo Ek"),
]


@pytest.mark.parametrize(("question", "value"), METADATA)
def test_the_catalogue_answers_and_is_quoted(asking: Asking, question: str, value: str) -> None:
    found = asking.ask(question)
    assert value in shown(found)
    by_id = {paper.id: paper for paper in PAPERS}
    for claim in found.statements:
        assert claim.verdict == "metadata" and claim.citations
        for cited in claim.citations:
            assert cited.quote == field_text(by_id[cited.paper_id], cited.field)[cited.start : cited.end] != ""


@pytest.mark.parametrize(
    "question",
    [
        "papers by Grace Hopper",
        "How many papers were published in 1987?",
        "What is the DOI of TidePool?",
        "Who wrote the Medusa paper?",
    ],
)
def test_the_catalogue_says_what_it_does_not_have(asking: Asking, question: str) -> None:
    found = asking.ask(question)
    assert not found.answered
    assert found.reason


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.one_of(
        st.text(max_size=200),
        st.lists(st.sampled_from("who which TidePool 多少 % $ \\frac{ by ICML 2024 vs ?".split())).map(" ".join),
    )
)
def test_no_question_breaks_it(asking: Asking, text: str) -> None:
    found = asking.ask(text)
    assert found.answered != (found.reason is not None)


def test_a_question_of_the_abstract_is_no_answer() -> None:
    text = "Is the last layer enough? We show (what else?) that it is. “Would more help?” No. 它有效吗？有效。"
    sentences = [Sentence("p", index, start, end) for index, (start, end) in enumerate(split(text))]
    left = [text[each.start : each.end] for each in able_to_answer(text, sentences)]
    assert left == ["We show (what else?) that it is.", "No.", "有效。"]
