// How deep bodies rest that fell: no deeper than with Bullet's own solver.
#include "units.hpp"

#include <algorithm>
#include <string>

using scenes::at;
using scenes::box;

namespace units {
namespace {

struct Shape {
    const char *name;
    btCollisionShape *(*make)();
    /// From its centre to where it stands [m].
    double half;
    bool has_corners;
};

const Shape SHAPES[] = {
    {"sphere of 1 m", [] { return static_cast<btCollisionShape *>(new btSphereShape(1)); }, 1, false},
    {"sphere of 0.1 m", [] { return static_cast<btCollisionShape *>(new btSphereShape(btScalar(0.1))); }, 0.1, false},
    {"box of 1 m", [] { return static_cast<btCollisionShape *>(box(1, 1, 1)); }, 1, true},
    {"box of 0.1 m", [] { return static_cast<btCollisionShape *>(box(0.1, 0.1, 0.1)); }, 0.1, true},
    {"capsule", [] { return static_cast<btCollisionShape *>(new btCapsuleShapeZ(btScalar(0.5), 1)); }, 1, true},
};

btCollisionShape *slab() { return box(30, 30, 1); }
btCollisionShape *ball() { return new btSphereShape(1); }
btCollisionShape *plane() { return new btStaticPlaneShape(at(0, 0, 1), 1); }

/// How deep the body is in the ground, whose surface is at 0, after 3 s of falling from a height and resting [m].
double depth(btConstraintSolver &solver, const Shape &shape, btCollisionShape *ground, double height, double step) {
    scenes::World world(solver);
    world.add(world.keep(ground), 0, at(0, 0, -1));
    btRigidBody *body = world.add(world.keep(shape.make()), 1, at(0, 0, shape.half + height));
    for (int i = 0; i < int(3 / step + 0.5); ++i) world.step(step);
    return shape.half - double(body->getWorldTransform().getOrigin().z());
}

void falls(const Shape &shape, btCollisionShape *(*ground)(), const char *on, double height, double step) {
    btSequentialImpulseConstraintSolver stock;
    drystone::BulletSolver dry;
    const double own = depth(stock, shape, ground(), height, step), ours = depth(dry, shape, ground(), height, step);
    // the pass against overlap leaves a two hundredth of what counts as touching, at most 0.2 mm, and spheres in each
    // other by as much more; an ulp of the slab's 30 m is 2e-6 m in single precision, and Bullet subtracts two such numbers
    const double left = (ground == ball ? 2e-6 : 1e-6) + (IS_DOUBLE ? 0 : 4e-6);
    const std::string what = std::string(shape.name) + " on a " + on + " from " + std::to_string(int(10 * height)) +
                             " dm, 1/" + std::to_string(int(1 / step + 0.5)) + " s: depth [m]";
    check::at_most(ours, std::max(own, left), what);
}

/// Bullet's HelloWorld: a sphere of 1 m falls 15 m, 150 steps of 1/60 s.
void hello_world() {
    double depths[2];
    for (const bool with_drystone : {false, true}) {
        btSequentialImpulseConstraintSolver stock;
        drystone::BulletSolver dry;
        dry.warns_if_unused = false;
        btConstraintSolver &solver = with_drystone ? static_cast<btConstraintSolver &>(dry) : stock;
        scenes::World world(solver);
        world.dynamics.setGravity(at(0, -10, 0));
        world.add(world.keep(box(50, 50, 50)), 0, at(0, -56, 0));
        btRigidBody *ball = world.add(world.keep(new btSphereShape(1)), 1, at(2, 10, 0));
        for (int i = 0; i < 150; ++i) world.dynamics.stepSimulation(btScalar(1.0 / 60), 10);
        depths[with_drystone] = -5 - double(ball->getWorldTransform().getOrigin().y());
    }
    check::at_most(depths[1], depths[0], "the sphere of Bullet's HelloWorld: depth [m]");
}

}  // namespace

void resting() {
    hello_world();
    for (const Shape &shape : SHAPES)
        for (const double height : {0.0, 0.5, 5.0})
            for (const double step : {1.0 / 60, 1.0 / 240}) {
                falls(shape, slab, "slab", height, step);
                falls(shape, plane, "plane", height, step);
                if (!shape.has_corners) falls(shape, ball, "sphere", height, step);
            }
}

}  // namespace units
