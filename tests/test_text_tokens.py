"""Tokens, index terms and stems."""

from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.text import tokens
from rag.text.readable import readable
from rag.text.stemming import stem
from rag.text.tokens import STOPWORDS, content_terms, terms, tokenise


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("C2R", "C$^2$R"),
        ("C^2R", "C²R"),
        ("beta-VAE", "β-VAE"),
        ("beta-VAE", r"$\beta$-VAE"),
        ("GPT5", "GPT-5"),
        ("KNN", "k-NN"),
        ("finetuning", "fine-tuning"),
        ("1.78x", "1.78×"),
        ("2.5x", r"2.5$\times$"),
        ("Therien", "Thérien"),
        ("dflash", "ＤＦｌａｓｈ"),
        ("LLM", "LLMs"),
        ("gan", "GANs"),
        ("optimize", "optimised"),
        ("defense", "defence"),
        ("behavior", "behaviours"),
        ("modeling", "modelling"),
        ("CIFAR-100", "CIFAR-10/100"),
        ("cifar", "CIFAR-10/100"),
        ("20000", "20,000"),
        ("31%", r"31\%"),
        ("K > 2", "$K>2$"),
        ("encoder-decoder", "encoder–decoder"),
        ("C++", "the C++ code"),
        ("DFlash", "**DFlash**'s speed"),
    ],
)
def test_what_is_asked_finds_what_is_written(asked: str, written: str) -> None:
    assert set(terms(asked)) & set(terms(written)) - set("k2")
    assert terms(asked)[0] in terms(written) or terms(asked)[-1] in terms(written)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C++", "C"),
        ("GPT-5", "GPT-4"),
        ("EAGLE-3", "EAGLE-2"),
        ("A*", "A"),
        ("10^{5}", "105"),
        ("four", "for"),
    ],
)
def test_these_have_terms_of_their_own(one: str, other: str) -> None:
    assert set(terms(one)) - set(terms(other))


def test_compounds_are_indexed_whole_and_in_parts() -> None:
    assert terms("EAGLE-3") == ["eagle-3", "eagle3", "eagl", "3"]
    assert terms("state-of-the-art") == ["state-of-the-art", "state", "of", "the", "art"]
    assert {"cifar-10", "cifar-100"} <= set(terms("CIFAR-10/100"))


def test_a_chinese_question_keeps_its_latin_names_whole() -> None:
    found = content_terms("EAGLE-3比DFlash慢多少？")
    assert {"eagle-3", "dflash", "多少"} <= set(found)


def test_content_terms_leave_out_stop_words() -> None:
    assert content_terms("What is the speed of the DFlash model, and the speed of EAGLE?") == [
        "speed",
        "dflash",
        "model",
        "eagl",
    ]
    assert all(word == word.casefold() and " " not in word for word in STOPWORDS)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("DFlash is 2.5x faster, 我们", ["name", "word", "number", "word", "symbol", "cjk"]),
        ("C++ β-VAE LLMs 3.1B Adam", ["name", "name", "name", "number", "word"]),
        (r"31\% of $10^{-3}$", ["number", "word", "number"]),
    ],
)
def test_kinds(text: str, kinds: list[str]) -> None:
    assert [token.kind for token in tokenise(text)] == kinds


def test_offsets_hold_markup() -> None:
    text = r"Use C$^2$R, $\beta$-VAE and **D**irichlet."
    assert [t.text for t in tokenise(text)] == [
        "Use",
        "C$^2$R",
        ",",
        r"$\beta$-VAE",
        "and",
        "D**irichlet",
        ".",
    ]


def test_stems_are_stable_across_spelling() -> None:
    for one, other in [
        ("centre", "center"),
        ("analysed", "analyzed"),
        ("anaemia", "anemia"),
        ("catalogue", "catalog"),
        ("CNNs".lower(), "cnn"),
    ]:
        assert stem(one) == stem(other)


def test_a_question_does_not_count_a_compound_three_times() -> None:
    assert content_terms("state-of-the-art fine-tuning of EAGLE-3 by k-NN") == [
        "state",
        "art",
        "fine",
        "tune",
        "eagle-3",
        "eagl",
        "3",
        "knn",
        "k",
        "nn",
    ]


def test_capitals_do_not_change_a_compound() -> None:
    assert set(terms("Fine-Tuning")) == set(terms("fine-tuning"))


_WILD = st.text(
    st.one_of(st.sampled_from(" \t\n\x1c\x85\u00a0\u1680\u3000aZ9.-'’/:+#*%×论文<=>²é$\\{}"), st.characters())
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(_WILD, _WILD.map("https://a.b/".__add__)))
def test_terms_of_the_pieces_between_white_space_are_those_of_the_whole(text: str) -> None:
    shown = readable(text)
    found = chain.from_iterable(tokens.analyse(token).terms for token in tokens.TERM.findall(shown))
    related = [
        f"{tokens.analyse(letter).norm}{sign}{number}" for letter, sign, number in tokens._RELATION.findall(shown)
    ]
    assert terms(text) == [*found, *related]
