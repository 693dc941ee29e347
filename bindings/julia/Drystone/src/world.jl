# Worlds: bodies in contact.

"""
    World(; settings, gravity, period, threads)
    World(f; ...)

A world: bodies in contact, their materials and shapes, and what they remember between steps. With a function, as by a `do`
block, it is closed when that returns.

- `settings`: how it steps, a `Settings`.
- `gravity`: world axes [m/s^2]; (0, 0, -9.81) by default.
- `period`: lengths of a periodic box along the world axes, 0 where an axis is open [m]; open by default.
- `threads`: of the library, that work on a step; 0: as many as there are cores.
"""
mutable struct World <: Owned
    pointer::Ptr{Cvoid}
    running::Int
    closed::Bool
    changed::Threads.Condition

    function World(; settings::Settings = Settings(), gravity = nothing, period = (0.0, 0.0, 0.0), threads = 1)
        definition = WorldDef(; threads, period)
        gravity === nothing || (definition = with(definition; gravity))
        kept, pointer = Ref(settings), Ref{Ptr{Cvoid}}(C_NULL)
        GC.@preserve kept begin
            definition = with(definition; settings = Base.unsafe_convert(Ptr{Settings}, kept))
            check(dry_world_create(Ref(definition), pointer))
        end
        return World(pointer[])
    end

    World(pointer::Ptr{Cvoid}) = finalizer(destroy, new(pointer, 0, false, Threads.Condition()))
end

function World(f::Function; options...)
    world = World(; options...)
    try
        return f(world)
    finally
        close(world)
    end
end

function destroy(world::World)
    world.closed = true
    dry_world_destroy(world.pointer)
    world.pointer = C_NULL
    return nothing
end

"How a world steps."
function settings(world::World)
    found = Ref(Settings())
    call(world, dry_world_get_settings, found, sizeof(Settings))
    return found[]
end

"Changes how a world steps, from the next step on."
set_settings!(world::World, settings::Settings) = call(world, dry_world_set_settings, Ref(settings))

"""
    configure!(world; members...)

Changes some of the settings: `configure!(world; iterations = 100)`.
"""
configure!(world::World; members...) = set_settings!(world, with(settings(world); members...))

"Changes the gravity, from the next step on; world axes [m/s^2]."
set_gravity!(world::World, gravity) = call(world, dry_world_set_gravity, numbers("gravity", gravity, 3))

"The gravity, world axes [m/s^2]."
function gravity(world::World)
    read = zeros(3)
    call(world, dry_world_get_gravity, read)
    return read
end

"The lengths of the periodic box along the world axes, 0 along an axis without a period [m]."
function period(world::World)
    read = zeros(3)
    call(world, dry_world_get_period, read)
    return read
end

"The rates at which the periods grow, along the world axes [1/s]."
function strain_rate(world::World)
    read = zeros(3)
    call(world, dry_world_get_strain_rate, read)
    return read
end

"""
    set_strain_rate!(world, rates)

Strains the periodic box: in a step of `h` seconds each period grows by `period * rate * h`. Bodies are not moved by it. Images are, and
contacts across the sides count their velocities. `rates` are along the world axes, 0 where an axis is open [1/s].
"""
set_strain_rate!(world::World, rates) = call(world, dry_world_set_strain_rate, numbers("rates", rates, 3))

"""
    step!(world, step)

Advances the world by `step` seconds, and says what happened. After an exception the world is as before.
"""
function step!(world::World, step::Real)
    report = Ref(sized(StepReport))
    failed = attempt(world, dry_world_step, step, report)
    failed === nothing && return report[]
    failed.status == DRY_ERR_NOT_CONVERGED || throw(failed)
    throw(DrystoneError(failed.status, failed.message, report[], nothing))
end

"""
    solve_static!(world; members...)
    solve_static!(progress, world; every = 1, members...)

Balances all loads: bodies move to where their contacts carry them. Answers a `StaticReport` and, in the order of creation, the move
and the turn of each body as a column of six. A collapse is no error but a flag, `DRY_STATIC_COLLAPSE`. See `StaticDef`.

`progress(iterations_done)` is called after `every` iterations and again after as many more. `true` stops the call, which throws
`DRY_ERR_STOPPED` and changes nothing; an exception stops it and is thrown on. Calls on this world from it are `DRY_ERR_BUSY`.
"""
solve_static!(world::World; members...) = solve_static!(nothing, world; members...)

