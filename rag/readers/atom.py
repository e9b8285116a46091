"""Atom, as arXiv's API answers: entries one by one, by an XML parser that opens no entities and follows no links."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import BinaryIO
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, iterparse

from rag.readers.record import Flaw, Record, Unusable

MAX_ENTRY = 4 * 2**20
"""Bytes of XML per entry. A parsed tree takes some 50 times its text."""
MAX_DEPTH = 100


class _Metered(io.RawIOBase):
    """Stops a parser that has read too much without an entry to show for it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.spent = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(16_384)
        self.spent += len(data)
        if self.spent > MAX_ENTRY:
            raise Unusable(f"an entry is larger than {MAX_ENTRY // 2**20} MB: give abstracts, not full papers")
        return data


def records(stream: BinaryIO) -> Iterator[Record | Flaw]:
    """A record an entry, numbered from 1. Raises Unusable where the XML breaks off, or is not Atom."""
    metered = _Metered(stream)
    number = depth = 0
    root: Element | None = None
    try:
        for event, element in iterparse(metered, ("start", "end"), _parser(stream)):
            if event == "start":
                depth += 1
                root = _atom_root(element) if root is None else root
                if depth > MAX_DEPTH:
                    raise Unusable(f"XML nested more than {MAX_DEPTH} deep: not a feed of papers")
                continue
            depth -= 1
            if _local(element) == "entry" and (depth == 1 or element is root):
                number += 1
                yield Record(_fields(element), number=number)
                metered.spent = 0
                element.clear()
                if root is not None and depth == 1:
                    root.clear()
    except ParseError as error:
        raise Unusable(f"the XML breaks off after {number} entries ({error}): fetch the file again") from None
    except DefusedXmlException as error:
        raise Unusable(
            f"the XML defines entities or links to other files ({type(error).__name__}): take them out"
        ) from None


def _parser(stream: BinaryIO) -> DefusedXMLParser:
    """XML may name its encoding; what was UTF-16 has been recoded by now, whatever it says."""
    head = stream.peek(200)[:200] if isinstance(stream, io.BufferedReader) else b""
    recoded = re.search(rb"encoding=[\"']utf-?(?:16|32)", head, re.IGNORECASE)
    return DefusedXMLParser(encoding="utf-8" if recoded else None, target=None)


def _atom_root(element: Element) -> Element:
    if _local(element) not in ("feed", "entry"):
        raise Unusable(
            f"XML that is no Atom feed (its root is <{_local(element)[:40]}>): give a feed, BibTeX, RIS or JSON"
        )
    return element


def _local(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _fields(entry: Element) -> dict[str, object]:
    fields: dict[str, object] = {}
    authors: list[str] = []
    links: dict[str, str] = {}
    for child in entry:
        name, text = _local(child), "".join(child.itertext())
        if name == "author":
            authors += ["".join(part.itertext()) for part in child if _local(part) == "name"]
        elif name == "link":
            links.setdefault(child.get("rel") or "alternate", child.get("href") or "")
        elif name == "content":
            fields.setdefault("text", text)
        else:
            fields.setdefault(name, text)
    return {**fields, "authors": authors, "url": links.get("alternate", "")}
