"""Evidence -> the part of a prompt that shows it, so that no text can pose as a source, a key or an order.

One line a sentence, under a key that stands in no shown text; between two lines with a mark that stands in none either.
Line breaks, invisible characters and chat templates' own tokens are taken out of what strangers wrote.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rag.generate.keys import keys_for
from rag.model.tokens import estimate
from rag.text.normalise import plain
from rag.text.orders import commands
from rag.types import Evidence

_CONTROL_TOKENS = re.compile(
    r"<\|+|\|+>|<(?=/?(?:s|system|user|assistant|bos|eos|pad|unk|start_of_turn|end_of_turn|think)\b)|(?<=<)<(?=/?SYS)|"
    r"\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL)\w*\])",
    re.IGNORECASE,
)
_AROUND = 6
"""Tokens of what stands before a sentence or a title: brackets and key, or "Paper:"."""


@dataclass(frozen=True, slots=True)
class Composed:
    """Evidence as one prompt shows it. `left_out` counts the sentences that did not fit."""

    lines: tuple[str, ...]
    mark: str
    left_out: int = 0

    @property
    def block(self) -> str:
        opening, closing = f"=== evidence {self.mark} ===", f"=== end of evidence {self.mark} ==="
        return "\n".join((opening, *self.lines, closing))


def keyed(evidence: Sequence[Evidence], question: str) -> tuple[Evidence, ...]:
    """The same sentences under keys that stand in none of their texts, each paper's together, in order."""
    ordered = _together(evidence)
    texts = [
        one_line(question),
        *(_shown(part) for item in ordered for part in (item.paper.title, item.text)),
    ]
    return tuple(replace(item, key=key) for item, key in zip(ordered, keys_for(len(ordered), texts), strict=True))


def compose(evidence: Sequence[Evidence], question: str, *, room: int) -> Composed:
    """`keyed` evidence in at most `room` estimated tokens.

    Whole sentences are left out, the least relevant first: by score, then from the end.
    """
    kept = _within(evidence, room)
    lines: list[str] = []
    for _, group in itertools.groupby(kept, key=lambda item: item.paper.id):
        sentences = list(group)
        lines.append(f"Paper: {_titled(sentences[0].paper.title)}")
        lines.extend(f"[{item.key}] {_shown(item.text)}" for item in sentences)
    return Composed(tuple(lines), _mark([*lines, question]), len(evidence) - len(kept))


def _titled(title: str) -> str:
    """A title that gives orders is not passed on."""
    return "(untitled)" if commands(title) else _shown(title)


def _shown(text: str) -> str:
    return one_line(plain(text))


def one_line(text: str) -> str:
    """Text that can be nothing but a line of text: no breaks, nothing invisible, no token of a chat template."""
    visible = "".join(
        char if unicodedata.category(char) not in ("Cc", "Cf", "Co", "Cs", "Cn") else " " * char.isspace()
        for char in text
    )
    return " ".join(_CONTROL_TOKENS.sub(lambda found: " ".join(found[0]) + " ", visible).split())


def _within(evidence: Sequence[Evidence], room: int) -> list[Evidence]:
    costs = [estimate(_shown(item.text)) + _AROUND for item in evidence]
    sentences = Counter(item.paper.id for item in evidence)
    headings = {item.paper.id: estimate(_shown(item.paper.title)) + _AROUND for item in evidence}
    left = room - sum(costs) - sum(headings.values())
    kept = dict(enumerate(evidence))
    for at in sorted(kept, key=lambda at: (evidence[at].score, -at)):
        if left >= 0:
            break
        paper_id = kept.pop(at).paper.id
        sentences[paper_id] -= 1
        left += costs[at] + (0 if sentences[paper_id] else headings[paper_id])
    return list(kept.values())


def _together(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Each paper's sentences in one place, papers in order of their first."""
    groups: dict[str, list[Evidence]] = {}
    for item in evidence:
        groups.setdefault(item.paper.id, []).append(item)
    return list(itertools.chain.from_iterable(groups.values()))


def _mark(texts: Sequence[str]) -> str:
    """Six hexadecimal digits that stand in none of `texts`: the same for the same prompt, so that it can be cached, and
    not to be foreseen by any text, since it depends on all of them."""
    everything = "\n".join(texts)
    digest = hashlib.sha256(everything.encode("utf-8", "surrogatepass")).hexdigest()
    while digest[:6] in everything.casefold():
        digest = hashlib.sha256(digest.encode()).hexdigest()
    return digest[:6]
