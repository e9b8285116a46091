"""Quantities: value, unit, comparator, exact text."""

import pytest

from rag.text.quantities import quantities


@pytest.mark.parametrize(
    ("text", "shown", "low", "high", "unit", "comparator"),
    [
        (r"up to 31\% better", r"31\%", 31, 31, "%", "<="),
        ("31 percent", "31 percent", 31, 31, "%", "="),
        ("gains 9.9 percentage points", "9.9 percentage points", 9.9, 9.9, "points", "="),
        (r"over 6$\times$ faster", r"6$\times$", 6, 6, "x", ">"),
        ("1.78×-2.68× faster", "1.78×-2.68×", 1.78, 2.68, "x", "="),
        ("twice as fast", "twice", 2, 2, "x", "="),
        ("a threefold gain", "threefold", 3, 3, "x", "="),
        ("a two-fold gain", "two-fold", 2, 2, "x", "="),
        ("more than 20,000 papers", "20,000", 20000, 20000, "", ">"),
        ("a 1.76B model", "1.76B", 1.76e9, 1.76e9, "", "="),
        ("on nine datasets", "nine", 9, 9, "", "="),
        ("between 1 and 3 layers", "1 and 3", 1, 3, "", "="),
        ("from 45% to 31%", "45% to 31%", 45, 31, "%", "="),
        ("two to three times", "two to three times", 2, 3, "x", "="),
        ("a drop of -3.2%", "-3.2%", -3.2, -3.2, "%", "="),
        ("costs 3/2 as much", "3/2", 1.5, 1.5, "", "="),
        (r"ratio $\frac{1}{4}$", r"\frac{1}{4}", 0.25, 0.25, "", "="),
        ("within $10^{-3}$", "10^{-3}", 0.001, 0.001, "", "<="),
        (r"$3\times10^5$ steps", r"3\times10^5", 3e5, 3e5, "", "="),
        ("p < 0.05", "0.05", 0.05, 0.05, "p", "<"),
        ("about 120 tokens/s", "120 tokens/s", 120, 120, "tokens/s", "~"),
        ("at least 16GB", "16GB", 16, 16, "gb", ">="),
        ("20+ tasks", "20", 20, 20, "", ">="),
        ("5 or more tasks", "5", 5, 5, "", ">="),
        ("since 1998", "1998", 1998, 1998, "year", "="),
        ("see Figure 2", "2", 2, 2, "label", "="),
        ("on 224x224 images", "224x224", 224, 224, "size", "="),
        ("two orders of magnitude", "two orders of magnitude", 2, 2, "orders", "="),
        ("one third of them", "one third", 1 / 3, 1 / 3, "", "="),
        ("five hundred users", "five hundred", 500, 500, "", "="),
        ("a 24-layer model", "24", 24, 24, "", "="),
        ("1-3B models", "1-3B", 1e9, 3e9, "", "="),
        ("less than $5 each", "$5", 5, 5, "usd", "<"),
        ("half a million users", "half a million", 5e5, 5e5, "", "="),
        ("half a year later", "half a year", 0.5, 0.5, "years", "="),
        ("a half-billion-parameter model", "a half-billion", 5e8, 5e8, "", "="),
        ("several hundred steps", "several hundred", 100, 100, "", "="),
        ("tens of thousands of users", "tens of thousands", 1e4, 1e4, "", "="),
        ("one to three weeks", "one to three weeks", 1, 3, "weeks", "="),
        ("shrinks four- to sixfold", "four- to sixfold", 4, 6, "x", "="),
        ("two and a half times as often", "two and a half times", 2.5, 2.5, "x", "="),
        ("an order-of-magnitude speedup", "an order-of-magnitude", 1, 1, "orders", "="),
        ("twenty-five users", "twenty-five", 25, 25, "", "="),
        ("a 10X larger model", "10X", 10, 10, "x", "="),
        ("as good as Veo (e.g., Sora 2) is", "2", 2, 2, "", "="),
        ("dilated by 34+/-", "34", 34, 34, "", "="),
        (r"10\,000 users", r"10\,000", 10000, 10000, "", "="),
    ],
)
def test_one_quantity(text: str, shown: str, low: float, high: float, unit: str, comparator: str) -> None:
    (found,) = quantities(text)
    assert (found.text, found.unit, found.comparator) == (shown, unit, comparator)
    assert (found.low, found.high) == pytest.approx((low, high))
    assert text[found.start : found.end] == found.text


@pytest.mark.parametrize(
    "text",
    [
        "GPT-5 and EAGLE-3 on CIFAR-10/100 in 3D with F1, v2.0, 8x7B, 2nd",
        "(1) it is fast (2) it is small",
        "as shown [12], [3, 4]",
        "one can see that no one does; the one that wins",
        "no number here, zero-shot and one-hot, even the good ones, once trained",
        "",
    ],
)
def test_no_quantity(text: str) -> None:
    assert quantities(text) == ()


def test_two_amounts_with_a_slash_between() -> None:
    shown = quantities(r"+5.4\%/+2.7\% accuracy with 4.5$\times$/2.7$\times$ throughput")
    assert [(q.low, q.unit) for q in shown] == [(5.4, "%"), (2.7, "%"), (4.5, "x"), (2.7, "x")]


def test_amounts_of_two_units_are_no_range() -> None:
    assert [(q.low, q.high, q.unit) for q in quantities("from 5 GB to 20%")] == [(5, 5, "gb"), (20, 20, "%")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"$\mathcal{O}(\sqrt{T})$", "O(sqrt(T))"),
        (r"$\Theta(s/\sqrt{N})$", "Θ(s/√N)"),
        ("31 percent", r"31\%"),
        ("2.5 times", r"2.5$\times$"),
        ("20,000", "20K"),
        ("twofold", "2x"),
    ],
)
def test_one_norm_for_the_same_amount(one: str, other: str) -> None:
    assert [q.norm for q in quantities(one)] == [q.norm for q in quantities(other)] != []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"$\mathcal{O}(\sqrt{T})$", r"$\tilde{O}(\sqrt{T})$"),
        (r"$O(n^2)$", r"$O(n^3)$"),
        ("31%", "13%"),
        ("31%", "31 points"),
        ("1.5B", "1.5M"),
        ("from 31 to 45", "from 45 to 31"),
        ("10^5", "105"),
        ("-2%", "2%"),
        ("0/128 solved", "0/64 solved"),
    ],
)
def test_a_changed_amount_has_another_norm(one: str, other: str) -> None:
    assert [q.norm for q in quantities(one)] != [q.norm for q in quantities(other)]


def test_absurd_numbers_do_no_harm() -> None:
    for text in ("9" * 5000, "10^999999", "0^-1", "1e999999", "5/0", "٣٥٪"):
        quantities(text)
