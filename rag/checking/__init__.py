"""Does this corpus support a text someone wrote? A verdict a sentence, one a citation, and the words they rest on."""

from __future__ import annotations

from rag.checking.judging import Judge
from rag.checking.nouns import Checked, CheckedText, Cited

__all__ = ["Checked", "CheckedText", "Cited", "Judge"]
