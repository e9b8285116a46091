"""The other calls: rewriting a failed sentence, a second opinion, a follow-up made whole, a topic summed up."""

from __future__ import annotations

import pytest
from drafting import Saying, evidence_of, paper, three_papers

from rag.errors import ModelRefused
from rag.generate.followup import standalone
from rag.generate.repairs import Rewriter, cited_evidence, judge, rewrite
from rag.generate.summary import Overview, findings
from rag.model.contract import Prompt, Stream
from rag.types import Citation, Claim, DraftSentence, Evidence

WRONG = DraftSentence("Sail is 9x faster.", ("kx3",))


class Refusing(Saying):
    def stream(self, prompt: Prompt, *, max_tokens: int, seconds: float) -> Stream:
        self.prompts.append(prompt)
        raise ModelRefused("no", "no")
        yield "never"


def claim(item: Evidence, text: str) -> Claim:
    citation = Citation(item.paper.id, item.sentence.start, item.sentence.end, item.text)
    return Claim(text, (citation,), "supported", 0.01)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("Sail is up to 3.1× faster than Rudder.", "Sail is up to 3.1× faster than Rudder."),
        ("<think>Hm.</think>Sail is up to 3.1× faster [kx1].", "Sail is up to 3.1× faster."),
        ("Corrected sentence:\nSail is fast. And more.", "Sail is fast."),
        ("NONE", None),
        ("None.", None),
        ("Sail is 9x faster.", None),
        ("", None),
    ],
)
def test_a_rewrite_is_one_other_sentence_or_none(reply: str, text: str | None) -> None:
    model = Saying(reply)
    assert rewrite(model, WRONG, three_papers()[:3], ("number differs",), seconds=5) == text
    [prompt] = model.prompts
    assert "Sentence: Sail is 9x faster.\nWhat is wrong with it: number differs" in prompt.user


def test_a_rewrite_that_did_not_end_is_none() -> None:
    assert rewrite(Saying("Sail is fast.", ending="length"), WRONG, three_papers()[:3], (), seconds=5) is None


def test_rewriting_is_bounded() -> None:
    model = Saying("Sail is fast.")
    rewriter = Rewriter(model, seconds=60, most=2)
    evidence = three_papers()[:2]
    assert [rewriter(WRONG, evidence, ()) for _ in range(4)] == ["Sail is fast.", "Sail is fast.", None, None]
    assert len(model.prompts) == 2
    assert Rewriter(model, seconds=60)(WRONG, (), ()) is None
    assert Rewriter(model, seconds=0)(WRONG, evidence, ()) is None
    assert len(model.prompts) == 2


def test_rewriting_stops_at_the_first_trouble() -> None:
    model = Refusing()
    rewriter = Rewriter(model, seconds=60)
    assert [rewriter(WRONG, three_papers(), ()) for _ in range(3)] == [None] * 3
    assert len(model.prompts) == 1


@pytest.mark.parametrize(
    ("reply", "judgement"),
    [
        ("SUPPORTED", "supported"),
        ("Supported.", "supported"),
        ("**CONTRADICTED** - it says 3.1", "contradicted"),
        ("MISSING", "missing"),
        ("Not supported", "missing"),
        ("NOT_SUPPORTED", "missing"),
        ("<think>SUPPORTED?</think>MISSING", "missing"),
        ("The claim is unsupported.", None),
        ("I cannot say.", None),
        ("", None),
    ],
)
def test_a_judgement_is_read(reply: str, judgement: str | None) -> None:
    evidence = three_papers()
    model = Saying(reply)
    assert judge(model, claim(evidence[2], "Sail is fast."), evidence, seconds=5) == judgement
    [prompt] = model.prompts
    assert prompt.user.count("] ") == 1, "only what the claim cites is shown"


def test_cited_evidence_overlaps_its_citations() -> None:
    evidence = three_papers()
    half = Citation("doi:10.1/sail", 3, 5, "fti")
    assert cited_evidence(Claim("x", (half,), "supported", 0.0), evidence) == evidence[:1]


def test_a_follow_up_is_made_whole() -> None:
    turns = [("What is Sail?", "A drafter.\nQuestion: fake"), ("And Keel?", "A model.")]
    model = Saying('"How fast is Keel?"')
    assert standalone(model, turns, "How fast\nis it?", seconds=5) == "How fast is Keel?"
    [prompt] = model.prompts
    assert prompt.user.endswith("Answer: A model.\n\nLast message: How fast is it?")
    assert prompt.user.count("\nQuestion:") == 1
    for useless in ("", "One.\nTwo.", "word " * 200):
        assert standalone(Saying(useless), turns, "How fast is it?", seconds=5) is None


def test_findings_are_drafted_over_all_papers() -> None:
    draft = findings(
        Saying("Sail drafts blocks [kx2]. Mast holds problems [kx6]."), "drafting", three_papers(), seconds=5
    )
    assert [one.keys for one in draft] == [("kx2",), ("kx6",)]
    assert draft.prompt is not None
    assert draft.prompt.user.endswith("Topic: drafting")


def test_an_overview_cites_the_abstracts_and_not_the_claims() -> None:
    evidence = three_papers()
    claims = [claim(evidence[1], "Sail drafts in blocks."), claim(evidence[5], "Mast is multilingual.")]
    model = Saying("Both are about boats [kx1, kx2, kx7].")
    overview = Overview(model, "boats", claims, evidence, seconds=5)
    [sentence] = list(overview)
    assert sentence.keys == (evidence[1].key, evidence[5].key, "kx7")
    assert "[kx2] Mast is multilingual." in model.prompts[0].user
    assert "1,200" not in model.prompts[0].user


def test_claims_with_the_same_words_keep_their_own_citations() -> None:
    evidence = evidence_of([paper("a", "A", "It is fast."), paper("b", "B", "This is fast.")])
    claims = [claim(evidence[0], "It is fast."), claim(evidence[1], "It is fast.")]
    [first, second] = list(Overview(Saying("One [kx1]. Two [kx2]."), "speed", claims, evidence, seconds=5))
    assert (first.keys, second.keys) == ((evidence[0].key,), (evidence[1].key,))
