"""Robots from URDF files, read by yourdfpy."""

from __future__ import annotations

import os
from typing import Any, Callable, Iterator, Mapping, Optional, Union

import numpy as np

from ._arrays import Numbers, numbers
from ._assembly import Assembly
from ._frames import along, frame, matrix
from ._parts import Axis, Coupling, Geometry, Inertia, Link, Maker, hull, package
from ._robot import Robot
from ._world import World
from .raw import JointKind, JointMode

_KINDS = {
    "revolute": (JointKind.HINGE, (5,)),
    "continuous": (JointKind.HINGE, (5,)),
    "prismatic": (JointKind.SLIDER, (2,)),
    "planar": (JointKind.PLANAR, (0, 1, 5)),
}


def load_urdf(
    world: World,
    path: Union[str, os.PathLike[str]],
    *,
    fixed_base: bool = False,
    position: Any = (0, 0, 0),
    rotation: Any = (0, 0, 0, 1),
    positions: Optional[Mapping[str, float]] = None,
    self_collision: bool = False,
    free_mimic: bool = False,
    hull_points: int = 128,
    find_mesh: Optional[Callable[[str], str]] = None,
) -> Robot:
    """Puts the robot of a URDF file into a world: `drystone.load_urdf(world, "arm.urdf", fixed_base=True)`.

    Links that fixed joints hold together become one link with the sum of their masses and inertias. A link with several collision
    shapes becomes as many bodies, welded together, see `Robot.pieces`. A mesh is its convex hull; of links that are fixed to the
    world it is the mesh itself. Limits, damping and friction of joints are set. Efforts bound the motors that
    `Robot.set_position_motors` makes; speed limits are data. A floating joint is no joint. Visual elements are not read.

    path: of the file.
    fixed_base: whether the root link is fixed to the world.
    position, rotation: of the root link, world axes [m] and (x, y, z, w).
    positions: of joints at first, by name [m] or [rad]; others are 0. Of a planar joint `name:x`, `name:y`, `name:turn`.
    self_collision: whether links of the robot collide with each other; those that a joint holds never do.
    free_mimic: leaves joints that mimic others free. Without it they are refused: coupled joints are not offered yet.
    hull_points: corners of the hull of a mesh at most: outermost points, which lie inside the full hull.
    find_mesh: the file of a mesh by the name in the URDF file; None searches near that file, and knows `package://`.

    Raises FileNotFoundError for a missing file, ValueError for what is refused, ImportError without yourdfpy: its
    message names the extra `robots`.
    """
    urdf = _File(os.fspath(path), free_mimic, hull_points, find_mesh)
    start = dict(positions or {})
    unknown = [name for name in start if name not in urdf.axes]
    if unknown:
        raise KeyError(f"positions has {unknown[0]!r}, which is no joint that moves: expected {', '.join(urdf.axes)}")
    base = frame(numbers("position", position, 3), matrix(numbers("rotation", rotation, 4)))
    assembly = Assembly(world, self_collision)
    if fixed_base:
        assembly.add_fixed(urdf.link(urdf.root, static=True), base)
    else:
        assembly.add(urdf.link(urdf.root), base)
    for joint in urdf.moving(urdf.root):
        coupling, child = urdf.coupling(joint), urdf.link(joint.child)
        if joint.type == "floating":
            assembly.add(child, assembly.pose(coupling.parent) @ coupling.frame_a)
            continue
        assembly.join(coupling, start, child)
        assembly.exclude(coupling.parent, child.name, joined=coupling.parent not in assembly.robot.fixed)
    return assembly.robot


