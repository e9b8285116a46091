"""A real `chroma run` on loopback, and a gate before it as hosted servers have one: TLS, a token, a limit a request."""

from __future__ import annotations

import http.client
import json
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@contextmanager
def running(folder: Path) -> Iterator[int]:
    """Its port, until the block is left. Between two workers a free port may be gone when it is used: then another."""
    for _ in range(5):
        port = _free_port()
        program = "from chromadb.cli.cli import app; app()"  # what `chroma` is
        command = [sys.executable, "-c", program, "run", "--host", "127.0.0.1", "--port", str(port), "--path", folder]
        with subprocess.Popen(
            command,
            env=os.environ | {"ANONYMIZED_TELEMETRY": "False"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                if _listens(port, process):
                    yield port
                    return
            finally:
                process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(5)
                process.kill()
    raise TimeoutError("chroma run does not listen")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _listens(port: int, process: subprocess.Popen[bytes]) -> bool:
    """Whether it came to listen; False where it ended instead."""
    for _ in range(2400):
        if process.poll() is not None:
            return False
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return process.poll() is None
        time.sleep(0.05)
    return False


@dataclass(frozen=True, slots=True)
class Papers:
    """The files of an authority of our own, and of a server's certificate that it signed, for the name `localhost`."""

    authority: Path
    certificate: Path
    key: Path

    @classmethod
    def made(cls, folder: Path) -> Papers:
        kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
        papers = cls(folder / "authority.pem", folder / "server.pem", folder / "server.key")
        own = ("-x509", "-keyout", "authority.key", "-out", papers.authority.name, "-subj", "/CN=Own Authority")
        signed = ("-x509", "-keyout", papers.key.name, "-out", papers.certificate.name, "-subj", "/CN=localhost")
        by = ("-CA", papers.authority.name, "-CAkey", "authority.key", "-addext", "subjectAltName=DNS:localhost")
        for given in ((*own, "-addext", "basicConstraints=critical,CA:TRUE"), (*signed, *by)):
            subprocess.run(["openssl", "req", *kind, *given], cwd=folder, check=True, capture_output=True)
        return papers


@dataclass(slots=True)
class Gate:
    """Passes on what has the token, and says of itself that it takes `limit` records a request."""

    port: int
    token: str
    limit: int
    address: str = ""
    asked: list[str] = field(default_factory=list)
    """Method and path of every request that came through TLS, with the token or without."""
    written: list[int] = field(default_factory=list)
    """Records of each request that writes."""

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
        self.asked.append(f"{method} {path}")
        if headers.get("x-chroma-token") != self.token:
            return 401, b'{"error":"Unauthorized","message":"no such token"}'
        if path.endswith("/pre-flight-checks"):
            return 200, json.dumps({"max_batch_size": self.limit}).encode()
        if path.endswith("/upsert"):
            self.written.append(len(json.loads(body)["ids"]))
            if self.limit > 0 and self.written[-1] > self.limit:
                return 413, b'{"error":"QuotaExceeded","message":"too many records"}'
        behind = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            behind.request(method, path, body, {"Content-Type": "application/json"})
            reply = behind.getresponse()
            return reply.status, reply.read()
        finally:
            behind.close()


@contextmanager
def behind_tls(gate: Gate, papers: Papers) -> Iterator[Gate]:
    """The gate listens on loopback; its `address` is set."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 60

        def log_message(self, *_: object) -> None:
            pass

        def _pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            given = {name.lower(): value for name, value in self.headers.items()}
            status, reply = gate.answer(self.command, self.path, given, body)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def __getattr__(self, name: str) -> Callable[[], None]:
            if name.startswith("do_"):
                return self._pass_on
            raise AttributeError(name)

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def get_request(self) -> tuple[socket.socket, object]:
            plain, address = super().get_request()
            plain.settimeout(60)
            # The handshake is the handler's: a client that gives up in it must not stop the one that accepts.
            return context.wrap_socket(plain, server_side=True, do_handshake_on_connect=False), address

        def handle_error(self, *_: object) -> None:
            pass  # a client that did not like our certificate

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(papers.certificate, papers.key)
    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        gate.address = f"https://localhost:{server.server_port}"
        try:
            yield gate
        finally:
            server.shutdown()
