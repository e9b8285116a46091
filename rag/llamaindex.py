"""citewell as LlamaIndex classes: a retriever and a query engine that any LlamaIndex program or agent can use.

    from rag.llamaindex import CitewellQueryEngine
    engine = CitewellQueryEngine()
    response = engine.query("How much faster is DFlash than EAGLE-3?")
    response.source_nodes[0].metadata["start"]

Every source node's text is `abstract[start:end]`; `start` and `end` are in its metadata.
"""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import Response, StreamingResponse
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from rag.assistant import Assistant
from rag.render import jsonable
from rag.render.papers import web_link
from rag.render.prose import marks, prose, reading
from rag.settings import Settings
from rag.types import Answer, Citation, Claim, Filters, Paper

T = TypeVar("T")
_EVERYTHING = Filters()


class _Engine:
    """An assistant in a thread of its own: a corpus is opened and read by one thread."""

    def __init__(self, settings: Settings | None, filters: Filters) -> None:
        self.assistant = Assistant(settings)
        self.filters = filters
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="citewell")

    def call(self, work: Callable[[], T]) -> T:
        return self._thread.submit(work).result()

    async def acall(self, work: Callable[[], T]) -> T:
        return await asyncio.wrap_future(self._thread.submit(work))

    def start(self, work: Callable[[], None]) -> None:
        self._thread.submit(work)


class CitewellRetriever(BaseRetriever):
    """Papers for a question, best first: a node a paper, its text the abstract."""

    def __init__(self, settings: Settings | None = None, *, filters: Filters = _EVERYTHING) -> None:
        super().__init__()
        self._engine = _Engine(settings, filters)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._engine.call(lambda: self._found(query_bundle.query_str))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await self._engine.acall(lambda: self._found(query_bundle.query_str))

    def _found(self, question: str) -> list[NodeWithScore]:
        hits = self._engine.assistant.search(question, filters=self._engine.filters)
        return [_node(paper, 0, len(paper.abstract), hit.score) for hit, paper in hits]


class CitewellQueryEngine(BaseQueryEngine):
    """Verified answers: `response` is the prose, `source_nodes` the cited words, `metadata` what `ask --json` prints.

    With `streaming`, pieces are whole sentences, each given out once it has passed its check.
    """

    def __init__(
        self, settings: Settings | None = None, *, filters: Filters = _EVERYTHING, streaming: bool = False
    ) -> None:
        super().__init__(callback_manager=None)
        self._engine = _Engine(settings, filters)
        self._streaming = streaming

    def _get_prompt_modules(self) -> dict[str, Any]:
        return {}

    def _query(self, query_bundle: QueryBundle) -> Response | StreamingResponse:
        if self._streaming:
            return self._streamed(query_bundle.query_str)
        return _response(self._engine.call(lambda: self._answer(query_bundle.query_str)))

    async def _aquery(self, query_bundle: QueryBundle) -> Response:
        return _response(await self._engine.acall(lambda: self._answer(query_bundle.query_str)))

    def _answer(self, question: str) -> Answer:
        return self._engine.assistant.ask(question, filters=self._engine.filters)

    def _streamed(self, question: str) -> StreamingResponse:
        said: queue.Queue[Claim | Answer | BaseException] = queue.Queue()

        def work() -> None:
            try:
                said.put(self._engine.assistant.ask(question, filters=self._engine.filters, on_claim=said.put))
            except BaseException as error:
                said.put(error)

        self._engine.start(work)
        nodes: list[NodeWithScore] = []
        metadata: dict[str, Any] = {}
        return StreamingResponse(_pieces(said, nodes, metadata), nodes, metadata)


def _pieces(
    said: queue.Queue[Claim | Answer | BaseException], nodes: list[NodeWithScore], metadata: dict[str, Any]
) -> Generator[str, None, None]:
    """Each claim's sentence as it passes; `nodes` and `metadata` are filled when the last has been read."""
    numbers: dict[str, int] = {}
    while True:
        item = said.get()
        if isinstance(item, BaseException):
            raise item
        if isinstance(item, Answer):
            if not item.claims:
                yield prose(item)
            nodes.extend(_nodes(item))
            metadata.update(jsonable.answer(item))
            return
        for citation in item.citations:
            numbers.setdefault(citation.paper_id, len(numbers) + 1)
        text, stop = reading(item)
        yield f"{text} {marks(item, numbers)}{stop} "


def _response(answer: Answer) -> Response:
    return Response(prose(answer), _nodes(answer), jsonable.answer(answer))


def _nodes(answer: Answer) -> list[NodeWithScore]:
    """Each cited span once, in the order of the claims."""
    papers = {source.paper.id: source.paper for source in answer.sources}
    cited: dict[Citation, None] = dict.fromkeys(each for claim in answer.claims for each in claim.citations)
    return [
        _node(papers[each.paper_id], each.start, each.end, None, number=answer.number_of(each.paper_id))
        for each in cited
        if each.field == "abstract"
    ]


def _node(paper: Paper, start: int, end: int, score: float | None, number: int | None = None) -> NodeWithScore:
    metadata = {
        "paper_id": paper.id,
        "title": paper.title,
        "authors": ", ".join(paper.authors),
        "year": paper.year,
        "venue": paper.venue,
        "url": web_link(paper),
        "start": start,
        "end": end,
    }
    if number is not None:
        metadata["source"] = number
    node = TextNode(id_=f"{paper.id}#{start}-{end}", text=paper.abstract[start:end], metadata=metadata)
    return NodeWithScore(node=node, score=score)
