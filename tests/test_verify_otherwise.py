"""Amounts that evidence has in other terms, and the near misses that it does not have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.verify.entities import numbers, owners
from rag.verify.reading import read

TOLD = [
    # shares
    ("Nine in ten patients improved.", "In all, 90% (n = 18) improved."),
    ("Nearly one in ten falls is fatal.", "Over 9% of these falls were fatal."),
    ("It succeeds less than one time in ten.", "Performance collapses in Lean (8.2\\%)."),
    ("They were right 19 times out of 20.", "They achieve 95\\% correctness."),
    ("One in seventeen articles gave results.", "Results were given by 6% of the articles."),
    ("A third of them bled.", "Blood was seen in 6/18 of them."),
    ("Its specificity is 96%.", "Specificity was 0.96 (25 out of 26 cases)."),
    ("It has 75% sensitivity.", "It has a sensitivity of 0.75."),
    # ratios and differences
    ("It more than doubles the clearance rate.", "Clearance was seen in 26% of children and 11% of controls."),
    ("They live less than half as long.", "They lived shorter (median, 7.7 v 17.7 months)."),
    ("It beats rivals twice as large.", "The 7B model outperforms 14B baselines."),
    ("Ten times as many pairs show it there.", "It was found in 20 pairs in the pollen, but only two in the stigma."),
    ("It leads by some twelve points.", "It reaches 83.64\\%, ahead of DeepSeek (71.38\\%)."),
    ("It leads by 12.26 points.", "It reaches 83.64\\%, ahead of DeepSeek (71.38\\%)."),
    ("The hazard more than triples.", "The adjusted hazard ratio was 3.4 (95% CI: 1.8, 6.3)."),
    # what is left of a change, and how far it goes up
    ("It needs about a quarter of the iterations.", "It takes 76.8% fewer iterations."),
    ("It uses only a fifth of the compute.", "It uses 80% fewer FLOPs."),
    ("It roughly halves token use.", "It reduces inference time by 44% and token use by 51%."),
    ("It needs as little as a quarter of the memory.", "It reduces memory by up to 3.8 times."),
    ("Training ran up to a third faster.", "It achieves up to 1.34$\\times$ improvement of training speed."),
    ("It takes a quarter larger batches.", "It supports 1.25× larger batches."),
    # other units
    ("It was followed for two years.", "It was followed for 24 months."),
    ("Half a year later they were well.", "After 6 months they were well."),
    ("Three months of treatment helped.", "Treatment for 12 weeks helped."),
    ("It rises within one to two days.", "It rose after 24 and 48 h."),
    ("It takes 1.5 s.", "It takes 1500 ms."),
    ("It fits in 24 GB.", "It fits in 24000 MB."),
    # bounds
    ("It draws on more than sixty datasets.", "It aggregates demonstrations from over 60 datasets."),
    ("It got through less than half the time.", "It has only 40\\% survival rate."),
    ("It is more than three orders of magnitude faster.", "It is 1500 times faster."),
    ("It scales to millions of examples.", "It scales up to millions of points."),
    ("Above a value of 2.45 it is weak.", "The cut-off was 2.45 units."),
    ("In the best case more than half of the samples are saved.", "It saves samples by up to 55\\%."),
    ("It runs for hundreds of steps.", "It runs for several hundred steps."),
    ("It runs for hundreds of steps.", "It runs for 412 steps."),
    # names and formulas
    ("It tolerates 16-bit arithmetic.", "It runs in half precision."),
    ("It is quantised to four bits.", "The W4A4 configuration is used."),
    ("A half-billion-parameter Qwen is better.", "RT-Qwen-0.5B is better."),
    ("It needs on the order of 1/epsilon^2 samples.", "It needs $\\mathcal{O}(\\epsilon^{-2})$ samples."),
    # counts
    ("It wins on all but two of fourteen tasks.", "Across 14 tasks, it wins on 12 tasks."),
    ("Nine tasks are used.", "We use six control tasks and three planar tasks."),
]  # fmt: skip
"""Claim, and evidence that says so."""

NOT_TOLD = [
    ("Four out of five games were kept.", "It has only 40\\% survival rate."),
    ("More than one in ten falls is fatal.", "In all, 9% of these falls were fatal."),
    ("18 of 20 patients improved.", "In all, 85% improved."),
    ("Its correlation is 91%.", "Its correlation is 0.91."),
    ("Accuracy is 12%.", "Accuracy is 12.4%."),
    ("It more than triples the clearance rate.", "Clearance was seen in 26% of children and 11% of controls."),
    ("It is twice as accurate.", "It reaches 83.64\\%, ahead of DeepSeek (71.38\\%)."),
    ("It leads by twelve points.", "It reaches 83.64\\%, ahead of DeepSeek (71.38\\%)."),
    ("It leads by 12.3 points.", "It reaches 83.64\\%, ahead of DeepSeek (71.38\\%)."),
    ("It gains more than five points.", "It improves from 74.86% to 77.53%/78.23%."),
    ("It takes a quarter fewer iterations.", "It takes 76.8% fewer iterations."),
    ("It needs two thirds of the iterations.", "It takes 76.8% fewer iterations."),
    ("It cuts a quarter of the iterations.", "It takes 76.8% fewer iterations."),
    ("It needs a quarter of the memory.", "It reduces memory by up to 3.8 times."),
    ("It compresses 26x.", "It is compressed by 85.2%."),
    ("It is more than 20% better.", "It is over 30% better."),
    ("It was followed for two years.", "It was followed for 12 months."),
    ("Two months of treatment helped.", "Treatment for 12 weeks helped."),
    ("It takes 15 s.", "It takes 1500 ms."),
    ("It is at least 6x faster.", "It is up to 6x faster."),
    ("It is up to 6x faster.", "It is over 6x faster, up to 2.5x faster than that."),
    ("It beats Beacon by up to 5.5x.", "Across five tasks, it beats Beacon by up to 2.5x."),
    ("It runs for thousands of steps.", "It runs for 412 steps."),
    ("At least millions of examples fit.", "It scales up to millions of points."),
    ("It is quantised to eight bits.", "The W4A4 configuration is used."),
    ("A 5 billion parameter Qwen is better.", "RT-Qwen-0.5B is better."),
    ("It converges at order 1/R.", "It converges at rate $\\mathcal{O}(1/\\sqrt{R})$."),
    ("It needs about ε^-3 samples.", "It needs $\\mathcal{O}(\\epsilon^{-2})$ samples."),
    ("It wins on all but three of fourteen tasks.", "Across 14 tasks, it wins on 12 tasks."),
    ("Ten tasks are used.", "We use six control tasks and three planar tasks."),
]  # fmt: skip


def vetoes(claim: str, evidence: str, context: tuple[str, ...] = ()) -> list[str]:
    found = numbers(read(claim), read(evidence), context)
    return [finding.reason for finding in found if finding.weight == "veto"]


@pytest.mark.parametrize(("claim", "evidence"), TOLD)
def test_an_amount_in_other_terms_is_told(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence) == []


@pytest.mark.parametrize(("claim", "evidence"), NOT_TOLD)
def test_a_near_miss_stays_forbidden(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence)


@pytest.mark.parametrize(
    ("claim", "around", "told"),
    [
        ("Fitness predicts death in men with type 2 diabetes.", "Fitness and type 2 diabetes", True),
        ("Fitness predicts death in men with type 1 diabetes.", "Fitness and type 2 diabetes", False),
        ("Commercial generators such as Sora 2 make good music.", "Veo 3 and Sora 2 compared", True),
        ("Commercial generators such as Sora 3 make good music.", "Veo 3 and Sora 2 compared", False),
        ("It is deployed on 2 servers.", "It is deployed on 2 machines", False),
    ],
)
def test_a_number_of_a_name_may_stand_elsewhere_in_the_paper(claim: str, around: str, told: bool) -> None:
    evidence = "A strong association was seen in this cohort."
    assert (vetoes(claim, evidence, (around,)) == []) is told


@given(st.integers(1, 400), st.integers(1, 400))
def test_a_ratio_is_its_own_and_no_other(less: int, more: int) -> None:
    less, more = 5 + less, 5 + less + more
    evidence = f"It took {more} ms against {less} ms."
    times = more / less
    assert bool(vetoes(f"It is {times * 1.5:.2f} times faster.", evidence))
    assert vetoes(f"It is {times:.2f} times faster.", evidence) == [] or times < 1.2


@given(st.integers(0, 999), st.integers(0, 999))
def test_a_difference_is_exact(one: int, other: int) -> None:
    evidence = f"It reaches {60 + one / 100:.2f}% against {40 + other / 100:.2f}%."
    gap = 20 + (one - other) / 100
    assert vetoes(f"It leads by {gap:.2f} points.", evidence) == []
    assert vetoes(f"It leads by {gap + 0.01:.2f} points.", evidence)


@given(st.integers(1, 30))
def test_time_is_one_dimension(days: int) -> None:
    assert vetoes(f"It lasts {days} days.", f"It lasts {24 * days} h.") == []
    assert vetoes(f"It lasts {days + 1} days.", f"It lasts {24 * days} h.")


def test_a_number_word_of_times_owns_no_count() -> None:
    claim = read("With three or more factors the hazard more than triples.")
    evidence = read("The hazard ratio for three or more factors was 3.4.")
    assert not list(owners(claim, evidence))
