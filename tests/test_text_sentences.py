"""Sentence boundaries as abstracts hold them."""

import pytest

from rag.text.sentences import split

CASES = [
    "We use Smith et al. (2020) as a base. | It works.",
    "Found by Smith et al. | We extend it.",
    "It is fast, e.g. on small models, i.e. below 3.1B. | See Fig. 2 for more.",
    "The gain was significant (p < 0.05). | The rest is noise.",
    "We report p < 0.05. | The rest is noise.",
    "J. Smith and A. B. Jones wrote it. | Nobody read it.",
    "It needs vitamin D. | The rest does not.",
    "Compared vs. baselines w.r.t. cost (a.k.a. price), it wins. | OK?",
    "Data are i.i.d. Gaussian. | Noise is not.",
    "Code is at https://github.com/x/y. | The data too.",
    "He said “it works.” | She agreed. | (It did.) | [Not always.]",
    "Can it learn? | Yes! | It can.",
    "It asks “why?” and stops. | Then it goes on.",
    "我们提出DFlash。 | 它很快！ | 真的吗？",
    "(i) it is fast; (ii) it is small; (iii) it is cheap. | All hold.",
    "It stops... and goes on. | The end.",
    "Version 2.0.1 costs 3.5 dollars. | It is 1.5x faster.",
    "Contents . . . . . . . 12 Results ....... 14",
    "We use Yahoo! Answers and Jeopardy! questions. | Both are large.",
    "Serving is slow. | vLLM is fast. | k-means is old. | α-SMA was also seen.",
    "We study packages. | lumi is one of them.",
    "$O(n)$ is the cost. | $k$ is the number of arms. | It holds for $a. B$ too.",
    r"It gains 31\%. | \textbf{DFlash} wins. | \ours is small.",
    "**Bold start.** | *Emphasis here.* | Plain end.",
    "Contributions: 1. A model. | 2. A data set.",
    "no stop at all",
    "Mr. Kim and Dr. Lee met Prof. Ada. | They talked.",
    "It holds for U.S. English etc. | We test it.",
    "As shown before.[12] | The rest follows.",
    "First (see Sec. 3). | Second, cf. Eq. 4 and Thm. 2.",
]


@pytest.mark.parametrize("case", CASES)
def test_boundaries(case: str) -> None:
    sentences = case.split(" | ")
    text = " ".join(sentences)
    assert [text[start:end] for start, end in split(text)] == sentences


def test_a_missing_space_after_a_stop_still_ends_the_sentence() -> None:
    text = "The model overfits.We fix this."
    assert [text[a:b] for a, b in split(text)] == ["The model overfits.", "We fix this."]


def test_blank_lines_and_bullets_end_sentences_without_a_stop() -> None:
    text = "Our findings\n\nIt works:\n- it is fast\n- it is small\n\nWe provide a\n\nlarge corpus."
    assert [text[a:b] for a, b in split(text)] == [
        "Our findings",
        "It works:",
        "- it is fast",
        "- it is small",
        "We provide a\n\nlarge corpus.",
    ]


def test_hard_wrapped_lines_stay_together() -> None:
    text = "We study the\nproblem of sets.\r\nIt is\r\nhard."
    assert [text[a:b] for a, b in split(text)] == ["We study the\nproblem of sets.", "It is\r\nhard."]


@pytest.mark.parametrize("text", ["We train on\n\nImageNet.", "It is called DFlash\n\nand it is fast."])
def test_a_blank_line_ends_no_sentence_that_runs_on(text: str) -> None:
    assert split(text) == ((0, len(text)),)


@pytest.mark.parametrize("text", ["", " ", "\n\n\t"])
def test_nothing_has_no_sentences(text: str) -> None:
    assert split(text) == ()


def test_five_thousand_words_without_a_stop_are_one_sentence() -> None:
    text = "word " * 5000
    assert split(text) == ((0, len(text) - 1),)
