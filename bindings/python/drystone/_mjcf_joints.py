"""Joints of MuJoCo: those of one body in groups, each of which is one joint of drystone."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._arrays import Numbers
from ._frames import along, frame, inverse, matrix
from ._parts import Axis, Coupling, Link
from .raw import JointKind, JointMode

RING = 1e-4
"""The part of a body's mass and inertia that a ring between its joints takes.

It changes the motion by about as much: a box of 1 kg that swings by 1.4 rad on three hinges is 1.5e-4 rad off after 0.4 s, in
the limit of small steps. A lighter ring turns faster than steps of 1 ms follow.
"""

_SAME = 1e-9
"""Below it a cosine or a distance counts as 0."""


class Rings:
    """The rings between the joints of a body, and the body without them.

    Where the joints are at 0, all have the body's frame and centre of mass, and their sum is the body.
    """

    def __init__(self, link: Link, count: int) -> None:
        whole = link.inertia
        self.links = []
        for number in range(count):
            name = f"{link.name}:ring{number}"
            self.links.append(Link(name, whole.share(RING), gravity_scale=link.gravity_scale, merged={name: frame()}))
        link.inertia = whole.share(1 - count * RING)
        self.rest = link


def joint_name(model: Any, joint: int) -> str:
    """The name of a joint, or a number where it has none."""
    return model.joint(joint).name or f"joint{joint}"


def groups(mujoco: Any, model: Any, joints: list[int], qpos: Numbers, ignored: list[str]) -> list[Coupling]:
    """Joints of drystone that are those of a body, in a row; their frames A are as seen from the body at qpos0."""
    reader = _Joints(mujoco, model, qpos, ignored)
    made: list[Coupling] = []
    left = joints
    while left:
        coupling, taken = reader.longest(left)
        made.append(coupling)
        left = left[taken:]
    return made


class _Joints:
    def __init__(self, mujoco: Any, model: Any, qpos: Numbers, ignored: list[str]) -> None:
        self._model, self._qpos, self._ignored = model, qpos, ignored
        kinds = mujoco.mjtJoint
        # an enumeration of mujoco equals no integer of numpy on its right
        self._ball, self._hinge, self._slide = int(kinds.mjJNT_BALL), int(kinds.mjJNT_HINGE), int(kinds.mjJNT_SLIDE)

    def longest(self, joints: list[int]) -> tuple[Coupling, int]:
        """The joint of drystone that stands for as many of the first joints as one can, and their number."""
        kinds = [int(self._model.jnt_type[joint]) for joint in joints]
        if kinds[0] == self._ball:
            return self._ball_joint(joints[0]), 1
        if kinds[:2] == [self._hinge, self._hinge]:
            first, second = joints[:2]
            axes, points = self._model.jnt_axis, self._model.jnt_pos
            if abs(axes[first] @ axes[second]) < _SAME and np.linalg.norm(points[first] - points[second]) < _SAME:
                rotation = np.stack([axes[first], axes[second], np.cross(axes[first], axes[second])], axis=1)
                return self._coupling(JointKind.UNIVERSAL, joints[:2], [3, 4], rotation), 2
        for count in range(min(len(joints), 4), 1, -1):
            if all(kind == self._slide for kind in kinds[: count - 1]) and kinds[count - 1] in (self._slide, self._hinge):
                placed = self._slides(joints[:count], kinds[count - 1] == self._hinge)
                if placed is not None:
                    return self._coupling(JointKind.GENERAL, joints[:count], *placed), count
        rotation = along(self._model.jnt_axis[joints[0]])
        if kinds[0] == self._hinge:
            return self._coupling(JointKind.HINGE, joints[:1], [5], rotation), 1
        return self._coupling(JointKind.SLIDER, joints[:1], [2], rotation), 1

    def _slides(self, joints: list[int], is_turning: bool) -> Optional[tuple[list[int], Numbers]]:
        """Which axis each of some slides, and a hinge after them, is, and the frame of the joint; None: not at right angles."""
        axes = self._model.jnt_axis[joints]
        if len(joints) - is_turning > 3:
            return None
        if is_turning:
            z = axes[-1]
        else:
            z = axes[2] if len(axes) == 3 else np.cross(axes[0], axes[1])
        if not np.linalg.norm(z) > _SAME:
            return None
        slides = axes[:-1] if is_turning else axes
        across = [axis for axis in slides if abs(axis @ z) < _SAME]
        x = across[0] if across else along(z)[:, 0]
        if len(across) == 2 and np.cross(x, across[1]) @ z < 0:
            x = across[1]
        z = z / np.linalg.norm(z)
        rotation = np.stack([x, np.cross(z, x), z], axis=1)
        cosines = slides @ rotation
        indices = np.argmax(cosines, axis=1).tolist()
        if np.any(np.max(cosines, axis=1) < 1 - _SAME) or len(set(indices)) < len(indices):
            return None
        return indices + [5] * is_turning, rotation

    def _coupling(self, kind: JointKind, joints: list[int], indices: list[int], rotation: Numbers) -> Coupling:
        model = self._model
        axes = [self._axis(joint, index) for joint, index in zip(joints, indices)]
        at_start = frame(model.jnt_pos[joints[-1]], rotation)
        made = Coupling("/".join(axis.name for axis in axes), kind, "", "", at_start, at_start, axes)
        # MuJoCo places a body where its joints are at qpos0: the turns and slides up to there are taken out of the frames
        starts = {axis.name: model.qpos0[model.jnt_qposadr[joint]] for axis, joint in zip(axes, joints)}
        last = axes[-1].name
        made.frame_b = at_start @ made.motion({last: starts.pop(last)})
        made.frame_a = at_start @ inverse(made.motion(starts))
        return made

    def _axis(self, joint: int, index: int) -> Axis:
        model, dof, place = self._model, self._model.jnt_dofadr[joint], self._model.jnt_qposadr[joint]
        settings = {
            "mode": JointMode.FREE,
            "stiffness": model.jnt_stiffness[joint],
            "rest": model.qpos_spring[place],
            "damping": model.dof_damping[dof],
            "friction": model.dof_frictionloss[dof],
            "armature": model.dof_armature[dof],
        }
        if model.jnt_limited[joint]:
            low, high = model.jnt_range[joint]
            settings.update(mode=JointMode.LIMITED, lower=low, upper=high)
        name = joint_name(model, joint)
        for member in ("jnt_stiffnesspoly", "jnt_springyield"):
            if np.any(getattr(model, member, np.zeros((model.njnt, 1)))[joint]):
                self._ignored.append(f"{member[4:]} of joint {name!r}")
        return Axis(name, index, settings)

    def _ball_joint(self, joint: int) -> Coupling:
        model, name = self._model, joint_name(self._model, joint)
        dofs = slice(model.jnt_dofadr[joint], model.jnt_dofadr[joint] + 3)
        for what in ("damping", "armature", "frictionloss"):
            if np.any(getattr(model, f"dof_{what}")[dofs]):
                self._ignored.append(f"{what} of ball joint {name!r}")
        if model.jnt_stiffness[joint]:
            self._ignored.append(f"stiffness of ball joint {name!r}")
        if model.jnt_limited[joint]:
            self._ignored.append(f"range of ball joint {name!r}")
        place = model.jnt_qposadr[joint]
        turned = matrix(self._qpos[[place + 1, place + 2, place + 3, place]])
        at_start = frame(model.jnt_pos[joint])
        return Coupling(name, JointKind.BALL, "", "", at_start, at_start, ball=turned)
