"""Sums of contact forces over interfaces."""

from __future__ import annotations

from typing import Iterable, NamedTuple

import numpy as np

from ._arrays import Numbers, Records

INTERFACE_DTYPE = np.dtype(
    [
        ("a", "i8"),
        ("b", "i8"),
        ("resultant", "f8", (3,)),
        ("point", "f8", (3,)),
        ("normal", "f8", (3,)),
        ("normal_force", "f8"),
        ("tangential_force", "f8"),
        ("moment", "f8", (3,)),
    ]
)
"""What an interface carries, as an element of a numpy array."""


class Contacts(NamedTuple):
    """The contacts of one interface."""

    a: int
    b: int
    points: Numbers
    """(n, 3) [m]."""
    normals: Numbers
    """(n, 3), from a to b."""
    forces: Numbers
    """(n, 3), on b [N]."""
    torque: Numbers
    """(3,), of rolling resistance, on b [N m]."""


def summed(interfaces: Iterable[Contacts]) -> Records:
    """An array of INTERFACE_DTYPE, in the order of a and b. Interfaces without forces are left out."""
    found = [_summed(each) for each in interfaces if each.forces.any()]
    return np.sort(np.array(found, INTERFACE_DTYPE), order=("a", "b"), kind="stable")


def _summed(interface: Contacts) -> tuple[object, ...]:
    along = np.einsum("ij,ij->i", interface.forces, interface.normals)
    weights = along if along.sum() != 0 else np.ones(len(along))
    point = weights @ interface.points / weights.sum()
    normal = np.abs(weights) @ interface.normals
    normal /= np.linalg.norm(normal)
    resultant = interface.forces.sum(axis=0)
    normal_force = float(resultant @ normal)
    moment = np.cross(interface.points - point, interface.forces).sum(axis=0) + interface.torque
    tangential_force = float(np.linalg.norm(resultant - normal_force * normal))
    return interface.a, interface.b, resultant, point, normal, normal_force, tangential_force, moment
