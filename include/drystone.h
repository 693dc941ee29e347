/*
 * drystone: rigid bodies in frictional contact, with contact forces a host can trust.
 *
 * This file is generated from src/ffi of the library by cbindgen. Nothing else is part of the interface.
 *
 * THE USUAL WAY
 *
 *     dry_world_def_init, dry_world_create                  a world
 *     dry_shape_sphere, dry_shape_half_space, ...           shapes, each shared by any number of bodies
 *     dry_body_def_init, dry_body_add                       bodies
 *     dry_joint_def_init, dry_joint_def_place, ...          joints, where bodies are held together
 *     dry_world_step                                        again and again
 *     dry_query_contacts, dry_query_body_force              the forces of the last step
 *     dry_world_destroy                                     ends the world and everything in it
 *
 * A host that finds contacts by itself needs no world: dry_solver_create, dry_solver_solve again and again,
 * dry_solver_destroy.
 *
 * UNITS, AXES, SIGNS
 *
 * Units are SI and stand in brackets. Numbers are double. Axes are right handed; none points up by itself: gravity is
 * a vector, by default (0, 0, -9.81). Quaternions are (x, y, z, w), from body to world axes. Body axes have the origin
 * of the body's shape. The position of a body is that of this origin; its linear velocity is that of its centre of
 * mass. The two points differ where the centre of mass is not the origin of the shape.
 *
 * The normal of a contact points from body_a to body_b. A gap above 0 is a distance, below 0 an overlap. Forces are
 * those ON body_b, in world axes, averaged over the step; body_a receives the opposite. The forces on a body are its
 * contact forces, its joint forces, gravity and the forces added by the host. To round-off, their sum times the step
 * is the change of its momentum over the step. The same holds for torques and angular momentum, about its centre of
 * mass at the start of the step. A joint holds a frame in body_a to a frame in body_b. Its positions are those of frame
 * B in the axes of frame A, and its forces those on body_b.
 *
 * ERRORS
 *
 * A call that can fail returns dry_status and writes its results through its last pointers. After a failure no result
 * is written and nothing in the world has changed; dry_status lists the exceptions. The message of dry_last_error
 * belongs to the calling thread. It names the function, the argument and its value, and what was expected. A pointer
 * must not be NULL, or the call returns DRY_ERR_NULL, unless its name ends in _or_null or its description says what
 * NULL means. Numbers must be finite, or the call returns DRY_ERR_NOT_FINITE. The library prints nothing, throws
 * nothing, and no error ends the process. It catches its own defects and returns DRY_ERR_INTERNAL. All later calls on
 * the same world return this status too, except dry_world_destroy; on a solver all except dry_solver_destroy.
 *
 * A function or setting that this version declares but does not offer returns DRY_ERR_UNSUPPORTED; the message names
 * it.
 *
 * OWNERSHIP
 *
 * What the host passes is read, or written, during the call and never kept. A world belongs to the host until
 * dry_world_destroy; its materials, shapes, bodies and joints belong to the world. They have handles: 64 bits with an
 * index and a generation, checked at every use. A handle of a removed object, or of another kind, is
 * DRY_ERR_STALE_HANDLE and never another object. 0 is null. A solver belongs to the host until dry_solver_destroy, and
 * so do all arrays that it is given. Texts that are returned live as long as the library.
 *
 * A dry_world * and a dry_solver * are names and point to nothing: they are looked up in every call. After its destroy,
 * or with any other pointer, a call is DRY_ERR_STALE_HANDLE. Names are never used again.
 *
 * ARRAYS
 *
 * An array to be filled is (T *array, size_t capacity, size_t *count). *count is always the full number. With too
 * small a capacity no element is written and the status is DRY_ERR_CAPACITY. With NULL and capacity 0 the call returns
 * the number alone.
 *
 * STRUCTURES
 *
 * A structure that begins with struct_size grows at its end from version to version. Definitions and settings are
 * filled in by their _init function, given sizeof; reports, problems and solutions are zeroed by the host, which sets
 * struct_size. The library knows every size a structure ever had, and refuses others with DRY_ERR_ABI. What a host's
 * older, shorter structure lacks has its default, and is not written. Members called reserved are 0. A flag is a
 * uint32_t, 0 or 1. A structure that is called frozen never changes. A description that begins with "Of" and a choice,
 * such as "Of DRY_METHOD_SPOOK:", holds only with that choice.
 *
 * THREADS
 *
 * Worlds are independent of each other. Of one world, calls that only read may run at the same time, from any threads;
 * their world is const. A call that changes the world waits for them and excludes all others. A world that is destroyed
 * while a call uses it lasts until that call ends. A solver takes one call at a time: while one runs, others are
 * DRY_ERR_BUSY. The last error is the calling thread's own.
 *
 * Threads that step or solve must round to nearest and keep subnormal numbers, as they do by default. Otherwise the
 * call returns DRY_ERR_UNSUPPORTED. Floating point exceptions may be unmasked. On x86-64 and aarch64 every call masks
 * them, and gives the thread its environment back, with the flags as they were. Elsewhere a host masks them itself.
 *
 * A step runs on the calling thread, or on several: with dry_world_def.threads on threads that the world starts, with
 * dry_world_def.tasks on those of the host's job system (dry_task_callbacks). While a step runs on the host's tasks
 * every other call on that world is DRY_ERR_BUSY at once, on any thread. If such a call waited, its thread might be the
 * one that the step needs. Calls from within the host's task functions are DRY_ERR_BUSY too. In all other cases calls
 * wait.
 *
 * The same calls give the same bits: on every run, in every process, for any number of threads, the host's or not.
 *
 * LIMITS
 *
 * Mass of a dynamic body, given or from its shape    1e-100 to 1e100 kg; 1 / inverse_mass likewise
 * Inertia, where it is given                         positive definite, no moment above the sum of the other two
 * Lengths of shapes, coordinates of their points     up to 1e50 m, lengths from 1e-50 m
 * A component of gravity                             up to 1e50 m/s^2
 * Length of a step, and of a part of one             1e-100 to 1e100 s; seconds, not milliseconds
 * Stiffness of a material or a pair                  normal and tangential: 0, or 1e-100 to 1e100 N/m
 * Members of dry_static_def                          up to 1e50; bodies, surfaces move by at most 1e150 m in a call
 * Sums of loads of a limit load, given and present   0, or 1e-100 to 1e100 N
 * Substeps, iterations, threads                      up to 1000, 2^32 - 1, 1024
 * Bodies, and contacts or rows of a problem          up to 2^32 - 2, 2^27
 * Coefficients of friction, rolling and twisting     0 or above; above 1e100 they count as 1e100
 * Places and velocities of bodies                    finite
 * Forces and torques added to a body                 finite, and so are their sums
 * Joints of a world, coordinates of their points     up to 2^32 - 2, up to 1e50 m
 * Contact forces and torques on a body, after a step up to 1e150 N and N m; impulses of a solution up to 1e150 N s
 * Residuals                                          up to 1e150 m/s
 *
 * An argument beyond them is DRY_ERR_ARGUMENT, or DRY_ERR_NOT_FINITE where it must be finite. A step or a solve whose
 * result would be is DRY_ERR_NOT_FINITE, and is undone. Numbers of reports and queries that answer DRY_OK are finite,
 * with few exceptions. A kinetic energy, the stiffness of a rigid contact and a load factor can be infinite. Where a
 * kinetic energy is infinite, the entries of the ledger can also be NaN. Below 1e-140 m/s and 1e-140 N s residuals are
 * not resolved: forces stay inside their cones, and may be less accurate.
 *
 * DEFAULTS
 *
 *     dry_world_def       settings NULL: the defaults below; gravity (0, 0, -9.81); threads 1; tasks NULL
 *     dry_settings        method DRY_METHOD_RIGID; solver DRY_SOLVER_PGS; sweep DRY_SWEEP_COLORED;
 *                         local_solver DRY_LOCAL_BLOCK; warm_start DRY_WARM_HISTORY;
 *                         friction_law DRY_FRICTION_COULOMB; projection DRY_PROJECTION_AUTO;
 *                         compatibility DRY_COMPATIBILITY_OFF; compatible_friction DRY_COMPATIBLE_FRICTION_AUTO;
 *                         iterations 0; projection_passes 3; position_projection 1; sleeping 0;
 *                         require_convergence 0; seed 0; tolerance 0; relaxation 1; warm_start_factor 1; theta 0.5;
 *                         compatibility_exponent 2; compatibility_tolerance 1e-10; tangential_stiffness 2/7;
 *                         contact_margin 1e-3; push_out_velocity 1; restitution_threshold 0.01;
 *                         newton_limit 10000; substeps 0; joint_solver DRY_JOINTS_SPLIT; joint_aim 1;
 *                         contact_law DRY_LAW_HERTZ; diagnostics 0; spook_relaxation 2; regularisation 1e-6
 *     dry_material_def    friction 0.5; rolling_friction 0; twisting_friction 0; restitution 0; young_modulus 1e9;
 *                         poisson_ratio 0.25; density 1000; user_data 0; contact_damping 0; normal_stiffness 0,
 *                         tangential_stiffness 0: rigid
 *     dry_pair_def        friction 0.5; rolling_friction 0; twisting_friction 0; restitution 0; stiffness 0;
 *                         contact_stiffness 0; contact_damping 0; normal_stiffness 0, tangential_stiffness 0: from
 *                         the materials
 *     dry_clump_part      shape 0, which must be set; position (0, 0, 0); rotation (0, 0, 0, 1); density_factor 1
 *     dry_nurbs_curve_def degree 3; periodic 1; half_depth 0.5; contacts DRY_CURVE_MINIMA; samples_per_span 4; arrays
 *                         NULL, which must be set except weights_or_null
 *     dry_static_def      increment 1; max_displacement 0; tolerance 1e-10; proximal 1e-3; iterations 20
 *     dry_body_def        kind DRY_DYNAMIC; lock 0; shape 0, which must be set; material 0; position (0, 0, 0);
 *                         rotation (0, 0, 0, 1); linear_velocity 0; angular_velocity 0; mass 0: from shape and density;
 *                         center_of_mass 0; inertia 0: from the shape; gravity_scale 1; linear_damping 0;
 *                         angular_damping 0; filter_category 1; filter_mask 0xffffffff; filter_group 0; user_data 0
 *     dry_joint_def       kind as given to dry_joint_def_init; flags 0; body_a 0; body_b 0, one of which must be set;
 *                         points (0, 0, 0); rotations (0, 0, 0, 1); length_min 0; length_max INFINITY; compliances,
 *                         relaxation, break_force, break_torque, break_impulse 0; user_data 0
 *     dry_joint_axis      mode DRY_JOINT_MODE_FREE; motor DRY_JOINT_MOTOR_OFF; lower, force_lower -INFINITY; upper,
 *                         force_upper INFINITY; all others 0. The axes of a new joint have these, except those of a
 *                         DRY_JOINT_GENERAL have mode DRY_JOINT_MODE_LOCKED
 *
 * Reports, problems and solutions have none: the host zeroes them.
 *
 * MEMORY
 *
 * dry_world_create, dry_solver_create, the shapes, dry_material_add, dry_material_pair_set, dry_body_add,
 * dry_bodies_add, dry_joint_add, dry_joints_add, dry_joint_def_place, dry_joint_def_place_points, dry_joint_set_axis,
 * dry_joint_set_frames, dry_joints_set_targets and dry_solver_set_progress allocate. dry_body_remove,
 * dry_body_add_force, dry_body_add_torque, dry_body_set_state and dry_body_set_surface_velocity do so where their world
 * needs more memory than before. Statics, snapshots, copies of worlds and files allocate. A step or a solve allocates
 * where it meets more bodies, contacts or pairs than before; DRY_SOLVER_NEWTON, DRY_SOLVER_APGD and the correction also
 * where the pattern of contacts changes. The step of a settled world and the second solve of a size by sweeps allocate
 * nothing. Neither do queries, except dry_query_overlaps and dry_query_fields, nor getters, the _init functions and
 * dry_last_error. A message is kept in place, in 1024 bytes for each thread, and is cut there. The destroy functions
 * give everything back.
 *
 * CONTENTS
 *
 *     Objects and their names       dry_world, dry_body, ...
 *     Status                        dry_status
 *     Last error and version        dry_last_error, ...
 *     Settings                      dry_settings_init
 *     Tasks                         dry_task_callbacks
 *     Worlds                        dry_world_create, ...
 *     Stepping                      dry_world_step
 *     Statics                       dry_world_solve_static, dry_world_limit_load
 *     Materials                     dry_material_add, ...
 *     Shapes                        dry_shape_sphere, ...
 *     Bodies                        dry_body_add, ...
 *     Joints                        dry_joint_add, ...
 *     Queries                       dry_query_contacts, ...
 *     The state of a world          dry_world_hash, ...
 *     Bring your own contacts       dry_solver_solve, ...
 */

#ifndef DRYSTONE_H
#define DRYSTONE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Objects and their names ------------------------------------------------------------------------------------ */

/**
 * A world: bodies in contact, their materials and shapes, and what they remember between steps.
 *
 * Made by dry_world_create, ended by dry_world_destroy. Worlds are independent of each other. Of one world, calls that
 * only read may run at the same time, from any threads; a call that changes it excludes all others and waits for them.
 * Only a world that steps on the host's tasks lets no call wait for the step: it is DRY_ERR_BUSY.
 */
typedef struct dry_world dry_world;

/** A material of a world. 0 is null: the world's default material. */
typedef uint64_t dry_material;

/** A shape of a world. 0 is null. */
typedef uint64_t dry_shape;

/** A body of a world. 0 is null; as a partner of a contact: the fixed world. */
typedef uint64_t dry_body;

/** A joint of a world. 0 is null. */
typedef uint64_t dry_joint;

/* Status ----------------------------------------------------------------------------------------------------- */

/**
 * The status that a call returns if it can fail.
 *
 * After a failure outputs are untouched and the world is as before the call. There are three exceptions.
 * DRY_ERR_CAPACITY writes the full number. DRY_ERR_NOT_CONVERGED writes the report, and of a solver the solution.
 * dry_world_run keeps the steps that it completed, and writes their number.
 */
typedef enum dry_status {
    /** The call succeeded. */
    DRY_OK = 0,
    /** A required pointer was NULL. */
    DRY_ERR_NULL = 1,
    /** The library does not know this struct_size: the structure was not initialised, or its header is newer. */
    DRY_ERR_ABI = 2,
    /** A value outside its range. */
    DRY_ERR_ARGUMENT = 3,
    /** NaN or infinity in the input, or a step or solve that would have ended in one or beyond the limits, undone. */
    DRY_ERR_NOT_FINITE = 4,
    /** No such object, or it was removed or destroyed, or the handle is of another kind. */
    DRY_ERR_STALE_HANDLE = 5,
    /** The caller's buffer is too small; the count is the full number. */
    DRY_ERR_CAPACITY = 6,
    /** A function, setting or combination that this version does not offer. */
    DRY_ERR_UNSUPPORTED = 7,
    /** Only with require_convergence: the step was undone, its report is written; of a solver the solution too. */
    DRY_ERR_NOT_CONVERGED = 8,
    /** A snapshot or a file that does not have the format of its kind. */
    DRY_ERR_FORMAT = 9,
    /** Reading or writing a file failed. */
    DRY_ERR_IO = 10,
    /** A call from inside a callback, or while a step runs on the host's tasks; a solver in use by another thread. */
    DRY_ERR_BUSY = 11,
    /** A defect of drystone, caught; the world, or the solver, can only be destroyed. */
    DRY_ERR_INTERNAL = 12,
    /** An allocation sized by the input failed. */
    DRY_ERR_MEMORY = 13,
    /**
     * The function that dry_world_run calls between steps, or a solver or a static problem between iterations, asked to
     * stop. A run keeps the steps before; otherwise the solver or the world is as before the call.
     */
    DRY_ERR_STOPPED = 14,
} dry_status;

/* Last error and version ------------------------------------------------------------------------------------- */

/**
 * The name of a status, as in this header: "DRY_ERR_NULL".
 *
 * Returns a fixed text that is never freed; "unknown status" for a number that is none.
 */
const char *dry_status_name(dry_status status);

/**
 * Copies the message of this thread's last failing call: the function, which argument, its value, and what was
 * expected, as in "dry_shape_sphere: radius is -1, expected a number above 0". At most 1024 bytes.
 *
 * buffer: receives the text, UTF-8, always ended by a zero if capacity is above 0.
 * capacity: bytes in buffer. Too few: the text is cut and the answer is DRY_ERR_CAPACITY.
 * needed_or_null: receives the bytes that the whole text needs, its zero included.
 *
 * With buffer NULL and capacity 0 the call returns the size alone. The message stays until the next failing call on
 * this thread; this function never alters it. Before the first failure it is empty.
 */
dry_status dry_last_error(char *buffer,
                          size_t capacity,
                          size_t *needed_or_null);

/** The version of the library in one number: major << 22 | minor << 12 | patch. */
uint32_t dry_version(void);

/** The version of the library as a text, "major.minor.patch", which is never freed. */
const char *dry_version_string(void);

/* Settings --------------------------------------------------------------------------------------------------- */

/**
 * dry_settings.diagnostics: the step sums up its energies, for the members of the report from elastic_energy on.
 * Costs about as much as one sweep.
 */
#define DRY_DIAGNOSE_ENERGY 1u

/**
 * dry_settings.diagnostics: the step measures its residuals by kind of row: residual_normal, residual_friction and
 * residual_rolling of the report.
 */
#define DRY_DIAGNOSE_RESIDUALS 2u

/** How contacts act on bodies. */
typedef enum dry_method {
    /** Rigid contacts: no overlap, no elasticity. */
    DRY_METHOD_RIGID = 0,
    /**
     * Elastic contacts of given stiffness, with an integrator that is stable for any of them: SPOOK. Overlap carries
     * the load: at rest each contact has the force of contact_law, whatever the step, and forces are unique.
     * Contacts across a gap have none. Impacts faster than restitution_threshold are solved first, in a stage before
     * the forces act. All contacts that touch belong to that stage: fast ones have their restitution, others have
     * none. Overlap is not undone: position_projection and push_out_velocity are not used. Neither is compatibility,
     * since compatible forces are those of the contacts. Bodies should overlap by a few percent at most: choose
     * young_modulus or contact_stiffness by the load, not by the material alone.
     */
    DRY_METHOD_SPOOK = 1,
    /**
     * Rigid and elastic contacts in one world, with the theta method: bodies move with theta times their velocity
     * after the step and 1 - theta times that before it. Contacts are elastic where the materials have a
     * normal_stiffness. Their normal force is that stiffness times the overlap at the end of the step. Friction that
     * sticks is a spring too, whose force is remembered and turns with the bodies. Forces are unique. The swings of
     * an elastic contact that stays closed decrease by the factor (1 + theta h^2 k/m)^(-1/2) in each step. The method
     * ignores restitution: a rigid contact turns back (1 - theta)/theta of its velocity. Where it sticks, this holds
     * tangentially too, so at 0.5 it goes on ringing. Overlap of rigid contacts is undone as by DRY_METHOD_RIGID.
     * There is no compatibility correction.
     */
    DRY_METHOD_THETA = 2,
} dry_method;

