"""The interface of the library, as `drystone.h` declares it, for ctypes and numpy.

Generated from bindings/drystone.json by bindings/generate/python.py: do not edit.

`library` has every function of the header under its own name. Types of arguments are checked by ctypes, their number by
mypy. Structures refuse members that they do not have and numbers that do not fit; members that are arrays read as
views of the structure.
"""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_char, c_char_p, c_double, c_int, c_int32, c_size_t
from ctypes import c_uint8, c_uint32, c_uint64, c_void_p
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from ._handles import Handle
from ._loading import load
from ._status import Status as Status
from ._structure import Structure, members

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

    from ._structure import Bits, Numbers

VERSION = "0.1.0"
"""The version of the header."""

ABI = 0
"""Its major version: libraries of another one do not fit."""


class Method(IntEnum):
    """How contacts act on bodies."""

    RIGID = 0
    """Rigid contacts: no overlap, no elasticity."""
    SPOOK = 1
    """Elastic contacts of given stiffness, with an integrator that is stable for any of them: SPOOK. Overlap carries
    the load: at rest each contact has the force of contact_law, whatever the step, and forces are unique.
    Contacts across a gap have none. Impacts faster than restitution_threshold are solved first, in a stage before
    the forces act. All contacts that touch belong to that stage: fast ones have their restitution, others have
    none. Overlap is not undone: position_projection and push_out_velocity are not used. Neither is compatibility,
    since compatible forces are those of the contacts. Bodies should overlap by a few percent at most: choose
    young_modulus or contact_stiffness by the load, not by the material alone.
    """
    THETA = 2
    """Rigid and elastic contacts in one world, with the theta method: bodies move with theta times their velocity
    after the step and 1 - theta times that before it. Contacts are elastic where the materials have a
    normal_stiffness. Their normal force is that stiffness times the overlap at the end of the step. Friction that
    sticks is a spring too, whose force is remembered and turns with the bodies. Forces are unique. The swings of
    an elastic contact that stays closed decrease by the factor (1 + theta h^2 k/m)^(-1/2) in each step. The method
    ignores restitution: a rigid contact turns back (1 - theta)/theta of its velocity. Where it sticks, this holds
    tangentially too, so at 0.5 it goes on ringing. Overlap of rigid contacts is undone as by DRY_METHOD_RIGID.
    There is no compatibility correction.
    """


class SolverKind(IntEnum):
    """How the contact problem of a step is solved, island by island.

    All stop at the tolerance and report the true residual. DRY_SOLVER_PGS with a tolerance above 0, and the others
    always, return no larger residual than that of their start.
    """

    PGS = 0
    """Projected Gauss-Seidel: sweeps over the contacts, each solved on its own. 50 sweeps where iterations is 0."""
    PGS_ACCELERATED = 1
    """The same, extrapolated from the last sweeps: up to tens of times fewer of them to a small tolerance. 50
    sweeps where iterations is 0.
    """
    NEWTON = 2
    """Proximal point and semismooth Newton steps: to round-off where sweeps stall, for islands of up to some
    thousand contacts; see newton_limit. Up to 1000 steps where iterations is 0; it ends when it can do no
    better.
    """
    APGD = 3
    """Accelerated projected gradient. It needs no factorisation. 500 steps where iterations is 0. Memory and the time
    of a step are in proportion to the contacts.
    """
    CONIC = 4
    """Interior points on the convex problem of DRY_FRICTION_ASSOCIATED, then Newton steps. It takes some 10 to 40
    steps from any start, also where masses differ much, and reaches 1e-13 of the speeds. Each step factors a
    matrix of six rows per body. Other laws of friction are refused, and so are problems without bodies. Islands
    with rows that bound other rows, or with a ball joint that has dry friction, are solved by
    DRY_SOLVER_PGS_ACCELERATED (DRY_REPORT_FALLBACK). See DRY_REPORT_INFEASIBLE.
    """


class Sweep(IntEnum):
    """The order in which a sweep visits the contacts."""

    COLORED = 0
    """In batches of contacts that share no moving body."""
    NATURAL = 1
    """One after the other: those of a world along a curve that fills space, those of the host as it lists them."""
    SYMMETRIC = 2
    """Alternately forward and backward."""
    RANDOM = 3
    """In a new order for each sweep, drawn from the seed. Another seed may give other forces of the same motion."""


class LocalSolver(IntEnum):
    """How one contact is solved within a sweep. Offered in this version: DRY_LOCAL_BLOCK."""

    BLOCK = 0
    """Normal and friction together, exactly."""
    ROWS = 1
    """Row by row, each clamped. Not offered yet."""


class WarmStart(IntEnum):
    """Where the impulses of a step start."""

    OFF = 0
    """From zero."""
    HISTORY = 1
    """From those of the last step, applied to the velocities too."""
    MODEL = 2
    """From what the law of each contact gives at its overlap, along the normals. Of DRY_METHOD_SPOOK; own contacts have
    no such law.
    """
    NORMALS = 3
    """From the normal impulses of the last step, without friction."""
    HISTORY_NO_VELOCITY = 4
    """From those of the last step, not applied to the velocities. Only for comparison: it fails."""
    GUARDED = 5
    """From those of the last step, scaled so that the start is never worse than zero."""
    COMPATIBLE = 6
    """From the compatible forces of the last step; without a correction the same as DRY_WARM_HISTORY."""


class FrictionLaw(IntEnum):
    """The law of friction."""

    COULOMB = 0
    """Coulomb's law on the round cone: friction opposes sliding."""
    ASSOCIATED = 1
    """The convex law on the same cone: sliding lifts bodies. A sliding contact opens along the normal with friction
    times its sliding speed, and likewise by rolling and twisting at their bounds. Contacts that stick are as with
    DRY_FRICTION_COULOMB. The step is one convex programme, so its velocities are unique, but sliding of rigid
    contacts loses no energy. A contact across a gap up to contact_margin acts before it closes where friction
    times the sliding speed times the step is above the gap that is left. Contacts that stick to bodies that turn
    drift along them by the error of a step.
    """
    BOX = 2
    """Two rows across the normal, each bounded by friction times the normal impulse, as legacy solvers have them:
    along the diagonals the friction bound is sqrt(2) times as large. For a normal (x, y, z) the first row lies
    along t1 = (1 - s c x x, -s c x y, -s x). The second row lies along t2 = (-c x y, s - c y y, -y). Here s is 1
    for z >= 0 and -1 below, and c = 1 / (s + z). Rolling about t1, about t2 and twisting are bounded rows too.
    """


class Projection(IntEnum):
    """The islands for which the stick projection follows the solver. An island is a group of bodies that touch. The
    projection turns what sticks into exact constraints, so that nothing creeps: friction and rolling below their
    bounds, closed contacts, bilateral rows. Its result is used where it lowers the residual.
    """

    OFF = 0
    """None."""
    STICK = 1
    """All islands. Costs next to nothing at rest, and far more than the sweeps in large piles that still move. Choose
    it for heavy bodies on light ones, above 100 : 1: 10^4 kg rest on 1 kg.
    """
    AUTO = 2
    """Those for which it pays, so that stacks, walls and towers stand. These are islands of at most 2000 bodies whose
    residual is above that of rest, and above the tolerance. The projection takes at most a tenth of the work of
    their sweeps, and as much as these in islands of up to 64 bodies without joints. Another island that it did not
    bring to rest has to wait. Work is counted, not timed: the choice is the same on every machine.
    DRY_REPORT_PROJECTION_REJECTED is never set. Problems without bodies are solved as with DRY_PROJECTION_OFF.
    """


class Compatibility(IntEnum):
    """The elastic law that makes contact forces unique. Among all forces that move the bodies in the same way, it
    selects those that stiff elastic contacts carry. In dry_solver_solve the rows of own problems hold the
    displacements of these contacts: without compliance rigidly, else as springs, within their bounds. A row that
    rests at a bound and moves away from it, at more than closing_velocity of the report, keeps its impulse. So do
    rows that scale bounds, and rows whose bounds are scaled or exclude 0. The correction runs on the answer of the
    solver, per island, and changes neither velocities nor normal_force and friction_force. Relative stiffness: the
    two moduli of the materials in series, or the pair's own.
    """

    OFF = 0
    """No correction."""
    HOOKE = 1
    """Linear contacts."""
    HERTZ = 2
    """Hertz contacts, exponent 5/2: stiffness (4/3) E* sqrt(r*) of both materials and the radii of curvature. Two
    flat places have no radius: there it is that of the materials.
    """
    POWER = 3
    """Contacts of any exponent above 1, compatibility_exponent: 2 is linear."""


class CompatibleFriction(IntEnum):
    """How the correction treats friction. The convex and the elastic form keep friction within its bounds, and agree
    where nothing slides.
    """

    OFF = 0
    """Keeps the friction of the solver, so forces are not unique where there is friction. The report counts contacts
    where friction then exceeds its bound.
    """
    ASSOCIATED = 1
    """Corrects it in the convex form, in which sliding contacts are pressed apart."""
    ELASTIC = 2
    """Corrects it to the limit of stiff elastic contacts under a load that grows in proportion. Where the correction
    does not find that limit, the convex form holds. The report counts such islands (associated_islands).
    """
    AUTO = 3
    """DRY_COMPATIBLE_FRICTION_ASSOCIATED in islands that have friction. Elsewhere all forms give the same forces,
    and the normal ones alone are corrected.
    """


class JointSolver(IntEnum):
    """How joints are solved, and the rows without bounds of own problems."""

    SPLIT = 0
    """Bodies that joints connect are solved as one mechanism, exactly and for any number of sweeps. Contacts meet
    its true inertia: that of the arm behind the bucket. Sweeps visit its contacts, and its bounds, motors with
    bounds and friction. A mechanism with many of them is solved as by DRY_JOINTS_ROWS: where six for each of its
    bodies with contacts, and one for each of these rows, are above 128.
    """
    ROWS = 1
    """The rows of joints are swept like contacts. Faster where thousands of bodies hang together in loops; long
    chains, and light bodies between heavy ones, need many sweeps.
    """


class ContactLaw(IntEnum):
    """How the force of a compliant contact grows with its overlap delta. Of DRY_METHOD_SPOOK."""

    HERTZ = 0
    """k delta^(3/2), with k = (4/3) E* sqrt(r*) [N/m^1.5]."""
    HOOKE = 1
    """k delta, with k = E* r* [N/m]."""


class CurveContacts(IntEnum):
    """Where NURBS curves touch each other."""

    MINIMA = 0
    """Where the distance between the two has a minimum; at both ends of a stretch along which they are nearly parallel.
    """
    KNOTS = 1
    """At each sample of either curve that overlaps the other, with the normal of the other. For comparison: overlaps
    between samples are missed, and the two sets of samples make the contact twice as stiff.
    """


class BodyKind(IntEnum):
    """How a body moves."""

    STATIC = 0
    """Never."""
    KINEMATIC = 1
    """With the velocities that its host sets through dry_body_set_state; contacts and forces do not change them."""
    DYNAMIC = 2
    """By gravity, forces and contacts."""


class JointKind(IntEnum):
    """The motions that a joint locks. z is the axis of hinge, slider and cylindrical, the normal of planar, the twist
    axis of ball.

    A joint has six axes. 0, 1, 2 are the displacements of the origin of frame B along x, y, z of frame A [m]. 3, 4,
    5 are the turns of frame B about x, y, z as seen from frame A [rad]. A kind leaves some of them free; these have
    a dry_joint_axis. Where one turn is free, its full turns are counted, as long as a step makes less than half a
    turn.
    """

    BALL = 0
    """Locks the displacements. Free: 5, the twist about z, and 3, the angle between the z axes of both frames, 0 or
    above: an upper bound of axis 3 makes a cone.
    """
    HINGE = 1
    """Locks all but 5, the turn about z."""
    SLIDER = 2
    """Locks all but 2, the displacement along z."""
    FIXED = 3
    """Locks all axes."""
    DISTANCE = 4
    """Holds the distance of the origins of the frames between length_min and length_max. Free: 0, the distance."""
    UNIVERSAL = 5
    """Locks the displacements, and holds x of frame A perpendicular to y of frame B. Free: 3, the turn about x of
    frame A, and 4, that about y of frame B.
    """
    CYLINDRICAL = 6
    """Locks all but 2, the displacement along z, and 5, the turn about z."""
    PLANAR = 7
    """Locks 2, the displacement along z, and the turns about x and y. Free: 0, 1 and 5."""
    GENERAL = 8
    """Locks the axes whose mode is DRY_JOINT_MODE_LOCKED: at first all six. Where no turn is locked, the turns are
    those of a ball.
    """


class JointMode(IntEnum):
    """Whether an axis of a joint may move."""

    FREE = 0
    """Without bounds."""
    LOCKED = 1
    """Not at all, without motor and spring. Only axes of DRY_JOINT_GENERAL can be locked by their mode."""
    LIMITED = 2
    """From lower to upper."""


class JointMotor(IntEnum):
    """What the motor of an axis does, with a force from force_lower to force_upper."""

    OFF = 0
    """Nothing."""
    VELOCITY = 1
    """It brings the axis to target_velocity within a step, as far as its force allows. target_position has no effect.
    """
    POSITION = 2
    """It pulls the axis to target_position as a spring of motor_stiffness and a damper of motor_damping, which acts on
    the velocity relative to target_velocity.
    """


class JointEventType(IntEnum):
    """The kind of an event of a joint. More may be added."""

    BROKEN = 0
    """A load above a bound of its definition broke it. dry_joint_get_state still has the forces of that step."""
    LIMIT = 1
    """An axis came to a bound at which it was not before: its position reached the bound, or the bound began to carry a
    force. The two lengths of a rope or strut are bounds of axis 0. Two equal bounds hold an axis and have no events.
    """


class Kernel(IntEnum):
    """How a body or a force is spread over the space around it. w is the width of the kernel, r the distance.

    Both are not negative, and their integral over space is 1.
    """

    GAUSSIAN = 0
    """In proportion to exp(-r^2 / (2 w^2)), and 0 beyond R = 3 w."""
    LUCY = 1
    """105 / (16 pi R^3) (1 + 3 r/R) (1 - r/R)^3 with R = 2 w, and 0 beyond. Smooth at R, so that fields can be
    differentiated.
    """


class ReportFlag(IntFlag):
    """DRY_REPORT_ bits."""

    NOT_CONVERGED = 1
    """residual_max stayed above the tolerance."""
    PROJECTION_REJECTED = 2
    """in at least one island the projection was rejected."""
    COMPATIBILITY_INFEASIBLE = 4
    """the correction found loads that no contact forces carry."""
    COMPATIBILITY_NOT_CONVERGED = 8
    """the correction stopped above its tolerance, or the elastic form of friction was not found."""
    FALLBACK = 16
    """an island was larger than newton_limit, or had a ball joint with dry friction, and was solved
    by DRY_SOLVER_PGS_ACCELERATED.
    """
    COMPATIBILITY_NOT_UNIQUE = 32
    """in at least one island the compatible forces are not unique. The correction kept a part of
    the solver's forces unchanged. This part can be friction with DRY_COMPATIBLE_FRICTION_OFF, torques of rolling and
    twisting, or impulses of rows that scale bounds or whose bounds are scaled or exclude 0. It can be all forces
    where the correction found none. The flag is set too where rows without compliance follow from others. It is also
    set where the residual of the solve is so large that the forces depend on the order of sweeps by more than 1e-8 of
    the largest one.
    """
    INFEASIBLE = 64
    """in at least one island no velocities obey all contacts and joints, such as a body between
    two walls that come closer. DRY_SOLVER_CONIC detects this. So does DRY_SOLVER_NEWTON with the associated law on
    compliant contacts. The other solvers leave a residual. The answer is as near as they came.
    """


class StaticFlag(IntFlag):
    """DRY_STATIC_ bits."""

    COLLAPSE = 1
    """the loads cannot be carried. Bodies would move further than max_displacement, or for ever.
    Nearly every collapse has DRY_STATIC_NOT_CONVERGED too, since no forces balance the loads: test the bit.
    """
    NOT_CONVERGED = 2
    """the result is less exact than the tolerance requires."""
    UNBOUNDED = 4
    """of a limit load: it can grow without bound, as on a wedge that holds itself."""
    SLIDING_MECHANISM = 8
    """of a limit load: a contact slides in the mechanism. With Coulomb's law the load that is
    carried can then be lower: load_factor is its upper bound.
    """
    NOT_COULOMB = 16
    """with DRY_FRICTION_COULOMB no forces that obey Coulomb's law were found. Those of the
    associated law stand.
    """


class Lock(IntFlag):
    """DRY_LOCK_ bits."""

    X = 1
    """the body does not move along x."""
    Y = 2
    """the body does not move along y."""
    Z = 4
    """the body does not move along z."""
    ROTATION_X = 8
    """the body does not turn about x."""
    ROTATION_Y = 16
    """the body does not turn about y."""
    ROTATION_Z = 32
    """the body does not turn about z."""
    PLANAR = 28
    """the body stays in its plane z = constant: DRY_LOCK_Z, DRY_LOCK_ROTATION_X and DRY_LOCK_ROTATION_Y."""


class ContactState(IntFlag):
    """DRY_CONTACT_ bits."""

    ACTIVE = 1
    """the contact carries impulse."""
    SLIDING = 2
    """it slides, its friction on the cone. An active contact that does not slide sticks."""
    ROLLING = 4
    """it rolls and does not slide, its rolling or twisting resistance at its bound. Only where the
    materials resist rolling or twisting.
    """
    NEW = 8
    """the step before did not have it."""


