"""Any OpenAI-compatible chat server, through the openai SDK with its own retries off."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rag.errors import ModelError, ModelRefused, ModelUnreachable, NoCredential
from rag.model.contract import Ending, Finish, Prompt
from rag.model.retry import Budget, Passing, attempt
from rag.settings import Settings

if TYPE_CHECKING:
    import openai

_ENDINGS: dict[str, Ending] = {"stop": "stop", "eos": "stop", "length": "length", "content_filter": "filtered"}
_LONGEST_SILENCE = 30.0
"""Seconds between two pieces after which a stream counts as stalled."""
_HOPELESS = ("insufficient_quota", "billing", "invalid_api_key", "model_not_found", "context_length")


class OpenAIServer:
    """Speaks chat completions; leaves out what a server says it does not know."""

    def __init__(self, settings: Settings) -> None:
        if settings.api_key is None and settings.base_url is None:
            raise NoCredential("no key for the OpenAI API", "set OPENAI_API_KEY, or OPENAI_BASE_URL for a local server")
        self.name = settings.model
        self.context_window = settings.context_window
        self._base_url = settings.base_url
        self._key = settings.api_key or "none"
        self._dropped: set[str] = set()
        self._client: openai.OpenAI | None = None

    def identity(self) -> str:
        return f"{self._base_url or 'api.openai.com'} {self.name}"

    def stream(self, prompt: Prompt, *, max_tokens: int, seconds: float) -> Iterator[str | Finish]:
        budget = Budget.of(seconds)
        response = attempt(lambda: self._open(prompt, max_tokens, budget), budget)
        with contextlib.closing(response):
            yield from _events(response, budget)

    def _open(self, prompt: Prompt, max_tokens: int, budget: Budget) -> Any:
        """The raw streaming response. A parameter the server refuses is left out from then on."""
        import openai

        while True:
            request = self._request(prompt, max_tokens)
            try:
                raw = self._connected(budget).chat.completions.with_raw_response.create(**request)
                return raw.http_response
            except openai.BadRequestError as error:
                if not self._adapt(error, request):
                    raise _refused(error, self._key) from error
            except openai.APIStatusError as error:
                raise _status_trouble(error, self._key) from error
            except openai.APITimeoutError as error:
                raise Passing(ModelUnreachable(f"{self._where} did not answer in time", _START)) from error
            except openai.APIConnectionError as error:
                raise Passing(ModelUnreachable(f"{self._where} is not reachable", _START)) from error

    @property
    def _where(self) -> str:
        return f"the model server at {self._base_url or 'api.openai.com'}"

    def _connected(self, budget: Budget) -> openai.OpenAI:
        import httpx
        import openai

        if self._client is None:
            self._client = openai.OpenAI(api_key=self._key, base_url=self._base_url, max_retries=0)
        silence = min(_LONGEST_SILENCE, max(budget.left, 0.01))
        return self._client.with_options(timeout=httpx.Timeout(silence, connect=min(10.0, silence)))

    def _request(self, prompt: Prompt, max_tokens: int) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.name,
            "messages": self._messages(prompt),
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": 0,
            "max_tokens": max_tokens,
        }
        if "max_tokens" in self._dropped and "max_completion_tokens" not in self._dropped:
            request["max_completion_tokens"] = max_tokens
        if "stream" in self._dropped:
            request.pop("stream_options")
        return {name: value for name, value in request.items() if name not in self._dropped}

    def _messages(self, prompt: Prompt) -> list[dict[str, str]]:
        if "system" in self._dropped:
            return [{"role": "user", "content": f"{prompt.system}\n\n{prompt.user}"}]
        return [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]

    def _adapt(self, error: openai.BadRequestError, request: dict[str, Any]) -> bool:
        """Whether the refusal names something that can be left out, and has not been yet."""
        said = f"{error.param or ''} {error.message}".lower()
        optional = ("stream_options", "max_completion_tokens", "max_tokens", "temperature", "stream")
        for name in optional:
            if name in said and name in request:
                self._dropped.add(name)
                return True
        if "system" in said and "system" not in self._dropped:
            self._dropped.add("system")
            return True
        return False


_START = "start the server, or check OPENAI_BASE_URL; the answer without a model needs none"


def _events(response: Any, budget: Budget) -> Iterator[str | Finish]:
    if "application/json" in response.headers.get("content-type", ""):
        yield from _whole(response)
        return
    import httpx

    counted: tuple[int | None, int | None] = (None, None)
    ending: Ending = "cut"
    try:
        for chunk in _chunks(response):
            counted = _usage(chunk) or counted
            text, reason = _delta(chunk)
            if text:
                yield text
            if reason is not None:
                ending = _ENDINGS.get(reason, "cut")
            if budget.left <= 0:
                ending = "stalled"
                break
    except httpx.TimeoutException:
        ending = "stalled"
    except httpx.HTTPError:
        ending = "cut"
    yield Finish(ending, *counted)


def _chunks(response: Any) -> Iterator[dict[str, Any]]:
    """The `data:` events of a server-sent stream; lines that are no JSON are passed over."""
    for line in response.iter_lines():
        data = line.removeprefix("data:").strip()
        if not line.startswith("data:") or not data or data == "[DONE]":
            continue
        with contextlib.suppress(json.JSONDecodeError):
            chunk = json.loads(data)
            if isinstance(chunk, dict):
                yield chunk


def _whole(response: Any) -> Iterator[str | Finish]:
    """A server that does not stream: one JSON reply."""
    try:
        body = json.loads(response.read())
    except (json.JSONDecodeError, UnicodeDecodeError):
        yield Finish("cut")
        return
    text, reason = _delta(body if isinstance(body, dict) else {})
    if text:
        yield text
    yield Finish(_ENDINGS.get(reason or "", "cut"), *(_usage(body) or (None, None)))


def _delta(chunk: dict[str, Any]) -> tuple[str, str | None]:
    choices = chunk.get("choices") or [{}]
    choice = choices[0] if isinstance(choices[0], dict) else {}
    message = choice.get("delta") or choice.get("message") or {}
    content = message.get("content") if isinstance(message, dict) else None
    reason = choice.get("finish_reason")
    return content if isinstance(content, str) else "", reason if isinstance(reason, str) else None


def _usage(chunk: dict[str, Any]) -> tuple[int | None, int | None] | None:
    usage = chunk.get("usage") if isinstance(chunk, dict) else None
    if not isinstance(usage, dict):
        return None
    counts = (usage.get("prompt_tokens"), usage.get("completion_tokens"))
    return tuple(count if isinstance(count, int) else None for count in counts)  # type: ignore[return-value]


def _refused(error: openai.APIStatusError, key: str) -> ModelError:
    return ModelRefused(f"the model server refused the request: {_said(error, key)}", "try another model or question")


def _status_trouble(error: openai.APIStatusError, key: str) -> Exception:
    """A ModelError where trying again is hopeless, Passing where it is not."""
    said = _said(error, key)
    if error.status_code in (401, 403):
        return NoCredential(f"the model server refused the key: {said}", "check OPENAI_API_KEY")
    if error.status_code == 404:
        return ModelRefused(f"the server has no such model: {said}", "check --model and OPENAI_BASE_URL")
    refused = ModelRefused(f"the model server answered {error.status_code}: {said}", "try again later")
    hopeless = any(word in f"{error.code} {said}".lower() for word in _HOPELESS)
    if hopeless or (error.status_code < 500 and error.status_code not in (408, 409, 425, 429)):
        return refused
    return Passing(refused, _retry_after(error))


def _said(error: openai.APIStatusError, key: str) -> str:
    """The server's own words on one line, without the key, should it repeat it."""
    body = error.body if isinstance(error.body, dict) else {}
    text = " ".join(str(body.get("message") or error.message).split())[:300]
    return text.replace(key, "***") if len(key) > 4 else text


def _retry_after(error: openai.APIStatusError) -> float | None:
    for header, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        with contextlib.suppress(KeyError, ValueError):
            return max(0.0, float(error.response.headers[header]) * unit)
    return None
