"""Any OpenAI-compatible chat server, through the openai SDK with its own retries off."""

from __future__ import annotations

import contextlib
import re
import socket
import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rag.errors import ModelError, ModelRefused, ModelUnreachable, NoCredential
from rag.model.contract import Finish, Prompt, Stream, TooLong
from rag.model.heard import Heard
from rag.model.refusals import Refusal, meaning, plain_address
from rag.model.retry import Budget, Passing, attempt
from rag.model.waiting import Ended, Waiting
from rag.model.wire import Event, Malformed, events
from rag.settings import Settings

if TYPE_CHECKING:
    import httpx
    import openai

_CONNECT = 10.0
_OPENAI_WINDOW = 128_000
"""Tokens: what OpenAI's own models have at least. One with less says so, and is believed."""
_OPTIONAL = ("stream_options", "max_completion_tokens", "max_tokens", "temperature", "stream")
_NEVER_ADAPT = frozenset({401, 402, 403, 404, 429})
_START = "start the server, or check OPENAI_BASE_URL; `--model none` answers without one"


class OpenAIServer:
    """Speaks chat completions; leaves out what a server says it does not know."""

    def __init__(self, settings: Settings) -> None:
        self.name = settings.model
        self.context_window = settings.context_window or (None if settings.base_url else _OPENAI_WINDOW)
        self._base_url = settings.base_url
        self._key = settings.api_key or "none"
        self._needs_key = settings.api_key is None and settings.base_url is None
        self._where = f"the model server at {plain_address(settings.base_url)}"
        self._left_out: set[str] = set()
        self._client: openai.OpenAI | None = None

    def identity(self) -> str:
        return f"{plain_address(self._base_url)} {self.name}"

    def stream(self, prompt: Prompt, *, max_tokens: int, seconds: float) -> Stream:
        """As the contract says. Trouble before the first piece is tried again where that may help."""
        if self._needs_key:
            raise NoCredential("no key for the OpenAI API", "set OPENAI_API_KEY, or OPENAI_BASE_URL for a local server")
        self._connected()  # importing the SDK is not the model's time
        budget = Budget.of(seconds)

        def begin() -> tuple[str | Finish, Stream]:
            reply = self._reply(prompt, max_tokens, budget)
            return next(reply), reply

        first, rest = attempt(begin, budget)
        with contextlib.closing(rest):
            yield first
            yield from rest

    def _reply(self, prompt: Prompt, max_tokens: int, budget: Budget) -> Stream:
        connection = _Connection()
        waiting = Waiting(self._events(prompt, max_tokens, budget, connection), connection.shut)
        with contextlib.closing(waiting):
            yield from self._pieces(waiting, budget)

    def _pieces(self, waiting: Waiting[Event], budget: Budget) -> Stream:
        heard = Heard()
        while not heard.enough:
            try:
                event = waiting.next(heard.patience(budget))
            except (Ended, Malformed, TimeoutError) as trouble:
                if heard.nothing:
                    raise self._no_reply(trouble) from None
                heard.broken_off(trouble)
                break
            if event.error is not None and heard.nothing:
                raise meaning(Refusal(200, event.error, {}), self._where, self._key)
            heard.take(event)
            if event.text:
                yield event.text
        yield heard.finish()

    def _no_reply(self, trouble: Exception) -> ModelError | Passing:
        if isinstance(trouble, TimeoutError):
            return ModelUnreachable(
                f"{self._where} did not answer in time", "raise --timeout, or choose a faster model"
            )
        if isinstance(trouble, Malformed) and trouble.head:
            seen = " ".join(trouble.head.split())
            return ModelRefused(
                f"{self._where} answered with something else than a completion: {seen!r}",
                "OPENAI_BASE_URL usually ends in /v1",
            )
        return Passing(ModelUnreachable(f"{self._where} broke off before its first word", "try again later"))

    def _events(self, prompt: Prompt, max_tokens: int, budget: Budget, connection: _Connection) -> Iterator[Event]:
        """Runs in the waiting's thread: opens, reads, and always closes the response."""
        import httpx

        response = self._open(prompt, max_tokens, budget)
        with contextlib.closing(response):
            connection.response = response
            try:
                yield from events(response.iter_bytes())
            except httpx.HTTPError as error:
                raise Malformed(f"the connection broke: {type(error).__name__}") from error

    def _open(self, prompt: Prompt, max_tokens: int, budget: Budget) -> httpx.Response:
        """The open response. A parameter the server refuses is left out from then on."""
        import openai

        client = self._patient(budget)
        while True:
            request = self._request(prompt, max_tokens)
            try:
                return client.chat.completions.with_raw_response.create(**request).http_response
            except openai.APIStatusError as error:
                refusal = Refusal(error.status_code, error.body, error.response.headers)
                if not self._adapt(refusal, request):
                    # Not chained: the SDK's own error may quote the key.
                    raise self._learned(meaning(refusal, self._where, self._key)) from None
            except openai.APITimeoutError:
                raise Passing(ModelUnreachable(f"{self._where} did not answer in time", _START)) from None
            except openai.APIConnectionError as error:
                raise self._unreachable(error) from None

    def _learned(self, trouble: ModelError | Passing) -> ModelError | Passing:
        """A server that names its context window is asked for no more than that from then on."""
        if isinstance(trouble, TooLong) and trouble.limit:
            self.context_window = min(trouble.limit, self.context_window or trouble.limit)
        return trouble

    def _unreachable(self, error: openai.APIConnectionError) -> ModelError | Passing:
        """Nobody listening, a name unknown, a certificate refused: waiting is no help. A broken connection may pass."""
        causes = _causes(error)
        if any("CERTIFICATE_VERIFY_FAILED" in str(cause) for cause in causes):
            return ModelUnreachable(f"{self._where} has a certificate that is not trusted", "set SSL_CERT_FILE")
        unreachable = ModelUnreachable(f"{self._where} is not reachable", _START)
        if any(isinstance(cause, ConnectionRefusedError | socket.gaierror) for cause in causes):
            return unreachable
        return Passing(unreachable)

    def _connected(self) -> openai.OpenAI:
        import openai

        if self._client is None:
            http = openai.DefaultHttpxClient(follow_redirects=False)
            weakref.finalize(self, http.close)
            self._client = openai.OpenAI(
                api_key=self._key,
                base_url=self._base_url or "https://api.openai.com/v1",
                max_retries=0,
                http_client=http,
            )
            _ = self._client.chat.completions  # the SDK imports it only now
        return self._client

    def _patient(self, budget: Budget) -> openai.OpenAI:
        """Its own timeouts lie just beyond ours: the reader gives up first."""
        import httpx

        patience = budget.left + 1.0
        return self._connected().with_options(timeout=httpx.Timeout(patience, connect=min(_CONNECT, patience)))

    def _request(self, prompt: Prompt, max_tokens: int) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.name,
            "messages": self._messages(prompt),
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": 0,
            "max_tokens": max_tokens,
        }
        if "max_tokens" in self._left_out:
            request["max_completion_tokens"] = max_tokens
        if "stream" in self._left_out:
            request.pop("stream_options")
        return {name: value for name, value in request.items() if name not in self._left_out}

    def _messages(self, prompt: Prompt) -> list[dict[str, str]]:
        if "system" in self._left_out:
            return [{"role": "user", "content": f"{prompt.system}\n\n{prompt.user}"}]
        return [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]

    def _adapt(self, refusal: Refusal, request: dict[str, Any]) -> bool:
        """Whether the refusal names something that can be left out, and has not been yet."""
        if refusal.status in _NEVER_ADAPT or isinstance(meaning(refusal, "", ""), TooLong):
            return False
        words = set(re.findall(r"\w+", refusal.everything.lower()))
        for name in _OPTIONAL:
            if name in words and name in request:
                self._left_out.add(name)
                return True
        # Chat templates say it in their own ways: "Only user and assistant roles are supported!", "must alternate".
        of_a_role = words & {"system", "developer", "alternate"} or words >= {"only", "user", "assistant"}
        if of_a_role and words & {"role", "roles"} and "system" not in self._left_out:
            self._left_out.add("system")
            return True
        return False


class _Connection:
    """The open response of one request, so that a reader in another thread can be woken."""

    response: httpx.Response | None = None

    def shut(self) -> None:
        """Ends the connection under a blocked read; the server sees that nobody listens any more."""
        stream = self.response.extensions.get("network_stream") if self.response is not None else None
        connected = stream.get_extra_info("socket") if stream is not None else None
        if connected is not None:
            with contextlib.suppress(OSError):
                connected.shutdown(socket.SHUT_RDWR)


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in found:
        found.append(cause)
        cause = cause.__cause__ or cause.__context__
    return found
