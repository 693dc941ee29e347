// Contacts: balance, restitution, friction of all kinds, kinematic and soft bodies, factors.
#include "units.hpp"

using scenes::at;
using scenes::box;

namespace units {

double carried(const scenes::World &world) {
    double sum = 0;
    // Bullet's dispatcher hands its manifolds out to callers that may change them
    auto &dispatcher = const_cast<btCollisionDispatcher &>(world.dispatcher);
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold &manifold = *dispatcher.getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold.getNumContacts(); ++k) sum += double(manifold.getContactPoint(k).m_appliedImpulse);
    }
    return sum;
}

namespace {

btSphereShape *ball(double radius) { return new btSphereShape(btScalar(radius)); }

/// Two spheres meet off centre, without gravity: sums of momenta about the origin, before and after.
void momentum() {
    Dry dry;
    dry.world.dynamics.setGravity({0, 0, 0});
    btRigidBody *one = dry.world.add(dry.world.keep(ball(0.5)), 2, at(-2, 0.3, 0));
    btRigidBody *other = dry.world.add(dry.world.keep(ball(0.5)), 3, at(2, 0, 0.1));
    one->setLinearVelocity(at(3, 0, 0));
    one->setAngularVelocity(at(1, 5, -3));
    one->setRestitution(btScalar(0.8));
    other->setLinearVelocity(at(-1, 0.2, 0));
    const auto sum = [&](btVector3 &linear, btVector3 &angular) {
        linear = angular = {0, 0, 0};
        for (btRigidBody *body : {one, other}) {
            const btVector3 momentum = body->getLinearVelocity() / body->getInvMass();
            linear += momentum;
            angular += body->getWorldTransform().getOrigin().cross(momentum);
            angular += body->getAngularVelocity() / body->getInvInertiaDiagLocal().x();
        }
    };
    btVector3 linear[2], angular[2];
    sum(linear[0], angular[0]);
    dry.run(2);
    sum(linear[1], angular[1]);
    check::at_most(-double(one->getLinearVelocity().x()), 0, "two spheres have met and parted");
    // 480 sums of numbers up to 10, each rounded by half an ulp
    const double rounding = 480 * 10 * (IS_DOUBLE ? 1.1e-16 : 6e-8);
    check::at_most(double((linear[1] - linear[0]).length()), rounding, "momentum of impact [N s]");
    // places are rounded too, times momenta; and the spheres are left in each other by 0.2 mm at most while they touch
    check::at_most(double((angular[1] - angular[0]).length()), rounding + 2e-3, "angular momentum of impact [N m s]");
}

/// A body that tumbles, pushed and turned, moves as with Bullet's own solver: what forces, torques and gyroscopic terms
/// add.
void free_flight() {
    btVector3 place[2], spin[2];
    for (const bool is_dry : {false, true}) {
        btSequentialImpulseConstraintSolver stock;
        drystone::BulletSolver dry;
        dry.warns_if_unused = false;
        scenes::World world(is_dry ? static_cast<btConstraintSolver &>(dry) : stock);
        btRigidBody *body = world.add(world.keep(box(0.1, 0.2, 0.5)), 2, at(0, 0, 0));
        body->setAngularVelocity(at(1, 8, 2));
        for (int i = 0; i < 240; ++i) {
            body->applyForce(at(3, 0, 5), at(0, 0.1, 0));
            body->applyTorque(at(0, 0.02, 0.1));
            world.step(STEP);
        }
        place[is_dry] = body->getWorldTransform().getOrigin();
        spin[is_dry] = body->getAngularVelocity();
    }
    // 240 roundings of numbers up to 10, which a tumbling body lets grow some ten times
    const double rounding = 240 * 100 * (IS_DOUBLE ? 1.1e-16 : 6e-8);
    check::at_most(double((place[1] - place[0]).length()), rounding,
                   "free flight as with Bullet's own solver: place [m]");
    check::at_most(double((spin[1] - spin[0]).length()), rounding, "and spin [rad/s]");
}

/// A box at rest: its points carry its weight, and lateral impulses add up to the friction that holds it on a slope.
void weight_and_friction() {
    Dry dry;
    scenes::slope(dry.world);
    dry.run(0.5);
    btVector3 force(0, 0, 0);
    for (int i = 0; i < dry.world.dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold &manifold = *dry.world.dispatcher.getManifoldByIndexInternal(i);
        const btScalar sign = manifold.getBody0() == dry.world.bodies[1].get() ? btScalar(1) : btScalar(-1);
        for (int k = 0; k < manifold.getNumContacts(); ++k) {
            const btManifoldPoint &point = manifold.getContactPoint(k);
            force += sign * (point.m_normalWorldOnB * point.m_appliedImpulse +
                             point.m_lateralFrictionDir1 * point.m_appliedImpulseLateral1 +
                             point.m_lateralFrictionDir2 * point.m_appliedImpulseLateral2);
        }
    }
    force /= btScalar(STEP);
    const double weight = 1000 * GRAVITY, rounding = weight * (IS_DOUBLE ? 1e-9 : 1e-5);
    check::near(double(force.z()), weight, rounding, "what the points of a box on a slope carry: its weight [N]");
    check::at_most(std::hypot(double(force.x()), double(force.y())), rounding, "and nothing across it [N]");
}

/// A ball dropped from 1 m. It starts to rebound up to 1 step of its fall early or late: 4.43 m/s / 240 of its height.
void restitution() {
    for (const double e : {1.0, 0.5, 0.0}) {
        Dry dry;
        scenes::floor(dry.world);
        dry.world.bodies[0]->setRestitution(1);
        btRigidBody *body = dry.world.add(dry.world.keep(ball(0.1)), 1, at(0, 0, 1.1));
        body->setRestitution(btScalar(e));
        dry.run(0.5);
        double highest = 0;
        for (int i = 0; i < 240; ++i) {
            dry.world.step(STEP);
            highest = std::fmax(highest, double(body->getWorldTransform().getOrigin().z()) - 0.1);
        }
        check::near(highest, e * e, 4.43 / 240 + 0.01,
                    "height of rebound with restitution " + std::to_string(e).substr(0, 3) + " [m]");
    }
    {
        // so slow that Bullet makes a contact before the ball arrives: it rebounds there, up to 1 cm above the floor
        Dry dry;
        scenes::floor(dry.world);
        dry.world.bodies[0]->setRestitution(1);
        btRigidBody *body = dry.world.add(dry.world.keep(ball(0.5)), 1, at(0, 0, 0.6));
        body->setRestitution(1);
        dry.run(0.2);
        double highest = 0;
        for (int i = 0; i < 60; ++i) {
            dry.world.step(STEP);
            highest = std::fmax(highest, double(body->getWorldTransform().getOrigin().z()) - 0.5);
        }
        check::near(highest, 0.1, 1.4 / 240 + 0.01, "height of a rebound across a gap [m]");
    }
    Dry dry;
    scenes::floor(dry.world);
    dry.world.bodies[0]->setRestitution(1);
    btRigidBody *body = dry.world.add(dry.world.keep(ball(0.1)), 1, at(0, 0, 0.1005));
    body->setRestitution(1);
    dry.run(0.5);
    // 0.1 m/s is below the threshold of 0.2
    check::at_most(double(body->getLinearVelocity().length()), 1e-6, "no rebound below the threshold [m/s]");
}

/// A platform that moves takes a box along, and lifts it.
void platform() {
    Dry dry;
    btRigidBody *platform = dry.world.add(dry.world.keep(box(2, 2, 0.1)), 0, at(0, 0, 0));
    platform->setCollisionFlags(platform->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    btDefaultMotionState motion;
    platform->setMotionState(&motion);
    btRigidBody *body = dry.world.add(dry.world.keep(box(0.2, 0.2, 0.2)), 5, at(0, 0, 0.3));
    double x = 0, z = 0;
    for (int i = 0; i < 480; ++i) {
        x += 0.5 * STEP;
        z += 0.2 * STEP;
        motion.setWorldTransform(btTransform(btQuaternion::getIdentity(), at(x, 0, z)));
        dry.world.step(STEP);
    }
    const btVector3 place = body->getWorldTransform().getOrigin();
    // friction of 0.5 gives it 0.5 m/s within 0.1 s, in which it stays behind by 0.026 m at most
    check::near(double(place.x()), x, 0.026, "a box stays on a platform that moves [m]");
    check::near(double(body->getLinearVelocity().x()), 0.5, 1e-4, "at the platform's speed [m/s]");
    check::near(double(place.z()), z + 0.3, 1e-3, "and is lifted [m]");
    platform->setMotionState(nullptr);
}

/// Rolling and spinning friction against their laws.
void rolling_and_spinning() {
    const double radius = 0.2, rolling = 0.01, spinning = 0.02;
    {
        Dry dry;
        scenes::floor(dry.world);
        btRigidBody *body = dry.world.add(dry.world.keep(ball(radius)), 3, at(0, 0, radius));
        body->setRollingFriction(btScalar(rolling));
        body->setLinearVelocity(at(1, 0, 0));
        body->setAngularVelocity(at(0, 1 / radius, 0));
        dry.run(1);
        // Bullet's combined coefficient is that of the ball times sqrt(1/2), the floor's friction; the torque slows 7/5
        // m r^2
        const double slower = rolling * std::sqrt(0.5) * GRAVITY / (1.4 * radius);
        check::near(double(body->getLinearVelocity().x()), 1 - slower, 0.02 * slower,
                    "rolling friction slows a ball [m/s]");
    }
    {
        Dry dry;
        scenes::floor(dry.world);
        btRigidBody *body = dry.world.add(dry.world.keep(ball(radius)), 3, at(0, 0, radius));
        body->setSpinningFriction(btScalar(spinning));
        body->setAngularVelocity(at(0, 0, 20));
        dry.run(0.5);
        // the torque spinning * sqrt(1/2) * weight on the inertia 2/5 m r^2
        const double slower = 0.5 * spinning * std::sqrt(0.5) * GRAVITY / (0.4 * radius * radius);
        check::near(double(body->getAngularVelocity().z()), 20 - slower, 0.01 * slower + 0.02,
                    "spinning friction slows a ball on the spot [rad/s]");
    }
}

/// Gives a point friction directions of its own, and the first of Bullet's two bodies a motion along one of them.
bool move_along(btManifoldPoint &point, const btCollisionObjectWrapper *first, int, int,
                const btCollisionObjectWrapper *, int, int) {
    point.m_contactPointFlags |= BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED;
    point.m_lateralFrictionDir1 = {1, 0, 0};
    point.m_lateralFrictionDir2 = {0, 1, 0};
    point.m_contactMotion1 = btScalar(first->getCollisionObject()->isStaticObject() ? -0.7 : 0.7);
    return true;
}

/// The user's friction directions, with a motion along one: a conveyor.
void conveyor(bool has_directions) {
    Dry dry;
    dry.world.dynamics.getSolverInfo().m_solverMode |=
        SOLVER_ENABLE_FRICTION_DIRECTION_CACHING | SOLVER_USE_2_FRICTION_DIRECTIONS;
    scenes::floor(dry.world);
    btRigidBody *body = dry.world.add(dry.world.keep(box(0.2, 0.2, 0.2)), 5, at(0, 0, 0.199));
    body->setCollisionFlags(body->getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    if (has_directions) body->setAnisotropicFriction(at(1, 0.5, 1));
    gContactAddedCallback = move_along;
    dry.run(1);
    gContactAddedCallback = nullptr;
    check::near(double(body->getLinearVelocity().x()), 0.7, 1e-3,
                has_directions ? "and one of anisotropic friction [m/s]" : "a conveyor takes a box along [m/s]");
}

/// Contacts of given stiffness: a sphere sinks in by its weight over the stiffness.
void soft() {
    Dry dry;
    scenes::floor(dry.world);
    btRigidBody *body = dry.world.add(dry.world.keep(ball(0.5)), 10, at(0, 0, 0.5));
    // Bullet combines the two stiffnesses in series: 1e4 with a stiff floor
    body->setContactStiffnessAndDamping(btScalar(1e4), btScalar(300));
    dry.run(5);
    const double sinks = 0.5 - double(body->getWorldTransform().getOrigin().z());
    check::near(sinks, 10 * GRAVITY / 1e4, 1e-4, "a soft contact yields by weight over stiffness [m]");
}

/// A linear factor of one half on all axes: a body that answers blows as one of twice the mass.
void heavier() {
    Dry dry;
    dry.world.dynamics.setGravity({0, 0, 0});
    btCollisionShape *shape = dry.world.keep(ball(0.5));
    btRigidBody *one = dry.world.add(shape, 1, at(-1.2, 0, 0)), *other = dry.world.add(shape, 2, at(0, 0, 0));
    one->setLinearFactor(at(0.5, 0.5, 0.5));
    one->setLinearVelocity(at(1, 0, 0));
    one->setRestitution(1);
    other->setRestitution(1);
    dry.run(1);
    check::near(double(other->getLinearVelocity().x()), 1, 1e-5,
                "a body of half a linear factor strikes as one of twice its mass [m/s]");
    check::at_most(std::fabs(double(one->getLinearVelocity().x())), 1e-5, "and stops [m/s]");
}

/// Factors of single axes: a plane world in three dimensions, and friction that depends on the direction.
void factors() {
    {
        Dry dry;
        scenes::floor(dry.world);
        btCollisionShape *shape = dry.world.keep(box(0.5, 0.5, 0.5));
        for (int i = 0; i < 6; ++i) {
            btRigidBody *body = dry.world.add(shape, 10, at(0.1 * i, 0.1 * (i % 2), 0.5 + 1.01 * i));
            body->setLinearFactor(at(1, 0, 1));
            body->setAngularFactor(at(0, 1, 0));
        }
        dry.run(1);
        double aside = 0, high = 0;
        for (size_t i = 1; i < dry.world.bodies.size(); ++i) {
            const btVector3 place = dry.world.bodies[i]->getWorldTransform().getOrigin();
            aside = std::fmax(aside, std::fabs(double(place.y()) - 0.1 * double((i - 1) % 2)));
            high = std::fmax(high, double(place.z()));
        }
        check::at_most(aside, 1e-7, "bodies with a linear factor of 0 along y stay where they are along it [m]");
        check::that(high > 2.2, "and stand on each other or have toppled, but have not sunk");
    }
    {
        Dry dry;
        scenes::floor(dry.world);
        btRigidBody *body = dry.world.add(dry.world.keep(box(0.5, 0.5, 0.1)), 10, at(0, 0, 0.1));
        body->setAnisotropicFriction(at(1, 0.2, 1));
        body->setLinearVelocity(at(0, 3, 0));
        dry.run(0.5);
        // friction 0.5 times 0.2 along y
        check::near(double(body->getLinearVelocity().y()), 3 - 0.5 * 0.2 * 0.5 * GRAVITY, 0.02,
                    "anisotropic friction along its weak axis [m/s]");
        body->setLinearVelocity(at(3, 0, 0));
        dry.run(0.5);
        check::near(double(body->getLinearVelocity().x()), 3 - 0.5 * 0.5 * GRAVITY, 0.02,
                    "and along its strong one [m/s]");
    }
}

}  // namespace

void contacts() {
    momentum();
    free_flight();
    weight_and_friction();
    restitution();
    platform();
    rolling_and_spinning();
    conveyor(false);
    conveyor(true);
    soft();
    heavier();
    factors();
}

}  // namespace units
