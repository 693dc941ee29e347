// A NURBS grain that comes to rest on an elastic floor by the theta method: examples/c/grain.c through drystone.hpp.
//
//     c++ -std=c++17 grain.cpp $(pkg-config --cflags --libs drystone) -o grain
#include <drystone.hpp>

#include <cmath>
#include <cstdio>

static void grain() {
    const double stiffness = 1e6, gravity = 9.81, pi = std::acos(-1.0);
    const int count = 9;
    drystone::settings settings;
    settings.method = DRY_METHOD_THETA;
    settings.theta = 0.7; // 0.5 keeps the energy, 1 damps most
    drystone::world_def world_def;
    world_def.settings = &settings;
    drystone::world world(world_def.set_gravity({0, -gravity, 0}));
    drystone::material_def elastic;
    elastic.friction = 0.5;
    elastic.normal_stiffness = 2 * stiffness; // of grain and floor in series, at each contact point [N/m]
    const drystone::material material = world.add_material(elastic);
    world.add_body(drystone::body_def(world.add_half_space({0, 1, 0}, 0), DRY_STATIC).set_material(material));

    // Every third point is nearer to the middle: the curve is not convex there.
    std::vector<std::array<double, 2>> points;
    std::vector<double> knots;
    for (int k = 0; k < count; ++k) {
        const double radius = k % 3 == 1 ? 0.25 : 0.5, angle = 2 * pi * k / count;
        points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    for (int k = 0; k <= count; ++k) knots.push_back(k);
    const drystone::shape curve = world.add_nurbs_curve(drystone::nurbs_curve_def().set_points(points).set_knots(knots));
    drystone::body_def def(curve);
    def.set_material(material).set_position({0, 1, 0});
    def.lock = DRY_LOCK_PLANAR;
    const drystone::body body = world.add_body(def);

    for (int n = 0; n < 2400; ++n) world.step(1.0 / 240.0);
    const auto contacts = world.contacts();
    double carried = 0, pressed = 0;
    for (const auto &contact : contacts) {
        carried += contact.normal_force;
        pressed -= stiffness * contact.gap;
    }
    const auto state = world.state(body);
    std::printf("weight %.6f\ncontacts %d\n", world.mass(body).mass * gravity, static_cast<int>(contacts.size()));
    std::printf("contacts_carry %.6f\nstiffness_times_overlap %.6f\n", carried, pressed);
    std::printf("height %.6f\n", state.position[1]);
    std::printf("turned_by_degrees %.3f\n", 2 * std::atan2(state.rotation[2], state.rotation[3]) * 180 / pi);
}

int main() {
    try {
        grain();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