class JointFlag(IntFlag):
    """DRY_JOINT_ bits."""

    COLLIDE = 1
    """the two bodies collide with each other. Without it they have no contacts."""
    AT_LOWER = 2
    """the lower bound of the axis, or the least length of a strut, carries a force."""
    AT_UPPER = 4
    """the upper bound of the axis, or the length of a rope, carries a force."""
    SATURATED = 8
    """the motor of the axis is at a bound of its force."""
    STICKING = 16
    """the axis has dry friction, which was below its bound in the last substep. Where no turn
    is locked, axes 3, 4, 5 have this flag together.
    """
    BROKEN = 32
    """a load above a bound of its definition broke the joint. It carries nothing until
    dry_joint_set_enabled switches it on again. dry_query_joint_events lists the joints that broke in the last step.
    """
    DISABLED = 64
    """dry_joint_set_enabled switched the joint off."""
    REDUNDANT = 128
    """rows of its mechanism, of whichever joints, follow from others in the last step, as where
    three hinges hold a door. The forces are the smallest ones that hold it.
    """
    UNAIMED = 256
    """its mechanism was too stiff to be aimed in the last step; see
    dry_step_report.unaimed_mechanisms.
    """


class Diagnose(IntFlag):
    """DRY_DIAGNOSE_ bits."""

    ENERGY = 1
    """the step sums up its energies, for the members of the report from elastic_energy on.
    Costs about as much as one sweep.
    """
    RESIDUALS = 2
    """the step measures its residuals by kind of row: residual_normal, residual_friction and
    residual_rolling of the report.
    """


class VtkPart(IntFlag):
    """DRY_VTK_ bits."""

    GRAINS = 1
    """spheres as points."""
    CONTACTS = 2
    """contacts as lines."""
    SURFACES = 4
    """bodies of all other shapes as polygons."""
    FIELDS = 8
    """fields on a grid of points, which must be set."""


class Material(Handle):
    """A material of a world. 0 is null: the world's default material."""

    __slots__ = ()


class Shape(Handle):
    """A shape of a world. 0 is null."""

    __slots__ = ()


class Body(Handle):
    """A body of a world. 0 is null; as a partner of a contact: the fixed world."""

    __slots__ = ()


class Joint(Handle):
    """A joint of a world. 0 is null."""

    __slots__ = ()

Task = CFUNCTYPE(None, c_void_p)
"""Work of drystone's: to be called once, with its argument, on any thread."""

TaskRun = CFUNCTYPE(c_void_p, c_void_p, Task, c_void_p)
"""Runs a task or queues it: on another thread if possible. It may also call the task at once. Returns a handle of the
task for dry_task_wait. NULL: the task was called already, or never will be; it is then not waited for.
"""

TaskWait = CFUNCTYPE(None, c_void_p, c_void_p)
"""Returns when a task has ended. It may call the task now, and may do other work of the host meanwhile. Each handle
that is not NULL is waited for once, by the thread that got it.
"""

Progress = CFUNCTYPE(c_int32, c_void_p, c_uint64, c_uint64, c_void_p)
"""Receives the progress of a run: steps_done of count steps are over. report describes the last step, and lasts
until the function returns. Its struct_size is that of the library. Returns 0 to go on, any other number to stop.
"""

IterationProgress = CFUNCTYPE(c_int32, c_void_p, c_uint64)
"""Receives the progress of a call of a solver, of a static increment or of a limit load: the number of iterations
that are over. An iteration is a sweep, a step of another method, a round of the projection or a step of the
correction; those of all islands count. Returns 0 to go on, any other number to stop.
"""


class SettingsMembers(TypedDict, total=False):
    """What a Settings can be made with; its text is there."""

    method: Method
    solver: SolverKind
    sweep: Sweep
    local_solver: LocalSolver
    warm_start: WarmStart
    friction_law: FrictionLaw
    projection: Projection
    compatibility: Compatibility
    compatible_friction: CompatibleFriction
    iterations: int
    projection_passes: int
    position_projection: bool
    sleeping: bool
    require_convergence: bool
    seed: int
    tolerance: float
    relaxation: float
    warm_start_factor: float
    theta: float
    compatibility_exponent: float
    compatibility_tolerance: float
    tangential_stiffness: float
    contact_margin: float
    push_out_velocity: float
    restitution_threshold: float
    newton_limit: int
    substeps: int
    joint_solver: JointSolver
    joint_aim: bool
    contact_law: ContactLaw
    diagnostics: Diagnose
    spook_relaxation: float
    regularisation: float


@members(
    SettingsMembers,
    method=Method,
    solver=SolverKind,
    sweep=Sweep,
    local_solver=LocalSolver,
    warm_start=WarmStart,
    friction_law=FrictionLaw,
    projection=Projection,
    compatibility=Compatibility,
    compatible_friction=CompatibleFriction,
    position_projection=bool,
    sleeping=bool,
    require_convergence=bool,
    joint_solver=JointSolver,
    joint_aim=bool,
    contact_law=ContactLaw,
    diagnostics=Diagnose,
)
class Settings(Structure):
    """How a world steps. Filled in by dry_settings_init; grows at its end.

    Every member is checked, also where the chosen method and solver do not use it. Some members are otherwise
    ignored:

    * theta: with any method other than DRY_METHOD_THETA.
    * seed: with any sweep other than DRY_SWEEP_RANDOM.
    * warm_start_factor: with DRY_WARM_OFF and DRY_WARM_GUARDED.
    * projection_passes: with DRY_PROJECTION_OFF.
    * newton_limit: with any solver other than DRY_SOLVER_NEWTON.
    * sweep and relaxation: with DRY_SOLVER_NEWTON, DRY_SOLVER_APGD and DRY_SOLVER_CONIC. The sweeps of the projection
      and of islands above newton_limit still use them.
    * compatible_friction, compatibility_tolerance and tangential_stiffness: with DRY_COMPATIBILITY_OFF.
    * compatibility_exponent: with any compatibility other than DRY_COMPATIBILITY_POWER.

    Attributes:
        method: How contacts act on bodies; own contacts bring their compliance, and do not use it. Default
            DRY_METHOD_RIGID.
        solver: How the contact problem is solved. Default DRY_SOLVER_PGS.
        sweep: In which order contacts are visited. Default DRY_SWEEP_COLORED.
        local_solver: How one contact is solved. Default DRY_LOCAL_BLOCK.
        warm_start: Where impulses start. Default DRY_WARM_HISTORY.
        friction_law: Default DRY_FRICTION_COULOMB.
        projection: The projection that follows the sweeps. Default DRY_PROJECTION_AUTO.
        compatibility: The law of the compatibility correction. Default DRY_COMPATIBILITY_OFF.
        compatible_friction: How the correction treats friction. Default DRY_COMPATIBLE_FRICTION_AUTO.
        iterations: Most sweeps per step, or steps of Newton or of gradients. 0, the default: the number that
            dry_solver_kind gives, 50 for sweeps. Usual: 10 to 200. With too few, tall piles sink and forces do not
            balance between bodies; the reported residual shows it.
        projection_passes: Of DRY_PROJECTION_STICK and DRY_PROJECTION_AUTO: most passes. Default 3; 0 is none at
            all.
        position_projection: Flag, default 1: overlap is undone by moving bodies after the step, so that it costs no
            force and no energy. A fifth of what overlaps at the end of a step is undone in it. Where two bodies
            touch at several points, up to a tenth of contact_margin is left for as long as the sweeps have not
            converged: it keeps stacks from rocking. 0: overlap is undone through the velocities, as legacy engines
            do, and reported forces contain it.
        sleeping: Flag, default 0. 1: bodies that rest fall asleep and cost nothing until something wakes them.
            Bodies that touch fall asleep together; static bodies do not connect them. They fall asleep when all
            have been slow for half a second. A body is slow if no point of it is faster than 2 % of the speed that
            gravity gives a body in a substep. In that time no force of the host may act on them, and nothing that
            moves may touch them. A body alone without weight must be at rest exactly. A sleeping body has no
            velocity. Its last step determines its contacts, its forces and those on the bodies below it, whatever
            the length of later steps. They balance its weight to that 2 %, and as well as the sweeps had converged
            by then. Only the compatible forces of bodies that are awake are corrected. What wakes a body wakes all
            that fell asleep with it, at once. A moving body that comes within contact_margin wakes it, and the same
            step solves that contact. A force or torque that is not zero, a new state, and dry_body_wake wake it
            too. So does any change of a static or kinematic body on which it rests, or that comes to lie against
            it. So does the removal of a body that it touches. Bodies of a joint fall asleep and wake together. A
            motor whose target moves keeps them awake, and any change of the joint wakes them. Another gravity,
            other settings and another pair of materials wake all bodies. Keys and the impulses to start from
            outlast sleep.
        require_convergence: Flag, default 0. 1: a step whose largest residual stays above tolerance is undone and
            returns DRY_ERR_NOT_CONVERGED; its report is written. Needs a tolerance above 0.
        seed: Of DRY_SWEEP_RANDOM. Default 0; any number.
        tolerance: The sweeps end when the largest residual over the contacts is below this [m/s]. Default 0: all
            sweeps are done; in islands of up to 64 contacts without rows they end where one only changes round-off.
            Usual: 1e-8 to 1e-4 of the speeds in play; below about 1e-15 of them round-off is in the way.
        relaxation: Factor on the change of a contact's impulse, above 0 and below 2 [-]. Default 1. Below 1 sweeps
            converge more slowly; much above 1 they swing in stiff piles, and near 2 they add energy.
        warm_start_factor: Factor on the impulses that a step starts from, 0 to 1 [-]. Default 1. With less and few
            sweeps a pile rests on forces that are steadily too small; at 1 it may jitter instead.
        theta: Of DRY_METHOD_THETA: the weight of the velocity after the step, 0.5 to 1 [-]. Default 0.5. At 1
            bodies move with it alone, and pressed bodies come to rest. At 0.5 elastic contacts with h^2 k/m far
            above 1 ring: they rebound with nearly no loss of energy.
        compatibility_exponent: Of DRY_COMPATIBILITY_POWER, above 1 [-]. Default 2.
        compatibility_tolerance: Of the correction: how well compatible forces have the resultants of the solver's,
            relative, above 0 [-]. Default 1e-10.
        tangential_stiffness: Tangential over normal stiffness of the correction, above 0 [-]. Default 2/7. Not the
            stiffness of this name in dry_material_def, which is that of the contacts of DRY_METHOD_THETA.
        contact_margin: Contacts are made up to this gap, 0 or above [m]. Default 1e-3. Choose 1 to 10 % of the
            smallest body, or the distance travelled in a step. A body that moves further in one step may overlap
            for a step. A wide margin costs contacts that carry nothing.
        push_out_velocity: Largest speed at which overlap is undone, 0 or above [m/s]. Default 1. At 0 overlap
            stays; at large values bodies that were put into each other jump apart.
        restitution_threshold: A contact approaching faster than this takes restitution, in the step in which it
            would close; 0 or above [m/s]. Default 0.01. Near 0 a resting pile rattles; above the impact speeds
            nothing rebounds.
        newton_limit: Of DRY_SOLVER_NEWTON: the largest island, counted in contacts and rows, that it solves. Larger
            ones are solved by DRY_SOLVER_PGS_ACCELERATED, and the report has the flag DRY_REPORT_FALLBACK. Default
            10000. The same holds for islands with too many couplings: the operator has more than 8 million entries,
            or its factor takes more than 4e9 multiplications by prediction. It holds also where a ball joint has
            dry friction. A solve makes as many factors as iterations allow, and none beyond 2e12 multiplications in
            all.
        substeps: The number of equal parts into which a step is divided, at most 1000. 0, the default, stands for
            1. The contacts are found once in a step; iterations are those of a part, and forces are averages over
            the step. Usual: 4 to 20 parts of a few iterations each, for chains and what moves fast.
        joint_solver: How joints are solved. Default DRY_JOINTS_SPLIT. No effect on DRY_SOLVER_NEWTON,
            DRY_SOLVER_APGD and DRY_SOLVER_CONIC, which solve joints together with contacts, and with
            DRY_FRICTION_BOX, where they are swept.
        joint_aim: Flag, default 1: the rigid rows of joints are aimed, that is, they hold at the end of the step,
            so that swinging mechanisms keep their energy. 0: they hold at its beginning, and motion along curves
            loses energy, the more the longer the step.
        contact_law: Of DRY_METHOD_SPOOK: how the force of a contact grows with its overlap. Default DRY_LAW_HERTZ.
        diagnostics: DRY_DIAGNOSE_ bits: what a step measures beyond what it needs. Default 0.
        spook_relaxation: Of DRY_METHOD_SPOOK: contacts are damped within this many substeps at least, 0 or above
            [-]. Default 2, which is stable with any step. It costs rebound once a step is near the time of a
            contact. For two grains that touch for 2.2 ms, restitution by elasticity is 0.7 at steps of 0.1 ms and
            0.3 at 0.5 ms. Below 1 the step must be below a tenth of that time: else contacts gain energy.
        regularisation: Of DRY_METHOD_SPOOK: contacts that stick creep at this speed for each newton of friction,
            and turn for each newton metre of rolling or twisting resistance, 0 or above [m/(N s)]. Default 1e-6; 0:
            they stick exactly.
    """

    __slots__ = ()
    _initialiser_ = "dry_settings_init"
    _fields_ = [
        ("struct_size", c_size_t),
        ("method", c_int),
        ("solver", c_int),
        ("sweep", c_int),
        ("local_solver", c_int),
        ("warm_start", c_int),
        ("friction_law", c_int),
        ("projection", c_int),
        ("compatibility", c_int),
        ("compatible_friction", c_int),
        ("iterations", c_uint32),
        ("projection_passes", c_uint32),
        ("position_projection", c_uint32),
        ("sleeping", c_uint32),
        ("require_convergence", c_uint32),
        ("seed", c_uint64),
        ("tolerance", c_double),
        ("relaxation", c_double),
        ("warm_start_factor", c_double),
        ("theta", c_double),
        ("compatibility_exponent", c_double),
        ("compatibility_tolerance", c_double),
        ("tangential_stiffness", c_double),
        ("contact_margin", c_double),
        ("push_out_velocity", c_double),
        ("restitution_threshold", c_double),
        ("newton_limit", c_uint32),
        ("substeps", c_uint32),
        ("joint_solver", c_int),
        ("joint_aim", c_uint32),
        ("contact_law", c_int),
        ("diagnostics", c_uint32),
        ("spook_relaxation", c_double),
        ("regularisation", c_double),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[SettingsMembers]) -> None: ...

        method: Method
        solver: SolverKind
        sweep: Sweep
        local_solver: LocalSolver
        warm_start: WarmStart
        friction_law: FrictionLaw
        projection: Projection
        compatibility: Compatibility
        compatible_friction: CompatibleFriction
        iterations: int
        projection_passes: int
        position_projection: bool
        sleeping: bool
        require_convergence: bool
        seed: int
        tolerance: float
        relaxation: float
        warm_start_factor: float
        theta: float
        compatibility_exponent: float
        compatibility_tolerance: float
        tangential_stiffness: float
        contact_margin: float
        push_out_velocity: float
        restitution_threshold: float
        newton_limit: int
        substeps: int
        joint_solver: JointSolver
        joint_aim: bool
        contact_law: ContactLaw
        diagnostics: Diagnose
        spook_relaxation: float
        regularisation: float


SETTINGS_DTYPE = np.dtype(
    [
        ("struct_size", "u8"),
        ("method", "i4"),
        ("solver", "i4"),
        ("sweep", "i4"),
        ("local_solver", "i4"),
        ("warm_start", "i4"),
        ("friction_law", "i4"),
        ("projection", "i4"),
        ("compatibility", "i4"),
        ("compatible_friction", "i4"),
        ("iterations", "u4"),
        ("projection_passes", "u4"),
        ("position_projection", "u4"),
        ("sleeping", "u4"),
        ("require_convergence", "u4"),
        ("seed", "u8"),
        ("tolerance", "f8"),
        ("relaxation", "f8"),
        ("warm_start_factor", "f8"),
        ("theta", "f8"),
        ("compatibility_exponent", "f8"),
        ("compatibility_tolerance", "f8"),
        ("tangential_stiffness", "f8"),
        ("contact_margin", "f8"),
        ("push_out_velocity", "f8"),
        ("restitution_threshold", "f8"),
        ("newton_limit", "u4"),
        ("substeps", "u4"),
        ("joint_solver", "i4"),
        ("joint_aim", "u4"),
        ("contact_law", "i4"),
        ("diagnostics", "u4"),
        ("spook_relaxation", "f8"),
        ("regularisation", "f8"),
    ]
)
"""Settings as an element of a numpy array."""


class TaskCallbacksMembers(TypedDict, total=False):
    """What a TaskCallbacks can be made with; its text is there."""

    user_data: Any
    run_task: Any
    wait: Any
    worker_count: int


