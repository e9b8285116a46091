"""Follow-ups without a model: is the right paper found first once the message stands alone?

    python -m evals.followups

Each item of evals/questions/followups.jsonl is a short conversation over the seeds: its earlier questions are asked,
then the follow-up. Reported per split, beside the same message asked alone; `report` was never looked at while the
rules were written.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, replace

from evals.material import cases
from rag.assistant import Assistant
from rag.chat import Conversation
from rag.settings import load

QUESTIONS = cases.QUESTIONS / "followups.jsonl"


@dataclass(frozen=True, slots=True)
class Outcome:
    id: str
    split: str
    together: bool
    """The first paper of the retrieval is a gold one, understood as a follow-up."""
    alone: bool
    understood: str
    found: str


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        settings = replace(load(environ={"CITEWELL_HOME": home}), log=False)
        assistant = Assistant(settings)
        items = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
        outcomes = [measure(item, assistant) for item in items if item["papers"]]
    for split in ("fit", "report"):
        part = [outcome for outcome in outcomes if outcome.split == split]
        together = sum(outcome.together for outcome in part) / len(part)
        alone = sum(outcome.alone for outcome in part) / len(part)
        print(f"{split:<7} {len(part)} follow-ups: right paper first {together:.3f}, asked alone {alone:.3f}")
    for outcome in outcomes:
        if not outcome.together:
            print(f"  miss ({outcome.split}) {outcome.id}: understood as {outcome.understood!r}, found {outcome.found}")


def measure(item: dict[str, object], assistant: Assistant) -> Outcome:
    conversation = Conversation(assistant)
    for message in item["history"]:  # type: ignore[attr-defined]
        conversation.ask(str(message))
    message, gold = str(item["question"]), set(item["papers"])  # type: ignore[call-overload]
    understood = conversation.understand(message)
    together = first(assistant, understood.question, understood.filters)
    alone = first(assistant, message, conversation.filters)
    return Outcome(str(item["id"]), str(item["split"]), together in gold, alone in gold, understood.question, together)


def first(assistant: Assistant, question: str, filters: object) -> str:
    hits = assistant.consult(question, filters=filters).retrieval.hits  # type: ignore[arg-type]
    return hits[0].paper_id if hits else ""


if __name__ == "__main__":
    main()
