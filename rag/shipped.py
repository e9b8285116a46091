"""The corpus that ships: 38 ICML 2026 abstracts, indexed the first time nothing else was synced."""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rag.embed import Embedder
from rag.errors import CorpusBusy, CorpusError, CorpusMissing, NotWritable
from rag.library import Library, schema
from rag.library.layout import Layout
from rag.library.prepare import rules
from rag.settings import DEFAULT_CORPUS, SEEDS_CORPUS, Settings

_PATIENCE = 30.0  # seconds
SEEDS = Path(__file__).resolve().parent.parent / "seeds"


def open_corpus(settings: Settings, embedder: Embedder, notify: Callable[[str], None]) -> Library:
    """The library the settings name; the shipped seeds where the default corpus was asked for and is not there.

    Raises CorpusMissing for any other corpus that is not there, and what Library.open raises.
    """
    name = corpus_name(settings)
    if name == SEEDS_CORPUS:
        return _open_seeds(settings.home, embedder, notify)
    token = settings.store_token
    return Library.open(settings.home, name, embedder_identity=embedder.identity, token=token)


def corpus_name(settings: Settings) -> str:
    """The corpus that `open_corpus` would open."""
    unnamed = settings.corpus == DEFAULT_CORPUS and "corpus" not in settings.origins
    return SEEDS_CORPUS if unnamed and not _was_synced(settings.home) else settings.corpus


def awaits_indexing(settings: Settings) -> bool:
    """Whether the next question opens the shipped seeds, and indexes them first."""
    return corpus_name(settings) == SEEDS_CORPUS and not _is_current(settings.home)


def _was_synced(home: Path) -> bool:
    """Whether the default corpus has ever been whole: a first sync that found nothing leaves an empty ledger behind."""
    try:
        schema.open_reader(Layout.of(home, DEFAULT_CORPUS)).close()
    except CorpusMissing:
        return False
    except CorpusError:  # damaged, of another release: not to be passed over in silence
        return True
    return True


def _open_seeds(home: Path, embedder: Embedder, notify: Callable[[str], None]) -> Library:
    if not _is_current(home):
        try:
            _index(home, embedder, notify)
        except CorpusBusy:
            _wait(home)
        except NotWritable:
            notify(f"{home} cannot be written: the shipped seeds are indexed in a temporary folder, for this run only")
            home = Path(tempfile.mkdtemp(prefix="citewell-"))
            atexit.register(shutil.rmtree, home, ignore_errors=True)
            _index(home, embedder, lambda _: None)
    return Library.open(home, SEEDS_CORPUS, embedder_identity=embedder.identity)


def _index(home: Path, embedder: Embedder, notify: Callable[[str], None]) -> None:
    from rag.library.sync import sync
    from rag.readers import read

    notify("nothing was synced yet: indexing the shipped seeds (38 ICML 2026 abstracts)")
    # Whatever an older release left there is made anew; the vectors it had are in the cache.
    sync(home, SEEDS_CORPUS, read([SEEDS]), embedder, rebuild=True)
    _mark(home).write_text(_version(), "utf-8")


def _wait(home: Path) -> None:
    """Another process is indexing the seeds: they take it about a second. Raises CorpusBusy when it does not finish."""
    deadline = time.monotonic() + _PATIENCE
    while not _is_current(home):
        if time.monotonic() > deadline:
            raise CorpusBusy(
                "another process has been indexing the shipped seeds for long", "try again when it is done"
            )
        time.sleep(0.05)


def _is_current(home: Path) -> bool:
    """Whether the indexed seeds are those of this release, taken apart by its rules."""
    try:
        return _mark(home).read_text("utf-8") == _version()
    except OSError:
        return False


def _mark(home: Path) -> Path:
    return home / "corpora" / SEEDS_CORPUS / "shipped.sha256"


def _version() -> str:
    files = sorted(path for path in SEEDS.iterdir() if path.is_file())
    shipped = b"".join(path.name.encode() + path.read_bytes() for path in files)
    return hashlib.sha256(f"{schema.VERSION} {rules()} ".encode() + shipped).hexdigest()
