"""Forces that balance the blocks of a model, at its own contacts or at those of their shapes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._arrays import Numbers, Records
from ._compas_build import Built
from ._solver import Solution, Solver
from .raw import (
    PROBLEM_BODY_DTYPE,
    PROBLEM_CONTACT_DTYPE,
    Compatibility,
    CompatibleFriction,
    FrictionLaw,
    Settings,
    SolverKind,
    StaticFlag,
)

# The problem of given contacts is a step of this length from rest: what stands has no velocity [s].
_STEP = 10.0
# Missing force over the largest load, above which blocks fall, and to which they are balanced [-].
_FALLING = 1e-5
# Speed of a corner over the largest one, above which it slides or opens [-].
_SLIDING = 1e-6


class Balance(NamedTuple):
    """What was found."""

    stable: bool
    converged: bool
    unbalanced: float
    elastic_energy: float
    law: FrictionLaw
    """Of the forces: the associated law where none of Coulomb's were found."""
    displacements: Numbers
    """(blocks, 6), moves and turns about the centres [m, rad]."""
    forces: Any
    """At the corners of each interface of the model, on the block above, world axes; or the contacts of the world."""


def balance_shapes(built: Built, loads: Numbers, moves: Numbers, tolerance: float, law: FrictionLaw) -> Balance:
    """The static increment of the world. The supports move by `moves`."""
    for block, load, moved in zip(built.blocks, loads, moves):
        if block.is_support:
            built.world.set_state(block.body, linear_velocity=moved[:3], angular_velocity=moved[3:])
        elif load.any():
            built.world.add_force(block.body, load[:3])
            built.world.add_torque(block.body, load[3:])
    farthest = 0.1 * built.size + float(np.abs(moves).max())
    report, displacements = built.world.solve_static(max_displacement=farthest, tolerance=tolerance)
    flags = StaticFlag(report.flags)
    stable, converged = not flags & StaticFlag.COLLAPSE, not flags & StaticFlag.NOT_CONVERGED
    contacts = built.world.contacts() if stable and converged else None
    if flags & StaticFlag.NOT_COULOMB:
        law = FrictionLaw.ASSOCIATED
    return Balance(stable, converged, report.unbalanced, report.elastic_energy, law, displacements, contacts)


def balance_given(
    built: Built, loads: Numbers, moves: Numbers, friction: float, tolerance: float, law: FrictionLaw
) -> Balance:
    """A step from rest at the contacts of the model, and of all forces that explain it those of least stress. The loads have the weights.

    What follows a moved support is accelerated in that step. A second step begins with those velocities, so that its forces are the static ones.
    """
    loads = loads * built.is_free[:, None]
    bodies, contacts = _bodies(built, loads, moves), _contacts(built, friction)
    solver = SolverKind.CONIC if law == FrictionLaw.ASSOCIATED else SolverKind.NEWTON
    settings = Settings(friction_law=law, solver=solver, tolerance=1e-12, compatibility=Compatibility.HOOKE)
    if law == FrictionLaw.COULOMB:
        settings.compatible_friction = CompatibleFriction.ELASTIC
    followed = np.zeros((len(built.blocks), 6))
    with Solver() as own:
        found = own.solve(_STEP, bodies, contacts, settings=settings)
        if moves.any():
            followed = found.velocities * built.is_free[:, None]
            bodies["velocity"] += followed[:, :3]
            bodies["angular_velocity"] += followed[:, 3:]
            found = own.solve(_STEP, bodies, contacts, settings=settings)
        impulses = found.contacts["compatible_impulse"]
        if moves.any():
            impulses = _where_it_slides(own, bodies, contacts, found, settings)
    most = _largest(loads, built.size) or 1.0
    unbalanced = _missing(built, loads, contacts, impulses)
    if moves.any() and unbalanced > tolerance * most:
        # Those of the solver slide as they must, too, and are some of those that balance.
        impulses = found.contacts["impulse"]
        unbalanced = _missing(built, loads, contacts, impulses)
    stable = _largest(_inertia(built, found.velocities - followed), built.size) <= _FALLING * most
    converged = stable and unbalanced <= tolerance * most
    forces = np.split(impulses / _STEP, np.cumsum([len(each.corners) for each in built.interfaces])[:-1])
    if found.report.associated_islands:
        law = FrictionLaw.ASSOCIATED
    return Balance(stable, converged, unbalanced, 0.0, law, _STEP * found.velocities, forces if stable else None)


