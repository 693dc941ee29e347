// The calls that replace ODE's: each makes ODE's own call, and notifies the adapter.
#include "worlds.hpp"

using namespace drystone_ode;

// Where ODE's call gives no room for an answer, a failure to keep books shows in the next step.
template <class Call>
static void notify(Call call) {
  (void)guarded(call);
}

extern "C" {

dJointID dry_ode_joint_create_contact(dWorldID world, dJointGroupID group, const dContact *contact) {
  const dJointID joint = dJointCreateContact(world, group, contact);
  notify([=] { joint_made(world, group, joint, contact); });
  return joint;
}

#define DRY_ODE_CREATE(name, Type)                                                \
  dJointID dry_ode_joint_create_##name(dWorldID world, dJointGroupID group) {     \
    const dJointID joint = dJointCreate##Type(world, group);                      \
    notify([=] { joint_made(world, group, joint, nullptr); });                      \
    return joint;                                                                 \
  }

DRY_ODE_CREATE(ball, Ball)
DRY_ODE_CREATE(hinge, Hinge)
DRY_ODE_CREATE(slider, Slider)
DRY_ODE_CREATE(hinge2, Hinge2)
DRY_ODE_CREATE(universal, Universal)
DRY_ODE_CREATE(pr, PR)
DRY_ODE_CREATE(pu, PU)
DRY_ODE_CREATE(piston, Piston)
DRY_ODE_CREATE(fixed, Fixed)
DRY_ODE_CREATE(amotor, AMotor)
DRY_ODE_CREATE(lmotor, LMotor)
DRY_ODE_CREATE(plane2d, Plane2D)
DRY_ODE_CREATE(dball, DBall)
DRY_ODE_CREATE(dhinge, DHinge)
DRY_ODE_CREATE(transmission, Transmission)

// A joint was set or attached: the adapter captures again what ODE does not report of it.
static void set(dJointID joint) {
  notify([=] {
    if (Joint *known = known_joint(joint)) capture(*known);
  });
}

void dry_ode_joint_attach(dJointID joint, dBodyID body1, dBodyID body2) {
  dJointAttach(joint, body1, body2);
  // contacts, of which there are many, have nothing to be captured
  if (dJointGetType(joint) != dJointTypeContact && dJointGetType(joint) != dJointTypeFixed) set(joint);
}

void dry_ode_joint_destroy(dJointID joint) {
  notify([=] { joint_gone(joint); });
  dJointDestroy(joint);
}

void dry_ode_joint_group_empty(dJointGroupID group) {
  notify([=] { group_gone(group, false); });
  dJointGroupEmpty(group);
}

void dry_ode_joint_group_destroy(dJointGroupID group) {
  notify([=] { group_gone(group, true); });
  dJointGroupDestroy(group);
}

void dry_ode_world_destroy(dWorldID world) {
  notify([=] { world_gone(world); });
  dWorldDestroy(world);
}

void dry_ode_joint_set_hinge_axis(dJointID joint, dReal x, dReal y, dReal z) {
  dJointSetHingeAxis(joint, x, y, z);
  set(joint);
}

void dry_ode_joint_set_hinge_axis_offset(dJointID joint, dReal x, dReal y, dReal z, dReal angle) {
  dJointSetHingeAxisOffset(joint, x, y, z, angle);
  set(joint);
}

void dry_ode_joint_set_slider_axis(dJointID joint, dReal x, dReal y, dReal z) {
  dJointSetSliderAxis(joint, x, y, z);
  set(joint);
}

void dry_ode_joint_set_slider_axis_delta(dJointID joint, dReal x, dReal y, dReal z, dReal ax, dReal ay,
                                         dReal az) {
  dJointSetSliderAxisDelta(joint, x, y, z, ax, ay, az);
  notify([=] {
    Joint *known = known_joint(joint);
    if (known == nullptr) return;
    capture(*known);
    if (known->second() == nullptr) known->offset += Vector(ax, ay, az);
  });
}

void dry_ode_joint_set_hinge2_axes(dJointID joint, const dReal *axis1, const dReal *axis2) {
  dJointSetHinge2Axes(joint, axis1, axis2);
  set(joint);
}

void dry_ode_joint_set_hinge2_axis1(dJointID joint, dReal x, dReal y, dReal z) {
  const dVector3 axis = {x, y, z, 0};
  dry_ode_joint_set_hinge2_axes(joint, axis, nullptr);
}

void dry_ode_joint_set_hinge2_axis2(dJointID joint, dReal x, dReal y, dReal z) {
  const dVector3 axis = {x, y, z, 0};
  dry_ode_joint_set_hinge2_axes(joint, nullptr, axis);
}

void dry_ode_joint_set_fixed(dJointID joint) {
  dJointSetFixed(joint);
  set(joint);
}

void dry_ode_joint_set_amotor_axis(dJointID joint, int number, int relative_to, dReal x, dReal y, dReal z) {
  dJointSetAMotorAxis(joint, number, relative_to, x, y, z);
  notify([=] {
    if (Joint *known = known_joint(joint)) capture_angular_axis(*known, number, Vector(x, y, z));
  });
}

void dry_ode_joint_set_amotor_mode(dJointID joint, int mode) {
  dJointSetAMotorMode(joint, mode);
  notify([=] {
    if (Joint *known = known_joint(joint)) capture_references(*known);
  });
}

void dry_ode_joint_set_lmotor_axis(dJointID joint, int number, int relative_to, dReal x, dReal y, dReal z) {
  dJointSetLMotorAxis(joint, number, relative_to, x, y, z);
  notify([=] {
    if (Joint *known = known_joint(joint)) capture_linear_axis(*known, number, relative_to, Vector(x, y, z));
  });
}

static void set_plane(dJointID joint, int motor, int parameter, dReal value) {
  notify([=] {
    if (Joint *known = known_joint(joint)) known->plane[motor].set(parameter, value);
  });
}

void dry_ode_joint_set_plane2d_x_param(dJointID joint, int parameter, dReal value) {
  dJointSetPlane2DXParam(joint, parameter, value);
  set_plane(joint, 0, parameter, value);
}

void dry_ode_joint_set_plane2d_y_param(dJointID joint, int parameter, dReal value) {
  dJointSetPlane2DYParam(joint, parameter, value);
  set_plane(joint, 1, parameter, value);
}

void dry_ode_joint_set_plane2d_angle_param(dJointID joint, int parameter, dReal value) {
  dJointSetPlane2DAngleParam(joint, parameter, value);
  set_plane(joint, 2, parameter, value);
}

static dry_status take_step(dWorldID world, dReal step, Stepper own) {
  return guarded([=] {
    if (world == nullptr) throw Refusal{DRY_ERR_NULL, "world: NULL"};
    adapter_of(world).step(step, own);
  });
}

// ODE's programs do not look at the answer of a step: the first that a world refuses is said.
static int step_or_say(dWorldID world, dReal step, Stepper own) {
  if (take_step(world, step, own) == DRY_OK) return 1;
  notify([=] {
    if (world != nullptr) adapter_of(world).say_refusal(last_message());
  });
  return 0;
}

dry_status dry_ode_step(dWorldID world, dReal step) { return take_step(world, step, dWorldQuickStep); }

int dry_ode_world_quick_step(dWorldID world, dReal step) { return step_or_say(world, step, dWorldQuickStep); }

int dry_ode_world_step(dWorldID world, dReal step) { return step_or_say(world, step, dWorldStep); }
}