@members(TaskCallbacksMembers)
class TaskCallbacks(Structure):
    """How a host's job system does drystone's work: a pointer to it in dry_world_def makes the steps of that world run
    on the host's threads. Zeroed by the host, which sets all members; grows at its end. Read while the world is
    made, and not kept; what user_data shows must last as long as the world.

    A step requests tasks repeatedly, up to some hundred times. Each time it requests at most worker_count - 1 of
    them. They share pieces of 5 to 50 microseconds with the thread that steps. Where many thousand contacts meet or
    part, a piece takes some hundred microseconds and more. The thread that steps works too, and then waits for each
    task. So tasks may run at the same time or one after the other, in any order. They may run before that wait,
    during it, or not at all: only the time of the step depends on it. They use little stack, never wait for each
    other and never call the host.

    The functions are called by the thread that steps, within dry_world_step, and must not throw or longjmp. A
    function that has to give up its task calls the task itself. While the world steps every other call on it is
    DRY_ERR_BUSY, at once and from any thread: a job that runs while dry_task_wait waits may use other worlds. Each
    task sets its own floating point environment and then restores that of the thread.

    Attributes:
        user_data: Handed to both functions; may be NULL.
        run_task: Not NULL.
        wait: Not NULL.
        worker_count: How many threads work at most, the one that steps included: 1 to 1024.
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("struct_size", c_size_t),
        ("user_data", c_void_p),
        ("run_task", TaskRun),
        ("wait", TaskWait),
        ("worker_count", c_uint32),
        ("reserved", c_uint32),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[TaskCallbacksMembers]) -> None: ...

        user_data: Any
        run_task: Any
        wait: Any
        worker_count: int


class WorldDefMembers(TypedDict, total=False):
    """What a WorldDef can be made with; its text is there."""

    settings: Any
    gravity: ArrayLike
    threads: int
    tasks: Any
    period: ArrayLike


@members(WorldDefMembers)
class WorldDef(Structure):
    """What a world starts with. Filled in by dry_world_def_init; grows at its end.

    Attributes:
        settings: NULL, the default: the default settings. Read during the call, not kept.
        gravity: World axes, each component up to 1e50 [m/s^2]. Default (0, 0, -9.81).
        threads: Threads that work on a step. Default 1: the calling thread alone. n: also n - 1 threads that the
            world starts, and ends when it is destroyed. 0: as many as there are cores. At most 1024. A library that
            was built without threads of its own offers only 1: DRY_ERR_UNSUPPORTED.
        tasks: The host's job system, which works on steps; threads must then be 1. NULL, the default: threads
            decides. Read during the call, not kept.
        period: Lengths of a periodic box along the world axes: 0 (the default) where an axis is open, else from
            1e-100 to 1e100 [m]. Bodies touch in their nearest images. Positions stay continuous: bodies are not
            moved back into the box, and a contact keeps its key when they cross a side. The point of a contact is
            at body_a, not at one of its images. Arms and branch vectors lead to the nearest image. dry_query_stress
            counts each image of a contact in its region. Twice the radius of a shape's bounding sphere plus the
            contact margin is at most half of each period, so that two bodies touch in one image only. The sphere is
            about the shape's origin. Adding a larger body, or setting a larger margin, is DRY_ERR_ARGUMENT. So is a
            half-space whose normal has a component along a periodic axis, or that turns. Joints do not use images.
            dry_world_set_strain_rate lets the periods grow or shrink.
    """

    __slots__ = ()
    _initialiser_ = "dry_world_def_init"
    _fields_ = [
        ("struct_size", c_size_t),
        ("settings", POINTER(Settings)),
        ("gravity", c_double * 3),
        ("threads", c_uint32),
        ("reserved", c_uint32),
        ("tasks", POINTER(TaskCallbacks)),
        ("period", c_double * 3),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[WorldDefMembers]) -> None: ...

        settings: Any

        @property
        def gravity(self) -> Numbers: ...

        @gravity.setter
        def gravity(self, value: ArrayLike) -> None: ...
        threads: int
        tasks: Any

        @property
        def period(self) -> Numbers: ...

        @period.setter
        def period(self, value: ArrayLike) -> None: ...


class StepReportMembers(TypedDict, total=False):
    """What a StepReport can be made with; its text is there."""

    flags: ReportFlag
    bodies: int
    awake_bodies: int
    islands: int
    contacts: int
    new_contacts: int
    iterations: int
    projection_passes: int
    compatibility_iterations: int
    worst_contact: int
    residual_max: float
    residual_mean: float
    solver_residual: float
    compatibility_residual: float
    max_overlap: float
    kinetic_energy: float
    potential_energy: float
    seconds_detect: float
    seconds_assemble: float
    seconds_impact: float
    seconds_solve: float
    seconds_project: float
    seconds_compatibility: float
    seconds_integrate: float
    seconds_total: float
    projected_islands: int
    rejected_islands: int
    infeasible_islands: int
    associated_islands: int
    closed_contacts: int
    contacts_beyond_friction: int
    closing_velocity: float
    joints: int
    unaimed_mechanisms: int
    worst_joint: Joint | np.uint64
    joint_residual: float
    joint_error: float
    joint_stiffness: float
    seconds_joints: float
    residual_normal: float
    residual_friction: float
    residual_rolling: float
    elastic_energy: float
    friction_loss: float
    rolling_loss: float
    impact_loss: float
    damping_loss: float
    wall_work: float
    joint_work: float
    force_work: float
    numerical_energy: float


@members(StepReportMembers, flags=ReportFlag, worst_joint=Joint)
class StepReport(Structure):
    """The report of a step. The caller zeroes it and sets struct_size before the call; grows at its end.

    The residual of a contact is how far velocities and impulses are from its laws, as a velocity: 0 where they hold.

    Attributes:
        flags: DRY_REPORT_ bits.
        bodies: Bodies of the world, or of the problem.
        awake_bodies: Bodies that moved or could have; without those that sleep.
        islands: Groups of moving bodies that touch each other; without those that sleep.
        contacts: Contacts, those that carry nothing and those of sleeping bodies included.
        new_contacts: Contacts that the step, or the call, before did not have.
        iterations: Sweeps, the most over the islands; with substeps, the sum over them.
        projection_passes: Passes of the projection, the most over the islands.
        compatibility_iterations: Newton steps of the correction, the most over the islands.
        worst_contact: Key of the contact, or of the row of a problem, with residual_max; 0 without contacts.
        residual_max: Largest residual of the velocities and impulses finally used [m/s].
        residual_mean: Its mean over the contacts [m/s].
        solver_residual: Largest residual before the projection [m/s].
        compatibility_residual: Of the correction: the error of the compatible forces in the resultants of the
            solver's forces on the bodies, as norms, over these resultants. It is the largest over the islands whose
            loads can be carried [-].
        max_overlap: Largest overlap at the start of the step [m].
        kinetic_energy: At the end of the step [J]; infinite for speeds whose square is beyond the largest number.
        potential_energy: At the end of the step, relative to the world's origin [J].
        seconds_detect: Time spent finding contacts [s].
        seconds_assemble: Time spent turning bodies and contacts into equations [s].
        seconds_impact: Time spent in the impact stage [s].
        seconds_solve: Time spent in the sweeps [s].
        seconds_project: Time spent in the projection [s].
        seconds_compatibility: Time spent in the correction [s].
        seconds_integrate: Time spent moving bodies, and undoing overlap [s].
        seconds_total: Time of the whole step [s].
        projected_islands: Islands in which sticking contacts were made exact constraints.
        rejected_islands: Islands in which that did not lower the residual, and which were left as the sweeps had
            them.
        infeasible_islands: Islands whose loads no contact forces carry; their compatible forces are those of the
            solver.
        associated_islands: Of DRY_COMPATIBLE_FRICTION_ELASTIC: islands in which it did not converge, and that of
            DRY_COMPATIBLE_FRICTION_ASSOCIATED stands.
        closed_contacts: Contacts that the correction took for closed: those that carry impulse, or do not open.
        contacts_beyond_friction: Those of them whose friction is above its bound of the compatible normal force.
            With DRY_COMPATIBLE_FRICTION_OFF friction is unchanged.
        closing_velocity: Contacts that open more slowly than this counted as closed [m/s].
        joints: Joints of the world, those that are off or broken included.
        unaimed_mechanisms: Mechanisms whose joints were not aimed at the end of the step, as their links turn too
            fast under their load. They stay whole, and fast swings lose energy. The number is the largest over the
            substeps. More substeps avoid this loss.
        worst_joint: Joint with joint_residual; 0 without joints.
        joint_residual: Largest residual of a row of a joint [m/s]. Rows of turns count at the distance at which a
            torque counts as a force.
        joint_error: Largest distance that joints are apart along what they lock, at the end of the step [m].
        joint_stiffness: Length of a substep times the largest angular frequency at which a mechanism swings under
            its own forces; an upper bound where it is small [-]. Above 1.7 joints are not aimed; as many times more
            substeps are needed.
        seconds_joints: Time spent on mechanisms outside of the sweeps; it is a part of seconds_assemble and
            seconds_integrate [s].
        residual_normal: With DRY_DIAGNOSE_RESIDUALS, of the last substep: mean residual of the contacts along their
            normals, each part of a contact measured with the others as they are [m/s].
        residual_friction: Likewise, of friction [m/s].
        residual_rolling: Likewise, of rolling and twisting, at the distance where a torque counts as a force [m/s].
        elastic_energy: With DRY_DIAGNOSE_ENERGY: elastic energy of the contacts of bodies that are awake, at the
            end of the step [J]. Over a step, kinetic_energy, potential_energy and elastic_energy of bodies that
            stay awake gain wall_work, joint_work, force_work and numerical_energy, and lose the four losses. This
            balance is exact to round-off. An entry can be infinite or no number where the square of a speed is.
        friction_loss: Lost by sliding in the step, and by coming to stick [J].
        rolling_loss: Lost by rolling and twisting resistance [J].
        impact_loss: Lost along the normals by DRY_METHOD_RIGID; with DRY_METHOD_SPOOK all that the impact stage
            took [J].
        damping_loss: Lost in the damping of contacts and of bodies [J].
        wall_work: Done through contacts by kinematic bodies, by surfaces that move over their bodies, and by the
            images of a strained box [J].
        joint_work: Done by joints on the bodies that they move: motors, springs, limits and friction [J].
        force_work: Done by the forces and torques of the host; gravity is in potential_energy [J].
        numerical_energy: Energy that the integrator added [J]. It comes from the position pass, the fall within a
            step, and contacts that came or went while they overlapped. It also comes from the part of elastic
            forces that makes them stable.
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("bodies", c_uint32),
        ("awake_bodies", c_uint32),
        ("islands", c_uint32),
        ("contacts", c_uint32),
        ("new_contacts", c_uint32),
        ("iterations", c_uint32),
        ("projection_passes", c_uint32),
        ("compatibility_iterations", c_uint32),
        ("reserved", c_uint32),
        ("worst_contact", c_uint64),
        ("residual_max", c_double),
        ("residual_mean", c_double),
        ("solver_residual", c_double),
        ("compatibility_residual", c_double),
        ("max_overlap", c_double),
        ("kinetic_energy", c_double),
        ("potential_energy", c_double),
        ("seconds_detect", c_double),
        ("seconds_assemble", c_double),
        ("seconds_impact", c_double),
        ("seconds_solve", c_double),
        ("seconds_project", c_double),
        ("seconds_compatibility", c_double),
        ("seconds_integrate", c_double),
        ("seconds_total", c_double),
        ("projected_islands", c_uint32),
        ("rejected_islands", c_uint32),
        ("infeasible_islands", c_uint32),
        ("associated_islands", c_uint32),
        ("closed_contacts", c_uint32),
        ("contacts_beyond_friction", c_uint32),
        ("closing_velocity", c_double),
        ("joints", c_uint32),
        ("unaimed_mechanisms", c_uint32),
        ("worst_joint", c_uint64),
        ("joint_residual", c_double),
        ("joint_error", c_double),
        ("joint_stiffness", c_double),
        ("seconds_joints", c_double),
        ("residual_normal", c_double),
        ("residual_friction", c_double),
        ("residual_rolling", c_double),
        ("elastic_energy", c_double),
        ("friction_loss", c_double),
        ("rolling_loss", c_double),
        ("impact_loss", c_double),
        ("damping_loss", c_double),
        ("wall_work", c_double),
        ("joint_work", c_double),
        ("force_work", c_double),
        ("numerical_energy", c_double),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[StepReportMembers]) -> None: ...

        flags: ReportFlag
        bodies: int
        awake_bodies: int
        islands: int
        contacts: int
        new_contacts: int
        iterations: int
        projection_passes: int
        compatibility_iterations: int
        worst_contact: int
        residual_max: float
        residual_mean: float
        solver_residual: float
        compatibility_residual: float
        max_overlap: float
        kinetic_energy: float
        potential_energy: float
        seconds_detect: float
        seconds_assemble: float
        seconds_impact: float
        seconds_solve: float
        seconds_project: float
        seconds_compatibility: float
        seconds_integrate: float
        seconds_total: float
        projected_islands: int
        rejected_islands: int
        infeasible_islands: int
        associated_islands: int
        closed_contacts: int
        contacts_beyond_friction: int
        closing_velocity: float
        joints: int
        unaimed_mechanisms: int

        @property
        def worst_joint(self) -> Joint: ...

        @worst_joint.setter
        def worst_joint(self, value: Joint | np.uint64) -> None: ...
        joint_residual: float
        joint_error: float
        joint_stiffness: float
        seconds_joints: float
        residual_normal: float
        residual_friction: float
        residual_rolling: float
        elastic_energy: float
        friction_loss: float
        rolling_loss: float
        impact_loss: float
        damping_loss: float
        wall_work: float
        joint_work: float
        force_work: float
        numerical_energy: float


STEP_REPORT_DTYPE = np.dtype(
    [
        ("struct_size", "u8"),
        ("flags", "u4"),
        ("bodies", "u4"),
        ("awake_bodies", "u4"),
        ("islands", "u4"),
        ("contacts", "u4"),
        ("new_contacts", "u4"),
        ("iterations", "u4"),
        ("projection_passes", "u4"),
        ("compatibility_iterations", "u4"),
        ("reserved", "u4"),
        ("worst_contact", "u8"),
        ("residual_max", "f8"),
        ("residual_mean", "f8"),
        ("solver_residual", "f8"),
        ("compatibility_residual", "f8"),
        ("max_overlap", "f8"),
        ("kinetic_energy", "f8"),
        ("potential_energy", "f8"),
        ("seconds_detect", "f8"),
        ("seconds_assemble", "f8"),
        ("seconds_impact", "f8"),
        ("seconds_solve", "f8"),
        ("seconds_project", "f8"),
        ("seconds_compatibility", "f8"),
        ("seconds_integrate", "f8"),
        ("seconds_total", "f8"),
        ("projected_islands", "u4"),
        ("rejected_islands", "u4"),
        ("infeasible_islands", "u4"),
        ("associated_islands", "u4"),
        ("closed_contacts", "u4"),
        ("contacts_beyond_friction", "u4"),
        ("closing_velocity", "f8"),
        ("joints", "u4"),
        ("unaimed_mechanisms", "u4"),
        ("worst_joint", "u8"),
        ("joint_residual", "f8"),
        ("joint_error", "f8"),
        ("joint_stiffness", "f8"),
        ("seconds_joints", "f8"),
        ("residual_normal", "f8"),
        ("residual_friction", "f8"),
        ("residual_rolling", "f8"),
        ("elastic_energy", "f8"),
        ("friction_loss", "f8"),
        ("rolling_loss", "f8"),
        ("impact_loss", "f8"),
        ("damping_loss", "f8"),
        ("wall_work", "f8"),
        ("joint_work", "f8"),
        ("force_work", "f8"),
        ("numerical_energy", "f8"),
    ]
)
"""StepReport as an element of a numpy array."""


class RunProgressMembers(TypedDict, total=False):
    """What a RunProgress can be made with; its text is there."""

    user_data: Any
    progress: Any
    every: int


@members(RunProgressMembers)
class RunProgress(Structure):
    """The function that a run calls between its steps. The host zeroes it and sets the members that it needs; grows at
    its end.

    Attributes:
        user_data: Passed to the function; may be NULL.
        progress: Not NULL. It runs on the calling thread and must not throw or longjmp. Within it every call on the
            same world is DRY_ERR_BUSY, also those that only read; other worlds may be used. It must not wait for a
            thread that uses the world.
        every: The number of steps between two calls of the function; 0 counts as 1. It is also called after the
            last step.
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("struct_size", c_size_t),
        ("user_data", c_void_p),
        ("progress", Progress),
        ("every", c_uint64),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[RunProgressMembers]) -> None: ...

        user_data: Any
        progress: Any
        every: int


class StaticDefMembers(TypedDict, total=False):
    """What a StaticDef can be made with; its text is there."""

    increment: float
    max_displacement: float
    tolerance: float
    proximal: float
    iterations: int
    user_data: Any
    progress: Any
    every: int


@members(StaticDefMembers)
class StaticDef(Structure):
    """How a static problem is solved. Filled in by dry_static_def_init; grows at its end.

    Attributes:
        increment: Time by which kinematic bodies, surfaces that move and velocity motors move with their
            velocities; up to 1e50 of either sign [s]. Default 1.
        max_displacement: A body that would move further is DRY_STATIC_COLLAPSE; turns count at half the mean size
            of what moves [m]. Default 0: a tenth of that size.
        tolerance: Largest force that may be missing on a body, in units of the largest load of a body; above 0 [-].
            Of a limit load also the gap up to which a contact touches, in units of the mean size of what moves.
            Default 1e-10. Whatever it is, contacts obey their laws to 1e-9 of that load, and rigid ones with a
            force are closed to 1e-9 of that size.
        proximal: Weight of the term that holds what no contact holds near its place; above 0 [-]. It does not
            change the answer of what is held. Default 1e-3.
        iterations: How often that term is moved to where bodies are by then, at most; at least 1. Default 20.
        user_data: Passed to progress; may be NULL.
        progress: The function that the call runs between its iterations, or NULL, the default. It runs on the
            calling thread and must not throw or longjmp. Within it every call on the same world is DRY_ERR_BUSY,
            also those that only read; other worlds may be used. It must not wait for a thread that uses the world.
        every: The number of iterations between two calls of the function; 0 counts as 1. Default 1.
    """

    __slots__ = ()
    _initialiser_ = "dry_static_def_init"
    _fields_ = [
        ("struct_size", c_size_t),
        ("increment", c_double),
        ("max_displacement", c_double),
        ("tolerance", c_double),
        ("proximal", c_double),
        ("iterations", c_uint32),
        ("reserved", c_uint32),
        ("user_data", c_void_p),
        ("progress", IterationProgress),
        ("every", c_uint64),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[StaticDefMembers]) -> None: ...

        increment: float
        max_displacement: float
        tolerance: float
        proximal: float
        iterations: int
        user_data: Any
        progress: Any
        every: int


class StaticReportMembers(TypedDict, total=False):
    """What a StaticReport can be made with; its text is there."""

    flags: StaticFlag
    iterations: int
    unbalanced: float
    displacement_max: float
    elastic_energy: float
    load_factor: float


@members(StaticReportMembers, flags=StaticFlag)
class StaticReport(Structure):
    """The result of a static increment or of a limit load. The caller zeroes it and sets struct_size before the call;
    grows at its end.

    Attributes:
        flags: DRY_STATIC_ bits.
        iterations: Systems of equations that were solved.
        unbalanced: Largest force missing on a body; a torque counts at half the mean size of what moves [N].
        displacement_max: Largest move of a body, turns as in dry_static_def.max_displacement; 0 of a limit load
            [m].
        elastic_energy: Elastic energy of the contacts; 0 of a limit load [J].
        load_factor: Of a limit load: the largest factor of the unit loads; 0 of an increment [-].
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("iterations", c_uint32),
        ("unbalanced", c_double),
        ("displacement_max", c_double),
        ("elastic_energy", c_double),
        ("load_factor", c_double),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[StaticReportMembers]) -> None: ...

        flags: StaticFlag
        iterations: int
        unbalanced: float
        displacement_max: float
        elastic_energy: float
        load_factor: float


