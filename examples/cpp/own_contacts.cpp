// The solver without a world: a program that has bodies, finds contacts and integrates by itself, and asks drystone for
// the velocities and forces of each step. Ten spheres are stacked to a wall, 4 + 3 + 2 + 1, and stand for a second.
//
//     c++ -std=c++17 own_contacts.cpp $(pkg-config --cflags --libs drystone) -o own_contacts
#include <drystone.hpp>

#include <array>
#include <cmath>
#include <cstdio>

using point = std::array<double, 3>;

// A contact whose normal points from sphere a, or the floor, to sphere b. Its key is the same in every step.
static drystone::problem_contact touch(std::uint32_t a, std::uint32_t b, double gap, double radius, double step, point n) {
    drystone::problem_contact contact;
    contact.key = 1 + 100 * std::uint64_t{b} + (a == drystone::fixed_world ? 99 : a);
    contact.body_a = a, contact.body_b = b;
    contact.set_normal(n).set_arm_a({radius * n[0], radius * n[1], radius * n[2]});
    contact.set_arm_b({-radius * n[0], -radius * n[1], -radius * n[2]});
    contact.normal_bias = (gap > 0.0 ? gap : 0.2 * gap) / step; // what overlaps is pressed apart over some steps
    contact.friction = 0.5, contact.rolling = 0.1 * radius;
    return contact;
}

static void wall() {
    const double radius = 0.1, mass = 4.0, inertia = 0.4 * mass * radius * radius, step = 1.0 / 60.0, gravity = 9.81;
    std::vector<point> centers;
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < 4 - k; ++i) centers.push_back({(2 * i + k) * radius, 0.0, (1.0 + k * std::sqrt(3.0)) * radius});

    drystone::problem_body sphere;
    sphere.inverse_mass = 1.0 / mass;
    sphere.set_inverse_inertia({1.0 / inertia, 1.0 / inertia, 1.0 / inertia, 0, 0, 0});
    std::vector<drystone::problem_body> bodies(centers.size(), sphere);
    std::vector<drystone::problem_contact> contacts;

    drystone::settings settings;
    settings.solver = DRY_SOLVER_NEWTON, settings.tolerance = 1e-12;
    drystone::solver solver;
    drystone::solution solution;
    for (int n = 0; n < 60; ++n) {
        contacts.clear();
        for (std::uint32_t b = 0; b < bodies.size(); ++b) {
            const point &at = centers[b];
            if (at[2] < 1.1 * radius)
                contacts.push_back(touch(drystone::fixed_world, b, at[2] - radius, radius, step, {0, 0, 1}));
            for (std::uint32_t a = 0; a < b; ++a) {
                const point way{at[0] - centers[a][0], at[1] - centers[a][1], at[2] - centers[a][2]};
                const double far = std::hypot(way[0], way[1], way[2]);
                if (far < 2.1 * radius)
                    contacts.push_back(
                        touch(a, b, far - 2 * radius, radius, step, {way[0] / far, way[1] / far, way[2] / far}));
            }
            bodies[b].velocity[2] -= gravity * step;
        }
        solver.solve({step, bodies, contacts}, settings, solution);
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            bodies[b].set_velocity(solution.linear_velocity(b)).set_angular_velocity(solution.angular_velocity(b));
            for (std::size_t i = 0; i < 3; ++i) centers[b][i] += step * bodies[b].velocity[i];
        }
    }
    double floor = 0.0;
    for (std::size_t c = 0; c < contacts.size(); ++c)
        if (contacts[c].body_a == drystone::fixed_world) floor += solution.contacts[c].impulse[2] / step;
    std::printf("contacts %zu, floor over weight %.9f, top at %.6f m, residual below 1e-12 m/s: %s\n", contacts.size(),
                floor / (10 * mass * gravity), centers.back()[2], solution.report.residual_max < 1e-12 ? "yes" : "no");
}

int main() {
    try {
        wall();
    } catch (const drystone::error &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
