"""A stream of text -> drafted sentences, each as soon as it is whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rag.generate import shaped
from rag.generate.keys import Keys
from rag.generate.marks import Clean, clean
from rag.generate.visible import Visible
from rag.text.sentences import split
from rag.types import DraftSentence

_ENDS = re.compile(r"[.!?。！？]+[\"”’')*_]*\s*\Z|[ \t]*\n\s*\Z")
"""After a mark: the sentence is over."""
_OPEN_BRACKET = re.compile(r"[\[【〔［(（][^\[\]【】〔〕［］()（）\n]{0,120}\Z")
_MAY_END = re.compile(r"[.!?…。！？｡\n\]】〕］)）]")
_BRACKETS = "[【〔［\\("
_LONGEST = 2000
"""Characters. What goes on longer without an end is no sentence, and is not waited for."""
_LAST_WORD = re.compile(r"\S*\Z")
_BULLET = re.compile(r"^(?:[-*•·]\s+|\d{1,2}[.)]\s+|#{1,6}\s+|>\s+|\|\s*)+")
_ANSWER_LABEL = re.compile(
    r"^(?:(?:final|corrected|rewritten) )?(?:answer|response|sentence|claim)\s*:\s*", re.IGNORECASE
)
_LABEL = re.compile(
    r"(?:the\s+)?(?:source|key|reference|citation|evidence|answer|summary|conclusion|note)s?(?:\s+used)?\W*",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(
    r"[^.!?。]*[:：]|(?:sure|certainly|of course|okay|ok|absolutely|great question)\W*", re.IGNORECASE
)


class SentenceStream:
    """Feed pieces; whole sentences come out. Call `finish` once for what is left.

    Sentences before the first one that names a key are held until it comes: they are a preamble or unmarked thinking,
    or the model writes no keys at all and they come at the end.
    """

    def __init__(self, keys: Sequence[str], shown: str) -> None:
        self._keys = Keys(keys)
        self._shown = "".join(shown.split())
        self._visible = Visible()
        self._pending = ""
        self._held: list[DraftSentence] | None = []
        self._listed: list[str] = []
        """Keys given apart from any sentence, under a label: "Sources: [kx1], [kx2]"."""
        self._marks_lead: bool | None = None
        """Whether this model writes its marks before the sentence; None until the first sentence."""

    def feed(self, piece: str) -> list[DraftSentence]:
        self._take(self._visible.feed(piece))
        if shaped.is_shaped(self._pending):
            return []
        return self._keyed(self._settled())

    def finish(self, *, whole: bool) -> list[DraftSentence]:
        """The rest. A reply that did not end by itself (`whole` False) loses its last sentence unless it is closed."""
        self._take([self._visible.rest()])
        drafted = list(self._from_json()) if shaped.is_shaped(self._pending) else []
        drafted = drafted or self._settled(final=whole)
        if self._held is not None:
            drafted = [self._with_listed(sentence) for sentence in [*self._held, *drafted]]
            self._held = None
        return drafted

    def _with_listed(self, sentence: DraftSentence) -> DraftSentence:
        """A model that lists its keys at the end means them for every sentence."""
        return sentence if sentence.keys else DraftSentence(sentence.text, tuple(dict.fromkeys(self._listed)))

    def _take(self, seen: list[str]) -> None:
        self._pending += seen[0]
        for afresh in seen[1:]:
            if self._held is not None:
                self._held = []
            self._pending = afresh

    def _settled(self, *, final: bool = False) -> list[DraftSentence]:
        """The sentences that no further text can change, taken off the pending text."""
        if not final and not _MAY_END.search(self._pending) and len(self._pending) < _LONGEST:
            return []
        text, now, closed = self._readable(final or len(self._pending) > _LONGEST)
        spans = split(now.text)
        count = len(spans) if closed else len(spans) - 1
        if count <= 0:
            self._pending = self._pending[len(text) if closed else 0 :]
            return []
        if self._marks_lead is None:
            first = [mark for mark in now.marks if mark.keys and mark.at <= spans[0][0]]
            self._marks_lead = bool(first) and text[first[0].start] in _BRACKETS
        keys: list[list[str]] = [[] for _ in range(len(spans) + 1)]
        owners = [self._owner(mark.at, spans) for mark in now.marks]
        for mark, owner in zip(now.marks, owners, strict=True):
            keys[owner] += mark.keys
        drafted: list[DraftSentence] = []
        for (start, end), named in zip(spans[:count], keys, strict=False):
            drafted.extend(self._drafted(now.text[start:end], named))
        self._pending = self._pending[len(text) if closed else self._cut(now, spans, owners, count) :]
        return drafted

    def _readable(self, final: bool) -> tuple[str, Clean, bool]:
        """The pending text that can be read now, without its marks, and whether it ends where a sentence does."""
        now = clean(self._pending, self._keys, self._shown)
        if final or _is_closed(self._pending, now):
            return self._pending, now, True
        text = _without_tail(self._pending)
        now = clean(text, self._keys, self._shown)
        return text, now, _is_closed(text, now)

    def _owner(self, at: int, spans: Sequence[tuple[int, int]]) -> int:
        """The sentence a mark belongs to: the one it stands in, or the one before it; the next where marks lead."""
        begun = sum(1 for start, _ in spans if start < at) - 1
        if begun < 0:
            return 0
        between = at >= spans[begun][1]
        return begun + 1 if between and self._marks_lead else begun

    @staticmethod
    def _cut(now: Clean, spans: Sequence[tuple[int, int]], owners: list[int], count: int) -> int:
        """Where in the raw text the first sentence that is not settled begins, its leading marks included."""
        starts = [mark.start for mark, owner in zip(now.marks, owners, strict=True) if owner == count]
        return min([now.raw(spans[count][0]), *starts])

    def _drafted(self, segment: str, keys: Sequence[str]) -> Iterator[DraftSentence]:
        """Nothing for what is only a label, a heading or marks."""
        text = _ANSWER_LABEL.sub("", _BULLET.sub("", " ".join(segment.split()))).strip()
        if _LABEL.fullmatch(text) or not any(char.isalnum() for char in text):
            self._listed += keys
        elif keys or not _PREAMBLE.fullmatch(text):
            yield DraftSentence(text, tuple(dict.fromkeys(keys)))

    def _keyed(self, drafted: list[DraftSentence]) -> list[DraftSentence]:
        if self._held is None or not drafted:
            return drafted
        self._held += drafted
        if not any(sentence.keys for sentence in drafted):
            return []
        released, self._held = self._held, None
        return released

    def _from_json(self) -> Iterator[DraftSentence]:
        for text, keys in shaped.read(self._pending):
            named = tuple(name for key in keys for name in self._keys.named(key) or (key,))
            inner = SentenceStream(self._keys.given, self._shown)
            for sentence in [*inner.feed(text), *inner.finish(whole=True)]:
                yield DraftSentence(sentence.text, sentence.keys or named)


def _is_closed(pending: str, now: Clean) -> bool:
    """Whether the text ends in a mark and what closes its sentence: the one case where nothing has to be waited for."""
    named = [mark for mark in now.marks if mark.keys]
    return bool(named) and _ENDS.fullmatch(pending[named[-1].end :]) is not None


def _without_tail(text: str) -> str:
    """Without an unfinished bracket or word, which could still change where sentences end."""
    text = _OPEN_BRACKET.sub("", text)
    return _LAST_WORD.sub("", text)
