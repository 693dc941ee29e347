# The interface of the library, as `drystone.h` declares it.
#
# Generated from bindings/drystone.json by bindings/generate/julia.py: do not edit.

const VERSION_OF_HEADER = v"0.1.0"

"""
dry_settings.diagnostics: the step sums up its energies, for the members of the report from elastic_energy on.
Costs about as much as one sweep.
"""
const DRY_DIAGNOSE_ENERGY = UInt32(1)

"""
dry_settings.diagnostics: the step measures its residuals by kind of row: residual_normal, residual_friction and
residual_rolling of the report.
"""
const DRY_DIAGNOSE_RESIDUALS = UInt32(2)

"dry_step_report.flags: residual_max stayed above the tolerance."
const DRY_REPORT_NOT_CONVERGED = UInt32(1)

"dry_step_report.flags: in at least one island the projection was rejected."
const DRY_REPORT_PROJECTION_REJECTED = UInt32(2)

"dry_step_report.flags: the correction found loads that no contact forces carry."
const DRY_REPORT_COMPATIBILITY_INFEASIBLE = UInt32(4)

"dry_step_report.flags: the correction stopped above its tolerance, or the elastic form of friction was not found."
const DRY_REPORT_COMPATIBILITY_NOT_CONVERGED = UInt32(8)

"""
dry_step_report.flags: an island was larger than newton_limit, or had a ball joint with dry friction, and was solved
by DRY_SOLVER_PGS_ACCELERATED.
"""
const DRY_REPORT_FALLBACK = UInt32(16)

"""
dry_step_report.flags: in at least one island the compatible forces are not unique. The correction kept a part of
the solver's forces unchanged. This part can be friction with DRY_COMPATIBLE_FRICTION_OFF, torques of rolling and
twisting, or impulses of rows that scale bounds or whose bounds are scaled or exclude 0. It can be all forces
where the correction found none. The flag is set too where rows without compliance follow from others. It is also
set where the residual of the solve is so large that the forces depend on the order of sweeps by more than 1e-8 of
the largest one.
"""
const DRY_REPORT_COMPATIBILITY_NOT_UNIQUE = UInt32(32)

"""
dry_step_report.flags: in at least one island no velocities obey all contacts and joints, such as a body between
two walls that come closer. DRY_SOLVER_CONIC detects this. So does DRY_SOLVER_NEWTON with the associated law on
compliant contacts. The other solvers leave a residual. The answer is as near as they came.
"""
const DRY_REPORT_INFEASIBLE = UInt32(64)

"""
dry_static_report.flags: the loads cannot be carried. Bodies would move further than max_displacement, or for ever.
Nearly every collapse has DRY_STATIC_NOT_CONVERGED too, since no forces balance the loads: test the bit.
"""
const DRY_STATIC_COLLAPSE = UInt32(1)

"dry_static_report.flags: the result is less exact than the tolerance requires."
const DRY_STATIC_NOT_CONVERGED = UInt32(2)

"dry_static_report.flags: of a limit load: it can grow without bound, as on a wedge that holds itself."
const DRY_STATIC_UNBOUNDED = UInt32(4)

"""
dry_static_report.flags: of a limit load: a contact slides in the mechanism. With Coulomb's law the load that is
carried can then be lower: load_factor is its upper bound.
"""
const DRY_STATIC_SLIDING_MECHANISM = UInt32(8)

"""
dry_static_report.flags: with DRY_FRICTION_COULOMB no forces that obey Coulomb's law were found. Those of the
associated law stand.
"""
const DRY_STATIC_NOT_COULOMB = UInt32(16)

"dry_body_def.lock: the body does not move along x."
const DRY_LOCK_X = UInt32(1)

"dry_body_def.lock: the body does not move along y."
const DRY_LOCK_Y = UInt32(2)

"dry_body_def.lock: the body does not move along z."
const DRY_LOCK_Z = UInt32(4)

"dry_body_def.lock: the body does not turn about x."
const DRY_LOCK_ROTATION_X = UInt32(8)

"dry_body_def.lock: the body does not turn about y."
const DRY_LOCK_ROTATION_Y = UInt32(16)

"dry_body_def.lock: the body does not turn about z."
const DRY_LOCK_ROTATION_Z = UInt32(32)

"dry_body_def.lock: the body stays in its plane z = constant: DRY_LOCK_Z, DRY_LOCK_ROTATION_X and DRY_LOCK_ROTATION_Y."
const DRY_LOCK_PLANAR = UInt32(28)

"dry_joint_def.flags: the two bodies collide with each other. Without it they have no contacts."
const DRY_JOINT_COLLIDE = UInt32(1)

"dry_joint_state.axis_flags: the lower bound of the axis, or the least length of a strut, carries a force."
const DRY_JOINT_AT_LOWER = UInt32(2)

"dry_joint_state.axis_flags: the upper bound of the axis, or the length of a rope, carries a force."
const DRY_JOINT_AT_UPPER = UInt32(4)

"dry_joint_state.axis_flags: the motor of the axis is at a bound of its force."
const DRY_JOINT_SATURATED = UInt32(8)

"""
dry_joint_state.axis_flags: the axis has dry friction, which was below its bound in the last substep. Where no turn
is locked, axes 3, 4, 5 have this flag together.
"""
const DRY_JOINT_STICKING = UInt32(16)

"""
dry_joint_state.flags: a load above a bound of its definition broke the joint. It carries nothing until
dry_joint_set_enabled switches it on again. dry_query_joint_events lists the joints that broke in the last step.
"""
const DRY_JOINT_BROKEN = UInt32(32)

"dry_joint_state.flags: dry_joint_set_enabled switched the joint off."
const DRY_JOINT_DISABLED = UInt32(64)

"""
dry_joint_state.flags: rows of its mechanism, of whichever joints, follow from others in the last step, as where
three hinges hold a door. The forces are the smallest ones that hold it.
"""
const DRY_JOINT_REDUNDANT = UInt32(128)

"""
dry_joint_state.flags: its mechanism was too stiff to be aimed in the last step; see
dry_step_report.unaimed_mechanisms.
"""
const DRY_JOINT_UNAIMED = UInt32(256)

"dry_contact.state: the contact carries impulse."
const DRY_CONTACT_ACTIVE = UInt32(1)

"dry_contact.state: it slides, its friction on the cone. An active contact that does not slide sticks."
const DRY_CONTACT_SLIDING = UInt32(2)

"""
dry_contact.state: it rolls and does not slide, its rolling or twisting resistance at its bound. Only where the
materials resist rolling or twisting.
"""
const DRY_CONTACT_ROLLING = UInt32(4)

"dry_contact.state: the step before did not have it."
const DRY_CONTACT_NEW = UInt32(8)

"dry_vtk_def.parts: spheres as points."
const DRY_VTK_GRAINS = UInt32(1)

"dry_vtk_def.parts: contacts as lines."
const DRY_VTK_CONTACTS = UInt32(2)

"dry_vtk_def.parts: bodies of all other shapes as polygons."
const DRY_VTK_SURFACES = UInt32(4)

"dry_vtk_def.parts: fields on a grid of points, which must be set."
const DRY_VTK_FIELDS = UInt32(8)

"""
The status that a call returns if it can fail.

After a failure outputs are untouched and the world is as before the call. There are three exceptions.
DRY_ERR_CAPACITY writes the full number. DRY_ERR_NOT_CONVERGED writes the report, and of a solver the solution.
dry_world_run keeps the steps that it completed, and writes their number.

- `DRY_OK`: The call succeeded.
- `DRY_ERR_NULL`: A required pointer was NULL.
- `DRY_ERR_ABI`: The library does not know this struct_size: the structure was not initialised, or its header is newer.
- `DRY_ERR_ARGUMENT`: A value outside its range.
- `DRY_ERR_NOT_FINITE`: NaN or infinity in the input, or a step or solve that would have ended in one or beyond the
  limits, undone.
- `DRY_ERR_STALE_HANDLE`: No such object, or it was removed or destroyed, or the handle is of another kind.
- `DRY_ERR_CAPACITY`: The caller's buffer is too small; the count is the full number.
- `DRY_ERR_UNSUPPORTED`: A function, setting or combination that this version does not offer.
- `DRY_ERR_NOT_CONVERGED`: Only with require_convergence: the step was undone, its report is written; of a solver the
  solution too.
- `DRY_ERR_FORMAT`: A snapshot or a file that does not have the format of its kind.
- `DRY_ERR_IO`: Reading or writing a file failed.
- `DRY_ERR_BUSY`: A call from inside a callback, or while a step runs on the host's tasks; a solver in use by another
  thread.
- `DRY_ERR_INTERNAL`: A defect of drystone, caught; the world, or the solver, can only be destroyed.
- `DRY_ERR_MEMORY`: An allocation sized by the input failed.
- `DRY_ERR_STOPPED`: The function that dry_world_run calls between steps, or a solver or a static problem between
  iterations, asked to stop. A run keeps the steps before; otherwise the solver or the world is as before the call.
"""
@enum Status::Int32 begin
    DRY_OK = 0
    DRY_ERR_NULL = 1
    DRY_ERR_ABI = 2
    DRY_ERR_ARGUMENT = 3
    DRY_ERR_NOT_FINITE = 4
    DRY_ERR_STALE_HANDLE = 5
    DRY_ERR_CAPACITY = 6
    DRY_ERR_UNSUPPORTED = 7
    DRY_ERR_NOT_CONVERGED = 8
    DRY_ERR_FORMAT = 9
    DRY_ERR_IO = 10
    DRY_ERR_BUSY = 11
    DRY_ERR_INTERNAL = 12
    DRY_ERR_MEMORY = 13
    DRY_ERR_STOPPED = 14
end

"""
How contacts act on bodies.

- `DRY_METHOD_RIGID`: Rigid contacts: no overlap, no elasticity.
- `DRY_METHOD_SPOOK`: Elastic contacts of given stiffness, with an integrator that is stable for any of them: SPOOK.
  Overlap carries the load: at rest each contact has the force of contact_law, whatever the step, and forces are unique.
  Contacts across a gap have none. Impacts faster than restitution_threshold are solved first, in a stage before the
  forces act. All contacts that touch belong to that stage: fast ones have their restitution, others have none. Overlap
  is not undone: position_projection and push_out_velocity are not used. Neither is compatibility, since compatible
  forces are those of the contacts. Bodies should overlap by a few percent at most: choose young_modulus or
  contact_stiffness by the load, not by the material alone.
- `DRY_METHOD_THETA`: Rigid and elastic contacts in one world, with the theta method: bodies move with theta times their
  velocity after the step and 1 - theta times that before it. Contacts are elastic where the materials have a
  normal_stiffness. Their normal force is that stiffness times the overlap at the end of the step. Friction that sticks
  is a spring too, whose force is remembered and turns with the bodies. Forces are unique. The swings of an elastic
  contact that stays closed decrease by the factor (1 + theta h^2 k/m)^(-1/2) in each step. The method ignores
  restitution: a rigid contact turns back (1 - theta)/theta of its velocity. Where it sticks, this holds tangentially
  too, so at 0.5 it goes on ringing. Overlap of rigid contacts is undone as by DRY_METHOD_RIGID. There is no
  compatibility correction.
"""
@enum Method::Int32 begin
    DRY_METHOD_RIGID = 0
    DRY_METHOD_SPOOK = 1
    DRY_METHOD_THETA = 2
end

"""
How the contact problem of a step is solved, island by island.

All stop at the tolerance and report the true residual. DRY_SOLVER_PGS with a tolerance above 0, and the others
always, return no larger residual than that of their start.

- `DRY_SOLVER_PGS`: Projected Gauss-Seidel: sweeps over the contacts, each solved on its own. 50 sweeps where iterations
  is 0.
- `DRY_SOLVER_PGS_ACCELERATED`: The same, extrapolated from the last sweeps: up to tens of times fewer of them to a
  small tolerance. 50 sweeps where iterations is 0.
- `DRY_SOLVER_NEWTON`: Proximal point and semismooth Newton steps: to round-off where sweeps stall, for islands of up to
  some thousand contacts; see newton_limit. Up to 1000 steps where iterations is 0; it ends when it can do no better.
- `DRY_SOLVER_APGD`: Accelerated projected gradient. It needs no factorisation. 500 steps where iterations is 0. Memory
  and the time of a step are in proportion to the contacts.
- `DRY_SOLVER_CONIC`: Interior points on the convex problem of DRY_FRICTION_ASSOCIATED, then Newton steps. It takes some
  10 to 40 steps from any start, also where masses differ much, and reaches 1e-13 of the speeds. Each step factors a
  matrix of six rows per body. Other laws of friction are refused, and so are problems without bodies. Islands with rows
  that bound other rows, or with a ball joint that has dry friction, are solved by DRY_SOLVER_PGS_ACCELERATED
  (DRY_REPORT_FALLBACK). See DRY_REPORT_INFEASIBLE.
"""
@enum SolverKind::Int32 begin
    DRY_SOLVER_PGS = 0
    DRY_SOLVER_PGS_ACCELERATED = 1
    DRY_SOLVER_NEWTON = 2
    DRY_SOLVER_APGD = 3
    DRY_SOLVER_CONIC = 4
