# Joints of a world. Axes count from 0, as in C: 0 to 2 are displacements, 3 to 5 turns.

"""
    place(world, definition, point, axis)
    place(world, definition, point, axis, reference)

The definition of a joint with frames that coincide now, world axes. Their origin is at a point [m], and z is along an axis. x is
along the part of the reference that is perpendicular to it. The bodies of the definition must be set.
"""
place(world::World, definition::JointDef, point, axis) = placed(world, definition, point, axis, C_NULL)

function place(world::World, definition::JointDef, point, axis, reference)
    return placed(world, definition, point, axis, numbers("reference", reference, 3))
end

function placed(world, definition, point, axis, reference)
    found = Ref(definition)
    call(world, dry_joint_def_place, found, numbers("point", point, 3), numbers("axis", axis, 3), reference)
    return found[]
end

"""
    place_points(world, definition, point_a, point_b)

The definition of a rod between two points of the world [m], with its length; of `DRY_JOINT_DISTANCE`, with its bodies.
"""
function place_points(world::World, definition::JointDef, point_a, point_b)
    found = Ref(definition)
    call(world, dry_joint_def_place_points, found, numbers("point_a", point_a, 3), numbers("point_b", point_b, 3))
    return found[]
end

"""
    add_joint!(world, definition)
    add_joint!(world; members...)

Adds a joint: `add_joint!(world; kind = DRY_JOINT_BALL, body_a = first, body_b = second)`; see `JointDef`.
"""
add_joint!(world::World, definition::JointDef) = made(world, Joint, dry_joint_add, Ref(definition))
add_joint!(world::World; members...) = add_joint!(world, JointDef(; members...))

"Adds many joints, all or none, and answers their handles in the same order."
function add_joints!(world::World, definitions::Vector{JointDef})
    added = Vector{Joint}(undef, length(definitions))
    call(world, dry_joints_add, definitions, length(definitions), added)
    return added
end

"Removes a joint."
remove_joint!(world::World, joint::Joint) = call(world, dry_joint_remove, joint)

"All joints in the order of their creation, or those of a body."
joints(world::World) = filled(world, Joint, dry_query_joints)

function joints(world::World, body::Body)
    query(pointer, buffer, capacity, count) = dry_query_body_joints(pointer, body, buffer, capacity, count)
    return filled(world, Joint, query)
end

"What a joint was added with, and the frames that were set last."
function joint_definition(world::World, joint::Joint)
    found = Ref(zeroed(JointDef))
    call(world, dry_joint_get_def, joint, found, sizeof(JointDef))
    return found[]
end

"Moves the frames of a joint to those of a definition, whose other members are not used."
function set_joint_frames!(world::World, joint::Joint, definition::JointDef)
    return call(world, dry_joint_set_frames, joint, Ref(definition))
end

"Switches a joint off or on; a broken one that is switched on acts again."
set_joint_enabled!(world::World, joint::Joint, enabled::Bool) = call(world, dry_joint_set_enabled, joint, enabled)

"An axis that the kind of a joint leaves free."
function joint_axis(world::World, joint::Joint, index::Integer)
    found = Ref(zeroed(JointAxis))
    call(world, dry_joint_get_axis, joint, index, found, sizeof(JointAxis))
    return found[]
end

"""
    set_joint_axis!(world, joint, index, axis)
    set_joint_axis!(world, joint, index; members...)

Sets an axis that the kind of a joint leaves free; with members alone the others stay: `set_joint_axis!(world, hinge, 5; friction = 2)`.
"""
function set_joint_axis!(world::World, joint::Joint, index::Integer, axis::JointAxis)
    return call(world, dry_joint_set_axis, joint, index, Ref(axis))
end

function set_joint_axis!(world::World, joint::Joint, index::Integer; members...)
    return set_joint_axis!(world, joint, index, with(joint_axis(world, joint, index); members...))
end

"Sets the target of the motor of an axis: its position [m] or [rad], and its velocity."
function set_joint_target!(world::World, joint::Joint, index::Integer, position::Real, velocity::Real)
    return call(world, dry_joint_set_target, joint, index, position, velocity)
end

"""
    set_joint_targets!(world, joints, indices; positions, velocities)

Sets the targets of many motors, all or none. What is left out stays as it is.
"""
function set_joint_targets!(world::World, named::Vector{Joint}, indices; positions = nothing, velocities = nothing)
    count = length(named)
    length(indices) == count || throw(DimensionMismatch("indices has $(length(indices)) elements, expected $count"))
    axes = convert(Vector{UInt32}, collect(indices))
    places = positions === nothing ? C_NULL : numbers("positions", positions, count)
    speeds = velocities === nothing ? C_NULL : numbers("velocities", velocities, count)
    return call(world, dry_joints_set_targets, named, axes, count, places, speeds)
end

"Where a joint is, and what it carried in the last step."
function state(world::World, joint::Joint)
    found = Ref(zeroed(JointState))
    call(world, dry_joint_get_state, joint, found, sizeof(JointState))
    return found[]
end

"""
    joint_states(world)
    joint_states(world, joints)

Where joints are, and what they carried in the last step: all of them in the order of creation, or those that are named.
"""
joint_states(world::World) = joint_states!(Vector{JointState}(undef, length(joints(world))), world)

function joint_states(world::World, named::Vector{Joint})
    return joint_states!(Vector{JointState}(undef, length(named)), world, named)
end

"""
    joint_states!(buffer, world)
    joint_states!(buffer, world, joints)

The same, written to `buffer`, which has their number of elements.
"""
function joint_states!(buffer::Vector{JointState}, world::World)
    call(world, dry_joints_get_states, C_NULL, length(buffer), buffer, sizeof(JointState))
    return buffer
end

function joint_states!(buffer::Vector{JointState}, world::World, named::Vector{Joint})
    if length(buffer) != length(named)
        throw(DimensionMismatch("buffer has $(length(buffer)) elements, expected $(length(named))"))
    end
    call(world, dry_joints_get_states, named, length(named), buffer, sizeof(JointState))
    return buffer
end

"What broke and what came to a bound in the last step: by the indices of the joints, then by axis; see `JointEvent`."
joint_events(world::World) = filled(world, JointEvent, dry_query_joint_events)

"""
    record_joints!(world, step, steps)
    record_joints!(world, step, steps, joints)

Advances the world by steps of `step` seconds, and keeps where joints are after each, and what they carried in it: a matrix with a column
for each step. Its rows are all joints in the order of creation, or those that are named.
"""
record_joints!(world::World, step::Real, steps::Integer) = record_joints!(world, step, steps, joints(world))

function record_joints!(world::World, step::Real, steps::Integer, named::Vector{Joint})
    return record_joints!(Matrix{JointState}(undef, length(named), steps), world, step, named)
end

"""
    record_joints!(buffer, world, step, joints)

The same, written to `buffer`, which has a row for each joint and a column for each step.
"""
function record_joints!(buffer::Matrix{JointState}, world::World, step::Real, named::Vector{Joint})
    if size(buffer, 1) != length(named)
        throw(DimensionMismatch("buffer has $(size(buffer, 1)) rows, expected $(length(named))"))
    end
    for column in axes(buffer, 2)
        step!(world, step)
        buffer[:, column] = joint_states(world, named)
    end
    return buffer
end

"The sum of the joint forces on a body in the last step, and of their torques about its centre of mass, world axes [N, N m]."
function body_joint_force(world::World, body::Body)
    force, torque = zeros(3), zeros(3)
    call(world, dry_query_body_joint_force, body, force, torque)
    return (force = force, torque = torque)
end
