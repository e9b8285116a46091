"""Public sets in their own formats: the papers' definitions on examples worked by hand, each reader end to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.bench import clapnq, pubmedqa, scholarqa, scifact
from evals.bench.__main__ import main
from evals.bench.measures import classes, f1, rouge_l, token_f1
from evals.bench.scifact import Claim, Predicted


def lines(path: Path, *values: Any) -> Path:
    path.write_text("\n".join(map(json.dumps, values)), "utf-8")
    return path


def test_f1_in_its_forms() -> None:
    assert f1(2, 4, 8) == {"precision": 0.5, "recall": 0.25, "f1": pytest.approx(1 / 3)}
    assert f1(0, 0, 0)["f1"] == 0.0
    found = classes([("yes", "yes"), ("yes", "no"), ("no", "no"), ("maybe", "no")])
    assert found["accuracy"] == 0.5
    assert found["macro_f1"] == pytest.approx((2 / 3 + 1 / 2 + 0) / 3)
    assert token_f1("the cat sat", "the cat ran") == pytest.approx(2 / 3)
    assert rouge_l("a b c d", "a c d b") == pytest.approx(3 / 4)


def test_scifact_counts_as_its_paper_defines() -> None:
    """A rationale counts only whole; selection needs no right label; NOT_ENOUGH_INFO predicts nothing."""
    claims = [
        Claim("1", "c", ("a",), {"a": "SUPPORT"}, {"a": (frozenset({0, 1}), frozenset({4}))}),
        Claim("2", "c", ("b",), {"b": "CONTRADICT"}, {"b": (frozenset({2}),)}),
        Claim("3", "c", ("d",), {}, {}),
    ]
    predicted = {
        "1": {"a": Predicted("SUPPORT", (0, 4))},  # 0 lacks its 1; 4 is whole
        "2": {"b": Predicted("SUPPORT", (2,))},  # the right sentence, the wrong label
        "3": {"d": Predicted("NOT_ENOUGH_INFO", ())},
    }
    found = dict(scifact.measures(claims, predicted))
    assert found["abstract, label F1"] == f1(1, 2, 2)["f1"]
    assert found["abstract, label and rationale F1"] == f1(1, 2, 2)["f1"]
    assert found["sentence, selection F1"] == f1(2, 3, 4)["f1"]
    assert found["sentence, selection and label F1"] == f1(1, 3, 4)["f1"]
    assert found["citation F1"] == f1(3, 3, 4)["f1"]


def test_scifact_end_to_end(tmp_path: Path) -> None:
    abstract = [
        "Statins are drugs.",
        "Statins reduce the risk of stroke by 20% in adults.",
        "We thank our funders.",
    ]
    lines(
        tmp_path / "corpus.jsonl",
        {"doc_id": 7, "title": "Statins", "abstract": abstract},
        {"doc_id": 8, "title": "Rain", "abstract": ["Rain falls in autumn."]},
    )
    evidence = {"7": [{"sentences": [1], "label": "SUPPORT"}]}
    lines(
        tmp_path / "claims_dev.jsonl",
        {
            "id": 1,
            "claim": "Statins reduce the risk of stroke by 20% in adults.",
            "evidence": evidence,
            "cited_doc_ids": [7],
        },
    )
    found = dict(scifact.run(tmp_path).figures)
    assert found["oracle: label accuracy"] == 1.0
    assert found["open: sentence, selection and label F1"] == 1.0
    assert found["open: citation F1"] == 1.0


def test_pubmedqa(tmp_path: Path) -> None:
    context = ["Statins reduced the rate of stroke in older adults.", "Nothing else was measured."]
    path = tmp_path / "ori_pqal.json"
    example = {  # every field that an entry of the set has
        "QUESTION": "Did statins reduce the rate of stroke in older adults?",
        "CONTEXTS": context,
        "LABELS": ["RESULTS", "METHODS"],
        "MESHES": ["Aged", "Stroke"],
        "YEAR": "2011",
        "reasoning_required_pred": "yes",
        "reasoning_free_pred": "yes",
        "final_decision": "yes",
        "LONG_ANSWER": "Statins may be of use to older adults.",
    }
    path.write_text(
        json.dumps(
            {
                "1": example,
                "2": {**example, "QUESTION": "Do violins sound better in winter?", "final_decision": "maybe"},
            }
        ),
        "utf-8",
    )
    assert pubmedqa.statement("Is it so that cats purr?") == "It so that cats purr."
    found = pubmedqa.run(path)
    assert found.examples == 2
    assert set(dict(found.figures)) == {"accuracy", "macro-F1", "share decided", "accuracy where decided"}
    assert pubmedqa.answer("Do violins sound better in winter?", context) == "maybe"
    assert "not comparable" in "\n".join(found.lines())


def test_scholarqa_answers_are_cited_from_zero(tmp_path: Path) -> None:
    contexts = [
        {"title": "Foo", "text": "Foo reaches 93.1% accuracy on the Bar benchmark."},
        {"title": "Baz", "text": "Baz is old."},
    ]
    good = {
        "input": "q",
        "output": "Foo reaches 93.1% accuracy on the Bar benchmark [0].",
        "ctxs": contexts,
        "answer": "Foo reaches 93.1% on Bar.",
    }
    bad = {**good, "output": "Foo reaches 93.1% accuracy on the Bar benchmark [1]."}
    found = dict(scholarqa.run(lines(tmp_path / "answers.jsonl", good, bad)).figures)
    assert (found["citation_recall"], found["citation_precision"], found["citation_f1"]) == (0.5, 0.5, 0.5)
    assert 0.5 < found["rouge_l"] < 1.0
    (tmp_path / "answers.json").write_text(json.dumps([good]), "utf-8")
    assert dict(scholarqa.run(tmp_path / "answers.json").figures)["citation_recall"] == 1.0


_SAMPLER = "We propose Foo, a sampler for graphs. Foo reaches an accuracy of 93.1% on the Bar benchmark."
_ASKED = "Which accuracy does Foo reach on the Bar benchmark?"


def test_scholarqa_labels_are_checked_against_the_gold_contexts(tmp_path: Path) -> None:
    """As `scifact_test.jsonl` and `pubmed_test.jsonl` are: claims with true or false, questions with yes or no."""
    gold = [{"title": "Foo: A Sampler", "text": _SAMPLER}]
    claims = [
        {"input": "Foo reaches an accuracy of 93.1% on the Bar benchmark.", "answer": "true", "gold_ctx": gold},
        {"input": "Foo reaches an accuracy of 39.1% on the Bar benchmark.", "answer": "false", "gold_ctx": gold},
        {"input": "Violins sound better in winter.", "answer": "true", "gold_ctx": gold},
    ]
    found = dict(scholarqa.run(lines(tmp_path / "scifact_test.jsonl", *claims)).figures)
    assert found == {
        "label accuracy": pytest.approx(2 / 3),
        "share decided": pytest.approx(2 / 3),
        "label accuracy where decided": 1.0,
    }
    question = {"input": "Does Foo reach an accuracy of 93.1% on the Bar benchmark?", "answer": "yes"}
    found = dict(scholarqa.run(lines(tmp_path / "pubmed_test.jsonl", {**question, "gold_ctx": gold})).figures)
    assert "label accuracy" in found


def test_scholarqa_prose_is_answered_here(tmp_path: Path) -> None:
    """As `qasa_test.jsonl` is: a whole paper in `ctxs`, a long answer."""
    context = {"title": "Foo: A Sampler", "text": _SAMPLER}
    single = {
        "input": _ASKED,
        "answer": "Foo reaches an accuracy of 93.1% there.",
        "ctxs": [context, {"title": "Foo: A Sampler", "text": "We thank our funders."}],
        "gold_ctxs": [context],
    }
    found = dict(scholarqa.run(lines(tmp_path / "qasa_test.jsonl", single)).figures)
    assert found["share answered"] == 1.0
    assert found["quote_fidelity"] == 1.0
    assert 0.3 < found["rouge_l"] < 1.0


def test_clapnq(tmp_path: Path) -> None:
    """As its annotated files are: sentences by their text, several annotators, an empty answer where there is none."""
    sentences = [
        "We propose Foo, a sampler for graphs.",
        "Foo reaches an accuracy of 93.1% on the Bar benchmark.",
    ]
    passage = {"title": "Foo: A Sampler", "text": f"{_SAMPLER} ", "sentences": sentences}
    meta = {"annotator": [1, 2], "has_minimal_answer": False, "non_consecutive": True, "round": 2, "skip": False}
    other = {"answer": "It samples graphs.", "selected_sentences": sentences[:1], "meta": meta}
    nearest = {"answer": sentences[1], "selected_sentences": sentences[1:], "meta": meta}
    answered = {"id": "1", "input": _ASKED, "passages": [passage], "output": [other, nearest]}
    empty = {
        "id": "-2",
        "input": "at which temperature does tungsten melt",
        "passages": [passage],
        "output": [{"answer": "", "selected_sentences": [], "meta": meta}],
    }
    lines(tmp_path / "clapnq_dev_answerable.jsonl", answered)
    lines(tmp_path / "clapnq_dev_unanswerable.jsonl", empty)
    found = clapnq.run(tmp_path)
    assert found.examples == 2
    assert dict(found.figures) == {
        "answerable: token F1": 1.0,
        "answerable: ROUGE-L": 1.0,
        "answerable: sentence F1": 1.0,
        "answerable: answered": 1.0,
        "unanswerable: abstained": 1.0,
    }


def test_what_cannot_be_read_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("scifact", "pubmedqa", "scholarqa", "clapnq"):
        assert main([name, str(tmp_path / "nowhere")]) == 2
        told = capsys.readouterr().err
        assert "nowhere" in told
        assert len(told.strip().splitlines()) == 1
