"""Answers of other assistants: marks as they write them, LlamaIndex's and paper-qa's own shapes, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.others import marks, outside, scoring
from evals.report import junit, markdown, page, sheet
from evals.report.figures import Figures
from rag.errors import UsageError

PASSAGES = [
    "Foo reaches 93.1% accuracy on the Bar benchmark.",
    "Baz is an older sampler without any guarantee.",
]


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        (
            "A is so [1, 2]. B is so.[2] C is so [1-3].",
            [("A is so.", "12"), ("B is so.", "2"), ("C is so.", "123")],
        ),
        ("A【1】 and B [^2].", [("A and B.", "12")]),
        ("A is so (Source 2).", [("A is so.", "2")]),
        ("A is so [Source 1][Source 2].", [("A is so.", "12")]),
        ("- One thing [1]\n- Another thing [2]\n", [("One thing", "1"), ("Another thing", "2")]),
        ("Speed is 2.5x at x[i] in (2) steps [sic].", [("Speed is 2.5x at x[i] in (2) steps [sic].", "")]),
        ("See [the page](https://a.org) for it [0].", [("See [the page](https://a.org) for it.", "0")]),
        ("", []),
    ],
)
def test_marks_as_they_are_written(answer: str, read: list[tuple[str, str]]) -> None:
    found = [(each.text, "".join(each.keys)) for each in marks.read(answer, {"1", "2"}, "an array x[i]")]
    assert found == read


def test_a_supported_and_an_invented_citation() -> None:
    line = {
        "question": "q",
        "answer": "Foo reaches 93.1% accuracy on the Bar benchmark [1]. It is cheap [7].",
        "passages": PASSAGES,
    }
    record = outside.record(outside.plain(line))
    assert [[cited.valid for cited in each.citations] for each in record.statements] == [[True], [False]]
    assert not record.abstained


@pytest.mark.parametrize(
    ("answer", "abstained"),
    [
        ("I cannot answer this from the sources.", True),
        ("None of the sources are helpful.", True),
        ("The provided context does not contain this.", True),
        ("Unfortunately, the abstracts do not mention it.", True),
        ("Empty Response", True),
        ("", True),
        ("Foo does not know about Bar, so it fails [1].", False),
        ("No model reaches 94% [1].", False),
    ],
)
def test_refusals(answer: str, abstained: bool) -> None:
    assert (
        outside.record(outside.plain({"question": "q", "answer": answer, "passages": PASSAGES})).abstained is abstained
    )


def test_llamaindex_responses_as_objects() -> None:
    from llama_index.core.base.response.schema import Response
    from llama_index.core.schema import NodeWithScore, TextNode

    nodes = [
        NodeWithScore(node=TextNode(text=f"Source {n}:\n{text}\n", id_=f"n{n}"), score=0.5)
        for n, text in enumerate(PASSAGES, 1)
    ]
    line = outside.plain(
        outside.from_llamaindex("q", Response("Foo reaches 93.1% accuracy on the Bar benchmark [1].", nodes))
    )
    record = outside.record(line)
    assert [each.text for each in record.passages] == PASSAGES
    assert record.statements[0].citations[0].passage == PASSAGES[0]


def test_paperqa_sessions() -> None:
    contexts = [
        {
            "id": "pqac-0a1b2c3d",
            "context": "A summary that says more.",
            "text": {"name": "lee2026 chunk 1", "text": PASSAGES[0], "doc": {"dockey": "k1"}},
        },
    ]
    raw = "Foo reaches 93.1% accuracy on the Bar benchmark (pqac-0a1b2c3d). It is cheap (pqac-ffffffff, pqac-0a1b2c3d)."
    session = {
        "question": "q",
        "raw_answer": raw,
        "contexts": contexts,
        "cost": 0.02,
        "token_counts": {"m": [100, 20]},
    }
    record = outside.record(outside.plain({"session": session}))
    assert record.statements[0].citations[0].passage == PASSAGES[0]  # the chunk, not the summary
    assert [each.valid for each in record.statements[1].citations] == [False, True]
    assert (record.spent.cost_usd, record.spent.tokens) == (0.02, 120)
    assert outside.record(outside.plain({**session, "has_successful_answer": False})).abstained


@pytest.mark.parametrize("line", ["{", "[]", '{"question": "q"}', '{"question": "q", "answer": 3, "passages": []}'])
def test_lines_that_are_no_answer_say_where(line: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(line, "utf-8")
    with pytest.raises(UsageError, match=r"a\.jsonl:1"):
        scoring.score_file(path, ())


HOSTILE = "<script>alert(1)</script> [/b] =cmd|' /C calc'!A0 \x1b[31m | `x` \u202e @everyone"


def test_a_scored_file_becomes_every_report_and_hostile_text_stays_text(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = [
        {
            "question": HOSTILE,
            "answer": f"{HOSTILE} [1].",
            "passages": [{"id": "1", "text": HOSTILE, "title": HOSTILE}],
        },
        {
            "question": "q",
            "answer": "Foo reaches 93.1% accuracy on the Bar benchmark [1].",
            "passages": PASSAGES,
        },
    ]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    scored = scoring.score_file(path, ())
    assert scored["summary"]["cases"]["passed"] >= 1
    report = Figures(scored)
    html = page.render(report)
    assert "<script>alert" not in html
    assert "\x1b" not in html
    assert "\u202e" not in html
    assert "&lt;script&gt;alert(1)" in html
    assert "<script>" not in markdown.render(report)
    assert "\x1b" not in junit.render(report)
    assert "\n=cmd" not in sheet.render(report)


def test_questions_add_the_other_metrics(tmp_path: Path) -> None:
    questions = tmp_path / "q.jsonl"
    questions.write_text(
        json.dumps(
            {
                "id": "a",
                "kind": "fact",
                "question": "How accurate is Foo?",
                "answerable": True,
                "papers": ["foo"],
                "must": [["93.1%"]],
            }
        ),
        "utf-8",
    )
    answers = tmp_path / "a.jsonl"
    passages = [{"id": "1", "text": PASSAGES[0], "document": "foo"}]
    answers.write_text(
        json.dumps(
            {
                "question": "how accurate is foo?",
                "answer": "Foo reaches 93.1% accuracy on the Bar benchmark [1].",
                "passages": passages,
            }
        ),
        "utf-8",
    )
    found = scoring.score_file(answers, [questions])
    assert found["cases"][0]["passed"]
    assert found["summary"]["metrics"]["fact_recall"]["mean"] == 1.0
    assert found["questions"]["whole"]
