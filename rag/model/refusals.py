"""What a server's refusal means: whose fault it is, whether trying again helps, and what to tell the reader."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from rag.errors import ModelError, ModelRefused, NoCredential
from rag.model.contract import TooLong
from rag.model.retry import Passing

_OUT_OF_QUOTA = re.compile(
    r"insufficient_quota|billing|exceeded your current quota|insufficient.{0,12}(?:credit|balance|funds)",
    re.I,
)
_NO_SUCH_MODEL = re.compile(r"model_not_found|\bmodel\b.{0,80}(?:not found|not exist|unknown)|unknown model", re.I)
_TOO_LONG = re.compile(
    r"context_length|exceed_context|(?:maximum|available|model'?s?) context|context (?:length|size|window)|"
    r"prompt is too long|too many (?:input )?tokens|input is too long|reduce the length of the messages",
    re.I,
)
_LIMIT = re.compile(
    r"(?:maximum context length (?:is|of)|context (?:size|window|length)(?: (?:is|of))?)\s*:?\s*\(?([\d,]{3,9})",
    re.I,
)
_MAY_PASS = frozenset({408, 409, 425, 429})
_SECRET = re.compile(r"\b(?:sk|pk|key|api)[-_][A-Za-z0-9_*-]{8,}|\bBearer\s+\S+", re.I)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A server's no: the HTTP status (200 for an error inside a reply), its parsed body, its headers."""

    status: int
    body: Any
    headers: Mapping[str, str]

    @property
    def everything(self) -> str:
        """All its words, to look for what it names."""
        return str(self.body)[:4000]

    def said(self, key: str) -> str:
        """The server's own words, on one line, without the key should it repeat it."""
        text = _message(self.body) or "no reason given"
        text = " ".join(text.split())[:300]
        return without_secrets(text, key)

    @property
    def limit(self) -> int | None:
        """The context window in tokens, where the refusal names it."""
        inner = self.body.get("error") if isinstance(self.body, dict) else None
        if isinstance(inner, dict) and isinstance(inner.get("n_ctx"), int):
            return int(inner["n_ctx"])
        found = _LIMIT.search(self.everything)
        return int(found[1].replace(",", "")) if found else None


def meaning(refusal: Refusal, where: str, key: str) -> ModelError | Passing:
    """A ModelError where trying again is hopeless, Passing where it is not."""
    said, status, words = refusal.said(key), refusal.status, refusal.everything
    if status in (401, 403):
        return NoCredential(f"{where} refused the key ({status}): {said}", "check OPENAI_API_KEY")
    if 300 <= status < 400:
        return _moved(refusal, where)
    if _OUT_OF_QUOTA.search(words) or status == 402:
        return ModelRefused(f"{where} is out of quota: {said}", "add credit, or choose another model")
    if _NO_SUCH_MODEL.search(words):
        return ModelRefused(f"{where} has no such model: {said}", "check --model")
    if status == 404:
        return ModelRefused(f"{where} has nothing at this address (404): {said}", "OPENAI_BASE_URL usually ends in /v1")
    if _TOO_LONG.search(words):
        return TooLong(f"{where} says that the question and its evidence are too long: {said}", refusal.limit)
    answered = "failed" if status == 200 else f"answered {status}"
    refused = ModelRefused(f"{where} {answered}: {said}", "try again later, or choose another model")
    if status in _MAY_PASS or status >= 500 or status == 200:
        return Passing(refused, _retry_after(refusal.headers))
    return ModelRefused(f"{where} refused the request ({status}): {said}", "choose another model or question")


def without_secrets(text: str, key: str) -> str:
    if len(key) > 4:
        text = text.replace(key, "***")
    return _SECRET.sub("***", text)


def plain_address(url: str | None) -> str:
    """A base URL that may be shown and logged: no user, no password, no query."""
    if not url:
        return "api.openai.com"
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}" if parts.scheme else url.partition("?")[0].rpartition("@")[2]


def _moved(refusal: Refusal, where: str) -> ModelError:
    """Not followed: the evidence would go to a server that nobody named."""
    to = plain_address(refusal.headers.get("location") or "elsewhere")
    return ModelRefused(f"{where} redirects to {to}", "set OPENAI_BASE_URL to where the server is")


def _message(body: Any) -> str:
    """The reason inside the bodies that servers send: {"error": {"message"}}, {"error": ""}, {"detail": []}, text."""
    if isinstance(body, dict):
        for name in ("error", "message", "detail", "msg"):
            if body.get(name):
                return _message(body[name])
        return ""
    if isinstance(body, list):
        return "; ".join(filter(None, map(_message, body[:3])))
    return re.sub(r"<[^>]*>", " ", body) if isinstance(body, str) else ""


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds, from `retry-after-ms` or `retry-after` in seconds. A date there is not read: our own wait will do."""
    for header, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        with contextlib.suppress(KeyError, ValueError):
            return max(0.0, float(headers[header]) * unit)
    return None
