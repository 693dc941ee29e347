#!/usr/bin/env python3
"""Compares gaps and normals of random pairs of shapes with a reference of 40 digits.

    python3 tests/geometry/compare.py                                30 pairs of every combination
    python3 tests/geometry/compare.py --pairs 1000 --kinds box,hull  boxes with boxes, boxes with hulls, hulls with hulls
    python3 tests/geometry/compare.py --only box-hull:17             one pair, with its numbers

The library is that of the Python package: see bindings/python/README.md. `reference.py` has the reference.

A pair has random shapes, sizes and rotations. Half of the pairs are apart by 1e-9 to 0.4 of the size, in every order of
magnitude. A tenth touch to round-off. The others overlap by 1e-9 to 0.1 of the size. The size of a pair is the radius of
the sphere about the origin of a shape that holds it, of the smaller shape. A mesh is a single triangle.

The deepest contact of the library after one step counts. Errors of gaps are parts of the size. The error of a normal is
the length of the difference. Where the cores of two shapes are apart by d, it is multiplied by the smaller one of 1 and
d over the size: round-off in the points moves the normal by so much more. A core is a shape without its radius. Where
another axis has the same depth to 1e-6 of the size, normals are not compared.

Errors above a bound are counted in two columns. Near a face, docs/limits.md allows those of normals: the normal is within
0.8 degrees of that of a face, which the library has instead. The exit status is 1 where any error is above its bound or a
contact is missing. With --allow-tilt the pairs near a face do not count.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
import time
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Dict, List, Optional, Tuple

import drystone
import numpy as np
import numpy.typing as npt
from drystone import BodyKind, World

from reference import estimate, solve
from solids import Answer, Pose, Shape, Solid
from vectors import Face, Unproved, doubles, exact

Array = npt.NDArray[np.float64]

KINDS = ("sphere", "box", "capsule", "cylinder", "hull", "half_space", "mesh")
FIXED = ("half_space", "mesh")
"""Kinds of static bodies alone."""
APART, OVERLAPPING, ITERATED = 1e-12, 1e-9, 1e-9
"""Bounds of errors. The last one is for cylinders that are apart from cylinders or hulls [-]."""
MARGIN = 0.5
"""Contact margin over the size [-]."""
TILT = math.radians(0.8)
"""The limit of nearly parallel faces in docs/limits.md [rad]."""
FACE = 1e-9
"""Largest distance of two normals that are those of the same face [-]."""
FLATNESS = 1e-5
"""Corners of hulls are at least this far from other faces, over the size: the library merges nearer ones [-]."""

CORNERS = tuple((x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0))
BOX_EDGES = tuple((i, i | bit) for i in range(8) for bit in (1, 2, 4) if not i & bit)
BOX_FACES = tuple(
    face
    for a, b, c, d in ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    for face in ((a, b, c), (a, c, d))
)


def hull_faces(points: Array) -> Optional[List[Face]]:
    """Returns the triangles of the hull of few points, or None where four of its corners are nearly in a plane."""
    faces: List[Face] = []
    for i, j, k in itertools.combinations(range(len(points)), 3):
        normal = np.cross(points[j] - points[i], points[k] - points[i])
        length = np.linalg.norm(normal)
        if length < FLATNESS:
            return None
        heights = (points - points[i]) @ normal / length
        others = np.delete(heights, [i, j, k])
        if np.all(others < FLATNESS) or np.all(others > -FLATNESS):
            if np.abs(others).min() < FLATNESS:
                return None
            faces.append((i, j, k) if others[0] < 0 else (i, k, j))
    return faces


def random_hull(random: np.random.Generator, scale: float) -> Shape:
    """Returns the hull of 4 to 20 random points, in a box or on an ellipsoid."""
    while True:
        points = random.uniform(-1, 1, (int(random.integers(4, 21)), 3))
        if random.random() < 0.5:
            points /= np.linalg.norm(points, axis=1)[:, None]
        points *= random.uniform(0.3, 1, 3)
        faces = hull_faces(points)
        if faces is not None:
            corners = tuple((float(x), float(y), float(z)) for x, y, z in scale * points)
            edges = {(min(pair), max(pair)) for face in faces for pair in zip(face, face[1:] + face[:1])}
            used = sorted({corner for face in faces for corner in face})
            place = {corner: index for index, corner in enumerate(used)}
            return Shape(
                "hull",
                corners=tuple(corners[i] for i in used),
                edges=tuple((place[i], place[j]) for i, j in sorted(edges)),
                faces=tuple((place[i], place[j], place[k]) for i, j, k in faces),
                parameters=tuple(value for corner in corners for value in corner),
            )


def random_shape(kind: str, random: np.random.Generator) -> Shape:
    """Returns a random shape of a size between 0.1 and 1 m, some of them slender or flat."""
    scale = float(10 ** random.uniform(-1, 0))
    x, y, z = (float(value) for value in scale * random.uniform(0.1, 1, 3))
    if kind == "sphere":
        return Shape(kind, radius=x, corners=((0.0, 0.0, 0.0),), edges=((0, 0),), parameters=(x,))
    if kind == "box":
        corners = tuple((x * i, y * j, z * k) for i, j, k in CORNERS)
        return Shape(kind, corners=corners, edges=BOX_EDGES, faces=BOX_FACES, parameters=(x, y, z))
    if kind == "capsule":
        return Shape(kind, radius=y, corners=((0.0, 0.0, -x), (0.0, 0.0, x)), edges=((0, 1),), parameters=(x, y))
    if kind == "cylinder":
        return Shape(kind, radius=y, half_height=x, parameters=(x, y))
    if kind == "hull":
        return random_hull(random, scale)
    if kind == "half_space":
        normal = random.normal(size=3)
        normal /= np.linalg.norm(normal)
        return Shape(kind, parameters=(*(float(value) for value in normal), float(random.uniform(-1, 1))))
    while True:
        points = scale * random.uniform(-1, 1, (3, 3))
        if np.linalg.norm(np.cross(points[1] - points[0], points[2] - points[0])) > 0.1 * scale**2:
            corners = tuple((float(x), float(y), float(z)) for x, y, z in points)
            return Shape(kind, corners=corners, edges=((0, 1), (1, 2), (0, 2)), faces=((0, 1, 2),))


def random_pose(random: np.random.Generator) -> Pose:
    """Returns a random rotation at a place within 1 m of the origin."""
    rotation = random.normal(size=4)
    rotation /= np.linalg.norm(rotation)
    x, y, z = random.uniform(-1, 1, 3)
    i, j, k, w = (float(value) for value in rotation)
    return Pose((float(x), float(y), float(z)), (i, j, k, w))


def moved(pose: Pose, by: Array) -> Pose:
    """Returns a pose whose position is moved."""
    x, y, z = (float(value) for value in np.array(pose.position) + by)
    return Pose((x, y, z), pose.rotation)


Body = Tuple[Shape, Pose]


def random_gap(random: np.random.Generator, size: float) -> float:
    """Returns a gap above, at or below 0 [m]."""
    which = random.random()
    if which < 0.5:
        return float(size * 10 ** random.uniform(-9, math.log10(0.4)))
    if which < 0.6:
        return 0.0
    return float(-size * 10 ** random.uniform(-9, -1.01))


def random_pair(kinds: Tuple[str, str], random: np.random.Generator) -> Tuple[Body, Body]:
    """Returns two shapes at a random gap. The second one moves along the normal until the gap is there."""
    while True:
        first: Body = random_shape(kinds[0], random), random_pose(random)
        shape, pose = random_shape(kinds[1], random), random_pose(random)
        size = min(first[0].size, shape.size)
        if shape.kind != "half_space":
            direction = random.normal(size=3)
            reach = (first[0].size + shape.size) * (random.uniform(0.1, 0.7) if random.random() < 0.5 else 1.05)
            away = direction / np.linalg.norm(direction) * reach
            pose = moved(pose, np.array(first[1].position) + away - np.array(pose.position))
        wanted = random_gap(random, size)
        for _ in range(6):
            gap, normal = estimate(first, (shape, pose))
            if abs(gap - wanted) <= 1e-15 + 0.01 * abs(wanted):
                break
            pose = moved(pose, (wanted - gap) * normal)
        if -0.1 * size < gap < 0.45 * size:
            return first, (shape, pose)


def make(world: World, shape: Shape) -> drystone.Shape:
    """Adds a shape to a world."""
    if shape.kind == "mesh":
        return world.mesh(shape.corners, shape.faces)
    if shape.kind == "hull":
        return world.hull(np.array(shape.parameters).reshape(-1, 3))
    if shape.kind == "box":
        return world.box(shape.parameters)
    if shape.kind == "half_space":
        return world.half_space(shape.parameters[:3], shape.parameters[3])
    if shape.kind == "sphere":
        return world.sphere(shape.parameters[0])
    return (world.capsule if shape.kind == "capsule" else world.cylinder)(*shape.parameters)


def of_library(first: Body, second: Body, is_swapped: bool) -> Optional[Tuple[float, Array]]:
    """Returns the least gap and its normal from the first shape to the second, or None without a contact.

    The second body is static. With `is_swapped` it is added before the first one.
    """
    size = min(first[0].size, second[0].size)
    with World(gravity=(0, 0, 0)) as world:
        world.configure(contact_margin=MARGIN * size)
        bodies = [
            world.add_body(shape=make(world, shape), position=pose.position, rotation=pose.rotation, kind=kind)
            for (shape, pose), kind in ((first, BodyKind.DYNAMIC), (second, BodyKind.STATIC))[:: -1 if is_swapped else 1]
        ]
        world.step(1e-6)
        contacts = world.contacts()
        if not len(contacts):
            return None
        deepest = contacts[np.argmin(contacts["gap"])]
        own = bodies[1 if is_swapped else 0]
        sign = 1.0 if int(deepest["body_a"]) == int(own) else -1.0
        return float(deepest["gap"]), sign * np.array(deepest["normal"])


@dataclass
class Result:
    """How far the library is from the reference for one pair."""

    answer: Answer
    found: Optional[Tuple[float, Array]]
    size: float
    faces: Array
    """Unit normals of the faces of both shapes, (n, 3), of any sign."""

    @property
    def is_apart(self) -> bool:
        """Whether the shapes do not overlap."""
        return self.answer.gap >= 0

    @property
    def excess(self) -> float:
        """By which the gap of the library is larger [m]."""
        return math.inf if self.found is None else float(Decimal(self.found[0]) - self.answer.gap)

    @property
    def gap_error(self) -> float:
        """Of the size [-]."""
        return abs(self.excess) / self.size

    @property
    def turn(self) -> float:
        """Length of the difference of the normals [-]."""
        if self.found is None:
            return math.inf
        return float(np.linalg.norm(self.found[1] - doubles([self.answer.normal])[0]))

    @property
    def normal_error(self) -> float:
        """The same, times the distance of the cores over the size where that is between 0 and 1 [-]."""
        if not self.answer.is_single:
            return 0.0
        core = float(self.answer.core) / self.size
        return self.turn * (min(core, 1.0) if core > 0 else 1.0)

    @property
    def is_near_face(self) -> bool:
        """Whether docs/limits.md allows an error of the normal: the library has that of a face, which is nearly the right one."""
        if self.found is None or self.turn >= TILT:
            return False
        turns = np.linalg.norm(np.cross(self.faces, self.found[1]), axis=1)
        return len(turns) > 0 and bool(turns.min() < FACE)


@dataclass
class Worst:
    """The largest error, and the pair that has it."""

    error: float = 0.0
    pair: int = -1

    def note(self, error: float, pair: int) -> None:
        """Takes an error if it is the largest one so far."""
        if error > self.error or self.pair < 0:
            self.error, self.pair = error, pair


@dataclass
class Line:
    """The errors of one combination."""

    kinds: Tuple[str, str]
    counts: Dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})
    gaps: Dict[bool, Worst] = field(default_factory=lambda: {True: Worst(), False: Worst()})
    normals: Dict[bool, Worst] = field(default_factory=lambda: {True: Worst(), False: Worst()})
    ties: int = 0
    unproved: List[int] = field(default_factory=list)
    tilted: List[int] = field(default_factory=list)
    above: List[int] = field(default_factory=list)

    def bound(self, is_apart: bool) -> float:
        """Returns the bound of errors [-]."""
        if not is_apart:
            return OVERLAPPING
        return ITERATED if self.kinds in (("cylinder", "cylinder"), ("cylinder", "hull")) else APART

    def note(self, result: Result, pair: int) -> None:
        """Takes the errors of a pair."""
        is_apart = result.is_apart
        self.counts[is_apart] += 1
        self.ties += not result.answer.is_single
        self.gaps[is_apart].note(result.gap_error, pair)
        self.normals[is_apart].note(result.normal_error, pair)
        bound = self.bound(is_apart)
        if result.gap_error > bound or result.normal_error > bound and not result.is_near_face:
            self.above.append(pair)
        elif result.normal_error > bound:
            self.tilted.append(pair)

    def text(self) -> str:
        """Returns the row of the table."""
        cells = ["-".join(self.kinds)]
        for is_apart in (True, False):
            cells.append(str(self.counts[is_apart]))
            for worst in (self.gaps[is_apart], self.normals[is_apart]):
                cells.append(f"{worst.error:.1e} (:{worst.pair})" if worst.pair >= 0 else "-")
        cells += [str(self.ties), str(len(self.tilted)), str(len(self.above) + len(self.unproved))]
        return f"| {' | '.join(cells)} |"


HEAD = """\
| kinds | apart | gap | normal | overlap | gap | normal | ties | near a face | above |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"""


def generator(seed: int, kinds: Tuple[str, str], pair: int) -> np.random.Generator:
    """Returns the random numbers of one pair, which do not depend on other pairs."""
    return np.random.default_rng([seed, KINDS.index(kinds[0]), KINDS.index(kinds[1]), pair])


def faces(shape: Shape, pose: Pose) -> Array:
    """Returns the normals of the flat faces of a shape in doubles, (n, 3)."""
    solid = Solid(shape, pose, exact(pose.position))
    return solid.axes[2:] if shape.is_cylinder else solid.outward


def compare(seed: int, kinds: Tuple[str, str], pair: int) -> Tuple[Result, Body, Body]:
    """Returns the errors of one pair, and the pair."""
    random = generator(seed, kinds, pair)
    is_swapped = bool(random.integers(2))
    first, second = random_pair(kinds, random)
    size = min(first[0].size, second[0].size)
    normals = np.concatenate([faces(*first), faces(*second)])
    return Result(solve(first, second), of_library(first, second, is_swapped), size, normals), first, second


def combinations(kinds: List[str]) -> List[Tuple[str, str]]:
    """Returns the combinations of kinds, of which at most the second one is static alone."""
    pairs = itertools.combinations_with_replacement(KINDS, 2)
    return [pair for pair in pairs if set(pair) <= set(kinds) and pair[0] not in FIXED]


def show(seed: int, name: str) -> bool:
    """Prints one pair and its errors. Returns whether they are within the bounds."""
    names, number = name.split(":")
    first, second = names.split("-")
    line = Line((first, second))
    result, *bodies = compare(seed, line.kinds, int(number))
    for shape, pose in bodies:
        print(f"{shape.kind}: {shape.parameters or shape.corners}")
        print(f"    position {pose.position}, rotation {pose.rotation}")
    print(f"size {result.size!r}, distance of the cores {result.answer.core:.20g}, one axis: {result.answer.is_single}")
    print(f"reference: gap {result.answer.gap:.40g}, normal {', '.join(f'{value:.40g}' for value in result.answer.normal)}")
    if result.found is None:
        print("library: no contact")
    else:
        print(f"library: gap {result.found[0]!r}, normal {', '.join(repr(float(value)) for value in result.found[1])}")
    print(f"errors: gap {result.gap_error:.2e}, normal {result.normal_error:.2e} ({result.turn:.2e} without weight)")
    line.note(result, int(number))
    print(f"near a face: {bool(line.tilted)}")
    return not line.above and not line.tilted


def main() -> int:
    """Runs the command. Returns 0 if all errors are within the bounds."""
    parser = argparse.ArgumentParser(description="Compares gaps and normals with a reference of 40 digits.")
    parser.add_argument("--pairs", type=int, default=30, help="pairs of each combination")
    parser.add_argument("--first", type=int, default=0, help="number of the first pair")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS), help="a list with commas")
    parser.add_argument("--allow-tilt", action="store_true", help="errors near a face count as within the bounds")
    parser.add_argument("--only", help="one pair, as box-hull:17")
    options = parser.parse_args()
    if options.only:
        return 0 if show(options.seed, options.only) else 1
    kinds = options.kinds.split(",")
    if not set(kinds) <= set(KINDS):
        parser.error(f"--kinds is {options.kinds}; valid are {', '.join(KINDS)}")
    print(HEAD, flush=True)
    start = time.monotonic()
    above: List[str] = []
    tilted: List[str] = []
    for combination in combinations(kinds):
        line = Line(combination)
        for pair in range(options.first, options.first + options.pairs):
            try:
                line.note(compare(options.seed, combination, pair)[0], pair)
            except Unproved as error:
                line.unproved.append(pair)
                print(f"no proof for {'-'.join(combination)}:{pair}: {error}", file=sys.stderr)
        print(line.text(), flush=True)
        name = "-".join(combination)
        above += [f"{name}:{pair}" for pair in line.above] + [f"{name}:{pair} (no proof)" for pair in line.unproved]
        tilted += [f"{name}:{pair}" for pair in line.tilted]
    print(f"\n{time.monotonic() - start:.0f} s with seed {options.seed}", file=sys.stderr)
    for what, names in (("near a face", tilted), ("above the bounds", above)):
        if names:
            print(f"{what}: {', '.join(names)}", file=sys.stderr)
    return 1 if above or (tilted and not options.allow_tilt) else 0


if __name__ == "__main__":
    sys.exit(main())
