// A step: what ODE knows goes to drystone as a problem, what drystone answers goes to ODE as forces, and ODE
// moves the bodies. Islands with joints that the adapter has no rows for are left to ODE's own solver, in the
// same step. Nothing of the world changes before the last stage.
#include "adapter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace drystone_ode {

// A body is at rest below this part of the velocity that gravity gives it in a step: 0.4 nm in a thousand
// seconds. Round-off adds up to a hundredth of it from body to body of a column [-].
static const double AT_REST = 1e-11;

// The round-off of a sum of impulses [-].
static const double ROUND_OFF = 8 * std::numeric_limits<double>::epsilon();

Adapter::Adapter(dWorldID world) : world_(world), links_(dJointGroupCreate(0)) {
  (void)dry_ode_settings_init(&settings, sizeof settings);
  report = {};
}

Adapter::~Adapter() { dJointGroupDestroy(links_); }

void Adapter::say_once(const std::string &sentence) {
  if (std::find(said_.begin(), said_.end(), sentence) != said_.end()) return;
  said_.push_back(sentence);
  dMessage(0, "%s", sentence.c_str());
}

void Adapter::say_refusal(const std::string &why) {
  if (!refused_) dMessage(0, "drystone: a step is refused and the world does not move: %s", why.c_str());
  refused_ = true;
}

void Adapter::step(double h, Stepper own) {
  if (!(h > 0 && std::isfinite(h)))
    throw Refusal{DRY_ERR_ARGUMENT, format("step: %g, expected a number above 0", h)};
  read_conditions(h);
  gather();
  free_motion();
  choose();
  add_contacts();
  add_joints();
  solve();
  add_up();
  advance(own);
  report_feedback();
  keys_.commit();
}

void Adapter::gather() {
  for (Problem &problem : problems_) problem.clear();
  bodies_.clear();
  left_ = false;
  gather_contacts();
  gather_joints();
  gather_strangers();
  bodies_.wake();
}

// The largest mechanism on the ground that is solved exactly, in contacts and joints. A car has nine, a figure
// that lies down about thirty.
static const uint32_t MECHANISM = 40;

// Which islands are solved exactly: those in which nothing is held in more than one way, as columns, chains and
// single bodies are, and those with joints alone. There sweeps pass a force on from one body to the next only, and
// the projection costs as much as a few of them. In walls and piles the sweeps are cheaper. They are cheaper too
// where contacts come and go and slide, so fast bodies are left to sweeps. Small mechanisms on the ground, such as a
// parked car, are solved exactly too. It takes thousands of sweeps to make the joints of a car and the friction of
// its wheels agree, and the remaining error sets it rolling.
void Adapter::choose() {
  // what gravity gives a body in five steps
  const double fast = 5 * length(now_.gravity) * now_.step;
  for (uint32_t i = 0; i < bodies_.list.size(); i++)
    if (bodies_.list[i].movable && bodies_.list[i].speed > fast) bodies_.island(i).is_slow = false;
  for (uint32_t i = 0; i < bodies_.list.size(); i++) {
    Island &island = bodies_.island(i);
    const uint32_t size = island.contacts + island.joints;
    const bool mechanism = island.joints > 0 && size <= MECHANISM;
    const bool fit = island.contacts == 0 || (island.is_slow && (mechanism || island.pairs <= island.bodies));
    island.exact = fit && size <= settings.exact_limit;
  }
}

static void join_reports(dry_step_report &all, const dry_step_report &one) {
  all.flags |= one.flags;
  all.bodies += one.bodies, all.awake_bodies += one.awake_bodies, all.islands += one.islands;
  all.contacts += one.contacts, all.new_contacts += one.new_contacts;
  all.iterations = std::max(all.iterations, one.iterations);
  all.projection_passes = std::max(all.projection_passes, one.projection_passes);
  all.projected_islands += one.projected_islands, all.rejected_islands += one.rejected_islands;
  if (one.residual_max >= all.residual_max)
    all.residual_max = one.residual_max, all.worst_contact = one.worst_contact;
  all.solver_residual = std::max(all.solver_residual, one.solver_residual);
  all.seconds_assemble += one.seconds_assemble, all.seconds_solve += one.seconds_solve;
  all.seconds_project += one.seconds_project, all.seconds_total += one.seconds_total;
}

void Adapter::solve() {
  const int own = dWorldGetQuickStepNumIterations(world_);
  const uint32_t sweeps = settings.iterations != 0 ? settings.iterations : static_cast<uint32_t>(own);
  report = {};
  for (Problem &problem : problems_) {
    problem.solve(now_.step, sweeps, length(now_.gravity) * now_.step);
    join_reports(report, problem.report);
  }
  report.struct_size = sizeof report;
}

void Adapter::add_up() {
  for (const Problem &problem : problems_)
    problem.for_each_share([this, &problem](const Share &share) {
      Body &body = bodies_.list[problem.names[share.body]];
      body.impulse += share.impulse, body.twist += share.twist;
      body.carried += std::fabs(share.impulse.x) + std::fabs(share.impulse.y) + std::fabs(share.impulse.z);
    });
}

// Whether what is left of a body's velocity is round-off of the impulses that stop it, or as good as that.
bool Adapter::rests(const Body &body) const {
  const Problem &problem = problems_[body.rows[EXACT] != NONE ? EXACT : SWEEPS];
  const uint32_t row = body.rows[problem.which()];
  const Vector velocity = problem.velocity(row), spin = problem.spin(row);
  const double limit =
      std::max(AT_REST * length(now_.gravity) * now_.step, ROUND_OFF * body.carried / body.mass);
  return dot(velocity, velocity) + dot(spin, body.inertia * spin) / body.mass <= limit * limit;
}

