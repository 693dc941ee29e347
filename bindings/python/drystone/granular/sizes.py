"""Size distributions of grains: diameters [m] with shares by number or by mass.

    from drystone.granular import sizes

    sand = sizes.log_normal(2e-3, 0.3, 1e-3, 4e-3, by="mass")
    diameters = sand.sample(500, seed=1)
    passing = sizes.sieve_curve(diameters, [1e-3, 2e-3, 4e-3])

All grains have one density, so that a share of mass is a share of volume. A share by number is proportional to the share by
mass over the cube of the diameter.

A sample has exact quotas. It is not drawn at random, so that few grains already have the curve; only its order is random.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Numbers
from .._checks import shown, whole
from . import _valid
from ._valid import finite, finites, length, lengths, positive, refuse

CELLS = 2**14
"""Cells that the curves of normal, log-normal and Rosin-Rammler are divided into. Within a cell the curve is linear."""

TAIL = 9.0
"""Standard deviations after which a tail has no share: it is below 2e-19."""


class Sizes(Protocol):
    """A size distribution. The functions of this module make them."""

    def sample(self, count: int, seed: int) -> Numbers:
        """Diameters of `count` grains [m], (count,), in an order that the seed shuffles.

        The same seed gives the same bits, as long as the generator PCG64 of numpy shuffles alike.

        count: 0 or above.
        seed: 0 or above.
        """
        ...


class _Listed:
    """Diameters with a share each."""

    def __init__(self, diameters: Numbers, shares: Numbers) -> None:
        self.diameters, self.shares = diameters, shares

    def sample(self, count: int, seed: int) -> Numbers:
        return shuffled(np.repeat(self.diameters, quotas(self.shares, whole("count", count, 0, 2**31 - 1))), seed)


class _Curve:
    """A distribution with the cumulative share `passing` at `diameters`, linear between them, by mass or by number."""

    def __init__(self, diameters: Numbers, passing: Numbers, by_mass: bool) -> None:
        parts = np.diff(passing)
        if by_mass:
            # the mean of d^-3 over a cell in which the mass is spread evenly
            low, high = diameters[:-1], diameters[1:]
            parts = parts * (low + high) * (diameters[0] ** 3 / (2 * low**2 * high**2))
        self.diameters, self.by_mass = diameters, by_mass
        self.passing = np.concatenate([[0.0], np.cumsum(parts / parts.sum())])

    def sample(self, count: int, seed: int) -> Numbers:
        grains = whole("count", count, 0, 2**31 - 1)
        return shuffled(self._quantiles((np.arange(grains) + 0.5) / max(grains, 1)), seed)

    def _quantiles(self, shares: Numbers) -> Numbers:
        """The diameters that given shares of the number of grains are below; shares above 0 and below 1."""
        cells = np.searchsorted(self.passing, shares) - 1  # from the left: never a cell without a share
        part = (shares - self.passing[cells]) / np.diff(self.passing)[cells]
        low, high = self.diameters[cells], self.diameters[cells + 1]
        evenly = low + part * (high - low)
        below: Numbers = low / np.sqrt(1 - part * (1 - (low / high) ** 2)) if self.by_mass else evenly
        return below


def one_size(diameter: float) -> Sizes:
    """Grains of one diameter [m], above 0."""
    return _Listed(np.array([length("diameter", diameter)]), np.ones(1))


def listed(diameters: ArrayLike, shares: ArrayLike, by: str = "number") -> Sizes:
    """Grains of some diameters with a share each. A sample has the shares by the largest remainder.

    diameters: (n,), above 0 [m].
    shares: (n,), 0 or above, not all 0; only their ratios matter.
    by: "number" or "mass": what the shares are of.
    """
    each = lengths("diameters", diameters)
    parts = _valid.shares(shares, len(each))
    if _by_mass(by):
        parts = parts / (each / each[parts > 0].min()) ** 3
    return _Listed(each, parts / parts.sum())


def uniform(lower: float, upper: float, by: str = "number") -> Sizes:
    """Diameters that are equally frequent, by number or by mass, from `lower` to `upper` [m], 0 < lower < upper."""
    return _Curve(np.array(_bounds(lower, upper)), np.array([0.0, 1.0]), _by_mass(by))


def normal(mean: float, deviation: float, lower: float, upper: float, by: str = "number") -> Sizes:
    """A normal distribution, cut at two bounds.

    mean: before the cut [m].
    deviation: the standard deviation before the cut, above 0 [m].
    lower, upper: bounds, 0 < lower < upper [m], with a share of the distribution above 1e-9 between them.
    by: "number" or "mass": what is distributed.
    """
    center, spread = finite("mean", mean), positive("deviation", deviation)
    low, high = _bounds(lower, upper)
    nodes = np.linspace(*_overlap(low, high, center - TAIL * spread, center + TAIL * spread), CELLS + 1)
    return _cut(nodes, _normal_curve((nodes - center) / spread), by)


def log_normal(median: float, deviation: float, lower: float, upper: float, by: str = "number") -> Sizes:
    """A log-normal distribution, cut at two bounds: the logarithm of the diameter is normal.

    median: before the cut, above 0 [m].
    deviation: the standard deviation of ln(diameter) before the cut, above 0 [-].
    lower, upper: bounds, 0 < lower < upper [m], with a share of the distribution above 1e-9 between them.
    by: "number" or "mass": what is distributed, and what the median halves.
    """
    center, spread = math.log(length("median", median)), positive("deviation", deviation)
    low, high = map(math.log, _bounds(lower, upper))
    nodes = np.linspace(*_overlap(low, high, center - TAIL * spread, center + TAIL * spread), CELLS + 1)
    return _cut(np.exp(nodes), _normal_curve((nodes - center) / spread), by)


def rosin_rammler(scale: float, exponent: float, lower: float, upper: float, by: str = "mass") -> Sizes:
    """A Rosin-Rammler (Weibull) distribution, cut at two bounds: the share 1 - exp(-(d / scale)^exponent) passes d.

    scale: the diameter that 63.2 % pass before the cut, above 0 [m].
    exponent: the larger, the narrower; above 0 [-].
    lower, upper: bounds, 0 < lower < upper [m], with a share of the distribution above 1e-9 between them.
    by: "mass" or "number": what is distributed.
    """
    size, power = length("scale", scale), positive("exponent", exponent)
    low, high = _bounds(lower, upper)
    # exp(-40) is below round-off
    largest = size * 40 ** (1 / power) if power > 0.1 else math.inf
    nodes = np.geomspace(*_overlap(low, high, low, largest), CELLS + 1)
    return _cut(nodes, -np.expm1(-((nodes / size) ** power)), by)


def table(diameters: ArrayLike, passing: ArrayLike, by: str = "mass") -> Sizes:
    """The curve of a sieve analysis, linear between its points.

    diameters: (n,), openings of the sieves, above 0 and rising, at least 2 [m].
    passing: (n,), the share that is smaller: from 0 at the first to 1 at the last, never falling [-].
    by: "mass" or "number": what the share is of.
    """
    openings = lengths("diameters", diameters)
    shares = finites("passing", passing, len(openings))
    if len(openings) < 2:
        raise ValueError(f"diameters has {len(openings)} elements, expected at least 2")
    after = np.concatenate([[False], np.diff(openings) <= 0])
    refuse("diameters", openings, after, "more than the diameter before")
    refuse("passing", shares, np.concatenate([[False], np.diff(shares) < 0]), "no less than the share before")
    for index, end in ((0, 0.0), (len(shares) - 1, 1.0)):
        if shares[index] != end:
            raise ValueError(f"passing[{index}] is {shares[index]}, expected {end:g}")
    return _Curve(openings, shares, _by_mass(by))


def sieve_curve(diameters: ArrayLike, at: ArrayLike) -> Numbers:
    """The share of the mass of grains that passes sieves, (m,): that of the diameters up to each opening [-].

    diameters: (n,), of the grains, at least one, above 0 [m].
    at: (m,), openings of the sieves, 0 or above, in any order [m].
    """
    grains = np.sort(lengths("diameters", diameters))
    openings = finites("at", at, -1)
    refuse("at", openings, openings < 0, "0 or above")
    if len(grains) == 0:
        raise ValueError("diameters is of shape (0,), expected at least one grain")
    masses = np.concatenate([[0.0], np.cumsum((grains / grains[-1]) ** 3)])
    share: Numbers = masses[np.searchsorted(grains, openings, side="right")] / masses[-1]
    return share


def quotas(shares: Numbers, count: int) -> Any:
    """Whole numbers with the sum `count`, as near to the shares as the largest remainders make them."""
    exact = shares / shares.sum() * count
    numbers = np.floor(exact).astype(np.int64)
    rest = np.argsort(numbers - exact, kind="stable")[: count - int(numbers.sum())]
    numbers[rest] += 1
    return numbers


def shuffled(diameters: Numbers, seed: int) -> Numbers:
    """The diameters in an order that the seed alone determines."""
    generator = np.random.Generator(np.random.PCG64(whole("seed", seed, 0, 2**64 - 1)))
    return diameters[generator.permutation(len(diameters))]


def _cut(nodes: Numbers, passing: Numbers, by: str) -> Sizes:
    share = passing[-1] - passing[0]
    if not share > 1e-9:
        raise ValueError(f"lower and upper have a share of {share:.3g} of the distribution between them, expected above 1e-9")
    return _Curve(nodes, (passing - passing[0]) / share, _by_mass(by))


def _overlap(low: float, high: float, least: float, most: float) -> tuple[float, float]:
    """The part of the bounds in which a distribution has any share."""
    ends = max(low, least), min(high, most)
    if not ends[0] < ends[1]:
        raise ValueError("lower and upper have a share of 0 of the distribution between them, expected above 1e-9")
    return ends


def _normal_curve(arguments: Numbers) -> Numbers:
    """The cumulative normal distribution. `erfc` keeps the digits of the left tail, which 1 + erf would lose."""
    return np.array([0.5 * math.erfc(-each / math.sqrt(2)) for each in arguments])


def _bounds(lower: Any, upper: Any) -> tuple[float, float]:
    low, high = length("lower", lower), length("upper", upper)
    if not low < high:
        raise ValueError(f"upper is {high}, expected above lower, which is {low}")
    return low, high


def _by_mass(by: str) -> bool:
    if not isinstance(by, str) or by not in ("number", "mass"):
        raise ValueError(f"by is {shown(by)}, expected 'number' or 'mass'")
    return by == "mass"