/**
 * How the contact problem of a step is solved, island by island.
 *
 * All stop at the tolerance and report the true residual. DRY_SOLVER_PGS with a tolerance above 0, and the others
 * always, return no larger residual than that of their start.
 */
typedef enum dry_solver_kind {
    /** Projected Gauss-Seidel: sweeps over the contacts, each solved on its own. 50 sweeps where iterations is 0. */
    DRY_SOLVER_PGS = 0,
    /**
     * The same, extrapolated from the last sweeps: up to tens of times fewer of them to a small tolerance. 50
     * sweeps where iterations is 0.
     */
    DRY_SOLVER_PGS_ACCELERATED = 1,
    /**
     * Proximal point and semismooth Newton steps: to round-off where sweeps stall, for islands of up to some
     * thousand contacts; see newton_limit. Up to 1000 steps where iterations is 0; it ends when it can do no
     * better.
     */
    DRY_SOLVER_NEWTON = 2,
    /**
     * Accelerated projected gradient. It needs no factorisation. 500 steps where iterations is 0. Memory and the time
     * of a step are in proportion to the contacts.
     */
    DRY_SOLVER_APGD = 3,
    /**
     * Interior points on the convex problem of DRY_FRICTION_ASSOCIATED, then Newton steps. It takes some 10 to 40
     * steps from any start, also where masses differ much, and reaches 1e-13 of the speeds. Each step factors a
     * matrix of six rows per body. Other laws of friction are refused, and so are problems without bodies. Islands
     * with rows that bound other rows, or with a ball joint that has dry friction, are solved by
     * DRY_SOLVER_PGS_ACCELERATED (DRY_REPORT_FALLBACK). See DRY_REPORT_INFEASIBLE.
     */
    DRY_SOLVER_CONIC = 4,
} dry_solver_kind;

/** The order in which a sweep visits the contacts. */
typedef enum dry_sweep {
    /** In batches of contacts that share no moving body. */
    DRY_SWEEP_COLORED = 0,
    /** One after the other: those of a world along a curve that fills space, those of the host as it lists them. */
    DRY_SWEEP_NATURAL = 1,
    /** Alternately forward and backward. */
    DRY_SWEEP_SYMMETRIC = 2,
    /** In a new order for each sweep, drawn from the seed. Another seed may give other forces of the same motion. */
    DRY_SWEEP_RANDOM = 3,
} dry_sweep;

/** How one contact is solved within a sweep. Offered in this version: DRY_LOCAL_BLOCK. */
typedef enum dry_local_solver {
    /** Normal and friction together, exactly. */
    DRY_LOCAL_BLOCK = 0,
    /** Row by row, each clamped. Not offered yet. */
    DRY_LOCAL_ROWS = 1,
} dry_local_solver;

/** Where the impulses of a step start. */
typedef enum dry_warm_start {
    /** From zero. */
    DRY_WARM_OFF = 0,
    /** From those of the last step, applied to the velocities too. */
    DRY_WARM_HISTORY = 1,
    /**
     * From what the law of each contact gives at its overlap, along the normals. Of DRY_METHOD_SPOOK; own contacts have
     * no such law.
     */
    DRY_WARM_MODEL = 2,
    /** From the normal impulses of the last step, without friction. */
    DRY_WARM_NORMALS = 3,
    /** From those of the last step, not applied to the velocities. Only for comparison: it fails. */
    DRY_WARM_HISTORY_NO_VELOCITY = 4,
    /** From those of the last step, scaled so that the start is never worse than zero. */
    DRY_WARM_GUARDED = 5,
    /** From the compatible forces of the last step; without a correction the same as DRY_WARM_HISTORY. */
    DRY_WARM_COMPATIBLE = 6,
} dry_warm_start;

/** The law of friction. */
typedef enum dry_friction_law {
    /** Coulomb's law on the round cone: friction opposes sliding. */
    DRY_FRICTION_COULOMB = 0,
    /**
     * The convex law on the same cone: sliding lifts bodies. A sliding contact opens along the normal with friction
     * times its sliding speed, and likewise by rolling and twisting at their bounds. Contacts that stick are as with
     * DRY_FRICTION_COULOMB. The step is one convex programme, so its velocities are unique, but sliding of rigid
     * contacts loses no energy. A contact across a gap up to contact_margin acts before it closes where friction
     * times the sliding speed times the step is above the gap that is left. Contacts that stick to bodies that turn
     * drift along them by the error of a step.
     */
    DRY_FRICTION_ASSOCIATED = 1,
    /**
     * Two rows across the normal, each bounded by friction times the normal impulse, as legacy solvers have them:
     * along the diagonals the friction bound is sqrt(2) times as large. For a normal (x, y, z) the first row lies
     * along t1 = (1 - s c x x, -s c x y, -s x). The second row lies along t2 = (-c x y, s - c y y, -y). Here s is 1
     * for z >= 0 and -1 below, and c = 1 / (s + z). Rolling about t1, about t2 and twisting are bounded rows too.
     */
    DRY_FRICTION_BOX = 2,
} dry_friction_law;

/**
 * The islands for which the stick projection follows the solver. An island is a group of bodies that touch. The
 * projection turns what sticks into exact constraints, so that nothing creeps: friction and rolling below their
 * bounds, closed contacts, bilateral rows. Its result is used where it lowers the residual.
 */
typedef enum dry_projection {
    /** None. */
    DRY_PROJECTION_OFF = 0,
    /**
     * All islands. Costs next to nothing at rest, and far more than the sweeps in large piles that still move. Choose
     * it for heavy bodies on light ones, above 100 : 1: 10^4 kg rest on 1 kg.
     */
    DRY_PROJECTION_STICK = 1,
    /**
     * Those for which it pays, so that stacks, walls and towers stand. These are islands of at most 2000 bodies whose
     * residual is above that of rest, and above the tolerance. The projection takes at most a tenth of the work of
     * their sweeps, and as much as these in islands of up to 64 bodies without joints. Another island that it did not
     * bring to rest has to wait. Work is counted, not timed: the choice is the same on every machine.
     * DRY_REPORT_PROJECTION_REJECTED is never set. Problems without bodies are solved as with DRY_PROJECTION_OFF.
     */
    DRY_PROJECTION_AUTO = 2,
} dry_projection;

/**
 * The elastic law that makes contact forces unique. Among all forces that move the bodies in the same way, it
 * selects those that stiff elastic contacts carry. In dry_solver_solve the rows of own problems hold the
 * displacements of these contacts: without compliance rigidly, else as springs, within their bounds. A row that
 * rests at a bound and moves away from it, at more than closing_velocity of the report, keeps its impulse. So do
 * rows that scale bounds, and rows whose bounds are scaled or exclude 0. The correction runs on the answer of the
 * solver, per island, and changes neither velocities nor normal_force and friction_force. Relative stiffness: the
 * two moduli of the materials in series, or the pair's own.
 */
typedef enum dry_compatibility {
    /** No correction. */
    DRY_COMPATIBILITY_OFF = 0,
    /** Linear contacts. */
    DRY_COMPATIBILITY_HOOKE = 1,
    /**
     * Hertz contacts, exponent 5/2: stiffness (4/3) E* sqrt(r*) of both materials and the radii of curvature. Two
     * flat places have no radius: there it is that of the materials.
     */
    DRY_COMPATIBILITY_HERTZ = 2,
    /** Contacts of any exponent above 1, compatibility_exponent: 2 is linear. */
    DRY_COMPATIBILITY_POWER = 3,
} dry_compatibility;

/**
 * How the correction treats friction. The convex and the elastic form keep friction within its bounds, and agree
 * where nothing slides.
 */
typedef enum dry_compatible_friction {
    /**
     * Keeps the friction of the solver, so forces are not unique where there is friction. The report counts contacts
     * where friction then exceeds its bound.
     */
    DRY_COMPATIBLE_FRICTION_OFF = 0,
    /** Corrects it in the convex form, in which sliding contacts are pressed apart. */
    DRY_COMPATIBLE_FRICTION_ASSOCIATED = 1,
    /**
     * Corrects it to the limit of stiff elastic contacts under a load that grows in proportion. Where the correction
     * does not find that limit, the convex form holds. The report counts such islands (associated_islands).
     */
    DRY_COMPATIBLE_FRICTION_ELASTIC = 2,
    /**
     * DRY_COMPATIBLE_FRICTION_ASSOCIATED in islands that have friction. Elsewhere all forms give the same forces,
     * and the normal ones alone are corrected.
     */
    DRY_COMPATIBLE_FRICTION_AUTO = 3,
} dry_compatible_friction;

/** How joints are solved, and the rows without bounds of own problems. */
typedef enum dry_joint_solver {
    /**
     * Bodies that joints connect are solved as one mechanism, exactly and for any number of sweeps. Contacts meet
     * its true inertia: that of the arm behind the bucket. Sweeps visit its contacts, and its bounds, motors with
     * bounds and friction. A mechanism with many of them is solved as by DRY_JOINTS_ROWS: where six for each of its
     * bodies with contacts, and one for each of these rows, are above 128.
     */
    DRY_JOINTS_SPLIT = 0,
    /**
     * The rows of joints are swept like contacts. Faster where thousands of bodies hang together in loops; long
     * chains, and light bodies between heavy ones, need many sweeps.
     */
    DRY_JOINTS_ROWS = 1,
} dry_joint_solver;

/** How the force of a compliant contact grows with its overlap delta. Of DRY_METHOD_SPOOK. */
typedef enum dry_contact_law {
    /** k delta^(3/2), with k = (4/3) E* sqrt(r*) [N/m^1.5]. */
    DRY_LAW_HERTZ = 0,
    /** k delta, with k = E* r* [N/m]. */
    DRY_LAW_HOOKE = 1,
} dry_contact_law;

/**
 * How a world steps. Filled in by dry_settings_init; grows at its end.
 *
 * Every member is checked, also where the chosen method and solver do not use it. Some members are otherwise
 * ignored:
 *
 * * theta: with any method other than DRY_METHOD_THETA.
 * * seed: with any sweep other than DRY_SWEEP_RANDOM.
 * * warm_start_factor: with DRY_WARM_OFF and DRY_WARM_GUARDED.
 * * projection_passes: with DRY_PROJECTION_OFF.
 * * newton_limit: with any solver other than DRY_SOLVER_NEWTON.
 * * sweep and relaxation: with DRY_SOLVER_NEWTON, DRY_SOLVER_APGD and DRY_SOLVER_CONIC. The sweeps of the projection
 *   and of islands above newton_limit still use them.
 * * compatible_friction, compatibility_tolerance and tangential_stiffness: with DRY_COMPATIBILITY_OFF.
 * * compatibility_exponent: with any compatibility other than DRY_COMPATIBILITY_POWER.
 */
typedef struct dry_settings {
    /** Bytes of this structure. */
    size_t struct_size;
    /** How contacts act on bodies; own contacts bring their compliance, and do not use it. Default DRY_METHOD_RIGID. */
    dry_method method;
    /** How the contact problem is solved. Default DRY_SOLVER_PGS. */
    dry_solver_kind solver;
    /** In which order contacts are visited. Default DRY_SWEEP_COLORED. */
    dry_sweep sweep;
    /** How one contact is solved. Default DRY_LOCAL_BLOCK. */
    dry_local_solver local_solver;
    /** Where impulses start. Default DRY_WARM_HISTORY. */
    dry_warm_start warm_start;
    /** Default DRY_FRICTION_COULOMB. */
    dry_friction_law friction_law;
    /** The projection that follows the sweeps. Default DRY_PROJECTION_AUTO. */
    dry_projection projection;
    /** The law of the compatibility correction. Default DRY_COMPATIBILITY_OFF. */
    dry_compatibility compatibility;
    /** How the correction treats friction. Default DRY_COMPATIBLE_FRICTION_AUTO. */
    dry_compatible_friction compatible_friction;
    /**
     * Most sweeps per step, or steps of Newton or of gradients. 0, the default: the number that dry_solver_kind gives,
     * 50 for sweeps. Usual: 10 to 200. With too few, tall piles sink and forces do not balance between bodies; the
     * reported residual shows it.
     */
    uint32_t iterations;
    /** Of DRY_PROJECTION_STICK and DRY_PROJECTION_AUTO: most passes. Default 3; 0 is none at all. */
    uint32_t projection_passes;
    /**
     * Flag, default 1: overlap is undone by moving bodies after the step, so that it costs no force and no energy.
     * A fifth of what overlaps at the end of a step is undone in it. Where two bodies touch at several points, up
     * to a tenth of contact_margin is left for as long as the sweeps have not converged: it keeps stacks from
     * rocking. 0: overlap is undone through the velocities, as legacy engines do, and reported forces contain it.
     */
    uint32_t position_projection;
    /**
     * Flag, default 0. 1: bodies that rest fall asleep and cost nothing until something wakes them. Bodies that
     * touch fall asleep together; static bodies do not connect them. They fall asleep when all have been slow for
     * half a second. A body is slow if no point of it is faster than 2 % of the speed that gravity gives a body in a
     * substep. In that time no force of the host may act on them, and nothing that moves may touch them. A body
     * alone without weight must be at rest exactly.
     *
     * A sleeping body has no velocity. Its last step determines its contacts, its forces and those on the bodies
     * below it, whatever the length of later steps. They balance its weight to that 2 %, and as well as the sweeps
     * had converged by then. Only the compatible forces of bodies that are awake are corrected.
     *
     * What wakes a body wakes all that fell asleep with it, at once. A moving body that comes within contact_margin
     * wakes it, and the same step solves that contact. A force or torque that is not zero, a new state, and
     * dry_body_wake wake it too. So does any change of a static or kinematic body on which it rests, or that comes
     * to lie against it. So does the removal of a body that it touches. Bodies of a joint fall asleep and wake
     * together. A motor whose target moves keeps them awake, and any change of the joint wakes them. Another
     * gravity, other settings and another pair of materials wake all bodies. Keys and the impulses to start from
     * outlast sleep.
     */
    uint32_t sleeping;
    /**
     * Flag, default 0. 1: a step whose largest residual stays above tolerance is undone and returns
     * DRY_ERR_NOT_CONVERGED; its report is written. Needs a tolerance above 0.
     */
    uint32_t require_convergence;
    /** Of DRY_SWEEP_RANDOM. Default 0; any number. */
    uint64_t seed;
    /**
     * The sweeps end when the largest residual over the contacts is below this [m/s]. Default 0: all sweeps are
     * done; in islands of up to 64 contacts without rows they end where one only changes round-off. Usual: 1e-8 to
     * 1e-4 of the speeds in play; below about 1e-15 of them round-off is in the way.
     */
    double tolerance;
    /**
     * Factor on the change of a contact's impulse, above 0 and below 2 [-]. Default 1. Below 1 sweeps converge more
     * slowly; much above 1 they swing in stiff piles, and near 2 they add energy.
     */
    double relaxation;
    /**
     * Factor on the impulses that a step starts from, 0 to 1 [-]. Default 1. With less and few sweeps a pile rests on
     * forces that are steadily too small; at 1 it may jitter instead.
     */
    double warm_start_factor;
    /**
     * Of DRY_METHOD_THETA: the weight of the velocity after the step, 0.5 to 1 [-]. Default 0.5. At 1 bodies move with
     * it alone, and pressed bodies come to rest. At 0.5 elastic contacts with h^2 k/m far above 1 ring: they rebound
     * with nearly no loss of energy.
     */
    double theta;
    /** Of DRY_COMPATIBILITY_POWER, above 1 [-]. Default 2. */
    double compatibility_exponent;
    /**
     * Of the correction: how well compatible forces have the resultants of the solver's, relative, above 0 [-].
     * Default 1e-10.
     */
    double compatibility_tolerance;
    /**
     * Tangential over normal stiffness of the correction, above 0 [-]. Default 2/7. Not the stiffness of this name in
     * dry_material_def, which is that of the contacts of DRY_METHOD_THETA.
     */
    double tangential_stiffness;
    /**
     * Contacts are made up to this gap, 0 or above [m]. Default 1e-3. Choose 1 to 10 % of the smallest body, or the
     * distance travelled in a step. A body that moves further in one step may overlap for a step. A wide margin
     * costs contacts that carry nothing.
     */
    double contact_margin;
    /**
     * Largest speed at which overlap is undone, 0 or above [m/s]. Default 1. At 0 overlap stays; at large values
     * bodies that were put into each other jump apart.
     */
    double push_out_velocity;
    /**
     * A contact approaching faster than this takes restitution, in the step in which it would close; 0 or above [m/s].
     * Default 0.01. Near 0 a resting pile rattles; above the impact speeds nothing rebounds.
     */
    double restitution_threshold;
    /**
     * Of DRY_SOLVER_NEWTON: the largest island, counted in contacts and rows, that it solves. Larger ones are solved
     * by DRY_SOLVER_PGS_ACCELERATED, and the report has the flag DRY_REPORT_FALLBACK. Default 10000. The same holds
     * for islands with too many couplings: the operator has more than 8 million entries, or its factor takes more
     * than 4e9 multiplications by prediction. It holds also where a ball joint has dry friction. A solve makes as
     * many factors as iterations allow, and none beyond 2e12 multiplications in all.
     */
    uint32_t newton_limit;
    /**
     * The number of equal parts into which a step is divided, at most 1000. 0, the default, stands for 1. The contacts
     * are found once in a step; iterations are those of a part, and forces are averages over the step. Usual: 4 to 20
     * parts of a few iterations each, for chains and what moves fast.
     */
    uint32_t substeps;
    /**
     * How joints are solved. Default DRY_JOINTS_SPLIT. No effect on DRY_SOLVER_NEWTON, DRY_SOLVER_APGD and
     * DRY_SOLVER_CONIC, which solve joints together with contacts, and with DRY_FRICTION_BOX, where they are swept.
     */
    dry_joint_solver joint_solver;
    /**
     * Flag, default 1: the rigid rows of joints are aimed, that is, they hold at the end of the step, so that swinging
     * mechanisms keep their energy. 0: they hold at its beginning, and motion along curves loses energy, the more the
     * longer the step.
     */
    uint32_t joint_aim;
    /** Of DRY_METHOD_SPOOK: how the force of a contact grows with its overlap. Default DRY_LAW_HERTZ. */
    dry_contact_law contact_law;
    /** DRY_DIAGNOSE_ bits: what a step measures beyond what it needs. Default 0. */
    uint32_t diagnostics;
    /**
     * Of DRY_METHOD_SPOOK: contacts are damped within this many substeps at least, 0 or above [-]. Default 2, which
     * is stable with any step. It costs rebound once a step is near the time of a contact. For two grains that touch
     * for 2.2 ms, restitution by elasticity is 0.7 at steps of 0.1 ms and 0.3 at 0.5 ms. Below 1 the step must be
     * below a tenth of that time: else contacts gain energy.
     */
    double spook_relaxation;
    /**
     * Of DRY_METHOD_SPOOK: contacts that stick creep at this speed for each newton of friction, and turn for each
     * newton metre of rolling or twisting resistance, 0 or above [m/(N s)]. Default 1e-6; 0: they stick exactly.
     */
    double regularisation;
} dry_settings;

