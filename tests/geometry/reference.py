"""The gap and the normal of two convex solids, to 40 digits and more, with a proof.

The separation of two solids along a unit vector n is the least n.x of the second minus the largest n.x of the first. The
gap is the largest separation over all n, and the normal is that n. This holds for solids that are apart and for solids
that overlap: there the gap is the least depth, below 0.

A sphere is a point with a radius, a capsule is a segment with a radius. The radii are subtracted at the end.

1. Candidates are found in doubles: pairs of features for solids apart, axes for solids that overlap.
2. The best candidates are evaluated in decimals of 60 digits. Circles need a few steps of the secant method.
3. Where the solids are apart, the answer is proved by duality. Its two points belong to the solids, and their distance
   is the separation along the line between them, to 1e-35 of the size. No other pair of points can then be closer.
4. Where they overlap, the answer is the best of all axes that two features have. No axis nearby and none of 6000 random
   axes has a larger separation.

What cannot be proved raises `Unproved`. Nothing here uses the library.
"""

from __future__ import annotations

import decimal
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Callable, List, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Vector = Tuple[Decimal, Decimal, Decimal]
Edge = Tuple[int, int]
Face = Tuple[int, int, int]

DIGITS = 60
PROOF = Decimal("1e-35")
"""Largest distance between the two sides of the proof, over the size [-]."""
NEAR = 1e-6
"""Candidates this close to the best one are evaluated in decimals, over the size [-]."""
FIRST = 12
"""Pairs of features that are tried before the solids count as overlapping."""
GRIDS = (64, 512, 4096)
"""Samples of a circle, between which critical points are searched. More are used where nothing is proved with few."""
AXES = 3000
"""Random axes of all directions to which an overlap is compared, and as many near the best one."""
ZERO, ONE = Decimal(0), Decimal(1)

decimal.getcontext().prec = DIGITS


class Unproved(Exception):
    """No candidate was proved to be the answer."""


# Vectors of decimals


def dot(a: Vector, b: Vector) -> Decimal:
    """Returns a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def add(a: Vector, b: Vector, factor: Decimal = ONE) -> Vector:
    """Returns a + factor b."""
    return (a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2])


def sub(a: Vector, b: Vector) -> Vector:
    """Returns a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def times(a: Vector, factor: Decimal) -> Vector:
    """Returns factor a."""
    return (a[0] * factor, a[1] * factor, a[2] * factor)


