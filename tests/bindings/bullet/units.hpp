// What the checks of the adapter share: a world with its solver, and the parts of the checks.
#ifndef DRYSTONE_TEST_BULLET_UNITS_HPP
#define DRYSTONE_TEST_BULLET_UNITS_HPP

#include "check.hpp"
#include "scenes.hpp"

#include <drystone_bullet.hpp>

namespace units {

constexpr double STEP = 1.0 / 240, GRAVITY = 9.81;
constexpr bool IS_DOUBLE = sizeof(btScalar) == 8;

/// A world that drystone solves. A refused step is a failure unless a check expects it.
struct Dry {
    drystone::BulletSolver solver;
    scenes::World world{solver};
    int refused = 0;
    bool expects_refusal = false;

    Dry() {
        solver.on_error = [this](dry_status, const std::string &message) {
            ++refused;
            if (!expects_refusal) check::that(false, "refused: " + message);
        };
    }
    void run(double seconds) {
        for (int i = 0; i < int(seconds / STEP + 0.5); ++i) world.step(STEP);
    }
};

/// What the points of all manifolds carry along their normals [N s].
double carried(const scenes::World &world);

void contacts();
void resting();
void joints();
void solver();

}  // namespace units

#endif