function solve_static!(progress, world::World; every::Integer = 1, members...)
    moves, report = zeros(6, length(bodies(world))), Ref(sized(StaticReport))
    watching(progress, every, StaticDef(; members...)) do def
        call(world, dry_world_solve_static, Ref(def), moves, size(moves, 2), report)
    end
    return report[], moves
end

"""
    limit_load(world, unit_loads; members...)
    limit_load(progress, world, unit_loads; every = 1, members...)

How far loads can grow beside the present ones: `load_factor` of the `StaticReport`; and the mechanism, a column of six for each body.
`unit_loads` has a force [N] and a torque [N m] of each body as a column of six, in the order of creation. See `StaticDef`.
`progress` is as in `solve_static!`.
"""
limit_load(world::World, unit_loads; members...) = limit_load(nothing, world, unit_loads; members...)

function limit_load(progress, world::World, unit_loads; every::Integer = 1, members...)
    size(unit_loads, 1) == 6 || throw(DimensionMismatch("unit_loads has $(size(unit_loads, 1)) rows, expected 6"))
    loads, mechanism = collect(Cdouble, unit_loads), zeros(6, size(unit_loads, 2))
    report = Ref(sized(StaticReport))
    watching(progress, every, StaticDef(; members...)) do def
        call(world, dry_world_limit_load, loads, size(loads, 2), Ref(def), mechanism, report)
    end
    return report[], mechanism
end

"""
    add_material!(world; members...)

Adds what bodies are made of: `add_material!(world; friction = 0.3)`; see `MaterialDef`.
"""
function add_material!(world::World; members...)
    return made(world, Material, dry_material_add, Ref(MaterialDef(; members...)))
end

"""
    set_pair!(world, first, second; members...)

Says what holds between two materials, in either order, from the next step on; see `PairDef`.
"""
function set_pair!(world::World, first::Material, second::Material; members...)
    return call(world, dry_material_pair_set, first, second, Ref(PairDef(; members...)))
end

"A sphere about its origin; radius above 0 [m]."
sphere!(world::World, radius::Real) = made(world, Shape, dry_shape_sphere, radius)

"A box about its origin, its edges along the body's axes; half_extents: half its edges [m]."
function box!(world::World, half_extents)
    return made(world, Shape, dry_shape_box, numbers("half_extents", half_extents, 3))
end

"A cylinder along the body's z axis with half spheres on its ends; half_height: without these [m]."
function capsule!(world::World, half_height::Real, radius::Real)
    return made(world, Shape, dry_shape_capsule, half_height, radius)
end

"A cylinder about its origin, along the body's z axis [m]."
function cylinder!(world::World, half_height::Real, radius::Real)
    return made(world, Shape, dry_shape_cylinder, half_height, radius)
end

"Solid where normal . x <= offset, in body axes; for static and kinematic bodies alone."
function half_space!(world::World, normal, offset::Real)
    return made(world, Shape, dry_shape_half_space, numbers("normal", normal, 3), offset)
end

"The convex hull of points, the columns of a matrix of 3 rows, body axes [m]."
function hull!(world::World, points::AbstractMatrix{<:Real})
    return made(world, Shape, dry_shape_hull, matrix("points", points), size(points, 2))
end

"""
A surface of triangles, touchable from both sides; for static and kinematic bodies alone. Points are the columns of a matrix of
3 rows, body axes [m]; triangles the columns of another: numbers of points, the first is 1, of either winding.
"""
function mesh!(world::World, points::AbstractMatrix{<:Real}, triangles::AbstractMatrix{<:Integer})
    size(triangles, 1) == 3 || throw(DimensionMismatch("triangles has $(size(triangles, 1)) rows, expected 3"))
    all(>=(1), triangles) || throw(ArgumentError("triangles has $(minimum(triangles)), expected 1 or above"))
    indices = convert(Matrix{UInt32}, triangles .- 1)
    corners = matrix("points", points)
    return made(world, Shape, dry_shape_mesh, corners, size(corners, 2), indices, size(indices, 2))