def cross(a: Vector, b: Vector) -> Vector:
    """Returns a x b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def norm(a: Vector) -> Decimal:
    """Returns the length of a."""
    return dot(a, a).sqrt()


def unit(a: Vector) -> Optional[Vector]:
    """Returns a vector of length 1 along a, or None where a is 0."""
    length = norm(a)
    return times(a, ONE / length) if length > 0 else None


def exact(values: Sequence[float]) -> Vector:
    """Returns three doubles as decimals, without rounding."""
    x, y, z = (Decimal(float(value)) for value in values)
    return (x, y, z)


def doubles(vectors: Sequence[Vector]) -> Array:
    """Returns vectors rounded to doubles, of shape (n, 3)."""
    return np.array([[float(value) for value in vector] for vector in vectors]).reshape(-1, 3)


def clamp(value: Decimal) -> Decimal:
    """Returns the number in [0, 1] that is nearest to a value."""
    return min(max(value, ZERO), ONE)


# Solids


@dataclass(frozen=True)
class Shape:
    """A convex shape in its own axes: a polytope, or a cylinder along z where `half_height` is above 0."""

    kind: str
    radius: float = 0.0
    """By which the core is grown; of a cylinder its own [m]."""
    half_height: float = 0.0
    """Of a cylinder [m]."""
    corners: Tuple[Tuple[float, float, float], ...] = ()
    edges: Tuple[Edge, ...] = ()
    faces: Tuple[Face, ...] = ()
    """Three corners of each, counterclockwise from outside. Faces of more corners occur as several triangles."""
    parameters: Tuple[float, ...] = ()
    """As the library takes them."""

    @property
    def is_cylinder(self) -> bool:
        """Whether the shape is a cylinder."""
        return self.half_height > 0

    @property
    def size(self) -> float:
        """Radius of the sphere about the origin that holds the shape; infinite for a half-space [m]."""
        if self.kind == "half_space":
            return float("inf")
        if self.is_cylinder:
            return float(np.hypot(self.radius, self.half_height))
        return float(np.linalg.norm(np.array(self.corners), axis=1).max()) + self.radius


@dataclass(frozen=True)
class Pose:
    """Where a shape is. The quaternion (x, y, z, w) is divided by its length in decimals."""

    position: Tuple[float, float, float]
    rotation: Tuple[float, float, float, float]

    def columns(self) -> Tuple[Vector, Vector, Vector]:
        """Returns the axes of the shape in world axes."""
        x, y, z, w = (Decimal(value) for value in self.rotation)
        s = 2 / (x * x + y * y + z * z + w * w)
        return (
            (1 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)),
            (s * (x * y - z * w), 1 - s * (x * x + z * z), s * (y * z + x * w)),
            (s * (x * z + y * w), s * (y * z - x * w), 1 - s * (x * x + y * y)),
        )


class Solid:
    """The core of a shape at a pose: decimals, and doubles for the search."""

    def __init__(self, shape: Shape, pose: Pose, origin: Vector) -> None:
        self.shape = shape
        x, y, z = self.frame = pose.columns()
        self.center = sub(exact(pose.position), origin)
        self.half_height, self.radius = Decimal(shape.half_height), Decimal(shape.radius)
        self.corners: List[Vector] = []
        for corner in map(exact, shape.corners):
            self.corners.append(add(add(add(self.center, x, corner[0]), y, corner[1]), z, corner[2]))
        self.normals = [
            cross(sub(self.corners[j], self.corners[i]), sub(self.corners[k], self.corners[i])) for i, j, k in shape.faces
        ]
        self.points = doubles(self.corners)
        self.middle = doubles([self.center])[0]
        self.axes = doubles(self.frame)
        normals = doubles(self.normals)
        self.outward = normals / np.linalg.norm(normals, axis=1)[:, None] if len(normals) else normals
        self.triangles = self.points[np.array(shape.faces, int).reshape(-1, 3)]
        self.segments = self.points[np.array(shape.edges, int).reshape(-1, 2)]

    def support(self, n: Vector) -> Decimal:
        """Returns the largest n . x over the core."""
        if self.shape.is_cylinder:
            along = dot(n, self.frame[2])
            across = norm(add(n, self.frame[2], -along))
            return dot(n, self.center) + self.half_height * abs(along) + self.radius * across
        return max(dot(n, corner) for corner in self.corners)

    def supports(self, n: Array) -> Array:
        """Returns the same in doubles for many vectors, (m, 3)."""
        if self.shape.is_cylinder:
            along = n @ self.axes[2]
            across = np.linalg.norm(n - along[:, None] * self.axes[2], axis=1)
            return np.asarray(n @ self.middle + self.shape.half_height * np.abs(along) + self.shape.radius * across)
        return np.asarray((n @ self.points.T).max(axis=1))

    def extreme(self, n: Vector) -> Optional[Vector]:
        """Returns the point of a cylinder with the largest n . x."""
        z = self.frame[2]
        along = dot(n, z)
        out = unit(add(n, z, -along))
        if out is None:
            return None
        return add(add(self.center, z, self.half_height.copy_sign(along)), out, self.radius)

    def foot(self, point: Vector) -> Vector:
        """Returns the point of a solid cylinder that is closest to a point."""
        z = self.frame[2]
        arm = sub(point, self.center)
        along = dot(arm, z)
        across = add(arm, z, -along)
        distance = norm(across)
        along = min(max(along, -self.half_height), self.half_height)
        if distance > self.radius:
            across = times(across, self.radius / distance)
        return add(add(self.center, z, along), across)

    def feet(self, points: Array) -> Array:
        """Returns the same in doubles, (..., 3)."""
        z, (height, radius) = self.axes[2], (self.shape.half_height, self.shape.radius)
        arms = points - self.middle
        along = arms @ z
        across = arms - along[..., None] * z
        distance = np.linalg.norm(across, axis=-1)
        across *= np.minimum(1, radius / np.maximum(distance, 1e-300))[..., None]
        return np.asarray(self.middle + np.clip(along, -height, height)[..., None] * z + across)


@dataclass
class Answer:
    """The gap of two solids and the normal from the first to the second."""

    gap: Decimal
    normal: Vector
    core: Decimal
    """The distance of the cores, below 0 where they overlap: the gap before the radii [m]."""
    is_single: bool = True
    """Whether no other axis has the same separation to 1e-6 of the size."""

    def flipped(self) -> Answer:
        """Returns the answer for the solids in the other order."""
        return Answer(self.gap, times(self.normal, -ONE), self.core, self.is_single)


Points = Optional[Tuple[Vector, Vector]]


@dataclass
class Candidates:
    """Pairs of features or axes in doubles, and functions that evaluate them in decimals."""

    values: List[Array]
    normals: List[Array]
    exacts: List[Callable[[int], Any]]

    def add(self, values: Array, normals: Array, evaluate: Callable[[int], Any]) -> None:
        """Adds a group; `evaluate` takes a number within it."""
        self.values.append(values.reshape(-1))
        self.normals.append(normals.reshape(-1, 3))
        self.exacts.append(evaluate)

    def all(self) -> Tuple[Array, Array]:
        """Returns the values and normals of all groups."""
        return np.concatenate(self.values), np.concatenate(self.normals)

    def evaluate(self, index: int) -> Any:
        """Returns the candidate of a number in decimals."""
        for values, evaluate in zip(self.values, self.exacts):
            if index < len(values):
                return evaluate(index)
            index -= len(values)
        raise IndexError(index)


def units(vectors: Array) -> Array:
    """Returns vectors (..., 3) of length 1; those of length 0 stay."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0, length, 1))


