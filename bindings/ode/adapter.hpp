// What the adapter stores of a world, and how a step uses it. Each file calls the ones indented below it:
//
//     hooks.cpp          the calls that stand in the place of ODE's
//     worlds.cpp         the interface to C: one Adapter for each dWorldID, settings, errors
//       step.cpp           a step as a table of contents
//         bodies.cpp         bodies and islands
//         motion.cpp         how bodies would move without contacts and joints
//         contacts.cpp       dContact to contacts
//         contact_rows.cpp   the same to rows, where friction is not alike all around
//         keys.cpp           which contact is which of the last step's
//         joints.cpp         ODE's other joints to rows, which rows.cpp makes
//         capture.cpp        what ODE's interface does not tell of joints
//         problem.cpp        a problem of drystone's, its solution and its settings
//     lists.cpp          the joints that an adapter knows of
#ifndef DRYSTONE_ODE_ADAPTER_HPP
#define DRYSTONE_ODE_ADAPTER_HPP

#define DRY_ODE_NO_MACROS
#include "drystone_ode.h"
#include "joints.hpp"
#include "keys.hpp"
#include "problem.hpp"
#include "vector.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace drystone_ode {

// A refused input or a failed call; turned into a status and a message at the border to C.
struct Refusal {
  dry_status status;
  std::string message;
};

// A text with numbers in it.
std::string format(const char *pattern, ...);

// One of ODE's own steps: dWorldStep or dWorldQuickStep.
using Stepper = int (*)(dWorldID, dReal);

// A body of the step, in the order in which contacts and joints name them.
struct Body {
  dBodyID id = nullptr;
  bool movable = false;  // dynamic: an impulse moves it
  bool enabled = false;  // before the step
  bool linked = false;   // of a leader: its island has a link in ODE
  int joints = 0;        // that the adapter knows of
  Vector position;
  Rotation rotation;
  double mass = 0;
  Symmetric inertia, inverse_inertia;  // world axes
  double speed = 0;           // whose square times half the mass is the kinetic energy
  Vector velocity, spin;      // at the start of the step
  Vector force, torque;       // the host's, added up by ODE
  Vector impulse, twist;      // what contacts and joints give it; twist is about its centre of mass
  double carried = 0;         // the sizes of these impulses in sum
  uint32_t leader = 0;        // of its island in ODE's sense, while islands are being found
  uint32_t chief = 0;         // the same without kinematic bodies, through which no force passes
  uint32_t rows[2] = {NONE, NONE};  // its index in each of the two problems
};

// How an island hangs together. Kept at its chief.
struct Island {
  uint32_t bodies = 0;    // that move
  uint32_t pairs = 0;     // of bodies, or of a body and what does not move, that touch or are joined
  uint32_t contacts = 0, joints = 0;
  bool is_slow = true;    // none of its bodies moves fast
  bool exact = false;     // solved by the exact problem
  bool foreign = false;   // left to ODE's own solver
};

// The bodies of a step.
class Bodies {
 public:
  void clear();
  // The index of a body, which joins the list if it is new; NONE for null.
  uint32_t index(dBodyID id);
  // Two bodies are in one island from now on, NONE being no body; by a contact of a pair that may have more,
  // or a joint.
  enum By { CONTACT, FIRST_CONTACT, JOINT };
  void join(uint32_t a, uint32_t b, By by);
  // Finds which islands are awake: those with an enabled body.
  void wake();
  bool awake(uint32_t body) { return awake_[leader(body)] != 0; }
  uint32_t leader(uint32_t body);
  // Leaves the island of two bodies, NONE being no body, to ODE's own solver.
  void leave(uint32_t a, uint32_t b);
  // Whether ODE's own solver has the island of two bodies.
  bool left(uint32_t a, uint32_t b);
  Island &island(uint32_t body) { return islands_[chief(body)]; }
  // Pairs of bodies that connect each island of ODE's.
  const std::vector<std::pair<uint32_t, uint32_t>> &links() const { return links_; }

  std::vector<Body> list;

 private:
  uint32_t chief(uint32_t body);
  void grow();

  std::vector<uint32_t> slots_;  // open addressing: index + 1 of the body; 0 is free
  std::vector<std::pair<uint32_t, uint32_t>> links_;
  std::vector<char> awake_;
  std::vector<Island> islands_;
};