/**
 * Fills in the default settings.
 *
 * settings: the structure of the caller.
 * size: sizeof(dry_settings) as the caller was compiled.
 */
dry_status dry_settings_init(dry_settings *settings, size_t size);

/* Tasks: the host's job system ------------------------------------------------------------------------------- */

/** Work of drystone's: to be called once, with its argument, on any thread. */
typedef void (*dry_task)(void *argument);

/**
 * Runs a task or queues it: on another thread if possible. It may also call the task at once. Returns a handle of the
 * task for dry_task_wait. NULL: the task was called already, or never will be; it is then not waited for.
 */
typedef void *(*dry_task_run)(void *user_data, dry_task task, void *argument);

/**
 * Returns when a task has ended. It may call the task now, and may do other work of the host meanwhile. Each handle
 * that is not NULL is waited for once, by the thread that got it.
 */
typedef void (*dry_task_wait)(void *user_data, void *handle);

/**
 * How a host's job system does drystone's work: a pointer to it in dry_world_def makes the steps of that world run
 * on the host's threads. Zeroed by the host, which sets all members; grows at its end. Read while the world is
 * made, and not kept; what user_data shows must last as long as the world.
 *
 * A step requests tasks repeatedly, up to some hundred times. Each time it requests at most worker_count - 1 of
 * them. They share pieces of 5 to 50 microseconds with the thread that steps. Where many thousand contacts meet or
 * part, a piece takes some hundred microseconds and more. The thread that steps works too, and then waits for each
 * task. So tasks may run at the same time or one after the other, in any order. They may run before that wait,
 * during it, or not at all: only the time of the step depends on it. They use little stack, never wait for each
 * other and never call the host.
 *
 * The functions are called by the thread that steps, within dry_world_step, and must not throw or longjmp. A
 * function that has to give up its task calls the task itself. While the world steps every other call on it is
 * DRY_ERR_BUSY, at once and from any thread: a job that runs while dry_task_wait waits may use other worlds. Each
 * task sets its own floating point environment and then restores that of the thread.
 */
typedef struct dry_task_callbacks {
    /** Bytes of this structure. */
    size_t struct_size;
    /** Handed to both functions; may be NULL. */
    void *user_data;
    /** Not NULL. */
    dry_task_run run_task;
    /** Not NULL. */
    dry_task_wait wait;
    /** How many threads work at most, the one that steps included: 1 to 1024. */
    uint32_t worker_count;
    /** Must be 0. */
    uint32_t reserved;
} dry_task_callbacks;

/* Worlds ----------------------------------------------------------------------------------------------------- */

/** What a world starts with. Filled in by dry_world_def_init; grows at its end. */
typedef struct dry_world_def {
    /** Bytes of this structure. */
    size_t struct_size;
    /** NULL, the default: the default settings. Read during the call, not kept. */
    const dry_settings *settings;
    /** World axes, each component up to 1e50 [m/s^2]. Default (0, 0, -9.81). */
    double gravity[3];
    /**
     * Threads that work on a step. Default 1: the calling thread alone. n: also n - 1 threads that the world starts,
     * and ends when it is destroyed. 0: as many as there are cores. At most 1024. A library that was built without
     * threads of its own offers only 1: DRY_ERR_UNSUPPORTED.
     */
    uint32_t threads;
    /** Must be 0. */
    uint32_t reserved;
    /**
     * The host's job system, which works on steps; threads must then be 1. NULL, the default: threads decides. Read
     * during the call, not kept.
     */
    const dry_task_callbacks *tasks;
    /**
     * Lengths of a periodic box along the world axes: 0 (the default) where an axis is open, else from 1e-100 to
     * 1e100 [m]. Bodies touch in their nearest images. Positions stay continuous: bodies are not moved back into the
     * box, and a contact keeps its key when they cross a side. The point of a contact is at body_a, not at one of
     * its images. Arms and branch vectors lead to the nearest image. dry_query_stress counts each image of a contact
     * in its region.
     *
     * Twice the radius of a shape's bounding sphere plus the contact margin is at most half of each period, so that
     * two bodies touch in one image only. The sphere is about the shape's origin. Adding a larger body, or setting a
     * larger margin, is DRY_ERR_ARGUMENT. So is a half-space whose normal has a component along a periodic axis, or
     * that turns. Joints do not use images. dry_world_set_strain_rate lets the periods grow or shrink.
     */
    double period[3];
} dry_world_def;

/**
 * Fills in what a world starts with by default.
 *
 * def: the structure of the caller.
 * size: sizeof(dry_world_def) as the caller was compiled.
 */
dry_status dry_world_def_init(dry_world_def *def, size_t size);

/**
 * Creates an empty world.
 *
 * def: what it starts with; read during the call.
 * world: receives the world, which the caller ends with dry_world_destroy.
 *
 * The same calls give the same bits, for any threads and tasks. Several threads pay from some thousand contacts on.
 *
 * DRY_ERR_MEMORY: also when a thread could not be started.
 */
dry_status dry_world_create(const dry_world_def *def,
                            dry_world **world);

/**
 * Ends a world, with everything in it. A call that is using it keeps it until that call ends.
 *
 * world: NULL is nothing to do, and so is a world that was destroyed already.
 */
void dry_world_destroy(dry_world *world);

/**
 * Reads the settings of a world.
 *
 * settings: receives them, with struct_size set to size.
 * size: sizeof(dry_settings) as the caller was compiled.
 */
dry_status dry_world_get_settings(const dry_world *world, dry_settings *settings, size_t size);

/**
 * Changes the settings of a world, from the next step on.
 *
 * settings: all of them; read during the call. Members that a caller's older, shorter structure lacks do not change.
 */
dry_status dry_world_set_settings(dry_world *world,
                                  const dry_settings *settings);

/**
 * Reads the gravity of a world.
 *
 * gravity: receives it, world axes [m/s^2].
 */
dry_status dry_world_get_gravity(const dry_world *world, double gravity[3]);

/**
 * Reads the present periods of a world, also of one that was restored: dry_world_def.period. They change in steps where
 * the box is strained (dry_world_set_strain_rate).
 *
 * period: receives the length of the box along each world axis, 0 along an axis without a period [m].
 */
dry_status dry_world_get_period(const dry_world *world,
                                double period[3]);

/**
 * Changes the gravity of a world, from the next step on.
 *
 * gravity: world axes, each component up to 1e50 [m/s^2].
 */
dry_status dry_world_set_gravity(dry_world *world, const double gravity[3]);

/* Periodic boxes that are strained --------------------------------------------------------------------------- */

/**
 * Strains the periodic box of a world: in each step of h seconds every period grows by period * rate * h. Tools of
 * DEM call this a homogeneous strain rate.
 *
 * rates: along the world axes [1/s]. Positive: the period grows; negative: it shrinks; 0, the default: it stays. Other
 * numbers than 0 only along axes with a period (dry_world_def.period).
 *
 * No body is moved by it. Where two bodies touch across a side, the image of one of them moves relative to the body.
 * Its velocity is the number of periods between both times the change of the period. So the image of a static body is
 * a wall that moves. Every contact law counts that velocity, along the normal and across it, and so does
 * dry_contact.relative_velocity.
 *
 * A velocity in proportion to the place, rate * x, is that of a homogeneous strain. A host that gives it to all bodies
 * when the strain begins spares the inside of the box a wave from its sides. Its mean over the mass should be taken
 * off: a fully periodic box keeps its momentum.
 *
 * dry_world_get_period and queries about places count with the box at the end of the last step, dry_query_stress with
 * branch vectors in that at its start. The work of the images is part of dry_step_report.wall_work. Joints and
 * half-spaces have no images, so the strain does not act on them.
 *
 * dry_world_solve_static strains the box by rate * increment. Bodies then move in proportion to their places, which
 * counts towards dry_static_def.max_displacement: in a long box, or periods away from the origin, set it larger.
 *
 * Rigid grains that fill the box cannot be pressed closer: steps then end with a residual. So does the impact stage of
 * DRY_METHOD_SPOOK, where grains that fill the box meet faster than restitution_threshold.
 *
 * A step that would leave a period too short for a body, by the rule of dry_world_def.period, is DRY_ERR_ARGUMENT, and
 * nothing changes. A change of the rates wakes all bodies; none falls asleep while the box is strained. Each such
 * step finds all neighbours again.
 */
dry_status dry_world_set_strain_rate(dry_world *world,
                                     const double rates[3]);

/**
 * Reads the rates at which the periods of a world grow, also of one that was restored.
 *
 * rates: receives them, along the world axes [1/s].
 */
dry_status dry_world_get_strain_rate(const dry_world *world, double rates[3]);

/* Stepping --------------------------------------------------------------------------------------------------- */

/** dry_step_report.flags: residual_max stayed above the tolerance. */
#define DRY_REPORT_NOT_CONVERGED 1u

/** dry_step_report.flags: in at least one island the projection was rejected. */
#define DRY_REPORT_PROJECTION_REJECTED 2u

/** dry_step_report.flags: the correction found loads that no contact forces carry. */
#define DRY_REPORT_COMPATIBILITY_INFEASIBLE 4u

/** dry_step_report.flags: the correction stopped above its tolerance, or the elastic form of friction was not found. */
#define DRY_REPORT_COMPATIBILITY_NOT_CONVERGED 8u

/**
 * dry_step_report.flags: an island was larger than newton_limit, or had a ball joint with dry friction, and was solved
 * by DRY_SOLVER_PGS_ACCELERATED.
 */
#define DRY_REPORT_FALLBACK 16u

/**
 * dry_step_report.flags: in at least one island the compatible forces are not unique. The correction kept a part of
 * the solver's forces unchanged. This part can be friction with DRY_COMPATIBLE_FRICTION_OFF, torques of rolling and
 * twisting, or impulses of rows that scale bounds or whose bounds are scaled or exclude 0. It can be all forces
 * where the correction found none. The flag is set too where rows without compliance follow from others. It is also
 * set where the residual of the solve is so large that the forces depend on the order of sweeps by more than 1e-8 of
 * the largest one.
 */
#define DRY_REPORT_COMPATIBILITY_NOT_UNIQUE 32u

/**
 * dry_step_report.flags: in at least one island no velocities obey all contacts and joints, such as a body between
 * two walls that come closer. DRY_SOLVER_CONIC detects this. So does DRY_SOLVER_NEWTON with the associated law on
 * compliant contacts. The other solvers leave a residual. The answer is as near as they came.
 */
#define DRY_REPORT_INFEASIBLE 64u

/**
 * The report of a step. The caller zeroes it and sets struct_size before the call; grows at its end.
 *
 * The residual of a contact is how far velocities and impulses are from its laws, as a velocity: 0 where they hold.
 */
typedef struct dry_step_report {
    /** Bytes of this structure. */
    size_t struct_size;
    /** DRY_REPORT_ bits. */
    uint32_t flags;
    /** Bodies of the world, or of the problem. */
    uint32_t bodies;
    /** Bodies that moved or could have; without those that sleep. */
    uint32_t awake_bodies;
    /** Groups of moving bodies that touch each other; without those that sleep. */
    uint32_t islands;
    /** Contacts, those that carry nothing and those of sleeping bodies included. */
    uint32_t contacts;
    /** Contacts that the step, or the call, before did not have. */
    uint32_t new_contacts;
    /** Sweeps, the most over the islands; with substeps, the sum over them. */
    uint32_t iterations;
    /** Passes of the projection, the most over the islands. */
    uint32_t projection_passes;
    /** Newton steps of the correction, the most over the islands. */
    uint32_t compatibility_iterations;
    /** Always 0. */
    uint32_t reserved;
    /** Key of the contact, or of the row of a problem, with residual_max; 0 without contacts. */
    uint64_t worst_contact;
    /** Largest residual of the velocities and impulses finally used [m/s]. */
    double residual_max;
    /** Its mean over the contacts [m/s]. */
    double residual_mean;
    /** Largest residual before the projection [m/s]. */
    double solver_residual;
    /**
     * Of the correction: the error of the compatible forces in the resultants of the solver's forces on the bodies,
     * as norms, over these resultants. It is the largest over the islands whose loads can be carried [-].
     */
    double compatibility_residual;
    /** Largest overlap at the start of the step [m]. */
    double max_overlap;
    /** At the end of the step [J]; infinite for speeds whose square is beyond the largest number. */
    double kinetic_energy;
    /** At the end of the step, relative to the world's origin [J]. */
    double potential_energy;
    /** Time spent finding contacts [s]. */
    double seconds_detect;
    /** Time spent turning bodies and contacts into equations [s]. */
    double seconds_assemble;
    /** Time spent in the impact stage [s]. */
    double seconds_impact;
    /** Time spent in the sweeps [s]. */
    double seconds_solve;
    /** Time spent in the projection [s]. */
    double seconds_project;
    /** Time spent in the correction [s]. */
    double seconds_compatibility;
    /** Time spent moving bodies, and undoing overlap [s]. */
    double seconds_integrate;
    /** Time of the whole step [s]. */
    double seconds_total;
    /** Islands in which sticking contacts were made exact constraints. */
    uint32_t projected_islands;
    /** Islands in which that did not lower the residual, and which were left as the sweeps had them. */
    uint32_t rejected_islands;
    /** Islands whose loads no contact forces carry; their compatible forces are those of the solver. */
    uint32_t infeasible_islands;
    /**
     * Of DRY_COMPATIBLE_FRICTION_ELASTIC: islands in which it did not converge, and that of
     * DRY_COMPATIBLE_FRICTION_ASSOCIATED stands.
     */
    uint32_t associated_islands;
    /** Contacts that the correction took for closed: those that carry impulse, or do not open. */
    uint32_t closed_contacts;
    /**
     * Those of them whose friction is above its bound of the compatible normal force. With
     * DRY_COMPATIBLE_FRICTION_OFF friction is unchanged.
     */
    uint32_t contacts_beyond_friction;
    /** Contacts that open more slowly than this counted as closed [m/s]. */
    double closing_velocity;
    /** Joints of the world, those that are off or broken included. */
    uint32_t joints;
    /**
     * Mechanisms whose joints were not aimed at the end of the step, as their links turn too fast under their load.
     * They stay whole, and fast swings lose energy. The number is the largest over the substeps. More substeps avoid
     * this loss.
     */
    uint32_t unaimed_mechanisms;
    /** Joint with joint_residual; 0 without joints. */
    dry_joint worst_joint;
    /**
     * Largest residual of a row of a joint [m/s]. Rows of turns count at the distance at which a torque counts as a
     * force.
     */
    double joint_residual;
    /** Largest distance that joints are apart along what they lock, at the end of the step [m]. */
    double joint_error;
    /**
     * Length of a substep times the largest angular frequency at which a mechanism swings under its own forces; an
     * upper bound where it is small [-]. Above 1.7 joints are not aimed; as many times more substeps are needed.
     */
    double joint_stiffness;
    /** Time spent on mechanisms outside of the sweeps; it is a part of seconds_assemble and seconds_integrate [s]. */
    double seconds_joints;
    /**
     * With DRY_DIAGNOSE_RESIDUALS, of the last substep: mean residual of the contacts along their normals, each part of
     * a contact measured with the others as they are [m/s].
     */
    double residual_normal;
    /** Likewise, of friction [m/s]. */
    double residual_friction;
    /** Likewise, of rolling and twisting, at the distance where a torque counts as a force [m/s]. */
    double residual_rolling;
    /**
     * With DRY_DIAGNOSE_ENERGY: elastic energy of the contacts of bodies that are awake, at the end of the step [J].
     * Over a step, kinetic_energy, potential_energy and elastic_energy of bodies that stay awake gain wall_work,
     * joint_work, force_work and numerical_energy, and lose the four losses. This balance is exact to round-off. An
     * entry can be infinite or no number where the square of a speed is.
     */
    double elastic_energy;
    /** Lost by sliding in the step, and by coming to stick [J]. */
    double friction_loss;
    /** Lost by rolling and twisting resistance [J]. */
    double rolling_loss;
    /** Lost along the normals by DRY_METHOD_RIGID; with DRY_METHOD_SPOOK all that the impact stage took [J]. */
    double impact_loss;
    /** Lost in the damping of contacts and of bodies [J]. */
    double damping_loss;
    /**
     * Done through contacts by kinematic bodies, by surfaces that move over their bodies, and by the images of a
     * strained box [J].
     */
    double wall_work;
    /** Done by joints on the bodies that they move: motors, springs, limits and friction [J]. */
    double joint_work;
    /** Done by the forces and torques of the host; gravity is in potential_energy [J]. */
    double force_work;
    /**
     * Energy that the integrator added [J]. It comes from the position pass, the fall within a step, and contacts
     * that came or went while they overlapped. It also comes from the part of elastic forces that makes them stable.
     */
    double numerical_energy;
} dry_step_report;

/**
 * Receives the progress of a run: steps_done of count steps are over. report describes the last step, and lasts
 * until the function returns. Its struct_size is that of the library. Returns 0 to go on, any other number to stop.
 */
typedef int32_t (*dry_progress)(void *user_data,
                                uint64_t steps_done,
                                uint64_t count,
                                const dry_step_report *report);

/**
 * The function that a run calls between its steps. The host zeroes it and sets the members that it needs; grows at
 * its end.
 */
typedef struct dry_run_progress {
    /** Bytes of this structure. */
    size_t struct_size;
    /** Passed to the function; may be NULL. */
    void *user_data;
    /**
     * Not NULL. It runs on the calling thread and must not throw or longjmp. Within it every call on the same world
     * is DRY_ERR_BUSY, also those that only read; other worlds may be used. It must not wait for a thread that uses
     * the world.
     */
    dry_progress progress;
    /** The number of steps between two calls of the function; 0 counts as 1. It is also called after the last step. */
    uint64_t every;
} dry_run_progress;

/**
 * Advances a world by many steps of the same length, as dry_world_step does again and again, to the last bit.
 *
 * step: duration of each [s].
 * count: number of steps. With 0 the call does nothing.
 *
 * progress_or_null: the function to call between steps, which may stop the run; read before the first step.
 *
 * steps_done_or_null: receives the number of completed steps, whatever ends the run. It is untouched where a pointer or
 * a structure is refused.
 *
 * report_or_null: receives the report of the last completed step. It is untouched if there is none.
 *
 * The run is one call that changes the world: those of other threads wait until it is over, or are DRY_ERR_BUSY where
 * the world steps on the host's tasks.
 *
 * DRY_ERR_STOPPED: the function asked to stop; the world is as after the last completed step, and may run on. After
 * the last of all steps the answer does not matter. The failures of dry_world_step end the run in the same way: the
 * world is as before the step that failed, and with DRY_ERR_NOT_CONVERGED the report is that of this step.
 */
