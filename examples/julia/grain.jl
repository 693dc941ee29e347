# A NURBS grain that comes to rest on an elastic floor by the theta method: examples/c/grain.c in Julia.
#
#     julia --project=bindings/julia/Drystone examples/julia/grain.jl

using Drystone
using Printf

const COUNT = 9
const STIFFNESS = 1e6
const GRAVITY = 9.81

function main()
    # theta: 0.5 keeps the energy, 1 damps most
    World(; settings = Settings(; method = DRY_METHOD_THETA, theta = 0.7), gravity = (0, -GRAVITY, 0)) do world
        # of grain and floor in series, at each contact point [N/m]
        material = add_material!(world; friction = 0.5, normal_stiffness = 2 * STIFFNESS)
        add_body!(world; kind = DRY_STATIC, shape = half_space!(world, (0, 1, 0), 0), material)

        # Every third point is nearer to the middle: the curve is not convex there.
        radius(k) = k % 3 == 1 ? 0.25 : 0.5
        columns = [radius(k) .* [cos(2 * pi * k / COUNT), sin(2 * pi * k / COUNT)] for k in 0:(COUNT - 1)]
        curve = nurbs_curve!(world, reduce(hcat, columns), 0:COUNT) # cubic, periodic, a prism 1 m long
        grain = add_body!(world; shape = curve, material, lock = DRY_LOCK_PLANAR, position = (0, 1, 0))

        for _ in 1:2400
            step!(world, 1 / 240)
        end
        found = contacts(world)
        @printf("weight %.6f\ncontacts %d\n", mass(world, grain).mass * GRAVITY, length(found))
        @printf("contacts_carry %.6f\n", sum(contact.normal_force for contact in found))
        @printf("stiffness_times_overlap %.6f\n", sum(-STIFFNESS * contact.gap for contact in found))
        at = state(world, grain)
        @printf("height %.6f\n", at.position[2])
        @printf("turned_by_degrees %.3f\n", rad2deg(2 * atan(at.rotation[3], at.rotation[4])))
    end
    return nothing
end

main()
