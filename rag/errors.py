"""Every error citewell raises on purpose.

CitewellError                     exit  what the reader can do
├── UsageError                       2  mend the command, the question, the filter or the configuration
│   └── ConfigError                  2  mend the named setting
├── ModelError                       4
│   ├── ModelUnreachable             4  start the server, check the address, try again
│   ├── ModelRefused                 4  the server said no: another model, a smaller question, more quota
│   ├── NoCredential                 4  set the key
│   └── TooExpensive                 4  raise --max-cost
├── CorpusError                      5
│   ├── CorpusMissing                5  sync files first
│   ├── CorpusBusy                   5  wait for the other writer
│   ├── CorpusDamaged                5  doctor --repair, or sync --rebuild
│   ├── SchemaMismatch               5  another citewell wrote it: upgrade, or sync --rebuild
│   ├── EmbedderMismatch             5  use the embedder it was made with, or sync --rebuild
│   ├── NotWritable                  5  another folder, or its permissions
│   ├── StoreUnreachable             5  start the Chroma server, or move the corpus here
│   └── Unreadable                   5  mend the input file
├── GateFailed                      10  read the report
└── NotMeasured                     11  read the log: nothing was measured

"Nothing supported" (exit 3) is an answer, not an error.
"""

from __future__ import annotations

import re
from typing import Final


class CitewellError(Exception):
    """One clear line for the reader (`message`), and what to do (`hint`)."""

    code = "error"
    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    @property
    def line(self) -> str:
        """Both on one line."""
        return f"{self.message} — {self.hint}" if self.hint else self.message


class UsageError(CitewellError):
    code = "usage"
    exit_code = 2


class ConfigError(UsageError):
    code = "config"


class ModelError(CitewellError):
    code = "model"
    exit_code = 4


class ModelUnreachable(ModelError):
    code = "model_unreachable"


class ModelRefused(ModelError):
    code = "model_refused"


class NoCredential(ModelError):
    code = "no_credential"


class TooExpensive(ModelError):
    code = "too_expensive"


class CorpusError(CitewellError):
    code = "corpus"
    exit_code = 5


class CorpusMissing(CorpusError):
    code = "corpus_missing"


class CorpusBusy(CorpusError):
    code = "corpus_busy"


class CorpusDamaged(CorpusError):
    code = "corpus_damaged"


class SchemaMismatch(CorpusError):
    code = "schema_mismatch"


class EmbedderMismatch(CorpusError):
    code = "embedder_mismatch"


class NotWritable(CorpusError):
    code = "not_writable"


class StoreUnreachable(CorpusError):
    code = "store_unreachable"


class Unreadable(CorpusError):
    code = "unreadable"


class GateFailed(CitewellError):
    code = "gate_failed"
    exit_code = 10


class NotMeasured(CitewellError):
    code = "not_measured"
    exit_code = 11


_STARVED: Final = re.compile(
    r"start new thread|thread pool has not been initialized|resource temporarily unavailable"
    r"|cannot allocate memory|out of memory|failed to map segment",
    re.IGNORECASE,
)


def starved(error: BaseException) -> bool:
    """Whether another library's error is want of memory (or of threads, which want it), told only by its words."""
    return isinstance(error, MemoryError) or _STARVED.search(str(error)) is not None
