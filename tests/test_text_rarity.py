"""How much a word tells, from nothing to all."""

from __future__ import annotations

from rag.text.rarity import known, share, total, weight
from rag.text.tokens import stem_of


def test_weights_go_from_common_words_to_those_that_nobody_uses() -> None:
    common, rare, unknown = stem_of("model"), stem_of("wavelet"), "zzyzx"
    assert 0 < weight(common) < weight(rare) < weight(unknown) == 1.0
    assert known(common) and not known(unknown)
    assert 0 < share(unknown) < share(common) < 1
    assert total([common, unknown, unknown]) == weight(common) + 2
