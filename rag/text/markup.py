"""Whether a text holds anything that is read otherwise than it is written. Most sentences do not."""

from __future__ import annotations

import re

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e007f"
)
"""What nobody sees: joiners, turns of direction, fillers, and the tags in which whole sentences can be hidden."""
_MARKUP = re.compile(rf"[\\$*_`^~'{INVISIBLE}-](?:(?<=[^'-])|(?<=-)-|(?<=')')|<(?=/?[A-Za-z])")


def has_markup(text: str) -> bool:
    """Whether it must be converted to be read. A part of a text has none if the whole has none."""
    return not (text.isascii() and _unmarked(text)) and _MARKUP.search(text) is not None


def _unmarked(text: str) -> bool:
    """Of ASCII, for certain. Written out: asked of every sentence, and `in` is five times as fast as a pattern."""
    return not (
        "\\" in text
        or "$" in text
        or "*" in text
        or "_" in text
        or "`" in text
        or "^" in text
        or "~" in text
        or "<" in text
        or "--" in text
        or "''" in text
    )