# Circles


class Rim:
    """The circle at an end of a cylinder."""

    def __init__(self, solid: Solid, sign: int) -> None:
        self.solid = solid
        self.center = add(solid.center, solid.frame[2], sign * solid.half_height)
        self.middle = doubles([self.center])[0]

    def at(self, angles: Array) -> Tuple[Array, Array]:
        """Returns points and unit tangents at angles, (..., 3)."""
        x, y, _ = self.solid.axes
        cos, sin = np.cos(angles)[..., None], np.sin(angles)[..., None]
        return self.middle + self.solid.shape.radius * (cos * x + sin * y), cos * y - sin * x

    def near(self, angle: float) -> Callable[[Decimal], Tuple[Vector, Vector]]:
        """Returns a function of a parameter, 0 at an angle, that has points and unit tangents in decimals."""
        x, y, z = self.solid.frame
        start = unit(add(times(x, Decimal(float(np.cos(angle)))), y, Decimal(float(np.sin(angle)))))
        assert start is not None
        side = cross(z, start)

        def at(t: Decimal) -> Tuple[Vector, Vector]:
            scale = 1 / (1 + t * t)
            cos, sin = (1 - t * t) * scale, 2 * t * scale
            out = add(times(start, cos), side, sin)
            return add(self.center, out, self.solid.radius), add(times(side, cos), start, -sin)

        return at

    def critical(self, angle: float, foot: Callable[[Vector], Vector]) -> Optional[Tuple[Vector, Vector]]:
        """Returns the point and the tangent where the line from the circle to `foot` is across the circle."""
        at = self.near(angle)

        def slope(t: Decimal) -> Decimal:
            point, tangent = at(t)
            return dot(sub(point, foot(point)), tangent)

        t0, t1 = ZERO, Decimal("1e-8")
        f0, f1 = slope(t0), slope(t1)
        for _ in range(40):
            if f1 == f0:
                break
            t0, t1, f0 = t1, t1 - f1 * (t1 - t0) / (f1 - f0), f1
            if abs(t1) > 1:
                return None
            f1 = slope(t1)
            if abs(t1 - t0) < Decimal("1e-57"):
                break
        return at(t1)

    def foot(self, point: Vector) -> Vector:
        """Returns the point of the circle that is closest to a point."""
        z = self.solid.frame[2]
        arm = sub(point, self.center)
        out = unit(add(arm, z, -dot(arm, z))) or self.solid.frame[0]
        return add(self.center, out, self.solid.radius)

    def feet(self, points: Array) -> Array:
        """Returns the same in doubles, (..., 3)."""
        arms = points - self.middle
        z = self.solid.axes[2]
        return np.asarray(self.middle + self.solid.shape.radius * units(arms - (arms @ z)[..., None] * z))


def rims(solid: Solid) -> List[Rim]:
    """Returns the two circles of a cylinder."""
    return [Rim(solid, 1), Rim(solid, -1)]


def roots(
    rim: Rim, foot: Callable[[Array, npt.NDArray[np.int64]], Array], count: int, samples: int
) -> Tuple[Array, npt.NDArray[np.int64]]:
    """Returns angles where the line from the circle to the foot is across the circle, and to which of `count` feet it goes."""

    def slope(angles: Array, which: npt.NDArray[np.int64]) -> Array:
        points, tangents = rim.at(angles)
        return np.asarray(((points - foot(points, which)) * tangents).sum(axis=-1))

    grid = 0.1234 + np.linspace(0, 2 * np.pi, samples + 1)
    every = np.arange(count)
    values = slope(np.broadcast_to(grid, (count, samples + 1)).copy(), np.broadcast_to(every[:, None], (count, samples + 1)))
    which, cell = np.nonzero(values[:, :-1] * values[:, 1:] < 0)
    low, high = grid[cell], grid[cell + 1]
    sign = values[which, cell]
    for _ in range(24):
        middle = 0.5 * (low + high)
        is_left = slope(middle, which) * sign > 0
        low, high = np.where(is_left, middle, low), np.where(is_left, high, middle)
    return 0.5 * (low + high), which


# Polytopes


def closest_on_segments(p: Tuple[Vector, Vector], q: Tuple[Vector, Vector]) -> Tuple[Vector, Vector]:
    """Returns the closest points of two segments. A segment may be a point."""
    d, e, r = sub(p[1], p[0]), sub(q[1], q[0]), sub(p[0], q[0])
    a, b, c, f, g = dot(d, d), dot(d, e), dot(d, r), dot(e, e), dot(e, r)
    determinant = a * f - b * b
    s = clamp((b * g - c * f) / determinant) if determinant > 0 else ZERO
    t = (b * s + g) / f if f > 0 else ZERO
    if not 0 <= t <= 1 or (determinant <= 0 and a > 0):
        t = clamp(t)
        s = clamp((b * t - c) / a) if a > 0 else ZERO
    return add(p[0], d, s), add(q[0], e, t)


