"""LlamaIndex's CitationQueryEngine over our default embedder: what `evals.peers` runs beside us.

One node an abstract, as their own guide has it for short documents. The index lies in a Chroma folder where their
`llama-index-vector-stores-chroma` is installed, else in memory.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rag.types import Paper

TOP_K = 5
_COLLECTION = "abstracts"


def has_chroma() -> bool:
    """Whether their Chroma store is installed."""
    return (
        importlib.util.find_spec("llama_index.vector_stores") is not None
        and importlib.util.find_spec("llama_index.vector_stores.chroma") is not None
    )


def citation_query_engine(
    papers: Mapping[str, Paper], llm: Any = None, top_k: int = TOP_K, folder: Path | None = None
) -> Any:
    """Their engine over these papers, with the scripted model where no other is given."""
    return _engine(ingest(papers, folder), llm, top_k)


def ingest(papers: Mapping[str, Paper], folder: Path | None = None) -> Any:
    """Their index of these papers, kept in `folder` if there is one."""
    from llama_index.core import StorageContext, VectorStoreIndex
    from llama_index.core.schema import TextNode

    nodes = [TextNode(id_=paper.id, text=paper.abstract, metadata={"paper_id": paper.id}) for paper in papers.values()]
    for node in nodes:
        node.excluded_llm_metadata_keys = node.excluded_embed_metadata_keys = ["paper_id"]
    kept = StorageContext.from_defaults(vector_store=_store(folder)) if folder and has_chroma() else None
    return VectorStoreIndex(nodes, storage_context=kept, embed_model=_embedding())


def opened(folder: Path, llm: Any = None, top_k: int = TOP_K) -> Any:
    """Their engine over an index that `ingest` kept."""
    from llama_index.core import VectorStoreIndex

    return _engine(VectorStoreIndex.from_vector_store(_store(folder), embed_model=_embedding()), llm, top_k)


def _engine(index: Any, llm: Any, top_k: int) -> Any:
    from llama_index.core.query_engine import CitationQueryEngine

    from evals.models.scripted import Scripted

    return CitationQueryEngine.from_args(index, llm=llm or Scripted(), similarity_top_k=top_k, citation_chunk_size=512)


def _store(folder: Path) -> Any:
    import chromadb
    from llama_index.vector_stores.chroma import ChromaVectorStore

    settings = chromadb.Settings(anonymized_telemetry=False)
    client = chromadb.PersistentClient(str(folder), settings=settings)
    return ChromaVectorStore(chroma_collection=client.get_or_create_collection(_COLLECTION))


def _embedding() -> Any:
    from llama_index.core.embeddings import BaseEmbedding

    from rag.embed import load

    ours = load("wordllama")

    class Ours(BaseEmbedding):
        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            vectors: list[list[float]] = ours.embed(texts).tolist()
            return vectors

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    return Ours(embed_batch_size=512)
