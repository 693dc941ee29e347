"""Definitions of many bodies, or joints, at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._arrays import Records
from ._checks import whole
from ._signatures import explained_function, takes
from .raw import BODY_DEF_DTYPE, JOINT_DEF_DTYPE, BodyDef, JointDef

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .raw import BodyDefMembers, JointDefMembers


@explained_function
@takes(BodyDef)
def body_defs(count: int, **members: Unpack[BodyDefMembers]) -> Records:
    """Definitions of `count` bodies for `World.add_bodies`: a default one, and `members` set, in each element."""
    length = whole("count", count, 0, 2**63 - 1)
    return np.full(length, np.frombuffer(bytes(BodyDef(**members)), BODY_DEF_DTYPE)[0], BODY_DEF_DTYPE)


@explained_function
@takes(JointDef)
def joint_defs(count: int, **members: Unpack[JointDefMembers]) -> Records:
    """Definitions of `count` joints for `World.add_joints`: a default one, and `members` set, in each element."""
    length = whole("count", count, 0, 2**63 - 1)
    return np.full(length, np.frombuffer(bytes(JointDef(**members)), JOINT_DEF_DTYPE)[0], JOINT_DEF_DTYPE)