end

"""
The order in which a sweep visits the contacts.

- `DRY_SWEEP_COLORED`: In batches of contacts that share no moving body.
- `DRY_SWEEP_NATURAL`: One after the other: those of a world along a curve that fills space, those of the host as it
  lists them.
- `DRY_SWEEP_SYMMETRIC`: Alternately forward and backward.
- `DRY_SWEEP_RANDOM`: In a new order for each sweep, drawn from the seed. Another seed may give other forces of the same
  motion.
"""
@enum Sweep::Int32 begin
    DRY_SWEEP_COLORED = 0
    DRY_SWEEP_NATURAL = 1
    DRY_SWEEP_SYMMETRIC = 2
    DRY_SWEEP_RANDOM = 3
end

"""
How one contact is solved within a sweep. Offered in this version: DRY_LOCAL_BLOCK.

- `DRY_LOCAL_BLOCK`: Normal and friction together, exactly.
- `DRY_LOCAL_ROWS`: Row by row, each clamped. Not offered yet.
"""
@enum LocalSolver::Int32 begin
    DRY_LOCAL_BLOCK = 0
    DRY_LOCAL_ROWS = 1
end

"""
Where the impulses of a step start.

- `DRY_WARM_OFF`: From zero.
- `DRY_WARM_HISTORY`: From those of the last step, applied to the velocities too.
- `DRY_WARM_MODEL`: From what the law of each contact gives at its overlap, along the normals. Of DRY_METHOD_SPOOK; own
  contacts have no such law.
- `DRY_WARM_NORMALS`: From the normal impulses of the last step, without friction.
- `DRY_WARM_HISTORY_NO_VELOCITY`: From those of the last step, not applied to the velocities. Only for comparison: it
  fails.
- `DRY_WARM_GUARDED`: From those of the last step, scaled so that the start is never worse than zero.
- `DRY_WARM_COMPATIBLE`: From the compatible forces of the last step; without a correction the same as DRY_WARM_HISTORY.
"""
@enum WarmStart::Int32 begin
    DRY_WARM_OFF = 0
    DRY_WARM_HISTORY = 1
    DRY_WARM_MODEL = 2
    DRY_WARM_NORMALS = 3
    DRY_WARM_HISTORY_NO_VELOCITY = 4
    DRY_WARM_GUARDED = 5
    DRY_WARM_COMPATIBLE = 6
end

"""
The law of friction.

- `DRY_FRICTION_COULOMB`: Coulomb's law on the round cone: friction opposes sliding.
- `DRY_FRICTION_ASSOCIATED`: The convex law on the same cone: sliding lifts bodies. A sliding contact opens along the
  normal with friction times its sliding speed, and likewise by rolling and twisting at their bounds. Contacts that
  stick are as with DRY_FRICTION_COULOMB. The step is one convex programme, so its velocities are unique, but sliding of
  rigid contacts loses no energy. A contact across a gap up to contact_margin acts before it closes where friction times
  the sliding speed times the step is above the gap that is left. Contacts that stick to bodies that turn drift along
  them by the error of a step.
- `DRY_FRICTION_BOX`: Two rows across the normal, each bounded by friction times the normal impulse, as legacy solvers
  have them: along the diagonals the friction bound is sqrt(2) times as large. For a normal (x, y, z) the first row lies
  along t1 = (1 - s c x x, -s c x y, -s x). The second row lies along t2 = (-c x y, s - c y y, -y). Here s is 1 for z >=
  0 and -1 below, and c = 1 / (s + z). Rolling about t1, about t2 and twisting are bounded rows too.
"""
@enum FrictionLaw::Int32 begin
    DRY_FRICTION_COULOMB = 0
    DRY_FRICTION_ASSOCIATED = 1
    DRY_FRICTION_BOX = 2
end

"""
The islands for which the stick projection follows the solver. An island is a group of bodies that touch. The
projection turns what sticks into exact constraints, so that nothing creeps: friction and rolling below their
bounds, closed contacts, bilateral rows. Its result is used where it lowers the residual.

- `DRY_PROJECTION_OFF`: None.
- `DRY_PROJECTION_STICK`: All islands. Costs next to nothing at rest, and far more than the sweeps in large piles that
  still move. Choose it for heavy bodies on light ones, above 100 : 1: 10^4 kg rest on 1 kg.
- `DRY_PROJECTION_AUTO`: Those for which it pays, so that stacks, walls and towers stand. These are islands of at most
  2000 bodies whose residual is above that of rest, and above the tolerance. The projection takes at most a tenth of the
  work of their sweeps, and as much as these in islands of up to 64 bodies without joints. Another island that it did
  not bring to rest has to wait. Work is counted, not timed: the choice is the same on every machine.
  DRY_REPORT_PROJECTION_REJECTED is never set. Problems without bodies are solved as with DRY_PROJECTION_OFF.
"""
@enum Projection::Int32 begin
    DRY_PROJECTION_OFF = 0
    DRY_PROJECTION_STICK = 1
    DRY_PROJECTION_AUTO = 2
end

"""
The elastic law that makes contact forces unique. Among all forces that move the bodies in the same way, it
selects those that stiff elastic contacts carry. In dry_solver_solve the rows of own problems hold the
displacements of these contacts: without compliance rigidly, else as springs, within their bounds. A row that
rests at a bound and moves away from it, at more than closing_velocity of the report, keeps its impulse. So do
rows that scale bounds, and rows whose bounds are scaled or exclude 0. The correction runs on the answer of the
solver, per island, and changes neither velocities nor normal_force and friction_force. Relative stiffness: the
two moduli of the materials in series, or the pair's own.

- `DRY_COMPATIBILITY_OFF`: No correction.
- `DRY_COMPATIBILITY_HOOKE`: Linear contacts.
- `DRY_COMPATIBILITY_HERTZ`: Hertz contacts, exponent 5/2: stiffness (4/3) E* sqrt(r*) of both materials and the radii
  of curvature. Two flat places have no radius: there it is that of the materials.
- `DRY_COMPATIBILITY_POWER`: Contacts of any exponent above 1, compatibility_exponent: 2 is linear.
"""
@enum Compatibility::Int32 begin
    DRY_COMPATIBILITY_OFF = 0
    DRY_COMPATIBILITY_HOOKE = 1
    DRY_COMPATIBILITY_HERTZ = 2
    DRY_COMPATIBILITY_POWER = 3
end

"""
How the correction treats friction. The convex and the elastic form keep friction within its bounds, and agree
where nothing slides.

- `DRY_COMPATIBLE_FRICTION_OFF`: Keeps the friction of the solver, so forces are not unique where there is friction. The
  report counts contacts where friction then exceeds its bound.
- `DRY_COMPATIBLE_FRICTION_ASSOCIATED`: Corrects it in the convex form, in which sliding contacts are pressed apart.
- `DRY_COMPATIBLE_FRICTION_ELASTIC`: Corrects it to the limit of stiff elastic contacts under a load that grows in
  proportion. Where the correction does not find that limit, the convex form holds. The report counts such islands
  (associated_islands).
- `DRY_COMPATIBLE_FRICTION_AUTO`: DRY_COMPATIBLE_FRICTION_ASSOCIATED in islands that have friction. Elsewhere all forms
  give the same forces, and the normal ones alone are corrected.
"""
@enum CompatibleFriction::Int32 begin
    DRY_COMPATIBLE_FRICTION_OFF = 0
    DRY_COMPATIBLE_FRICTION_ASSOCIATED = 1
    DRY_COMPATIBLE_FRICTION_ELASTIC = 2
    DRY_COMPATIBLE_FRICTION_AUTO = 3
end

"""
How joints are solved, and the rows without bounds of own problems.

- `DRY_JOINTS_SPLIT`: Bodies that joints connect are solved as one mechanism, exactly and for any number of sweeps.
  Contacts meet its true inertia: that of the arm behind the bucket. Sweeps visit its contacts, and its bounds, motors
  with bounds and friction. A mechanism with many of them is solved as by DRY_JOINTS_ROWS: where six for each of its
  bodies with contacts, and one for each of these rows, are above 128.
- `DRY_JOINTS_ROWS`: The rows of joints are swept like contacts. Faster where thousands of bodies hang together in
  loops; long chains, and light bodies between heavy ones, need many sweeps.
"""
@enum JointSolver::Int32 begin
    DRY_JOINTS_SPLIT = 0
    DRY_JOINTS_ROWS = 1
end

"""
How the force of a compliant contact grows with its overlap delta. Of DRY_METHOD_SPOOK.

- `DRY_LAW_HERTZ`: k delta^(3/2), with k = (4/3) E* sqrt(r*) [N/m^1.5].
- `DRY_LAW_HOOKE`: k delta, with k = E* r* [N/m].
"""
@enum ContactLaw::Int32 begin
    DRY_LAW_HERTZ = 0
    DRY_LAW_HOOKE = 1
end

"""
Where NURBS curves touch each other.

- `DRY_CURVE_MINIMA`: Where the distance between the two has a minimum; at both ends of a stretch along which they are
  nearly parallel.
- `DRY_CURVE_KNOTS`: At each sample of either curve that overlaps the other, with the normal of the other. For
  comparison: overlaps between samples are missed, and the two sets of samples make the contact twice as stiff.
"""
@enum CurveContacts::Int32 begin
    DRY_CURVE_MINIMA = 0
    DRY_CURVE_KNOTS = 1
end

"""
How a body moves.

- `DRY_STATIC`: Never.
- `DRY_KINEMATIC`: With the velocities that its host sets through dry_body_set_state; contacts and forces do not change
  them.
- `DRY_DYNAMIC`: By gravity, forces and contacts.
"""
@enum BodyKind::Int32 begin
    DRY_STATIC = 0
    DRY_KINEMATIC = 1
    DRY_DYNAMIC = 2
end

"""
The motions that a joint locks. z is the axis of hinge, slider and cylindrical, the normal of planar, the twist
axis of ball.

A joint has six axes. 0, 1, 2 are the displacements of the origin of frame B along x, y, z of frame A [m]. 3, 4,
5 are the turns of frame B about x, y, z as seen from frame A [rad]. A kind leaves some of them free; these have
a dry_joint_axis. Where one turn is free, its full turns are counted, as long as a step makes less than half a
turn.

- `DRY_JOINT_BALL`: Locks the displacements. Free: 5, the twist about z, and 3, the angle between the z axes of both
  frames, 0 or above: an upper bound of axis 3 makes a cone.
- `DRY_JOINT_HINGE`: Locks all but 5, the turn about z.
- `DRY_JOINT_SLIDER`: Locks all but 2, the displacement along z.
- `DRY_JOINT_FIXED`: Locks all axes.
- `DRY_JOINT_DISTANCE`: Holds the distance of the origins of the frames between length_min and length_max. Free: 0, the
  distance.
- `DRY_JOINT_UNIVERSAL`: Locks the displacements, and holds x of frame A perpendicular to y of frame B. Free: 3, the
  turn about x of frame A, and 4, that about y of frame B.
- `DRY_JOINT_CYLINDRICAL`: Locks all but 2, the displacement along z, and 5, the turn about z.
- `DRY_JOINT_PLANAR`: Locks 2, the displacement along z, and the turns about x and y. Free: 0, 1 and 5.
- `DRY_JOINT_GENERAL`: Locks the axes whose mode is DRY_JOINT_MODE_LOCKED: at first all six. Where no turn is locked,
  the turns are those of a ball.
"""
@enum JointKind::Int32 begin
    DRY_JOINT_BALL = 0
    DRY_JOINT_HINGE = 1
    DRY_JOINT_SLIDER = 2
    DRY_JOINT_FIXED = 3
    DRY_JOINT_DISTANCE = 4
    DRY_JOINT_UNIVERSAL = 5
    DRY_JOINT_CYLINDRICAL = 6
    DRY_JOINT_PLANAR = 7
    DRY_JOINT_GENERAL = 8
end

"""
Whether an axis of a joint may move.

- `DRY_JOINT_MODE_FREE`: Without bounds.
- `DRY_JOINT_MODE_LOCKED`: Not at all, without motor and spring. Only axes of DRY_JOINT_GENERAL can be locked by their
  mode.
- `DRY_JOINT_MODE_LIMITED`: From lower to upper.
"""
@enum JointMode::Int32 begin
    DRY_JOINT_MODE_FREE = 0
    DRY_JOINT_MODE_LOCKED = 1
    DRY_JOINT_MODE_LIMITED = 2
end

"""
What the motor of an axis does, with a force from force_lower to force_upper.

- `DRY_JOINT_MOTOR_OFF`: Nothing.
- `DRY_JOINT_MOTOR_VELOCITY`: It brings the axis to target_velocity within a step, as far as its force allows.
  target_position has no effect.
- `DRY_JOINT_MOTOR_POSITION`: It pulls the axis to target_position as a spring of motor_stiffness and a damper of
  motor_damping, which acts on the velocity relative to target_velocity.
"""
@enum JointMotor::Int32 begin
    DRY_JOINT_MOTOR_OFF = 0
    DRY_JOINT_MOTOR_VELOCITY = 1
    DRY_JOINT_MOTOR_POSITION = 2
