"""Vectors on a Chroma server, shared by several people and machines.

The ledger stays with each of them; on the server a vector goes by the hash of the text and the embedder it came from.
So nobody's write can contradict another's: the same text has the same id and the same vector, and a sync that was
killed has left at most vectors that nobody asks for. A search takes of the server's nearest those that its own ledger
knows. Nothing is deleted there: what one ledger no longer uses another may.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from rag.errors import CitewellError, CorpusDamaged, StoreUnreachable, UsageError
from rag.library.vectors import HNSW, first_line, hush

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

_READ_AT_ONCE = 300
"""Ids a request: what Chroma's hosted service allows."""
_PATIENCE = 60
_OURS = (KeyboardInterrupt, SystemExit, GeneratorExit, CitewellError, MemoryError)
_PORTS = {"http": 8000, "https": 443}


@dataclass(frozen=True, slots=True)
class Store:
    """A Chroma server: `http(s)://host[:port][/tenant[/database]]`, and the token it wants."""

    address: str
    token: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Raises UsageError for an address that is none, or that holds a password (it would be stored and shown)."""
        try:
            parts = urlsplit(self.address)
            port_well = parts.port is None or parts.port > 0
        except ValueError:
            port_well, parts = False, urlsplit("")
        if "@" in self.address:
            raise UsageError("a store's address must not hold a password", "give a token in CITEWELL_STORE_TOKEN")
        if parts.scheme not in _PORTS or not parts.hostname or not port_well or len(self._path(parts.path)) > 2:
            raise UsageError(
                f"{self.address!r} is no Chroma server", "use http://host:port, or https://host/tenant/database"
            )

    @staticmethod
    def _path(path: str) -> list[str]:
        return [part for part in path.split("/") if part]

    def client(self) -> ClientAPI:
        """Raises StoreUnreachable."""
        import chromadb
        from chromadb.config import Settings

        hush()
        parts = urlsplit(self.address)
        path = self._path(parts.path)
        tenant, database = [*path, *("default_tenant", "default_database")[len(path) :]]
        settings = Settings(anonymized_telemetry=False, chroma_query_request_timeout_seconds=_PATIENCE)
        with _asking(self):
            try:
                return chromadb.HttpClient(
                    host=parts.hostname or "",
                    port=parts.port or _PORTS[parts.scheme],
                    ssl=parts.scheme == "https",
                    headers={"x-chroma-token": self.token} if self.token else None,
                    settings=settings,
                    tenant=tenant,
                    database=database,
                )
            except Exception as error:
                for frame, _ in walk_tb(error.__traceback__):  # the client that is half made has connections
                    _close(frame.f_locals.get("self"))
                raise


class ServerStore:
    """A corpus's collection on a server. Vectors go by their key in hexadecimal."""

    def __init__(self, store: Store, client: ClientAPI, collection: Collection) -> None:
        self._store, self._client, self._collection = store, client, collection
        with _asking(store):
            # -1 where the server tells none, and Chroma's client refuses to write, as it must be seen to.
            self._batch = max(1, client.get_max_batch_size())

    @classmethod
    def open(cls, store: Store, corpus: str, identity: str, *, create: bool = False) -> ServerStore:
        """Raises StoreUnreachable, and CorpusDamaged where the server has no such collection."""
        client, name = store.client(), collection_name(corpus, identity)
        settings: Any = {"hnsw": HNSW}
        try:
            with _asking(store):
                if create:
                    found = client.get_or_create_collection(name, configuration=settings, embedding_function=None)
                    return cls(store, client, found)
                try:
                    return cls(store, client, client.get_collection(name, embedding_function=None))
                except Exception as error:
                    if type(error).__name__ != "NotFoundError":
                        raise
        except BaseException:
            _close(client)
            raise
        _close(client)
        raise CorpusDamaged(
            f"{store.address} has no collection {name}", "run `citewell doctor --repair`, or `citewell move local`"
        )

    def add(self, keys: Sequence[bytes], vectors: NDArray[np.float32]) -> None:
        """Insert or replace, each key once, in batches the server takes."""
        rows = list({key.hex(): row for row, key in enumerate(keys)}.items())
        for first in range(0, len(rows), self._batch):
            part = rows[first : first + self._batch]
            with _asking(self._store):
                chosen = vectors[[row for _, row in part]]
                self._collection.upsert(ids=[id_ for id_, _ in part], embeddings=chosen)

    def close(self) -> None:
        _close(self._client)

    def count(self) -> int:
        with _asking(self._store):
            return self._collection.count()

    def query(self, vector: NDArray[np.float32], k: int) -> list[tuple[bytes, float]]:
        """The k nearest as (key, cosine), nearest first."""
        with _asking(self._store):
            found = self._collection.query(query_embeddings=vector[None], n_results=k, include=["distances"])
        distances = found["distances"] or [[]]
        return [
            (bytes.fromhex(id_), 1.0 - distance) for id_, distance in zip(found["ids"][0], distances[0], strict=True)
        ]

    def stored(self, keys: Sequence[bytes]) -> Iterator[tuple[list[bytes], NDArray[np.float32]]]:
        """Those of the keys that it holds, with their vectors, a batch at a time."""
        for first in range(0, len(keys), _READ_AT_ONCE):
            ids = [key.hex() for key in keys[first : first + _READ_AT_ONCE]]
            with _asking(self._store):
                part = self._collection.get(ids=ids, include=["embeddings"])
            yield [bytes.fromhex(id_) for id_ in part["ids"]], np.asarray(part["embeddings"], dtype=np.float32)


def collection_name(corpus: str, identity: str) -> str:
    """The same for all who call a corpus so and use the same embedder."""
    shown = re.sub(r"[^A-Za-z0-9]+", "-", corpus).strip("-")[:40] or "corpus"
    return f"citewell-{shown}-{sha256(f'{corpus} {identity}'.encode()).hexdigest()[:12]}"


def _close(client: object) -> None:
    """Chroma's own `close` leaves the connections open, its own and those of the second client inside it."""
    for inner in (client, getattr(client, "_admin_client", None)):
        with suppress(Exception):
            cast(Any, inner)._server._session.close()
    with suppress(Exception):
        cast("Client", client).close()


@contextmanager
def _asking(store: Store) -> Iterator[None]:
    """Whatever the client raises as one error that names the server, and never the token."""
    try:
        yield
    except _OURS:
        raise
    except BaseException as error:
        reason = _reason(error)
        if store.token:
            reason = reason.replace(store.token, "***")
        check = "that it runs (`chroma run`), the address and CITEWELL_STORE_TOKEN"
        if "CERTIFICATE" in reason:
            check = "the address; SSL_CERT_FILE names the authority of a server of your own"
        raise StoreUnreachable(
            f"the Chroma server {store.address} did not do as asked: {reason}",
            f"check {check}; `citewell move local` needs none",
        ) from None


def _reason(error: BaseException) -> str:
    """Chroma's own words; where it has none (any failed connection, any page of a proxy), the connection's."""
    from chromadb.errors import ChromaError
    from httpx import HTTPStatusError, TransportError

    beneath: BaseException | None = error
    while beneath is not None and not isinstance(error, ChromaError):
        if isinstance(beneath, HTTPStatusError):
            return f"it answered {beneath.response.status_code} {beneath.response.reason_phrase}"
        if isinstance(beneath, TransportError):
            return first_line(beneath)
        beneath = beneath.__cause__ or beneath.__context__
    return first_line(error)
