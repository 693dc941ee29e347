// Scenes for two solvers of the same program: gravity 9.81 along -z, friction 0.5 between any two bodies, restitution
// 0, nothing sleeps, nothing is damped unless a scene states it.
#ifndef DRYSTONE_TEST_BULLET_SCENES_HPP
#define DRYSTONE_TEST_BULLET_SCENES_HPP

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

namespace scenes {

/// A Bullet world that owns everything in it.
struct World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btDiscreteDynamicsWorld dynamics;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;

    explicit World(btConstraintSolver &solver) : dynamics(&dispatcher, &broadphase, &solver, &configuration) {
        dynamics.setGravity({0, 0, btScalar(-9.81)});
    }
    World(const World &) = delete;
    ~World() {
        for (auto &joint : joints) dynamics.removeConstraint(joint.get());
        for (auto &body : bodies) dynamics.removeRigidBody(body.get());
    }

    btCollisionShape *keep(btCollisionShape *shape) {
        shapes.emplace_back(shape);
        return shape;
    }

    /// A body at a place; of mass 0: static. Bullet multiplies the coefficients of friction of two bodies.
    btRigidBody *add(btCollisionShape *shape, double mass, const btVector3 &place,
                     const btQuaternion &turn = btQuaternion::getIdentity()) {
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape->calculateLocalInertia(btScalar(mass), inertia);
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape, inertia);
        info.m_startWorldTransform = btTransform(turn, place);
        info.m_friction = btScalar(std::sqrt(0.5));
        bodies.emplace_back(new btRigidBody(info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        dynamics.addRigidBody(bodies.back().get());
        return bodies.back().get();
    }

    template <class Joint>
    Joint *join(Joint *joint, bool collide = false) {
        joints.emplace_back(joint);
        dynamics.addConstraint(joint, !collide);
        return joint;
    }

    void step(double duration) { dynamics.stepSimulation(btScalar(duration), 0); }
};

/// The same numbers on every machine, 0 to 1.
class Random {
public:
    double next() {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return double(state_ >> 11) / 9007199254740992.0;
    }

private:
    uint64_t state_ = 2026;
};

inline btBoxShape *box(double x, double y, double z) { return new btBoxShape({btScalar(x), btScalar(y), btScalar(z)}); }

inline btVector3 at(double x, double y, double z) { return {btScalar(x), btScalar(y), btScalar(z)}; }

inline void floor(World &world) { world.add(world.keep(box(30, 30, 1)), 0, at(0, 0, -1)); }

/// A column of unit boxes of 1000 kg.
inline void stack(World &world, int count = 20) {
    floor(world);
    btCollisionShape *shape = world.keep(box(0.5, 0.5, 0.5));
    for (int k = 0; k < count; ++k) world.add(shape, 1000, at(0, 0, 0.5 + k));
}

/// A wall of unit boxes, each course one shorter: 210 with 20 in the lowest.
inline void wall(World &world, int base = 20) {
    floor(world);
    btCollisionShape *shape = world.keep(box(0.5, 0.5, 0.5));
    for (int k = 0; k < base; ++k)
        for (int i = 0; i < base - k; ++i) world.add(shape, 1000, at((i - (base - k - 1) / 2.0) * 1.1, 0, 0.5 + k));
}

/// What stands is put up to 5 mm aside, and apart by some millimetres: it falls together and comes to lie askew.
inline void askew(World &world) {
    Random random;
    for (const auto &body : world.bodies) {
        if (body->getInvMass() == 0) continue;
        btTransform place = body->getWorldTransform();
        const double x = 0.01 * (random.next() - 0.5), y = 0.01 * (random.next() - 0.5);
        place.getOrigin() += at(x, y, 0.001 * (random.next() + double(place.getOrigin().z())));
        body->setWorldTransform(place);
    }
}

/// Spheres of 0.1 m dropped into an open box 1 m wide.
inline void pile(World &world, int count = 1000) {
    const double radius = 0.05, half = 0.5, high = 3;
    btCollisionShape *across = world.keep(box(0.5, 1.5, high)), *along = world.keep(box(1.5, 0.5, high));
    floor(world);
    for (int side = -1; side <= 1; side += 2) {
        world.add(across, 0, at(side * (half + 0.5), 0, high));
        world.add(along, 0, at(0, side * (half + 0.5), high));
    }
    btCollisionShape *shape = world.keep(new btSphereShape(btScalar(radius)));
    Random random;
    for (int i = 0; i < count; ++i) {
        const int layer = i / 81, row = i / 9 % 9, column = i % 9;
        const double x = (column - 4) * 0.11 + 0.008 * (random.next() - 0.5);
        const double y = (row - 4) * 0.11 + 0.008 * (random.next() - 0.5);
        world.add(shape, 1, at(x, y, 0.056 + 0.11 * layer + 0.008 * (random.next() - 0.5)));
    }
}

/// 1000 kg on 1 kg.
inline void heavy_on_light(World &world) {
    floor(world);
    btCollisionShape *shape = world.keep(box(0.5, 0.5, 0.5));
    world.add(shape, 1, at(0, 0, 0.5));
    world.add(shape, 1000, at(0, 0, 1.5));
}

/// A box on a slope of 0.4, below the coefficient of friction.
inline btVector3 downhill() { return at(std::cos(std::atan(0.4)), 0, -std::sin(std::atan(0.4))); }

inline void slope(World &world) {
    const double angle = std::atan(0.4);
    const btQuaternion turn({0, 1, 0}, btScalar(angle));
    const btVector3 up = at(std::sin(angle), 0, std::cos(angle));
    world.add(world.keep(box(30, 30, 1)), 0, -up, turn);
    world.add(world.keep(box(0.5, 0.5, 0.5)), 1000, up * btScalar(0.5), turn);
}

/// A chain of 20 links on hinges, with a weight of 50 links at its end. It hangs, or swings from level.
inline void chain(World &world, bool swings) {
    const int count = 20;
    btCollisionShape *link = world.keep(box(0.05, 0.05, 0.2)), *weight = world.keep(box(0.2, 0.2, 0.2));
    const btQuaternion turn({0, 1, 0}, btScalar(swings ? -std::acos(0.0) : 0));
    const btMatrix3x3 basis(turn);
    const btVector3 up = basis * at(0, 0, 0.2), axis = at(0, 1, 0);
    btRigidBody *above = nullptr;
    for (int i = 0; i < count; ++i) {
        const bool last = i + 1 == count;
        btRigidBody *body =
            world.add(last ? weight : link, last ? 50 : 1, at(0, 0, 10) - up * btScalar(2 * i + 1), turn);
        body->setDamping(btScalar(0.05), btScalar(0.05));
        const btVector3 top = at(0, 0, 0.2), bottom = at(0, 0, -0.2);
        if (above) {
            world.join(new btHingeConstraint(*above, *body, bottom, top, axis, axis));
        } else {
            world.join(new btHingeConstraint(*body, top, axis));
        }
        above = body;
    }
}

/// A puppet of 11 boxes: hinges for spine, knees and elbows, cones for neck, hips and shoulders. It falls on its back.
inline void ragdoll(World &world) {
    floor(world);
    const double high = 0.6, tilt = 1.2;
    const btTransform whole(btQuaternion({1, 0, 0}, btScalar(-tilt)), at(0, 0, high));
    const auto part = [&](double x, double y, double z, double mass, const btVector3 &place) {
        btRigidBody *body = world.add(world.keep(box(x, y, z)), mass, whole * place, whole.getRotation());
        body->setDamping(btScalar(0.05), btScalar(0.85));
        return body;
    };
    // places of parts and joints in the puppet's own axes: x to its left, z up
    const auto frame = [&](const btRigidBody &body, const btVector3 &place, const btQuaternion &turn) {
        return body.getWorldTransform().inverse() * whole * btTransform(turn, place);
    };
    const btQuaternion to_x({0, 1, 0}, btScalar(std::acos(0.0)));  // z of a hinge along x
    const auto hinge = [&](btRigidBody &a, btRigidBody &b, const btVector3 &place, double low, double high_) {
        auto *joint = new btHingeConstraint(a, b, frame(a, place, to_x), frame(b, place, to_x));
        joint->setLimit(btScalar(low), btScalar(high_));
        world.join(joint);
    };
    const auto cone = [&](btRigidBody &a, btRigidBody &b, const btVector3 &place, double swing) {
        const btQuaternion along_z({0, 1, 0}, btScalar(-std::acos(0.0)));  // x of a cone along z
        auto *joint = new btConeTwistConstraint(a, b, frame(a, place, along_z), frame(b, place, along_z));
        joint->setLimit(btScalar(swing), btScalar(swing), btScalar(0.3));
        world.join(joint);
    };
    btRigidBody *pelvis = part(0.15, 0.1, 0.1, 10, at(0, 0, 1)), *chest = part(0.18, 0.1, 0.17, 15, at(0, 0, 1.29));
    btRigidBody *head = part(0.08, 0.09, 0.11, 5, at(0, 0, 1.6));
    hinge(*pelvis, *chest, at(0, 0, 1.11), -0.5, 0.5);
    cone(*chest, *head, at(0, 0, 1.475), 0.4);
    for (int side = -1; side <= 1; side += 2) {
        btRigidBody *thigh = part(0.07, 0.07, 0.2, 7, at(0.09 * side, 0, 0.68));
        btRigidBody *shin = part(0.05, 0.05, 0.2, 4, at(0.09 * side, 0, 0.25));
        btRigidBody *upper = part(0.045, 0.045, 0.14, 2.5, at(0.25 * side, 0, 1.3));
        btRigidBody *lower = part(0.04, 0.04, 0.13, 1.5, at(0.25 * side, 0, 1.0));
        cone(*pelvis, *thigh, at(0.09 * side, 0, 0.89), 0.7);
        hinge(*thigh, *shin, at(0.09 * side, 0, 0.465), -0.05, 1.8);
        cone(*chest, *upper, at(0.21 * side, 0, 1.42), 1.2);
        hinge(*upper, *lower, at(0.25 * side, 0, 1.145), -1.8, 0.05);
    }
}

/// The largest distance between the two halves of a joint [m].
inline double apart(const World &world) {
    double most = 0;
    for (const auto &joint : world.joints) {
        const btRigidBody &a = joint->getRigidBodyA(), &b = joint->getRigidBodyB();
        btVector3 first, second;
        if (joint->getConstraintType() == HINGE_CONSTRAINT_TYPE) {
            const auto &hinge = static_cast<const btHingeConstraint &>(*joint);
            first = a.getWorldTransform() * hinge.getAFrame().getOrigin();
            second = b.getWorldTransform() * hinge.getBFrame().getOrigin();
        } else {
            const auto &cone = static_cast<const btConeTwistConstraint &>(*joint);
            first = a.getWorldTransform() * cone.getAFrame().getOrigin();
            second = b.getWorldTransform() * cone.getBFrame().getOrigin();
        }
        most = std::fmax(most, double((first - second).length()));
    }
    return most;
}

}  // namespace scenes

#endif