dry_status dry_world_run(dry_world *world,
                         double step,
                         uint64_t count,
                         const dry_run_progress *progress_or_null,
                         uint64_t *steps_done_or_null,
                         dry_step_report *report_or_null);

/**
 * Advances a world by one step.
 *
 * step: its duration, 1e-100 to 1e100, in seconds and not in milliseconds [s]. A body should move less than its own
 * size in it; 1/60 to 1/1000 are usual. report_or_null: receives what happened.
 *
 * The calling thread works, alone or with others, as dry_world_def sets it.
 *
 * DRY_ERR_BUSY: the world is being stepped on the host's tasks already. DRY_ERR_NOT_FINITE: the step would have
 * ended in NaN or beyond the limits; the message names the body, or the member of the report.
 * DRY_ERR_NOT_CONVERGED: only with require_convergence; the report is written. DRY_ERR_UNSUPPORTED: the calling
 * thread flushes small numbers to zero or does not round to nearest. In all these cases the world is as before the
 * step.
 */
dry_status dry_world_step(dry_world *world,
                          double step,
                          dry_step_report *report_or_null);

/* Statics: increments that balance all loads, and limit loads ------------------------------------------------ */

/**
 * dry_static_report.flags: the loads cannot be carried. Bodies would move further than max_displacement, or for ever.
 * Nearly every collapse has DRY_STATIC_NOT_CONVERGED too, since no forces balance the loads: test the bit.
 */
#define DRY_STATIC_COLLAPSE 1u

/** dry_static_report.flags: the result is less exact than the tolerance requires. */
#define DRY_STATIC_NOT_CONVERGED 2u

/** dry_static_report.flags: of a limit load: it can grow without bound, as on a wedge that holds itself. */
#define DRY_STATIC_UNBOUNDED 4u

/**
 * dry_static_report.flags: of a limit load: a contact slides in the mechanism. With Coulomb's law the load that is
 * carried can then be lower: load_factor is its upper bound.
 */
#define DRY_STATIC_SLIDING_MECHANISM 8u

/**
 * dry_static_report.flags: with DRY_FRICTION_COULOMB no forces that obey Coulomb's law were found. Those of the
 * associated law stand.
 */
#define DRY_STATIC_NOT_COULOMB 16u

/**
 * Receives the progress of a call of a solver, of a static increment or of a limit load: the number of iterations
 * that are over. An iteration is a sweep, a step of another method, a round of the projection or a step of the
 * correction; those of all islands count. Returns 0 to go on, any other number to stop.
 */
typedef int32_t (*dry_iteration_progress)(void *user_data, uint64_t iterations_done);

/** How a static problem is solved. Filled in by dry_static_def_init; grows at its end. */
typedef struct dry_static_def {
    /** Bytes of this structure. */
    size_t struct_size;
    /**
     * Time by which kinematic bodies, surfaces that move and velocity motors move with their velocities; up to 1e50 of
     * either sign [s]. Default 1.
     */
    double increment;
    /**
     * A body that would move further is DRY_STATIC_COLLAPSE; turns count at half the mean size of what moves [m].
     * Default 0: a tenth of that size.
     */
    double max_displacement;
    /**
     * Largest force that may be missing on a body, in units of the largest load of a body; above 0 [-]. Of a limit load
     * also the gap up to which a contact touches, in units of the mean size of what moves. Default 1e-10. Whatever it
     * is, contacts obey their laws to 1e-9 of that load, and rigid ones with a force are closed to 1e-9 of that size.
     */
    double tolerance;
    /**
     * Weight of the term that holds what no contact holds near its place; above 0 [-]. It does not change the answer of
     * what is held. Default 1e-3.
     */
    double proximal;
    /** How often that term is moved to where bodies are by then, at most; at least 1. Default 20. */
    uint32_t iterations;
    /** Always 0. */
    uint32_t reserved;
    /** Passed to progress; may be NULL. */
    void *user_data;
    /**
     * The function that the call runs between its iterations, or NULL, the default. It runs on the calling thread and
     * must not throw or longjmp. Within it every call on the same world is DRY_ERR_BUSY, also those that only read;
     * other worlds may be used. It must not wait for a thread that uses the world.
     */
    dry_iteration_progress progress;
    /** The number of iterations between two calls of the function; 0 counts as 1. Default 1. */
    uint64_t every;
} dry_static_def;

/**
 * The result of a static increment or of a limit load. The caller zeroes it and sets struct_size before the call;
 * grows at its end.
 */
typedef struct dry_static_report {
    /** Bytes of this structure. */
    size_t struct_size;
    /** DRY_STATIC_ bits. */
    uint32_t flags;
    /** Systems of equations that were solved. */
    uint32_t iterations;
    /** Largest force missing on a body; a torque counts at half the mean size of what moves [N]. */
    double unbalanced;
    /** Largest move of a body, turns as in dry_static_def.max_displacement; 0 of a limit load [m]. */
    double displacement_max;
    /** Elastic energy of the contacts; 0 of a limit load [J]. */
    double elastic_energy;
    /** Of a limit load: the largest factor of the unit loads; 0 of an increment [-]. */
    double load_factor;
} dry_static_report;

/**
 * Fills in the default definition.
 *
 * def: the structure of the caller.
 * size: sizeof(dry_static_def) as the caller was compiled.
 */
dry_status dry_static_def_init(dry_static_def *def, size_t size);

/**
 * Balances all loads: bodies move to where their contacts carry their weight and the forces added for the next step.
 *
 * It is the limit of slow loading: masses, velocities and damping have no part in it, and velocities stay as they are.
 * Kinematic bodies, surfaces that move and velocity motors move by their velocities times def->increment. A periodic
 * box is strained by its rates times it. Contacts are elastic where their materials have a normal_stiffness. Friction
 * follows settings.friction_law and remembers its force from increment to increment. Of rigid contacts, which leave
 * forces open, those of least stress are taken: the limit of contacts that get stiffer. [N] eq. 4.16.
 *
 * Gaps are followed to first order: bodies should move by less than the margin of contacts in an increment. A wall
 * that is held by a force is a dynamic body with all but one axis locked. Overlap of rigid contacts is undone. It is
 * kept where no answer is found otherwise, as of a body that friction grips so that no move opens all its contacts.
 *
 * Afterwards dry_query_contacts has the forces [N], and added forces are used up. A collapse is no error but a flag.
 * With DRY_STATIC_COLLAPSE or DRY_STATIC_NOT_CONVERGED nothing has changed. An increment breaks no joint, and leaves
 * no joint events.
 *
 * A large problem takes long. The call runs def->progress between the iterations of all its methods. The function
 * changes no answer. If it asks to stop, the call writes nothing, and the world is as before to the last bit: the same
 * increment can be made again. A call is interrupted only between iterations, not within one, nor while it finds
 * contacts.
 *
 * def: how it is solved.
 * displacements_or_null: receives six numbers for each body in the order of creation: its move, then its turn as a
 * rotation vector, world axes [m, rad]. Of a collapse they are the way in which it begins.
 * count: number of bodies; 0 will do with NULL.
 * report: receives what happened.
 *
 * DRY_ERR_UNSUPPORTED: a joint has a spring, a damper or a rotor, or settings.friction_law is DRY_FRICTION_BOX.
 * DRY_ERR_NOT_FINITE: a body would be beyond the limits.
 * DRY_ERR_STOPPED: def->progress asked to stop. The message says after how many iterations.
 */
dry_status dry_world_solve_static(dry_world *world,
                                  const dry_static_def *def,
                                  double *displacements_or_null,
                                  size_t count,
                                  dry_static_report *report);

/**
 * Finds how far loads can grow in addition to the weight of bodies and the forces added for the next step, which do
 * not grow. It is the largest load_factor at which the contacts carry both. Changes nothing.
 *
 * Contacts obey the associated law, whatever settings.friction_law is, and their stiffness does not matter. The factor
 * is exact for Coulomb's law too where nothing slides in the mechanism, else an upper bound:
 * DRY_STATIC_SLIDING_MECHANISM. If it is below 0, the present loads alone are not carried. Where no factor will do, it
 * is -INFINITY with DRY_STATIC_COLLAPSE. Where all large ones do, it is INFINITY with DRY_STATIC_UNBOUNDED; by
 * Coulomb's law there may be a limit. [N] section 4.4.
 *
 * Kinematic bodies, surfaces that move and velocity motors stand still.
 *
 * Contacts that touch take part: gaps up to def->tolerance of the mean size of what moves, and overlaps. An increment
 * leaves gaps of second order in its moves, so repeat it until displacement_max is that small.
 *
 * unit_loads: six numbers for each body in the order of creation. They are the force, and the torque about the
 * centre of mass, world axes [N, N m].
 *
 * count: number of bodies.
 *
 * def: the settings of the solution; only tolerance and the function, as in dry_world_solve_static, are used.
 *
 * mechanism_or_null: receives six numbers for each body: its displacement and its turn when the limit is reached,
 * world axes [m, rad]. The unit loads do the work 1 in them. With DRY_STATIC_COLLAPSE the present loads do so, together
 * with motors and friction of joints, and with DRY_STATIC_UNBOUNDED they are 0.
 *
 * report: receives the report.
 *
 * DRY_ERR_ARGUMENT: unit_loads act on no body that can move, or sums of loads are out of range.
 * DRY_ERR_UNSUPPORTED, DRY_ERR_STOPPED: as dry_world_solve_static.
 */
dry_status dry_world_limit_load(dry_world *world,
                                const double *unit_loads,
                                size_t count,
                                const dry_static_def *def,
                                double *mechanism_or_null,
                                dry_static_report *report);

/* Materials -------------------------------------------------------------------------------------------------- */

/**
 * A material of bodies. Filled in by dry_material_def_init; grows at its end.
 *
 * Between two materials friction, rolling and twisting friction are the geometric mean, and restitution is the
 * larger one. dry_material_pair_set can set other values.
 */
typedef struct dry_material_def {
    /** Bytes of this structure. */
    size_t struct_size;
    /** Coulomb's coefficient, 0 or above [-]. Default 0.5. */
    double friction;
    /**
     * Coefficient of rolling resistance, 0 or above [-]. The torque against rolling is at most rolling_friction
     * times r* times the normal force. Here r* = r_a r_b / (r_a + r_b), from the radii of curvature of the two
     * shapes where they touch. Spheres, capsules and cylinders on their side have such a radius. All other places are
     * flat, and the radius of the other shape alone counts. Two flat places do not resist rolling. Default 0.
     */
    double rolling_friction;
    /**
     * Coefficient of twisting resistance, 0 or above [-]: the same for the torque about the normal, against spinning on
     * the spot. Two flat places resist that by friction at their contact points alone. Default 0.
     */
    double twisting_friction;
    /**
     * Speed of rebound over speed of impact, 0 to 1 [-]. Default 0. See restitution_threshold of dry_settings. With
     * friction this law can create energy (Kane's paradox). If the contacts of an island would do work in sum, the
     * restitution of the whole island is scaled down in that step until they do none. The step is then solved
     * several times. In a step with a rebound, contacts of the island across a gap take restitution too. An impact
     * that passes through gaps within contact_margin then keeps its energy with restitution 1. With DRY_METHOD_SPOOK it
     * is the rebound in the impact stage. The elasticity of contacts adds to it, but spook_relaxation 2 of dry_settings
     * leaves little of that once a step is near the time of a contact.
     */
    double restitution;
    /**
     * Above 0 [Pa]. With DRY_METHOD_SPOOK it gives contacts their stiffness; else only ratios between materials
     * matter, and only to the compatibility correction. Default 1e9.
     */
    double young_modulus;
    /** Above -1 and at most 0.5 [-]. Default 0.25. */
    double poisson_ratio;
    /** Of bodies whose mass comes from their shape, above 0 [kg/m^3]. Default 1000. */
    double density;
    /** The caller's own; drystone does not use it. */
    uint64_t user_data;
    /**
     * Of DRY_METHOD_SPOOK: the time c of the viscous part of a contact, 0 or above [s]. A Hertz contact carries k
     * (delta^(3/2) + c sqrt(delta) d(delta)/dt), by Hooke k (delta + c d(delta)/dt). Of two materials the larger c
     * holds. In short steps two grains of reduced mass m that meet at the speed v rebound by 1 - 1.153 c (k/m)^(2/5)
     * v^(1/5) of it. Once a step is near the time of a contact, spook_relaxation 2 of dry_settings removes most of the
     * rebound, also with c = 0. Two grains that touch for 2.2 ms then keep 0.7 of their speed at steps of 0.1 ms, and
     * 0.3 at 0.5 ms. Default 0.
     */
    double contact_damping;
    /**
     * Of DRY_METHOD_THETA: the stiffness of each contact point along its normal, 0 or above [N/m]. Default 0: rigid.
     * Of two materials the compliances add up. Two faces that touch at four points are four times as stiff. Bodies
     * should move by less than contact_margin in a step: a contact that is found late begins with the energy of its
     * overlap.
     */
    double normal_stiffness;
    /**
     * The same across the normal, for friction that sticks [N/m]. Default 0: two thirds of normal_stiffness. Above 0
     * only if that is. Not the member of dry_settings of this name, which is a ratio of the compatibility correction.
     */
    double tangential_stiffness;
} dry_material_def;

/**
 * The values for a pair of materials, in place of the mixing rules. Filled in by dry_pair_def_init; grows at its
 * end.
 */
typedef struct dry_pair_def {
    /** Bytes of this structure. */
    size_t struct_size;
    /** Coulomb's coefficient, 0 or above [-]. Default 0.5. */
    double friction;
    /** As in dry_material_def [-]. Default 0. */
    double rolling_friction;
    /** As in dry_material_def [-]. Default 0. */
    double twisting_friction;
    /** Speed of rebound over speed of impact, 0 to 1 [-]. Default 0. */
    double restitution;
    /** Of the compatibility correction, relative to other pairs, 0 or above. Default 0: from the moduli. */
    double stiffness;
    /**
     * Of DRY_METHOD_SPOOK: the stiffness k of each contact, 0 or above [N/m^1.5 with DRY_LAW_HERTZ, N/m with
     * DRY_LAW_HOOKE]. Default 0: from the moduli and the radii; two flat places, which have no radius, take the
     * radius of the bounding sphere of the smaller body for it.
     */
    double contact_stiffness;
    /** As in dry_material_def [s]. Default 0. */
    double contact_damping;
    /** As in dry_material_def [N/m]. Default 0: from the materials. INFINITY: rigid. */
    double normal_stiffness;
    /**
     * As in dry_material_def [N/m]. Default 0: two thirds of normal_stiffness where that is above 0, else from the
     * materials. INFINITY: rigid.
     */
    double tangential_stiffness;
} dry_pair_def;

/**
 * Fills in the default material.
 *
 * def: the structure of the caller.
 * size: sizeof(dry_material_def) as the caller was compiled.
 */
dry_status dry_material_def_init(dry_material_def *def, size_t size);

/**
 * Adds a material to a world, which keeps it until the world ends.
 *
 * def: read during the call.
 * material: receives its handle.
 */
dry_status dry_material_add(dry_world *world, const dry_material_def *def, dry_material *material);

/**
 * Fills in the default values for a pair of materials.
 *
 * def: the structure of the caller.
 * size: sizeof(dry_pair_def) as the caller was compiled.
 */
dry_status dry_pair_def_init(dry_pair_def *def, size_t size);

/**
 * Sets the values for a pair of materials, in either order, from the next step on.
 *
 * first, second: materials of this world; 0 is the default material; they may be equal.
 * def: read during the call.
 */
dry_status dry_material_pair_set(dry_world *world,
                                 dry_material first,
                                 dry_material second,
                                 const dry_pair_def *def);

/* Shapes ----------------------------------------------------------------------------------------------------- */

/** Where NURBS curves touch each other. */
typedef enum dry_curve_contacts {
    /**
     * Where the distance between the two has a minimum; at both ends of a stretch along which they are nearly parallel.
     */
    DRY_CURVE_MINIMA = 0,
    /**
     * At each sample of either curve that overlaps the other, with the normal of the other. For comparison: overlaps
     * between samples are missed, and the two sets of samples make the contact twice as stiff.
     */
    DRY_CURVE_KNOTS = 1,
} dry_curve_contacts;

/** A part of a clump. Filled in by dry_clump_part_init; grows at its end. */
typedef struct dry_clump_part {
    /** Bytes of this structure; the same in every element of an array, where it is the stride. */
    size_t struct_size;
    /**
     * A sphere, box, capsule, cylinder or hull of the world. The clump has a copy: the shape may be removed afterwards.
     * No default: it must be set.
     */
    dry_shape shape;
    /** Of the shape's origin, axes of the clump [m]. Default 0. */
    double position[3];
    /**
     * Quaternion (x, y, z, w) from the shape's axes to those of the clump, its length 1 within 1e-6 [-]. Default
     * (0, 0, 0, 1).
     */
    double rotation[4];
    /** Factor on the density of the body, 1e-20 to 1e20 [-]. Default 1. */
    double density_factor;
} dry_clump_part;

/**
 * A closed NURBS curve in the x-y plane of a body, and the prism along z over it. Filled in by
 * dry_nurbs_curve_def_init; grows at its end.
 *
 * A curve that runs counterclockwise is solid inside. One that runs clockwise is a hole, solid outside near its edge,
 * for static and kinematic bodies alone. The curve must be simple: it neither crosses nor touches itself, nor has it a
 * cusp or an angle below a millionth of a radian; else DRY_ERR_ARGUMENT. Corners are allowed.
 */
typedef struct dry_nurbs_curve_def {
    /** Bytes of this structure. */
    size_t struct_size;
    /** 1 to 5. Default 3. A curve of degree 1 is the polygon of its points. */
    uint32_t degree;
    /**
     * 1: periodic. Point i acts from knot i to knot i + degree + 1, knots and points go on beyond their ends with the
     * period. 0: clamped. The first knot and the last one stand degree + 1 times, and the last point is the first one.
     * Default 1.
     */
    uint32_t periodic;
    /**
     * 2 * point_count numbers, x y of each control point, body axes [m]; read during the call. At least 3 points of a
     * periodic curve; of a clamped one degree + 1, and 4. No default.
     */
    const double *points_xy;
    /**
     * point_count numbers above 0, of which the largest is at most 1e8 times the smallest; NULL: all 1. Read during the
     * call. Default NULL [-].
     */
    const double *weights_or_null;
    /**
     * knot_count numbers in ascending order, of which some may be equal; read during the call. Knots are the same or
     * differ by 1e-10 of their range. The same knot stands at most degree times, except at the ends of a clamped
     * curve. No default [-].
     */
    const double *knots;
    /** No default. */
    size_t point_count;
    /** point_count + 1 of a periodic curve, point_count + degree + 1 of a clamped one. No default. */
    size_t knot_count;
    /** Half the length of the prism along z, above 0 [m]. Default 0.5. */
    double half_depth;
    /** A dry_curve_contacts. Two curves touch at their knots if both have DRY_CURVE_KNOTS. Default DRY_CURVE_MINIMA. */
    dry_curve_contacts contacts;
    /** Of the search for contacts, 1 to 64. Default 4. */
    uint32_t samples_per_span;
} dry_nurbs_curve_def;

