"""Where a corpus lies: one folder for each name, safe on every operating system."""

from __future__ import annotations

import re
import secrets
import shutil
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from rag.errors import UsageError

_NAME = re.compile(r"[^\W_][\w.-]{0,63}")
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of one corpus below `home/corpora`."""

    name: str
    folder: Path

    @classmethod
    def of(cls, home: Path, name: str) -> Layout:
        """Raises UsageError for a name that could not be a folder's name everywhere."""
        name = unicodedata.normalize("NFC", name)
        if not _NAME.fullmatch(name) or name.endswith(".") or _DEVICES.fullmatch(name):
            raise UsageError(
                f"{name!r} cannot name a corpus",
                "use up to 64 letters, digits, dots, dashes and underscores, a letter or digit first",
            )
        return cls(name, home / "corpora" / quote(name, safe=""))

    @property
    def catalogue(self) -> Path:
        return self.folder / "catalogue.sqlite"

    @property
    def cache(self) -> Path:
        return self.folder / "embeddings.sqlite"

    @property
    def lock(self) -> Path:
        return self.folder / "write.lock"

    @property
    def writer(self) -> Path:
        """Who holds the lock, as JSON, for whoever finds it held."""
        return self.folder / "writer.json"

    def vectors(self, token: str) -> Path:
        return self.folder / f"vectors-{token}"

    def same_file(self) -> tuple[int, int] | None:
        """Equal as long as the catalogue is the same file; None where there is none."""
        try:
            found = self.catalogue.stat()
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    def new_token(self) -> str:
        return secrets.token_hex(4)

    def strays(self, kept: str | None) -> Iterator[Path]:
        """Vector folders that the catalogue does not point to: left by a killed sync or kept open by a reader."""
        for path in self.folder.glob("vectors-*"):
            if kept is None or path != self.vectors(kept):
                yield path

    def sweep(self, kept: str | None) -> None:
        """Remove the strays. One that a reader holds open (Windows) stays until the next sync."""
        for path in self.strays(kept):
            shutil.rmtree(path, ignore_errors=True)

    def beside(self) -> tuple[Layout, ...]:
        """Those of the catalogues in the same home, this one too where it is there, sorted by name."""
        folders = [path.parent for path in self.folder.parent.glob("*/catalogue.sqlite")]
        return tuple(sorted((Layout(unquote(folder.name), folder) for folder in folders), key=lambda each: each.name))