end

"""
The kind of an event of a joint. More may be added.

- `DRY_JOINT_EVENT_BROKEN`: A load above a bound of its definition broke it. dry_joint_get_state still has the forces of
  that step.
- `DRY_JOINT_EVENT_LIMIT`: An axis came to a bound at which it was not before: its position reached the bound, or the
  bound began to carry a force. The two lengths of a rope or strut are bounds of axis 0. Two equal bounds hold an axis
  and have no events.
"""
@enum JointEventType::Int32 begin
    DRY_JOINT_EVENT_BROKEN = 0
    DRY_JOINT_EVENT_LIMIT = 1
end

"""
How a body or a force is spread over the space around it. w is the width of the kernel, r the distance.

Both are not negative, and their integral over space is 1.

- `DRY_KERNEL_GAUSSIAN`: In proportion to exp(-r^2 / (2 w^2)), and 0 beyond R = 3 w.
- `DRY_KERNEL_LUCY`: 105 / (16 pi R^3) (1 + 3 r/R) (1 - r/R)^3 with R = 2 w, and 0 beyond. Smooth at R, so that fields
  can be differentiated.
"""
@enum Kernel::Int32 begin
    DRY_KERNEL_GAUSSIAN = 0
    DRY_KERNEL_LUCY = 1
end

"A material of a world. 0 is null: the world's default material."
primitive type Material <: Handle 64 end

"A shape of a world. 0 is null."
primitive type Shape <: Handle 64 end

"A body of a world. 0 is null; as a partner of a contact: the fixed world."
primitive type Body <: Handle 64 end

"A joint of a world. 0 is null."
primitive type Joint <: Handle 64 end

"""
How a world steps. Filled in by dry_settings_init; grows at its end.

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
"""
struct Settings
    "Bytes of this structure."
    struct_size::Csize_t
    "How contacts act on bodies; own contacts bring their compliance, and do not use it. Default DRY_METHOD_RIGID."
    method::Method
    "How the contact problem is solved. Default DRY_SOLVER_PGS."
    solver::SolverKind
    "In which order contacts are visited. Default DRY_SWEEP_COLORED."
    sweep::Sweep
    "How one contact is solved. Default DRY_LOCAL_BLOCK."
    local_solver::LocalSolver
    "Where impulses start. Default DRY_WARM_HISTORY."
    warm_start::WarmStart
    "Default DRY_FRICTION_COULOMB."
    friction_law::FrictionLaw
    "The projection that follows the sweeps. Default DRY_PROJECTION_AUTO."
    projection::Projection
    "The law of the compatibility correction. Default DRY_COMPATIBILITY_OFF."
    compatibility::Compatibility
    "How the correction treats friction. Default DRY_COMPATIBLE_FRICTION_AUTO."
    compatible_friction::CompatibleFriction
    """
    Most sweeps per step, or steps of Newton or of gradients. 0, the default: the number that dry_solver_kind gives,
    50 for sweeps. Usual: 10 to 200. With too few, tall piles sink and forces do not balance between bodies; the
    reported residual shows it.
    """
    iterations::UInt32
    "Of DRY_PROJECTION_STICK and DRY_PROJECTION_AUTO: most passes. Default 3; 0 is none at all."
    projection_passes::UInt32
    """
    Flag, default 1: overlap is undone by moving bodies after the step, so that it costs no force and no energy.
    A fifth of what overlaps at the end of a step is undone in it. Where two bodies touch at several points, up
    to a tenth of contact_margin is left for as long as the sweeps have not converged: it keeps stacks from
    rocking. 0: overlap is undone through the velocities, as legacy engines do, and reported forces contain it.
    """
    position_projection::UInt32
    """
    Flag, default 0. 1: bodies that rest fall asleep and cost nothing until something wakes them. Bodies that
    touch fall asleep together; static bodies do not connect them. They fall asleep when all have been slow for
    half a second. A body is slow if no point of it is faster than 2 % of the speed that gravity gives a body in a
    substep. In that time no force of the host may act on them, and nothing that moves may touch them. A body
    alone without weight must be at rest exactly.

    A sleeping body has no velocity. Its last step determines its contacts, its forces and those on the bodies
    below it, whatever the length of later steps. They balance its weight to that 2 %, and as well as the sweeps
    had converged by then. Only the compatible forces of bodies that are awake are corrected.

    What wakes a body wakes all that fell asleep with it, at once. A moving body that comes within contact_margin
    wakes it, and the same step solves that contact. A force or torque that is not zero, a new state, and
    dry_body_wake wake it too. So does any change of a static or kinematic body on which it rests, or that comes
    to lie against it. So does the removal of a body that it touches. Bodies of a joint fall asleep and wake
    together. A motor whose target moves keeps them awake, and any change of the joint wakes them. Another
    gravity, other settings and another pair of materials wake all bodies. Keys and the impulses to start from
    outlast sleep.
    """
    sleeping::UInt32
    """
    Flag, default 0. 1: a step whose largest residual stays above tolerance is undone and returns
    DRY_ERR_NOT_CONVERGED; its report is written. Needs a tolerance above 0.
    """
    require_convergence::UInt32
    "Of DRY_SWEEP_RANDOM. Default 0; any number."
    seed::UInt64
    """
    The sweeps end when the largest residual over the contacts is below this [m/s]. Default 0: all sweeps are
    done; in islands of up to 64 contacts without rows they end where one only changes round-off. Usual: 1e-8 to
    1e-4 of the speeds in play; below about 1e-15 of them round-off is in the way.
    """
    tolerance::Cdouble
    """
    Factor on the change of a contact's impulse, above 0 and below 2 [-]. Default 1. Below 1 sweeps converge more
    slowly; much above 1 they swing in stiff piles, and near 2 they add energy.
    """
    relaxation::Cdouble
    """
    Factor on the impulses that a step starts from, 0 to 1 [-]. Default 1. With less and few sweeps a pile rests on
    forces that are steadily too small; at 1 it may jitter instead.
    """
    warm_start_factor::Cdouble
    """
    Of DRY_METHOD_THETA: the weight of the velocity after the step, 0.5 to 1 [-]. Default 0.5. At 1 bodies move with
    it alone, and pressed bodies come to rest. At 0.5 elastic contacts with h^2 k/m far above 1 ring: they rebound
    with nearly no loss of energy.
    """
    theta::Cdouble
    "Of DRY_COMPATIBILITY_POWER, above 1 [-]. Default 2."
    compatibility_exponent::Cdouble
    """
    Of the correction: how well compatible forces have the resultants of the solver's, relative, above 0 [-].
    Default 1e-10.
    """
    compatibility_tolerance::Cdouble
    """
    Tangential over normal stiffness of the correction, above 0 [-]. Default 2/7. Not the stiffness of this name in
    dry_material_def, which is that of the contacts of DRY_METHOD_THETA.
    """
    tangential_stiffness::Cdouble
    """
    Contacts are made up to this gap, 0 or above [m]. Default 1e-3. Choose 1 to 10 % of the smallest body, or the
    distance travelled in a step. A body that moves further in one step may overlap for a step. A wide margin
    costs contacts that carry nothing.
    """
    contact_margin::Cdouble
    """
    Largest speed at which overlap is undone, 0 or above [m/s]. Default 1. At 0 overlap stays; at large values
    bodies that were put into each other jump apart.
    """
    push_out_velocity::Cdouble
    """
    A contact approaching faster than this takes restitution, in the step in which it would close; 0 or above [m/s].
    Default 0.01. Near 0 a resting pile rattles; above the impact speeds nothing rebounds.
    """
    restitution_threshold::Cdouble
    """
    Of DRY_SOLVER_NEWTON: the largest island, counted in contacts and rows, that it solves. Larger ones are solved
    by DRY_SOLVER_PGS_ACCELERATED, and the report has the flag DRY_REPORT_FALLBACK. Default 10000. The same holds
    for islands with too many couplings: the operator has more than 8 million entries, or its factor takes more
    than 4e9 multiplications by prediction. It holds also where a ball joint has dry friction. A solve makes as
    many factors as iterations allow, and none beyond 2e12 multiplications in all.
    """
    newton_limit::UInt32
    """
    The number of equal parts into which a step is divided, at most 1000. 0, the default, stands for 1. The contacts
    are found once in a step; iterations are those of a part, and forces are averages over the step. Usual: 4 to 20
    parts of a few iterations each, for chains and what moves fast.
    """
    substeps::UInt32
    """
    How joints are solved. Default DRY_JOINTS_SPLIT. No effect on DRY_SOLVER_NEWTON, DRY_SOLVER_APGD and
    DRY_SOLVER_CONIC, which solve joints together with contacts, and with DRY_FRICTION_BOX, where they are swept.
    """
    joint_solver::JointSolver
    """
    Flag, default 1: the rigid rows of joints are aimed, that is, they hold at the end of the step, so that swinging
    mechanisms keep their energy. 0: they hold at its beginning, and motion along curves loses energy, the more the
    longer the step.
    """
    joint_aim::UInt32
    "Of DRY_METHOD_SPOOK: how the force of a contact grows with its overlap. Default DRY_LAW_HERTZ."
    contact_law::ContactLaw
    "DRY_DIAGNOSE_ bits: what a step measures beyond what it needs. Default 0."
    diagnostics::UInt32
    """
    Of DRY_METHOD_SPOOK: contacts are damped within this many substeps at least, 0 or above [-]. Default 2, which
    is stable with any step. It costs rebound once a step is near the time of a contact. For two grains that touch
    for 2.2 ms, restitution by elasticity is 0.7 at steps of 0.1 ms and 0.3 at 0.5 ms. Below 1 the step must be
    below a tenth of that time: else contacts gain energy.
    """
    spook_relaxation::Cdouble
    """
    Of DRY_METHOD_SPOOK: contacts that stick creep at this speed for each newton of friction, and turn for each
    newton metre of rolling or twisting resistance, 0 or above [m/(N s)]. Default 1e-6; 0: they stick exactly.
    """
    regularisation::Cdouble
end

"""
How a host's job system does drystone's work: a pointer to it in dry_world_def makes the steps of that world run
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
"""
struct TaskCallbacks
    "Bytes of this structure."
    struct_size::Csize_t
    "Handed to both functions; may be NULL."
    user_data::Ptr{Cvoid}
    "Not NULL."
    run_task::Ptr{Cvoid}
    "Not NULL."
    wait::Ptr{Cvoid}
    "How many threads work at most, the one that steps included: 1 to 1024."
    worker_count::UInt32
    "Must be 0."
    reserved::UInt32
end

"What a world starts with. Filled in by dry_world_def_init; grows at its end."
struct WorldDef
    "Bytes of this structure."
    struct_size::Csize_t
    "NULL, the default: the default settings. Read during the call, not kept."
    settings::Ptr{Settings}
    "World axes, each component up to 1e50 [m/s^2]. Default (0, 0, -9.81)."
    gravity::NTuple{3, Cdouble}
    """
    Threads that work on a step. Default 1: the calling thread alone. n: also n - 1 threads that the world starts,
    and ends when it is destroyed. 0: as many as there are cores. At most 1024. A library that was built without
    threads of its own offers only 1: DRY_ERR_UNSUPPORTED.
    """
    threads::UInt32
    "Must be 0."
    reserved::UInt32
    """
    The host's job system, which works on steps; threads must then be 1. NULL, the default: threads decides. Read
    during the call, not kept.
    """
    tasks::Ptr{TaskCallbacks}
    """
    Lengths of a periodic box along the world axes: 0 (the default) where an axis is open, else from 1e-100 to
    1e100 [m]. Bodies touch in their nearest images. Positions stay continuous: bodies are not moved back into the
    box, and a contact keeps its key when they cross a side. The point of a contact is at body_a, not at one of
    its images. Arms and branch vectors lead to the nearest image. dry_query_stress counts each image of a contact
    in its region.

    Twice the radius of a shape's bounding sphere plus the contact margin is at most half of each period, so that
    two bodies touch in one image only. The sphere is about the shape's origin. Adding a larger body, or setting a
    larger margin, is DRY_ERR_ARGUMENT. So is a half-space whose normal has a component along a periodic axis, or
    that turns. Joints do not use images. dry_world_set_strain_rate lets the periods grow or shrink.
    """
    period::NTuple{3, Cdouble}
end

