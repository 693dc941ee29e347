"""Models of masonry for tests: templates of compas_dem, and a cross vault."""

from __future__ import annotations

from typing import Any

import numpy as np
from compas.datastructures import Mesh
from compas.geometry import Rotation
from compas_dem.material import Stone
from compas_dem.models import BlockModel
from compas_dem.problem import Problem
from compas_dem.templates import ArchTemplate, BarrelVaultTemplate, DomeTemplate

# Corners of a block: those of two joints, each inner and outer, at the near end, and the same at the far end.
FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def finished(model: Any, tolerance: float = 1e-3) -> Any:
    """A model with a material and contacts."""
    stone = Stone.from_predefined_material("LIMESTONE")
    model.add_material(stone)
    model.assign_material(stone, elements=list(model.elements()))
    model.compute_contacts(tolerance=tolerance, minimum_area=1e-3)
    return model


def problem_of(model: Any, friction: float = 0.7) -> Any:
    problem = Problem(model)
    problem.set_contact_model("MohrCoulomb", mu=friction)
    return problem


def arch(thickness: float = 0.5) -> Any:
    """A segment of 11 voussoirs, of which the outermost are supports."""
    model = BlockModel()
    for block in ArchTemplate(rise=3, span=10, thickness=thickness, depth=0.5, n=11).blocks():
        model.add_block_from_mesh(block)
    model.add_supports([0, 10])
    return finished(model)


def barrel() -> Any:
    return finished(BlockModel.from_barrelvault(BarrelVaultTemplate(vou_span=7, vou_length=3)))


def dome() -> Any:
    """Two hoops around a wide oculus. The beds of the template are no planes, so that contacts need a wide tolerance."""
    model = BlockModel()
    for at, block in enumerate(DomeTemplate(meridians=24, hoops=2, oculus=np.radians(72)).blocks()):
        (model.add_support_from_mesh if at % 2 == 1 else model.add_block_from_mesh)(block)
    return finished(model, tolerance=0.1)


def planar_dome(meridians: int = 16, hoops: int = 4, radius: float = 3, thickness: float = 0.3) -> Any:
    """A dome around an oculus whose blocks have planar beds, from 20 to 80 degrees off the axis. Four blocks meet along one edge."""
    model, turns = BlockModel(), 2 * np.pi * np.arange(meridians + 1) / meridians
    tilts = np.radians(20 + 60 * np.arange(hoops + 1) / hoops)
    for hoop in range(hoops):
        for at in range(meridians):
            places = [(r, tilt, turn) for turn in turns[at : at + 2] for tilt in tilts[hoop : hoop + 2] for r in (radius, radius + thickness)]
            points = [[r * np.sin(tilt) * np.cos(turn), r * np.sin(tilt) * np.sin(turn), r * np.cos(tilt)] for r, tilt, turn in places]
            mesh = Mesh.from_vertices_and_faces(points, FACES)
            (model.add_support_from_mesh if hoop == hoops - 1 else model.add_block_from_mesh)(mesh)
    return finished(model)


def cross_vault(courses: int = 3, radius: float = 3, thickness: float = 0.5) -> Any:
    """Two barrels that cross: in each of four webs courses run from the groin, where they are mitred, to the edge."""
    model, end = BlockModel(), radius + 1.5 * thickness
    for web in range(4):
        turn = np.round([[np.cos(web * np.pi / 2), -np.sin(web * np.pi / 2)], [np.sin(web * np.pi / 2), np.cos(web * np.pi / 2)]])
        for side in (1, -1):
            for course in range(courses):
                angles = np.pi / 2 * np.arange(course, course + 2) / courses
                joints = [(r * np.cos(a), r * np.sin(a)) for a in angles for r in (radius, radius + thickness)]
                # On the crown cos is no exact 0.
                joints = [(0.0 if abs(y) < 1e-12 else y, z) for y, z in joints]
                corners = [(y, side * y, z) for y, z in joints] + [(end, side * y, z) for y, z in joints]
                points = [[*(turn @ (x, y)), z] for x, y, z in corners]
                faces = FACES if side == -1 else [face[::-1] for face in FACES]
                mesh = Mesh.from_vertices_and_faces(points, faces)
                (model.add_support_from_mesh if course == 0 else model.add_block_from_mesh)(mesh)
    return finished(model)


