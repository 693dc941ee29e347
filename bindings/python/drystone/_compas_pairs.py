"""Pairs of blocks that meet along an edge or at a corner, which no bed joins."""

from __future__ import annotations

import numpy as np

from ._arrays import Numbers
from ._world import World
from .raw import Body, JointKind, Settings

# Width of the points of two blocks over the size of the smaller one, up to which they have no area in common [-]. Points of an edge have
# a width of round-off, and of 1e-5 where the coordinates of a mesh are rounded. Beds of masonry have one of a tenth.
_WIDTH = 1e-3
# Length of the step that finds the contacts: nothing moves in it [s].
_STEP = 1e-9


def part(world: World, nodes: dict[int, int], sizes: dict[int, float]) -> list[tuple[int, int]]:
    """Lets blocks without a common area pass through each other. Returns the nodes of such pairs, in order.

    nodes: of the blocks by their bodies; sizes: of the blocks by their nodes [m].
    """
    parted = []
    for (a, b), points in _touching(world).items():
        pair = nodes[a], nodes[b]
        if _width(points) <= _WIDTH * min(sizes[node] for node in pair):
            # A joint that is off carries nothing, and its bodies do not collide.
            joint = world.add_joint(kind=JointKind.GENERAL, body_a=Body(a), body_b=Body(b))
            world.set_joint_enabled(joint, False)
            parted.append((min(pair), max(pair)))
    return sorted(parted)


def _touching(world: World) -> dict[tuple[int, int], Numbers]:
    """The contact points of each pair of bodies, (n, 3). The world stays as it is."""
    with world.copy() as copy:
        margin = copy.settings().contact_margin
        copy.set_settings(Settings(contact_margin=margin, iterations=1))
        copy.set_gravity((0, 0, 0))
        copy.step(_STEP)
        contacts = copy.contacts()
    rows: dict[tuple[int, int], list[int]] = {}
    for row, pair in enumerate(zip(contacts["body_a"].tolist(), contacts["body_b"].tolist())):
        rows.setdefault(pair, []).append(row)
    return {pair: contacts["point"][of_pair] for pair, of_pair in rows.items()}


def _width(points: Numbers) -> float:
    """The extent of points across the direction in which they extend most [m]."""
    if len(points) < 3:
        return 0.0
    about = points - points.mean(axis=0)
    across = np.linalg.svd(about)[2][1]
    return float(np.ptp(about @ across))