def segment_distances(p: Array, q: Array) -> Tuple[Array, Array]:
    """Returns the distances of all pairs of segments (n, 2, 3) and (m, 2, 3), and the arms from p to q: (n, m), (n, m, 3)."""
    d, e = (p[:, 1] - p[:, 0])[:, None], (q[:, 1] - q[:, 0])[None]
    r = p[:, None, 0] - q[None, :, 0]
    a, b, c, f, g = (d * d).sum(-1), (d * e).sum(-1), (d * r).sum(-1), (e * e).sum(-1), (e * r).sum(-1)
    a, f = np.broadcast_to(a, b.shape), np.broadcast_to(f, b.shape)
    determinant = a * f - b * b

    def ratio(x: Array, y: Array) -> Array:
        return np.asarray(np.where(y > 0, x / np.where(y > 0, y, 1), 0))

    s = np.clip(ratio(b * g - c * f, determinant), 0, 1)
    t = np.clip(ratio(b * s + g, f), 0, 1)
    s = np.clip(ratio(b * t - c, a), 0, 1)
    arms = q[None, :, 0] + t[..., None] * e - p[:, None, 0] - s[..., None] * d
    return np.linalg.norm(arms, axis=-1), arms


def is_over(solid: Solid, faces: Any, points: Array) -> npt.NDArray[np.bool_]:
    """Returns whether points (n, 3) are over triangles: (n, m)."""
    corners = solid.triangles[faces]
    inside = np.ones((len(points), len(corners)), bool)
    for i in range(3):
        start, end = corners[:, i], corners[:, (i + 1) % 3]
        inward = np.cross(solid.outward[faces], end - start)
        inside &= ((points[:, None] - start) * inward).sum(-1) >= -1e-12
    return inside


def onto_face(solid: Solid, face: int, point: Vector) -> Optional[Vector]:
    """Returns the foot of a point on the plane of a triangle, or None where it is not in the triangle."""
    normal, corners = solid.normals[face], [solid.corners[i] for i in solid.shape.faces[face]]
    foot = add(point, normal, -dot(sub(point, corners[0]), normal) / dot(normal, normal))
    for i in range(3):
        inward = cross(normal, sub(corners[(i + 1) % 3], corners[i]))
        if dot(sub(foot, corners[i]), inward) < 0:
            return None
    return foot


def edge_of(solid: Solid, index: int) -> Tuple[Vector, Vector]:
    """Returns the ends of an edge."""
    i, j = solid.shape.edges[index]
    return solid.corners[i], solid.corners[j]


def along_edge(solid: Solid, index: int) -> Vector:
    """Returns the vector from one end of an edge to the other."""
    start, end = edge_of(solid, index)
    return sub(end, start)


def onto_line(start: Vector, direction: Vector) -> Callable[[Vector], Vector]:
    """Returns the function that has the foot of a point on a line."""
    square = dot(direction, direction)
    return lambda point: add(start, direction, dot(sub(point, start), direction) / square)


def signed(vectors: Array, evaluate: Callable[[int], Optional[Vector]]) -> Tuple[Array, Callable[[int], Optional[Vector]]]:
    """Returns axes (n, 3) and their opposites, and the function for both in decimals."""
    count = len(vectors)

    def both(index: int) -> Optional[Vector]:
        axis = evaluate(index % count)
        if axis is None:
            return None
        axis = unit(axis)
        if axis is None:
            return None
        like = dot(axis, exact(all_axes[index]))
        return axis if like > 0 else times(axis, -ONE)

    all_axes = units(np.concatenate([vectors, -vectors]))
    return all_axes, both


def grid_of(index: int, columns: int) -> Tuple[int, int]:
    """Returns the row and the column of a number in a table."""
    return divmod(index, columns)


