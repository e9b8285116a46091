"""What is asked must be told: details abstracts never hold, counts, definitions, lists by their whole topic."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from extract_corpus import Asking, shown

from rag.extract.choose import is_answer
from rag.extract.defining import defines, thing_asked
from rag.extract.details import details_asked, limits_asked, limits_told
from rag.extract.features import FEATURES
from rag.extract.passage import read
from rag.extract.premises import denies_outright
from rag.extract.scene import Candidate
from rag.extract.tells import telling
from rag.question import understand
from rag.text.normalise import fold
from rag.types import Paper, Sentence

_TITLE = read("KelpNet: Counting Fish from Sound")


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    yield Asking(tmp_path_factory.mktemp("tells"))


@pytest.mark.parametrize(
    "question",
    [
        "Who funded TidePool?",
        "Who funded the work on counting seedlings?",
        "What is the email address of the first author of TidePool?",
        "What did the reviewers think of MossNet?",
        "Under which licence is MossNet released?",
        "How much carbon did training MossNet emit?",
        "Was the TidePool paper accepted as an oral?",
        "What learning rate was used to train MossNet?",
        "What is the page count of the MossNet paper?",
    ],
)
def test_a_detail_that_abstracts_never_hold_is_refused_and_named(asking: Asking, question: str) -> None:
    found = asking.ask(question)
    assert not found.answered, shown(found)
    assert "say anything of" in (found.reason or "")


def test_a_detail_is_looked_for_where_the_paper_speaks_of_it() -> None:
    (detail,) = details_asked("who funded the work?")
    assert detail.told.search("this study was funded by the reef trust")
    assert not details_asked("how does funding of schools change grades in 2 countries?".replace("funding", "size"))


@pytest.mark.parametrize(
    ("question", "sentence", "told"),
    [
        ("How many reefs does KelpNet cover?", "KelpNet listens to 14 coral reefs in Fiji.", "tells"),
        (
            "How many reefs does KelpNet cover?",
            "KelpNet was tested on reefs 31% noisier than before.",
            "silent",
        ),
        ("How many parameters does KelpNet have?", "KelpNet comes in 70M and 1.5B.", "tells"),
        ("Which hydrophone does KelpNet use?", "A Marlin hydrophone records the sound for KelpNet.", "tells"),
        ("Which retriever does KelpNet use?", "KelpNet retrieves similar calls.", "silent"),
        ("Who founded the reef trust?", "The reef trust pays for KelpNet and its experts.", "silent"),
        ("Who discovered the call?", "The call was discovered by Jane Roe in a lagoon.", "tells"),
        ("Which experts judged the calls?", "Three divers judged the calls.", "open"),
    ],
)
def test_a_sentence_tells_or_is_silent(question: str, sentence: str, told: str) -> None:
    assert telling(understand(question), read(sentence), _TITLE) == told


@pytest.mark.parametrize(
    ("question", "sentence", "defined"),
    [
        (
            "what is late evidence?",
            "We study late evidence, where support for a claim arrives afterwards.",
            True,
        ),
        ("What are coverage gaps?", 'Some areas are never asked about ("coverage gaps").', True),
        (
            "What is the mirror trap?",
            "Models fall into the mirror trap: they repeat what they are asked.",
            True,
        ),
        ("What is ghrelin?", "Ghrelin is a hunger hormone of the stomach.", True),
        (
            "What is a convolutional network?",
            "We introduce Steerable Convolutional Networks, a way to turn.",
            False,
        ),
        ("What is overfitting?", "We address the overfitting problem by leveraging prior knowledge.", False),
        ("What is DNA repair?", "DNA repair plays an important role in health and disease.", False),
    ],
)
def test_a_definition_says_what_the_thing_is(question: str, sentence: str, defined: bool) -> None:
    thing = thing_asked(understand(question))
    assert (defines(thing, read(sentence), named=False, own=False) == 1.0) == defined


def test_the_paper_of_an_author_is_asked_about_by_its_topic(asking: Asking) -> None:
    found = asking.ask("What does the attention cache paper by Ada Lund evict entries by?")
    assert "learned estimate" in shown(found), found.reason


def test_a_list_leaves_out_what_holds_half_of_a_topic_that_others_hold_whole(asking: Asking) -> None:
    found = asking.ask("Which papers use federated learning for speech?")
    assert {held.paper.title for held in found.evidence} == {"Federated Tuning of Speech Models"}


def test_a_system_in_lower_case_is_the_one_that_a_paper_brings_in(asking: Asking) -> None:
    assert "12,400" in shown(asking.ask("how many images was mossnet trained on"))
    assert understand("does mossnet count seedlings", asking.library).papers


@pytest.mark.parametrize(
    ("premise", "sentence", "denied"),
    [
        (
            "KelpNet need a labelled chart",
            "KelpNet listens to reefs without requiring a labelled chart.",
            True,
        ),
        ("KelpNet listen to reefs", "KelpNet listens to reefs without requiring a labelled chart.", False),
        ("KelpNet listen to reefs", "KelpNet listens to reefs by night.", False),
    ],
)
def test_what_a_without_takes_away_denies_a_premise_of_the_same_words(
    premise: str, sentence: str, denied: bool
) -> None:
    assert denies_outright(premise, read(sentence)) is denied


def test_the_makers_of_a_thing_are_not_the_authors_of_a_paper_that_mentions_it(asking: Asking) -> None:
    assert not asking.ask("Who invented federated learning?").answered
    assert "Ada Lund" in shown(asking.ask("Who introduced TidePool?"))


def test_a_count_tells_how_many_papers_hold_the_whole_topic(asking: Asking) -> None:
    assert "2 papers" in shown(asking.ask("How many papers are about federated learning?"))


def test_others_limits_are_no_limitation_of_a_paper_s_own() -> None:
    others = "however, existing methods are limited by sequential drafting."
    assert limits_asked("what are the limitations of mossnet?")
    assert not limits_told(("mossnet",), [others, "we propose mossnet, which drafts in parallel."])
    assert limits_told(("mossnet",), [others, "mossnet fails on long inputs."])
    assert limits_told(("mossnet",), ["a limitation of our method is its memory."])


def test_who_reviewed_a_paper_is_a_detail_and_who_reviewed_the_answers_is_not() -> None:
    assert details_asked("who reviewed mossnet?")
    assert not details_asked("who reviewed the generated answers of the models?")


@pytest.mark.parametrize(
    "question",
    [
        "should language models write reviews, and can authors trick such a reviewer by rewording the paper?",
        "training by RL eats hundreds of GPU days, is there a cheaper way?",
        "cheap way to tune rank, alpha, learning rate etc for adapters with what a model already knows",
        "How do high-scoring models fail in the authors' view?",
    ],
)
def test_a_topic_that_only_mentions_such_a_detail_does_not_ask_for_it(question: str) -> None:
    assert not details_asked(fold(question))


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What reduction in collision rate does KelpNet show?", "KelpNet reduces the collision rate by over 20%."),
        ("What average pass rate do agents get?", "The best agents achieve merely 40\\% average test pass rates."),
        ("On which benchmarks was KelpNet evaluated?", "Across LoCoMo, LongMemEval, and HotpotQA, KelpNet is best."),
        ("How many disulfide bonds are there?", "It has multiple disulfide bonds (about 1500 in total)."),
        ("How many people were scanned?", "We performed imaging on 45 patients with major depression."),
        ("What are the units that KelpNet uses called?", "KelpNet signs by supernodes that cause predictions."),
    ],
)
def test_a_sentence_that_tells_is_not_taken_for_silent(question: str, sentence: str) -> None:
    assert telling(understand(question), read(sentence), _TITLE) != "silent"


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How many people were scanned?", "We performed imaging of patients with major depression."),
        ("What are the names of the units that KelpNet uses?", "KelpNet signs by units that cause predictions."),
        ("How many leaks are in KPN?", "KPN is a benchmark that covers the whole of leak discovery."),
    ],
)
def test_and_one_that_does_not_tell_still_is(question: str, sentence: str) -> None:
    assert telling(understand(question), read(sentence), _TITLE) == "silent"


def test_a_system_that_no_paper_mentions_is_not_answered_for_by_another(asking: Asking) -> None:
    found = asking.ask("Which aggregators does GraphSAGE compare?")
    assert not found.answered and found.reason == "no paper that was found mentions GraphSAGE", shown(found)


@pytest.mark.parametrize(
    ("question", "unmet", "answers"),
    [
        ("Which aggregators does GraphSAGE compare?", 1.0, False),
        ("Which aggregators does GraphSAGE compare?", 0.0, True),
        ("Why did Medusa beat lookahead decoding?", 1.0, False),
        ("Why do Bayesian methods beat lookahead decoding?", 1.0, True),
        ("Why do agents of RL beat lookahead decoding?", 1.0, True),
    ],
)
def test_however_likely_a_paper_without_the_system_does_not_answer_for_it(
    question: str, unmet: float, answers: bool
) -> None:
    features = np.zeros(len(FEATURES))
    features[FEATURES.index("names_unmet")] = unmet
    candidate = Candidate(Paper("p", "T", "given", "A."), Sentence("p", 0, 0, 2), read("A."), 1, features)
    assert is_answer(understand(question), candidate, 0.99, 0.2) is answers
