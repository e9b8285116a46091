"""Two records, one paper; and two papers, never one."""

from __future__ import annotations

import time
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.readers.merging import MAX_COMPARED, merge, merge_keys, settle
from rag.readers.papers import paper_from
from rag.types import Paper

ABSTRACT = "We propose Foo, a method that reads abstracts twice and forgets nothing of what they say."


def paper(place: str = "a:1", **fields: object) -> Paper:
    return paper_from({"abstract": ABSTRACT, **fields}, place)


def same_paper(a: Paper, b: Paper) -> bool:
    return len(settle([a, b])) == 1


def test_the_same_abstract_with_and_without_metadata_is_one_paper() -> None:
    bare = paper("list.txt:3", abstract=f" {ABSTRACT.upper()} \n", year=2026)
    full = paper("refs.bib:9", title="Foo", doi="10.1/x", authors=["A B"], venue="ICML")
    (merged,) = settle([bare, full])
    assert (merged.id, merged.title, merged.title_source, merged.doi) == ("doi:10.1/x", "Foo", "given", "10.1/x")
    assert (merged.authors, merged.year, merged.venue) == (("A B",), 2026, "ICML")
    assert merged.files == ("list.txt:3", "refs.bib:9")


def test_an_edited_abstract_under_the_same_identifier_is_one_paper() -> None:
    old = paper(arxiv_id="2304.09848v1", title="Foo: Reading Twice")
    new = paper(
        arxiv_id="2304.09848v2", title="Foo: Reading Abstracts Twice", abstract=ABSTRACT + " New results added."
    )
    (merged,) = settle([old, new])
    assert merged.abstract.endswith("added.")
    assert merged.title == "Foo: Reading Abstracts Twice"


def test_identifiers_of_several_kinds_link_records() -> None:
    both = paper(doi="10.1/x", url="https://arxiv.org/abs/2304.09848", title="Foo")
    preprint = paper(arxiv_id="2304.09848", title="Foo", abstract=ABSTRACT + " More.")
    published = paper(doi="10.1/x", title="Foo", abstract=ABSTRACT + " Less.")
    assert len(settle([both, preprint, published])) <= 2
    assert set(merge_keys(both)) & set(merge_keys(preprint))
    assert same_paper(both, preprint)
    assert same_paper(both, published)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"title": "Part One"}, {"title": "Part Two"}),
        ({"title": "Foo", "doi": "10.1/x"}, {"title": "Foo", "doi": "10.1/y"}),
        ({"title": "Foo", "doi": "10.1/x"}, {"doi": "10.1/y"}),
        (
            {"title": "Reading", "doi": "10.1/volume"},
            {"title": "Cooking", "doi": "10.1/volume", "abstract": "Soup needs salt; bread needs rest and a hot oven."},
        ),
        ({}, {"abstract": "Soup needs salt; bread needs rest and a hot oven."}),
    ],
)
def test_different_papers_stay_two_with_ids_of_their_own(first: dict, second: dict) -> None:
    a, b = paper("a:1", **first), paper("b:1", **second)
    assert not same_paper(a, b)
    assert not same_paper(b, a)
    settled = settle([a, b])
    assert settled == settle([b, a])
    assert len({one.id for one in settled}) == 2
    assert {one.abstract for one in settled} == {a.abstract, b.abstract}
    assert settle(settled) == settled


def test_a_colliding_id_does_not_depend_on_which_came_first_or_who_else_is_there() -> None:
    one, two, three = (paper(title=f"Part {n}") for n in ("One", "Two", "Three"))
    pair = {p.title: p.id for p in settle([one, two])}
    trio = {p.title: p.id for p in settle([three, two, one])}
    assert pair["Part One"] == trio["Part One"] != one.id
    assert one.id == two.id == three.id


def test_a_bare_abstract_that_fits_two_papers_goes_to_one_of_them_always_the_same() -> None:
    records = [paper("a:1", title="Part One"), paper("b:1", title="Part Two"), paper("c:1")]
    results = {settle(order) for order in permutations(records)}
    assert len(results) == 1
    (settled,) = results
    assert len(settled) == 2
    assert sorted(place for one in settled for place in one.files) == ["a:1", "b:1", "c:1"]


