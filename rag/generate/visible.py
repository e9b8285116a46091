"""What a model means to be read: its thinking taken out, piece by piece as it streams."""

from __future__ import annotations

import re

_NAMES = "think|thinking|thought|reasoning|reflection|scratchpad|analysis|seed:think"
_OPENS = re.compile(rf"<(?:{_NAMES})>|\[THINK\]|◁think▷|<\|channel\|>\s*(?:analysis|commentary)", re.IGNORECASE)
_CLOSES = re.compile(rf"</(?:{_NAMES})>|\[/THINK\]|◁/think▷|<\|channel\|>\s*final", re.IGNORECASE)
_MESSAGE = "<|message|>"
"""Follows a channel's name, and means nothing by itself."""
_ANY = re.compile(f"(?:{_OPENS.pattern})|(?:{_CLOSES.pattern})|{re.escape(_MESSAGE)}", re.IGNORECASE)
_MAY_BE_TAG = re.compile(r"(?:<[/|]?[\w:|]{0,24}|<\|channel\|>\s*\w{0,12}|\[/?T?H?I?N?K?|◁[/\w]{0,8})\Z")


class Visible:
    """Feed pieces; visible text comes out as soon as it can be no tag."""

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False

    def feed(self, piece: str) -> list[str]:
        """What became visible. Before every item but the first, all text until then turned out to be thinking: its
        closing tag came without an opening one, as from servers that put the opening tag into the prompt."""
        self._held += piece
        seen = [""]
        while True:
            found = (_CLOSES if self._thinking else _ANY).search(self._held)
            if found is None:
                break
            opens = not self._thinking and _OPENS.fullmatch(found[0]) is not None
            if opens or found[0].lower() == _MESSAGE:
                seen[-1] += self._held[: found.start()]
            elif not self._thinking:
                seen.append("")
            self._thinking = opens
            self._held = self._held[found.end() :]
        partial = _MAY_BE_TAG.search(self._held, max(0, len(self._held) - 40))
        settled = len(self._held) if partial is None else partial.start()
        if not self._thinking:
            seen[-1] += self._held[:settled]
        self._held = self._held[settled:]
        return seen

    def rest(self) -> str:
        """What was held back as a possible tag and is none, now that no more comes."""
        return "" if self._thinking else self._held
