"""The corpus on disk: an SQLite catalogue is the ledger, Chroma holds the vectors and can be rebuilt from it.

`rag.library.sync.sync` writes, `Library` reads, `rag.library.health` examines and repairs. Importing any of them does
not import Chroma; only a question about meaning does, and only in a corpus large enough to need an index.
"""

from __future__ import annotations

from rag.library.library import Library
from rag.library.reports import Finding, Progress, SyncReport

__all__ = ["Finding", "Library", "Progress", "SyncReport"]