end

"""
    clump!(world, parts)

The union of convex shapes, rigidly joined: `clump!(world, [ClumpPart(; shape = ball), ClumpPart(; shape = ball, position = (1, 0, 0))])`;
see `ClumpPart`.
"""
function clump!(world::World, parts::Vector{ClumpPart})
    return made(world, Shape, dry_shape_clump, parts, length(parts))
end

"The volume of a shape, and its mass, centre and inertia at density 1."
function mass_properties(world::World, shape::Shape)
    volume, found, center_of_mass, inertia = Ref(0.0), Ref(0.0), zeros(3), zeros(6)
    call(world, dry_shape_mass_properties, shape, volume, found, center_of_mass, inertia)
    return (volume = volume[], mass = found[], center_of_mass = center_of_mass, inertia = inertia)
end

function matrix(name, points)
    size(points, 1) == 3 || throw(DimensionMismatch("$name has $(size(points, 1)) rows, expected 3"))
    return convert(Matrix{Cdouble}, points)
end

"""
A prism along z over a closed NURBS curve, for motion in the x-y plane. Points are the columns of a matrix of 2 rows, body axes [m]; `weights`
are as many or `nothing`; the other members are those of `dry_nurbs_curve_def`: `nurbs_curve!(world, points, knots; degree = 2)`.
"""
function nurbs_curve!(world::World, points::AbstractMatrix{<:Real}, knots; weights = nothing, members...)
    size(points, 1) == 2 || throw(DimensionMismatch("points has $(size(points, 1)) rows, expected 2"))
    places, steps = convert(Matrix{Cdouble}, points), convert(Vector{Cdouble}, knots)
    heavy = weights === nothing ? Cdouble[] : convert(Vector{Cdouble}, weights)
    if weights !== nothing && length(heavy) != size(places, 2)
        throw(DimensionMismatch("weights has $(length(heavy)) elements, expected $(size(places, 2))"))
    end
    return GC.@preserve places steps heavy begin
        definition = NurbsCurveDef(;
            members...,
            points_xy = pointer(places),
            weights_or_null = weights === nothing ? Ptr{Cdouble}(C_NULL) : pointer(heavy),
            knots = pointer(steps),
            point_count = size(places, 2),
            knot_count = length(steps),
        )
        made(world, Shape, dry_shape_nurbs_curve, Ref(definition))
    end
end

"The point of a shape's surface that is closest to `point`, the normal out of the solid, and the distance, below 0 in the solid; shape axes [m]."
function closest(world::World, shape::Shape, point)
    foot, normal, distance = zeros(3), zeros(3), Ref{Cdouble}(0)
    call(world, dry_shape_closest, shape, numbers("point", point, 3), foot, normal, distance)
    return (foot = foot, normal = normal, distance = distance[])
end

"Removes a shape that no body uses."
remove_shape!(world::World, shape::Shape) = call(world, dry_shape_remove, shape)

"""
    add_body!(world; members...)

Adds a body: `add_body!(world; shape = ball, position = (0, 0, 1))`; see `BodyDef`.
"""
add_body!(world::World; members...) = made(world, Body, dry_body_add, Ref(BodyDef(; members...)))

"Adds many bodies, all or none, and answers their handles in the same order."
function add_bodies!(world::World, definitions::Vector{BodyDef})
    added = Vector{Body}(undef, length(definitions))
    call(world, dry_bodies_add, definitions, length(definitions), added)
    return added
end

"Removes a body, with its contacts and its joints."
remove_body!(world::World, body::Body) = call(world, dry_body_remove, body)

"All bodies in the order of their creation."
bodies(world::World) = filled(world, Body, dry_query_bodies)

"Where a body is and how it moves."
state(world::World, body::Body) = made(world, BodyState, dry_body_get_state, body)

