"""Hits to keyed sentences: whole papers within a budget, keys that nothing else looks like."""

from __future__ import annotations

from rag.evidence import gather, keyed
from rag.text.sentences import split
from rag.types import Hit, Paper, Sentence

TEXT = "First sentence here. Second one follows. The third ends it."


def paper(number: int, text: str = TEXT) -> Paper:
    return Paper(f"text:{number:04d}", f"Paper {number}", "derived", text)


def sentences(of: Paper) -> tuple[Sentence, ...]:
    return tuple(Sentence(of.id, i, start, end) for i, (start, end) in enumerate(split(of.abstract)))


def hits(*papers: Paper) -> list[Hit]:
    return [Hit(p.id, 1.0 / rank, rank, "fused") for rank, p in enumerate(papers, start=1)]


def test_whole_papers_in_rank_and_reading_order_within_the_budget() -> None:
    papers = [paper(0), paper(1), paper(2)]
    by_id, held = {p.id: p for p in papers}, {p.id: sentences(p) for p in papers}
    found = gather(hits(*papers), by_id, held, max_characters=2 * len(TEXT))
    assert [(e.paper.id, e.sentence.index) for e in found] == [(f"text:{n:04d}", i) for n in (0, 1) for i in range(3)]
    assert all(e.text == e.paper.abstract[e.sentence.start : e.sentence.end] for e in found)


def test_a_first_paper_beyond_the_budget_gives_its_beginning() -> None:
    long = paper(0)
    found = gather(hits(long), {long.id: long}, {long.id: sentences(long)}, max_characters=25)
    assert [e.text for e in found] == ["First sentence here."]


def test_papers_removed_since_are_passed_over() -> None:
    gone, left = paper(0), paper(1)
    found = gather(hits(gone, left), {left.id: left}, {left.id: sentences(left)})
    assert {e.paper.id for e in found} == {left.id}


def test_nothing_found_is_nothing() -> None:
    assert gather([], {}, {}) == ()


def test_keys_are_unique_and_the_same_however_sentences_are_gathered() -> None:
    chosen = [(paper(n), s, 0.0) for n in range(3) for s in sentences(paper(n))]
    keys = [e.key for e in keyed(chosen)]
    assert len(set(keys)) == len(keys) == 9
    assert keys[4:] == [e.key for e in keyed(chosen[4:])]


def test_a_sentence_given_twice_stands_once() -> None:
    one = paper(0)
    chosen = [(one, s, score) for score in (0.7, 0.2) for s in sentences(one)]
    assert [e.score for e in keyed(chosen)] == [0.7] * 3


def test_the_heading_of_a_section_is_no_part_of_what_is_quoted() -> None:
    headed = paper(0, "AIM To count geese. METHODS AND RESULTS: We counted 40. Results show a few. CONCLUSION Geese!")
    texts = [each.text for each in keyed((headed, sentence, 1.0) for sentence in sentences(headed))]
    assert texts == ["To count geese.", "We counted 40.", "Results show a few.", "Geese!"]
