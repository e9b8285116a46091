"""The tags of HTML and JATS that web pages, Crossref, Europe PMC and OpenAlex leave in abstracts.

Only these: `<mask>` and `a<b and c>d` are the authors' own words.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_PARTING = "p|h[1-6]|br|hr|div|li|ul|ol|sec|title|list|list-item|label|abstract|disp-formula"
_INLINE = "em|strong|sub|sup|sc|span|italic|bold|underline|monospace|small|inline-formula|tex-math|ext-link|xref"
_ATTRIBUTES = r"""(?:\s+[\w:-]+\s*=\s*(?:"[^"<>]{0,300}"|'[^'<>]{0,300}'))*"""
_LETTER = "|".join(rf"<{name}>(?=[^\x00]{{0,300}}?</{name}>)|</{name}>" for name in "biu")
"""`<b>` may be a token of the authors' own: only one that is closed is a tag."""
TAG = rf"(?i:{_LETTER}|</?(?:jats:)?(?:{_PARTING}|{_INLINE}|mml:[a-z]+){_ATTRIBUTES}\s*/?>)"
"""A pattern without groups, of letters in either case."""
_TAG = re.compile(TAG)
_NAME = re.compile(r"<(/?)(?:jats:)?([\w:-]+)", re.IGNORECASE)
_PARTS = re.compile(_PARTING)
_PARAGRAPHS = frozenset(("p", "li", "div", "sec"))


class Tag(NamedTuple):
    """`parts`: the words on its two sides do not belong together."""

    name: str
    closes: bool
    parts: bool


def tag_of(token: str) -> Tag | None:
    """What a match of `TAG` is; None for the sign of a comparison."""
    found = _NAME.match(token)
    if found is None:
        return None
    name = found[2].lower()
    return Tag(name, bool(found[1]), _PARTS.fullmatch(name) is not None)


def untagged(text: str) -> str:
    """Same length: the end of a paragraph is a blank line, another tag that parts words white space, and one that
    does not an emphasis mark."""
    return _TAG.sub(lambda found: _filler(found[0]) * len(found[0]), text) if "<" in text else text


def _filler(token: str) -> str:
    name = _NAME.match(token)
    assert name is not None
    if not _PARTS.fullmatch(name[2].lower()):
        return "*"
    return "\n" if name[1] and name[2].lower() in _PARAGRAPHS else " "


def has_tag(text: str) -> bool:
    return "<" in text and _TAG.search(text) is not None
