"""Meshes as clumps of convex parts."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ._arrays import Numbers, integers, numbers
from ._checks import real, whole
from ._closed_mesh import closed
from .raw import ClumpPart, Shape

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._world import World


def decompose(
    points: ArrayLike, triangles: ArrayLike, threshold: float = 0.05, max_parts: int = -1, **options: Any
) -> list[Numbers]:
    """The convex parts of a closed mesh, as arrays (n, 3) of their points, found by `coacd` (Wei et al. 2022).

    points: (n, 3), up to 1e50 [m]. Equal points count as one where the mesh would be open otherwise.
    triangles: (m, 3) indices below n, counterclockwise as seen from outside. Each edge has a triangle on both sides. Several closed
        surfaces may be given.
    threshold: how far from convex a part may be, 0.01 to 1 of the size of the mesh [-].
    max_parts: most parts; -1 for any number. Fewer than needed leave parts that reach beyond the mesh.
    options: further arguments of `coacd.run_coacd`, such as `seed`.

    Raises ValueError for points that are not finite, meshes that are open, and surfaces that are flat or enclose nothing. Raises
    ImportError without coacd: `pip install drystone[decomposition]`.
    """
    corners = numbers("points", points, -1, 3)
    faces = integers("triangles", triangles, np.uint32, -1, 3)
    if faces.size and int(faces.max()) >= len(corners):
        raise ValueError(f"triangles has {int(faces.max())}, expected indices below {len(corners)}, the number of points")
    limit = real("threshold", threshold)
    if not 0.01 <= limit <= 1:
        raise ValueError(f"threshold is {limit}, expected 0.01 to 1")
    most = whole("max_parts", max_parts, -1, 2**31 - 1)
    corners, faces = closed(corners, faces)
    try:
        coacd = importlib.import_module("coacd")
    except ImportError as error:
        message = f"decompose needs coacd: pip install drystone[decomposition] ({error})"
        raise ImportError(message, name="coacd") from error
    mesh = coacd.Mesh(corners, faces.astype(np.int32))
    parts = coacd.run_coacd(mesh, threshold=limit, max_convex_hull=most, **options)
    return [cast(Numbers, np.ascontiguousarray(part[0], np.float64)) for part in parts]


def clump_of_mesh(
    world: World, points: ArrayLike, triangles: ArrayLike, threshold: float = 0.05, max_parts: int = -1, **options: Any
) -> Shape:
    """A clump of the hulls of the convex parts of a closed mesh, which dynamic bodies can have; see `decompose`.

    Its origin is that of the points. Mass and inertia are those of the union of the hulls, which differ from those of the mesh
    by what the threshold leaves.
    """
    hulls = [world.hull(part) for part in decompose(points, triangles, threshold, max_parts, **options)]
    try:
        return world.clump(ClumpPart(shape=hull) for hull in hulls)
    finally:
        # the clump has copies
        for hull in hulls:
            world.remove_shape(hull)