/**
 * Fills in a default part: at the origin of the clump, without a shape.
 *
 * part: the structure of the caller.
 * size: sizeof(dry_clump_part) as the caller was compiled.
 */
dry_status dry_clump_part_init(dry_clump_part *part, size_t size);

/**
 * Adds a clump: the union of convex shapes that are rigidly joined, apart, touching or overlapping. It need not be
 * convex, and dynamic bodies can have it.
 *
 * Its mass is that of the union: where parts overlap, a point counts once, with the density_factor of the first part
 * in the list that holds it. Mass, centre and inertia of spheres, boxes and hulls, overlapping or not, are exact to
 * round-off of the largest part. They are also exact for capsules and cylinders that overlap no other part. A capsule
 * or a cylinder that overlaps another part is replaced by a prism of 64 sides for the shared volume. That volume is
 * off by up to 2e-5 of the volume of the part. The origin of the clump is that of the positions of its parts, not its
 * centre of mass; see dry_shape_mass_properties.
 *
 * Each part is a shape of its own for contacts. A contact that another part of the clump hides is left out: one place
 * of the union counts once. r* of rolling resistance is that of the part that touches.
 *
 * parts: count structures; each carries the first one's struct_size. Read during the call. An error names the element:
 *     "parts[3]: ...".
 * count: 1 to 1048576.
 * shape: receives its handle.
 */
dry_status dry_shape_clump(dry_world *world,
                           const dry_clump_part *parts,
                           size_t count,
                           dry_shape *shape);

/**
 * Reads the mass of a shape at density 1 kg/m^3.
 *
 * A body whose mass is given needs the centre of mass too if that is not the shape's origin: see dry_body_def.
 *
 * volume: receives the volume of the shape [m^3].
 *
 * mass: receives the mass [kg]. It is the volume, except for clumps with density factors.
 *
 * center_of_mass: receives the centre of mass, axes of the shape, from its origin [m].
 *
 * inertia: receives the inertia about the centre of mass, axes of the shape: xx yy zz xy yz xz [kg m^2].
 *
 * DRY_ERR_UNSUPPORTED: a half-space, a mesh or a curve that runs clockwise, which have no volume.
 */
dry_status dry_shape_mass_properties(const dry_world *world,
                                     dry_shape shape,
                                     double *volume,
                                     double *mass,
                                     double center_of_mass[3],
                                     double inertia[6]);

/**
 * Fills in the defaults of a curve.
 *
 * def: the structure of the caller.
 * size: sizeof(dry_nurbs_curve_def) as the caller was compiled.
 */
dry_status dry_nurbs_curve_def_init(dry_nurbs_curve_def *def, size_t size);

/**
 * Adds a prism along the body's z axis over a closed NURBS curve, for motion in the x-y plane of the world.
 *
 * Everything is planar: the z axis of the body is that of the world, and a dynamic body locks DRY_LOCK_Z,
 * DRY_LOCK_ROTATION_X and DRY_LOCK_ROTATION_Y; else DRY_ERR_UNSUPPORTED. Its contacts are in the middle of the depth
 * that it shares with its partner. Partners are other curves, boxes with an edge along z, cylinders along z, spheres,
 * and half-spaces whose normal is in the plane; half-spaces across z do not touch it. If a curve comes near another
 * kind of partner, the step is DRY_ERR_UNSUPPORTED. Mass, centre and inertia are those of the prism, to round-off.
 *
 * def: the curve.
 * shape: receives its handle.
 */
dry_status dry_shape_nurbs_curve(dry_world *world,
                                 const dry_nurbs_curve_def *def,
                                 dry_shape *shape);

/**
 * Finds the point of a shape's surface that is closest to a given one. The shape need not be of a body.
 *
 * The shape is a sphere, box, capsule, cylinder, half-space or NURBS curve; others are DRY_ERR_UNSUPPORTED. For a
 * curve the call finds the closest point in the x-y plane, certified: the z of the point is that of its foot. Where
 * several points are equally close, it is one of them.
 *
 * point: shape axes, at most 1e12 times the size of the shape from its origin [m].
 * foot: receives the closest point, shape axes [m].
 *
 * normal: receives the unit vector along the line from foot to point, out of the solid [-]. Where foot and point
 * coincide, it is the normal of the surface.
 *
 * distance: receives the distance from foot to point, below 0 where the point is in the solid [m].
 */
dry_status dry_shape_closest(const dry_world *world,
                             dry_shape shape,
                             const double point[3],
                             double foot[3],
                             double normal[3],
                             double *distance);

/**
 * Adds a sphere about its origin.
 *
 * radius: above 0 [m].
 * shape: receives its handle.
 */
dry_status dry_shape_sphere(dry_world *world, double radius, dry_shape *shape);

/**
 * Adds a box about its origin, its edges along the body's axes.
 *
 * half_extents: half its edges, each above 0 [m].
 * shape: receives its handle.
 */
dry_status dry_shape_box(dry_world *world, const double half_extents[3], dry_shape *shape);

/**
 * Adds a capsule about its origin: a cylinder along the body's z axis with half spheres on its ends.
 *
 * half_height: half the length of the cylinder between the half spheres, 0 or above [m].
 * radius: above 0 [m].
 * shape: receives its handle.
 */
dry_status dry_shape_capsule(dry_world *world, double half_height, double radius, dry_shape *shape);

/**
 * Adds a cylinder about its origin, along the body's z axis.
 *
 * half_height: half its length, above 0 [m].
 * radius: above 0 [m].
 * shape: receives its handle.
 */
dry_status dry_shape_cylinder(dry_world *world, double half_height, double radius, dry_shape *shape);

/**
 * Adds a half-space: solid where normal . x <= offset, in body axes. For static and kinematic bodies alone.
 *
 * normal: points out of the solid, its length 1 within 1e-6 [-].
 * offset: distance of the surface from the origin along the normal [m].
 * shape: receives its handle.
 */
dry_status dry_shape_half_space(dry_world *world, const double normal[3], double offset, dry_shape *shape);

/**
 * Adds the convex hull of points.
 *
 * Mass, centre and inertia are those of the exact hull. For contacts, faces are flat and edges straight within about
 * 1e-6 of its size: points nearer to them are no corners.
 *
 * points_xyz: 3 * point_count numbers, x y z of each point, body axes [m]; read during the call.
 * point_count: 4 to 2^26, not all in one plane.
 * shape: receives its handle.
 */
dry_status dry_shape_hull(dry_world *world,
                          const double *points_xyz,
                          size_t point_count,
                          dry_shape *shape);

/**
 * Adds a surface of triangles, touchable from both sides. For static and kinematic bodies alone.
 *
 * Points whose coordinates differ by less than 1e-12 of the largest coordinate of the mesh are one. Edges that belong
 * to one triangle only are compared more coarsely, for meshes with 32-bit coordinates: by 4.8e-7 of half the longest
 * extent. If all coordinates are 32-bit numbers, it is 4.8e-7 of the largest one, but at most 1e-4 of half that extent.
 * Ends of such edges that are closer are one, and move to one of them. An end that is as close to such an edge divides
 * its triangle. So a body feels no seam there.
 *
 * points_xyz: 3 * point_count numbers, x y z of each point, body axes [m]. Read during the call.
 *
 * triangles: 3 * triangle_count indices below point_count, of either winding. Read during the call. Where corners are
 * counterclockwise as seen from outside, a capsule that an edge pierces comes out, even if its middle is just inside.
 */
dry_status dry_shape_mesh(dry_world *world,
                          const double *points_xyz,
                          size_t point_count,
                          const uint32_t *triangles,
                          size_t triangle_count,
                          dry_shape *shape);

/**
 * Removes a shape that no body uses; DRY_ERR_ARGUMENT if one does.
 *
 * shape: its handle, stale from then on.
 */
dry_status dry_shape_remove(dry_world *world, dry_shape shape);

/* Bodies ----------------------------------------------------------------------------------------------------- */

/** dry_body_def.lock: the body does not move along x. */
#define DRY_LOCK_X 1u

/** dry_body_def.lock: the body does not move along y. */
#define DRY_LOCK_Y 2u

/** dry_body_def.lock: the body does not move along z. */
#define DRY_LOCK_Z 4u

/** dry_body_def.lock: the body does not turn about x. */
#define DRY_LOCK_ROTATION_X 8u

/** dry_body_def.lock: the body does not turn about y. */
#define DRY_LOCK_ROTATION_Y 16u

/** dry_body_def.lock: the body does not turn about z. */
#define DRY_LOCK_ROTATION_Z 32u

/**
 * dry_body_def.lock: the body stays in its plane z = constant: DRY_LOCK_Z, DRY_LOCK_ROTATION_X and DRY_LOCK_ROTATION_Y.
 */
#define DRY_LOCK_PLANAR 28u

/** How a body moves. */
typedef enum dry_body_kind {
    /** Never. */
    DRY_STATIC = 0,
    /** With the velocities that its host sets through dry_body_set_state; contacts and forces do not change them. */
    DRY_KINEMATIC = 1,
    /** By gravity, forces and contacts. */
    DRY_DYNAMIC = 2,
} dry_body_kind;

/** A body before it exists. Filled in by dry_body_def_init; grows at its end. */
typedef struct dry_body_def {
    /** Bytes of this structure; the same in every element of an array, where it is the stride. */
    size_t struct_size;
    /** Default DRY_DYNAMIC. */
    dry_body_kind kind;
    /**
     * DRY_LOCK_ bits, world axes. Default 0. A locked component of a velocity is zero. A contact whose normal is a
     * locked direction carries no force, whatever pushes along it.
     */
    uint32_t lock;
    /** A shape of the world. No default: it must be set. */
    dry_shape shape;
    /** A material of the world. Default 0: the default material. */
    dry_material material;
    /** Of the shape's origin, world axes [m]. Default 0. */
    double position[3];
    /**
     * Quaternion (x, y, z, w) from body to world axes, the real part w last, its length 1 within 1e-6 [-]. Not
     * (w, x, y, z): a quaternion in that order has length 1 too and is accepted. Default (0, 0, 0, 1).
     */
    double rotation[4];
    /** Of the centre of mass, world axes [m/s]. Default 0. */
    double linear_velocity[3];
    /** World axes [rad/s]. Default 0. */
    double angular_velocity[3];
    /**
     * 0, or 1e-100 to 1e100 [kg]. Default 0: from shape and density. A mass of 0 does not hold a body in place: kind
     * DRY_STATIC does.
     */
    double mass;
    /** Body axes, from the shape's origin; used when mass > 0 [m]. Default 0. */
    double center_of_mass[3];
    /**
     * About the centre of mass, body axes: xx yy zz xy yz xz; used when mass > 0 [kg m^2]. It must be positive
     * definite. No principal moment may exceed the sum of the other two by more than 1e-6 of the largest. Default all
     * 0: from the shape, scaled to mass.
     */
    double inertia[6];
    /** Factor on the world's gravity [-]. Default 1. */
    double gravity_scale;
    /** Rate at which the linear velocity decays, 0 or above [1/s]. Default 0. */
    double linear_damping;
    /** Rate at which the angular velocity decays, 0 or above [1/s]. Default 0. */
    double angular_damping;
    /**
     * Bits of the groups it is in. Default 1. Two bodies collide if each one's mask has a bit of the other's category.
     */
    uint32_t filter_category;
    /** Bits of the groups it collides with. Default all. */
    uint32_t filter_mask;
    /** Two bodies of one group other than 0 always collide if it is positive, never if it is negative. Default 0. */
    int32_t filter_group;
    /** Must be 0. */
    uint32_t reserved;
    /** The caller's own; see dry_body_get_user_data. Default 0. */
    uint64_t user_data;
} dry_body_def;

/** Where a body is and how it moves. Frozen: it never changes. */
typedef struct dry_body_state {
    /** Of the shape's origin, world axes [m]. */
    double position[3];
    /** Quaternion (x, y, z, w) from body to world axes, the real part w last [-]. */
    double rotation[4];
    /** Of the centre of mass, world axes [m/s]. */
    double linear_velocity[3];
    /** World axes [rad/s]. */
    double angular_velocity[3];
} dry_body_state;

/**
 * Fills in a default body: dynamic, at the origin, at rest, without a shape.
 *
 * def: the structure of the caller.
 * size: sizeof(dry_body_def) as the caller was compiled.
 */
dry_status dry_body_def_init(dry_body_def *def, size_t size);

/**
 * Adds a body to a world.
 *
 * def: read during the call.
 * body: receives its handle.
 *
 * DRY_ERR_UNSUPPORTED: a dynamic body with a half-space, a mesh or a curve that runs clockwise.
 */
dry_status dry_body_add(dry_world *world, const dry_body_def *def, dry_body *body);

/**
 * Adds many bodies to a world, all or none.
 *
 * defs: count structures; each carries the first one's struct_size, which is the distance in bytes from one to the
 * next. Read during the call. An error names the element: "defs[3]: ...".
 * count: 0 is nothing to do; defs and bodies may then be NULL.
 * bodies: receives count handles, in the order of defs.
 */
dry_status dry_bodies_add(dry_world *world,
                          const dry_body_def *defs,
                          size_t count,
                          dry_body *bodies);

/**
 * Removes a body, with its contacts and its joints.
 *
 * body: its handle, stale from then on. The partners' contact and joint forces of the last step go with it.
 */
dry_status dry_body_remove(dry_world *world, dry_body body);

/**
 * Lists the bodies of a world in the order of their creation.
 *
 * bodies: receives the handles if there is room for all; with NULL and capacity 0 the call returns the number alone.
 * capacity: handles that bodies has room for. Too few: DRY_ERR_CAPACITY, and only count is written.
 * count: receives the number of bodies.
 */
dry_status dry_query_bodies(const dry_world *world,
                            dry_body *bodies,
                            size_t capacity,
                            size_t *count);

/**
 * Reads where a body is and how it moves.
 *
 * state: receives it.
 */
dry_status dry_body_get_state(const dry_world *world, dry_body body, dry_body_state *state);

/**
 * Puts a body somewhere and sets its velocities.
 *
 * state: finite numbers, a quaternion of length 1 within 1e-6; read during the call. Locked components of the
 * velocities are taken as zero.
 */
dry_status dry_body_set_state(dry_world *world, dry_body body, const dry_body_state *state);

/**
 * Reads the mass of a body; mass and inertia are 0 for a body that is not dynamic.
 *
 * mass: receives the mass [kg].
 *
 * center_of_mass: receives the centre of mass, body axes, from the shape's origin [m].
 *
 * inertia: receives the inertia about the centre of mass, body axes: xx yy zz xy yz xz [kg m^2].
 */
dry_status dry_body_get_mass(const dry_world *world,
                             dry_body body,
                             double *mass,
                             double center_of_mass[3],
                             double inertia[6]);

/**
 * Reads the user_data that a body was added with.
 *
 * user_data: receives it.
 */
dry_status dry_body_get_user_data(const dry_world *world, dry_body body, uint64_t *user_data);

/**
 * Pushes a dynamic body during the next step; several forces add up.
 *
 * force: world axes [N].
 * point_or_null: where it acts, world axes [m]; NULL: at the centre of mass.
 */
dry_status dry_body_add_force(dry_world *world,
                              dry_body body,
                              const double force[3],
                              const double point_or_null[3]);

/**
 * Turns a dynamic body during the next step; several torques add up.
 *
 * torque: world axes [N m].
 */
dry_status dry_body_add_torque(dry_world *world, dry_body body, const double torque[3]);

/**
 * Wakes a body and all that fell asleep with it; see dry_settings.sleeping. A body that is awake stays so for at least
 * half a second more.
 */
dry_status dry_body_wake(dry_world *world,
                         dry_body body);

/**
 * Reads whether a body is awake; see dry_settings.sleeping. Static and kinematic bodies always are.
 *
 * awake: receives 1, or 0 for a body that sleeps.
 */
dry_status dry_body_is_awake(const dry_world *world, dry_body body, uint32_t *awake);

/**
 * Reads the positions and velocities of many bodies.
 *
 * bodies_or_null: count handles, in any order. NULL stands for all bodies, in the order of creation.
 * count: with NULL it must be the number of bodies. With 0 the call does nothing, and states may be NULL.
 * states: receives count states.
 */
dry_status dry_bodies_get_states(const dry_world *world,
                                 const dry_body *bodies_or_null,
                                 size_t count,
                                 dry_body_state *states);

/**
 * Makes the surface of a body move over the body: a conveyor belt, a track, or a drum that a fixed shape stands for.
 *
 * At a contact point p the surface has the velocity linear + angular x (p - centre of mass) relative to the body's own
 * material. Friction counts it: it is at rest where the other body moves with the surface, and dry_contact's
 * relative_velocity and DRY_CONTACT_SLIDING count from there. Only its part in the tangent plane acts. The shape, the
 * pose and the velocities of the body stay as they are, and so does its energy. Rolling and twisting resistance count
 * the spins of the bodies, without that of the surface.
 *
 * linear: body axes [m/s]: the belt of a machine that turns goes with the machine.
 * angular: body axes [rad/s].
 *
 * Any body may have one, until it is removed; zeros, the default, end it. A change wakes the body's island and what
 * rests on the body. What touches a surface that moves does not fall asleep.
 */
dry_status dry_body_set_surface_velocity(dry_world *world,
                                         dry_body body,
                                         const double linear[3],
                                         const double angular[3]);

/**
 * Reads how the surface of a body moves over the body; zeros unless dry_body_set_surface_velocity was called.
 *
 * linear: receives its velocity at the centre of mass, body axes [m/s].
 * angular: receives its angular velocity, body axes [rad/s].
 */
dry_status dry_body_get_surface_velocity(const dry_world *world,
                                         dry_body body,
                                         double linear[3],
                                         double angular[3]);

/* Joints ----------------------------------------------------------------------------------------------------- */

/** dry_joint_def.flags: the two bodies collide with each other. Without it they have no contacts. */
#define DRY_JOINT_COLLIDE 1u

/** dry_joint_state.axis_flags: the lower bound of the axis, or the least length of a strut, carries a force. */
#define DRY_JOINT_AT_LOWER 2u

/** dry_joint_state.axis_flags: the upper bound of the axis, or the length of a rope, carries a force. */
#define DRY_JOINT_AT_UPPER 4u

/** dry_joint_state.axis_flags: the motor of the axis is at a bound of its force. */
#define DRY_JOINT_SATURATED 8u

