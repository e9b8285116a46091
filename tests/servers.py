"""A scripted OpenAI-compatible server on loopback: real sockets, real server-sent events, one scripted reply a request.

with ScriptedServer(says("DFlash is fast."), refuses(429, "slow down", headers={"Retry-After": "0.1"})) as server:
    ... server.base_url ... server.requests
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

SSE = "text/event-stream; charset=utf-8"
JSON = "application/json"


class Cut:
    """In a body: the connection ends here, in good order, before the reply does."""


class Reset:
    """In a body: the connection is torn down (a TCP reset)."""


@dataclass(frozen=True, slots=True)
class Pause:
    """In a body: nothing comes for so many seconds, or until the test is over."""

    seconds: float


Part = bytes | Pause | type[Cut] | type[Reset]


@dataclass(frozen=True, slots=True)
class Reply:
    """One HTTP reply as it goes over the wire. `before` is how long the headers take."""

    body: tuple[Part, ...]
    status: int = 200
    content_type: str = SSE
    headers: Mapping[str, str] = field(default_factory=dict)
    before: tuple[Part, ...] = ()


Scripted = Reply | Callable[[dict[str, Any]], Reply]
"""A reply, or one made from the request's body: a model that reads its prompt."""


def event(value: object) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


def chunk(text: str | None = None, finish: str | None = None, **more: object) -> bytes:
    """One event of a streamed completion."""
    delta = {} if text is None else {"content": text}
    return event(
        {
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
            **more,
        }
    )


DONE = b"data: [DONE]\n\n"


def says(
    *pieces: str, finish: str | None = "stop", usage: tuple[int, int] | None = (100, 20), pause: float = 0
) -> Reply:
    """A well-formed stream of `pieces`, `pause` seconds apart."""
    body: list[Part] = [event({"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]})]
    for piece in pieces:
        body += [Pause(pause), chunk(piece)] if pause else [chunk(piece)]
    if finish is not None:
        body.append(chunk(finish=finish))
    if usage is not None:
        body.append(event({"choices": [], "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1]}}))
    return Reply((*body, DONE))


def tokens(text: str, size: int = 4) -> list[str]:
    """`text` as a model streams it: pieces of a few characters, words broken anywhere."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def refuses(status: int, message: str, code: str | None = None, headers: Mapping[str, str] | None = None) -> Reply:
    body = json.dumps({"error": {"message": message, "type": "error", "code": code}}).encode()
    return Reply((body,), status, JSON, headers or {})


def whole(text: str | None, finish: str | None = "stop", content_type: str = JSON) -> Reply:
    """One JSON completion, as from a server that does not stream."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    usage = {"prompt_tokens": 100, "completion_tokens": 20}
    return Reply((json.dumps({"choices": [choice], "usage": usage}).encode(),), 200, content_type)


def picky(unknown: str, reply: Reply, status: int = 400) -> Callable[[dict[str, Any]], Reply]:
    """Refuses a request that holds the parameter `unknown`; otherwise `reply`."""

    def answer(body: dict[str, Any]) -> Reply:
        if unknown in body:
            return refuses(status, f"Unsupported parameter: '{unknown}' is not supported with this model.")
        return reply

    return answer


class ScriptedServer:
    """Plays its replies in order, one a request; the last one again for every request after."""

    def __init__(self, *replies: Scripted) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.closed_early = threading.Event()
        """Set when a client left before its reply was over."""
        self._replies = deque(replies)
        self._over = threading.Event()
        self._http = _Http(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._http.shutdown()
        self._http.server_close()

    def reply_to(self, body: dict[str, Any], headers: dict[str, str]) -> Reply:
        self.requests.append(body)
        self.headers.append(headers)
        scripted = self._replies.popleft() if len(self._replies) > 1 else self._replies[0]
        return scripted if isinstance(scripted, Reply) else scripted(body)

    def wait(self, seconds: float) -> bool:
        """A pause of the script; True when the test is over meanwhile."""
        return self._over.wait(seconds)


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what many tests are about; anything else is a fault of the script."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def _handler(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            reply = server.reply_to(body, {name.lower(): value for name, value in self.headers.items()})
            try:
                self._play(reply)
            except OSError:
                server.closed_early.set()
                self.close_connection = True

        def _play(self, reply: Reply) -> None:
            if not self._send(reply.before, lambda data: self.wfile.write(data)):
                return
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            if self._send(reply.body, self._chunk):
                self.wfile.write(b"0\r\n\r\n")

        def _chunk(self, data: bytes) -> None:
            if data:
                self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
                self.wfile.flush()

        def _send(self, parts: Iterable[Part], write: Callable[[bytes], object]) -> bool:
            """False when the script ended the connection."""
            for part in parts:
                if isinstance(part, Pause):
                    if server.wait(part.seconds):
                        return self._end()
                elif isinstance(part, bytes):
                    write(part)
                elif part is Reset:
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return self._end()
                else:
                    return self._end()
            return True

        def _end(self) -> bool:
            self.close_connection = True
            with contextlib.suppress(OSError):
                self.connection.shutdown(socket.SHUT_WR)
            return False

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def refused_address() -> str:
    """A base URL where nobody listens: a port that no system gives to a program that asks for any."""
    return "http://127.0.0.1:9/v1"


def patiently(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Whether `condition` comes true in time."""
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    return condition()


def keys_in(body: dict[str, Any]) -> list[str]:
    """The evidence keys in a request, in order: what a model that reads its prompt would cite."""
    user = body["messages"][-1]["content"]
    return re.findall(r"^\[(\w+)\] ", user, re.MULTILINE)


def writes(text: str, **options: Any) -> Callable[[dict[str, Any]], Reply]:
    """A model that writes `text`, where `@1`, `@2`... become the keys that its prompt gave."""

    def answer(body: dict[str, Any]) -> Reply:
        return says(*tokens(with_keys(text, body)), **options)

    return answer


def with_keys(text: str, body: dict[str, Any]) -> str:
    keys = keys_in(body)
    return re.sub(r"@(\d+)", lambda found: keys[int(found[1]) - 1], text)
