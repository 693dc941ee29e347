// A wall of 210 boxes in Bullet, with Bullet's own solver or with drystone.
//
//     wall drystone        or        wall bullet
#include <btBulletDynamicsCommon.h>
#include <drystone_bullet.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

int main(int count, char **arguments) {
    const bool is_stock = count > 1 && std::strcmp(arguments[1], "bullet") == 0;

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    // a program has one of these two lines; the rest of it stays
    btSequentialImpulseConstraintSolver bullet;
    drystone::BulletSolver drystone;
    btConstraintSolver *solver = is_stock ? static_cast<btConstraintSolver *>(&bullet) : &drystone;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, solver, &configuration);
    world.setGravity({0, 0, btScalar(-9.81)});
    drystone.on_error = [](dry_status, const std::string &message) { std::printf("refused: %s\n", message.c_str()); };

    btBoxShape ground(btVector3(30, 30, 1)), brick(btVector3(0.5, 0.5, 0.5));
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    const auto add = [&](btCollisionShape &shape, btScalar mass, const btVector3 &place) {
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape.calculateLocalInertia(mass, inertia);
        bodies.push_back(std::make_unique<btRigidBody>(mass, nullptr, &shape, inertia));
        bodies.back()->setWorldTransform(btTransform(btQuaternion::getIdentity(), place));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get());
    };
    add(ground, 0, {0, 0, -1});
    for (int course = 0; course < 20; ++course)
        for (int i = 0; i < 20 - course; ++i)
            add(brick, 1000, {btScalar((i - (19 - course) / 2.0) * 1.1), 0, btScalar(0.5 + course)});

    std::vector<btVector3> start;
    for (const auto &body : bodies) start.push_back(body->getWorldTransform().getOrigin());
    for (int second = 1; second <= 3; ++second) {
        for (int i = 0; i < 240; ++i) world.stepSimulation(btScalar(1.0 / 240), 0);
        double drift = 0, sink = 0;
        for (size_t i = 0; i < bodies.size(); ++i) {
            const btVector3 way = bodies[i]->getWorldTransform().getOrigin() - start[i];
            drift = std::max(drift, std::hypot(double(way.x()), double(way.y())));
            sink = std::max(sink, -double(way.z()));
        }
        std::printf("after %d s the wall has drifted by %.6f m and sunk by %.6f m\n", second, drift, sink);
    }
    if (!is_stock)
        std::printf("residual %.1e m/s, %u contacts\n", drystone.report().residual_max, drystone.report().contacts);
    for (const auto &body : bodies) world.removeRigidBody(body.get());
}