class _File:
    """A URDF file: its links, with those that are fixed to them, and the joints between them."""

    def __init__(self, path: str, free_mimic: bool, hull_points: int, find_mesh: Optional[Callable[[str], str]]) -> None:
        yourdfpy = package("yourdfpy", "load_urdf", "robots")
        if not os.path.isfile(path):
            raise FileNotFoundError(f"path is {path!r}, which is no file")
        folder = os.path.dirname(os.path.abspath(path))
        self._find_mesh = find_mesh or (lambda name: str(yourdfpy.urdf.filename_handler_magic(name, folder)))
        robot = yourdfpy.URDF.load(path, build_scene_graph=False, load_meshes=False).robot
        self._free_mimic, self._hull_points = free_mimic, hull_points
        self._links = {link.name: link for link in robot.links}
        self._children: dict[str, list[Any]] = {name: [] for name in self._links}
        self._joints = {joint.child: joint for joint in robot.joints}
        for joint in robot.joints:
            self._check(joint)
            self._children[joint.parent].append(joint)
        roots = [name for name in self._links if name not in self._joints]
        if len(roots) != 1:
            raise ValueError(f"{path} has {len(roots)} root links {roots}, expected 1")
        self.root = roots[0]
        reached = {self.root, *(joint.child for joint in self._descendants(self.root))}
        apart = [name for name in self._links if name not in reached]
        if apart:
            raise ValueError(f"{path} has links {apart} that no chain of joints leads to from {self.root!r}")
        self.axes = [axis.name for joint in self.moving(self.root) for axis in _axes(joint)]

    def _check(self, joint: Any) -> None:
        if joint.type not in (*_KINDS, "fixed", "floating"):
            raise ValueError(f"joint {joint.name!r} has type {joint.type!r}, expected {', '.join(_KINDS)}, fixed or floating")
        for name in (joint.parent, joint.child):
            if name not in self._links:
                raise ValueError(f"joint {joint.name!r} has link {name!r}, which the file does not define")
        if joint.mimic is not None and not self._free_mimic:
            raise NotImplementedError(
                f"joint {joint.name!r} mimics {joint.mimic.joint!r}: coupled joints are not offered yet; "
                "free_mimic=True leaves it free"
            )

    def moving(self, name: str) -> Iterator[Any]:
        """The joints beyond a link that are not fixed, parents first."""
        return (joint for joint in self._descendants(name) if joint.type != "fixed")

    def _descendants(self, name: str) -> Iterator[Any]:
        for joint in self._children[name]:
            yield joint
            yield from self._descendants(joint.child)

    def holder(self, name: str) -> tuple[str, Numbers]:
        """The link that a link is fixed to, and its pose there."""
        joint = self._joints.get(name)
        if joint is None or joint.type != "fixed":
            return name, frame()
        held, pose = self.holder(joint.parent)
        return held, pose @ _pose(joint.origin)

    def link(self, name: str, static: bool = False) -> Link:
        """A link with all that is fixed to it."""
        made = Link(name)
        waiting = [name]
        while waiting:
            part = waiting.pop()
            where = self.holder(part)[1]
            made.merged[part] = where
            made.inertia = made.inertia.plus(_inertia(self._links[part]).seen_from(where))
            for each in self._links[part].collisions:
                made.geometries.append(Geometry(self._shape(part, each.geometry, static), where @ _pose(each.origin)))
            waiting += [joint.child for joint in self._children[part] if joint.type == "fixed"]
        return made

    def coupling(self, joint: Any) -> Coupling:
        """A joint between the links that its own ones are fixed to."""
        parent, where = self.holder(joint.parent)
        axis = np.asarray(joint.axis, np.float64)
        if not np.linalg.norm(axis) > 0:
            raise ValueError(f"joint {joint.name!r} has axis {axis.tolist()}, expected a vector longer than 0")
        turned = frame(rotation=along(axis)) if joint.type in _KINDS else frame()
        kind = _KINDS.get(joint.type, (JointKind.GENERAL,))[0]
        return Coupling(joint.name, kind, parent, joint.child, where @ _pose(joint.origin) @ turned, turned, _axes(joint))

    def _shape(self, link: str, geometry: Any, static: bool) -> Maker:
        if geometry.box is not None:
            half = np.asarray(geometry.box.size) / 2
            return lambda world: world.box(half)
        if geometry.sphere is not None:
            return lambda world: world.sphere(geometry.sphere.radius)
        if geometry.cylinder is not None:
            return lambda world: world.cylinder(geometry.cylinder.length / 2, geometry.cylinder.radius)
        return self._mesh(link, geometry.mesh, static)

    def _mesh(self, link: str, mesh: Any, static: bool) -> Maker:
        found = self._find_mesh(mesh.filename)
        if not os.path.isfile(found):
            raise FileNotFoundError(f"link {link!r} has mesh {mesh.filename!r}, and there is no file {found!r}")
        surface = package("trimesh", "load_urdf", "robots").load(found, force="mesh")
        scale = 1.0 if mesh.scale is None else mesh.scale
        points = np.asarray(surface.vertices, np.float64) * scale
        if static:
            triangles = np.asarray(surface.faces, np.uint32)
            return lambda world: world.mesh(points, triangles)
        return hull(points, self._hull_points)


def _pose(origin: Any) -> Numbers:
    return frame() if origin is None else np.asarray(origin, np.float64)


def _inertia(link: Any) -> Inertia:
    given = link.inertial
    if given is None or given.mass is None:
        return Inertia.none()
    tensor = np.zeros((3, 3)) if given.inertia is None else given.inertia
    return Inertia(float(given.mass), np.zeros(3), tensor).seen_from(_pose(given.origin))


def _axes(joint: Any) -> list[Axis]:
    """The free axes of a joint, with what the file says of them."""
    if joint.type not in _KINDS:
        return []
    indices = _KINDS[joint.type][1]
    names = [joint.name] if len(indices) == 1 else [f"{joint.name}:{each}" for each in ("x", "y", "turn")]
    settings: dict[str, Any] = {}
    if joint.dynamics is not None:
        settings["damping"] = float(joint.dynamics.damping or 0)
        settings["friction"] = float(joint.dynamics.friction or 0)
    limit = joint.limit
    if joint.type in ("revolute", "prismatic"):
        if limit is None:
            raise ValueError(f"joint {joint.name!r} has no <limit>, which its type {joint.type!r} needs")
        settings.update(mode=JointMode.LIMITED, lower=limit.lower or 0.0, upper=limit.upper or 0.0)
    effort = np.inf if limit is None or limit.effort is None else limit.effort
    velocity = np.inf if limit is None or limit.velocity is None else limit.velocity
    return [Axis(name, index, settings, effort, velocity) for name, index in zip(names, indices)]
