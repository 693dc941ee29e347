// ODE's contacts as drystone's: a dContact becomes one contact with a round cone of friction, or, where its
// friction is not alike in both directions, rows (contact_rows.cpp).
#include "adapter.hpp"

#include <algorithm>

namespace drystone_ode {

// Refuses what drystone would not notice; it refuses all else by itself.
static void check(const dSurfaceParameters &surface) {
  const int known = dContactMu2 | dContactFDir1 | dContactBounce | dContactSoftERP | dContactSoftCFM |
                    dContactMotion1 | dContactMotion2 | dContactMotionN | dContactSlip1 | dContactSlip2 |
                    dContactRolling | dContactApprox1;
  if ((surface.mode & ~known) != 0)
    throw Refusal{DRY_ERR_UNSUPPORTED,
                  format("dContact.surface.mode: bits 0x%x, expected none but those of ODE 0.16",
                         static_cast<unsigned>(surface.mode & ~known))};
  const auto number = [&surface](int mode, const char *name, dReal value) {
    if ((surface.mode & mode) == mode && value != value)
      throw Refusal{DRY_ERR_NOT_FINITE, format("dContact.surface.%s: NaN, expected a number", name)};
  };
  number(0, "mu", surface.mu);
  number(dContactMu2, "mu2", surface.mu2);
  number(dContactRolling, "rho", surface.rho);
  number(dContactRolling | dContactAxisDep, "rho2", surface.rho2);
  number(dContactRolling | dContactAxisDep, "rhoN", surface.rhoN);
  number(dContactBounce, "bounce", surface.bounce);
  number(dContactBounce, "bounce_vel", surface.bounce_vel);
}

// Whether friction, slip and rolling are equal in both directions, and in proportion to the normal force.
static bool isotropic(const dSurfaceParameters &s) {
  const bool two = (s.mode & dContactMu2) != 0;
  const int sides = dContactApprox1_1 | dContactApprox1_2;
  if (two && s.mu2 != s.mu) return false;
  if (s.mu > 0 && ((s.mode & sides) != sides || s.mu == dInfinity)) return false;
  const bool slip1 = (s.mode & dContactSlip1) != 0, slip2 = (s.mode & dContactSlip2) != 0;
  if (slip1 != slip2 || (slip1 && s.slip1 != s.slip2)) return false;
  if ((s.mode & dContactRolling) == 0) return true;
  if (two && s.rho2 != s.rho) return false;
  const double spin = two ? s.rhoN : s.rho;
  return (s.mode & dContactApprox1) == dContactApprox1 && s.rho < dInfinity && spin < dInfinity;
}

// An overlap that is off by no more than this part of that of rest counts as that of rest [-].
static const double SLIGHT = 1e-5;

// What overlaps by less than this part of the overlap of rest may be lost by the next rounding [-].
static const double MIN_DEPTH = 1e-4;

static Vector velocity_at(const Body &body, const Vector &arm) {
  return body.velocity + cross(body.spin, arm);
}

static bool is_spring(const Touch &touch) {
  return touch.has(dContactSoftCFM) && touch.contact->surface.soft_cfm > 0;
}

// The overlap with which a contact may rest [m].
double Adapter::resting_overlap(const Touch &touch) const {
  const double fall = length(now_.gravity) * now_.step * now_.step;
  return is_spring(touch) ? now_.layer : std::max(now_.layer, settings.resting_overlap * fall);
}

// Returns the normal velocity that a contact requires: it undoes overlap, or is a rebound.
//
// Contacts at rest would be lost if overlap were undone completely, for ODE finds none that do not overlap. So they
// rest at any overlap up to a small one. In the exact problem a pair of geoms with a contact that was nearly lost
// settles: all its contacts sink to the overlap of rest. All corners of a face are then found, end at one depth and
// do not contradict each other. The last trace is not worth a step. Sweeps alone never let a contact close: where
// they have not converged, a gap that closes at once sets stacks rocking.
double Adapter::push(const Touch &touch) const {
  const dSurfaceParameters &surface = touch.contact->surface;
  const double depth = touch.depth, rest = resting_overlap(touch);
  const double erp = touch.has(dContactSoftERP) ? surface.soft_erp : now_.erp;
  const double motion = touch.has(dContactMotionN) ? surface.motionN : 0;
  double excess = depth - rest;
  if ((excess < 0 && !touch.settles) || std::fabs(excess) <= SLIGHT * rest) excess = 0;
  double push = std::min(erp / now_.step * excess + motion, now_.fastest_push);
  if (touch.has(dContactBounce) && surface.bounce_vel >= 0) {
    Vector velocity = velocity_at(bodies_.list[touch.first], touch.arm_first);
    if (touch.second != NONE) velocity -= velocity_at(bodies_.list[touch.second], touch.arm_second);
    const double closing = motion - dot(velocity, touch.normal);
    if (closing > surface.bounce_vel) push = std::max(push, surface.bounce * closing + motion);
  }
  return push;
}

Touch Adapter::touch(const Contact &known, const uint32_t *bodies) const {
  Touch touch = {};
  const dContact &contact = known.contact;
  touch.contact = &contact;
  touch.joint = known.joint;
  touch.first = bodies[0] != NONE ? bodies[0] : bodies[1];
  touch.second = bodies[0] != NONE ? bodies[1] : NONE;
  Vector normal(contact.geom.normal);
  const double square = dot(normal, normal);
  // single precision, and what hosts make by themselves, is rarely of length 1 to 1e-9
  if (square > 0 && std::fabs(square - 1) > 1e-12) normal = normal * (1 / std::sqrt(square));
  touch.normal =
      bodies[0] != NONE ? normal : -normal;  // ODE's joint turns round where its first body is the world
  touch.depth = contact.geom.depth;
  const Vector place(contact.geom.pos);
  touch.arm_first = place - bodies_.list[touch.first].position;
  if (touch.second != NONE) touch.arm_second = place - bodies_.list[touch.second].position;
  if (touch.has(dContactFDir1)) {
    touch.across1 = Vector(contact.fdir1);
    touch.across2 = cross(touch.normal, touch.across1);
  } else if (touch.has(dContactMu2 | dContactMotion1 | dContactMotion2 | dContactSlip1 | dContactSlip2) ||
             !isotropic(contact.surface) || settings.friction == DRY_ODE_PYRAMID) {
    const dVector3 n = {dReal(touch.normal.x), dReal(touch.normal.y), dReal(touch.normal.z), 0};
    dVector3 p, q;
    dPlaneSpace(n, p, q);
    touch.across1 = Vector(p), touch.across2 = Vector(q);
  }
  const double cfm = touch.has(dContactSoftCFM) ? double(contact.surface.soft_cfm) : softness(now_.cfm);
  touch.compliance = cfm / now_.step;
  return touch;
}

void Adapter::add_cone(const Touch &touch) {
  const dSurfaceParameters &surface = touch.contact->surface;
  Problem &problem = problems_[touch.which];
  const uint32_t first = row(touch.which, touch.first), second = row(touch.which, touch.second);
  dry_problem_contact contact = {};
  const double side = touch.reversed ? -1 : 1;
  contact.key = touch.key;
  contact.body_a = touch.reversed ? first : second;
  contact.body_b = touch.reversed ? second : first;
  store(contact.normal, touch.normal * side);
  store(contact.arm_a, touch.reversed ? touch.arm_first : touch.arm_second);
  store(contact.arm_b, touch.reversed ? touch.arm_second : touch.arm_first);
  contact.normal_bias = -touch.push;
  contact.normal_compliance = touch.compliance;
  contact.friction = std::max<double>(surface.mu, 0);
  Vector surface_velocity;
  if (touch.has(dContactMotion1)) surface_velocity += touch.across1 * (surface.motion1 * side);
  if (touch.has(dContactMotion2)) surface_velocity += touch.across2 * (surface.motion2 * side);
  store(contact.surface_velocity, surface_velocity);
  if (touch.has(dContactSlip1)) contact.tangential_compliance = surface.slip1 / now_.step;
  if (touch.has(dContactRolling)) {
    contact.rolling = std::max<double>(surface.rho, 0);
    contact.twisting = std::max<double>(touch.has(dContactAxisDep) ? surface.rhoN : surface.rho, 0);
  }
  problem.contacts.push_back(contact);
  problem.contact_joints.push_back(touch.joint);
}

// The geoms of a contact, by which it is known from step to step, that of its first body first; its bodies
// where it names no geoms.
static std::pair<const void *, const void *> names(const Contact &contact, bool turned) {
  const void *first = contact.contact.geom.g1, *second = contact.contact.geom.g2;
  if (first == nullptr && second == nullptr)
    first = dJointGetBody(contact.joint, 0), second = dJointGetBody(contact.joint, 1);
  return turned ? std::make_pair(second, first) : std::make_pair(first, second);
}

void Adapter::gather_contacts() {
  contact_bodies_.clear();
  const Contact *last = nullptr;
  uint32_t last_first = NONE, last_second = NONE;
  for (const Contact &contact : contacts_) {
    uint32_t first = bodies_.index(dJointGetBody(contact.joint, 0));
    uint32_t second = bodies_.index(dJointGetBody(contact.joint, 1));
    if (first != NONE) bodies_.list[first].joints++;
    if (second != NONE) bodies_.list[second].joints++;
    if (dJointIsEnabled(contact.joint) == 0) first = second = NONE;
    const dContactGeom &geom = contact.contact.geom;
    const bool fresh = last == nullptr || first != last_first || second != last_second ||
                       geom.g1 != last->contact.geom.g1 || geom.g2 != last->contact.geom.g2;
    bodies_.join(first, second, fresh ? Bodies::FIRST_CONTACT : Bodies::CONTACT);
    contact_bodies_.push_back(first);
    contact_bodies_.push_back(second);
    last = &contact, last_first = first, last_second = second;
  }
}

// Whether a joint between these bodies moves one of them in this step.
bool Adapter::takes_part(uint32_t first, uint32_t second) {
  const uint32_t some = first != NONE ? first : second;
  if (some == NONE || !bodies_.awake(some) || bodies_.left(first, second)) return false;
  return (first != NONE && bodies_.list[first].movable) || (second != NONE && bodies_.list[second].movable);
}

// A body that went no farther than this part of an arm in the last step has not moved [-].
static const double HARDLY = 1e-9;

// The contacts that ODE finds between two boxes depend on which of them a space names first, and spaces change that
// order from step to step. A contact lies on the second one's surface. Where two edges meet, its normal is that of a
// face of the first. Between bodies that have hardly moved, a contact in the other order keeps its position of the
// last step.
void Adapter::stay(Touch &touch, size_t point) {
  const Keys::Found &before = keys_.points()[point].before;
  const double reach = HARDLY * length(touch.arm_first);
  for (const uint32_t index : {touch.first, touch.second}) {
    const Body &body = bodies_.list[index];
    if (length(body.velocity) * now_.step > reach || length(body.spin) * now_.step > HARDLY) return;
  }
  if (length(before.spot - keys_.points()[point].now.spot) > before.depth + touch.depth + reach) return;
  touch.arm_first = before.spot - bodies_.list[touch.first].position;
  touch.arm_second = before.spot - bodies_.list[touch.second].position;
  touch.normal = -before.normal;
  keys_.stays(point);
}

void Adapter::add_contacts() {
  keys_.begin();
  touches_.clear();
  std::pair<const void *, const void *> run;
  double reach = 0;
  for (size_t i = 0; i < contacts_.size(); i++) {
    const uint32_t *bodies = &contact_bodies_[2 * i];
    if (!takes_part(bodies[0], bodies[1])) continue;
    check(contacts_[i].contact.surface);
    Touch touch = this->touch(contacts_[i], bodies);
    auto pair = names(contacts_[i], bodies[0] == NONE);
    touch.reversed = touch.second != NONE && keys_.reversed(pair.first, pair.second);
    if (touch.reversed) std::swap(pair.first, pair.second);
    if (touches_.empty() || pair != run) {
      if (!touches_.empty()) keys_.close(reach);
      keys_.open(pair.first, pair.second);
      run = pair, reach = 0;
    }
    const Vector &arm = touch.reversed ? touch.arm_second : touch.arm_first;
    const Body &body = bodies_.list[touch.reversed ? touch.second : touch.first];
    const dContactGeom &geom = contacts_[i].contact.geom;
    const Keys::Found found = {Vector(geom.pos), touch.reversed ? -touch.normal : touch.normal, touch.depth};
    keys_.add(body.rotation.to_body(arm), found, geom.side1, geom.side2);
    reach = std::max(reach, 0.25 * length(arm));
    touches_.push_back(touch);
  }
  if (!touches_.empty()) keys_.close(reach);
  for (size_t i = 0; i < touches_.size(); i++) complete(touches_[i], i);
  keys_.share_settling();
  for (size_t i = 0; i < touches_.size(); i++) {
    Touch &touch = touches_[i];
    touch.settles = touch.which == EXACT && !is_spring(touch) && keys_.points()[i].settles;
    touch.push = push(touch);
    problems_[touch.which].fresh += keys_.points()[i].fresh ? 1 : 0;
    if (settings.friction == DRY_ODE_CONE && isotropic(touch.contact->surface)) add_cone(touch);
    else add_rows(touch);
  }
}

// What follows from which contact of the last step a touch was.
void Adapter::complete(Touch &touch, size_t point) {
  const bool first_moves = bodies_.list[touch.first].movable;
  const double rest = resting_overlap(touch);
  touch.which = bodies_.island(first_moves ? touch.first : touch.second).exact ? EXACT : SWEEPS;
  touch.key = KEYS_OF_A_CONTACT * keys_.points()[point].key;
  const bool round = dot(touch.across1, touch.across1) == 0;
  if (touch.reversed && round && !keys_.points()[point].fresh) stay(touch, point);
  if (touch.depth < MIN_DEPTH * rest) keys_.settle(point, true);
  if (touch.depth >= (1 - SLIGHT) * rest) keys_.settle(point, false);
}

}  // namespace drystone_ode
