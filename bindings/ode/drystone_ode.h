/*
 * drystone in the place of ODE's solver: include this header instead of <ode/ode.h>, compile again, and link
 * with the sources beside it, with drystone and with ODE.
 *
 * What changes: dWorldStep and dWorldQuickStep solve contacts and joints with drystone. Everything else is
 * ODE's and stays: spaces, geoms, dCollide, bodies, masses, integration, damping, auto-disabling, the joints'
 * own functions. The macros at the end rename the calls that the adapter must see; a program that defines
 * DRY_ODE_NO_MACROS calls the functions below by their own names. Every translation unit that makes,
 * attaches, sets or destroys joints of a world, steps it or destroys it includes this header, also one that
 * uses ODE's C++ classes.
 *
 * ERRORS
 *
 * A step that fails changes nothing: neither bodies, nor their forces, nor what is remembered between steps.
 * dWorldQuickStep and dWorldStep then return 0, and dry_ode_step returns the status. dry_ode_last_error has the
 * message: it names the refused member of a dContact, or is drystone's own message. Two messages go through
 * ODE's message function, which prints to stderr unless dSetMessageHandler set another one. One is the reason
 * why dWorldQuickStep or dWorldStep refused the first step of a world. The other reports that ODE's own solver
 * steps the bodies of a joint, once for each type of joint in a world.
 *
 * THREADS
 *
 * As in ODE, one thread at a time uses a world, and a group of joints belongs to one thread. Different threads
 * may use different worlds at the same time. ODE itself steps two worlds at a time only where each has a
 * threading implementation of its own (dWorldSetStepThreadingImplementation). The one that all worlds share by
 * default is not made for that.
 *
 * UNITS: ODE's; where lengths are in brackets below they are in the unit of length of the program.
 */
#ifndef DRYSTONE_ODE_H
#define DRYSTONE_ODE_H

#include <drystone.h>

#if defined(_ODE_ODECPP_H_) && !defined(DRY_ODE_NO_MACROS)
#error "include <drystone_ode.h> before <ode/ode.h>: ODE's C++ classes would go past the adapter"
#endif

/* ODE without its C++ classes, which come after the macros */
#include <ode/odeconfig.h>
#include <ode/compatibility.h>
#include <ode/common.h>
#include <ode/odeinit.h>
#include <ode/contact.h>
#include <ode/error.h>
#include <ode/memory.h>
#include <ode/odemath.h>
#include <ode/matrix.h>
#include <ode/matrix_coop.h>
#include <ode/timer.h>
#include <ode/rotation.h>
#include <ode/mass.h>
#include <ode/misc.h>
#include <ode/objects.h>
#include <ode/collision_space.h>
#include <ode/collision.h>
#include <ode/threading.h>
#include <ode/threading_impl.h>
#include <ode/cooperative.h>
#include <ode/export-dif.h>
#include <ode/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Settings ----------------------------------------------------------------------------------------------- */

/** The law of friction of contacts with dContactApprox1 whose friction is alike in both directions. */
typedef enum dry_ode_friction {
    /** Coulomb's round cone, of which ODE's pyramid is an approximation. */
    DRY_ODE_CONE = 0,
    /** ODE's own pyramid along fdir1 and across it: along the diagonals it holds sqrt(2) times as fast. */
    DRY_ODE_PYRAMID = 1,
} dry_ode_friction;

/** How a world is stepped. Filled in by dry_ode_settings_init. */
typedef struct dry_ode_settings {
    /** Bytes of this structure. */
    size_t struct_size;
    /** Default DRY_ODE_CONE. */
    dry_ode_friction friction;
    /**
     * Sweeps, in ODE's measure; 0, the default: dWorldGetQuickStepNumIterations, which is 20 unless the
     * program sets it. Walls and piles get twice as many, for drystone's cost half as much.
     */
    uint32_t iterations;
    /**
     * The largest island, counted in contacts and joints, in which sticking contacts become exact constraints.
     * This is done if hardly any body in it is held in more than one way (columns, chains, single bodies). It is
     * also done if it is a mechanism of at most 40 contacts and joints, such as a parked car. Default 200; 0: none.
     */
    uint32_t exact_limit;
    /** Must be 0. */
    uint32_t reserved;
    /**
     * The overlap up to which contacts rest, 0 or above, in units of the way |gravity| step^2 [-]. Default
     * 0.2: 34 um at 9.81 m/s^2 and 1/240 s. ODE finds no contact that does not overlap: near 0 what rests is
     * lost and falls again and again. Where dWorldSetContactSurfaceLayer sets more, that holds.
     */
    double resting_overlap;
} dry_ode_settings;

