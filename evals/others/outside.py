"""Answers that another assistant wrote, in the neutral shape: `citewell eval score FILE`.

Read are our own lines (`question, answer, passages`), what LlamaIndex's query engines return (`response, source_nodes`)
and paper-qa's sessions (`raw_answer, contexts`), as JSON or as Python objects. Citations are resolved against the
passages the assistant says it had; paper-qa's against the chunk's own text, never against its model's summary.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.others import marks
from evals.scorers.record import Cited, Passage, Record, Spent, Statement
from rag.errors import UsageError

_REFUSAL = re.compile(
    r"^\W*(?:no answer|empty response|not supported by|n/?a\b|(?:i am sorry|i'm sorry|sorry|unfortunately)\b.{0,80}\b"
    r"(?:not|n't|unable|no)\b|i (?:cannot|can't|could not|couldn't|am unable to|do not|don't) (?:answer|find|know|have)"
    r"|(?:the|none of the) (?:provided |given )?(?:sources?|context|passages?|documents?|abstracts?)\b.{0,60}"
    r"\b(?:do|does|did|contain|provide|mention|are|is)\b.{0,20}\b(?:not|n't|no|helpful|relevant)\b|"
    r"there is (?:no|not enough|insufficient) (?:information|evidence|context))",
    re.IGNORECASE | re.DOTALL,
)
_PAPERQA_KEY = re.compile(r"pqac-[0-9a-f]+", re.IGNORECASE)
_PAPERQA_MARK = re.compile(r"\(([^()]*pqac-[0-9a-f]+[^()]*)\)", re.IGNORECASE)
_SOURCE_HEADER = re.compile(r"\A\s*Source \d+:\s*\n")
_SHAPES = "question, answer, passages; or response, source_nodes (LlamaIndex); or raw_answer, contexts (paper-qa)"


def read(path: Path, text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each answer as (place, plain line of ours). `text` is the file's. Raises UsageError at a line that is none."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        place = f"{path.name}:{number}"
        try:
            yield place, plain(json.loads(line))
        except ValueError as error:
            raise UsageError(f"{place}: {error}", f"a line holds {_SHAPES}") from None


def plain(value: Any) -> Mapping[str, Any]:
    """Any of the three shapes as `question, answer, passages`. Raises ValueError for none of them."""
    if not isinstance(value, Mapping):
        raise ValueError("not a JSON object")
    session = value.get("session")
    if isinstance(session, Mapping):
        value = session
    if "contexts" in value:
        found: Mapping[str, Any] = {**value, **_from_paperqa(value)}
    elif "source_nodes" in value:
        found = {**value, **_from_llamaindex(value)}
    else:
        found = value
    for name, kind in (("question", str), ("answer", str), ("passages", list)):
        if not isinstance(found.get(name), kind):
            raise ValueError(f"{name!r} is missing, or is no {'text' if kind is str else 'list'}")
    return found


def from_llamaindex(question: str, response: Any) -> dict[str, Any]:
    """A LlamaIndex `Response` object as a line for `eval score`."""
    nodes = []
    for scored in response.source_nodes:
        node = scored.node
        document = node.metadata.get("paper_id") or getattr(node, "ref_doc_id", None) or node.node_id
        nodes.append({"node": {"id_": node.node_id, "text": node.get_content(), "document": document}})
    return {"question": question, "response": str(response.response or ""), "source_nodes": nodes}


def record(line: Mapping[str, Any]) -> Record:
    """The answer, its marks resolved. A mark that names no passage stays, as an invented citation."""
    passages = tuple(_passage(number, each) for number, each in enumerate(line["passages"], 1))
    answer = line["answer"]
    shown = "\n".join(each.text for each in passages)
    drafted = marks.read(answer, {each.key for each in passages}, shown)
    cites = any(sentence.keys for sentence in drafted)
    abstained = bool(line.get("abstained", not answer.strip() or (not cites and bool(_REFUSAL.search(answer)))))
    documents: dict[str, str] = {}
    for passage in passages:
        earlier = documents.get(passage.document)
        documents[passage.document] = f"{earlier}\n{passage.text}" if earlier else passage.text
    by_key = {passage.key: passage for passage in passages}
    return Record(
        question=line["question"],
        statements=() if abstained else tuple(_statement(each, by_key) for each in drafted),
        abstained=abstained,
        passages=passages,
        documents=documents,
        titles=_titles(line["passages"], passages),
        ranked=tuple(line["ranked"]) if line.get("ranked") else tuple(documents),
        spent=Spent(line.get("cost_usd"), line.get("tokens"), line.get("seconds")),
    )


def _statement(sentence: marks.Written, passages: Mapping[str, Passage]) -> Statement:
    cited = []
    for key in sentence.keys:
        passage = passages.get(key)
        cited.append(Cited(key, passage.document, passage.text) if passage else Cited(key))
    needs = bool(sentence.keys) or not sentence.text.rstrip().endswith(("?", ":"))
    return Statement(sentence.text, tuple(cited), needs_support=needs)


def _passage(number: int, value: Any) -> Passage:
    if isinstance(value, str):
        return Passage(str(number), str(number), value)
    key = str(value.get("id", number))
    return Passage(key, str(value.get("document", key)), str(value.get("text", "")))


def _titles(values: Sequence[Any], passages: Sequence[Passage]) -> dict[str, str]:
    return {
        passage.document: str(value["title"])
        for value, passage in zip(values, passages, strict=True)
        if isinstance(value, Mapping) and value.get("title")
    }


def _from_llamaindex(value: Mapping[str, Any]) -> dict[str, Any]:
    """Sources are cited by their number; the header that CitationQueryEngine puts before a text is not of the text."""
    passages = []
    for number, scored in enumerate(value["source_nodes"], 1):
        node = scored.get("node", scored) if isinstance(scored, Mapping) else {}
        text = _SOURCE_HEADER.sub("", str(node.get("text", "")))
        document = node.get("document") or node.get("ref_doc_id") or _related(node) or node.get("id_") or number
        passages.append({"id": str(number), "document": str(document), "text": text.strip()})
    question = value.get("question") or value.get("query")
    return {
        "question": question,
        "answer": value.get("response") or value.get("answer") or "",
        "passages": passages,
    }


def _related(node: Mapping[str, Any]) -> str | None:
    """The source document in a serialised node's relationships ("1" is SOURCE)."""
    source = (node.get("relationships") or {}).get("1")
    return source.get("node_id") if isinstance(source, Mapping) else None


def _from_paperqa(value: Mapping[str, Any]) -> dict[str, Any]:
    """Marks such as (pqac-1a2b, pqac-3c4d) become numbers; ids that no context has are numbered past the last."""
    numbers: dict[str, int] = {}
    passages = []
    for number, context in enumerate(value["contexts"], 1):
        numbers[str(context.get("id", "")).lower()] = number
        text, name = context.get("text") or {}, str(number)
        document = (text.get("doc") or {}).get("dockey") or text.get("name") or name
        passages.append({"id": name, "document": str(document), "text": str(text.get("text", ""))})

    def mark(found: re.Match[str]) -> str:
        keys = [key.lower() for key in _PAPERQA_KEY.findall(found[1])]
        return f"[{', '.join(str(numbers.setdefault(key, 900 + len(numbers))) for key in keys)}]"

    answer = _PAPERQA_MARK.sub(mark, str(value.get("raw_answer") or value.get("answer") or ""))
    tokens = sum(sum(pair) for pair in (value.get("token_counts") or {}).values())
    sure = value.get("has_successful_answer")
    told = {"abstained": True} if sure is False else {}
    return {
        "answer": answer,
        "passages": passages,
        "cost_usd": value.get("cost"),
        "tokens": tokens or None,
        **told,
    }
