// Worlds through drystone.hpp: owning, moving, refusing, and that each call does what its C function does.
#include "check.hpp"

#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>
#include <thread>
#include <unordered_set>

using namespace drystone;

// What must not compile: copies of solvers, handles of another kind, numbers in place of handles and back.
static_assert(std::is_copy_constructible_v<world> && std::is_copy_assignable_v<world>);
static_assert(std::is_nothrow_move_constructible_v<world> && std::is_nothrow_move_assignable_v<world>);
static_assert(!std::is_copy_constructible_v<solver> && std::is_nothrow_move_constructible_v<solver>);
static_assert(!std::is_convertible_v<shape, body> && !std::is_constructible_v<body, shape>);
static_assert(!std::is_convertible_v<body, std::uint64_t> && !std::is_convertible_v<std::uint64_t, body>);
static_assert(!std::is_assignable_v<std::uint64_t &, material> && !std::is_assignable_v<body &, joint>);
static_assert(std::is_trivially_copyable_v<body> && std::is_trivially_copyable_v<contact>);

struct scene {
    world all;
    shape ball = all.add_sphere(0.5);
    body floor = all.add_body(body_def(all.add_half_space({0, 0, 1}, 0), DRY_STATIC));
    body sphere = all.add_body(body_def(ball).set_position({0, 0, 0.5}));
};

static void defaults() {
    dry_settings c_settings;
    dry_body_def c_body;
    dry_settings_init(&c_settings, sizeof c_settings);
    dry_body_def_init(&c_body, sizeof c_body);
    check("settings begin as in C", std::memcmp(&c_settings, static_cast<dry_settings *>(&*std::make_unique<settings>()),
                                                sizeof c_settings) == 0);
    const body_def def;
    check("a body begins as in C", std::memcmp(&c_body, static_cast<const dry_body_def *>(&def), sizeof c_body) == 0);
    check("a material has its defaults", material_def().density == 1000.0);
    check("a pair has its defaults", pair_def().friction == 0.5);
    check("a world has its defaults", world_def().gravity[2] == -9.81);
    check("a report has its size", step_report().struct_size == sizeof(dry_step_report));
    check("a state turns nothing", body_state().rotation[3] == 1.0 && body_state().position[0] == 0.0);
    check("a row is bilateral", std::isinf(problem_row().upper) && problem_row().friction_row == -1);
}

static void periodic() {
    const auto force = [](double x) {
        world box(world_def().set_gravity({0, 0, 0}).set_period({4, 0, 8}));
        const shape ball = box.add_sphere(0.5);
        body_def moving(ball);
        moving.linear_velocity[0] = 1;
        const body first = box.add_body(moving);
        box.add_body(body_def(ball).set_position({x, 0, 0}));
        box.step(0.01);
        check("the period", box.period()[0] == 4 && box.period()[1] == 0 && box.period()[2] == 8);
        box.set_gravity({0, 0.5, -2});
        check("the gravity", box.gravity()[1] == 0.5 && box.gravity()[2] == -2);
        return box.force(first).force[0];
    };
    check("balls touch across the side of a box", force(1) < -1 && force(1) == force(-3) && force(1) == force(17));
    {
        world box(world_def().set_gravity({0, 0, 0}).set_period({4, 0, 8}));
        box.set_strain_rate({-0.5, 0, 0.25});
        box.step(0.5);
        check("the strain rate", box.strain_rate()[0] == -0.5 && box.strain_rate()[2] == 0.25);
        check("the strained period", box.period()[0] == 3 && box.period()[1] == 0 && box.period()[2] == 9);
        refused("a strain without a period", DRY_ERR_ARGUMENT, "rates[1] is 1 1/s", [&] { box.set_strain_rate({0, 1, 0}); });
    }
    refused("a ball of more than half a period", DRY_ERR_ARGUMENT, "period[1] is 1.5 m", [] {
        world box(world_def().set_period({0, 1.5, 0}));
        box.add_body(body_def(box.add_sphere(0.5)));
    });
}