/**
 * Fills in the default settings.
 *
 * settings: the structure of the caller.
 * size: sizeof(dry_ode_settings) as the caller was compiled.
 */
dry_status dry_ode_settings_init(dry_ode_settings *settings, size_t size);

/** Reads the settings of a world; size as above. */
dry_status dry_ode_get_settings(dWorldID world, dry_ode_settings *settings, size_t size);

/** Changes the settings of a world, from the next step on. */
dry_status dry_ode_set_settings(dWorldID world, const dry_ode_settings *settings);

/* Stepping ----------------------------------------------------------------------------------------------- */

/**
 * Advances a world by one step, as dWorldQuickStep does, with drystone's solver.
 *
 * step: its duration, above 0 [s].
 *
 * The adapter has no rows for some joints: those of a type that is not offered, and those that were never set
 * or were made past this header. Bodies that contacts or joints connect with such a joint are stepped by ODE's
 * own solver.
 *
 * DRY_ERR_UNSUPPORTED: a mode of a contact that ODE 0.16 does not have; the calling thread flushes small
 * numbers to zero.
 * DRY_ERR_ARGUMENT, DRY_ERR_NOT_FINITE: the message names the member.
 * DRY_ERR_MEMORY: also where ODE's own step failed.
 */
dry_status dry_ode_step(dWorldID world, dReal step);

/**
 * The same with ODE's answer: 1, or 0 for a failure. They stand for dWorldQuickStep and dWorldStep, and differ
 * only in which of ODE's two solvers steps what the adapter leaves to it.
 */
int dry_ode_world_quick_step(dWorldID world, dReal step);
int dry_ode_world_step(dWorldID world, dReal step);

/**
 * What happened in the last step: contacts, islands, sweeps, residuals [m/s], times [s]. What drystone does
 * not know of ODE's bodies is 0, as dry_solver_solve says.
 *
 * size: sizeof(dry_step_report) as the caller was compiled.
 */
dry_status dry_ode_get_report(dWorldID world, dry_step_report *report, size_t size);

/** The message of this thread's last failing call; parameters and answer as of dry_last_error. */
dry_status dry_ode_last_error(char *buffer, size_t capacity, size_t *needed_or_null);

/* In the place of ODE's: parameters and meaning are theirs ----------------------------------------------- */

void dry_ode_world_destroy(dWorldID world);
dJointID dry_ode_joint_create_contact(dWorldID world, dJointGroupID group, const dContact *contact);
dJointID dry_ode_joint_create_ball(dWorldID world, dJointGroupID group);
dJointID dry_ode_joint_create_hinge(dWorldID world, dJointGroupID group);
dJointID dry_ode_joint_create_slider(dWorldID world, dJointGroupID group);
dJointID dry_ode_joint_create_hinge2(dWorldID world, dJointGroupID group);
dJointID dry_ode_joint_create_universal(dWorldID world, dJointGroupID group);
dJointID dry_ode_joint_create_pr(dWorldID world, dJointGroupID group);
dJointID dry_ode_joint_create_pu(dWorldID world, dJointGroupID group);
dJointID dry_ode_joint_create_piston(dWorldID world, dJointGroupID group);
dJointID dry_ode_joint_create_fixed(dWorldID world, dJointGroupID group);
dJointID dry_ode_joint_create_amotor(dWorldID world, dJointGroupID group);
dJointID dry_ode_joint_create_lmotor(dWorldID world, dJointGroupID group);
dJointID dry_ode_joint_create_plane2d(dWorldID world, dJointGroupID group);
dJointID dry_ode_joint_create_dball(dWorldID world, dJointGroupID group);
dJointID dry_ode_joint_create_dhinge(dWorldID world, dJointGroupID group);
dJointID dry_ode_joint_create_transmission(dWorldID world, dJointGroupID group);
void dry_ode_joint_attach(dJointID joint, dBodyID body1, dBodyID body2);
void dry_ode_joint_destroy(dJointID joint);
void dry_ode_joint_group_empty(dJointGroupID group);
void dry_ode_joint_group_destroy(dJointGroupID group);
void dry_ode_joint_set_hinge_axis(dJointID joint, dReal x, dReal y, dReal z);
void dry_ode_joint_set_hinge_axis_offset(dJointID joint, dReal x, dReal y, dReal z, dReal angle);
void dry_ode_joint_set_slider_axis(dJointID joint, dReal x, dReal y, dReal z);
void dry_ode_joint_set_slider_axis_delta(dJointID joint, dReal x, dReal y, dReal z, dReal ax, dReal ay,
                                         dReal az);
