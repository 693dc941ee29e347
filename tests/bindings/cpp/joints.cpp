// Joints through drystone.hpp: that each call does what its C function does.
#include "check.hpp"

#include <cmath>
#include <cstring>

using namespace drystone;

static_assert(std::is_trivially_copyable_v<joint> && !std::is_convertible_v<joint, body>);

struct hung {
    world all;
    body ball = all.add_body(body_def(all.add_sphere(0.5)).set_position({1, 0, 4}));
    joint hinge = add();

    joint add() {
        joint_def def(DRY_JOINT_HINGE, body(), ball);
        all.place(def, {1, 0, 4}, {0, 1, 0});
        def.user_data = 9;
        return all.add_joint(def);
    }
};

static bool near(double value, double expected) { return std::abs(value - expected) < 1e-9; }

static void definitions() {
    dry_joint_def c_def;
    dry_joint_axis c_axis;
    dry_joint_def_init(&c_def, sizeof c_def, DRY_JOINT_GENERAL);
    dry_joint_axis_init(&c_axis, sizeof c_axis);
    const joint_def def(DRY_JOINT_GENERAL);
    const joint_axis axis;
    check("a joint begins as in C", std::memcmp(&c_def, static_cast<const dry_joint_def *>(&def), sizeof c_def) == 0);
    check("an axis begins as in C", std::memcmp(&c_axis, static_cast<const dry_joint_axis *>(&axis), sizeof c_axis) == 0);

    hung one;
    const joint_def read = one.all.definition(one.hinge);
    check("a definition is read", read.kind == DRY_JOINT_HINGE && !read.a() && read.b() == one.ball && read.user_data == 9);
    joint_def moved = read;
    one.all.place(moved, {1, 0, 4}, {0, 2, 0}, {0, 0, 1});
    one.all.set_frames(one.hinge, moved);
    check("frames are moved", std::memcmp(one.all.definition(one.hinge).rotation_b, moved.rotation_b, 32) == 0);
    moved.set_point_a({1, 2, 3}).set_point_b({4, 5, 6}).set_rotation_a({0, 0, 1, 0}).set_rotation_b({0, 1, 0, 0});
    check("members are set", moved.point_a[2] == 3 && moved.point_b[0] == 4 && moved.rotation_b[1] == 1);

    joint_def rod(DRY_JOINT_DISTANCE, body(), one.ball);
    one.all.place_points(rod, {1, 0, 6}, {1, 0, 4});
    check("a rod has its length", rod.length_min == 2 && rod.length_max == 2);
    refused("a hinge between two points", DRY_ERR_ARGUMENT, "DRY_JOINT_DISTANCE",
            [&] { one.all.place_points(moved, {1, 0, 6}, {1, 0, 4}); });
    refused("a negative load", DRY_ERR_ARGUMENT, "break_force is -1", [&] {
        rod.break_force = -1;
        one.all.add_joint(rod);
    });
}

static void axes_and_states() {
    hung one;
    joint_axis axis = one.all.axis(one.hinge, 5);
    axis.motor = DRY_JOINT_MOTOR_VELOCITY;
    axis.target_velocity = 2;
    axis.mode = DRY_JOINT_MODE_LIMITED;
    axis.upper = 0.1;
    axis.force_upper = 5;
    one.all.set_axis(one.hinge, 5, axis);
    for (int i = 0; i < 400; ++i) one.all.step(0.01);
    const joint_state state = one.all.state(one.hinge);
    check("a motor turns a hinge to its bound", near(state.position[5], 0.1) && near(state.limit_force[5], -5));
    check("its flags", state.axis_flags[5] == (DRY_JOINT_AT_UPPER | DRY_JOINT_SATURATED) && state.flags == 0);
    const wrench load = one.all.joint_force(one.ball);
    check("its force", near(load.force[2], state.force[2]) && near(one.all.force(one.ball).force[2], 0));
    one.all.set_target(one.hinge, 5, 1, -3);
    check("a target is set", one.all.axis(one.hinge, 5).target_velocity == -3);
    one.all.set_enabled(one.hinge, false);
    check("a joint is off", one.all.state(one.hinge).flags == DRY_JOINT_DISABLED);
    refused("an axis that is not free", DRY_ERR_ARGUMENT, "index is 2", [&] { one.all.set_axis(one.hinge, 2, axis); });
    one.all.remove(one.hinge);
    refused("a removed joint", DRY_ERR_STALE_HANDLE, "joint", [&] { static_cast<void>(one.all.state(one.hinge)); });
}

