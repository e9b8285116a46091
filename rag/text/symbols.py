r"""What LaTeX commands mean in Unicode: characters, accents, scripts, roots and fractions.

The commands are those counted in 38,000 machine-learning abstracts; a command that is not here keeps its name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

Shape = Callable[[str], Any]

_GREEK = (
    "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι "
    "kappa κ lambda λ mu μ "
    "nu ν xi ξ pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi φ varphi φ chi χ "
    "psi ψ omega ω eps ε "
    "Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω"
)
_SIGNS = (
    "times × texttimes × cdot · div ÷ pm ± mp ∓ ast * star ⋆ circ ° bullet • oplus ⊕ otimes ⊗ odot ⊙ "
    "dagger † ddagger ‡ "
    "leq ≤ le ≤ leqslant ≤ geq ≥ ge ≥ geqslant ≥ lesssim ≲ gtrsim ≳ ll ≪ gg ≫ neq ≠ ne ≠ equiv ≡ "
    "approx ≈ sim ∼ simeq ≃ "
    "cong ≅ asymp ≍ propto ∝ to → rightarrow → longrightarrow → Rightarrow ⇒ implies ⇒ leftarrow ← "
    "Leftarrow ⇐ "
    "leftrightarrow ↔ Leftrightarrow ⇔ iff ⇔ mapsto ↦ uparrow ↑ downarrow ↓ infty ∞ partial ∂ nabla ∇ "
    "sum ∑ prod ∏ "
    "int ∫ forall ∀ exists ∃ in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ subsetneq ⊊ supset ⊃ supseteq ⊇ "
    "cup ∪ cap ∩ "
    "setminus ∖ emptyset ∅ varnothing ∅ land ∧ wedge ∧ lor ∨ vee ∨ neg ¬ lnot ¬ top ⊤ bot ⊥ perp ⊥ "
    "mid | vert | "
    "Vert ‖ parallel ∥ langle ⟨ rangle ⟩ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ lbrace { rbrace } ell ℓ "
    "hbar ℏ Re ℜ Im ℑ "
    "aleph ℵ prime ′ ldots … dots … dotsc … cdots ⋯ vdots ⋮ ddots ⋱ colon : checkmark ✓ square □ "
    "textemdash — textendash – textasciitilde ~ textasciicircum ^ textbackslash \\ textless < "
    "textgreater > textbar | "
    "textdegree ° textregistered ® texttrademark ™ copyright © S § P ¶ pounds £ euro € item • "
    "ss ß ae æ AE Æ oe œ OE Œ o ø O Ø aa å AA Å l ł L Ł i ı j ȷ "
    "eg e.g. ie i.e. aka a.k.a. wrt w.r.t. etal et␣al. etc etc. TeX TeX LaTeX LaTeX"
)
_WORDS = (
    "log ln exp min max sup inf sin cos tan tanh sinh cosh arg argmin argmax det dim ker Pr gcd deg "
    "lim limsup liminf mod bmod "
    "poly polylog rank softmax sign tr OPT"
)
_SILENT = (
    "left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr displaystyle textstyle "
    "limits nolimits xspace "
    "em it bf rm sc sl tt sf cal bfseries itshape scshape ttfamily sffamily rmfamily upshape "
    "normalfont selectfont small "
    "footnotesize large Large tiny noindent centering protect ensuremath allowbreak par newline "
    "linebreak smallskip medskip "
    "bigskip hfill null relax"
)
_SPACES = "quad qquad space thinspace enspace enskip"

CHARACTERS: dict[str, str] = {
    **dict(zip(_GREEK.split()[::2], _GREEK.split()[1::2], strict=True)),
    **{name: sign.replace("␣", " ") for name, sign in zip(_SIGNS.split()[::2], _SIGNS.split()[1::2], strict=True)},
    **{word: word for word in _WORDS.split()},
    **dict.fromkeys(_SILENT.split(), ""),
    **dict.fromkeys(_SPACES.split(), " "),
}
"""A command without argument -> what is read in its place."""

TRANSPARENT = frozenset(
    (
        "emph textbf textit texttt textsc textsf textrm textup textmd textnormal text underline ul "
        "textul uline mbox hbox "
        "mathcal mathbb mathbf mathrm mathsf mathtt mathit mathfrak mathscr mathnormal boldsymbol bm "
        "pmb symbfit symbf "
        "operatorname url say path smash phantom overline enquote footnote cancel mathop mathbin "
        "mathrel revise"
    ).split()
)
"""Commands that only change how their argument looks: the braces go, the words stay."""

REFERENCES = frozenset(
    "cite citep citet citealp citealt citeauthor citeyear citeyearpar parencite textcite autocite".split()
)

ESCAPES = {
    ",": " ",
    ";": " ",
    ":": " ",
    ">": " ",
    " ": " ",
    "!": "",
    "\\": " ",
    "|": "‖",
    "/": "",
    "\n": " ",
    "-": "",
}
"""A backslash and one character; any other character stands for itself."""

_SUPERS = dict(
    zip(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW°′",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ°′",
        strict=True,
    )
)
_SUBS = dict(zip("0123456789+-−=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", strict=True))
_ONE = re.compile(r"[\w.∞]*|[^\w\s]")


def _fenced(text: str) -> str:
    """In brackets, unless it reads as one thing."""
    return text if _ONE.fullmatch(text) else f"({text})"


def superscript(text: str) -> str:
    text = text.strip()
    if text in ("*", "⋆", "†", "‡"):
        return text
    raised = "".join(_SUPERS.get(char, "\0") for char in text)
    return raised if "\0" not in raised else f"^{_fenced(text)}"


def subscript(text: str) -> str:
    text = text.strip()
    lowered = "".join(_SUBS.get(char, "\0") for char in text)
    return lowered if "\0" not in lowered else f"_{_fenced(text)}"


def _root(text: str) -> str:
    text = text.strip()
    return "√" + (text if len(text) == 1 or text.isdigit() else f"({text})")


def _fraction(above: str) -> Shape:
    return lambda below: f"{_fenced(above.strip())}/{_fenced(below.strip())}"


def _binomial(above: str) -> Shape:
    return lambda below: f"C({above.strip()},{below.strip()})"


def _nothing(_: str) -> str:
    return ""


def _second(_: str) -> Shape:
    return lambda text: text


def _mark(combining: str) -> Callable[[str], str]:
    def accent(text: str) -> str:
        base = {"ı": "i", "ȷ": "j"}.get(text[:1], text[:1])
        return unicodedata.normalize("NFC", base + combining) + text[1:] if text else ""

    return accent


ACCENTS: dict[str, Shape] = {
    "'": _mark("\u0301"), "`": _mark("\u0300"), '"': _mark("\u0308"), "^": _mark("\u0302"), "~": _mark("\u0303"),
    "=": _mark("\u0304"), ".": _mark("\u0307"),
}  # fmt: skip

SHAPES: dict[str, Shape] = {
    "sqrt": _root,
    **dict.fromkeys(("frac", "tfrac", "dfrac", "nicefrac", "sfrac"), _fraction),
    **dict.fromkeys(("binom", "tbinom"), _binomial),
    **dict.fromkeys(REFERENCES, _nothing),
    **dict.fromkeys("label ref eqref begin end vspace hspace fontfamily ding color".split(), _nothing),
    **dict.fromkeys(("href", "textcolor", "colorbox"), _second),
    "textsuperscript": superscript,
    "textsubscript": subscript,
    **dict.fromkeys(("hat", "widehat"), _mark("\u0302")),
    **dict.fromkeys(("tilde", "widetilde", "Tilde", "wt"), _mark("\u0303")),
    "bar": _mark("\u0304"), "vec": _mark("\u20d7"), "dot": _mark("\u0307"), "ddot": _mark("\u0308"),
    "c": _mark("\u0327"), "v": _mark("\u030c"), "u": _mark("\u0306"), "H": _mark("\u030b"), "k": _mark("\u0328"),
    "r": _mark("\u030a"), "check": _mark("\u030c"), "acute": _mark("\u0301"), "grave": _mark("\u0300"),
}  # fmt: skip
"""Commands that do something with their arguments."""

BROKEN = re.compile(
    r"(mathcal|mathbb|mathbf|mathrm|mathsf|emph|textbf|textit|texttt|textsc|widetilde|tilde|sqrt|log)([A-Za-z]+)$"
)
r"""`\mathcalO`, `\sqrtT`, `\emphword`: some exports lose the braces."""
