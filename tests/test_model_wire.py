"""Bytes into events, however they are cut up."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.model.wire import Event, Malformed, events, lines

STREAM = (
    b': hello\n\ndata: {"choices": [{"delta": {"content": "S\xc3\xa4il "}}]}\n\n'
    b'event: x\r\ndata: {"choices": [{"delta": {"content": "is"},\r\ndata: "finish_reason": "stop"}]}\r\n\r\n'
    b'data: {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}\n\ndata: [DONE]\n\n'
    b'data: {"late": 1}\n'
)
READ = [Event("Säil "), Event("is", "stop"), Event("", None, 7, 2)]


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_where_packets_end_does_not_matter(cuts: list[int]) -> None:
    ends = [0, *sorted(cuts), len(STREAM)]
    packets = [STREAM[start:end] for start, end in pairwise(ends)]
    assert list(events(packets)) == READ


@given(st.binary(max_size=300))
def test_anything_ends_in_events_or_malformed(body: bytes) -> None:
    for packets in ([body], [b"data: " + body], [b"{" + body]):
        try:
            assert all(isinstance(event, Event) for event in events(packets))
        except Malformed as trouble:
            assert str(trouble)


@given(st.lists(st.binary(max_size=20), max_size=8))
def test_lines_end_at_line_feeds_only(packets: list[bytes]) -> None:
    whole = b"".join(packets)
    assert len(list(lines(packets))) == whole.count(b"\n") + (not whole.endswith(b"\n") and bool(whole))


def test_json_may_be_spread_over_lines() -> None:
    body = json.dumps({"choices": [{"message": {"content": "Sail"}, "finish_reason": "stop"}]}, indent=2)
    assert list(events([b"\n\n", body.encode()])) == [Event("Sail", "stop")]


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"choices": None},
        {"choices": []},
        {"choices": [None]},
        {"choices": [{"delta": None}]},
        {"choices": [{"delta": "text"}]},
        {"choices": [{"delta": {"content": 3}, "finish_reason": ""}]},
        {"choices": [{"delta": {"content": [{"type": "image"}, "x"]}}], "usage": "many"},
        {"usage": {"prompt_tokens": -1, "completion_tokens": True}},
        [1, 2],
    ],
)
def test_odd_chunks_say_nothing(value: object) -> None:
    assert list(events([f"data: {json.dumps(value)}\n\n".encode()])) == [Event()]


def test_an_endless_body_is_left() -> None:
    endless = (b"x" * 1_000_000 for _ in iter(int, 1))
    with pytest.raises(Malformed, match="far too long"):
        list(events(endless))