"""
The report of a step. The caller zeroes it and sets struct_size before the call; grows at its end.

The residual of a contact is how far velocities and impulses are from its laws, as a velocity: 0 where they hold.
"""
struct StepReport
    "Bytes of this structure."
    struct_size::Csize_t
    "DRY_REPORT_ bits."
    flags::UInt32
    "Bodies of the world, or of the problem."
    bodies::UInt32
    "Bodies that moved or could have; without those that sleep."
    awake_bodies::UInt32
    "Groups of moving bodies that touch each other; without those that sleep."
    islands::UInt32
    "Contacts, those that carry nothing and those of sleeping bodies included."
    contacts::UInt32
    "Contacts that the step, or the call, before did not have."
    new_contacts::UInt32
    "Sweeps, the most over the islands; with substeps, the sum over them."
    iterations::UInt32
    "Passes of the projection, the most over the islands."
    projection_passes::UInt32
    "Newton steps of the correction, the most over the islands."
    compatibility_iterations::UInt32
    "Always 0."
    reserved::UInt32
    "Key of the contact, or of the row of a problem, with residual_max; 0 without contacts."
    worst_contact::UInt64
    "Largest residual of the velocities and impulses finally used [m/s]."
    residual_max::Cdouble
    "Its mean over the contacts [m/s]."
    residual_mean::Cdouble
    "Largest residual before the projection [m/s]."
    solver_residual::Cdouble
    """
    Of the correction: the error of the compatible forces in the resultants of the solver's forces on the bodies,
    as norms, over these resultants. It is the largest over the islands whose loads can be carried [-].
    """
    compatibility_residual::Cdouble
    "Largest overlap at the start of the step [m]."
    max_overlap::Cdouble
    "At the end of the step [J]; infinite for speeds whose square is beyond the largest number."
    kinetic_energy::Cdouble
    "At the end of the step, relative to the world's origin [J]."
    potential_energy::Cdouble
    "Time spent finding contacts [s]."
    seconds_detect::Cdouble
    "Time spent turning bodies and contacts into equations [s]."
    seconds_assemble::Cdouble
    "Time spent in the impact stage [s]."
    seconds_impact::Cdouble
    "Time spent in the sweeps [s]."
    seconds_solve::Cdouble
    "Time spent in the projection [s]."
    seconds_project::Cdouble
    "Time spent in the correction [s]."
    seconds_compatibility::Cdouble
    "Time spent moving bodies, and undoing overlap [s]."
    seconds_integrate::Cdouble
    "Time of the whole step [s]."
    seconds_total::Cdouble
    "Islands in which sticking contacts were made exact constraints."
    projected_islands::UInt32
    "Islands in which that did not lower the residual, and which were left as the sweeps had them."
    rejected_islands::UInt32
    "Islands whose loads no contact forces carry; their compatible forces are those of the solver."
    infeasible_islands::UInt32
    """
    Of DRY_COMPATIBLE_FRICTION_ELASTIC: islands in which it did not converge, and that of
    DRY_COMPATIBLE_FRICTION_ASSOCIATED stands.
    """
    associated_islands::UInt32
    "Contacts that the correction took for closed: those that carry impulse, or do not open."
    closed_contacts::UInt32
    """
    Those of them whose friction is above its bound of the compatible normal force. With
    DRY_COMPATIBLE_FRICTION_OFF friction is unchanged.
    """
    contacts_beyond_friction::UInt32
    "Contacts that open more slowly than this counted as closed [m/s]."
    closing_velocity::Cdouble
    "Joints of the world, those that are off or broken included."
    joints::UInt32
    """
    Mechanisms whose joints were not aimed at the end of the step, as their links turn too fast under their load.
    They stay whole, and fast swings lose energy. The number is the largest over the substeps. More substeps avoid
    this loss.
    """
    unaimed_mechanisms::UInt32
    "Joint with joint_residual; 0 without joints."
    worst_joint::Joint
    """
    Largest residual of a row of a joint [m/s]. Rows of turns count at the distance at which a torque counts as a
    force.
    """
    joint_residual::Cdouble
    "Largest distance that joints are apart along what they lock, at the end of the step [m]."
    joint_error::Cdouble
    """
    Length of a substep times the largest angular frequency at which a mechanism swings under its own forces; an
    upper bound where it is small [-]. Above 1.7 joints are not aimed; as many times more substeps are needed.
    """
    joint_stiffness::Cdouble
    "Time spent on mechanisms outside of the sweeps; it is a part of seconds_assemble and seconds_integrate [s]."
    seconds_joints::Cdouble
    """
    With DRY_DIAGNOSE_RESIDUALS, of the last substep: mean residual of the contacts along their normals, each part of
    a contact measured with the others as they are [m/s].
    """
    residual_normal::Cdouble
    "Likewise, of friction [m/s]."
    residual_friction::Cdouble
    "Likewise, of rolling and twisting, at the distance where a torque counts as a force [m/s]."
    residual_rolling::Cdouble
    """
    With DRY_DIAGNOSE_ENERGY: elastic energy of the contacts of bodies that are awake, at the end of the step [J].
    Over a step, kinetic_energy, potential_energy and elastic_energy of bodies that stay awake gain wall_work,
    joint_work, force_work and numerical_energy, and lose the four losses. This balance is exact to round-off. An
    entry can be infinite or no number where the square of a speed is.
    """
    elastic_energy::Cdouble
    "Lost by sliding in the step, and by coming to stick [J]."
    friction_loss::Cdouble
    "Lost by rolling and twisting resistance [J]."
    rolling_loss::Cdouble
    "Lost along the normals by DRY_METHOD_RIGID; with DRY_METHOD_SPOOK all that the impact stage took [J]."
    impact_loss::Cdouble
    "Lost in the damping of contacts and of bodies [J]."
    damping_loss::Cdouble
    """
    Done through contacts by kinematic bodies, by surfaces that move over their bodies, and by the images of a
    strained box [J].
    """
    wall_work::Cdouble
    "Done by joints on the bodies that they move: motors, springs, limits and friction [J]."
    joint_work::Cdouble
    "Done by the forces and torques of the host; gravity is in potential_energy [J]."
    force_work::Cdouble
    """
    Energy that the integrator added [J]. It comes from the position pass, the fall within a step, and contacts
    that came or went while they overlapped. It also comes from the part of elastic forces that makes them stable.
    """
    numerical_energy::Cdouble
end

"""
The function that a run calls between its steps. The host zeroes it and sets the members that it needs; grows at
its end.
"""
struct RunProgress
    "Bytes of this structure."
    struct_size::Csize_t
    "Passed to the function; may be NULL."
    user_data::Ptr{Cvoid}
    """
    Not NULL. It runs on the calling thread and must not throw or longjmp. Within it every call on the same world
    is DRY_ERR_BUSY, also those that only read; other worlds may be used. It must not wait for a thread that uses
    the world.
    """
    progress::Ptr{Cvoid}
    "The number of steps between two calls of the function; 0 counts as 1. It is also called after the last step."
    every::UInt64
end

"How a static problem is solved. Filled in by dry_static_def_init; grows at its end."
struct StaticDef
    "Bytes of this structure."
    struct_size::Csize_t
    """
    Time by which kinematic bodies, surfaces that move and velocity motors move with their velocities; up to 1e50 of
    either sign [s]. Default 1.
    """
    increment::Cdouble
    """
    A body that would move further is DRY_STATIC_COLLAPSE; turns count at half the mean size of what moves [m].
    Default 0: a tenth of that size.
    """
    max_displacement::Cdouble
    """
    Largest force that may be missing on a body, in units of the largest load of a body; above 0 [-]. Of a limit load
    also the gap up to which a contact touches, in units of the mean size of what moves. Default 1e-10. Whatever it
    is, contacts obey their laws to 1e-9 of that load, and rigid ones with a force are closed to 1e-9 of that size.
    """
    tolerance::Cdouble
    """
    Weight of the term that holds what no contact holds near its place; above 0 [-]. It does not change the answer of
    what is held. Default 1e-3.
    """
    proximal::Cdouble
    "How often that term is moved to where bodies are by then, at most; at least 1. Default 20."
    iterations::UInt32
    "Always 0."
    reserved::UInt32
    "Passed to progress; may be NULL."
    user_data::Ptr{Cvoid}
    """
    The function that the call runs between its iterations, or NULL, the default. It runs on the calling thread and
    must not throw or longjmp. Within it every call on the same world is DRY_ERR_BUSY, also those that only read;
    other worlds may be used. It must not wait for a thread that uses the world.
    """
    progress::Ptr{Cvoid}
    "The number of iterations between two calls of the function; 0 counts as 1. Default 1."
    every::UInt64
end

"""
The result of a static increment or of a limit load. The caller zeroes it and sets struct_size before the call;
grows at its end.
"""
struct StaticReport
    "Bytes of this structure."
    struct_size::Csize_t
    "DRY_STATIC_ bits."
    flags::UInt32
    "Systems of equations that were solved."
    iterations::UInt32
    "Largest force missing on a body; a torque counts at half the mean size of what moves [N]."
    unbalanced::Cdouble
    "Largest move of a body, turns as in dry_static_def.max_displacement; 0 of a limit load [m]."
    displacement_max::Cdouble
    "Elastic energy of the contacts; 0 of a limit load [J]."
    elastic_energy::Cdouble
    "Of a limit load: the largest factor of the unit loads; 0 of an increment [-]."
    load_factor::Cdouble
end

"""
A material of bodies. Filled in by dry_material_def_init; grows at its end.

Between two materials friction, rolling and twisting friction are the geometric mean, and restitution is the
larger one. dry_material_pair_set can set other values.
"""
struct MaterialDef
    "Bytes of this structure."
    struct_size::Csize_t
    "Coulomb's coefficient, 0 or above [-]. Default 0.5."
    friction::Cdouble
    """
    Coefficient of rolling resistance, 0 or above [-]. The torque against rolling is at most rolling_friction
    times r* times the normal force. Here r* = r_a r_b / (r_a + r_b), from the radii of curvature of the two
    shapes where they touch. Spheres, capsules and cylinders on their side have such a radius. All other places are
    flat, and the radius of the other shape alone counts. Two flat places do not resist rolling. Default 0.
    """
    rolling_friction::Cdouble
    """
    Coefficient of twisting resistance, 0 or above [-]: the same for the torque about the normal, against spinning on
    the spot. Two flat places resist that by friction at their contact points alone. Default 0.
    """
    twisting_friction::Cdouble
    """
    Speed of rebound over speed of impact, 0 to 1 [-]. Default 0. See restitution_threshold of dry_settings. With
    friction this law can create energy (Kane's paradox). If the contacts of an island would do work in sum, the
    restitution of the whole island is scaled down in that step until they do none. The step is then solved
    several times. In a step with a rebound, contacts of the island across a gap take restitution too. An impact
    that passes through gaps within contact_margin then keeps its energy with restitution 1. With DRY_METHOD_SPOOK it
    is the rebound in the impact stage. The elasticity of contacts adds to it, but spook_relaxation 2 of dry_settings
    leaves little of that once a step is near the time of a contact.
    """
    restitution::Cdouble
    """
    Above 0 [Pa]. With DRY_METHOD_SPOOK it gives contacts their stiffness; else only ratios between materials
    matter, and only to the compatibility correction. Default 1e9.
    """
    young_modulus::Cdouble
    "Above -1 and at most 0.5 [-]. Default 0.25."
    poisson_ratio::Cdouble
    "Of bodies whose mass comes from their shape, above 0 [kg/m^3]. Default 1000."
    density::Cdouble
    "The caller's own; drystone does not use it."
    user_data::UInt64
    """
    Of DRY_METHOD_SPOOK: the time c of the viscous part of a contact, 0 or above [s]. A Hertz contact carries k
    (delta^(3/2) + c sqrt(delta) d(delta)/dt), by Hooke k (delta + c d(delta)/dt). Of two materials the larger c
    holds. In short steps two grains of reduced mass m that meet at the speed v rebound by 1 - 1.153 c (k/m)^(2/5)
    v^(1/5) of it. Once a step is near the time of a contact, spook_relaxation 2 of dry_settings removes most of the
    rebound, also with c = 0. Two grains that touch for 2.2 ms then keep 0.7 of their speed at steps of 0.1 ms, and
    0.3 at 0.5 ms. Default 0.
    """
    contact_damping::Cdouble
    """
    Of DRY_METHOD_THETA: the stiffness of each contact point along its normal, 0 or above [N/m]. Default 0: rigid.
    Of two materials the compliances add up. Two faces that touch at four points are four times as stiff. Bodies
    should move by less than contact_margin in a step: a contact that is found late begins with the energy of its
    overlap.
    """
    normal_stiffness::Cdouble
    """
    The same across the normal, for friction that sticks [N/m]. Default 0: two thirds of normal_stiffness. Above 0
    only if that is. Not the member of dry_settings of this name, which is a ratio of the compatibility correction.
    """
    tangential_stiffness::Cdouble
end