STATIC_REPORT_DTYPE = np.dtype(
    [
        ("struct_size", "u8"),
        ("flags", "u4"),
        ("iterations", "u4"),
        ("unbalanced", "f8"),
        ("displacement_max", "f8"),
        ("elastic_energy", "f8"),
        ("load_factor", "f8"),
    ]
)
"""StaticReport as an element of a numpy array."""


class MaterialDefMembers(TypedDict, total=False):
    """What a MaterialDef can be made with; its text is there."""

    friction: float
    rolling_friction: float
    twisting_friction: float
    restitution: float
    young_modulus: float
    poisson_ratio: float
    density: float
    user_data: int
    contact_damping: float
    normal_stiffness: float
    tangential_stiffness: float


@members(MaterialDefMembers)
class MaterialDef(Structure):
    """A material of bodies. Filled in by dry_material_def_init; grows at its end.

    Between two materials friction, rolling and twisting friction are the geometric mean, and restitution is the
    larger one. dry_material_pair_set can set other values.

    Attributes:
        friction: Coulomb's coefficient, 0 or above [-]. Default 0.5.
        rolling_friction: Coefficient of rolling resistance, 0 or above [-]. The torque against rolling is at most
            rolling_friction times r* times the normal force. Here r* = r_a r_b / (r_a + r_b), from the radii of
            curvature of the two shapes where they touch. Spheres, capsules and cylinders on their side have such a
            radius. All other places are flat, and the radius of the other shape alone counts. Two flat places do
            not resist rolling. Default 0.
        twisting_friction: Coefficient of twisting resistance, 0 or above [-]: the same for the torque about the
            normal, against spinning on the spot. Two flat places resist that by friction at their contact points
            alone. Default 0.
        restitution: Speed of rebound over speed of impact, 0 to 1 [-]. Default 0. See restitution_threshold of
            dry_settings. With friction this law can create energy (Kane's paradox). If the contacts of an island
            would do work in sum, the restitution of the whole island is scaled down in that step until they do
            none. The step is then solved several times. In a step with a rebound, contacts of the island across a
            gap take restitution too. An impact that passes through gaps within contact_margin then keeps its energy
            with restitution 1. With DRY_METHOD_SPOOK it is the rebound in the impact stage. The elasticity of
            contacts adds to it, but spook_relaxation 2 of dry_settings leaves little of that once a step is near
            the time of a contact.
        young_modulus: Above 0 [Pa]. With DRY_METHOD_SPOOK it gives contacts their stiffness; else only ratios
            between materials matter, and only to the compatibility correction. Default 1e9.
        poisson_ratio: Above -1 and at most 0.5 [-]. Default 0.25.
        density: Of bodies whose mass comes from their shape, above 0 [kg/m^3]. Default 1000.
        user_data: The caller's own; drystone does not use it.
        contact_damping: Of DRY_METHOD_SPOOK: the time c of the viscous part of a contact, 0 or above [s]. A Hertz
            contact carries k (delta^(3/2) + c sqrt(delta) d(delta)/dt), by Hooke k (delta + c d(delta)/dt). Of two
            materials the larger c holds. In short steps two grains of reduced mass m that meet at the speed v
            rebound by 1 - 1.153 c (k/m)^(2/5) v^(1/5) of it. Once a step is near the time of a contact,
            spook_relaxation 2 of dry_settings removes most of the rebound, also with c = 0. Two grains that touch
            for 2.2 ms then keep 0.7 of their speed at steps of 0.1 ms, and 0.3 at 0.5 ms. Default 0.
        normal_stiffness: Of DRY_METHOD_THETA: the stiffness of each contact point along its normal, 0 or above
            [N/m]. Default 0: rigid. Of two materials the compliances add up. Two faces that touch at four points
            are four times as stiff. Bodies should move by less than contact_margin in a step: a contact that is
            found late begins with the energy of its overlap.
        tangential_stiffness: The same across the normal, for friction that sticks [N/m]. Default 0: two thirds of
            normal_stiffness. Above 0 only if that is. Not the member of dry_settings of this name, which is a ratio
            of the compatibility correction.
    """

    __slots__ = ()
    _initialiser_ = "dry_material_def_init"
    _fields_ = [
        ("struct_size", c_size_t),
        ("friction", c_double),
        ("rolling_friction", c_double),
        ("twisting_friction", c_double),
        ("restitution", c_double),
        ("young_modulus", c_double),
        ("poisson_ratio", c_double),
        ("density", c_double),
        ("user_data", c_uint64),
        ("contact_damping", c_double),
        ("normal_stiffness", c_double),
        ("tangential_stiffness", c_double),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[MaterialDefMembers]) -> None: ...

        friction: float
        rolling_friction: float
        twisting_friction: float
        restitution: float
        young_modulus: float
        poisson_ratio: float
        density: float
        user_data: int
        contact_damping: float
        normal_stiffness: float
        tangential_stiffness: float


MATERIAL_DEF_DTYPE = np.dtype(
    [
        ("struct_size", "u8"),
        ("friction", "f8"),
        ("rolling_friction", "f8"),
        ("twisting_friction", "f8"),
        ("restitution", "f8"),
        ("young_modulus", "f8"),
        ("poisson_ratio", "f8"),
        ("density", "f8"),
        ("user_data", "u8"),
        ("contact_damping", "f8"),
        ("normal_stiffness", "f8"),
        ("tangential_stiffness", "f8"),
    ]
)
"""MaterialDef as an element of a numpy array."""


class PairDefMembers(TypedDict, total=False):
    """What a PairDef can be made with; its text is there."""

    friction: float
    rolling_friction: float
    twisting_friction: float
    restitution: float
    stiffness: float
    contact_stiffness: float
    contact_damping: float
    normal_stiffness: float
    tangential_stiffness: float


@members(PairDefMembers)
class PairDef(Structure):
    """The values for a pair of materials, in place of the mixing rules. Filled in by dry_pair_def_init; grows at its
    end.

    Attributes:
        friction: Coulomb's coefficient, 0 or above [-]. Default 0.5.
        rolling_friction: As in dry_material_def [-]. Default 0.
        twisting_friction: As in dry_material_def [-]. Default 0.
        restitution: Speed of rebound over speed of impact, 0 to 1 [-]. Default 0.
        stiffness: Of the compatibility correction, relative to other pairs, 0 or above. Default 0: from the moduli.
        contact_stiffness: Of DRY_METHOD_SPOOK: the stiffness k of each contact, 0 or above [N/m^1.5 with
            DRY_LAW_HERTZ, N/m with DRY_LAW_HOOKE]. Default 0: from the moduli and the radii; two flat places, which
            have no radius, take the radius of the bounding sphere of the smaller body for it.
        contact_damping: As in dry_material_def [s]. Default 0.
        normal_stiffness: As in dry_material_def [N/m]. Default 0: from the materials. INFINITY: rigid.
        tangential_stiffness: As in dry_material_def [N/m]. Default 0: two thirds of normal_stiffness where that is
            above 0, else from the materials. INFINITY: rigid.
    """

    __slots__ = ()
    _initialiser_ = "dry_pair_def_init"
    _fields_ = [
        ("struct_size", c_size_t),
        ("friction", c_double),
        ("rolling_friction", c_double),
        ("twisting_friction", c_double),
        ("restitution", c_double),
        ("stiffness", c_double),
        ("contact_stiffness", c_double),
        ("contact_damping", c_double),
        ("normal_stiffness", c_double),
        ("tangential_stiffness", c_double),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[PairDefMembers]) -> None: ...

        friction: float
        rolling_friction: float
        twisting_friction: float
        restitution: float
        stiffness: float
        contact_stiffness: float
        contact_damping: float
        normal_stiffness: float
        tangential_stiffness: float


PAIR_DEF_DTYPE = np.dtype(
    [
        ("struct_size", "u8"),
        ("friction", "f8"),
        ("rolling_friction", "f8"),
        ("twisting_friction", "f8"),
        ("restitution", "f8"),
        ("stiffness", "f8"),
        ("contact_stiffness", "f8"),
        ("contact_damping", "f8"),
        ("normal_stiffness", "f8"),
        ("tangential_stiffness", "f8"),
    ]
)
"""PairDef as an element of a numpy array."""


class ClumpPartMembers(TypedDict, total=False):
    """What a ClumpPart can be made with; its text is there."""

    shape: Shape | np.uint64
    position: ArrayLike
    rotation: ArrayLike
    density_factor: float


@members(ClumpPartMembers, shape=Shape)
class ClumpPart(Structure):
    """A part of a clump. Filled in by dry_clump_part_init; grows at its end.

    Attributes:
        shape: A sphere, box, capsule, cylinder or hull of the world. The clump has a copy: the shape may be removed
            afterwards. No default: it must be set.
        position: Of the shape's origin, axes of the clump [m]. Default 0.
        rotation: Quaternion (x, y, z, w) from the shape's axes to those of the clump, its length 1 within 1e-6 [-].
            Default (0, 0, 0, 1).
        density_factor: Factor on the density of the body, 1e-20 to 1e20 [-]. Default 1.
    """

    __slots__ = ()
    _initialiser_ = "dry_clump_part_init"
    _fields_ = [
        ("struct_size", c_size_t),
        ("shape", c_uint64),
        ("position", c_double * 3),
        ("rotation", c_double * 4),
        ("density_factor", c_double),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[ClumpPartMembers]) -> None: ...


        @property
        def shape(self) -> Shape: ...

        @shape.setter
        def shape(self, value: Shape | np.uint64) -> None: ...

        @property
        def position(self) -> Numbers: ...

        @position.setter
        def position(self, value: ArrayLike) -> None: ...

        @property
        def rotation(self) -> Numbers: ...

        @rotation.setter
        def rotation(self, value: ArrayLike) -> None: ...
        density_factor: float


CLUMP_PART_DTYPE = np.dtype(
    [
        ("struct_size", "u8"),
        ("shape", "u8"),
        ("position", "f8", (3,)),
        ("rotation", "f8", (4,)),
        ("density_factor", "f8"),
    ]
)
"""ClumpPart as an element of a numpy array."""


class NurbsCurveDefMembers(TypedDict, total=False):
    """What a NurbsCurveDef can be made with; its text is there."""

    degree: int
    periodic: int
    points_xy: Any
    weights_or_null: Any
    knots: Any
    point_count: int
    knot_count: int
    half_depth: float
    contacts: CurveContacts
    samples_per_span: int


@members(NurbsCurveDefMembers, contacts=CurveContacts)
class NurbsCurveDef(Structure):
    """A closed NURBS curve in the x-y plane of a body, and the prism along z over it. Filled in by
    dry_nurbs_curve_def_init; grows at its end.

    A curve that runs counterclockwise is solid inside. One that runs clockwise is a hole, solid outside near its edge,
    for static and kinematic bodies alone. The curve must be simple: it neither crosses nor touches itself, nor has it a
    cusp or an angle below a millionth of a radian; else DRY_ERR_ARGUMENT. Corners are allowed.

    Attributes:
        degree: 1 to 5. Default 3. A curve of degree 1 is the polygon of its points.
        periodic: 1: periodic. Point i acts from knot i to knot i + degree + 1, knots and points go on beyond their
            ends with the period. 0: clamped. The first knot and the last one stand degree + 1 times, and the last
            point is the first one. Default 1.
        points_xy: 2 * point_count numbers, x y of each control point, body axes [m]; read during the call. At least
            3 points of a periodic curve; of a clamped one degree + 1, and 4. No default.
        weights_or_null: point_count numbers above 0, of which the largest is at most 1e8 times the smallest; NULL:
            all 1. Read during the call. Default NULL [-].
        knots: knot_count numbers in ascending order, of which some may be equal; read during the call. Knots are
            the same or differ by 1e-10 of their range. The same knot stands at most degree times, except at the
            ends of a clamped curve. No default [-].
        point_count: No default.
        knot_count: point_count + 1 of a periodic curve, point_count + degree + 1 of a clamped one. No default.
        half_depth: Half the length of the prism along z, above 0 [m]. Default 0.5.
        contacts: A dry_curve_contacts. Two curves touch at their knots if both have DRY_CURVE_KNOTS. Default
            DRY_CURVE_MINIMA.
        samples_per_span: Of the search for contacts, 1 to 64. Default 4.
    """

    __slots__ = ()
    _initialiser_ = "dry_nurbs_curve_def_init"
    _fields_ = [
        ("struct_size", c_size_t),
        ("degree", c_uint32),
        ("periodic", c_uint32),
        ("points_xy", POINTER(c_double)),
        ("weights_or_null", POINTER(c_double)),
        ("knots", POINTER(c_double)),
        ("point_count", c_size_t),
        ("knot_count", c_size_t),
        ("half_depth", c_double),
        ("contacts", c_int),
        ("samples_per_span", c_uint32),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[NurbsCurveDefMembers]) -> None: ...

        degree: int
        periodic: int
        points_xy: Any
        weights_or_null: Any
        knots: Any
        point_count: int
        knot_count: int
        half_depth: float
        contacts: CurveContacts
        samples_per_span: int


class BodyDefMembers(TypedDict, total=False):
    """What a BodyDef can be made with; its text is there."""

    kind: BodyKind
    lock: Lock
    shape: Shape | np.uint64
    material: Material | np.uint64
    position: ArrayLike
    rotation: ArrayLike
    linear_velocity: ArrayLike
    angular_velocity: ArrayLike
    mass: float
    center_of_mass: ArrayLike
    inertia: ArrayLike
    gravity_scale: float
    linear_damping: float
    angular_damping: float
    filter_category: int
    filter_mask: int
    filter_group: int
    user_data: int


@members(BodyDefMembers, kind=BodyKind, lock=Lock, shape=Shape, material=Material)
class BodyDef(Structure):
    """A body before it exists. Filled in by dry_body_def_init; grows at its end.

    Attributes:
        kind: Default DRY_DYNAMIC.
        lock: DRY_LOCK_ bits, world axes. Default 0. A locked component of a velocity is zero. A contact whose
            normal is a locked direction carries no force, whatever pushes along it.
        shape: A shape of the world. No default: it must be set.
        material: A material of the world. Default 0: the default material.
        position: Of the shape's origin, world axes [m]. Default 0.
        rotation: Quaternion (x, y, z, w) from body to world axes, the real part w last, its length 1 within 1e-6
            [-]. Not (w, x, y, z): a quaternion in that order has length 1 too and is accepted. Default (0, 0, 0,
            1).
        linear_velocity: Of the centre of mass, world axes [m/s]. Default 0.
        angular_velocity: World axes [rad/s]. Default 0.
        mass: 0, or 1e-100 to 1e100 [kg]. Default 0: from shape and density. A mass of 0 does not hold a body in
            place: kind DRY_STATIC does.
        center_of_mass: Body axes, from the shape's origin; used when mass > 0 [m]. Default 0.
        inertia: About the centre of mass, body axes: xx yy zz xy yz xz; used when mass > 0 [kg m^2]. It must be
            positive definite. No principal moment may exceed the sum of the other two by more than 1e-6 of the
            largest. Default all 0: from the shape, scaled to mass.
        gravity_scale: Factor on the world's gravity [-]. Default 1.
        linear_damping: Rate at which the linear velocity decays, 0 or above [1/s]. Default 0.
        angular_damping: Rate at which the angular velocity decays, 0 or above [1/s]. Default 0.
        filter_category: Bits of the groups it is in. Default 1. Two bodies collide if each one's mask has a bit of
            the other's category.
        filter_mask: Bits of the groups it collides with. Default all.
        filter_group: Two bodies of one group other than 0 always collide if it is positive, never if it is
            negative. Default 0.
        user_data: The caller's own; see dry_body_get_user_data. Default 0.
    """

    __slots__ = ()
    _initialiser_ = "dry_body_def_init"
    _fields_ = [
        ("struct_size", c_size_t),
        ("kind", c_int),
        ("lock", c_uint32),
        ("shape", c_uint64),
        ("material", c_uint64),
        ("position", c_double * 3),
        ("rotation", c_double * 4),
        ("linear_velocity", c_double * 3),
        ("angular_velocity", c_double * 3),
        ("mass", c_double),
        ("center_of_mass", c_double * 3),
        ("inertia", c_double * 6),
        ("gravity_scale", c_double),
        ("linear_damping", c_double),
        ("angular_damping", c_double),
        ("filter_category", c_uint32),
        ("filter_mask", c_uint32),
        ("filter_group", c_int32),
        ("reserved", c_uint32),
        ("user_data", c_uint64),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[BodyDefMembers]) -> None: ...

        kind: BodyKind
        lock: Lock

        @property
        def shape(self) -> Shape: ...

        @shape.setter
        def shape(self, value: Shape | np.uint64) -> None: ...

        @property
        def material(self) -> Material: ...

        @material.setter
        def material(self, value: Material | np.uint64) -> None: ...

        @property
        def position(self) -> Numbers: ...

        @position.setter
        def position(self, value: ArrayLike) -> None: ...

        @property
        def rotation(self) -> Numbers: ...

        @rotation.setter
        def rotation(self, value: ArrayLike) -> None: ...

        @property
        def linear_velocity(self) -> Numbers: ...

        @linear_velocity.setter
        def linear_velocity(self, value: ArrayLike) -> None: ...

        @property
        def angular_velocity(self) -> Numbers: ...

        @angular_velocity.setter
        def angular_velocity(self, value: ArrayLike) -> None: ...
        mass: float

        @property
        def center_of_mass(self) -> Numbers: ...

        @center_of_mass.setter
        def center_of_mass(self, value: ArrayLike) -> None: ...

        @property
        def inertia(self) -> Numbers: ...

        @inertia.setter
        def inertia(self, value: ArrayLike) -> None: ...
        gravity_scale: float
        linear_damping: float
        angular_damping: float
        filter_category: int
        filter_mask: int
        filter_group: int
        user_data: int


