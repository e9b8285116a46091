"""Amounts in words, names by another form, and what took another's place: the guards of the claim checker."""

from __future__ import annotations

import pytest

from rag.verify import acronyms, check
from rag.verify.aliases import initials_match
from rag.verify.align import align
from rag.verify.conflicts import priced
from rag.verify.denial import negation
from rag.verify.displacing import displaced, displacements
from rag.verify.entities import missing_names, numbers
from rag.verify.reading import read


def weights(claim: str, evidence: str) -> list[str]:
    return [finding.weight for finding in numbers(read(claim), read(evidence))]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("It saves about a third of the compute.", "It reduces compute by 34\\%."),
        ("It saves about a third of the compute.", "It reduces compute by 30-40%."),
        ("More than half of the listeners were fooled.", "In all, 55.6% of participants were fooled."),
        ("A roughly tenfold speedup is seen.", "We see a 9.7-12.5$\\times$ speedup."),
        ("It halves the running time.", "It runs 2 times faster."),
        ("Throughput is twice as high.", "Throughput rises from 5 to 10 tokens/s."),
        ("The running time is half as long.", "The running time falls from 10 s to 5 s."),
        ("It is 2 times faster than Beacon.", "Lantern takes 5 s and Beacon 10 s."),
        ("It is 2 times faster than Beacon.", "Beacon takes 10 s and Lantern 5 s."),
        ("It is three orders of magnitude faster.", "It is 1500 times faster."),
        ("Accuracy reaches about 90%.", "It achieves 86-94% accuracy."),
        ("The training of a 4B model is cheap.", "We train Qwen3-4B at low cost."),
    ],
)
def test_rounded_amounts_are_the_same(claim: str, evidence: str) -> None:
    assert weights(claim, evidence) == []


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("It saves a third of the compute.", "It reduces compute by 50%."),
        ("More than half of the listeners were fooled.", "In all, 45.6% of participants were fooled."),
        ("It saves over 40% of memory.", "It saves 81% of memory."),
        ("Accuracy rises by about 12%.", "Accuracy rises by about 30%."),
        ("It is tested on three benchmarks.", "It is tested on five benchmarks."),
        ("It is distilled into four steps.", "It is distilled into a single step."),
        ("Accuracy is 12%.", "Accuracy is 12.4%."),
    ],
)
def test_other_amounts_forbid_support(claim: str, evidence: str) -> None:
    assert weights(claim, evidence) == ["veto"]


@pytest.mark.parametrize(
    ("acronym", "words", "matches"),
    [
        ("LLMs", "we train large language models", True),
        ("GNN", "a graph neural network", True),
        ("GNN", "a graph and a neural network", False),
        ("LLM", "small language models", False),
    ],
)
def test_an_acronym_has_the_letters_that_its_words_begin_with(acronym: str, words: str, matches: bool) -> None:
    assert initials_match(acronym, words.split()) == matches


def test_what_is_listed_may_be_counted() -> None:
    assert weights("It wins on three benchmarks.", "It wins on GAIA, Xbench and HLE.") == ["doubt"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("NSCLC", "patients with non-small cell lung cancer"),
        ("IL-4", "the production of interleukin-4"),
        ("GCNs", "a graph convolutional network"),
        ("reinforcement learning", "we train with RL"),
    ],
)
def test_a_field_knows_its_acronyms(name: str, text: str) -> None:
    assert acronyms.stands_in(name, acronyms.spaced(text))


@pytest.mark.parametrize(("name", "text"), [("IL-4", "interleukin-6 in 4 mice"), ("GPT-5", "5 runs of GPT-4")])
def test_a_part_is_not_the_whole_name(name: str, text: str) -> None:
    assert not acronyms.stands_in(name, acronyms.spaced(text))


