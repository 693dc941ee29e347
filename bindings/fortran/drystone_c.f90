! The interface of the library as drystone.h declares it: what module drystone is made of.
!
! Generated from bindings/drystone.json by bindings/generate/fortran.py: do not edit.
!
! Functions have the names of C with c_ before them. Unsigned integers are signed ones of the same size, and so are
! handles. Pointers to arrays, to what may be NULL, and to worlds and solvers are type(c_ptr).
module drystone_c
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_funptr, c_int, c_int8_t, c_int32_t, c_int64_t, c_ptr, &
    c_size_t, c_null_funptr, c_null_ptr
  implicit none
  public

  !> The status that a call returns if it can fail.
  !> After a failure outputs are untouched and the world is as before the call. There are three exceptions.
  !> DRY_ERR_CAPACITY writes the full number. DRY_ERR_NOT_CONVERGED writes the report, and of a solver the solution.
  !> dry_world_run keeps the steps that it completed, and writes their number.
  !> The call succeeded.
  integer(c_int), parameter :: DRY_OK = 0
  !> A required pointer was NULL.
  integer(c_int), parameter :: DRY_ERR_NULL = 1
  !> The library does not know this struct_size: the structure was not initialised, or its header is newer.
  integer(c_int), parameter :: DRY_ERR_ABI = 2
  !> A value outside its range.
  integer(c_int), parameter :: DRY_ERR_ARGUMENT = 3
  !> NaN or infinity in the input, or a step or solve that would have ended in one or beyond the limits, undone.
  integer(c_int), parameter :: DRY_ERR_NOT_FINITE = 4
  !> No such object, or it was removed or destroyed, or the handle is of another kind.
  integer(c_int), parameter :: DRY_ERR_STALE_HANDLE = 5
  !> The caller's buffer is too small; the count is the full number.
  integer(c_int), parameter :: DRY_ERR_CAPACITY = 6
  !> A function, setting or combination that this version does not offer.
  integer(c_int), parameter :: DRY_ERR_UNSUPPORTED = 7
  !> Only with require_convergence: the step was undone, its report is written; of a solver the solution too.
  integer(c_int), parameter :: DRY_ERR_NOT_CONVERGED = 8
  !> A snapshot or a file that does not have the format of its kind.
  integer(c_int), parameter :: DRY_ERR_FORMAT = 9
  !> Reading or writing a file failed.
  integer(c_int), parameter :: DRY_ERR_IO = 10
  !> A call from inside a callback, or while a step runs on the host's tasks; a solver in use by another thread.
  integer(c_int), parameter :: DRY_ERR_BUSY = 11
  !> A defect of drystone, caught; the world, or the solver, can only be destroyed.
  integer(c_int), parameter :: DRY_ERR_INTERNAL = 12
  !> An allocation sized by the input failed.
  integer(c_int), parameter :: DRY_ERR_MEMORY = 13
  !> The function that dry_world_run calls between steps, or a solver or a static problem between iterations, asked
  !> to stop. A run keeps the steps before; otherwise the solver or the world is as before the call.
  integer(c_int), parameter :: DRY_ERR_STOPPED = 14

  !> How contacts act on bodies.
  !> Rigid contacts: no overlap, no elasticity.
  integer(c_int), parameter :: DRY_METHOD_RIGID = 0
  !> Elastic contacts of given stiffness, with an integrator that is stable for any of them: SPOOK. Overlap carries
  !> the load: at rest each contact has the force of contact_law, whatever the step, and forces are unique. Contacts
  !> across a gap have none. Impacts faster than restitution_threshold are solved first, in a stage before the forces
  !> act. All contacts that touch belong to that stage: fast ones have their restitution, others have none. Overlap
  !> is not undone: position_projection and push_out_velocity are not used. Neither is compatibility, since
  !> compatible forces are those of the contacts. Bodies should overlap by a few percent at most: choose
  !> young_modulus or contact_stiffness by the load, not by the material alone.
  integer(c_int), parameter :: DRY_METHOD_SPOOK = 1
  !> Rigid and elastic contacts in one world, with the theta method: bodies move with theta times their velocity
  !> after the step and 1 - theta times that before it. Contacts are elastic where the materials have a
  !> normal_stiffness. Their normal force is that stiffness times the overlap at the end of the step. Friction that
  !> sticks is a spring too, whose force is remembered and turns with the bodies. Forces are unique. The swings of an
  !> elastic contact that stays closed decrease by the factor (1 + theta h^2 k/m)^(-1/2) in each step. The method
  !> ignores restitution: a rigid contact turns back (1 - theta)/theta of its velocity. Where it sticks, this holds
  !> tangentially too, so at 0.5 it goes on ringing. Overlap of rigid contacts is undone as by DRY_METHOD_RIGID.
  !> There is no compatibility correction.
  integer(c_int), parameter :: DRY_METHOD_THETA = 2

  !> How the contact problem of a step is solved, island by island.
  !> All stop at the tolerance and report the true residual. DRY_SOLVER_PGS with a tolerance above 0, and the others
  !> always, return no larger residual than that of their start.
  !> Projected Gauss-Seidel: sweeps over the contacts, each solved on its own. 50 sweeps where iterations is 0.
  integer(c_int), parameter :: DRY_SOLVER_PGS = 0
  !> The same, extrapolated from the last sweeps: up to tens of times fewer of them to a small tolerance. 50 sweeps
  !> where iterations is 0.
  integer(c_int), parameter :: DRY_SOLVER_PGS_ACCELERATED = 1
  !> Proximal point and semismooth Newton steps: to round-off where sweeps stall, for islands of up to some thousand
  !> contacts; see newton_limit. Up to 1000 steps where iterations is 0; it ends when it can do no better.
  integer(c_int), parameter :: DRY_SOLVER_NEWTON = 2
  !> Accelerated projected gradient. It needs no factorisation. 500 steps where iterations is 0. Memory and the time
  !> of a step are in proportion to the contacts.
  integer(c_int), parameter :: DRY_SOLVER_APGD = 3
  !> Interior points on the convex problem of DRY_FRICTION_ASSOCIATED, then Newton steps. It takes some 10 to 40
  !> steps from any start, also where masses differ much, and reaches 1e-13 of the speeds. Each step factors a matrix
  !> of six rows per body. Other laws of friction are refused, and so are problems without bodies. Islands with rows
  !> that bound other rows, or with a ball joint that has dry friction, are solved by DRY_SOLVER_PGS_ACCELERATED
  !> (DRY_REPORT_FALLBACK). See DRY_REPORT_INFEASIBLE.
  integer(c_int), parameter :: DRY_SOLVER_CONIC = 4

  !> The order in which a sweep visits the contacts.
  !> In batches of contacts that share no moving body.
  integer(c_int), parameter :: DRY_SWEEP_COLORED = 0
  !> One after the other: those of a world along a curve that fills space, those of the host as it lists them.
  integer(c_int), parameter :: DRY_SWEEP_NATURAL = 1
  !> Alternately forward and backward.
  integer(c_int), parameter :: DRY_SWEEP_SYMMETRIC = 2
  !> In a new order for each sweep, drawn from the seed. Another seed may give other forces of the same motion.
  integer(c_int), parameter :: DRY_SWEEP_RANDOM = 3

  !> How one contact is solved within a sweep. Offered in this version: DRY_LOCAL_BLOCK.
  !> Normal and friction together, exactly.
  integer(c_int), parameter :: DRY_LOCAL_BLOCK = 0
  !> Row by row, each clamped. Not offered yet.
  integer(c_int), parameter :: DRY_LOCAL_ROWS = 1

  !> Where the impulses of a step start.
  !> From zero.
  integer(c_int), parameter :: DRY_WARM_OFF = 0
  !> From those of the last step, applied to the velocities too.
  integer(c_int), parameter :: DRY_WARM_HISTORY = 1
  !> From what the law of each contact gives at its overlap, along the normals. Of DRY_METHOD_SPOOK; own contacts
  !> have no such law.
  integer(c_int), parameter :: DRY_WARM_MODEL = 2
  !> From the normal impulses of the last step, without friction.
  integer(c_int), parameter :: DRY_WARM_NORMALS = 3
  !> From those of the last step, not applied to the velocities. Only for comparison: it fails.
  integer(c_int), parameter :: DRY_WARM_HISTORY_NO_VELOCITY = 4
  !> From those of the last step, scaled so that the start is never worse than zero.
  integer(c_int), parameter :: DRY_WARM_GUARDED = 5
  !> From the compatible forces of the last step; without a correction the same as DRY_WARM_HISTORY.
  integer(c_int), parameter :: DRY_WARM_COMPATIBLE = 6

  !> The law of friction.
  !> Coulomb's law on the round cone: friction opposes sliding.
  integer(c_int), parameter :: DRY_FRICTION_COULOMB = 0
  !> The convex law on the same cone: sliding lifts bodies. A sliding contact opens along the normal with friction
  !> times its sliding speed, and likewise by rolling and twisting at their bounds. Contacts that stick are as with
  !> DRY_FRICTION_COULOMB. The step is one convex programme, so its velocities are unique, but sliding of rigid
  !> contacts loses no energy. A contact across a gap up to contact_margin acts before it closes where friction times
  !> the sliding speed times the step is above the gap that is left. Contacts that stick to bodies that turn drift
  !> along them by the error of a step.
  integer(c_int), parameter :: DRY_FRICTION_ASSOCIATED = 1
  !> Two rows across the normal, each bounded by friction times the normal impulse, as legacy solvers have them:
  !> along the diagonals the friction bound is sqrt(2) times as large. For a normal (x, y, z) the first row lies
  !> along t1 = (1 - s c x x, -s c x y, -s x). The second row lies along t2 = (-c x y, s - c y y, -y). Here s is 1
  !> for z >= 0 and -1 below, and c = 1 / (s + z). Rolling about t1, about t2 and twisting are bounded rows too.
  integer(c_int), parameter :: DRY_FRICTION_BOX = 2

  !> The islands for which the stick projection follows the solver. An island is a group of bodies that touch. The
  !> projection turns what sticks into exact constraints, so that nothing creeps: friction and rolling below their
  !> bounds, closed contacts, bilateral rows. Its result is used where it lowers the residual.
  !> None.
  integer(c_int), parameter :: DRY_PROJECTION_OFF = 0
  !> All islands. Costs next to nothing at rest, and far more than the sweeps in large piles that still move. Choose
  !> it for heavy bodies on light ones, above 100 : 1: 10^4 kg rest on 1 kg.
  integer(c_int), parameter :: DRY_PROJECTION_STICK = 1
  !> Those for which it pays, so that stacks, walls and towers stand. These are islands of at most 2000 bodies whose
  !> residual is above that of rest, and above the tolerance. The projection takes at most a tenth of the work of
  !> their sweeps, and as much as these in islands of up to 64 bodies without joints. Another island that it did not
  !> bring to rest has to wait. Work is counted, not timed: the choice is the same on every machine.
  !> DRY_REPORT_PROJECTION_REJECTED is never set. Problems without bodies are solved as with DRY_PROJECTION_OFF.
  integer(c_int), parameter :: DRY_PROJECTION_AUTO = 2

  !> The elastic law that makes contact forces unique. Among all forces that move the bodies in the same way, it
  !> selects those that stiff elastic contacts carry. In dry_solver_solve the rows of own problems hold the
  !> displacements of these contacts: without compliance rigidly, else as springs, within their bounds. A row that
  !> rests at a bound and moves away from it, at more than closing_velocity of the report, keeps its impulse. So do
  !> rows that scale bounds, and rows whose bounds are scaled or exclude 0. The correction runs on the answer of the
  !> solver, per island, and changes neither velocities nor normal_force and friction_force. Relative stiffness: the
  !> two moduli of the materials in series, or the pair's own.
  !> No correction.
  integer(c_int), parameter :: DRY_COMPATIBILITY_OFF = 0
  !> Linear contacts.
  integer(c_int), parameter :: DRY_COMPATIBILITY_HOOKE = 1
  !> Hertz contacts, exponent 5/2: stiffness (4/3) E* sqrt(r*) of both materials and the radii of curvature. Two flat
  !> places have no radius: there it is that of the materials.
  integer(c_int), parameter :: DRY_COMPATIBILITY_HERTZ = 2
  !> Contacts of any exponent above 1, compatibility_exponent: 2 is linear.
  integer(c_int), parameter :: DRY_COMPATIBILITY_POWER = 3

  !> How the correction treats friction. The convex and the elastic form keep friction within its bounds, and agree
  !> where nothing slides.
  !> Keeps the friction of the solver, so forces are not unique where there is friction. The report counts contacts
  !> where friction then exceeds its bound.
  integer(c_int), parameter :: DRY_COMPATIBLE_FRICTION_OFF = 0
  !> Corrects it in the convex form, in which sliding contacts are pressed apart.
  integer(c_int), parameter :: DRY_COMPATIBLE_FRICTION_ASSOCIATED = 1
  !> Corrects it to the limit of stiff elastic contacts under a load that grows in proportion. Where the correction
  !> does not find that limit, the convex form holds. The report counts such islands (associated_islands).
  integer(c_int), parameter :: DRY_COMPATIBLE_FRICTION_ELASTIC = 2
  !> DRY_COMPATIBLE_FRICTION_ASSOCIATED in islands that have friction. Elsewhere all forms give the same forces, and
  !> the normal ones alone are corrected.
  integer(c_int), parameter :: DRY_COMPATIBLE_FRICTION_AUTO = 3

  !> How joints are solved, and the rows without bounds of own problems.
  !> Bodies that joints connect are solved as one mechanism, exactly and for any number of sweeps. Contacts meet its
  !> true inertia: that of the arm behind the bucket. Sweeps visit its contacts, and its bounds, motors with bounds
  !> and friction. A mechanism with many of them is solved as by DRY_JOINTS_ROWS: where six for each of its bodies
  !> with contacts, and one for each of these rows, are above 128.
  integer(c_int), parameter :: DRY_JOINTS_SPLIT = 0
  !> The rows of joints are swept like contacts. Faster where thousands of bodies hang together in loops; long
  !> chains, and light bodies between heavy ones, need many sweeps.
  integer(c_int), parameter :: DRY_JOINTS_ROWS = 1

  !> How the force of a compliant contact grows with its overlap delta. Of DRY_METHOD_SPOOK.
  !> k delta^(3/2), with k = (4/3) E* sqrt(r*) [N/m^1.5].
  integer(c_int), parameter :: DRY_LAW_HERTZ = 0
  !> k delta, with k = E* r* [N/m].
  integer(c_int), parameter :: DRY_LAW_HOOKE = 1

  !> Where NURBS curves touch each other.
  !> Where the distance between the two has a minimum; at both ends of a stretch along which they are nearly
  !> parallel.
  integer(c_int), parameter :: DRY_CURVE_MINIMA = 0
  !> At each sample of either curve that overlaps the other, with the normal of the other. For comparison: overlaps
  !> between samples are missed, and the two sets of samples make the contact twice as stiff.
  integer(c_int), parameter :: DRY_CURVE_KNOTS = 1

  !> How a body moves.
  !> Never.
  integer(c_int), parameter :: DRY_STATIC = 0
  !> With the velocities that its host sets through dry_body_set_state; contacts and forces do not change them.
  integer(c_int), parameter :: DRY_KINEMATIC = 1
  !> By gravity, forces and contacts.
  integer(c_int), parameter :: DRY_DYNAMIC = 2

  !> The motions that a joint locks. z is the axis of hinge, slider and cylindrical, the normal of planar, the twist
  !> axis of ball.
  !> A joint has six axes. 0, 1, 2 are the displacements of the origin of frame B along x, y, z of frame A [m]. 3, 4,
  !> 5 are the turns of frame B about x, y, z as seen from frame A [rad]. A kind leaves some of them free; these have
  !> a dry_joint_axis. Where one turn is free, its full turns are counted, as long as a step makes less than half a
  !> turn.
  !> Locks the displacements. Free: 5, the twist about z, and 3, the angle between the z axes of both frames, 0 or
  !> above: an upper bound of axis 3 makes a cone.
  integer(c_int), parameter :: DRY_JOINT_BALL = 0
  !> Locks all but 5, the turn about z.
  integer(c_int), parameter :: DRY_JOINT_HINGE = 1
  !> Locks all but 2, the displacement along z.
  integer(c_int), parameter :: DRY_JOINT_SLIDER = 2
  !> Locks all axes.
  integer(c_int), parameter :: DRY_JOINT_FIXED = 3
  !> Holds the distance of the origins of the frames between length_min and length_max. Free: 0, the distance.
  integer(c_int), parameter :: DRY_JOINT_DISTANCE = 4
  !> Locks the displacements, and holds x of frame A perpendicular to y of frame B. Free: 3, the turn about x of
  !> frame A, and 4, that about y of frame B.
  integer(c_int), parameter :: DRY_JOINT_UNIVERSAL = 5
  !> Locks all but 2, the displacement along z, and 5, the turn about z.
  integer(c_int), parameter :: DRY_JOINT_CYLINDRICAL = 6
  !> Locks 2, the displacement along z, and the turns about x and y. Free: 0, 1 and 5.
  integer(c_int), parameter :: DRY_JOINT_PLANAR = 7
  !> Locks the axes whose mode is DRY_JOINT_MODE_LOCKED: at first all six. Where no turn is locked, the turns are
  !> those of a ball.
  integer(c_int), parameter :: DRY_JOINT_GENERAL = 8

  !> Whether an axis of a joint may move.
  !> Without bounds.
  integer(c_int), parameter :: DRY_JOINT_MODE_FREE = 0
  !> Not at all, without motor and spring. Only axes of DRY_JOINT_GENERAL can be locked by their mode.
  integer(c_int), parameter :: DRY_JOINT_MODE_LOCKED = 1
  !> From lower to upper.
  integer(c_int), parameter :: DRY_JOINT_MODE_LIMITED = 2

  !> What the motor of an axis does, with a force from force_lower to force_upper.
  !> Nothing.
  integer(c_int), parameter :: DRY_JOINT_MOTOR_OFF = 0
  !> It brings the axis to target_velocity within a step, as far as its force allows. target_position has no effect.
  integer(c_int), parameter :: DRY_JOINT_MOTOR_VELOCITY = 1
  !> It pulls the axis to target_position as a spring of motor_stiffness and a damper of motor_damping, which acts on
  !> the velocity relative to target_velocity.
  integer(c_int), parameter :: DRY_JOINT_MOTOR_POSITION = 2

  !> The kind of an event of a joint. More may be added.
  !> A load above a bound of its definition broke it. dry_joint_get_state still has the forces of that step.
  integer(c_int), parameter :: DRY_JOINT_EVENT_BROKEN = 0
  !> An axis came to a bound at which it was not before: its position reached the bound, or the bound began to carry
  !> a force. The two lengths of a rope or strut are bounds of axis 0. Two equal bounds hold an axis and have no
  !> events.
  integer(c_int), parameter :: DRY_JOINT_EVENT_LIMIT = 1

  !> How a body or a force is spread over the space around it. w is the width of the kernel, r the distance.
  !> Both are not negative, and their integral over space is 1.
  !> In proportion to exp(-r^2 / (2 w^2)), and 0 beyond R = 3 w.
  integer(c_int), parameter :: DRY_KERNEL_GAUSSIAN = 0
  !> 105 / (16 pi R^3) (1 + 3 r/R) (1 - r/R)^3 with R = 2 w, and 0 beyond. Smooth at R, so that fields can be
  !> differentiated.
  integer(c_int), parameter :: DRY_KERNEL_LUCY = 1

  !> dry_settings.diagnostics: the step sums up its energies, for the members of the report from elastic_energy on.
  !> Costs about as much as one sweep.
  integer(c_int32_t), parameter :: DRY_DIAGNOSE_ENERGY = 1

  !> dry_settings.diagnostics: the step measures its residuals by kind of row: residual_normal, residual_friction and
  !> residual_rolling of the report.
  integer(c_int32_t), parameter :: DRY_DIAGNOSE_RESIDUALS = 2

  !> dry_step_report.flags: residual_max stayed above the tolerance.
  integer(c_int32_t), parameter :: DRY_REPORT_NOT_CONVERGED = 1

  !> dry_step_report.flags: in at least one island the projection was rejected.
  integer(c_int32_t), parameter :: DRY_REPORT_PROJECTION_REJECTED = 2

  !> dry_step_report.flags: the correction found loads that no contact forces carry.
  integer(c_int32_t), parameter :: DRY_REPORT_COMPATIBILITY_INFEASIBLE = 4

  !> dry_step_report.flags: the correction stopped above its tolerance, or the elastic form of friction was not
  !> found.
  integer(c_int32_t), parameter :: DRY_REPORT_COMPATIBILITY_NOT_CONVERGED = 8

  !> dry_step_report.flags: an island was larger than newton_limit, or had a ball joint with dry friction, and was
  !> solved by DRY_SOLVER_PGS_ACCELERATED.
  integer(c_int32_t), parameter :: DRY_REPORT_FALLBACK = 16

  !> dry_step_report.flags: in at least one island the compatible forces are not unique. The correction kept a part
  !> of the solver's forces unchanged. This part can be friction with DRY_COMPATIBLE_FRICTION_OFF, torques of rolling
  !> and twisting, or impulses of rows that scale bounds or whose bounds are scaled or exclude 0. It can be all
  !> forces where the correction found none. The flag is set too where rows without compliance follow from others. It
  !> is also set where the residual of the solve is so large that the forces depend on the order of sweeps by more
  !> than 1e-8 of the largest one.
  integer(c_int32_t), parameter :: DRY_REPORT_COMPATIBILITY_NOT_UNIQUE = 32

  !> dry_step_report.flags: in at least one island no velocities obey all contacts and joints, such as a body between
  !> two walls that come closer. DRY_SOLVER_CONIC detects this. So does DRY_SOLVER_NEWTON with the associated law on
  !> compliant contacts. The other solvers leave a residual. The answer is as near as they came.
  integer(c_int32_t), parameter :: DRY_REPORT_INFEASIBLE = 64

  !> dry_static_report.flags: the loads cannot be carried. Bodies would move further than max_displacement, or for
  !> ever. Nearly every collapse has DRY_STATIC_NOT_CONVERGED too, since no forces balance the loads: test the bit.
  integer(c_int32_t), parameter :: DRY_STATIC_COLLAPSE = 1

  !> dry_static_report.flags: the result is less exact than the tolerance requires.
  integer(c_int32_t), parameter :: DRY_STATIC_NOT_CONVERGED = 2

  !> dry_static_report.flags: of a limit load: it can grow without bound, as on a wedge that holds itself.
  integer(c_int32_t), parameter :: DRY_STATIC_UNBOUNDED = 4

  !> dry_static_report.flags: of a limit load: a contact slides in the mechanism. With Coulomb's law the load that is
  !> carried can then be lower: load_factor is its upper bound.
  integer(c_int32_t), parameter :: DRY_STATIC_SLIDING_MECHANISM = 8

  !> dry_static_report.flags: with DRY_FRICTION_COULOMB no forces that obey Coulomb's law were found. Those of the
  !> associated law stand.
  integer(c_int32_t), parameter :: DRY_STATIC_NOT_COULOMB = 16

  !> dry_body_def.lock: the body does not move along x.
  integer(c_int32_t), parameter :: DRY_LOCK_X = 1

  !> dry_body_def.lock: the body does not move along y.
  integer(c_int32_t), parameter :: DRY_LOCK_Y = 2

  !> dry_body_def.lock: the body does not move along z.
  integer(c_int32_t), parameter :: DRY_LOCK_Z = 4

  !> dry_body_def.lock: the body does not turn about x.
  integer(c_int32_t), parameter :: DRY_LOCK_ROTATION_X = 8

  !> dry_body_def.lock: the body does not turn about y.
  integer(c_int32_t), parameter :: DRY_LOCK_ROTATION_Y = 16

  !> dry_body_def.lock: the body does not turn about z.
  integer(c_int32_t), parameter :: DRY_LOCK_ROTATION_Z = 32

  !> dry_body_def.lock: the body stays in its plane z = constant: DRY_LOCK_Z, DRY_LOCK_ROTATION_X and
  !> DRY_LOCK_ROTATION_Y.
  integer(c_int32_t), parameter :: DRY_LOCK_PLANAR = 28

  !> dry_joint_def.flags: the two bodies collide with each other. Without it they have no contacts.
  integer(c_int32_t), parameter :: DRY_JOINT_COLLIDE = 1

  !> dry_joint_state.axis_flags: the lower bound of the axis, or the least length of a strut, carries a force.
  integer(c_int32_t), parameter :: DRY_JOINT_AT_LOWER = 2

  !> dry_joint_state.axis_flags: the upper bound of the axis, or the length of a rope, carries a force.
  integer(c_int32_t), parameter :: DRY_JOINT_AT_UPPER = 4

  !> dry_joint_state.axis_flags: the motor of the axis is at a bound of its force.
  integer(c_int32_t), parameter :: DRY_JOINT_SATURATED = 8

  !> dry_joint_state.axis_flags: the axis has dry friction, which was below its bound in the last substep. Where no
  !> turn is locked, axes 3, 4, 5 have this flag together.
  integer(c_int32_t), parameter :: DRY_JOINT_STICKING = 16

  !> dry_joint_state.flags: a load above a bound of its definition broke the joint. It carries nothing until
  !> dry_joint_set_enabled switches it on again. dry_query_joint_events lists the joints that broke in the last step.
  integer(c_int32_t), parameter :: DRY_JOINT_BROKEN = 32

  !> dry_joint_state.flags: dry_joint_set_enabled switched the joint off.
  integer(c_int32_t), parameter :: DRY_JOINT_DISABLED = 64

  !> dry_joint_state.flags: rows of its mechanism, of whichever joints, follow from others in the last step, as where
  !> three hinges hold a door. The forces are the smallest ones that hold it.
  integer(c_int32_t), parameter :: DRY_JOINT_REDUNDANT = 128

  !> dry_joint_state.flags: its mechanism was too stiff to be aimed in the last step; see
  !> dry_step_report.unaimed_mechanisms.
  integer(c_int32_t), parameter :: DRY_JOINT_UNAIMED = 256

  !> dry_contact.state: the contact carries impulse.
  integer(c_int32_t), parameter :: DRY_CONTACT_ACTIVE = 1

  !> dry_contact.state: it slides, its friction on the cone. An active contact that does not slide sticks.
  integer(c_int32_t), parameter :: DRY_CONTACT_SLIDING = 2

  !> dry_contact.state: it rolls and does not slide, its rolling or twisting resistance at its bound. Only where the
  !> materials resist rolling or twisting.
  integer(c_int32_t), parameter :: DRY_CONTACT_ROLLING = 4

  !> dry_contact.state: the step before did not have it.
  integer(c_int32_t), parameter :: DRY_CONTACT_NEW = 8

  !> dry_vtk_def.parts: spheres as points.
  integer(c_int32_t), parameter :: DRY_VTK_GRAINS = 1

  !> dry_vtk_def.parts: contacts as lines.
  integer(c_int32_t), parameter :: DRY_VTK_CONTACTS = 2

  !> dry_vtk_def.parts: bodies of all other shapes as polygons.
  integer(c_int32_t), parameter :: DRY_VTK_SURFACES = 4

  !> dry_vtk_def.parts: fields on a grid of points, which must be set.
  integer(c_int32_t), parameter :: DRY_VTK_FIELDS = 8

  !> How a world steps. Filled in by dry_settings_init; grows at its end.
  !> Every member is checked, also where the chosen method and solver do not use it. Some members are otherwise
  !> ignored:
  !> * theta: with any method other than DRY_METHOD_THETA. * seed: with any sweep other than DRY_SWEEP_RANDOM. *
  !> warm_start_factor: with DRY_WARM_OFF and DRY_WARM_GUARDED. * projection_passes: with DRY_PROJECTION_OFF. *
  !> newton_limit: with any solver other than DRY_SOLVER_NEWTON. * sweep and relaxation: with DRY_SOLVER_NEWTON,
  !> DRY_SOLVER_APGD and DRY_SOLVER_CONIC. The sweeps of the projection   and of islands above newton_limit still use
  !> them. * compatible_friction, compatibility_tolerance and tangential_stiffness: with DRY_COMPATIBILITY_OFF. *
  !> compatibility_exponent: with any compatibility other than DRY_COMPATIBILITY_POWER.
  type, bind(C) :: dry_settings
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 0
    !> How contacts act on bodies; own contacts bring their compliance, and do not use it. Default DRY_METHOD_RIGID.
    integer(c_int) :: method = 0
    !> How the contact problem is solved. Default DRY_SOLVER_PGS.
    integer(c_int) :: solver = 0
    !> In which order contacts are visited. Default DRY_SWEEP_COLORED.
    integer(c_int) :: sweep = 0
    !> How one contact is solved. Default DRY_LOCAL_BLOCK.
    integer(c_int) :: local_solver = 0
    !> Where impulses start. Default DRY_WARM_HISTORY.
    integer(c_int) :: warm_start = 0
    !> Default DRY_FRICTION_COULOMB.
    integer(c_int) :: friction_law = 0
    !> The projection that follows the sweeps. Default DRY_PROJECTION_AUTO.
    integer(c_int) :: projection = 0
    !> The law of the compatibility correction. Default DRY_COMPATIBILITY_OFF.
    integer(c_int) :: compatibility = 0
    !> How the correction treats friction. Default DRY_COMPATIBLE_FRICTION_AUTO.
    integer(c_int) :: compatible_friction = 0
    !> Most sweeps per step, or steps of Newton or of gradients. 0, the default: the number that dry_solver_kind
    !> gives, 50 for sweeps. Usual: 10 to 200. With too few, tall piles sink and forces do not balance between
    !> bodies; the reported residual shows it.
    integer(c_int32_t) :: iterations = 0
    !> Of DRY_PROJECTION_STICK and DRY_PROJECTION_AUTO: most passes. Default 3; 0 is none at all.
    integer(c_int32_t) :: projection_passes = 0
    !> Flag, default 1: overlap is undone by moving bodies after the step, so that it costs no force and no energy. A
    !> fifth of what overlaps at the end of a step is undone in it. Where two bodies touch at several points, up to a
    !> tenth of contact_margin is left for as long as the sweeps have not converged: it keeps stacks from rocking. 0:
    !> overlap is undone through the velocities, as legacy engines do, and reported forces contain it.
    integer(c_int32_t) :: position_projection = 0
    !> Flag, default 0. 1: bodies that rest fall asleep and cost nothing until something wakes them. Bodies that
    !> touch fall asleep together; static bodies do not connect them. They fall asleep when all have been slow for
    !> half a second. A body is slow if no point of it is faster than 2 % of the speed that gravity gives a body in a
    !> substep. In that time no force of the host may act on them, and nothing that moves may touch them. A body
    !> alone without weight must be at rest exactly.
    !> A sleeping body has no velocity. Its last step determines its contacts, its forces and those on the bodies
    !> below it, whatever the length of later steps. They balance its weight to that 2 %, and as well as the sweeps
    !> had converged by then. Only the compatible forces of bodies that are awake are corrected.
    !> What wakes a body wakes all that fell asleep with it, at once. A moving body that comes within contact_margin
    !> wakes it, and the same step solves that contact. A force or torque that is not zero, a new state, and
    !> dry_body_wake wake it too. So does any change of a static or kinematic body on which it rests, or that comes
    !> to lie against it. So does the removal of a body that it touches. Bodies of a joint fall asleep and wake
    !> together. A motor whose target moves keeps them awake, and any change of the joint wakes them. Another
    !> gravity, other settings and another pair of materials wake all bodies. Keys and the impulses to start from
    !> outlast sleep.
    integer(c_int32_t) :: sleeping = 0
    !> Flag, default 0. 1: a step whose largest residual stays above tolerance is undone and returns
    !> DRY_ERR_NOT_CONVERGED; its report is written. Needs a tolerance above 0.
    integer(c_int32_t) :: require_convergence = 0
    !> Of DRY_SWEEP_RANDOM. Default 0; any number.
    integer(c_int64_t) :: seed = 0
    !> The sweeps end when the largest residual over the contacts is below this [m/s]. Default 0: all sweeps are
    !> done; in islands of up to 64 contacts without rows they end where one only changes round-off. Usual: 1e-8 to
    !> 1e-4 of the speeds in play; below about 1e-15 of them round-off is in the way.
    real(c_double) :: tolerance = 0.0_c_double
    !> Factor on the change of a contact's impulse, above 0 and below 2 [-]. Default 1. Below 1 sweeps converge more
    !> slowly; much above 1 they swing in stiff piles, and near 2 they add energy.
    real(c_double) :: relaxation = 0.0_c_double
    !> Factor on the impulses that a step starts from, 0 to 1 [-]. Default 1. With less and few sweeps a pile rests
    !> on forces that are steadily too small; at 1 it may jitter instead.
    real(c_double) :: warm_start_factor = 0.0_c_double
    !> Of DRY_METHOD_THETA: the weight of the velocity after the step, 0.5 to 1 [-]. Default 0.5. At 1 bodies move
    !> with it alone, and pressed bodies come to rest. At 0.5 elastic contacts with h^2 k/m far above 1 ring: they
    !> rebound with nearly no loss of energy.
    real(c_double) :: theta = 0.0_c_double
    !> Of DRY_COMPATIBILITY_POWER, above 1 [-]. Default 2.
    real(c_double) :: compatibility_exponent = 0.0_c_double
    !> Of the correction: how well compatible forces have the resultants of the solver's, relative, above 0 [-].
    !> Default 1e-10.
    real(c_double) :: compatibility_tolerance = 0.0_c_double
    !> Tangential over normal stiffness of the correction, above 0 [-]. Default 2/7. Not the stiffness of this name
    !> in dry_material_def, which is that of the contacts of DRY_METHOD_THETA.
    real(c_double) :: tangential_stiffness = 0.0_c_double
    !> Contacts are made up to this gap, 0 or above [m]. Default 1e-3. Choose 1 to 10 % of the smallest body, or the
    !> distance travelled in a step. A body that moves further in one step may overlap for a step. A wide margin
    !> costs contacts that carry nothing.
    real(c_double) :: contact_margin = 0.0_c_double
    !> Largest speed at which overlap is undone, 0 or above [m/s]. Default 1. At 0 overlap stays; at large values
    !> bodies that were put into each other jump apart.
    real(c_double) :: push_out_velocity = 0.0_c_double
    !> A contact approaching faster than this takes restitution, in the step in which it would close; 0 or above
    !> [m/s]. Default 0.01. Near 0 a resting pile rattles; above the impact speeds nothing rebounds.
    real(c_double) :: restitution_threshold = 0.0_c_double
    !> Of DRY_SOLVER_NEWTON: the largest island, counted in contacts and rows, that it solves. Larger ones are solved
    !> by DRY_SOLVER_PGS_ACCELERATED, and the report has the flag DRY_REPORT_FALLBACK. Default 10000. The same holds
    !> for islands with too many couplings: the operator has more than 8 million entries, or its factor takes more
    !> than 4e9 multiplications by prediction. It holds also where a ball joint has dry friction. A solve makes as
    !> many factors as iterations allow, and none beyond 2e12 multiplications in all.
    integer(c_int32_t) :: newton_limit = 0
    !> The number of equal parts into which a step is divided, at most 1000. 0, the default, stands for 1. The
    !> contacts are found once in a step; iterations are those of a part, and forces are averages over the step.
    !> Usual: 4 to 20 parts of a few iterations each, for chains and what moves fast.
    integer(c_int32_t) :: substeps = 0
    !> How joints are solved. Default DRY_JOINTS_SPLIT. No effect on DRY_SOLVER_NEWTON, DRY_SOLVER_APGD and
    !> DRY_SOLVER_CONIC, which solve joints together with contacts, and with DRY_FRICTION_BOX, where they are swept.
    integer(c_int) :: joint_solver = 0
    !> Flag, default 1: the rigid rows of joints are aimed, that is, they hold at the end of the step, so that
    !> swinging mechanisms keep their energy. 0: they hold at its beginning, and motion along curves loses energy,
    !> the more the longer the step.
    integer(c_int32_t) :: joint_aim = 0
    !> Of DRY_METHOD_SPOOK: how the force of a contact grows with its overlap. Default DRY_LAW_HERTZ.
    integer(c_int) :: contact_law = 0
    !> DRY_DIAGNOSE_ bits: what a step measures beyond what it needs. Default 0.
    integer(c_int32_t) :: diagnostics = 0
    !> Of DRY_METHOD_SPOOK: contacts are damped within this many substeps at least, 0 or above [-]. Default 2, which
    !> is stable with any step. It costs rebound once a step is near the time of a contact. For two grains that touch
    !> for 2.2 ms, restitution by elasticity is 0.7 at steps of 0.1 ms and 0.3 at 0.5 ms. Below 1 the step must be
    !> below a tenth of that time: else contacts gain energy.
    real(c_double) :: spook_relaxation = 0.0_c_double
    !> Of DRY_METHOD_SPOOK: contacts that stick creep at this speed for each newton of friction, and turn for each
    !> newton metre of rolling or twisting resistance, 0 or above [m/(N s)]. Default 1e-6; 0: they stick exactly.
    real(c_double) :: regularisation = 0.0_c_double
  end type dry_settings

  !> How a host's job system does drystone's work: a pointer to it in dry_world_def makes the steps of that world run
  !> on the host's threads. Zeroed by the host, which sets all members; grows at its end. Read while the world is
  !> made, and not kept; what user_data shows must last as long as the world.
  !> A step requests tasks repeatedly, up to some hundred times. Each time it requests at most worker_count - 1 of
  !> them. They share pieces of 5 to 50 microseconds with the thread that steps. Where many thousand contacts meet or
  !> part, a piece takes some hundred microseconds and more. The thread that steps works too, and then waits for each
  !> task. So tasks may run at the same time or one after the other, in any order. They may run before that wait,
  !> during it, or not at all: only the time of the step depends on it. They use little stack, never wait for each
  !> other and never call the host.
  !> The functions are called by the thread that steps, within dry_world_step, and must not throw or longjmp. A
  !> function that has to give up its task calls the task itself. While the world steps every other call on it is
  !> DRY_ERR_BUSY, at once and from any thread: a job that runs while dry_task_wait waits may use other worlds. Each
  !> task sets its own floating point environment and then restores that of the thread.
  type, bind(C) :: dry_task_callbacks
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 40
    !> Handed to both functions; may be NULL.
    type(c_ptr) :: user_data = c_null_ptr
    !> Not NULL.
    type(c_funptr) :: run_task = c_null_funptr
    !> Not NULL.
    type(c_funptr) :: wait = c_null_funptr
    !> How many threads work at most, the one that steps included: 1 to 1024.
    integer(c_int32_t) :: worker_count = 0
    !> Must be 0.
    integer(c_int32_t) :: reserved = 0
  end type dry_task_callbacks

  !> What a world starts with. Filled in by dry_world_def_init; grows at its end.
  type, bind(C) :: dry_world_def
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 0
    !> NULL, the default: the default settings. Read during the call, not kept.
    type(c_ptr) :: settings = c_null_ptr
    !> World axes, each component up to 1e50 [m/s^2]. Default (0, 0, -9.81).
    real(c_double) :: gravity(3) = 0.0_c_double
    !> Threads that work on a step. Default 1: the calling thread alone. n: also n - 1 threads that the world starts,
    !> and ends when it is destroyed. 0: as many as there are cores. At most 1024. A library that was built without
    !> threads of its own offers only 1: DRY_ERR_UNSUPPORTED.
    integer(c_int32_t) :: threads = 0
    !> Must be 0.
    integer(c_int32_t) :: reserved = 0
    !> The host's job system, which works on steps; threads must then be 1. NULL, the default: threads decides. Read
    !> during the call, not kept.
    type(c_ptr) :: tasks = c_null_ptr
    !> Lengths of a periodic box along the world axes: 0 (the default) where an axis is open, else from 1e-100 to
    !> 1e100 [m]. Bodies touch in their nearest images. Positions stay continuous: bodies are not moved back into the
    !> box, and a contact keeps its key when they cross a side. The point of a contact is at body_a, not at one of
    !> its images. Arms and branch vectors lead to the nearest image. dry_query_stress counts each image of a contact
    !> in its region.
    !> Twice the radius of a shape's bounding sphere plus the contact margin is at most half of each period, so that
    !> two bodies touch in one image only. The sphere is about the shape's origin. Adding a larger body, or setting a
    !> larger margin, is DRY_ERR_ARGUMENT. So is a half-space whose normal has a component along a periodic axis, or
    !> that turns. Joints do not use images. dry_world_set_strain_rate lets the periods grow or shrink.
    real(c_double) :: period(3) = 0.0_c_double
  end type dry_world_def

  !> The report of a step. The caller zeroes it and sets struct_size before the call; grows at its end.
  !> The residual of a contact is how far velocities and impulses are from its laws, as a velocity: 0 where they
  !> hold.
  type, bind(C) :: dry_step_report
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 352
    !> DRY_REPORT_ bits.
    integer(c_int32_t) :: flags = 0
    !> Bodies of the world, or of the problem.
    integer(c_int32_t) :: bodies = 0
    !> Bodies that moved or could have; without those that sleep.
    integer(c_int32_t) :: awake_bodies = 0
    !> Groups of moving bodies that touch each other; without those that sleep.
    integer(c_int32_t) :: islands = 0
    !> Contacts, those that carry nothing and those of sleeping bodies included.
    integer(c_int32_t) :: contacts = 0
    !> Contacts that the step, or the call, before did not have.
    integer(c_int32_t) :: new_contacts = 0
    !> Sweeps, the most over the islands; with substeps, the sum over them.
    integer(c_int32_t) :: iterations = 0
    !> Passes of the projection, the most over the islands.
    integer(c_int32_t) :: projection_passes = 0
    !> Newton steps of the correction, the most over the islands.
    integer(c_int32_t) :: compatibility_iterations = 0
    !> Always 0.
    integer(c_int32_t) :: reserved = 0
    !> Key of the contact, or of the row of a problem, with residual_max; 0 without contacts.
    integer(c_int64_t) :: worst_contact = 0
    !> Largest residual of the velocities and impulses finally used [m/s].
    real(c_double) :: residual_max = 0.0_c_double
    !> Its mean over the contacts [m/s].
    real(c_double) :: residual_mean = 0.0_c_double
    !> Largest residual before the projection [m/s].
    real(c_double) :: solver_residual = 0.0_c_double
    !> Of the correction: the error of the compatible forces in the resultants of the solver's forces on the bodies,
    !> as norms, over these resultants. It is the largest over the islands whose loads can be carried [-].
    real(c_double) :: compatibility_residual = 0.0_c_double
    !> Largest overlap at the start of the step [m].
    real(c_double) :: max_overlap = 0.0_c_double
    !> At the end of the step [J]; infinite for speeds whose square is beyond the largest number.
    real(c_double) :: kinetic_energy = 0.0_c_double
    !> At the end of the step, relative to the world's origin [J].
    real(c_double) :: potential_energy = 0.0_c_double
    !> Time spent finding contacts [s].
    real(c_double) :: seconds_detect = 0.0_c_double
    !> Time spent turning bodies and contacts into equations [s].
    real(c_double) :: seconds_assemble = 0.0_c_double
    !> Time spent in the impact stage [s].
    real(c_double) :: seconds_impact = 0.0_c_double
    !> Time spent in the sweeps [s].
    real(c_double) :: seconds_solve = 0.0_c_double
    !> Time spent in the projection [s].
    real(c_double) :: seconds_project = 0.0_c_double
    !> Time spent in the correction [s].
    real(c_double) :: seconds_compatibility = 0.0_c_double
    !> Time spent moving bodies, and undoing overlap [s].
    real(c_double) :: seconds_integrate = 0.0_c_double
    !> Time of the whole step [s].
    real(c_double) :: seconds_total = 0.0_c_double
    !> Islands in which sticking contacts were made exact constraints.
    integer(c_int32_t) :: projected_islands = 0
    !> Islands in which that did not lower the residual, and which were left as the sweeps had them.
    integer(c_int32_t) :: rejected_islands = 0
    !> Islands whose loads no contact forces carry; their compatible forces are those of the solver.
    integer(c_int32_t) :: infeasible_islands = 0
    !> Of DRY_COMPATIBLE_FRICTION_ELASTIC: islands in which it did not converge, and that of
    !> DRY_COMPATIBLE_FRICTION_ASSOCIATED stands.
    integer(c_int32_t) :: associated_islands = 0
    !> Contacts that the correction took for closed: those that carry impulse, or do not open.
    integer(c_int32_t) :: closed_contacts = 0
    !> Those of them whose friction is above its bound of the compatible normal force. With
    !> DRY_COMPATIBLE_FRICTION_OFF friction is unchanged.
    integer(c_int32_t) :: contacts_beyond_friction = 0
    !> Contacts that open more slowly than this counted as closed [m/s].
    real(c_double) :: closing_velocity = 0.0_c_double
    !> Joints of the world, those that are off or broken included.
    integer(c_int32_t) :: joints = 0
    !> Mechanisms whose joints were not aimed at the end of the step, as their links turn too fast under their load.
    !> They stay whole, and fast swings lose energy. The number is the largest over the substeps. More substeps avoid
    !> this loss.
    integer(c_int32_t) :: unaimed_mechanisms = 0
    !> Joint with joint_residual; 0 without joints.
    integer(c_int64_t) :: worst_joint = 0
    !> Largest residual of a row of a joint [m/s]. Rows of turns count at the distance at which a torque counts as a
    !> force.
    real(c_double) :: joint_residual = 0.0_c_double
    !> Largest distance that joints are apart along what they lock, at the end of the step [m].
    real(c_double) :: joint_error = 0.0_c_double
    !> Length of a substep times the largest angular frequency at which a mechanism swings under its own forces; an
    !> upper bound where it is small [-]. Above 1.7 joints are not aimed; as many times more substeps are needed.
    real(c_double) :: joint_stiffness = 0.0_c_double
    !> Time spent on mechanisms outside of the sweeps; it is a part of seconds_assemble and seconds_integrate [s].
    real(c_double) :: seconds_joints = 0.0_c_double
    !> With DRY_DIAGNOSE_RESIDUALS, of the last substep: mean residual of the contacts along their normals, each part
    !> of a contact measured with the others as they are [m/s].
    real(c_double) :: residual_normal = 0.0_c_double
    !> Likewise, of friction [m/s].
    real(c_double) :: residual_friction = 0.0_c_double
    !> Likewise, of rolling and twisting, at the distance where a torque counts as a force [m/s].
    real(c_double) :: residual_rolling = 0.0_c_double
    !> With DRY_DIAGNOSE_ENERGY: elastic energy of the contacts of bodies that are awake, at the end of the step [J].
    !> Over a step, kinetic_energy, potential_energy and elastic_energy of bodies that stay awake gain wall_work,
    !> joint_work, force_work and numerical_energy, and lose the four losses. This balance is exact to round-off. An
    !> entry can be infinite or no number where the square of a speed is.
    real(c_double) :: elastic_energy = 0.0_c_double
    !> Lost by sliding in the step, and by coming to stick [J].
    real(c_double) :: friction_loss = 0.0_c_double
    !> Lost by rolling and twisting resistance [J].
    real(c_double) :: rolling_loss = 0.0_c_double
    !> Lost along the normals by DRY_METHOD_RIGID; with DRY_METHOD_SPOOK all that the impact stage took [J].
    real(c_double) :: impact_loss = 0.0_c_double
    !> Lost in the damping of contacts and of bodies [J].
    real(c_double) :: damping_loss = 0.0_c_double
    !> Done through contacts by kinematic bodies, by surfaces that move over their bodies, and by the images of a
    !> strained box [J].
    real(c_double) :: wall_work = 0.0_c_double
    !> Done by joints on the bodies that they move: motors, springs, limits and friction [J].
    real(c_double) :: joint_work = 0.0_c_double
    !> Done by the forces and torques of the host; gravity is in potential_energy [J].
    real(c_double) :: force_work = 0.0_c_double
    !> Energy that the integrator added [J]. It comes from the position pass, the fall within a step, and contacts
    !> that came or went while they overlapped. It also comes from the part of elastic forces that makes them stable.
    real(c_double) :: numerical_energy = 0.0_c_double
  end type dry_step_report

  !> The function that a run calls between its steps. The host zeroes it and sets the members that it needs; grows at
  !> its end.
  type, bind(C) :: dry_run_progress
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 32
    !> Passed to the function; may be NULL.
    type(c_ptr) :: user_data = c_null_ptr
    !> Not NULL. It runs on the calling thread and must not throw or longjmp. Within it every call on the same world
    !> is DRY_ERR_BUSY, also those that only read; other worlds may be used. It must not wait for a thread that uses
    !> the world.
    type(c_funptr) :: progress = c_null_funptr
    !> The number of steps between two calls of the function; 0 counts as 1. It is also called after the last step.
    integer(c_int64_t) :: every = 0
  end type dry_run_progress

  !> How a static problem is solved. Filled in by dry_static_def_init; grows at its end.
  type, bind(C) :: dry_static_def
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 0
    !> Time by which kinematic bodies, surfaces that move and velocity motors move with their velocities; up to 1e50
    !> of either sign [s]. Default 1.
    real(c_double) :: increment = 0.0_c_double
    !> A body that would move further is DRY_STATIC_COLLAPSE; turns count at half the mean size of what moves [m].
    !> Default 0: a tenth of that size.
    real(c_double) :: max_displacement = 0.0_c_double
    !> Largest force that may be missing on a body, in units of the largest load of a body; above 0 [-]. Of a limit
    !> load also the gap up to which a contact touches, in units of the mean size of what moves. Default 1e-10.
    !> Whatever it is, contacts obey their laws to 1e-9 of that load, and rigid ones with a force are closed to 1e-9
    !> of that size.
    real(c_double) :: tolerance = 0.0_c_double
    !> Weight of the term that holds what no contact holds near its place; above 0 [-]. It does not change the answer
    !> of what is held. Default 1e-3.
    real(c_double) :: proximal = 0.0_c_double
    !> How often that term is moved to where bodies are by then, at most; at least 1. Default 20.
    integer(c_int32_t) :: iterations = 0
    !> Always 0.
    integer(c_int32_t) :: reserved = 0
    !> Passed to progress; may be NULL.
    type(c_ptr) :: user_data = c_null_ptr
    !> The function that the call runs between its iterations, or NULL, the default. It runs on the calling thread
    !> and must not throw or longjmp. Within it every call on the same world is DRY_ERR_BUSY, also those that only
    !> read; other worlds may be used. It must not wait for a thread that uses the world.
    type(c_funptr) :: progress = c_null_funptr
    !> The number of iterations between two calls of the function; 0 counts as 1. Default 1.
    integer(c_int64_t) :: every = 0
  end type dry_static_def

  !> The result of a static increment or of a limit load. The caller zeroes it and sets struct_size before the call;
  !> grows at its end.
  type, bind(C) :: dry_static_report
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 48
    !> DRY_STATIC_ bits.
    integer(c_int32_t) :: flags = 0
    !> Systems of equations that were solved.
    integer(c_int32_t) :: iterations = 0
    !> Largest force missing on a body; a torque counts at half the mean size of what moves [N].
    real(c_double) :: unbalanced = 0.0_c_double
    !> Largest move of a body, turns as in dry_static_def.max_displacement; 0 of a limit load [m].
    real(c_double) :: displacement_max = 0.0_c_double
    !> Elastic energy of the contacts; 0 of a limit load [J].
    real(c_double) :: elastic_energy = 0.0_c_double
    !> Of a limit load: the largest factor of the unit loads; 0 of an increment [-].
    real(c_double) :: load_factor = 0.0_c_double
  end type dry_static_report

  !> A material of bodies. Filled in by dry_material_def_init; grows at its end.
  !> Between two materials friction, rolling and twisting friction are the geometric mean, and restitution is the
  !> larger one. dry_material_pair_set can set other values.
  type, bind(C) :: dry_material_def
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 0
    !> Coulomb's coefficient, 0 or above [-]. Default 0.5.
    real(c_double) :: friction = 0.0_c_double
    !> Coefficient of rolling resistance, 0 or above [-]. The torque against rolling is at most rolling_friction
    !> times r* times the normal force. Here r* = r_a r_b / (r_a + r_b), from the radii of curvature of the two
    !> shapes where they touch. Spheres, capsules and cylinders on their side have such a radius. All other places
    !> are flat, and the radius of the other shape alone counts. Two flat places do not resist rolling. Default 0.
    real(c_double) :: rolling_friction = 0.0_c_double
    !> Coefficient of twisting resistance, 0 or above [-]: the same for the torque about the normal, against spinning
    !> on the spot. Two flat places resist that by friction at their contact points alone. Default 0.
    real(c_double) :: twisting_friction = 0.0_c_double
    !> Speed of rebound over speed of impact, 0 to 1 [-]. Default 0. See restitution_threshold of dry_settings. With
    !> friction this law can create energy (Kane's paradox). If the contacts of an island would do work in sum, the
    !> restitution of the whole island is scaled down in that step until they do none. The step is then solved
    !> several times. In a step with a rebound, contacts of the island across a gap take restitution too. An impact
    !> that passes through gaps within contact_margin then keeps its energy with restitution 1. With DRY_METHOD_SPOOK
    !> it is the rebound in the impact stage. The elasticity of contacts adds to it, but spook_relaxation 2 of
    !> dry_settings leaves little of that once a step is near the time of a contact.
    real(c_double) :: restitution = 0.0_c_double
    !> Above 0 [Pa]. With DRY_METHOD_SPOOK it gives contacts their stiffness; else only ratios between materials
    !> matter, and only to the compatibility correction. Default 1e9.
    real(c_double) :: young_modulus = 0.0_c_double
    !> Above -1 and at most 0.5 [-]. Default 0.25.
    real(c_double) :: poisson_ratio = 0.0_c_double
    !> Of bodies whose mass comes from their shape, above 0 [kg/m^3]. Default 1000.
    real(c_double) :: density = 0.0_c_double
    !> The caller's own; drystone does not use it.
    integer(c_int64_t) :: user_data = 0
    !> Of DRY_METHOD_SPOOK: the time c of the viscous part of a contact, 0 or above [s]. A Hertz contact carries k
    !> (delta^(3/2) + c sqrt(delta) d(delta)/dt), by Hooke k (delta + c d(delta)/dt). Of two materials the larger c
    !> holds. In short steps two grains of reduced mass m that meet at the speed v rebound by 1 - 1.153 c (k/m)^(2/5)
    !> v^(1/5) of it. Once a step is near the time of a contact, spook_relaxation 2 of dry_settings removes most of
    !> the rebound, also with c = 0. Two grains that touch for 2.2 ms then keep 0.7 of their speed at steps of 0.1
    !> ms, and 0.3 at 0.5 ms. Default 0.
    real(c_double) :: contact_damping = 0.0_c_double
    !> Of DRY_METHOD_THETA: the stiffness of each contact point along its normal, 0 or above [N/m]. Default 0: rigid.
    !> Of two materials the compliances add up. Two faces that touch at four points are four times as stiff. Bodies
    !> should move by less than contact_margin in a step: a contact that is found late begins with the energy of its
    !> overlap.
    real(c_double) :: normal_stiffness = 0.0_c_double
    !> The same across the normal, for friction that sticks [N/m]. Default 0: two thirds of normal_stiffness. Above 0
    !> only if that is. Not the member of dry_settings of this name, which is a ratio of the compatibility
    !> correction.
    real(c_double) :: tangential_stiffness = 0.0_c_double
  end type dry_material_def

  !> The values for a pair of materials, in place of the mixing rules. Filled in by dry_pair_def_init; grows at its
  !> end.
  type, bind(C) :: dry_pair_def
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 0
    !> Coulomb's coefficient, 0 or above [-]. Default 0.5.
    real(c_double) :: friction = 0.0_c_double
    !> As in dry_material_def [-]. Default 0.
    real(c_double) :: rolling_friction = 0.0_c_double
    !> As in dry_material_def [-]. Default 0.
    real(c_double) :: twisting_friction = 0.0_c_double
    !> Speed of rebound over speed of impact, 0 to 1 [-]. Default 0.
    real(c_double) :: restitution = 0.0_c_double
    !> Of the compatibility correction, relative to other pairs, 0 or above. Default 0: from the moduli.
    real(c_double) :: stiffness = 0.0_c_double
    !> Of DRY_METHOD_SPOOK: the stiffness k of each contact, 0 or above [N/m^1.5 with DRY_LAW_HERTZ, N/m with
    !> DRY_LAW_HOOKE]. Default 0: from the moduli and the radii; two flat places, which have no radius, take the
    !> radius of the bounding sphere of the smaller body for it.
    real(c_double) :: contact_stiffness = 0.0_c_double
    !> As in dry_material_def [s]. Default 0.
    real(c_double) :: contact_damping = 0.0_c_double
    !> As in dry_material_def [N/m]. Default 0: from the materials. INFINITY: rigid.
    real(c_double) :: normal_stiffness = 0.0_c_double
    !> As in dry_material_def [N/m]. Default 0: two thirds of normal_stiffness where that is above 0, else from the
    !> materials. INFINITY: rigid.
    real(c_double) :: tangential_stiffness = 0.0_c_double
  end type dry_pair_def

  !> A part of a clump. Filled in by dry_clump_part_init; grows at its end.
  type, bind(C) :: dry_clump_part
    !> Bytes of this structure; the same in every element of an array, where it is the stride.
    integer(c_size_t) :: struct_size = 0
    !> A sphere, box, capsule, cylinder or hull of the world. The clump has a copy: the shape may be removed
    !> afterwards. No default: it must be set.
    integer(c_int64_t) :: shape = 0
    !> Of the shape's origin, axes of the clump [m]. Default 0.
    real(c_double) :: position(3) = 0.0_c_double
    !> Quaternion (x, y, z, w) from the shape's axes to those of the clump, its length 1 within 1e-6 [-]. Default (0,
    !> 0, 0, 1).
    real(c_double) :: rotation(4) = 0.0_c_double
    !> Factor on the density of the body, 1e-20 to 1e20 [-]. Default 1.
    real(c_double) :: density_factor = 0.0_c_double
  end type dry_clump_part

  !> A closed NURBS curve in the x-y plane of a body, and the prism along z over it. Filled in by
  !> dry_nurbs_curve_def_init; grows at its end.
  !> A curve that runs counterclockwise is solid inside. One that runs clockwise is a hole, solid outside near its
  !> edge, for static and kinematic bodies alone. The curve must be simple: it neither crosses nor touches itself,
  !> nor has it a cusp or an angle below a millionth of a radian; else DRY_ERR_ARGUMENT. Corners are allowed.
  type, bind(C) :: dry_nurbs_curve_def
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 0
    !> 1 to 5. Default 3. A curve of degree 1 is the polygon of its points.
    integer(c_int32_t) :: degree = 0
    !> 1: periodic. Point i acts from knot i to knot i + degree + 1, knots and points go on beyond their ends with
    !> the period. 0: clamped. The first knot and the last one stand degree + 1 times, and the last point is the
    !> first one. Default 1.
    integer(c_int32_t) :: periodic = 0
    !> 2 * point_count numbers, x y of each control point, body axes [m]; read during the call. At least 3 points of
    !> a periodic curve; of a clamped one degree + 1, and 4. No default.
    type(c_ptr) :: points_xy = c_null_ptr
    !> point_count numbers above 0, of which the largest is at most 1e8 times the smallest; NULL: all 1. Read during
    !> the call. Default NULL [-].
    type(c_ptr) :: weights_or_null = c_null_ptr
    !> knot_count numbers in ascending order, of which some may be equal; read during the call. Knots are the same or
    !> differ by 1e-10 of their range. The same knot stands at most degree times, except at the ends of a clamped
    !> curve. No default [-].
    type(c_ptr) :: knots = c_null_ptr
    !> No default.
    integer(c_size_t) :: point_count = 0
    !> point_count + 1 of a periodic curve, point_count + degree + 1 of a clamped one. No default.
    integer(c_size_t) :: knot_count = 0
    !> Half the length of the prism along z, above 0 [m]. Default 0.5.
    real(c_double) :: half_depth = 0.0_c_double
    !> A dry_curve_contacts. Two curves touch at their knots if both have DRY_CURVE_KNOTS. Default DRY_CURVE_MINIMA.
    integer(c_int) :: contacts = 0
    !> Of the search for contacts, 1 to 64. Default 4.
    integer(c_int32_t) :: samples_per_span = 0
  end type dry_nurbs_curve_def

  !> A body before it exists. Filled in by dry_body_def_init; grows at its end.
  type, bind(C) :: dry_body_def
    !> Bytes of this structure; the same in every element of an array, where it is the stride.
    integer(c_size_t) :: struct_size = 0
    !> Default DRY_DYNAMIC.
    integer(c_int) :: kind = 0
    !> DRY_LOCK_ bits, world axes. Default 0. A locked component of a velocity is zero. A contact whose normal is a
    !> locked direction carries no force, whatever pushes along it.
    integer(c_int32_t) :: lock = 0
    !> A shape of the world. No default: it must be set.
    integer(c_int64_t) :: shape = 0
    !> A material of the world. Default 0: the default material.
    integer(c_int64_t) :: material = 0
    !> Of the shape's origin, world axes [m]. Default 0.
    real(c_double) :: position(3) = 0.0_c_double
    !> Quaternion (x, y, z, w) from body to world axes, the real part w last, its length 1 within 1e-6 [-]. Not (w,
    !> x, y, z): a quaternion in that order has length 1 too and is accepted. Default (0, 0, 0, 1).
    real(c_double) :: rotation(4) = 0.0_c_double
    !> Of the centre of mass, world axes [m/s]. Default 0.
    real(c_double) :: linear_velocity(3) = 0.0_c_double
    !> World axes [rad/s]. Default 0.
    real(c_double) :: angular_velocity(3) = 0.0_c_double
    !> 0, or 1e-100 to 1e100 [kg]. Default 0: from shape and density. A mass of 0 does not hold a body in place: kind
    !> DRY_STATIC does.
    real(c_double) :: mass = 0.0_c_double
    !> Body axes, from the shape's origin; used when mass > 0 [m]. Default 0.
    real(c_double) :: center_of_mass(3) = 0.0_c_double
    !> About the centre of mass, body axes: xx yy zz xy yz xz; used when mass > 0 [kg m^2]. It must be positive
    !> definite. No principal moment may exceed the sum of the other two by more than 1e-6 of the largest. Default
    !> all 0: from the shape, scaled to mass.
    real(c_double) :: inertia(6) = 0.0_c_double
    !> Factor on the world's gravity [-]. Default 1.
    real(c_double) :: gravity_scale = 0.0_c_double
    !> Rate at which the linear velocity decays, 0 or above [1/s]. Default 0.
    real(c_double) :: linear_damping = 0.0_c_double
    !> Rate at which the angular velocity decays, 0 or above [1/s]. Default 0.
    real(c_double) :: angular_damping = 0.0_c_double
    !> Bits of the groups it is in. Default 1. Two bodies collide if each one's mask has a bit of the other's
    !> category.
    integer(c_int32_t) :: filter_category = 0
    !> Bits of the groups it collides with. Default all.
    integer(c_int32_t) :: filter_mask = 0
    !> Two bodies of one group other than 0 always collide if it is positive, never if it is negative. Default 0.
    integer(c_int32_t) :: filter_group = 0
    !> Must be 0.
    integer(c_int32_t) :: reserved = 0
    !> The caller's own; see dry_body_get_user_data. Default 0.
    integer(c_int64_t) :: user_data = 0
  end type dry_body_def

  !> Where a body is and how it moves. Frozen: it never changes.
  type, bind(C) :: dry_body_state
    !> Of the shape's origin, world axes [m].
    real(c_double) :: position(3) = 0.0_c_double
    !> Quaternion (x, y, z, w) from body to world axes, the real part w last [-].
    real(c_double) :: rotation(4) = 0.0_c_double
    !> Of the centre of mass, world axes [m/s].
    real(c_double) :: linear_velocity(3) = 0.0_c_double
    !> World axes [rad/s].
    real(c_double) :: angular_velocity(3) = 0.0_c_double
  end type dry_body_state

  !> A joint before it exists. Filled in by dry_joint_def_init; grows at its end. dry_joint_def_place finds its
  !> frames.
  !> A joint holds frame A, fixed in body_a, to frame B, fixed in body_b. One of the two must be dynamic; the other
  !> one may be the world. They must differ. The axes of a new joint have the defaults of dry_joint_axis, those of
  !> DRY_JOINT_GENERAL are locked; dry_joint_set_axis sets them.
  type, bind(C) :: dry_joint_def
    !> Bytes of this structure; the same in every element of an array, where it is the stride.
    integer(c_size_t) :: struct_size = 0
    !> As given to dry_joint_def_init.
    integer(c_int) :: kind = 0
    !> DRY_JOINT_ bits: DRY_JOINT_COLLIDE or 0. Default 0: the two bodies do not collide with each other.
    integer(c_int32_t) :: flags = 0
    !> Body A. Default 0: the world, whose frame is in world axes.
    integer(c_int64_t) :: body_a = 0
    !> Body B. Default 0: the world. The forces of a joint are those on body B.
    integer(c_int64_t) :: body_b = 0
    !> The origin of frame A, from the origin of the shape of A, body axes. Where body_a is 0: from the world's
    !> origin, world axes. Each coordinate is up to 1e50 [m]. Default 0.
    real(c_double) :: point_a(3) = 0.0_c_double
    !> Quaternion (x, y, z, w) from the axes of frame A to those of body A, its length 1 within 1e-6 [-]. Default (0,
    !> 0, 0, 1). Locked directions of both frames must be at most 90 degrees apart.
    real(c_double) :: rotation_a(4) = 0.0_c_double
    !> The origin of frame B, as point_a [m]. Default 0.
    real(c_double) :: point_b(3) = 0.0_c_double
    !> Of frame B, as rotation_a [-]. Default (0, 0, 0, 1).
    real(c_double) :: rotation_b(4) = 0.0_c_double
    !> Of DRY_JOINT_DISTANCE: the least distance, 0 or above [m]. Default 0. A rod has two equal lengths, a rope 0
    !> and its length, a strut its length and INFINITY.
    real(c_double) :: length_min = 0.0_c_double
    !> Of DRY_JOINT_DISTANCE: the largest distance, above 0 and not below length_min [m]. Default INFINITY.
    real(c_double) :: length_max = 0.0_c_double
    !> Compliance of the locked displacements, and of a distance, 0 or above [m/N]. Default 0: rigid.
    real(c_double) :: linear_compliance = 0.0_c_double
    !> Compliance of the locked turns, 0 or above [rad/(N m)]. Default 0: rigid.
    real(c_double) :: angular_compliance = 0.0_c_double
    !> Time in which an error of a compliant axis decays, 0 or above [s]. Default 0: two steps.
    real(c_double) :: relaxation = 0.0_c_double
    !> The joint breaks where its force, the mean of a step, is above this; 0 or above [N]. Default 0: never.
    real(c_double) :: break_force = 0.0_c_double
    !> The joint breaks where its torque about the origin of frame B, the mean of a step, is above this; 0 or above
    !> [N m]. Default 0: never.
    real(c_double) :: break_torque = 0.0_c_double
    !> The joint breaks where its impulse in one substep is above this; 0 or above [N s]. Default 0: never. What
    !> breaks keeps its forces of that step, and carries nothing from the next step on.
    real(c_double) :: break_impulse = 0.0_c_double
    !> The caller's own; see dry_joint_get_def. Default 0.
    integer(c_int64_t) :: user_data = 0
  end type dry_joint_def

  !> A free axis of a joint: bounds, motor, spring, dry friction, rotor. Filled in by dry_joint_axis_init; grows at
  !> its end.
  !> Where two units stand, the first one is that of displacements (axes 0 to 2), the second one that of turns (axes
  !> 3 to 5). Forces are those on body B; they are positive where they let the position grow. A spring and a motor of
  !> DRY_JOINT_MOTOR_POSITION act together.
  !> Where no turn is locked, as in a ball, the friction of axis 5 is that of all turns together. Its bound limits
  !> the length of the torque, whatever its direction, and the load is the whole force of the joint. Axes 3 and 4
  !> have no friction then.
  type, bind(C) :: dry_joint_axis
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 0
    !> Default DRY_JOINT_MODE_FREE.
    integer(c_int) :: mode = 0
    !> Default DRY_JOINT_MOTOR_OFF.
    integer(c_int) :: motor = 0
    !> Least position of DRY_JOINT_MODE_LIMITED, below INFINITY [m] or [rad]. Default -INFINITY. Two equal bounds
    !> hold the axis. Of the cone of a ball: 0 or less.
    real(c_double) :: lower = 0.0_c_double
    !> Largest position of DRY_JOINT_MODE_LIMITED, not below lower [m] or [rad]. Default INFINITY. Of the cone of a
    !> ball: above 0.
    real(c_double) :: upper = 0.0_c_double
    !> Speed after an impact on a bound over that before, 0 to 1 [-]. Default 0.
    real(c_double) :: limit_restitution = 0.0_c_double
    !> Natural frequency of the spring without damping, with the mass of both bodies along the axis, 0 or above [Hz].
    !> Default 0: stiffness and damping define the spring.
    real(c_double) :: frequency = 0.0_c_double
    !> Of a spring with a frequency: its damping as a part of the critical one, 0 or above [-]. Default 0.
    real(c_double) :: ratio = 0.0_c_double
    !> Of the spring where frequency is 0; 0 or above [N/m] or [N m/rad]. Default 0.
    real(c_double) :: stiffness = 0.0_c_double
    !> Of the spring where frequency is 0, or of a damper alone; 0 or above [N s/m] or [N m s/rad]. Default 0.
    real(c_double) :: damping = 0.0_c_double
    !> The position at which the spring has no force [m] or [rad]. Default 0.
    real(c_double) :: rest = 0.0_c_double
    !> Of DRY_JOINT_MOTOR_POSITION [m] or [rad]. Default 0. It stays until it is set again; target_velocity does not
    !> change it.
    real(c_double) :: target_position = 0.0_c_double
    !> Of DRY_JOINT_MOTOR_VELOCITY: the velocity of the axis. Of DRY_JOINT_MOTOR_POSITION: that of the target [m/s]
    !> or [rad/s]. Default 0.
    real(c_double) :: target_velocity = 0.0_c_double
    !> Of DRY_JOINT_MOTOR_POSITION, above 0 there [N/m] or [N m/rad]. Default 0.
    real(c_double) :: motor_stiffness = 0.0_c_double
    !> Of DRY_JOINT_MOTOR_POSITION, 0 or above [N s/m] or [N m s/rad]. Default 0.
    real(c_double) :: motor_damping = 0.0_c_double
    !> Least force of the motor on body B, below INFINITY [N] or [N m]. Default -INFINITY.
    real(c_double) :: force_lower = 0.0_c_double
    !> Largest force of the motor on body B, not below force_lower [N] or [N m]. Default INFINITY.
    real(c_double) :: force_upper = 0.0_c_double
    !> Dry friction without load, 0 or above [N] or [N m]. Default 0.
    real(c_double) :: friction = 0.0_c_double
    !> Friction over the load, 0 or above [-]. Default 0. The load is the force of the joint across this axis of
    !> frame A in the substep before. It adds load times this to the bound of the friction; on turns times
    !> friction_radius.
    real(c_double) :: friction_coefficient = 0.0_c_double
    !> Of turns: the distance from the axis at which the load rubs, 0 or above [m]. Default 0. Displacements have
    !> none.
    real(c_double) :: friction_radius = 0.0_c_double
    !> Mass or inertia of a rotor that moves with the axis and with no body, 0 or above [kg] or [kg m^2]. Default 0.
    real(c_double) :: armature = 0.0_c_double
  end type dry_joint_axis

  !> An event of a joint in the last step. Frozen: it never changes.
  type, bind(C) :: dry_joint_event
    !> The joint.
    integer(c_int64_t) :: joint = 0
    !> The kind of the event.
    integer(c_int) :: type = 0
    !> Of DRY_JOINT_EVENT_LIMIT: the index of the axis, 0 to 5. Else 0.
    integer(c_int32_t) :: axis = 0
  end type dry_joint_event

  !> The position of a joint, and the forces that it carried in the last step. Grows at its end:
  !> sizeof(dry_joint_state) goes to dry_joint_get_state and dry_joints_get_states as a parameter.
  !> Forces are those on body B, averaged over the step; body A receives the opposite force. Positions and velocities
  !> are the present ones, and 0 for axes that the joint locks. A removed joint has no forces any more.
  type, bind(C) :: dry_joint_state
    !> Along each axis [m] or [rad].
    real(c_double) :: position(6) = 0.0_c_double
    !> Along each axis, of body B relative to body A [m/s] or [rad/s].
    real(c_double) :: velocity(6) = 0.0_c_double
    !> Of the whole joint, its motors, bounds, springs and friction included, on body B, world axes [N].
    real(c_double) :: force(3) = 0.0_c_double
    !> Of the whole joint on body B, about the origin of frame B at the start of the step, world axes [N m].
    real(c_double) :: torque(3) = 0.0_c_double
    !> Of the motor and the rotor of each axis [N] or [N m].
    real(c_double) :: motor_force(6) = 0.0_c_double
    !> Of the bounds of each axis [N] or [N m].
    real(c_double) :: limit_force(6) = 0.0_c_double
    !> Of the spring of each axis [N] or [N m].
    real(c_double) :: spring_force(6) = 0.0_c_double
    !> Of the dry friction of each axis [N] or [N m]. Where no turn is locked, elements 3, 4, 5 are the parts of its
    !> torque along x, y, z of frame A.
    real(c_double) :: friction_force(6) = 0.0_c_double
    !> Largest error of the locked displacements, or of the bounds of a distance [m].
    real(c_double) :: linear_error = 0.0_c_double
    !> Largest error of the locked turns [rad].
    real(c_double) :: angular_error = 0.0_c_double
    !> DRY_JOINT_ bits: DRY_JOINT_AT_LOWER, AT_UPPER, SATURATED, STICKING of each axis.
    integer(c_int32_t) :: axis_flags(6) = 0
    !> DRY_JOINT_ bits: DRY_JOINT_BROKEN, DISABLED, REDUNDANT, UNAIMED.
    integer(c_int32_t) :: flags = 0
    !> Always 0.
    integer(c_int32_t) :: reserved = 0
  end type dry_joint_state

  !> A shape at a pose. Frozen: it never changes.
  type, bind(C) :: dry_shape_pose
    !> The shape; any kind, whether bodies have it or not.
    integer(c_int64_t) :: shape = 0
    !> Of the shape's origin, world axes [m].
    real(c_double) :: position(3) = 0.0_c_double
    !> Unit quaternion (x, y, z, w).
    real(c_double) :: rotation(4) = 0.0_c_double
  end type dry_shape_pose

  !> A body that a shape at a pose would overlap. Frozen: it never changes.
  type, bind(C) :: dry_overlap
    !> The index of the pose, from 0.
    integer(c_int64_t) :: pose = 0
    !> The body.
    integer(c_int64_t) :: body = 0
    !> The least gap between the two; below 0: overlap [m].
    real(c_double) :: gap = 0.0_c_double
  end type dry_overlap

  !> A contact of the last step. Grows at its end: sizeof(dry_contact) goes to dry_query_contacts with the array.
  !> The normal points from body_a to body_b. Forces and torques are those on body_b, averaged over the step, world
  !> axes; body_a receives the opposite.
  type, bind(C) :: dry_contact
    !> The first body.
    integer(c_int64_t) :: body_a = 0
    !> The second body.
    integer(c_int64_t) :: body_b = 0
    !> The same contact keeps its key from step to step.
    integer(c_int64_t) :: key = 0
    !> At the start of the step, world axes [m].
    real(c_double) :: point(3) = 0.0_c_double
    !> At the start of the step, from body_a to body_b, unit [-].
    real(c_double) :: normal(3) = 0.0_c_double
    !> At the start of the step; below 0: overlap [m].
    real(c_double) :: gap = 0.0_c_double
    !> Along the normal, 0 or above [N].
    real(c_double) :: normal_force = 0.0_c_double
    !> Across the normal [N].
    real(c_double) :: friction_force(3) = 0.0_c_double
    !> Rolling resistance across the normal and twisting resistance along it, without the moments of the forces
    !> above; 0 between two flat places [N m].
    real(c_double) :: rolling_torque(3) = 0.0_c_double
    !> After the compatibility correction; equal to normal_force while that is off [N].
    real(c_double) :: compatible_normal_force = 0.0_c_double
    !> After the compatibility correction; equal to friction_force while that is off [N].
    real(c_double) :: compatible_friction_force(3) = 0.0_c_double
    !> Of body_b with respect to body_a at the contact, at the end of the step [m/s]. If bodies turn or their
    !> surfaces move, the tangential part is relative to the velocity that keeps the points of the surfaces together
    !> over the step. It is 0 where the contact sticks. In a strained box it is the velocity of the image that
    !> touches.
    real(c_double) :: relative_velocity(3) = 0.0_c_double
    !> The pair's coefficient [-].
    real(c_double) :: friction = 0.0_c_double
    !> Of the compatibility correction, relative to other contacts.
    real(c_double) :: stiffness = 0.0_c_double
    !> DRY_CONTACT_ bits.
    integer(c_int32_t) :: state = 0
    !> Always 0.
    integer(c_int32_t) :: reserved = 0
    !> The part of normal_force and friction_force that the impact stages of the step gave, world axes [N]. It is
    !> their impulse over the length of the step. 0 where nothing was struck: only DRY_METHOD_SPOOK has impact
    !> stages. The force after the impacts is normal_force * normal + friction_force - impact_force.
    real(c_double) :: impact_force(3) = 0.0_c_double
  end type dry_contact

  !> The coarse-grained fields at a point. Grows at its end: sizeof(dry_field) goes to dry_query_fields with the
  !> array.
  !> Matrices are row major: stress[3 * i + j]. Tension is positive.
  type, bind(C) :: dry_field
    !> Of mass: the sum of m phi [kg/m^3].
    real(c_double) :: density = 0.0_c_double
    !> The sum of m v phi [kg/(m^2 s)].
    real(c_double) :: momentum(3) = 0.0_c_double
    !> momentum over density; 0 where that is 0 [m/s].
    real(c_double) :: velocity(3) = 0.0_c_double
    !> The part of the volume that is solid: the sum of V phi over the volumes V of bodies, overlaps counted twice
    !> [-].
    real(c_double) :: packing_fraction = 0.0_c_double
    !> The sum of m |v - velocity|^2 phi over 3 density; 0 where that is 0 [m^2/s^2].
    real(c_double) :: granular_temperature = 0.0_c_double
    !> Minus the sum of m (v - velocity) (x) (v - velocity) phi [Pa].
    real(c_double) :: kinetic_stress(9) = 0.0_c_double
    !> Minus the sum of l (x) f times the mean of phi along the branch of each contact [Pa].
    real(c_double) :: contact_stress(9) = 0.0_c_double
  end type dry_field

  !> The parts that dry_world_export_vtk writes. Filled in by dry_vtk_def_init; grows at its end.
  type, bind(C) :: dry_vtk_def
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 0
    !> DRY_VTK_ bits. Default DRY_VTK_GRAINS | DRY_VTK_CONTACTS | DRY_VTK_SURFACES.
    integer(c_int32_t) :: parts = 0
    !> Of a circle, 3 to 1024. Default 24.
    integer(c_int32_t) :: sides = 0
    !> The edge of the square that stands for a half-space [m]. Default 0: one that reaches beyond all other bodies.
    real(c_double) :: half_space_size = 0.0_c_double
    !> The first point of the grid of fields, world axes [m]. Default 0.
    real(c_double) :: grid_origin(3) = 0.0_c_double
    !> From point to point along each axis, above 0 [m]. No default: it must be set for DRY_VTK_FIELDS.
    real(c_double) :: grid_spacing(3) = 0.0_c_double
    !> Points along each axis, 1 to 2147483647, and at most 4294967295 in all. No default: it must be set for
    !> DRY_VTK_FIELDS.
    integer(c_int32_t) :: grid_count(3) = 0
    !> Of the fields, see dry_query_fields. Default DRY_KERNEL_LUCY.
    integer(c_int) :: kernel = 0
    !> The width of the kernel [m]. Default 0: the mean diameter of the dynamic spheres.
    real(c_double) :: width = 0.0_c_double
  end type dry_vtk_def

  !> The function that a solver calls between its iterations. The host zeroes it and sets the members that it needs;
  !> grows at its end.
  type, bind(C) :: dry_solver_progress
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 32
    !> Passed to the function; may be NULL.
    type(c_ptr) :: user_data = c_null_ptr
    !> Not NULL. It runs on the thread that called the solver and must not throw or longjmp. Within it every call on
    !> the same solver is DRY_ERR_BUSY, except dry_solver_destroy; other solvers may be used.
    type(c_funptr) :: progress = c_null_funptr
    !> The number of iterations of a call between two calls of the function; 0 counts as 1.
    integer(c_int64_t) :: every = 0
  end type dry_solver_progress

  !> A body of a problem. Frozen: it never changes. All numbers are finite.
  type, bind(C) :: dry_problem_body
    !> 0, or 1e-100 to 1e100; 0: no force moves its centre of mass [1/kg]. With an inverse_inertia of 0 too:
    !> immovable, it keeps its velocity.
    real(c_double) :: inverse_mass = 0.0_c_double
    !> World axes, about the centre of mass: xx yy zz xy yz xz [1/(kg m^2)]. It is positive semidefinite to round-
    !> off: 1e-9 of the largest entry.
    real(c_double) :: inverse_inertia(6) = 0.0_c_double
    !> Of the centre of mass, already holding what external forces add during the step [m/s].
    real(c_double) :: velocity(3) = 0.0_c_double
    !> World axes, already holding what external torques add during the step [rad/s].
    real(c_double) :: angular_velocity(3) = 0.0_c_double
  end type dry_problem_body

  !> A contact of a problem. Frozen: it never changes. All numbers are finite; body_a and body_b are two bodies, of
  !> which an impulse moves at least one.
  type, bind(C) :: dry_problem_contact
    !> For warm starting; unique within a problem, rows included. 0: never warm started.
    integer(c_int64_t) :: key = 0
    !> Index of the first body; UINT32_MAX: the fixed world.
    integer(c_int32_t) :: body_a = 0
    !> Index of the second body; UINT32_MAX: the fixed world.
    integer(c_int32_t) :: body_b = 0
    !> From body_a to body_b, of length 1 to 1e-9, world axes [-].
    real(c_double) :: normal(3) = 0.0_c_double
    !> From the centre of mass of body_a to the contact point, world axes; of the fixed world any [m].
    real(c_double) :: arm_a(3) = 0.0_c_double
    !> From the centre of mass of body_b to the contact point, world axes; of the fixed world any [m].
    real(c_double) :: arm_b(3) = 0.0_c_double
    !> The normal velocity plus this is not below 0: gap / step, or restitution times the normal velocity before
    !> [m/s].
    real(c_double) :: normal_bias = 0.0_c_double
    !> The sliding velocity at which friction is at rest, world axes: a conveyor's, normally 0 [m/s].
    real(c_double) :: surface_velocity(3) = 0.0_c_double
    !> Normal velocity per normal impulse, 0 or above; 0: rigid [m/s per N s].
    real(c_double) :: normal_compliance = 0.0_c_double
    !> Sliding velocity per friction impulse, 0 or above; 0: rigid [m/s per N s].
    real(c_double) :: tangential_compliance = 0.0_c_double
    !> Coulomb's coefficient, 0 or above [-].
    real(c_double) :: friction = 0.0_c_double
    !> Largest rolling torque over normal force, 0 or above [m].
    real(c_double) :: rolling = 0.0_c_double
    !> Largest twisting torque over normal force, 0 or above [m].
    real(c_double) :: twisting = 0.0_c_double
    !> Of the compatibility correction, relative to other contacts and to 1 / compliance of rows, 0 or above; 0: 1.
    real(c_double) :: stiffness = 0.0_c_double
  end type dry_problem_contact

  !> One scalar row of a problem, as legacy solvers use them. Frozen: it never changes.
  !> jacobian_a . velocity_a + jacobian_b . velocity_b + compliance * impulse = rhs at the solution, as far as the
  !> bounds of the impulse allow: at lower the left side may be larger, at upper smaller. The impulse acts on each
  !> body by its Jacobian: force on its centre of mass, torque about it. All numbers are finite but the bounds; an
  !> impulse changes the velocity of the row.
  type, bind(C) :: dry_problem_row
    !> For warm starting; unique within a problem, contacts included. 0: never warm started.
    integer(c_int64_t) :: key = 0
    !> Index of the first body; UINT32_MAX: the fixed world.
    integer(c_int32_t) :: body_a = 0
    !> Index of the second body; UINT32_MAX: the fixed world.
    integer(c_int32_t) :: body_b = 0
    !> Of the first body: linear, angular.
    real(c_double) :: jacobian_a(6) = 0.0_c_double
    !> Of the second body: linear, angular.
    real(c_double) :: jacobian_b(6) = 0.0_c_double
    !> Right hand side, a velocity of the row [m/s, of a row of spins alone rad/s].
    real(c_double) :: rhs = 0.0_c_double
    !> Velocity per impulse, 0 or above [m/s per N s].
    real(c_double) :: compliance = 0.0_c_double
    !> Least impulse, at most upper; -INFINITY: none [N s]. With friction_row >= 0 times the magnitude of that row's
    !> impulse.
    real(c_double) :: lower = 0.0_c_double
    !> Largest impulse; INFINITY: none [N s]. With friction_row >= 0 times the magnitude of that row's impulse.
    real(c_double) :: upper = 0.0_c_double
    !> Index of the row whose impulse multiplies the bounds, another one with plain bounds; -1: plain bounds.
    integer(c_int32_t) :: friction_row = 0
    !> Must be 0.
    integer(c_int32_t) :: reserved = 0
  end type dry_problem_row

  !> Bodies, contacts and rows to be solved together, in this order of visits where the settings ask for the natural
  !> one: rows, then contacts. Up to six rows of the same two bodies that follow each other are solved together,
  !> those without bounds exactly: rows of one joint belong side by side. The caller owns the arrays. It zeroes this
  !> structure and sets struct_size; later additions are parallel arrays at its end.
  type, bind(C) :: dry_problem
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 64
    !> Duration of the step, 1e-100 to 1e100 [s].
    real(c_double) :: step = 0.0_c_double
    !> body_count bodies; NULL only if that is 0.
    type(c_ptr) :: bodies = c_null_ptr
    !> Number of bodies.
    integer(c_size_t) :: body_count = 0
    !> contact_count contacts; NULL only if that is 0.
    type(c_ptr) :: contacts = c_null_ptr
    !> Number of contacts, at most 2^27.
    integer(c_size_t) :: contact_count = 0
    !> row_count rows; NULL only if that is 0.
    type(c_ptr) :: rows = c_null_ptr
    !> Number of rows, at most 2^27.
    integer(c_size_t) :: row_count = 0
  end type dry_problem

  !> The solution for a contact. Frozen: it never changes.
  type, bind(C) :: dry_contact_solution
    !> Normal and friction, on body_b, world axes [N s].
    real(c_double) :: impulse(3) = 0.0_c_double
    !> Along the normal, 0 or above [N s].
    real(c_double) :: normal_impulse = 0.0_c_double
    !> Rolling and twisting, on body_b, world axes [N m s].
    real(c_double) :: torque_impulse(3) = 0.0_c_double
    !> After the compatibility correction, on body_b, world axes; equal to impulse while that is off [N s].
    real(c_double) :: compatible_impulse(3) = 0.0_c_double
    !> How far velocities and impulse are from the laws of the contact [m/s].
    real(c_double) :: residual = 0.0_c_double
    !> DRY_CONTACT_ bits. Rolling and sliding faster than the tolerance count, and 1e-12 m/s; new is a contact whose
    !> key the last call of the solver did not have.
    integer(c_int32_t) :: state = 0
    !> Always 0.
    integer(c_int32_t) :: reserved = 0
  end type dry_contact_solution

  !> Where the solver writes. The caller zeroes it and sets struct_size; the arrays are the caller's, sized as in the
  !> problem; NULL: not wanted.
  type, bind(C) :: dry_solution
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 48
    !> 6 numbers per body: linear and angular velocity after the solve [m/s, rad/s].
    type(c_ptr) :: velocities = c_null_ptr
    !> One per contact.
    type(c_ptr) :: contacts = c_null_ptr
    !> One per row.
    type(c_ptr) :: row_impulses = c_null_ptr
    !> How the solve went.
    type(c_ptr) :: report = c_null_ptr
    !> One per row, after the compatibility correction; equal to row_impulses while that is off [N s].
    type(c_ptr) :: compatible_row_impulses = c_null_ptr
  end type dry_solution

  !> A problem given only by its Delassus operator W: u = W r + q, with the rows normal, tangent 1, tangent 2 (and
  !> rolling 1, rolling 2) of each contact. The caller zeroes it and sets struct_size; grows at its end.
  !> W in block compressed rows: the blocks of contact i are blocks[d * d * k], row major, in column columns[k], for
  !> row_offsets[i] <= k < row_offsets[i + 1]. Both halves of the symmetric matrix are there; the columns of a
  !> contact are in any order, each once, its own among them. The caller owns the arrays; with no contacts they may
  !> be NULL.
  type, bind(C) :: dry_local_problem
    !> Bytes of this structure.
    integer(c_size_t) :: struct_size = 72
    !> Number of contacts.
    integer(c_size_t) :: contact_count = 0
    !> d, the rows of a contact: 3 or 5.
    integer(c_int32_t) :: dimension = 0
    !> Must be 0.
    integer(c_int32_t) :: reserved = 0
    !> contact_count + 1 numbers, rising from 0.
    type(c_ptr) :: row_offsets = c_null_ptr
    !> The contact of each block.
    type(c_ptr) :: columns = c_null_ptr
    !> d * d numbers per block.
    type(c_ptr) :: blocks = c_null_ptr
    !> d numbers per contact: velocities without any impulse [m/s, rolling rad/s].
    type(c_ptr) :: q = c_null_ptr
    !> Coulomb's coefficient of each contact, 0 or above [-].
    type(c_ptr) :: friction = c_null_ptr
    !> With d = 5, for each contact: rolling impulse over normal impulse, at most; 0 or above [m]. With d = 3 NULL.
    type(c_ptr) :: rolling = c_null_ptr
  end type dry_local_problem

  abstract interface
    !> Work of drystone's: to be called once, with its argument, on any thread.
    subroutine dry_task(argument) bind(C)
      import
      type(c_ptr), value :: argument
    end subroutine dry_task
    !> Runs a task or queues it: on another thread if possible. It may also call the task at once. Returns a handle
    !> of the task for dry_task_wait. NULL: the task was called already, or never will be; it is then not waited for.
    function dry_task_run(user_data, task, argument) bind(C) result(returned)
      import
      type(c_ptr), value :: user_data
      type(c_funptr), value :: task
      type(c_ptr), value :: argument
      type(c_ptr) :: returned
    end function dry_task_run
    !> Returns when a task has ended. It may call the task now, and may do other work of the host meanwhile. Each
    !> handle that is not NULL is waited for once, by the thread that got it.
    subroutine dry_task_wait(user_data, handle) bind(C)
      import
      type(c_ptr), value :: user_data
      type(c_ptr), value :: handle
    end subroutine dry_task_wait
    !> Receives the progress of a run: steps_done of count steps are over. report describes the last step, and lasts
    !> until the function returns. Its struct_size is that of the library. Returns 0 to go on, any other number to
    !> stop.
    function dry_progress(user_data, steps_done, count, report) bind(C) result(returned)
      import
      type(c_ptr), value :: user_data
      integer(c_int64_t), value :: steps_done
      integer(c_int64_t), value :: count
      type(dry_step_report), intent(in) :: report
      integer(c_int32_t) :: returned
    end function dry_progress
    !> Receives the progress of a call of a solver, of a static increment or of a limit load: the number of
    !> iterations that are over. An iteration is a sweep, a step of another method, a round of the projection or a
    !> step of the correction; those of all islands count. Returns 0 to go on, any other number to stop.
    function dry_iteration_progress(user_data, iterations_done) bind(C) result(returned)
      import
      type(c_ptr), value :: user_data
      integer(c_int64_t), value :: iterations_done
      integer(c_int32_t) :: returned
    end function dry_iteration_progress
  end interface

  interface
    function c_dry_status_name(status) &
        bind(C, name="dry_status_name") result(returned)
      import
      integer(c_int), value :: status
      type(c_ptr) :: returned
    end function c_dry_status_name
    function c_dry_last_error(buffer, capacity, needed_or_null) &
        bind(C, name="dry_last_error") result(returned)
      import
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: capacity
      type(c_ptr), value :: needed_or_null
      integer(c_int) :: returned
    end function c_dry_last_error
    function c_dry_version() &
        bind(C, name="dry_version") result(returned)
      import
      integer(c_int32_t) :: returned
    end function c_dry_version
    function c_dry_version_string() &
        bind(C, name="dry_version_string") result(returned)
      import
      type(c_ptr) :: returned
    end function c_dry_version_string
    function c_dry_settings_init(settings, size) &
        bind(C, name="dry_settings_init") result(returned)
      import
      type(dry_settings), intent(inout) :: settings
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_settings_init
    function c_dry_world_def_init(def, size) &
        bind(C, name="dry_world_def_init") result(returned)
      import
      type(dry_world_def), intent(inout) :: def
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_world_def_init
    function c_dry_world_create(def, world) &
        bind(C, name="dry_world_create") result(returned)
      import
      type(dry_world_def), intent(in) :: def
      type(c_ptr), intent(inout) :: world
      integer(c_int) :: returned
    end function c_dry_world_create
    subroutine c_dry_world_destroy(world) &
        bind(C, name="dry_world_destroy")
      import
      type(c_ptr), value :: world
    end subroutine c_dry_world_destroy
    function c_dry_world_get_settings(world, settings, size) &
        bind(C, name="dry_world_get_settings") result(returned)
      import
      type(c_ptr), value :: world
      type(dry_settings), intent(inout) :: settings
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_world_get_settings
    function c_dry_world_set_settings(world, settings) &
        bind(C, name="dry_world_set_settings") result(returned)
      import
      type(c_ptr), value :: world
      type(dry_settings), intent(in) :: settings
      integer(c_int) :: returned
    end function c_dry_world_set_settings
    function c_dry_world_get_gravity(world, gravity) &
        bind(C, name="dry_world_get_gravity") result(returned)
      import
      type(c_ptr), value :: world
      real(c_double), intent(inout) :: gravity(3)
      integer(c_int) :: returned
    end function c_dry_world_get_gravity
    function c_dry_world_get_period(world, period) &
        bind(C, name="dry_world_get_period") result(returned)
      import
      type(c_ptr), value :: world
      real(c_double), intent(inout) :: period(3)
      integer(c_int) :: returned
    end function c_dry_world_get_period
    function c_dry_world_set_gravity(world, gravity) &
        bind(C, name="dry_world_set_gravity") result(returned)
      import
      type(c_ptr), value :: world
      real(c_double), intent(in) :: gravity(3)
      integer(c_int) :: returned
    end function c_dry_world_set_gravity
    function c_dry_world_set_strain_rate(world, rates) &
        bind(C, name="dry_world_set_strain_rate") result(returned)
      import
      type(c_ptr), value :: world
      real(c_double), intent(in) :: rates(3)
      integer(c_int) :: returned
    end function c_dry_world_set_strain_rate
    function c_dry_world_get_strain_rate(world, rates) &
        bind(C, name="dry_world_get_strain_rate") result(returned)
      import
      type(c_ptr), value :: world
      real(c_double), intent(inout) :: rates(3)
      integer(c_int) :: returned
    end function c_dry_world_get_strain_rate
    function c_dry_world_run(world, step, count, progress_or_null, steps_done_or_null, report_or_null) &
        bind(C, name="dry_world_run") result(returned)
      import
      type(c_ptr), value :: world
      real(c_double), value :: step
      integer(c_int64_t), value :: count
      type(c_ptr), value :: progress_or_null
      type(c_ptr), value :: steps_done_or_null
      type(c_ptr), value :: report_or_null
      integer(c_int) :: returned
    end function c_dry_world_run
    function c_dry_world_step(world, step, report_or_null) &
        bind(C, name="dry_world_step") result(returned)
      import
      type(c_ptr), value :: world
      real(c_double), value :: step
      type(c_ptr), value :: report_or_null
      integer(c_int) :: returned
    end function c_dry_world_step
    function c_dry_static_def_init(def, size) &
        bind(C, name="dry_static_def_init") result(returned)
      import
      type(dry_static_def), intent(inout) :: def
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_static_def_init
    function c_dry_world_solve_static(world, def, displacements_or_null, count, report) &
        bind(C, name="dry_world_solve_static") result(returned)
      import
      type(c_ptr), value :: world
      type(dry_static_def), intent(in) :: def
      type(c_ptr), value :: displacements_or_null
      integer(c_size_t), value :: count
      type(dry_static_report), intent(inout) :: report
      integer(c_int) :: returned
    end function c_dry_world_solve_static
    function c_dry_world_limit_load(world, unit_loads, count, def, mechanism_or_null, report) &
        bind(C, name="dry_world_limit_load") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: unit_loads
      integer(c_size_t), value :: count
      type(dry_static_def), intent(in) :: def
      type(c_ptr), value :: mechanism_or_null
      type(dry_static_report), intent(inout) :: report
      integer(c_int) :: returned
    end function c_dry_world_limit_load
    function c_dry_material_def_init(def, size) &
        bind(C, name="dry_material_def_init") result(returned)
      import
      type(dry_material_def), intent(inout) :: def
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_material_def_init
    function c_dry_material_add(world, def, material) &
        bind(C, name="dry_material_add") result(returned)
      import
      type(c_ptr), value :: world
      type(dry_material_def), intent(in) :: def
      integer(c_int64_t), intent(inout) :: material
      integer(c_int) :: returned
    end function c_dry_material_add
    function c_dry_pair_def_init(def, size) &
        bind(C, name="dry_pair_def_init") result(returned)
      import
      type(dry_pair_def), intent(inout) :: def
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_pair_def_init
    function c_dry_material_pair_set(world, first, second, def) &
        bind(C, name="dry_material_pair_set") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: first
      integer(c_int64_t), value :: second
      type(dry_pair_def), intent(in) :: def
      integer(c_int) :: returned
    end function c_dry_material_pair_set
    function c_dry_clump_part_init(part, size) &
        bind(C, name="dry_clump_part_init") result(returned)
      import
      type(dry_clump_part), intent(inout) :: part
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_clump_part_init
    function c_dry_shape_clump(world, parts, count, shape) &
        bind(C, name="dry_shape_clump") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: parts
      integer(c_size_t), value :: count
      integer(c_int64_t), intent(inout) :: shape
      integer(c_int) :: returned
    end function c_dry_shape_clump
    function c_dry_shape_mass_properties(world, shape, volume, mass, center_of_mass, inertia) &
        bind(C, name="dry_shape_mass_properties") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: shape
      real(c_double), intent(inout) :: volume
      real(c_double), intent(inout) :: mass
      real(c_double), intent(inout) :: center_of_mass(3)
      real(c_double), intent(inout) :: inertia(6)
      integer(c_int) :: returned
    end function c_dry_shape_mass_properties
    function c_dry_nurbs_curve_def_init(def, size) &
        bind(C, name="dry_nurbs_curve_def_init") result(returned)
      import
      type(dry_nurbs_curve_def), intent(inout) :: def
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_nurbs_curve_def_init
    function c_dry_shape_nurbs_curve(world, def, shape) &
        bind(C, name="dry_shape_nurbs_curve") result(returned)
      import
      type(c_ptr), value :: world
      type(dry_nurbs_curve_def), intent(in) :: def
      integer(c_int64_t), intent(inout) :: shape
      integer(c_int) :: returned
    end function c_dry_shape_nurbs_curve
    function c_dry_shape_closest(world, shape, point, foot, normal, distance) &
        bind(C, name="dry_shape_closest") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: shape
      real(c_double), intent(in) :: point(3)
      real(c_double), intent(inout) :: foot(3)
      real(c_double), intent(inout) :: normal(3)
      real(c_double), intent(inout) :: distance
      integer(c_int) :: returned
    end function c_dry_shape_closest
    function c_dry_shape_sphere(world, radius, shape) &
        bind(C, name="dry_shape_sphere") result(returned)
      import
      type(c_ptr), value :: world
      real(c_double), value :: radius
      integer(c_int64_t), intent(inout) :: shape
      integer(c_int) :: returned
    end function c_dry_shape_sphere
    function c_dry_shape_box(world, half_extents, shape) &
        bind(C, name="dry_shape_box") result(returned)
      import
      type(c_ptr), value :: world
      real(c_double), intent(in) :: half_extents(3)
      integer(c_int64_t), intent(inout) :: shape
      integer(c_int) :: returned
    end function c_dry_shape_box
    function c_dry_shape_capsule(world, half_height, radius, shape) &
        bind(C, name="dry_shape_capsule") result(returned)
      import
      type(c_ptr), value :: world
      real(c_double), value :: half_height
      real(c_double), value :: radius
      integer(c_int64_t), intent(inout) :: shape
      integer(c_int) :: returned
    end function c_dry_shape_capsule
    function c_dry_shape_cylinder(world, half_height, radius, shape) &
        bind(C, name="dry_shape_cylinder") result(returned)
      import
      type(c_ptr), value :: world
      real(c_double), value :: half_height
      real(c_double), value :: radius
      integer(c_int64_t), intent(inout) :: shape
      integer(c_int) :: returned
    end function c_dry_shape_cylinder
    function c_dry_shape_half_space(world, normal, offset, shape) &
        bind(C, name="dry_shape_half_space") result(returned)
      import
      type(c_ptr), value :: world
      real(c_double), intent(in) :: normal(3)
      real(c_double), value :: offset
      integer(c_int64_t), intent(inout) :: shape
      integer(c_int) :: returned
    end function c_dry_shape_half_space
    function c_dry_shape_hull(world, points_xyz, point_count, shape) &
        bind(C, name="dry_shape_hull") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: points_xyz
      integer(c_size_t), value :: point_count
      integer(c_int64_t), intent(inout) :: shape
      integer(c_int) :: returned
    end function c_dry_shape_hull
    function c_dry_shape_mesh(world, points_xyz, point_count, triangles, triangle_count, shape) &
        bind(C, name="dry_shape_mesh") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: points_xyz
      integer(c_size_t), value :: point_count
      type(c_ptr), value :: triangles
      integer(c_size_t), value :: triangle_count
      integer(c_int64_t), intent(inout) :: shape
      integer(c_int) :: returned
    end function c_dry_shape_mesh
    function c_dry_shape_remove(world, shape) &
        bind(C, name="dry_shape_remove") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: shape
      integer(c_int) :: returned
    end function c_dry_shape_remove
    function c_dry_body_def_init(def, size) &
        bind(C, name="dry_body_def_init") result(returned)
      import
      type(dry_body_def), intent(inout) :: def
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_body_def_init
    function c_dry_body_add(world, def, body) &
        bind(C, name="dry_body_add") result(returned)
      import
      type(c_ptr), value :: world
      type(dry_body_def), intent(in) :: def
      integer(c_int64_t), intent(inout) :: body
      integer(c_int) :: returned
    end function c_dry_body_add
    function c_dry_bodies_add(world, defs, count, bodies) &
        bind(C, name="dry_bodies_add") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: defs
      integer(c_size_t), value :: count
      type(c_ptr), value :: bodies
      integer(c_int) :: returned
    end function c_dry_bodies_add
    function c_dry_body_remove(world, body) &
        bind(C, name="dry_body_remove") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: body
      integer(c_int) :: returned
    end function c_dry_body_remove
    function c_dry_query_bodies(world, bodies, capacity, count) &
        bind(C, name="dry_query_bodies") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: bodies
      integer(c_size_t), value :: capacity
      integer(c_size_t), intent(inout) :: count
      integer(c_int) :: returned
    end function c_dry_query_bodies
    function c_dry_body_get_state(world, body, state) &
        bind(C, name="dry_body_get_state") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: body
      type(dry_body_state), intent(inout) :: state
      integer(c_int) :: returned
    end function c_dry_body_get_state
    function c_dry_body_set_state(world, body, state) &
        bind(C, name="dry_body_set_state") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: body
      type(dry_body_state), intent(in) :: state
      integer(c_int) :: returned
    end function c_dry_body_set_state
    function c_dry_body_get_mass(world, body, mass, center_of_mass, inertia) &
        bind(C, name="dry_body_get_mass") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: body
      real(c_double), intent(inout) :: mass
      real(c_double), intent(inout) :: center_of_mass(3)
      real(c_double), intent(inout) :: inertia(6)
      integer(c_int) :: returned
    end function c_dry_body_get_mass
    function c_dry_body_get_user_data(world, body, user_data) &
        bind(C, name="dry_body_get_user_data") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: body
      integer(c_int64_t), intent(inout) :: user_data
      integer(c_int) :: returned
    end function c_dry_body_get_user_data
    function c_dry_body_add_force(world, body, force, point_or_null) &
        bind(C, name="dry_body_add_force") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: body
      real(c_double), intent(in) :: force(3)
      type(c_ptr), value :: point_or_null ! 3 numbers
      integer(c_int) :: returned
    end function c_dry_body_add_force
    function c_dry_body_add_torque(world, body, torque) &
        bind(C, name="dry_body_add_torque") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: body
      real(c_double), intent(in) :: torque(3)
      integer(c_int) :: returned
    end function c_dry_body_add_torque
    function c_dry_body_wake(world, body) &
        bind(C, name="dry_body_wake") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: body
      integer(c_int) :: returned
    end function c_dry_body_wake
    function c_dry_body_is_awake(world, body, awake) &
        bind(C, name="dry_body_is_awake") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: body
      integer(c_int32_t), intent(inout) :: awake
      integer(c_int) :: returned
    end function c_dry_body_is_awake
    function c_dry_bodies_get_states(world, bodies_or_null, count, states) &
        bind(C, name="dry_bodies_get_states") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: bodies_or_null
      integer(c_size_t), value :: count
      type(c_ptr), value :: states
      integer(c_int) :: returned
    end function c_dry_bodies_get_states
    function c_dry_body_set_surface_velocity(world, body, linear, angular) &
        bind(C, name="dry_body_set_surface_velocity") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: body
      real(c_double), intent(in) :: linear(3)
      real(c_double), intent(in) :: angular(3)
      integer(c_int) :: returned
    end function c_dry_body_set_surface_velocity
    function c_dry_body_get_surface_velocity(world, body, linear, angular) &
        bind(C, name="dry_body_get_surface_velocity") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: body
      real(c_double), intent(inout) :: linear(3)
      real(c_double), intent(inout) :: angular(3)
      integer(c_int) :: returned
    end function c_dry_body_get_surface_velocity
    function c_dry_joint_def_init(def, size, kind) &
        bind(C, name="dry_joint_def_init") result(returned)
      import
      type(dry_joint_def), intent(inout) :: def
      integer(c_size_t), value :: size
      integer(c_int), value :: kind
      integer(c_int) :: returned
    end function c_dry_joint_def_init
    function c_dry_joint_def_place(world, def, point, axis, reference_or_null) &
        bind(C, name="dry_joint_def_place") result(returned)
      import
      type(c_ptr), value :: world
      type(dry_joint_def), intent(inout) :: def
      real(c_double), intent(in) :: point(3)
      real(c_double), intent(in) :: axis(3)
      type(c_ptr), value :: reference_or_null ! 3 numbers
      integer(c_int) :: returned
    end function c_dry_joint_def_place
    function c_dry_joint_def_place_points(world, def, point_a, point_b) &
        bind(C, name="dry_joint_def_place_points") result(returned)
      import
      type(c_ptr), value :: world
      type(dry_joint_def), intent(inout) :: def
      real(c_double), intent(in) :: point_a(3)
      real(c_double), intent(in) :: point_b(3)
      integer(c_int) :: returned
    end function c_dry_joint_def_place_points
    function c_dry_joint_axis_init(axis, size) &
        bind(C, name="dry_joint_axis_init") result(returned)
      import
      type(dry_joint_axis), intent(inout) :: axis
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_joint_axis_init
    function c_dry_joint_add(world, def, joint) &
        bind(C, name="dry_joint_add") result(returned)
      import
      type(c_ptr), value :: world
      type(dry_joint_def), intent(in) :: def
      integer(c_int64_t), intent(inout) :: joint
      integer(c_int) :: returned
    end function c_dry_joint_add
    function c_dry_joints_add(world, defs, count, joints) &
        bind(C, name="dry_joints_add") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: defs
      integer(c_size_t), value :: count
      type(c_ptr), value :: joints
      integer(c_int) :: returned
    end function c_dry_joints_add
    function c_dry_joint_remove(world, joint) &
        bind(C, name="dry_joint_remove") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: joint
      integer(c_int) :: returned
    end function c_dry_joint_remove
    function c_dry_joint_set_frames(world, joint, def) &
        bind(C, name="dry_joint_set_frames") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: joint
      type(dry_joint_def), intent(in) :: def
      integer(c_int) :: returned
    end function c_dry_joint_set_frames
    function c_dry_joint_set_enabled(world, joint, enabled) &
        bind(C, name="dry_joint_set_enabled") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: joint
      integer(c_int32_t), value :: enabled
      integer(c_int) :: returned
    end function c_dry_joint_set_enabled
    function c_dry_joint_set_axis(world, joint, index, axis) &
        bind(C, name="dry_joint_set_axis") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: joint
      integer(c_int32_t), value :: index
      type(dry_joint_axis), intent(in) :: axis
      integer(c_int) :: returned
    end function c_dry_joint_set_axis
    function c_dry_joint_set_target(world, joint, index, position, velocity) &
        bind(C, name="dry_joint_set_target") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: joint
      integer(c_int32_t), value :: index
      real(c_double), value :: position
      real(c_double), value :: velocity
      integer(c_int) :: returned
    end function c_dry_joint_set_target
    function c_dry_joints_set_targets(world, joints, indices, count, positions_or_null, velocities_or_null) &
        bind(C, name="dry_joints_set_targets") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: joints
      type(c_ptr), value :: indices
      integer(c_size_t), value :: count
      type(c_ptr), value :: positions_or_null
      type(c_ptr), value :: velocities_or_null
      integer(c_int) :: returned
    end function c_dry_joints_set_targets
    function c_dry_query_joint_events(world, events, capacity, count) &
        bind(C, name="dry_query_joint_events") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: events
      integer(c_size_t), value :: capacity
      integer(c_size_t), intent(inout) :: count
      integer(c_int) :: returned
    end function c_dry_query_joint_events
    function c_dry_query_joints(world, joints, capacity, count) &
        bind(C, name="dry_query_joints") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: joints
      integer(c_size_t), value :: capacity
      integer(c_size_t), intent(inout) :: count
      integer(c_int) :: returned
    end function c_dry_query_joints
    function c_dry_query_body_joints(world, body, joints, capacity, count) &
        bind(C, name="dry_query_body_joints") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: body
      type(c_ptr), value :: joints
      integer(c_size_t), value :: capacity
      integer(c_size_t), intent(inout) :: count
      integer(c_int) :: returned
    end function c_dry_query_body_joints
    function c_dry_joint_get_def(world, joint, def, size) &
        bind(C, name="dry_joint_get_def") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: joint
      type(dry_joint_def), intent(inout) :: def
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_joint_get_def
    function c_dry_joint_get_axis(world, joint, index, axis, size) &
        bind(C, name="dry_joint_get_axis") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: joint
      integer(c_int32_t), value :: index
      type(dry_joint_axis), intent(inout) :: axis
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_joint_get_axis
    function c_dry_joint_get_state(world, joint, state, size) &
        bind(C, name="dry_joint_get_state") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: joint
      type(dry_joint_state), intent(inout) :: state
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_joint_get_state
    function c_dry_joints_get_states(world, joints_or_null, count, states, size) &
        bind(C, name="dry_joints_get_states") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: joints_or_null
      integer(c_size_t), value :: count
      type(c_ptr), value :: states
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_joints_get_states
    function c_dry_query_body_joint_force(world, body, force, torque) &
        bind(C, name="dry_query_body_joint_force") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: body
      real(c_double), intent(inout) :: force(3)
      real(c_double), intent(inout) :: torque(3)
      integer(c_int) :: returned
    end function c_dry_query_body_joint_force
    function c_dry_query_overlaps(world, poses, pose_count, margin, overlaps, capacity, count) &
        bind(C, name="dry_query_overlaps") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: poses
      integer(c_size_t), value :: pose_count
      real(c_double), value :: margin
      type(c_ptr), value :: overlaps
      integer(c_size_t), value :: capacity
      integer(c_size_t), intent(inout) :: count
      integer(c_int) :: returned
    end function c_dry_query_overlaps
    function c_dry_query_contacts(world, contacts, contact_size, capacity, count) &
        bind(C, name="dry_query_contacts") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: contacts
      integer(c_size_t), value :: contact_size
      integer(c_size_t), value :: capacity
      integer(c_size_t), intent(inout) :: count
      integer(c_int) :: returned
    end function c_dry_query_contacts
    function c_dry_query_body_force(world, body, force, torque) &
        bind(C, name="dry_query_body_force") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), value :: body
      real(c_double), intent(inout) :: force(3)
      real(c_double), intent(inout) :: torque(3)
      integer(c_int) :: returned
    end function c_dry_query_body_force
    function c_dry_query_energy(world, kinetic, potential) &
        bind(C, name="dry_query_energy") result(returned)
      import
      type(c_ptr), value :: world
      real(c_double), intent(inout) :: kinetic
      real(c_double), intent(inout) :: potential
      integer(c_int) :: returned
    end function c_dry_query_energy
    function c_dry_query_stress(world, lower, upper, stress) &
        bind(C, name="dry_query_stress") result(returned)
      import
      type(c_ptr), value :: world
      real(c_double), intent(in) :: lower(3)
      real(c_double), intent(in) :: upper(3)
      real(c_double), intent(inout) :: stress(9)
      integer(c_int) :: returned
    end function c_dry_query_stress
    function c_dry_query_fields(world, points_xyz, count, kernel, width, fields, size) &
        bind(C, name="dry_query_fields") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: points_xyz
      integer(c_size_t), value :: count
      integer(c_int), value :: kernel
      real(c_double), value :: width
      type(c_ptr), value :: fields
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_query_fields
    function c_dry_vtk_def_init(def, size) &
        bind(C, name="dry_vtk_def_init") result(returned)
      import
      type(dry_vtk_def), intent(inout) :: def
      integer(c_size_t), value :: size
      integer(c_int) :: returned
    end function c_dry_vtk_def_init
    function c_dry_world_export_vtk(world, prefix, step, time, def_or_null) &
        bind(C, name="dry_world_export_vtk") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: prefix
      integer(c_int64_t), value :: step
      real(c_double), value :: time
      type(c_ptr), value :: def_or_null
      integer(c_int) :: returned
    end function c_dry_world_export_vtk
    function c_dry_world_hash(world, hash) &
        bind(C, name="dry_world_hash") result(returned)
      import
      type(c_ptr), value :: world
      integer(c_int64_t), intent(inout) :: hash
      integer(c_int) :: returned
    end function c_dry_world_hash
    function c_dry_world_snapshot(world, buffer, capacity, count) &
        bind(C, name="dry_world_snapshot") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: capacity
      integer(c_size_t), intent(inout) :: count
      integer(c_int) :: returned
    end function c_dry_world_snapshot
    function c_dry_world_restore(world, buffer, count) &
        bind(C, name="dry_world_restore") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: count
      integer(c_int) :: returned
    end function c_dry_world_restore
    function c_dry_world_clone(world, copy) &
        bind(C, name="dry_world_clone") result(returned)
      import
      type(c_ptr), value :: world
      type(c_ptr), intent(inout) :: copy
      integer(c_int) :: returned
    end function c_dry_world_clone
    function c_dry_solver_create(solver) &
        bind(C, name="dry_solver_create") result(returned)
      import
      type(c_ptr), intent(inout) :: solver
      integer(c_int) :: returned
    end function c_dry_solver_create
    subroutine c_dry_solver_destroy(solver) &
        bind(C, name="dry_solver_destroy")
      import
      type(c_ptr), value :: solver
    end subroutine c_dry_solver_destroy
    function c_dry_solver_set_progress(solver, progress_or_null) &
        bind(C, name="dry_solver_set_progress") result(returned)
      import
      type(c_ptr), value :: solver
      type(c_ptr), value :: progress_or_null
      integer(c_int) :: returned
    end function c_dry_solver_set_progress
    function c_dry_solver_solve(solver, problem, settings, solution) &
        bind(C, name="dry_solver_solve") result(returned)
      import
      type(c_ptr), value :: solver
      type(dry_problem), intent(in) :: problem
      type(dry_settings), intent(in) :: settings
      type(dry_solution), intent(inout) :: solution
      integer(c_int) :: returned
    end function c_dry_solver_solve
    function c_dry_solver_correct(solver, problem, settings, impulses, compatible_impulses, report_or_null) &
        bind(C, name="dry_solver_correct") result(returned)
      import
      type(c_ptr), value :: solver
      type(dry_problem), intent(in) :: problem
      type(dry_settings), intent(in) :: settings
      type(c_ptr), value :: impulses
      type(c_ptr), value :: compatible_impulses
      type(c_ptr), value :: report_or_null
      integer(c_int) :: returned
    end function c_dry_solver_correct
    function c_dry_solver_solve_local(solver, problem, settings, impulses, report_or_null) &
        bind(C, name="dry_solver_solve_local") result(returned)
      import
      type(c_ptr), value :: solver
      type(dry_local_problem), intent(in) :: problem
      type(dry_settings), intent(in) :: settings
      type(c_ptr), value :: impulses
      type(c_ptr), value :: report_or_null
      integer(c_int) :: returned
    end function c_dry_solver_solve_local
    function c_dry_solver_snapshot(solver, buffer, capacity, count) &
        bind(C, name="dry_solver_snapshot") result(returned)
      import
      type(c_ptr), value :: solver
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: capacity
      integer(c_size_t), intent(inout) :: count
      integer(c_int) :: returned
    end function c_dry_solver_snapshot
    function c_dry_solver_restore(solver, buffer, count) &
        bind(C, name="dry_solver_restore") result(returned)
      import
      type(c_ptr), value :: solver
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: count
      integer(c_int) :: returned
    end function c_dry_solver_restore
  end interface
end module drystone_c
