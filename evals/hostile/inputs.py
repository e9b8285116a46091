"""The inputs: files as noise, damage, bombs, tricks and traps, and questions of the same kinds, each from a seed."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evals.hostile.texts import ABSTRACT, ESCAPES, MARKUP, NAMES, TITLE, UNSEEN, VALID, WORDS, wild


@dataclass(frozen=True, slots=True)
class Hostile:
    """`files` (or what `traps` makes) are synced beside a good file; else `argv` is run. `ask` follows either."""

    kind: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    argv: tuple[str, ...] = ()
    stdin: bytes = b""
    trap: Callable[[Path], None] | None = None


def make(seed: int, number: int) -> Hostile:
    """Input `number`: the same for the same seed, whatever ran before it."""
    chance = random.Random(f"{seed}:{number}")
    kind, maker = _KINDS[number % len(_KINDS)]
    made = maker(chance)
    return Hostile(kind, made.files, made.argv, made.stdin, made.trap)


def readable(chance: random.Random) -> Hostile:
    """A small file that a reader can make something of: damaged, tricky, doubled, or noise."""
    return chance.choice((_damaged, _damaged, _damaged, _tricks, _twins, _noise))(chance)


def _one(chance: random.Random, content: bytes, name: str = "") -> Hostile:
    name = name or chance.choice(NAMES)
    packed = chance.random() < 0.15
    return Hostile("", {f"{name}.gz" if packed else name: gzip.compress(content) if packed else content})


def _noise(chance: random.Random) -> Hostile:
    start = chance.choice(
        (b"", b"{", b"[{", b"<feed>", b"@a{", b"TY  - JOUR\n", b"PMID- 1\n", b"title,abstract\n", b"\xff\xfe")
    )
    return _one(chance, start + chance.randbytes(chance.randrange(3000)))


def _damaged(chance: random.Random) -> Hostile:
    """A valid file with cuts, flips, doubled parts and tokens put in."""
    name = chance.choice(tuple(VALID))
    content = bytearray(VALID[name] * chance.choice((1, 1, 3)))
    for _ in range(chance.randrange(1, 9)):
        at, to = sorted((chance.randrange(len(content) + 1), chance.randrange(len(content) + 1)))
        match chance.randrange(5):
            case 0:
                del content[at : min(to, at + 20)]
            case 1:
                content[at:at] = content[at : at + 200]
            case 2:
                content[at:at] = chance.choice(
                    (b"\0", b"\xff", b'"', b"{", b"}", b"\n", b"]", b",", b"<", b"&", b"\\", b"\xed\xa0\x80")
                )
            case 3 if content:
                content[min(at, len(content) - 1)] ^= 1 << chance.randrange(8)
            case _:
                content[at:at] = chance.choice((*ESCAPES, *UNSEEN, *MARKUP)).encode()
        if not content:
            break
    return _one(chance, bytes(content), name)


def _record(chance: random.Random, title: str, abstract: str) -> Hostile:
    record = {
        "title": title,
        "abstract": abstract,
        "authors": [wild(chance, 3)],
        "venue": wild(chance, 3),
        "year": 2025,
    }
    record["url"] = chance.choice(
        ("javascript:alert(1)", "http://x/\x1b[31m", "https://example.org/a", "file:///etc/passwd")
    )
    return _one(chance, json.dumps(record).encode(), "a.jsonl")


def _tricks(chance: random.Random) -> Hostile:
    return _record(chance, wild(chance, 6), f"{wild(chance, 10)} QUUX is 4 times faster than BAR. {wild(chance, 30)}")


def _surrogates(chance: random.Random) -> Hostile:
    half = chr(chance.randrange(0xD800, 0xE000))
    return _record(chance, f"A {half} title\0", f"We show {half} it.\0 And {half}{half} more.")


def _nested(chance: random.Random) -> Hostile:
    depth = chance.choice((500, 5_000, 100_000))
    opening, name = chance.choice(
        (("[", "a.json"), ('{"a":', "a.json"), ("{", "a.bib"), ("<a>", "a.xml"), ("\\frac{", "a.txt"))
    )
    return _one(chance, (chance.choice(("", "@a{k, abstract={", '[{"abstract": ')) + opening * depth).encode(), name)


def _entities(chance: random.Random) -> Hostile:
    lol = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10))
    inside = chance.choice(
        (
            f"<!ENTITY l0 'lol'>{lol}",
            "<!ENTITY l9 SYSTEM 'file:///etc/passwd'>",
            "<!ENTITY l9 SYSTEM 'http://127.0.0.1:9/x'>",
        )
    )
    return _one(
        chance,
        f"<?xml version='1.0'?><!DOCTYPE f [{inside}]><feed><entry><summary>&l9;</summary></entry></feed>".encode(),
        "a.xml",
    )


def _bomb(chance: random.Random) -> Hostile:
    fill = chance.choice((b"\0", b"x", b"[", b"\n", b'{"a": 1}\n')) * chance.choice((10_000, 3_000_000))
    packed = gzip.compress(chance.choice((b"", VALID["a.txt"])) + fill)
    if chance.random() < 0.3:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("../../a.txt", fill)
        packed = out.getvalue()
    return Hostile(
        "", {chance.choice(("a.gz", "a.txt.gz", "a.jsonl", "a.zip", "a.json.gz")): packed[: chance.choice((None, 200))]}
    )


def _huge(chance: random.Random) -> Hostile:
    size = chance.choice((200_001, 1_000_000, 9_000_000))
    start, name = chance.choice(
        ((b"", "a.txt"), (b'{"abstract": "', "a.jsonl"), (b"title,abstract\nA,", "a.csv"), (b"AB  - ", "a.ris"))
    )
    return _one(chance, start + chance.choice((b"x", b"x ", b"- ", b"$", b"(")) * (size // 2), name)


def _many(chance: random.Random) -> Hostile:
    count = chance.choice((50, 1_000))
    row = chance.choice(
        (
            '{"abstract": "We show it."}\n',
            '{"id": "same", "abstract": "We show %d."}\n',
            "{oops\n",
            "We show %d.\n\n",
            "\n",
        )
    )
    return _one(chance, "".join(row % n if "%d" in row else row for n in range(count)).encode(), "a.jsonl")


def _twins(chance: random.Random) -> Hostile:
    """One id for different papers, one paper under several ids, look-alike titles."""
    ids = ("10.1/same", "10.1/SAME", "10.1/s\u0430me", "")
    rows = [
        {
            "doi": chance.choice(ids),
            "title": TITLE.replace("a", chance.choice("aа")),
            "abstract": f"{ABSTRACT} {chance.randrange(3)}",
        }
        for _ in range(chance.randrange(2, 9))
    ]
    return _one(chance, "\n".join(map(json.dumps, rows)).encode(), "a.jsonl")


def _manifest(chance: random.Random) -> Hostile:
    file = chance.choice(
        (
            "../../../etc/passwd",
            "/etc/passwd",
            "C:\\x",
            "..\\..\\x",
            "a.txt",
            "sub/../../a",
            "",
            "con",
            "-rf",
            "\0",
            "manifest.csv",
        )
    )
    rows = f'file,starts_with,title,url\n"{file}",We show,{wild(chance, 4)!r},x\n' * chance.choice((1, 2))
    return Hostile("", {"manifest.csv": rows.encode("utf-8", "replace"), "a.txt": VALID["a.txt"]})


def _traps(chance: random.Random) -> Hostile:
    """What only looks like a file."""
    traps: tuple[Callable[[Path], None], ...] = (
        lambda folder: os.mkfifo(folder / "a.txt"),
        lambda folder: (folder / "loop").symlink_to(folder),
        lambda folder: (folder / "a.txt").symlink_to("a.txt"),
        lambda folder: (folder / "a.txt").symlink_to("/dev/zero"),
        lambda folder: (folder / "a.txt").symlink_to("/etc/passwd"),
        lambda folder: (folder / "a.txt").symlink_to("/nowhere"),
        lambda folder: (folder / "manifest.csv").mkdir(),
        lambda folder: os.mkfifo(folder / "manifest.csv"),
        lambda folder: (folder / ("d/" * 60)).mkdir(parents=True),
        lambda folder: (folder / "a.txt").write_bytes(b""),
    )
    return Hostile("", {}, trap=chance.choice(traps))


def _question(chance: random.Random) -> Hostile:
    text = chance.choice(
        (
            wild(chance, chance.choice((1, 5, 40))),
            chance.choice(
                (
                    "",
                    " ",
                    "?",
                    "((((",
                    '"',
                    "a" * 19_999,
                    "x " * 50_000,
                    "--corpus",
                    "-",
                    "\u202e",
                    "'; --",
                    "CON",
                    "9" * 400,
                )
            ),
            chance.choice(WORDS) * chance.choice((1, 3_000)),
            f"How much faster is {chance.choice(MARKUP)} than {chance.choice(ESCAPES)} {chance.choice(UNSEEN)}?",
            "Which papers " + "and which papers " * chance.choice((1, 500)),
            "它比什么快？" * chance.choice((1, 200)) + chance.choice(UNSEEN),
        )
    )
    command = chance.choice(("ask", "ask", "ask", "search", "show", "summarise", "compare", "export"))
    as_json = ("--json",) if chance.random() < 0.5 and command != "export" else ()
    if command == "ask" and chance.random() < 0.4:
        return Hostile(
            "", argv=("ask", "-", *as_json), stdin=text.encode() + chance.choice((b"", b"\xff\xfe\0", b"\n\n"))
        )
    return Hostile("", argv=(command, *as_json, "--", text.replace("\0", "")))


def _options(chance: random.Random) -> Hostile:
    value = chance.choice(
        ("", "-1", "0", "nan", "inf", "1e999", "x", "../..", "con", "2020-1999", "\x1b[31m", "9" * 30, "/", "os:system")
    )
    option = chance.choice(
        (
            "--top-k",
            "--year",
            "--max-risk",
            "--timeout",
            "--paper",
            "--venue",
            "--author",
            "--corpus",
            "--nope",
            "--embedder",
        )
    )
    as_json = ("--json",) if chance.random() < 0.5 else ()
    return Hostile(
        "", argv=(chance.choice(("ask", "search", "papers")), *as_json, option, value, "--", "What is QUUX?")
    )


def _manuscript(chance: random.Random) -> Hostile:
    text = chance.choice(
        (
            wild(chance, 60).encode("utf-8", "replace"),
            chance.randbytes(500),
            VALID["a.bib"],
            b"\\cite{" * 3000,
            b"[1] " * 3000,
        )
    )
    return Hostile("", argv=("check", "-", *chance.choice(((), ("--json",), ("--format", "html")))), stdin=text)


_KINDS: tuple[tuple[str, Callable[[random.Random], Hostile]], ...] = (
    ("noise", _noise), ("question", _question), ("damaged", _damaged), ("tricks", _tricks), ("question", _question),
    ("surrogates", _surrogates), ("damaged", _damaged), ("options", _options), ("nested", _nested),
    ("damaged", _damaged),
    ("entities", _entities), ("question", _question), ("bomb", _bomb), ("manuscript", _manuscript), ("huge", _huge),
    ("tricks", _tricks), ("many", _many), ("twins", _twins), ("manifest", _manifest), ("traps", _traps),
)  # fmt: skip
