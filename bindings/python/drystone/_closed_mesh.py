"""What a mesh must be to be cut into convex parts: finite, closed, and of some size in three directions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import Numbers

# Largest coordinate: that of shapes [m].
_FARTHEST = 1e50
# Least extent of a surface over its largest one, and least volume over the product of its three extents [-]. Those of a flat surface
# are round-off, 1e-16.
_THIN = 1e-9
_HOLLOW = 1e-9


def closed(points: Numbers, triangles: Any) -> tuple[Numbers, Any]:
    """The points that triangles use, and the triangles without those that have a point twice.

    Where an edge has no other side, equal points count as one: some files list three points for each triangle. Raises ValueError where
    coordinates are not finite or above 1e50 m, an edge still has no other side, or a surface is flat or encloses nothing.
    """
    _check_finite(points)
    faces = _proper(triangles)
    if _open_edges(faces)[0].size:
        _, first, same = np.unique(points + 0.0, axis=0, return_index=True, return_inverse=True)
        faces = _proper(first[same.reshape(-1)][triangles])
    if not len(faces):
        raise ValueError(f"triangles has {len(triangles)} rows, of which none has three different points; expected those of a closed mesh")
    _check_edges(faces)
    for surface in _surfaces(len(points), faces):
        _check_solid(points, surface)
    used, compact = np.unique(faces, return_inverse=True)
    return points[used], compact.reshape(-1, 3)


def _check_finite(points: Numbers) -> None:
    wrong = np.argwhere(~(np.abs(points) <= _FARTHEST))
    if len(wrong):
        row, axis = map(int, wrong[0])
        raise ValueError(f"points[{row}, {axis}] is {float(points[row, axis])}, expected a finite number of at most {_FARTHEST:g} m")


def _proper(faces: Any) -> Any:
    """The triangles whose points differ."""
    return faces[(faces != np.roll(faces, 1, axis=1)).all(axis=1)]


def _open_edges(faces: Any) -> tuple[Any, Any]:
    """The edges that have more triangles on one side than on the other, and each edge of each triangle in its direction, (n, 2)."""
    ways = np.vstack([faces[:, [at, (at + 1) % 3]] for at in range(3)])
    edges, places = np.unique(np.sort(ways, axis=1), axis=0, return_inverse=True)
    signs = np.where(ways[:, 0] < ways[:, 1], 1, -1)
    return edges[np.flatnonzero(np.bincount(places.reshape(-1), signs))], ways


def _check_edges(faces: Any) -> None:
    edges, ways = _open_edges(faces)
    if len(edges):
        a, b = map(int, edges[0])
        along, back = (int((ways == pair).all(axis=1).sum()) for pair in ((a, b), (b, a)))
        counts = f"{along} go from points[{a}] to points[{b}] and {back} back"
        raise ValueError(f"triangles is not closed: {counts}, expected as many each way; open edges: {len(edges)}")


def _surfaces(count: int, faces: Any) -> list[Any]:
    """The triangles of each connected surface."""
    labels = np.arange(count)
    while True:
        least = labels[faces].min(axis=1)
        before = labels.copy()
        np.minimum.at(labels, faces.reshape(-1), np.repeat(least, 3))
        labels = labels[labels]
        if (labels == before).all():
            break
    of_faces = labels[faces[:, 0]]
    return [faces[of_faces == label] for label in np.unique(of_faces)]


def _check_solid(points: Numbers, faces: Any) -> None:
    """A surface must extend in three directions and enclose a volume."""
    used = np.unique(faces)
    about = points[used] - points[used].mean(axis=0)
    size = float(np.abs(about).max())
    about = about / (size or 1)
    extents = np.ptp(about @ np.linalg.eigh(about.T @ about)[1], axis=0)
    least, most = float(extents.min()), float(extents.max())
    place = f"the surface of points[{int(used[0])}]"
    if least <= _THIN * most:
        found = f"it extends by {size * least:g} m in one direction and by {size * most:g} m in another"
        raise ValueError(f"{place} is flat: {found}, expected a ratio above {_THIN:g}")
    a, b, c = np.moveaxis(about[np.searchsorted(used, faces)], 1, 0)
    share = abs(float(np.einsum("ij,ij->", a, np.cross(b, c)))) / (6 * float(extents.prod()))
    if share <= _HOLLOW:
        raise ValueError(f"{place} encloses {share:g} of the box around it, expected above {_HOLLOW:g}")
