"""The certificate's arithmetic against values worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.verify.risk import Calibration, binomial_cdf, threshold, union, upper_bound


def test_binomial_cdf_by_hand() -> None:
    assert binomial_cdf(0, 3, 0.5) == pytest.approx(1 / 8)
    assert binomial_cdf(1, 3, 0.5) == pytest.approx(4 / 8)
    assert binomial_cdf(2, 4, 0.25) == pytest.approx((81 + 108 + 54) / 256)
    assert binomial_cdf(5, 5, 0.9) == pytest.approx(1.0)
    assert binomial_cdf(0, 10, 0.0) == 1.0
    assert binomial_cdf(3, 10, 1.0) == 0.0


@pytest.mark.parametrize("n", [1, 10, 59, 299, 2995])
def test_no_error_among_n_is_the_nth_root(n: int) -> None:
    assert upper_bound(0, n) == pytest.approx(1 - 0.05 ** (1 / n), abs=1e-9)


def test_clopper_pearson_from_published_tables() -> None:
    # One-sided 95 %: 1 of 10 -> 0.394, 5 of 100 -> 0.1023 (Clopper and Pearson 1934; Hahn and Meeker, table B).
    assert upper_bound(1, 10) == pytest.approx(0.3942, abs=1e-4)
    assert upper_bound(5, 100) == pytest.approx(0.1023, abs=1e-4)
    assert upper_bound(10, 10) == 1.0
    assert upper_bound(0, 0) == 1.0


def test_59_clean_claims_certify_5_percent_and_58_do_not() -> None:
    assert threshold([0.0] * 59, 0.05) is not None
    assert threshold([0.0] * 58, 0.05) is None
    assert threshold([], 0.05) is None


def test_the_threshold_lets_pass_as_many_wrong_claims_as_the_bound_allows() -> None:
    scores = [float(i) for i in range(200)]
    found = threshold(scores, 0.05)
    assert found is not None
    passing = sum(score >= found for score in scores)
    assert upper_bound(passing, 200) <= 0.05 < upper_bound(passing + 1, 200)


def test_ties_pass_together() -> None:
    found = threshold([1.0] * 100 + [0.0] * 100, 0.05)
    assert found is not None and found > 1.0


@given(st.lists(st.floats(-5, 5), min_size=60, max_size=300), st.sampled_from([0.01, 0.05, 0.1, 0.2]))
def test_what_passes_is_always_within_the_bound(scores: list[float], target: float) -> None:
    found = threshold(scores, target)
    if found is not None:
        assert upper_bound(sum(score >= found for score in scores), len(scores)) <= target


def test_union_adds_up_and_stops_at_one() -> None:
    assert union([]) == 0.0
    assert union([0.01, 0.02, 0.0]) == pytest.approx(0.03)
    assert union([0.6, 0.7]) == 1.0


def test_calibration_gives_the_strictest_target_passed_and_none_for_other_kinds() -> None:
    calibration = Calibration({"plain": ((0.01, 3.0), (0.05, 2.0))})
    assert calibration.risk("plain", 3.5) == 0.01
    assert calibration.risk("plain", 2.0) == 0.05
    assert calibration.risk("plain", 1.9) == 1.0
    assert calibration.risk("foreign", 9.0) == 1.0
    assert calibration.covers("plain") and not calibration.covers("foreign")
