// What ODE's interface does not tell of a joint, captured when the program sets it or attaches it.
#include "joints.hpp"

namespace drystone_ode {

dBodyID Joint::first() const {
  const dBodyID body = dJointGetBody(id, 0);
  return body != nullptr ? body : dJointGetBody(id, 1);
}

dBodyID Joint::second() const { return reversed() ? nullptr : dJointGetBody(id, 1); }

const char *name_of(dJointType type) {
  switch (type) {
    case dJointTypeBall: return "ball";
    case dJointTypeHinge: return "hinge";
    case dJointTypeSlider: return "slider";
    case dJointTypeContact: return "contact";
    case dJointTypeUniversal: return "universal";
    case dJointTypeHinge2: return "hinge-2";
    case dJointTypeFixed: return "fixed";
    case dJointTypeNull: return "null";
    case dJointTypeAMotor: return "angular motor";
    case dJointTypeLMotor: return "linear motor";
    case dJointTypePlane2D: return "plane-2D";
    case dJointTypePR: return "PR";
    case dJointTypePU: return "PU";
    case dJointTypePiston: return "piston";
    case dJointTypeDBall: return "double ball";
    case dJointTypeDHinge: return "double hinge";
    case dJointTypeTransmission: return "transmission";
    case dJointTypeNone: break;
  }
  return "unknown";
}

bool offered(dJointType type) {
  switch (type) {
    case dJointTypeBall:
    case dJointTypeHinge:
    case dJointTypeSlider:
    case dJointTypeUniversal:
    case dJointTypeHinge2:
    case dJointTypeFixed:
    case dJointTypeNull:
    case dJointTypeAMotor:
    case dJointTypeLMotor:
    case dJointTypePlane2D:
    case dJointTypeDBall: return true;
    default: return false;
  }
}

void Limot::set(int parameter, double value) {
  switch (parameter) {
    case dParamLoStop: low = value; break;
    case dParamHiStop: high = value; break;
    case dParamVel: velocity = value; break;
    case dParamFMax: if (value >= 0) force = value; break;
    case dParamBounce: bounce = value; break;
    case dParamCFM: cfm = value; break;
    case dParamStopERP: stop_erp = value; break;
    case dParamStopCFM: stop_cfm = value; break;
    default: break;
  }
}

static Rotation axes_of(dBodyID body) {
  return body != nullptr ? Rotation(dBodyGetRotation(body)) : Rotation();
}
static Quaternion turn_of(dBodyID body) {
  return body != nullptr ? Quaternion(dBodyGetQuaternion(body)) : Quaternion();
}
static Vector place_of(dBodyID body) { return body != nullptr ? Vector(dBodyGetPosition(body)) : Vector(); }

static void capture_hinge(Joint &joint) {
  dVector3 axis;
  dJointGetHingeAxis(joint.id, axis);
  joint.axis[1] = axes_of(joint.second()).to_body(Vector(axis));
}

static void capture_pose(Joint &joint) {
  const dBodyID first = joint.first(), second = joint.second();
  joint.turn = turn_of(second).turned_back() * turn_of(first);
  joint.offset = axes_of(second).to_body(place_of(first) - place_of(second));
}

static void capture_hinge2(Joint &joint) {
  dVector3 axis1, axis2;
  dJointGetHinge2Axis1(joint.id, axis1);
  dJointGetHinge2Axis2(joint.id, axis2);
  joint.sine = length(cross(Vector(axis1), Vector(axis2)));
  joint.cosine = dot(Vector(axis1), Vector(axis2));
}

void capture(Joint &joint) {
  if (joint.first() == nullptr) return;
  switch (dJointGetType(joint.id)) {
    case dJointTypeHinge: capture_hinge(joint); break;
    case dJointTypeSlider:
    case dJointTypeFixed: capture_pose(joint); break;
    case dJointTypeHinge2: if (joint.second() != nullptr) capture_hinge2(joint); break;
    default: break;
  }
  joint.captured = true;
}

void capture_linear_axis(Joint &joint, int number, int relative_to, const Vector &axis) {
  if (joint.first() == nullptr) return;
  if (relative_to == 2 && joint.second() == nullptr) relative_to = 1;  // as ODE does
  const dBodyID body = relative_to == 1 ? joint.first() : relative_to == 2 ? joint.second() : nullptr;
  joint.of[number] = relative_to;
  joint.axis[number] = axes_of(body).to_body(axis * (1 / length(axis)));
}

void capture_angular_axis(Joint &joint, int number, const Vector &axis) {
  if (joint.first() == nullptr || number == 1) return;
  joint.axis[number] =
      axes_of(dJointGetBody(joint.id, number == 0 ? 0 : 1)).to_body(axis * (1 / length(axis)));
  capture_references(joint);
}

void capture_references(Joint &joint) {
  if (joint.first() == nullptr || dJointGetAMotorMode(joint.id) != dAMotorEuler) return;
  const Rotation one = axes_of(dJointGetBody(joint.id, 0)), two = axes_of(dJointGetBody(joint.id, 1));
  joint.reference[0] = one.to_body(two.to_world(joint.axis[2]));
  joint.reference[1] = two.to_body(one.to_world(joint.axis[0]));
}

}  // namespace drystone_ode