"""
    set_state!(world, body, state)
    set_state!(world, body; members...)

Puts a body somewhere and sets its velocities; with members alone the others stay: `set_state!(world, body; position = (0, 0, 1))`.
"""
set_state!(world::World, body::Body, state::BodyState) = call(world, dry_body_set_state, body, Ref(state))

function set_state!(world::World, body::Body; members...)
    return set_state!(world, body, with(state(world, body); members...))
end

"""
    states(world)
    states(world, bodies)

Where bodies are and how they move: all of them in the order of creation, or those that are named.
"""
states(world::World) = states!(Vector{BodyState}(undef, length(bodies(world))), world)
states(world::World, named::Vector{Body}) = states!(Vector{BodyState}(undef, length(named)), world, named)

"""
    states!(buffer, world)
    states!(buffer, world, bodies)

The same, written to `buffer`, which has their number of elements.
"""
function states!(buffer::Vector{BodyState}, world::World)
    call(world, dry_bodies_get_states, C_NULL, length(buffer), buffer)
    return buffer
end

function states!(buffer::Vector{BodyState}, world::World, named::Vector{Body})
    if length(buffer) != length(named)
        throw(DimensionMismatch("buffer has $(length(buffer)) elements, expected $(length(named))"))
    end
    call(world, dry_bodies_get_states, named, length(named), buffer)
    return buffer
end

"""
The mass of a body [kg], its centre of mass from the shape's origin [m], and its inertia about that centre: xx yy zz xy yz xz
[kg m^2]. Both are in body axes. Mass and inertia are 0 for a body that is not dynamic.
"""
function mass(world::World, body::Body)
    found, center_of_mass, inertia = Ref{Cdouble}(0), zeros(3), zeros(6)
    call(world, dry_body_get_mass, body, found, center_of_mass, inertia)
    return (mass = found[], center_of_mass = center_of_mass, inertia = inertia)
end

"The user_data that a body was added with."
user_data(world::World, body::Body) = made(world, UInt64, dry_body_get_user_data, body)

"""
    add_force!(world, body, force)
    add_force!(world, body, force, point)

Pushes a dynamic body during the next step, at its centre of mass or at a point, world axes [N, m]; several forces add up.
"""
add_force!(world::World, body::Body, force) = call(world, dry_body_add_force, body, numbers("force", force, 3), C_NULL)

function add_force!(world::World, body::Body, force, point)
    return call(world, dry_body_add_force, body, numbers("force", force, 3), numbers("point", point, 3))
end

"Turns a dynamic body during the next step; several torques add up. World axes [N m]."
function add_torque!(world::World, body::Body, torque)
    return call(world, dry_body_add_torque, body, numbers("torque", torque, 3))
end

"""
    set_surface_velocity!(world, body, linear, angular = (0, 0, 0))

Makes the surface of a body move over it, as a belt. The arguments are its velocity at the centre of mass [m/s] and its angular
velocity [rad/s], both in body axes. Zeros end it.
"""
function set_surface_velocity!(world::World, body::Body, linear, angular = (0, 0, 0))
    over, about = numbers("linear", linear, 3), numbers("angular", angular, 3)
    return call(world, dry_body_set_surface_velocity, body, over, about)
end

"How the surface of a body moves over it, body axes [m/s, rad/s]."
function surface_velocity(world::World, body::Body)
    linear, angular = zeros(3), zeros(3)
    call(world, dry_body_get_surface_velocity, body, linear, angular)
    return (linear = linear, angular = angular)
end

"Wakes a body and all that fell asleep with it; see `sleeping` of `Settings`."
wake!(world::World, body::Body) = call(world, dry_body_wake, body)

"Whether a body is awake. Static and kinematic bodies are."
is_awake(world::World, body::Body) = made(world, UInt32, dry_body_is_awake, body) != 0

"The contacts of the last step, those that carry nothing included."
contacts(world::World) = filled(world, Contact, dry_query_contacts, sizeof(Contact))

"The same, written to `buffer` if it has room for all; answers a view of the part that was written."
function contacts!(buffer::Vector{Contact}, world::World)
    count = made(world, Csize_t, dry_query_contacts, buffer, sizeof(Contact), length(buffer))
    return view(buffer, 1:Int(count))
