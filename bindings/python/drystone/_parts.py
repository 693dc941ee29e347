"""What robots are made of, as their files describe them, before they are in a world."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping, NamedTuple, Optional

import numpy as np

from ._arrays import Numbers
from ._frames import frame, moved_inertia, turn
from ._world import World
from .raw import JointKind, Material, Shape

Maker = Callable[[World], Shape]


class Inertia(NamedTuple):
    """Mass, centre of mass and inertia about it, in the axes of a link."""

    mass: float
    center: Numbers
    tensor: Numbers

    @staticmethod
    def none() -> Inertia:
        """That of a link without mass."""
        return Inertia(0.0, np.zeros(3), np.zeros((3, 3)))

    def seen_from(self, pose: Numbers) -> Inertia:
        """The same in the axes in which the link has this pose."""
        turned = pose[:3, :3]
        return Inertia(self.mass, turned @ self.center + pose[:3, 3], turned @ self.tensor @ turned.T)

    def plus(self, other: Inertia) -> Inertia:
        """That of two links which are one, in the same axes."""
        mass = self.mass + other.mass
        if mass == 0:
            return self
        center = (self.mass * self.center + other.mass * other.center) / mass
        parts = [moved_inertia(each.mass, each.tensor, each.center - center) for each in (self, other)]
        return Inertia(mass, center, parts[0] + parts[1])

    def share(self, part: float) -> Inertia:
        """A part of it, with the same centre of mass."""
        return Inertia(part * self.mass, self.center, part * self.tensor)


@dataclass
class Geometry:
    """A shape of a link: how to make it, where it is in the link, what it collides with."""

    make: Maker
    pose: Numbers
    material: Material = Material(0)
    category: int = 1
    mask: int = 2**32 - 1


@dataclass
class Link:
    """A link, with all those that are fixed to it."""

    name: str
    inertia: Inertia = field(default_factory=Inertia.none)
    geometries: list[Geometry] = field(default_factory=list)
    gravity_scale: float = 1.0
    merged: dict[str, Numbers] = field(default_factory=dict)
    """Names and poses of all links that it stands for, itself included."""


class Axis(NamedTuple):
    """A free axis of a joint, by the name that the file has for it."""

    name: str
    number: int
    settings: Mapping[str, Any]
    """Members of JointAxis."""
    effort: float = np.inf
    velocity: float = np.inf


@dataclass
class Coupling:
    """A joint of a robot: frame A in the parent, frame B in the child; they coincide where all positions are 0."""

    name: str
    kind: JointKind
    parent: str
    child: str
    frame_a: Numbers
    frame_b: Numbers
    axes: list[Axis] = field(default_factory=list)
    ball: Optional[Numbers] = None
    """Of a ball: the (3, 3) matrix of its turn at first."""

    def motion(self, positions: Mapping[str, float]) -> Numbers:
        """Frame B as seen from frame A, for positions of the axes by name; those without one are 0."""
        if self.ball is not None:
            return frame(rotation=self.ball)
        made = np.eye(4)
        for axis in sorted(self.axes, key=lambda each: each.number):
            position = positions.get(axis.name, 0.0)
            step = frame(np.eye(3)[axis.number] * position) if axis.number < 3 else turn(axis.number - 3, position)
            made = made @ step
        return made


def package(name: str, caller: str, extra: str) -> Any:
    """An optional package, imported where it is needed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"{caller} needs {name}: pip install drystone[{extra}] ({error})", name=name) from error


def hull(points: Numbers, limit: int) -> Maker:
    """The convex hull of points, or of the outermost ones in `limit` directions spread evenly over all."""
    chosen = points
    if len(points) > limit:
        turns = np.arange(limit) + 0.5
        height = 1 - 2 * turns / limit
        angle, radius = np.pi * (1 + np.sqrt(5)) * turns, np.sqrt(1 - height**2)
        directions = np.stack([radius * np.cos(angle), radius * np.sin(angle), height], axis=1)
        chosen = points[np.unique(np.argmax(points @ directions.T, axis=0))]
    return lambda world: world.hull(chosen)
