"""Size distributions: quotas, curves against closed forms, and what is refused."""

from __future__ import annotations

import re
from statistics import NormalDist
from typing import Any, Callable

import numpy as np
import pytest

from drystone.granular import sizes


def middles(count: int) -> np.ndarray:
    """The middles of `count` equal parts of 0 to 1."""
    return (np.arange(count) + 0.5) / count


def test_one_size() -> None:
    assert sizes.one_size(0.25).sample(3, 0).tolist() == [0.25] * 3
    assert sizes.one_size(0.25).sample(0, 0).shape == (0,)


@pytest.mark.parametrize(
    ("shares", "by", "count", "expected"),
    [
        ([1, 1], "number", 4, [2, 2]),
        ([1, 1], "number", 5, [3, 2]),  # of equal remainders the first
        ([0.55, 0.45], "number", 10, [6, 4]),
        ([3, 0], "number", 7, [7, 0]),
        ([1, 1], "mass", 9, [8, 1]),  # a diameter twice as large has eight times the mass
        ([1, 8], "mass", 10, [5, 5]),
    ],
)
def test_quotas_of_a_list(shares: list[float], by: str, count: int, expected: list[int]) -> None:
    sample = sizes.listed([0.1, 0.2], shares, by).sample(count, 3)
    assert [int((sample == each).sum()) for each in (0.1, 0.2)] == expected


def test_the_seed_is_the_order_alone() -> None:
    curve = sizes.uniform(1, 2)
    first, again, other = curve.sample(500, 1), curve.sample(500, 1), curve.sample(500, 2)
    assert first.tobytes() == again.tobytes() != other.tobytes()
    assert np.sort(first).tobytes() == np.sort(other).tobytes()
    # shuffled: neighbours have no trend
    assert abs(np.corrcoef(first[1:], first[:-1])[0, 1]) < 0.15


def test_uniform() -> None:
    assert np.sort(sizes.uniform(1, 3).sample(50, 0)) == pytest.approx(1 + 2 * middles(50), rel=1e-14)
    # by mass the density of the number is as d^-3: 1/d^2 is uniform
    by_mass = np.sort(sizes.uniform(1, 3, by="mass").sample(50, 0))
    assert by_mass**-2 == pytest.approx(1 - middles(50) * (1 - 1 / 9), rel=1e-14)


def test_normal() -> None:
    sample = np.sort(sizes.normal(2, 0.3, 1.6, 3).sample(200, 0))
    exact = NormalDist(2, 0.3)
    low, high = exact.cdf(1.6), exact.cdf(3)
    expected = [exact.inv_cdf(low + share * (high - low)) for share in middles(200)]
    assert sample == pytest.approx(expected, rel=1e-7)


def test_bounds_far_from_the_middle() -> None:
    sample = np.sort(sizes.normal(2, 0.01, 1e-3, 1e6).sample(200, 0))
    exact = NormalDist(2, 0.01)
    assert sample == pytest.approx([exact.inv_cdf(share) for share in middles(200)], rel=1e-7)
    # a tail whose share is 2e-8
    tail = np.sort(sizes.normal(2, 0.1, 1, 1.45).sample(30, 0))
    share = NormalDist(2, 0.1).cdf(1.45)
    assert tail == pytest.approx([NormalDist(2, 0.1).inv_cdf(share * each) for each in middles(30)], rel=1e-7)


@pytest.mark.parametrize("by", ["number", "mass"])
def test_log_normal(by: str) -> None:
    sample = np.sort(sizes.log_normal(2e-3, 0.3, 1e-4, 1e-1, by).sample(300, 0))
    # Hatch and Choate: log-normal by mass is log-normal by number with a smaller median
    median = 2e-3 * (np.exp(-3 * 0.3**2) if by == "mass" else 1)
    expected = [median * np.exp(NormalDist(0, 0.3).inv_cdf(share)) for share in middles(300)]
    assert sample == pytest.approx(expected, rel=1e-6)


def test_rosin_rammler() -> None:
    low, high = (1 - np.exp(-(each**2.5)) for each in (0.5, 2))
    by_number = np.sort(sizes.rosin_rammler(1, 2.5, 0.5, 2, by="number").sample(200, 0))
    expected = (-np.log(1 - (low + middles(200) * (high - low)))) ** (1 / 2.5)
    assert by_number == pytest.approx(expected, rel=1e-6)
    sample = sizes.rosin_rammler(1, 2.5, 0.5, 2).sample(20000, 0)
    at = np.linspace(0.5, 2, 16)
    passing = (1 - np.exp(-(at**2.5)) - low) / (high - low)
    assert sizes.sieve_curve(sample, at) == pytest.approx(passing, abs=5e-4)


def test_a_table_comes_back_from_few_grains() -> None:
    openings, passing = [1e-3, 2e-3, 3e-3, 4e-3], [0, 0.3, 0.8, 1]
    sample = sizes.table(openings, passing).sample(500, 1)
    assert sizes.sieve_curve(sample, openings) == pytest.approx(passing, abs=0.005)
    assert sizes.sieve_curve(sample, [2.5e-3]) == pytest.approx([0.55], abs=0.005)


