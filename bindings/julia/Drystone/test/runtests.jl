# Every call, with what it must answer; then the programs of the README.

using Drystone
using Test

const BALL_MASS = 1000 * 4 / 3 * pi * 0.5^3

# a floor, and a ball of radius 0.5 m on it
function scene(world; ball...)
    floor = add_body!(world; shape = half_space!(world, (0, 0, 1), 0), kind = DRY_STATIC)
    sphere = sphere!(world, 0.5)
    return (floor = floor, sphere = sphere, ball = add_body!(world; shape = sphere, position = (0, 0, 0.5), ball...))
end

# the failure of a call
function refused(f)
    try
        f()
    catch failure
        failure isa DrystoneError && return (failure.status, failure.message)
        rethrow()
    end
    return (DRY_OK, "nothing was refused")
end

@testset "structures" begin
    defaults = Settings()
    @test defaults.contact_margin == 1e-3 && defaults.solver == DRY_SOLVER_PGS
    changed = with(defaults; iterations = 100, solver = DRY_SOLVER_NEWTON, sleeping = true)
    @test (changed.iterations, changed.solver, changed.sleeping) == (100, DRY_SOLVER_NEWTON, 1)
    @test defaults.iterations == 0
    @test BodyDef(; position = [1, 2, 3], lock = DRY_LOCK_X | DRY_LOCK_Y).position == (1.0, 2.0, 3.0)
    @test BodyDef().struct_size == sizeof(BodyDef) == 264
    @test sizeof(Contact) == 216 && sizeof(BodyState) == 104
    @test_throws ArgumentError Settings(; :iteration => 100)
    @test_throws InexactError Settings(; iterations = -1)
    @test_throws DimensionMismatch BodyDef(; position = (1, 2))
    @test_throws MethodError Settings(; solver = DRY_SWEEP_COLORED)
end

@testset "a ball on a floor" begin
    World() do world
        bodies_of = scene(world)
        report = step!(world, 1 / 240)
        @test (report.bodies, report.contacts) == (2, 1)
        # the gap is zero, so that the first step holds the ball to round-off
        @test isapprox(body_force(world, bodies_of.ball).force, [0, 0, BALL_MASS * 9.81])
        @test isapprox(body_force(world, bodies_of.floor).force, [0, 0, -BALL_MASS * 9.81])
        @test length(contacts(world)) == 1
        @test isapprox(contacts(world)[1].normal_force, BALL_MASS * 9.81)
        @test isapprox(mass(world, bodies_of.ball).mass, BALL_MASS)
        @test bodies(world) == [bodies_of.floor, bodies_of.ball]
        @test isapprox(energy(world).potential, BALL_MASS * 9.81 * 0.5)
        # l = (0, 0, 0.5), f = (0, 0, m g), V = 8
        @test isapprox(stress(world, (-1, -1, -1), (1, 1, 1))[3, 3], -0.5 * BALL_MASS * 9.81 / 8)
        @test is_awake(world, bodies_of.ball)
        found = fields(world, [0 0; 0 0; 0.5 9]; width = 0.5)
        @test isapprox(found[1].density, BALL_MASS * 105 / (16 * pi)) && found[2].density == 0
        @test_throws DimensionMismatch fields(world, [0, 0])
        mktempdir() do folder
            export_vtk(world, joinpath(folder, "run"), 3, 0.25; parts = DRY_VTK_GRAINS)
            @test readdir(folder) == ["run_grains.pvd", "run_grains_000003.vtp"]
            missing_folder = joinpath(folder, "missing", "run")
            @test refused(() -> export_vtk(world, missing_folder, 3, 0.25))[1] == DRY_ERR_IO
        end
    end
end

