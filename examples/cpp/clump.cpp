// A dumbbell, a clump of two balls and a bar, that comes to rest on ice: examples/c/clump.c through drystone.hpp.
//
//     c++ -std=c++17 clump.cpp $(pkg-config --cflags --libs drystone) -o clump
#include <drystone.hpp>

#include <cmath>
#include <cstdio>

static void dumbbell() {
    const double gravity = 9.81, pi = std::acos(-1.0);
    drystone::world world(drystone::world_def().set_gravity({0, 0, -gravity}));
    drystone::material_def smooth;
    smooth.friction = 0;
    const drystone::material ice = world.add_material(smooth);
    world.add_body(drystone::body_def(world.add_half_space({0, 0, 1}, 0), DRY_STATIC).set_material(ice));
    const drystone::shape large = world.add_sphere(0.3), small = world.add_sphere(0.2);
    const drystone::shape bar = world.add_box({0.5, 0.08, 0.08}); // it reaches into both balls
    const std::vector<drystone::clump_part> parts{
        drystone::clump_part(large, {-0.5, 0, 0}), drystone::clump_part(small, {0.5, 0, 0}), drystone::clump_part(bar)};
    const drystone::shape clump = world.add_clump(parts);
    for (const drystone::shape part : {large, small, bar}) world.remove(part); // the clump has copies
    double volume = 0;
    const auto whole = world.mass(clump, &volume);
    const drystone::body body = world.add_body(drystone::body_def(clump).set_material(ice).set_position({0, 0, 0.5}));

    for (int n = 0; n < 480; ++n) world.step(1.0 / 240.0);
    const auto contacts = world.contacts();
    const auto state = world.state(body);
    double on_large = 0, on_small = 0;
    for (const auto &contact : contacts)
        (contact.point[0] < state.position[0] ? on_large : on_small) += contact.normal_force;
    std::printf("volume %.6f\ncenter_of_mass %.6f\n", volume, whole.center_of_mass[0]);
    std::printf("weight %.6f\ncontacts %d\n", world.mass(body).mass * gravity, static_cast<int>(contacts.size()));
    std::printf("on_large_ball %.6f\non_small_ball %.6f\n", on_large, on_small);
    std::printf("leaning_degrees %.2f\n", 2 * std::atan2(state.rotation[1], state.rotation[3]) * 180 / pi);
}

int main() {
    try {
        dumbbell();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
