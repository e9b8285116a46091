"""LlamaIndex's CitationQueryEngine beside citewell, with one scripted model, over the same questions and papers.

    python -m evals.peers [--limit N] [--keep answers.jsonl]

Both get the same model (`evals.scripted`), which errs in a known share of its answers, and the same embedder. What is
compared is what each lets through to the reader.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evals import cases, gates, outside, scoring, session
from evals.cases import Question
from evals.report.figures import number
from evals.report.table import columns
from evals.run import Plan, run
from rag.settings import Settings
from rag.types import Paper

TOP_K = 5
_SHOWN = (
    *(
        "citation_recall",
        "citation_precision",
        "citation_f1",
        "citation_validity",
        "misattribution",
        "faithfulness",
    ),
    *("contradiction", "fact_recall", "accuracy", "precision", "false_refusal", "unsupported_answer"),
)


def citation_query_engine(papers: Mapping[str, Paper], llm: Any = None, top_k: int = TOP_K) -> Any:
    """Their engine over these papers, one node a paper, with the scripted model and our default embedder."""
    from llama_index.core import VectorStoreIndex
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.query_engine import CitationQueryEngine
    from llama_index.core.schema import TextNode

    from evals.scripted import Scripted
    from rag.embed import load

    ours = load("wordllama")

    class Ours(BaseEmbedding):
        def _get_text_embedding(self, text: str) -> list[float]:
            vector: list[float] = ours.embed([text])[0].tolist()
            return vector

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    nodes = [
        TextNode(id_=paper.id, text=paper.abstract, metadata={"paper_id": paper.id})
        for paper in papers.values()
    ]
    for node in nodes:
        node.excluded_llm_metadata_keys = node.excluded_embed_metadata_keys = ["paper_id"]
    index = VectorStoreIndex(nodes, embed_model=Ours())
    return CitationQueryEngine.from_args(
        index, llm=llm or Scripted(), similarity_top_k=top_k, citation_chunk_size=512
    )


def theirs(questions: Sequence[Question], papers: Mapping[str, Paper]) -> Iterator[dict[str, Any]]:
    """Their answers as lines for `citewell eval score`."""
    engine = citation_query_engine(papers)
    for question in questions:
        yield {
            "id": question.id,
            **outside.from_llamaindex(question.question, engine.query(question.question)),
        }


def ours(questions: Sequence[Question], corpus: Sequence[Path], home: Path) -> dict[str, Any]:
    settings = Settings(home=home, model="evals.scripted:Scripted")
    return run(Plan(tuple(questions), tuple(corpus), settings), None)


def compare(limit: int | None, keep: Path | None) -> Iterator[str]:
    """Both runs, and their figures side by side."""
    judged = gates.load(session.OWN)
    questions = [each for each in cases.load_questions((cases.QUESTIONS,)) if not each.history][:limit]
    with tempfile.TemporaryDirectory(prefix="citewell-peers-", ignore_cleanup_errors=True) as folder:
        answers = keep or Path(folder) / "answers.jsonl"
        lines = theirs(questions, session.papers_of((), judged))
        answers.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
        scored = scoring.score_file(answers, (cases.QUESTIONS,))
        mine = ours(questions, judged.inputs["corpus"], Path(folder))
    rows = [("metric", "CitationQueryEngine", "citewell, same model")]
    for name in _SHOWN:
        found = [log["summary"]["metrics"].get(name, {}).get("mean") for log in (scored, mine)]
        rows.append((name, *(number(value, name) for value in found)))
    yield f"{len(questions)} questions"
    yield from columns(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m evals.peers", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--limit", type=int, help="only the first N questions")
    parser.add_argument("--keep", type=Path, help="keep their answers here, for `citewell eval score`")
    asked = parser.parse_args(arguments)
    print("\n".join(compare(asked.limit, asked.keep)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
