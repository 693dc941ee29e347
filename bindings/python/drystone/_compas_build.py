"""The blocks of a model of compas_dem as bodies of a world, and their interfaces."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Iterator, NamedTuple, Optional

import numpy as np

from ._arrays import Numbers
from ._compas_pairs import part
from ._world import World
from .raw import Body, BodyKind, FrictionLaw, JointDef, JointKind, Material, Settings

# A hull may have so much more volume than a block that counts as convex [-].
_CONVEX = 1e-6
# Thickness of a pad over the root of its area [-].
_THICKNESS = 0.25
# Of that thickness: how far from an interface points are sought in the blocks [-].
_PROBES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
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
    """A contact of a model: the places of its blocks against and along the z axis of its frame, and its corners."""

    edge: tuple[int, int]
    contact: Any
    below: int
    above: int
    corners: Numbers
    normal: Numbers


@dataclass
class Built:
    """A world and what its bodies are: first the blocks, then the pads."""

    world: World
    source: str
    blocks: list[Block] = field(default_factory=list)
    interfaces: list[Interface] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)
    parted: list[tuple[int, int]] = field(default_factory=list)
    """Nodes of blocks that touch without a common area, which have no contacts."""
    size: float = 1.0
    count: int = 0

    @property
    def is_free(self) -> Numbers:
        """1 for blocks that are no supports, 0 for supports."""
        return np.array([not block.is_support for block in self.blocks], float)

    def of_all(self, of_blocks: Numbers) -> Numbers:
        """Rows for all bodies: those of blocks, and zeros for pads."""
        rows = np.zeros((self.count, of_blocks.shape[1]))
        rows[: len(of_blocks)] = of_blocks
        return rows


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
    if all(element.is_support for element in elements):
        raise ValueError("all blocks of the model are supports, expected at least one that can move")
    known = list(_contacts(model, {element.graphnode for element in elements if element.is_support}))
    if contacts == "model" and not known:
        raise ValueError("the model has no contacts, expected those of compute_contacts")
    if contacts == "model" and stiffness is not None:
        raise ValueError("the problem has a joint model, expected contacts of the shapes: those of the model are rigid")
    by_pads = bool(known) and contacts != "shapes" and stiffness is None
    size = float(np.mean([solid.size for solid in solids]))
    world = World(settings=Settings(friction_law=law, contact_margin=_MARGIN * size))
    built = Built(world, "model" if by_pads else "shapes", size=size)
    try:
        stone = _material(world, friction, stiffness)
        for element, solid in zip(elements, solids):
            _add_block(built, element, solid, stone, by_pads)
        if by_pads:
            for number, (edge, contact) in enumerate(known):
                _add_interface(built, solids, number + 1, edge, contact, stone)
        else:
            nodes = {int(block.body): block.node for block in built.blocks}
            built.parted = part(world, nodes, {element.graphnode: solid.size for element, solid in zip(elements, solids)})
    except BaseException:
        world.close()
        raise
    built.count = len(world.bodies())
    return built


def _contacts(model: Any, supports: set[int]) -> Iterator[tuple[tuple[int, int], Any]]:
    """The contacts of a model by their edges, except those between supports, which carry nothing."""
    for edge in model.graph.edges():
        if not supports.issuperset(edge):
            for contact in model.graph.edge_attribute(edge, "contacts") or []:
                yield edge, contact


def _material(world: World, friction: float, stiffness: Optional[tuple[float, float]]) -> Material:
    if stiffness is None:
        return world.add_material(friction=friction)
    # Two equal materials are springs in series.
    return world.add_material(friction=friction, normal_stiffness=2 * stiffness[0], tangential_stiffness=2 * stiffness[1])


class _Solid(NamedTuple):
    """The mesh of a block: its corners, triangles, volume, centre of mass, and mass."""

    points: Numbers
    triangles: Numbers
    """(n, 3, 3), of its surface, outwards."""
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
        surface = points[np.array(triangles)]
        return cls(points, surface if volume > 0 else surface[:, ::-1], abs(volume), center, abs(volume) * float(each), size)

    def winding(self, point: Numbers) -> float:
        """How much of the directions from a point the surface closes: 1 inside, 0 outside (Van Oosterom and Strackee 1983)."""
        a, b, c = np.moveaxis(self.triangles - point, 1, 0)
        lengths = [np.linalg.norm(each, axis=1) for each in (a, b, c)]
        products = [np.einsum("ij,ij->i", *pair) for pair in ((b, c), (c, a), (a, b))]
        volumes = np.einsum("ij,ij->i", a, np.cross(b, c))
        below = lengths[0] * lengths[1] * lengths[2] + sum(length * product for length, product in zip(lengths, products))
        return float(np.arctan2(volumes, below).sum()) / (2 * np.pi)


def _add_block(built: Built, element: Any, solid: _Solid, stone: Material, by_pads: bool) -> None:
    world, node, corners = built.world, element.graphnode, solid.points - solid.center
    shape = world.hull(corners)
    if not by_pads:
        volume = world.mass_properties(shape).volume
        if volume > solid.volume * (1 + _CONVEX):
            raise ValueError(f"block {node} is not convex: its hull has {volume / solid.volume} of its volume; expected contacts of the model")
    kind = BodyKind.KINEMATIC if element.is_support else BodyKind.DYNAMIC
    # With pads the block itself touches nothing.
    mask = 0 if by_pads else 0xFFFFFFFF
    body = world.add_body(kind=kind, shape=shape, material=stone, position=solid.center, mass=solid.mass, filter_mask=mask)
    built.places[node] = len(built.blocks)
    built.blocks.append(Block(element, node, body, solid.mass, solid.center, bool(element.is_support)))


def _add_interface(built: Built, solids: list[_Solid], group: int, edge: tuple[int, int], contact: Any, stone: Material) -> None:
    """Adds the pads of a contact, prisms over its polygon that touch each other alone, and fixes them to their blocks."""
    corners = np.array([list(point) for point in contact.points], float)
    if len(corners) < 3:
        raise ValueError(f"the contact of blocks {edge[0]} and {edge[1]} has {len(corners)} corners, expected 3 or more")
    normal = np.array(list(contact.frame.zaxis), float)
    places = [built.places[node] for node in edge]
    center = corners.mean(axis=0)
    flat = corners - center
    flat -= np.outer(flat @ normal, normal)
    thickness = _THICKNESS * float(np.sqrt(contact.size))
    if _is_reversed(solids[places[0]], solids[places[1]], center, thickness * normal):
        places.reverse()
    for place, side in zip(places, (-1, 1)):
        pad = np.vstack([flat, flat + side * thickness * normal])
        _add_pad(built, built.blocks[place], pad, center, normal, group, stone)
    built.interfaces.append(Interface(edge, contact, places[0], places[1], corners, normal))


def _is_reversed(first: _Solid, second: _Solid, center: Numbers, along: Numbers) -> bool:
    """Whether the first block, and not the second, is on the side of an interface to which its normal points.

    Centres of mass do not decide it: a block can hang from its head. Points on both sides do: some near, for thin blocks, and some further
    away, where blocks overlap or have gaps.
    """
    side = 0.0
    for share in _PROBES:
        ahead, behind = center + share * along, center - share * along
        side += first.winding(ahead) - first.winding(behind) - second.winding(ahead) + second.winding(behind)
    return side > 0


def _add_pad(built: Built, block: Block, pad: Numbers, center: Numbers, normal: Numbers, group: int, stone: Material) -> None:
    world = built.world
    kind = BodyKind.KINEMATIC if block.is_support else BodyKind.DYNAMIC
    shape = world.hull(pad)
    body = world.add_body(
        kind=kind,
        shape=shape,
        material=stone,
        position=center,
        mass=1,
        gravity_scale=0,
        filter_mask=0,
        filter_group=group,
    )
    if not block.is_support:
        joint = JointDef(kind=JointKind.FIXED, body_a=block.body, body_b=body)
        world.add_joint(world.place_joint(joint, point=center, axis=normal))
