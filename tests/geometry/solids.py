"""Shapes, where they are, and what is found for two of them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Callable, List, Optional, Tuple

import numpy as np

from vectors import ONE, Array, Edge, Face, Vector, add, cross, dot, doubles, exact, norm, sub, times, unit


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
