// How bodies would move without contacts and joints: what ODE's step does with velocities,
// forces and gravity.
#include "adapter.hpp"

namespace drystone_ode {

// The spin after a step of the implicit gyroscopic term, which ODE adds: (I - h [L]x) w' = I w, L = I w.
static Vector gyroscopic_spin(const Symmetric &inertia, const Vector &spin, double h) {
  const Vector momentum = inertia * spin, l = momentum * h;
  const double *i = inertia.m;
  const Vector rows[3] = {
      {i[0], i[3] + l.z, i[5] - l.y}, {i[3] - l.z, i[1], i[4] + l.x}, {i[5] + l.y, i[4] - l.x, i[2]}};
  return solve(rows, momentum);
}

static Symmetric body_inertia(const dMass &mass) {
  Symmetric inertia;
  const dReal *i = mass.I;
  inertia.m[0] = i[0], inertia.m[1] = i[5], inertia.m[2] = i[10];
  inertia.m[3] = i[1], inertia.m[4] = i[6], inertia.m[5] = i[2];
  return inertia;
}

void Adapter::read_conditions(double h) {
  dVector3 gravity;
  dWorldGetGravity(world_, gravity);
  now_ = {h, Vector(gravity), dWorldGetERP(world_), dWorldGetCFM(world_),
          dWorldGetContactSurfaceLayer(world_), dWorldGetContactMaxCorrectingVel(world_)};
}

static void weigh(Body &body) {
  dMass mass;
  dBodyGetMass(body.id, &mass);
  body.mass = mass.mass;
  body.inertia = rotated(body_inertia(mass), body.rotation);
  body.speed =
      std::sqrt(dot(body.velocity, body.velocity) + dot(body.spin, body.inertia * body.spin) / body.mass);
}

void Adapter::free_motion() {
  for (Body &body : bodies_.list) {
    body.position = Vector(dBodyGetPosition(body.id));
    body.rotation = Rotation(dBodyGetRotation(body.id));
    body.velocity = Vector(dBodyGetLinearVel(body.id));
    body.spin = Vector(dBodyGetAngularVel(body.id));
    body.force = Vector(dBodyGetForce(body.id));
    body.torque = Vector(dBodyGetTorque(body.id));
    body.impulse = body.twist = Vector();
    body.carried = 0;
    if (body.movable) weigh(body);
  }
}

// The row of a body in a problem. Its velocities there hold what gravity, the host's forces and the
// gyroscopic term add in the step.
uint32_t Adapter::row(Which which, uint32_t index) {
  if (index == NONE) return NONE;
  Body &body = bodies_.list[index];
  if (body.rows[which] != NONE) return body.rows[which];
  Problem &problem = problems_[which];
  dry_problem_body result = {};
  Vector velocity = body.velocity, spin = body.spin;
  const double h = now_.step;
  if (body.movable) {
    body.inverse_inertia = inverse(body.inertia);
    if (!body.inertia.isotropic() && dBodyGetGyroscopicMode(body.id) != 0)
      spin = gyroscopic_spin(body.inertia, spin, h);
    velocity += body.force * (h / body.mass);
    if (dBodyGetGravityMode(body.id) != 0) velocity += now_.gravity * h;
    spin += body.inverse_inertia * (body.torque * h);
    result.inverse_mass = 1.0 / body.mass;
    for (int k = 0; k < 6; k++) result.inverse_inertia[k] = body.inverse_inertia.m[k];
  }
  store(result.velocity, velocity);
  store(result.angular_velocity, spin);
  body.rows[which] = static_cast<uint32_t>(problem.bodies.size());
  problem.bodies.push_back(result);
  problem.names.push_back(index);
  return body.rows[which];
}

}  // namespace drystone_ode