BODY_DEF_DTYPE = np.dtype(
    [
        ("struct_size", "u8"),
        ("kind", "i4"),
        ("lock", "u4"),
        ("shape", "u8"),
        ("material", "u8"),
        ("position", "f8", (3,)),
        ("rotation", "f8", (4,)),
        ("linear_velocity", "f8", (3,)),
        ("angular_velocity", "f8", (3,)),
        ("mass", "f8"),
        ("center_of_mass", "f8", (3,)),
        ("inertia", "f8", (6,)),
        ("gravity_scale", "f8"),
        ("linear_damping", "f8"),
        ("angular_damping", "f8"),
        ("filter_category", "u4"),
        ("filter_mask", "u4"),
        ("filter_group", "i4"),
        ("reserved", "u4"),
        ("user_data", "u8"),
    ]
)
"""BodyDef as an element of a numpy array."""


class BodyStateMembers(TypedDict, total=False):
    """What a BodyState can be made with; its text is there."""

    position: ArrayLike
    rotation: ArrayLike
    linear_velocity: ArrayLike
    angular_velocity: ArrayLike


@members(BodyStateMembers)
class BodyState(Structure):
    """Where a body is and how it moves. Frozen: it never changes.

    Attributes:
        position: Of the shape's origin, world axes [m].
        rotation: Quaternion (x, y, z, w) from body to world axes, the real part w last [-].
        linear_velocity: Of the centre of mass, world axes [m/s].
        angular_velocity: World axes [rad/s].
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("position", c_double * 3),
        ("rotation", c_double * 4),
        ("linear_velocity", c_double * 3),
        ("angular_velocity", c_double * 3),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[BodyStateMembers]) -> None: ...


        @property
        def position(self) -> Numbers: ...

        @position.setter
        def position(self, value: ArrayLike) -> None: ...

        @property
        def rotation(self) -> Numbers: ...

        @rotation.setter
        def rotation(self, value: ArrayLike) -> None: ...

        @property
        def linear_velocity(self) -> Numbers: ...

        @linear_velocity.setter
        def linear_velocity(self, value: ArrayLike) -> None: ...

        @property
        def angular_velocity(self) -> Numbers: ...

        @angular_velocity.setter
        def angular_velocity(self, value: ArrayLike) -> None: ...


BODY_STATE_DTYPE = np.dtype(
    [
        ("position", "f8", (3,)),
        ("rotation", "f8", (4,)),
        ("linear_velocity", "f8", (3,)),
        ("angular_velocity", "f8", (3,)),
    ]
)
"""BodyState as an element of a numpy array."""


class JointDefMembers(TypedDict, total=False):
    """What a JointDef can be made with; its text is there."""

    kind: JointKind
    flags: JointFlag
    body_a: Body | np.uint64
    body_b: Body | np.uint64
    point_a: ArrayLike
    rotation_a: ArrayLike
    point_b: ArrayLike
    rotation_b: ArrayLike
    length_min: float
    length_max: float
    linear_compliance: float
    angular_compliance: float
    relaxation: float
    break_force: float
    break_torque: float
    break_impulse: float
    user_data: int


@members(JointDefMembers, kind=JointKind, flags=JointFlag, body_a=Body, body_b=Body)
class JointDef(Structure):
    """A joint before it exists. Filled in by dry_joint_def_init; grows at its end. dry_joint_def_place finds its
    frames.

    A joint holds frame A, fixed in body_a, to frame B, fixed in body_b. One of the two must be dynamic; the other
    one may be the world. They must differ. The axes of a new joint have the defaults of dry_joint_axis, those of
    DRY_JOINT_GENERAL are locked; dry_joint_set_axis sets them.

    Attributes:
        kind: As given to dry_joint_def_init.
        flags: DRY_JOINT_ bits: DRY_JOINT_COLLIDE or 0. Default 0: the two bodies do not collide with each other.
        body_a: Body A. Default 0: the world, whose frame is in world axes.
        body_b: Body B. Default 0: the world. The forces of a joint are those on body B.
        point_a: The origin of frame A, from the origin of the shape of A, body axes. Where body_a is 0: from the
            world's origin, world axes. Each coordinate is up to 1e50 [m]. Default 0.
        rotation_a: Quaternion (x, y, z, w) from the axes of frame A to those of body A, its length 1 within 1e-6
            [-]. Default (0, 0, 0, 1). Locked directions of both frames must be at most 90 degrees apart.
        point_b: The origin of frame B, as point_a [m]. Default 0.
        rotation_b: Of frame B, as rotation_a [-]. Default (0, 0, 0, 1).
        length_min: Of DRY_JOINT_DISTANCE: the least distance, 0 or above [m]. Default 0. A rod has two equal
            lengths, a rope 0 and its length, a strut its length and INFINITY.
        length_max: Of DRY_JOINT_DISTANCE: the largest distance, above 0 and not below length_min [m]. Default
            INFINITY.
        linear_compliance: Compliance of the locked displacements, and of a distance, 0 or above [m/N]. Default 0:
            rigid.
        angular_compliance: Compliance of the locked turns, 0 or above [rad/(N m)]. Default 0: rigid.
        relaxation: Time in which an error of a compliant axis decays, 0 or above [s]. Default 0: two steps.
        break_force: The joint breaks where its force, the mean of a step, is above this; 0 or above [N]. Default 0:
            never.
        break_torque: The joint breaks where its torque about the origin of frame B, the mean of a step, is above
            this; 0 or above [N m]. Default 0: never.
        break_impulse: The joint breaks where its impulse in one substep is above this; 0 or above [N s]. Default 0:
            never. What breaks keeps its forces of that step, and carries nothing from the next step on.
        user_data: The caller's own; see dry_joint_get_def. Default 0.
    """

    __slots__ = ()
    _initialiser_ = "dry_joint_def_init"
    _chosen_ = ("kind",)
    _fields_ = [
        ("struct_size", c_size_t),
        ("kind", c_int),
        ("flags", c_uint32),
        ("body_a", c_uint64),
        ("body_b", c_uint64),
        ("point_a", c_double * 3),
        ("rotation_a", c_double * 4),
        ("point_b", c_double * 3),
        ("rotation_b", c_double * 4),
        ("length_min", c_double),
        ("length_max", c_double),
        ("linear_compliance", c_double),
        ("angular_compliance", c_double),
        ("relaxation", c_double),
        ("break_force", c_double),
        ("break_torque", c_double),
        ("break_impulse", c_double),
        ("user_data", c_uint64),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[JointDefMembers]) -> None: ...

        kind: JointKind
        flags: JointFlag

        @property
        def body_a(self) -> Body: ...

        @body_a.setter
        def body_a(self, value: Body | np.uint64) -> None: ...

        @property
        def body_b(self) -> Body: ...

        @body_b.setter
        def body_b(self, value: Body | np.uint64) -> None: ...

        @property
        def point_a(self) -> Numbers: ...

        @point_a.setter
        def point_a(self, value: ArrayLike) -> None: ...

        @property
        def rotation_a(self) -> Numbers: ...

        @rotation_a.setter
        def rotation_a(self, value: ArrayLike) -> None: ...

        @property
        def point_b(self) -> Numbers: ...

        @point_b.setter
        def point_b(self, value: ArrayLike) -> None: ...

        @property
        def rotation_b(self) -> Numbers: ...

        @rotation_b.setter
        def rotation_b(self, value: ArrayLike) -> None: ...
        length_min: float
        length_max: float
        linear_compliance: float
        angular_compliance: float
        relaxation: float
        break_force: float
        break_torque: float
        break_impulse: float
        user_data: int


JOINT_DEF_DTYPE = np.dtype(
    [
        ("struct_size", "u8"),
        ("kind", "i4"),
        ("flags", "u4"),
        ("body_a", "u8"),
        ("body_b", "u8"),
        ("point_a", "f8", (3,)),
        ("rotation_a", "f8", (4,)),
        ("point_b", "f8", (3,)),
        ("rotation_b", "f8", (4,)),
        ("length_min", "f8"),
        ("length_max", "f8"),
        ("linear_compliance", "f8"),
        ("angular_compliance", "f8"),
        ("relaxation", "f8"),
        ("break_force", "f8"),
        ("break_torque", "f8"),
        ("break_impulse", "f8"),
        ("user_data", "u8"),
    ]
)
"""JointDef as an element of a numpy array."""


class JointAxisMembers(TypedDict, total=False):
    """What a JointAxis can be made with; its text is there."""

    mode: JointMode
    motor: JointMotor
    lower: float
    upper: float
    limit_restitution: float
    frequency: float
    ratio: float
    stiffness: float
    damping: float
    rest: float
    target_position: float
    target_velocity: float
    motor_stiffness: float
    motor_damping: float
    force_lower: float
    force_upper: float
    friction: float
    friction_coefficient: float
    friction_radius: float
    armature: float


@members(JointAxisMembers, mode=JointMode, motor=JointMotor)
class JointAxis(Structure):
    """
    A free axis of a joint: bounds, motor, spring, dry friction, rotor. Filled in by dry_joint_axis_init; grows at its
    end.

    Where two units stand, the first one is that of displacements (axes 0 to 2), the second one that of turns (axes 3
    to 5). Forces are those on body B; they are positive where they let the position grow. A spring and a motor of
    DRY_JOINT_MOTOR_POSITION act together.

    Where no turn is locked, as in a ball, the friction of axis 5 is that of all turns together. Its bound limits the
    length of the torque, whatever its direction, and the load is the whole force of the joint. Axes 3 and 4 have no
    friction then.

    Attributes:
        mode: Default DRY_JOINT_MODE_FREE.
        motor: Default DRY_JOINT_MOTOR_OFF.
        lower: Least position of DRY_JOINT_MODE_LIMITED, below INFINITY [m] or [rad]. Default -INFINITY. Two equal
            bounds hold the axis. Of the cone of a ball: 0 or less.
        upper: Largest position of DRY_JOINT_MODE_LIMITED, not below lower [m] or [rad]. Default INFINITY. Of the
            cone of a ball: above 0.
        limit_restitution: Speed after an impact on a bound over that before, 0 to 1 [-]. Default 0.
        frequency: Natural frequency of the spring without damping, with the mass of both bodies along the axis, 0
            or above [Hz]. Default 0: stiffness and damping define the spring.
        ratio: Of a spring with a frequency: its damping as a part of the critical one, 0 or above [-]. Default 0.
        stiffness: Of the spring where frequency is 0; 0 or above [N/m] or [N m/rad]. Default 0.
        damping: Of the spring where frequency is 0, or of a damper alone; 0 or above [N s/m] or [N m s/rad].
            Default 0.
        rest: The position at which the spring has no force [m] or [rad]. Default 0.
        target_position: Of DRY_JOINT_MOTOR_POSITION [m] or [rad]. Default 0. It stays until it is set again;
            target_velocity does not change it.
        target_velocity: Of DRY_JOINT_MOTOR_VELOCITY: the velocity of the axis. Of DRY_JOINT_MOTOR_POSITION: that of
            the target [m/s] or [rad/s]. Default 0.
        motor_stiffness: Of DRY_JOINT_MOTOR_POSITION, above 0 there [N/m] or [N m/rad]. Default 0.
        motor_damping: Of DRY_JOINT_MOTOR_POSITION, 0 or above [N s/m] or [N m s/rad]. Default 0.
        force_lower: Least force of the motor on body B, below INFINITY [N] or [N m]. Default -INFINITY.
        force_upper: Largest force of the motor on body B, not below force_lower [N] or [N m]. Default INFINITY.
        friction: Dry friction without load, 0 or above [N] or [N m]. Default 0.
        friction_coefficient: Friction over the load, 0 or above [-]. Default 0. The load is the force of the joint
            across this axis of frame A in the substep before. It adds load times this to the bound of the friction;
            on turns times friction_radius.
        friction_radius: Of turns: the distance from the axis at which the load rubs, 0 or above [m]. Default 0.
            Displacements have none.
        armature: Mass or inertia of a rotor that moves with the axis and with no body, 0 or above [kg] or [kg m^2].
            Default 0.
    """

    __slots__ = ()
    _initialiser_ = "dry_joint_axis_init"
    _fields_ = [
        ("struct_size", c_size_t),
        ("mode", c_int),
        ("motor", c_int),
        ("lower", c_double),
        ("upper", c_double),
        ("limit_restitution", c_double),
        ("frequency", c_double),
        ("ratio", c_double),
        ("stiffness", c_double),
        ("damping", c_double),
        ("rest", c_double),
        ("target_position", c_double),
        ("target_velocity", c_double),
        ("motor_stiffness", c_double),
        ("motor_damping", c_double),
        ("force_lower", c_double),
        ("force_upper", c_double),
        ("friction", c_double),
        ("friction_coefficient", c_double),
        ("friction_radius", c_double),
        ("armature", c_double),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[JointAxisMembers]) -> None: ...

        mode: JointMode
        motor: JointMotor
        lower: float
        upper: float
        limit_restitution: float
        frequency: float
        ratio: float
        stiffness: float
        damping: float
        rest: float
        target_position: float
        target_velocity: float
        motor_stiffness: float
        motor_damping: float
        force_lower: float
        force_upper: float
        friction: float
        friction_coefficient: float
        friction_radius: float
        armature: float


JOINT_AXIS_DTYPE = np.dtype(
    [
        ("struct_size", "u8"),
        ("mode", "i4"),
        ("motor", "i4"),
        ("lower", "f8"),
        ("upper", "f8"),
        ("limit_restitution", "f8"),
        ("frequency", "f8"),
        ("ratio", "f8"),
        ("stiffness", "f8"),
        ("damping", "f8"),
        ("rest", "f8"),
        ("target_position", "f8"),
        ("target_velocity", "f8"),
        ("motor_stiffness", "f8"),
        ("motor_damping", "f8"),
        ("force_lower", "f8"),
        ("force_upper", "f8"),
        ("friction", "f8"),
        ("friction_coefficient", "f8"),
        ("friction_radius", "f8"),
        ("armature", "f8"),
    ]
)
"""JointAxis as an element of a numpy array."""


class JointEventMembers(TypedDict, total=False):
    """What a JointEvent can be made with; its text is there."""

    joint: Joint | np.uint64
    type: JointEventType
    axis: int


@members(JointEventMembers, joint=Joint, type=JointEventType)
class JointEvent(Structure):
    """An event of a joint in the last step. Frozen: it never changes.

    Attributes:
        joint: The joint.
        type: The kind of the event.
        axis: Of DRY_JOINT_EVENT_LIMIT: the index of the axis, 0 to 5. Else 0.
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("joint", c_uint64),
        ("type", c_int),
        ("axis", c_uint32),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[JointEventMembers]) -> None: ...


        @property
        def joint(self) -> Joint: ...

        @joint.setter
        def joint(self, value: Joint | np.uint64) -> None: ...
        type: JointEventType
        axis: int


JOINT_EVENT_DTYPE = np.dtype(
    [
        ("joint", "u8"),
        ("type", "i4"),
        ("axis", "u4"),
    ]
)
"""JointEvent as an element of a numpy array."""


class JointStateMembers(TypedDict, total=False):
    """What a JointState can be made with; its text is there."""

    position: ArrayLike
    velocity: ArrayLike
    force: ArrayLike
    torque: ArrayLike
    motor_force: ArrayLike
    limit_force: ArrayLike
    spring_force: ArrayLike
    friction_force: ArrayLike
    linear_error: float
    angular_error: float
    axis_flags: ArrayLike
    flags: JointFlag


