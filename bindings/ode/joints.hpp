// ODE's joints other than contacts.
#ifndef DRYSTONE_ODE_JOINTS_HPP
#define DRYSTONE_ODE_JOINTS_HPP

#include "vector.hpp"

#include <ode/objects.h>

#include <cstdint>

namespace drystone_ode {

const uint64_t KEYS_OF_A_JOINT = 16;  // its rows are at most twelve

struct Joint;

// Stops and motor along or about an axis, as ODE has them.
struct Limot {
  double low = -dInfinity, high = dInfinity;
  double velocity = 0, force = 0;
  double bounce = 0, cfm = 0, stop_erp = 0, stop_cfm = 0;

  Limot() = default;
  // Read by ODE's function; group 0, dParamGroup or twice that.
  Limot(const Joint &joint, dReal (*get)(dJointID, int), int group = 0);
  // Sets a parameter as ODE's own does.
  void set(int parameter, double value);
};

// A joint, with the data that ODE's interface does not give. The adapter captures them when the joint is set or
// attached. `first` and `second` are its bodies in ODE's own order, in which the world is always second.
struct Joint {
  dJointID id;
  dJointGroupID group;
  uint64_t key;           // of its first row
  bool captured = false;  // what is below holds
  Vector axis[3];  // hinge: [1] on the second body; linear motor: in the axes that `of` says; Euler motor:
                   // [0] on the program's body 1, [2] on its body 2
  int of[3] = {0, 0, 0};  // 0 the world, 1 the first body, 2 the second
  Vector reference[2];    // of an Euler motor: its third axis on body 1, its first on body 2
  Quaternion turn;        // of the first body as the second one sees it
  Vector offset;          // of the first body's centre, in the second one's axes
  double sine = 0, cosine = 0;  // of the angle between a hinge-2's axes
  Limot plane[3];               // of a plane joint: along x, along y, turning

  dBodyID first() const;
  dBodyID second() const;
  bool reversed() const { return dJointGetBody(id, 0) == nullptr; }
};

// The name of a joint's type, as in "hinge".
const char *name_of(dJointType type);
// Whether the adapter makes rows of the type.
bool offered(dJointType type);
// Captures what holds at this moment; called whenever ODE's joint was set or attached.
void capture(Joint &joint);
// The same of an axis of a linear motor, given in world axes.
void capture_linear_axis(Joint &joint, int number, int relative_to, const Vector &axis);
// The same of an axis of an angular motor: the first one goes with body 1, the third with body 2.
void capture_angular_axis(Joint &joint, int number, const Vector &axis);
// From where an Euler motor counts its angles.
void capture_references(Joint &joint);

}  // namespace drystone_ode

#endif