static void add(dReal *to, const Vector &v, double scale) {
  for (int k = 0; k < 3; k++) to[k] += static_cast<dReal>((k == 0 ? v.x : k == 1 ? v.y : v.z) * scale);
}

// The feedback of a joint: f1 and t1 on its first body, or on its only one; f2 and t2 on the second.
void Adapter::report_feedback() {
  const auto clear = [this](dJointID joint, const uint32_t *bodies) {
    dJointFeedback *feedback = dJointGetFeedback(joint);
    if (feedback != nullptr && !bodies_.left(bodies[0], bodies[1])) *feedback = {};
  };
  for (size_t i = 0; i < contacts_.size(); i++) clear(contacts_[i].joint, &contact_bodies_[2 * i]);
  for (size_t i = 0; i < joints_.size(); i++) clear(joints_[i]->id, &joint_bodies_[2 * i]);
  for (const Problem &problem : problems_)
    problem.for_each_share([this, &problem](const Share &share) {
      dJointFeedback *feedback = dJointGetFeedback(share.joint);
      if (feedback == nullptr) return;
      const dBodyID body = bodies_.list[problem.names[share.body]].id, first = dJointGetBody(share.joint, 0);
      const bool second = first != nullptr && body != first;
      add(second ? feedback->f2 : feedback->f1, share.impulse, 1 / now_.step);
      add(second ? feedback->t2 : feedback->t1, share.twist, 1 / now_.step);
    });
}

// Joints without rows hold the islands together, so that ODE wakes and disables bodies as before. The first one of an
// island is a motor without power and the others are null joints. ODE 0.16 reserves too little memory for an island
// whose joints could have no rows at all, and aborts.
void Adapter::add_links() {
  for (const auto &link : bodies_.links()) {
    if (!bodies_.awake(link.first)) continue;
    Body &leader = bodies_.list[bodies_.leader(link.first)];
    const dJointID joint =
        leader.linked ? dJointCreateNull(world_, links_) : dJointCreateLMotor(world_, links_);
    dJointAttach(joint, bodies_.list[link.first].id, bodies_.list[link.second].id);
    if (!leader.linked) dJointSetLMotorNumAxes(joint, 1);
    leader.linked = true;
  }
}

// Takes the joints that were solved out of ODE's own step, or gives them back.
void Adapter::let_joints_rest(bool rest) {
  const auto turn = [this, rest](dJointID joint, const uint32_t *bodies) {
    if (bodies[0] == NONE && bodies[1] == NONE) return;
    if (!bodies_.left(bodies[0], bodies[1])) (rest ? dJointDisable : dJointEnable)(joint);
  };
  for (size_t i = 0; i < contacts_.size(); i++) turn(contacts_[i].joint, &contact_bodies_[2 * i]);
  for (size_t i = 0; i < joints_.size(); i++) turn(joints_[i]->id, &joint_bodies_[2 * i]);
}

// Lets a body stay where it is to the last bit. Else what rests would creep by round-off, and ODE would find
// its contacts now at these corners, now at those.
static void hold_still(dBodyID body, dWorldID world) {
  dVector3 weight = {0, 0, 0, 0};
  if (dBodyGetGravityMode(body) != 0) {
    dMass mass;
    dBodyGetMass(body, &mass);
    dWorldGetGravity(world, weight);
    for (int k = 0; k < 3; k++) weight[k] *= mass.mass;  // as ODE adds it
  }
  dBodySetLinearVel(body, 0, 0, 0);
  dBodySetAngularVel(body, 0, 0, 0);
  dBodySetForce(body, -weight[0], -weight[1], -weight[2]);
  dBodySetTorque(body, 0, 0, 0);
}

// ODE moves the bodies by its own step. That step excludes the joints that drystone solved, and gets the
// forces that drystone found as forces of the host.
void Adapter::advance(Stepper own) {
  for (const Body &body : bodies_.list) {
    if (body.rows[EXACT] == NONE && body.rows[SWEEPS] == NONE) continue;
    if (!body.movable) continue;
    if (rests(body)) {
      hold_still(body.id, world_);
      continue;
    }
    const Vector force = body.impulse * (1 / now_.step), torque = body.twist * (1 / now_.step);
    dBodyAddForce(body.id, dReal(force.x), dReal(force.y), dReal(force.z));
    dBodyAddTorque(body.id, dReal(torque.x), dReal(torque.y), dReal(torque.z));
  }
  let_joints_rest(true);
  add_links();
  const bool stepped = (left_ ? own : dWorldQuickStep)(world_, dReal(now_.step)) != 0;
  dJointGroupEmpty(links_);
  let_joints_rest(false);
  for (const Body &body : bodies_.list) {
    // what did not step, or was disabled in this step, still has the forces
    if (stepped && (dBodyIsEnabled(body.id) || !body.enabled)) continue;
    dBodySetForce(body.id, dReal(body.force.x), dReal(body.force.y), dReal(body.force.z));
    dBodySetTorque(body.id, dReal(body.torque.x), dReal(body.torque.y), dReal(body.torque.z));
    if (stepped) continue;
    dBodySetLinearVel(body.id, dReal(body.velocity.x), dReal(body.velocity.y), dReal(body.velocity.z));
    dBodySetAngularVel(body.id, dReal(body.spin.x), dReal(body.spin.y), dReal(body.spin.z));
  }
  if (!stepped) throw Refusal{DRY_ERR_MEMORY, "ODE's own step: no memory"};
}

}  // namespace drystone_ode
