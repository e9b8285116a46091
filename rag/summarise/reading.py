"""Papers read for a summary: each sentence with its part, its vector, and whether it can stand on its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from rag.extract.passage import Passage, read
from rag.text.cues import has
from rag.text.function_words import A_WORK, POINTING_BACK
from rag.text.names import names
from rag.text.normalise import plain
from rag.text.orders import stating
from rag.text.parts import PARTS, Part, heading_length, part_chances
from rag.types import Paper, Sentence

if TYPE_CHECKING:
    from rag.embed import Embedder

Vector = NDArray[np.float64]

_DEBRIS: Final = re.compile(r"\\[a-zA-Z]|\$|[{}\ufffd]|[\^_][{(\\]|\w_\w_|\[\d+\]|\?\?|[a-z]- (?!and|or|to)[a-z]")
_WHOLE: Final = re.compile(r"[.!?。！？…][\"'”’)\]]*$")
_OPENS_BADLY: Final = re.compile(r"[a-z]{2,}[\s,]|\(?(?:\d{1,2}|[ivx]{1,4})[.)]\s|[-•*]\s")
_BACK: Final = rf"(?:{POINTING_BACK}|this|them|that|here(?!,? we)|the above|doing so)\b"
_NOT_ITSELF: Final = rf"(?! (?:position )?(?:{A_WORK})\b)"
_LEANS: Final = re.compile(
    r"^(?:\w+, )?(?:to (?:\w+ ){0,3}|\w+ing (?:on |upon |from |to )?|(?:based|motivated|inspired|guided) (?:on|by) "
    rf"|(?:under|in|with|for|by|from|on|through|unlike|given|despite|beyond|of|across) )?{_BACK}{_NOT_ITSELF}"
    rf"|^(?:\S+ ){{0,3}}we (?:\S+ ){{1,3}}{_BACK}(?<!\bthat){_NOT_ITSELF}"
    r"|^(?:despite|with|without|by|in|on|using|under|across|for|through|via|unlike|compared (?:to|with)|beyond|after"
    r"|\w+ing)\b[^,]{1,60}, (?:it|its|they|their|this|these)\b(?! (?:paper|work|study))"
    r"|^(?:to this end|to do so|as such|following (?:prior|previous|this|these)"
    r"|instead|conversely|similarly|in contrast|as a result|first|second|secondly|third|then"
    r"|next|consequently|therefore|thus|hence|accordingly|worse|i\.e|together|among them|for (?:instance|example)"
    r"|the (?:first|second|third|resulting|other|two|three|proposed|learned|same) )\b"
)
_SHORTEST, _LONGEST = 6, 55
"""Words of a sentence that reads well alone."""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of a paper. `slice` leaves out an author's heading ("RESULTS "); `text` is what a person reads."""

    paper: Paper
    slice: Sentence
    text: str
    passage: Passage
    chances: tuple[float, ...]
    leaning: bool
    clean: bool

    @property
    def part(self) -> Part:
        return PARTS[max(range(len(PARTS)), key=self.chances.__getitem__)]

    def chance(self, *parts: Part) -> float:
        return sum(self.chances[PARTS.index(part)] for part in parts)

    @property
    def place(self) -> tuple[str, int]:
        return self.paper.id, self.slice.index

    @property
    def opening(self) -> str:
        """The first two words: what makes two sentences sound alike."""
        return " ".join(self.passage.folded.split()[:2]).strip(",.:;")

    @property
    def introduces(self) -> bool:
        """It presents something of its own."""
        return has("we_make", self.passage.folded) or has("this_paper", self.passage.folded)


@dataclass(frozen=True)
class Read:
    """One paper: its sentences, their unit vectors (sentences, dimension), and its own (dimension,)."""

    paper: Paper
    said: tuple[Said, ...]
    vectors: Vector
    score: float

    @cached_property
    def title(self) -> Passage:
        return read(self.paper.title)

    @cached_property
    def vector(self) -> Vector:
        """Of what the paper does: aim and method count most, background least."""
        weights = np.array([[0.3 + said.chance("aim", "method") + 0.5 * said.chance("result")] for said in self.said])
        return unit((self.vectors * weights).sum(axis=0))

    @cached_property
    def stems(self) -> Counter[str]:
        """How often each content stem stands in title and abstract; the title counts twice."""
        found = Counter(stem for said in self.said for stem in said.passage.places)
        found.update(dict.fromkeys(self.title.places, 2))
        return found

    @cached_property
    def own_names(self) -> frozenset[str]:
        """Folded names of what the paper presents as its own."""
        texts = (self.paper.title, *(said.text for said in self.said if said.introduces))
        return frozenset(name.norm for text in texts for name in names(text) if name.introduced)

    def vector_of(self, said: Said) -> Vector:
        row: Vector = self.vectors[self.said.index(said)]
        return row


def unit(vector: Vector) -> Vector:
    """To length 1; zeros stay zeros."""
    norm = float(np.linalg.norm(vector))
    return vector / norm if norm else vector


def read_papers(
    papers: Sequence[Paper],
    sentences: Mapping[str, Sequence[Sentence]],
    scores: Mapping[str, float],
    embedder: Embedder,
) -> tuple[Read, ...]:
    """In the order given; papers without a sentence are left out. One batch for all vectors. Raises ModelError."""
    said = {paper.id: _said(paper, sentences.get(paper.id, ())) for paper in papers}
    flat = [one for paper in papers for one in said[paper.id]]
    if not flat:
        return ()
    vectors = np.asarray(embedder.embed([one.text for one in flat]), dtype=np.float64)
    found, at = [], 0
    for paper in papers:
        own = said[paper.id]
        if own:
            found.append(Read(paper, own, vectors[at : at + len(own)], scores.get(paper.id, 0.0)))
        at += len(own)
    return tuple(found)


def _said(paper: Paper, sentences: Sequence[Sentence]) -> tuple[Said, ...]:
    """Sentences that give their reader orders are left out: they say nothing of the paper."""
    raw = [paper.abstract[sentence.start : sentence.end] for sentence in sentences]
    stated = set(stating(paper.abstract, sentences))
    found = []
    for sentence, text, chances in zip(sentences, raw, part_chances(raw), strict=True):
        if sentence not in stated:
            continue
        cut = heading_length(text)
        kept = Sentence(sentence.paper_id, sentence.index, sentence.start + cut, sentence.end)
        shown = plain(text[cut:])
        passage = read(text[cut:])
        found.append(
            Said(
                paper,
                kept,
                shown,
                passage,
                tuple(map(float, chances)),
                bool(_LEANS.match(passage.folded)),
                _is_clean(shown),
            )
        )
    return tuple(found)


def is_debris(text: str) -> bool:
    """Whether markup is left in a text that a person is to read."""
    return _DEBRIS.search(text) is not None


def _is_clean(text: str) -> bool:
    """Whole, of a length that reads well, and nothing left of its markup."""
    if is_debris(text) or not _WHOLE.search(text):
        return False
    if _OPENS_BADLY.match(text):
        return False
    words = len(text.split())
    return _SHORTEST <= words <= _LONGEST or (words < _SHORTEST and not text.isascii() and len(text) > 12)
