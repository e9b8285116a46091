"""Which files are meant by the paths given, and the names they go by: the same on every machine.

A file in a folder is named from the folder on (`seeds/a.txt`), a relative path as given, an absolute one from its own
last part on. Folders are read in sorted order. In them, hidden files and what is clearly no corpus (code, pictures,
README) are passed over; what cannot be read and might have been meant is a Problem.
"""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rag.types import Problem

STDIN = "-"
_ARCHIVES = frozenset({".zip", ".tar", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".parquet"})
_OTHER = frozenset(
    ".py .ipynb .js .ts .css .html .htm .c .h .cpp .java .go .rs .sh .bat .yml .yaml .toml .ini .cfg .lock .log .tex "
    ".sty .cls .pdf .png .jpg .jpeg .gif .svg .webp .mp4 .doc .docx .xls .xlsx .ppt .pptx .sqlite .sqlite3 .db .npy "
    ".npz .pt .bin .pyc .safetensors .whl .exe .so .dll .bak .tmp .part .swp".split()
)
_OTHER_NAMES = frozenset(
    "readme license licence copying changelog changes contributing authors makefile dockerfile requirements citation "
    "notice package package-lock tsconfig".split()
)


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read. `path` is None for standard input; `asked` when it was named itself, not found in a folder."""

    path: Path | None
    name: str
    asked: bool


def sources(paths: Sequence[str | Path]) -> Iterator[Source | Problem]:
    """The files behind paths (files, folders, globs, `-`), each once, in the order given."""
    seen: set[Path] = set()
    for given in paths:
        for found in _expand(given):
            if isinstance(found, Source) and found.path is not None:
                real = Path(os.path.realpath(found.path))
                if real in seen:
                    continue
                seen.add(real)
            yield found


def _expand(given: str | Path) -> Iterator[Source | Problem]:
    text = str(given)
    if text == STDIN:
        yield Source(None, "stdin", True)
        return
    if "\0" in text or not text:
        yield Problem(repr(text), None, "not a path: give a file, a folder, a pattern such as 'papers/*.jsonl', or -")
        return
    path = Path(text).expanduser() if text.startswith("~") else Path(text)
    if _exists(path):
        yield from _under(path, _name(path))
    elif glob.has_magic(text):
        matches = sorted(glob.glob(text, recursive=True))  # noqa: PTH207 - absolute patterns too
        if not matches:
            yield Problem(
                text,
                None,
                "this pattern matches no file: check it, and quote it so that the shell leaves it alone",
            )
        for match in matches:
            yield from _under(Path(match), _name(Path(match)))
    else:
        yield Problem(text, None, "no such file or folder: check the path")


def _exists(path: Path) -> bool:
    try:
        return os.path.lexists(path)
    except (OSError, ValueError):
        return False


def _name(path: Path) -> str:
    if path.is_absolute():
        return path.name or "/"
    return PurePosixPath(path.as_posix()).as_posix()


def _under(path: Path, name: str) -> Iterator[Source | Problem]:
    try:
        mode = path.stat().st_mode
    except OSError as error:
        yield Problem(name, None, why(error))
        return
    if stat.S_ISDIR(mode):
        yield from _walk(path, "" if name == "." else name)
    elif stat.S_ISREG(mode):
        yield Source(path, name, True)
    else:
        yield Problem(
            name, None, "not a file but a pipe or device, passed over: pipe its content in and give - instead"
        )


def _walk(root: Path, name: str) -> Iterator[Source | Problem]:
    """Depth first, sorted. Links are followed to files inside the folder only: nothing climbs out, nothing loops."""
    inside = os.path.realpath(root)
    waiting: list[tuple[Path, str]] = [(root, name)]
    while waiting:
        path, shown = waiting.pop()
        problem, kind = _kind(path, inside, path == root)
        if kind == "folder":
            try:
                entries = sorted(os.listdir(path), reverse=True)  # noqa: PTH208 - names only
            except OSError as error:
                yield Problem(shown or ".", None, why(error))
                continue
            waiting += [(path / entry, f"{shown}/{entry}" if shown else entry) for entry in entries if _may_hold(entry)]
        elif problem:
            yield Problem(_storable_name(shown), None, problem)
        elif kind == "file":
            yield Source(path, _storable_name(shown), False)


def _kind(path: Path, inside: str, is_root: bool) -> tuple[str | None, str]:
    try:
        link = path.is_symlink() and not is_root
        mode = path.stat().st_mode
    except OSError as error:
        return why(error), ""
    if link:
        real = os.path.realpath(path)
        if stat.S_ISDIR(mode):
            return "a link to a folder, not followed: give that folder itself", ""
        if os.path.commonpath([real, inside]) != inside:
            return "a link that leads out of the folder, not followed: give that file itself", ""
    if stat.S_ISDIR(mode):
        return None, "folder"
    if not stat.S_ISREG(mode):
        return "not a file but a pipe or device, passed over", ""
    if path.suffix.lower() in _ARCHIVES:
        return (
            "an archive or a format that is not read: unpack or convert it first (gzip is read as it is)",
            "",
        )
    return None, "file"


def _may_hold(entry: str) -> bool:
    """Not hidden, and not by its name something else than a corpus."""
    if entry.startswith((".", "__", "~$")) or entry.endswith("~"):
        return False
    plain = PurePosixPath(entry.lower().removesuffix(".gz"))
    stem, suffix = plain.stem, plain.suffix
    return suffix not in _OTHER and not (
        stem in _OTHER_NAMES and suffix in {"", ".md", ".txt", ".rst", ".json", ".cff"}
    )


def _storable_name(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def why(error: OSError) -> str:
    """Why a file could not be read, in words a person can act on."""
    if isinstance(error, FileNotFoundError):
        return "it is gone, or a link to nothing: check the path"
    if isinstance(error, PermissionError):
        return "no permission to read it: change its permissions, or leave it out"
    return f"it cannot be read ({error.strerror or error}): check the path"