class Pair:
    """Two solids: candidates for the closest points, and for the axis of least depth."""

    def __init__(self, a: Solid, b: Solid, grid: int) -> None:
        self.a, self.b, self.grid = a, b, grid
        self.pairs = Candidates([], [], [])
        self.size = min(a.shape.size, b.shape.size)

    def axes(self) -> Candidates:
        """Returns the axes along which the depth can be least."""
        raise NotImplementedError

    def separations(self, normals: Array) -> Array:
        """Returns separations along vectors in doubles."""
        return -self.a.supports(normals) - self.b.supports(-normals)

    def separation(self, normal: Vector) -> Decimal:
        """Returns the separation along a unit vector."""
        return -self.a.support(normal) - self.b.support(times(normal, -ONE))

    def estimate(self) -> Tuple[float, Array]:
        """Returns the largest separation and its axis in doubles."""
        distances, normals = self.pairs.all()
        first = np.argsort(distances)[:FIRST]
        axes = self.axes().all()[1]
        every = np.concatenate([normals[first], axes])
        values = np.where(np.linalg.norm(every, axis=1) > 0.5, self.separations(every), -np.inf)
        best = int(np.argmax(values))
        return float(values[best]), every[best]

    def _apart(self, indices: Sequence[int]) -> Optional[Answer]:
        for index in indices:
            points: Points = self.pairs.evaluate(index)
            if points is None:
                continue
            arm = sub(points[1], points[0])
            normal = unit(arm)
            if normal is None:
                continue
            distance = dot(arm, normal)
            if distance - self.separation(normal) <= PROOF * Decimal(self.size):
                return Answer(distance, normal, distance)
        return None

    def answer(self) -> Answer:
        """Returns the gap of the cores, proved."""
        distances = self.pairs.all()[0]
        order = [int(index) for index in np.argsort(distances) if np.isfinite(distances[index])]
        answer = self._apart(order[:FIRST]) or self._overlap() or self._apart(order[FIRST:])
        if answer is None:
            raise Unproved(f"{len(order)} pairs of features")
        return answer

    def _overlap(self) -> Optional[Answer]:
        candidates = self.axes()
        axes = candidates.all()[1]
        values = np.where(np.linalg.norm(axes, axis=1) > 0.5, self.separations(axes), -np.inf)
        top = float(values.max())
        if top > NEAR * self.size:
            return None
        near = [int(index) for index in np.argsort(-values) if values[index] >= top - NEAR * self.size]
        best: Optional[Tuple[Decimal, Vector]] = None
        for index in near:
            axis: Optional[Vector] = candidates.evaluate(index)
            if axis is not None and (best is None or self.separation(axis) > best[0]):
                best = self.separation(axis), axis
        if best is None or best[0] > 0:
            return None
        separation, normal = best
        self._check_nearby(separation, normal)
        rounded = doubles([normal])[0]
        others = axes[near][np.linalg.norm(axes[near] - rounded, axis=1) > NEAR]
        return Answer(separation, normal, separation, len(others) == 0)

    def _check_nearby(self, separation: Decimal, normal: Vector) -> None:
        """Checks that no axis beside the best one has a larger separation, and none of many random ones."""
        side = unit(cross(normal, (ONE, ZERO, ZERO) if abs(normal[0]) < Decimal("0.7") else (ZERO, ONE, ZERO)))
        assert side is not None
        other = cross(normal, side)
        for i in range(8):
            turn = np.pi * i / 4 + 0.1
            step = add(times(side, Decimal(float(np.cos(turn)))), other, Decimal(float(np.sin(turn))))
            beside = unit(add(normal, step, Decimal("1e-10")))
            if beside is None or self.separation(beside) > separation + PROOF * Decimal(self.size):
                raise Unproved("an axis nearby has a smaller depth")
        random = np.random.default_rng(1)
        spread = units(random.normal(size=(AXES, 3)))
        close = units(doubles([normal]) + random.normal(size=(AXES, 3)) * 10 ** random.uniform(-6, -0.5, (AXES, 1)))
        if self.separations(np.concatenate([spread, close])).max() > float(separation) + 1e-13 * self.size:
            raise Unproved("a random axis has a smaller depth")


class Polytopes(Pair):
    """Two polytopes, points and segments among them."""

    def __init__(self, a: Solid, b: Solid, grid: int) -> None:
        super().__init__(a, b, grid)
        distances, arms = segment_distances(a.segments, b.segments)
        columns = len(b.segments)

        def edges(index: int) -> Points:
            i, j = grid_of(index, columns)
            return closest_on_segments(edge_of(a, i), edge_of(b, j))

        self.pairs.add(distances, units(arms), edges)
        self._corners_to_faces(a, b, False)
        self._corners_to_faces(b, a, True)

    def _corners_to_faces(self, of: Solid, to: Solid, is_swapped: bool) -> None:
        if not len(to.triangles):
            return
        heights = ((of.points[:, None] - to.triangles[:, 0]) * to.outward).sum(-1)
        is_inside = is_over(to, slice(None), of.points)
        arms = units(-heights[..., None] * to.outward)
        columns = len(to.triangles)

        def evaluate(index: int) -> Points:
            corner, face = grid_of(index, columns)
            foot = onto_face(to, face, of.corners[corner])
            if foot is None:
                return None
            return (foot, of.corners[corner]) if is_swapped else (of.corners[corner], foot)

        distances = np.where(is_inside, np.abs(heights), np.inf)
        self.pairs.add(distances, -arms if is_swapped else arms, evaluate)

    def axes(self) -> Candidates:
        """Returns the normals of faces, and the vectors across two edges."""
        a, b = self.a, self.b
        found = Candidates([], [], [])
        for solid in (a, b):
            if len(solid.normals):
                axes, both = signed(solid.outward, solid.normals.__getitem__)
                found.add(np.empty(len(axes)), axes, both)
        d, e = (units(solid.segments[:, 1] - solid.segments[:, 0]) for solid in (a, b))
        across = np.cross(d[:, None], e[None]).reshape(-1, 3)
        across[np.linalg.norm(across, axis=1) < 1e-9] = 0
        columns = len(e)

        def crossed(index: int) -> Vector:
            i, j = grid_of(index, columns)
            return cross(along_edge(a, i), along_edge(b, j))

        axes, both = signed(across, crossed)
        found.add(np.empty(len(axes)), axes, both)
        return found


