"""A question held against the sentence chosen for it: sharing words is not saying all of it."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rag.extract.model import SUMMARY, from_json
from rag.extract.passage import read
from rag.extract.stated import STATED, stated
from rag.question import understand

_TITLE = read("KelpNet: Counting Fish from Sound")
_SENTENCE = "KelpNet cuts off low frequencies by a learned filter, and counts herring from hydrophone recordings."


def _values(question: str, sentence: str = _SENTENCE) -> dict[str, float]:
    found = stated(understand(question), read(sentence), _TITLE, [sentence])
    return dict(zip(STATED, found.tolist(), strict=True))


def test_what_the_sentence_does_not_say_is_counted_where_it_stands_in_the_question() -> None:
    said, unsaid = _values("How are low frequencies cut off?"), _values("How are low frequencies annotated?")
    assert (said["rest_unmet"], unsaid["rest_unmet"]) == (0.0, 1.0)
    assert (said["last_met"], unsaid["last_met"]) == (1.0, 0.0)
    assert said["claim_stem_coverage"] > unsaid["claim_stem_coverage"]


def test_words_that_stand_together_in_the_question_should_in_the_sentence() -> None:
    together, apart = _values("Are hydrophone recordings used?"), _values("Are herring frequencies used?")
    assert together["pair_nearest"] == 1.0 < apart["pair_nearest"]


def test_what_the_sentence_tells_beyond_the_question_is_counted() -> None:
    told = _values("Which fish does KelpNet count?")
    nothing = _values("Which fish does KelpNet count?", "KelpNet counts fish.")
    assert told["new_words"] > nothing["new_words"] == 0.0
    assert told["which"] == 1.0 and told["wants_number"] == 0.0


@given(st.text(max_size=120), st.text(max_size=200))
@example("1/0", "0/0 of 1/0")
def test_any_question_and_sentence_are_measured(question: str, sentence: str) -> None:
    found = stated(understand(question), read(sentence), _TITLE, [sentence])
    assert found.shape == (len(STATED),) and np.isfinite(found).all()


def test_weights_for_what_is_no_longer_measured_are_named() -> None:
    held = json.loads(files("rag.weights").joinpath("extract.json").read_text(encoding="utf-8"))
    assert from_json(held) and len(set(SUMMARY)) == len(SUMMARY)
    with pytest.raises(ValueError, match=r"wants the feature shoe_size: run `python -m evals.fit_extract`"):
        from_json({**held, "stated": ["shoe_size"]})