@members(JointStateMembers, flags=JointFlag)
class JointState(Structure):
    """The position of a joint, and the forces that it carried in the last step. Grows at its end:
    sizeof(dry_joint_state) goes to dry_joint_get_state and dry_joints_get_states as a parameter.

    Forces are those on body B, averaged over the step; body A receives the opposite force. Positions and velocities
    are the present ones, and 0 for axes that the joint locks. A removed joint has no forces any more.

    Attributes:
        position: Along each axis [m] or [rad].
        velocity: Along each axis, of body B relative to body A [m/s] or [rad/s].
        force: Of the whole joint, its motors, bounds, springs and friction included, on body B, world axes [N].
        torque: Of the whole joint on body B, about the origin of frame B at the start of the step, world axes [N
            m].
        motor_force: Of the motor and the rotor of each axis [N] or [N m].
        limit_force: Of the bounds of each axis [N] or [N m].
        spring_force: Of the spring of each axis [N] or [N m].
        friction_force: Of the dry friction of each axis [N] or [N m]. Where no turn is locked, elements 3, 4, 5 are
            the parts of its torque along x, y, z of frame A.
        linear_error: Largest error of the locked displacements, or of the bounds of a distance [m].
        angular_error: Largest error of the locked turns [rad].
        axis_flags: DRY_JOINT_ bits: DRY_JOINT_AT_LOWER, AT_UPPER, SATURATED, STICKING of each axis.
        flags: DRY_JOINT_ bits: DRY_JOINT_BROKEN, DISABLED, REDUNDANT, UNAIMED.
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("position", c_double * 6),
        ("velocity", c_double * 6),
        ("force", c_double * 3),
        ("torque", c_double * 3),
        ("motor_force", c_double * 6),
        ("limit_force", c_double * 6),
        ("spring_force", c_double * 6),
        ("friction_force", c_double * 6),
        ("linear_error", c_double),
        ("angular_error", c_double),
        ("axis_flags", c_uint32 * 6),
        ("flags", c_uint32),
        ("reserved", c_uint32),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[JointStateMembers]) -> None: ...


        @property
        def position(self) -> Numbers: ...

        @position.setter
        def position(self, value: ArrayLike) -> None: ...

        @property
        def velocity(self) -> Numbers: ...

        @velocity.setter
        def velocity(self, value: ArrayLike) -> None: ...

        @property
        def force(self) -> Numbers: ...

        @force.setter
        def force(self, value: ArrayLike) -> None: ...

        @property
        def torque(self) -> Numbers: ...

        @torque.setter
        def torque(self, value: ArrayLike) -> None: ...

        @property
        def motor_force(self) -> Numbers: ...

        @motor_force.setter
        def motor_force(self, value: ArrayLike) -> None: ...

        @property
        def limit_force(self) -> Numbers: ...

        @limit_force.setter
        def limit_force(self, value: ArrayLike) -> None: ...

        @property
        def spring_force(self) -> Numbers: ...

        @spring_force.setter
        def spring_force(self, value: ArrayLike) -> None: ...

        @property
        def friction_force(self) -> Numbers: ...

        @friction_force.setter
        def friction_force(self, value: ArrayLike) -> None: ...
        linear_error: float
        angular_error: float

        @property
        def axis_flags(self) -> Bits: ...

        @axis_flags.setter
        def axis_flags(self, value: ArrayLike) -> None: ...
        flags: JointFlag


JOINT_STATE_DTYPE = np.dtype(
    [
        ("position", "f8", (6,)),
        ("velocity", "f8", (6,)),
        ("force", "f8", (3,)),
        ("torque", "f8", (3,)),
        ("motor_force", "f8", (6,)),
        ("limit_force", "f8", (6,)),
        ("spring_force", "f8", (6,)),
        ("friction_force", "f8", (6,)),
        ("linear_error", "f8"),
        ("angular_error", "f8"),
        ("axis_flags", "u4", (6,)),
        ("flags", "u4"),
        ("reserved", "u4"),
    ]
)
"""JointState as an element of a numpy array."""


class ShapePoseMembers(TypedDict, total=False):
    """What a ShapePose can be made with; its text is there."""

    shape: Shape | np.uint64
    position: ArrayLike
    rotation: ArrayLike


@members(ShapePoseMembers, shape=Shape)
class ShapePose(Structure):
    """A shape at a pose. Frozen: it never changes.

    Attributes:
        shape: The shape; any kind, whether bodies have it or not.
        position: Of the shape's origin, world axes [m].
        rotation: Unit quaternion (x, y, z, w).
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("shape", c_uint64),
        ("position", c_double * 3),
        ("rotation", c_double * 4),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[ShapePoseMembers]) -> None: ...


        @property
        def shape(self) -> Shape: ...

        @shape.setter
        def shape(self, value: Shape | np.uint64) -> None: ...

        @property
        def position(self) -> Numbers: ...

        @position.setter
        def position(self, value: ArrayLike) -> None: ...

        @property
        def rotation(self) -> Numbers: ...

        @rotation.setter
        def rotation(self, value: ArrayLike) -> None: ...


SHAPE_POSE_DTYPE = np.dtype(
    [
        ("shape", "u8"),
        ("position", "f8", (3,)),
        ("rotation", "f8", (4,)),
    ]
)
"""ShapePose as an element of a numpy array."""


class OverlapMembers(TypedDict, total=False):
    """What a Overlap can be made with; its text is there."""

    pose: int
    body: Body | np.uint64
    gap: float


@members(OverlapMembers, body=Body)
class Overlap(Structure):
    """A body that a shape at a pose would overlap. Frozen: it never changes.

    Attributes:
        pose: The index of the pose, from 0.
        body: The body.
        gap: The least gap between the two; below 0: overlap [m].
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("pose", c_uint64),
        ("body", c_uint64),
        ("gap", c_double),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[OverlapMembers]) -> None: ...

        pose: int

        @property
        def body(self) -> Body: ...

        @body.setter
        def body(self, value: Body | np.uint64) -> None: ...
        gap: float


OVERLAP_DTYPE = np.dtype(
    [
        ("pose", "u8"),
        ("body", "u8"),
        ("gap", "f8"),
    ]
)
"""Overlap as an element of a numpy array."""


class ContactMembers(TypedDict, total=False):
    """What a Contact can be made with; its text is there."""

    body_a: Body | np.uint64
    body_b: Body | np.uint64
    key: int
    point: ArrayLike
    normal: ArrayLike
    gap: float
    normal_force: float
    friction_force: ArrayLike
    rolling_torque: ArrayLike
    compatible_normal_force: float
    compatible_friction_force: ArrayLike
    relative_velocity: ArrayLike
    friction: float
    stiffness: float
    state: ContactState
    impact_force: ArrayLike


@members(ContactMembers, body_a=Body, body_b=Body, state=ContactState)
class Contact(Structure):
    """A contact of the last step. Grows at its end: sizeof(dry_contact) goes to dry_query_contacts with the array.

    The normal points from body_a to body_b. Forces and torques are those on body_b, averaged over the step, world axes;
    body_a receives the opposite.

    Attributes:
        body_a: The first body.
        body_b: The second body.
        key: The same contact keeps its key from step to step.
        point: At the start of the step, world axes [m].
        normal: At the start of the step, from body_a to body_b, unit [-].
        gap: At the start of the step; below 0: overlap [m].
        normal_force: Along the normal, 0 or above [N].
        friction_force: Across the normal [N].
        rolling_torque: Rolling resistance across the normal and twisting resistance along it, without the moments
            of the forces above; 0 between two flat places [N m].
        compatible_normal_force: After the compatibility correction; equal to normal_force while that is off [N].
        compatible_friction_force: After the compatibility correction; equal to friction_force while that is off
            [N].
        relative_velocity: Of body_b with respect to body_a at the contact, at the end of the step [m/s]. If bodies
            turn or their surfaces move, the tangential part is relative to the velocity that keeps the points of
            the surfaces together over the step. It is 0 where the contact sticks. In a strained box it is the
            velocity of the image that touches.
        friction: The pair's coefficient [-].
        stiffness: Of the compatibility correction, relative to other contacts.
        state: DRY_CONTACT_ bits.
        impact_force: The part of normal_force and friction_force that the impact stages of the step gave, world
            axes [N]. It is their impulse over the length of the step. 0 where nothing was struck: only
            DRY_METHOD_SPOOK has impact stages. The force after the impacts is normal_force * normal +
            friction_force - impact_force.
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("body_a", c_uint64),
        ("body_b", c_uint64),
        ("key", c_uint64),
        ("point", c_double * 3),
        ("normal", c_double * 3),
        ("gap", c_double),
        ("normal_force", c_double),
        ("friction_force", c_double * 3),
        ("rolling_torque", c_double * 3),
        ("compatible_normal_force", c_double),
        ("compatible_friction_force", c_double * 3),
        ("relative_velocity", c_double * 3),
        ("friction", c_double),
        ("stiffness", c_double),
        ("state", c_uint32),
        ("reserved", c_uint32),
        ("impact_force", c_double * 3),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[ContactMembers]) -> None: ...


        @property
        def body_a(self) -> Body: ...

        @body_a.setter
        def body_a(self, value: Body | np.uint64) -> None: ...

        @property
        def body_b(self) -> Body: ...

        @body_b.setter
        def body_b(self, value: Body | np.uint64) -> None: ...
        key: int

        @property
        def point(self) -> Numbers: ...

        @point.setter
        def point(self, value: ArrayLike) -> None: ...

        @property
        def normal(self) -> Numbers: ...

        @normal.setter
        def normal(self, value: ArrayLike) -> None: ...
        gap: float
        normal_force: float

        @property
        def friction_force(self) -> Numbers: ...

        @friction_force.setter
        def friction_force(self, value: ArrayLike) -> None: ...

        @property
        def rolling_torque(self) -> Numbers: ...

        @rolling_torque.setter
        def rolling_torque(self, value: ArrayLike) -> None: ...
        compatible_normal_force: float

        @property
        def compatible_friction_force(self) -> Numbers: ...

        @compatible_friction_force.setter
        def compatible_friction_force(self, value: ArrayLike) -> None: ...

        @property
        def relative_velocity(self) -> Numbers: ...

        @relative_velocity.setter
        def relative_velocity(self, value: ArrayLike) -> None: ...
        friction: float
        stiffness: float
        state: ContactState

        @property
        def impact_force(self) -> Numbers: ...

        @impact_force.setter
        def impact_force(self, value: ArrayLike) -> None: ...


CONTACT_DTYPE = np.dtype(
    [
        ("body_a", "u8"),
        ("body_b", "u8"),
        ("key", "u8"),
        ("point", "f8", (3,)),
        ("normal", "f8", (3,)),
        ("gap", "f8"),
        ("normal_force", "f8"),
        ("friction_force", "f8", (3,)),
        ("rolling_torque", "f8", (3,)),
        ("compatible_normal_force", "f8"),
        ("compatible_friction_force", "f8", (3,)),
        ("relative_velocity", "f8", (3,)),
        ("friction", "f8"),
        ("stiffness", "f8"),
        ("state", "u4"),
        ("reserved", "u4"),
        ("impact_force", "f8", (3,)),
    ]
)
"""Contact as an element of a numpy array."""


class FieldMembers(TypedDict, total=False):
    """What a Field can be made with; its text is there."""

    density: float
    momentum: ArrayLike
    velocity: ArrayLike
    packing_fraction: float
    granular_temperature: float
    kinetic_stress: ArrayLike
    contact_stress: ArrayLike


@members(FieldMembers)
class Field(Structure):
    """
    The coarse-grained fields at a point. Grows at its end: sizeof(dry_field) goes to dry_query_fields with the array.

    Matrices are row major: stress[3 * i + j]. Tension is positive.

    Attributes:
        density: Of mass: the sum of m phi [kg/m^3].
        momentum: The sum of m v phi [kg/(m^2 s)].
        velocity: momentum over density; 0 where that is 0 [m/s].
        packing_fraction: The part of the volume that is solid: the sum of V phi over the volumes V of bodies,
            overlaps counted twice [-].
        granular_temperature: The sum of m |v - velocity|^2 phi over 3 density; 0 where that is 0 [m^2/s^2].
        kinetic_stress: Minus the sum of m (v - velocity) (x) (v - velocity) phi [Pa].
        contact_stress: Minus the sum of l (x) f times the mean of phi along the branch of each contact [Pa].
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("density", c_double),
        ("momentum", c_double * 3),
        ("velocity", c_double * 3),
        ("packing_fraction", c_double),
        ("granular_temperature", c_double),
        ("kinetic_stress", c_double * 9),
        ("contact_stress", c_double * 9),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[FieldMembers]) -> None: ...

        density: float

        @property
        def momentum(self) -> Numbers: ...

        @momentum.setter
        def momentum(self, value: ArrayLike) -> None: ...

        @property
        def velocity(self) -> Numbers: ...

        @velocity.setter
        def velocity(self, value: ArrayLike) -> None: ...
        packing_fraction: float
        granular_temperature: float

        @property
        def kinetic_stress(self) -> Numbers: ...

        @kinetic_stress.setter
        def kinetic_stress(self, value: ArrayLike) -> None: ...

        @property
        def contact_stress(self) -> Numbers: ...

        @contact_stress.setter
        def contact_stress(self, value: ArrayLike) -> None: ...


FIELD_DTYPE = np.dtype(
    [
        ("density", "f8"),
        ("momentum", "f8", (3,)),
        ("velocity", "f8", (3,)),
        ("packing_fraction", "f8"),
        ("granular_temperature", "f8"),
        ("kinetic_stress", "f8", (9,)),
        ("contact_stress", "f8", (9,)),
    ]
)
"""Field as an element of a numpy array."""


class VtkDefMembers(TypedDict, total=False):
    """What a VtkDef can be made with; its text is there."""

    parts: VtkPart
    sides: int
    half_space_size: float
    grid_origin: ArrayLike
    grid_spacing: ArrayLike
    grid_count: ArrayLike
    kernel: Kernel
    width: float


@members(VtkDefMembers, parts=VtkPart, kernel=Kernel)
class VtkDef(Structure):
    """The parts that dry_world_export_vtk writes. Filled in by dry_vtk_def_init; grows at its end.

    Attributes:
        parts: DRY_VTK_ bits. Default DRY_VTK_GRAINS | DRY_VTK_CONTACTS | DRY_VTK_SURFACES.
        sides: Of a circle, 3 to 1024. Default 24.
        half_space_size: The edge of the square that stands for a half-space [m]. Default 0: one that reaches beyond
            all other bodies.
        grid_origin: The first point of the grid of fields, world axes [m]. Default 0.
        grid_spacing: From point to point along each axis, above 0 [m]. No default: it must be set for
            DRY_VTK_FIELDS.
        grid_count: Points along each axis, 1 to 2147483647, and at most 4294967295 in all. No default: it must be
            set for DRY_VTK_FIELDS.
        kernel: Of the fields, see dry_query_fields. Default DRY_KERNEL_LUCY.
        width: The width of the kernel [m]. Default 0: the mean diameter of the dynamic spheres.
    """

    __slots__ = ()
    _initialiser_ = "dry_vtk_def_init"
    _fields_ = [
        ("struct_size", c_size_t),
        ("parts", c_uint32),
        ("sides", c_uint32),
        ("half_space_size", c_double),
        ("grid_origin", c_double * 3),
        ("grid_spacing", c_double * 3),
        ("grid_count", c_uint32 * 3),
        ("kernel", c_int),
        ("width", c_double),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[VtkDefMembers]) -> None: ...

        parts: VtkPart
        sides: int
        half_space_size: float

        @property
        def grid_origin(self) -> Numbers: ...

        @grid_origin.setter
        def grid_origin(self, value: ArrayLike) -> None: ...

        @property
        def grid_spacing(self) -> Numbers: ...

        @grid_spacing.setter
        def grid_spacing(self, value: ArrayLike) -> None: ...

        @property
        def grid_count(self) -> Bits: ...

        @grid_count.setter
        def grid_count(self, value: ArrayLike) -> None: ...
        kernel: Kernel
        width: float


VTK_DEF_DTYPE = np.dtype(
    [
        ("struct_size", "u8"),
        ("parts", "u4"),
        ("sides", "u4"),
        ("half_space_size", "f8"),
        ("grid_origin", "f8", (3,)),
        ("grid_spacing", "f8", (3,)),
        ("grid_count", "u4", (3,)),
        ("kernel", "i4"),
        ("width", "f8"),
    ]
)
"""VtkDef as an element of a numpy array."""


class SolverProgressMembers(TypedDict, total=False):
    """What a SolverProgress can be made with; its text is there."""

    user_data: Any
    progress: Any
    every: int


@members(SolverProgressMembers)
class SolverProgress(Structure):
    """The function that a solver calls between its iterations. The host zeroes it and sets the members that it needs;
    grows at its end.

    Attributes:
        user_data: Passed to the function; may be NULL.
        progress: Not NULL. It runs on the thread that called the solver and must not throw or longjmp. Within it
            every call on the same solver is DRY_ERR_BUSY, except dry_solver_destroy; other solvers may be used.
        every: The number of iterations of a call between two calls of the function; 0 counts as 1.
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("struct_size", c_size_t),
        ("user_data", c_void_p),
        ("progress", IterationProgress),
        ("every", c_uint64),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[SolverProgressMembers]) -> None: ...

        user_data: Any
        progress: Any
        every: int


class ProblemBodyMembers(TypedDict, total=False):
    """What a ProblemBody can be made with; its text is there."""

    inverse_mass: float
    inverse_inertia: ArrayLike
    velocity: ArrayLike
    angular_velocity: ArrayLike


