"""Reading a corpus: `Library`. Papers, words, vectors and names of one state of it, the same until `refresh`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag.library import references, rows, schema
from rag.library.cache import from_blobs
from rag.library.filtering import any_of, condition, marks
from rag.library.layout import Layout
from rag.library.meaning import VectorSearch
from rag.text.normalise import fold
from rag.types import CorpusInfo, Filters, Paper, Sentence

Scored = list[tuple[str, float]]
_MOST_PARAMETERS = 500
_EVERYTHING = Filters()


class Library:
    """One corpus, opened for reading: a context manager. Opening is cheap; Chroma is loaded when vectors are asked for.

    A snapshot: what another process syncs meanwhile is seen after `refresh`. Every method may raise CorpusDamaged.
    """

    generation: int
    info: CorpusInfo

    def __init__(
        self,
        layout: Layout,
        connection: sqlite3.Connection,
        embedder_identity: str | None,
        token: str | None = None,
    ) -> None:
        self._layout, self._connection, self._embedder = layout, connection, embedder_identity
        self._token = token
        self._begin()

    @classmethod
    def open(cls, home: Path, name: str, *, embedder_identity: str | None = None, token: str | None = None) -> Library:
        """`token`: for the Chroma server, where the corpus keeps its vectors on one.

        Raises CorpusMissing, SchemaMismatch, CorpusDamaged, EmbedderMismatch (another embedder than was used).
        """
        layout = Layout.of(home, name)
        connection = schema.open_reader(layout)
        try:
            return cls(layout, connection, embedder_identity, token)
        except BaseException:
            connection.close()
            raise

    def _begin(self) -> None:
        """Take a snapshot and read what it says of itself."""
        self._file = self._layout.same_file()
        with schema.guarded(self._layout):
            self._connection.execute("BEGIN")
            schema.check_version(self._connection, self._layout)
            self._meta = schema.read_meta(self._connection)
        if self._embedder is not None:
            schema.check_embedder(self._layout, self._meta, self._embedder)
        self.generation = int(self._meta["generation"])
        self.info = CorpusInfo(self._layout.name, int(self._meta["papers"]), self._meta["fingerprint"])
        self._vectors = VectorSearch(self._layout, self._connection, self._meta, self._token)

    def refresh(self) -> None:
        """See what other processes have synced since. Cheap when nothing was."""
        if self._layout.same_file() != self._file:  # deleted, or made anew by --rebuild
            self.close()
            self._connection = schema.open_reader(self._layout)
            self._begin()
            return
        with schema.guarded(self._layout):
            self._connection.execute("COMMIT")
            self._connection.execute("BEGIN")
            if schema.read_meta(self._connection) != self._meta:
                self._connection.execute("COMMIT")
                self._vectors.close()
                self._begin()

    def close(self) -> None:
        self._vectors.close()
        self._connection.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Papers

    def papers(self, filters: Filters = _EVERYTHING) -> Iterator[Paper]:
        """In the order they were first synced."""
        where, values = condition(filters)
        with schema.guarded(self._layout):
            query = f"SELECT {rows.COLUMNS} FROM papers p WHERE {where} ORDER BY p.key"
            for row in self._connection.execute(query, values):
                yield rows.paper(row)

    def get(self, ids: Sequence[str]) -> dict[str, Paper]:
        """Those that are in the corpus, in the order asked for."""
        found: dict[str, Paper] = {}
        for row in self._by_ids(f"SELECT {rows.COLUMNS} FROM papers WHERE id IN", ids):
            paper = rows.paper(row)
            found[paper.id] = paper
        return {id_: found[id_] for id_ in ids if id_ in found}

    def sentences(self, ids: Sequence[str]) -> dict[str, tuple[Sentence, ...]]:
        """Each paper's sentences in order, () for an abstract without any; papers not in the corpus are left out."""
        found: dict[str, list[Sentence]] = {id_: [] for id_ in self.get(ids)}
        joined = "FROM papers p JOIN sentences s ON s.paper = p.key WHERE p.id IN"
        query = f'SELECT p.id, s.ordinal, s."start", s."end" {joined}'
        for id_, ordinal, start, end in self._by_ids(query, ids, "ORDER BY s.paper, s.ordinal"):
            found[rows.unpacked(id_)].append(Sentence(rows.unpacked(id_), ordinal, start, end))
        return {id_: tuple(sentences) for id_, sentences in found.items()}

    def resolve(self, reference: str) -> tuple[Paper, ...]:
        """The papers meant by an id (whole, bare, or a unique beginning), a link, a DOI or a title; () if none."""
        with schema.guarded(self._layout):
            return references.resolve(self._connection, reference)

    def papers_named(self, name: str) -> tuple[str, ...]:
        """Ids of the papers that introduce what goes by this name (case and markup do not matter)."""
        query = "SELECT p.id FROM names n JOIN papers p ON p.key = n.paper WHERE n.name = ? ORDER BY p.id"
        with schema.guarded(self._layout):
            found = self._connection.execute(query, (rows.packed(fold(name)),)).fetchall()
        return tuple(rows.unpacked(id_) for (id_,) in found)

    def named_like(self, reference: str) -> Paper | None:
        """The paper whose name or title is spelt most like a reference that names none; None where none is close."""
        with schema.guarded(self._layout):
            return references.misspelt(self._connection, reference)

    def _by_ids(self, query: str, ids: Sequence[str], order: str = "") -> Iterator[tuple[Any, ...]]:
        wanted = [rows.packed(id_) for id_ in dict.fromkeys(ids)]
        with schema.guarded(self._layout):
            for first in range(0, len(wanted), _MOST_PARAMETERS):
                part = wanted[first : first + _MOST_PARAMETERS]
                yield from self._connection.execute(f"{query} ({marks(part)}) {order}", part)

    # Words

    def document_frequency(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many papers each index term stands; 0 for one in none."""
        found = dict.fromkeys(terms, 0)
        wanted = list(found)
        with schema.guarded(self._layout):
            for first in range(0, len(wanted), _MOST_PARAMETERS):
                part = wanted[first : first + _MOST_PARAMETERS]
                found.update(
                    self._connection.execute(f"SELECT term, doc FROM vocabulary WHERE term IN ({marks(part)})", part)
                )
        return found

    def search_words(self, terms: Sequence[str], k: int, filters: Filters = _EVERYTHING) -> Scored:
        """The k papers with any of these index terms (`rag.text.tokens.terms`), best BM25 first, higher is better."""
        wanted = [term for term in dict.fromkeys(terms) if term.strip()]
        if not wanted or k < 1:
            return []
        where, values = condition(filters)
        query = (
            "SELECT p.id, -w.rank FROM words w JOIN papers p ON p.key = w.rowid "
            f"WHERE words MATCH ? AND {where} ORDER BY w.rank LIMIT ?"
        )
        with schema.guarded(self._layout):
            found = self._connection.execute(query, (any_of(wanted), *values, k)).fetchall()
        return sorted(((rows.unpacked(id_), score) for id_, score in found), key=lambda hit: (-hit[1], hit[0]))

    # Vectors

    def search_vectors(
        self, vector: NDArray[np.float32], k: int, filters: Filters = _EVERYTHING, *, exact: bool = False
    ) -> Scored:
        """The k papers whose best chunk is nearest, best cosine first. A zero vector is near nothing.

        Approximate where an index is faster (recall@10 above 0.98), unless `exact`.
        """
        with schema.guarded(self._layout):
            return self._vectors.search(vector, k, filters, exact=exact)

    def vectors_of(self, paper_id: str) -> NDArray[np.float32]:
        """(chunks, dimension): a paper's vectors in the order of its chunks; (0, 0) where it is not in the corpus."""
        query = (
            "SELECT v.vector FROM papers p JOIN chunks c ON c.paper = p.key "
            "JOIN cache.vectors v ON v.key = c.vector WHERE p.id = ? ORDER BY c.ordinal"
        )
        with schema.guarded(self._layout):
            blobs = [blob for (blob,) in self._connection.execute(query, (rows.packed(paper_id),))]
        return from_blobs(blobs) if blobs else np.zeros((0, 0), dtype=np.float32)