end

"""
    overlaps(world, poses; margin = 0.0)

The bodies whose gap to one of the shapes at `poses` is below `margin` [m]: those that touch are none with a margin of 0. `pose` of an
`Overlap` is an index of `poses`, which counts from 0 as in C. Bodies are where they are now.
"""
function overlaps(world::World, poses::Vector{ShapePose}; margin::Real = 0.0)
    query(pointer, buffer, capacity, count) =
        dry_query_overlaps(pointer, poses, length(poses), margin, buffer, capacity, count)
    return filled(world, Overlap, query)
end

"The sum of the contact forces on a body in the last step, and of their torques about its centre of mass, world axes [N, N m]."
function body_force(world::World, body::Body)
    force, torque = zeros(3), zeros(3)
    call(world, dry_query_body_force, body, force, torque)
    return (force = force, torque = torque)
end

"The energy of a world as it is now [J]."
function energy(world::World)
    kinetic, potential = Ref{Cdouble}(0), Ref{Cdouble}(0)
    call(world, dry_query_energy, kinetic, potential)
    return (kinetic = kinetic[], potential = potential[])
end

"""
The mean stress that contacts carry in a box between two corners, world axes [m]. It is a matrix whose element (i, j) is -1/V
times the sum of l_i f_j [Pa]. Tension is positive.
"""
function stress(world::World, lower, upper)
    rows = zeros(9)
    call(world, dry_query_stress, numbers("lower", lower, 3), numbers("upper", upper, 3), rows)
    return permutedims(reshape(rows, 3, 3))
end

"""
The coarse-grained fields at points, a matrix of 3 by n, world axes [m]: density, velocity, stress and so on. `width` of the kernel [m];
0: the mean diameter of the dynamic spheres.
"""
function fields(world::World, points; kernel::Kernel = DRY_KERNEL_LUCY, width = 0.0)
    size(points, 1) == 3 || throw(DimensionMismatch("points has $(size(points, 1)) rows, expected 3"))
    places = collect(Cdouble, points)
    found = Vector{Field}(undef, size(points, 2))
    call(world, dry_query_fields, places, length(found), kernel, width, found, sizeof(Field))
    return found
end

"""
Writes files for ParaView, whose paths begin with `prefix`, and adds them to their series. Members of `VtkDef` say what is written.
"""
function export_vtk(world::World, prefix::AbstractString, step::Integer, time::Real; members...)
    return call(world, dry_world_export_vtk, String(prefix), step, time, Ref(VtkDef(; members...)))
end

"A number for the full dynamic state: two worlds of one build with the same number go on alike."
state_hash(world::World) = made(world, UInt64, dry_world_hash)

"""
    snapshot(world)

The full dynamic state as bytes: a world restored from it goes on as this one, bit for bit.
"""
snapshot(world::World) = filled(world, UInt8, dry_world_snapshot)

"""
    restore!(world, snapshot)

Puts a world into the state of a snapshot, settings included. Its threads stay.
"""
restore!(world::World, snapshot::Vector{UInt8}) = call(world, dry_world_restore, snapshot, length(snapshot))

"""
    copy(world)

An equal world, which shares the threads of the other one. Handles of one are valid in the other, and both go on alike.
"""
function Base.copy(world::World)
    pointer = Ref{Ptr{Cvoid}}(C_NULL)
    call(world, dry_world_clone, pointer)
    return World(pointer[])
end

Base.deepcopy_internal(world::World, ::IdDict) = copy(world)

"An array that a function fills, as long as it says."
function filled(world::Owned, ::Type{T}, f::F, sizes...) where {T, F}
    while true
        buffer = Vector{T}(undef, made(world, Csize_t, f, C_NULL, sizes..., 0))
        count = Ref{Csize_t}(0)
        failed = attempt(world, f, buffer, sizes..., length(buffer), count)
        failed === nothing && return resize!(buffer, count[])
        # another thread may have stepped the world since the number was asked for
        failed.status == DRY_ERR_CAPACITY || throw(failed)
    end
end
