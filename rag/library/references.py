"""Which papers a reader means by an id, a part of one, the id a file gave it, a link, a DOI or a title."""

from __future__ import annotations

import json
import sqlite3
from difflib import get_close_matches

from rag.library import rows
from rag.readers.identity import KINDS, id_by_form
from rag.text.normalise import fold
from rag.types import Paper

_PREFIXES = ("", *(f"{kind}:" for kind in KINDS), "text:")
_SHORTEST_PREFIX = 4
_ALIKE = 0.75
"""How alike two spellings must be, as difflib counts: one letter of four, two of eight."""


def resolve(connection: sqlite3.Connection, reference: str) -> tuple[Paper, ...]:
    """The papers of the first reading that names any; () when none does."""
    given = reference.strip()
    if not given:
        return ()
    for where, values in _readings(given):
        query = f"SELECT {rows.COLUMNS} FROM papers WHERE {where} ORDER BY id"
        if found := connection.execute(query, [rows.packed(value) for value in values]).fetchall():
            return tuple(rows.paper(row) for row in found)
    return _by_prefix(connection, given)


def _readings(given: str) -> list[tuple[str, list[str]]]:
    whole = [prefix + given for prefix in _PREFIXES]
    readings = [(f"id IN ({','.join('?' * len(whole))})", whole)]
    if named := id_by_form(given):
        readings.append(("id = ? OR doi = ?", [named, named.removeprefix("doi:")]))
    readings.append(("url = ? OR doi = ?", [given, given.lower()]))
    readings.append(("instr(files, ?)", [f' ({json.dumps(given)[1:-1]})"']))
    if folded := fold(given):
        readings.append(("folded_title = ?", [folded]))
    return readings


def _by_prefix(connection: sqlite3.Connection, given: str) -> tuple[Paper, ...]:
    """An id may be cut short, like a commit's, as long as one paper only begins so."""
    if len(given.rpartition(":")[2]) < _SHORTEST_PREFIX:
        return ()
    found: dict[str, Paper] = {}
    query = f"SELECT {rows.COLUMNS} FROM papers WHERE id >= ? AND id < ? LIMIT 2"
    for prefix in _PREFIXES:
        start = prefix + given
        for row in connection.execute(query, (rows.packed(start), rows.packed(start + "\U0010ffff"))):
            found[row[0]] = rows.paper(row)
    return tuple(found.values()) if len(found) == 1 else ()


def misspelt(connection: sqlite3.Connection, reference: str) -> Paper | None:
    """The paper whose name, else whose title, is spelt most like a reference that names none."""
    wanted = fold(reference)
    for column, table, joined in (
        ("name", "names", "key IN (SELECT paper FROM names WHERE name = ?)"),
        ("folded_title", "papers", "folded_title = ?"),
    ):
        spelt = (
            name for (name,) in connection.execute(f"SELECT DISTINCT {column} FROM {table}") if isinstance(name, str)
        )
        if near := get_close_matches(wanted, spelt, n=1, cutoff=_ALIKE):
            query = f"SELECT {rows.COLUMNS} FROM papers WHERE {joined} ORDER BY id LIMIT 1"
            return rows.paper(connection.execute(query, [near[0]]).fetchone())
    return None
