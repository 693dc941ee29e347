// Contacts with different friction in the two directions, as rows: normal, two directions of friction, three of
// rolling and spinning. Each row has bounds of its own, as in ODE.
#include "adapter.hpp"

#include <algorithm>

namespace drystone_ode {

// A row along a direction at the contact point, or about it. `side` -1 turns it round.
dry_problem_row Adapter::row_along(const Touch &touch, const Vector &direction, bool angular, double side) {
  dry_problem_row row = {};
  const Vector d = direction * side;
  double first[6] = {}, second[6] = {};
  if (angular) {
    store(first + 3, d);
    store(second + 3, -d);
  } else {
    store(first, d);
    store(first + 3, cross(touch.arm_first, d));
    store(second, -d);
    store(second + 3, cross(d, touch.arm_second));
  }
  if (touch.second == NONE) std::fill_n(second, 6, 0.0);
  const uint32_t index_first = this->row(touch.which, touch.first),
                 index_second = this->row(touch.which, touch.second);
  row.body_a = touch.reversed ? index_second : index_first;
  row.body_b = touch.reversed ? index_first : index_second;
  std::copy_n(touch.reversed ? second : first, 6, row.jacobian_a);
  std::copy_n(touch.reversed ? first : second, 6, row.jacobian_b);
  row.friction_row = -1;
  return row;
}

// Bounds of friction: in proportion to the normal impulse, or a force of their own.
static void bound(dry_problem_row &row, double limit, bool proportional, size_t normal_row, double h) {
  if (limit == dInfinity) limit = INFINITY;
  else if (proportional) row.friction_row = static_cast<int32_t>(normal_row);
  else limit *= h;
  row.lower = -limit, row.upper = limit;
}

void Adapter::add_rows(const Touch &touch) {
  const dSurfaceParameters &s = touch.contact->surface;
  Problem &problem = problems_[touch.which];
  const size_t normal_row = problem.rows.size();
  dry_problem_row normal = row_along(touch, touch.normal, false, 1);
  normal.key = touch.key;
  normal.rhs = touch.push;
  normal.compliance = touch.compliance;
  normal.upper = INFINITY;
  problem.rows.push_back(normal);

  // with the bodies turned round one of the two directions turns as well, and the remembered impulse must not
  const bool given = touch.has(dContactFDir1), two = touch.has(dContactAxisDep);
  const double side1 = touch.reversed && given ? -1 : 1, side2 = touch.reversed && !given ? -1 : 1;
  const double motion1 = touch.has(dContactMotion1) ? s.motion1 : 0,
               motion2 = touch.has(dContactMotion2) ? s.motion2 : 0;
  const double slip1 = touch.has(dContactSlip1) ? s.slip1 : 0, slip2 = touch.has(dContactSlip2) ? s.slip2 : 0;
  struct {
    Vector direction;
    double limit, side, motion, slip;
    int proportional;
  } const wanted[5] = {
      {touch.across1, s.mu, side1, motion1, slip1, dContactApprox1_1},
      {touch.across2, two ? s.mu2 : s.mu, side2, motion2, slip2, dContactApprox1_2},
      {touch.across1, s.rho, side1, 0, 0, dContactApprox1_1},
      {touch.across2, two ? s.rho2 : s.rho, side2, 0, 0, dContactApprox1_2},
      {touch.normal, two ? s.rhoN : s.rho, 1, 0, 0, dContactApprox1_N},
  };
  for (uint64_t k = 0; k < (touch.has(dContactRolling) ? 5U : 2U); k++) {
    if (!(wanted[k].limit > 0)) continue;
    dry_problem_row row = row_along(touch, wanted[k].direction, k >= 2, wanted[k].side);
    row.key = touch.key + 1 + k;
    row.rhs = wanted[k].motion * wanted[k].side;
    row.compliance = wanted[k].slip / now_.step;
    bound(row, wanted[k].limit, touch.has(wanted[k].proportional), normal_row, now_.step);
    problem.rows.push_back(row);
  }
  problem.row_joints.resize(problem.rows.size(), touch.joint);
}

}  // namespace drystone_ode
