// With default settings what should stand does, with ODE's contacts and drystone's solver: the scenes of
// ../standing/scenes.hpp at 1/60 s and 1/240 s for 20 s. Prints a line for each; ends with 1 if one falls.
//
// ODE 0.16 has normals of length 0 among the contacts of two convex shapes that touch, which drystone refuses and with
// which ODE's own solver aborts: the arch gets its contacts from the scene.
#include <drystone_ode.h>

#include "../standing/scenes.hpp"

#include <cstdio>
#include <cstring>

namespace {

using standing::Kind;
using standing::Scene;

class World {
 public:
  explicit World(const Scene &scene)
      : exact(scene.bodies[0].kind == Kind::HULL), world_(dWorldCreate()), space_(dSimpleSpaceCreate(nullptr)),
        contacts_(dJointGroupCreate(0)), scene_(scene) {
    dWorldSetGravity(world_, 0, 0, -standing::GRAVITY);
    dCreatePlane(space_, 0, 0, 1, 0);
    for (const standing::Body &body : scene.bodies) add(body);
  }
  ~World() {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }
  World(const World &) = delete;

  void step(double duration) {
    dJointGroupEmpty(contacts_);
    if (exact) touch_exactly();
    else dSpaceCollide(space_, this, touch);
    if (dWorldQuickStep(world_, duration) == 0) refused = true;
  }
  double speed(size_t body) const {
    const dReal *v = dBodyGetLinearVel(bodies_[body]);
    return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  standing::Vec place(size_t body) const {
    const dReal *p = dBodyGetPosition(bodies_[body]);
    return {p[0], p[1], p[2]};
  }

  const bool exact;
  bool refused = false;

 private:
  void add(const standing::Body &body) {
    const double x = 2 * body.half[0], y = 2 * body.half[1], z = 2 * body.half[2];
    dMass mass;
    dMassSetBoxTotal(&mass, body.mass, x, y, z);
    dGeomID geom = nullptr;
    if (body.kind == Kind::BOX) geom = dCreateBox(space_, x, y, z);
    if (body.kind == Kind::CYLINDER) {
      geom = dCreateCylinder(space_, body.half[0], z);
      dMassSetCylinderTotal(&mass, body.mass, 3, body.half[0], z);
    }
    const dBodyID id = dBodyCreate(world_);
    dBodySetMass(id, &mass);
    dBodySetPosition(id, body.place[0], body.place[1], body.place[2]);
    const dQuaternion turn = {body.turn[3], body.turn[0], body.turn[1], body.turn[2]};
    dBodySetQuaternion(id, turn);
    if (geom != nullptr) dGeomSetBody(geom, id);
    bodies_.push_back(id);
  }

  void join(dContact &contact, dBodyID a, dBodyID b) {
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = standing::FRICTION;
    dJointAttach(dJointCreateContact(world_, contacts_, &contact), a, b);
  }

  static void touch(void *data, dGeomID a, dGeomID b) {
    dContact contacts[8];
    std::memset(contacts, 0, sizeof contacts);
    const int count = dCollide(a, b, 8, &contacts[0].geom, sizeof contacts[0]);
    for (int i = 0; i < count; ++i)
      static_cast<World *>(data)->join(contacts[i], dGeomGetBody(a), dGeomGetBody(b));
  }

  void touch_exactly() {
    std::vector<standing::Pose> poses;
    for (size_t i = 0; i < bodies_.size(); ++i) {
      const dReal *q = dBodyGetQuaternion(bodies_[i]);
      poses.push_back({place(i), {q[1], q[2], q[3], q[0]}});
    }
    for (const standing::Touch &touch : standing::touches(scene_, poses)) {
      dContact contact;
      std::memset(&contact, 0, sizeof contact);
      for (int k = 0; k < 3; ++k) {
        contact.geom.pos[k] = touch.point[size_t(k)];
        contact.geom.normal[k] = touch.normal[size_t(k)];
      }
      contact.geom.depth = touch.depth;
      contact.geom.side1 = int(touch.corner);
      join(contact, bodies_[touch.body], touch.other == standing::FLOOR ? nullptr : bodies_[touch.other]);
    }
  }

  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  const Scene &scene_;
  std::vector<dBodyID> bodies_;
};

}  // namespace

int main() {
  dInitODE2(0);
  const bool good = standing::all_stand_in<World>("ODE's contacts");
  dCloseODE();
  return good ? 0 : 1;
}