static void owning() {
    scene one;
    world moved = std::move(one.all);
    refused("a world that was moved from", DRY_ERR_NULL, "world", [&] { one.all.step(0.01); });
    refused("reading one", DRY_ERR_NULL, "world", [&] { static_cast<void>(one.all.contacts()); });
    check("the moved world lives", moved && !one.all && moved.bodies().size() == 2);
    one.all = std::move(moved);
    check("and back", one.all && one.all.state(one.sphere).position[2] == 0.5);
    one.all = world();
    refused("another world in its place", DRY_ERR_STALE_HANDLE, "", [&] { static_cast<void>(one.all.state(one.sphere)); });
    one.all.destroy();
    one.all.destroy();
    refused("a world that was destroyed", DRY_ERR_NULL, "world", [&] { one.all.set_gravity({0, 0, 0}); });
    refused("its bodies", DRY_ERR_NULL, "world", [&] { static_cast<void>(one.all.bodies()); });
    refused("its states", DRY_ERR_NULL, "world", [&] { static_cast<void>(one.all.states()); });
    refused("no states of it", DRY_ERR_NULL, "world", [&] { one.all.states(span<const body>(), span<body_state>()); });

    world_def wrong;
    wrong.struct_size = 1;
    refused("a definition of no known size", DRY_ERR_ABI, "1", [&] { world made(wrong); });
}

static void handles() {
    scene one;
    const body null;
    check("a handle is not null, null is", one.sphere && !null);
    check("handles compare", one.sphere == body(one.sphere.value()) && one.sphere != one.floor && null < one.sphere);
    check("handles are keys", std::unordered_set<body>{one.sphere, one.floor, one.sphere}.size() == 2 &&
                                  std::set<shape>{one.ball, shape()}.size() == 2);
    one.all.remove(one.sphere);
    refused("a removed body", DRY_ERR_STALE_HANDLE, "body", [&] { static_cast<void>(one.all.state(one.sphere)); });
    one.all.remove(one.ball);
    refused("a removed shape", DRY_ERR_STALE_HANDLE, "shape", [&] { one.all.add_body(body_def(one.ball)); });
}

