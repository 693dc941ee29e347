# A semicircular arch of 16 voussoirs, and the acceleration at which it falls: examples/c/arch.c in Julia.
#
#     julia --project=bindings/julia/Drystone examples/julia/arch.jl

using Drystone
using Printf

const VOUSSOIRS = 16
const GRAVITY = 9.81

"The corners of a voussoir between two angles, in the axes of the world, so that its body is at the origin."
function corners_between(from, to)
    # the thickness is a fifth of the radius [m]
    corners = [(r * cos(a), y, r * sin(a)) for y in (-0.5, 0.5) for r in (0.9, 1.1) for a in (from, to)]
    return reduce(hcat, collect.(corners))
end

function main()
    # what is not set here is as the library has it: gravity 9.81 m/s^2 along -z, 1000 kg/m^3
    World() do world
        material = add_material!(world; friction = 0.8)
        abutment = box!(world, (0.2, 0.5, 0.1))
        for x in (1.0, -1.0)
            add_body!(world; kind = DRY_STATIC, shape = abutment, material, position = (x, 0.0, -0.1))
        end
        loads = zeros(6, VOUSSOIRS + 2)
        for n in 1:VOUSSOIRS
            hull = hull!(world, corners_between(pi * (n - 1) / VOUSSOIRS, pi * n / VOUSSOIRS))
            body = add_body!(world; shape = hull, material)
            loads[1, n + 2] = mass(world, body).mass * GRAVITY
        end

        report, _ = solve_static!(world; tolerance = 1e-9)
        report.flags == 0 || error("the arch does not stand")
        last = bodies(world)[end] # the last voussoir, beside the abutment
        @printf("weight_of_a_voussoir %.6f\n", loads[1, end])
        @printf("contacts_carry %.6f\n", body_force(world, last).force[3])
        report, moves = limit_load(world, loads; tolerance = 1e-9)
        @printf("falls_at_acceleration_over_g %.6f\n", report.load_factor)
        @printf("slides %d\n", report.flags & DRY_STATIC_SLIDING_MECHANISM != 0)
        # Between two voussoirs that turn apart there is a hinge. Abutments do not turn.
        turns = [0.0; moves[5, 3:end]; 0.0]
        for n in 0:VOUSSOIRS
            abs(turns[n + 2] - turns[n + 1]) > 1e-6 && @printf("hinge_at_degrees %.2f\n", 180 * n / VOUSSOIRS)
        end
    end
    return nothing
end

main()