def _where_it_slides(own: Solver, bodies: Records, contacts: Records, found: Solution, settings: Settings) -> Numbers:
    """The impulses of least stress of those that go with the velocities: corners that open have none, and those that slide full friction.

    A corner that slides is one without friction along the edge of its cone. Its stiffness is that of the corner in this direction.
    """
    velocities = found.velocities
    ends = []
    for name in "ab":
        body = contacts[f"body_{name}"]
        ends.append(velocities[body, :3] + np.cross(velocities[body, 3:], contacts[f"arm_{name}"]))
    relative = ends[1] - ends[0]
    opening = np.einsum("ij,ij->i", relative, contacts["normal"])
    slip = relative - opening[:, None] * contacts["normal"]
    speeds, friction = np.linalg.norm(slip, axis=1), contacts["friction"]
    least = _SLIDING * max(float(np.abs(each).max()) for each in ends)
    if settings.friction_law == FrictionLaw.ASSOCIATED:
        opening = opening - friction * speeds
    kept, slides = opening <= least, speeds > least
    chosen = contacts.copy()
    along = contacts["normal"][slides] - friction[slides, None] * slip[slides] / speeds[slides, None]
    squares = friction[slides] ** 2
    chosen["normal"][slides] = along / np.sqrt(1 + squares)[:, None]
    chosen["stiffness"] = 1
    chosen["stiffness"][slides] = (1 + squares) / (1 + squares / settings.tangential_stiffness)
    chosen["friction"][slides] = 0
    impulses = np.zeros((len(contacts), 3))
    impulses[kept] = own.correct(_STEP, bodies, chosen[kept], found.contacts["impulse"][kept], settings).impulses
    return impulses


def _bodies(built: Built, loads: Numbers, moves: Numbers) -> Records:
    """The blocks as balls as large as they are: what stands has no need of their inertia."""
    bodies = np.zeros(len(built.blocks), PROBLEM_BODY_DTYPE)
    for at, block in enumerate(built.blocks):
        if block.is_support:
            bodies["velocity"][at], bodies["angular_velocity"][at] = moves[at, :3] / _STEP, moves[at, 3:] / _STEP
            continue
        moment = 0.1 * block.mass * built.size**2
        bodies["inverse_mass"][at], bodies["inverse_inertia"][at, :3] = 1 / block.mass, 1 / moment
        bodies["velocity"][at] = loads[at, :3] * _STEP / block.mass
        bodies["angular_velocity"][at] = loads[at, 3:] * _STEP / moment
    return bodies


def _contacts(built: Built, friction: float) -> Records:
    """One contact for each corner of each interface, which presses against its normal the block above."""
    count = sum(len(each.corners) for each in built.interfaces)
    contacts, at = np.zeros(count, PROBLEM_CONTACT_DTYPE), 0
    contacts["key"], contacts["friction"] = np.arange(1, count + 1), friction
    for each in built.interfaces:
        rows = slice(at, at + len(each.corners))
        contacts["normal"][rows] = each.normal
        for name, place in (("a", each.below), ("b", each.above)):
            contacts[f"body_{name}"][rows] = place
            contacts[f"arm_{name}"][rows] = each.corners - built.blocks[place].center
        at = rows.stop
    return contacts


def _missing(built: Built, loads: Numbers, contacts: Records, impulses: Numbers) -> float:
    """The largest force that blocks lack, and torque over half the size [N]."""
    missing = loads + _wrenches(built, contacts, impulses) / _STEP
    return _largest(missing * built.is_free[:, None], built.size)


def _wrenches(built: Built, contacts: Records, impulses: Numbers) -> Numbers:
    """The impulses of contacts on all blocks, and their moments about the centres."""
    sums = np.zeros((len(built.blocks), 6))
    for name, sign in (("a", -1), ("b", 1)):
        both = sign * np.hstack([impulses, np.cross(contacts[f"arm_{name}"], impulses)])
        np.add.at(sums, contacts[f"body_{name}"], both)
    return sums


def _inertia(built: Built, velocities: Numbers) -> Numbers:
    """What of the loads gives velocities to blocks in a step."""
    masses = np.array([block.mass for block in built.blocks]) * built.is_free
    scale = np.hstack([np.repeat(masses[:, None], 3, 1), np.repeat(0.1 * masses[:, None] * built.size**2, 3, 1)])
    return scale * velocities / _STEP


def _largest(wrenches: Numbers, size: float) -> float:
    """The largest force, and torque over half the size [N]."""
    forces, torques = np.linalg.norm(wrenches[:, :3], axis=1), np.linalg.norm(wrenches[:, 3:], axis=1) / (0.5 * size)
    return float(max(forces.max(), torques.max()))
