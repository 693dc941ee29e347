"""Rigid bodies in frictional contact, with contact forces a host can trust.

    import drystone

    with drystone.World() as world:
        floor = world.add_body(shape=world.half_space((0, 0, 1), 0), kind=drystone.BodyKind.STATIC)
        ball = world.add_body(shape=world.sphere(0.5), position=(0, 0, 1))
        for _ in range(240):
            world.step(1 / 240)
        print(world.body_force(ball).force)

Units are SI. Quaternions are (x, y, z, w), from body to world axes. The normal of a contact points from body a to body b;
forces are those on body b, in world axes, averaged over the step. `drystone.raw` has the functions of the library
themselves.
"""

from __future__ import annotations

from . import raw
from ._convergence import NotConvergedError
from ._decomposition import clump_of_mesh, decompose
from ._definitions import body_defs, joint_defs
from ._errors import (
    AbiError,
    ArgumentError,
    BusyError,
    CapacityError,
    ClosedError,
    Error,
    FileError,
    FormatError,
    InternalError,
    NotFiniteError,
    NullError,
    OutOfMemoryError,
    StaleHandleError,
    StoppedError,
    UnsupportedError,
)
from ._loading import path as library_path
from ._results import Closest, Energy, Force, LimitLoad, Mass, MassProperties, Statics, SurfaceVelocity
from ._mjcf import load_mjcf
from ._robot import Actuator, Drive, Robot
from ._run import Run
from ._solver import FIXED_WORLD, Correction, LocalSolution, Solution, Solver
from ._tasks import Tasks
from ._urdf import load_urdf
from ._world import World
from .raw import (
    BODY_DEF_DTYPE,
    BODY_STATE_DTYPE,
    CONTACT_DTYPE,
    CONTACT_SOLUTION_DTYPE,
    FIELD_DTYPE,
    JOINT_DEF_DTYPE,
    JOINT_EVENT_DTYPE,
    JOINT_STATE_DTYPE,
    OVERLAP_DTYPE,
    PROBLEM_BODY_DTYPE,
    PROBLEM_CONTACT_DTYPE,
    PROBLEM_ROW_DTYPE,
    Body,
    BodyDef,
    BodyKind,
    BodyState,
    ClumpPart,
    Compatibility,
    CompatibleFriction,
    ContactLaw,
    ContactState,
    CurveContacts,
    Diagnose,
    FrictionLaw,
    Joint,
    JointAxis,
    JointDef,
    JointEvent,
    JointEventType,
    JointFlag,
    JointKind,
    JointMode,
    JointMotor,
    JointSolver,
    JointState,
    Kernel,
    LocalSolver,
    Lock,
    Material,
    MaterialDef,
    Method,
    NurbsCurveDef,
    PairDef,
    Projection,
    ReportFlag,
    Settings,
    Shape,
    SolverKind,
    StaticDef,
    StaticFlag,
    StaticReport,
    Status,
    StepReport,
    Sweep,
    VtkDef,
    VtkPart,
    WarmStart,
)

__version__ = raw.VERSION

__all__ = [
    "Actuator",
    "AbiError",
    "ArgumentError",
    "BODY_DEF_DTYPE",
    "BODY_STATE_DTYPE",
    "Body",
    "BodyDef",
    "BodyKind",
    "BodyState",
    "BusyError",
    "CONTACT_DTYPE",
    "CONTACT_SOLUTION_DTYPE",
    "CapacityError",
    "ClosedError",
    "Closest",
    "ClumpPart",
    "Compatibility",
    "CompatibleFriction",
    "ContactLaw",
    "ContactState",
    "Correction",
    "CurveContacts",
    "Diagnose",
    "Drive",
    "Energy",
    "Error",
    "FIELD_DTYPE",
    "FIXED_WORLD",
    "FileError",
    "Force",
    "FormatError",
    "FrictionLaw",
    "InternalError",
    "JOINT_DEF_DTYPE",
    "JOINT_EVENT_DTYPE",
    "JOINT_STATE_DTYPE",
    "Joint",
    "JointAxis",
    "JointDef",
    "JointEvent",
    "JointEventType",
    "JointFlag",
    "JointKind",
    "JointMode",
    "JointMotor",
    "JointSolver",
    "JointState",
    "Kernel",
    "LimitLoad",
    "LocalSolution",
    "LocalSolver",
    "Lock",
    "Mass",
    "MassProperties",
    "Material",
    "MaterialDef",
    "Method",
    "NotConvergedError",
    "NotFiniteError",
    "NullError",
    "NurbsCurveDef",
    "OVERLAP_DTYPE",
    "OutOfMemoryError",
    "PROBLEM_BODY_DTYPE",
    "PROBLEM_CONTACT_DTYPE",
    "PROBLEM_ROW_DTYPE",
    "PairDef",
    "Projection",
    "ReportFlag",
    "Robot",
    "Run",
    "Settings",
    "Shape",
    "Solution",
    "Solver",
    "SolverKind",
    "StaleHandleError",
    "StaticDef",
    "StaticFlag",
    "StaticReport",
    "Statics",
    "Status",
    "StepReport",
    "StoppedError",
    "SurfaceVelocity",
    "Sweep",
    "Tasks",
    "UnsupportedError",
    "VtkDef",
    "VtkPart",
    "WarmStart",
    "World",
    "body_defs",
    "clump_of_mesh",
    "decompose",
    "joint_defs",
    "library_path",
    "load_mjcf",
    "load_urdf",
    "raw",
    "version",
]


def version() -> str:
    """The version of the library that was opened."""
    return raw.library.dry_version_string().decode()
