"""Question + library -> ranked papers: words and meaning fused by a learned, explainable score."""

from __future__ import annotations

from rag.retrieve.results import Retrieval, Signals
from rag.retrieve.retriever import Retriever

__all__ = ["Retrieval", "Retriever", "Signals"]