@members(ProblemBodyMembers)
class ProblemBody(Structure):
    """A body of a problem. Frozen: it never changes. All numbers are finite.

    Attributes:
        inverse_mass: 0, or 1e-100 to 1e100; 0: no force moves its centre of mass [1/kg]. With an inverse_inertia of
            0 too: immovable, it keeps its velocity.
        inverse_inertia: World axes, about the centre of mass: xx yy zz xy yz xz [1/(kg m^2)]. It is positive
            semidefinite to round-off: 1e-9 of the largest entry.
        velocity: Of the centre of mass, already holding what external forces add during the step [m/s].
        angular_velocity: World axes, already holding what external torques add during the step [rad/s].
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("inverse_mass", c_double),
        ("inverse_inertia", c_double * 6),
        ("velocity", c_double * 3),
        ("angular_velocity", c_double * 3),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[ProblemBodyMembers]) -> None: ...

        inverse_mass: float

        @property
        def inverse_inertia(self) -> Numbers: ...

        @inverse_inertia.setter
        def inverse_inertia(self, value: ArrayLike) -> None: ...

        @property
        def velocity(self) -> Numbers: ...

        @velocity.setter
        def velocity(self, value: ArrayLike) -> None: ...

        @property
        def angular_velocity(self) -> Numbers: ...

        @angular_velocity.setter
        def angular_velocity(self, value: ArrayLike) -> None: ...


PROBLEM_BODY_DTYPE = np.dtype(
    [
        ("inverse_mass", "f8"),
        ("inverse_inertia", "f8", (6,)),
        ("velocity", "f8", (3,)),
        ("angular_velocity", "f8", (3,)),
    ]
)
"""ProblemBody as an element of a numpy array."""


class ProblemContactMembers(TypedDict, total=False):
    """What a ProblemContact can be made with; its text is there."""

    key: int
    body_a: int
    body_b: int
    normal: ArrayLike
    arm_a: ArrayLike
    arm_b: ArrayLike
    normal_bias: float
    surface_velocity: ArrayLike
    normal_compliance: float
    tangential_compliance: float
    friction: float
    rolling: float
    twisting: float
    stiffness: float


@members(ProblemContactMembers)
class ProblemContact(Structure):
    """
    A contact of a problem. Frozen: it never changes. All numbers are finite; body_a and body_b are two bodies, of which
    an impulse moves at least one.

    Attributes:
        key: For warm starting; unique within a problem, rows included. 0: never warm started.
        body_a: Index of the first body; UINT32_MAX: the fixed world.
        body_b: Index of the second body; UINT32_MAX: the fixed world.
        normal: From body_a to body_b, of length 1 to 1e-9, world axes [-].
        arm_a: From the centre of mass of body_a to the contact point, world axes; of the fixed world any [m].
        arm_b: From the centre of mass of body_b to the contact point, world axes; of the fixed world any [m].
        normal_bias: The normal velocity plus this is not below 0: gap / step, or restitution times the normal
            velocity before [m/s].
        surface_velocity: The sliding velocity at which friction is at rest, world axes: a conveyor's, normally 0
            [m/s].
        normal_compliance: Normal velocity per normal impulse, 0 or above; 0: rigid [m/s per N s].
        tangential_compliance: Sliding velocity per friction impulse, 0 or above; 0: rigid [m/s per N s].
        friction: Coulomb's coefficient, 0 or above [-].
        rolling: Largest rolling torque over normal force, 0 or above [m].
        twisting: Largest twisting torque over normal force, 0 or above [m].
        stiffness: Of the compatibility correction, relative to other contacts and to 1 / compliance of rows, 0 or
            above; 0: 1.
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("key", c_uint64),
        ("body_a", c_uint32),
        ("body_b", c_uint32),
        ("normal", c_double * 3),
        ("arm_a", c_double * 3),
        ("arm_b", c_double * 3),
        ("normal_bias", c_double),
        ("surface_velocity", c_double * 3),
        ("normal_compliance", c_double),
        ("tangential_compliance", c_double),
        ("friction", c_double),
        ("rolling", c_double),
        ("twisting", c_double),
        ("stiffness", c_double),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[ProblemContactMembers]) -> None: ...

        key: int
        body_a: int
        body_b: int

        @property
        def normal(self) -> Numbers: ...

        @normal.setter
        def normal(self, value: ArrayLike) -> None: ...

        @property
        def arm_a(self) -> Numbers: ...

        @arm_a.setter
        def arm_a(self, value: ArrayLike) -> None: ...

        @property
        def arm_b(self) -> Numbers: ...

        @arm_b.setter
        def arm_b(self, value: ArrayLike) -> None: ...
        normal_bias: float

        @property
        def surface_velocity(self) -> Numbers: ...

        @surface_velocity.setter
        def surface_velocity(self, value: ArrayLike) -> None: ...
        normal_compliance: float
        tangential_compliance: float
        friction: float
        rolling: float
        twisting: float
        stiffness: float


PROBLEM_CONTACT_DTYPE = np.dtype(
    [
        ("key", "u8"),
        ("body_a", "u4"),
        ("body_b", "u4"),
        ("normal", "f8", (3,)),
        ("arm_a", "f8", (3,)),
        ("arm_b", "f8", (3,)),
        ("normal_bias", "f8"),
        ("surface_velocity", "f8", (3,)),
        ("normal_compliance", "f8"),
        ("tangential_compliance", "f8"),
        ("friction", "f8"),
        ("rolling", "f8"),
        ("twisting", "f8"),
        ("stiffness", "f8"),
    ]
)
"""ProblemContact as an element of a numpy array."""


class ProblemRowMembers(TypedDict, total=False):
    """What a ProblemRow can be made with; its text is there."""

    key: int
    body_a: int
    body_b: int
    jacobian_a: ArrayLike
    jacobian_b: ArrayLike
    rhs: float
    compliance: float
    lower: float
    upper: float
    friction_row: int


@members(ProblemRowMembers)
class ProblemRow(Structure):
    """One scalar row of a problem, as legacy solvers use them. Frozen: it never changes.

    jacobian_a . velocity_a + jacobian_b . velocity_b + compliance * impulse = rhs at the solution, as far as the bounds
    of the impulse allow: at lower the left side may be larger, at upper smaller. The impulse acts on each body by its
    Jacobian: force on its centre of mass, torque about it. All numbers are finite but the bounds; an impulse changes
    the velocity of the row.

    Attributes:
        key: For warm starting; unique within a problem, contacts included. 0: never warm started.
        body_a: Index of the first body; UINT32_MAX: the fixed world.
        body_b: Index of the second body; UINT32_MAX: the fixed world.
        jacobian_a: Of the first body: linear, angular.
        jacobian_b: Of the second body: linear, angular.
        rhs: Right hand side, a velocity of the row [m/s, of a row of spins alone rad/s].
        compliance: Velocity per impulse, 0 or above [m/s per N s].
        lower: Least impulse, at most upper; -INFINITY: none [N s]. With friction_row >= 0 times the magnitude of
            that row's impulse.
        upper: Largest impulse; INFINITY: none [N s]. With friction_row >= 0 times the magnitude of that row's
            impulse.
        friction_row: Index of the row whose impulse multiplies the bounds, another one with plain bounds; -1: plain
            bounds.
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("key", c_uint64),
        ("body_a", c_uint32),
        ("body_b", c_uint32),
        ("jacobian_a", c_double * 6),
        ("jacobian_b", c_double * 6),
        ("rhs", c_double),
        ("compliance", c_double),
        ("lower", c_double),
        ("upper", c_double),
        ("friction_row", c_int32),
        ("reserved", c_uint32),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[ProblemRowMembers]) -> None: ...

        key: int
        body_a: int
        body_b: int

        @property
        def jacobian_a(self) -> Numbers: ...

        @jacobian_a.setter
        def jacobian_a(self, value: ArrayLike) -> None: ...

        @property
        def jacobian_b(self) -> Numbers: ...

        @jacobian_b.setter
        def jacobian_b(self, value: ArrayLike) -> None: ...
        rhs: float
        compliance: float
        lower: float
        upper: float
        friction_row: int


PROBLEM_ROW_DTYPE = np.dtype(
    [
        ("key", "u8"),
        ("body_a", "u4"),
        ("body_b", "u4"),
        ("jacobian_a", "f8", (6,)),
        ("jacobian_b", "f8", (6,)),
        ("rhs", "f8"),
        ("compliance", "f8"),
        ("lower", "f8"),
        ("upper", "f8"),
        ("friction_row", "i4"),
        ("reserved", "u4"),
    ]
)
"""ProblemRow as an element of a numpy array."""


class ProblemMembers(TypedDict, total=False):
    """What a Problem can be made with; its text is there."""

    step: float
    bodies: Any
    body_count: int
    contacts: Any
    contact_count: int
    rows: Any
    row_count: int


@members(ProblemMembers)
class Problem(Structure):
    """
    Bodies, contacts and rows to be solved together, in this order of visits where the settings ask for the natural one:
    rows, then contacts. Up to six rows of the same two bodies that follow each other are solved together, those without
    bounds exactly: rows of one joint belong side by side. The caller owns the arrays. It zeroes this structure and sets
    struct_size; later additions are parallel arrays at its end.

    Attributes:
        step: Duration of the step, 1e-100 to 1e100 [s].
        bodies: body_count bodies; NULL only if that is 0.
        body_count: Number of bodies.
        contacts: contact_count contacts; NULL only if that is 0.
        contact_count: Number of contacts, at most 2^27.
        rows: row_count rows; NULL only if that is 0.
        row_count: Number of rows, at most 2^27.
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("struct_size", c_size_t),
        ("step", c_double),
        ("bodies", POINTER(ProblemBody)),
        ("body_count", c_size_t),
        ("contacts", POINTER(ProblemContact)),
        ("contact_count", c_size_t),
        ("rows", POINTER(ProblemRow)),
        ("row_count", c_size_t),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[ProblemMembers]) -> None: ...

        step: float
        bodies: Any
        body_count: int
        contacts: Any
        contact_count: int
        rows: Any
        row_count: int


class ContactSolutionMembers(TypedDict, total=False):
    """What a ContactSolution can be made with; its text is there."""

    impulse: ArrayLike
    normal_impulse: float
    torque_impulse: ArrayLike
    compatible_impulse: ArrayLike
    residual: float
    state: ContactState


@members(ContactSolutionMembers, state=ContactState)
class ContactSolution(Structure):
    """The solution for a contact. Frozen: it never changes.

    Attributes:
        impulse: Normal and friction, on body_b, world axes [N s].
        normal_impulse: Along the normal, 0 or above [N s].
        torque_impulse: Rolling and twisting, on body_b, world axes [N m s].
        compatible_impulse: After the compatibility correction, on body_b, world axes; equal to impulse while that
            is off [N s].
        residual: How far velocities and impulse are from the laws of the contact [m/s].
        state: DRY_CONTACT_ bits. Rolling and sliding faster than the tolerance count, and 1e-12 m/s; new is a
            contact whose key the last call of the solver did not have.
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("impulse", c_double * 3),
        ("normal_impulse", c_double),
        ("torque_impulse", c_double * 3),
        ("compatible_impulse", c_double * 3),
        ("residual", c_double),
        ("state", c_uint32),
        ("reserved", c_uint32),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[ContactSolutionMembers]) -> None: ...


        @property
        def impulse(self) -> Numbers: ...

        @impulse.setter
        def impulse(self, value: ArrayLike) -> None: ...
        normal_impulse: float

        @property
        def torque_impulse(self) -> Numbers: ...

        @torque_impulse.setter
        def torque_impulse(self, value: ArrayLike) -> None: ...

        @property
        def compatible_impulse(self) -> Numbers: ...

        @compatible_impulse.setter
        def compatible_impulse(self, value: ArrayLike) -> None: ...
        residual: float
        state: ContactState


CONTACT_SOLUTION_DTYPE = np.dtype(
    [
        ("impulse", "f8", (3,)),
        ("normal_impulse", "f8"),
        ("torque_impulse", "f8", (3,)),
        ("compatible_impulse", "f8", (3,)),
        ("residual", "f8"),
        ("state", "u4"),
        ("reserved", "u4"),
    ]
)
"""ContactSolution as an element of a numpy array."""


class SolutionMembers(TypedDict, total=False):
    """What a Solution can be made with; its text is there."""

    velocities: Any
    contacts: Any
    row_impulses: Any
    report: Any
    compatible_row_impulses: Any


@members(SolutionMembers)
class Solution(Structure):
    """Where the solver writes. The caller zeroes it and sets struct_size; the arrays are the caller's, sized as in the
    problem; NULL: not wanted.

    Attributes:
        velocities: 6 numbers per body: linear and angular velocity after the solve [m/s, rad/s].
        contacts: One per contact.
        row_impulses: One per row.
        report: How the solve went.
        compatible_row_impulses: One per row, after the compatibility correction; equal to row_impulses while that
            is off [N s].
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("struct_size", c_size_t),
        ("velocities", POINTER(c_double)),
        ("contacts", POINTER(ContactSolution)),
        ("row_impulses", POINTER(c_double)),
        ("report", POINTER(StepReport)),
        ("compatible_row_impulses", POINTER(c_double)),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[SolutionMembers]) -> None: ...

        velocities: Any
        contacts: Any
        row_impulses: Any
        report: Any
        compatible_row_impulses: Any


class LocalProblemMembers(TypedDict, total=False):
    """What a LocalProblem can be made with; its text is there."""

    contact_count: int
    dimension: int
    row_offsets: Any
    columns: Any
    blocks: Any
    q: Any
    friction: Any
    rolling: Any


@members(LocalProblemMembers)
class LocalProblem(Structure):
    """A problem given only by its Delassus operator W: u = W r + q, with the rows normal, tangent 1, tangent 2 (and
    rolling 1, rolling 2) of each contact. The caller zeroes it and sets struct_size; grows at its end.

    W in block compressed rows: the blocks of contact i are blocks[d * d * k], row major, in column columns[k], for
    row_offsets[i] <= k < row_offsets[i + 1]. Both halves of the symmetric matrix are there; the columns of a contact are
    in any order, each once, its own among them. The caller owns the arrays; with no contacts they may be NULL.

    Attributes:
        contact_count: Number of contacts.
        dimension: d, the rows of a contact: 3 or 5.
        row_offsets: contact_count + 1 numbers, rising from 0.
        columns: The contact of each block.
        blocks: d * d numbers per block.
        q: d numbers per contact: velocities without any impulse [m/s, rolling rad/s].
        friction: Coulomb's coefficient of each contact, 0 or above [-].
        rolling: With d = 5, for each contact: rolling impulse over normal impulse, at most; 0 or above [m]. With d
            = 3 NULL.
    """

    __slots__ = ()
    _initialiser_ = None
    _fields_ = [
        ("struct_size", c_size_t),
        ("contact_count", c_size_t),
        ("dimension", c_uint32),
        ("reserved", c_uint32),
        ("row_offsets", POINTER(c_uint32)),
        ("columns", POINTER(c_uint32)),
        ("blocks", POINTER(c_double)),
        ("q", POINTER(c_double)),
        ("friction", POINTER(c_double)),
        ("rolling", POINTER(c_double)),
    ]

    if TYPE_CHECKING:

        def __init__(self, **members: Unpack[LocalProblemMembers]) -> None: ...

        contact_count: int
        dimension: int
        row_offsets: Any
        columns: Any
        blocks: Any
        q: Any
        friction: Any
        rolling: Any


