"""Places for spheres that do not overlap: lattices, random clouds, clouds grown to high density, and layers.

    from drystone.granular import packings, sizes

    diameters = sizes.uniform(0.01, 0.02).sample(500, seed=1)
    centres = packings.random_box((0, 0, 0), (0.2, 0.2, 0.2), diameters, seed=1)

Every function returns centres (n, 3), world axes [m]. Spheres lie within their container, walls included, and through periodic faces
alone they stick out. The same arguments give the same bits. Spheres of lattices touch if `gap` is 0: their distance is then the diameter to round-off.
"""

from __future__ import annotations

import math
from typing import Any, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Numbers
from .._checks import whole
from ._addition import Container, add, random
from ._box import Box
from ._cylinder import Cylinder
from ._growth import Region, grow
from ._mesh import ClosedMesh
from ._valid import corners, distance, finite, lengths, positive, refuse_larger, refuse_many
from ._walls import Walls

ROUND_OFF = 1e-9
"""Of a pitch: a lattice whose last sphere sticks out by less has it."""
STARTS = 20000
"""Places that are tried for a sphere that starts to grow in a mesh."""

Periodic = Union[bool, Sequence[bool], "np.ndarray[Any, Any]"]


def cubic(lower: ArrayLike, upper: ArrayLike, diameter: float, gap: float = 0) -> Numbers:
    """A simple cubic lattice, from the lower corner of a box on: x varies slowest.

    lower, upper: (3,), corners of the box, lower < upper [m].
    diameter: above 0 [m].
    gap: between neighbours, 0 or above [m].

    Raises ValueError if there would be more than 2^27 spheres.
    """
    low, high = corners(lower, upper, 3)
    size, pitch = _lattice(diameter, gap)
    low, high = low + size / 2, high - size / 2
    counts = _counts(low, high, (pitch, pitch, pitch), size)
    x, y, z = (low[axis] + pitch * np.arange(counts[axis]) for axis in range(3))
    return np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1).reshape(-1, 3)


def hexagonal(lower: ArrayLike, upper: ArrayLike, diameter: float, gap: float = 0) -> Numbers:
    """A hexagonal close packing, from the lower corner of a box on: layers along z, rows along x.

    A sphere within it touches 12 others if `gap` is 0. The fraction within it is then pi / sqrt(18) = 0.74.

    lower, upper: (3,), corners of the box, lower < upper [m].
    diameter: above 0 [m].
    gap: between neighbours, 0 or above [m].

    Raises ValueError if there would be more than 2^27 spheres or so.
    """
    low, high = corners(lower, upper, 3)
    size, pitch = _lattice(diameter, gap)
    low, high = low + size / 2, high - size / 2
    between_rows, between_layers = pitch * math.sqrt(3) / 2, pitch * math.sqrt(2 / 3)
    _, _, layers = _counts(low, high, (pitch, between_rows, between_layers), size)
    if layers == 0:
        return np.empty((0, 3))
    x = [_row(low[0] + pitch / 2 * shifted, high[0], pitch)[:, None] for shifted in range(2)]
    y = [_row(low[1] + pitch * math.sqrt(3) / 6 * shifted, high[1], between_rows) for shifted in range(2)]
    planes = [_in_turn(x[shifted], x[1 - shifted], y[shifted]) for shifted in range(2)]
    return _in_turn(planes[0], planes[1], low[2] + between_layers * np.arange(layers))


def random_box(
    lower: ArrayLike,
    upper: ArrayLike,
    diameters: ArrayLike,
    seed: int,
    gap: float = 0,
    attempts: int = 20000,
    periodic: Periodic = False,
) -> Numbers:
    """A random cloud in a box, by random sequential addition: big spheres first, each at a random one of the places that are free.

    Reaches a fraction of 0.38 of the volume with one size in a periodic box. Walls leave less: 0.35 in a cube of 14 diameters. Several
    sizes reach more, and `grown_box` reaches 0.55 and more. Returns the centres in the order of `diameters`.

    lower, upper: (3,), corners of the box, lower < upper [m].
    diameters: (n,), above 0 [m].
    seed: 0 or above.
    gap: least distance between surfaces of spheres, 0 or above [m].
    attempts: places that are tried for a sphere before what the others leave free is searched, 1 or above.
    periodic: True, False, or a flag for each axis. Spheres stick out of periodic faces, and distances are those of the nearest images.
        Diameter and gap together are at most half of each period. For a world with this `period` that must also hold with the contact
        margin in place of the gap.

    Raises ValueError if a sphere finds no place; the message has the fraction that was reached.
    """
    box, sizes, apart = Box(lower, upper, periodic), lengths("diameters", diameters), distance("gap", gap)
    box.require_room(sizes, apart)
    return add(Container(box.volume, box.place, box.ends, images=box.images), sizes, seed, apart, attempts)


