# A pile of 91 spheres, stepped for two seconds, and what can be known of it. The examples in the other languages make the same
# calls in the same order, and print the same numbers.
#
#     julia --project=bindings/julia/Drystone examples/julia/pile.jl

using Drystone
using Printf

const GRAVITY = 9.81

function main()
    # what is not set here is as the library has it: gravity 9.81 m/s^2 along -z, 50 sweeps, 1000 kg/m^3
    World() do world
        ground = half_space!(world, (0.0, 0.0, 1.0), 0.0)
        ball = sphere!(world, 0.1)
        # without rolling friction the pile would roll apart
        material = add_material!(world; friction = 0.5, rolling_friction = 0.2)
        bottom = add_body!(world; kind = DRY_STATIC, shape = ground, material = material)
        spheres = Body[]
        for k in 0:5, i in 0:(5 - k), j in 0:(5 - k)
            x, y = (i - (5 - k) * 0.5) * 0.21, (j - (5 - k) * 0.5) * 0.21
            sphere = add_body!(world; shape = ball, material = material, position = (x, y, 0.1 + k * 0.17))
            push!(spheres, sphere)
        end
        for _ in 1:480
            step!(world, 1.0 / 240.0)
        end

        touching = contacts(world)
        heights = view(positions(states(world)), 3, 2:(length(spheres) + 1)) # as they were added: the floor is the first
        weight = length(spheres) * mass(world, last(spheres)).mass * GRAVITY
        @printf("contacts %d\n", length(touching))
        @printf("floor_over_weight %.12e\n", -body_force(world, bottom).force[3] / weight)
        @printf("largest_normal_force %.12e\n", maximum(contact.normal_force for contact in touching))
        @printf("kinetic_energy %.12e\n", energy(world).kinetic)
        @printf("highest_centre %.12e\n", maximum(heights))
        @printf("hash %016x\n", state_hash(world))
    end
    return nothing
end

main()
