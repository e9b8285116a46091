"""Vectors of texts already seen: the sentences and words of the best papers come back question after question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from rag.embed import Embedder

MOST_KEPT: Final = 40_000
_kept: dict[tuple[str, str], NDArray[np.float32]] = {}


def embedded(texts: Sequence[str], embedder: Embedder) -> NDArray[np.float32]:
    """(n, d), as `embedder.embed`, calling it once for what is new. Raises ModelError."""
    name = embedder.identity
    missing = list(dict.fromkeys(text for text in texts if (name, text) not in _kept))
    new = dict(zip(missing, embedder.embed(missing), strict=True)) if missing else {}
    rows = [new[text] if text in new else _kept[name, text] for text in texts]
    if len(_kept) + len(new) > MOST_KEPT:
        _kept.clear()
    _kept.update({(name, text): row for text, row in new.items()})
    return np.stack(rows)