class PolytopeCylinder(Pair):
    """A polytope and a cylinder."""

    def __init__(self, a: Solid, b: Solid, grid: int) -> None:
        super().__init__(a, b, grid)
        self.rims = rims(b)
        feet = b.feet(a.points)
        self.pairs.add(
            np.linalg.norm(feet - a.points, axis=1), units(feet - a.points), lambda i: (a.corners[i], b.foot(a.corners[i]))
        )
        self.edges = np.flatnonzero(np.linalg.norm(a.segments[:, 1] - a.segments[:, 0], axis=1) > 0)
        self.directions = units(a.segments[self.edges, 1] - a.segments[self.edges, 0])
        self.roots = [roots(rim, self._onto_edges, len(self.edges), grid) for rim in self.rims]
        for rim, (angles, which) in zip(self.rims, self.roots):
            self._rim_to_edges(rim, angles, which)
        self._side_to_edges()
        self._faces_to_rims()

    def _onto_edges(self, points: Array, which: npt.NDArray[np.int64]) -> Array:
        start, direction = self.a.segments[self.edges[which], 0], self.directions[which]
        return np.asarray(start + ((points - start) * direction).sum(-1)[..., None] * direction)

    def _rim_to_edges(self, rim: Rim, angles: Array, which: npt.NDArray[np.int64]) -> None:
        a = self.a
        points = rim.at(angles)[0]
        feet = self._onto_edges(points, which)
        start, end = a.segments[self.edges[which], 0], a.segments[self.edges[which], 1]
        is_between = ((feet - start) * (feet - end)).sum(-1) <= NEAR
        distances = np.where(is_between, np.linalg.norm(points - feet, axis=-1), np.inf)

        def evaluate(index: int) -> Points:
            start, end = edge_of(a, int(self.edges[which[index]]))
            foot = onto_line(start, sub(end, start))
            found = rim.critical(float(angles[index]), foot)
            if found is None:
                return None
            on_edge = foot(found[0])
            return (on_edge, found[0]) if dot(sub(on_edge, start), sub(on_edge, end)) <= 0 else None

        self.pairs.add(distances, units(points - feet), evaluate)

    def _side_to_edges(self) -> None:
        a, b = self.a, self.b
        height, radius = b.shape.half_height, b.shape.radius
        axis = np.stack([b.middle - height * b.axes[2], b.middle + height * b.axes[2]])[None]
        distances, arms = segment_distances(a.segments[self.edges], axis)

        def evaluate(index: int) -> Points:
            z = b.frame[2]
            ends = (add(b.center, z, -b.half_height), add(b.center, z, b.half_height))
            p, q = closest_on_segments(edge_of(a, int(self.edges[index])), ends)
            inward = unit(sub(q, p))
            return (p, add(q, inward, -b.radius)) if inward is not None and abs(dot(inward, z)) < PROOF else None

        is_across = np.abs(units(arms) @ b.axes[2]) < NEAR
        self.pairs.add(np.where(is_across, np.abs(distances - radius), np.inf), units(arms), evaluate)

    def _faces_to_rims(self) -> None:
        a, b = self.a, self.b
        if not len(a.triangles):
            return
        faces = [(i, sign) for i in range(len(a.triangles)) for sign in ((1, -1) if a.shape.kind == "mesh" else (1,))]
        which, signs = np.array([i for i, _ in faces]), np.array([sign for _, sign in faces], float)
        normals = a.outward[which] * signs[:, None]
        along = normals @ b.axes[2]
        z = np.where(along > 0, -b.shape.half_height, b.shape.half_height)[:, None] * b.axes[2]
        points = b.middle + z - b.shape.radius * units(normals - along[:, None] * b.axes[2])
        heights = ((points - a.triangles[which, 0]) * normals).sum(-1)
        is_inside = np.array([is_over(a, [i], point[None])[0, 0] for i, point in zip(which, points)])

        def evaluate(index: int) -> Points:
            face, sign = faces[index]
            point = b.extreme(times(a.normals[face], Decimal(-sign)))
            foot = None if point is None else onto_face(a, face, point)
            return None if foot is None or point is None else (foot, point)

        self.pairs.add(np.where(is_inside, np.abs(heights), np.inf), normals, evaluate)

    def axes(self) -> Candidates:
        """Returns the normals at which two features span an area of the sum of the solids."""
        a, b = self.a, self.b
        z = b.axes[2]
        found = Candidates([], [], [])

        def include(vectors: Array, evaluate: Callable[[int], Optional[Vector]]) -> None:
            if len(vectors):
                axes, both = signed(vectors, evaluate)
                found.add(np.empty(len(axes)), axes, both)

        include(z[None], lambda _: b.frame[2])
        include(a.outward, a.normals.__getitem__)
        include(np.cross(z, self.directions), lambda i: cross(b.frame[2], along_edge(a, int(self.edges[i]))))
        arms = a.points - b.middle

        def radial(index: int) -> Vector:
            arm = sub(a.corners[index], b.center)
            return add(arm, b.frame[2], -dot(arm, b.frame[2]))

        include(arms - (arms @ z)[:, None] * z, radial)
        for rim, (angles, which) in zip(self.rims, self.roots):
            include(*self._rim_and_edges(rim, angles, which))
        return found

    def _rim_and_edges(
        self, rim: Rim, angles: Array, which: npt.NDArray[np.int64]
    ) -> Tuple[Array, Callable[[int], Optional[Vector]]]:
        def evaluate(index: int) -> Optional[Vector]:
            edge = int(self.edges[which[index]])
            direction = along_edge(self.a, edge)
            critical = rim.critical(float(angles[index]), onto_line(edge_of(self.a, edge)[0], direction))
            return None if critical is None else cross(critical[1], direction)

        return np.cross(rim.at(angles)[1], self.directions[which]), evaluate


