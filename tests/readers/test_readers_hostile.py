# ruff: noqa: E501 - records stand as files hold them
"""Files that lie, explode, or are noise: bounded time and memory, words instead of tracebacks, the rest goes on."""

from __future__ import annotations

import gzip
import io
import json
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag.readers import read
from rag.readers.record import MAX_ABSTRACT, MAX_DOCUMENT, MAX_LINE, MAX_PROBLEMS
from rag.types import Paper, Problem

Reading = Callable[..., tuple[list[Paper], list[Problem]]]
GOOD = b'{"abstract": "Fine."}\n'
MB = 2**20


class Endless(io.RawIOBase):
    """A stream of blocks, made as they are read."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        while len(self._rest) < size and (block := next(self._blocks, b"")):
            self._rest += block
        data, self._rest = self._rest[:size], self._rest[size:]
        return data


@contextmanager
def bounded(megabytes: int, seconds: float) -> Iterator[None]:
    tracemalloc.start()
    begun = time.process_time()
    yield
    took = time.process_time() - begun
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < megabytes * MB
    assert took < seconds


def all_of(stream: io.RawIOBase | io.BytesIO) -> tuple[int, list[str]]:
    papers, problems = 0, []
    for item in read(["-"], stdin=stream):  # type: ignore[arg-type]
        if isinstance(item, Paper):
            papers += 1
        else:
            problems.append(str(item))
    return papers, problems


def repeated(head: bytes, block: bytes, times: int, tail: bytes = b"") -> Endless:
    def blocks() -> Iterator[bytes]:
        yield head
        for _ in range(times):
            yield block
        yield tail

    return Endless(blocks())


@pytest.mark.parametrize(
    ("head", "tail", "papers"),
    [
        (GOOD + b'{"abstract": "', b'"}\n' + GOOD, 2),
        (b"title,abstract\nA,Fine.\nB,", b"\nC,Fine.\n", 2),
        (b"We show it is fine.\n\n", b"\n\nWe show another.\n", 2),
        (b"TY  - JOUR\nAB  - Fine.\nER  - \nTY  - JOUR\nAB  - ", b"\nER  - \nTY  - JOUR\nAB  - Fine.\nER  - \n", 2),
        (b"PMID- 1\nAB  - Fine.\n\nPMID- 2\nAB  - ", b"\n\nPMID- 3\nAB  - Fine.\n", 2),
        (b"@a{b, abstract={Fine.}}\n@a{c, abstract={", b"}}\n@a{d, abstract={Fine.}}\n", 2),
        (b'[{"abstract": "Fine."}, {"abstract": "', b'"}, {"abstract": "Fine."}]', 1),
        (b"<feed><entry><summary>Fine.</summary></entry><entry><summary>", b"</summary></entry></feed>", 1),
    ],
)  # fmt: skip
def test_a_record_of_a_hundred_megabytes(head: bytes, tail: bytes, papers: int) -> None:
    with bounded(megabytes=5 * MAX_DOCUMENT // MB, seconds=60):
        found, problems = all_of(repeated(head, b"x" * MB, 100, tail))
    assert found == papers
    assert len(problems) == 1
    assert len(problems[0]) < 200


@pytest.mark.parametrize("record", [GOOD, b"{oops\n", b"[1]\n", b"We show it.\n\n", b"\n"])
def test_very_many_records_are_streamed(record: bytes) -> None:
    """Ten times as many take no more memory; problems beyond a thousand are counted."""
    head = GOOD if record.startswith((b"{", b"[")) else record
    for times in (1, 10):
        with bounded(megabytes=3, seconds=100):
            papers, problems = all_of(repeated(head, record * 300, times))
    assert papers + len(problems) >= 1
    assert len(problems) <= MAX_PROBLEMS + 1
    if b"{" not in head + record:
        assert papers in (0, 3001)
    elif record != GOOD:
        assert "2,000 more records" in problems[-1]


@pytest.mark.parametrize("end", ["bomb", "cut"])
def test_what_ends_a_file_is_told_after_a_thousand_faults_of_its_records(end: str) -> None:
    body = gzip.compress(b'{"title":\n' * 400_000 if end == "bomb" else b'{"title":\n' * 50_000)
    _, problems = all_of(io.BytesIO(body if end == "bomb" else body[:-9]))
    assert end in problems[-1]
    assert "more records" in problems[-2]
    assert len(problems) == MAX_PROBLEMS + 2


@pytest.mark.parametrize("fill", [b"\0", b"x", b"[", b"\n"])
def test_gzip_bombs(fill: bytes) -> None:
    engine = zlib.compressobj(9, wbits=31)
    start = b"We show it.\n" * 8000
    body = b"".join([engine.compress(start), *(engine.compress(fill * MB) for _ in range(200)), engine.flush()])
    assert len(body) < MB
    begun = time.process_time()
    _, problems = all_of(io.BytesIO(body))
    assert time.process_time() - begun < 60
    assert any("bomb" in problem for problem in problems)


def test_a_packed_file_that_was_cut_or_damaged(reading: Reading) -> None:
    lines = b"".join(json.dumps({"abstract": f"Number {n} {hash(str(n))}."}).encode() + b"\n" for n in range(1500))
    packed = gzip.compress(lines)
    papers, problems = reading("a.jsonl.gz", packed[: len(packed) // 2])
    assert len(papers) > 200
    assert "ends too early" in problems[-1].reason
    papers, problems = reading("a.jsonl.gz", packed[: len(packed) // 2] + b"\xff" * 100 + packed[len(packed) // 2 :])
    assert papers
    assert any("damaged" in problem.reason for problem in problems)


def test_encodings(reading: Reading) -> None:
    text = "ICLR 2025\r\n\r\nHéllo – “abstract” one.\r\n\r\nSecond 论文 one."
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        papers, problems = reading("a.txt", text.encode(encoding))
        assert [paper.abstract for paper in papers] == ["Héllo – “abstract” one.", "Second 论文 one."], encoding
        assert not problems
    assert reading("a.txt", "Caf\xe9 – “one”.".encode("cp1252"))[0][0].abstract == "Café – “one”."
    mixed = (
        "Café one.\n\n".encode()
        + "Café two.\n\n".encode("cp1252")
        + "Café \xff three.".encode("latin-1").replace(b"Caf\xe9", "Café".encode())
    )
    assert [paper.abstract for paper in reading("a.txt", mixed)[0]] == ["Café one.", "Café two.", "Café \ufffd three."]


def test_nul_and_control_characters_inside_text(reading: Reading) -> None:
    long = "word " * 100
    papers, problems = reading("a.txt", f"We show {long}\0 \x1b]0;title\x07 it.\n\nSecond.")
    assert [paper.abstract for paper in papers] == [f"We show {long}\ufffd \x1b]0;title\x07 it.", "Second."]
    assert not problems
    assert "binary" in reading("b.txt", b"ab\0\1\2\3\4\5\6" * 100)[1][0].reason


def test_limits_are_told(reading: Reading) -> None:
    record = {"abstract": "We show it.", "title": "T"}
    lines = [
        {**record, "abstract": "x " * MAX_ABSTRACT},
        {**record, "title": "x" * 5000},
        {**record, "venue": "x" * 5000},
        {**record, "abstract": "..."},
        {**record, "abstract": "[No abstract available]"},
        {**record, "authors": ["A"] * 50_000, "year": 10**400, "doi": 10**400, "url": "http://" + "x" * 9000},
    ]
    papers, problems = reading("a.jsonl", "\n".join(map(json.dumps, lines)))
    assert [problem.line for problem in problems] == [1, 2, 3, 4, 5]
    assert all(len(problem.reason) < 200 for problem in problems)
    assert [(paper.year, paper.url) for paper in papers] == [(None, None)]


def test_the_longest_line_that_is_allowed(reading: Reading) -> None:
    padding = "x" * (MAX_LINE - 60)
    papers, problems = reading("a.jsonl", json.dumps({"abstract": "Fine.", "full": padding}) + "\r\n" + GOOD.decode())
    assert len(papers) == 2
    assert not problems


NAMES = [
    "a.txt",
    "a.md",
    "a.json",
    "a.jsonl",
    "a.csv",
    "a.tsv",
    "a.bib",
    "a.ris",
    "a.nbib",
    "a.xml",
    "a",
    "manifest.csv",
]
STARTS = [
    b"", b"{", b"[", b"[{", b'{"abstract": "', b"<feed><entry>", b"<?xml version='1.0'?>", b"title,abstract\n", b"title\tabstract\n",
    b"file,starts_with,title\n", b"@article{k, abstract={", b"TY  - JOUR\nAB  - ", b"PMID- 1\nAB  - ", b"ICML 2026\n\n", b"Title: T\n",
    b"\x1f\x8b\x08\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xfe\xff\0",
]  # fmt: skip
PIECES = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.sampled_from(
        [
            b"\n",
            b"\r\n",
            b"\n\n",
            b'"',
            b"}",
            b"]",
            b",",
            b"{",
            b"@a{",
            b"ER  - \n",
            b"</entry>",
            b"\0",
            b"\xff",
            b"\\ud800",
        ]
    ),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(NAMES), st.sampled_from(STARTS), st.lists(PIECES, max_size=12), st.booleans())
def test_noise_under_any_name_ends_in_papers_and_problems(
    tmp_path: Path, name: str, start: bytes, pieces: list[bytes], packed: bool
) -> None:
    content = start + b"".join(pieces)
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if packed else content)
    items = list(read([path]))
    assert items or not content.strip()
    for item in items:
        assert str(item).encode("utf-8")
        if isinstance(item, Paper):
            assert item.abstract.strip() and item.title and item.id and item.files
            assert item.abstract.encode() and item.title.encode() and "\0" not in item.abstract
        else:
            assert item.reason and item.file == name
    assert list(read([path])) == items


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)
KEYS = ["title", "abstract", "authors", "author", "year", "date", "venue", "journal", "url", "doi", "id", "content", "versions", "pmid",
        "externalIds", "abstract_inverted_index", "primary_location", "eprint", "archivePrefix", "arxiv_id", "authorships"]  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from(KEYS), JSON | st.text(), max_size=6), max_size=4))
def test_any_value_under_any_name_is_a_paper_or_a_problem(records: list[dict[str, object]]) -> None:
    body = "".join(json.dumps(record) + "\n" for record in records).encode()
    items = list(read(["-"], stdin=io.BytesIO(body)))
    for item in items:
        if isinstance(item, Paper):
            assert item.abstract.strip() and item.title and all(author.strip() for author in item.authors)
            assert item.year is None or 1500 <= item.year < 2100
            repr(item).encode()
    places = {int(item.files[0].split(":")[1].split()[0]) if isinstance(item, Paper) else item.line for item in items}
    assert places == set(range(1, len(records) + 1)) or not records


@pytest.mark.parametrize(
    "content",
    [
        "AU  - " + " " * 60_000 + "x",
        "@a{" + " " * 60_000,
        json.dumps({"abstract": "We show it.", "authors": " " * 900_000 + "x", "doi": "10." * 300_000}),
        json.dumps({"abstract": "We show it.", "authors": "," * 900_000, "id": "10." * 300_000}),
        json.dumps({"abstract": "we introduce " * 5_000}),
        json.dumps({"abstract": "We introduce A" + "-A" * 50_000 + " ("}),
        json.dumps({"abstract": "$" * 100_001}),
        json.dumps({"abstract": "\\frac{" * 30_000}),
        "- " * 500_000 + "x",
        "#" * 100_000 + " x",
        "Title" + " " * 100_000 + "\n" + "*" * 100_000,
        "title,abstract\n" + '"' * 200_000,
    ],
)
def test_patterns_do_not_blow_up(content: str) -> None:
    begun = time.process_time()
    all_of(io.BytesIO(content.encode()))
    assert time.process_time() - begun < 30
