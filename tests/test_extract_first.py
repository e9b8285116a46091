"""What a reader sees first: the sentence that answers, not one that shares a name; and what nobody speaks of."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from extract_corpus import Asking, shown

from rag.extract.forms import denied, measured, worsening_denied
from rag.extract.passage import read
from rag.extract.reversal import turned_round, unmoved
from rag.text.tokens import stem_of
from rag.types import Paper

_TEXTS = {
    "HarborNet: Packing Video into Few Tokens": (
        "Video models read far too many tokens. "
        "Existing compressors discard frames and do not reward tokens that matter, so that details are lost. "
        "We introduce HarborNet, which packs neighbouring frames into one token. "
        "A gate is trained with a sparsity loss to reward tokens that carry motion. "
        "Packing is lossless and independent of frame rate. "
        "The tide gap of packed frames is small and the tide gap of others is not. "
        "We measure it by the tide gap (TG), which quantifies motion. "
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
    "Cold Packs after Knee Surgery": (
        "OBJECTIVE To determine whether cold packs reduce swelling after knee surgery. "
        "We treated 80 patients with cold packs for a week. "
        "RESULTS Swelling was a third lower with cold packs than without them."
    ),
    "GustCast: Wind Forecasts for Small Turbines": (
        "Wind is forecast by physical models. "
        "However, forecasting wind at low heights is hard for forecasting systems. "
        "We propose GustCast, a forecasting network for wind at low heights. "
        "In contrast, forecasting wind with GustCast takes one second."
    ),
    "Night Lights and Moths: a Trial in Ten Meadows": (
        "It is widely believed that night lights reduce visits of moths to clover. "
        "We counted visits of moths to clover in ten lit and ten dark meadows. "
        "The visits did not differ between them. "
        "Seed set (SS) was measured in August. "
        "Lights lowered SS by 12%. "
        "We conclude that moths matter less than bees. "
        "We report the beetle Nox minor from one meadow. "
        "Its body length is 4.1 mm."
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
        ("What is the tide gap?", "which quantifies"),
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


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Do night lights reduce visits of moths to clover?", "did not differ"),
        ("What did the trial of night lights and moths conclude?", "We conclude"),
        ("By how much did lights lower seed set?", "lowered SS by 12%"),
    ],
)
def test_what_came_out_goes_before_what_was_done_or_believed(asking: Asking, question: str, first: str) -> None:
    found = asking.ask(question)
    assert found.answered, found.reason
    assert first in found.draft.sentences[0].text


def test_what_only_asks_is_not_shown_for_an_answer(asking: Asking) -> None:
    said = [each.text for each in asking.ask("Do cold packs reduce swelling after knee surgery?").draft.sentences]
    assert "third lower" in said[0]
    assert not any("To determine" in each for each in said)


def test_what_its_says_of_a_named_thing_is_shown_after_its_name(asking: Asking) -> None:
    assert "4.1 mm" in shown(asking.ask("What is the body length of Nox minor?"))


def test_what_stayed_as_it_was_denies_that_it_moved(asking: Asking) -> None:
    found = asking.ask("Why do night lights reduce visits of moths to clover?")
    assert found.note == "the abstract says otherwise than the question"
    assert "did not differ" in found.draft.sentences[0].text


@pytest.mark.parametrize(
    ("premise", "sentence", "denied"),
    [
        ("phone bans improve grades", "Grades did not change after phone bans.", True),
        ("phone bans lower grades", "Grades did not change after phone bans.", True),
        ("phone bans raise reading", "Phone bans left maths higher and no higher in reading.", True),
        ("phone bans lower reading", "Phone bans left maths higher and no higher in reading.", False),
        ("phone bans lower bullying", "Grades did not change after phone bans, bullying did.", False),
        ("phone bans of teachers raise grades", "Grades did not change after phone bans.", False),
    ],
)
def test_only_the_very_thing_is_said_to_be_unmoved(premise: str, sentence: str, denied: bool) -> None:
    passage = read(sentence)
    assert unmoved(premise, passage, [passage]) is denied


def test_another_sentence_that_moves_it_keeps_the_premise() -> None:
    still, moving = read("Emissions of carbon dioxide were unchanged."), read("Worms increased emissions of methane.")
    assert not unmoved("worms increase emissions", still, [still, moving])
    assert unmoved("worms increase emissions", still, [still, read("Worms live in soil.")])


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
    ("noun", "sentence", "given"),
    [
        ("dose", "Pigs were fed 7.4 mg/kg of RAC.", True),
        ("dose", "Pigs were fed 74 times.", False),
        ("temperature", "It melts at 60 °C.", True),
        ("duration", "It lasted 3 weeks.", True),
        ("colour", "It lasted 3 weeks.", False),
    ],
)
def test_a_number_with_its_unit_speaks_of_what_it_measures(noun: str, sentence: str, given: bool) -> None:
    assert measured(stem_of(noun), read(sentence)) is given


@pytest.mark.parametrize(
    ("word", "of"),
    [("lossless", "loss"), ("unlabeled", "label"), ("independent", "depend"), ("input", ""), ("indeed", "")],
)
def test_what_a_word_denies_by_its_form(word: str, of: str) -> None:
    assert denied(word) == of
