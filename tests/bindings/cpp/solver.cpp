// The solver without a world, through drystone.hpp.
#include "check.hpp"

#include <cmath>

using namespace drystone;

// A sphere of 2 kg and 0.5 m on the floor, pushed down by gravity and along x with 0.3 m/s.
struct ball_on_floor {
    std::vector<problem_body> bodies = std::vector<problem_body>(1);
    std::vector<problem_contact> contacts = std::vector<problem_contact>(1);
    std::vector<problem_row> rows;
    problem all() const { return {0.01, bodies, contacts, rows}; }

    ball_on_floor() {
        const double inertia = 0.4 * 2 * 0.5 * 0.5;
        bodies[0].inverse_mass = 0.5;
        bodies[0].set_inverse_inertia({1 / inertia, 1 / inertia, 1 / inertia, 0, 0, 0}).set_velocity({0.3, 0, -0.0981});
        contacts[0].body_b = 0;
        contacts[0].key = 5;
        contacts[0].set_normal({0, 0, 1}).set_arm_b({0, 0, -0.5});
        contacts[0].friction = 0.1;
    }
};

static void contacts() {
    ball_on_floor on;
    solver one;
    solution found;
    one.solve(on.all(), settings(), found);
    // The floor gives back the 0.1962 N s, and friction a tenth of it.
    check("the floor carries", std::abs(found.contacts[0].normal_impulse - 0.1962) < 1e-15);
    check("friction brakes", std::abs(found.linear_velocity(0)[0] - (0.3 - 0.00981)) < 1e-15);
    check("and turns", found.angular_velocity(0)[1] > 0 && found.angular_velocity(0)[0] == 0);
    check("a report", found.report.contacts == 1 && found.report.new_contacts == 1);

    // The same into arrays of one's own, some not wanted, from what the solver remembers.
    contact_solution own[1];
    step_report report;
    one.solve(on.all(), settings(), {{}, own, {}, &report});
    check("into one's own arrays", own[0].normal_impulse == found.contacts[0].normal_impulse && report.new_contacts == 0);

    settings hooke;
    hooke.compatibility = DRY_COMPATIBILITY_HOOKE;
    const double given[3] = {0, 0, 0.1962};
    double corrected[3] = {};
    one.correct(on.all(), hooke, given, corrected);
    check("one contact can carry in one way only", std::abs(corrected[2] - given[2]) < 1e-9); // its tolerance is 1e-8
}

// A row that gives the ball this speed.
static problem_row held_along_x(double speed) {
    problem_row hold;
    hold.body_b = 0;
    hold.set_jacobian_b({1, 0, 0}, {0, 0, 0});
    hold.rhs = speed;
    return hold;
}

static void rows() {
    // A row holds the x velocity at 0.1, whatever that takes; bounded to 0.2 N s it takes but 0.1 m/s.
    ball_on_floor on;
    on.contacts.clear();
    on.rows = {held_along_x(0.1)};
    solver one;
    solution found;
    one.solve(on.all(), settings(), found);
    check("a row holds", std::abs(found.linear_velocity(0)[0] - 0.1) < 1e-15 && std::abs(found.row_impulses[0] + 0.4) < 1e-15);
    check("without a correction", found.compatible_row_impulses == found.row_impulses);
    on.rows[0].lower = -0.2;
    one.solve(on.all(), settings(), found);
    check("a bounded one as far as it may", std::abs(found.linear_velocity(0)[0] - 0.2) < 1e-15);
}

// A function between the iterations.
static void watched() {
    ball_on_floor on;
    on.rows = {held_along_x(0.1)};
    solver one, other;
    solution found, expected;
    settings cold; // every solve of an island with rows makes all sweeps, from zero
    cold.projection = DRY_PROJECTION_OFF;
    cold.warm_start = DRY_WARM_OFF;
    other.solve(on.all(), cold, expected);
    std::uint64_t calls = 0, last = 0;
    one.set_progress([&](std::uint64_t done) {
        ++calls;
        last = done;
        return false;
    }, 10);
    one.solve(on.all(), cold, found);
    check("a function is called between iterations", calls > 0 && last == 10 * calls);
    check("and changes nothing", found.velocities == expected.velocities);
    one.set_progress([&](std::uint64_t done) { return done >= 3; });
    found.velocities[0] = 7;
    refused("a solve that is stopped", DRY_ERR_STOPPED, "after 3 iterations",
            [&] { one.solve(on.all(), cold, {found.velocities}); });
    check("it writes nothing", found.velocities[0] == 7);
    solver moved = std::move(one);
    refused("by a solver that was moved", DRY_ERR_STOPPED, "after 3 iterations",
            [&] { moved.solve(on.all(), cold, found); });
    moved.set_progress([&](std::uint64_t) {
        moved.snapshot();
        return false;
    });
    refused("a call from within", DRY_ERR_BUSY, "callback", [&] { moved.solve(on.all(), cold, found); });
    moved.clear_progress();
    moved.solve(on.all(), cold, found);
    check("the solver is as before", found.velocities == expected.velocities);
}

