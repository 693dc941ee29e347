// Bullet behind peer.h: the sequential impulse solver and the tree of bounding boxes, with stock settings.
//
// Bullet adds its collision margin (0.04 m) around the corners of a hull, while it lets boxes and cylinders shrink by the
// margin first. Hulls have no margin here: shrunk by it, they took longer and overlapped more.
#include "peer.h"

#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <vector>

struct PeerWorld {
  PeerConfig config;
  btDefaultCollisionConfiguration *collision;
  btCollisionDispatcher *dispatcher;
  btDbvtBroadphase *broad_phase;
  btSequentialImpulseConstraintSolver *solver;
  btDiscreteDynamicsWorld *world;
  std::vector<btRigidBody *> moving;
};

static btVector3 vector(const double v[3]) { return btVector3(btScalar(v[0]), btScalar(v[1]), btScalar(v[2])); }

static btCollisionShape *hull_of(const PeerShape &s) {
  btConvexHullShape *hull = new btConvexHullShape;
  for (int i = 0; i < s.point_count; i++) hull->addPoint(vector(s.points + 3 * i), false);
  hull->recalcLocalAabb();
  hull->setMargin(0);
  return hull;
}

static btCollisionShape *shape_of(const PeerShape &s) {
  const btScalar radius = btScalar(s.radius), half = btScalar(s.half_length);
  switch (s.kind) {
  case PEER_BOX: return new btBoxShape(vector(s.half));
  case PEER_HULL: return hull_of(s);
  case PEER_CYLINDER: return new btCylinderShapeZ(btVector3(radius, radius, half));
  case PEER_CAPSULE: return new btCapsuleShapeZ(radius, 2 * half);
  default: return new btSphereShape(radius);
  }
}

extern "C" {

const char *peer_engine(void) { return "bullet"; }
const char *peer_version(void) { return "3.24"; }
const char *peer_precision(void) { return sizeof(btScalar) == 8 ? "f64" : "f32"; }

PeerWorld *peer_create(const PeerConfig *config) {
  PeerWorld *w = new PeerWorld;
  w->config = *config;
  btDefaultCollisionConstructionInfo pools; // so large that a step allocates nothing
  pools.m_defaultMaxPersistentManifoldPoolSize = 8 * config->max_bodies + 4096;
  pools.m_defaultMaxCollisionAlgorithmPoolSize = 8 * config->max_bodies + 4096;
  w->collision = new btDefaultCollisionConfiguration(pools);
  w->dispatcher = new btCollisionDispatcher(w->collision);
  w->broad_phase = new btDbvtBroadphase;
  w->solver = new btSequentialImpulseConstraintSolver;
  w->world = new btDiscreteDynamicsWorld(w->dispatcher, w->broad_phase, w->solver, w->collision);
  w->world->setGravity(vector(config->gravity));
  w->world->getSolverInfo().m_numIterations = config->iterations;
  return w;
}

int peer_add(PeerWorld *w, const PeerBody *b) {
  btCollisionShape *shape = shape_of(b->shape);
  const double *q = b->rotation;
  const btQuaternion rotation{btScalar(q[0]), btScalar(q[1]), btScalar(q[2]), btScalar(q[3])};
  auto *motion = new btDefaultMotionState(btTransform(rotation, vector(b->position)));
  const btVector3 inertia = b->fixed ? btVector3(0, 0, 0) : vector(b->inertia);
  btRigidBody::btRigidBodyConstructionInfo info(b->fixed ? btScalar(0) : btScalar(b->mass), motion, shape, inertia);
  info.m_friction = btScalar(std::sqrt(w->config.friction)); // Bullet multiplies those of the two bodies
  info.m_restitution = 0;
  btRigidBody *body = new btRigidBody(info);
  body->setActivationState(DISABLE_DEACTIVATION);
  w->world->addRigidBody(body);
  if (!b->fixed) w->moving.push_back(body);
  return 0;
}

void peer_finish(PeerWorld *) {}

void peer_step(PeerWorld *w) { w->world->stepSimulation(btScalar(w->config.dt), 0); }

void peer_states(PeerWorld *w, PeerState *states) {
  for (btRigidBody *body : w->moving) {
    PeerState &s = *states++;
    const btTransform &t = body->getCenterOfMassTransform();
    const btQuaternion q = t.getRotation();
    for (int k = 0; k < 3; k++) {
      s.position[k] = t.getOrigin()[k];
      s.velocity[k] = body->getLinearVelocity()[k];
      s.angular_velocity[k] = body->getAngularVelocity()[k];
    }
    s.rotation[0] = q.x(), s.rotation[1] = q.y(), s.rotation[2] = q.z(), s.rotation[3] = q.w();
  }
}

long peer_contacts(PeerWorld *w) {
  long count = 0;
  for (int i = 0; i < w->dispatcher->getNumManifolds(); i++) count += w->dispatcher->getManifoldByIndexInternal(i)->getNumContacts();
  return count;
}
}
