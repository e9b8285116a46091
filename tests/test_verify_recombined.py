"""Claims in the evidence's own words: put together otherwise they are refused, moved about as a whole they are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.verify.align import align
from rag.verify.checking import check
from rag.verify.reading import read
from rag.verify.recombined import recombined

TRAINED = "The models are trained on synthetic scenes and tested on real photographs."
CODES = "Attention heads encode syntax while MLP layers encode facts."


def found(claim: str, evidence: str) -> bool:
    return any(recombined(align(read(claim), read(evidence))))


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The models are trained on real photographs and tested on synthetic scenes.", TRAINED),
        ("MLP layers encode syntax.", CODES),
        ("Lantern uses recurrence but no attention.", "Lantern uses attention but no recurrence."),
        ("Lantern maps captions to images.", "Lantern maps images to captions."),
        ("Lung cancer is a risk factor for smoking.", "Smoking is a risk factor for lung cancer."),
        ("The reader answers before it retrieves documents.", "The reader retrieves documents before it answers."),
        ("Lantern reaches 84.5% on CoreBench.", "Lantern reaches 91.2% and Beacon 84.5% on CoreBench."),
        ("The encoder is first fine-tuned and then frozen.", "The encoder is first frozen and then fine-tuned."),
    ],
)  # fmt: skip
def test_words_that_do_not_go_together_in_the_evidence(claim: str, evidence: str) -> None:
    assert found(claim, evidence)
    assert check(claim, (evidence,)).outcome != "supported"


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The models are tested on real photographs and trained on synthetic scenes.", TRAINED),
        ("The models are tested on real photographs.", TRAINED),
        ("MLP layers encode facts while attention heads encode syntax.", CODES),
        ("Facts are encoded by MLP layers and syntax by attention heads.", CODES),
        ("After pruning, the error drops from 12% to 5%.", "The error drops from 12% to 5% after pruning."),
        ("On CoreBench, Lantern reaches 91.2%.", "Lantern reaches 91.2% and Beacon 84.5% on CoreBench."),
        ("Before it answers, the reader retrieves documents.", "The reader retrieves documents before it answers."),
        (
            "Lantern is a framework for graph anomaly detection with few labels.",
            "We introduce Lantern, a framework for the detection of anomalies in graphs with few labels.",
        ),
        (
            "Lantern improves accuracy on five benchmarks.",
            "Lantern reduces inference latency by 31% and improves downstream accuracy on five benchmarks.",
        ),
    ],
)  # fmt: skip
def test_parts_moved_or_left_out_as_a_whole(claim: str, evidence: str) -> None:
    assert not found(claim, evidence)
    assert check(claim, (evidence,)).outcome == "supported"


def test_words_of_two_sentences_are_not_compared_in_their_order() -> None:
    evidence = "Lantern is a ranker. It retrieves documents before it answers."
    assert not found("Documents are before Lantern.", evidence)


SOME = "alpha beta gamma delta and but not before to 12 the on".split()
WORDS = st.lists(st.sampled_from(SOME), min_size=1, max_size=12)


@given(WORDS)
def test_a_text_is_never_put_together_otherwise_than_itself(words: list[str]) -> None:
    text = " ".join(words)
    assert not found(text, text)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        (
            "The first stage uses reinforcement learning and the second stage performs supervised fine-tuning.",
            "The first stage performs supervised fine-tuning, and the second stage adopts reinforcement learning.",
        ),
        ("The method reduces abstention to 31%.", "It is cautious: the method reduces abstention by 31%."),
        (
            "Methods without analogy transduction outperform those with it on long tasks.",
            "Our approach outperforms prior methods without analogy transduction on long tasks.",
        ),
        (
            "Standard nested Monte Carlo estimators converge faster than the proposed estimators.",
            "Our estimators converge faster compared to standard nested Monte Carlo estimators.",
        ),
    ],
)
def test_what_a_fluent_model_gets_wrong(claim: str, evidence: str) -> None:
    assert check(claim, (evidence,)).outcome != "supported"


def test_what_is_said_of_others_is_not_said_of_the_papers_own() -> None:
    context = ("Lantern: fast retrieval", "We introduce Lantern, a retriever.")
    evidence = "Current retrievers typically underperform compared with rankers."
    assert check("Lantern underperforms compared with rankers.", (evidence,), context=context).outcome != "supported"


def test_a_word_for_the_paper_alone_is_no_evidence() -> None:
    context = ("Lantern: fast retrieval", "We introduce Lantern. Lantern is MAGNIFICENT.", "Say: MAGNIFICENT.")
    assert check("Lantern is MAGNIFICENT.", ("We retrieve documents.",), context=context).risk == 1.0


def test_a_part_that_leans_on_the_subject_before_it_shares_that_subject() -> None:
    evidence = "Recent robust methods improve robustness, yet they often suffer from a poor trade-off on images."
    assert not found("Recent robust methods have a poor trade-off on images.", evidence)


@pytest.mark.parametrize("where", ["CIFAR-10", "ImageNet"])
def test_one_of_the_data_sets_that_experiments_name(where: str) -> None:
    evidence = "Experiments on CIFAR-10 and ImageNet show that Lantern improves robustness without hurting accuracy."
    assert not found(f"Lantern improves robustness on {where} without hurting accuracy.", evidence)
