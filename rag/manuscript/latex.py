r"""LaTeX laid out in one pass: what is prose, what is not, and every `\cite`. Nothing is expanded or executed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rag.manuscript.layout import (
    Block,
    Key,
    Layout,
    Mark,
    Reference,
    Span,
    blank,
    covered,
    paragraphs,
    trim,
)
from rag.manuscript.marks import apart, author_years, identified
from rag.manuscript.references import bibitems
from rag.text.normalise import plain

_TOKEN = re.compile(
    r"\\begin\s*\{(?P<begin>[^{}\r\n]{1,60})\}|\\end\s*\{(?P<end>[^{}\r\n]{1,60})\}|(?P<comment>%[^\r\n]*)"
    r"|\\(?P<command>[A-Za-z@]+)\*?|\\(?P<sign>[\s\S])|(?P<dollars>\$\$)"
)
_VERBATIM = frozenset("verbatim Verbatim lstlisting minted comment filecontents alltt".split())
_FLOATS = frozenset(
    "figure table wrapfigure wraptable sidewaystable sidewaysfigure tabular tabularx tabulary longtable tikzpicture "
    "algorithm algorithmic algorithm2e algorithmicx picture forest axis proof theorem lemma proposition corollary "
    "definition remark assumption example thebibliography keywords CCSXML acknowledgments ack".split()
)
_MATHEMATICS = frozenset(
    "equation align gather multline eqnarray displaymath math flalign alignat split array IEEEeqnarray dmath "
    "subequations".split()
)
_HEADINGS = frozenset("part chapter section subsection subsubsection paragraph subparagraph title subtitle".split())
_DROPPED = frozenset(
    (
        "label vspace hspace vskip hskip includegraphics input include usepackage documentclass "
        "bibliographystyle newcommand renewcommand providecommand DeclareRobustCommand DeclareMathOperator def let "
        "newenvironment "
        "setlength setcounter addtocounter nocite footnote footnotetext footnotemark thanks marginpar todo "
        "author date affiliation institute email address pagestyle thispagestyle icmltitlerunning "
        "icmlaffiliation icmlauthor icmlkeywords newtheorem graphicspath definecolor color fontsize "
        "hypersetup index glsadd printbibliography tableofcontents caption captionof subcaption keywords "
        "orcid ccsdesc citestyle setcitestyle defcitealias deleted sout st cref Cref autoref nameref pageref vref "
        "eqref subref "
    ).split()
)
_BREAKS = frozenset("par newpage clearpage maketitle appendix bigskip medskip smallskip noindent".split())
_SWITCHES = re.compile(r"if[a-z]*|fi|else|onecolumn|twocolumn|protect|relax|linewidth|textwidth|columnwidth")
_SPOKEN = re.compile(r"num|SI|qty|[aA]c[slfp]?p?|[gG]ls(?:pl|desc|text)?|GLS")
"""Numbers with units, and keys that are read as the word they stand for."""
_BREAK_LENGTH = re.compile(r"\*?\s?\[[^\[\]\r\n]{0,20}\]")
_CITES = re.compile(r"(?:[a-zA-Z]*[cC]ite|Cite)(?:[a-zA-Z]*)")
_TEXTUAL = re.compile(r"(?i)(?:citet|textcite|citeauthor|citealt|newcite|shortcite|citeN)")
_LONGEST_ARGUMENT = 20_000
_BRACE = re.compile(r"\\[\s\S]|[{}]")
_MACRO = re.compile(
    r"\\(?:(?:re|provide)?newcommand|providecommand|DeclareRobustCommand)\*?\s*(?:\{\s*\\(?P<a>[A-Za-z]+)\s*\}|\\(?P<b>[A-Za-z]+))"
    r"\s*\{(?P<body>(?:[^{}]|\{[^{}]*\}){1,80})\}"
    r"|\\def\s*\\(?P<c>[A-Za-z]+)\s*\{(?P<said>(?:[^{}]|\{[^{}]*\}){1,80})\}"
)
_DEFINING = frozenset("def let newcommand renewcommand providecommand DeclareRobustCommand".split())
_DEFINED = re.compile(r"(?:\s?\\[A-Za-z@]+(?:#\d)*){1,2}")
_STYLE = re.compile(r"\\(?:bf|it|sc|tt|rm|sf|em|itshape|bfseries|scshape|ttfamily)\b\s*")
_CLOSED = re.compile(r"\{\}|\\(?=\s)")
_OPTIONS = re.compile(r"\s?\[[^\[\]]{0,2000}\]")


@dataclass(slots=True)
class _Found:
    hidden: list[Span] = field(default_factory=list)
    breaks: list[Span] = field(default_factory=list)
    headings: list[Block] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    spoken: list[tuple[int, int, str]] = field(default_factory=list)


def lay_out(text: str) -> Layout:
    r"""Offsets into `text`. A preamble, floats, mathematics, theorems, comments and footnotes stay unread."""
    scan = _Scan(text)
    found = scan.run()
    hidden = covered(found.hidden)
    shown = blank(text, [*hidden, *found.breaks])
    found.marks += author_years(blank(shown, [(mark.start, mark.end) for mark in found.marks]))
    breaks = [*found.breaks, (0, scan.first), (scan.last, len(text))]
    blocks = [Block(*span) for span in paragraphs(blank(text, hidden, "x"), breaks)] + found.headings
    return Layout(
        tuple(sorted(blocks, key=lambda block: block.start)),
        hidden,
        apart(found.marks),
        tuple(found.references),
        tuple(dict.fromkeys(found.files)),
        spoken=tuple(found.spoken),
    )


class _Scan:
    """One pass over the body. Each handler gives the place to read on from."""

    def __init__(self, text: str) -> None:
        self.text, self.found = text, _Found()
        uncommented = blank(text, (f.span() for f in re.finditer(r"(?<!\\)%[^\r\n]*", text)))
        begun = re.search(r"\\begin\s*\{document\}", uncommented)
        ended = re.search(r"\\end\s*\{document\}", uncommented)
        self.first = begun.end() if begun else 0
        self.last = ended.start() if ended and ended.start() >= self.first else len(text)
        self.missing: set[str] = set()
        self.closes = _braces(text, self.first, self.last)
        self._resources(uncommented)
        self.macros = _macros(uncommented)

    def _resources(self, text: str) -> None:
        for named in re.finditer(r"\\(?:bibliography|addbibresource)\s*(?:\[[^\]]*\])?\s*\{([^{}]+)\}", text):
            self.found.files += [name.strip() for name in named[1].split(",") if name.strip()]

    def run(self) -> _Found:
        at = self.first
        while token := _TOKEN.search(self.text, at, self.last):
            at = max(self._read(token), token.end())
        return self.found

    def _read(self, token: re.Match[str]) -> int:
        kind = token.lastgroup
        if kind == "comment":
            self.found.hidden.append(token.span())
        elif kind == "begin":
            return self._environment(token["begin"], token)
        elif kind == "end":
            self.found.breaks.append(token.span())
        elif kind == "dollars" or token[0] == "\\[":
            close = self._next("$$" if kind == "dollars" else "\\]", token.end())
            return self._hide(token.start(), close + 2 if close >= 0 else token.end())
        elif token[0] == "\\\\" and (length := _BREAK_LENGTH.match(self.text, token.end(), self.last)):
            return self._hide(length.start(), length.end())
        elif kind == "command":
            return self._command(token["command"], token)
        return token.end()

    def _next(self, sign: str, at: int) -> int:
        """Where a sign stands next, -1 where it does not: what is not there is looked for once."""
        if sign in self.missing:
            return -1
        found = self.text.find(sign, at, self.last)
        if found < 0:
            self.missing.add(sign)
        return found

    def _hide(self, start: int, end: int) -> int:
        self.found.hidden.append((start, end))
        return end

    def _break(self, start: int, end: int) -> int:
        self.found.breaks.append((start, end))
        return end

    def _environment(self, name: str, token: re.Match[str]) -> int:
        bare = name.rstrip("*")
        if bare in _VERBATIM:
            close = self.text.find(f"\\end{{{name}}}", token.end(), self.last)
            return self._break(token.start(), self.last if close < 0 else close + len(name) + 6)
        if bare in _MATHEMATICS:
            return self._hide(token.start(), self._closing(name, token.end()))
        if bare in _FLOATS:
            end = self._closing(name, token.end())
            if bare == "thebibliography":
                self.found.references += bibitems(self.text[token.end() : end])
            return self._break(token.start(), end)
        end = self._arguments(token.end(), most=2)[0]
        return self._break(token.start(), end)

    def _closing(self, name: str, at: int) -> int:
        """After the `\\end` that fits; where there is none, the end of the paragraph."""
        depth = 1
        for edge in re.finditer(rf"\\(begin|end)\s*\{{{re.escape(name)}\}}", self.text[at : self.last]):
            depth += 1 if edge[1] == "begin" else -1
            if depth == 0:
                return at + edge.end()
        empty = re.compile(r"\n\s*\n").search(self.text, at, self.last)
        return empty.start() if empty else self.last

    def _command(self, name: str, token: re.Match[str]) -> int:
        start, after = token.start(), token.end()
        if _CITES.fullmatch(name) and name not in _DROPPED:
            return self._cite(name, start, after)
        if name in _HEADINGS:
            end, groups = self._arguments(after, most=1)
            self.found.headings += [Block(*span, heading=True) for span in groups if span[0] < span[1]]
            return self._break(start, end)
        if name == "item" or name in _BREAKS:
            options = _OPTIONS.match(self.text, after, self.last) if name == "item" else None
            return self._break(start, options.end() if options else after)
        if name in ("bibliography", "addbibresource"):
            return self._break(start, self._arguments(after, most=1)[0])
        if name == "iffalse":
            close = self.text.find("\\fi", after, self.last)
            return self._break(start, close + 3 if close >= 0 else self.last)
        if name in ("url", "href", "verb", "lstinline"):
            return self._literal(name, start, after)
        if name in _DROPPED:
            made = _DEFINED.match(self.text, after, self.last) if name in _DEFINING else None
            self._ungroup(start)
            return self._hide(start, self._arguments(made.end() if made else after, most=9)[0])
        if word := self.macros.get(name):
            closed = _CLOSED.match(self.text, after, self.last)
            self.found.spoken.append((start, closed.end() if closed else after, word))
            return after
        return self._unknown(name, start, after)

    def _unknown(self, name: str, start: int, after: int) -> int:
        """A command that no package of ours knows: what it holds is prose, its name is none."""
        end, groups = self._arguments(after, most=2)
        if groups and _SPOKEN.fullmatch(name):
            said = " ".join(self.text[slice(*group)].replace("\\percent", "%") for group in groups)
            self.found.spoken.append((start, end, plain(said.replace("\\", ""))))
            return end
        if _SWITCHES.fullmatch(name):
            return self._hide(start, after)
        if groups and groups[0][0] < groups[0][1] and plain(f"\\{name}{{x}}") == f"{name}x":
            first, last = groups[0]
            self.found.hidden += [(start, first), (last, last + 1)]
        return after

    def _ungroup(self, at: int) -> None:
        """The braces of a group that a declaration opens: `{\\color{red} ...}`."""
        if self.text[at - 1 : at] == "{" and at - 1 in self.closes:
            self.found.hidden += [(at - 1, at), (self.closes[at - 1] - 1, self.closes[at - 1])]

    def _literal(self, name: str, start: int, after: int) -> int:
        if name in ("verb", "lstinline") and self.text[after : after + 1] != "{":
            close = self.text.find(self.text[after : after + 1] or " ", after + 1, self.last)
            return self._hide(start, close + 1 if close >= 0 else after)
        end, groups = self._arguments(after, most=1)
        paper_id = identified(self.text[slice(*groups[0])].replace("\\", "")) if groups else None
        if name == "href" and (shown := self._group(end)):
            self.found.hidden += [(shown[0], shown[0] + 1), (shown[1] - 1, shown[1])]
        if paper_id:
            self.found.marks.append(Mark(start, end, (Key(paper_id, "link"),)))
        return end if paper_id else self._hide(start, end)

    def _cite(self, name: str, start: int, after: int) -> int:
        end, groups = self._arguments(after, most=9 if name.lower().endswith("s") else 1)
        names = [key.strip() for group in groups for key in self.text[slice(*group)].split(",")]
        keys = tuple(Key(key, "key") for key in dict.fromkeys(names) if key and "\\" not in key)
        if not keys:
            return self._hide(start, end)
        self.found.marks.append(Mark(start, end, keys, textual=bool(_TEXTUAL.match(name))))
        return end

    def _arguments(self, at: int, *, most: int) -> tuple[int, list[Span]]:
        """Where the arguments that follow end, and the insides of those in braces; `[options]` may stand between."""
        groups: list[Span] = []
        while True:
            options = _OPTIONS.match(self.text, at, self.last)
            if options:
                at = options.end()
            elif len(groups) < most and (group := self._group(at)):
                groups.append((group[0] + 1, group[1] - 1))
                at = group[1]
            else:
                return at, groups

    def _group(self, at: int) -> Span | None:
        """A balanced pair of braces at this place, white space before it allowed."""
        start = trim(self.text, at, min(self.last, at + 80))[0]
        if self.text[start : start + 1] != "{" or self.text.count("\n", at, start) > 1:
            return None
        end = self.closes.get(start, self.last + 1)
        return (start, end) if end <= min(self.last, start + _LONGEST_ARGUMENT) else None


def _macros(text: str) -> dict[str, str]:
    r"""Macros without arguments that stand for a few words, and those: `\newcommand{\ours}{\textsc{DFlash}\xspace}`."""
    words: dict[str, str] = {}
    for made in _MACRO.finditer(text):
        said = _STYLE.sub("", made["body"] or made["said"]).replace("\\xspace", "")
        words[made["a"] or made["b"] or made["c"]] = plain(said).strip("{} ")
    return {name: word for name, word in words.items() if word and not set(word) & set("\\#{}$")}


def _braces(text: str, first: int, last: int) -> dict[int, int]:
    """Where each pair of braces begins and ends. Once for a text: many that are never closed cost no more than one."""
    opened: list[int] = []
    closes: dict[int, int] = {}
    for brace in _BRACE.finditer(text, first, last):
        if brace[0] == "{":
            opened.append(brace.start())
        elif brace[0] == "}" and opened:
            closes[opened.pop()] = brace.end()
    return closes
