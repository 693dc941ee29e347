"""
Rigid bodies in frictional contact, with contact forces a host can trust.

    using Drystone

    World() do world
        floor = add_body!(world; shape = half_space!(world, (0, 0, 1), 0), kind = DRY_STATIC)
        ball = add_body!(world; shape = sphere!(world, 0.5), position = (0, 0, 1))
        for _ in 1:240
            step!(world, 1 / 240)
        end
        println(body_force(world, ball).force)
    end

Units are SI. Quaternions are (x, y, z, w), from body to world axes. The normal of a contact points from body a to body b;
forces are those on body b, in world axes, averaged over the step. The functions of the library themselves are here under
their own names, `Drystone.dry_world_step`.
"""
module Drystone

using Libdl: dlopen, dlsym

"What names an object of a world."
abstract type Handle end

include("generated.jl")
include("library.jl")
include("members.jl")
include("owned.jl")
include("world.jl")
include("run.jl")
include("joints.jl")
include("solver.jl")

for name in names(@__MODULE__; all = true)
    # constants and the values of enumerations
    startswith(String(name), "DRY_") && @eval export $name
end

export DrystoneError, FIXED_WORLD
export Body, BodyDef, BodyState, Contact, ContactSolution, Material, MaterialDef, PairDef, Shape, StepReport
export Joint, JointAxis, JointDef, JointEvent, JointState
export limit_load, solve_static!, StaticDef, StaticReport
export ProblemBody, ProblemContact, ProblemRow, Settings, Solver, VtkDef, World, with
export add_bodies!, add_body!, add_force!, add_material!, add_torque!, bodies, body_force, box!, capsule!, clump!, ClumpPart, configure!
export contacts, contacts!, correct, cylinder!, energy, export_vtk, Field, fields, gravity, half_space!, hull!, is_awake, mass, mass_properties, mesh!, remove_body!
export remove_shape!, set_gravity!, set_pair!, set_settings!, set_state!, settings, solve, solve_local, sphere!, state
export restore!, set_progress!, snapshot
export Overlap, overlaps, period, ShapePose
export closest, nurbs_curve!
export state_hash, states, states!, step!, stress, user_data, wake!
export add_joint!, add_joints!, body_joint_force, joint_axis, joint_definition, joint_events, joint_states, joint_states!, joints
export place, place_points, record_joints!, remove_joint!, set_joint_axis!, set_joint_enabled!, set_joint_frames!, set_joint_target!
export set_joint_targets!
export run!, set_strain_rate!, set_surface_velocity!, strain_rate, surface_velocity
export angular_velocities, linear_velocities, positions, rotations

function __init__()
    open_library()
    return nothing
end

end
