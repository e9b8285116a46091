"""LlamaIndex `Document`s (or anything shaped like one) as Papers. LlamaIndex itself is not imported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rag.readers.papers import NotAPaper, paper_from
from rag.types import Paper, Problem

_FILE = ("file_path", "file_name", "filename", "source")


def read_documents(documents: Iterable[object]) -> Iterator[Paper | Problem]:
    """A Paper for each document: its text is the abstract, its metadata give title, authors, year, venue, url, doi.

    Metadata are understood under the same names as in files. A document's own id (`id_`) counts where it says whose it
    is (`arXiv:2304.09848`, a DOI, a link); LlamaIndex's random ones do not. A document that is no paper is a Problem.
    """
    for number, document in enumerate(documents, 1):
        metadata = getattr(document, "metadata", None)
        said = {str(key): value for key, value in metadata.items()} if isinstance(metadata, Mapping) else {}
        name = next((said[key] for key in _FILE if isinstance(said.get(key), str)), "documents")
        name = name.replace("\\", "/").rpartition("/")[2] or "documents"
        fields = {"id": getattr(document, "id_", None), **said}
        text = _text(document)
        if text.strip():
            fields = {key: value for key, value in fields.items() if key.lower() != "text"}
            fields = {**{key: value for key, value in fields.items() if key.lower() != "abstract"}, "abstract": text}
        try:
            yield paper_from(fields, f"{name}:record {number}")
        except NotAPaper as error:
            yield Problem(name, None, f"record {number}: {error}")


def _text(document: object) -> str:
    text = getattr(document, "text", None)
    if isinstance(text, str):
        return text
    get_content = getattr(document, "get_content", None)
    content = get_content() if callable(get_content) else ""
    return content if isinstance(content, str) else ""
