// Joints of worlds. Part of drystone.hpp.
#ifndef DRYSTONE_JOINTS_HPP
#define DRYSTONE_JOINTS_HPP

#include "error.hpp"
#include "types.hpp"

namespace drystone {
inline namespace DRYSTONE_VARIANT {

/// A joint before it exists. By default it is rigid and unbreakable, with its frames in the origins of its bodies.
struct joint_def : dry_joint_def {
    /// Without bodies. At least one must be set.
    explicit joint_def(dry_joint_kind locks = DRY_JOINT_BALL) noexcept : dry_joint_def{} {
        static_cast<void>(dry_joint_def_init(this, sizeof(dry_joint_def), locks));
    }
    /// With its bodies; null is the world.
    joint_def(dry_joint_kind locks, body a, body b) noexcept : joint_def(locks) { set_bodies(a, b); }
    /// Null is the world.
    joint_def &set_bodies(body a, body b) noexcept {
        body_a = a.value();
        body_b = b.value();
        return *this;
    }
    /// The origin of frame A, axes of body a [m].
    joint_def &set_point_a(const vector3 &value) { return set(point_a, value); }
    /// The origin of frame B, axes of body b [m].
    joint_def &set_point_b(const vector3 &value) { return set(point_b, value); }
    /// From the axes of frame A to those of body a [-].
    joint_def &set_rotation_a(const quaternion &value) { return set(rotation_a, value); }
    /// From the axes of frame B to those of body b [-].
    joint_def &set_rotation_b(const quaternion &value) { return set(rotation_b, value); }
    /// The first body; null is the world.
    body a() const noexcept { return body(body_a); }
    /// The second body, on which the forces are; null is the world.
    body b() const noexcept { return body(body_b); }

private:
    template <std::size_t N> joint_def &set(double (&member)[N], const numbers<N> &value) {
        value.copy_to(member);
        return *this;
    }
};

/// A free axis of a joint. By default it has no bounds, motor, spring or friction.
struct joint_axis : detail::initialised<dry_joint_axis, dry_joint_axis_init> {};

/// The positions of a joint, and its forces in the last step.
struct joint_state : dry_joint_state {
    joint_state() noexcept : dry_joint_state{} {}
};

/// What happened to a joint in the last step.
struct joint_event : dry_joint_event {
    joint_event() noexcept : dry_joint_event{} {}
    /// The joint.
    drystone::joint of() const noexcept { return drystone::joint(joint); }
};

static_assert(sizeof(joint_event) == sizeof(dry_joint_event));
static_assert(sizeof(joint_def) == sizeof(dry_joint_def) && sizeof(joint_state) == sizeof(dry_joint_state));

namespace detail {

/// The calls of a world that are about its joints. `World` has the world of the C interface.
template <class World> class joint_calls {
public:
    /// Sets the frames of a definition, whose bodies are set, so that they coincide now: origin, z and some x; world axes.
    returns<void> place(joint_def &def, const vector3 &point, const vector3 &axis) const {
        return done(dry_joint_def_place(get(), &def, point.data(), axis.data(), nullptr));
    }
    /// The same, with x along the part of the reference that is perpendicular to the axis.
    returns<void> place(joint_def &def, const vector3 &point, const vector3 &axis, const vector3 &reference) const {
        return done(dry_joint_def_place(get(), &def, point.data(), axis.data(), reference.data()));
    }
    /// Sets the points and the length of a rod, a definition of DRY_JOINT_DISTANCE; world axes [m].
    returns<void> place_points(joint_def &def, const vector3 &point_a, const vector3 &point_b) const {
        return done(dry_joint_def_place_points(get(), &def, point_a.data(), point_b.data()));
    }
    returns<joint> add_joint(const dry_joint_def &def) {
        return filled<joint>([&](joint &added) { return dry_joint_add(get(), &def, added.number()); });
    }
    /// Adds all or none; the handles come in the order of the definitions.
    returns<std::vector<joint>> add_joints(span<const joint_def> defs) {
        return filled<std::vector<joint>>([&](std::vector<joint> &added) {
            added.resize(defs.size());
            return dry_joints_add(get(), defs.data(), defs.size(), raw(added.data()));
        });
    }
    returns<void> remove(joint gone) { return done(dry_joint_remove(get(), gone.value())); }

    /// Sets an axis that the kind of the joint leaves free, 0 to 5.
    returns<void> set_axis(joint of, std::uint32_t index, const dry_joint_axis &axis) {
        return done(dry_joint_set_axis(get(), of.value(), index, &axis));
    }
    /// Sets the target of the motor of an axis [m, m/s] or [rad, rad/s].
    returns<void> set_target(joint of, std::uint32_t index, double position, double velocity) {
        return done(dry_joint_set_target(get(), of.value(), index, position, velocity));
    }
    /// Sets the targets of many motors, all or none. Empty positions or velocities leave them as they are.
    returns<void> set_targets(span<const joint> of, span<const std::uint32_t> indices, span<const double> positions,
                              span<const double> velocities) {
        std::string wrong = unlike("indices", indices.size(), of.size());
        if (wrong.empty() && !positions.empty()) wrong = unlike("positions", positions.size(), of.size());
        if (wrong.empty() && !velocities.empty()) wrong = unlike("velocities", velocities.size(), of.size());
        if (!wrong.empty()) return refused<void>(std::move(wrong));
        return done(dry_joints_set_targets(get(), raw(of.data()), indices.data(), of.size(),
                                           positions.empty() ? nullptr : positions.data(),
                                           velocities.empty() ? nullptr : velocities.data()));
    }
    /// Moves the frames of a joint to those of a definition, whose other members are not used.
    returns<void> set_frames(joint of, const dry_joint_def &def) {
        return done(dry_joint_set_frames(get(), of.value(), &def));
    }
    /// Switches a joint off or on; a broken one that is switched on acts again.
    returns<void> set_enabled(joint of, bool enabled) {
        return done(dry_joint_set_enabled(get(), of.value(), enabled ? 1u : 0u));
    }

    /// All joints in the order of their creation.
    returns<std::vector<joint>> joints() const {
        return filled<std::vector<joint>>([&](std::vector<joint> &all) {
            return read_all(all, [&](joint *read, std::size_t capacity, std::size_t *count) {
                return dry_query_joints(get(), raw(read), capacity, count);
            });
        });
    }
    /// Those of a body in the order of their creation.
    returns<std::vector<joint>> joints(body of) const {
        return filled<std::vector<joint>>([&](std::vector<joint> &all) {
            return read_all(all, [&](joint *read, std::size_t capacity, std::size_t *count) {
                return dry_query_body_joints(get(), of.value(), raw(read), capacity, count);
            });
        });
    }
    /// What a joint was added with, and the frames that were set last.
    returns<joint_def> definition(joint of) const {
        return filled<joint_def>(
            [&](joint_def &read) { return dry_joint_get_def(get(), of.value(), &read, sizeof(dry_joint_def)); });
    }
    returns<joint_axis> axis(joint of, std::uint32_t index) const {
        return filled<joint_axis>([&](joint_axis &read) {
            return dry_joint_get_axis(get(), of.value(), index, &read, sizeof(dry_joint_axis));
        });
    }
    returns<joint_state> state(joint of) const {
        return filled<joint_state>(
            [&](joint_state &read) { return dry_joint_get_state(get(), of.value(), &read, sizeof(dry_joint_state)); });
    }
    /// Reads into the caller's array, one state for each handle, without another copy.
    returns<void> joint_states(span<const joint> of, span<joint_state> read) const {
        std::string wrong = unlike("states", read.size(), of.size());
        if (!wrong.empty()) return refused<void>(std::move(wrong));
        const joint none; // NULL would stand for all joints
        const joint *handles = of.empty() ? &none : of.data();
        return done(dry_joints_get_states(get(), raw(handles), of.size(), read.data(), sizeof(dry_joint_state)));
    }
    /// Reads those of all joints into the caller's array, in the order of their creation.
    returns<void> joint_states(span<joint_state> read) const {
        return done(dry_joints_get_states(get(), nullptr, read.size(), read.data(), sizeof(dry_joint_state)));
    }
    /// Reads those of all joints, in the order of their creation.
    returns<std::vector<joint_state>> joint_states() const {
        return filled<std::vector<joint_state>>([&](std::vector<joint_state> &all) {
            return read_all(all, [&](joint_state *read, std::size_t capacity, std::size_t *count) {
                if (capacity == 0) return dry_query_joints(get(), nullptr, 0, count);
                const dry_status status = dry_joints_get_states(get(), nullptr, capacity, read, sizeof(dry_joint_state));
                // what can be wrong is their number, if joints came or went between the two questions
                return status == DRY_ERR_ARGUMENT ? DRY_ERR_CAPACITY : status;
            });
        });
    }
    /// What broke and what came to a bound in the last step: by the indices of the joints, then by axis.
    returns<std::vector<joint_event>> joint_events() const {
        return filled<std::vector<joint_event>>([&](std::vector<joint_event> &all) {
            return read_all(all, [&](joint_event *read, std::size_t capacity, std::size_t *count) {
                return dry_query_joint_events(get(), read, capacity, count);
            });
        });
    }
    /// The sum of the joint forces on a body, and of their torques about its centre of mass.
    returns<wrench> joint_force(body on) const {
        return filled<wrench>([&](wrench &read) {
            return dry_query_body_joint_force(get(), on.value(), read.force.data(), read.torque.data());
        });
    }

private:
    dry_world *get() noexcept { return static_cast<World *>(this)->get(); }
    const dry_world *get() const noexcept { return static_cast<const World *>(this)->get(); }
};

} // namespace detail
} // namespace DRYSTONE_VARIANT
} // namespace drystone

#endif
