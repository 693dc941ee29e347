"""Faces, edges and corners of polytopes."""

from __future__ import annotations

from typing import Any, Callable, Optional, Tuple

import numpy as np
import numpy.typing as npt

from solids import Solid, units
from vectors import ONE, ZERO, Array, Vector, add, clamp, cross, dot, exact, sub, times, unit


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
