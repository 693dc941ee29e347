// A semicircular arch of 16 voussoirs, and the acceleration at which it falls: examples/c/arch.c through drystone.hpp.
//
//     c++ -std=c++17 arch.cpp $(pkg-config --cflags --libs drystone) -o arch
#include <drystone.hpp>

#include <cmath>
#include <cstdio>

static const int voussoirs = 16;

// The corners of a voussoir between two angles, in the axes of the world, so that its body is at the origin.
static std::vector<drystone::vector3> corners_between(double from, double to) {
    std::vector<drystone::vector3> corners;
    for (int n = 0; n < 8; ++n) {
        // the thickness is a fifth of the radius [m]
        const double angle = n & 1 ? to : from, radius = n & 2 ? 1.1 : 0.9, y = n & 4 ? 0.5 : -0.5;
        corners.push_back({radius * std::cos(angle), y, radius * std::sin(angle)});
    }
    return corners;
}

static void arch() {
    // What is not set here is as the library has it: gravity 9.81 m/s^2 along -z, 1000 kg/m^3.
    const double gravity = 9.81, pi = std::acos(-1.0);
    drystone::world world;
    drystone::material_def stone;
    stone.friction = 0.8;
    const drystone::material material = world.add_material(stone);
    const drystone::shape abutment = world.add_box({0.2, 0.5, 0.1});
    for (const double x : {1.0, -1.0})
        world.add_body(drystone::body_def(abutment, DRY_STATIC).set_material(material).set_position({x, 0, -0.1}));
    std::vector<std::array<double, 6>> loads(2);
    drystone::body last;
    for (int n = 0; n < voussoirs; ++n) {
        const drystone::shape hull = world.add_hull(corners_between(pi * n / voussoirs, pi * (n + 1) / voussoirs));
        last = world.add_body(drystone::body_def(hull).set_material(material));
        loads.push_back({world.mass(last).mass * gravity, 0, 0, 0, 0, 0});
    }

    drystone::static_def how;
    how.tolerance = 1e-9;
    if (world.solve_static(how).report.flags != 0) throw std::runtime_error("the arch does not stand");
    // The last voussoir is beside the abutment.
    std::printf("weight_of_a_voussoir %.6f\ncontacts_carry %.6f\n", loads.back()[0], world.force(last).force[2]);
    const drystone::static_result limit = world.limit_load(loads, how);
    std::printf("falls_at_acceleration_over_g %.6f\n", limit.report.load_factor);
    std::printf("slides %d\n", limit.report.has(DRY_STATIC_SLIDING_MECHANISM));
    // Between two voussoirs that turn apart there is a hinge. Abutments do not turn.
    const auto turn = [&](int n) { return n < 0 || n >= voussoirs ? 0.0 : limit.moves[static_cast<std::size_t>(n + 2)][4]; };
    for (int n = 0; n <= voussoirs; ++n)
        if (std::abs(turn(n) - turn(n - 1)) > 1e-6) std::printf("hinge_at_degrees %.2f\n", 180.0 * n / voussoirs);
}

int main() {
    try {
        arch();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