def test_a_name_that_the_paper_is_about_may_be_meant() -> None:
    claim, evidence = (
        read("FedQueue keeps staleness bounded."),
        read("Admission control keeps staleness bounded."),
    )
    about = ("FedQueue: Federated Learning on Clusters", evidence.text)
    none = frozenset[str]()
    assert [f.weight for f in missing_names(claim, evidence, none, about, none)] == ["doubt"]
    assert [f.weight for f in missing_names(claim, evidence, none, about[1:], none)] == ["veto"]


def test_a_species_by_its_short_name() -> None:
    claim = read("In the blood, Plasmodium falciparum takes up miRNAs.")
    evidence = read("miRNAs translocate into P. falciparum.")
    none = frozenset[str]()
    assert not list(missing_names(claim, evidence, none, (), none))


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("We replace the softmax with a kernel.", "softmax", "kernel"),
        ("The softmax is replaced by a kernel.", "softmax", "kernel"),
        ("A kernel replaces the softmax.", "softmax", "kernel"),
        ("We use a kernel instead of the softmax.", "softmax", "kernel"),
        ("We use a kernel rather than the softmax.", "softmax", "kernel"),
        ("We substitute a kernel for the softmax.", "softmax", "kernel"),
        ("We switch from the softmax to a kernel.", "softmax", "kernel"),
        ("The kernel is a replacement for the softmax.", "softmax", "kernel"),
    ],
)
def test_what_took_whose_place(text: str, old: str, new: str) -> None:
    reading = read(text)
    (found,) = displacements(reading)
    assert old in [reading.words[place].norm for place in found.old]
    assert new in [reading.words[place].norm for place in found.new]


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("We replace Muon with AdamW.", "We compare runs with Muon and with AdamW.", ["conflict"]),
        ("We use Muon instead of AdamW.", "Both AdamW and Muon train well.", ["conflict"]),
        ("We replace Muon with AdamW.", "We use Muon instead of AdamW.", ["conflict"]),
        ("We replace AdamW with Muon.", "We use Muon instead of AdamW.", []),
        ("We use Muon instead of AdamW.", "We swap AdamW for Muon.", ["conflict"]),
        ("We use Muon rather than AdamW.", "Training uses Muon, not AdamW.", []),
    ],
)
def test_two_things_listed_do_not_replace_each_other(claim: str, evidence: str, expected: list[str]) -> None:
    found = displaced(align(read(claim), read(evidence)))
    assert [finding.weight for finding in found] == expected


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("NO activates the enzyme.", "Nitric oxide activates the enzyme.", []),
        ("Its data are free to all readers.", "Its data are open to all readers.", []),
        ("Nobody had reproduced it before.", "This is the first reproduction of it.", []),
        ("The method does not improve accuracy.", "The method improves accuracy.", ["conflict"]),
        (
            "A bad triangle is not a triangle with exactly one negative edge.",
            "A bad triangle is a triangle with exactly one negative edge, and the graph does not have a bad triangle.",
            ["conflict"],
        ),
    ],
)
def test_a_denial_counts_where_it_meets_what_it_denies(claim: str, evidence: str, expected: list[str]) -> None:
    found = negation(align(read(claim), read(evidence)))
    assert [finding.weight for finding in found] == expected


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("It speeds up decoding at a small loss.", "It gives a lossless speedup of decoding."),
        (
            "It reasons better, but at some cost in vision.",
            "It reasons better without compromising its vision.",
        ),
        (
            "It prunes the model without hurting accuracy.",
            "It prunes the model with a small drop in accuracy.",
        ),
    ],
)
def test_a_price_is_not_free(claim: str, evidence: str) -> None:
    assert [finding.weight for finding in priced(align(read(claim), read(evidence)))] == ["conflict"]
    assert not list(priced(align(read(claim), read(claim))))


def test_the_checker_asks_for_words_of_exchange() -> None:
    listed = "We tune hyperparameters for DiLoCo, MuLoCo, AdamW DP, and Muon DP."
    found = check("MuLoCo replaces AdamW with Muon.", [listed])
    assert found.outcome != "supported" and any("“replaces”" in reason for reason in found.reasons)
