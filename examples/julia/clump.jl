# A dumbbell, a clump of two balls and a bar, that comes to rest on ice: examples/c/clump.c in Julia.
#
#     julia --project=bindings/julia/Drystone examples/julia/clump.jl

using Drystone
using Printf

const GRAVITY = 9.81

function main()
    World(; gravity = (0, 0, -GRAVITY)) do world
        ice = add_material!(world; friction = 0)
        add_body!(world; kind = DRY_STATIC, shape = half_space!(world, (0, 0, 1), 0), material = ice)
        parts = [
            ClumpPart(; shape = sphere!(world, 0.3), position = (-0.5, 0, 0)),
            ClumpPart(; shape = sphere!(world, 0.2), position = (0.5, 0, 0)),
            ClumpPart(; shape = box!(world, (0.5, 0.08, 0.08))), # it reaches into both balls
        ]
        clump = clump!(world, parts)
        for part in parts
            remove_shape!(world, part.shape) # the clump has copies
        end
        whole = mass_properties(world, clump)
        dumbbell = add_body!(world; shape = clump, material = ice, position = (0, 0, 0.5))

        for _ in 1:480
            step!(world, 1 / 240)
        end
        found, at = contacts(world), state(world, dumbbell)
        is_large(contact) = contact.point[1] < at.position[1]
        on_large = sum(contact.normal_force for contact in found if is_large(contact))
        on_small = sum(contact.normal_force for contact in found if !is_large(contact))
        @printf("volume %.6f\ncenter_of_mass %.6f\n", whole.volume, whole.center_of_mass[1])
        @printf("weight %.6f\ncontacts %d\n", mass(world, dumbbell).mass * GRAVITY, length(found))
        @printf("on_large_ball %.6f\non_small_ball %.6f\n", on_large, on_small)
        @printf("leaning_degrees %.2f\n", rad2deg(2 * atan(at.rotation[2], at.rotation[4])))
    end
    return nothing
end

main()