class Library(ctypes.CDLL):
    """The library with the functions of its header."""

    if TYPE_CHECKING:

        def dry_status_name(self, status: int, /) -> bytes: ...
        def dry_last_error(self, buffer: Any, capacity: int, needed_or_null: Any, /) -> int: ...
        def dry_version(self) -> int: ...
        def dry_version_string(self) -> bytes: ...
        def dry_settings_init(self, settings: Any, size: int, /) -> int: ...
        def dry_world_def_init(self, def_: Any, size: int, /) -> int: ...
        def dry_world_create(self, def_: Any, world: Any, /) -> int: ...
        def dry_world_destroy(self, world: Any, /) -> None: ...
        def dry_world_get_settings(self, world: Any, settings: Any, size: int, /) -> int: ...
        def dry_world_set_settings(self, world: Any, settings: Any, /) -> int: ...
        def dry_world_get_gravity(self, world: Any, gravity: Any, /) -> int: ...
        def dry_world_get_period(self, world: Any, period: Any, /) -> int: ...
        def dry_world_set_gravity(self, world: Any, gravity: Any, /) -> int: ...
        def dry_world_set_strain_rate(self, world: Any, rates: Any, /) -> int: ...
        def dry_world_get_strain_rate(self, world: Any, rates: Any, /) -> int: ...
        def dry_world_run(
            self,
            world: Any,
            step: float,
            count: int,
            progress_or_null: Any,
            steps_done_or_null: Any,
            report_or_null: Any,
            /,
        ) -> int: ...
        def dry_world_step(self, world: Any, step: float, report_or_null: Any, /) -> int: ...
        def dry_static_def_init(self, def_: Any, size: int, /) -> int: ...
        def dry_world_solve_static(
            self,
            world: Any,
            def_: Any,
            displacements_or_null: Any,
            count: int,
            report: Any,
            /,
        ) -> int: ...
        def dry_world_limit_load(
            self,
            world: Any,
            unit_loads: Any,
            count: int,
            def_: Any,
            mechanism_or_null: Any,
            report: Any,
            /,
        ) -> int: ...
        def dry_material_def_init(self, def_: Any, size: int, /) -> int: ...
        def dry_material_add(self, world: Any, def_: Any, material: Any, /) -> int: ...
        def dry_pair_def_init(self, def_: Any, size: int, /) -> int: ...
        def dry_material_pair_set(self, world: Any, first: int, second: int, def_: Any, /) -> int: ...
        def dry_clump_part_init(self, part: Any, size: int, /) -> int: ...
        def dry_shape_clump(self, world: Any, parts: Any, count: int, shape: Any, /) -> int: ...
        def dry_shape_mass_properties(
            self,
            world: Any,
            shape: int,
            volume: Any,
            mass: Any,
            center_of_mass: Any,
            inertia: Any,
            /,
        ) -> int: ...
        def dry_nurbs_curve_def_init(self, def_: Any, size: int, /) -> int: ...
        def dry_shape_nurbs_curve(self, world: Any, def_: Any, shape: Any, /) -> int: ...
        def dry_shape_closest(
            self,
            world: Any,
            shape: int,
            point: Any,
            foot: Any,
            normal: Any,
            distance: Any,
            /,
        ) -> int: ...
        def dry_shape_sphere(self, world: Any, radius: float, shape: Any, /) -> int: ...
        def dry_shape_box(self, world: Any, half_extents: Any, shape: Any, /) -> int: ...
        def dry_shape_capsule(self, world: Any, half_height: float, radius: float, shape: Any, /) -> int: ...
        def dry_shape_cylinder(self, world: Any, half_height: float, radius: float, shape: Any, /) -> int: ...
        def dry_shape_half_space(self, world: Any, normal: Any, offset: float, shape: Any, /) -> int: ...
        def dry_shape_hull(self, world: Any, points_xyz: Any, point_count: int, shape: Any, /) -> int: ...
        def dry_shape_mesh(
            self,
            world: Any,
            points_xyz: Any,
            point_count: int,
            triangles: Any,
            triangle_count: int,
            shape: Any,
            /,
        ) -> int: ...
        def dry_shape_remove(self, world: Any, shape: int, /) -> int: ...
        def dry_body_def_init(self, def_: Any, size: int, /) -> int: ...
        def dry_body_add(self, world: Any, def_: Any, body: Any, /) -> int: ...
        def dry_bodies_add(self, world: Any, defs: Any, count: int, bodies: Any, /) -> int: ...
        def dry_body_remove(self, world: Any, body: int, /) -> int: ...
        def dry_query_bodies(self, world: Any, bodies: Any, capacity: int, count: Any, /) -> int: ...
        def dry_body_get_state(self, world: Any, body: int, state: Any, /) -> int: ...
        def dry_body_set_state(self, world: Any, body: int, state: Any, /) -> int: ...
        def dry_body_get_mass(self, world: Any, body: int, mass: Any, center_of_mass: Any, inertia: Any, /) -> int: ...
        def dry_body_get_user_data(self, world: Any, body: int, user_data: Any, /) -> int: ...
        def dry_body_add_force(self, world: Any, body: int, force: Any, point_or_null: Any, /) -> int: ...
        def dry_body_add_torque(self, world: Any, body: int, torque: Any, /) -> int: ...
        def dry_body_wake(self, world: Any, body: int, /) -> int: ...
        def dry_body_is_awake(self, world: Any, body: int, awake: Any, /) -> int: ...
        def dry_bodies_get_states(self, world: Any, bodies_or_null: Any, count: int, states: Any, /) -> int: ...
        def dry_body_set_surface_velocity(self, world: Any, body: int, linear: Any, angular: Any, /) -> int: ...
        def dry_body_get_surface_velocity(self, world: Any, body: int, linear: Any, angular: Any, /) -> int: ...
        def dry_joint_def_init(self, def_: Any, size: int, kind: int, /) -> int: ...
        def dry_joint_def_place(
            self,
            world: Any,
            def_: Any,
            point: Any,
            axis: Any,
            reference_or_null: Any,
            /,
        ) -> int: ...
        def dry_joint_def_place_points(self, world: Any, def_: Any, point_a: Any, point_b: Any, /) -> int: ...
        def dry_joint_axis_init(self, axis: Any, size: int, /) -> int: ...
        def dry_joint_add(self, world: Any, def_: Any, joint: Any, /) -> int: ...
        def dry_joints_add(self, world: Any, defs: Any, count: int, joints: Any, /) -> int: ...
        def dry_joint_remove(self, world: Any, joint: int, /) -> int: ...
        def dry_joint_set_frames(self, world: Any, joint: int, def_: Any, /) -> int: ...
        def dry_joint_set_enabled(self, world: Any, joint: int, enabled: int, /) -> int: ...
        def dry_joint_set_axis(self, world: Any, joint: int, index: int, axis: Any, /) -> int: ...
        def dry_joint_set_target(
            self,
            world: Any,
            joint: int,
            index: int,
            position: float,
            velocity: float,
            /,
        ) -> int: ...
        def dry_joints_set_targets(
            self,
            world: Any,
            joints: Any,
            indices: Any,
            count: int,
            positions_or_null: Any,
            velocities_or_null: Any,
            /,
        ) -> int: ...
        def dry_query_joint_events(self, world: Any, events: Any, capacity: int, count: Any, /) -> int: ...
        def dry_query_joints(self, world: Any, joints: Any, capacity: int, count: Any, /) -> int: ...
        def dry_query_body_joints(self, world: Any, body: int, joints: Any, capacity: int, count: Any, /) -> int: ...
        def dry_joint_get_def(self, world: Any, joint: int, def_: Any, size: int, /) -> int: ...
        def dry_joint_get_axis(self, world: Any, joint: int, index: int, axis: Any, size: int, /) -> int: ...
        def dry_joint_get_state(self, world: Any, joint: int, state: Any, size: int, /) -> int: ...
        def dry_joints_get_states(
            self,
            world: Any,
            joints_or_null: Any,
            count: int,
            states: Any,
            size: int,
            /,
        ) -> int: ...
        def dry_query_body_joint_force(self, world: Any, body: int, force: Any, torque: Any, /) -> int: ...
        def dry_query_overlaps(
            self,
            world: Any,
            poses: Any,
            pose_count: int,
            margin: float,
            overlaps: Any,
            capacity: int,
            count: Any,
            /,
        ) -> int: ...
        def dry_query_contacts(
            self,
            world: Any,
            contacts: Any,
            contact_size: int,
            capacity: int,
            count: Any,
            /,
        ) -> int: ...
        def dry_query_body_force(self, world: Any, body: int, force: Any, torque: Any, /) -> int: ...
        def dry_query_energy(self, world: Any, kinetic: Any, potential: Any, /) -> int: ...
        def dry_query_stress(self, world: Any, lower: Any, upper: Any, stress: Any, /) -> int: ...
        def dry_query_fields(
            self,
            world: Any,
            points_xyz: Any,
            count: int,
            kernel: int,
            width: float,
            fields: Any,
            size: int,
            /,
        ) -> int: ...
        def dry_vtk_def_init(self, def_: Any, size: int, /) -> int: ...
        def dry_world_export_vtk(self, world: Any, prefix: Any, step: int, time: float, def_or_null: Any, /) -> int: ...
        def dry_world_hash(self, world: Any, hash: Any, /) -> int: ...
        def dry_world_snapshot(self, world: Any, buffer: Any, capacity: int, count: Any, /) -> int: ...
        def dry_world_restore(self, world: Any, buffer: Any, count: int, /) -> int: ...
        def dry_world_clone(self, world: Any, copy: Any, /) -> int: ...
        def dry_solver_create(self, solver: Any, /) -> int: ...
        def dry_solver_destroy(self, solver: Any, /) -> None: ...
        def dry_solver_set_progress(self, solver: Any, progress_or_null: Any, /) -> int: ...
        def dry_solver_solve(self, solver: Any, problem: Any, settings: Any, solution: Any, /) -> int: ...
        def dry_solver_correct(
            self,
            solver: Any,
            problem: Any,
            settings: Any,
            impulses: Any,
            compatible_impulses: Any,
            report_or_null: Any,
            /,
        ) -> int: ...
        def dry_solver_solve_local(
            self,
            solver: Any,
            problem: Any,
            settings: Any,
            impulses: Any,
            report_or_null: Any,
            /,
        ) -> int: ...
        def dry_solver_snapshot(self, solver: Any, buffer: Any, capacity: int, count: Any, /) -> int: ...
        def dry_solver_restore(self, solver: Any, buffer: Any, count: int, /) -> int: ...


library: Library = load(
    Library,
    VERSION,
    {
        "dry_status_name": (c_char_p, c_int),
        "dry_last_error": (c_int, POINTER(c_char), c_size_t, POINTER(c_size_t)),
        "dry_version": (c_uint32,),
        "dry_version_string": (c_char_p,),
        "dry_settings_init": (c_int, POINTER(Settings), c_size_t),
        "dry_world_def_init": (c_int, POINTER(WorldDef), c_size_t),
        "dry_world_create": (c_int, POINTER(WorldDef), POINTER(c_void_p)),
        "dry_world_destroy": (None, c_void_p),
        "dry_world_get_settings": (c_int, c_void_p, POINTER(Settings), c_size_t),
        "dry_world_set_settings": (c_int, c_void_p, POINTER(Settings)),
        "dry_world_get_gravity": (c_int, c_void_p, POINTER(c_double)),
        "dry_world_get_period": (c_int, c_void_p, POINTER(c_double)),
        "dry_world_set_gravity": (c_int, c_void_p, POINTER(c_double)),
        "dry_world_set_strain_rate": (c_int, c_void_p, POINTER(c_double)),
        "dry_world_get_strain_rate": (c_int, c_void_p, POINTER(c_double)),
        "dry_world_run": (
            c_int,
            c_void_p,
            c_double,
            c_uint64,
            POINTER(RunProgress),
            POINTER(c_uint64),
            POINTER(StepReport),
        ),
        "dry_world_step": (c_int, c_void_p, c_double, POINTER(StepReport)),
        "dry_static_def_init": (c_int, POINTER(StaticDef), c_size_t),
        "dry_world_solve_static": (
            c_int,
            c_void_p,
            POINTER(StaticDef),
            POINTER(c_double),
            c_size_t,
            POINTER(StaticReport),
        ),
        "dry_world_limit_load": (
            c_int,
            c_void_p,
            POINTER(c_double),
            c_size_t,
            POINTER(StaticDef),
            POINTER(c_double),
            POINTER(StaticReport),
        ),
        "dry_material_def_init": (c_int, POINTER(MaterialDef), c_size_t),
        "dry_material_add": (c_int, c_void_p, POINTER(MaterialDef), POINTER(c_uint64)),
        "dry_pair_def_init": (c_int, POINTER(PairDef), c_size_t),
        "dry_material_pair_set": (c_int, c_void_p, c_uint64, c_uint64, POINTER(PairDef)),
        "dry_clump_part_init": (c_int, POINTER(ClumpPart), c_size_t),
        "dry_shape_clump": (c_int, c_void_p, POINTER(ClumpPart), c_size_t, POINTER(c_uint64)),
        "dry_shape_mass_properties": (
            c_int,
            c_void_p,
            c_uint64,
            POINTER(c_double),
            POINTER(c_double),
            POINTER(c_double),
            POINTER(c_double),
        ),
        "dry_nurbs_curve_def_init": (c_int, POINTER(NurbsCurveDef), c_size_t),
        "dry_shape_nurbs_curve": (c_int, c_void_p, POINTER(NurbsCurveDef), POINTER(c_uint64)),
        "dry_shape_closest": (
            c_int,
            c_void_p,
            c_uint64,
            POINTER(c_double),
            POINTER(c_double),
            POINTER(c_double),
            POINTER(c_double),
        ),
        "dry_shape_sphere": (c_int, c_void_p, c_double, POINTER(c_uint64)),
        "dry_shape_box": (c_int, c_void_p, POINTER(c_double), POINTER(c_uint64)),
        "dry_shape_capsule": (c_int, c_void_p, c_double, c_double, POINTER(c_uint64)),
        "dry_shape_cylinder": (c_int, c_void_p, c_double, c_double, POINTER(c_uint64)),
        "dry_shape_half_space": (c_int, c_void_p, POINTER(c_double), c_double, POINTER(c_uint64)),
        "dry_shape_hull": (c_int, c_void_p, POINTER(c_double), c_size_t, POINTER(c_uint64)),
        "dry_shape_mesh": (
            c_int,
            c_void_p,
            POINTER(c_double),
            c_size_t,
            POINTER(c_uint32),
            c_size_t,
            POINTER(c_uint64),
        ),
        "dry_shape_remove": (c_int, c_void_p, c_uint64),
        "dry_body_def_init": (c_int, POINTER(BodyDef), c_size_t),
        "dry_body_add": (c_int, c_void_p, POINTER(BodyDef), POINTER(c_uint64)),
        "dry_bodies_add": (c_int, c_void_p, POINTER(BodyDef), c_size_t, POINTER(c_uint64)),
        "dry_body_remove": (c_int, c_void_p, c_uint64),
        "dry_query_bodies": (c_int, c_void_p, POINTER(c_uint64), c_size_t, POINTER(c_size_t)),
        "dry_body_get_state": (c_int, c_void_p, c_uint64, POINTER(BodyState)),
        "dry_body_set_state": (c_int, c_void_p, c_uint64, POINTER(BodyState)),
        "dry_body_get_mass": (c_int, c_void_p, c_uint64, POINTER(c_double), POINTER(c_double), POINTER(c_double)),
        "dry_body_get_user_data": (c_int, c_void_p, c_uint64, POINTER(c_uint64)),
        "dry_body_add_force": (c_int, c_void_p, c_uint64, POINTER(c_double), POINTER(c_double)),
        "dry_body_add_torque": (c_int, c_void_p, c_uint64, POINTER(c_double)),
        "dry_body_wake": (c_int, c_void_p, c_uint64),
        "dry_body_is_awake": (c_int, c_void_p, c_uint64, POINTER(c_uint32)),
        "dry_bodies_get_states": (c_int, c_void_p, POINTER(c_uint64), c_size_t, POINTER(BodyState)),
        "dry_body_set_surface_velocity": (c_int, c_void_p, c_uint64, POINTER(c_double), POINTER(c_double)),
        "dry_body_get_surface_velocity": (c_int, c_void_p, c_uint64, POINTER(c_double), POINTER(c_double)),
        "dry_joint_def_init": (c_int, POINTER(JointDef), c_size_t, c_int),
        "dry_joint_def_place": (
            c_int,
            c_void_p,
            POINTER(JointDef),
            POINTER(c_double),
            POINTER(c_double),
            POINTER(c_double),
        ),
        "dry_joint_def_place_points": (c_int, c_void_p, POINTER(JointDef), POINTER(c_double), POINTER(c_double)),
        "dry_joint_axis_init": (c_int, POINTER(JointAxis), c_size_t),
        "dry_joint_add": (c_int, c_void_p, POINTER(JointDef), POINTER(c_uint64)),
        "dry_joints_add": (c_int, c_void_p, POINTER(JointDef), c_size_t, POINTER(c_uint64)),
        "dry_joint_remove": (c_int, c_void_p, c_uint64),
        "dry_joint_set_frames": (c_int, c_void_p, c_uint64, POINTER(JointDef)),
        "dry_joint_set_enabled": (c_int, c_void_p, c_uint64, c_uint32),
        "dry_joint_set_axis": (c_int, c_void_p, c_uint64, c_uint32, POINTER(JointAxis)),
        "dry_joint_set_target": (c_int, c_void_p, c_uint64, c_uint32, c_double, c_double),
        "dry_joints_set_targets": (
            c_int,
            c_void_p,
            POINTER(c_uint64),
            POINTER(c_uint32),
            c_size_t,
            POINTER(c_double),
            POINTER(c_double),
        ),
        "dry_query_joint_events": (c_int, c_void_p, POINTER(JointEvent), c_size_t, POINTER(c_size_t)),
        "dry_query_joints": (c_int, c_void_p, POINTER(c_uint64), c_size_t, POINTER(c_size_t)),
        "dry_query_body_joints": (c_int, c_void_p, c_uint64, POINTER(c_uint64), c_size_t, POINTER(c_size_t)),
        "dry_joint_get_def": (c_int, c_void_p, c_uint64, POINTER(JointDef), c_size_t),
        "dry_joint_get_axis": (c_int, c_void_p, c_uint64, c_uint32, POINTER(JointAxis), c_size_t),
        "dry_joint_get_state": (c_int, c_void_p, c_uint64, POINTER(JointState), c_size_t),
        "dry_joints_get_states": (c_int, c_void_p, POINTER(c_uint64), c_size_t, POINTER(JointState), c_size_t),
        "dry_query_body_joint_force": (c_int, c_void_p, c_uint64, POINTER(c_double), POINTER(c_double)),
        "dry_query_overlaps": (
            c_int,
            c_void_p,
            POINTER(ShapePose),
            c_size_t,
            c_double,
            POINTER(Overlap),
            c_size_t,
            POINTER(c_size_t),
        ),
        "dry_query_contacts": (c_int, c_void_p, POINTER(Contact), c_size_t, c_size_t, POINTER(c_size_t)),
        "dry_query_body_force": (c_int, c_void_p, c_uint64, POINTER(c_double), POINTER(c_double)),
        "dry_query_energy": (c_int, c_void_p, POINTER(c_double), POINTER(c_double)),
        "dry_query_stress": (c_int, c_void_p, POINTER(c_double), POINTER(c_double), POINTER(c_double)),
        "dry_query_fields": (c_int, c_void_p, POINTER(c_double), c_size_t, c_int, c_double, POINTER(Field), c_size_t),
        "dry_vtk_def_init": (c_int, POINTER(VtkDef), c_size_t),
        "dry_world_export_vtk": (c_int, c_void_p, c_char_p, c_uint64, c_double, POINTER(VtkDef)),
        "dry_world_hash": (c_int, c_void_p, POINTER(c_uint64)),
        "dry_world_snapshot": (c_int, c_void_p, POINTER(c_uint8), c_size_t, POINTER(c_size_t)),
        "dry_world_restore": (c_int, c_void_p, POINTER(c_uint8), c_size_t),
        "dry_world_clone": (c_int, c_void_p, POINTER(c_void_p)),
        "dry_solver_create": (c_int, POINTER(c_void_p)),
        "dry_solver_destroy": (None, c_void_p),
        "dry_solver_set_progress": (c_int, c_void_p, POINTER(SolverProgress)),
        "dry_solver_solve": (c_int, c_void_p, POINTER(Problem), POINTER(Settings), POINTER(Solution)),
        "dry_solver_correct": (
            c_int,
            c_void_p,
            POINTER(Problem),
            POINTER(Settings),
            POINTER(c_double),
            POINTER(c_double),
            POINTER(StepReport),
        ),
        "dry_solver_solve_local": (
            c_int,
            c_void_p,
            POINTER(LocalProblem),
            POINTER(Settings),
            POINTER(c_double),
            POINTER(StepReport),
        ),
        "dry_solver_snapshot": (c_int, c_void_p, POINTER(c_uint8), c_size_t, POINTER(c_size_t)),
        "dry_solver_restore": (c_int, c_void_p, POINTER(c_uint8), c_size_t),
    },
)
"""The library, its functions with their types."""
