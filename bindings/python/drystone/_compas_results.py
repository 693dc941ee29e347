"""What the contacts of a world carry, as Results of compas_dem."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from ._arrays import Numbers, Records
from ._compas_balance import Balance
from ._compas_build import Built
from ._interfaces import Contacts


def results_of(model: Any, problem_id: str, built: Built, found: Balance, metadata: dict[str, Any]) -> Any:
    """The Results of a solved model."""
    results = importlib.import_module("compas_dem.problem").Results(model_id=str(model.guid), problem_id=problem_id)
    for block, moved in zip(built.blocks, found.displacements):
        results.set_node(block.node, "transformation", _transformation(block.center, moved))
    if found.forces is not None:
        of_edges: dict[tuple[int, int], list[tuple[Any, int]]] = {}
        for edge, contact, node in _of_model(built, found.forces) if built.interfaces else _of_shapes(built, found.forces):
            of_edges.setdefault(edge, []).append((contact, node))
        for edge, each in of_edges.items():
            _set_edge(results, edge, *map(list, zip(*each)))
    results.metadata.update(metadata)
    return results


def _transformation(center: Numbers, moved: Numbers) -> Any:
    """The move of a block, and its turn about its centre."""
    geometry = importlib.import_module("compas.geometry")
    angle = float(np.linalg.norm(moved[3:]))
    axis = (moved[3:] / angle).tolist() if angle > 0 else [0, 0, 1]
    turn = geometry.Rotation.from_axis_and_angle(axis, angle, point=center.tolist())
    return geometry.Transformation.from_matrix((geometry.Translation.from_vector(moved[:3].tolist()) * turn).matrix)


def contacts_of(results: Any, edge: tuple[int, int]) -> list[Contacts]:
    """The contacts of an edge of any Results, with forces on its second block."""
    contacts = results.edge_attribute(edge, "contacts") or [results.contact_data(edge)]
    # Other solvers have frames along the edge, and forces on its second block.
    nodes = results.edge_attribute(edge, "force_on") or [edge[1]] * len(contacts)
    answer = []
    for contact, node in zip(contacts, nodes):
        axes = (1 if node == edge[1] else -1) * _axes(contact.frame)
        points = np.array([list(point) for point in contact.points], float)
        forces = _local(contact) @ axes
        answer.append(Contacts(*edge, points, np.tile(axes[2], (len(points), 1)), forces, np.zeros(3)))
    return answer


def _of_model(built: Built, forces: list[Numbers]) -> list[tuple[tuple[int, int], Any, int]]:
    """Copies of the contacts of the model, with forces on the blocks along the z axes of their frames, and the nodes of these."""
    answer = []
    for each, on_corners in zip(built.interfaces, forces):
        frame, size = each.contact.frame, each.contact.size
        contact = _contact(each.corners, frame, on_corners @ _axes(frame).T, size)
        answer.append((each.edge, contact, built.blocks[each.above].node))
    return answer


def _of_shapes(built: Built, contacts: Records) -> list[tuple[tuple[int, int], Any, int]]:
    """Contacts over the points that were found between the hulls of blocks, and the nodes on which their forces act."""
    geometry = importlib.import_module("compas.geometry")
    nodes = {int(block.body): block.node for block in built.blocks}
    forces = contacts["normal_force"][:, None] * contacts["normal"] + contacts["friction_force"]
    answer = []
    for pair, rows in _by_pair(contacts).items():
        edge = nodes[pair[0]], nodes[pair[1]]
        points, normal = contacts["point"][rows], contacts["normal"][rows[0]]
        center = points.mean(axis=0)
        side = np.eye(3)[int(np.abs(normal).argmin())]
        x = np.cross(side, normal)
        y = np.cross(normal, x)
        order = np.argsort(np.arctan2((points - center) @ y, (points - center) @ x))
        frame = geometry.Frame(center.tolist(), x.tolist(), y.tolist())
        contact = _contact(points[order], frame, forces[rows][order] @ _axes(frame).T, None)
        answer.append((edge, contact, edge[1]))
    return answer


def _by_pair(contacts: Records) -> dict[tuple[int, int], list[int]]:
    rows: dict[tuple[int, int], list[int]] = {}
    for row, pair in enumerate(zip(contacts["body_a"].tolist(), contacts["body_b"].tolist())):
        rows.setdefault(pair, []).append(row)
    return rows


def _axes(frame: Any) -> Numbers:
    return np.array([list(frame.xaxis), list(frame.yaxis), list(frame.zaxis)], float)


def _local(contact: Any) -> Numbers:
    """The forces at the corners in the axes of the frame, (n, 3)."""
    return np.array([[force["c_u"], force["c_v"], force["c_np"] - force["c_nn"]] for force in contact.forces], float)


def _contact(corners: Numbers, frame: Any, local: Numbers, size: Any) -> Any:
    """A contact of compas_dem: of a face, an edge or a point."""
    interactions = importlib.import_module("compas_dem.interactions.contact")
    points = [importlib.import_module("compas.geometry").Point(*corner) for corner in corners.tolist()]
    forces = [{"c_np": max(n, 0.0), "c_nn": max(-n, 0.0), "c_u": u, "c_v": v} for u, v, n in local.tolist()]
    if len(points) == 1:
        return interactions.VertexContact(points[0], frame=frame, forces=forces)
    if len(points) == 2:
        return interactions.EdgeContact(points, frame, forces=forces)
    return interactions.FrictionContact(points=points, frame=frame, size=size, forces=forces)


def _set_edge(results: Any, edge: tuple[int, int], contacts: list[Any], nodes: list[int]) -> None:
    """Writes the contacts of an edge: the one that carries most, and the resultant of all on the same block, which is one of `nodes`."""
    locals_ = [_local(contact) for contact in contacts]
    globals_ = [local.sum(axis=0) @ _axes(contact.frame) for local, contact in zip(locals_, contacts)]
    most = int(np.argmax([np.linalg.norm(each) for each in globals_]))
    signs = [1 if node == nodes[most] else -1 for node in nodes]
    contact, local, resultant = contacts[most], locals_[most], signs @ np.array(globals_)
    points = [list(point) for point in contact.points]
    values = {
        "contact_data": contact,
        "contacts": contacts,
        "force_on": nodes,
        "face_contact": len(points) > 2,
        "edge_contact": len(points) == 2,
        "point_contact": len(points) == 1,
        "contact_points": points,
        "contact_geometry": contact.geometry if len(points) != 2 else None,
        "contact_polygon": contact.polygon if len(points) > 2 else None,
        "contact_frame": contact.frame,
        "resultant_global": resultant.tolist(),
        "resultant_local": (_axes(contact.frame) @ resultant).tolist(),
        "force_magnitude": float(np.linalg.norm(resultant)),
        "force_point": list(contact.resultantpoint),
        "force_normal": local[:, 2].tolist(),
        "force_tangent1": local[:, 0].tolist(),
        "force_tangent2": local[:, 1].tolist(),
    }
    for name, value in values.items():
        results.set_edge(edge, name, value)