void dry_ode_joint_set_hinge2_axes(dJointID joint, const dReal *axis1, const dReal *axis2);
void dry_ode_joint_set_hinge2_axis1(dJointID joint, dReal x, dReal y, dReal z);
void dry_ode_joint_set_hinge2_axis2(dJointID joint, dReal x, dReal y, dReal z);
void dry_ode_joint_set_fixed(dJointID joint);
void dry_ode_joint_set_amotor_axis(dJointID joint, int number, int relative_to, dReal x, dReal y, dReal z);
void dry_ode_joint_set_amotor_mode(dJointID joint, int mode);
void dry_ode_joint_set_lmotor_axis(dJointID joint, int number, int relative_to, dReal x, dReal y, dReal z);
void dry_ode_joint_set_plane2d_x_param(dJointID joint, int parameter, dReal value);
void dry_ode_joint_set_plane2d_y_param(dJointID joint, int parameter, dReal value);
void dry_ode_joint_set_plane2d_angle_param(dJointID joint, int parameter, dReal value);

#ifdef __cplusplus
} /* extern "C" */
#endif

#ifndef DRY_ODE_NO_MACROS
#define dWorldDestroy dry_ode_world_destroy
#define dWorldStep dry_ode_world_step
#define dWorldQuickStep dry_ode_world_quick_step
#define dJointCreateContact dry_ode_joint_create_contact
#define dJointCreateBall dry_ode_joint_create_ball
#define dJointCreateHinge dry_ode_joint_create_hinge
#define dJointCreateSlider dry_ode_joint_create_slider
#define dJointCreateHinge2 dry_ode_joint_create_hinge2
#define dJointCreateUniversal dry_ode_joint_create_universal
#define dJointCreatePR dry_ode_joint_create_pr
#define dJointCreatePU dry_ode_joint_create_pu
#define dJointCreatePiston dry_ode_joint_create_piston
#define dJointCreateFixed dry_ode_joint_create_fixed
#define dJointCreateAMotor dry_ode_joint_create_amotor
#define dJointCreateLMotor dry_ode_joint_create_lmotor
#define dJointCreatePlane2D dry_ode_joint_create_plane2d
#define dJointCreateDBall dry_ode_joint_create_dball
#define dJointCreateDHinge dry_ode_joint_create_dhinge
#define dJointCreateTransmission dry_ode_joint_create_transmission
#define dJointAttach dry_ode_joint_attach
#define dJointDestroy dry_ode_joint_destroy
#define dJointGroupEmpty dry_ode_joint_group_empty
#define dJointGroupDestroy dry_ode_joint_group_destroy
#define dJointSetHingeAxis dry_ode_joint_set_hinge_axis
#define dJointSetHingeAxisOffset dry_ode_joint_set_hinge_axis_offset
#define dJointSetSliderAxis dry_ode_joint_set_slider_axis
#define dJointSetSliderAxisDelta dry_ode_joint_set_slider_axis_delta
#define dJointSetHinge2Axes dry_ode_joint_set_hinge2_axes
#define dJointSetHinge2Axis1 dry_ode_joint_set_hinge2_axis1
#define dJointSetHinge2Axis2 dry_ode_joint_set_hinge2_axis2
#define dJointSetFixed dry_ode_joint_set_fixed
#define dJointSetAMotorAxis dry_ode_joint_set_amotor_axis
#define dJointSetAMotorMode dry_ode_joint_set_amotor_mode
#define dJointSetLMotorAxis dry_ode_joint_set_lmotor_axis
#define dJointSetPlane2DXParam dry_ode_joint_set_plane2d_x_param
#define dJointSetPlane2DYParam dry_ode_joint_set_plane2d_y_param
#define dJointSetPlane2DAngleParam dry_ode_joint_set_plane2d_angle_param
#endif

#if defined(__cplusplus) && !defined(DRY_ODE_NO_MACROS)
#include <ode/odecpp.h>
#include <ode/odecpp_collision.h>
#endif

#endif