"""
The values for a pair of materials, in place of the mixing rules. Filled in by dry_pair_def_init; grows at its
end.
"""
struct PairDef
    "Bytes of this structure."
    struct_size::Csize_t
    "Coulomb's coefficient, 0 or above [-]. Default 0.5."
    friction::Cdouble
    "As in dry_material_def [-]. Default 0."
    rolling_friction::Cdouble
    "As in dry_material_def [-]. Default 0."
    twisting_friction::Cdouble
    "Speed of rebound over speed of impact, 0 to 1 [-]. Default 0."
    restitution::Cdouble
    "Of the compatibility correction, relative to other pairs, 0 or above. Default 0: from the moduli."
    stiffness::Cdouble
    """
    Of DRY_METHOD_SPOOK: the stiffness k of each contact, 0 or above [N/m^1.5 with DRY_LAW_HERTZ, N/m with
    DRY_LAW_HOOKE]. Default 0: from the moduli and the radii; two flat places, which have no radius, take the
    radius of the bounding sphere of the smaller body for it.
    """
    contact_stiffness::Cdouble
    "As in dry_material_def [s]. Default 0."
    contact_damping::Cdouble
    "As in dry_material_def [N/m]. Default 0: from the materials. INFINITY: rigid."
    normal_stiffness::Cdouble
    """
    As in dry_material_def [N/m]. Default 0: two thirds of normal_stiffness where that is above 0, else from the
    materials. INFINITY: rigid.
    """
    tangential_stiffness::Cdouble
end

"A part of a clump. Filled in by dry_clump_part_init; grows at its end."
struct ClumpPart
    "Bytes of this structure; the same in every element of an array, where it is the stride."
    struct_size::Csize_t
    """
    A sphere, box, capsule, cylinder or hull of the world. The clump has a copy: the shape may be removed afterwards.
    No default: it must be set.
    """
    shape::Shape
    "Of the shape's origin, axes of the clump [m]. Default 0."
    position::NTuple{3, Cdouble}
    """
    Quaternion (x, y, z, w) from the shape's axes to those of the clump, its length 1 within 1e-6 [-]. Default
    (0, 0, 0, 1).
    """
    rotation::NTuple{4, Cdouble}
    "Factor on the density of the body, 1e-20 to 1e20 [-]. Default 1."
    density_factor::Cdouble
end

"""
A closed NURBS curve in the x-y plane of a body, and the prism along z over it. Filled in by
dry_nurbs_curve_def_init; grows at its end.

A curve that runs counterclockwise is solid inside. One that runs clockwise is a hole, solid outside near its edge,
for static and kinematic bodies alone. The curve must be simple: it neither crosses nor touches itself, nor has it a
cusp or an angle below a millionth of a radian; else DRY_ERR_ARGUMENT. Corners are allowed.
"""
struct NurbsCurveDef
    "Bytes of this structure."
    struct_size::Csize_t
    "1 to 5. Default 3. A curve of degree 1 is the polygon of its points."
    degree::UInt32
    """
    1: periodic. Point i acts from knot i to knot i + degree + 1, knots and points go on beyond their ends with the
    period. 0: clamped. The first knot and the last one stand degree + 1 times, and the last point is the first one.
    Default 1.
    """
    periodic::UInt32
    """
    2 * point_count numbers, x y of each control point, body axes [m]; read during the call. At least 3 points of a
    periodic curve; of a clamped one degree + 1, and 4. No default.
    """
    points_xy::Ptr{Cdouble}
    """
    point_count numbers above 0, of which the largest is at most 1e8 times the smallest; NULL: all 1. Read during the
    call. Default NULL [-].
    """
    weights_or_null::Ptr{Cdouble}
    """
    knot_count numbers in ascending order, of which some may be equal; read during the call. Knots are the same or
    differ by 1e-10 of their range. The same knot stands at most degree times, except at the ends of a clamped
    curve. No default [-].
    """
    knots::Ptr{Cdouble}
    "No default."
    point_count::Csize_t
    "point_count + 1 of a periodic curve, point_count + degree + 1 of a clamped one. No default."
    knot_count::Csize_t
    "Half the length of the prism along z, above 0 [m]. Default 0.5."
    half_depth::Cdouble
    "A dry_curve_contacts. Two curves touch at their knots if both have DRY_CURVE_KNOTS. Default DRY_CURVE_MINIMA."
    contacts::CurveContacts
    "Of the search for contacts, 1 to 64. Default 4."
    samples_per_span::UInt32
end

"A body before it exists. Filled in by dry_body_def_init; grows at its end."
struct BodyDef
    "Bytes of this structure; the same in every element of an array, where it is the stride."
    struct_size::Csize_t
    "Default DRY_DYNAMIC."
    kind::BodyKind
    """
    DRY_LOCK_ bits, world axes. Default 0. A locked component of a velocity is zero. A contact whose normal is a
    locked direction carries no force, whatever pushes along it.
    """
    lock::UInt32
    "A shape of the world. No default: it must be set."
    shape::Shape
    "A material of the world. Default 0: the default material."
    material::Material
    "Of the shape's origin, world axes [m]. Default 0."
    position::NTuple{3, Cdouble}
    """
    Quaternion (x, y, z, w) from body to world axes, the real part w last, its length 1 within 1e-6 [-]. Not
    (w, x, y, z): a quaternion in that order has length 1 too and is accepted. Default (0, 0, 0, 1).
    """
    rotation::NTuple{4, Cdouble}
    "Of the centre of mass, world axes [m/s]. Default 0."
    linear_velocity::NTuple{3, Cdouble}
    "World axes [rad/s]. Default 0."
    angular_velocity::NTuple{3, Cdouble}
    """
    0, or 1e-100 to 1e100 [kg]. Default 0: from shape and density. A mass of 0 does not hold a body in place: kind
    DRY_STATIC does.
    """
    mass::Cdouble
    "Body axes, from the shape's origin; used when mass > 0 [m]. Default 0."
    center_of_mass::NTuple{3, Cdouble}
    """
    About the centre of mass, body axes: xx yy zz xy yz xz; used when mass > 0 [kg m^2]. It must be positive
    definite. No principal moment may exceed the sum of the other two by more than 1e-6 of the largest. Default all
    0: from the shape, scaled to mass.
    """
    inertia::NTuple{6, Cdouble}
    "Factor on the world's gravity [-]. Default 1."
    gravity_scale::Cdouble
    "Rate at which the linear velocity decays, 0 or above [1/s]. Default 0."
    linear_damping::Cdouble
    "Rate at which the angular velocity decays, 0 or above [1/s]. Default 0."
    angular_damping::Cdouble
    "Bits of the groups it is in. Default 1. Two bodies collide if each one's mask has a bit of the other's category."
    filter_category::UInt32
    "Bits of the groups it collides with. Default all."
    filter_mask::UInt32
    "Two bodies of one group other than 0 always collide if it is positive, never if it is negative. Default 0."
    filter_group::Int32
    "Must be 0."
    reserved::UInt32
    "The caller's own; see dry_body_get_user_data. Default 0."
    user_data::UInt64
end

"Where a body is and how it moves. Frozen: it never changes."
struct BodyState
    "Of the shape's origin, world axes [m]."
    position::NTuple{3, Cdouble}
    "Quaternion (x, y, z, w) from body to world axes, the real part w last [-]."
    rotation::NTuple{4, Cdouble}
    "Of the centre of mass, world axes [m/s]."
    linear_velocity::NTuple{3, Cdouble}
    "World axes [rad/s]."
    angular_velocity::NTuple{3, Cdouble}
end

"""
A joint before it exists. Filled in by dry_joint_def_init; grows at its end. dry_joint_def_place finds its
frames.

A joint holds frame A, fixed in body_a, to frame B, fixed in body_b. One of the two must be dynamic; the other
one may be the world. They must differ. The axes of a new joint have the defaults of dry_joint_axis, those of
DRY_JOINT_GENERAL are locked; dry_joint_set_axis sets them.
"""
struct JointDef
    "Bytes of this structure; the same in every element of an array, where it is the stride."
    struct_size::Csize_t
    "As given to dry_joint_def_init."
    kind::JointKind
    "DRY_JOINT_ bits: DRY_JOINT_COLLIDE or 0. Default 0: the two bodies do not collide with each other."
    flags::UInt32
    "Body A. Default 0: the world, whose frame is in world axes."
    body_a::Body
    "Body B. Default 0: the world. The forces of a joint are those on body B."
    body_b::Body
    """
    The origin of frame A, from the origin of the shape of A, body axes. Where body_a is 0: from the world's
    origin, world axes. Each coordinate is up to 1e50 [m]. Default 0.
    """
    point_a::NTuple{3, Cdouble}
    """
    Quaternion (x, y, z, w) from the axes of frame A to those of body A, its length 1 within 1e-6 [-]. Default
    (0, 0, 0, 1). Locked directions of both frames must be at most 90 degrees apart.
    """
    rotation_a::NTuple{4, Cdouble}
    "The origin of frame B, as point_a [m]. Default 0."
    point_b::NTuple{3, Cdouble}
    "Of frame B, as rotation_a [-]. Default (0, 0, 0, 1)."
    rotation_b::NTuple{4, Cdouble}
    """
    Of DRY_JOINT_DISTANCE: the least distance, 0 or above [m]. Default 0. A rod has two equal lengths, a rope 0
    and its length, a strut its length and INFINITY.
    """
    length_min::Cdouble
    "Of DRY_JOINT_DISTANCE: the largest distance, above 0 and not below length_min [m]. Default INFINITY."
    length_max::Cdouble
    "Compliance of the locked displacements, and of a distance, 0 or above [m/N]. Default 0: rigid."
    linear_compliance::Cdouble
    "Compliance of the locked turns, 0 or above [rad/(N m)]. Default 0: rigid."
    angular_compliance::Cdouble
    "Time in which an error of a compliant axis decays, 0 or above [s]. Default 0: two steps."
    relaxation::Cdouble
    "The joint breaks where its force, the mean of a step, is above this; 0 or above [N]. Default 0: never."
    break_force::Cdouble
    """
    The joint breaks where its torque about the origin of frame B, the mean of a step, is above this; 0 or above
    [N m]. Default 0: never.
    """
    break_torque::Cdouble
    """
    The joint breaks where its impulse in one substep is above this; 0 or above [N s]. Default 0: never. What
    breaks keeps its forces of that step, and carries nothing from the next step on.
    """
    break_impulse::Cdouble
    "The caller's own; see dry_joint_get_def. Default 0."
    user_data::UInt64
end

"""
A free axis of a joint: bounds, motor, spring, dry friction, rotor. Filled in by dry_joint_axis_init; grows at its
end.

Where two units stand, the first one is that of displacements (axes 0 to 2), the second one that of turns (axes 3
to 5). Forces are those on body B; they are positive where they let the position grow. A spring and a motor of
DRY_JOINT_MOTOR_POSITION act together.

Where no turn is locked, as in a ball, the friction of axis 5 is that of all turns together. Its bound limits the
length of the torque, whatever its direction, and the load is the whole force of the joint. Axes 3 and 4 have no
friction then.
"""
struct JointAxis
    "Bytes of this structure."
    struct_size::Csize_t
    "Default DRY_JOINT_MODE_FREE."
    mode::JointMode
    "Default DRY_JOINT_MOTOR_OFF."
    motor::JointMotor
    """
    Least position of DRY_JOINT_MODE_LIMITED, below INFINITY [m] or [rad]. Default -INFINITY. Two equal bounds hold
    the axis. Of the cone of a ball: 0 or less.
    """
    lower::Cdouble
    """
    Largest position of DRY_JOINT_MODE_LIMITED, not below lower [m] or [rad]. Default INFINITY. Of the cone of a
    ball: above 0.
    """
    upper::Cdouble
    "Speed after an impact on a bound over that before, 0 to 1 [-]. Default 0."
    limit_restitution::Cdouble
    """
    Natural frequency of the spring without damping, with the mass of both bodies along the axis, 0 or above [Hz].
    Default 0: stiffness and damping define the spring.
    """
    frequency::Cdouble
    "Of a spring with a frequency: its damping as a part of the critical one, 0 or above [-]. Default 0."
    ratio::Cdouble
    "Of the spring where frequency is 0; 0 or above [N/m] or [N m/rad]. Default 0."
    stiffness::Cdouble
    "Of the spring where frequency is 0, or of a damper alone; 0 or above [N s/m] or [N m s/rad]. Default 0."
    damping::Cdouble
    "The position at which the spring has no force [m] or [rad]. Default 0."
    rest::Cdouble
    """
    Of DRY_JOINT_MOTOR_POSITION [m] or [rad]. Default 0. It stays until it is set again; target_velocity does not
    change it.
    """
    target_position::Cdouble
    """
    Of DRY_JOINT_MOTOR_VELOCITY: the velocity of the axis. Of DRY_JOINT_MOTOR_POSITION: that of the target [m/s] or
    [rad/s]. Default 0.
    """
    target_velocity::Cdouble
    "Of DRY_JOINT_MOTOR_POSITION, above 0 there [N/m] or [N m/rad]. Default 0."
    motor_stiffness::Cdouble
    "Of DRY_JOINT_MOTOR_POSITION, 0 or above [N s/m] or [N m s/rad]. Default 0."
    motor_damping::Cdouble
    "Least force of the motor on body B, below INFINITY [N] or [N m]. Default -INFINITY."
    force_lower::Cdouble
    "Largest force of the motor on body B, not below force_lower [N] or [N m]. Default INFINITY."
    force_upper::Cdouble
    "Dry friction without load, 0 or above [N] or [N m]. Default 0."
    friction::Cdouble
    """
    Friction over the load, 0 or above [-]. Default 0. The load is the force of the joint across this axis of frame A
    in the substep before. It adds load times this to the bound of the friction; on turns times friction_radius.
    """
    friction_coefficient::Cdouble
    "Of turns: the distance from the axis at which the load rubs, 0 or above [m]. Default 0. Displacements have none."
    friction_radius::Cdouble
    "Mass or inertia of a rotor that moves with the axis and with no body, 0 or above [kg] or [kg m^2]. Default 0."
    armature::Cdouble
