"""What a thing is, how old, which is the least: what a sentence must say, and the nearest that does not."""

from __future__ import annotations

import pytest

from rag.extract.defining import NAMES, defines, letters_asked, thing_asked
from rag.extract.degrees import degree_told
from rag.extract.matching import speaks_of
from rag.extract.passage import read
from rag.question import understand
from rag.question.premise import premise_of
from rag.text.normalise import fold


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("What is the Kelpwell set?", "kelpwell set"),
        ("What is the pressure?", ""),
        ("What is the KelpNet accuracy?", ""),
        ("What are KelpNet's three parts?", ""),
        ("What does KPN stand for?", "kpn"),
    ],
)
def test_a_name_after_the_is_a_thing_and_an_amount_is_none(question: str, thing: str) -> None:
    assert thing_asked(understand(question)) == thing


@pytest.mark.parametrize(
    ("question", "sentence", "told"),
    [
        ("What does KPN stand for?", "Kelp Pressure Networks (KPN) are fast.", True),
        ("What does KPN stand for?", "KPN is a network that is fast.", False),
        ("What is KPN?", "We count by Kelp Pressure Networks (KPN).", True),
        ("What is KPN?", "We compare with KPN.", False),
        ("What is tidal slack?", "We measure a statistic named tidal slack.", True),
        ("What are confounders?", "Policies depend on unobserved variables (i.e., confounders).", True),
        ("What is KLP3?", "The host protein KLP3 is found in every reef.", True),
        ("What is kelpotin?", "This review focuses on kelpotin (KL 67), a selective inhibitor.", True),
        ("What is the SOP paradigm?", "Others follow the Sensor On Platform (SOP) paradigm.", True),
        ("What is the Kelpwell set?", "Pipelines yield a Kelpwell set of many equal models.", True),
        ("What is the Kelpwell set?", "A large Kelpwell set enables robustness.", False),
        ("What is KPN?", "We study KPN, the space of all pressures.", True),
        ("What is KPN?", "With KPN, the model is fast.", False),
        ("What is a kelp pressure network?", "We use kelp pressure networks (KPN) to count.", False),
    ],
)
def test_what_a_thing_is_may_stand_in_a_bracket_or_before_its_name(question: str, sentence: str, told: bool) -> None:
    asked = understand(question)
    thing = thing_asked(asked)
    named = any(word in asked.names for word in thing.split())
    held = defines(thing, read(sentence), named=named, own=False, letters=letters_asked(fold(question)))
    assert (held >= NAMES) is told


@pytest.mark.parametrize(
    ("question", "sentence", "told"),
    [
        ("How old were the whales?", "We followed 45 whales.", "silent"),
        ("How old were the whales?", "The whales were aged 12 on average.", "tells"),
        ("How fast is KelpNet?", "KelpNet counts 40 species.", "silent"),
        ("How fast is KelpNet?", "KelpNet is 3 times faster.", "tells"),
        ("Which model is the most sleepy?", "The best model, KPN, gives sleepy answers.", "silent"),
        ("Which model is the least sleepy?", "The best model, KPN, gives sleepy answers.", "open"),
        ("Which model is the most accurate?", "KPN has the best accuracy.", "open"),
        ("Which model is the least accurate?", "The best model, KPN, gives accurate answers.", "silent"),
        ("Which reef is the least noisy?", "The north reef has the highest noise.", "silent"),
        ("Which reef is the least noisy?", "The north reef has the lowest noise.", "open"),
        ("Which model is the most sycophantic?", "The best model agrees with every claim.", "silent"),
        ("What does even the strongest model miss?", "Models miss herring.", "open"),
    ],
)
def test_a_degree_is_told_by_its_own_dimension_and_side(question: str, sentence: str, told: str) -> None:
    assert degree_told(understand(question), read(sentence)) == told


def test_what_picks_the_most_of_several_grants_nothing() -> None:
    assert premise_of("Which baseline does KelpNet outperform most?") is None
    assert premise_of("Why does KelpNet lose most herring?") is not None


def test_the_parts_of_a_compound_count_where_they_stand_together() -> None:
    assert speaks_of("mixture-model", read("It is a mixture of models."))
    assert not speaks_of("mixture-model", read("A model of the sea that holds a brine mixture."))


@pytest.mark.parametrize("text", ["KelpNet: what is EAGLE-3 for?", "KelpNet: is that on four GPUs?"])
def test_what_is_spoken_of_before_a_question_makes_it_no_statement(text: str) -> None:
    assert premise_of(text) is None