@testset "statics" begin
    World() do world
        rough = add_material!(world; friction = 0.8)
        add_body!(world; shape = half_space!(world, (0, 0, 1), 0), kind = DRY_STATIC, material = rough)
        block = add_body!(world; shape = box!(world, (1, 0.5, 2)), mass = 1, position = (0, 0, 2), material = rough)
        report, moves = solve_static!(world)
        @test report.flags == 0 && size(moves) == (6, 2) && maximum(abs, moves) < 1e-12
        report, mechanism = limit_load(world, [0 9.81; zeros(5, 2)])
        @test isapprox(report.load_factor, 0.5; atol = 1e-9) && mechanism[1, 2] > 0
        @test refused(() -> limit_load(world, zeros(6, 1)))[1] == DRY_ERR_ARGUMENT
        @test_throws DimensionMismatch limit_load(world, zeros(3, 2))
        @test refused(() -> solve_static!(world; tolerance = 0))[1] == DRY_ERR_ARGUMENT
        before, push, calls = state_hash(world), [0 9.81; zeros(5, 2)], Int[]
        @test occursin("after 3 iterations", refused(() -> solve_static!(done -> done >= 3, world))[2])
        @test refused(() -> limit_load(done -> done >= 3, world, push))[1] == DRY_ERR_STOPPED
        @test_throws ErrorException("enough") solve_static!(_ -> error("enough"), world)
        @test refused(() -> solve_static!(_ -> (state_hash(world); false), world))[1] == DRY_ERR_BUSY
        @test_throws ArgumentError solve_static!(_ -> false, world; every = 0)
        @test state_hash(world) == before
        watched, _ = limit_load(done -> (push!(calls, done); false), world, push; every = 2)
        @test watched.load_factor == limit_load(world, push)[1].load_factor
        @test !isempty(calls) && calls == 2 * (1:length(calls))
    end
end

@testset "a periodic box" begin
    forces = map((1, -3, 17)) do x
        World(; gravity = (0, 0, 0), period = (4, 0, 8)) do world
            ball = sphere!(world, 0.5)
            first = add_body!(world; shape = ball, linear_velocity = (1, 0, 0))
            add_body!(world; shape = ball, position = (x, 0, 0))
            step!(world, 0.01)
            body_force(world, first).force[1]
        end
    end
    @test forces[1] < -1 && forces[1] == forces[2] == forces[3]
    World(; period = (0, 1.5, 0)) do world
        @test period(world) == [0, 1.5, 0] && gravity(world) == [0, 0, -9.81]
        status, message = refused(() -> add_body!(world; shape = sphere!(world, 0.5)))
        @test status == DRY_ERR_ARGUMENT && occursin("period[1] is 1.5 m", message)
    end
    @test_throws DimensionMismatch World(; period = (1, 2))
    World(; gravity = (0, 0, 0), period = (4, 0, 8)) do world
        set_strain_rate!(world, (-0.5, 0, 0.25))
        step!(world, 0.5)
        @test strain_rate(world) == [-0.5, 0, 0.25] && period(world) == [3, 0, 9]
        status, message = refused(() -> set_strain_rate!(world, (0, 1, 0)))
        @test status == DRY_ERR_ARGUMENT && occursin("rates[1] is 1 1/s", message)
    end
end

@testset "buffers of the caller" begin
    World() do world
        bodies_of = scene(world)
        step!(world, 1 / 240)
        buffer = Vector{Contact}(undef, 5)
        written = contacts!(buffer, world)
        @test length(written) == 1 && parent(written) === buffer && buffer[1].key == written[1].key
        @test refused(() -> contacts!(Contact[], world))[1] == DRY_ERR_CAPACITY
        @test_throws MethodError contacts!(zeros(5), world)
        @test_throws MethodError contacts!(view(buffer, 1:2:5), world)
        found = Vector{BodyState}(undef, 2)
        @test states!(found, world) === found
        places = positions(found)
        @test size(places) == (3, 2) && isapprox(places[:, 2], [0, 0, 0.5])
        found[2] = BodyState(; position = (7, 8, 9))
        @test places[:, 2] == [7, 8, 9]
        @test isapprox(states(world, [bodies_of.ball])[1].position[3], 0.5)
        @test_throws DimensionMismatch states!(found, world, [bodies_of.ball])
    end
end

