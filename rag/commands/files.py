"""The files that commands write where they are told to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rag.errors import NotWritable
from rag.types import Paper

if TYPE_CHECKING:
    from rag.terminal import Terminal


def write_bibliography(file: str | None, papers: Sequence[Paper], terminal: Terminal) -> None:
    """The papers in the form the file's name asks for; nothing without a file. Raises NotWritable."""
    if file is None:
        return
    from rag.export import export, form_of

    if not papers:  # a bibliography that is there stays
        terminal.note(f"no paper to write to {file}")
        return
    write_file(file, export(papers, form_of(file)))
    told(papers, file, terminal)


def told(papers: Sequence[Paper], file: str, terminal: Terminal) -> None:
    """Says how many papers a file holds now."""
    from rag.render.lines import counted

    terminal.note(f"{counted(len(papers), 'paper')} written to {file}")


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
