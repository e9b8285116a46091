"""What must hold for any text at all: exact offsets, order, cover, no exception, linear time."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.text.names import names
from rag.text.normalise import content_key, fold, plain, visible
from rag.text.quantities import quantities
from rag.text.readable import align, readable
from rag.text.sentences import split
from rag.text.tokens import content_terms, terms, tokenise

PIECES = st.sampled_from(
    [
        r"$\mathcal{O}(\sqrt{T})$",
        r"\textbf{",
        "}",
        "{",
        "$",
        "$$",
        r"\(",
        r"\)",
        r"\frac{a}",
        r"\frac",
        r"\sqrt",
        "^",
        "_",
        r"C$^2$R",
        r"75\%",
        "**",
        "*",
        "_x_",
        "`",
        "``",
        "''",
        "--",
        "---",
        "~",
        r"\\",
        "\\",
        r"\cite{a}",
        r"\'e",
        r"\tilde{O}",
        "et al.",
        "e.g.",
        "i.e. ",
        "Fig. 2",
        "3.1B",
        "1.78×-2.68×",
        "p < 0.05.",
        "J. Smith",
        ". . . .",
        "...",
        "U.S.",
        "vLLM is fast.",
        "Yahoo!",
        "Why?",
        "。",
        "我们的方法DFlash",
        "！",
        "\n\n",
        "\r\n",
        "\n- ",
        "(i) ",
        "[12]",
        "https://a.b/c.",
        "between 1 and 3",
        "two to three times",
        "10^{-3}",
        "1e5",
        "1,000,000",
        "CIFAR-10/100",
        "β-VAE",
        "C++",
        "Long Form (LF)",
        "We propose X. ",
        "\u200b",
        "\u202e",
        "\\\u202e",
        "\\\u3164",
        "^\x08\U000e0041",
        "\u0601",
        "\x1b[31m",
        "\x00",
        "\u0301",
        "ﬁ",
        "\u00ad",
        "İ",
        "ß",
        "👩‍🔬",
        "שלום",
        "한국어",
        "٣",
        "⁵",
        "½",
        "\u2028",
        "𝒪",
        "ſ",
        " ",
        ".",
        "A",
        "one",
        "$5 and $6",
    ]
)
WILD = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=80),
    st.lists(st.one_of(PIECES, st.text(st.characters(exclude_categories=["Cs"]), max_size=3)), max_size=25).map(
        "".join
    ),
)
MANY = settings(max_examples=150, deadline=None)


@MANY
@given(WILD)
def test_sentences_cover_the_text_in_order(text: str) -> None:
    spans = split(text)
    last = 0
    for start, end in spans:
        assert last <= start < end <= len(text)
        assert text[last:start].strip() == ""
        assert text[start:end] == text[start:end].strip()
        last = end
    assert text[last:].strip() == ""
    assert spans == split(text)


@MANY
@given(WILD)
def test_tokens_are_exact_and_in_order(text: str) -> None:
    last = 0
    for token in tokenise(text):
        assert last <= token.start < token.end <= len(text)
        assert token.text == text[token.start : token.end]
        assert token.norm
        last = token.end


@MANY
@given(WILD)
def test_quantities_and_names_are_exact_and_in_order(text: str) -> None:
    for found in (quantities(text), names(text)):
        last = 0
        for item in found:
            assert last <= item.start < item.end <= len(text)
            assert item.text == text[item.start : item.end]
            last = item.end
    assert all(
        quantity.norm and quantity.comparator in ("=", "<=", ">=", "<", ">", "~") for quantity in quantities(text)
    )
    assert names(text) == names(text)


@MANY
@given(WILD)
def test_alignment_leads_back_to_the_source(text: str) -> None:
    aligned = align(text)
    assert aligned.text == readable(text)
    for at in range(len(aligned.text)):
        start, end = aligned.span(at, at + 1)
        assert 0 <= start < end <= len(text)
    if aligned.starts is not None:
        assert len(aligned.starts) == len(aligned.text)
        assert aligned.starts == sorted(aligned.starts)


@MANY
@given(WILD)
def test_fold_is_idempotent(text: str) -> None:
    once = fold(text)
    assert fold(once) == once
    assert once == " ".join(once.split())


@MANY
@given(WILD)
def test_reading_texts_never_fails_and_hides_nothing_dangerous(text: str) -> None:
    assert plain(text) == " ".join(plain(text).split())
    shown = visible(text)
    assert not any((char < " " and char not in "\n\t") or "\x7f" <= char <= "\x9f" for char in shown)
    assert not any(char in shown for char in "\u200b\u202e\u2066\u2028\ufeff")
    assert visible(shown) == shown


@MANY
@given(WILD)
def test_terms_are_folded_and_content_terms_unique(text: str) -> None:
    found = terms(text)
    assert all(term and not term.isspace() for term in found)
    content = content_terms(text)
    assert len(content) == len(set(content))
    assert set(content) <= set(found)


@given(WILD)
def test_content_key_ignores_case_space_and_unicode_form(text: str) -> None:
    key = content_key(text)
    assert len(key) == 16 and int(key, 16) >= 0
    assert content_key(f"  {text}\n") == key


@given(st.text(alphabet="abc de.,()", max_size=60))
def test_text_without_markup_reads_as_it_is(text: str) -> None:
    assert plain(text) == " ".join(text.split())


LONG = 30_000
WALLS = {
    "brackets": "(" * LONG,
    "dollars": "$" * LONG,
    "stops": "." * LONG,
    "initials": "a." * (LONG // 2),
    "digits": "7" * LONG,
    "spaced stops": ". " * (LONG // 2),
    "braces": "{" * LONG,
    "closing braces": "}" * LONG,
    "roots": r"\sqrt" * (LONG // 5),
    "fractions": r"\frac{" * (LONG // 6),
    "stars": "*" * LONG,
    "bold": "**a " * (LONG // 4),
    "underscores": "_a " * (LONG // 3),
    "backticks": "`a " * (LONG // 3),
    "dashes": "-" * LONG,
    "commas": "1," * (LONG // 2),
    "points": "1." * (LONG // 2),
    "capitals": "A" * LONG,
    "words": "word " * (LONG // 5),
    "names": "DFlash " * (LONG // 7),
    "newlines": "\n" * LONG,
    "spaces": " " * LONG,
    "orders": "o(" * (LONG // 2),
    "pairs": "O(()" * (LONG // 4),
    "han": "我" * LONG,
    "accents": "a" + "\u0301" * LONG,
    "quotes": "'" * LONG,
    "carets": "x^" * (LONG // 2),
    "ranges": "1-" * (LONG // 2),
    "hyphens": "a-" * (LONG // 2),
    "sizes": "2x" * (LONG // 2),
    "propose": "we propose " * (LONG // 11),
    "blank lines": "a\n\n" * (LONG // 3),
    "open math": r"\(" * (LONG // 2),
    "brackets of names": "Ab (AB) " * (LONG // 8),
    "lower": "a" * LONG,
    "math": "$x$ " * (LONG // 4),
    "accent commands": r"\'" * (LONG // 2),
}


@pytest.mark.parametrize("wall", WALLS.values(), ids=WALLS.keys())
def test_no_wall_of_text_takes_quadratic_time(wall: str) -> None:
    slow = {}
    for function in (split, tokenise, terms, quantities, names, fold, plain, visible):
        began = time.process_time()
        function(wall)
        seconds = time.process_time() - began
        if seconds > 4.0:  # quadratic time takes minutes; a busy machine takes seconds
            slow[function.__name__] = seconds
    assert not slow


@pytest.mark.parametrize("unit", ["(", "$", ".", "a.", "7"])
def test_a_line_of_200_000_characters_is_split_at_once(unit: str) -> None:
    wall = unit * (200_000 // len(unit))
    began = time.process_time()
    assert split(wall) == ((0, len(wall)),)
    assert time.process_time() - began < 6.0  # a fraction of a second; quadratic time takes minutes