/**
 * dry_joint_state.axis_flags: the axis has dry friction, which was below its bound in the last substep. Where no turn
 * is locked, axes 3, 4, 5 have this flag together.
 */
#define DRY_JOINT_STICKING 16u

/**
 * dry_joint_state.flags: a load above a bound of its definition broke the joint. It carries nothing until
 * dry_joint_set_enabled switches it on again. dry_query_joint_events lists the joints that broke in the last step.
 */
#define DRY_JOINT_BROKEN 32u

/** dry_joint_state.flags: dry_joint_set_enabled switched the joint off. */
#define DRY_JOINT_DISABLED 64u

/**
 * dry_joint_state.flags: rows of its mechanism, of whichever joints, follow from others in the last step, as where
 * three hinges hold a door. The forces are the smallest ones that hold it.
 */
#define DRY_JOINT_REDUNDANT 128u

/**
 * dry_joint_state.flags: its mechanism was too stiff to be aimed in the last step; see
 * dry_step_report.unaimed_mechanisms.
 */
#define DRY_JOINT_UNAIMED 256u

/**
 * The motions that a joint locks. z is the axis of hinge, slider and cylindrical, the normal of planar, the twist
 * axis of ball.
 *
 * A joint has six axes. 0, 1, 2 are the displacements of the origin of frame B along x, y, z of frame A [m]. 3, 4,
 * 5 are the turns of frame B about x, y, z as seen from frame A [rad]. A kind leaves some of them free; these have
 * a dry_joint_axis. Where one turn is free, its full turns are counted, as long as a step makes less than half a
 * turn.
 */
typedef enum dry_joint_kind {
    /**
     * Locks the displacements. Free: 5, the twist about z, and 3, the angle between the z axes of both frames, 0 or
     * above: an upper bound of axis 3 makes a cone.
     */
    DRY_JOINT_BALL = 0,
    /** Locks all but 5, the turn about z. */
    DRY_JOINT_HINGE = 1,
    /** Locks all but 2, the displacement along z. */
    DRY_JOINT_SLIDER = 2,
    /** Locks all axes. */
    DRY_JOINT_FIXED = 3,
    /** Holds the distance of the origins of the frames between length_min and length_max. Free: 0, the distance. */
    DRY_JOINT_DISTANCE = 4,
    /**
     * Locks the displacements, and holds x of frame A perpendicular to y of frame B. Free: 3, the turn about x of
     * frame A, and 4, that about y of frame B.
     */
    DRY_JOINT_UNIVERSAL = 5,
    /** Locks all but 2, the displacement along z, and 5, the turn about z. */
    DRY_JOINT_CYLINDRICAL = 6,
    /** Locks 2, the displacement along z, and the turns about x and y. Free: 0, 1 and 5. */
    DRY_JOINT_PLANAR = 7,
    /**
     * Locks the axes whose mode is DRY_JOINT_MODE_LOCKED: at first all six. Where no turn is locked, the turns are
     * those of a ball.
     */
    DRY_JOINT_GENERAL = 8,
} dry_joint_kind;

/** Whether an axis of a joint may move. */
typedef enum dry_joint_mode {
    /** Without bounds. */
    DRY_JOINT_MODE_FREE = 0,
    /** Not at all, without motor and spring. Only axes of DRY_JOINT_GENERAL can be locked by their mode. */
    DRY_JOINT_MODE_LOCKED = 1,
    /** From lower to upper. */
    DRY_JOINT_MODE_LIMITED = 2,
} dry_joint_mode;

/** What the motor of an axis does, with a force from force_lower to force_upper. */
typedef enum dry_joint_motor {
    /** Nothing. */
    DRY_JOINT_MOTOR_OFF = 0,
    /**
     * It brings the axis to target_velocity within a step, as far as its force allows. target_position has no effect.
     */
    DRY_JOINT_MOTOR_VELOCITY = 1,
    /**
     * It pulls the axis to target_position as a spring of motor_stiffness and a damper of motor_damping, which acts on
     * the velocity relative to target_velocity.
     */
    DRY_JOINT_MOTOR_POSITION = 2,
} dry_joint_motor;

/** The kind of an event of a joint. More may be added. */
typedef enum dry_joint_event_type {
    /** A load above a bound of its definition broke it. dry_joint_get_state still has the forces of that step. */
    DRY_JOINT_EVENT_BROKEN = 0,
    /**
     * An axis came to a bound at which it was not before: its position reached the bound, or the bound began to carry a
     * force. The two lengths of a rope or strut are bounds of axis 0. Two equal bounds hold an axis and have no events.
     */
    DRY_JOINT_EVENT_LIMIT = 1,
} dry_joint_event_type;

/**
 * A joint before it exists. Filled in by dry_joint_def_init; grows at its end. dry_joint_def_place finds its
 * frames.
 *
 * A joint holds frame A, fixed in body_a, to frame B, fixed in body_b. One of the two must be dynamic; the other
 * one may be the world. They must differ. The axes of a new joint have the defaults of dry_joint_axis, those of
 * DRY_JOINT_GENERAL are locked; dry_joint_set_axis sets them.
 */
typedef struct dry_joint_def {
    /** Bytes of this structure; the same in every element of an array, where it is the stride. */
    size_t struct_size;
    /** As given to dry_joint_def_init. */
    dry_joint_kind kind;
    /** DRY_JOINT_ bits: DRY_JOINT_COLLIDE or 0. Default 0: the two bodies do not collide with each other. */
    uint32_t flags;
    /** Body A. Default 0: the world, whose frame is in world axes. */
    dry_body body_a;
    /** Body B. Default 0: the world. The forces of a joint are those on body B. */
    dry_body body_b;
    /**
     * The origin of frame A, from the origin of the shape of A, body axes. Where body_a is 0: from the world's
     * origin, world axes. Each coordinate is up to 1e50 [m]. Default 0.
     */
    double point_a[3];
    /**
     * Quaternion (x, y, z, w) from the axes of frame A to those of body A, its length 1 within 1e-6 [-]. Default
     * (0, 0, 0, 1). Locked directions of both frames must be at most 90 degrees apart.
     */
    double rotation_a[4];
    /** The origin of frame B, as point_a [m]. Default 0. */
    double point_b[3];
    /** Of frame B, as rotation_a [-]. Default (0, 0, 0, 1). */
    double rotation_b[4];
    /**
     * Of DRY_JOINT_DISTANCE: the least distance, 0 or above [m]. Default 0. A rod has two equal lengths, a rope 0
     * and its length, a strut its length and INFINITY.
     */
    double length_min;
    /** Of DRY_JOINT_DISTANCE: the largest distance, above 0 and not below length_min [m]. Default INFINITY. */
    double length_max;
    /** Compliance of the locked displacements, and of a distance, 0 or above [m/N]. Default 0: rigid. */
    double linear_compliance;
    /** Compliance of the locked turns, 0 or above [rad/(N m)]. Default 0: rigid. */
    double angular_compliance;
    /** Time in which an error of a compliant axis decays, 0 or above [s]. Default 0: two steps. */
    double relaxation;
    /** The joint breaks where its force, the mean of a step, is above this; 0 or above [N]. Default 0: never. */
    double break_force;
    /**
     * The joint breaks where its torque about the origin of frame B, the mean of a step, is above this; 0 or above
     * [N m]. Default 0: never.
     */
    double break_torque;
    /**
     * The joint breaks where its impulse in one substep is above this; 0 or above [N s]. Default 0: never. What
     * breaks keeps its forces of that step, and carries nothing from the next step on.
     */
    double break_impulse;
    /** The caller's own; see dry_joint_get_def. Default 0. */
    uint64_t user_data;
} dry_joint_def;

/**
 * A free axis of a joint: bounds, motor, spring, dry friction, rotor. Filled in by dry_joint_axis_init; grows at its
 * end.
 *
 * Where two units stand, the first one is that of displacements (axes 0 to 2), the second one that of turns (axes 3
 * to 5). Forces are those on body B; they are positive where they let the position grow. A spring and a motor of
 * DRY_JOINT_MOTOR_POSITION act together.
 *
 * Where no turn is locked, as in a ball, the friction of axis 5 is that of all turns together. Its bound limits the
 * length of the torque, whatever its direction, and the load is the whole force of the joint. Axes 3 and 4 have no
 * friction then.
 */
typedef struct dry_joint_axis {
    /** Bytes of this structure. */
    size_t struct_size;
    /** Default DRY_JOINT_MODE_FREE. */
    dry_joint_mode mode;
    /** Default DRY_JOINT_MOTOR_OFF. */
    dry_joint_motor motor;
    /**
     * Least position of DRY_JOINT_MODE_LIMITED, below INFINITY [m] or [rad]. Default -INFINITY. Two equal bounds hold
     * the axis. Of the cone of a ball: 0 or less.
     */
    double lower;
    /**
     * Largest position of DRY_JOINT_MODE_LIMITED, not below lower [m] or [rad]. Default INFINITY. Of the cone of a
     * ball: above 0.
     */
    double upper;
    /** Speed after an impact on a bound over that before, 0 to 1 [-]. Default 0. */
    double limit_restitution;
    /**
     * Natural frequency of the spring without damping, with the mass of both bodies along the axis, 0 or above [Hz].
     * Default 0: stiffness and damping define the spring.
     */
    double frequency;
    /** Of a spring with a frequency: its damping as a part of the critical one, 0 or above [-]. Default 0. */
    double ratio;
    /** Of the spring where frequency is 0; 0 or above [N/m] or [N m/rad]. Default 0. */
    double stiffness;
    /** Of the spring where frequency is 0, or of a damper alone; 0 or above [N s/m] or [N m s/rad]. Default 0. */
    double damping;
    /** The position at which the spring has no force [m] or [rad]. Default 0. */
    double rest;
    /**
     * Of DRY_JOINT_MOTOR_POSITION [m] or [rad]. Default 0. It stays until it is set again; target_velocity does not
     * change it.
     */
    double target_position;
    /**
     * Of DRY_JOINT_MOTOR_VELOCITY: the velocity of the axis. Of DRY_JOINT_MOTOR_POSITION: that of the target [m/s] or
     * [rad/s]. Default 0.
     */
    double target_velocity;
    /** Of DRY_JOINT_MOTOR_POSITION, above 0 there [N/m] or [N m/rad]. Default 0. */
    double motor_stiffness;
    /** Of DRY_JOINT_MOTOR_POSITION, 0 or above [N s/m] or [N m s/rad]. Default 0. */
    double motor_damping;
    /** Least force of the motor on body B, below INFINITY [N] or [N m]. Default -INFINITY. */
    double force_lower;
    /** Largest force of the motor on body B, not below force_lower [N] or [N m]. Default INFINITY. */
    double force_upper;
    /** Dry friction without load, 0 or above [N] or [N m]. Default 0. */
    double friction;
    /**
     * Friction over the load, 0 or above [-]. Default 0. The load is the force of the joint across this axis of frame A
     * in the substep before. It adds load times this to the bound of the friction; on turns times friction_radius.
     */
    double friction_coefficient;
    /**
     * Of turns: the distance from the axis at which the load rubs, 0 or above [m]. Default 0. Displacements have none.
     */
    double friction_radius;
    /** Mass or inertia of a rotor that moves with the axis and with no body, 0 or above [kg] or [kg m^2]. Default 0. */
    double armature;
} dry_joint_axis;

/** An event of a joint in the last step. Frozen: it never changes. */
typedef struct dry_joint_event {
    /** The joint. */
    dry_joint joint;
    /** The kind of the event. */
    dry_joint_event_type type;
    /** Of DRY_JOINT_EVENT_LIMIT: the index of the axis, 0 to 5. Else 0. */
    uint32_t axis;
} dry_joint_event;

/**
 * The position of a joint, and the forces that it carried in the last step. Grows at its end:
 * sizeof(dry_joint_state) goes to dry_joint_get_state and dry_joints_get_states as a parameter.
 *
 * Forces are those on body B, averaged over the step; body A receives the opposite force. Positions and velocities
 * are the present ones, and 0 for axes that the joint locks. A removed joint has no forces any more.
 */
typedef struct dry_joint_state {
    /** Along each axis [m] or [rad]. */
    double position[6];
    /** Along each axis, of body B relative to body A [m/s] or [rad/s]. */
    double velocity[6];
    /** Of the whole joint, its motors, bounds, springs and friction included, on body B, world axes [N]. */
    double force[3];
    /** Of the whole joint on body B, about the origin of frame B at the start of the step, world axes [N m]. */
    double torque[3];
    /** Of the motor and the rotor of each axis [N] or [N m]. */
    double motor_force[6];
    /** Of the bounds of each axis [N] or [N m]. */
    double limit_force[6];
    /** Of the spring of each axis [N] or [N m]. */
    double spring_force[6];
    /**
     * Of the dry friction of each axis [N] or [N m]. Where no turn is locked, elements 3, 4, 5 are the parts of its
     * torque along x, y, z of frame A.
     */
    double friction_force[6];
    /** Largest error of the locked displacements, or of the bounds of a distance [m]. */
    double linear_error;
    /** Largest error of the locked turns [rad]. */
    double angular_error;
    /** DRY_JOINT_ bits: DRY_JOINT_AT_LOWER, AT_UPPER, SATURATED, STICKING of each axis. */
    uint32_t axis_flags[6];
    /** DRY_JOINT_ bits: DRY_JOINT_BROKEN, DISABLED, REDUNDANT, UNAIMED. */
    uint32_t flags;
    /** Always 0. */
    uint32_t reserved;
} dry_joint_state;

/**
 * Fills in a default joint of a kind: rigid and unbreakable, without bodies. At least one body must be set.
 *
 * def: the structure of the caller.
 * size: sizeof(dry_joint_def) as the caller was compiled.
 * kind: what the joint locks.
 */
dry_status dry_joint_def_init(dry_joint_def *def, size_t size, dry_joint_kind kind);

/**
 * Sets the frames of a definition so that they coincide now: both have their origin at point, and z along axis. The
 * bodies of the definition must be set.
 *
 * def: its points and rotations are written; the rest is read.
 * point: world axes [m].
 * axis: world axes, of any length but 0.
 *
 * reference_or_null: world axes, not along axis. The x axis of both frames is its part perpendicular to axis. NULL:
 * x is some direction perpendicular to axis.
 */
dry_status dry_joint_def_place(const dry_world *world,
                               dry_joint_def *def,
                               const double point[3],
                               const double axis[3],
                               const double reference_or_null[3]);

/**
 * Sets the points of a definition of a distance joint to two points of the world, and both its lengths to their
 * distance: the definition of a rod. The bodies of the definition must be set.
 *
 * def: of DRY_JOINT_DISTANCE; its points and lengths are written, the rest is read.
 * point_a: fixed in body_a, world axes [m].
 * point_b: fixed in body_b, world axes, not at point_a [m].
 */
dry_status dry_joint_def_place_points(const dry_world *world,
                                      dry_joint_def *def,
                                      const double point_a[3],
                                      const double point_b[3]);

/**
 * Fills in a default axis: free, without motor, spring and friction.
 *
 * axis: the structure of the caller.
 * size: sizeof(dry_joint_axis) as the caller was compiled.
 */
dry_status dry_joint_axis_init(dry_joint_axis *axis, size_t size);

/**
 * Adds a joint to a world, with default axes, and wakes its bodies. Where its frames do not coincide yet, the steps
 * bring them together, at most at push_out_velocity.
 *
 * def: read during the call.
 * joint: receives its handle.
 *
 * DRY_ERR_ARGUMENT: neither body is dynamic, both are the same, or locked directions of the frames are more than 90
 * degrees apart.
 */
dry_status dry_joint_add(dry_world *world,
                         const dry_joint_def *def,
                         dry_joint *joint);

/**
 * Adds many joints to a world, all or none.
 *
 * defs: count structures; each carries the first one's struct_size, which is the distance in bytes from one to the
 * next. Read during the call. An error names the element: "defs[3]: ...".
 * count: 0 is nothing to do; defs and joints may then be NULL.
 * joints: receives count handles, in the order of defs.
 */
dry_status dry_joints_add(dry_world *world,
                          const dry_joint_def *defs,
                          size_t count,
                          dry_joint *joints);

/**
 * Removes a joint, with its forces of the last step, and wakes its bodies.
 *
 * joint: its handle, stale from then on.
 */
dry_status dry_joint_remove(dry_world *world, dry_joint joint);

/**
 * Moves the frames of a joint, and wakes its bodies. The steps bring them together as those of a new joint.
 *
 * def: its points and rotations are read, the rest is not, but must be valid; dry_joint_get_def and
 * dry_joint_def_place make one.
 */
dry_status dry_joint_set_frames(dry_world *world, dry_joint joint, const dry_joint_def *def);

/**
 * Switches a joint off or on, and wakes its bodies. A joint that is off carries nothing; its bodies still do not
 * collide with each other. A broken joint that is switched on acts again.
 *
 * enabled: 0 or 1.
 */
dry_status dry_joint_set_enabled(dry_world *world,
                                 dry_joint joint,
                                 uint32_t enabled);

/**
 * Sets an axis of a joint, and wakes its bodies.
 *
 * index: of an axis that the kind of the joint leaves free, 0 to 5; see dry_joint_kind.
 * axis: all of it; read during the call. Members that a caller's older, shorter structure lacks do not change.
 *
 * The call checks the axis with the other ones as they are: where no turn of a DRY_JOINT_GENERAL is locked, axis 4
 * must be as dry_joint_axis_init has it.
 */
dry_status dry_joint_set_axis(dry_world *world,
                              dry_joint joint,
                              uint32_t index,
                              const dry_joint_axis *axis);

/**
 * Sets the target of the motor of an axis. Wakes the bodies of the joint if it changes something.
 *
 * index: as of dry_joint_set_axis.
 * position: dry_joint_axis.target_position [m] or [rad].
 * velocity: dry_joint_axis.target_velocity [m/s] or [rad/s].
 */
dry_status dry_joint_set_target(dry_world *world,
                                dry_joint joint,
                                uint32_t index,
                                double position,
                                double velocity);

/**
 * Sets the targets of many motors, all or none. A joint may occur several times, with the same or other axes.
 *
 * joints: count handles.
 * indices: count indices of their axes, as of dry_joint_set_axis.
 * count: with 0 the call does nothing, and the arrays may be NULL.
 *
 * positions_or_null: count values of dry_joint_axis.target_position [m] or [rad]. NULL leaves them unchanged.
 *
 * velocities_or_null: count values of dry_joint_axis.target_velocity [m/s] or [rad/s]. NULL leaves them unchanged.
 */
dry_status dry_joints_set_targets(dry_world *world,
                                  const dry_joint *joints,
                                  const uint32_t *indices,
                                  size_t count,
                                  const double *positions_or_null,
                                  const double *velocities_or_null);

