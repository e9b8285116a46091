"""The default embedder: WordLlama's static token vectors, mean-pooled, read from its wheel. No network.

A static model is a tokenizer and a table, so both are read straight from the installed package: importing
`wordllama` itself costs half a second (pydantic, requests), reconfigures the root logger, and knows how to
download. The pooling is one sum a text instead of one over a padded batch: the same bits, twice as fast
((`tests/test_embed_static.py` holds it against the package's own).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rag.embed.contract import Vectors, unit_rows
from rag.errors import ConfigError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MODEL = "l2_supercat"
DIMENSION = 256
_BATCH = 256
_KEPT_WORDS = 100_000
_LONGEST_WORD = 40
_SPACE_SIGN = "\u2581"


class StaticEmbedder:
    """WordLlama `l2_supercat`, 256 dimensions. The model is read at the first call of `embed`."""

    under_lock = True

    @cached_property
    def identity(self) -> str:
        try:
            installed = version("wordllama")
        except PackageNotFoundError:
            raise _not_installed() from None
        return f"wordllama-{installed}/{MODEL}/{DIMENSION}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, 256) float32 rows of length 1; zero rows for texts without a token."""
        table, rows = self._table, np.zeros((len(texts), DIMENSION), dtype=np.float32)
        counts = np.ones((len(texts), 1), dtype=np.float32)
        for first in range(0, len(texts), _BATCH):
            for row, ids in enumerate(self._tokens(texts[first : first + _BATCH]), start=first):
                if len(ids):
                    np.add.reduce(table.take(ids, axis=0), out=rows[row])
                    counts[row] = len(ids)
        rows /= counts
        return unit_rows(rows)

    def _tokens(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """Token ids of each text, from those of its words where that is the same."""
        known = self._words
        if len(known) > _KEPT_WORDS:
            known.clear()
        units = [text.split(" ") if _falls_into_words(text) else [text] for text in map(_encodable, texts)]
        new = set(chain.from_iterable(units)).difference(known)  # few are looked up in the many that are known
        self._learn(new)
        ids = [np.frombuffer(b"".join(map(known.__getitem__, words)), np.int64) for words in units]
        for word in new:
            if len(word) > _LONGEST_WORD:
                del known[word]
        return ids

    def _learn(self, units: set[str]) -> None:
        """Read words by one call, as the one text they make, and whatever else there is each for itself.

        No token of the model reaches over a single space, so each word of a text begins where a token does that
        begins with one: half the work of as many texts, each of which would cost a call of its own.
        """
        words = [unit for unit in units if unit and _falls_into_words(unit)]
        ids = self._encoded(" ".join(words))
        starts = 8 * np.flatnonzero(self._begins.take(ids))
        raw, edges = ids.tobytes(), [*starts.tolist(), 8 * len(ids)]
        self._words.update(zip(words, [raw[start:end] for start, end in pairwise(edges)], strict=True))
        for unit in units.difference(words):
            self._words[unit] = self._encoded(unit).tobytes()

    def _encoded(self, text: str) -> NDArray[np.int64]:
        (encoding,) = self._tokenizer.encode_batch_fast([text], add_special_tokens=False)
        return np.array(encoding.ids, np.int64)

    @cached_property
    def _words(self) -> dict[str, bytes]:
        """The token ids of each word seen, as bytes, which are put together faster than lists."""
        return {}

    @cached_property
    def _begins(self) -> NDArray[np.bool_]:
        """Of each token, whether it begins with a space."""
        begins = np.zeros(self._tokenizer.get_vocab_size(), bool)
        vocabulary = self._tokenizer.get_vocab()
        begins[[number for token, number in vocabulary.items() if token[0] == _SPACE_SIGN]] = True
        return begins

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(_shipped("tokenizers", f"{MODEL}_tokenizer_config.json")))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _table(self) -> Vectors:
        from safetensors.numpy import load_file

        weights = load_file(_shipped("weights", f"{MODEL}_{DIMENSION}.safetensors"))
        return np.ascontiguousarray(weights["embedding.weight"], dtype=np.float32)


def _falls_into_words(text: str) -> bool:
    """Not where runs of spaces are tokens, `<s>` might be one, or the sign for a space stands in the text itself."""
    apart = "  " not in text and text[:1] != " " and text[-1:] != " "
    return apart and "<" not in text and _SPACE_SIGN not in text


def _encodable(text: str) -> str:
    """Half a surrogate pair, which broken JSON can hold, has no UTF-8 form: read it as a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _shipped(folder: str, name: str) -> Path:
    """A file of the installed wheel, found without importing the package."""
    spec = find_spec("wordllama")
    for root in (spec.submodule_search_locations or []) if spec else []:
        path = Path(root) / folder / name
        if path.is_file():
            return path
    raise _not_installed()


def _not_installed() -> ConfigError:
    return ConfigError(
        "the wordllama package or its model files are not installed",
        "pip install 'wordllama>=0.4,<0.5', or name another embedder",
    )
