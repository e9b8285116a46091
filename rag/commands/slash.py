"""What can be typed in chat beside questions: one line each, for /help and for completion."""

from __future__ import annotations

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
