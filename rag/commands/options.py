"""The options that commands share, each declared once, and the run they describe."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag.errors import NotWritable, UsageError
from rag.types import Filters, Paper

if TYPE_CHECKING:
    from rag.terminal import Terminal

Corpus = Annotated[str | None, typer.Option("--corpus", metavar="NAME", help="The corpus to use [default: default].")]
Embedder = Annotated[
    str | None,
    typer.Option("--embedder", metavar="SPEC", help="wordllama, openai:MODEL, or package.module:Class of LlamaIndex."),
]
Store = Annotated[
    str | None,
    typer.Option("--store", metavar="URL", help="Keep a new corpus's vectors on this Chroma server (CITEWELL_STORE)."),
]
TopK = Annotated[int | None, typer.Option("--top-k", metavar="N", help="How many papers to look into [default: 10].")]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        help="A model on an OpenAI-compatible server (OPENAI_BASE_URL), package.module:Class of LlamaIndex, or none.",
    ),
]
MaxRisk = Annotated[
    float | None, typer.Option("--max-risk", metavar="P", help="Bound on an unsupported claim passing [default: 0.05].")
]
Timeout = Annotated[
    float | None, typer.Option("--timeout", metavar="SECONDS", help="For the model's whole answer [default: 60].")
]
MaxCost = Annotated[float | None, typer.Option("--max-cost", metavar="USD", help="Refuse a call that may cost more.")]
Judge = Annotated[bool, typer.Option("--judge", help="A second model call a claim; it can only take claims away.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Ask the model anew even where its reply is cached.")]
NoLog = Annotated[bool, typer.Option("--no-log", help="Leave this answer out of the local history.")]
Bib = Annotated[str | None, typer.Option("--bib", metavar="FILE", help="Write the papers' bibliography there too.")]
Json = Annotated[bool, typer.Option("--json", help="JSON on stdout, errors too.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say what is done, on stderr.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colours (NO_COLOR does the same).")]
Year = Annotated[str | None, typer.Option("--year", metavar="Y|Y-Y", help="Only these years: 2026, 2020-2024, 2020-.")]
Venue = Annotated[list[str] | None, typer.Option("--venue", help="Only this venue; may be repeated.")]
Author = Annotated[list[str] | None, typer.Option("--author", help="Only papers by this author; may be repeated.")]
PaperRef = Annotated[
    list[str] | None, typer.Option("--paper", metavar="ID", help="Only this paper (id, title, URL); may be repeated.")
]


def filters(year: str | None, venue: list[str] | None, author: list[str] | None) -> Filters:
    """What --year, --venue and --author say. Raises UsageError on a year that is none."""
    first, last = _years(year)
    return Filters(first, last, tuple(venue or ()), tuple(author or ()))


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


def write_bibliography(file: str | None, papers: Sequence[Paper], terminal: Terminal) -> None:
    """The papers in the form the file's name asks for; nothing without a file. Raises NotWritable."""
    if file is None:
        return
    from rag.export import export, form_of

    write_file(file, export(papers, form_of(file)))
    terminal.note(f"{len(papers)} papers written to {file}")


def write_file(file: str, content: str | bytes) -> None:
    """Writes the whole file or none of it; into a pipe or device as it is. Bytes keep their line ends.

    Raises NotWritable.
    """
    path = Path(file)
    whole = content if isinstance(content, bytes) else content.encode()
    try:
        if path.exists() and not path.is_file() and not path.is_dir():  # never put a file in the place of /dev/null
            path.write_bytes(whole)
            return
        path = path.resolve()  # a link stays a link
        beside = path.with_name(f".{path.name}.writing")
        try:
            beside.write_bytes(whole)
            beside.replace(path)
        except OSError:
            beside.unlink(missing_ok=True)
            raise
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise NotWritable(f"{file} cannot be written: {reason}", "choose another file") from error