def prism(outline: Any, depth: float = 0.5) -> Any:
    """A block of an outline in the plane of x and z, counted around it either way."""
    count, half = len(outline), depth / 2
    points = [[x, y, z] for y in (-half, half) for x, z in outline]
    sides = [[at, at + count, (at + 1) % count + count, (at + 1) % count] for at in range(count)]
    mesh = Mesh.from_vertices_and_faces(points, [list(range(count)), list(range(2 * count))[:count - 1:-1], *sides])
    if mesh.volume() < 0:
        mesh.flip_cycles()
    return mesh


def rectangle(left: float, right: float, low: float, high: float) -> Any:
    return [(left, low), (right, low), (right, high), (left, high)]


def leaning(model: Any, slope: float) -> Any:
    """The model turned so far to +x that its weight has a share along its own x of `slope` times that against its own z."""
    turn, turned = Rotation.from_axis_and_angle([0, 1, 0], float(np.arctan(slope))), BlockModel()
    for block in model.elements():
        add = turned.add_support_from_mesh if block.is_support else turned.add_block_from_mesh
        add(block.modelgeometry.transformed(turn))
    return finished(turned)


def tilted(outlines: Any, supports: set[int], slope: float = 0) -> Any:
    """A model of prisms, which leans."""
    model = BlockModel()
    for place, outline in enumerate(outlines):
        (model.add_support_from_mesh if place in supports else model.add_block_from_mesh)(prism(outline))
    return leaning(model, slope)


def leaning_stack(slope: float = 0, count: int = 5, shift: float = 0.05) -> Any:
    """Blocks of 1 x 0.5 m upon a support, each further out than the one below."""
    blocks = [rectangle(place * shift, place * shift + 1, place / 2, place / 2 + 0.5) for place in range(count)]
    return tilted([rectangle(-1, 2, -0.3, 0), *blocks], {0}, slope)


def running_bond(wide: int = 3, rows: int = 6) -> Any:
    """A wall of blocks of 2 x 1 m. Every second row ends in halves."""
    blocks = []
    for row in range(rows):
        joints = [2 * place for place in range(wide + 1)] if row % 2 == 0 else [0, *range(1, 2 * wide, 2), 2 * wide]
        blocks += [rectangle(left, right, row, row + 1) for left, right in zip(joints, joints[1:])]
    return tilted([rectangle(-1, 2 * wide + 1, -0.5, 0), *blocks], {0})


def semicircle(slope: float = 0, count: int = 12, thickness: float = 0.3) -> Any:
    """An arch of radius 1 m, counted from the centre line, upon two supports."""
    angles, inner, outer = np.pi * np.arange(count + 1) / count, 1 - thickness / 2, 1 + thickness / 2
    ends = [[(radius * np.cos(angle), radius * np.sin(angle)) for radius in (inner, outer)] for angle in angles]
    rings = [[*first, *second[::-1]] for first, second in zip(ends, ends[1:])]
    return tilted([rectangle(0.8, 1.2, -0.3, 0), rectangle(-1.2, -0.8, -0.3, 0), *rings], {0, 1}, slope)


def hanging_block() -> Any:
    """A block whose head lies on two supports and whose stem hangs far below them."""
    tee = [(-0.2, -3), (0.2, -3), (0.2, 0), (0.6, 0), (0.6, 0.3), (-0.6, 0.3), (-0.6, 0), (-0.2, 0)]
    return tilted([tee, rectangle(0.25, 1.25, -0.5, 0), rectangle(-1.25, -0.25, -0.5, 0)], {1, 2})
