// A problem of drystone's, its solution, and how it is solved.
#ifndef DRYSTONE_ODE_PROBLEM_HPP
#define DRYSTONE_ODE_PROBLEM_HPP

#include "keys.hpp"
#include "vector.hpp"

#include <drystone.h>
#include <ode/common.h>

#include <memory>
#include <vector>

namespace drystone_ode {

// The two ways in which islands are solved. Each has a solver of its own, which remembers the impulses of its
// islands.
enum Which {
  EXACT = 0,  // sweeps, and then what sticks is made to stick exactly: columns at rest, chains, single bodies
  SWEEPS = 1,  // sweeps alone: what is walled up, piled up or tumbling
};

// What a contact or a row gives one of its bodies.
struct Share {
  dJointID joint;
  uint32_t body;  // row in the problem
  Vector impulse, twist;
};

// The softness that a CFM asks for: none, where it is the trace that ODE gives every new world to keep its
// own solver's matrices regular.
double softness(double cfm);

class Problem {
 public:
  explicit Problem(Which which) : which_(which) {}
  void clear();
  Which which() const { return which_; }
  // wanted: the sweeps of ODE's step. fall: |gravity| times the step.
  void solve(double h, uint32_t wanted, double fall);
  template <class Call>
  void for_each_share(Call call) const;
  // The velocity and the spin of a body after the last solve.
  Vector velocity(uint32_t body) const;
  Vector spin(uint32_t body) const;

  std::vector<dry_problem_body> bodies;
  std::vector<uint32_t> names;  // parallel to bodies: which of the step's
  std::vector<dry_problem_contact> contacts;
  std::vector<dry_problem_row> rows;
  std::vector<dJointID> contact_joints, row_joints;  // parallel to contacts and rows
  size_t fresh = 0;  // contacts that the last step did not have
  dry_step_report report = {};

 private:
  uint32_t sweeps(uint32_t wanted, double fall) const;
  Share share_of_contact(size_t index, bool b) const;
  Share share_of_row(size_t index, bool b) const;

  bool projects();

  Which which_;
  uint32_t failures_ = 0, wait_ = 0;  // of the projection; steps until it is tried again
  struct End {
    void operator()(dry_solver *solver) const { dry_solver_destroy(solver); }
  };
  std::unique_ptr<dry_solver, End> solver_;
  std::vector<dry_contact_solution> solutions_;
  std::vector<double> row_impulses_, velocities_;
};

template <class Call>
void Problem::for_each_share(Call call) const {
  for (int b = 0; b < 2; b++) {
    for (size_t i = 0; i < contacts.size(); i++)
      if ((b ? contacts[i].body_b : contacts[i].body_a) != NONE) call(share_of_contact(i, b != 0));
    for (size_t i = 0; i < rows.size(); i++)
      if ((b ? rows[i].body_b : rows[i].body_a) != NONE) call(share_of_row(i, b != 0));
  }
}

}  // namespace drystone_ode

#endif