end

"An event of a joint in the last step. Frozen: it never changes."
struct JointEvent
    "The joint."
    joint::Joint
    "The kind of the event."
    type::JointEventType
    "Of DRY_JOINT_EVENT_LIMIT: the index of the axis, 0 to 5. Else 0."
    axis::UInt32
end

"""
The position of a joint, and the forces that it carried in the last step. Grows at its end:
sizeof(dry_joint_state) goes to dry_joint_get_state and dry_joints_get_states as a parameter.

Forces are those on body B, averaged over the step; body A receives the opposite force. Positions and velocities
are the present ones, and 0 for axes that the joint locks. A removed joint has no forces any more.
"""
struct JointState
    "Along each axis [m] or [rad]."
    position::NTuple{6, Cdouble}
    "Along each axis, of body B relative to body A [m/s] or [rad/s]."
    velocity::NTuple{6, Cdouble}
    "Of the whole joint, its motors, bounds, springs and friction included, on body B, world axes [N]."
    force::NTuple{3, Cdouble}
    "Of the whole joint on body B, about the origin of frame B at the start of the step, world axes [N m]."
    torque::NTuple{3, Cdouble}
    "Of the motor and the rotor of each axis [N] or [N m]."
    motor_force::NTuple{6, Cdouble}
    "Of the bounds of each axis [N] or [N m]."
    limit_force::NTuple{6, Cdouble}
    "Of the spring of each axis [N] or [N m]."
    spring_force::NTuple{6, Cdouble}
    """
    Of the dry friction of each axis [N] or [N m]. Where no turn is locked, elements 3, 4, 5 are the parts of its
    torque along x, y, z of frame A.
    """
    friction_force::NTuple{6, Cdouble}
    "Largest error of the locked displacements, or of the bounds of a distance [m]."
    linear_error::Cdouble
    "Largest error of the locked turns [rad]."
    angular_error::Cdouble
    "DRY_JOINT_ bits: DRY_JOINT_AT_LOWER, AT_UPPER, SATURATED, STICKING of each axis."
    axis_flags::NTuple{6, UInt32}
    "DRY_JOINT_ bits: DRY_JOINT_BROKEN, DISABLED, REDUNDANT, UNAIMED."
    flags::UInt32
    "Always 0."
    reserved::UInt32
end

"A shape at a pose. Frozen: it never changes."
struct ShapePose
    "The shape; any kind, whether bodies have it or not."
    shape::Shape
    "Of the shape's origin, world axes [m]."
    position::NTuple{3, Cdouble}
    "Unit quaternion (x, y, z, w)."
    rotation::NTuple{4, Cdouble}
end

"A body that a shape at a pose would overlap. Frozen: it never changes."
struct Overlap
    "The index of the pose, from 0."
    pose::UInt64
    "The body."
    body::Body
    "The least gap between the two; below 0: overlap [m]."
    gap::Cdouble
end

"""
A contact of the last step. Grows at its end: sizeof(dry_contact) goes to dry_query_contacts with the array.

The normal points from body_a to body_b. Forces and torques are those on body_b, averaged over the step, world axes;
body_a receives the opposite.
"""
struct Contact
    "The first body."
    body_a::Body
    "The second body."
    body_b::Body
    "The same contact keeps its key from step to step."
    key::UInt64
    "At the start of the step, world axes [m]."
    point::NTuple{3, Cdouble}
    "At the start of the step, from body_a to body_b, unit [-]."
    normal::NTuple{3, Cdouble}
    "At the start of the step; below 0: overlap [m]."
    gap::Cdouble
    "Along the normal, 0 or above [N]."
    normal_force::Cdouble
    "Across the normal [N]."
    friction_force::NTuple{3, Cdouble}
    """
    Rolling resistance across the normal and twisting resistance along it, without the moments of the forces
    above; 0 between two flat places [N m].
    """
    rolling_torque::NTuple{3, Cdouble}
    "After the compatibility correction; equal to normal_force while that is off [N]."
    compatible_normal_force::Cdouble
    "After the compatibility correction; equal to friction_force while that is off [N]."
    compatible_friction_force::NTuple{3, Cdouble}
    """
    Of body_b with respect to body_a at the contact, at the end of the step [m/s]. If bodies turn or their
    surfaces move, the tangential part is relative to the velocity that keeps the points of the surfaces together
    over the step. It is 0 where the contact sticks. In a strained box it is the velocity of the image that touches.
    """
    relative_velocity::NTuple{3, Cdouble}
    "The pair's coefficient [-]."
    friction::Cdouble
    "Of the compatibility correction, relative to other contacts."
    stiffness::Cdouble
    "DRY_CONTACT_ bits."
    state::UInt32
    "Always 0."
    reserved::UInt32
    """
    The part of normal_force and friction_force that the impact stages of the step gave, world axes [N]. It is their
    impulse over the length of the step. 0 where nothing was struck: only DRY_METHOD_SPOOK has impact stages. The
    force after the impacts is normal_force * normal + friction_force - impact_force.
    """
    impact_force::NTuple{3, Cdouble}
end

"""
The coarse-grained fields at a point. Grows at its end: sizeof(dry_field) goes to dry_query_fields with the array.

Matrices are row major: stress[3 * i + j]. Tension is positive.
"""
struct Field
    "Of mass: the sum of m phi [kg/m^3]."
    density::Cdouble
    "The sum of m v phi [kg/(m^2 s)]."
    momentum::NTuple{3, Cdouble}
    "momentum over density; 0 where that is 0 [m/s]."
    velocity::NTuple{3, Cdouble}
    "The part of the volume that is solid: the sum of V phi over the volumes V of bodies, overlaps counted twice [-]."
    packing_fraction::Cdouble
    "The sum of m |v - velocity|^2 phi over 3 density; 0 where that is 0 [m^2/s^2]."
    granular_temperature::Cdouble
    "Minus the sum of m (v - velocity) (x) (v - velocity) phi [Pa]."
    kinetic_stress::NTuple{9, Cdouble}
    "Minus the sum of l (x) f times the mean of phi along the branch of each contact [Pa]."
    contact_stress::NTuple{9, Cdouble}
end

"The parts that dry_world_export_vtk writes. Filled in by dry_vtk_def_init; grows at its end."
struct VtkDef
    "Bytes of this structure."
    struct_size::Csize_t
    "DRY_VTK_ bits. Default DRY_VTK_GRAINS | DRY_VTK_CONTACTS | DRY_VTK_SURFACES."
    parts::UInt32
    "Of a circle, 3 to 1024. Default 24."
    sides::UInt32
    "The edge of the square that stands for a half-space [m]. Default 0: one that reaches beyond all other bodies."
    half_space_size::Cdouble
    "The first point of the grid of fields, world axes [m]. Default 0."
    grid_origin::NTuple{3, Cdouble}
    "From point to point along each axis, above 0 [m]. No default: it must be set for DRY_VTK_FIELDS."
    grid_spacing::NTuple{3, Cdouble}
    """
    Points along each axis, 1 to 2147483647, and at most 4294967295 in all. No default: it must be set for
    DRY_VTK_FIELDS.
    """
    grid_count::NTuple{3, UInt32}
    "Of the fields, see dry_query_fields. Default DRY_KERNEL_LUCY."
    kernel::Kernel
    "The width of the kernel [m]. Default 0: the mean diameter of the dynamic spheres."
    width::Cdouble
end

"""
The function that a solver calls between its iterations. The host zeroes it and sets the members that it needs;
grows at its end.
"""
struct SolverProgress
    "Bytes of this structure."
    struct_size::Csize_t
    "Passed to the function; may be NULL."
    user_data::Ptr{Cvoid}
    """
    Not NULL. It runs on the thread that called the solver and must not throw or longjmp. Within it every call on
    the same solver is DRY_ERR_BUSY, except dry_solver_destroy; other solvers may be used.
    """
    progress::Ptr{Cvoid}
    "The number of iterations of a call between two calls of the function; 0 counts as 1."
    every::UInt64
end

"A body of a problem. Frozen: it never changes. All numbers are finite."
struct ProblemBody
    """
    0, or 1e-100 to 1e100; 0: no force moves its centre of mass [1/kg]. With an inverse_inertia of 0 too: immovable,
    it keeps its velocity.
    """
    inverse_mass::Cdouble
    """
    World axes, about the centre of mass: xx yy zz xy yz xz [1/(kg m^2)]. It is positive semidefinite to
    round-off: 1e-9 of the largest entry.
    """
    inverse_inertia::NTuple{6, Cdouble}
    "Of the centre of mass, already holding what external forces add during the step [m/s]."
    velocity::NTuple{3, Cdouble}
    "World axes, already holding what external torques add during the step [rad/s]."
    angular_velocity::NTuple{3, Cdouble}
end

"""
A contact of a problem. Frozen: it never changes. All numbers are finite; body_a and body_b are two bodies, of which
an impulse moves at least one.
"""
struct ProblemContact
    "For warm starting; unique within a problem, rows included. 0: never warm started."
    key::UInt64
    "Index of the first body; UINT32_MAX: the fixed world."
    body_a::UInt32
    "Index of the second body; UINT32_MAX: the fixed world."
    body_b::UInt32
    "From body_a to body_b, of length 1 to 1e-9, world axes [-]."
    normal::NTuple{3, Cdouble}
    "From the centre of mass of body_a to the contact point, world axes; of the fixed world any [m]."
    arm_a::NTuple{3, Cdouble}
    "From the centre of mass of body_b to the contact point, world axes; of the fixed world any [m]."
    arm_b::NTuple{3, Cdouble}
    "The normal velocity plus this is not below 0: gap / step, or restitution times the normal velocity before [m/s]."
    normal_bias::Cdouble
    "The sliding velocity at which friction is at rest, world axes: a conveyor's, normally 0 [m/s]."
    surface_velocity::NTuple{3, Cdouble}
    "Normal velocity per normal impulse, 0 or above; 0: rigid [m/s per N s]."
    normal_compliance::Cdouble
    "Sliding velocity per friction impulse, 0 or above; 0: rigid [m/s per N s]."
    tangential_compliance::Cdouble
    "Coulomb's coefficient, 0 or above [-]."
    friction::Cdouble
    "Largest rolling torque over normal force, 0 or above [m]."
    rolling::Cdouble
    "Largest twisting torque over normal force, 0 or above [m]."
    twisting::Cdouble
    "Of the compatibility correction, relative to other contacts and to 1 / compliance of rows, 0 or above; 0: 1."
    stiffness::Cdouble
end

"""
One scalar row of a problem, as legacy solvers use them. Frozen: it never changes.

jacobian_a . velocity_a + jacobian_b . velocity_b + compliance * impulse = rhs at the solution, as far as the bounds
of the impulse allow: at lower the left side may be larger, at upper smaller. The impulse acts on each body by its
Jacobian: force on its centre of mass, torque about it. All numbers are finite but the bounds; an impulse changes
the velocity of the row.
"""
struct ProblemRow
    "For warm starting; unique within a problem, contacts included. 0: never warm started."
    key::UInt64
    "Index of the first body; UINT32_MAX: the fixed world."
    body_a::UInt32
    "Index of the second body; UINT32_MAX: the fixed world."
    body_b::UInt32
    "Of the first body: linear, angular."
    jacobian_a::NTuple{6, Cdouble}
    "Of the second body: linear, angular."
    jacobian_b::NTuple{6, Cdouble}
    "Right hand side, a velocity of the row [m/s, of a row of spins alone rad/s]."
    rhs::Cdouble
    "Velocity per impulse, 0 or above [m/s per N s]."
    compliance::Cdouble
    """
    Least impulse, at most upper; -INFINITY: none [N s]. With friction_row >= 0 times the magnitude of that row's
    impulse.
    """
    lower::Cdouble
    "Largest impulse; INFINITY: none [N s]. With friction_row >= 0 times the magnitude of that row's impulse."
    upper::Cdouble
    "Index of the row whose impulse multiplies the bounds, another one with plain bounds; -1: plain bounds."
    friction_row::Int32
    "Must be 0."
    reserved::UInt32
end

"""
Bodies, contacts and rows to be solved together, in this order of visits where the settings ask for the natural one:
rows, then contacts. Up to six rows of the same two bodies that follow each other are solved together, those without
bounds exactly: rows of one joint belong side by side. The caller owns the arrays. It zeroes this structure and sets
struct_size; later additions are parallel arrays at its end.
"""
struct Problem
    "Bytes of this structure."
    struct_size::Csize_t
    "Duration of the step, 1e-100 to 1e100 [s]."
    step::Cdouble
    "body_count bodies; NULL only if that is 0."
    bodies::Ptr{ProblemBody}
    "Number of bodies."
    body_count::Csize_t
    "contact_count contacts; NULL only if that is 0."
    contacts::Ptr{ProblemContact}
    "Number of contacts, at most 2^27."
    contact_count::Csize_t
    "row_count rows; NULL only if that is 0."
    rows::Ptr{ProblemRow}
    "Number of rows, at most 2^27."
    row_count::Csize_t
