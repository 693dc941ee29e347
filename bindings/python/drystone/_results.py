"""The results of a world's queries."""

from __future__ import annotations

from typing import NamedTuple

from ._arrays import Numbers
from .raw import StaticReport


class Statics(NamedTuple):
    """What a static increment came to."""

    report: StaticReport
    displacements: Numbers
    """(n, 6), moves and turns of the bodies in the order of creation, world axes [m, rad]."""


class LimitLoad(NamedTuple):
    """How far loads can grow."""

    report: StaticReport
    """Its load_factor is the answer."""
    mechanism: Numbers
    """(n, 6), how the bodies move and turn at the limit, in the order of creation; the unit loads do the work 1 [m, rad]."""


class Closest(NamedTuple):
    """The point of a surface that is closest to a given one, shape axes."""

    foot: Numbers
    """[m]"""
    normal: Numbers
    """Out of the solid [-]."""
    distance: float
    """Below 0 in the solid [m]."""


class Force(NamedTuple):
    """What contacts, or joints, do to a body, averaged over the step, world axes."""

    force: Numbers
    """[N]"""
    torque: Numbers
    """About the centre of mass at the start of the step [N m]."""


class SurfaceVelocity(NamedTuple):
    """How the surface of a body moves over the body."""

    linear: Numbers
    """At the centre of mass, body axes [m/s]."""
    angular: Numbers
    """Body axes [rad/s]."""


class Energy(NamedTuple):
    """Of a world, as it is now."""

    kinetic: float
    """Of all moving bodies [J]."""
    potential: float
    """Of their weight, relative to the world's origin [J]."""


class MassProperties(NamedTuple):
    """Of a shape at density 1."""

    volume: float
    """[m^3]"""
    mass: float
    """The volume, except for clumps with density factors [kg]."""
    center_of_mass: Numbers
    """Axes of the shape, from its origin [m]."""
    inertia: Numbers
    """About the centre of mass: xx yy zz xy yz xz [kg m^2]."""


class Mass(NamedTuple):
    """Of a body; 0 for one that is not dynamic."""

    mass: float
    """[kg]"""
    center_of_mass: Numbers
    """Body axes, from the shape's origin [m]."""
    inertia: Numbers
    """About the centre of mass, body axes: xx yy zz xy yz xz [kg m^2]."""
