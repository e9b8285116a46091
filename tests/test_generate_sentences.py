"""What models write, read into sentences and keys: each kind of mark, wrapping and slip, in pieces of any size."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.generate.sentences import SentenceStream
from rag.generate.visible import Visible
from rag.types import DraftSentence

KEYS = tuple(f"kx{number}" for number in range(1, 13))
SHOWN = "[kx1] Sail runs on x[i] (Moser et al., 2024) for values in [0,1], [sic], a[3]."


def read(text: str, size: int = 3, whole: bool = True) -> list[tuple[str, tuple[str, ...]]]:
    stream = SentenceStream(KEYS, SHOWN)
    drafted: list[DraftSentence] = []
    for at in range(0, len(text), size):
        drafted += stream.feed(text[at : at + size])
    drafted += stream.finish(whole=whole)
    return [(one.text, one.keys) for one in drafted]


MARKS = {
    "Sail is fast [kx1].": ("kx1",),
    "Sail is fast. [kx1]": ("kx1",),
    "Sail is fast.[kx1][kx2]": ("kx1", "kx2"),
    "[kx1] Sail is fast.": ("kx1",),
    "[[kx1]] Sail is fast.": ("kx1",),
    "Sail is fast [kx1, kx2].": ("kx1", "kx2"),
    "Sail is fast [kx1; kx2 and kx3].": ("kx1", "kx2", "kx3"),
    "Sail is fast [kx1], [kx2].": ("kx1", "kx2"),
    "Sail is fast [kx1] and [kx2].": ("kx1", "kx2"),
    "Sail is fast [kx1-kx3].": ("kx1", "kx2", "kx3"),
    "Sail is fast [kx1–3].": ("kx1", "kx2", "kx3"),
    "Sail is fast [KX1].": ("kx1",),
    "Sail is fast 【kx1】.": ("kx1",),
    "Sail is fast 【kx1†source】.": ("kx1",),
    "Sail is fast [^kx1].": ("kx1",),
    "Sail is fast [[kx1]].": ("kx1",),
    r"Sail is fast \[kx1\].": ("kx1",),
    "Sail is fast [kx1](http://a.b/c).": ("kx1",),
    "Sail is fast **[kx1]**.": ("kx1",),
    "Sail is fast `kx1`.": ("kx1",),
    "Sail is fast (kx1).": ("kx1",),
    "Sail is fast ([kx1]).": ("kx1",),
    "Sail is fast (see kx1).": ("kx1",),
    "Sail is fast [Source: kx1].": ("kx1",),
    "Sail is fast [evidence kx1, kx2].": ("kx1", "kx2"),
    "According to kx1, Sail is fast.": ("kx1",),
    "According to the evidence [kx1], Sail is fast.": ("kx1",),
    "kx1 states that Sail is fast.": ("kx1",),
    "Sail is fast, as shown in kx1.": ("kx1",),
    "Sail is fast <cite>[kx1]</cite>.": ("kx1",),
    "Sail is fast [kx99].": ("kx99",),
    "Sail is fast [1].": ("1",),
    "Sail is fast [0].": ("0",),
    "Sail is fast [3, kx1].": ("3", "kx1"),
    "According to Source 2, Sail is fast.": ("2",),
    "Sail is fast (Smith, 2011).": ("Smith, 2011",),
    "Sail is fast (Smith & Doe, 2011; Roe, 2012).": ("Smith & Doe, 2011; Roe, 2012",),
    "Sail is fast.": (),
}


@pytest.mark.parametrize("written", MARKS)
def test_a_mark_is_read_and_taken_out(written: str) -> None:
    assert read(written) == [("Sail is fast.", MARKS[written])]


@pytest.mark.parametrize(
    "written",
    [
        "Sail runs on x[i].",
        "Sail runs as (Moser et al., 2024) do.",
        "Sail takes values in [0, 1].",
        "Sail is [sic] right.",
        "Sail fills the [MASK] token.",
        "Sail needs p < 0.05 and a<b.",
        "Sail reads a[3] only.",
        "Sail is 3.1x (up to 4x) faster.",
    ],
)
def test_brackets_that_are_no_marks_stay(written: str) -> None:
    assert read(written) == [(written, ())]


TWO = [("Sail is fast.", ("kx1",)), ("Keel is small.", ("kx2",))]


@pytest.mark.parametrize(
    "written",
    [
        "Sail is fast [kx1]. Keel is small [kx2].",
        "Sail is fast. [kx1] Keel is small. [kx2]",
        "[kx1] Sail is fast. [kx2] Keel is small.",
        "[kx1] Sail is fast.\n[kx2] Keel is small.",
        "Sure! Here is the answer:\n\nSail is fast [kx1]. Keel is small [kx2].",
        "**Answer:** Sail is fast [kx1]. Keel is small [kx2].",
        "# Answer\n\n- Sail is fast [kx1].\n- Keel is small [kx2].\n",
        "1. Sail is fast [kx1].\n2. Keel is small [kx2].\n",
        "> Sail is fast [kx1].\n> Keel is small [kx2].",
        "Sail is fast [kx1]. Keel is small [kx2].\n\nSources: [kx1], [kx2]",
        "Sail is fast [kx1]. Keel is small [kx2].\n\n**References**\n",
        "```\nSail is fast [kx1].\nKeel is small [kx2].\n```",
        "<answer>Sail is fast [kx1]. Keel is small [kx2].</answer>",
        "<think>Is it [kx3]? Yes.</think>\n\nSail is fast [kx1]. Keel is small [kx2].",
        "<think>\nOne.\n</think>Sail is fast [kx1].<think>Two.</think> Keel is small [kx2].",
        "Okay, the user asks. Let me look. It is Sail.\n</think>\nSail is fast [kx1]. Keel is small [kx2].",
        "[THINK]Hm.[/THINK]Sail is fast [kx1]. Keel is small [kx2].",
        "◁think▷Hm.◁/think▷Sail is fast [kx1]. Keel is small [kx2].",
        "<|channel|>analysis<|message|>Hm [kx3].<|end|><|start|>assistant<|channel|>final<|message|>"
        "Sail is fast [kx1]. Keel is small [kx2].",
        "Sail is fast [kx1]. Keel is small [kx2].<|im_end|>",
        "Sail is fast [kx1]. Keel is small [kx2]. <think>Should I say more",
        '{"sentences": [{"text": "Sail is fast.", "keys": ["kx1"]}, {"text": "Keel is small.", "keys": "kx2"}]}',
        '```json\n[{"claim": "Sail is fast [kx1]."}, {"claim": "Keel is small [kx2]."}]\n```',
        '{"answer": "Sail is fast [kx1]. Keel is small [kx2]."}',
    ],
)
def test_wrappings_are_read_away(written: str) -> None:
    assert read(written) == TWO


@pytest.mark.parametrize(
    "written",
    ["<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>", "<think>Hm.</think>", "Hm.[/THINK]"],
)
def test_what_is_thinking_does_not_depend_on_where_pieces_end(written: str) -> None:
    for at in range(len(written) + 1):
        visible, left = Visible(), ""
        for piece in (written[:at], written[at:], "Sail is fast."):
            first, *afresh = visible.feed(piece)
            left = afresh[-1] if afresh else left + first
        assert left + visible.rest() == "Sail is fast.", at


def test_other_languages() -> None:
    assert read("Sail 快 2.5 倍[kx1]。Keel 更小【kx2】。") == [
        ("Sail 快 2.5 倍。", ("kx1",)),
        ("Keel 更小。", ("kx2",)),
    ]
    assert read("Sail est rapide [kx1]. Keel est « petit » [kx2] !")[1] == ("Keel est « petit » !", ("kx2",))


def test_thinking_that_never_closes_is_never_read() -> None:
    assert read("<think>Sail is fast [kx1]. Keel is small [kx2].") == []


def test_keys_listed_at_the_end_stand_for_every_sentence() -> None:
    assert read("Sail is fast. Keel is small.\n\nSources: kx1, kx2") == [
        ("Sail is fast.", ("kx1", "kx2")),
        ("Keel is small.", ("kx1", "kx2")),
    ]


def test_a_reply_that_broke_off_loses_what_is_not_closed() -> None:
    assert read("Sail is fast [kx1]. Keel is sm", whole=False) == TWO[:1]
    assert read("Sail is fast [kx1]. Keel is small [kx2].", whole=False) == TWO
    assert read('{"sentences": ["Sail is very fast indeed [kx1].", "Keel is', whole=False) == [
        ("Sail is very fast indeed.", ("kx1",))
    ]


def test_a_closed_sentence_comes_out_with_its_last_character() -> None:
    stream = SentenceStream(KEYS, SHOWN)
    assert not [one for piece in "Sail is fast [kx1]" for one in stream.feed(piece)]
    assert [one.text for one in stream.feed(".")] == ["Sail is fast."]
    assert not [one for piece in " Keel is small [kx2" for one in stream.feed(piece)]
    assert [one.text for one in stream.feed("]. A")] == ["Keel is small."]


@given(st.sampled_from([*MARKS, *(f"{one} Keel is small [kx2]." for one in MARKS)]), st.integers(1, 40))
def test_piece_sizes_do_not_matter(written: str, size: int) -> None:
    assert read(written, size) == read(written, len(written))


PARTS = (
    *("Sail", " ", ".", "[kx1]", "[", "]", "(", ")", "\n", "<think>", "</think>", "<", "kx2", "e.g.", "```"),
    *('{"', "3.1", "-", "source 2", "，", "。", "**", ",", "|", "According to "),
)


@given(st.lists(st.sampled_from(PARTS), max_size=40), st.integers(1, 9))
def test_anything_is_read_without_raw_keys_left(parts: list[str], size: int) -> None:
    for text, keys in read("".join(parts), size):
        assert "kx1" not in text
        assert not re.search(r"\[kx\d\b", text)  # `[kx2Sail` is a word, not a key
        assert "\n" not in text
        assert any(char.isalnum() for char in text)
        assert len(keys) == len(set(keys))
