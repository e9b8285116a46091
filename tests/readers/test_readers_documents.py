# ruff: noqa: E501 - records stand as files hold them
from __future__ import annotations

import sys
from dataclasses import dataclass, field

from rag.readers.documents import read_documents
from rag.types import Paper, Problem


@dataclass
class Shaped:
    """What any library's documents look like."""

    text: str
    metadata: dict[str, object] = field(default_factory=dict)
    id_: str = "0d6f8b6a-3c1e-4b58-9c38-000000000000"


def test_metadata_are_understood_as_in_files() -> None:
    found = list(
        read_documents(
            [
                Shaped("We show it.", {"title": "T", "authors": "Lee, Ann; Chen, Bo", "publication_date": "2020-01-02", "doi": "10.1/X"}),
                Shaped("We show that.", {"file_name": "/home/me/b.txt"}, id_="arXiv:2304.09848v1"),
                Shaped("", {"title": "no abstract"}),
                object(),
                Shaped("", {"abstract": "Kept in the metadata."}),
            ]
        )
    )  # fmt: skip
    papers = [item for item in found if isinstance(item, Paper)]
    assert [paper.id.split(":")[0] for paper in papers] == ["doi", "arxiv", "text"]
    assert (papers[0].title, papers[0].authors, papers[0].year) == ("T", ("Ann Lee", "Bo Chen"), 2020)
    assert [paper.files[0] for paper in papers] == ["documents:record 1", "b.txt:record 2", "documents:record 5"]
    assert [type(item) for item in found] == [Paper, Paper, Problem, Problem, Paper]


def test_real_documents_in_a_process_of_their_own() -> None:
    """LlamaIndex is imported by its user, not by us."""
    import subprocess

    script = (
        "import sys\n"
        "from rag.readers.documents import read_documents\n"
        "assert not any(name.startswith('llama_index') for name in sys.modules)\n"
        "from llama_index.core import Document\n"
        "(paper,) = read_documents([Document(text='We show it.', metadata={'title': 'T', 'year': 2020})])\n"
        "print(paper.id, paper.title, paper.year)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [next(iter(read_documents([Shaped("We show it.")]))).id, "T", "2020"]
