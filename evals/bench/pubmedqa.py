"""PubMedQA (Jin et al. 2019, arXiv 1909.06146): yes, no or maybe from an abstract without its conclusion.

PATH is `ori_pqal.json`: {pmid: {QUESTION, CONTEXTS, final_decision, ...}}. The question is turned into the statement it
asks about and checked against the contexts: supported is yes, contradicted is no, not found is maybe.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from evals.bench.measures import classes
from evals.bench.result import Published, Result
from rag.errors import UsageError
from rag.text.sentences import split
from rag.verify import check_against

_ANSWERS = {"supported": "yes", "contradicted": "no", "not_found": "maybe"}
_ASKED = re.compile(
    r"^(?:is|are|was|were|does|do|did|can|could|may|might|should|will|would|has|have|had)\b\s*", re.IGNORECASE
)
_SOURCE = "Jin et al. 2019"
PUBLISHED = (
    Published("accuracy", 0.681, "BioBERT, multi-phase", _SOURCE),
    Published("accuracy", 0.780, "one person", _SOURCE),
    Published("accuracy", 0.552, "always yes", _SOURCE),
)
NOT_COMPARABLE = (
    "the set asks for a conclusion that the contexts do not state; citewell shows what is stated, or says maybe",
    "published figures are of the 500 test questions, by models trained on the others",
)


def run(path: Path, limit: int | None = None) -> Result:
    try:
        examples = list(json.loads(path.read_text("utf-8")).values())[:limit]
    except (OSError, ValueError, AttributeError) as error:
        raise UsageError(f"cannot read {path} as PubMedQA: {error}", "give ori_pqal.json") from None
    pairs = [(each["final_decision"], answer(each["QUESTION"], each["CONTEXTS"])) for each in examples]
    found = classes(pairs)
    decided = [(gold, said) for gold, said in pairs if said != "maybe"]
    figures = (
        ("accuracy", found["accuracy"]),
        ("macro-F1", found["macro_f1"]),
        ("share decided", len(decided) / max(len(pairs), 1)),
        ("accuracy where decided", classes(decided)["accuracy"]),
    )
    return Result("PubMedQA", len(examples), figures, PUBLISHED, NOT_COMPARABLE)


def answer(question: str, contexts: list[str]) -> str:
    """yes, no or maybe."""
    sentences = [text[start:end] for text in contexts for start, end in split(text)]
    _, found = check_against(statement(question), sentences)
    return _ANSWERS[found.outcome]


def statement(question: str) -> str:
    """The words of a yes-no question without its asking."""
    text = _ASKED.sub("", question.strip()).rstrip("? ")
    return f"{text[:1].upper()}{text[1:]}."