end

"The solution for a contact. Frozen: it never changes."
struct ContactSolution
    "Normal and friction, on body_b, world axes [N s]."
    impulse::NTuple{3, Cdouble}
    "Along the normal, 0 or above [N s]."
    normal_impulse::Cdouble
    "Rolling and twisting, on body_b, world axes [N m s]."
    torque_impulse::NTuple{3, Cdouble}
    "After the compatibility correction, on body_b, world axes; equal to impulse while that is off [N s]."
    compatible_impulse::NTuple{3, Cdouble}
    "How far velocities and impulse are from the laws of the contact [m/s]."
    residual::Cdouble
    """
    DRY_CONTACT_ bits. Rolling and sliding faster than the tolerance count, and 1e-12 m/s; new is a contact whose key
    the last call of the solver did not have.
    """
    state::UInt32
    "Always 0."
    reserved::UInt32
end

"""
Where the solver writes. The caller zeroes it and sets struct_size; the arrays are the caller's, sized as in the
problem; NULL: not wanted.
"""
struct Solution
    "Bytes of this structure."
    struct_size::Csize_t
    "6 numbers per body: linear and angular velocity after the solve [m/s, rad/s]."
    velocities::Ptr{Cdouble}
    "One per contact."
    contacts::Ptr{ContactSolution}
    "One per row."
    row_impulses::Ptr{Cdouble}
    "How the solve went."
    report::Ptr{StepReport}
    "One per row, after the compatibility correction; equal to row_impulses while that is off [N s]."
    compatible_row_impulses::Ptr{Cdouble}
end

"""
A problem given only by its Delassus operator W: u = W r + q, with the rows normal, tangent 1, tangent 2 (and
rolling 1, rolling 2) of each contact. The caller zeroes it and sets struct_size; grows at its end.

W in block compressed rows: the blocks of contact i are blocks[d * d * k], row major, in column columns[k], for
row_offsets[i] <= k < row_offsets[i + 1]. Both halves of the symmetric matrix are there; the columns of a contact are
in any order, each once, its own among them. The caller owns the arrays; with no contacts they may be NULL.
"""
struct LocalProblem
    "Bytes of this structure."
    struct_size::Csize_t
    "Number of contacts."
    contact_count::Csize_t
    "d, the rows of a contact: 3 or 5."
    dimension::UInt32
    "Must be 0."
    reserved::UInt32
    "contact_count + 1 numbers, rising from 0."
    row_offsets::Ptr{UInt32}
    "The contact of each block."
    columns::Ptr{UInt32}
    "d * d numbers per block."
    blocks::Ptr{Cdouble}
    "d numbers per contact: velocities without any impulse [m/s, rolling rad/s]."
    q::Ptr{Cdouble}
    "Coulomb's coefficient of each contact, 0 or above [-]."
    friction::Ptr{Cdouble}
    "With d = 5, for each contact: rolling impulse over normal impulse, at most; 0 or above [m]. With d = 3 NULL."
    rolling::Ptr{Cdouble}
end

# In this order `POINTERS` holds them.
const FUNCTIONS = [
    :dry_status_name,
    :dry_last_error,
    :dry_version,
    :dry_version_string,
    :dry_settings_init,
    :dry_world_def_init,
    :dry_world_create,
    :dry_world_destroy,
    :dry_world_get_settings,
    :dry_world_set_settings,
    :dry_world_get_gravity,
    :dry_world_get_period,
    :dry_world_set_gravity,
    :dry_world_set_strain_rate,
    :dry_world_get_strain_rate,
    :dry_world_run,
    :dry_world_step,
    :dry_static_def_init,
    :dry_world_solve_static,
    :dry_world_limit_load,
    :dry_material_def_init,
    :dry_material_add,
    :dry_pair_def_init,
    :dry_material_pair_set,
    :dry_clump_part_init,
    :dry_shape_clump,
    :dry_shape_mass_properties,
    :dry_nurbs_curve_def_init,
    :dry_shape_nurbs_curve,
    :dry_shape_closest,
    :dry_shape_sphere,
    :dry_shape_box,
    :dry_shape_capsule,
    :dry_shape_cylinder,
    :dry_shape_half_space,
    :dry_shape_hull,
    :dry_shape_mesh,
    :dry_shape_remove,
    :dry_body_def_init,
    :dry_body_add,
    :dry_bodies_add,
    :dry_body_remove,
    :dry_query_bodies,
    :dry_body_get_state,
    :dry_body_set_state,
    :dry_body_get_mass,
    :dry_body_get_user_data,
    :dry_body_add_force,
    :dry_body_add_torque,
    :dry_body_wake,
    :dry_body_is_awake,
    :dry_bodies_get_states,
    :dry_body_set_surface_velocity,
    :dry_body_get_surface_velocity,
    :dry_joint_def_init,
    :dry_joint_def_place,
    :dry_joint_def_place_points,
    :dry_joint_axis_init,
    :dry_joint_add,
    :dry_joints_add,
    :dry_joint_remove,
    :dry_joint_set_frames,
    :dry_joint_set_enabled,
    :dry_joint_set_axis,
    :dry_joint_set_target,
    :dry_joints_set_targets,
    :dry_query_joint_events,
    :dry_query_joints,
    :dry_query_body_joints,
    :dry_joint_get_def,
    :dry_joint_get_axis,
    :dry_joint_get_state,
    :dry_joints_get_states,
    :dry_query_body_joint_force,
    :dry_query_overlaps,
    :dry_query_contacts,
    :dry_query_body_force,
    :dry_query_energy,
    :dry_query_stress,
    :dry_query_fields,
    :dry_vtk_def_init,
    :dry_world_export_vtk,
    :dry_world_hash,
    :dry_world_snapshot,
    :dry_world_restore,
    :dry_world_clone,
    :dry_solver_create,
    :dry_solver_destroy,
    :dry_solver_set_progress,
    :dry_solver_solve,
    :dry_solver_correct,
    :dry_solver_solve_local,
    :dry_solver_snapshot,
    :dry_solver_restore,
]

const POINTERS = fill(C_NULL, length(FUNCTIONS))

function dry_status_name(status)
    return ccall(POINTERS[1], Cstring, (Cint,), status)
end

function dry_last_error(buffer, capacity, needed_or_null)
    return ccall(POINTERS[2], Cint, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}), buffer, capacity, needed_or_null)
end

function dry_version()
    return ccall(POINTERS[3], UInt32, ())
end

function dry_version_string()
    return ccall(POINTERS[4], Cstring, ())
end

function dry_settings_init(settings, size)
    return ccall(POINTERS[5], Cint, (Ptr{Settings}, Csize_t), settings, size)
end

function dry_world_def_init(def, size)
    return ccall(POINTERS[6], Cint, (Ptr{WorldDef}, Csize_t), def, size)
end

function dry_world_create(def, world)
    return ccall(POINTERS[7], Cint, (Ptr{WorldDef}, Ptr{Ptr{Cvoid}}), def, world)
end

function dry_world_destroy(world)
    return ccall(POINTERS[8], Cvoid, (Ptr{Cvoid},), world)
end

function dry_world_get_settings(world, settings, size)
    return ccall(POINTERS[9], Cint, (Ptr{Cvoid}, Ptr{Settings}, Csize_t), world, settings, size)
end

function dry_world_set_settings(world, settings)
    return ccall(POINTERS[10], Cint, (Ptr{Cvoid}, Ptr{Settings}), world, settings)
end

function dry_world_get_gravity(world, gravity)
    return ccall(POINTERS[11], Cint, (Ptr{Cvoid}, Ptr{Cdouble}), world, gravity)
end

function dry_world_get_period(world, period)
    return ccall(POINTERS[12], Cint, (Ptr{Cvoid}, Ptr{Cdouble}), world, period)
end

function dry_world_set_gravity(world, gravity)
    return ccall(POINTERS[13], Cint, (Ptr{Cvoid}, Ptr{Cdouble}), world, gravity)
end

function dry_world_set_strain_rate(world, rates)
    return ccall(POINTERS[14], Cint, (Ptr{Cvoid}, Ptr{Cdouble}), world, rates)
end

function dry_world_get_strain_rate(world, rates)
    return ccall(POINTERS[15], Cint, (Ptr{Cvoid}, Ptr{Cdouble}), world, rates)
end

function dry_world_run(world, step, count, progress_or_null, steps_done_or_null, report_or_null)
    return ccall(
        POINTERS[16],
        Cint,
        (Ptr{Cvoid}, Cdouble, UInt64, Ptr{RunProgress}, Ptr{UInt64}, Ptr{StepReport}),
        world, step, count, progress_or_null, steps_done_or_null, report_or_null,
    )
end

function dry_world_step(world, step, report_or_null)
    return ccall(POINTERS[17], Cint, (Ptr{Cvoid}, Cdouble, Ptr{StepReport}), world, step, report_or_null)
end

function dry_static_def_init(def, size)
    return ccall(POINTERS[18], Cint, (Ptr{StaticDef}, Csize_t), def, size)
end

function dry_world_solve_static(world, def, displacements_or_null, count, report)
    return ccall(
        POINTERS[19],
        Cint,
        (Ptr{Cvoid}, Ptr{StaticDef}, Ptr{Cdouble}, Csize_t, Ptr{StaticReport}),
        world, def, displacements_or_null, count, report,
    )
end

function dry_world_limit_load(world, unit_loads, count, def, mechanism_or_null, report)
    return ccall(
        POINTERS[20],
        Cint,
        (Ptr{Cvoid}, Ptr{Cdouble}, Csize_t, Ptr{StaticDef}, Ptr{Cdouble}, Ptr{StaticReport}),
        world, unit_loads, count, def, mechanism_or_null, report,
    )
end

function dry_material_def_init(def, size)
    return ccall(POINTERS[21], Cint, (Ptr{MaterialDef}, Csize_t), def, size)
end

function dry_material_add(world, def, material)
    return ccall(POINTERS[22], Cint, (Ptr{Cvoid}, Ptr{MaterialDef}, Ptr{Material}), world, def, material)
end

function dry_pair_def_init(def, size)
    return ccall(POINTERS[23], Cint, (Ptr{PairDef}, Csize_t), def, size)
end

function dry_material_pair_set(world, first, second, def)
    return ccall(POINTERS[24], Cint, (Ptr{Cvoid}, Material, Material, Ptr{PairDef}), world, first, second, def)
end

function dry_clump_part_init(part, size)
    return ccall(POINTERS[25], Cint, (Ptr{ClumpPart}, Csize_t), part, size)
end

function dry_shape_clump(world, parts, count, shape)
    return ccall(POINTERS[26], Cint, (Ptr{Cvoid}, Ptr{ClumpPart}, Csize_t, Ptr{Shape}), world, parts, count, shape)
end

function dry_shape_mass_properties(world, shape, volume, mass, center_of_mass, inertia)
    return ccall(
        POINTERS[27],
        Cint,
        (Ptr{Cvoid}, Shape, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}),
        world, shape, volume, mass, center_of_mass, inertia,
    )
end

function dry_nurbs_curve_def_init(def, size)
    return ccall(POINTERS[28], Cint, (Ptr{NurbsCurveDef}, Csize_t), def, size)
end

function dry_shape_nurbs_curve(world, def, shape)
    return ccall(POINTERS[29], Cint, (Ptr{Cvoid}, Ptr{NurbsCurveDef}, Ptr{Shape}), world, def, shape)
end

function dry_shape_closest(world, shape, point, foot, normal, distance)
    return ccall(
        POINTERS[30],
        Cint,
        (Ptr{Cvoid}, Shape, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}),
        world, shape, point, foot, normal, distance,
    )
end

function dry_shape_sphere(world, radius, shape)
    return ccall(POINTERS[31], Cint, (Ptr{Cvoid}, Cdouble, Ptr{Shape}), world, radius, shape)
end

function dry_shape_box(world, half_extents, shape)
    return ccall(POINTERS[32], Cint, (Ptr{Cvoid}, Ptr{Cdouble}, Ptr{Shape}), world, half_extents, shape)
end

function dry_shape_capsule(world, half_height, radius, shape)
    return ccall(POINTERS[33], Cint, (Ptr{Cvoid}, Cdouble, Cdouble, Ptr{Shape}), world, half_height, radius, shape)
end

function dry_shape_cylinder(world, half_height, radius, shape)
    return ccall(POINTERS[34], Cint, (Ptr{Cvoid}, Cdouble, Cdouble, Ptr{Shape}), world, half_height, radius, shape)
end

function dry_shape_half_space(world, normal, offset, shape)
    return ccall(POINTERS[35], Cint, (Ptr{Cvoid}, Ptr{Cdouble}, Cdouble, Ptr{Shape}), world, normal, offset, shape)
