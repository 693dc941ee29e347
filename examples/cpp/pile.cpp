// A pile of 91 spheres, stepped for two seconds, and what can be known of it: examples/c/pile.c through drystone.hpp.
//
//     c++ -std=c++17 pile.cpp $(pkg-config --cflags --libs drystone) -o pile
#include <drystone.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

static void pile() {
    // What is not set here is as the library has it: gravity 9.81 m/s^2 along -z, 50 sweeps, 1000 kg/m^3.
    const double gravity = 9.81;
    drystone::world world;
    const drystone::shape ground = world.add_half_space({0.0, 0.0, 1.0}, 0.0);
    const drystone::shape ball = world.add_sphere(0.1);
    drystone::material_def stuff;
    stuff.friction = 0.5, stuff.rolling_friction = 0.2; // else the pile would roll apart
    const drystone::material material = world.add_material(stuff);

    const drystone::body bottom = world.add_body(drystone::body_def(ground, DRY_STATIC).set_material(material));
    drystone::body sphere;
    int spheres = 0;
    for (int k = 0; k <= 5; ++k)
        for (int i = 0; i <= 5 - k; ++i)
            for (int j = 0; j <= 5 - k; ++j, ++spheres) {
                const double x = (i - (5 - k) * 0.5) * 0.21, y = (j - (5 - k) * 0.5) * 0.21, z = 0.1 + k * 0.17;
                sphere = world.add_body(drystone::body_def(ball).set_material(material).set_position({x, y, z}));
            }
    for (int step = 0; step < 480; ++step) world.step(1.0 / 240.0);

    const std::vector<drystone::contact> contacts = world.contacts();
    double largest = 0.0, highest = 0.0;
    for (const drystone::contact &contact : contacts) largest = std::max(largest, contact.normal_force);
    for (const drystone::body_state &state : world.states()) highest = std::max(highest, state.position[2]);
    const double weight = spheres * world.mass(sphere).mass * gravity;

    std::printf("contacts %zu\n", contacts.size());
    std::printf("floor_over_weight %.12e\n", -world.force(bottom).force[2] / weight);
    std::printf("largest_normal_force %.12e\n", largest);
    std::printf("kinetic_energy %.12e\n", world.energy().kinetic);
    std::printf("highest_centre %.12e\n", highest);
    std::printf("hash %016" PRIx64 "\n", world.hash());
}

int main() {
    try {
        pile();
    } catch (const drystone::error &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