def test_places_are_in_natural_order_each_once() -> None:
    (merged,) = settle([paper("b.txt:10"), paper("b.txt:9"), paper("a.txt:100"), paper("b.txt:10")])
    assert merged.files == ("a.txt:100", "b.txt:9", "b.txt:10")


def test_very_many_look_alikes_are_settled_in_bounded_time() -> None:
    many = [paper(f"a:{n}", title=f"Title {n}") for n in range(4 * MAX_COMPARED)]
    settled = settle([*many, *many])
    assert len(settled) == len(many) == len({one.id for one in settled})
    assert settled == settle(reversed(many))


def test_very_many_copies_are_one_paper_that_knows_all_its_places() -> None:
    copies = [paper(f"a:{n}", title="Foo", year=2000 + n % 2) for n in range(20_000)]
    begun = time.process_time()
    (settled,) = settle(copies)
    assert time.process_time() - begun < 20  # 0.3 s; quadratic time took minutes
    assert (len(settled.files), settled.files[-1], settled.year) == (20_000, "a:19999", 2000)


PAPERS = st.builds(
    lambda title, abstract, ids, year, authors, venue, place: paper_from(
        {"title": title, "abstract": abstract, "year": year, "authors": authors, "venue": venue, **ids}, place
    ),
    st.sampled_from(["", "Foo", "foo", "Foo: Reading", "Bar"]),
    st.sampled_from([ABSTRACT, ABSTRACT.lower(), f"{ABSTRACT} ", f"{ABSTRACT} More.", "Soup needs salt and patience."]),
    st.fixed_dictionaries(
        {},
        optional={
            "doi": st.sampled_from(["10.1/x", "10.1/y"]),
            "arxiv": st.sampled_from(["2304.09848", "2304.00001v2"]),
            "url": st.sampled_from(
                ["https://openreview.net/forum?id=Oz335dV48X", "http://x.org", "http://x.org/longer"]
            ),
        },
    ),
    st.sampled_from([None, 2019, 2020]),
    st.sampled_from([[], ["A B"], ["C D", "E F"]]),
    st.sampled_from(["", "ICML", "ICML 2020"]),
    st.sampled_from(["a:1", "a:2", "b:10"]),
)


@given(PAPERS, PAPERS)
def test_sameness_is_symmetric_and_needs_a_shared_key(a: Paper, b: Paper) -> None:
    assert same_paper(a, a)
    assert same_paper(a, b) == same_paper(b, a)
    assert not same_paper(a, b) or set(merge_keys(a)) & set(merge_keys(b))


@given(PAPERS, PAPERS, PAPERS)
def test_merging_does_not_depend_on_order_or_grouping(a: Paper, b: Paper, c: Paper) -> None:
    assert merge([a, b, c]) == merge([c, a, b]) == merge([a, merge([b, c])]) == merge([merge([a, b]), c])
    assert merge([a, a]) == a


@given(st.lists(PAPERS, min_size=1, max_size=6), st.randoms())
def test_settling_does_not_depend_on_order_loses_no_place_and_gives_each_paper_an_id(
    papers: list[Paper], random
) -> None:
    settled = settle(papers)
    shuffled = papers[:]
    random.shuffle(shuffled)
    assert settle(shuffled) == settled == settle([*papers, *papers])
    assert len({one.id for one in settled}) == len(settled)
    assert {place for one in settled for place in one.files} == {place for one in papers for place in one.files}
    assert {one.abstract for one in settled} <= {one.abstract for one in papers}


@given(PAPERS, PAPERS)
def test_a_merged_paper_keeps_what_was_given(a: Paper, b: Paper) -> None:
    merged = merge([a, b])
    assert merged.title_source == ("given" if "given" in (a.title_source, b.title_source) else "derived")
    assert (merged.doi is None) == (a.doi is None and b.doi is None)
    assert merged.year == min((y for y in (a.year, b.year) if y), default=None)
    assert merged == merge([b, a])


def test_places_are_in_the_order_of_their_numbers() -> None:
    papers = [paper_from({"title": "T", "abstract": ABSTRACT}, place) for place in ("a.txt:10", "b.txt:1", "a.txt:9")]
    assert merge(papers).files == ("a.txt:9", "a.txt:10", "b.txt:1")
