"""Every metric on worked examples: the expected numbers are written out by hand, or recomputed in a few plain lines.

The judge here is a table, so that what is tested is the arithmetic and not the checker.
"""

from __future__ import annotations

import math

import pytest

from evals.material.cases import ClaimCase, Question
from evals.scorers import METRICS, score, score_claim
from evals.scorers.claims import Checked
from evals.scorers.judge import Judge, Judgement
from evals.scorers.quotes import quotes
from evals.scorers.record import Cited, Passage, Record, Spent, Statement


class Table(Judge):
    """Supports what is listed: sentence -> sets of passages that support it together."""

    def __init__(self, supports: dict[str, list[set[str]]], contradicts: dict[str, set[str]] | None = None) -> None:
        super().__init__()
        self.supports, self.contradicts = supports, contradicts or {}

    def __call__(self, text: str, passages: object) -> Judgement:
        given = set(passages)  # type: ignore[call-overload]
        if any(needed <= given for needed in self.supports.get(text, [])):
            return Judgement("supported")
        return Judgement("contradicted" if self.contradicts.get(text, set()) & given else "not_found")


def cite(*passages: str) -> tuple[Cited, ...]:
    return tuple(Cited(text, f"doc-{text}", text) for text in passages)


def values(record: Record, judge: Judge, question: Question | None = None) -> dict[str, float | None]:
    return {name: each.value for name, each in score(question, record, judge).items()}


def test_alce_on_a_page_of_cases() -> None:
    """Five sentences, nine citations; recall 3/5, precision 5/9."""
    judge = Table({"s1": [{"a"}], "s2": [{"a", "b"}], "s3": [{"a"}, {"b"}], "s4": [{"c"}]})
    record = Record(
        "q",
        (
            Statement("s1", cite("a", "b")),  # supported; b adds nothing: 1 of 2
            Statement("s2", cite("a", "b")),  # supported only by both: 2 of 2
            Statement("s3", cite("a")),  # 1 of 1
            Statement("s4", cite("a", "b")),  # wrong sources: 0 of 2
            Statement(
                "s1", (*cite("a"), Cited("99"))
            ),  # an invented id takes the sentence down; its good one still carries
        ),
        passages=(Passage("3", "doc-c", "c"),),
    )
    found = values(record, judge)
    assert found["citation_recall"] == 3 / 5
    assert found["citation_precision"] == 5 / 9
    assert found["citation_f1"] == pytest.approx(2 * (3 / 5) * (5 / 9) / (3 / 5 + 5 / 9))
    assert found["citation_validity"] == 8 / 9
    assert found["misattribution"] == 1 / 5  # s4: passage c was at hand and says so
    assert found["faithfulness"] == 5 / 5


def test_known_defects_of_alce_are_as_published() -> None:
    """Two redundant parts: each is idle without the other's double; uncited sentences never lower precision."""
    judge = Table({"s": [{"a", "b"}, {"a", "c"}]})
    doubled = Record("q", (Statement("s", cite("a", "b", "c")),))
    assert values(doubled, judge)["citation_precision"] == 1 / 3  # only a is needed, though b or c is too
    silent = Record("q", (Statement("s", cite("a", "b")), Statement("uncited"), Statement("uncited too")))
    assert values(silent, judge)["citation_precision"] == 1.0
    assert values(silent, judge)["citation_recall"] == 1 / 3


def test_recall_by_an_independent_script() -> None:
    """The definition written out again, over every combination of three passages."""
    judge = Table({"s": [{"a"}, {"b", "c"}]})
    for cited in ([], ["a"], ["b"], ["c"], ["b", "c"], ["a", "b"], ["a", "b", "c"]):
        record = Record("q", (Statement("s", cite(*cited)),))
        supported = "a" in cited or {"b", "c"} <= set(cited)
        needed = 0
        for one in cited:
            rest = [each for each in cited if each != one]
            alone = one == "a"
            still = "a" in rest or {"b", "c"} <= set(rest)
            needed += supported and (alone or not still)
        found = values(record, judge)
        assert found["citation_recall"] == float(supported)
        assert found["citation_precision"] == (needed / len(cited) if cited else None)


def test_three_way_faithfulness_is_not_contradiction_turned_around() -> None:
    judge = Table({"yes": [{"a"}]}, {"no": {"a"}})
    record = Record("q", (Statement("yes", cite("a")), Statement("no", cite("a")), Statement("else", cite("a"))))
    found = values(record, judge)
    assert found["faithfulness"] == 1 / 3
    assert found["contradiction"] == 1 / 3  # the third sentence is neither