static void shapes() {
    world all;
    const std::array<double, 3> half{1, 2, 3};
    check("shapes are added", all.add_box(half) && all.add_capsule(1, 0.5) && all.add_cylinder(1, 0.5));
    const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::vector<std::array<float, 3>> as_floats{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    std::vector<double> flat(&corners[0][0], &corners[0][0] + 12);
    const auto volume = [&](shape hull) {
        const double mass = all.mass(all.add_body(body_def(hull))).mass / 1000;
        return std::abs(mass - 1.0 / 6) < 1e-15; // a tetrahedron, to round-off
    };
    check("a hull of arrays, of floats, of numbers",
          volume(all.add_hull(corners)) && volume(all.add_hull(as_floats)) && volume(all.add_hull(flat)));
    const shape cube = all.add_box({1, 1, 1});
    const std::vector<clump_part> parts{clump_part(cube), clump_part(cube, {1, 0, 0}).set_density_factor(3)};
    const shape clump = all.add_clump(parts);
    double whole = 0;
    const mass_properties of_clump = all.mass(clump, &whole);
    check("a clump of two cubes that share a half", std::abs(whole - 12) < 1e-13 && std::abs(of_clump.mass - 20) < 1e-13 &&
                                                        std::abs(of_clump.center_of_mass[0] - 0.9) < 1e-13);
    refused("a clump of clumps", DRY_ERR_ARGUMENT, "parts[0]: shape is a clump",
            [&] { all.add_clump(std::vector<clump_part>{clump_part(clump)}); });
    refused("a clump of nothing", DRY_ERR_ARGUMENT, "count is 0", [&] { all.add_clump(std::vector<clump_part>()); });
    const body planar = all.add_body(body_def(clump).set_planar().set_linear_velocity({1, 2, 3}));
    check("a planar body", all.state(planar).linear_velocity[2] == 0);
    const std::vector<std::uint32_t> indices{0, 1, 2, 1, 2, 3};
    const std::array<std::uint32_t, 3> triangles[2] = {{0, 1, 2}, {1, 2, 3}};
    check("a mesh of numbers, of triples", all.add_mesh(flat, indices) && all.add_mesh(corners, triangles));
    refused("an index beyond the points", DRY_ERR_ARGUMENT, "triangles",
            [&] { all.add_mesh(corners, std::vector<std::uint32_t>{0, 1, 4}); });
    refused("a number too few for a triangle", DRY_ERR_ARGUMENT, "triangles: 2 numbers",
            [&] { all.add_mesh(corners, std::vector<std::uint32_t>{0, 1}); });
    const std::vector<std::array<double, 2>> square{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const std::vector<double> knots{0, 1, 2, 3, 4};
    nurbs_curve_def curve_def;
    curve_def.degree = 1;
    const shape curve = all.add_nurbs_curve(curve_def.set_points(square).set_knots(knots));
    const closest_point closest = all.closest(curve, {3, 0.5, 0.25});
    check("a curve, and its closest point", closest.distance == 2 && closest.foot[0] == 1 && closest.foot[1] == 0.5 &&
                                                closest.foot[2] == 0.25 && closest.normal[0] == 1);
    refused("a curve on its own", DRY_ERR_UNSUPPORTED, "DRY_LOCK_Z", [&] { all.add_body(body_def(curve)); });
    refused("a weight too few", DRY_ERR_ARGUMENT, "weights[1] is 0", [&] {
        const std::vector<double> weights{1, 0, 1, 1};
        all.add_nurbs_curve(curve_def.set_weights(weights));
    });
    flat.push_back(7);
    refused("a number too many", DRY_ERR_ARGUMENT, "points: 13 numbers", [&] { all.add_hull(flat); });
    refused("no points", DRY_ERR_NULL, "points", [&] { all.add_hull(std::vector<double>()); });
    refused("a negative radius", DRY_ERR_ARGUMENT, "radius is -1", [&] { all.add_sphere(-1); });
    refused("a number that is none", DRY_ERR_NOT_FINITE, "half_extents", [&] { all.add_box({1, 1, std::nan("")}); });
}

static void bodies() {
    scene one;
    body_def def(one.ball);
    def.user_data = 77;
    def.set_position({3, 0, 5}).set_linear_velocity({0, 0, 1}).set_rotation({0, 0, 1, 0}).set_angular_velocity({1, 0, 0});
    def.mass = 2;
    def.set_inertia({1, 1, 1, 0, 0, 0}).set_center_of_mass({0, 0, 0.25});
    const std::vector<body_def> defs(2, def);
    const std::vector<body> added = one.all.add_bodies(defs);
    check("bodies are added together", added.size() == 2 && added[0] != added[1] && one.all.bodies().back() == added[1]);
    check("none is nothing to do", one.all.add_bodies({}).empty());
    const body_state state = one.all.state(added[1]);
    check("a state is what was set", state.position[0] == 3 && state.rotation[2] == 1 && state.linear_velocity[2] == 1 &&
                                         state.angular_velocity[0] == 1);
    const mass_properties mass = one.all.mass(added[0]);
    check("a mass is what was set", mass.mass == 2 && mass.center_of_mass[2] == 0.25 && mass.inertia[2] == 1);
    check("user data come back", one.all.user_data(added[0]) == 77 && one.all.user_data(one.sphere) == 0);

    body_state other;
    one.all.set_state(added[0], other.set_position({-3, 0, 5}));
    std::vector<body_state> some(2);
    one.all.states(std::array<body, 2>{added[0], one.sphere}, some);
    check("states of some", some[0].position[0] == -3 && some[1].position[2] == 0.5);
    std::vector<body_state> all(4);
    one.all.states(all);
    check("states of all", all[2].position[0] == -3 && one.all.states().size() == 4);
    refused("an array of another length", DRY_ERR_ARGUMENT, "states: 2 elements, expected 1",
            [&] { one.all.states(std::array<body, 1>{one.sphere}, some); });
    std::vector<body_state> five(5);
    refused("an array for more bodies than there are", DRY_ERR_ARGUMENT, "count is 5",
            [&] { one.all.states(five); });
    one.all.states(span<const body>(), span<body_state>());
    refused("a definition among others", DRY_ERR_STALE_HANDLE, "defs[1]",
            [&] { one.all.add_bodies(std::vector<body_def>{body_def(one.ball), body_def()}); });
    check("no body of them was added", one.all.bodies().size() == 4);
}

// Where a sphere would overlap the bodies of a scene.
static void overlapping() {
    scene one;
    body_state state = one.all.state(one.sphere);
    const vector3 at{state.position[0], state.position[1], state.position[2]};
    const shape_pose poses[] = {shape_pose(one.ball, {90, 0, 90}), shape_pose(one.ball, at)};
    const std::vector<overlap> found = one.all.overlaps(poses);
    check("a place that is taken", !found.empty() && found[0].pose == 1 && found[0].gap < 0);
    bool is_listed = false;
    for (const overlap &each : found) is_listed = is_listed || each.with() == one.sphere;
    check("by the sphere", is_listed);
    check("a place that is free", one.all.overlaps(span<const shape_pose>(poses, 1)).empty());
    refused("a margin below 0", DRY_ERR_ARGUMENT, "margin", [&] { one.all.overlaps(poses, -1); });
}

// A box on a belt of 0.3 m/s, in runs.
static void running() {
    scene one;
    one.all.set_surface_velocity(one.floor, {0.3, 0, 0}, {0, 0, 0});
    const surface_velocity belt = one.all.surface_velocity(one.floor);
    check("a surface velocity", belt.linear[0] == 0.3 && belt.angular[2] == 0);
    refused("a surface without a body", DRY_ERR_STALE_HANDLE, "body",
            [&] { one.all.set_surface_velocity(body(), {0, 0, 0}, {0, 0, 0}); });
    const run_result whole = one.all.run(0.005, 400);
    check("a run", whole.steps_done == 400 && whole.report.bodies == 2);
    check("a ball on a belt rolls",
          std::abs(one.all.state(one.sphere).linear_velocity[0] - 0.3 * 2 / 7) < 1e-9);
    std::uint64_t calls = 0;
    const run_result stopped = one.all.run(0.005, 100, [&](std::uint64_t done, std::uint64_t, const dry_step_report &) {
        ++calls;
        return done >= 7;
    }, 2);
    check("a run that is stopped", stopped.steps_done == 8 && calls == 4);
    const run_result watched = one.all.run(0.005, 5, [&](std::uint64_t, std::uint64_t, const dry_step_report &) { ++calls; });
    check("a run that is watched", watched.steps_done == 5 && calls == 9);
    refused("a call from within", DRY_ERR_BUSY, "callback", [&] {
        one.all.run(0.005, 5, [&](std::uint64_t, std::uint64_t, const dry_step_report &) { one.all.energy(); });
    });
    refused("a run of steps without length", DRY_ERR_ARGUMENT, "step", [&] { one.all.run(0, 5); });
}

static void stepping() {
    scene one;
    // Off the floor the sphere moves as added forces say: 10 N, for a step of 0.1 s, without gravity.
    one.all.set_gravity({0, 0, 0});
    body_state state;
    one.all.set_state(one.sphere, state.set_position({0, 0, 5}));
    one.all.add_force(one.sphere, {10, 0, 0});
    one.all.add_force(one.sphere, {0, 10, 0}, {0, 0, 5.5}); // half a metre above the centre: -5 N m about x
    one.all.add_torque(one.sphere, {0, 0, 10});
    const step_report report = one.all.step(0.1);
    const double mass = one.all.mass(one.sphere).mass, inertia = one.all.mass(one.sphere).inertia[2];
    const body_state after = one.all.state(one.sphere);
    check("forces push", std::abs(after.linear_velocity[0] * mass - 1) < 1e-14 &&
                             std::abs(after.linear_velocity[1] * mass - 1) < 1e-14); // to round-off
    check("torques turn", std::abs(after.angular_velocity[2] * inertia - 1) < 1e-14 &&
                              std::abs(after.angular_velocity[0] * inertia + 0.5) < 1e-14);
    check("a step reports", report.bodies == 2 && report.contacts == 0);
    const energy at_work = one.all.energy();
    check("energy", at_work.potential == 0 && std::abs(at_work.kinetic - report.kinetic_energy) < 1e-15);

    scene two;
    two.all.step(0.01);
    const double weight = two.all.mass(two.sphere).mass * 9.81;
    std::vector<contact> contacts;
    two.all.contacts(contacts);
    check("a contact between two bodies", contacts.size() == 1 && contacts[0].a() == two.floor && contacts[0].b() == two.sphere);
    check("the floor carries the weight", std::abs(two.all.force(two.sphere).force[2] / weight - 1) < 1e-12);
    check("pressed together is negative", two.all.stress({-1, -1, -1}, {1, 1, 1})[8] < 0);
    const std::vector<field> fields = two.all.fields(std::vector<vector3>{{0, 0, 0.5}, {0, 0, 9}}, DRY_KERNEL_LUCY, 0.5);
    check("fields", fields.size() == 2 && fields[0].density > 0 && fields[0].contact_stress[8] < 0 && fields[1].density == 0);
    refused("points of two", DRY_ERR_ARGUMENT, "points: 2 numbers",
            [&] { static_cast<void>(two.all.fields(std::vector<double>{0, 0})); });
    refused("a folder that is missing", DRY_ERR_IO, "/nowhere/run_grains_000001.vtp cannot be written",
            [&] { two.all.export_vtk("/nowhere/run", 1, 0.5); });
    two.all.export_vtk("run", 1, 0.5, vtk_def().set_grid({0, 0, 0}, {0.5, 0.5, 0.5}, {2, 2, 2}));
    check("files", std::ifstream("run_fields_000001.vti").good() && std::ifstream("run_surfaces.pvd").good());
    check("a sphere that just came is awake", two.all.is_awake(two.sphere));
    two.all.wake(two.sphere);
    scene three;
    three.all.step(0.01);
    check("the same calls, the same hash", two.all.hash() == three.all.hash());
    three.all.add_force(three.sphere, {1, 0, 0});
    three.all.step(0.01);
    check("another step, another hash", two.all.hash() != three.all.hash());
    refused("a step back", DRY_ERR_ARGUMENT, "step is -0.01", [&] { two.all.step(-0.01); });
    const std::vector<std::uint8_t> saved = two.all.snapshot();
    world copy = two.all, restored;
    restored.restore(saved);
    check("a copy and a restored world are equal",
          copy.hash() == two.all.hash() && restored.hash() == two.all.hash() && restored.snapshot() == saved);
    copy.step(0.01);
    restored.step(0.01);
    two.all.step(0.01);
    check("and go on alike", copy.hash() == two.all.hash() && restored.hash() == two.all.hash());
    copy = restored;
    check("assigned too", copy.hash() == two.all.hash());
    std::vector<std::uint8_t> broken = saved;
    broken[100] = static_cast<std::uint8_t>(broken[100] ^ 1u);
    refused("a broken snapshot", DRY_ERR_FORMAT, "checksum", [&] { copy.restore(broken); });
    refused("eight bytes", DRY_ERR_FORMAT, "dry_world_restore",
            [&] { two.all.restore(std::vector<std::uint8_t>(8)); });
}

// Arrays are read in two calls, between which another thread may add bodies.
static void while_others_write() {
    scene one;
    std::atomic<bool> added{false};
    std::thread other([&] {
        for (int i = 0; i < 5000; ++i) one.all.add_body(body_def(one.ball));
        added = true;
    });
    std::size_t before = 0;
    bool grows = true;
    while (!added) {
        const std::size_t now = one.all.bodies().size(), states = one.all.states().size();
        grows = grows && before <= now && now <= states;
        before = states;
    }
    other.join();
    check("bodies are read while others come", grows && one.all.bodies().size() == 5002);
}

static void settings_and_materials() {
    scene one;
    settings all = one.all.get_settings();
    check("settings are read", all.iterations == settings().iterations);
    all.tolerance = 1e-300, all.iterations = 1, all.require_convergence = 1, all.projection = DRY_PROJECTION_OFF;
    one.all.set_settings(all);
    check("settings are written", one.all.get_settings().iterations == 1);
    // two spheres on each other do not converge in one sweep
    one.all.add_body(body_def(one.ball).set_position({0, 0, 1.5}));
    step_report report;
    const std::uint64_t before = one.all.hash();
    refused("a step that does not converge", DRY_ERR_NOT_CONVERGED, "", [&] { one.all.step(0.01, report); });
    check("it is undone and reported", before == one.all.hash() && report.contacts == 2 && report.residual_max > 0);
    all.relaxation = 3;
    refused("a setting beyond its range", DRY_ERR_ARGUMENT, "relaxation is 3", [&] { one.all.set_settings(all); });

    scene two;
    material_def ice;
    ice.friction = 0;
    const material slippery = two.all.add_material(ice);
    pair_def pair;
    pair.friction = 0.25;
    two.all.set_material_pair(slippery, material(), pair);
    two.all.add_body(body_def(two.ball).set_material(slippery).set_position({5, 0, 0.5}));
    two.all.step(0.01);
    check("a pair of materials", two.all.contacts()[0].friction == 0.25 || two.all.contacts()[1].friction == 0.25);
    refused("a friction below 0", DRY_ERR_ARGUMENT, "friction is -1", [&] {
        ice.friction = -1;
        two.all.add_material(ice);
    });
}

// A function between the iterations of statics.
static void watched_statics(world &all, const std::vector<std::array<double, 6>> &push) {
    const std::uint64_t before = all.hash();
    std::uint64_t calls = 0, last = 0;
    const auto stop = [](std::uint64_t done) { return done >= 3; };
    const auto count = [&](std::uint64_t done) {
        ++calls;
        last = done;
        return false;
    };
    refused("an increment that is stopped", DRY_ERR_STOPPED, "after 3 iterations",
            [&] { all.solve_static(static_def(), stop); });
    refused("a limit load that is stopped", DRY_ERR_STOPPED, "after 3 iterations",
            [&] { all.limit_load(push, static_def(), stop); });
    refused("a call from within", DRY_ERR_BUSY, "callback", [&] {
        all.solve_static(static_def(), [&](std::uint64_t) { return all.hash() == 0; });
    });
    check("they leave the world as it is", all.hash() == before);
    const static_result limit = all.limit_load(push, static_def(), count, 2);
    check("a function is called between iterations", calls > 0 && last == 2 * calls);
    check("and changes nothing", limit.report.load_factor == all.limit_load(push).report.load_factor);
}

// A block of 2 x 1 x 4 m on a floor is pushed over by half its weight; without a floor it falls.
static void statics() {
    world all;
    const material rough = all.add_material([] {
        material_def def;
        def.friction = 0.8;
        return def;
    }());
    all.add_body(body_def(all.add_half_space({0, 0, 1}, 0), DRY_STATIC).set_material(rough));
    body_def def(all.add_box({1, 0.5, 2}));
    def.mass = 1;
    const body block = all.add_body(def.set_position({0, 0, 2}).set_material(rough));
    const static_result rest = all.solve_static();
    check("a block at rest", rest.report.flags == 0 && rest.moves.size() == 2 && rest.report.displacement_max < 1e-12);
    check("its floor carries it", std::abs(all.force(block).force[2] - 9.81) < 1e-9);
    const std::vector<std::array<double, 6>> push{{}, {9.81, 0, 0, 0, 0, 0}};
    const static_result limit = all.limit_load(push);
    check("the push that turns it over", std::abs(limit.report.load_factor - 0.5) < 1e-9 && limit.moves[1][0] > 0);
    check("it does not slide", !limit.report.has(DRY_STATIC_SLIDING_MECHANISM | DRY_STATIC_COLLAPSE));
    refused("loads of one body", DRY_ERR_ARGUMENT, "count is 1, expected 2",
            [&] { all.limit_load(span<const std::array<double, 6>>(push.data(), 1)); });
    static_def bad;
    bad.tolerance = 0;
    refused("no tolerance", DRY_ERR_ARGUMENT, "tolerance is 0", [&] { all.solve_static(bad); });
    watched_statics(all, push);
    all.set_state(block, body_state().set_position({0, 0, 9}));
    check("a block in the air", all.solve_static().report.has(DRY_STATIC_COLLAPSE));
}

int main() {
    check("the version", version_string() == std::to_string(version() >> 22) + "." + std::to_string(version() >> 12 & 1023) +
                                                 "." + std::to_string(version() & 4095));
    check("a status has a name", std::strcmp(status_name(DRY_ERR_BUSY), "DRY_ERR_BUSY") == 0);
    check("no error yet", last_error().empty());
    defaults();
    periodic();
    owning();
    handles();
    shapes();
    bodies();
    stepping();
    overlapping();
    running();
    statics();
    while_others_write();
    settings_and_materials();
    return failures == 0 ? 0 : 1;
}
