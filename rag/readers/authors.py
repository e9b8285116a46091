"""Authors' names, however a record spells a list of them, as `First Last`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rag.readers.record import MAX_AUTHORS, MAX_FIELD
from rag.readers.streams import storable

_INITIALS = re.compile(r"(?:[A-Z]\.?[ -]?){1,4}", re.ASCII)
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_WIDE = str.maketrans("；、，", ";;,")
_AND_OTHERS = (" et al.", " et al", " and others")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_NOBODY = frozenset({"", "et al", "et al.", "others", "and others", "nan", "none", "null", "anonymous authors"})
_SUFFIX = re.compile(r"(?:jr|sr|i{1,3}|iv|ph\.?d|m\.?d)\.?", re.IGNORECASE)


def author_names(value: object) -> tuple[str, ...]:
    """Names in order, each once: out of a list of names or objects, or of a text (`A and B`, `A; B`, `Last, First`)."""
    if isinstance(value, dict):
        value = [value]
    if isinstance(value, str):
        found = _split(value[: MAX_AUTHORS * 100])
    elif isinstance(value, list | tuple):
        found = [_one(item) for item in value[:MAX_AUTHORS]]
    else:
        found = []
    names = (storable(" ".join(name.split()))[:MAX_FIELD] for name in found)
    return tuple(dict.fromkeys(name for name in names if name.casefold() not in _NOBODY))


def _one(item: object) -> str:
    if isinstance(item, str):
        return first_last(item)
    if isinstance(item, dict):
        return _from_object(item)
    if isinstance(item, list | tuple):  # arXiv's authors_parsed: [last, first, suffix]
        parts = [part for part in item[:3] if isinstance(part, str)]
        return " ".join([*parts[1:2], *parts[:1], *parts[2:]]).strip()
    return ""


def _from_object(item: Mapping[str, object]) -> str:
    for key in (
        "name",
        "display_name",
        "fullname",
        "full_name",
        "fullName",
        "literal",
        "text",
        "#text",
        "author",
    ):
        value = item.get(key)
        if isinstance(value, str) and value.strip():
            return first_last(value)
        if isinstance(value, dict):  # OpenAlex: {"author": {"display_name": ...}}
            name = value.get("display_name") or value.get("name")
            if isinstance(name, str):
                return first_last(name)
    given = next(
        (item[key] for key in ("given", "firstName", "first", "first_name", "given_name", "ForeName") if item.get(key)),
        "",
    )
    family = next(
        (item[key] for key in ("family", "lastName", "last", "last_name", "family_name", "LastName") if item.get(key)),
        "",
    )
    if isinstance(given, list):
        given = " ".join(part for part in given if isinstance(part, str))
    return " ".join(part for part in (given, family) if isinstance(part, str)).strip()


def _split(text: str) -> list[str]:
    text = "\n".join(" ".join(line.split()) for line in text.strip().translate(_WIDE).split("\n"))
    for rest in _AND_OTHERS:
        text = text.removesuffix(rest).rstrip(" ,;")
    if text.startswith("[") and text.endswith("]"):  # a list that went through a spreadsheet
        quoted = [single or double for single, double in _QUOTED.findall(text)]
        return [first_last(name) for name in quoted] if quoted else _split(text[1:-1])
    for separator in (";", "|", "\n"):
        if separator in text:
            parts = [part for part in text.split(separator) if part.strip()]
            return [first_last(_AND.sub("", part, 1) if part.lower().startswith(" and ") else part) for part in parts]
    pieces = _AND.split(text.replace(" & ", " and "))
    if len(pieces) > 2 or (len(pieces) == 2 and "," not in pieces[0]):
        return [name for piece in pieces for name in _by_commas(piece)]
    if (
        len(pieces) == 2 and pieces[0].count(",") == 1 and pieces[1].count(",") == 1
    ):  # BibTeX: Last, First and Last, First
        return [first_last(piece) for piece in pieces]
    return [name for piece in pieces for name in _by_commas(piece)]


def _by_commas(text: str) -> list[str]:
    """`A B, C D` is two people; `Smith, John` and `van der Berg, J.` one; `Smith, J., Doe, A.` two."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) == 2 and (" " not in parts[0] or _INITIALS.fullmatch(parts[1])):
        return [first_last(text)]
    if len(parts) % 2 == 0 and parts and all(_INITIALS.fullmatch(part) for part in parts[1::2]):
        return [f"{first} {last}" for last, first in zip(parts[::2], parts[1::2], strict=True)]
    if len(parts) == 3 and _SUFFIX.fullmatch(parts[1]) and " " not in parts[0]:
        return [first_last(text)]
    names: list[str] = []
    for part in parts:
        if names and _SUFFIX.fullmatch(part):
            names[-1] += f", {part}"
        else:
            names.append(part)
    return names


def first_last(name: str) -> str:
    """`Last, First` and `Last, Jr., First` turned round; anything else as it stands."""
    parts = [part.strip() for part in name.split(",")]
    if len(parts) == 2 and all(parts) and not _SUFFIX.fullmatch(parts[1]):
        return f"{parts[1]} {parts[0]}"
    if len(parts) == 3 and all(parts):
        return f"{parts[2]} {parts[0]}, {parts[1]}"
    return name.strip()
