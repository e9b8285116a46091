"""Vectors on a Chroma server behind TLS, as hosted ones are: a token, a tenant and a database, a limit a request; and
certificates that nobody here trusts. (Chroma's own hosted service was not reached.)"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import chromadb
import pytest
from chroma_server import Gate, Papers, behind_tls, running
from library_cases import many
from program import Citewell, Run

TOKEN = "ck-secret-0123456789"
LIMIT = 7
pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificates")


@dataclass(frozen=True, slots=True)
class Hosted:
    gate: Gate
    papers: Papers
    port: int


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    folder = tmp_path_factory.mktemp("hosted")
    papers = Papers.made(folder)
    with running(folder / "vectors") as port, behind_tls(Gate(port, TOKEN, LIMIT), papers) as gate:
        admin = chromadb.AdminClient(chromadb.Settings(
            chroma_api_impl="chromadb.api.fastapi.FastAPI", chroma_server_host="127.0.0.1",
            chroma_server_http_port=port, anonymized_telemetry=False,
        ))  # fmt: skip
        admin.create_tenant("lab")
        admin.create_database("field", tenant="lab")
        admin._server._session.close()  # type: ignore[attr-defined]
        yield Hosted(gate, papers, port)


@pytest.fixture
def syncing(inside: Citewell, tmp_path: Path, hosted: Hosted) -> Citewell:
    """`citewell sync` of twelve papers to a store, trusting the authority and with the token unless told otherwise."""
    lines = [json.dumps({"title": held.title, "abstract": held.abstract}) for held in many(12)]
    (tmp_path / "papers.jsonl").write_text("\n".join(lines), "utf-8")
    hosted.gate.asked.clear()
    hosted.gate.written.clear()

    def sync(address: str, *more: str, **env: str) -> Run:
        trusted = {"SSL_CERT_FILE": str(hosted.papers.authority), "CITEWELL_STORE_TOKEN": TOKEN}
        return inside("sync", "papers.jsonl", "--store", address, *more, **trusted | env)

    return sync


def refused(run: Run, *words: str) -> None:
    """One line that says these, exit 5, and never the token."""
    assert run.code == 5, run
    assert run.err.count("\n") == 1 and not run.out, run
    for word in words:
        assert word in run.err, run
    assert TOKEN not in run.err


def test_a_corpus_is_synced_searched_and_examined_through_tls(
    hosted: Hosted, syncing: Citewell, inside: Citewell
) -> None:
    gate = hosted.gate
    synced = syncing(f"{gate.address}/lab/field")
    assert (synced.code, synced.err) == (0, "")
    assert len(gate.written) > 1 and max(gate.written) <= LIMIT
    assert all("/tenants/lab/databases/field/" in each for each in gate.asked if "upsert" in each)
    settings = {"SSL_CERT_FILE": str(hosted.papers.authority), "CITEWELL_STORE_TOKEN": TOKEN}
    assert "Topic3 " in inside("search", "Topic3", "--json", **settings).out
    examined = inside("doctor", **settings)
    assert gate.address in examined.out and TOKEN not in examined.out
    back = inside("move", "local", "--json", **settings)
    assert back.json == {"corpus": "default", "store": None}


def test_a_server_that_tells_no_limit_is_not_taken_for_filled(hosted: Hosted, syncing: Citewell) -> None:
    with behind_tls(replace(hosted.gate, limit=-1, asked=[], written=[]), hosted.papers) as gate:
        refused(syncing(gate.address, "--corpus", "unlimited"), "Batch size")
    assert gate.written == []


def test_an_authority_that_is_not_trusted(hosted: Hosted, syncing: Citewell) -> None:
    refused(syncing(hosted.gate.address, SSL_CERT_FILE=""), hosted.gate.address, "CERTIFICATE", "SSL_CERT_FILE")
    assert hosted.gate.asked == []  # nobody got the token


def test_a_certificate_of_another_name(hosted: Hosted, syncing: Citewell) -> None:
    refused(syncing(hosted.gate.address.replace("localhost", "127.0.0.1")), "certificate", "127.0.0.1")
    assert hosted.gate.asked == []


@pytest.mark.parametrize("token", ["", "wrong"])
def test_a_token_that_is_wrong(hosted: Hosted, syncing: Citewell, token: str) -> None:
    refused(syncing(hosted.gate.address, CITEWELL_STORE_TOKEN=token), "401", "CITEWELL_STORE_TOKEN")


@pytest.mark.parametrize("place", ["nobody", "lab/nothing"])
def test_a_tenant_or_database_that_is_not_there(hosted: Hosted, syncing: Citewell, place: str) -> None:
    refused(syncing(f"{hosted.gate.address}/{place}"), place.rpartition("/")[2])


def test_the_wrong_one_of_http_and_https(hosted: Hosted, syncing: Citewell) -> None:
    refused(syncing(hosted.gate.address.replace("https", "http")), "http://localhost")
    refused(syncing(f"https://localhost:{hosted.port}"), "https://localhost", "SSL")