def random_cylinder(
    base: ArrayLike,
    radius: float,
    height: float,
    diameters: ArrayLike,
    seed: int,
    gap: float = 0,
    attempts: int = 20000,
) -> Numbers:
    """A random cloud in an upright cylinder, otherwise as `random_box`.

    base: (3,), centre of the lower end [m].
    radius: of the cylinder, above 0 [m].
    height: of the cylinder along z, above 0 [m].
    diameters, seed, gap, attempts: as of `random_box`, which has the errors too.
    """
    sizes = lengths("diameters", diameters)
    cylinder = Cylinder(base, radius, height, sizes)
    return add(Container(cylinder.volume, cylinder.place, cylinder.around.ends, clearance=cylinder.clearance), sizes, seed, gap, attempts)


def random_mesh(
    vertices: ArrayLike,
    triangles: ArrayLike,
    diameters: ArrayLike,
    seed: int,
    gap: float = 0,
    attempts: int = 20000,
) -> Numbers:
    """A random cloud inside a closed surface of triangles, otherwise as `random_box`.

    The centre of each sphere is inside, and no triangle is nearer than its radius. Shells that face inward are cavities.

    vertices: (n, 3), world axes [m]. Vertices at the same place count as one.
    triangles: (m, 3) indices below n, counterclockwise as seen from outside.
    diameters, seed, gap, attempts: as of `random_box`, which has the errors too.

    Raises ValueError if the surface is not closed, or if it faces inward.
    """
    sizes = lengths("diameters", diameters)
    mesh, around = _mesh(vertices, triangles, sizes)
    return add(Container(mesh.volume, around.place, around.ends, mesh.holds, mesh.clearance), sizes, seed, gap, attempts)


def grown_box(
    lower: ArrayLike,
    upper: ArrayLike,
    diameters: ArrayLike,
    seed: int,
    gap: float = 0,
    iterations: int = 10000,
    periodic: Periodic = False,
) -> Numbers:
    """A dense random cloud in a box: small spheres at random places grow to their sizes and push each other apart.

    Reaches a fraction of 0.62 of the volume or so with one size in a periodic box; walls leave less. In the result no two spheres are
    nearer than the sum of their radii and the gap. Returns the centres in the order of `diameters`.

    lower, upper, diameters, seed, gap, periodic: as of `random_box`.
    iterations: relaxations that are tried, 1 or above.

    Raises ValueError if spheres still overlap; the message has the fraction that was reached.
    """
    box, sizes, apart = Box(lower, upper, periodic), lengths("diameters", diameters), distance("gap", gap)
    box.require_room(sizes, apart)
    return _grown(box, box.volume, "box", sizes, seed, apart, iterations)


def grown_cylinder(
    base: ArrayLike,
    radius: float,
    height: float,
    diameters: ArrayLike,
    seed: int,
    gap: float = 0,
    iterations: int = 10000,
) -> Numbers:
    """A dense random cloud in an upright cylinder, otherwise as `grown_box`.

    base, radius, height: as of `random_cylinder`.
    diameters, seed, gap, iterations: as of `grown_box`, which has the errors too.
    """
    sizes, apart = lengths("diameters", diameters), distance("gap", gap)
    cylinder = Cylinder(base, radius, height, sizes)
    return _grown(cylinder, cylinder.volume, "cylinder", sizes, seed, apart, iterations)


def grown_mesh(
    vertices: ArrayLike,
    triangles: ArrayLike,
    diameters: ArrayLike,
    seed: int,
    gap: float = 0,
    iterations: int = 10000,
) -> Numbers:
    """A dense random cloud inside a closed surface of triangles, otherwise as `grown_box`.

    The centre of each sphere is inside, and no triangle is nearer than its radius, less 1e-9 of it. Spheres do not pass from one part of
    the inside to another through a passage that is too narrow for them: each part keeps those that start there.

    vertices, triangles: as of `random_mesh`, which has the errors of the surface too.
    diameters, seed, gap, iterations: as of `grown_box`, which has the other errors.

    Raises ValueError too if a sphere finds no place to start from, in 20000 attempts.
    """
    sizes, apart = lengths("diameters", diameters), distance("gap", gap)
    mesh, _ = _mesh(vertices, triangles, sizes)
    return _grown(Walls(mesh, sizes / 2, STARTS), mesh.volume, "mesh", sizes, seed, apart, iterations)