class Cylinders(Pair):
    """Two cylinders."""

    def __init__(self, a: Solid, b: Solid, grid: int) -> None:
        super().__init__(a, b, grid)
        self._rims_to(a, b, False)
        self._rims_to(b, a, True)
        self._sides()

    def _rims_to(self, of: Solid, to: Solid, is_swapped: bool) -> None:
        def include(distances: Array, arms: Array, evaluate: Callable[[int], Points]) -> None:
            def ordered(index: int) -> Points:
                points = evaluate(index)
                return (points[1], points[0]) if points is not None and is_swapped else points

            self.pairs.add(distances, -arms if is_swapped else arms, ordered)

        for rim in rims(of):
            include(*self._rim_to_side(rim, to, self.grid))
            for other in rims(to):
                include(*self._rim_to_rim(rim, other, self.grid))
        z = to.frame[2]
        ends = [(times(z, sign), of.extreme(times(z, -sign))) for sign in (ONE, -ONE)]
        feet = [None if point is None else to.foot(point) for _, point in ends]
        arms = [(ZERO, ZERO, ZERO) if f is None or p is None else sub(f, p) for f, (_, p) in zip(feet, ends)]
        include(np.linalg.norm(doubles(arms), axis=1), units(doubles(arms)), lambda i: self._both(ends[i][1], feet[i]))

    @staticmethod
    def _both(p: Optional[Vector], q: Optional[Vector]) -> Points:
        return None if p is None or q is None else (p, q)

    @staticmethod
    def _rim_to_side(rim: Rim, to: Solid, grid: int) -> Tuple[Array, Array, Callable[[int], Points]]:
        def onto_axis(points: Array, _: npt.NDArray[np.int64]) -> Array:
            return np.asarray(to.middle + ((points - to.middle) @ to.axes[2])[..., None] * to.axes[2])

        angles, which = roots(rim, onto_axis, 1, grid)
        points = rim.at(angles)[0]
        feet = onto_axis(points, which)
        feet += to.shape.radius * units(points - feet)
        foot = onto_line(to.center, to.frame[2])

        def evaluate(index: int) -> Points:
            critical = rim.critical(float(angles[index]), foot)
            if critical is None:
                return None
            on_axis = foot(critical[0])
            out = unit(sub(critical[0], on_axis))
            if out is None or norm(sub(on_axis, to.center)) > to.half_height:
                return None
            return critical[0], add(on_axis, out, to.radius)

        return np.linalg.norm(feet - points, axis=1), units(feet - points), evaluate

    @staticmethod
    def _rim_to_rim(rim: Rim, other: Rim, grid: int) -> Tuple[Array, Array, Callable[[int], Points]]:
        angles, _ = roots(rim, lambda points, _: other.feet(points), 1, grid)
        points = rim.at(angles)[0]
        feet = other.feet(points)

        def evaluate(index: int) -> Points:
            critical = rim.critical(float(angles[index]), other.foot)
            return None if critical is None else (critical[0], other.foot(critical[0]))

        return np.linalg.norm(feet - points, axis=1), units(feet - points), evaluate

    def _sides(self) -> None:
        axes = [
            np.stack([s.middle - s.shape.half_height * s.axes[2], s.middle + s.shape.half_height * s.axes[2]])[None]
            for s in (self.a, self.b)
        ]
        distances, arms = segment_distances(*axes)

        def evaluate(_: int) -> Points:
            a, b = self.a, self.b
            p, q = closest_on_segments(*(
                (add(s.center, s.frame[2], -s.half_height), add(s.center, s.frame[2], s.half_height)) for s in (a, b)
            ))
            normal = unit(sub(q, p))
            if normal is None or max(abs(dot(normal, a.frame[2])), abs(dot(normal, b.frame[2]))) > PROOF:
                return None
            return add(p, normal, a.radius), add(q, normal, -b.radius)

        arms = units(arms)
        is_across = np.maximum(np.abs(arms @ self.a.axes[2]), np.abs(arms @ self.b.axes[2])) < NEAR
        between = np.abs(distances - self.a.shape.radius - self.b.shape.radius)
        self.pairs.add(np.where(is_across, between, np.inf), arms, evaluate)

    def axes(self) -> Candidates:
        """Returns the normals at which two features span an area of the sum of the solids."""
        a, b = self.a, self.b
        found = Candidates([], [], [])

        def include(vectors: Array, evaluate: Callable[[int], Optional[Vector]]) -> None:
            if len(vectors):
                axes, both = signed(vectors, evaluate)
                found.add(np.empty(len(axes)), axes, both)

        include(a.axes[2][None], lambda _: a.frame[2])
        include(b.axes[2][None], lambda _: b.frame[2])
        include(np.cross(a.axes[2], b.axes[2])[None], lambda _: cross(a.frame[2], b.frame[2]))
        for of, to in ((a, b), (b, a)):
            for rim in rims(of):
                include(*self._rim_and_side(rim, to, self.grid))
        for rim in rims(a):
            for other in rims(b):
                include(*self._rim_and_rim(rim, other, self.grid))
        return found

    @staticmethod
    def _rim_and_side(rim: Rim, to: Solid, grid: int) -> Tuple[Array, Callable[[int], Optional[Vector]]]:
        z = to.axes[2]

        def onto_axis(points: Array, _: npt.NDArray[np.int64]) -> Array:
            return np.asarray(to.middle + ((points - to.middle) @ z)[..., None] * z)

        angles, which = roots(rim, onto_axis, 1, grid)
        points = rim.at(angles)[0]
        foot = onto_line(to.center, to.frame[2])

        def evaluate(index: int) -> Optional[Vector]:
            critical = rim.critical(float(angles[index]), foot)
            return None if critical is None else sub(critical[0], foot(critical[0]))

        return points - onto_axis(points, which), evaluate

    @staticmethod
    def _rim_and_rim(rim: Rim, other: Rim, grid: int) -> Tuple[Array, Callable[[int], Optional[Vector]]]:
        angles, _ = roots(rim, lambda points, _: other.feet(points), 1, grid)
        points, tangents = rim.at(angles)
        arms = other.feet(points) - other.middle

        def evaluate(index: int) -> Optional[Vector]:
            critical = rim.critical(float(angles[index]), other.foot)
            if critical is None:
                return None
            arm = sub(other.foot(critical[0]), other.center)
            return cross(critical[1], cross(other.solid.frame[2], arm))

        return np.cross(tangents, np.cross(other.solid.axes[2], arms)), evaluate


