// Jolt behind peer.h: stock PhysicsSettings, the number of velocity steps apart; no sleeping, no damping.
//
// Jolt's cylinders and capsules lie along y. Their bodies are therefore turned by a quarter about x.
#include "peer.h"

#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/CapsuleShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/CylinderShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/PhysicsSettings.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/RegisterTypes.h>
#include <cstdio>
#include <vector>

using namespace JPH;

// Layer 0 is fixed, layer 1 moves.
struct LayerPairs final : ObjectLayerPairFilter {
  bool ShouldCollide(ObjectLayer a, ObjectLayer b) const override { return a == 1 || b == 1; }
};
struct Layers final : BroadPhaseLayerInterface {
  uint GetNumBroadPhaseLayers() const override { return 2; }
  BroadPhaseLayer GetBroadPhaseLayer(ObjectLayer layer) const override { return BroadPhaseLayer(BroadPhaseLayer::Type(layer)); }
};
struct LayerToBroadPhase final : ObjectVsBroadPhaseLayerFilter {
  bool ShouldCollide(ObjectLayer a, BroadPhaseLayer b) const override { return a == 1 || b == BroadPhaseLayer(1); }
};

struct PeerWorld {
  PeerConfig config;
  LayerPairs pairs;
  Layers layers;
  LayerToBroadPhase to_broad_phase;
  PhysicsSystem system;
  TempAllocator *memory;
  JobSystem *jobs;
  std::vector<BodyID> all, moving;
  std::vector<Quat> turns; // of moving bodies: from peer.h's body axes to Jolt's
};

static Vec3 vector(const double v[3]) { return Vec3(float(v[0]), float(v[1]), float(v[2])); }

static RefConst<Shape> shape_of(const PeerShape &s) {
  const float radius = float(s.radius), half = float(s.half_length);
  switch (s.kind) {
  case PEER_BOX: return new BoxShape(vector(s.half));
  case PEER_CYLINDER: return new CylinderShape(half, radius);
  case PEER_CAPSULE: return new CapsuleShape(half, radius);
  case PEER_HULL: {
    Array<Vec3> points;
    for (int i = 0; i < s.point_count; i++) points.push_back(vector(s.points + 3 * i));
    ShapeSettings::ShapeResult made = ConvexHullShapeSettings(points).Create();
    return made.IsValid() ? made.Get() : nullptr;
  }
  default: return new SphereShape(radius);
  }
}

extern "C" {

const char *peer_engine(void) { return "jolt"; }
const char *peer_version(void) { return "5.0.0"; }
const char *peer_precision(void) { return "f32"; }

PeerWorld *peer_create(const PeerConfig *config) {
  RegisterDefaultAllocator();
  Factory::sInstance = new Factory;
  RegisterTypes();
  PeerWorld *w = new PeerWorld;
  w->config = *config;
  const uint bodies = uint(config->max_bodies) + 16;
  w->memory = new TempAllocatorImpl(64u * 1024 * 1024 + bodies * 16384); // so large that a step allocates nothing
  w->jobs = new JobSystemSingleThreaded(cMaxPhysicsJobs);
  w->system.Init(bodies, 0, 12 * bodies + 65536, 12 * bodies + 10240, w->layers, w->to_broad_phase, w->pairs);
  PhysicsSettings settings;
  settings.mNumVelocitySteps = uint(config->iterations);
  settings.mAllowSleeping = false;
  w->system.SetPhysicsSettings(settings);
  w->system.SetGravity(vector(config->gravity));
  return w;
}

int peer_add(PeerWorld *w, const PeerBody *b) {
  RefConst<Shape> shape = shape_of(b->shape);
  if (!shape) return 1;
  const bool along_y = b->shape.kind == PEER_CYLINDER || b->shape.kind == PEER_CAPSULE;
  const Quat turn = along_y ? Quat::sRotation(Vec3::sAxisX(), 0.5f * JPH_PI) : Quat::sIdentity();
  const Quat rotation(float(b->rotation[0]), float(b->rotation[1]), float(b->rotation[2]), float(b->rotation[3]));
  BodyCreationSettings settings(shape, vector(b->position), (rotation * turn).Normalized(),
                                b->fixed ? EMotionType::Static : EMotionType::Dynamic, b->fixed ? 0 : 1);
  settings.mFriction = float(w->config.friction);
  settings.mRestitution = 0;
  settings.mLinearDamping = settings.mAngularDamping = 0;
  settings.mAllowSleeping = false;
  if (!b->fixed) {
    const double inertia[3] = {b->inertia[0], b->inertia[along_y ? 2 : 1], b->inertia[along_y ? 1 : 2]};
    settings.mOverrideMassProperties = EOverrideMassProperties::MassAndInertiaProvided;
    settings.mMassPropertiesOverride.mMass = float(b->mass);
    settings.mMassPropertiesOverride.mInertia = Mat44::sScale(vector(inertia));
  }
  Body *body = w->system.GetBodyInterfaceNoLock().CreateBody(settings);
  if (!body) return 1;
  w->all.push_back(body->GetID());
  if (b->fixed) return 0;
  w->moving.push_back(body->GetID());
  w->turns.push_back(turn);
  return 0;
}

void peer_finish(PeerWorld *w) {
  BodyInterface &bodies = w->system.GetBodyInterfaceNoLock();
  std::vector<BodyID> ids = w->all;
  BodyInterface::AddState state = bodies.AddBodiesPrepare(ids.data(), int(ids.size()));
  bodies.AddBodiesFinalize(ids.data(), int(ids.size()), state, EActivation::Activate);
  w->system.OptimizeBroadPhase();
}

void peer_step(PeerWorld *w) {
  const EPhysicsUpdateError error = w->system.Update(float(w->config.dt), 1, w->memory, w->jobs);
  static bool reported = false;
  if (error == EPhysicsUpdateError::None || reported) return;
  reported = true;
  fprintf(stderr, "jolt: error %u of an update\n", unsigned(error));
}

void peer_states(PeerWorld *w, PeerState *states) {
  const BodyInterface &bodies = w->system.GetBodyInterfaceNoLock();
  for (size_t i = 0; i < w->moving.size(); i++) {
    PeerState &s = states[i];
    const RVec3 x = bodies.GetPosition(w->moving[i]);
    const Quat q = bodies.GetRotation(w->moving[i]) * w->turns[i].Conjugated();
    const Vec3 v = bodies.GetLinearVelocity(w->moving[i]), r = bodies.GetAngularVelocity(w->moving[i]);
    for (uint k = 0; k < 3; k++) s.position[k] = x[k], s.velocity[k] = v[k], s.angular_velocity[k] = r[k];
    s.rotation[0] = q.GetX(), s.rotation[1] = q.GetY(), s.rotation[2] = q.GetZ(), s.rotation[3] = q.GetW();
  }
}

long peer_contacts(PeerWorld *) { return -1; }
}