def layer(lower: ArrayLike, upper: ArrayLike, height: float, diameter: float, jitter: float, seed: int) -> Numbers:
    """One layer of spheres above a horizontal rectangle, on a square lattice, each moved at random along x and y.

    The pitch of the lattice is diameter + 2 jitter, so that none overlap. The lattice is in the middle of the rectangle.

    lower, upper: (2,), corners of the rectangle, x and y, lower < upper [m].
    height: z of all centres [m].
    diameter: of the largest sphere to be placed, above 0 [m].
    jitter: the largest displacement along x and along y, 0 or above [m].
    seed: 0 or above.

    Raises ValueError if there would be more than 2^27 spheres.
    """
    low, high = corners(lower, upper, 2)
    level, moved, size = finite("height", height), distance("jitter", jitter), positive("diameter", diameter)
    pitch, rows = size + 2 * moved, []
    counts = _counts(low + pitch / 2, high - pitch / 2, (pitch, pitch), size)
    for axis in range(2):
        row = low[axis] + pitch / 2 + pitch * np.arange(counts[axis])
        rest = high[axis] - pitch / 2 - row[-1] if len(row) else 0.0
        rows.append(row + rest / 2)
    flat = np.stack(np.meshgrid(*rows, indexing="ij"), axis=-1).reshape(-1, 2)
    flat = flat + moved * (2 * random(seed).random(flat.shape) - 1)
    return np.column_stack([flat, np.full(len(flat), level)])


def _mesh(vertices: Any, triangles: Any, diameters: Numbers) -> tuple[ClosedMesh, Box]:
    """A closed surface that may hold spheres, and the box around it."""
    mesh = ClosedMesh(vertices, triangles, float(diameters.max(initial=0)))
    around = Box(mesh.lower, mesh.upper, False)
    refuse_larger(diameters, float(around.edges.min()), "the shortest edge of the box around the mesh")
    return mesh, around


def _grown(region: Region, volume: float, what: str, diameters: Numbers, seed: Any, gap: float, iterations: Any) -> Numbers:
    """Centres of spheres that have grown in a region, which the messages name `what`."""
    tries, generator = whole("iterations", iterations, 1, 2**31 - 1), random(seed)
    fraction = float((math.pi / 6 * diameters**3).sum()) / volume
    told = f"diameters are those of {len(diameters)} spheres of {fraction:.3f} of the volume of the {what}"
    expected = "expected fewer spheres, a smaller gap or more room"
    if not fraction < 1:
        raise ValueError(f"{told}, {expected}")
    centres, scale = grow(region, diameters, gap, generator, tries)
    if centres is None:
        raise ValueError(
            f"{told}; growth reached {fraction * scale**3:.3f} in {tries} iterations, {100 * scale:.2f} % of diameters and gap; {expected}"
        )
    return centres


def _in_turn(even: Numbers, odd: Numbers, along: Numbers) -> Numbers:
    """Copies of two sets of places alternately, one at each of the coordinates `along` the next axis."""
    pairs, rest = divmod(len(along), 2)
    places = np.concatenate([np.tile(np.concatenate([even, odd]), (pairs, 1)), even[: rest * len(even)]])
    sizes = np.resize([len(even), len(odd)], len(along))
    return np.column_stack([places, np.repeat(along, sizes)])


def _lattice(diameter: Any, gap: Any) -> tuple[float, float]:
    size = positive("diameter", diameter)
    return size, size + distance("gap", gap)


def _counts(first: Numbers, last: Numbers, pitches: Sequence[float], diameter: float) -> list[int]:
    """How many places there are from `first` to `last` along each axis; 0 along all if there are none along one."""
    counts = [_count(float(a), float(b), pitch) for a, b, pitch in zip(first, last, pitches)]
    if 0 in counts:
        return [0] * len(counts)
    refuse_many("diameter", diameter, counts, "spheres")
    return [int(count) for count in counts]


def _count(first: float, last: float, pitch: float) -> float:
    """The number of places from `first` to `last`, a whole number or infinity."""
    return max(0.0, float(np.floor((last - first) / pitch + ROUND_OFF)) + 1)


def _row(first: float, last: float, pitch: float) -> Numbers:
    """Places from `first` to `last`."""
    return first + pitch * np.arange(int(_count(first, last, pitch)), dtype=np.float64)