@testset "belts and runs" begin
    World() do world
        floor = add_body!(world; shape = half_space!(world, (0, 0, 1), 0), kind = DRY_STATIC)
        ball = add_body!(world; shape = sphere!(world, 0.5), position = (0, 0, 0.5))
        set_surface_velocity!(world, floor, (0.3, 0, 0))
        @test surface_velocity(world, floor) == (linear = [0.3, 0, 0], angular = zeros(3))
        far = run!(world, 0.005, 400)
        @test far.steps_done == 400 && far.report.bodies == 2
        @test isapprox(state(world, ball).linear_velocity[1], 0.3 * 2 / 7; atol = 1e-9)
        calls = 0
        far = run!(world, 0.005, 100; every = 2) do done, count, report
            calls += 1
            return done >= 7
        end
        @test far.steps_done == 8 && calls == 4
        @test_throws ErrorException run!((done, count, report) -> error("enough"), world, 0.005, 5)
        @test_throws DrystoneError run!((done, count, report) -> energy(world), world, 0.005, 5)
        @test_throws DrystoneError run!(world, -1, 5)
    end
end

@testset "many bodies, shapes, states" begin
    World(; gravity = (0, 0, 0)) do world
        ball = sphere!(world, 0.1)
        added = add_bodies!(world, [BodyDef(; shape = ball, position = (n, 0, 0), user_data = n) for n in 1:100])
        @test positions(states(world))[1, :] == 1:100
        @test user_data(world, added[17]) == 17
        @test isempty(add_bodies!(world, BodyDef[]))
        set_state!(world, added[1]; linear_velocity = (0, 0, 4))
        @test state(world, added[1]).linear_velocity == (0.0, 0.0, 4.0)
        @test state(world, added[1]).position == (1.0, 0.0, 0.0)
        heavy = add_body!(world; shape = ball, mass = 2, inertia = (2, 2, 2, 0, 0, 0), position = (0, 5, 0))
        add_force!(world, heavy, (0, 2, 4))
        add_force!(world, heavy, (0, 0, 4), (0, 5, 0))
        add_torque!(world, heavy, (1, 0, 6))
        step!(world, 0.5)
        # v = F h / m, w = T h / I
        @test isapprox(collect(state(world, heavy).linear_velocity), [0, 0.5, 2])
        @test isapprox(collect(state(world, heavy).angular_velocity), [0.25, 0, 1.5])
        cube = reduce(hcat, [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        for (shape, volume) in (
            (box!(world, (1, 2, 3)), 48),
            (capsule!(world, 1, 1), 4 / 3 * pi + 2 * pi),
            (cylinder!(world, 1, 1), 2 * pi),
            (hull!(world, cube), 8),
        )
            body = add_body!(world; shape = shape, position = (0, 0, 100))
            @test isapprox(mass(world, body).mass, 1000 * volume)
            remove_body!(world, body)
        end
        part = ClumpPart(; shape = box!(world, (1, 1, 1)))
        joined = clump!(world, [part, with(part; position = (1, 0, 0), density_factor = 3)])
        found = mass_properties(world, joined)
        @test isapprox(found.volume, 12) && isapprox(found.mass, 20) && isapprox(found.center_of_mass[1], 0.9)
        @test refused(() -> clump!(world, [part, with(part; shape = joined)]))[1] == DRY_ERR_ARGUMENT
        flat = add_body!(world; shape = joined, lock = DRY_LOCK_PLANAR, linear_velocity = (1, 2, 3))
        @test state(world, flat).linear_velocity == (1, 2, 0)
        remove_body!(world, flat)
        triangles = [1 2; 2 3; 3 4]
        surface = mesh!(world, cube[:, 1:4], triangles)
        @test refused(() -> add_body!(world; shape = surface))[1] == DRY_ERR_UNSUPPORTED
        @test_throws ArgumentError mesh!(world, cube, triangles .- 1)
        square = nurbs_curve!(world, [-1 1 1 -1; -1 -1 1 1], 0:4; degree = 1)
        found = closest(world, square, (3, 0.5, 0.25))
        @test found.distance == 2 && found.foot == [1, 0.5, 0.25] && found.normal == [1, 0, 0]
        locks = DRY_LOCK_Z | DRY_LOCK_ROTATION_X | DRY_LOCK_ROTATION_Y
        @test isapprox(mass(world, add_body!(world; shape = square, position = (0, 0, 100), lock = locks)).mass, 4000)
        @test refused(() -> add_body!(world; shape = square))[1] == DRY_ERR_UNSUPPORTED
        remove_shape!(world, surface)
        @test refused(() -> remove_shape!(world, surface))[1] == DRY_ERR_STALE_HANDLE
    end
end

@testset "joints" begin
    World() do world
        ball = add_body!(world; shape = sphere!(world, 0.5), position = (1, 0, 4))
        hinge = place(world, JointDef(; kind = DRY_JOINT_HINGE, body_b = ball), (1, 0, 4), (0, 1, 0))
        @test hinge.kind == DRY_JOINT_HINGE && hinge.struct_size == sizeof(JointDef) == 216
        joint = add_joint!(world, with(hinge; user_data = 9))
        @test joint_definition(world, joint).user_data == 9
        set_joint_axis!(world, joint, 5; motor = DRY_JOINT_MOTOR_VELOCITY, target_velocity = 2, force_upper = 5)
        set_joint_axis!(world, joint, 5; mode = DRY_JOINT_MODE_LIMITED, upper = 0.1)
        arrived = JointEvent[]
        for _ in 1:200
            step!(world, 0.01)
            append!(arrived, joint_events(world))
        end
        @test length(arrived) == 1 && arrived[1].joint == joint && arrived[1].axis == 5
        @test arrived[1].type == DRY_JOINT_EVENT_LIMIT
        recorded = record_joints!(world, 0.01, 200)
        @test size(recorded) == (1, 200) && isapprox(recorded[end].position[6], 0.1)
        @test_throws DimensionMismatch record_joints!(recorded, world, 0.01, [joint, joint])
        found = state(world, joint)
        @test found === recorded[end]
        @test isapprox(found.position[6], 0.1) && isapprox(found.limit_force[6], -5)
        @test found.axis_flags[6] == DRY_JOINT_AT_UPPER | DRY_JOINT_SATURATED
        @test isapprox(body_joint_force(world, ball).force[3], found.force[3])
        set_joint_target!(world, joint, 5, 1, -3)
        @test joint_axis(world, joint, 5).target_velocity == -3
        set_joint_targets!(world, [joint], [5]; positions = [2])
        @test joint_axis(world, joint, 5).target_position == 2
        @test_throws DimensionMismatch set_joint_targets!(world, [joint], [5, 5])
        set_joint_frames!(world, joint, place(world, hinge, (1, 0, 4), (0, 2, 0), (0, 0, 1)))
        set_joint_enabled!(world, joint, false)
        @test state(world, joint).flags == DRY_JOINT_DISABLED
        @test refused(() -> joint_axis(world, joint, 2))[1] == DRY_ERR_ARGUMENT
        rod = place_points(world, JointDef(; kind = DRY_JOINT_DISTANCE, body_b = ball), (1, 0, 6), (1, 0, 4))
        @test rod.length_min == rod.length_max == 2
        added = add_joints!(world, [rod, rod])
        @test joints(world) == [joint; added] == joints(world, ball)
        @test length(joint_states(world)) == 3 && joint_states(world, added)[2].position[1] == 2
        remove_joint!(world, joint)
        @test refused(() -> state(world, joint))[1] == DRY_ERR_STALE_HANDLE
        remove_body!(world, ball)
        @test isempty(joints(world))
    end
end

@testset "settings and materials" begin
    World(; settings = Settings(; iterations = 7)) do world
        configure!(world; sleeping = true, tolerance = 1e-9)
        @test (settings(world).iterations, settings(world).sleeping) == (7, 1)
        @test refused(() -> configure!(world; relaxation = 3))[2] == "dry_world_set_settings: relaxation is 3, expected a number above 0 and below 2"
        ice, rubber = add_material!(world; friction = 0), add_material!(world; friction = 0.9)
        set_pair!(world, ice, rubber; friction = 0.25)
        ground, ball = half_space!(world, (0, 0, 1), 0), sphere!(world, 0.5)
        add_body!(world; shape = ground, kind = DRY_STATIC, material = ice)
        add_body!(world; shape = ball, material = rubber, position = (0, 0, 0.5))
        step!(world, 1 / 240)
        @test contacts(world)[1].friction == 0.25
        set_gravity!(world, (0, 0, -1))
    end
end

@testset "refused" begin
    world = World()
    bodies_of = scene(world)
    @test refused(() -> sphere!(world, -1)) == (DRY_ERR_ARGUMENT, "dry_shape_sphere: radius is -1, expected a number above 0")
    @test refused(() -> step!(world, Inf))[1] == DRY_ERR_NOT_FINITE
    @test_throws DimensionMismatch set_gravity!(world, (0, 0))
    @test_throws MethodError state(world, bodies_of.sphere)
    remove_body!(world, bodies_of.ball)
    @test refused(() -> state(world, bodies_of.ball))[1] == DRY_ERR_STALE_HANDLE
    close(world)
    close(world)
    @test !isopen(world)
    @test refused(() -> step!(world, 0.1)) == (DRY_ERR_STALE_HANDLE, "World is closed")
    strict = Settings(; require_convergence = true, tolerance = 1e-15, iterations = 1)
    World(; settings = strict) do tower
        add_body!(tower; shape = half_space!(tower, (0, 0, 1), 0), kind = DRY_STATIC)
        box = box!(tower, (0.5, 0.5, 0.5))
        for n in 0:4
            add_body!(tower; shape = box, position = (0.1 * n, 0, 0.5 + n))
        end
        caught = try
            for _ in 1:100
                step!(tower, 1 / 60)
            end
        catch failure
            failure
        end
        @test caught.status == DRY_ERR_NOT_CONVERGED && caught.report.residual_max > 1e-15
    end
end

@testset "the same bits" begin
    hashes = map((1, 2)) do threads
        World(; threads) do world
            scene(world; position = (0, 0, 0.6))
            for _ in 1:50
                step!(world, 1 / 240)
            end
            state_hash(world)
        end
    end
    @test hashes[1] == hashes[2]
end

@testset "snapshots and copies" begin
    World() do world
        scene(world; position = (0, 0, 0.6))
        step!(world, 1 / 240)
        saved = snapshot(world)
        restored = World(; gravity = (0, 0, 0))
        restore!(restored, saved)
        others = [copy(world), deepcopy(world), restored]
        for each in [world; others]
            step!(each, 1 / 240)
        end
        @test all(other -> state_hash(other) == state_hash(world), others)
        @test_throws DrystoneError restore!(world, saved[1:100])
        restore!(world, saved)
        @test snapshot(world) == saved
        foreach(close, others)
    end
    Solver() do solver
        @test snapshot(copy(solver)) == snapshot(solver)
    end
end

@testset "own contacts" begin
    ball = [ProblemBody(; inverse_mass = 0.5, velocity = (0.5, 0, -3))]
    floor = [ProblemContact(; key = 7, body_a = FIXED_WORLD, normal = (0, 0, 1), arm_b = (0, 0, -1), friction = 0.1)]
    Solver() do solver
        found = solve(solver, 0.01, ball, floor)
        # it stops with an impulse of m v = 6 N s, of which friction takes a tenth: 0.5 - 0.6 / 2 = 0.2 m/s are left
        @test isapprox(found.contacts[1].normal_impulse, 6)
        @test isapprox(found.velocities, [0.2 0 0 0 0 0]')
        @test found.contacts[1].state & DRY_CONTACT_SLIDING != 0
        row = [ProblemRow(; body_a = FIXED_WORLD, jacobian_b = (1, 0, 0, 0, 0, 0), rhs = 2, lower = -Inf, upper = Inf)]
        held = solve(solver, 0.01, ball, ProblemContact[], row)
        @test isapprox(held.row_impulses, [3])
        @test held.compatible_row_impulses == held.row_impulses
        @test refused(() -> solve(solver, 0.0, ball))[2] == "dry_solver_solve: step is 0, expected a number above 0"

        platform = [ProblemBody(; inverse_mass = 1, inverse_inertia = (1, 1, 1, 0, 0, 0), velocity = (0, 0, -9))]
        supports = [ProblemContact(; body_a = FIXED_WORLD, normal = (0, 0, 1), arm_b = (x, 0, 0)) for x in -1:1]
        hooke = Settings(; compatibility = DRY_COMPATIBILITY_HOOKE)
        middle = [0 0 0; 0 0 0; 0 9 0]
        @test isapprox(correct(solver, 0.01, platform, supports, middle, hooke).impulses[3, :], [3, 3, 3]; rtol = 1e-7)
        @test_throws DimensionMismatch correct(solver, 0.01, platform, supports, zeros(3, 2), hooke)

        blocks = reshape([0.5 0 0; 0 0.5 0; 0 0 0.5], 3, 3, 1)
        q = reshape([-3, 0.5, 0], 3, 1)
        @test isapprox(solve_local(solver, [0, 1], [0], blocks, q, [0.1]).impulses, [6 -0.6 0]')
        @test_throws DimensionMismatch solve_local(solver, [0, 2], [0], blocks, q, [0.1])
    end
end

@testset "a function between the iterations" begin
    ball = [with(Drystone.zeroed(ProblemBody); inverse_mass = 0.5, inverse_inertia = (1, 1, 1, 0, 0, 0), velocity = (0.5, 0, -3))]
    floor = [with(Drystone.zeroed(ProblemContact); body_a = FIXED_WORLD, normal = (0, 0, 1), arm_b = (0, 0, -0.5), friction = 0.1)]
    held = [ProblemRow(; body_a = FIXED_WORLD, jacobian_b = (1, 0, 0, 0, 0, 0), rhs = 2, lower = -Inf, upper = Inf)]
    # every solve of an island with rows makes all sweeps, from zero
    cold = Settings(; projection = DRY_PROJECTION_OFF, warm_start = DRY_WARM_OFF)
    Solver() do solver
        expected = solve(solver, 0.01, ball, floor, held; settings = cold).velocities
        calls = Int[]
        set_progress!(done -> (push!(calls, done); false), solver; every = 10)
        @test solve(solver, 0.01, ball, floor, held; settings = cold).velocities == expected
        @test !isempty(calls) && calls == 10 * (1:length(calls))
        set_progress!(done -> done >= 3, solver)
        @test occursin("after 3 iterations", refused(() -> solve(solver, 0.01, ball, floor, held; settings = cold))[2])
        set_progress!(_ -> error("enough"), solver)
        @test_throws ErrorException("enough") solve(solver, 0.01, ball, floor, held; settings = cold)
        set_progress!(_ -> (snapshot(solver); false), solver)
        @test refused(() -> solve(solver, 0.01, ball, floor, held; settings = cold))[1] == DRY_ERR_BUSY
        set_progress!(solver, nothing)
        @test solve(solver, 0.01, ball, floor, held; settings = cold).velocities == expected
        @test_throws ArgumentError set_progress!(_ -> false, solver; every = 0)
    end
end

@testset "overlaps" begin
    World() do world
        ball = sphere!(world, 0.5)
        first = add_body!(world; shape = ball, position = (0, 0, 1))
        second = add_body!(world; shape = ball, position = (2, 0, 1))
        poses = [ShapePose(; shape = ball, position = (9, 9, 9)), ShapePose(; shape = ball, position = (1, 0, 1.5))]
        @test isempty(overlaps(world, poses))
        found = overlaps(world, poses; margin = 0.2)
        @test [(each.pose, each.body) for each in found] == [(1, first), (1, second)]
        @test isapprox(found[1].gap, sqrt(1.25) - 1; atol = 1e-14)
        @test refused(() -> overlaps(world, poses; margin = -1))[1] == DRY_ERR_ARGUMENT
    end
end

@testset "10 000 worlds and solvers" begin
    resident() = parse(Int, split(read("/proc/self/statm", String))[2]) * 4096
    function cycles(count)
        for _ in 1:count
            world, solver = World(), Solver()
            scene(world)
            step!(world, 1 / 240)
            close(world)
            close(solver)
        end
    end
    if isfile("/proc/self/statm")
        cycles(1000)
        before = resident()
        cycles(10_000)
        # a world holds some 10 kB: 100 MB would be left; the rest is the garbage collector's
        @test resident() - before < 50_000_000
    end
end

@testset "README" begin
    text = read(joinpath(@__DIR__, "..", "README.md"), String)
    pieces = split(text, "```julia\n")[2:end]
    @test length(pieces) >= 3
    for (number, piece) in enumerate(pieces)
        program, rest = split(piece, "```\n"; limit = 2)
        promised = split(split(rest, "```text\n"; limit = 2)[2], "```"; limit = 2)[1]
        printed = mktemp() do path, file
            redirect_stdout(file) do
                include_string(Module(Symbol("readme", number)), String(program))
            end
            close(file)
            read(path, String)
        end
        @test printed == promised
    end
end
