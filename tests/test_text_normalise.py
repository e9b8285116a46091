"""LaTeX, markdown and Unicode as abstracts hold them: read by people, matched by machines, safe to print."""

import pytest

from rag.text.mathematics import math_spans
from rag.text.normalise import content_key, fold, plain, visible
from rag.text.readable import align


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"over 6$\times$ faster", "over 6× faster"),
        (r"$\Theta(s/\sqrt{N})$", "Θ(s/√N)"),
        (r"$\mathcal{O}(s^{1.5}/\sqrt{N})$", "O(s^1.5/√N)"),
        (r"$\tilde{\mathcal{O}}(d\sqrt{T\log T})$", "Õ(d√(T log T))"),
        (r"$\frac{2137}{2136}$ and $10^{-3}$", "2137/2136 and 10⁻³"),
        (r"75\% of \textbf{Big \emph{words}}, {\em de novo}", "75% of Big words, de novo"),
        ("**DFlash**, *analogy*, _all_, `code`", "DFlash, analogy, all, code"),
        ("**D**irichlet-**a**pproximated", "Dirichlet-approximated"),
        (r"C$^2$R, C^2R and $\beta$-VAE", "C²R, C²R and β-VAE"),
        ("``quoted'' -- Fig.~2", "“quoted” – Fig. 2"),
        (r"M\"uller, Th\'{e}rien, Erd\H{o}s", "Müller, Thérien, Erdős"),
        (r"as shown~\cite{x,y}. See \url{https://a.b/c}", "as shown. See https://a.b/c"),
        (r"\ours is better than \textsc{GPT}", "ours is better than GPT"),
        (r"\emphword and \mathcalO(\sqrtT)", "word and O(√T)"),
        (r"$>$60\%, which (with $\alpha$-entmax)", ">60%, which (with α-entmax)"),
        ("costs $5 and $6 million", "costs $5 and $6 million"),
        (r"10\,000 and $10{,}000$", "10,000 and 10,000"),
        ("3 * 4 * 5, A* search, 2*x", "3 * 4 * 5, A* search, 2*x"),
        ("{x}, {{7*7}}, x[i], [/b], <b>, |", "{x}, {{7*7}}, x[i], [/b], <b>, |"),
        (
            "soft\u00adhyphen, zero\u200bwidth, ﬁne\u00a0print\n\n next",
            "softhyphen, zerowidth, fine print next",
        ),
        ("snake_case and --flag", "snake_case and --flag"),
        (r"$\sqrt n$ and $\frac12$ and $x_\mathrm{max}$ and $\hat y$", "√n and 1/2 and xₘₐₓ and ŷ"),
        ("", ""),
    ],
)
def test_plain(written: str, read: str) -> None:
    assert plain(written) == read


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Thérien", "Therien"),
        ("ＤＦｌａｓｈ", "dflash"),
        ("C$^2$R", "C2R"),
        ("C^2R", "C²R"),
        ("ﬁne‑tuning", "fine-tuning"),
        ("“quoted” – text", '"quoted" - text'),
        (r"75\%", "75%"),
        (r"2.5$\times$", "2.5×"),
        ("STRASSE", "straße"),
        ("Łukasz Ørsted", "lukasz orsted"),
        ("**DFlash**", "DFlash"),
        ("e\u0301", "é"),
    ],
)
def test_fold_makes_these_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    "written", ["a\\\u202eb", "a\\\u3164b", "a\\\u00adb", "a\U000e0049\U000e0067b", "a\ufffab", "$$a\u3164b"]
)
def test_what_nobody_sees_is_read_by_nobody(written: str) -> None:
    """Behind a backslash as well: it would be seen by the second folding and not by the first."""
    assert plain(written).strip("$") == fold(written) == "ab"


def test_a_sign_of_another_script_takes_nothing_with_it() -> None:
    assert plain("$x$\u0601abc") == "x\u0601abc"


@pytest.mark.parametrize(
    ("one", "other"),
    [("10^{5}", "105"), ("C++", "C"), ("GPT-5", "GPT-4"), ("2.5", "25"), ("β-VAE", "VAE"), ("が", "か")],
)
def test_fold_keeps_these_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_visible_shows_what_a_terminal_would_obey() -> None:
    assert visible("a\x1b[31mb\x07\x9bc\u202ed\u200b\r") == r"a\x1b[31mb\x07\x9bc\u202ed\u200b\x0d"
    assert visible("line\n\ttab é 中 [sic] *x*") == "line\n\ttab é 中 [sic] *x*"


def test_half_a_surrogate_pair_has_a_content_key() -> None:
    assert content_key("A \ud835 paper.") != content_key("A paper.")


def test_content_key_is_frozen() -> None:
    assert content_key("Ａ  Paper\nabstract.") == content_key("a paper abstract.") == "a879cb0e1e2d09d6"
    assert content_key("a paper abstract!") != content_key("a paper abstract.")


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("a $x$ b", [(2, 5)]),
        ("$5 and $6", []),
        (r"\(x\) and \[y\]", [(0, 5), (10, 15)]),
        (r"price \$5 and $x_1$", [(14, 19)]),
        (r"$>$60\% long-context lengths. On downstream tasks, models $\alpha$", [(0, 3), (58, 66)]),
        ("$ x $", [(0, 5)]),
        ("$open", []),
    ],
)
def test_math_spans(text: str, spans: list[tuple[int, int]]) -> None:
    assert math_spans(text) == spans


def test_a_span_is_given_back_with_its_braces_and_dollars() -> None:
    text = r"regret $\mathcal{O}(\sqrt{T})$ here"
    aligned = align(text)
    at = aligned.text.index("O(√T)")
    start, end = aligned.span(at, at + 5)
    assert text[start:end] == r"\mathcal{O}(\sqrt{T})"
