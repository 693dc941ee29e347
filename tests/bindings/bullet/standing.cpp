// With default settings what should stand does, with Bullet's contacts and drystone's solver: the scenes of
// ../standing/scenes.hpp at 1/60 s and 1/240 s for 20 s. Prints a line for each; ends with 1 if one falls.
//
// Of cylinders and hulls Bullet finds one contact in a step, and gathers four in some steps: columns of them have fallen
// by then, with any solver. They get their contacts from the scene.
#include <drystone_bullet.hpp>

#include "../standing/scenes.hpp"

#include <cstdio>
#include <memory>

namespace {

using standing::Kind;
using standing::Scene;

btVector3 vector(const standing::Vec &v) { return {btScalar(v[0]), btScalar(v[1]), btScalar(v[2])}; }
standing::Vec vector(const btVector3 &v) { return {double(v.x()), double(v.y()), double(v.z())}; }

/// Finds the contacts of two bodies of a scene exactly. A body's user index is that in the scene; -1 is the floor.
class Exact : public btActivatingCollisionAlgorithm {
public:
    struct Creator : btCollisionAlgorithmCreateFunc {
        const Scene *scene = nullptr;

        btCollisionAlgorithm *CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo &info,
                                                       const btCollisionObjectWrapper *a,
                                                       const btCollisionObjectWrapper *b) override {
            void *place = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(Exact));
            return new (place) Exact(*scene, info, a, b);
        }
    };

    Exact(const Scene &scene, btCollisionAlgorithmConstructionInfo &info, const btCollisionObjectWrapper *a,
          const btCollisionObjectWrapper *b)
        : btActivatingCollisionAlgorithm(info, a, b), scene_(scene),
          manifold_(info.m_dispatcher1->getNewManifold(a->getCollisionObject(), b->getCollisionObject())) {}
    ~Exact() override { m_dispatcher->releaseManifold(manifold_); }

    void processCollision(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b, const btDispatcherInfo &,
                          btManifoldResult *result) override {
        result->setPersistentManifold(manifold_);
        manifold_->clearManifold();
        const auto index = [](const btCollisionObjectWrapper *body) {
            return size_t(body->getCollisionObject()->getUserIndex());
        };
        std::vector<standing::Pose> poses;
        for (const standing::Body &body : scene_.bodies) poses.push_back({body.place, body.turn});
        for (const btCollisionObjectWrapper *body : {a, b}) {
            if (index(body) == standing::FLOOR) continue;
            const btQuaternion turn = body->getWorldTransform().getRotation();
            poses[index(body)] = {vector(body->getWorldTransform().getOrigin()),
                                  {double(turn.x()), double(turn.y()), double(turn.z()), double(turn.w())}};
        }
        for (const standing::Touch &touch : standing::touches(scene_, poses)) {
            const bool is_first = touch.body == index(a) && touch.other == index(b);
            if (!is_first && !(touch.body == index(b) && touch.other == index(a))) continue;
            // Bullet's normal points into its first body, and its point lies on the second one
            const standing::Vec on = standing::sum(touch.point, touch.normal, is_first ? touch.depth : 0);
            const standing::Vec normal = standing::sum({0, 0, 0}, touch.normal, is_first ? 1 : -1);
            result->addContactPoint(vector(normal), vector(on), btScalar(-touch.depth));
        }
    }
    btScalar calculateTimeOfImpact(btCollisionObject *, btCollisionObject *, const btDispatcherInfo &,
                                   btManifoldResult *) override {
        return 1;
    }
    void getAllContactManifolds(btManifoldArray &manifolds) override { manifolds.push_back(manifold_); }

private:
    const Scene &scene_;
    btPersistentManifold *manifold_;
};

class World {
public:
    explicit World(const Scene &scene) : exact(scene.bodies[0].kind != Kind::BOX) {
        creator_.scene = &scene;
        if (exact)
            for (const int other : {int(CYLINDER_SHAPE_PROXYTYPE), int(CONVEX_HULL_SHAPE_PROXYTYPE), int(BOX_SHAPE_PROXYTYPE)})
                for (const int own : {int(CYLINDER_SHAPE_PROXYTYPE), int(CONVEX_HULL_SHAPE_PROXYTYPE)}) {
                    dispatcher_.registerCollisionCreateFunc(own, other, &creator_);
                    dispatcher_.registerCollisionCreateFunc(other, own, &creator_);
                }
        solver_.on_error = [this](dry_status, const std::string &) { refused = true; };
        dynamics_.setGravity({0, 0, btScalar(-standing::GRAVITY)});
        shapes_.emplace_back(new btBoxShape({30, 30, 1}));
        add(0, btTransform(btQuaternion::getIdentity(), {0, 0, -1}))->setUserIndex(-1);
        for (const standing::Body &body : scene.bodies) {
            shapes_.emplace_back(shape(scene, body));
            const btQuaternion turn(btScalar(body.turn[0]), btScalar(body.turn[1]), btScalar(body.turn[2]),
                                    btScalar(body.turn[3]));
            add(body.mass, btTransform(turn, vector(body.place)))->setUserIndex(int(bodies_.size()) - 2);
        }
    }
    ~World() {
        for (auto &body : bodies_) dynamics_.removeRigidBody(body.get());
    }
    World(const World &) = delete;

    void step(double duration) { dynamics_.stepSimulation(btScalar(duration), 0); }
    double speed(size_t body) const { return double(bodies_[body + 1]->getLinearVelocity().length()); }
    standing::Vec place(size_t body) const { return vector(bodies_[body + 1]->getWorldTransform().getOrigin()); }

    const bool exact;
    bool refused = false;

private:
    static btCollisionShape *shape(const Scene &scene, const standing::Body &body) {
        if (body.kind == Kind::BOX) return new btBoxShape(vector(body.half));
        if (body.kind == Kind::CYLINDER) return new btCylinderShapeZ(vector(body.half));
        auto *hull = new btConvexHullShape();
        for (const standing::Vec &corner : scene.hull) hull->addPoint(vector(corner), false);
        hull->recalcLocalAabb();
        return hull;
    }

    btRigidBody *add(double mass, const btTransform &pose) {
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shapes_.back()->calculateLocalInertia(btScalar(mass), inertia);
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shapes_.back().get(), inertia);
        info.m_startWorldTransform = pose;
        info.m_friction = btScalar(std::sqrt(standing::FRICTION));  // Bullet multiplies those of two bodies
        bodies_.emplace_back(new btRigidBody(info));
        bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
        dynamics_.addRigidBody(bodies_.back().get());
        return bodies_.back().get();
    }

    Exact::Creator creator_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    drystone::BulletSolver solver_;
    btDiscreteDynamicsWorld dynamics_{&dispatcher_, &broadphase_, &solver_, &configuration_};
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

int main() {
    const bool good = standing::all_stand_in<World>("Bullet's contacts");
    return good ? 0 : 1;
}
