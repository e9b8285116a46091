"""A title for an abstract that came without one, out of its own words."""

from __future__ import annotations

import re

from rag.text.normalise import plain

MAX_TITLE = 90
_ENOUGH = 4000

_INTRODUCES = re.compile(
    r"\b(?:we|paper|work|study|article|report|authors?|thesis|survey|here)\b[^.;:]{0,80}?"
    r"\b(?:introduc|propos|present|develop|describ|releas|design|construct|creat|build|built|formulat|establish|deriv|"
    r"study|studies|investigat|examin|analy[sz]|explor|survey|review|revisit|address|consider|evaluat|compar|show)"
    r"\w*\s+(?P<rest>[^.;]{8,}(?:\.\d[^.;]*)*)",
    re.IGNORECASE,
)
_NO_OBJECT = re.compile(
    r"(?:that|how|whether|here|to|this|these|those|it|its|their|them|along|with|on|in|by|for|from|and|as|at|such"
    r"|(?!(?:early|only|family|fly|supply|reply|assembly)\b)[a-z]+ly)\b",
    re.IGNORECASE,
)
_NEW = re.compile(r"\b(?:introduc|propos|present|develop|releas|design|creat|build)\w*\b", re.IGNORECASE)
_PASSIVE = re.compile(
    r"(?:^|[.,:]\s+)(?P<rest>[^.,:;]{4,120}?)\s+(?:is|are)\s+(?:proposed|introduced|presented|developed)\b"
)
_NAME = re.compile(r"(?P<name>(?:[A-Z][\w^+\-/]*[A-Z0-9][\w^+\-/]*|[A-Z]\w+(?:[ -][A-Z]\w+)*)(?: \([^()]{2,15}\))?)")
_APPOSED = re.compile(_NAME.pattern + r",? (?:as )?(?P<what>(?:a|an|the|our|which is)\b.+)")
_CLAUSE_END = re.compile(
    r"(?:[,;:?!–—]|\.(?=\s|$))\s*|\s+(?=(?:that|which|who|where|when|while|whose|by|via|to|motivated|based|"
    r"and then|so that|because|although|but)\b)"
)

_HALF = re.compile(r"\b(?:for|of|with|in|on|using|via) [\w-]+$", re.IGNORECASE)
"""What ends with one word after these goes on: "a framework for safe, closed-loop control"."""
_LEAST = 24
"""Characters; a shorter clause ("the first mechanism") says too little to stand for a paper."""
_STATEMENT_END = re.compile(r"[;?!]|\.(?=\s|$)|,\s+(?:which|where|whose)\b")


def derive_title(abstract: str, limit: int = MAX_TITLE) -> str:
    """What the abstract introduces (`Dywave: a dynamic tokenization framework...`), else its first clause.

    In the abstract's own words, readable (LaTeX and markdown taken off), at most `limit` characters. Empty only
    where the abstract is.
    """
    text = plain(abstract[:_ENOUGH]) or plain(abstract)
    found = _introduced(text)
    title = _fit(found, limit) if found else _fit(text, limit)
    return title[:1].upper() + title[1:] if title else text[:limit].strip()


def _introduced(text: str) -> str | None:
    matches = list(_INTRODUCES.finditer(text))
    matches.sort(key=lambda match: not _NEW.search(match.group()[: match.start("rest") - match.start()]))
    for match in matches:
        rest = "" if _NO_OBJECT.match(match["rest"]) else match["rest"].strip()
        apposed = _APPOSED.match(rest)
        if apposed:
            return f"{apposed['name']}: {apposed['what']}"
        if len(rest) >= 12:
            return rest
    passive = _PASSIVE.search(text)
    return passive["rest"] if passive else None


def _fit(text: str, limit: int) -> str:
    """The longest run of clauses of one statement within `limit`; a single longer clause is cut between words."""
    end = _STATEMENT_END.search(text, 12)
    text = (text[: end.start()] if end else text).rstrip(" .,;:")
    if len(text) <= limit:
        return text
    ends = [match.start() for match in _CLAUSE_END.finditer(text[: limit + 2]) if 12 <= match.start() <= limit]
    whole = [end for end in ends if end >= _LEAST and not _HALF.search(text, 0, end)]
    if whole:
        return text[: whole[-1]].rstrip(" .,;:")
    cut = text[: limit - 1]
    return (cut[: cut.rfind(" ")].rstrip(" .,;:") if " " in cut else cut) + "…"
