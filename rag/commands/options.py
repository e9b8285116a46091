"""The options that commands share, each declared once, and the groups they come in."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import typer

from rag.errors import UsageError
from rag.settings import Settings
from rag.types import Filters

_SETTINGS = frozenset(each.name for each in fields(Settings))
_FORMS = {
    **dict.fromkeys((".md", ".markdown"), "md"),
    **dict.fromkeys((".html", ".htm"), "html"),
    **dict.fromkeys((".json", ".jsonl"), "json"),
    ".tex": "tex",
    ".csv": "csv",
}
"""What a file's name says of its form."""

CorpusName = Annotated[
    str | None, typer.Option("--corpus", metavar="NAME", help="The corpus to use [default: default].")
]
Embedder = Annotated[
    str | None,
    typer.Option("--embedder", metavar="SPEC", help="wordllama, openai:MODEL, or package.module:Class of LlamaIndex."),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Ask the model anew even where its reply is cached.")]
Bib = Annotated[str | None, typer.Option("--bib", metavar="FILE", help="Write the papers' bibliography there too.")]
Output = Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Write there, not to stdout.")]
Json = Annotated[bool, typer.Option("--json", help="JSON on stdout, errors too.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say what is done, on stderr.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colours (NO_COLOR does the same).")]


@dataclass(frozen=True, slots=True)
class Group:
    """Options that go together. One that has a setting's name sets it; `no_log` sets `log` to False."""

    def flags(self) -> dict[str, object]:
        """The settings among what was typed."""
        flags: dict[str, object] = {}
        for option in fields(self):
            typed, setting = getattr(self, option.name), option.name.removeprefix("no_")
            if setting in _SETTINGS and typed is not None and typed is not False:
                flags[setting] = typed if setting == option.name else False
        return flags


@dataclass(frozen=True, slots=True)
class Where(Group):
    """Which corpus, and the embedder it was made with."""

    corpus: CorpusName = None
    embedder: Embedder = None


@dataclass(frozen=True, slots=True)
class Embedding(Group):
    """The embedder alone, for a command that makes a corpus of its own."""

    embedder: Embedder = None


@dataclass(frozen=True, slots=True)
class Only(Group):
    """Which of its papers."""

    year: Annotated[
        str | None, typer.Option("--year", metavar="Y|Y-Y", help="Only these years: 2026, 2020-2024, 2020-.")
    ] = None
    venue: Annotated[
        list[str] | None, typer.Option("--venue", metavar="NAME", help="Only this venue; may be repeated.")
    ] = None
    author: Annotated[
        list[str] | None, typer.Option("--author", metavar="NAME", help="Only papers by this author; may be repeated.")
    ] = None

    def filters(self) -> Filters:
        """Raises UsageError on a year that is none."""
        first, last = _years(self.year)
        return Filters(first, last, tuple(self.venue or ()), tuple(self.author or ()))


@dataclass(frozen=True, slots=True)
class Narrowed(Only):
    """Those, or some by name."""

    paper: Annotated[
        list[str] | None,
        typer.Option("--paper", metavar="ID", help="Only this paper (id, title, URL); may be repeated."),
    ] = None


@dataclass(frozen=True, slots=True)
class Store(Group):
    """Where a new corpus keeps its vectors."""

    store: Annotated[
        str | None,
        typer.Option(
            "--store", metavar="URL", help="Keep a new corpus's vectors on this Chroma server (CITEWELL_STORE)."
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Caching(Group):
    """Whether a model's earlier reply will do."""

    no_cache: NoCache = False


@dataclass(frozen=True, slots=True)
class ModelName(Group):
    """The model that words what was found."""

    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="NAME",
            help="On an OpenAI-compatible server (OPENAI_BASE_URL), a package.module:Class of LlamaIndex, or none.",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Writing(ModelName):
    """That model and its bounds."""

    max_risk: Annotated[
        float | None,
        typer.Option("--max-risk", metavar="P", help="Bound on an unsupported claim passing [default: 0.05]."),
    ] = None
    timeout: Annotated[
        float | None, typer.Option("--timeout", metavar="SECONDS", help="For the model's whole answer [default: 60].")
    ] = None
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", metavar="USD", help="Refuse a call that may cost more.")
    ] = None
    no_cache: NoCache = False


@dataclass(frozen=True, slots=True)
class Ranked(Group):
    """How far down the ranking of papers one looks."""

    top_k: Annotated[
        int | None, typer.Option("--top-k", metavar="N", help="How many papers to look into [default: 10].")
    ] = None


@dataclass(frozen=True, slots=True)
class Asking(Ranked):
    """What else a question can be asked with."""

    judge: Annotated[
        bool, typer.Option("--judge", help="A second model call a claim; it can only take claims away.")
    ] = False
    no_log: Annotated[bool, typer.Option("--no-log", help="Leave this answer out of the local history.")] = False


@dataclass(frozen=True, slots=True)
class Written(Group):
    """In which form what is found is written, and into which file."""

    form: Annotated[str | None, typer.Option("--format", metavar="FORM")] = None
    output: Output = None

    def chosen(self, known: tuple[str, ...], *, as_json: bool) -> str:
        """--json, else --format, else what the file's name says, else the first of those known. Raises UsageError."""
        if self.output is not None and Path(self.output).is_dir():
            raise UsageError(f"{self.output} is a folder", "name a file in it")
        if as_json:
            if self.form not in (None, "json"):
                raise UsageError(f"--json and --format {self.form} contradict each other", "give one of them")
            return "json"
        if self.form is not None and self.form not in known:
            raise UsageError(f"unknown format {self.form!r}", f"one of: {', '.join(known)}")
        by_name = _FORMS.get(Path(self.output or "").suffix.lower())
        return self.form or (by_name if by_name in known else None) or known[0]


def _years(text: str | None) -> tuple[int | None, int | None]:
    if text is None:
        return None, None
    match = re.fullmatch(r"\s*(\d{4})?\s*(-|–|\.\.)?\s*(\d{4})?\s*", text)
    if match is None or not (match[1] or match[3]) or (match[1] and match[3] and not match[2]):
        raise UsageError(f"--year {text!r} is not a year or a range", "write 2026, 2020-2024, 2020- or -2019")
    first, last = (int(part) if part else None for part in (match[1], match[3]))
    if match[2] is None:
        last = first
    if first and last and first > last:
        raise UsageError(f"--year {text!r} ends before it starts", f"write {last}-{first}")
    return first, last
