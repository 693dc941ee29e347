"""Numbers that describe an assembly of grains: coordination, fabric, forces, packing fraction, inertial number.

    from drystone.granular import statistics

    inner = statistics.between(world.contacts(), grains)
    z = statistics.coordination(world.contacts(), grains).without_rattlers
    fabric = statistics.fabric(inner)

A contact carries if it has an impulse: its state then has ContactState.ACTIVE. Two spheres have one contact. Two bodies with flat
places may have several, each of which counts.
"""

from __future__ import annotations

import math
from typing import Any, Callable, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Handles, Numbers, Records, integers, records
from .._checks import truth, whole
from ..raw import CONTACT_DTYPE, ContactState
from ._valid import MOST, corners, finite, lengths, places, positive, refuse
from ._volumes import volume_in_box

LARGEST = 1e150
"""The largest force [N]: sums of such forces are numbers."""


class Coordination(NamedTuple):
    """How many carrying contacts grains have."""

    mean: float
    """Contacts of a grain, Z = 2 N_c / N."""
    without_rattlers: float
    """(2 N_c - N_1) / (N - N_0 - N_1): grains that have no contact or one, and the contacts of those, do not count. NaN
    where no grain has two contacts."""
    contacts: int
    """N_c. A contact between a grain and another body counts too where walls count; it is then one end of a contact."""
    grains: int
    """N."""
    without_contact: int
    """N_0: grains without a contact."""
    with_one_contact: int
    """N_1: grains with one contact."""


class ForceDistribution(NamedTuple):
    """Compatible normal forces of carrying contacts, relative to their mean."""

    mean: float
    """The mean compatible normal force [N]."""
    values: Numbers
    """Force over mean of each carrying contact, (n,) [-]."""
    edges: Numbers
    """Of the bins, (bins + 1,), from 0 to the largest value; from the smallest one if that is below 0 [-]."""
    density: Numbers
    """Probability density in each bin, (bins,); the sum of density times width is 1 [-]."""


def between(contacts: Records, grains: ArrayLike, walls: bool = False) -> Records:
    """The contacts between two grains, in their order.

    contacts: an array of CONTACT_DTYPE, as World.contacts has it.
    grains: (n,), handles of the bodies that are grains, each once.
    walls: whether contacts between a grain and another body stay too.
    """
    given, named = records("contacts", contacts, CONTACT_DTYPE), _handles(grains)
    first, second = np.isin(given["body_a"], named), np.isin(given["body_b"], named)
    return given[first | second if truth("walls", walls) else first & second]


def carrying(contacts: Records) -> Records:
    """The contacts that carry an impulse, in their order; an array of CONTACT_DTYPE."""
    given = records("contacts", contacts, CONTACT_DTYPE)
    active: Records = given[(given["state"] & int(ContactState.ACTIVE)) != 0]
    return active


def coordination(contacts: Records, grains: ArrayLike, walls: bool = False) -> Coordination:
    """The coordination number of grains, with and without rattlers.

    contacts: an array of CONTACT_DTYPE; those that carry nothing do not count.
    grains: (n,), handles of the bodies that are grains, each once, at least one.
    walls: whether contacts between a grain and another body count: they add one end, where those between grains add two.
    """
    named = np.sort(_handles(grains))
    if len(named) == 0:
        raise ValueError("grains is of shape (0,), expected at least one grain")
    counted = carrying(between(contacts, grains, walls))
    ends = np.concatenate([counted["body_a"], counted["body_b"]])
    ends = ends[np.isin(ends, named)]
    each = np.bincount(np.searchsorted(named, ends), minlength=len(named))
    none, one = int((each == 0).sum()), int((each == 1).sum())
    held = len(named) - none - one
    backbone = (len(ends) - one) / held if held else math.nan
    return Coordination(len(ends) / len(named), backbone, len(counted), len(named), none, one)


def fabric(contacts: Records) -> Numbers:
    """The fabric tensor of carrying contacts, (3, 3): the mean of n_i n_j over their normals. Symmetric, its trace is 1 [-].

    contacts: an array of CONTACT_DTYPE, of which at least one carries.
    """
    normals = _carried(contacts, "normal", lambda normal: np.abs(normal) <= 1 + 1e-6, "a component of a unit vector")
    tensor: Numbers = normals.T @ normals / len(normals)
    return (tensor + tensor.T) / 2


