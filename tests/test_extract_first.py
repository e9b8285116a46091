"""What a reader sees first: the sentence that answers, not one that shares a name; and what nobody speaks of."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from extract_corpus import Asking, shown

from rag.extract.forms import denied, worsening_denied
from rag.extract.passage import read
from rag.extract.reversal import turned_round
from rag.types import Paper

_TEXTS = {
    "HarborNet: Packing Video into Few Tokens": (
        "Video models read far too many tokens. "
        "Existing compressors discard frames and do not reward tokens that matter, so that details are lost. "
        "We introduce HarborNet, which packs neighbouring frames into one token. "
        "A gate is trained with a sparsity loss to reward tokens that carry motion. "
        "Packing is lossless and independent of frame rate. "
        "Experiments with $K\\geq1$ workers show that HarborNet, tuned like AdamW and Lion baselines with the Muon "
        "inner optimizer, is faster than FrameDrop. "
        "On a single NVIDIA RTX 4090 it reads 90 frames a second and lowers memory by 40%."
    ),
    "Counting Whales from Satellites": (
        "Whales are hard to count. "
        "We present BlueCount, a detector for whales in satellite images. "
        "BlueCount was built from 4,300 labelled images of seven bays. "
        "It finds 92% of the whales that boats report."
    ),
    "GustCast: Wind Forecasts for Small Turbines": (
        "Wind is forecast by physical models. "
        "However, forecasting wind at low heights is hard for forecasting systems. "
        "We propose GustCast, a forecasting network for wind at low heights. "
        "In contrast, forecasting wind with GustCast takes one second."
    ),
}
PAPERS = tuple(
    Paper(f"openreview:h{number}", title, "given", text, authors=("Ada Lund",), year=2026, venue="ICML")
    for number, (title, text) in enumerate(_TEXTS.items())
)


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    held = Asking(tmp_path_factory.mktemp("first"), PAPERS)
    yield held
    held.library.close()


@pytest.mark.parametrize(
    ("question", "unsaid"),
    [
        ("Does HarborNet use a transformer?", "transformer"),
        ("Does BlueCount need a submarine?", "submarine"),
        ("Is BlueCount trained on thermal video?", "thermal video"),
        ("How was BlueCount judged by biologists?", "biologists"),
    ],
)
def test_what_no_sentence_of_the_named_paper_speaks_of_is_refused_and_named(
    asking: Asking, question: str, unsaid: str
) -> None:
    found = asking.ask(question)
    assert not found.answered
    assert f"does not speak of “{unsaid}”" in str(found.reason)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Does HarborNet lose frames?", "lossless"),
        ("Is HarborNet's packing dependent on frame rate?", "independent"),
        ("Which GPU does HarborNet run on?", "RTX 4090"),
        ("How are tokens rewarded?", "A gate is trained"),
        ("Does BlueCount use labelled images?", "4,300 labelled"),
    ],
)
def test_the_sentence_that_answers_goes_first(asking: Asking, question: str, first: str) -> None:
    found = asking.ask(question)
    assert found.answered, found.reason
    assert first in found.draft.sentences[0].text


@pytest.mark.parametrize("question", ["How many workers does HarborNet use?", "How many labellers did BlueCount pay?"])
def test_a_condition_and_what_was_done_count_nobody(asking: Asking, question: str) -> None:
    assert "4,300" not in shown(asking.ask(question))
    assert "workers" not in shown(asking.ask(question))


def test_a_premise_turned_round_is_said_to_be_so(asking: Asking) -> None:
    found = asking.ask("Why does HarborNet raise memory?")
    assert found.note == "the abstract says otherwise than the question"
    assert "lowers memory" in found.draft.sentences[0].text


def test_a_comparison_that_no_sentence_makes_is_noted(asking: Asking) -> None:
    found = asking.ask("Why is HarborNet slower than FrameDrop?")
    assert found.note is not None
    assert asking.ask("Why is HarborNet faster than FrameDrop?").note is None


def test_an_item_of_a_list_does_not_open_with_however(asking: Asking) -> None:
    found = asking.ask("Which papers are about forecasting wind?")
    assert found.draft.sentences[0].text.startswith("We propose GustCast")


@pytest.mark.parametrize(
    ("premise", "sentence", "turned"),
    [
        ("Tidal increases abstention", "Tidal keeps risk low while reducing abstention by 31%.", True),
        ("Tidal reduces abstention", "Tidal keeps risk low while reducing abstention by 31%.", False),
        ("Tidal increases accuracy", "Tidal reduces cost and keeps accuracy.", False),
        ("Tidal increases cost", "However, existing methods reduce cost.", False),
    ],
)
def test_only_the_very_thing_in_the_other_direction_is_turned_round(premise: str, sentence: str, turned: bool) -> None:
    assert turned_round(premise, read(sentence)) is turned


@pytest.mark.parametrize(
    ("premise", "denied"),
    [
        ("KelpNet sacrifices output quality", True),
        ("KelpNet degrades accuracy", True),
        ("KelpNet speeds up decoding without losing quality", False),
        ("KelpNet loses whales", False),
    ],
)
def test_lossless_denies_that_what_one_wants_gets_worse(premise: str, denied: bool) -> None:
    assert worsening_denied(premise, read("KelpNet achieves lossless acceleration.")) is denied


@pytest.mark.parametrize(
    ("word", "of"),
    [("lossless", "loss"), ("unlabeled", "label"), ("independent", "depend"), ("input", ""), ("indeed", "")],
)
def test_what_a_word_denies_by_its_form(word: str, of: str) -> None:
    assert denied(word) == of
