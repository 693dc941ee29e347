"""The blocks of a model of compas_dem as bodies of a world, and their interfaces."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional

import numpy as np

from ._arrays import Numbers
from ._world import World
from .raw import Body, BodyKind, FrictionLaw, JointDef, JointKind, Material, Settings

# A hull may have so much more volume than a block that counts as convex [-].
_CONVEX = 1e-6
# Thickness of a pad over the root of its area [-].
_THICKNESS = 0.25
# Of the mean size of blocks: how far apart things still are contacts [-].
_MARGIN = 0.02


class Block(NamedTuple):
    """A block and its body."""

    element: Any
    node: int
    body: Body
    mass: float
    center: Numbers
    is_support: bool


class Interface(NamedTuple):
    """A contact of a model, and the pads of its two blocks: on the side against the z axis of its frame, and along it."""

    edge: tuple[int, int]
    contact: Any
    pads: tuple[Body, Body]


@dataclass
class Built:
    """A world and what its bodies are: first the blocks, then the pads."""

    world: World
    source: str
    blocks: list[Block] = field(default_factory=list)
    interfaces: list[Interface] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)
    pads_of: dict[int, list[tuple[Body, Numbers]]] = field(default_factory=dict)
    size: float = 1.0
    count: int = 0

    @property
    def is_free(self) -> Numbers:
        """1 for blocks that are no supports, 0 for all other bodies."""
        free = np.zeros(self.count)
        free[: len(self.blocks)] = [not block.is_support for block in self.blocks]
        return free

    def move(self, place: int, move: Numbers, turn: Numbers) -> None:
        """Lets a support move, and turn about its centre of mass, during the increment."""
        block = self.blocks[place]
        bodies = [(block.body, block.center), *self.pads_of[block.node]]
        for body, position in bodies:
            velocity = move + np.cross(turn, position - block.center)
            self.world.set_state(body, linear_velocity=velocity, angular_velocity=turn)


def build(
    model: Any,
    *,
    contacts: str,
    friction: float,
    stiffness: Optional[tuple[float, float]],
    density: Optional[float],
    law: FrictionLaw,
) -> Built:
    """A world of a model. Its settings are those of statics alone: it is not made for steps."""
    elements = list(model.elements())
    if not any(element.is_support for element in elements):
        raise ValueError("the model has no supports, expected at least one block with is_support")
    solids = [_Solid.of(element, density) for element in elements]
    known = [(edge, contact) for edge in model.graph.edges() for contact in model.graph.edge_attribute(edge, "contacts") or []]
    if contacts == "model" and not known:
        raise ValueError("the model has no contacts, expected those of compute_contacts")
    by_pads = bool(known) and contacts != "shapes"
    size = float(np.mean([solid.size for solid in solids]))
    world = World(settings=Settings(friction_law=law, contact_margin=_MARGIN * size))
    built = Built(world, "model" if by_pads else "shapes", size=size)
    try:
        stone = _material(world, friction, stiffness)
        for element, solid in zip(elements, solids):
            _add_block(built, element, solid, stone, by_pads)
        if by_pads:
            for number, (edge, contact) in enumerate(known):
                _add_interface(built, number + 1, edge, contact, stone)
    except BaseException:
        world.close()
        raise
    built.count = len(built.blocks) + sum(map(len, built.pads_of.values()))
    return built


def _material(world: World, friction: float, stiffness: Optional[tuple[float, float]]) -> Material:
    if stiffness is None:
        return world.add_material(friction=friction)
    # Two equal materials are springs in series.
    return world.add_material(friction=friction, normal_stiffness=2 * stiffness[0], tangential_stiffness=2 * stiffness[1])


class _Solid(NamedTuple):
    """The mesh of a block: its corners, volume, centre of mass, and mass."""

    points: Numbers
    volume: float
    center: Numbers
    mass: float
    size: float

    @classmethod
    def of(cls, element: Any, density: Optional[float]) -> _Solid:
        vertices, faces = element.modelgeometry.to_vertices_and_faces()
        points = np.array(vertices, float)
        triangles = [(face[0], face[at], face[at + 1]) for face in faces for at in range(1, len(face) - 1)]
        corners = points[np.array(triangles)] - points.mean(axis=0)
        sixth = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
        volume = float(sixth.sum())
        if volume == 0:
            raise ValueError(f"block {element.graphnode} has no volume, expected a closed mesh")
        center = points.mean(axis=0) + sixth @ corners.sum(axis=1) / (4 * volume)
        of_material = None if element.material is None else element.material.density
        each = density if of_material is None else of_material
        if each is None:
            raise ValueError(f"block {element.graphnode} has no material with a density, expected one, or density")
        size = float(np.linalg.norm(np.ptp(points, axis=0)))
        return cls(points, abs(volume), center, abs(volume) * float(each), size)


def _add_block(built: Built, element: Any, solid: _Solid, stone: Material, by_pads: bool) -> None:
    world, node, corners = built.world, element.graphnode, solid.points - solid.center
    shape = world.hull(corners)
    if not by_pads:
        volume = world.mass_properties(shape).volume
        if volume > solid.volume * (1 + _CONVEX):
            raise ValueError(f"block {node} is not convex: its hull has {volume / solid.volume} of its volume; expected contacts of the model")
    kind = BodyKind.KINEMATIC if element.is_support else BodyKind.DYNAMIC
    # With pads the block itself touches nothing.
    mask = {"filter_mask": 0} if by_pads else {}
    body = world.add_body(kind=kind, shape=shape, material=stone, position=solid.center, mass=solid.mass, **mask)
    built.places[node] = len(built.blocks)
    built.pads_of[node] = []
    built.blocks.append(Block(element, node, body, solid.mass, solid.center, bool(element.is_support)))


def _add_interface(built: Built, group: int, edge: tuple[int, int], contact: Any, stone: Material) -> None:
    """Adds the pads of a contact, prisms over its polygon that touch each other alone, and fixes them to their blocks."""
    points = np.array([list(point) for point in contact.points], float)
    normal = np.array(list(contact.frame.zaxis), float)
    center = points.mean(axis=0)
    flat = points - center
    flat -= np.outer(flat @ normal, normal)
    across = built.blocks[built.places[edge[1]]].center - built.blocks[built.places[edge[0]]].center
    below, above = edge if across @ normal >= 0 else edge[::-1]
    thickness = _THICKNESS * float(np.sqrt(contact.size))
    pads = tuple(
        _add_pad(built, node, np.vstack([flat, flat + side * thickness * normal]), center, normal, group, stone)
        for node, side in ((below, -1), (above, 1))
    )
    built.interfaces.append(Interface(edge, contact, (pads[0], pads[1])))


def _add_pad(
    built: Built, node: int, corners: Numbers, center: Numbers, normal: Numbers, group: int, stone: Material
) -> Body:
    world, block = built.world, built.blocks[built.places[node]]
    kind = BodyKind.KINEMATIC if block.is_support else BodyKind.DYNAMIC
    pad = world.add_body(
        kind=kind, shape=world.hull(corners), material=stone, position=center, mass=1, gravity_scale=0, filter_mask=0, filter_group=group
    )
    if not block.is_support:
        joint = JointDef(kind=JointKind.FIXED, body_a=block.body, body_b=pad)
        world.add_joint(world.place_joint(joint, point=center, axis=normal))
    built.pads_of[node].append((pad, center))
    return pad
