"""Balance of blocks, Coulomb's law and the forces of least stress, computed from a model alone: without drystone, and without RBE and CRA."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from compas.geometry import centroid_polyhedron
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

# Tangential over normal stiffness of corners, the default of drystone.
RATIO = 2 / 7
GRAVITY = 9.81


class Structure:
    """A model, its contacts and its equations of balance.

    Forces are (m, 3): a row for each corner in the axes of its contact, x, y, normal, on the second block of the edge. All contacts of a
    model of compas_dem have their z axis along the edge.
    """

    def __init__(self, model: Any) -> None:
        self.edges, self.points, self.axes = [], [], []
        places = {block.graphnode: 6 * place for place, block in enumerate(model.blocks())}
        for edge in model.graph.edges():
            if places.keys().isdisjoint(edge):
                continue  # between supports
            for contact in model.graph.edge_attribute(edge, "contacts") or []:
                self.edges.append(edge)
                self.points.append(np.array([list(point) for point in contact.points]))
                frame = contact.frame
                self.axes.append(np.array([list(frame.xaxis), list(frame.yaxis), list(frame.zaxis)]))
        self.ends = np.cumsum([len(points) for points in self.points])
        meshes = {block.graphnode: block.modelgeometry for block in model.elements()}
        centers = {node: np.array(centroid_polyhedron(mesh.to_vertices_and_faces())) for node, mesh in meshes.items()}
        self.matrix = np.zeros((6 * len(places), 3 * self.ends[-1]))
        self.loads = np.zeros(6 * len(places))
        for block in model.blocks():
            self.loads[places[block.graphnode] + 2] = -GRAVITY * block.material.density * abs(block.modelgeometry.volume())
        corner = 0
        for edge, points, axes in zip(self.edges, self.points, self.axes):
            for point in points:
                for node, sign in zip(edge, (-1, 1)):
                    if node in places:
                        rows, columns = slice(places[node], places[node] + 6), slice(corner, corner + 3)
                        self.matrix[rows, columns] = sign * np.hstack([axes, np.cross(point - centers[node], axes)]).T
                corner += 3
        self.weight = float(np.abs(self.loads).max())
        self.size = float(np.mean([np.linalg.norm(np.ptp(points, axis=0)) for points in self.points]))

    def forces(self, results: Any) -> Numbers:
        """The forces at the corners. Results with no forces at an edge are refused."""
        rows = [[force["c_u"], force["c_v"], force["c_np"] - force["c_nn"]] for edge in self.edges for force in results.contact_data(edge).forces]
        forces = np.array(rows, float)
        assert len(forces) == self.ends[-1]
        return forces

    def unbalanced(self, forces: Numbers) -> float:
        """The largest force that a block lacks, and moment about its centre over the mean size of contacts, over the largest weight."""
        missing = (self.matrix @ forces.ravel() + self.loads).reshape(-1, 2, 3) / [[[1], [self.size]]]
        return float(np.abs(missing).max()) / self.weight

    def beyond_friction(self, forces: Numbers, friction: float) -> float:
        """How far a corner leaves its cone, over the largest weight: by tension or by friction."""
        normal, tangential = forces[:, 2], np.hypot(forces[:, 0], forces[:, 1])
        return float(max((tangential - friction * normal).max(), (-normal).max())) / self.weight

    def resultants(self, forces: Numbers) -> Numbers:
        """The resultants of contacts on the second blocks, world axes, (contacts, 3)."""
        return np.array([local.sum(axis=0) @ axes for local, axes in zip(np.split(forces, self.ends[:-1]), self.axes)])

    def apart(self, forces: Numbers, others: Numbers) -> float:
        """The largest difference of resultants over the largest resultant."""
        largest = np.linalg.norm(self.resultants(forces), axis=1).max()
        return float(np.linalg.norm(self.resultants(forces - others), axis=1).max() / largest)

    def _rays(self, friction: float) -> tuple[Numbers, Numbers]:
        """Both edges of the cone of each corner in the plane of x and z, world axes, (2 m, 3), and their wrenches, (6 F, 2 m)."""
        rays, wrenches = [], []
        for corner, axes in enumerate(np.repeat(self.axes, [len(points) for points in self.points], axis=0)):
            side = np.cross([0, 1, 0], axes[2])
            for ray in (axes[2] + friction * side, axes[2] - friction * side):
                rays.append(ray)
                wrenches.append(self.matrix[:, 3 * corner : 3 * corner + 3] @ (axes @ ray))
        return np.array(rays), np.array(wrenches).T

    def _least(self, cost: Numbers, wrenches: Numbers, free: int) -> float:
        """The least cost of forces that balance in the plane, a linear program. The last `free` variables have any sign."""
        optimize = pytest.importorskip("scipy.optimize")
        in_plane = np.arange(len(self.loads)) % 2 == 0
        limits = [(0, None)] * (len(cost) - free) + [(None, None)] * free
        exact = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
        equal = wrenches[in_plane] / self.weight, -self.loads[in_plane] / self.weight
        found = optimize.linprog(cost, A_eq=equal[0], b_eq=equal[1], bounds=limits, options=exact)
        assert found.status == 0, found.message
        return float(found.fun)

    def least_reaction(self, support: int, direction: Any, friction: float) -> float:
        """The least force of a plane structure on a support, along a direction in its plane."""
        rays, wrenches = self._rays(friction)
        counts = [2 * len(points) for points in self.points]
        on_support = np.repeat([(support == edge[1]) - (support == edge[0]) for edge in self.edges], counts)
        return self._least(on_support * (rays @ direction), wrenches, 0)

    def margin(self, friction: float) -> float:
        """The largest acceleration along x over g that a plane structure carries."""
        push = np.zeros_like(self.loads)
        push[0::6] = -self.loads[2::6]
        wrenches = np.column_stack([self._rays(friction)[1], push])
        return -self._least(np.eye(wrenches.shape[1])[-1] * -1, wrenches, 1)

    def least_stress(self, friction: float) -> Numbers:
        """The forces of least stress of all that balance, within the cones.

        They are those of springs at the corners that cannot pull, under displacements u of the blocks which minimise the convex function
        |P(A u)|^2 / 2 + F u. In its units springs are equally stiff along and across, P is the projection on the cone, A' P(A u) + F = 0.
        """
        scale = np.tile([np.sqrt(RATIO), np.sqrt(RATIO), 1], self.ends[-1])
        slope, stiff, loads = friction / np.sqrt(RATIO), (self.matrix * scale).T, self.loads / self.weight
        moved = np.zeros(len(loads))
        for _ in range(100):
            forces, slopes = _projected((stiff @ moved).reshape(-1, 3), slope)
            missing = stiff.T @ forces.ravel() + loads
            error = float(np.abs(missing).max())
            if error < 1e-13:
                return forces * scale.reshape(-1, 3) * self.weight
            tangent = stiff.T @ np.einsum("iab,ibj->iaj", slopes, stiff.reshape(len(forces), 3, -1)).reshape(stiff.shape)
            step = np.linalg.solve(tangent + max(1e-3 * error, 1e-14) * np.eye(len(loads)), -missing)
            value, length = 0.5 * (forces**2).sum() + loads @ moved, 1.0
            while length > 1e-9:
                trial = _projected((stiff @ (moved + length * step)).reshape(-1, 3), slope)[0]
                if 0.5 * (trial**2).sum() + loads @ (moved + length * step) <= value + 1e-4 * length * (missing @ step) + 1e-15 * abs(value):
                    break
                length /= 2
            moved = moved + length * step
        raise AssertionError("no forces of least stress were found")


def stress(forces: Numbers) -> float:
    """The sum of p^2/2k_n + |q|^2/2k_t with k_n = 1."""
    return float((forces[:, 2] ** 2).sum() / 2 + (forces[:, :2] ** 2).sum() / (2 * RATIO))


def _projected(trial: Numbers, slope: float) -> tuple[Numbers, Numbers]:
    """The nearest points of the cones |t| <= slope n, and the derivatives."""
    forces, slopes = np.zeros_like(trial), np.zeros((len(trial), 3, 3))
    for row, (x, y, normal) in enumerate(trial):
        length = float(np.hypot(x, y))
        if length <= slope * normal:
            forces[row], slopes[row] = trial[row], np.eye(3)
        elif slope * length > -normal:
            along = np.array([slope * x / length, slope * y / length, 1]) / np.sqrt(1 + slope**2)
            across = np.array([-y, x, 0]) / length
            share = float(trial[row] @ along)
            forces[row] = share * along
            slopes[row] = np.outer(along, along) + slope * share / (np.sqrt(1 + slope**2) * length) * np.outer(across, across)
    return forces, slopes
