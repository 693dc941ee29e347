// Worlds. Part of drystone.hpp.
#ifndef DRYSTONE_WORLD_HPP
#define DRYSTONE_WORLD_HPP

#include "iterations.hpp"
#include "joints.hpp"
#include "run.hpp"
#include "tasks.hpp"
#include "types.hpp"

#include <memory>

namespace drystone {
inline namespace DRYSTONE_VARIANT {

/// A world: bodies in contact, their materials, shapes and joints, and the data that is kept between steps. It owns them,
/// and can be moved. A copy continues as the original, bit for bit. After a move or destroy() a world is empty, and its
/// calls fail with DRY_ERR_NULL. Calls that are const may run at the same time, from any threads.
///
/// Each function calls one of drystone.h, which describes it and its errors. Results that C writes through its last
/// arguments are returned.
class world : public detail::joint_calls<world> {
public:
    // those of joints: joints.hpp
    using detail::joint_calls<world>::remove;
    using detail::joint_calls<world>::state;

#ifndef DRYSTONE_NO_EXCEPTIONS
    /// A world with nothing in it.
    explicit world(const dry_world_def &def = world_def()) : world(create(def)) {}
    /// The same, on the host's threads: at most `workers` of them work, the one that steps included. The job system must
    /// outlive the world.
    world(const dry_world_def &def, job_system &jobs, std::uint32_t workers) : world(create(def, jobs, workers)) {}
#endif
    world(world &&) = default;
    world &operator=(world &&) = default;
#ifndef DRYSTONE_NO_EXCEPTIONS
    /// An equal world, which shares the threads of the other one; of an empty one an empty one.
    world(const world &other) : world(other ? other.clone() : world(nullptr)) {}
    world &operator=(const world &other) { return *this = world(other); }
#endif
    /// Takes over a world of the C interface; NULL: an empty one.
    explicit world(dry_world *owned) noexcept : world_(owned) {}

    /// A world with nothing in it.
    static returns<world> create(const dry_world_def &def = world_def()) { return create(def, nullptr); }
    /// The same, on the host's threads: at most `workers` of them work, the one that steps included. The job system must
    /// outlive the world.
    static returns<world> create(const dry_world_def &def, job_system &jobs, std::uint32_t workers) {
        auto bridge = std::make_unique<detail::job_bridge>(jobs, workers);
        const dry_task_callbacks callbacks = bridge->callbacks();
        dry_world_def with_tasks = def;
        with_tasks.tasks = &callbacks;
        return create(with_tasks, std::move(bridge));
    }

    /// Ends the world now; an empty one stays.
    void destroy() noexcept { world_.reset(); }
    /// The world of the C interface, still owned; NULL if empty.
    dry_world *get() noexcept { return world_.get(); }
    /// The world of the C interface, still owned; NULL if empty.
    const dry_world *get() const noexcept { return world_.get(); }
    /// False if empty.
    explicit operator bool() const noexcept { return world_ != nullptr; }

    // ---- settings, stepping

    returns<settings> get_settings() const {
        return detail::filled<settings>(
            [&](settings &all) { return dry_world_get_settings(get(), &all, sizeof(dry_settings)); });
    }
    returns<void> set_settings(const dry_settings &all) { return detail::done(dry_world_set_settings(get(), &all)); }
    /// World axes [m/s^2].
    returns<void> set_gravity(const vector3 &gravity) {
        return detail::done(dry_world_set_gravity(get(), gravity.data()));
    }
    /// World axes [m/s^2].
    returns<vector3> gravity() const {
        return detail::filled<vector3>([&](vector3 &read) { return dry_world_get_gravity(get(), read.data()); });
    }
    /// The lengths of the periodic box along the world axes, 0 along an axis without a period [m].
    returns<vector3> period() const {
        return detail::filled<vector3>([&](vector3 &read) { return dry_world_get_period(get(), read.data()); });
    }
    /// The rates at which the periods grow, along the world axes [1/s]; see dry_world_set_strain_rate.
    returns<void> set_strain_rate(const vector3 &rates) {
        return detail::done(dry_world_set_strain_rate(get(), rates.data()));
    }
    /// The rates at which the periods grow, along the world axes [1/s].
    returns<vector3> strain_rate() const {
        return detail::filled<vector3>([&](vector3 &read) { return dry_world_get_strain_rate(get(), read.data()); });
    }
    /// Advances by one step of so many seconds.
    returns<step_report> step(double seconds) {
        return detail::filled<step_report>([&](step_report &report) { return step_raw(seconds, &report); });
    }
    /// The same, with a report. It is written even if the step is undone with DRY_ERR_NOT_CONVERGED.
    returns<void> step(double seconds, step_report &report) { return detail::done(step_raw(seconds, &report)); }

    /// Balances all loads: bodies move to where their contacts carry them; see dry_world_solve_static. Calls
    /// progress(iterations_done) once in `every` iterations. If it returns true, the call fails with DRY_ERR_STOPPED and leaves
    /// the world as before. An exception stops it too, and is thrown on. Calls on this world from the function fail with
    /// DRY_ERR_BUSY.
    returns<static_result> solve_static(const dry_static_def &def = static_def(), iteration_progress progress = {},
                                        std::uint64_t every = 1) {
        auto solve = [&](const dry_static_def &how, double *moves, std::size_t count, dry_static_report *report) {
            return dry_world_solve_static(get(), &how, moves, count, report);
        };
        return static_raw(def, std::move(progress), every, solve);
    }
    /// How far loads can grow, a force and a torque of each body in the order of creation; see dry_world_limit_load.
    /// progress is as in solve_static.
    returns<static_result> limit_load(span<const std::array<double, 6>> unit_loads, const dry_static_def &def = static_def(),
                                      iteration_progress progress = {}, std::uint64_t every = 1) {
        auto solve = [&](const dry_static_def &how, double *moves, std::size_t count, dry_static_report *report) {
            if (unit_loads.size() != count) moves = nullptr; // refused
            const double *loads = unit_loads.size() == 0 ? nullptr : unit_loads.data()->data();
            return dry_world_limit_load(get(), loads, unit_loads.size(), &how, moves, report);
        };
        return static_raw(def, std::move(progress), every, solve);
    }

    /// Advances by so many steps of the same length.
    returns<run_result> run(double seconds, std::uint64_t count) {
        return detail::filled<run_result>(
            [&](run_result &far) { return run_raw(seconds, count, nullptr, far); });
    }
    /// The same; calls progress(steps_done, count, report) after `every` steps, again after as many more, and after the last. True
    /// stops the run, which is no failure: `steps_done` of the result says how far it came. A function without a result never stops it. An exception stops
    /// it too, and is thrown on. Calls on this world from the function fail with DRY_ERR_BUSY.
    template <class Progress>
    returns<run_result> run(double seconds, std::uint64_t count, Progress &&progress, std::uint64_t every = 1) {
        return detail::filled<run_result>([&](run_result &far) {
            detail::run_bridge<std::remove_reference_t<Progress>> between(progress, every);
            const dry_run_progress callback = between.callback();
            const dry_status status = run_raw(seconds, count, &callback, far);
            between.rethrow();
            return status == DRY_ERR_STOPPED ? DRY_OK : status;
        });
    }

    /// Advances by so many steps, and reads the states of joints after each into the caller's array. The states of
    /// the first step come first, in the order of the handles, then those of the second one. If a step fails, the
    /// array keeps the steps before.
    returns<void> record_joints(double seconds, std::size_t steps, span<const joint> of, span<joint_state> read) {
        std::string wrong = detail::unlike("states", read.size(), steps * of.size());
        if (!wrong.empty()) return detail::refused<void>(std::move(wrong));
        return detail::done(record_raw(seconds, steps, of, read.data()));
    }
    /// The same of all joints, in the order of their creation.
    returns<std::vector<joint_state>> record_joints(double seconds, std::size_t steps) {
        return detail::filled<std::vector<joint_state>>([&](std::vector<joint_state> &read) {
            std::vector<joint> all;
            const dry_status status = detail::read_all(all, [&](joint *into, std::size_t capacity, std::size_t *count) {
                return dry_query_joints(get(), detail::raw(into), capacity, count);
            });
            if (status != DRY_OK) return status;
            read.resize(steps * all.size());
            return record_raw(seconds, steps, all, read.data());
        });
    }

    // ---- materials

    returns<material> add_material(const dry_material_def &def) {
        return detail::filled<material>(
            [&](material &added) { return dry_material_add(get(), &def, added.number()); });
    }
    /// Sets the values for a pair of materials, in either order; null is the default material.
    returns<void> set_material_pair(material first, material second, const dry_pair_def &def) {
        return detail::done(dry_material_pair_set(get(), first.value(), second.value(), &def));
    }

    // ---- shapes

    /// [m]
    returns<shape> add_sphere(double radius) {
        return detail::filled<shape>([&](shape &added) { return dry_shape_sphere(get(), radius, added.number()); });
    }
    /// Half its edges [m].
    returns<shape> add_box(const vector3 &half_extents) {
        return detail::filled<shape>(
            [&](shape &added) { return dry_shape_box(get(), half_extents.data(), added.number()); });
    }
    /// Along z; half_height without the half spheres [m].
    returns<shape> add_capsule(double half_height, double radius) {
        return detail::filled<shape>(
            [&](shape &added) { return dry_shape_capsule(get(), half_height, radius, added.number()); });
    }
    /// Along z [m].
    returns<shape> add_cylinder(double half_height, double radius) {
        return detail::filled<shape>(
            [&](shape &added) { return dry_shape_cylinder(get(), half_height, radius, added.number()); });
    }
    /// Solid where normal . x <= offset [-, m]; not for dynamic bodies.
    returns<shape> add_half_space(const vector3 &normal, double offset) {
        return detail::filled<shape>(
            [&](shape &added) { return dry_shape_half_space(get(), normal.data(), offset, added.number()); });
    }
    /// The convex hull of points: a range of vectors of any kind, or of numbers x y z x y z ... [m].
    template <class Points> returns<shape> add_hull(const Points &points) {
        const std::vector<double> xyz = detail::flat(points);
        if (xyz.size() % 3 != 0) return detail::refused<shape>(not_threes("points", xyz.size()));
        return detail::filled<shape>(
            [&](shape &added) { return dry_shape_hull(get(), xyz.data(), xyz.size() / 3, added.number()); });
    }
    /// A surface of triangles: points as above, and a range of uint32_t, three for each triangle, or of vectors of three of
    /// them; not for dynamic bodies.
    template <class Points, class Triangles>
    returns<shape> add_mesh(const Points &points, const Triangles &triangles) {
        const std::vector<double> xyz = detail::flat(points);
        const std::vector<std::uint32_t> indices = detail::flat_indices(triangles);
        if (xyz.size() % 3 != 0) return detail::refused<shape>(not_threes("points", xyz.size()));
        if (indices.size() % 3 != 0) return detail::refused<shape>(not_threes("triangles", indices.size()));
        return detail::filled<shape>([&](shape &added) {
            return dry_shape_mesh(get(), xyz.data(), xyz.size() / 3, indices.data(), indices.size() / 3, added.number());
        });
    }
    /// The union of convex shapes, rigidly joined; see dry_shape_clump.
    returns<shape> add_clump(span<const clump_part> parts) {
        return detail::filled<shape>(
            [&](shape &added) { return dry_shape_clump(get(), parts.data(), parts.size(), added.number()); });
    }
    /// Of a shape at density 1; its volume goes to a place that may be null [m^3].
    returns<mass_properties> mass(shape of, double *volume_or_null = nullptr) const {
        return detail::filled<mass_properties>([&](mass_properties &read) {
            double volume = 0;
            const dry_status status = dry_shape_mass_properties(get(), of.value(), &volume, &read.mass,
                                                                read.center_of_mass.data(), read.inertia.data());
            if (status == DRY_OK && volume_or_null != nullptr) *volume_or_null = volume;
            return status;
        });
    }
    /// A prism along z over a closed NURBS curve, for motion in the x-y plane.
    returns<shape> add_nurbs_curve(const dry_nurbs_curve_def &def) {
        return detail::filled<shape>([&](shape &added) { return dry_shape_nurbs_curve(get(), &def, added.number()); });
    }
    /// The point of a shape's surface that is closest to `point`, shape axes [m].
    returns<closest_point> closest(shape of, const vector3 &point) const {
        return detail::filled<closest_point>([&](closest_point &read) {
            return dry_shape_closest(get(), of.value(), point.data(), read.foot.data(), read.normal.data(), &read.distance);
        });
    }
    /// Removes a shape that no body uses.
    returns<void> remove(shape unused) { return detail::done(dry_shape_remove(get(), unused.value())); }

    // ---- bodies

    returns<body> add_body(const dry_body_def &def) {
        return detail::filled<body>([&](body &added) { return dry_body_add(get(), &def, added.number()); });
    }
    /// Adds all or none; the handles come in the order of the definitions.
    returns<std::vector<body>> add_bodies(span<const body_def> defs) {
        return detail::filled<std::vector<body>>([&](std::vector<body> &added) {
            added.resize(defs.size());
            return dry_bodies_add(get(), defs.data(), defs.size(), detail::raw(added.data()));
        });
    }
    /// Removes a body with its contacts and its joints.
    returns<void> remove(body gone) { return detail::done(dry_body_remove(get(), gone.value())); }
    /// All bodies in the order of their creation.
    returns<std::vector<body>> bodies() const {
        return detail::filled<std::vector<body>>([&](std::vector<body> &all) {
            return detail::read_all(all, [&](body *read, std::size_t capacity, std::size_t *count) {
                return dry_query_bodies(get(), detail::raw(read), capacity, count);
            });
        });
    }
    returns<body_state> state(body of) const {
        return detail::filled<body_state>(
            [&](body_state &read) { return dry_body_get_state(get(), of.value(), &read); });
    }
    returns<void> set_state(body of, const dry_body_state &state) {
        return detail::done(dry_body_set_state(get(), of.value(), &state));
    }
    returns<mass_properties> mass(body of) const {
        return detail::filled<mass_properties>([&](mass_properties &read) {
            return dry_body_get_mass(get(), of.value(), &read.mass, read.center_of_mass.data(), read.inertia.data());
        });
    }
    /// The user_data of the body's definition.
    returns<std::uint64_t> user_data(body of) const {
        return detail::filled<std::uint64_t>(
            [&](std::uint64_t &read) { return dry_body_get_user_data(get(), of.value(), &read); });
    }
    /// Pushes a body at its centre of mass during the next step, world axes [N].
    returns<void> add_force(body on, const vector3 &force) {
        return detail::done(dry_body_add_force(get(), on.value(), force.data(), nullptr));
    }
    /// Pushes a body at a point during the next step, world axes [N, m].
    returns<void> add_force(body on, const vector3 &force, const vector3 &point) {
        return detail::done(dry_body_add_force(get(), on.value(), force.data(), point.data()));
    }
    /// Turns a body during the next step, world axes [N m].
    returns<void> add_torque(body on, const vector3 &torque) {
        return detail::done(dry_body_add_torque(get(), on.value(), torque.data()));
    }
    /// Makes the surface of a body move over it, as a belt: its velocity at the centre of mass [m/s] and its angular velocity [rad/s],
    /// both in body axes.
    returns<void> set_surface_velocity(body of, const vector3 &linear, const vector3 &angular) {
        return detail::done(dry_body_set_surface_velocity(get(), of.value(), linear.data(), angular.data()));
    }
    /// How the surface of a body moves over it.
    returns<drystone::surface_velocity> surface_velocity(body of) const {
        return detail::filled<drystone::surface_velocity>([&](drystone::surface_velocity &read) {
            return dry_body_get_surface_velocity(get(), of.value(), read.linear.data(), read.angular.data());
        });
    }
    returns<void> wake(body sleeping) { return detail::done(dry_body_wake(get(), sleeping.value())); }
    returns<bool> is_awake(body of) const {
        return detail::filled<bool>([&](bool &awake) {
            std::uint32_t flag = 0;
            const dry_status status = dry_body_is_awake(get(), of.value(), &flag);
            awake = flag != 0;
            return status;
        });
    }
    /// Reads into the caller's array, one state for each handle, without another copy.
    returns<void> states(span<const body> of, span<body_state> read) const {
        std::string wrong = detail::unlike("states", read.size(), of.size());
        if (!wrong.empty()) return detail::refused<void>(std::move(wrong));
        const body none; // NULL would stand for all bodies
        const body *handles = of.empty() ? &none : of.data();
        return detail::done(dry_bodies_get_states(get(), detail::raw(handles), of.size(), read.data()));
    }
    /// Reads those of all bodies into the caller's array, in the order of their creation.
    returns<void> states(span<body_state> read) const {
        return detail::done(dry_bodies_get_states(get(), nullptr, read.size(), read.data()));
    }
    /// Reads those of all bodies, in the order of their creation.
    returns<std::vector<body_state>> states() const {
        return detail::filled<std::vector<body_state>>([&](std::vector<body_state> &all) {
            return detail::read_all(all, [&](body_state *read, std::size_t capacity, std::size_t *count) {
                if (capacity == 0) return dry_query_bodies(get(), nullptr, 0, count);
                const dry_status status = dry_bodies_get_states(get(), nullptr, capacity, read);
                // what can be wrong is their number, if bodies came or went between the two questions
                return status == DRY_ERR_ARGUMENT ? DRY_ERR_CAPACITY : status;
            });
        });
    }

    // ---- results of the last step

    /// All contacts, in a vector that is used again.
    returns<void> contacts(std::vector<contact> &all) const { return detail::done(contacts_raw(all)); }
    /// All contacts.
    returns<std::vector<contact>> contacts() const {
        return detail::filled<std::vector<contact>>([&](std::vector<contact> &all) { return contacts_raw(all); });
    }
    /// The sum of the contact forces on a body, and of their torques about its centre of mass; those of joints: joint_force.
    returns<wrench> force(body on) const {
        return detail::filled<wrench>([&](wrench &read) {
            return dry_query_body_force(get(), on.value(), read.force.data(), read.torque.data());
        });
    }
    returns<drystone::energy> energy() const {
        return detail::filled<drystone::energy>(
            [&](drystone::energy &read) { return dry_query_energy(get(), &read.kinetic, &read.potential); });
    }
    /// The mean stress in a box between two corners, tension positive [Pa].
    returns<tensor> stress(const vector3 &lower, const vector3 &upper) const {
        return detail::filled<tensor>(
            [&](tensor &read) { return dry_query_stress(get(), lower.data(), upper.data(), read.data()); });
    }
    /// The bodies whose gap to one of these shapes is below the margin [m]. With a margin of 0 bodies that touch are not listed.
    returns<std::vector<overlap>> overlaps(span<const shape_pose> poses, double margin = 0.0) const {
        return detail::filled<std::vector<overlap>>([&](std::vector<overlap> &all) {
            return detail::read_all(all, [&](overlap *read, std::size_t capacity, std::size_t *count) {
                return dry_query_overlaps(get(), poses.data(), poses.size(), margin, read, capacity, count);
            });
        });
    }
    /// The coarse-grained fields at points: a range of vectors of any kind, or of numbers x y z x y z ... [m]. Width 0: the mean diameter
    /// of the dynamic spheres.
    template <class Points>
    returns<std::vector<field>> fields(const Points &points, dry_kernel kernel = DRY_KERNEL_LUCY, double width = 0.0) const {
        const std::vector<double> xyz = detail::flat(points);
        if (xyz.size() % 3 != 0) return detail::refused<std::vector<field>>(not_threes("points", xyz.size()));
        return detail::filled<std::vector<field>>([&](std::vector<field> &all) {
            all.resize(xyz.size() / 3);
            return dry_query_fields(get(), xyz.data(), all.size(), kernel, width, all.data(), sizeof(dry_field));
        });
    }
    /// Writes files for ParaView, whose paths begin with `prefix`, and adds them to their series.
    returns<void> export_vtk(const std::string &prefix, std::uint64_t step, double time, const dry_vtk_def &def = vtk_def()) const {
        return detail::done(dry_world_export_vtk(get(), prefix.c_str(), step, time, &def));
    }
    /// The hash of the full dynamic state: worlds with the same hash have the same future.
    returns<std::uint64_t> hash() const {
        return detail::filled<std::uint64_t>([&](std::uint64_t &read) { return dry_world_hash(get(), &read); });
    }
    /// A copy, which shares the threads of this world. Handles of one are valid in the other. Both continue in the same way.
    returns<world> clone() const {
        dry_world *raw = nullptr;
        const dry_status status = dry_world_clone(get(), &raw);
        world made(raw);
        made.bridge_ = bridge_;
        return detail::deliver<world>(status, std::move(made), detail::message_of(status));
    }
    /// The full dynamic state as bytes. A world restored from it continues as this one.
    returns<std::vector<std::uint8_t>> snapshot() const {
        return detail::filled<std::vector<std::uint8_t>>([&](std::vector<std::uint8_t> &all) {
            return detail::read_all(all, [&](std::uint8_t *read, std::size_t capacity, std::size_t *count) {
                return dry_world_snapshot(get(), read, capacity, count);
            });
        });
    }
    /// Puts the world into the state of a snapshot, settings included. Its threads stay.
    returns<void> restore(span<const std::uint8_t> bytes) {
        return detail::done(dry_world_restore(get(), bytes.data(), bytes.size()));
    }

private:
    struct destroyer {
        void operator()(dry_world *ended) const noexcept { dry_world_destroy(ended); }
    };

    static std::string not_threes(const char *name, std::size_t size) {
        return std::string(name) + ": " + std::to_string(size) + " numbers, expected three for each element";
    }

    static returns<world> create(const dry_world_def &def, std::unique_ptr<detail::job_bridge> bridge) {
        dry_world *raw = nullptr;
        const dry_status status = dry_world_create(&def, &raw);
        world made(raw);
        made.bridge_ = std::move(bridge);
        return detail::deliver<world>(status, std::move(made), detail::message_of(status));
    }

    dry_status contacts_raw(std::vector<contact> &all) const {
        return detail::read_all(all, [&](contact *read, std::size_t capacity, std::size_t *count) {
            return dry_query_contacts(get(), read, sizeof(dry_contact), capacity, count);
        });
    }

    template <class Solve>
    returns<static_result> static_raw(const dry_static_def &def, iteration_progress progress, std::uint64_t every,
                                      Solve &&solve) {
        return detail::filled<static_result>([&](static_result &found) {
            std::size_t count = 0;
            dry_status status = dry_query_bodies(get(), nullptr, 0, &count);
            if (status != DRY_OK) return status;
            found.moves.resize(count);
            dry_static_def how = def;
            const bool is_watched = static_cast<bool>(progress);
            detail::iteration_bridge between(std::move(progress), every);
            if (is_watched) between.set_in(how);
            double *moves = count == 0 ? nullptr : found.moves.front().data();
            status = solve(how, moves, count, &found.report);
            between.rethrow();
            return status;
        });
    }
    dry_status step_raw(double seconds, dry_step_report *report) {
        const dry_status status = dry_world_step(get(), seconds, report);
        if (bridge_) bridge_->rethrow();
        return status;
    }

    dry_status run_raw(double seconds, std::uint64_t count, const dry_run_progress *progress, run_result &far) {
        const dry_status status = dry_world_run(get(), seconds, count, progress, &far.steps_done, &far.report);
        if (bridge_) bridge_->rethrow();
        return status;
    }

    dry_status record_raw(double seconds, std::size_t steps, span<const joint> of, joint_state *read) {
        const joint none; // NULL would stand for all joints
        const dry_joint *handles = detail::raw(of.empty() ? &none : of.data());
        for (std::size_t k = 0; k < steps; ++k) {
            dry_status status = step_raw(seconds, nullptr);
            if (status != DRY_OK) return status;
            status = dry_joints_get_states(get(), handles, of.size(), of.empty() ? nullptr : read + k * of.size(),
                                           sizeof(dry_joint_state));
            if (status != DRY_OK) return status;
        }
        return DRY_OK;
    }

    std::unique_ptr<dry_world, destroyer> world_;
    std::shared_ptr<detail::job_bridge> bridge_; // steps call it; dry_world_destroy does not
};

} // namespace DRYSTONE_VARIANT
} // namespace drystone

#endif