def test_nothing_to_judge_is_undefined_and_never_zero() -> None:
    found = score(None, Record("q", abstained=True), Table({}))
    for name in (
        "citation_recall",
        "citation_precision",
        "citation_f1",
        "faithfulness",
        "quote_fidelity",
        "mrr",
    ):
        assert found[name].value is None
        assert found[name].why
    assert {each.name for each in METRICS} == set(found)


ABSTRACT = "We propose Foo. It reaches 93.1% on Bar. No data was lost."
OTHER = "We study Baz. It fails often."


@pytest.mark.parametrize(
    ("quote", "start", "end", "fate"),
    [
        ("It reaches 93.1% on Bar.", 16, 40, "exact"),
        ("t reaches 93.1% on Bar. ", 17, 41, "moved"),  # one off: cuts a word, though the slice is right
        ("reaches 93.1% on Bar.", 16, 40, "moved"),  # a word later than its offsets
        ("It fails often.", 0, 15, "misattributed"),
        ("We propose Foo. No data was lost.", 0, 33, "stitched"),
        ("It reaches 99.9% everywhere.", 16, 40, "fabricated"),
    ],
)
def test_quotes_are_told_apart(quote: str, start: int, end: int, fate: str) -> None:
    cited = Cited("p", "p", ABSTRACT[start:end], quote, start, end)
    record = Record("q", (Statement("A claim.", (cited,)),), documents={"p": ABSTRACT, "o": OTHER})
    assert [each for _, each in quotes(record)] == [fate]
    assert values(record, Table({}))["quote_fidelity"] == (1.0 if fate == "exact" else 0.0)


def test_a_statement_that_says_it_is_a_quote_must_be_one() -> None:
    cited = Cited("p", "p", ABSTRACT[16:40], ABSTRACT[16:40], 16, 40)
    good = Record("q", (Statement(ABSTRACT[16:40], (cited,), verbatim=True),), documents={"p": ABSTRACT})
    bad = Record("q", (Statement("It reaches 94.1% on Bar.", (cited,), verbatim=True),), documents={"p": ABSTRACT})
    assert values(good, Table({}))["quote_fidelity"] == 1.0
    assert ("It reaches 94.1% on Bar.", "altered") in list(quotes(bad))


def test_words_in_quotation_marks_are_quotes_too() -> None:
    cited = (Cited("1", "p", ABSTRACT),)
    said = Record(
        "q",
        (Statement("They write that “It reaches 93.1% on Bar” there.", cited),),
        documents={"p": ABSTRACT},
    )
    wrong = Record(
        "q",
        (Statement("They write that “It reaches 73.1% on Bar” there.", cited),),
        documents={"p": ABSTRACT},
    )
    assert [fate for _, fate in quotes(said)] == ["exact"]
    assert [fate for _, fate in quotes(wrong)] != ["exact"]


def test_ranking_metrics_by_hand() -> None:
    question = Question("x", "list", "q", True, papers=("g1", "g2", "g3"))
    ranked = ("n1", "g1", "n2", "g2", *(f"n{i}" for i in range(3, 9)), "g3")  # g3 is the eleventh
    found = values(Record("q", ranked=ranked), Table({}), question)
    assert found["recall_at_10"] == 2 / 3
    assert found["mrr"] == 1 / 2
    gain = 1 / math.log2(3) + 1 / math.log2(5)
    assert found["ndcg_at_10"] == pytest.approx(gain / (1 + 1 / math.log2(3) + 1 / math.log2(4)))
    assert values(Record("q"), Table({}), question)["mrr"] is None  # no ranking was given


def test_papers_and_sentences_cited() -> None:
    question = Question("x", "comparison", "q", True, ("p", "o"), ("It reaches 93.1% on Bar.", "We study Baz."))
    cited = Cited("p", "p", "It reaches  93.1% on Bar.", None)
    record = Record("q", (Statement("s", (cited, Cited("z", "z", "Else."))),))
    found = values(record, Table({}), question)
    assert (found["paper_recall"], found["paper_precision"]) == (1 / 2, 1 / 2)
    assert found["sentence_recall"] == 1 / 2
    assert found["first_paper"] == 1.0


FACT = Question("x", "fact", "How much?", True, ("p",), (), (("93.1%", "93.1 percent"), ("Bar",)), ("94",))