/**
 * Lists the events of joints in the last step. Each event is listed once, even if the step had several substeps.
 * Events are sorted by the index of the joint, the lower 32 bits of its handle. For one joint a break comes first,
 * then the others by axis. A joint that is added or changed at a bound counts as being there. Before the first step
 * there are no events; those of removed joints are omitted.
 *
 * events: receives them if there is room for all; with NULL and capacity 0 the call returns the number alone.
 * capacity: events that there is room for. Too few: DRY_ERR_CAPACITY, and only count is written.
 * count: receives the number of events.
 */
dry_status dry_query_joint_events(const dry_world *world,
                                  dry_joint_event *events,
                                  size_t capacity,
                                  size_t *count);

/**
 * Lists the joints of a world in the order of their creation.
 *
 * joints: receives the handles if there is room for all; with NULL and capacity 0 the call returns the number
 * alone.
 * capacity: handles that joints has room for. Too few: DRY_ERR_CAPACITY, and only count is written.
 * count: receives the number of joints.
 */
dry_status dry_query_joints(const dry_world *world, dry_joint *joints, size_t capacity, size_t *count);

/**
 * Lists the joints of a body in the order of their creation.
 *
 * joints: receives the handles if there is room for all; with NULL and capacity 0 the call returns the number
 * alone.
 * capacity: handles that joints has room for. Too few: DRY_ERR_CAPACITY, and only count is written.
 * count: receives the number of joints of the body.
 */
dry_status dry_query_body_joints(const dry_world *world,
                                 dry_body body,
                                 dry_joint *joints,
                                 size_t capacity,
                                 size_t *count);

/**
 * Reads what a joint was added with: its bodies and user_data too, and the frames that were set last.
 *
 * def: receives it, with struct_size set to size.
 * size: sizeof(dry_joint_def) as the caller was compiled.
 */
dry_status dry_joint_get_def(const dry_world *world, dry_joint joint, dry_joint_def *def, size_t size);

/**
 * Reads an axis of a joint, with the targets that were set last.
 *
 * index: of an axis that the kind of the joint leaves free, 0 to 5. See dry_joint_kind.
 *
 * axis: receives it, with struct_size set to size.
 * size: sizeof(dry_joint_axis) as the caller was compiled.
 */
dry_status dry_joint_get_axis(const dry_world *world,
                              dry_joint joint,
                              uint32_t index,
                              dry_joint_axis *axis,
                              size_t size);

/**
 * Reads the position of a joint, and the forces that it carried in the last step.
 *
 * state: receives it.
 * size: sizeof(dry_joint_state) as the caller was compiled.
 */
dry_status dry_joint_get_state(const dry_world *world,
                               dry_joint joint,
                               dry_joint_state *state,
                               size_t size);

/**
 * Reads the positions of many joints, and the forces that they carried in the last step.
 *
 * joints_or_null: count handles, in any order. NULL stands for all joints, in the order of creation.
 * count: with NULL it must be the number of joints. With 0 the call does nothing, and states may be NULL.
 *
 * states: receives count states.
 * size: sizeof(dry_joint_state) as the caller was compiled, the distance in bytes from one to the next.
 */
dry_status dry_joints_get_states(const dry_world *world,
                                 const dry_joint *joints_or_null,
                                 size_t count,
                                 dry_joint_state *states,
                                 size_t size);

/**
 * Adds up the joint forces on a body in the last step, world axes; dry_query_body_force has those of contacts.
 *
 * force: receives the force, averaged over the step [N].
 * torque: receives the torque about the body's centre of mass at the start of the step [N m].
 */
dry_status dry_query_body_joint_force(const dry_world *world,
                                      dry_body body,
                                      double force[3],
                                      double torque[3]);

/* Queries: about the last completed step --------------------------------------------------------------------- */

/** dry_contact.state: the contact carries impulse. */
#define DRY_CONTACT_ACTIVE 1u

/** dry_contact.state: it slides, its friction on the cone. An active contact that does not slide sticks. */
#define DRY_CONTACT_SLIDING 2u

/**
 * dry_contact.state: it rolls and does not slide, its rolling or twisting resistance at its bound. Only where the
 * materials resist rolling or twisting.
 */
#define DRY_CONTACT_ROLLING 4u

/** dry_contact.state: the step before did not have it. */
#define DRY_CONTACT_NEW 8u

/** A shape at a pose. Frozen: it never changes. */
typedef struct dry_shape_pose {
    /** The shape; any kind, whether bodies have it or not. */
    dry_shape shape;
    /** Of the shape's origin, world axes [m]. */
    double position[3];
    /** Unit quaternion (x, y, z, w). */
    double rotation[4];
} dry_shape_pose;

/** A body that a shape at a pose would overlap. Frozen: it never changes. */
typedef struct dry_overlap {
    /** The index of the pose, from 0. */
    uint64_t pose;
    /** The body. */
    dry_body body;
    /** The least gap between the two; below 0: overlap [m]. */
    double gap;
} dry_overlap;

/**
 * A contact of the last step. Grows at its end: sizeof(dry_contact) goes to dry_query_contacts with the array.
 *
 * The normal points from body_a to body_b. Forces and torques are those on body_b, averaged over the step, world axes;
 * body_a receives the opposite.
 */
typedef struct dry_contact {
    /** The first body. */
    dry_body body_a;
    /** The second body. */
    dry_body body_b;
    /** The same contact keeps its key from step to step. */
    uint64_t key;
    /** At the start of the step, world axes [m]. */
    double point[3];
    /** At the start of the step, from body_a to body_b, unit [-]. */
    double normal[3];
    /** At the start of the step; below 0: overlap [m]. */
    double gap;
    /** Along the normal, 0 or above [N]. */
    double normal_force;
    /** Across the normal [N]. */
    double friction_force[3];
    /**
     * Rolling resistance across the normal and twisting resistance along it, without the moments of the forces
     * above; 0 between two flat places [N m].
     */
    double rolling_torque[3];
    /** After the compatibility correction; equal to normal_force while that is off [N]. */
    double compatible_normal_force;
    /** After the compatibility correction; equal to friction_force while that is off [N]. */
    double compatible_friction_force[3];
    /**
     * Of body_b with respect to body_a at the contact, at the end of the step [m/s]. If bodies turn or their
     * surfaces move, the tangential part is relative to the velocity that keeps the points of the surfaces together
     * over the step. It is 0 where the contact sticks. In a strained box it is the velocity of the image that touches.
     */
    double relative_velocity[3];
    /** The pair's coefficient [-]. */
    double friction;
    /** Of the compatibility correction, relative to other contacts. */
    double stiffness;
    /** DRY_CONTACT_ bits. */
    uint32_t state;
    /** Always 0. */
    uint32_t reserved;
    /**
     * The part of normal_force and friction_force that the impact stages of the step gave, world axes [N]. It is their
     * impulse over the length of the step. 0 where nothing was struck: only DRY_METHOD_SPOOK has impact stages. The
     * force after the impacts is normal_force * normal + friction_force - impact_force.
     */
    double impact_force[3];
} dry_contact;

/**
 * Lists the bodies that shapes at poses would overlap. A source of grains can call it before it adds one. It uses
 * the present positions, also of bodies that were added or moved since the last step. Nothing changes.
 *
 * A body is listed for a pose if its gap to the shape there is below margin. With a margin of 0 bodies that touch
 * are not listed. All bodies count, whatever their kinds, filters and joints, and whether they sleep. Gaps are those
 * of contacts; in a periodic world they are those of the nearest image. As in a step, half-spaces and meshes do not
 * overlap each other. A mesh is its surface: a shape inside that does not touch the surface does not overlap it.
 *
 * Many poses in one call cost much less than as many calls. The poses do not overlap each other.
 *
 * poses: the shapes and where they would be.
 * pose_count: their number. With 0, poses may be NULL.
 * margin: 0 or above [m]. In a periodic world twice the radius of a shape and the margin fit into half of each
 * period.
 *
 * overlaps: receives them by pose, those of one pose in the order of the bodies' creation, if there is room for all.
 * With NULL and capacity 0 the call returns the number alone.
 * capacity: overlaps that there is room for. Too few: DRY_ERR_CAPACITY, and only count is written.
 * count: receives the number of overlaps.
 *
 * DRY_ERR_ARGUMENT, DRY_ERR_NOT_FINITE, DRY_ERR_STALE_HANDLE: the message names the member, as in "poses[3]: rotation".
 * DRY_ERR_UNSUPPORTED: a NURBS curve whose z axis is not that of the world.
 */
dry_status dry_query_overlaps(const dry_world *world,
                              const dry_shape_pose *poses,
                              size_t pose_count,
                              double margin,
                              dry_overlap *overlaps,
                              size_t capacity,
                              size_t *count);

/**
 * Lists the contacts of the last step, those that carry nothing included. Before the first step there are none.
 *
 * contacts: receives them if there is room for all. With NULL and capacity 0 the call returns the number alone.
 *
 * contact_size: sizeof(dry_contact) as the caller was compiled, the distance in bytes from one to the next.
 * capacity: contacts that there is room for. Too few: DRY_ERR_CAPACITY, and only count is written.
 * count: receives the number of contacts.
 */
dry_status dry_query_contacts(const dry_world *world,
                              dry_contact *contacts,
                              size_t contact_size,
                              size_t capacity,
                              size_t *count);

/**
 * Adds up the contact forces on a body in the last step, world axes. Their sum over all bodies is zero. The forces of
 * joints are those of dry_query_body_joint_force.
 *
 * force: receives the force, averaged over the step [N].
 *
 * torque: receives the torque about the body's centre of mass at the start of the step [N m]. It includes rolling
 * and twisting resistance.
 */
dry_status dry_query_body_force(const dry_world *world,
                                dry_body body,
                                double force[3],
                                double torque[3]);

/**
 * Reads the energy of a world as it is now.
 *
 * kinetic: receives that of all moving bodies [J]; infinite for speeds whose square is beyond the largest number.
 * potential: receives that of their weight, relative to the world's origin [J].
 *
 * DRY_ERR_NOT_FINITE: the potential energy is beyond the largest number, or no number.
 */
dry_status dry_query_energy(const dry_world *world,
                            double *kinetic,
                            double *potential);

/**
 * Averages the stress that contacts carry in a box. It is -1/V times the sum of l (x) f over the contacts of the
 * last step whose points lie in the box. V is the volume of the box. Tension is positive: compression gives a
 * negative normal stress. The stress is zero where there is no contact, and before the first step. Contacts of
 * removed bodies are omitted.
 *
 * f is the force on body b in world axes, averaged over the step: compatible normal force and compatible friction.
 * While the correction is off, both are those of the solver. Rolling and twisting torques are not part of it.
 *
 * The vector l is the branch vector from the centre of mass of a to that of b, at the start of the step. The centre
 * of a wall has no meaning for the grains next to it. On the side of a static or kinematic body the branch therefore
 * ends at the contact point. For a packing at rest whose bodies have no weight, the mean is thus 1/V times the sum
 * of x (x) t. Here t are the forces that walls exert on it at the points x. A dynamic body counts from its centre of
 * mass, also with locked components.
 *
 * A point on a lower face of the box is in it, one on an upper face is not: boxes side by side count each contact
 * once.
 *
 * In a periodic world (dry_world_def.period) every image of a contact that lies in the box counts: a box of one
 * period has each contact once.
 *
 * lower, upper: corners of the box, world axes, lower < upper in every component [m]. The call is DRY_ERR_ARGUMENT
 * if they are not, or if the volume overflows or underflows. It is DRY_ERR_NOT_FINITE if a corner is not finite, or
 * if the stress is too large for a double.
 *
 * stress: receives the tensor, row major: stress[3 * i + j] is -1/V times the sum of l_i f_j [Pa].
 */
dry_status dry_query_stress(const dry_world *world,
                            const double lower[3],
                            const double upper[3],
                            double stress[9]);

/* Fields: a world as a continuum ----------------------------------------------------------------------------- */

/**
 * How a body or a force is spread over the space around it. w is the width of the kernel, r the distance.
 *
 * Both are not negative, and their integral over space is 1.
 */
typedef enum dry_kernel {
    /** In proportion to exp(-r^2 / (2 w^2)), and 0 beyond R = 3 w. */
    DRY_KERNEL_GAUSSIAN = 0,
    /**
     * 105 / (16 pi R^3) (1 + 3 r/R) (1 - r/R)^3 with R = 2 w, and 0 beyond. Smooth at R, so that fields can be
     * differentiated.
     */
    DRY_KERNEL_LUCY = 1,
} dry_kernel;

/**
 * The coarse-grained fields at a point. Grows at its end: sizeof(dry_field) goes to dry_query_fields with the array.
 *
 * Matrices are row major: stress[3 * i + j]. Tension is positive.
 */
typedef struct dry_field {
    /** Of mass: the sum of m phi [kg/m^3]. */
    double density;
    /** The sum of m v phi [kg/(m^2 s)]. */
    double momentum[3];
    /** momentum over density; 0 where that is 0 [m/s]. */
    double velocity[3];
    /**
     * The part of the volume that is solid: the sum of V phi over the volumes V of bodies, overlaps counted twice [-].
     */
    double packing_fraction;
    /** The sum of m |v - velocity|^2 phi over 3 density; 0 where that is 0 [m^2/s^2]. */
    double granular_temperature;
    /** Minus the sum of m (v - velocity) (x) (v - velocity) phi [Pa]. */
    double kinetic_stress[9];
    /** Minus the sum of l (x) f times the mean of phi along the branch of each contact [Pa]. */
    double contact_stress[9];
} dry_field;

/**
 * Averages a world about points: its fields of mass, momentum and stress as a continuum has them.
 *
 * phi is the kernel at the distance of a body's centre of mass from the point. Bodies are those that are dynamic,
 * with their present positions and velocities. v is the velocity of the centre of mass, so spin is not part of any
 * field. Contacts, forces f and branches l are those of dry_query_stress: compatible forces of the last step. A
 * branch leads from the centre of mass of a to that of b, and on the side of a static or kinematic body to the
 * contact point. Joints are not part of the stress.
 *
 * The fields obey the balances of mass and momentum of a continuum. At rest the divergence of the stress and the
 * weight density * g cancel at every point that is further than R from walls. The integral of density over space is
 * the mass of all dynamic bodies. That of contact_stress is V times dry_query_stress of a box V around all bodies.
 * Fields at a point do not depend on the other points, on their order or on threads. The time of the call is in
 * proportion to the number of points and to what is within R of them.
 *
 * In a periodic box everything is seen with its images: fields repeat themselves with the period, and the integral over
 * one period is that of the box. R is at most four times the shortest period; else DRY_ERR_ARGUMENT.
 *
 * points_xyz: 3 * count coordinates, world axes [m].
 * count: number of points, 0 to 4294967295.
 * kernel: a dry_kernel.
 * width: w, from 1e-50 to 1e50 [m]. With 0 it is the mean diameter of the dynamic spheres; DRY_ERR_ARGUMENT if there
 * is none.
 *
 * fields: receives one for each point.
 * size: sizeof(dry_field) as the caller was compiled, the distance in bytes from one to the next.
 *
 * DRY_ERR_NOT_FINITE: a coordinate or the width is not finite, or a field is beyond the largest number.
 */
dry_status dry_query_fields(const dry_world *world,
                            const double *points_xyz,
                            size_t count,
                            dry_kernel kernel,
                            double width,
                            dry_field *fields,
                            size_t size);

/* Files for VTK and ParaView --------------------------------------------------------------------------------- */

/** dry_vtk_def.parts: spheres as points. */
#define DRY_VTK_GRAINS 1u

/** dry_vtk_def.parts: contacts as lines. */
#define DRY_VTK_CONTACTS 2u

/** dry_vtk_def.parts: bodies of all other shapes as polygons. */
#define DRY_VTK_SURFACES 4u

/** dry_vtk_def.parts: fields on a grid of points, which must be set. */
#define DRY_VTK_FIELDS 8u

/** The parts that dry_world_export_vtk writes. Filled in by dry_vtk_def_init; grows at its end. */
typedef struct dry_vtk_def {
    /** Bytes of this structure. */
    size_t struct_size;
    /** DRY_VTK_ bits. Default DRY_VTK_GRAINS | DRY_VTK_CONTACTS | DRY_VTK_SURFACES. */
    uint32_t parts;
    /** Of a circle, 3 to 1024. Default 24. */
    uint32_t sides;
    /** The edge of the square that stands for a half-space [m]. Default 0: one that reaches beyond all other bodies. */
    double half_space_size;
    /** The first point of the grid of fields, world axes [m]. Default 0. */
    double grid_origin[3];
    /** From point to point along each axis, above 0 [m]. No default: it must be set for DRY_VTK_FIELDS. */
    double grid_spacing[3];
    /**
     * Points along each axis, 1 to 2147483647, and at most 4294967295 in all. No default: it must be set for
     * DRY_VTK_FIELDS.
     */
    uint32_t grid_count[3];
    /** Of the fields, see dry_query_fields. Default DRY_KERNEL_LUCY. */
    dry_kernel kernel;
    /** The width of the kernel [m]. Default 0: the mean diameter of the dynamic spheres. */
    double width;
} dry_vtk_def;

/**
 * Fills in the default files of a step.
 *
 * def: the structure of the caller.
 * size: sizeof(dry_vtk_def) as the caller was compiled.
 */
dry_status dry_vtk_def_init(dry_vtk_def *def, size_t size);

/**
 * Writes a world to files for VTK and ParaView: the bodies as they are now, and the contacts of the last step.
 *
 * The files are PREFIX_grains_STEP.vtp, PREFIX_contacts_STEP.vtp, PREFIX_surfaces_STEP.vtp and
 * PREFIX_fields_STEP.vti, STEP with 6 digits or more. PREFIX_grains.pvd and so on list the files of all steps with
 * their times: ParaView opens these. Before a step is added, a series drops the files of this step and later ones. A
 * run that is repeated from some step on thus replaces the old files. Numbers are raw doubles, with all bits.
 *
 * Arrays of grains, by sphere: body (its handle), kind (dry_body_kind), user_data, radius, mass, velocity, spin,
 * force and stress. The force is that of contacts, see dry_query_body_force. The stress is 1/V times the sum of r
 * (x) f of the compatible contact forces, r from the centre of the sphere and V its volume. Tension is positive;
 * walls have 0.
 *
 * Arrays of contacts, by contact: the members of dry_contact, which are key, body_a, body_b, state, gap,
 * normal_force, friction_force and so on. The line leads from centre to centre at the start of the step. On the side
 * of a body that is not dynamic it leads to the contact point.
 *
 * Arrays of surfaces, by polygon: body, kind, user_data, velocity, spin, force. Arrays of fields, by point: the
 * members of dry_field.
 *
 * prefix: begins the paths, UTF-8: a folder that exists, and the name of the run.
 *
 * step: the number in the names of the files.
 * time: of the step, in the series [s].
 * def_or_null: selects the files; NULL: the default.
 *
 * DRY_ERR_IO: a file cannot be written or read; the message has its path and the reason. DRY_ERR_FORMAT: a .pvd of
 * the series is not one of drystone's. After an error no file is half written, and no file is new unless renaming
 * failed. DRY_ERR_UNSUPPORTED: the library was built without its feature vtk.
 */
