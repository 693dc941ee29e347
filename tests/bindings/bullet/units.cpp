// Checks of drystone::BulletSolver against what is known in closed form, and of its manners.
#include "units.hpp"

#include <cstdlib>

int main() {
    units::contacts();
    units::resting();
    units::joints();
    units::solver();
    return check::failures() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
