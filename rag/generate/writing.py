"""Evidence -> drafted sentences with a language model: one call, its sentences as they complete, and how it ended."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Generator, Iterator, Sequence

from rag.errors import ModelError, ModelRefused, ModelUnreachable
from rag.generate.compose import Composed, compose, keyed, one_line
from rag.generate.prompts import fill
from rag.generate.sentences import SentenceStream
from rag.model.contract import Ending, Finish, Model, Prompt, TooLong
from rag.model.tokens import estimate
from rag.types import DraftSentence, Evidence

MOST_TOKENS = 2000
"""Of a reply. The sentences wanted take a tenth of it; models that think first need the rest."""
ASSUMED_WINDOW = 4096
"""Tokens, where neither the server nor the settings say: what common local servers give when nothing else is asked."""
_LEAST_WINDOW = 512
_FRAME = 32
_FAR_TOO_MANY = 3
"""Times the sentences asked for: a model that goes on beyond is not read further."""
_MOST_REPEATS = 3
_NO_ANSWER = re.compile(r"\W*no[\s_-]*answer\W*", re.IGNORECASE)
_DECLINES = re.compile(
    r"\b(?:evidence|abstracts?|sources?|sentences|context|documents?|text)\b.{0,40}"
    r"\b(?:does not|do not|doesn't|don't|no)\b.{0,30}"
    r"\b(?:contain|mention|provide|answer|include|specify|say|state|information|support)",
    re.IGNORECASE,
)


class Generation:
    """One draft. Iterate for its sentences, each as soon as it is whole; afterwards `ending` says how it went.

    Raises ModelError when there is nothing to iterate: the call failed, or its reply held no sentence at all. An
    exception while iterating, Ctrl-C among them, closes the connection; `ending` is then "interrupted".
    """

    def __init__(
        self,
        model: Model,
        template: str,
        evidence: Sequence[Evidence],
        *,
        seconds: float,
        most: int,
        **values: str,
    ) -> None:
        self._asked = "\n".join(values.values())
        self.evidence = keyed(evidence, self._asked)
        """What the drafted keys stand for: all that was given, each paper's sentences together."""
        self.ending: Ending = "interrupted"
        self.declined = False
        """The model says that the evidence does not answer, and nothing else."""
        self.left_out = 0
        """Sentences of the evidence that did not fit the model's context window."""
        self.prompt: Prompt | None = None
        self._model = model
        self._template = template
        self._values = {name: one_line(value) for name, value in values.items()}
        self._seconds = seconds
        self._most = most
        self._pieces: list[str] = []
        self._sentences: dict[str, int] = {}
        self._running = self._drafted()

    def __iter__(self) -> Iterator[DraftSentence]:
        return self._running

    def close(self) -> None:
        """Closes the connection, if it is still open."""
        self._running.close()

    @property
    def complete(self) -> bool:
        return self.ending == "stop"

    @property
    def raw(self) -> str:
        """What the model wrote so far, as it came. Never to be shown."""
        return "".join(self._pieces)

    def compose(self, window: int | None = None) -> tuple[Prompt, Composed, int]:
        """The exact prompt for a context window (the model's own by default), and the longest reply to ask for."""
        window = window or self._model.context_window or ASSUMED_WINDOW
        reply = min(MOST_TOKENS, window // 4)
        bare = self._filled(Composed((), "0" * 6))
        room = window - reply - estimate(bare.system) - estimate(bare.user) - _FRAME
        composed = compose(self.evidence, self._asked, room=room)
        return self._filled(composed), composed, reply

    def _filled(self, composed: Composed) -> Prompt:
        values = {
            "evidence": composed.block,
            "mark": composed.mark,
            "example": self.evidence[0].key if self.evidence else "",
            "most": str(self._most),
            **self._values,
        }
        return fill(self._template, values)

    def _drafted(self) -> Generator[DraftSentence, None, None]:
        if not self.evidence:
            self.declined, self.ending = True, "stop"
            return
        try:
            yield from self._read(None)
        except TooLong as error:
            # Known only now: the server's window is smaller than we took it for. Composed once more, to fit.
            if error.limit is None or self._pieces or error.limit < _LEAST_WINDOW:
                raise
            yield from self._read(error.limit)
        self._judge_emptiness()

    def _read(self, window: int | None) -> Iterator[DraftSentence]:
        self.prompt, composed, reply = self.compose(window)
        self.left_out = composed.left_out
        if not composed.lines:
            raise ModelRefused(f"no evidence fits the context window of {self._model.name}", "set context_window")
        stream = SentenceStream([item.key for item in self.evidence], "\n".join(composed.lines))
        events = self._model.stream(self.prompt, max_tokens=reply, seconds=self._seconds)
        with contextlib.closing(events):
            for event in events:
                if isinstance(event, Finish):
                    self.ending = event.ending
                    break
                self._pieces.append(event)
                yield from self._new(stream.feed(event))
                if self._rambles():
                    self.ending = "length"
                    return
        yield from self._new(stream.finish(whole=self.ending == "stop"))

    def _new(self, drafted: Sequence[DraftSentence]) -> Iterator[DraftSentence]:
        """Without refusals to answer, and without what was drafted before."""
        for sentence in drafted:
            if _NO_ANSWER.fullmatch(sentence.text) or (not sentence.keys and _DECLINES.search(sentence.text)):
                self.declined = True
                continue
            text = sentence.text.casefold()
            self._sentences[text] = self._sentences.get(text, 0) + 1
            if self._sentences[text] == 1:
                yield sentence

    def _rambles(self) -> bool:
        far_too_many = len(self._sentences) >= _FAR_TOO_MANY * self._most
        return far_too_many or sum(self._sentences.values()) - len(self._sentences) >= _MOST_REPEATS

    def _judge_emptiness(self) -> None:
        if self._sentences:
            self.declined = False
        elif not self.declined:
            raise self._empty()

    def _empty(self) -> ModelError:
        name, hint = self._model.name, "try again, or choose another model"
        if self.ending == "length":
            return ModelRefused(
                f"{name} used up its tokens before its first sentence", "choose a model that thinks less"
            )
        if self.ending == "filtered":
            return ModelRefused(f"the content filter of {name} held its reply back", hint)
        if self.ending in ("cut", "stalled"):
            return ModelUnreachable(f"the reply of {name} broke off before its first sentence", hint)
        return ModelRefused(f"the reply of {name} holds no sentence", hint)


def generate(model: Model, question: str, evidence: Sequence[Evidence], *, seconds: float, most: int = 6) -> Generation:
    """An answer to `question` in at most `most` sentences. Without evidence no call is made: it is declined."""
    return Generation(model, "answer", evidence, seconds=seconds, most=most, question=question)
