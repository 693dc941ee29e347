// The rows of a joint, one after the other.
#include "rows.hpp"

#include <algorithm>

namespace drystone_ode {

Limot::Limot(const Joint &joint, dReal (*get)(dJointID, int), int group)
    : low(get(joint.id, dParamLoStop + group)), high(get(joint.id, dParamHiStop + group)),
      velocity(get(joint.id, dParamVel + group)), force(get(joint.id, dParamFMax + group)),
      bounce(get(joint.id, dParamBounce + group)), cfm(get(joint.id, dParamCFM + group)),
      stop_erp(get(joint.id, dParamStopERP + group)), stop_cfm(get(joint.id, dParamStopCFM + group)) {}

Rows::Rows(Problem &problem, const Joint &joint, const Conditions &now, const End &first, const End &second)
    : which_(problem.which()),
      problem_(problem),
      joint_(joint),
      now_(now),
      first_(first),
      second_(second),
      erp_(now.erp),
      cfm_(now.cfm),
      key_(joint.key) {}

Rotation Rows::axes_of(dBodyID body) const {
  if (body == first_.body->id) return first_.body->rotation;
  return second_.body != nullptr && body == second_.body->id ? second_.body->rotation : Rotation();
}

Vector Rows::second_point(const Vector &point) const {
  return second_.body != nullptr ? second_.body->position + second_.body->rotation.to_world(point) : point;
}

Quaternion Rows::second_turn() const {
  return second_.body != nullptr ? Quaternion(dBodyGetQuaternion(second_.body->id)) : Quaternion();
}

dry_problem_row Rows::angular(const Vector &direction) const {
  dry_problem_row row = {};
  row.body_a = first_.row, row.body_b = second_.row;
  row.friction_row = -1;
  store(row.jacobian_a + 3, direction);
  if (second_.body != nullptr) store(row.jacobian_b + 3, -direction);
  return row;
}

dry_problem_row Rows::linear(const Vector &direction, const Vector &arm_first,
                             const Vector &arm_second) const {
  dry_problem_row row = angular(cross(arm_first, direction));
  store(row.jacobian_a, direction);
  if (second_.body != nullptr) {
    store(row.jacobian_b, -direction);
    store(row.jacobian_b + 3, cross(direction, arm_second));
  }
  return row;
}

// low, high: forces. Sweeps alone start joints from zero: from the last impulses a chain that whirls around
// would gain energy step by step where they do not converge.
void Rows::add(dry_problem_row row, double rhs, double cfm, double low, double high) {
  row.key = which_ == EXACT ? key_ : 0;
  key_++;
  row.rhs = rhs;
  row.compliance = softness(cfm) / now_.step;
  row.lower = low == -dInfinity ? -INFINITY : low * now_.step;
  row.upper = high == dInfinity ? INFINITY : high * now_.step;
  problem_.rows.push_back(row);
  problem_.row_joints.push_back(joint_.id);
}

void Rows::along(const Vector &direction, const Vector &at_first, const Vector &at_second, double error) {
  const Vector arm_second = second_.body != nullptr ? at_second - second_.body->position : Vector();
  add(linear(direction, at_first - first_.body->position, arm_second), erp_ / now_.step * error, cfm_,
      -dInfinity, dInfinity);
}

void Rows::about(const Vector &direction, double error) {
  add(angular(direction), erp_ / now_.step * error, cfm_, -dInfinity, dInfinity);
}

void Rows::point(const Vector &of_first, const Vector &of_second) {
  const Vector error = of_second - of_first;
  along({1, 0, 0}, of_first, of_second, error.x);
  along({0, 1, 0}, of_first, of_second, error.y);
  along({0, 0, 1}, of_first, of_second, error.z);
}

void Rows::turn_limot(const Limot &limot, const Vector &axis, double angle, bool every_stop) {
  const bool stops = every_stop || ((limot.low >= -M_PI || limot.high <= M_PI) && limot.low <= limot.high);
  double speed = dot(first_.body->spin, axis);
  if (second_.body != nullptr) speed -= dot(second_.body->spin, axis);
  this->limot(angular(axis), limot, angle, speed, stops);
}

// The force acts half way between the two bodies, so that it turns them not more one way than the other.
void Rows::slide_limot(const Limot &limot, const Vector &axis, double position) {
  Vector half;
  double speed = dot(first_.body->velocity, axis);
  if (second_.body != nullptr) {
    half = (second_.body->position - first_.body->position) * 0.5;
    speed -= dot(second_.body->velocity, axis);
  }
  this->limot(linear(axis, half, -half), limot, position, speed, limot.low <= limot.high);
}

// Stop and motor are rows of their own: ODE has one row for both, and guesses the motor's force at a stop,
// which is what its fudge factor is for.
void Rows::limot(const dry_problem_row &row, const Limot &limot, double position, double speed, bool stops) {
  const bool low = stops && position <= limot.low, high = stops && !low && position >= limot.high;
  const bool both = limot.low == limot.high;
  const uint64_t key = key_;  // the same for the stop, whether the motor runs or not
  if (limot.force > 0 && !((low || high) && both))
    add(row, limot.velocity, limot.cfm, -limot.force, limot.force);
  key_ = key + 1;
  if (low || high) {
    double rhs = -limot.stop_erp / now_.step * (position - (low ? limot.low : limot.high));
    if (!both && limot.bounce > 0 && (low ? speed < 0 : speed > 0))
      rhs = low ? std::max(rhs, -limot.bounce * speed) : std::min(rhs, -limot.bounce * speed);
    add(row, rhs, limot.stop_cfm, low && !both ? 0 : -dInfinity, high && !both ? 0 : dInfinity);
  }
  key_ = key + 2;
}

}  // namespace drystone_ode
