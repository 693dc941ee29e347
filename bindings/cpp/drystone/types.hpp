// Handles, and the structures of the C interface with their defaults filled in. Part of drystone.hpp.
#ifndef DRYSTONE_TYPES_HPP
#define DRYSTONE_TYPES_HPP

#include "vectors.hpp"

#include <array>
#include <functional>
#include <limits>

namespace drystone {
inline namespace DRYSTONE_VARIANT {

/// The name of an object of a world. Handles of different kinds are different types; null by itself. The library checks
/// each at every use: that of a removed object is DRY_ERR_STALE_HANDLE and never another object.
template <class Kind> class handle {
public:
    /// Null: of a material the world's default one, of a contact's partner the fixed world.
    constexpr handle() noexcept = default;
    /// From the number that the C interface has for it.
    constexpr explicit handle(std::uint64_t value) noexcept : value_(value) {}
    /// The number that the C interface has for it.
    constexpr std::uint64_t value() const noexcept { return value_; }
    /// False for null.
    constexpr explicit operator bool() const noexcept { return value_ != 0; }
    friend constexpr bool operator==(handle a, handle b) noexcept { return a.value_ == b.value_; }
    friend constexpr bool operator!=(handle a, handle b) noexcept { return a.value_ != b.value_; }
    friend constexpr bool operator<(handle a, handle b) noexcept { return a.value_ < b.value_; }

    // For calls that fill in or read arrays of handles: a handle is its number and nothing else.
    std::uint64_t *number() noexcept { return &value_; }
    const std::uint64_t *number() const noexcept { return &value_; }

private:
    std::uint64_t value_ = 0;
};

namespace kinds {
struct body;
struct joint;
struct material;
struct shape;
} // namespace kinds

/// A body of a world.
using body = handle<kinds::body>;
/// A shape of a world, shared by any number of bodies.
using shape = handle<kinds::shape>;
/// A material of a world; null is the default one.
using material = handle<kinds::material>;
/// A joint of a world.
using joint = handle<kinds::joint>;

static_assert(sizeof(body) == sizeof(dry_body) && std::is_standard_layout_v<body>);

namespace detail {

// An array of handles, as C sees it.
template <class Kind> std::uint64_t *raw(handle<Kind> *all) noexcept { return all == nullptr ? nullptr : all->number(); }
template <class Kind> const std::uint64_t *raw(const handle<Kind> *all) noexcept {
    return all == nullptr ? nullptr : all->number();
}

// Asks how many there are, then for all of them; again if another thread's step came between.
template <class T, class Query> dry_status read_all(std::vector<T> &all, Query &&query) {
    dry_status status = DRY_OK;
    do {
        std::size_t count = 0;
        status = query(nullptr, 0, &count);
        if (status != DRY_OK) return status;
        all.resize(count);
        if (count != 0) status = query(all.data(), count, &count);
        if (status == DRY_OK) all.resize(count);
    } while (status == DRY_ERR_CAPACITY);
    return status;
}

// A structure whose defaults the library fills in. If it refuses its size, struct_size stays 0, and the call that gets
// it answers DRY_ERR_ABI.
template <class Raw, dry_status (*Init)(Raw *, std::size_t)> struct initialised : Raw {
    initialised() noexcept : Raw{} { static_cast<void>(Init(this, sizeof(Raw))); }
};

// A structure that begins with its size and is otherwise zero.
template <class Raw> struct sized : Raw {
    sized() noexcept : Raw{} { this->struct_size = sizeof(Raw); }
};

// What has a place and velocities. The members are C arrays, which cannot be assigned.
template <class Self, class Raw> struct placed : Raw {
    /// Of the shape's origin, world axes [m].
    Self &set_position(const vector3 &value) { return set(this->position, value); }
    /// From body to world axes, its length 1 within 1e-6 [-].
    Self &set_rotation(const quaternion &value) { return set(this->rotation, value); }
    /// Of the centre of mass, world axes [m/s].
    Self &set_linear_velocity(const vector3 &value) { return set(this->linear_velocity, value); }
    /// World axes [rad/s].
    Self &set_angular_velocity(const vector3 &value) { return set(this->angular_velocity, value); }

protected:
    template <std::size_t N> Self &set(double (&member)[N], const numbers<N> &value) {
        value.copy_to(member);
        return static_cast<Self &>(*this);
    }
};

} // namespace detail

// The structures below are those of drystone.h, with the same members: `settings.iterations = 100`. They go to C
// functions as they are.

/// How a world steps; the defaults.
struct settings : detail::initialised<dry_settings, dry_settings_init> {};

/// What a world starts with; the defaults. Its `tasks` is set by the world from a job_system.
struct world_def : detail::initialised<dry_world_def, dry_world_def_init> {
    /// World axes [m/s^2].
    world_def &set_gravity(const vector3 &value) {
        value.copy_to(gravity);
        return *this;
    }

    /// Lengths of a periodic box along the world axes; 0 where an axis is open [m].
    world_def &set_period(const vector3 &value) {
        value.copy_to(period);
        return *this;
    }
};

/// A material of bodies; the defaults.
struct material_def : detail::initialised<dry_material_def, dry_material_def_init> {};

/// The values for a pair of materials; the defaults.
struct pair_def : detail::initialised<dry_pair_def, dry_pair_def_init> {};

/// The report of a step or a solve.
struct step_report : detail::sized<dry_step_report> {};

/// How a static problem is solved; the defaults.
struct static_def : detail::initialised<dry_static_def, dry_static_def_init> {};

/// The report of a static increment or a limit load.
struct static_report : detail::sized<dry_static_report> {
    /// The bits DRY_STATIC_ that are given, such as DRY_STATIC_COLLAPSE.
    bool has(std::uint32_t bits) const noexcept { return (flags & bits) != 0; }
};

/// With a move and a turn of each body, in the order of creation, world axes.
struct static_result {
    static_report report;
    std::vector<std::array<double, 6>> moves;
};

/// A body before it exists. By default it is dynamic, at the origin and at rest.
struct body_def : detail::placed<body_def, detail::initialised<dry_body_def, dry_body_def_init>> {
    /// Without a shape, which must be set.
    body_def() = default;
    /// With its shape.
    explicit body_def(drystone::shape of, dry_body_kind moves = DRY_DYNAMIC) {
        set_shape(of);
        kind = moves;
    }
    body_def &set_shape(drystone::shape value) {
        shape = value.value();
        return *this;
    }
    body_def &set_material(drystone::material value) {
        material = value.value();
        return *this;
    }
    /// Body axes, from the shape's origin; used when mass > 0 [m].
    body_def &set_center_of_mass(const vector3 &value) { return set(center_of_mass, value); }
    /// About the centre of mass, body axes: xx yy zz xy yz xz; used when mass > 0 [kg m^2].
    body_def &set_inertia(const symmetric &value) { return set(inertia, value); }
    /// Keeps the body in its plane z = constant.
    body_def &set_planar() {
        lock |= DRY_LOCK_PLANAR;
        return *this;
    }
};

/// A part of a clump. By default it is at the origin of the clump and has the density of the body.
struct clump_part : detail::initialised<dry_clump_part, dry_clump_part_init> {
    /// Without a shape, which must be set.
    clump_part() = default;
    /// With its shape, whose origin is at a place of the clump [m].
    explicit clump_part(drystone::shape of, const vector3 &at = {0, 0, 0}) {
        shape = of.value();
        set_position(at);
    }
    /// Of the shape's origin, axes of the clump [m].
    clump_part &set_position(const vector3 &value) {
        value.copy_to(position);
        return *this;
    }
    /// From the shape's axes to those of the clump, its length 1 within 1e-6 [-].
    clump_part &set_rotation(const quaternion &value) {
        value.copy_to(rotation);
        return *this;
    }
    /// Factor on the density of the body [-].
    clump_part &set_density_factor(double value) {
        density_factor = value;
        return *this;
    }
};

/// The position and the velocity of a body. By default it is at the origin and at rest.
struct body_state : detail::placed<body_state, dry_body_state> {
    body_state() noexcept : placed() {
        *static_cast<dry_body_state *>(this) = dry_body_state{};
        rotation[3] = 1.0;
    }
};

/// A contact of the last step.
struct contact : dry_contact {
    contact() noexcept : dry_contact{} {}
    /// The first body.
    body a() const noexcept { return body(body_a); }
    /// The second body, on which the forces are.
    body b() const noexcept { return body(body_b); }
};

/// A shape at a pose. By default it is at the origin.
struct shape_pose : dry_shape_pose {
    shape_pose() noexcept : dry_shape_pose{} { rotation[3] = 1.0; }
    /// With its shape, whose origin is at a place [m].
    explicit shape_pose(drystone::shape of, const vector3 &at = {0, 0, 0}) : shape_pose() {
        shape = of.value();
        at.copy_to(position);
    }
    /// From the shape's axes to those of the world, its length 1 within 1e-6 [-].
    shape_pose &set_rotation(const quaternion &value) {
        value.copy_to(rotation);
        return *this;
    }
};

/// A body that a shape at a pose would overlap.
struct overlap : dry_overlap {
    overlap() noexcept : dry_overlap{} {}
    /// The body.
    drystone::body with() const noexcept { return drystone::body(body); }
};

/// The coarse-grained fields at a point.
struct field : dry_field {
    field() noexcept : dry_field{} {}
};

/// What files for VTK have; the defaults.
struct vtk_def : detail::initialised<dry_vtk_def, dry_vtk_def_init> {
    /// A grid of points for fields, which are then written too: the first point, and the distances of its points, world axes [m].
    vtk_def &set_grid(const vector3 &origin, const vector3 &spacing, const std::array<std::uint32_t, 3> &count) {
        parts |= DRY_VTK_FIELDS;
        origin.copy_to(grid_origin);
        spacing.copy_to(grid_spacing);
        for (std::size_t axis = 0; axis < 3; ++axis) grid_count[axis] = count[axis];
        return *this;
    }
};

/// A closed NURBS curve; the defaults. The arrays are the caller's and must last until the shape is added.
struct nurbs_curve_def : detail::initialised<dry_nurbs_curve_def, dry_nurbs_curve_def_init> {
    /// x y of each control point [m].
    nurbs_curve_def &set_points(span<const std::array<double, 2>> points) {
        points_xy = points.size() > 0 ? points.data()->data() : nullptr;
        point_count = points.size();
        return *this;
    }
    nurbs_curve_def &set_knots(span<const double> values) {
        knots = values.data();
        knot_count = values.size();
        return *this;
    }
    /// As many as points.
    nurbs_curve_def &set_weights(span<const double> weights) {
        weights_or_null = weights.data();
        return *this;
    }
};

/// The point of a surface that is closest to a given one, shape axes.
struct closest_point {
    vector3 foot;
    /// Out of the solid.
    vector3 normal;
    /// Below 0 in the solid [m].
    double distance = 0.0;
};

/// Index of the fixed world as a body of a problem.
inline constexpr std::uint32_t fixed_world = std::numeric_limits<std::uint32_t>::max();

/// A body of a problem. By default it is immovable and at rest.
struct problem_body : dry_problem_body {
    problem_body() noexcept : dry_problem_body{} {}
    /// World axes, about the centre of mass: xx yy zz xy yz xz [1/(kg m^2)].
    problem_body &set_inverse_inertia(const symmetric &value) {
        value.copy_to(inverse_inertia);
        return *this;
    }
    /// Of the centre of mass, already holding what external forces add during the step [m/s].
    problem_body &set_velocity(const vector3 &value) {
        value.copy_to(velocity);
        return *this;
    }
    /// World axes, already holding what external torques add during the step [rad/s].
    problem_body &set_angular_velocity(const vector3 &value) {
        value.copy_to(angular_velocity);
        return *this;
    }
};

/// A contact of a problem. By default it is rigid and without friction. Its bodies must be set.
struct problem_contact : dry_problem_contact {
    problem_contact() noexcept : dry_problem_contact{} { body_a = body_b = fixed_world; }
    /// From body_a to body_b, of length 1, world axes [-].
    problem_contact &set_normal(const vector3 &value) {
        value.copy_to(normal);
        return *this;
    }
    /// From the centre of mass of body_a to the contact point, world axes [m].
    problem_contact &set_arm_a(const vector3 &value) {
        value.copy_to(arm_a);
        return *this;
    }
    /// From the centre of mass of body_b to the contact point, world axes [m].
    problem_contact &set_arm_b(const vector3 &value) {
        value.copy_to(arm_b);
        return *this;
    }
    /// The sliding velocity at which friction is at rest, world axes [m/s].
    problem_contact &set_surface_velocity(const vector3 &value) {
        value.copy_to(surface_velocity);
        return *this;
    }
};

/// A row of a problem. By default it is bilateral, that is, without bounds. Its bodies must be set.
struct problem_row : dry_problem_row {
    problem_row() noexcept : dry_problem_row{} {
        body_a = body_b = fixed_world;
        lower = -std::numeric_limits<double>::infinity();
        upper = std::numeric_limits<double>::infinity();
        friction_row = -1;
    }
    /// Of the first body.
    problem_row &set_jacobian_a(const vector3 &linear, const vector3 &angular) { return set(jacobian_a, linear, angular); }
    /// Of the second body.
    problem_row &set_jacobian_b(const vector3 &linear, const vector3 &angular) { return set(jacobian_b, linear, angular); }

private:
    problem_row &set(double (&jacobian)[6], const vector3 &linear, const vector3 &angular) {
        for (std::size_t i = 0; i < 3; ++i) jacobian[i] = linear[i], jacobian[3 + i] = angular[i];
        return *this;
    }
};

/// The solution for a contact.
using contact_solution = dry_contact_solution;

// Arrays of them are arrays of the C structures.
static_assert(sizeof(body_def) == sizeof(dry_body_def) && sizeof(body_state) == sizeof(dry_body_state));
static_assert(sizeof(field) == sizeof(dry_field) && sizeof(overlap) == sizeof(dry_overlap));
static_assert(sizeof(shape_pose) == sizeof(dry_shape_pose));
static_assert(sizeof(contact) == sizeof(dry_contact) && sizeof(problem_body) == sizeof(dry_problem_body));
static_assert(sizeof(problem_contact) == sizeof(dry_problem_contact) && sizeof(problem_row) == sizeof(dry_problem_row));

/// The mass of a body; of one that is not dynamic mass and inertia are 0.
struct mass_properties {
    /// [kg]
    double mass = 0.0;
    /// Body axes, from the shape's origin [m].
    vector3 center_of_mass;
    /// About the centre of mass, body axes: xx yy zz xy yz xz [kg m^2].
    symmetric inertia;
};

/// A force and a torque.
struct wrench {
    /// World axes [N].
    vector3 force;
    /// World axes [N m].
    vector3 torque;
};

/// How the surface of a body moves over the body, in body axes.
struct surface_velocity {
    /// At the centre of mass [m/s].
    vector3 linear;
    /// [rad/s]
    vector3 angular;
};

/// The energy of a world.
struct energy {
    /// Of all moving bodies [J].
    double kinetic = 0.0;
    /// Of their weight, relative to the world's origin [J].
    double potential = 0.0;
};

} // namespace DRYSTONE_VARIANT
} // namespace drystone

namespace std {
/// Handles as keys of unordered containers.
template <class Kind> struct hash<drystone::handle<Kind>> {
    size_t operator()(drystone::handle<Kind> handle) const noexcept { return hash<uint64_t>()(handle.value()); }
};
} // namespace std

#endif