dry_status dry_world_export_vtk(const dry_world *world,
                                const char *prefix,
                                uint64_t step,
                                double time,
                                const dry_vtk_def *def_or_null);

/* The state of a world --------------------------------------------------------------------------------------- */

/**
 * Hashes the full dynamic state of a world: two worlds of one build with the same hash have the same future, bit for
 * bit.
 *
 * hash: receives the number.
 */
dry_status dry_world_hash(const dry_world *world,
                          uint64_t *hash);

/**
 * Writes the full dynamic state of a world to a buffer. A world restored from it continues as this one, bit for bit,
 * and gives the same answers to queries. The buffer holds bodies, handles, materials, shapes, joints, settings,
 * contacts with their impulses, and sleep. It does not hold threads and tasks. docs/snapshots.md describes the
 * format.
 *
 * buffer: receives the bytes if there is room for all; with NULL and capacity 0 the call returns the number alone.
 * If memory is exhausted meanwhile, its bytes have no meaning.
 * capacity: bytes that buffer has room for. Too few: DRY_ERR_CAPACITY, and only count is written.
 * count: receives the number of bytes, which is the same until the world changes.
 */
dry_status dry_world_snapshot(const dry_world *world,
                              uint8_t *buffer,
                              size_t capacity,
                              size_t *count);

/**
 * Puts a world into the state that a snapshot holds, settings and gravity included. Threads and tasks stay those of
 * this world, whose earlier handles are void; those of the world that was written are valid here.
 *
 * buffer: the bytes; read during the call.
 * count: their number.
 *
 * A snapshot need not be trusted: everything in it is checked, and its size bounds the memory that the call takes.
 *
 * DRY_ERR_FORMAT: it is not whole, of another format, of a solver, or describes what no world can be. The world is as
 * before.
 */
dry_status dry_world_restore(dry_world *world,
                             const uint8_t *buffer,
                             size_t count);

/**
 * Creates a copy of a world, which continues as the original, bit for bit. Handles of one are valid in the other.
 *
 * world: the world to copy.
 * copy: receives the new world, which the caller ends with dry_world_destroy.
 *
 * Both worlds share threads or tasks. If both step at the same time, one finds them busy and steps on its calling
 * thread alone.
 */
dry_status dry_world_clone(const dry_world *world,
                           dry_world **copy);

/* Bring your own contacts ------------------------------------------------------------------------------------ */

/**
 * A solver that is called without a world. It keeps impulses by key, for warm starting, and its workspace: a call with
 * a problem of the size of the last one allocates nothing.
 *
 * Made by dry_solver_create, ended by dry_solver_destroy. Solvers are independent of each other. Of one solver, one
 * thread may make a call at a time: another one's call is DRY_ERR_BUSY.
 */
typedef struct dry_solver dry_solver;

/**
 * The function that a solver calls between its iterations. The host zeroes it and sets the members that it needs;
 * grows at its end.
 */
typedef struct dry_solver_progress {
    /** Bytes of this structure. */
    size_t struct_size;
    /** Passed to the function; may be NULL. */
    void *user_data;
    /**
     * Not NULL. It runs on the thread that called the solver and must not throw or longjmp. Within it every call on
     * the same solver is DRY_ERR_BUSY, except dry_solver_destroy; other solvers may be used.
     */
    dry_iteration_progress progress;
    /** The number of iterations of a call between two calls of the function; 0 counts as 1. */
    uint64_t every;
} dry_solver_progress;

/** A body of a problem. Frozen: it never changes. All numbers are finite. */
typedef struct dry_problem_body {
    /**
     * 0, or 1e-100 to 1e100; 0: no force moves its centre of mass [1/kg]. With an inverse_inertia of 0 too: immovable,
     * it keeps its velocity.
     */
    double inverse_mass;
    /**
     * World axes, about the centre of mass: xx yy zz xy yz xz [1/(kg m^2)]. It is positive semidefinite to
     * round-off: 1e-9 of the largest entry.
     */
    double inverse_inertia[6];
    /** Of the centre of mass, already holding what external forces add during the step [m/s]. */
    double velocity[3];
    /** World axes, already holding what external torques add during the step [rad/s]. */
    double angular_velocity[3];
} dry_problem_body;

/**
 * A contact of a problem. Frozen: it never changes. All numbers are finite; body_a and body_b are two bodies, of which
 * an impulse moves at least one.
 */
typedef struct dry_problem_contact {
    /** For warm starting; unique within a problem, rows included. 0: never warm started. */
    uint64_t key;
    /** Index of the first body; UINT32_MAX: the fixed world. */
    uint32_t body_a;
    /** Index of the second body; UINT32_MAX: the fixed world. */
    uint32_t body_b;
    /** From body_a to body_b, of length 1 to 1e-9, world axes [-]. */
    double normal[3];
    /** From the centre of mass of body_a to the contact point, world axes; of the fixed world any [m]. */
    double arm_a[3];
    /** From the centre of mass of body_b to the contact point, world axes; of the fixed world any [m]. */
    double arm_b[3];
    /**
     * The normal velocity plus this is not below 0: gap / step, or restitution times the normal velocity before [m/s].
     */
    double normal_bias;
    /** The sliding velocity at which friction is at rest, world axes: a conveyor's, normally 0 [m/s]. */
    double surface_velocity[3];
    /** Normal velocity per normal impulse, 0 or above; 0: rigid [m/s per N s]. */
    double normal_compliance;
    /** Sliding velocity per friction impulse, 0 or above; 0: rigid [m/s per N s]. */
    double tangential_compliance;
    /** Coulomb's coefficient, 0 or above [-]. */
    double friction;
    /** Largest rolling torque over normal force, 0 or above [m]. */
    double rolling;
    /** Largest twisting torque over normal force, 0 or above [m]. */
    double twisting;
    /** Of the compatibility correction, relative to other contacts and to 1 / compliance of rows, 0 or above; 0: 1. */
    double stiffness;
} dry_problem_contact;

/**
 * One scalar row of a problem, as legacy solvers use them. Frozen: it never changes.
 *
 * jacobian_a . velocity_a + jacobian_b . velocity_b + compliance * impulse = rhs at the solution, as far as the bounds
 * of the impulse allow: at lower the left side may be larger, at upper smaller. The impulse acts on each body by its
 * Jacobian: force on its centre of mass, torque about it. All numbers are finite but the bounds; an impulse changes
 * the velocity of the row.
 */
typedef struct dry_problem_row {
    /** For warm starting; unique within a problem, contacts included. 0: never warm started. */
    uint64_t key;
    /** Index of the first body; UINT32_MAX: the fixed world. */
    uint32_t body_a;
    /** Index of the second body; UINT32_MAX: the fixed world. */
    uint32_t body_b;
    /** Of the first body: linear, angular. */
    double jacobian_a[6];
    /** Of the second body: linear, angular. */
    double jacobian_b[6];
    /** Right hand side, a velocity of the row [m/s, of a row of spins alone rad/s]. */
    double rhs;
    /** Velocity per impulse, 0 or above [m/s per N s]. */
    double compliance;
    /**
     * Least impulse, at most upper; -INFINITY: none [N s]. With friction_row >= 0 times the magnitude of that row's
     * impulse.
     */
    double lower;
    /** Largest impulse; INFINITY: none [N s]. With friction_row >= 0 times the magnitude of that row's impulse. */
    double upper;
    /** Index of the row whose impulse multiplies the bounds, another one with plain bounds; -1: plain bounds. */
    int32_t friction_row;
    /** Must be 0. */
    uint32_t reserved;
} dry_problem_row;

/**
 * Bodies, contacts and rows to be solved together, in this order of visits where the settings ask for the natural one:
 * rows, then contacts. Up to six rows of the same two bodies that follow each other are solved together, those without
 * bounds exactly: rows of one joint belong side by side. The caller owns the arrays. It zeroes this structure and sets
 * struct_size; later additions are parallel arrays at its end.
 */
typedef struct dry_problem {
    /** Bytes of this structure. */
    size_t struct_size;
    /** Duration of the step, 1e-100 to 1e100 [s]. */
    double step;
    /** body_count bodies; NULL only if that is 0. */
    const dry_problem_body *bodies;
    /** Number of bodies. */
    size_t body_count;
    /** contact_count contacts; NULL only if that is 0. */
    const dry_problem_contact *contacts;
    /** Number of contacts, at most 2^27. */
    size_t contact_count;
    /** row_count rows; NULL only if that is 0. */
    const dry_problem_row *rows;
    /** Number of rows, at most 2^27. */
    size_t row_count;
} dry_problem;

/** The solution for a contact. Frozen: it never changes. */
typedef struct dry_contact_solution {
    /** Normal and friction, on body_b, world axes [N s]. */
    double impulse[3];
    /** Along the normal, 0 or above [N s]. */
    double normal_impulse;
    /** Rolling and twisting, on body_b, world axes [N m s]. */
    double torque_impulse[3];
    /** After the compatibility correction, on body_b, world axes; equal to impulse while that is off [N s]. */
    double compatible_impulse[3];
    /** How far velocities and impulse are from the laws of the contact [m/s]. */
    double residual;
    /**
     * DRY_CONTACT_ bits. Rolling and sliding faster than the tolerance count, and 1e-12 m/s; new is a contact whose key
     * the last call of the solver did not have.
     */
    uint32_t state;
    /** Always 0. */
    uint32_t reserved;
} dry_contact_solution;

/**
 * Where the solver writes. The caller zeroes it and sets struct_size; the arrays are the caller's, sized as in the
 * problem; NULL: not wanted.
 */
typedef struct dry_solution {
    /** Bytes of this structure. */
    size_t struct_size;
    /** 6 numbers per body: linear and angular velocity after the solve [m/s, rad/s]. */
    double *velocities;
    /** One per contact. */
    dry_contact_solution *contacts;
    /** One per row. */
    double *row_impulses;
    /** How the solve went. */
    dry_step_report *report;
    /** One per row, after the compatibility correction; equal to row_impulses while that is off [N s]. */
    double *compatible_row_impulses;
} dry_solution;

/**
 * A problem given only by its Delassus operator W: u = W r + q, with the rows normal, tangent 1, tangent 2 (and
 * rolling 1, rolling 2) of each contact. The caller zeroes it and sets struct_size; grows at its end.
 *
 * W in block compressed rows: the blocks of contact i are blocks[d * d * k], row major, in column columns[k], for
 * row_offsets[i] <= k < row_offsets[i + 1]. Both halves of the symmetric matrix are there; the columns of a contact are
 * in any order, each once, its own among them. The caller owns the arrays; with no contacts they may be NULL.
 */
typedef struct dry_local_problem {
    /** Bytes of this structure. */
    size_t struct_size;
    /** Number of contacts. */
    size_t contact_count;
    /** d, the rows of a contact: 3 or 5. */
    uint32_t dimension;
    /** Must be 0. */
    uint32_t reserved;
    /** contact_count + 1 numbers, rising from 0. */
    const uint32_t *row_offsets;
    /** The contact of each block. */
    const uint32_t *columns;
    /** d * d numbers per block. */
    const double *blocks;
    /** d numbers per contact: velocities without any impulse [m/s, rolling rad/s]. */
    const double *q;
    /** Coulomb's coefficient of each contact, 0 or above [-]. */
    const double *friction;
    /** With d = 5, for each contact: rolling impulse over normal impulse, at most; 0 or above [m]. With d = 3 NULL. */
    const double *rolling;
} dry_local_problem;

/**
 * Creates a solver.
 *
 * solver: receives the solver, which the caller ends with dry_solver_destroy.
 */
dry_status dry_solver_create(dry_solver **solver);

/**
 * Ends a solver. A call that is using it keeps it until that call ends.
 *
 * solver: NULL is nothing to do, and so is a solver that was destroyed already.
 */
void dry_solver_destroy(dry_solver *solver);

/**
 * Sets the function that dry_solver_solve, dry_solver_correct and dry_solver_solve_local call between their
 * iterations, for the calls to come. A new solver has none, and no snapshot holds one.
 *
 * progress_or_null: read during the call; with NULL the solver has no function from now on. What user_data points to
 * must last as long as the solver calls the function.
 *
 * If the function asks to stop, the call is DRY_ERR_STOPPED and writes nothing. The solver then remembers what it
 * remembered before, so the same call gives the same bits afterwards. The function changes no answer. A call is
 * interrupted only between iterations, not within one, nor in the checks and copies before and after them. A problem
 * that needs no iteration does not call the function.
 */
dry_status dry_solver_set_progress(dry_solver *solver,
                                   const dry_solver_progress *progress_or_null);

/**
 * Solves a problem: velocities, and impulses of contacts and rows, which obey the laws of the contacts as far as
 * settings and iterations allow. The velocities are those of the problem plus what the impulses add, to round-off.
 *
 * problem: bodies, contacts and rows; read during the call.
 *
 * settings: as of a world, read during the call. Members about gaps, overlap, restitution and sleeping are checked
 * and ignored. These are contact_margin, push_out_velocity, restitution_threshold, position_projection, substeps and
 * joint_aim.
 *
 * solution: where to write. Its arrays belong to the caller and are NULL where not wanted. They overlap no input and
 * no other output.
 *
 * Warm starting: impulses are remembered by key from the last call of this solver that succeeded. They are scaled to
 * the new step, and friction is turned into the new tangent plane. The same key must mean the same two bodies in the
 * same order. Contacts and rows that the last call did not have start from zero. With DRY_WARM_COMPATIBLE the
 * compatible impulses are remembered. A correction starts from the displacements of the last one of this solver.
 *
 * The work that DRY_PROJECTION_AUTO spends is remembered likewise. A contact or a row keeps the debt of its bodies;
 * those with key 0 share one.
 *
 * With a projection, a problem may be solved already by the remembered impulses, to round-off and as well as the
 * last one. Then the answer is these impulses to the last bit, and iterations is 0.
 *
 * The report counts bodies, contacts, islands and iterations. Its new_contacts are those whose key the last call did
 * not have, or with key 0. Its worst_contact is a key, of a row where a row is worst. The times are seconds_assemble
 * (checking, and recalling impulses), seconds_solve, seconds_project, seconds_compatibility and seconds_total.
 * max_overlap, kinetic_energy and potential_energy are 0: a problem has no positions and no masses.
 *
 * Rows that contradict each other are no error: they are solved as far as possible, and the residual shows how far.
 *
 * DRY_ERR_ARGUMENT, DRY_ERR_NOT_FINITE: the message names the member, as in "contacts[3].friction". Also refused are
 * an answer that is not finite or beyond the limits, two equal keys, a contact or row that no impulse moves, and
 * outputs that overlap.
 * DRY_ERR_NOT_CONVERGED: only with require_convergence. The solution is written; the remembered impulses do not
 * change.
 * DRY_ERR_UNSUPPORTED: a setting that is not offered; or the calling thread flushes small numbers to zero or does
 * not round to nearest.
 * DRY_ERR_BUSY: another thread uses this solver, or it is called from its own dry_solver_progress.
 * DRY_ERR_STOPPED: the function of dry_solver_set_progress asked to stop.
 */
dry_status dry_solver_solve(dry_solver *solver,
                            const dry_problem *problem,
                            const dry_settings *settings,
                            dry_solution *solution);

/**
 * Corrects given impulses, from whatever solver they come, to compatible ones with the same resultant on every body.
 *
 * problem: as of dry_solver_solve, read during the call; its rows do not count. A contact without impulse counts as
 * open if the velocities of the bodies and the impulses together open it faster than closing_velocity of the report.
 * That velocity grows with the residual. A gap, which is normal_bias times the step, counts as none below 1e-6 of
 * the longer arm to a body that moves. With velocities that do not belong to the impulses every contact counts as
 * closed.
 *
 * settings: as of dry_solver_solve. The call uses compatibility, which must not be DRY_COMPATIBILITY_OFF. It also
 * uses compatible_friction, the numbers of the correction, and tolerance.
 *
 * impulses: 3 numbers per contact, on body_b, world axes [N s].
 * compatible_impulses: receives 3 numbers per contact, likewise.
 * report_or_null: receives the report; its residuals are those of the given impulses.
 *
 * Impulses that pull count by their resultants on the bodies. If no impulses without pulling have the same
 * resultants, the report has the flag DRY_REPORT_COMPATIBILITY_INFEASIBLE, and the impulses come back unchanged.
 * With DRY_COMPATIBLE_FRICTION_OFF the parts across the normal come back unchanged in any case. The correction
 * starts from the displacements of the last one of this solver. They change its time, and the answer within the
 * tolerance. Keys are not used, and the tolerance is not enforced. Other failures are those of dry_solver_solve.
 */
dry_status dry_solver_correct(dry_solver *solver,
                              const dry_problem *problem,
                              const dry_settings *settings,
                              const double *impulses,
                              double *compatible_impulses,
                              dry_step_report *report_or_null);

/**
 * Solves a problem that is given only by its Delassus operator. It starts from zero and remembers nothing.
 *
 * problem: read during the call.
 *
 * settings: as of a world, read during the call. warm_start and its factor are checked and ignored, and so are those
 * that dry_solver_solve ignores. DRY_SOLVER_CONIC, DRY_FRICTION_BOX and DRY_PROJECTION_STICK are refused.
 *
 * impulses: receives problem->dimension numbers per contact, in the order of the rows: normal, tangent 1, tangent 2,
 * rolling 1, rolling 2 [N s, N m s].
 *
 * report_or_null: receives the report; its worst_contact is the index of the contact with residual_max.
 *
 * The matrix must be symmetric: in its pattern and, to 1e-9 of the diagonal blocks, in its numbers. Its diagonal
 * blocks must be positive semidefinite to round-off.
 *
 * Failures as of dry_solver_solve; messages name the element of the array, as in "columns[7]".
 */
dry_status dry_solver_solve_local(dry_solver *solver,
                                  const dry_local_problem *problem,
                                  const dry_settings *settings,
                                  double *impulses,
                                  dry_step_report *report_or_null);

/**
 * Writes what a solver remembers from call to call to a buffer: impulses by key, the displacements of its last
 * correction, and what DRY_PROJECTION_AUTO has spent.
 *
 * buffer, capacity, count: as of dry_world_snapshot.
 */
dry_status dry_solver_snapshot(const dry_solver *solver,
                               uint8_t *buffer,
                               size_t capacity,
                               size_t *count);

/**
 * Makes a solver remember what a snapshot holds, and nothing else.
 *
 * buffer: the bytes; read during the call.
 * count: their number.
 *
 * DRY_ERR_FORMAT: the snapshot is not whole, of another format, of a world, or describes what no solver remembers. The
 * solver is as before.
 */
dry_status dry_solver_restore(dry_solver *solver,
                              const uint8_t *buffer,
                              size_t count);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DRYSTONE_H */
