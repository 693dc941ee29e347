// A problem of drystone's, and the settings with which it is solved.
#include "problem.hpp"
#include "adapter.hpp"

#include <algorithm>
#include <cmath>

namespace drystone_ode {

// Residuals below this part of the velocity that gravity gives a body in a step are those of rest [-].
static const double QUIET = 1e-8;
// So many times as many sweeps are made at most where projections failed lately.
static const uint32_t MAX_TIMES = 5;

// The message of drystone's last failing call on this thread.
static std::string message_of_drystone() {
  char text[512] = "";
  (void)dry_last_error(text, sizeof text, nullptr);
  return text;
}

static void check(dry_status status) {
  if (status != DRY_OK) throw Refusal{status, message_of_drystone()};
}

double softness(double cfm) {
  const dReal regular = sizeof(dReal) == sizeof(double) ? dReal(1e-10) : dReal(1e-5);
  return dReal(cfm) == regular ? 0 : cfm;
}

void Problem::clear() {
  bodies.clear();
  names.clear();
  contacts.clear();
  rows.clear();
  contact_joints.clear();
  row_joints.clear();
  fresh = 0;
}

// How many sweeps are made where ODE makes so many. Sweeps over large problems go over several contacts at once and
// cost less than half of ODE's, and with twice as many walls and piles come to rest. A projected problem needs sweeps
// only to find the contacts that touch and those that slide. One sweep is enough if the last step was at rest and all
// its contacts are still there. It is also enough if there are only joints without bounds.
uint32_t Problem::sweeps(uint32_t wanted, double fall) const {
  const size_t large = 250;
  if (which_ == SWEEPS) return contacts.size() + rows.size() / 3 >= large ? 2 * wanted : wanted;
  const auto bounded = [](const dry_problem_row &row) {
    return row.lower > -INFINITY || row.upper < INFINITY;
  };
  if (contacts.empty() && std::none_of(rows.begin(), rows.end(), bounded)) return 1;
  // bodies that shake because of too few sweeps would never stop
  if (failures_ > 0) return (1 + std::min(failures_, MAX_TIMES - 1)) * wanted;
  const bool rest = fresh == 0 && report.residual_max <= QUIET * fall;
  return rest ? 1 : wanted;
}

// A projection that fails costs as much as a hundred sweeps. What falls into place fails for some steps and
// then holds for good; what goes on failing is tried now and then only.
bool Problem::projects() {
  const uint32_t max_failures = 30, pause = 16;
  if (which_ == SWEEPS) return false;
  if (wait_ > 0) {
    wait_--;
    return false;
  }
  const bool failed = report.rejected_islands > 0;
  failures_ = failed ? failures_ + 1 : failures_ / 2;
  if (failed && failures_ > max_failures) wait_ = pause;
  return wait_ == 0;
}

void Problem::solve(double h, uint32_t wanted, double fall) {
  if (contacts.empty() && rows.empty()) {
    report = {};
    return;
  }
  if (solver_ == nullptr) {
    dry_solver *solver = nullptr;
    check(dry_solver_create(&solver));
    solver_.reset(solver);
  }
  solutions_.resize(contacts.size());
  row_impulses_.resize(rows.size());
  velocities_.resize(6 * bodies.size());
  dry_problem problem = {};
  problem.struct_size = sizeof problem;
  problem.step = h;
  problem.bodies = bodies.data(), problem.body_count = bodies.size();
  problem.contacts = contacts.data(), problem.contact_count = contacts.size();
  problem.rows = rows.data(), problem.row_count = rows.size();
  dry_step_report result = {};
  result.struct_size = sizeof result;
  dry_solution solution = {};
  solution.struct_size = sizeof solution;
  solution.velocities = velocities_.data();
  solution.contacts = solutions_.data();
  solution.row_impulses = row_impulses_.data();
  solution.report = &result;
  dry_settings settings;
  check(dry_settings_init(&settings, sizeof settings));
  settings.iterations = sweeps(wanted, fall);
  // the second pass is for what one sweep does not show; what a third could do the next step does
  if (projects()) settings.projection = DRY_PROJECTION_STICK, settings.projection_passes = 2;
  check(dry_solver_solve(solver_.get(), &problem, &settings, &solution));
  report = result;
}

static Vector vector(const double *v) { return {v[0], v[1], v[2]}; }

Vector Problem::velocity(uint32_t body) const { return vector(&velocities_[6 * size_t(body)]); }
Vector Problem::spin(uint32_t body) const { return vector(&velocities_[6 * size_t(body) + 3]); }

Share Problem::share_of_contact(size_t index, bool b) const {
  const dry_problem_contact &contact = contacts[index];
  const dry_contact_solution &solution = solutions_[index];
  const Vector impulse = vector(solution.impulse) * (b ? 1 : -1);
  const Vector twist = vector(solution.torque_impulse) * (b ? 1 : -1);
  const Vector arm = vector(b ? contact.arm_b : contact.arm_a);
  return {contact_joints[index], b ? contact.body_b : contact.body_a, impulse, cross(arm, impulse) + twist};
}

Share Problem::share_of_row(size_t index, bool b) const {
  const dry_problem_row &row = rows[index];
  const double *jacobian = b ? row.jacobian_b : row.jacobian_a;
  const double impulse = row_impulses_[index];
  return {row_joints[index], b ? row.body_b : row.body_a, vector(jacobian) * impulse,
          vector(jacobian + 3) * impulse};
}

}  // namespace drystone_ode
