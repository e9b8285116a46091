"""Questions taken apart without a library: kind, type of answer, aspect, premise, sides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.question import understand


@pytest.mark.parametrize(
    ("text", "kind", "metadata"),
    [
        ("What does DriftGuard detect?", "fact", None),
        ("Does DriftGuard need labels?", "yes_no", None),
        ("DriftGuard needs labels, right?", "yes_no", None),
        ("Which papers use wavelets?", "list", None),
        ("any papers on graph drawing?", "list", None),
        ("What work is there on caching?", "list", None),
        ("哪些论文研究缓存?", "list", None),
        ("Welche Arbeiten gibt es zu Caching?", "list", None),
        ("Compare A-Net and B-Net", "comparison", None),
        ("What is the difference between A-Net and B-Net?", "comparison", None),
        ("A-Net vs. B-Net", "comparison", None),
        ("比较 A-Net 和 B-Net", "comparison", None),
        ("Summarise the MossNet paper", "summary", None),
        ("Who wrote MossNet?", "metadata", "authors"),
        ("who are the authors of MossNet", "metadata", "authors"),
        ("MossNet 的作者是谁?", "metadata", "authors"),
        ("Wer hat MossNet geschrieben?", "metadata", "authors"),
        ("Quels sont les auteurs de MossNet ?", "metadata", "authors"),
        ("How many authors has MossNet?", "metadata", "authors"),
        ("How do the authors of MossNet measure moss?", "fact", None),
        ("What did MossNet's authors find?", "fact", None),
        ("When was MossNet published?", "metadata", "year"),
        ("At which conference did MossNet appear?", "metadata", "venue"),
        ("link to the MossNet paper", "metadata", "url"),
        ("DOI of MossNet", "metadata", "doi"),
        ("How many papers are about caching?", "metadata", "count"),
        ("有多少篇论文?", "metadata", "count"),
        ("How many patients took part?", "fact", None),
        ("Which guidance scale works best?", "fact", None),
    ],
)
def test_kind(text: str, kind: str, metadata: str | None) -> None:
    question = understand(text)
    assert (question.kind, question.metadata) == (kind, metadata)


@pytest.mark.parametrize(
    ("text", "kind", "aspect"),
    [
        ("What learning rate does MossNet use?", "number", "learning rate"),
        ("How many hidden units does MossNet have?", "number", "hidden units"),
        ("What is the number of plots?", "number", "plots"),
        ("Which GPU was used?", "hardware", "gpu"),
        ("On which data sets is MossNet evaluated?", "dataset", "datasets"),
        ("Which language models generated the traces?", "model", "language models"),
        ("What F1 does MossNet reach on Plots?", "score", "f1"),
        ("What sample complexity do the methods have?", "complexity", "sample complexity"),
        ("What percentage of the cats were ill?", "percent", "cats"),
        ("How long does training take?", "time", ""),
        ("How much faster is TidePool?", "factor", "faster"),
        ("How much GPU memory does it save?", "memory", "gpu memory"),
        ("Is the code of TidePool on GitHub?", "code", ""),
        ("Where is the project page?", "link", ""),
        ("Why do provers fail?", "reason", ""),
        ("How does MossNet count?", "means", ""),
        ("TidePool 比 RadixCache 快多少?", "factor", ""),
        ("用了哪些数据集?", "dataset", ""),
    ],
)
def test_type_of_the_answer(text: str, kind: str, aspect: str) -> None:
    asked = understand(text).asked
    assert (asked.kind, asked.aspect) == (kind, aspect)


def test_reducing_a_number_of_things_asks_for_no_number() -> None:
    assert understand("What does MossNet use to reduce the number of labels?").asked.kind != "number"


@pytest.mark.parametrize(
    ("text", "premise"),
    [
        ("Why does MossNet miscount plants by 31 %?", "MossNet miscount plants by 31 %"),
        ("Is it true that bees forget at night?", "bees forget at night"),
        ("Bees forget at night, right?", "Bees forget at night"),
        ("Does sleep help bees remember?", None),
        ("Sleep helps bees remember, doesn't it?", "Sleep helps bees remember"),
        ("Which mitigation completely removes errors of MossNet?", "completely removes errors of MossNet"),
        ("What?", None),
        ("caching", None),
    ],
)
def test_premise(text: str, premise: str | None) -> None:
    assert understand(text).premise == premise


def test_sides() -> None:
    assert understand("How does A-Net differ from B-Net in terms of cost?").sides == ("A-Net", "B-Net")
    assert understand("比较 A-Net 和 B-Net").sides == ("A-Net", "B-Net")


def test_names_are_those_inside_the_sentence() -> None:
    assert set(understand("What does Einstein say about ResNet-50?").names) == {"einstein", "resnet-50"}
    assert understand("WHAT DOES THE METHOD DO TO IMAGES?").names == ()


def test_politeness_and_question_words_are_no_topic() -> None:
    assert understand("Could you please tell me what the paper says about caching?").terms == ("cach",)


def test_chinese_question_words_are_not_searched() -> None:
    assert understand("DFlash 比 EAGLE-3 快多少?").search.split()[0] == "DFlash"
    assert "多少" not in understand("DFlash 比 EAGLE-3 快多少?").search
    assert understand("DFlash 快多少?").terms == ("dflash",)


@given(st.text(max_size=300))
def test_any_text_is_taken_apart(text: str) -> None:
    question = understand(text)
    assert question.text == text
    assert len(question.terms) == len(question.words) == len(set(question.terms))


def test_long_questions_are_read_to_their_limit() -> None:
    assert len(understand("why " * 5000).text) == 4000


@pytest.mark.parametrize(
    "text",
    [
        "What sort of trade-offs fully characterise fairness according to SoFaiR's authors?",
        "Which data set did the EquiCAD authors construct themselves?",
        "Which four benchmarks did the FedQual authors construct?",
        "On whose earlier work does the analysis of the test build?",
        "Which conference's reviews was the intent detector applied to?",
        "Reviews for which conference were used to compare human and AI reviewers?",
    ],
)
def test_what_authors_did_and_what_was_studied_is_no_field_of_the_catalogue(text: str) -> None:
    question = understand(text)
    assert question.metadata is None and question.unknown_author is None


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("Who are the EquiCAD authors?", "authors"),
        ("Whose work is EquiCAD?", "authors"),
        ("Which conference was EquiCAD published at?", "venue"),
    ],
)
def test_and_the_fields_of_the_catalogue_still_are(text: str, field: str) -> None:
    assert understand(text).metadata == field


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Which aggregators does GraphSAGE compare?", "fact"),
        ("can you compare DFlash with MuLoCo", "comparison"),
        ("I want to compare these two", "comparison"),
        ("How does DFlash compare with EAGLE-3?", "comparison"),
    ],
)
def test_what_is_compared_in_a_paper_is_no_comparison_of_papers(text: str, kind: str) -> None:
    assert understand(text).kind == kind