def force_distribution(contacts: Records, bins: int = 50) -> ForceDistribution:
    """The distribution of the compatible normal forces of carrying contacts over their mean.

    Forces that rigid contacts leave open depend on the solver. The compatible ones are those of stiff elastic contacts, where
    `compatibility` of Settings is on; else both are the same.

    contacts: an array of CONTACT_DTYPE, of which at least one carries, with a mean above 0.
    bins: of the histogram, 1 to 2^27, all of the same width.
    """
    forces = _carried(contacts, "compatible_normal_force", lambda force: np.abs(force) <= LARGEST, f"{-LARGEST} to {LARGEST}")
    mean = float(forces.mean())
    if not mean > 0:
        raise ValueError(f"contacts has compatible normal forces with the mean {mean}, expected a mean above 0")
    values = forces / mean
    ends = min(0.0, float(values.min())), float(values.max())
    density, edges = np.histogram(values, whole("bins", bins, 1, MOST), ends, density=True)
    return ForceDistribution(mean, values, edges, density)


def packing_fraction(lower: ArrayLike, upper: ArrayLike, centres: ArrayLike, radii: ArrayLike) -> float:
    """The share of the volume of a box that spheres fill [-]. Spheres that its faces cut count with the part within.

    The volume of a cut sphere has an error below 1e-13 of that of the whole sphere, so that one that is more than 100 times as
    large as the diagonal of the box is refused. Where spheres overlap, the overlap counts
    twice. In a periodic box, give the centres of the images too; `fields.sample` counts them by itself.

    lower, upper: (3,), corners of the box, lower < upper [m].
    centres: (n, 3), of the spheres, in the axes of the box [m].
    radii: (n,), above 0 [m].
    """
    low, high = corners(lower, upper, 3)
    middles, sizes = places("centres", centres, -1, 3), lengths("radii", radii)
    if len(middles) != len(sizes):
        raise ValueError(f"radii is of shape {sizes.shape}, expected ({len(middles)},), one for each of centres")
    return float(volume_in_box(low, high, middles, sizes).sum() / np.prod(high - low))


def inertial_number(shear_rate: float, diameter: float, pressure: float, density: float) -> float:
    """The inertial number I = |shear rate| d / sqrt(p / rho) [-].

    shear_rate: of either sign [1/s].
    diameter: of a grain, above 0 [m].
    pressure: the confining pressure, above 0 [Pa].
    density: of the grains themselves, above 0 [kg/m^3].
    """
    rate, size = abs(finite("shear_rate", shear_rate)), positive("diameter", diameter)
    load, mass = positive("pressure", pressure), positive("density", density)
    number = rate * size * math.sqrt(mass) / math.sqrt(load)
    if not math.isfinite(number):
        raise ValueError(f"shear_rate is {shear_rate}, which makes an inertial number of {number}, expected a finite one")
    return number


def _handles(grains: ArrayLike) -> Handles:
    named: Any = integers("grains", grains, np.uint64, -1)
    values, counts = np.unique(named, return_counts=True)
    if (counts > 1).any():
        raise ValueError(f"grains has {int(values[counts > 1][0])} more than once, expected every grain once")
    return np.asarray(named, np.uint64)


def _carried(contacts: Records, member: str, is_valid: Callable[[Numbers], Any], expected: str) -> Numbers:
    """A member of the carrying contacts, at least one. Raises ValueError for a value that is not valid."""
    given = records("contacts", contacts, CONTACT_DTYPE)
    where = np.flatnonzero(given["state"] & int(ContactState.ACTIVE))
    if len(where) == 0:
        raise ValueError(f"contacts has {len(given)} contacts that carry nothing, expected at least one that carries")
    values: Numbers = given[member]
    is_wrong = np.zeros(values.shape, np.bool_)
    is_wrong[where] = ~is_valid(values[where])
    refuse(f"contacts[{member!r}]", values, is_wrong, expected)
    return values[where]
