"""What can be typed in chat beside questions: one line each, for /help and for completion."""

from __future__ import annotations

import re

COMMANDS = {
    "/help": "what can be typed",
    "/sources": "the papers of this conversation and their numbers",
    "/quote": "N: the words quoted from a paper",
    "/open": "N: a paper's page in the browser",
    "/papers": "[WORDS]: list or search papers",
    "/compare": "[N N]: papers side by side, else those of the last answer",
    "/summarise": "TOPIC: a topic across papers",
    "/why": "how the last message was understood, and what was searched",
    "/export": "FILE: the bibliography of this conversation",
    "/json": "the last answer as JSON",
    "/model": "[NAME]: show or change the model",
    "/cost": "what the model has cost so far",
    "/reset": "forget this conversation and begin another",
    "/exit": "leave (Ctrl-D does too)",
}

_WISH = re.compile(
    r"^\W*(?:(?:can|could|would|will) you |please )*"
    r"(?:(?:give|show|list|print|open|save|export|get|send) (?:me )?|(?:just|only) )"
    r"(?:(?:the|this|that|it|these|those|all|its|exact|as|in|to|a|your) )*(?P<what>[\w-]+)"
    r"(?: (?:of|for|from|to) (?:that|this|it|them|(?:the |this |that )?(?:last )?(?:answer|paper|one)))?"
    r"(?:,? please)?\W*$",
    re.IGNORECASE,
)
_WHAT = {
    "/quote": "quote quotes quotation quotations wording",
    "/export": "bibtex bib ris bibliography reference references",
    "/sources": "source sources citation citations papers titles names",
    "/json": "json",
    "/open": "link page pdf",
}


def meant(message: str) -> str | None:
    """The command that does what a sentence asks of the program and not of the papers, with what it does."""
    wish = _WISH.match(message)
    what = wish["what"].lower() if wish else ""
    found = next((name for name, words in _WHAT.items() if what in words.split()), None)
    return f"{found} {COMMANDS[found]}" if found else None
