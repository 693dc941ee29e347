// The solver itself: warm starting, reports, settings, refusals, threads.
#include "units.hpp"

#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>

#include <cfenv>
#include <cstdio>
#include <cstring>
#include <limits>
#include <thread>
#include <unistd.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

using scenes::at;
using scenes::box;

namespace units {
namespace {

void warm_starting() {
    double residual[2];
    for (const bool warm : {true, false}) {
        Dry dry;
        dry.solver.settings.projection = DRY_PROJECTION_OFF;
        if (!warm) dry.world.dynamics.getSolverInfo().m_solverMode &= ~SOLVER_USE_WARMSTARTING;
        scenes::stack(dry.world, 8);
        dry.world.step(STEP);
        check::that(dry.solver.report().new_contacts == 32, "all contacts of the first step are new");
        for (int i = 0; i < 10; ++i) dry.world.step(STEP);
        residual[warm] = dry.solver.report().residual_max;
        check::that(dry.solver.report().new_contacts == 0, "none of the eleventh is");
        // 8 boxes on the floor, 7 on the first of them, ...: 36 weights. Ten sweeps leave a step up to a third more or less; over a
        // second they carry them, except for the momentum that boxes slower than 1 cm/s gain.
        double sum = 0;
        for (int i = 0; i < 240; ++i) {
            dry.world.step(STEP);
            sum += carried(dry.world);
        }
        if (warm)
            check::near(sum / (240 * STEP) / (36 * 1000 * GRAVITY), 1, 2e-3,
                        "impulses are written into the points");
    }
    check::at_most(residual[true] / residual[false], 0.2, "with warm starting ten sweeps get farther");
    // Bullet makes the contact of two spheres again in every step
    Dry dry;
    scenes::floor(dry.world);
    btCollisionShape *shape = dry.world.keep(new btSphereShape(btScalar(0.5)));
    for (int i = 0; i < 3; ++i) dry.world.add(shape, 1, at(0, 0, 0.5 + 0.999 * i));
    dry.run(0.25);
    // by 6 cm of its surface in a step
    dry.world.bodies[2]->setAngularVelocity(at(0, 30, 0));
    dry.world.step(STEP);
    dry.world.step(STEP);
    check::that(dry.solver.report().contacts == 3 && dry.solver.report().new_contacts == 0,
                "contacts of spheres that roll are known from step to step");
}

void settings_and_reports() {
    Dry dry;
    scenes::stack(dry.world, 10);
    dry.solver.settings.projection = DRY_PROJECTION_OFF;
    dry.world.dynamics.getSolverInfo().m_numIterations = 7;
    dry.world.step(STEP);
    check::that(dry.solver.report().iterations == 7, "sweeps are the world's m_numIterations");
    dry.solver.settings.iterations = 3;
    dry.world.step(STEP);
    check::that(dry.solver.report().iterations == 3, "or the solver's own");
    const auto worst = dry.solver.worst();
    check::that(worst.residual > 0 && worst.manifold && worst.point && !worst.joint,
                "the worst contact is shown with its manifold");
    dry.solver.settings.iterations = 0;
    dry.solver.settings.solver = DRY_SOLVER_NEWTON;
    dry.world.step(STEP);
    check::at_most(dry.solver.report().residual_max, 1e-12, "Newton by choice [m/s]");
    dry.solver.settings.solver = DRY_SOLVER_PGS;
    dry.solver.settings.tolerance = 1e-30;
    dry.solver.settings.require_convergence = 1;
    dry.world.step(STEP);
    check::that(dry.refused == 0 && (dry.solver.report().flags & DRY_REPORT_NOT_CONVERGED),
                "an answer that has not converged is taken and reported");
}

/// A pile at rest repeats itself and is not solved again; what is pushed is.
void settled() {
    Dry dry;
    scenes::stack(dry.world, 3);
    dry.run(0.1);
    check::that(dry.solver.was_settled(), "what repeats itself bit for bit is not solved again");
    check::near(carried(dry.world) / STEP, 6 * 1000 * GRAVITY, 1e-3 * 6000 * GRAVITY, "and carries what it did [N]");
    dry.world.bodies[3]->applyCentralForce(at(100, 0, 0));
    dry.world.step(STEP);
    check::that(!dry.solver.was_settled(), "a force ends that");
    dry.solver.reset();
    dry.world.step(STEP);
    check::that(!dry.solver.was_settled() && dry.solver.report().new_contacts == 12, "reset forgets everything");
}

void refusals() {
    Dry dry;
    scenes::stack(dry.world, 2);
    dry.run(0.1);
    dry.expects_refusal = true;
    btRigidBody *broken = dry.world.add(dry.world.keep(new btSphereShape(btScalar(0.2))), 1, at(5, 0, 3));
    broken->setLinearVelocity(at(std::numeric_limits<double>::quiet_NaN(), 0, 0));
    dry.world.step(STEP);
    check::that(dry.refused == 1 && dry.solver.last_status() == DRY_ERR_NOT_FINITE, "a body at NaN is refused");
    check::that(dry.solver.last_error().find("velocity") != std::string::npos, "by name: " + dry.solver.last_error());
    const btVector3 place = dry.world.bodies[2]->getWorldTransform().getOrigin();
    check::near(double(place.z()), 1.5, 1e-3, "and Bullet's own solver holds the rest in that step [m]");
    dry.world.dynamics.removeRigidBody(broken);
    dry.expects_refusal = false;
    dry.run(0.1);
    check::that(dry.refused == 1, "without it drystone goes on");
    dry.expects_refusal = true;
    dry.solver.settings.relaxation = 3;
    dry.world.bodies[2]->applyCentralForce(at(1, 0, 0));
    dry.world.step(STEP);
    check::that(dry.solver.last_error().find("relaxation") != std::string::npos,
                "a setting out of range is refused: " + dry.solver.last_error());
}

/// What pretends to be a link of a multibody.
struct Link : btCollisionObject {
    Link() { m_internalType = CO_FEATHERSTONE_LINK; }
};

/// A group of its own, without the calls of a world, as other hosts of Bullet's solvers make it.
void groups() {
    Dry dry;
    scenes::floor(dry.world);
    btRigidBody *body = dry.world.add(dry.world.keep(box(0.5, 0.5, 0.5)), 1, at(0, 0, 0.5));
    dry.run(0.1);
    drystone::BulletSolver alone;
    btCollisionObject *objects[] = {body};
    btPersistentManifold *manifold = dry.world.dispatcher.getManifoldByIndexInternal(0);
    btContactSolverInfo info;
    info.m_timeStep = btScalar(STEP);
    body->setLinearVelocity(at(0, 0, -1));
    alone.solveGroup(objects, 1, &manifold, 1, nullptr, 0, info, nullptr, &dry.world.dispatcher);
    check::at_most(std::fabs(double(body->getLinearVelocity().z())), 1e-5,
                   "a group without a world's calls is solved at once [m/s]");
    Link link;
    link.setCollisionShape(body->getCollisionShape());
    btPersistentManifold *odd = dry.world.dispatcher.getNewManifold(body, &link);
    alone.solveGroup(objects, 1, &odd, 1, nullptr, 0, info, nullptr, &dry.world.dispatcher);
    check::that(
        alone.last_status() == DRY_ERR_UNSUPPORTED && alone.last_error().find("btMultiBody") != std::string::npos,
        "a multibody is refused by name");
    dry.world.dispatcher.releaseManifold(odd);
}

/// Bodies that cannot be moved, and bodies that come and go.
void odd_bodies() {
    Dry dry;
    scenes::floor(dry.world);
    btCollisionShape *shape = dry.world.keep(box(0.5, 0.5, 0.5));
    for (int i = 0; i < 2; ++i) {
        btRigidBody *moved = dry.world.add(shape, 0, at(0, 0, 0.4 + 0.9 * i));
        moved->setCollisionFlags(moved->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    }
    btRigidBody *held = dry.world.add(shape, 1, at(3, 0, 0.4));
    held->setLinearFactor(at(0, 0, 0));
    held->setAngularFactor(0);
    dry.run(0.1);
    check::that(dry.refused == 0, "bodies that nothing moves, in each other");
    scenes::Random random;
    for (int i = 0; i < 60; ++i) {
        dry.world.add(shape, 1, at(6 + random.next(), random.next(), 1 + 0.05 * i));
        dry.run(0.02);
        if (i % 3 == 2) {
            const size_t gone = 4 + size_t(random.next() * double(dry.world.bodies.size() - 4));
            dry.world.dynamics.removeRigidBody(dry.world.bodies[gone].get());
            dry.world.bodies.erase(dry.world.bodies.begin() + long(gone));
        }
    }
    check::that(dry.refused == 0, "bodies that come and go");
}

#if defined(__SSE2__)
void environment() {
    Dry dry;
    scenes::stack(dry.world, 2);
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);  // flush to zero, denormals are zero
    dry.run(0.1);
    check::that(dry.refused == 0 && (_mm_getcsr() & 0x8040) == 0x8040,
                "a host that flushes small numbers to zero, and still does");
    _mm_setcsr(before);
}
#else
void environment() {}
#endif

std::vector<btVector3> places_of_a_run() {
    Dry dry;
    scenes::pile(dry.world, 60);
    dry.run(1);
    std::vector<btVector3> places;
    for (const auto &body : dry.world.bodies) places.push_back(body->getWorldTransform().getOrigin());
    return places;
}

bool same(const std::vector<btVector3> &a, const std::vector<btVector3> &b) {
    for (size_t i = 0; i < a.size(); ++i)
        for (int k = 0; k < 3; ++k)
            if (std::memcmp(&a[i][k], &b[i][k], sizeof a[i][k]) != 0) return false;
    return a.size() == b.size();
}

void threads() {
    const auto alone = places_of_a_run();
    std::vector<btVector3> together[2];
    std::thread one([&] { together[0] = places_of_a_run(); }), other([&] { together[1] = places_of_a_run(); });
    one.join();
    other.join();
    check::that(same(alone, together[0]) && same(alone, together[1]),
                "two worlds in two threads, the same bits as one alone");
}

/// A world with a soft body in it.
void soft_world() {
    drystone::BulletSolver solver;
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSoftRigidDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    btStaticPlaneShape plane({0, 0, 1}, 0);
    btBoxShape cube(at(0.5, 0.5, 0.5));
    btVector3 inertia;
    cube.calculateLocalInertia(1, inertia);
    btRigidBody ground(0, nullptr, &plane), body(1, nullptr, &cube, inertia);
    body.setWorldTransform(btTransform(btQuaternion::getIdentity(), at(0, 0, 0.6)));
    world.addRigidBody(&ground);
    world.addRigidBody(&body);
    world.setGravity(at(0, 0, -GRAVITY));
    for (int i = 0; i < 120; ++i) world.stepSimulation(btScalar(STEP), 0);
    check::near(double(body.getWorldTransform().getOrigin().z()), 0.5, 0.05,
                "rigid bodies of a btSoftRigidDynamicsWorld [m]");
    world.removeRigidBody(&body);
    world.removeRigidBody(&ground);
}

/// Whether a solver runs: its own count, and the line of one that no world was given.
void unused() {
    std::FILE *file = std::tmpfile();
    const int kept = dup(fileno(stderr));
    dup2(fileno(file), fileno(stderr));
    uint64_t steps = 0;
    {
        Dry dry;
        scenes::stack(dry.world, 1);
        drystone::BulletSolver forgotten, quiet;
        quiet.warns_if_unused = false;
        dry.run(3 * STEP);
        steps = dry.solver.steps();
        check::that(dry.world.dynamics.getConstraintSolver() == &dry.solver && forgotten.steps() == 0,
                    "a solver that no world has is not called");
    }
    std::fflush(stderr);
    dup2(kept, fileno(stderr));
    close(kept);
    std::rewind(file);
    char line[256] = "", more[256] = "";
    const bool said = std::fgets(line, sizeof line, file) && !std::fgets(more, sizeof more, file);
    std::fclose(file);
    check::that(steps == 3, "the steps of a world are counted");
    check::that(said && std::strstr(line, "no world ever called"), std::string("one line of what is never called: ") + line);
}

}  // namespace

void solver() {
    warm_starting();
    settings_and_reports();
    settled();
    refusals();
    groups();
    odd_bodies();
    environment();
    threads();
    soft_world();
    unused();
}

}  // namespace units