@pytest.mark.parametrize(
    ("said", "facts", "forbidden", "accurate"),
    [
        ("It reaches 93.1% on Bar.", 1.0, 0.0, 1.0),
        ("It reaches 93.1 percent.", 0.5, 0.0, 0.0),
        ("It reaches 193.1% on Bar.", 0.5, 0.0, 0.0),  # a longer number is another number
        ("It reaches 93.1% on Bar, not 94.", 1.0, 1.0, 0.0),
        ("It reaches 93.1% on Bartok.", 0.5, 0.0, 0.0),
    ],
)
def test_facts_and_forbidden_facts(said: str, facts: float, forbidden: float, accurate: float) -> None:
    found = values(Record("q", (Statement(said, cite("a")),)), Table({}), FACT)
    assert (found["fact_recall"], found["forbidden_facts"]) == (facts, forbidden)
    named = Record("q", (Statement(said, (Cited("p", "p", "a"),)),))
    assert values(named, Table({}), FACT)["accuracy"] == accurate


def test_abstention_two_by_two() -> None:
    gone = Question("y", "general", "q", False)
    told, refused = Record("q", (Statement("s", (Cited("p", "p", "a"),)),)), Record("q", abstained=True)
    rates = [
        (values(record, Table({}), question)["abstention"], values(record, Table({}), question)["precision"])
        for question, record in ((FACT, refused), (gone, refused), (gone, told))
    ]
    assert rates == [(0.0, None), (1.0, None), (0.0, 0.0)]
    assert values(refused, Table({}), FACT)["false_refusal"] == 1.0
    assert values(refused, Table({}), gone)["false_refusal"] is None
    assert values(told, Table({}), gone)["unsupported_answer"] == 1.0


def test_premises() -> None:
    false = Question("f", "false_premise", "q", True, ("p",), ("It reaches 93.1% on Bar.",), (), ("slower",))
    shows = Record("q", (Statement("s", (Cited("p", "p", "It reaches 93.1% on Bar."),)),))
    agrees = Record("q", (Statement("It is slower.", (Cited("p", "p", "Else entirely, and long enough."),)),))
    assert values(shows, Table({}), false)["premise_corrected"] == 1.0
    assert values(agrees, Table({}), false)["premise_corrected"] == 0.0
    assert values(agrees, Table({}), false)["premise_confirmed"] == 1.0
    assert values(Record("q", abstained=True), Table({}), false)["premise_corrected"] == 0.0
    absent = Question("f", "false_premise", "q", False)
    assert values(Record("q", abstained=True), Table({}), absent)["premise_corrected"] == 1.0
    assert values(shows, Table({}), absent)["premise_confirmed"] == 1.0


def test_coverage_counts_only_supported_sentences() -> None:
    summary = Question("s", "summary", "q", True, ("doc-a", "doc-b"))
    record = Record("q", (Statement("true", cite("a")), Statement("untrue", cite("b"))))
    assert values(record, Table({"true": [{"a"}]}), summary)["coverage"] == 1 / 2


def test_what_was_spent() -> None:
    found = values(Record("q", spent=Spent(0.25, 1200, 3.5)), Table({}))
    assert (found["cost_usd"], found["tokens"], found["latency"]) == (0.25, 1200, 3.5)
    assert values(Record("q"), Table({}))["cost_usd"] is None


def test_claims() -> None:
    true, false = (
        ClaimCase("t", "x", "supported", "paraphrase"),
        ClaimCase("f", "x", "contradicted", "number"),
    )
    kept, held = Checked("supported", True), Checked("contradicted", False)
    found = [{name: each.value for name, each in score_claim(*pair).items()} for pair in ((true, kept), (false, kept))]
    assert found[0] == {
        "claims_kept": 1.0,
        "claims_leaked": None,
        "claims_told_apart": 1.0,
        "edits_missed": None,
    }
    assert found[1] == {
        "claims_kept": None,
        "claims_leaked": 1.0,
        "claims_told_apart": 0.0,
        "edits_missed": 1.0,
    }
    assert score_claim(false, held)["claims_leaked"].value == 0.0
    assert score_claim(ClaimCase("o", "x", "not_checkable", "opinion"), held)["claims_told_apart"].value is None


def test_the_real_judge_knows_whole_sentences_and_wrong_numbers() -> None:
    judge = Judge()
    passage = "We propose Foo, a sampler. Foo reaches 93.1% accuracy on the Bar benchmark."
    assert judge("Foo reaches 93.1%  accuracy on the Bar benchmark.", [passage]).supported
    assert not judge("Foo reaches 98.1% accuracy on the Bar benchmark.", [passage]).supported
    assert not judge("Foo does not reach 93.1% accuracy on the Bar benchmark.", [passage]).supported
    assert judge("Anything.", []).outcome == "not_found"