end

function dry_shape_hull(world, points_xyz, point_count, shape)
    return ccall(
        POINTERS[36],
        Cint,
        (Ptr{Cvoid}, Ptr{Cdouble}, Csize_t, Ptr{Shape}),
        world, points_xyz, point_count, shape,
    )
end

function dry_shape_mesh(world, points_xyz, point_count, triangles, triangle_count, shape)
    return ccall(
        POINTERS[37],
        Cint,
        (Ptr{Cvoid}, Ptr{Cdouble}, Csize_t, Ptr{UInt32}, Csize_t, Ptr{Shape}),
        world, points_xyz, point_count, triangles, triangle_count, shape,
    )
end

function dry_shape_remove(world, shape)
    return ccall(POINTERS[38], Cint, (Ptr{Cvoid}, Shape), world, shape)
end

function dry_body_def_init(def, size)
    return ccall(POINTERS[39], Cint, (Ptr{BodyDef}, Csize_t), def, size)
end

function dry_body_add(world, def, body)
    return ccall(POINTERS[40], Cint, (Ptr{Cvoid}, Ptr{BodyDef}, Ptr{Body}), world, def, body)
end

function dry_bodies_add(world, defs, count, bodies)
    return ccall(POINTERS[41], Cint, (Ptr{Cvoid}, Ptr{BodyDef}, Csize_t, Ptr{Body}), world, defs, count, bodies)
end

function dry_body_remove(world, body)
    return ccall(POINTERS[42], Cint, (Ptr{Cvoid}, Body), world, body)
end

function dry_query_bodies(world, bodies, capacity, count)
    return ccall(POINTERS[43], Cint, (Ptr{Cvoid}, Ptr{Body}, Csize_t, Ptr{Csize_t}), world, bodies, capacity, count)
end

function dry_body_get_state(world, body, state)
    return ccall(POINTERS[44], Cint, (Ptr{Cvoid}, Body, Ptr{BodyState}), world, body, state)
end

function dry_body_set_state(world, body, state)
    return ccall(POINTERS[45], Cint, (Ptr{Cvoid}, Body, Ptr{BodyState}), world, body, state)
end

function dry_body_get_mass(world, body, mass, center_of_mass, inertia)
    return ccall(
        POINTERS[46],
        Cint,
        (Ptr{Cvoid}, Body, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}),
        world, body, mass, center_of_mass, inertia,
    )
end

function dry_body_get_user_data(world, body, user_data)
    return ccall(POINTERS[47], Cint, (Ptr{Cvoid}, Body, Ptr{UInt64}), world, body, user_data)
end

function dry_body_add_force(world, body, force, point_or_null)
    return ccall(POINTERS[48], Cint, (Ptr{Cvoid}, Body, Ptr{Cdouble}, Ptr{Cdouble}), world, body, force, point_or_null)
end

function dry_body_add_torque(world, body, torque)
    return ccall(POINTERS[49], Cint, (Ptr{Cvoid}, Body, Ptr{Cdouble}), world, body, torque)
end

function dry_body_wake(world, body)
    return ccall(POINTERS[50], Cint, (Ptr{Cvoid}, Body), world, body)
end

function dry_body_is_awake(world, body, awake)
    return ccall(POINTERS[51], Cint, (Ptr{Cvoid}, Body, Ptr{UInt32}), world, body, awake)
end

function dry_bodies_get_states(world, bodies_or_null, count, states)
    return ccall(
        POINTERS[52],
        Cint,
        (Ptr{Cvoid}, Ptr{Body}, Csize_t, Ptr{BodyState}),
        world, bodies_or_null, count, states,
    )
end

function dry_body_set_surface_velocity(world, body, linear, angular)
    return ccall(POINTERS[53], Cint, (Ptr{Cvoid}, Body, Ptr{Cdouble}, Ptr{Cdouble}), world, body, linear, angular)
end

function dry_body_get_surface_velocity(world, body, linear, angular)
    return ccall(POINTERS[54], Cint, (Ptr{Cvoid}, Body, Ptr{Cdouble}, Ptr{Cdouble}), world, body, linear, angular)
end

function dry_joint_def_init(def, size, kind)
    return ccall(POINTERS[55], Cint, (Ptr{JointDef}, Csize_t, JointKind), def, size, kind)
end

function dry_joint_def_place(world, def, point, axis, reference_or_null)
    return ccall(
        POINTERS[56],
        Cint,
        (Ptr{Cvoid}, Ptr{JointDef}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}),
        world, def, point, axis, reference_or_null,
    )
end

function dry_joint_def_place_points(world, def, point_a, point_b)
    return ccall(
        POINTERS[57],
        Cint,
        (Ptr{Cvoid}, Ptr{JointDef}, Ptr{Cdouble}, Ptr{Cdouble}),
        world, def, point_a, point_b,
    )
end

function dry_joint_axis_init(axis, size)
    return ccall(POINTERS[58], Cint, (Ptr{JointAxis}, Csize_t), axis, size)
end

function dry_joint_add(world, def, joint)
    return ccall(POINTERS[59], Cint, (Ptr{Cvoid}, Ptr{JointDef}, Ptr{Joint}), world, def, joint)
end

function dry_joints_add(world, defs, count, joints)
    return ccall(POINTERS[60], Cint, (Ptr{Cvoid}, Ptr{JointDef}, Csize_t, Ptr{Joint}), world, defs, count, joints)
end

function dry_joint_remove(world, joint)
    return ccall(POINTERS[61], Cint, (Ptr{Cvoid}, Joint), world, joint)
end

function dry_joint_set_frames(world, joint, def)
    return ccall(POINTERS[62], Cint, (Ptr{Cvoid}, Joint, Ptr{JointDef}), world, joint, def)
end

function dry_joint_set_enabled(world, joint, enabled)
    return ccall(POINTERS[63], Cint, (Ptr{Cvoid}, Joint, UInt32), world, joint, enabled)
end

function dry_joint_set_axis(world, joint, index, axis)
    return ccall(POINTERS[64], Cint, (Ptr{Cvoid}, Joint, UInt32, Ptr{JointAxis}), world, joint, index, axis)
end

function dry_joint_set_target(world, joint, index, position, velocity)
    return ccall(
        POINTERS[65],
        Cint,
        (Ptr{Cvoid}, Joint, UInt32, Cdouble, Cdouble),
        world, joint, index, position, velocity,
    )
end

function dry_joints_set_targets(world, joints, indices, count, positions_or_null, velocities_or_null)
    return ccall(
        POINTERS[66],
        Cint,
        (Ptr{Cvoid}, Ptr{Joint}, Ptr{UInt32}, Csize_t, Ptr{Cdouble}, Ptr{Cdouble}),
        world, joints, indices, count, positions_or_null, velocities_or_null,
    )
end

function dry_query_joint_events(world, events, capacity, count)
    return ccall(
        POINTERS[67],
        Cint,
        (Ptr{Cvoid}, Ptr{JointEvent}, Csize_t, Ptr{Csize_t}),
        world, events, capacity, count,
    )
end

function dry_query_joints(world, joints, capacity, count)
    return ccall(POINTERS[68], Cint, (Ptr{Cvoid}, Ptr{Joint}, Csize_t, Ptr{Csize_t}), world, joints, capacity, count)
end

function dry_query_body_joints(world, body, joints, capacity, count)
    return ccall(
        POINTERS[69],
        Cint,
        (Ptr{Cvoid}, Body, Ptr{Joint}, Csize_t, Ptr{Csize_t}),
        world, body, joints, capacity, count,
    )
end

function dry_joint_get_def(world, joint, def, size)
    return ccall(POINTERS[70], Cint, (Ptr{Cvoid}, Joint, Ptr{JointDef}, Csize_t), world, joint, def, size)
end

function dry_joint_get_axis(world, joint, index, axis, size)
    return ccall(
        POINTERS[71],
        Cint,
        (Ptr{Cvoid}, Joint, UInt32, Ptr{JointAxis}, Csize_t),
        world, joint, index, axis, size,
    )
end

function dry_joint_get_state(world, joint, state, size)
    return ccall(POINTERS[72], Cint, (Ptr{Cvoid}, Joint, Ptr{JointState}, Csize_t), world, joint, state, size)
end

function dry_joints_get_states(world, joints_or_null, count, states, size)
    return ccall(
        POINTERS[73],
        Cint,
        (Ptr{Cvoid}, Ptr{Joint}, Csize_t, Ptr{JointState}, Csize_t),
        world, joints_or_null, count, states, size,
    )
end

function dry_query_body_joint_force(world, body, force, torque)
    return ccall(POINTERS[74], Cint, (Ptr{Cvoid}, Body, Ptr{Cdouble}, Ptr{Cdouble}), world, body, force, torque)
end

function dry_query_overlaps(world, poses, pose_count, margin, overlaps, capacity, count)
    return ccall(
        POINTERS[75],
        Cint,
        (Ptr{Cvoid}, Ptr{ShapePose}, Csize_t, Cdouble, Ptr{Overlap}, Csize_t, Ptr{Csize_t}),
        world, poses, pose_count, margin, overlaps, capacity, count,
    )
end

function dry_query_contacts(world, contacts, contact_size, capacity, count)
    return ccall(
        POINTERS[76],
        Cint,
        (Ptr{Cvoid}, Ptr{Contact}, Csize_t, Csize_t, Ptr{Csize_t}),
        world, contacts, contact_size, capacity, count,
    )
end

function dry_query_body_force(world, body, force, torque)
    return ccall(POINTERS[77], Cint, (Ptr{Cvoid}, Body, Ptr{Cdouble}, Ptr{Cdouble}), world, body, force, torque)
end

function dry_query_energy(world, kinetic, potential)
    return ccall(POINTERS[78], Cint, (Ptr{Cvoid}, Ptr{Cdouble}, Ptr{Cdouble}), world, kinetic, potential)
end

function dry_query_stress(world, lower, upper, stress)
    return ccall(
        POINTERS[79],
        Cint,
        (Ptr{Cvoid}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}),
        world, lower, upper, stress,
    )
end

function dry_query_fields(world, points_xyz, count, kernel, width, fields, size)
    return ccall(
        POINTERS[80],
        Cint,
        (Ptr{Cvoid}, Ptr{Cdouble}, Csize_t, Kernel, Cdouble, Ptr{Field}, Csize_t),
        world, points_xyz, count, kernel, width, fields, size,
    )
end

function dry_vtk_def_init(def, size)
    return ccall(POINTERS[81], Cint, (Ptr{VtkDef}, Csize_t), def, size)
end

function dry_world_export_vtk(world, prefix, step, time, def_or_null)
    return ccall(
        POINTERS[82],
        Cint,
        (Ptr{Cvoid}, Cstring, UInt64, Cdouble, Ptr{VtkDef}),
        world, prefix, step, time, def_or_null,
    )
end

function dry_world_hash(world, hash)
    return ccall(POINTERS[83], Cint, (Ptr{Cvoid}, Ptr{UInt64}), world, hash)
end

function dry_world_snapshot(world, buffer, capacity, count)
    return ccall(POINTERS[84], Cint, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Csize_t}), world, buffer, capacity, count)
end

function dry_world_restore(world, buffer, count)
    return ccall(POINTERS[85], Cint, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t), world, buffer, count)
end

function dry_world_clone(world, copy)
    return ccall(POINTERS[86], Cint, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), world, copy)
end

function dry_solver_create(solver)
    return ccall(POINTERS[87], Cint, (Ptr{Ptr{Cvoid}},), solver)
end

function dry_solver_destroy(solver)
    return ccall(POINTERS[88], Cvoid, (Ptr{Cvoid},), solver)
end

function dry_solver_set_progress(solver, progress_or_null)
    return ccall(POINTERS[89], Cint, (Ptr{Cvoid}, Ptr{SolverProgress}), solver, progress_or_null)
end

function dry_solver_solve(solver, problem, settings, solution)
    return ccall(
        POINTERS[90],
        Cint,
        (Ptr{Cvoid}, Ptr{Problem}, Ptr{Settings}, Ptr{Solution}),
        solver, problem, settings, solution,
    )
end

function dry_solver_correct(solver, problem, settings, impulses, compatible_impulses, report_or_null)
    return ccall(
        POINTERS[91],
        Cint,
        (Ptr{Cvoid}, Ptr{Problem}, Ptr{Settings}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{StepReport}),
        solver, problem, settings, impulses, compatible_impulses, report_or_null,
    )
end

function dry_solver_solve_local(solver, problem, settings, impulses, report_or_null)
    return ccall(
        POINTERS[92],
        Cint,
        (Ptr{Cvoid}, Ptr{LocalProblem}, Ptr{Settings}, Ptr{Cdouble}, Ptr{StepReport}),
        solver, problem, settings, impulses, report_or_null,
    )
end

function dry_solver_snapshot(solver, buffer, capacity, count)
    return ccall(POINTERS[93], Cint, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Csize_t}), solver, buffer, capacity, count)
end

function dry_solver_restore(solver, buffer, count)
    return ccall(POINTERS[94], Cint, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t), solver, buffer, count)
end
