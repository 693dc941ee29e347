// The solver without a world. Part of drystone.hpp.
#ifndef DRYSTONE_SOLVER_HPP
#define DRYSTONE_SOLVER_HPP

#include "iterations.hpp"
#include "types.hpp"

#include <memory>
#include <utility>

namespace drystone {
inline namespace DRYSTONE_VARIANT {

/// Bodies, contacts and rows to be solved together; the arrays are the caller's.
struct problem {
    /// Duration of the step, above 0 [s].
    double step = 0.0;
    span<const problem_body> bodies = {};
    span<const problem_contact> contacts = {};
    span<const problem_row> rows = {};
};

/// Where a solver writes: the caller's arrays, each of the size that belongs to the problem, or empty: not wanted.
struct solution_view {
    /// 6 numbers per body: linear and angular velocity after the solve [m/s, rad/s].
    span<double> velocities = {};
    /// One per contact.
    span<contact_solution> contacts = {};
    /// One per row [N s].
    span<double> row_impulses = {};
    /// How the solve went; NULL: not wanted.
    dry_step_report *report = nullptr;
    /// One per row, after the compatibility correction [N s].
    span<double> compatible_row_impulses = {};
};

/// What a solver found, in vectors that are used again from solve to solve.
struct solution {
    /// 6 numbers per body: linear and angular velocity after the solve [m/s, rad/s].
    std::vector<double> velocities;
    /// One per contact.
    std::vector<contact_solution> contacts;
    /// One per row [N s].
    std::vector<double> row_impulses;
    /// How the solve went.
    step_report report;
    /// One per row, after the compatibility correction [N s].
    std::vector<double> compatible_row_impulses;

    /// Of the centre of mass of a body after the solve [m/s].
    vector3 linear_velocity(std::size_t of_body) const { return velocity(6 * of_body); }
    /// Of a body after the solve [rad/s].
    vector3 angular_velocity(std::size_t of_body) const { return velocity(6 * of_body + 3); }

private:
    vector3 velocity(std::size_t at) const { return {velocities[at], velocities[at + 1], velocities[at + 2]}; }
};

/// A problem given only by its Delassus operator, in block compressed rows; the arrays are the caller's.
struct local_problem {
    /// d, the rows of a contact: 3 or 5.
    std::uint32_t dimension = 3;
    /// One more than there are contacts, rising from 0.
    span<const std::uint32_t> row_offsets = {};
    /// The contact of each block.
    span<const std::uint32_t> columns = {};
    /// d * d numbers per block.
    span<const double> blocks = {};
    /// d numbers per contact: velocities without any impulse [m/s, rolling rad/s].
    span<const double> q = {};
    /// Coulomb's coefficient of each contact: as many as there are contacts [-].
    span<const double> friction = {};
    /// With d = 5, for each contact: rolling impulse over normal impulse, at most [m]. With d = 3 empty.
    span<const double> rolling = {};
};

/// A solver that is called without a world. It keeps impulses by key, for warm starting, and its workspace. It can be
/// moved, not copied; one that was moved from or destroyed is empty: its calls fail with DRY_ERR_NULL. One thread may make
/// a call at a time.
class solver {
public:
#ifndef DRYSTONE_NO_EXCEPTIONS
    /// A solver that remembers nothing yet.
    solver() : solver(create()) {}
#endif
    /// Takes over a solver of the C interface; NULL: an empty one.
    explicit solver(dry_solver *owned) noexcept : solver_(owned) {}

    /// A solver that remembers nothing yet.
    static returns<solver> create() {
        dry_solver *raw = nullptr;
        const dry_status status = dry_solver_create(&raw);
        return detail::deliver<solver>(status, solver(raw), detail::message_of(status));
    }

    /// Ends the solver now; an empty one stays.
    void destroy() noexcept {
        solver_.reset();
        bridge_.reset();
    }
    /// The solver of the C interface, still owned; NULL if empty.
    dry_solver *get() noexcept { return solver_.get(); }
    /// False if empty.
    explicit operator bool() const noexcept { return solver_ != nullptr; }

    /// Sets a function that the next calls call once in `every` iterations, with the number of iterations so far. If it
    /// returns true, the call fails with DRY_ERR_STOPPED, writes nothing, and leaves the solver as before. An exception stops
    /// it too, and is thrown on. Calls on this solver from the function fail with DRY_ERR_BUSY.
    returns<void> set_progress(iteration_progress progress, std::uint64_t every = 1) {
        if (!progress) return clear_progress();
        auto bridge = std::make_unique<detail::iteration_bridge>(std::move(progress), every);
        const dry_solver_progress callback = bridge->callback();
        const dry_status status = dry_solver_set_progress(get(), &callback);
        if (status == DRY_OK) bridge_ = std::move(bridge);
        return detail::done(status);
    }
    /// Removes the function, so that the next calls call none.
    returns<void> clear_progress() {
        const dry_status status = dry_solver_set_progress(get(), nullptr);
        if (status == DRY_OK) bridge_.reset();
        return detail::done(status);
    }

    /// Solves a problem into the caller's arrays, which are written also if DRY_ERR_NOT_CONVERGED is the answer.
    returns<void> solve(const problem &given, const dry_settings &settings, const solution_view &found) {
        std::string wrong = unlike(found.velocities, "velocities", 6 * given.bodies.size());
        if (wrong.empty()) wrong = unlike(found.contacts, "contacts of the solution", given.contacts.size());
        if (wrong.empty()) wrong = unlike(found.row_impulses, "row_impulses", given.rows.size());
        if (wrong.empty())
            wrong = unlike(found.compatible_row_impulses, "compatible_row_impulses", given.rows.size());
        if (!wrong.empty()) return detail::refused<void>(std::move(wrong));
        const dry_problem raw = as_c(given);
        dry_solution out{};
        out.struct_size = sizeof out;
        out.velocities = found.velocities.data();
        out.contacts = found.contacts.data();
        out.row_impulses = found.row_impulses.data();
        out.report = found.report;
        out.compatible_row_impulses = found.compatible_row_impulses.data();
        return detail::done(rethrown(dry_solver_solve(get(), &raw, &settings, &out)));
    }
    /// Solves a problem into vectors, which get the right size; they are written also if DRY_ERR_NOT_CONVERGED is the
    /// answer.
    returns<void> solve(const problem &given, const dry_settings &settings, solution &found) {
        found.velocities.resize(6 * given.bodies.size());
        found.contacts.resize(given.contacts.size());
        found.row_impulses.resize(given.rows.size());
        found.compatible_row_impulses.resize(given.rows.size());
        return solve(given, settings,
                     {found.velocities, found.contacts, found.row_impulses, &found.report,
                      found.compatible_row_impulses});
    }
    /// Corrects impulses, from whatever solver they come, to compatible ones: 3 numbers per contact in and out [N s].
    returns<step_report> correct(const problem &given, const dry_settings &settings, span<const double> impulses,
                                 span<double> compatible_impulses) {
        std::string wrong = detail::unlike("impulses", impulses.size(), 3 * given.contacts.size());
        if (wrong.empty())
            wrong = detail::unlike("compatible_impulses", compatible_impulses.size(), 3 * given.contacts.size());
        if (!wrong.empty()) return detail::refused<step_report>(std::move(wrong));
        const dry_problem raw = as_c(given);
        return detail::filled<step_report>([&](step_report &report) {
            return rethrown(
                dry_solver_correct(get(), &raw, &settings, impulses.data(), compatible_impulses.data(), &report));
        });
    }
    /// Solves a problem that is given only by its Delassus operator: `impulses` has its dimension times its contacts
    /// [N s, N m s].
    returns<step_report> solve_local(const local_problem &given, const dry_settings &settings, span<double> impulses) {
        std::string wrong = sizes(given, impulses.size());
        if (!wrong.empty()) return detail::refused<step_report>(std::move(wrong));
        dry_local_problem raw{};
        raw.struct_size = sizeof raw;
        raw.contact_count = given.friction.size();
        raw.dimension = given.dimension;
        raw.row_offsets = given.row_offsets.data();
        raw.columns = given.columns.data();
        raw.blocks = given.blocks.data();
        raw.q = given.q.data();
        raw.friction = given.friction.data();
        raw.rolling = given.rolling.data();
        return detail::filled<step_report>([&](step_report &report) {
            return rethrown(dry_solver_solve_local(get(), &raw, &settings, impulses.data(), &report));
        });
    }
    /// What the solver remembers from call to call, as bytes.
    returns<std::vector<std::uint8_t>> snapshot() const {
        return detail::filled<std::vector<std::uint8_t>>([&](std::vector<std::uint8_t> &all) {
            return detail::read_all(all, [&](std::uint8_t *read, std::size_t capacity, std::size_t *count) {
                return dry_solver_snapshot(solver_.get(), read, capacity, count);
            });
        });
    }
    /// Makes the solver remember what a snapshot holds, and nothing else.
    returns<void> restore(span<const std::uint8_t> bytes) {
        return detail::done(dry_solver_restore(get(), bytes.data(), bytes.size()));
    }

private:
    struct destroyer {
        void operator()(dry_solver *ended) const noexcept { dry_solver_destroy(ended); }
    };

    // Throws what the function threw that the call has called.
    dry_status rethrown(dry_status status) {
        if (bridge_) bridge_->rethrow();
        return status;
    }

    static dry_problem as_c(const problem &given) noexcept {
        dry_problem raw{};
        raw.struct_size = sizeof raw;
        raw.step = given.step;
        raw.bodies = given.bodies.data();
        raw.body_count = given.bodies.size();
        raw.contacts = given.contacts.data();
        raw.contact_count = given.contacts.size();
        raw.rows = given.rows.data();
        raw.row_count = given.rows.size();
        return raw;
    }

    template <class T> static std::string unlike(span<T> wanted, const char *name, std::size_t expected) {
        return wanted.empty() ? std::string() : detail::unlike(name, wanted.size(), expected);
    }

    // What C cannot know: it reads as much as the numbers of contacts and blocks say.
    static std::string sizes(const local_problem &given, std::size_t impulses) {
        const std::size_t d = given.dimension, contacts = given.friction.size();
        if (d != 3 && d != 5) return "dimension is " + std::to_string(d) + ", expected 3 or 5";
        std::string wrong;
        const auto expect = [&](const char *name, std::size_t size, std::size_t expected) {
            if (wrong.empty()) wrong = detail::unlike(name, size, expected);
        };
        if (contacts != 0 || !given.row_offsets.empty()) expect("row_offsets", given.row_offsets.size(), contacts + 1);
        if (!wrong.empty()) return wrong;
        expect("columns", given.columns.size(), given.row_offsets.empty() ? 0 : given.row_offsets[contacts]);
        expect("blocks", given.blocks.size(), d * d * given.columns.size());
        expect("q", given.q.size(), d * contacts);
        expect("rolling", given.rolling.size(), d == 5 ? contacts : 0);
        expect("impulses", impulses, d * contacts);
        return wrong;
    }

    // Outlives the solver, which calls it.
    std::unique_ptr<detail::iteration_bridge> bridge_;
    std::unique_ptr<dry_solver, destroyer> solver_;
};

} // namespace DRYSTONE_VARIANT
} // namespace drystone

#endif