def paired(a: Tuple[Shape, Pose], b: Tuple[Shape, Pose], grid: int = GRIDS[0]) -> Tuple[Pair, bool]:
    """Returns the candidates of two bounded shapes, and whether their order was changed."""
    origin = exact(a[1].position)
    solids = Solid(*a, origin), Solid(*b, origin)
    is_cylinder = [solid.shape.is_cylinder for solid in solids]
    if all(is_cylinder):
        return Cylinders(*solids, grid), False
    if is_cylinder[0]:
        return PolytopeCylinder(solids[1], solids[0], grid), True
    return (PolytopeCylinder if is_cylinder[1] else Polytopes)(*solids, grid), False


def grown(shape: Shape) -> float:
    """Returns the radius by which the core of a shape is grown [m]."""
    return 0.0 if shape.is_cylinder else shape.radius


def plane_of(shape: Shape, pose: Pose, origin: Vector) -> Tuple[Vector, Decimal]:
    """Returns the unit normal of a half-space and its offset from `origin` along it."""
    *direction, offset = shape.parameters
    normal = unit(exact(direction))
    assert normal is not None
    x, y, z = pose.columns()
    outward = add(add(times(x, normal[0]), y, normal[1]), z, normal[2])
    return outward, Decimal(offset) + dot(outward, sub(exact(pose.position), origin))


def solve(a: Tuple[Shape, Pose], b: Tuple[Shape, Pose]) -> Answer:
    """Returns the gap of two shapes and the normal from the first to the second. Only the second may be a half-space."""
    if b[0].kind == "half_space":
        origin = exact(a[1].position)
        outward, offset = plane_of(*b, origin)
        core = -Solid(*a, origin).support(times(outward, -ONE)) - offset
        return Answer(core - Decimal(grown(a[0])), times(outward, -ONE), core)
    for grid in GRIDS:
        pair, is_swapped = paired(a, b, grid)
        try:
            answer = pair.answer()
            break
        except Unproved:
            if grid == GRIDS[-1] or not (a[0].is_cylinder or b[0].is_cylinder):
                raise
    answer.gap -= Decimal(grown(a[0])) + Decimal(grown(b[0]))
    return answer.flipped() if is_swapped else answer


def estimate(a: Tuple[Shape, Pose], b: Tuple[Shape, Pose]) -> Tuple[float, Array]:
    """Returns about the same in doubles, without proof."""
    if b[0].kind == "half_space":
        answer = solve(a, b)
        return float(answer.gap), doubles([answer.normal])[0]
    pair, is_swapped = paired(a, b)
    core, normal = pair.estimate()
    return core - grown(a[0]) - grown(b[0]), -normal if is_swapped else normal