def test_a_gap_of_a_table_stays_empty() -> None:
    sample = sizes.table([1, 2, 3, 4], [0, 0.5, 0.5, 1], by="number").sample(101, 1)
    assert not ((sample > 2) & (sample < 3)).any()
    assert int((sample <= 2).sum()) == 51  # the middle one, at 0.5, is the upper end of the part below


def test_arrays_of_the_caller_are_copied() -> None:
    diameters, shares = np.array([0.1, 0.2]), np.array([1.0, 1.0])
    curve = sizes.listed(diameters, shares)
    diameters[0] = 9
    assert np.sort(curve.sample(2, 0)).tolist() == [0.1, 0.2]


def test_sieve_curve() -> None:
    assert sizes.sieve_curve([2, 1, 1], [3, 0.5, 1, 1.5, 2]).tolist() == [1, 0, 0.2, 0.2, 1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sizes.one_size(0), "diameter is 0.0, expected a finite number above 0"),
        (lambda: sizes.listed([1, -1], [1, 1]), "diameters[1] is -1.0, expected a finite number above 0"),
        (lambda: sizes.listed([1, 2], [1, 1, 1]), "shares is of shape (3,), expected (2,)"),
        (lambda: sizes.listed([1, 2], [0, 0]), "shares has the sum 0.0, expected a sum above 0"),
        (lambda: sizes.listed([1, 2], [2, -1]), "shares[1] is -1.0, expected 0 or above"),
        (lambda: sizes.uniform(1, 2, by="volume"), "by is 'volume', expected 'number' or 'mass'"),
        (lambda: sizes.uniform(2, 1), "upper is 1.0, expected above lower, which is 2.0"),
        (lambda: sizes.normal(1, 0.01, 2, 3), "lower and upper have a share of 0 of the distribution"),
        (lambda: sizes.normal(1, 0.1, 1.8, 3), "lower and upper have a share of 6.66e-16 of the distribution"),
        (lambda: sizes.log_normal(1, float("nan"), 2, 3), "deviation is nan, expected a finite number above 0"),
        (lambda: sizes.rosin_rammler(1, 1, 100, 200), "lower and upper have a share of 0 of the distribution"),
        (lambda: sizes.table([1], [0]), "diameters has 1 elements, expected at least 2"),
        (lambda: sizes.table([1, 1], [0, 1]), "diameters[1] is 1.0, expected more than the diameter before"),
        (lambda: sizes.table([1, 2, 3], [0, 0.5, 0.4]), "passing[2] is 0.4, expected no less than the share before"),
        (lambda: sizes.table([1, 2], [0, 100]), "passing[1] is 100.0, expected 1"),
        (lambda: sizes.table([1, 2], [0.1, 1]), "passing[0] is 0.1, expected 0"),
        (lambda: sizes.one_size(1).sample(-1, 0), "count is -1, expected 0 to 2147483647"),
        (lambda: sizes.uniform(1, 2).sample(1, -1), "seed is -1, expected 0 to 18446744073709551615"),
        (lambda: sizes.sieve_curve([], [1]), "diameters is of shape (0,), expected at least one grain"),
    ],
)
def test_what_is_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sizes.one_size(1e-300), "diameter is 1e-300, expected 1e-50 to 1e+50"),
        (lambda: sizes.listed([1e-300, 0.1], [1, 1], "mass"), "diameters[0] is 1e-300, expected 1e-50 to 1e+50"),
        (lambda: sizes.uniform(1e-300, 1), "lower is 1e-300, expected 1e-50 to 1e+50"),
        (lambda: sizes.uniform(0.1, 1e300), "upper is 1e+300, expected 1e-50 to 1e+50"),
        (lambda: sizes.listed([0.1, 0.2], [1e308, 1e308]), "shares[0] is 1e+308, expected at most 1e+50"),
        (lambda: sizes.table([0.1, 1e300], [0, 1]), "diameters[1] is 1e+300, expected 1e-50 to 1e+50"),
        (lambda: sizes.uniform(0.1, 1, by=np.ones(2)), "by is array([1., 1.]), expected 'number' or 'mass'"),  # type: ignore[arg-type]
    ],
)
def test_sizes_without_a_volume_are_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


@pytest.mark.parametrize("by", ["number", "mass"])
def test_the_widest_range_of_sizes(by: str) -> None:
    for made in (
        sizes.uniform(1e-50, 1e50, by),
        sizes.listed([1e-50, 1e50], [1, 1], by),
        sizes.listed([1e-50, 1e50], [0, 1e-50], by),
        sizes.table([1e-50, 1, 1e50], [0, 0.5, 1], by),
    ):
        sample = made.sample(20, 1)
        assert ((sample >= 1e-50) & (sample <= 1e50)).all()
