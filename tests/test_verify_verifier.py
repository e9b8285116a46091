"""Drafts in, claims out: keys, re-citing, trimming, repair, dependence, and the sum of risks."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rag.text.sentences import split
from rag.types import Draft, DraftSentence, Evidence, Paper, Sentence
from rag.verify import Verified, Verifier, verify
from rag.verify.support import span_of, verbatim

LANTERN = Paper(
    "text:lantern",
    "Lantern: faster decoding by lookahead",
    "given",
    "Decoding is slow because tokens are drafted one at a time. We introduce Lantern, a decoder that drafts whole "
    "phrases in parallel. Lantern reduces decoding latency by 31\\% on the Harbor benchmark.  This gain holds for "
    "contexts of up to 64k tokens. Code will be released.",
)
BEACON = Paper(
    "text:beacon",
    "Beacon: memory for agents",
    "given",
    "Agents forget what they did. Beacon stores past episodes in a compressed index and retrieves them by goal. "
    "On twelve household tasks, Beacon improves the success rate from 48\\% to 63\\% without any additional training.",
)


def evidence(*papers: Paper) -> list[Evidence]:
    return [
        Evidence(f"k{number}{index}", paper, Sentence(paper.id, index, start, end))
        for number, paper in enumerate(papers)
        for index, (start, end) in enumerate(split(paper.abstract))
    ]


SHOWN = evidence(LANTERN, BEACON)


def run(*sentences: tuple[str, tuple[str, ...]], max_risk: float = 0.05) -> Verified:
    draft = Draft(tuple(DraftSentence(text, keys) for text, keys in sentences))
    found = verify(draft, SHOWN, max_risk=max_risk)
    papers = {paper.id: paper for paper in (LANTERN, BEACON)}
    for claim in found.claims:
        assert claim.citations
        for citation in claim.citations:
            assert citation.quote == papers[citation.paper_id].abstract[citation.start : citation.end]
            assert citation.quote == citation.quote.strip()
    counts = found.counts
    assert counts.sentences == counts.quoted + counts.supported + counts.replaced + counts.dropped == len(sentences)
    assert found.risk.bound <= max_risk or not found.risk.certified
    return found


TRUE = "Lantern cuts decoding latency by 31% on the Harbor benchmark."


def test_a_supported_sentence_is_shown_with_the_exact_slice() -> None:
    found = run((TRUE, ("k02",)))
    (claim,) = found.claims
    assert (claim.text, claim.verdict) == (TRUE, "supported")
    assert claim.citations[0].quote.startswith("Lantern reduces") and claim.citations[0].quote.endswith("benchmark.")
    assert 0.0 < claim.risk <= 0.05 and found.risk.certified and found.risk.bound == claim.risk


def test_a_verbatim_sentence_is_quoted_without_risk() -> None:
    found = run(("Lantern reduces  decoding latency by 31\\% on the\nHarbor benchmark.", ("k02",)))
    assert [(c.verdict, c.risk) for c in found.claims] == [("quoted", 0.0)]
    two = run((LANTERN.abstract[: LANTERN.abstract.index("Lantern reduces")], ("k00", "k01")))
    assert [len(c.citations) for c in two.claims] == [2]


def test_sentences_with_another_between_them_are_no_quote() -> None:
    first, _, third = (span_of(item) for item in evidence(LANTERN)[:3])
    assert verbatim(f"{first.text} {third.text}", [first, third]) == ()


def test_a_piece_of_a_sentence_is_not_a_quote() -> None:
    found = run(("Tokens are drafted one at a time.", ("k00",)), ("without any additional training.", ("k12",)))
    assert all(c.verdict != "quoted" or c.text == c.citations[0].quote for c in found.claims)


def test_a_right_claim_with_the_wrong_key_is_cited_anew() -> None:
    found = run((TRUE, ("k11",)))
    assert found.claims[0].citations[0].paper_id == LANTERN.id
    assert found.counts.misattributed == 1 and found.counts.fabricated == 0


def test_no_key_and_an_unknown_key_are_counted() -> None:
    found = run((TRUE, ()), (TRUE, ("zz", "k02")))
    assert (found.counts.uncited, found.counts.unknown_keys, found.counts.misattributed) == (1, 1, 0)


def test_a_citation_that_is_not_needed_is_taken_off() -> None:
    found = run((TRUE, ("k02", "k04")))
    assert [c.quote[:7] for c in found.claims[0].citations] == ["Lantern"]
    assert found.counts.overcited == 1


def test_a_wrong_number_gives_way_to_the_abstracts_own_sentence() -> None:
    found = run(("Lantern cuts decoding latency by 91% on the Harbor benchmark.", ("k02",)))
    (claim,) = found.claims
    assert claim.verdict == "quoted" and claim.risk == 0.0 and "31" in claim.text
    assert found.counts.contradicted == 1 and found.counts.replaced == 1
    assert "91%" in found.dropped[0].reason


def test_what_nothing_says_is_dropped() -> None:
    found = run(("Tulips bloom earlier in warm springs.", ()))
    assert not found.claims and found.counts.fabricated == found.counts.dropped == 1
    assert found.dropped[0].reason


def test_what_leans_on_a_dropped_sentence_falls_with_it() -> None:
    found = run(
        ("Tulips bloom earlier in warm springs.", ()),
        ("This effect is stronger than in cold ones.", ("k02",)),
    )
    assert not found.claims and "leans on" in found.dropped[1].reason


def test_it_may_not_speak_of_another_paper() -> None:
    found = run(
        (TRUE, ("k02",)),
        ("It improves the success rate from 48% to 63% on twelve household tasks.", ("k12",)),
    )
    assert all("success" not in claim.text or claim.verdict == "quoted" for claim in found.claims)


def test_risks_add_up_to_no_more_than_the_target() -> None:
    found = run(*[(TRUE, ("k02",))] * 12, max_risk=0.05)
    assert sum(claim.risk for claim in found.claims) <= 0.05 + 1e-9


def test_no_risk_allowed_means_quotes_only() -> None:
    found = run((TRUE, ("k02",)), max_risk=0.0)
    assert [(c.verdict, c.risk) for c in found.claims] == [("quoted", 0.0)]


def test_the_model_is_asked_once_for_another_wording() -> None:
    asked: list[tuple[str, ...]] = []

    def rewrite(sentence: DraftSentence, shown: tuple[Evidence, ...], reasons: tuple[str, ...]) -> str:
        asked.append(reasons)
        assert [item.key for item in shown] == ["k02"]
        return TRUE

    wrong = DraftSentence("Lantern cuts decoding latency by 91% on the Harbor benchmark.", ("k02",))
    found = verify(Draft((wrong,)), SHOWN, rewrite=rewrite)
    assert [claim.text for claim in found.claims] == [TRUE]
    assert len(asked) == 1 and "91%" in asked[0][0] and found.counts.rewritten == 1
    still = verify(Draft((wrong,)), SHOWN, rewrite=lambda *_: "Lantern cuts latency by 92%.")
    assert [claim.verdict for claim in still.claims] == ["quoted"]


def test_a_stream_shows_each_sentence_as_it_comes() -> None:
    verifier = Verifier(SHOWN)
    first = verifier.add(DraftSentence(TRUE, ("k02",)))
    second = verifier.add(DraftSentence("Tulips bloom earlier in warm springs.", ("k02x",)))
    found = verifier.finish(complete=False)
    assert [c.text for c in first] == [TRUE] and second == ()
    assert found.claims == first and not found.complete


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.one_of(st.text(max_size=120), st.sampled_from([item.text for item in SHOWN])),
            st.lists(st.sampled_from(["k00", "k12", "k03", "?", ""]), max_size=3).map(tuple),
        ),
        max_size=4,
    )
)
def test_wild_drafts_never_raise_and_quotes_are_always_quoted(
    sentences: list[tuple[str, tuple[str, ...]]],
) -> None:
    found = run(*sentences)
    own = {"".join(item.text.split()) for item in SHOWN}
    verbatim = sum("".join(text.split()) in own for text, _ in sentences)
    assert found.counts.quoted >= verbatim
