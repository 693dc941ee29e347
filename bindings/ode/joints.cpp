// ODE's joints as rows. A row wants J v + CFM f = c, as ODE's do: c undoes the part ERP of the error.
#include "adapter.hpp"
#include "rows.hpp"

#include <algorithm>

namespace drystone_ode {

// What the adapter has no rows for is solved by ODE, with all that hangs together with it.
void Adapter::leave_to_ode(uint32_t first, uint32_t second, dJointType type, const char *why) {
  if (first == NONE) return;
  bodies_.leave(first, second);
  left_ = true;
  say_once(format("drystone: a %s joint %s: ODE's own solver steps what is connected with it", name_of(type),
                  why));
}

void Adapter::gather_joints() {
  joint_bodies_.clear();
  for (const auto &joint : joints_) {
    uint32_t first = bodies_.index(joint->first()), second = bodies_.index(joint->second());
    if (first != NONE) bodies_.list[first].joints++;
    if (second != NONE) bodies_.list[second].joints++;
    if (dJointIsEnabled(joint->id) == 0) first = second = NONE;
    bodies_.join(first, second, Bodies::JOINT);
    const dJointType type = dJointGetType(joint->id);
    if (!offered(type)) leave_to_ode(first, second, type, "is not offered by the adapter");
    else if (!joint->captured) leave_to_ode(first, second, type, "was attached, but never set");
    joint_bodies_.push_back(first);
    joint_bodies_.push_back(second);
  }
}

// Joints that were made past the adapter connect bodies, too, of which some may be new to the step.
void Adapter::gather_strangers() {
  for (uint32_t i = 0; i < bodies_.list.size(); i++) {
    const dBodyID body = bodies_.list[i].id;
    const int count = dBodyGetNumJoints(body);
    if (count == bodies_.list[i].joints) continue;
    for (int k = 0; k < count; k++) {
      const dJointID stranger = dBodyGetJoint(body, k);
      const dJointType type = dJointGetType(stranger);
      if (type == dJointTypeNull || dJointIsEnabled(stranger) == 0 || knows(stranger)) continue;
      const dBodyID one = dJointGetBody(stranger, 0), two = dJointGetBody(stranger, 1);
      const uint32_t other = bodies_.index(one == body ? two : one);
      bodies_.join(i, other, Bodies::JOINT);
      leave_to_ode(i, other, type, "was made by a file that does not include drystone_ode.h");
    }
  }
}

static Vector anchor(const Joint &joint, void (*get)(dJointID, dVector3)) {
  dVector3 result;
  get(joint.id, result);
  return Vector(result);
}

// The two anchors of a joint, that of its first body first.
struct Anchors {
  Vector first, second;
  Anchors(const Joint &joint, void (*get)(dJointID, dVector3), void (*get2)(dJointID, dVector3)) {
    first = anchor(joint, joint.reversed() ? get2 : get);
    second = anchor(joint, joint.reversed() ? get : get2);
  }
};

static void add_hinge(Rows &rows, const Joint &joint) {
  const Anchors at(joint, dJointGetHingeAnchor, dJointGetHingeAnchor2);
  rows.point(at.first, at.second);
  const Vector axis = anchor(joint, dJointGetHingeAxis), other = rows.second_to_world(joint.axis[1]);
  Vector p, q;
  plane_space(axis, p, q);
  const Vector error = cross(axis, other);
  rows.about(p, dot(error, p));
  rows.about(q, dot(error, q));
  const double angle = dJointGetHingeAngle(joint.id);
  rows.turn_limot(Limot(joint, dJointGetHingeParam), axis, joint.reversed() ? -angle : angle);
}

static void add_universal(Rows &rows, const Joint &joint) {
  const Anchors at(joint, dJointGetUniversalAnchor, dJointGetUniversalAnchor2);
  rows.point(at.first, at.second);
  Vector axis1 = anchor(joint, dJointGetUniversalAxis1), axis2 = anchor(joint, dJointGetUniversalAxis2);
  dReal angle1, angle2;
  dJointGetUniversalAngles(joint.id, &angle1, &angle2);
  if (joint.reversed()) {
    std::swap(axis1, axis2);
    std::swap(angle1, angle2);
    angle1 = -angle1, angle2 = -angle2;
  }
  const Vector across = cross(axis1, axis2);
  rows.about(across * (1 / length(across)), -dot(axis1, axis2));
  rows.turn_limot(Limot(joint, dJointGetUniversalParam), axis1, angle1);
  rows.turn_limot(Limot(joint, dJointGetUniversalParam, dParamGroup), axis2, angle2);
}

static void add_hinge2(Rows &rows, const Joint &joint) {
  if (joint.second() == nullptr) return;  // ODE, too, wants two bodies
  const Anchors at(joint, dJointGetHinge2Anchor, dJointGetHinge2Anchor2);
  const Vector axis1 = anchor(joint, dJointGetHinge2Axis1), axis2 = anchor(joint, dJointGetHinge2Axis2);
  Vector p, q;
  plane_space(axis1, p, q);
  const Vector error = at.second - at.first;
  {
    const Rows::With spring(rows, dJointGetHinge2Param(joint.id, dParamSuspensionERP),
                            dJointGetHinge2Param(joint.id, dParamSuspensionCFM));
    rows.along(axis1, at.first, at.second, dot(error, axis1));
  }
  rows.along(p, at.first, at.second, dot(error, p));
  rows.along(q, at.first, at.second, dot(error, q));
  const Vector across = cross(axis1, axis2);
  const double sine = length(across);
  rows.about(across * (1 / sine), joint.cosine * sine - joint.sine * dot(axis1, axis2));
  rows.turn_limot(Limot(joint, dJointGetHinge2Param), axis1, dJointGetHinge2Angle1(joint.id));
  Limot wheel(joint, dJointGetHinge2Param, dParamGroup);
  wheel.low = -dInfinity, wheel.high = dInfinity;  // ODE never stops a wheel
  rows.turn_limot(wheel, axis2, 0);
}

// Holds the turn of the first body with respect to the second: the error is how far it would have to turn.
static void hold_turn(Rows &rows, const Joint &joint) {
  Quaternion error = rows.second_turn() * joint.turn * rows.first_turn().turned_back();
  const Vector turn = error.v * (error.w < 0 ? -2.0 : 2.0);
  rows.about({1, 0, 0}, turn.x);
  rows.about({0, 1, 0}, turn.y);
  rows.about({0, 0, 1}, turn.z);
}

static void add_slider(Rows &rows, const Joint &joint) {
  hold_turn(rows, joint);
  const Vector axis = anchor(joint, dJointGetSliderAxis), place = rows.first_place(),
               goal = rows.second_point(joint.offset);
  Vector p, q;
  plane_space(axis, p, q);
  rows.along(p, place, place, dot(goal - place, p));
  rows.along(q, place, place, dot(goal - place, q));
  const double position = dJointGetSliderPosition(joint.id);
  rows.slide_limot(Limot(joint, dJointGetSliderParam), axis, position);
}

static void add_fixed(Rows &rows, const Joint &joint) {
  const Rows::With softness(rows, dJointGetFixedParam(joint.id, dParamERP),
                            dJointGetFixedParam(joint.id, dParamCFM));
  hold_turn(rows, joint);
  rows.point(rows.first_place(), rows.second_point(joint.offset));
}

static void add_ball(Rows &rows, const Joint &joint) {
  const Rows::With softness(rows, dJointGetBallParam(joint.id, dParamERP),
                            dJointGetBallParam(joint.id, dParamCFM));
  const Anchors at(joint, dJointGetBallAnchor, dJointGetBallAnchor2);
  rows.point(at.first, at.second);
}

static void add_double_ball(Rows &rows, const Joint &joint) {
  const Rows::With softness(rows, dJointGetDBallParam(joint.id, dParamERP),
                            dJointGetDBallParam(joint.id, dParamCFM));
  const Anchors at(joint, dJointGetDBallAnchor1, dJointGetDBallAnchor2);
  const Vector way = at.first - at.second;
  const double distance = length(way);
  const Vector direction = distance > 0 ? way * (1 / distance) : Vector(1, 0, 0);
  rows.along(direction, at.first, at.second, dJointGetDBallDistance(joint.id) - distance);
}

static void add_linear_motor(Rows &rows, const Joint &joint) {
  for (int i = 0; i < dJointGetLMotorNumAxes(joint.id); i++) {
    const Vector axis = joint.of[i] == 1   ? rows.first_to_world(joint.axis[i])
                        : joint.of[i] == 2 ? rows.second_to_world(joint.axis[i])
                                           : joint.axis[i];
    Limot limot(joint, dJointGetLMotorParam, i * dParamGroup);
    limot.low = -dInfinity, limot.high = dInfinity;  // ODE's have no stops
    rows.slide_limot(limot, axis, 0);
  }
}

// Euler angles: of the body's first axis, of the axis across the first and the third, of the third.
static void add_euler_motor(Rows &rows, const Joint &joint) {
  const Rotation one = rows.axes_of(dJointGetBody(joint.id, 0)),
                 two = rows.axes_of(dJointGetBody(joint.id, 1));
  const Vector ax0 = one.to_world(joint.axis[0]), ax2 = two.to_world(joint.axis[2]);
  const Vector reference0 = one.to_world(joint.reference[0]), reference1 = two.to_world(joint.reference[1]);
  Vector ax1 = cross(ax2, ax0);
  ax1 = ax1 * (1 / length(ax1));
  const double angles[3] = {
      -std::atan2(dot(ax2, cross(ax0, reference0)), dot(ax2, reference0)),
      -std::atan2(dot(ax2, ax0), dot(ax2, cross(ax0, ax1))),
      -std::atan2(dot(reference1, ax1), dot(reference1, cross(ax1, ax2))),
  };
  const Vector axes[3] = {cross(ax1, ax2), ax1, cross(ax0, ax1)};
  for (int i = 0; i < 3; i++)
    rows.turn_limot(Limot(joint, dJointGetAMotorParam, i * dParamGroup), axes[i], angles[i], true);
}

static void add_angular_motor(Rows &rows, const Joint &joint) {
  if (dJointGetAMotorMode(joint.id) == dAMotorEuler) {
    add_euler_motor(rows, joint);
    return;
  }
  for (int i = 0; i < dJointGetAMotorNumAxes(joint.id); i++) {
    dVector3 axis;
    dJointGetAMotorAxis(joint.id, i, axis);
    rows.turn_limot(Limot(joint, dJointGetAMotorParam, i * dParamGroup), Vector(axis),
                    dJointGetAMotorAngle(joint.id, i), true);
  }
}

static void add_plane(Rows &rows, const Joint &joint) {
  const Vector place = rows.first_place();
  rows.along({0, 0, 1}, place, place, -place.z);
  rows.about({1, 0, 0}, 0);
  rows.about({0, 1, 0}, 0);
  rows.slide_limot(joint.plane[0], {1, 0, 0}, 0);
  rows.slide_limot(joint.plane[1], {0, 1, 0}, 0);
  rows.turn_limot(joint.plane[2], {0, 0, 1}, 0);
}

static void add(Rows &rows, const Joint &joint) {
  switch (dJointGetType(joint.id)) {
    case dJointTypeBall: add_ball(rows, joint); break;
    case dJointTypeHinge: add_hinge(rows, joint); break;
    case dJointTypeSlider: add_slider(rows, joint); break;
    case dJointTypeUniversal: add_universal(rows, joint); break;
    case dJointTypeHinge2: add_hinge2(rows, joint); break;
    case dJointTypeFixed: add_fixed(rows, joint); break;
    case dJointTypeAMotor: add_angular_motor(rows, joint); break;
    case dJointTypeLMotor: add_linear_motor(rows, joint); break;
    case dJointTypePlane2D: add_plane(rows, joint); break;
    case dJointTypeDBall: add_double_ball(rows, joint); break;
    default: break;
  }
}

void Adapter::add_joints() {
  for (size_t i = 0; i < joints_.size(); i++) {
    const Joint &joint = *joints_[i];
    const uint32_t first = joint_bodies_[2 * i], second = joint_bodies_[2 * i + 1];
    if (!takes_part(first, second)) continue;
    const Which which = bodies_.island(bodies_.list[first].movable ? first : second).exact ? EXACT : SWEEPS;
    const uint32_t row_first = row(which, first), row_second = row(which, second);
    Rows rows(problems_[which], joint, now_, {&bodies_.list[first], row_first},
              {second != NONE ? &bodies_.list[second] : nullptr, row_second});
    add(rows, joint);
  }
}

}  // namespace drystone_ode