static void local() {
    // A contact with W = diag(0.5, 1.75, 1.75) that approaches with 1 m/s and slides far beyond its friction.
    const std::uint32_t offsets[2] = {0, 1}, columns[1] = {0};
    const double blocks[9] = {0.5, 0, 0, 0, 1.75, 0, 0, 0, 1.75}, q[3] = {-1, 100, 0}, friction[1] = {0.3};
    double impulses[3] = {}, short_by_one[2] = {};
    local_problem all{3, offsets, columns, blocks, q, friction, {}};
    solver one;
    const step_report report = one.solve_local(all, settings(), impulses);
    check("a local problem", std::abs(impulses[0] - 2) < 1e-15 && std::abs(impulses[1] + 0.6) < 1e-15);
    check("its report", report.contacts == 1);
    refused("impulses that are too short", DRY_ERR_ARGUMENT, "impulses: 2 elements, expected 3",
            [&] { one.solve_local(all, settings(), short_by_one); });
    all.q = span<const double>(q, 2);
    refused("a velocity too few", DRY_ERR_ARGUMENT, "q: 2 elements", [&] { one.solve_local(all, settings(), impulses); });
    all.q = q, all.rolling = friction;
    refused("rolling in three rows", DRY_ERR_ARGUMENT, "rolling: 1", [&] { one.solve_local(all, settings(), impulses); });
    all.rolling = {}, all.columns = {};
    refused("a column too few", DRY_ERR_ARGUMENT, "columns: 0", [&] { one.solve_local(all, settings(), impulses); });
    all.columns = columns, all.row_offsets = span<const std::uint32_t>(offsets, 1);
    refused("an offset too few", DRY_ERR_ARGUMENT, "row_offsets: 1", [&] { one.solve_local(all, settings(), impulses); });
    all.row_offsets = offsets, all.blocks = span<const double>(blocks, 8);
    refused("a number too few", DRY_ERR_ARGUMENT, "blocks: 8", [&] { one.solve_local(all, settings(), impulses); });
    all.dimension = 4;
    refused("four rows", DRY_ERR_ARGUMENT, "dimension is 4", [&] { one.solve_local(all, settings(), impulses); });
    one.solve_local(local_problem(), settings(), {});
}

static void refusals() {
    ball_on_floor on;
    solver one;
    solution found;
    double few[5] = {};
    refused("velocities that are too short", DRY_ERR_ARGUMENT, "velocities: 5 elements, expected 6",
            [&] { one.solve(on.all(), settings(), {few, {}, {}, nullptr}); });
    refused("impulses for rows that are not there", DRY_ERR_ARGUMENT, "row_impulses: 5 elements, expected 0",
            [&] { one.solve(on.all(), settings(), {{}, {}, few, nullptr}); });
    settings hooke;
    hooke.compatibility = DRY_COMPATIBILITY_HOOKE;
    refused("impulses to be corrected, too many", DRY_ERR_ARGUMENT, "impulses: 5 elements, expected 3",
            [&] { one.correct(on.all(), hooke, few, few); });
    on.contacts[0].friction = -1;
    refused("a friction below 0", DRY_ERR_ARGUMENT, "contacts[0].friction", [&] { one.solve(on.all(), settings(), found); });
    on.contacts[0] = problem_contact();
    refused("a contact that was not set", DRY_ERR_ARGUMENT, "contacts[0]", [&] { one.solve(on.all(), settings(), found); });
    on.contacts.clear();

    solver moved = std::move(one);
    refused("a solver that was moved from", DRY_ERR_NULL, "solver", [&] { one.solve(on.all(), settings(), found); });
    moved.solve(on.all(), settings(), found);
    moved.destroy();
    refused("a solver that was destroyed", DRY_ERR_NULL, "solver", [&] { moved.solve(on.all(), settings(), found); });
}

int main() {
    contacts();
    rows();
    watched();
    local();
    refusals();
    return failures == 0 ? 0 : 1;
}
