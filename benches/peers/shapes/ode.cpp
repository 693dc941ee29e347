// ODE behind peer.h: dWorldQuickStep and a hash space, with stock settings. Debian's build finds contacts of cylinders
// and hulls with libccd.
#include "peer.h"

#include <ode/ode.h>
#include <cmath>
#include <deque>
#include <vector>

struct Hull { // what dCreateConvex reads; it keeps pointers
  std::vector<dReal> planes, points;
  std::vector<unsigned> polygons;
};

struct PeerWorld {
  PeerConfig config;
  dWorldID world;
  dSpaceID space;
  dJointGroupID joints;
  std::vector<dBodyID> moving;
  std::deque<Hull> hulls;
  long contacts;
};

static void touch(void *data, dGeomID a, dGeomID b) {
  PeerWorld *w = static_cast<PeerWorld *>(data);
  dBodyID one = dGeomGetBody(a), other = dGeomGetBody(b);
  if (!one && !other) return;
  dContact contacts[8];
  const int count = dCollide(a, b, 8, &contacts[0].geom, sizeof(dContact));
  for (int i = 0; i < count; i++) {
    contacts[i].surface.mode = dContactApprox1;
    contacts[i].surface.mu = w->config.friction;
    dJointAttach(dJointCreateContact(w->world, w->joints, &contacts[i]), one, other);
  }
  w->contacts += count;
}

// The planes and triangles of the hull of few points, no four of them in one plane: all triples are tried.
static dGeomID hull_of(PeerWorld *w, const PeerShape &s) {
  Hull &h = w->hulls.emplace_back();
  const int n = s.point_count;
  h.points.assign(s.points, s.points + 3 * n);
  auto p = [&](int i) { return &h.points[3 * size_t(i)]; };
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++)
      for (int c = b + 1; c < n; c++) {
        dVector3 u, v, normal;
        for (int k = 0; k < 3; k++) u[k] = p(b)[k] - p(a)[k], v[k] = p(c)[k] - p(a)[k];
        dCalcVectorCross3(normal, u, v);
        dNormalize3(normal);
        const dReal offset = dCalcVectorDot3(normal, p(a));
        int above = 0, below = 0;
        for (int i = 0; i < n; i++)
          if (i != a && i != b && i != c) (dCalcVectorDot3(normal, p(i)) > offset ? above : below)++;
        if (above && below) continue;
        const dReal sign = above ? -1 : 1;
        h.planes.insert(h.planes.end(), {sign * normal[0], sign * normal[1], sign * normal[2], sign * offset});
        h.polygons.insert(h.polygons.end(), {3u, unsigned(a), unsigned(above ? c : b), unsigned(above ? b : c)});
      }
  return dCreateConvex(w->space, h.planes.data(), unsigned(h.planes.size() / 4), h.points.data(), unsigned(n), h.polygons.data());
}

static dGeomID geometry_of(PeerWorld *w, const PeerShape &s) {
  switch (s.kind) {
  case PEER_BOX: return dCreateBox(w->space, 2 * s.half[0], 2 * s.half[1], 2 * s.half[2]);
  case PEER_HULL: return hull_of(w, s);
  case PEER_CYLINDER: return dCreateCylinder(w->space, s.radius, 2 * s.half_length);
  case PEER_CAPSULE: return dCreateCapsule(w->space, s.radius, 2 * s.half_length);
  default: return dCreateSphere(w->space, s.radius);
  }
}

extern "C" {

const char *peer_engine(void) { return "ode"; }
const char *peer_version(void) { return "0.16.2"; }
const char *peer_precision(void) { return sizeof(dReal) == 8 ? "f64" : "f32"; }

PeerWorld *peer_create(const PeerConfig *config) {
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  PeerWorld *w = new PeerWorld{};
  w->config = *config;
  w->world = dWorldCreate();
  w->space = dHashSpaceCreate(nullptr);
  dHashSpaceSetLevels(w->space, -1, 2); // cells of 0.5 to 4 m
  w->joints = dJointGroupCreate(0);
  dWorldSetGravity(w->world, config->gravity[0], config->gravity[1], config->gravity[2]);
  dWorldSetAutoDisableFlag(w->world, 0);
  dWorldSetQuickStepNumIterations(w->world, config->iterations);
  return w;
}

int peer_add(PeerWorld *w, const PeerBody *b) {
  dGeomID geometry = geometry_of(w, b->shape);
  const dQuaternion rotation = {b->rotation[3], b->rotation[0], b->rotation[1], b->rotation[2]};
  if (b->fixed) {
    dGeomSetPosition(geometry, b->position[0], b->position[1], b->position[2]);
    dGeomSetQuaternion(geometry, rotation);
    return 0;
  }
  dBodyID body = dBodyCreate(w->world);
  dMass mass;
  dMassSetParameters(&mass, b->mass, 0, 0, 0, b->inertia[0], b->inertia[1], b->inertia[2], 0, 0, 0);
  dBodySetMass(body, &mass);
  dBodySetPosition(body, b->position[0], b->position[1], b->position[2]);
  dBodySetQuaternion(body, rotation);
  dGeomSetBody(geometry, body);
  w->moving.push_back(body);
  return 0;
}

void peer_finish(PeerWorld *) {}

void peer_step(PeerWorld *w) {
  dJointGroupEmpty(w->joints);
  w->contacts = 0;
  dSpaceCollide(w->space, w, touch);
  dWorldQuickStep(w->world, w->config.dt);
}

void peer_states(PeerWorld *w, PeerState *states) {
  for (dBodyID body : w->moving) {
    PeerState &s = *states++;
    const dReal *x = dBodyGetPosition(body), *q = dBodyGetQuaternion(body);
    const dReal *v = dBodyGetLinearVel(body), *r = dBodyGetAngularVel(body);
    for (int k = 0; k < 3; k++) s.position[k] = x[k], s.velocity[k] = v[k], s.angular_velocity[k] = r[k];
    s.rotation[0] = q[1], s.rotation[1] = q[2], s.rotation[2] = q[3], s.rotation[3] = q[0];
  }
}

long peer_contacts(PeerWorld *w) { return w->contacts; }
}