static void many() {
    hung one;
    std::vector<joint_def> defs(3, joint_def(DRY_JOINT_SLIDER, body(), one.ball));
    const std::vector<joint> added = one.all.add_joints(defs);
    check("joints are added together", added.size() == 3 && one.all.joints().size() == 4 && one.all.joints().back() == added[2]);
    check("none is nothing to do", one.all.add_joints({}).empty());
    check("joints of a body", one.all.joints(one.ball).size() == 4);
    const std::vector<std::uint32_t> indices(3, 2);
    const std::vector<double> positions{1, 2, 3}, velocities{4, 5, 6};
    one.all.set_targets(added, indices, positions, velocities);
    one.all.set_targets(added, indices, {}, positions);
    const joint_axis axis = one.all.axis(added[1], 2);
    check("targets are set together", axis.target_position == 2 && axis.target_velocity == 2);
    refused("indices too few", DRY_ERR_ARGUMENT, "indices",
            [&] { one.all.set_targets(added, std::vector<std::uint32_t>(2), positions, velocities); });
    std::vector<joint_state> states(3);
    one.all.joint_states(added, states);
    const std::vector<joint_state> all = one.all.joint_states();
    check("states are read together", all.size() == 4 && all[3].position[2] == states[2].position[2]);
    states.resize(4);
    one.all.joint_states(states);
    check("all of them in place", std::memcmp(states.data(), all.data(), 4 * sizeof states[0]) == 0);
    one.all.joint_states(span<const joint>(), span<joint_state>());
    one.all.remove(one.ball);
    check("joints go with their body", one.all.joints().empty() && one.all.joint_states().empty());
}

static void events() {
    hung one;
    joint_axis axis;
    axis.mode = DRY_JOINT_MODE_LIMITED;
    axis.motor = DRY_JOINT_MOTOR_VELOCITY;
    axis.target_velocity = 2;
    axis.upper = 0.1;
    one.all.set_axis(one.hinge, 5, axis);
    std::vector<joint_event> arrived;
    for (int i = 0; i < 100; ++i) {
        one.all.step(0.01);
        for (const joint_event &event : one.all.joint_events()) arrived.push_back(event);
    }
    check("an axis comes to its bound once", arrived.size() == 1 && arrived[0].of() == one.hinge && arrived[0].axis == 5
                                                 && arrived[0].type == DRY_JOINT_EVENT_LIMIT);
}

static void recording() {
    hung one, same;
    joint_axis axis;
    axis.motor = DRY_JOINT_MOTOR_VELOCITY;
    axis.target_velocity = 1;
    one.all.set_axis(one.hinge, 5, axis);
    same.all.set_axis(same.hinge, 5, axis);
    const std::vector<joint_state> all = one.all.record_joints(0.01, 5);
    bool equal = all.size() == 5;
    for (const joint_state &state : all) {
        same.all.step(0.01);
        equal = equal && state.position[5] == same.all.state(same.hinge).position[5];
    }
    check("each step is recorded", equal && all[4].position[5] > all[0].position[5]);
    const std::vector<joint> twice(2, one.hinge);
    std::vector<joint_state> read(6);
    one.all.record_joints(0.01, 3, twice, read);
    check("step by step", read[1].position[5] == read[0].position[5] && read[2].position[5] > read[0].position[5]);
    one.all.record_joints(0.01, 3, span<const joint>(), span<joint_state>());
    refused("states too few", DRY_ERR_ARGUMENT, "states: 6 elements, expected 8", [&] { one.all.record_joints(0.01, 4, twice, read); });
    refused("no step", DRY_ERR_ARGUMENT, "step", [&] { one.all.record_joints(-1, 3, twice, read); });
}

int main() {
    definitions();
    events();
    recording();
    axes_and_states();
    many();
    return failures == 0 ? 0 : 1;
}
