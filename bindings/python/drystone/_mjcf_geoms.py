"""Geoms of MuJoCo: shapes, materials, and what collides with what."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._arrays import Numbers
from ._frames import frame, matrix
from ._parts import Geometry, Maker, hull
from ._world import World
from .raw import Material

HULL_POINTS = 128
"""Corners of the hull of a mesh or an ellipsoid at most."""

CLASSES = 31
"""Kinds of contype and conaffinity of one model at most: bits of a filter, without that of the host's bodies."""


class Geoms:
    """The geoms of a model."""

    def __init__(self, world: World, mujoco: Any, model: Any, ignored: list[str]) -> None:
        self._world, self._model, self._ignored = world, model, ignored
        self._kinds = mujoco.mjtGeom
        collide = [geom for geom in range(model.ngeom) if model.geom_contype[geom] or model.geom_conaffinity[geom]]
        self._classes = sorted({self._class(geom) for geom in collide})
        if len(self._classes) > CLASSES:
            raise NotImplementedError(f"model has {len(self._classes)} pairs of contype, conaffinity, expected {CLASSES} at most")
        self._collide = set(collide)
        self._materials: dict[tuple[int, float], Material] = {}
        for geom in collide:
            self._add_material(geom)

    def of_body(self, body: int, where: Numbers) -> list[Geometry]:
        """Those geoms of a body that collide with anything."""
        model, first = self._model, self._model.body_geomadr[body]
        made = []
        for geom in range(first, first + model.body_geomnum[body]):
            shape = self._shape(geom) if geom in self._collide else None
            if shape is not None:
                pose = where @ frame(model.geom_pos[geom], matrix(model.geom_quat[geom][[1, 2, 3, 0]]))
                made.append(Geometry(shape, pose, self._materials[self._surface(geom)], *self._filter(geom)))
        return made

    def _class(self, geom: int) -> tuple[int, int]:
        return int(self._model.geom_contype[geom]), int(self._model.geom_conaffinity[geom])

    def _filter(self, geom: int) -> tuple[int, int]:
        """Category and mask of a geom. Bit 0 is that of the host's bodies, the others are those of the classes."""
        contype, conaffinity = own = self._class(geom)
        mask = 1
        for number, (others, affinity) in enumerate(self._classes, 1):
            if contype & affinity or others & conaffinity:
                mask |= 1 << number
        return 1 << self._classes.index(own) + 1, mask

    def _surface(self, geom: int) -> tuple[int, float]:
        return int(self._model.geom_condim[geom]), float(self._model.geom_friction[geom, 0])

    def _add_material(self, geom: int) -> None:
        """Adds the material of a geom, and what holds between it and those before: the larger of what two geoms have."""
        own = self._surface(geom)
        if own in self._materials:
            return
        if own[0] > 3:
            self._ignored.append(f"torsional and rolling friction of condim {own[0]} (geom {self._name(geom)!r} and like it)")
        self._materials[own] = self._world.add_material(friction=own[1] if own[0] > 1 else 0.0)
        for other, material in self._materials.items():
            friction = max(own[1], other[1]) if max(own[0], other[0]) > 1 else 0.0
            self._world.set_pair(self._materials[own], material, friction=friction)

    def _name(self, geom: int) -> str:
        return self._model.geom(geom).name or f"geom{geom}"

    def _shape(self, geom: int) -> Optional[Maker]:
        kinds, kind, size = self._kinds, self._model.geom_type[geom], np.array(self._model.geom_size[geom])
        if kind == kinds.mjGEOM_PLANE:
            return lambda world: world.half_space((0, 0, 1), 0)
        if kind == kinds.mjGEOM_SPHERE:
            return lambda world: world.sphere(size[0])
        if kind == kinds.mjGEOM_CAPSULE:
            return lambda world: world.capsule(size[1], size[0])
        if kind == kinds.mjGEOM_CYLINDER:
            return lambda world: world.cylinder(size[1], size[0])
        if kind == kinds.mjGEOM_BOX:
            return lambda world: world.box(size)
        if kind == kinds.mjGEOM_ELLIPSOID:
            return hull(_ball_points() * size, HULL_POINTS)
        if kind == kinds.mjGEOM_MESH:
            mesh = self._model.geom_dataid[geom]
            first, count = self._model.mesh_vertadr[mesh], self._model.mesh_vertnum[mesh]
            return hull(np.asarray(self._model.mesh_vert[first : first + count], np.float64), HULL_POINTS)
        self._ignored.append(f"geom {self._name(geom)!r} ({kinds(kind).name[7:].lower()})")
        return None


def _ball_points() -> Numbers:
    """Points on a sphere of radius 1."""
    height, angle = np.meshgrid(np.linspace(-1, 1, 33), np.linspace(0, 2 * np.pi, 64, endpoint=False))
    radius = np.sqrt(1 - height**2)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), height], axis=-1).reshape(-1, 3)
