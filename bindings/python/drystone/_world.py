"""Worlds: bodies in contact."""

from __future__ import annotations

import os
from contextlib import nullcontext
from ctypes import POINTER, byref, c_double, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p, pointer, sizeof
from typing import TYPE_CHECKING, Any, Iterable, Optional, Union

import numpy as np

from ._arrays import Handles, Numbers, Records, address, integers, numbers, output, records
from ._checks import choice, handle, instance, real, shown, truth, whole
from ._convergence import NotConvergedError
from ._errors import CapacityError, StoppedError, check
from ._joints import Joints
from ._owned import Owned
from ._results import Closest, Energy, Force, LimitLoad, Mass, MassProperties, Statics, SurfaceVelocity
from ._run import IterationWatch, Run, Watch, Watched, WatchedIterations
from ._signatures import explained, takes
from ._tasks import Tasks
from .raw import (
    BODY_DEF_DTYPE,
    BODY_STATE_DTYPE,
    CONTACT_DTYPE,
    FIELD_DTYPE,
    JOINT_STATE_DTYPE,
    OVERLAP_DTYPE,
    SHAPE_POSE_DTYPE,
    Body,
    BodyDef,
    BodyState,
    ClumpPart,
    Contact,
    CurveContacts,
    Field,
    Kernel,
    Material,
    MaterialDef,
    NurbsCurveDef,
    Overlap,
    PairDef,
    Settings,
    Shape,
    ShapePose,
    StaticDef,
    StaticReport,
    StepReport,
    VtkDef,
    WorldDef,
    library,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

    from .raw import BodyDefMembers, BodyStateMembers, MaterialDefMembers, PairDefMembers, SettingsMembers, StaticDefMembers, VtkDefMembers

    # elements of an array of handles have numpy's type
    BodyLike = Union[Body, np.uint64]
    ShapeLike = Union[Shape, np.uint64]
    MaterialLike = Union[Material, np.uint64]

_DOUBLES = POINTER(c_double)
_HANDLES = POINTER(c_uint64)


@explained
class World(Joints):
    """A world: bodies in contact, their materials, shapes and joints, and what they remember between steps.

    settings: how it steps; the defaults if None.
    gravity: world axes [m/s^2]; (0, 0, -9.81) if None.
    period: lengths of a periodic box along the world axes, 0 where an axis is open [m]; open if None.
    threads: that work on a step; 0: as many as there are cores.
    tasks: threads of this program that work on a step; `threads` must then be 1.

    Handles of materials, shapes, bodies and joints are integers that this world alone knows. Arrays that are read from the world
    belong to the caller and do not change with it.
    """

    def __init__(
        self,
        *,
        settings: Optional[Settings] = None,
        gravity: Optional[ArrayLike] = None,
        period: Optional[ArrayLike] = None,
        threads: int = 1,
        tasks: Optional[Tasks] = None,
    ) -> None:
        definition, world = WorldDef(threads=threads), c_void_p()
        if settings is not None:
            definition.settings = pointer(instance("settings", settings, Settings))
        if gravity is not None:
            definition.gravity = numbers("gravity", gravity, 3)
        if period is not None:
            definition.period = numbers("period", period, 3)
        if tasks is not None:
            definition.tasks = pointer(instance("tasks", tasks, Tasks).callbacks)
        check(library.dry_world_create(byref(definition), byref(world)))
        assert world.value is not None
        super().__init__(world.value, library.dry_world_destroy)
        self._tasks = tasks

    @property
    def period(self) -> Numbers:
        """The lengths of the periodic box along the world axes, 0 where an axis is open: a copy, (3,) [m]."""
        period = np.empty(3)
        self._call(library.dry_world_get_period, address(period, _DOUBLES))
        return period

    @property
    def strain_rate(self) -> Numbers:
        """The rates at which the periods grow: a copy, (3,) [1/s]. `set_strain_rate` changes it."""
        rates = np.empty(3)
        self._call(library.dry_world_get_strain_rate, address(rates, _DOUBLES))
        return rates

    def set_strain_rate(self, rates: ArrayLike) -> None:
        """Strains the periodic box: in a step of h seconds each period grows by period * rate * h.

        rates: along the world axes, 0 where an axis is open [1/s].

        Bodies are not moved by it. Images are, and contacts across the sides count their velocities. A velocity rate * x of all bodies is
        that of a homogeneous strain. No body falls asleep in a strained box.
        """
        self._call(library.dry_world_set_strain_rate, address(numbers("rates", rates, 3), _DOUBLES))

    @property
    def gravity(self) -> Numbers:
        """World axes: a copy, (3,) [m/s^2]. `set_gravity` changes it."""
        gravity = np.empty(3)
        self._call(library.dry_world_get_gravity, address(gravity, _DOUBLES))
        return gravity

    def settings(self) -> Settings:
        """How the world steps: a copy, which changes nothing until it goes to `set_settings`."""
        settings = Settings()
        self._call(library.dry_world_get_settings, byref(settings), sizeof(settings))
        return settings

    def set_settings(self, settings: Settings) -> None:
        """Changes how the world steps, from the next step on."""
        self._call(library.dry_world_set_settings, byref(instance("settings", settings, Settings)))

    @takes(Settings)
    def configure(self, **members: Unpack[SettingsMembers]) -> None:
        """Changes some of the settings: `world.configure(iterations=100)`."""
        settings = self.settings()
        settings.update(**members)
        self.set_settings(settings)

    def set_gravity(self, gravity: ArrayLike) -> None:
        """Changes the gravity, from the next step on; world axes [m/s^2]."""
        self._call(library.dry_world_set_gravity, address(numbers("gravity", gravity, 3), _DOUBLES))

    def step(self, step: float) -> StepReport:
        """Advances the world by `step` seconds, and says what happened. Ctrl-C takes effect after it.

        After an exception the world is as before. NotConvergedError, only with `require_convergence`, has the report.
        """
        report = StepReport()
        held = nullcontext() if self._tasks is None else self._tasks.interrupts.held()
        try:
            with held:
                self._call(library.dry_world_step, real("step", step), byref(report))
        except NotConvergedError as error:
            error.report = report
            raise
        if self._tasks is not None:
            self._tasks.raise_interruption()
        return report

    @takes(StaticDef)
    def solve_static(self, **members: Unpack[StaticDefMembers]) -> Statics:
        """Balances all loads: bodies move to where their contacts carry their weight and the forces added for the next step.

        Kinematic bodies, moving surfaces and velocity motors move by their velocities times `increment`. A collapse is no error:
        `StaticFlag.COLLAPSE in report.flags`, and nothing has moved then. Ctrl-C stops the call, which then changes nothing.

        progress: a function of the iterations done; a true answer stops the call, which raises StoppedError and changes nothing. So
            does an exception, which is raised. Calls on this world from it raise BusyError.
        every: it is called after so many iterations and again after as many more.
        """
        report, moves = StaticReport(), np.zeros((self._count(library.dry_query_bodies), 6))
        into = address(moves, _DOUBLES), len(moves), byref(report)
        self._solve_static(library.dry_world_solve_static, (), into, members)
        return Statics(report, moves)

    @takes(StaticDef)
    def limit_load(self, unit_loads: ArrayLike, **members: Unpack[StaticDefMembers]) -> LimitLoad:
        """How far loads can grow beside the weight of bodies and the forces added for the next step. Changes nothing.

        unit_loads: (n, 6), a force [N] and a torque [N m] of each body, in the order of creation, world axes.
        progress, every: as in `solve_static`.
        """
        loads = numbers("unit_loads", unit_loads, -1, 6)
        report, mechanism = StaticReport(), np.zeros((len(loads), 6))
        given, into = (address(loads, _DOUBLES), len(loads)), (address(mechanism, _DOUBLES), byref(report))
        self._solve_static(library.dry_world_limit_load, given, into, members)
        return LimitLoad(report, mechanism)

    def _solve_static(self, function: Any, given: Any, into: Any, members: StaticDefMembers) -> None:
        """Calls a function that solves a static problem, with the caller's function between its iterations."""
        watch: Optional[IterationWatch] = members.pop("progress", None)
        watched = WatchedIterations(watch, whole("every", members.pop("every", 1), 1, 2**64 - 1))
        members["progress"], members["every"] = watched.call, watched.every
        definition = StaticDef(**members)
        try:
            with watched.interrupts.held():
                self._call(function, *given, byref(definition), *into)
        except StoppedError:
            watched.raise_thrown()
            raise
        watched.raise_thrown()

    def run(self, step: float, steps: int, progress: Optional[Watch] = None, every: int = 1) -> Run:
        """Advances the world by many steps, as `step` again and again, and says how far it came.

        After an exception the steps before stay. One of `progress`, and Ctrl-C, end the run after the step that was made.

        step: the length of each [s].
        steps: their number.
        progress: a function of the steps done, of all, and of the last one's StepReport; a true answer stops the run, which is no
            failure. Calls on this world from it raise BusyError.
        every: it is called after so many steps, again after as many more, and after the last one.
        """
        count, watched = whole("steps", steps, 0, 2**64 - 1), Watched(progress, whole("every", every, 1, 2**64 - 1))
        done, report = c_uint64(), StepReport()
        into = byref(watched.callback), byref(done), byref(report)
        try:
            with watched.interrupts.held():
                self._call(library.dry_world_run, real("step", step), count, *into)
        except StoppedError:
            watched.raise_thrown()
        except NotConvergedError as error:
            error.report = report
            raise
        watched.raise_thrown()
        if self._tasks is not None:
            self._tasks.raise_interruption()
        return Run(done.value, report if done.value > 0 else None)

    def record_joints(
        self, step: float, steps: int, joints: Optional[ArrayLike] = None, out: Optional[Records] = None
    ) -> Records:
        """Advances the world by steps, and keeps where joints are after each, and what they carried in it.

        An array of JOINT_STATE_DTYPE: `world.record_joints(0.01, 100)["motor_force"]` is (100, joints, 6). If a step fails, `out`
        keeps those before.

        step: the length of each [s].
        steps: their number.
        joints: handles in any order; None: every joint, in the order of creation.
        out: (steps, joints), where to write them, or longer; the part of it that was written is answered.
        """
        named = self.joints() if joints is None else integers("joints", joints, np.uint64, -1)
        states = output("out", out, JOINT_STATE_DTYPE, whole("steps", steps, 0, 2**31 - 1), len(named))[:steps]
        for after in states:
            self.step(step)
            self.joint_states(named, after)
        return states

    @takes(MaterialDef)
    def add_material(self, **members: Unpack[MaterialDefMembers]) -> Material:
        """Adds what bodies are made of: `world.add_material(friction=0.3)`; see MaterialDef."""
        return Material(self._made(library.dry_material_add, byref(MaterialDef(**members))))

    @takes(PairDef)
    def set_pair(self, first: MaterialLike, second: MaterialLike, **members: Unpack[PairDefMembers]) -> None:
        """Says what holds between two materials, in either order, from the next step on; see PairDef."""
        pair = PairDef(**members)
        materials = handle("first", first, Material), handle("second", second, Material)
        self._call(library.dry_material_pair_set, *materials, byref(pair))

    def sphere(self, radius: float) -> Shape:
        """A sphere about its origin; radius above 0 [m]."""
        return Shape(self._made(library.dry_shape_sphere, real("radius", radius)))

    def box(self, half_extents: ArrayLike) -> Shape:
        """A box about its origin, its edges along the body's axes: `world.box((0.5, 0.5, 0.1))`.

        half_extents: (3,), half its edges [m].
        """
        return Shape(self._made(library.dry_shape_box, address(numbers("half_extents", half_extents, 3), _DOUBLES)))

    def capsule(self, half_height: float, radius: float) -> Shape:
        """A cylinder along the body's z axis with half spheres on its ends.

        half_height: half the length between the half spheres, 0 or above [m].
        radius: above 0 [m].
        """
        sizes = real("half_height", half_height), real("radius", radius)
        return Shape(self._made(library.dry_shape_capsule, *sizes))

    def cylinder(self, half_height: float, radius: float) -> Shape:
        """A cylinder about its origin, along the body's z axis; both above 0 [m]."""
        sizes = real("half_height", half_height), real("radius", radius)
        return Shape(self._made(library.dry_shape_cylinder, *sizes))

    def half_space(self, normal: ArrayLike, offset: float) -> Shape:
        """Solid where normal . x <= offset, in body axes; for static and kinematic bodies alone.

        normal: points out of the solid, its length 1 [-].
        offset: distance of the surface from the origin along the normal [m].
        """
        surface = address(numbers("normal", normal, 3), _DOUBLES), real("offset", offset)
        return Shape(self._made(library.dry_shape_half_space, *surface))

    def hull(self, points: ArrayLike) -> Shape:
        """The convex hull of points (n, 3), body axes [m]: at least 4, not all in one plane."""
        corners = numbers("points", points, -1, 3)
        return Shape(self._made(library.dry_shape_hull, address(corners, _DOUBLES), len(corners)))

    def mesh(self, points: ArrayLike, triangles: ArrayLike) -> Shape:
        """A surface of triangles, touchable from both sides; for static and kinematic bodies alone.

        points: (n, 3), body axes [m].
        triangles: (m, 3) indices below n, of either winding.
        """
        corners = numbers("points", points, -1, 3)
        faces = integers("triangles", triangles, np.uint32, -1, 3)
        array, indices = address(corners, _DOUBLES), address(faces, POINTER(c_uint32))
        return Shape(self._made(library.dry_shape_mesh, array, len(corners), indices, len(faces)))

    def clump(self, parts: Iterable[ClumpPart]) -> Shape:
        """The union of convex shapes, rigidly joined, overlapping or not; dynamic bodies can have it.

        parts: `[ClumpPart(shape=ball), ClumpPart(shape=ball, position=(1, 0, 0))]`; the clump has copies of their shapes.
        """
        if not isinstance(parts, Iterable):
            raise TypeError(f"parts is {shown(parts)}, expected several ClumpPart")
        given = [instance(f"parts[{index}]", part, ClumpPart) for index, part in enumerate(parts)]
        array = (ClumpPart * len(given))()
        for place, part in zip(range(len(given)), given):
            array[place] = part
        return Shape(self._made(library.dry_shape_clump, array, len(given)))

    def mass_properties(self, shape: ShapeLike) -> MassProperties:
        """The volume of a shape, and its mass, its centre and its inertia at density 1."""
        volume, mass, center, inertia = c_double(), c_double(), np.empty(3), np.empty(6)
        into = byref(volume), byref(mass), address(center, _DOUBLES), address(inertia, _DOUBLES)
        self._call(library.dry_shape_mass_properties, handle("shape", shape, Shape), *into)
        return MassProperties(volume.value, mass.value, center, inertia)
    def nurbs_curve(
        self,
        points: ArrayLike,
        knots: ArrayLike,
        *,
        degree: int = 3,
        periodic: bool = True,
        weights: Optional[ArrayLike] = None,
        half_depth: float = 0.5,
        contacts: CurveContacts = CurveContacts.MINIMA,
        samples_per_span: int = 4,
    ) -> Shape:
        """A prism along z over a closed NURBS curve, for motion in the x-y plane: `world.nurbs_curve(points, range(len(points) + 1))`.

        points: (n, 2), body axes [m]; counterclockwise, clockwise for a hole.
        knots: (n + 1,) of a periodic curve, (n + degree + 1,) of a clamped one [-].
        weights: (n,) above 0; all 1 if None [-].
        half_depth: half the length along z [m].
        contacts: where two curves touch.
        samples_per_span: of the search for contacts, 1 to 64.
        """
        places, steps = numbers("points", points, -1, 2), numbers("knots", knots, -1)
        heavy = None if weights is None else numbers("weights", weights, len(places))
        definition = NurbsCurveDef(
            degree=whole("degree", degree, 0, 2**32 - 1),
            periodic=truth("periodic", periodic),
            half_depth=real("half_depth", half_depth),
            contacts=choice("contacts", contacts, CurveContacts),
            samples_per_span=whole("samples_per_span", samples_per_span, 0, 2**32 - 1),
        )
        definition.points_xy, definition.point_count = address(places, _DOUBLES), len(places)
        definition.knots, definition.knot_count = address(steps, _DOUBLES), len(steps)
        if heavy is not None:
            definition.weights_or_null = address(heavy, _DOUBLES)
        return Shape(self._made(library.dry_shape_nurbs_curve, byref(definition)))

    def closest(self, shape: ShapeLike, point: ArrayLike) -> Closest:
        """The point of a shape's surface that is closest to a point, shape axes; not of hulls and meshes.

        point: (3,) [m].
        """
        foot, normal, distance = np.empty(3), np.empty(3), c_double()
        into = address(foot, _DOUBLES), address(normal, _DOUBLES), byref(distance)
        where = address(numbers("point", point, 3), _DOUBLES)
        self._call(library.dry_shape_closest, handle("shape", shape, Shape), where, *into)
        return Closest(foot, normal, distance.value)

    def remove_shape(self, shape: ShapeLike) -> None:
        """Removes a shape that no body uses."""
        self._call(library.dry_shape_remove, handle("shape", shape, Shape))

    @takes(BodyDef)
    def add_body(self, **members: Unpack[BodyDefMembers]) -> Body:
        """Adds a body: `world.add_body(shape=ball, position=(0, 0, 1))`; see BodyDef."""
        return Body(self._made(library.dry_body_add, byref(BodyDef(**members))))

    def add_bodies(self, definitions: Records) -> Handles:
        """Adds many bodies, all or none, and answers their handles in the same order.

        definitions: an array of BODY_DEF_DTYPE, made by `body_defs`.
        """
        given = records("definitions", definitions, BODY_DEF_DTYPE)
        bodies = np.empty(len(given), np.uint64)
        defs = address(given, POINTER(BodyDef))
        self._call(library.dry_bodies_add, defs, len(given), address(bodies, _HANDLES))
        return bodies

    def remove_body(self, body: BodyLike) -> None:
        """Removes a body, with its contacts and its joints."""
        self._call(library.dry_body_remove, handle("body", body, Body))

    def bodies(self, out: Optional[Handles] = None) -> Handles:
        """All bodies in the order of their creation.

        out: where to write them, if it has room for all; the part of it that was written is answered.
        """
        return self._filled(library.dry_query_bodies, out, np.uint64, _HANDLES)

    def state(self, body: BodyLike) -> BodyState:
        """Where a body is and how it moves."""
        state = BodyState()
        self._call(library.dry_body_get_state, handle("body", body, Body), byref(state))
        return state

    @takes(BodyState)
    def set_state(
        self, body: BodyLike, state: Optional[BodyState] = None, **members: Unpack[BodyStateMembers]
    ) -> None:
        """Puts a body somewhere and sets its velocities.

        state: all of it, or None: as it is.
        members: what differs from that: `world.set_state(body, position=(0, 0, 1))`.
        """
        state = self.state(body) if state is None else instance("state", state, BodyState).copy()
        state.update(**members)
        self._call(library.dry_body_set_state, handle("body", body, Body), byref(state))

    def states(self, bodies: Optional[ArrayLike] = None, out: Optional[Records] = None) -> Records:
        """Where bodies are and how they move, as an array of BODY_STATE_DTYPE: `world.states()["position"]`.

        bodies: handles in any order; None: every body, in the order of creation.
        out: where to write them; the part of it that was written is answered.
        """
        named = None if bodies is None else integers("bodies", bodies, np.uint64, -1)
        count = self._count(library.dry_query_bodies) if named is None else len(named)
        states = output("out", out, BODY_STATE_DTYPE, count)
        handles = None if named is None else address(named, _HANDLES)
        self._call(library.dry_bodies_get_states, handles, count, address(states, POINTER(BodyState)))
        return states[:count]

    def mass(self, body: BodyLike) -> Mass:
        """The mass of a body, its centre and its inertia."""
        mass, center, inertia = c_double(), np.empty(3), np.empty(6)
        into = byref(mass), address(center, _DOUBLES), address(inertia, _DOUBLES)
        self._call(library.dry_body_get_mass, handle("body", body, Body), *into)
        return Mass(mass.value, center, inertia)

    def user_data(self, body: BodyLike) -> int:
        """The user_data that a body was added with."""
        return self._made(library.dry_body_get_user_data, handle("body", body, Body))

    def add_force(self, body: BodyLike, force: ArrayLike, point: Optional[ArrayLike] = None) -> None:
        """Pushes a dynamic body during the next step; several forces add up.

        force: world axes [N].
        point: where it acts, world axes [m]; None: at the centre of mass.
        """
        where = None if point is None else address(numbers("point", point, 3), _DOUBLES)
        what = address(numbers("force", force, 3), _DOUBLES)
        self._call(library.dry_body_add_force, handle("body", body, Body), what, where)

    def add_torque(self, body: BodyLike, torque: ArrayLike) -> None:
        """Turns a dynamic body during the next step; several torques add up. World axes [N m]."""
        what = address(numbers("torque", torque, 3), _DOUBLES)
        self._call(library.dry_body_add_torque, handle("body", body, Body), what)

    def set_surface_velocity(self, body: BodyLike, linear: ArrayLike, angular: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Makes the surface of a body move over it: a conveyor belt, a track, a drum; zeros end it.

        linear: at the centre of mass, body axes [m/s].
        angular: body axes [rad/s].
        """
        what = address(numbers("linear", linear, 3), _DOUBLES), address(numbers("angular", angular, 3), _DOUBLES)
        self._call(library.dry_body_set_surface_velocity, handle("body", body, Body), *what)

    def surface_velocity(self, body: BodyLike) -> SurfaceVelocity:
        """How the surface of a body moves over it."""
        linear, angular = np.empty(3), np.empty(3)
        into = address(linear, _DOUBLES), address(angular, _DOUBLES)
        self._call(library.dry_body_get_surface_velocity, handle("body", body, Body), *into)
        return SurfaceVelocity(linear, angular)

    def wake(self, body: BodyLike) -> None:
        """Wakes a body and all that fell asleep with it; see `sleeping` of Settings."""
        self._call(library.dry_body_wake, handle("body", body, Body))

    def is_awake(self, body: BodyLike) -> bool:
        """Whether a body is awake. Static and kinematic bodies are."""
        awake = c_uint32()
        self._call(library.dry_body_is_awake, handle("body", body, Body), byref(awake))
        return awake.value != 0

    def contacts(self, out: Optional[Records] = None) -> Records:
        """The contacts of the last step, those that carry nothing included, as an array of CONTACT_DTYPE.

        out: where to write them, if it has room for all; the part of it that was written is answered.
        """
        kind = POINTER(Contact)
        return self._filled(library.dry_query_contacts, out, CONTACT_DTYPE, kind, CONTACT_DTYPE.itemsize)

    def body_force(self, body: BodyLike) -> Force:
        """The sum of the contact forces on a body in the last step; `body_joint_force` has those of joints."""
        force, torque = np.empty(3), np.empty(3)
        into = address(force, _DOUBLES), address(torque, _DOUBLES)
        self._call(library.dry_query_body_force, handle("body", body, Body), *into)
        return Force(force, torque)

    def overlaps(
        self, shapes: ArrayLike, positions: ArrayLike, rotations: Optional[ArrayLike] = None, margin: float = 0
    ) -> Records:
        """The bodies that shapes at poses would overlap, as an array of OVERLAP_DTYPE: pose, an index from 0, body and gap [m].

        A body is listed if its gap is below the margin: those that touch are not listed with a margin of 0. Bodies are where they are
        now, and all of them count, whatever they collide with. The poses do not overlap each other.

        shapes: a handle, or one for each pose.
        positions: (n, 3), of the shapes' origins, world axes [m].
        rotations: (n, 4), unit quaternions (x, y, z, w); None: as the world's axes.
        margin: 0 or above [m].
        """
        places, count = numbers("positions", positions, -1, 3), c_size_t()
        poses = np.zeros(len(places), SHAPE_POSE_DTYPE)
        poses["shape"] = integers("shapes", shapes, np.uint64, *(len(places) for _ in np.shape(shapes)))
        poses["position"] = places
        poses["rotation"] = (0, 0, 0, 1) if rotations is None else numbers("rotations", rotations, len(places), 4)
        given = address(poses, POINTER(ShapePose)), len(poses), real("margin", margin)
        # a query takes time: mostly one is enough
        found = np.empty(16 + 4 * len(poses), OVERLAP_DTYPE)
        while True:
            try:
                into = address(found, POINTER(Overlap)), len(found), byref(count)
                self._call(library.dry_query_overlaps, *given, *into)
            except CapacityError:
                found = np.empty(count.value, OVERLAP_DTYPE)
                continue
            return found[: count.value]

    def energy(self) -> Energy:
        """The energy of the world as it is now."""
        kinetic, potential = c_double(), c_double()
        self._call(library.dry_query_energy, byref(kinetic), byref(potential))
        return Energy(kinetic.value, potential.value)

    def stress(self, lower: ArrayLike, upper: ArrayLike) -> Numbers:
        """The mean stress that contacts carry in a box, (3, 3): -1/V times the sum of l_i f_j [Pa]; tension is positive.

        lower, upper: corners of the box, world axes, lower < upper in every component [m].
        """
        stress = np.empty((3, 3))
        corners = address(numbers("lower", lower, 3), _DOUBLES), address(numbers("upper", upper, 3), _DOUBLES)
        self._call(library.dry_query_stress, *corners, address(stress, _DOUBLES))
        return stress

    def fields(self, points: ArrayLike, kernel: Kernel = Kernel.LUCY, width: float = 0, out: Optional[Records] = None) -> Records:
        """The coarse-grained fields at points, (n, 3) [m], as an array (n,) of FIELD_DTYPE: density, velocity, stress and so on.

        kernel: how bodies and forces are spread over the space around them.
        width: of the kernel [m]; 0: the mean diameter of the dynamic spheres.
        out: where to write them, if it has room for all; the part of it that was written is answered.

        `drystone.granular.fields` has grids, and means over time and along axes.
        """
        places = numbers("points", points, -1, 3)
        fields = output("out", out, FIELD_DTYPE, len(places))
        what = address(places, _DOUBLES), len(places), choice("kernel", kernel, Kernel), real("width", width)
        self._call(library.dry_query_fields, *what, address(fields, POINTER(Field)), FIELD_DTYPE.itemsize)
        return fields[: len(places)]

    @takes(VtkDef)
    def export_vtk(self, prefix: Union[str, os.PathLike[str]], step: int, time: float, **members: Unpack[VtkDefMembers]) -> None:
        """Writes files for ParaView: PREFIX_grains_STEP.vtp and so on, and PREFIX_grains.pvd, which lists the files of all steps.

        prefix: begins the paths: a folder that exists, and the name of the run.
        step: the number in the names of the files. Files of this and later steps are dropped from the series.
        time: of the step [s].
        """
        if not isinstance(prefix, (str, os.PathLike)):
            raise TypeError(f"prefix is {prefix!r}, expected a path")
        path = os.fsdecode(os.fspath(prefix)).encode("utf-8")
        if b"\0" in path:
            raise ValueError(f"prefix is {prefix!r}, expected a path without zeros")
        number = whole("step", step, 0, 2**64 - 1)
        self._call(library.dry_world_export_vtk, path, number, real("time", time), byref(VtkDef(**members)))

    def hash(self) -> int:
        """A number for the full dynamic state: two worlds of one build with the same hash go on alike."""
        return self._made(library.dry_world_hash)

    def snapshot(self) -> bytes:
        """The full dynamic state as bytes: a world restored from it goes on as this one, bit for bit."""
        return self._filled(library.dry_world_snapshot, None, np.uint8, POINTER(c_uint8)).tobytes()

    def restore(self, snapshot: bytes) -> None:
        """Puts the world into the state of a snapshot, settings included. Its threads stay.

        FormatError: the snapshot is not whole, or of another format; the world is as before.
        """
        buffer = np.frombuffer(instance("snapshot", snapshot, bytes), np.uint8)
        self._call(library.dry_world_restore, address(buffer, POINTER(c_uint8)), len(buffer))

    @classmethod
    def from_snapshot(cls, snapshot: bytes, *, threads: int = 1, tasks: Optional[Tasks] = None) -> World:
        """A new world in the state of a snapshot. `threads` and `tasks` are as of a new world."""
        world = cls(threads=threads, tasks=tasks)
        world.restore(snapshot)
        return world

    def copy(self) -> World:
        """An equal world, which shares the threads of this one; `copy.copy` and `copy.deepcopy` make the same.

        Handles of one are valid in the other, and both go on alike.
        """
        pointer = c_void_p()
        self._call(library.dry_world_clone, byref(pointer))
        assert pointer.value is not None
        world = type(self).__new__(type(self))
        Owned.__init__(world, pointer.value, library.dry_world_destroy)
        world._tasks = self._tasks
        return world

    def __copy__(self) -> World:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> World:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled world is its snapshot: the world that is read steps on the calling thread alone."""
        return type(self).from_snapshot, (self.snapshot(),)