// A contact joint between its making and its end.
struct Contact {
  dJointID joint;
  dJointGroupID group;
  dContact contact;
};

// A contact of the step on its way to drystone. The normal points into the first body, from the second one or
// from the fixed world; velocities are those of the first body with respect to the second one.
struct Touch {
  const dContact *contact;
  dJointID joint;
  uint32_t first, second;  // bodies; the second one may be NONE
  Which which;             // problem it goes to
  bool reversed;           // the last step had the two bodies the other way round, and drystone goes on so
  uint64_t key;
  Vector normal, across1, across2;  // across: the directions of the first and the second friction
  Vector arm_first, arm_second;
  double depth;       // of the overlap [m]
  bool settles;       // sinks to the overlap with which contacts rest
  double push;        // normal velocity that the contact requires [m/s]
  double compliance;  // [m/s per N s]

  bool has(int mode) const { return (contact->surface.mode & mode) != 0; }
};

// What a step reads of its world once.
struct Conditions {
  double step;
  Vector gravity;
  double erp, cfm, layer, fastest_push;
};

class Adapter {
 public:
  explicit Adapter(dWorldID world);
  ~Adapter();

  void contact_made(dJointID joint, dJointGroupID group, const dContact &contact);
  Joint *joint_made(dJointID joint, dJointGroupID group);
  // False where it stays: ODE does not destroy the joints of a group one by one.
  bool joint_gone(dJointID joint);
  // Forgets the joints of a group; calls `gone` for each one that is no contact.
  template <class Call>
  void group_gone(dJointGroupID group, Call gone);
  // Throws a Refusal, and has then changed nothing. `own`: ODE's step for the islands that are left to it.
  void step(double h, Stepper own);
  // Says a sentence through ODE's message function, the first time.
  void say_once(const std::string &sentence);
  // Says through ODE's message function why a step was refused: of the first one that is.
  void say_refusal(const std::string &why);

  dry_ode_settings settings;
  dry_step_report report;
  std::vector<dJointGroupID> groups;  // of contacts, for the registry

 private:
  void read_conditions(double h);
  void gather();
  void gather_contacts();
  void gather_joints();
  bool knows(dJointID joint) const;
  void gather_strangers();
  void leave_to_ode(uint32_t first, uint32_t second, dJointType type, const char *why);
  void choose();
  void free_motion();
  uint32_t row(Which which, uint32_t body);
  bool takes_part(uint32_t first, uint32_t second);
  void add_contacts();
  void complete(Touch &touch, size_t point);
  void stay(Touch &touch, size_t point);
  double resting_overlap(const Touch &touch) const;
  Touch touch(const Contact &contact, const uint32_t *bodies) const;
  double push(const Touch &touch) const;
  void add_cone(const Touch &touch);
  void add_rows(const Touch &touch);
  dry_problem_row row_along(const Touch &touch, const Vector &direction, bool angular, double side);
  void add_joints();
  void solve();
  void add_up();
  bool rests(const Body &body) const;
  void report_feedback();
  void advance(Stepper own);
  void add_links();
  void let_joints_rest(bool rest);

  dWorldID world_;
  dJointGroupID links_;
  std::vector<Contact> contacts_;
  std::vector<std::unique_ptr<Joint>> joints_;
  // Two for each of contacts_ and joints_: the bodies of the joint; NONE twice where it is excluded.
  std::vector<uint32_t> contact_bodies_, joint_bodies_;
  std::vector<Touch> touches_;
  Conditions now_ = {};
  Bodies bodies_;
  Keys keys_;
  bool left_ = false;  // some island of the step is left to ODE's own solver
  std::vector<std::string> said_;
  bool refused_ = false;  // some step was, and this was said
  Problem problems_[2] = {Problem(EXACT), Problem(SWEEPS)};
  uint64_t next_joint_key_ = UINT64_C(1) << 63;
};

template <class Call>
void Adapter::group_gone(dJointGroupID group, Call gone) {
  size_t kept = 0;
  for (const Contact &contact : contacts_)
    if (contact.group != group) contacts_[kept++] = contact;
  contacts_.resize(kept);
  kept = 0;
  for (std::unique_ptr<Joint> &joint : joints_) {
    if (joint->group == group) gone(joint->id);
    else joints_[kept++].swap(joint);
  }
  joints_.resize(kept);
}

}  // namespace drystone_ode

#endif
