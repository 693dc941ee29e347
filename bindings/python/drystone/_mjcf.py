"""Robots from MJCF files, compiled by MuJoCo."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from ._arrays import Numbers, numbers
from ._assembly import Assembly
from ._frames import frame, matrix
from ._mjcf_actuators import add_actuators
from ._mjcf_geoms import Geoms
from ._mjcf_joints import Rings, groups, joint_name
from ._parts import Coupling, Inertia, Link, package
from ._robot import Robot
from ._world import World

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def load_mjcf(world: World, model: Union[str, os.PathLike[str], Any], *, qpos: Optional[ArrayLike] = None) -> Robot:
    """Puts a model of MuJoCo into a world: `drystone.load_mjcf(world, "ant.xml")`.

    Bodies without joints belong to the body that they are fixed to, or to the world. A body with several geoms becomes as many
    bodies, welded together, see `Robot.pieces`. Geoms collide with each other as contype, conaffinity, excludes and the filter of
    parents say, and with all bodies of the host. Between geoms of the model friction is the larger coefficient, as in MuJoCo.
    Joints have their limits, springs, damping, friction and armature. Two hinges that meet at a right angle are one UNIVERSAL joint,
    slides and a hinge along or across them one GENERAL joint. Between other joints of one body stands a ring, which takes
    1e-4 of that body's mass and inertia and changes its motion by about as much: three hinges become a UNIVERSAL joint, a
    ring and a HINGE.
    Actuators of joints are kept, with control 0: see `Robot.set_controls`. Everything else stands in `Robot.ignored`. Contacts
    are those of drystone: margins, solref and solimp have no counterpart. The gravity is that of the world.

    model: path of the file, or a mujoco.MjModel.
    qpos: where the joints are at first, as MuJoCo has it; None: qpos0 of the model.

    Raises FileNotFoundError for a missing file, ValueError for what MuJoCo or this function refuses, ImportError
    without mujoco: its message names the extra `robots`.
    """
    mujoco = package("mujoco", "load_mjcf", "robots")
    if not isinstance(model, mujoco.MjModel):
        path = os.fspath(model)
        if not os.path.isfile(path):
            raise FileNotFoundError(f"model is {path!r}, which is no file")
        model = mujoco.MjModel.from_xml_path(path)
    start = np.array(model.qpos0) if qpos is None else numbers("qpos", qpos, model.nq)
    loader = _Loader(world, mujoco, model, start)
    loader.add_bodies()
    loader.add_excludes()
    add_actuators(loader.robot, mujoco, model)
    loader.list_ignored()
    return loader.robot


class _Loader:
    def __init__(self, world: World, mujoco: Any, model: Any, qpos: Numbers) -> None:
        self._mujoco, self._model, self._qpos = mujoco, model, qpos
        self._assembly = Assembly(world, self_collision=True)
        self.robot = self._assembly.robot
        self._geoms = Geoms(world, mujoco, model, self.robot.ignored)
        self._names = [model.body(body).name or f"body{body}" for body in range(model.nbody)]
        self._holders: list[tuple[int, Numbers]] = [(0, frame())]
        for body in range(1, model.nbody):
            held, pose = (body, frame())
            if model.body_jntnum[body] == 0:
                held, outer = self._holders[model.body_parentid[body]]
                pose = outer @ self._pose(body)
            self._holders.append((held, pose))

    def add_bodies(self) -> None:
        """Adds all bodies, parents first: MuJoCo has them in that order."""
        self._assembly.add_fixed(self._link(0), frame())
        for body in range(1, self._model.nbody):
            if self._holders[body][0] == body:
                self._add(body)

    def add_excludes(self) -> None:
        """Lets bodies not collide that the model excludes."""
        for signature in np.asarray(self._model.exclude_signature).tolist():
            first, second = (self._holders[body][0] for body in (signature >> 16, signature & 0xFFFF))
            if first != second:
                self._assembly.exclude(self._names[first], self._names[second], joined=False)

    def list_ignored(self) -> None:
        """Lists what the model has and the world has not."""
        model, ignored = self._model, self.robot.ignored
        ignored += [f"tendon {model.tendon(each).name!r}" for each in range(model.ntendon)]
        for each in range(model.neq):
            kind = self._mujoco.mjtEq(model.eq_type[each]).name[len("mjEQ_") :].lower()
            ignored.append(f"equality constraint {model.eq(each).name!r} ({kind})")
        ignored += [f"pair of geoms {model.pair(each).name!r}" for each in range(model.npair)]
        ignored += [f"mocap of body {self._names[body]!r}" for body in np.flatnonzero(model.body_mocapid >= 0)]
        for count, what in ((model.nsite, "sites"), (model.nsensor, "sensors"), (model.nflex, "flexible bodies")):
            if count:
                ignored.append(f"{count} {what}")
        if model.opt.density or model.opt.viscosity:
            ignored.append(f"medium of density {model.opt.density:g}, viscosity {model.opt.viscosity:g}")

    def _add(self, body: int) -> None:
        model, link = self._model, self._link(body)
        first = model.body_jntadr[body]
        joints = list(range(first, first + model.body_jntnum[body]))
        if model.jnt_type[first] == self._mujoco.mjtJoint.mjJNT_FREE:
            self._add_free(link, first)
            return
        parent, outer = self._holders[model.body_parentid[body]]
        chain = groups(self._mujoco, model, joints, self._qpos, self.robot.ignored)
        rings = Rings(link, len(chain) - 1)
        holder, frame_a = self._names[parent], outer @ self._pose(body)
        for coupling, child in zip(chain, [*rings.links, rings.rest]):
            coupling.parent, coupling.child = holder, child.name
            coupling.frame_a = frame_a @ coupling.frame_a
            self._assembly.join(coupling, self._positions(joints), child)
            holder, frame_a = child.name, frame()
        self._name_joints(joints, chain)
        if parent != 0:
            self._assembly.exclude(self._names[parent], link.name, joined=len(chain) == 1)

    def _add_free(self, link: Link, joint: int) -> None:
        start = self._qpos[self._model.jnt_qposadr[joint] :]
        self._assembly.add(link, frame(start[:3], matrix(start[[4, 5, 6, 3]])))
        dofs = slice(self._model.jnt_dofadr[joint], self._model.jnt_dofadr[joint] + 6)
        for what in ("damping", "armature", "frictionloss"):
            if np.any(getattr(self._model, f"dof_{what}")[dofs]):
                self.robot.ignored.append(f"{what} of free joint {joint_name(self._model, joint)!r}")

    def _name_joints(self, joints: list[int], chain: list[Coupling]) -> None:
        """Gives a joint that stands for several of the file all their names."""
        made = [self.robot.joints.pop(coupling.name) for coupling in chain]
        held = {axis.name: joint for coupling, joint in zip(chain, made) for axis in coupling.axes}
        for number in joints:
            name = joint_name(self._model, number)
            self.robot.joints[name] = held.get(name, made[-1])

    def _positions(self, joints: list[int]) -> dict[str, float]:
        return {joint_name(self._model, each): float(self._qpos[self._model.jnt_qposadr[each]]) for each in joints}

    def _link(self, body: int) -> Link:
        """A body with all that is fixed to it."""
        model, link = self._model, Link(self._names[body])
        parts = [part for part in range(model.nbody) if self._holders[part][0] == body]
        for part in parts:
            where = self._holders[part][1]
            link.merged[self._names[part]] = where
            inertia = Inertia(float(model.body_mass[part]), np.zeros(3), np.diag(model.body_inertia[part]))
            inside = frame(model.body_ipos[part], matrix(model.body_iquat[part][[1, 2, 3, 0]]))
            link.inertia = link.inertia.plus(inertia.seen_from(where @ inside))
            link.geometries += self._geoms.of_body(part, where)
        link.gravity_scale = 1.0 - self._compensation(body, parts)
        return link

    def _compensation(self, body: int, parts: list[int]) -> float:
        """The part of the weight of a link that the model takes away."""
        given = self._model.body_gravcomp[parts]
        if body and np.ptp(given) > 0:
            self.robot.ignored.append(f"different gravcomp of bodies fixed to {self._names[body]!r}")
        return float(given[0])

    def _pose(self, body: int) -> Numbers:
        return frame(self._model.body_pos[body], matrix(self._model.body_quat[body][[1, 2, 3, 0]]))
