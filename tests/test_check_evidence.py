"""What papers make of a sentence, and where a sentence of several claims is cut."""

from __future__ import annotations

import pytest

from rag.checking.clauses import parts
from rag.checking.evidence import Paperwise, Weighed, most_against, support
from rag.manuscript import Source, read
from rag.types import Paper
from rag.verify.support import Span

PAPER = Paper("text:1", "Tides", "given", "Tides rise. They fall. Moss grows.")
RISE, FALL, MOSS = Span(PAPER, 0, 11), Span(PAPER, 12, 22), Span(PAPER, 23, 34)


def paperwise(*weighed: Weighed) -> list[Paperwise]:
    return [Paperwise(weighed)]


def test_what_stands_beside_a_contradicted_sentence_does_not_support() -> None:
    denied = Weighed((RISE,), 0.0, 0.9, conflict="it falls")
    beside = Weighed((FALL,), 0.8, 0.5)
    close = Weighed((MOSS,), 0.7, 0.85)
    assert support(paperwise(denied, beside, close)) == close
    assert support(paperwise(beside, close)) == beside
    word_for_word = Weighed((FALL,), 1.0, 0.5, verbatim=True)
    assert support(paperwise(denied, word_for_word)) == word_for_word
    assert support([]) is None


def test_only_the_closest_single_sentence_speaks_against() -> None:
    near, far = Weighed((RISE,), 0.5, 0.9), Weighed((FALL,), 0.0, 0.5, conflict="it rises")
    assert most_against(paperwise(near, far)) is None
    as_near = Weighed((FALL,), 0.0, 0.85, conflict="it rises")
    assert most_against(paperwise(near, far, as_near)) == as_near
    pair = Weighed((RISE, FALL), 0.0, 0.95, conflict="it rises")
    assert most_against(paperwise(near, pair)) is None


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        (
            "DFlash drafts whole blocks quickly, and MuLoCo trains large models cheaply.",
            ["DFlash drafts whole blocks quickly", "and MuLoCo trains large models cheaply."],
        ),
        (
            "DFlash drafts whole blocks [1] and MuLoCo trains large models [2].",
            ["DFlash drafts whole blocks", "and MuLoCo trains large models."],
        ),
        ("DFlash drafts whole blocks quickly, and reduces latency on long inputs.", []),
        ("DFlash drafts whole blocks quickly, and so on.", []),
        ("DFlash drafts whole blocks quickly.", []),
    ],
)
def test_a_sentence_is_cut_where_each_clause_has_a_subject_and_a_verb(text: str, cut: list[str]) -> None:
    manuscript = read(Source("x", text, "plain"))
    (whole,) = manuscript.statements
    found = parts(text, manuscript.layout, whole)
    assert [part.reading for part in found] == cut
    assert "".join(text[part.start : part.end] for part in found) == (text if cut else "")
