# The solver without a world: bring your own contacts.

"The index of the fixed world, as body_a or body_b of a contact or row of a problem."
const FIXED_WORLD = typemax(UInt32)

"""
    Solver()
    Solver(f)

A solver that is called without a world. It keeps impulses by key, for warm starting. One thread may make a call at a time. With
a function, as by a `do` block, it is closed when that returns.
"""
mutable struct Solver <: Owned
    pointer::Ptr{Cvoid}
    running::Int
    closed::Bool
    changed::Threads.Condition
    "The function that it calls between iterations, which the library knows by its address."
    watched::Union{Nothing, Watched}

    function Solver()
        pointer = Ref{Ptr{Cvoid}}(C_NULL)
        check(dry_solver_create(pointer))
        return finalizer(destroy, new(pointer[], 0, false, Threads.Condition(), nothing))
    end
end

function Solver(f::Function)
    solver = Solver()
    try
        return f(solver)
    finally
        close(solver)
    end
end

"""
    snapshot(solver)

What a solver remembers from call to call, as bytes.
"""
snapshot(solver::Solver) = filled(solver, UInt8, dry_solver_snapshot)

"""
    restore!(solver, snapshot)

Makes a solver remember what a snapshot holds, and nothing else.
"""
restore!(solver::Solver, snapshot::Vector{UInt8}) = call(solver, dry_solver_restore, snapshot, length(snapshot))

Base.copy(solver::Solver) = (other = Solver(); restore!(other, snapshot(solver)); other)
Base.deepcopy_internal(solver::Solver, ::IdDict) = copy(solver)

"""
    set_progress!(progress, solver; every = 1)
    set_progress!(solver, nothing)

Sets the function that `solve`, `correct` and `solve_local` call between their iterations, or none.

`progress(iterations_done)` is called after `every` iterations and again after as many more. `true` stops the call, which throws
`DRY_ERR_STOPPED` and is forgotten; an exception stops it and is thrown on. Calls on this solver from it are `DRY_ERR_BUSY`.
"""
function set_progress!(progress, solver::Solver; every::Integer = 1)
    every >= 1 || throw(ArgumentError("every is $every, expected 1 or above"))
    watched = Watched(progress, nothing)
    pointer = @cfunction(watch_iterations, Int32, (Ptr{Cvoid}, UInt64))
    GC.@preserve watched begin
        callback = with(sized(SolverProgress); user_data = pointer_from_objref(watched), progress = pointer, every)
        call(solver, dry_solver_set_progress, Ref(callback))
        solver.watched = watched
    end
    return nothing
end

function set_progress!(solver::Solver, ::Nothing)
    call(solver, dry_solver_set_progress, C_NULL)
    solver.watched = nothing
    return nothing
end

"Calls a function that iterates; answers the failure, or nothing. What the function between the iterations threw is thrown on."
function iterate_on(solver::Solver, f::F, arguments...) where {F}
    watched = solver.watched
    failed = GC.@preserve watched attempt(solver, f, arguments...)
    if watched !== nothing && watched.thrown !== nothing
        thrown, watched.thrown = watched.thrown, nothing
        throw(thrown)
    end
    return failed
end

"The same; throws the failure."
function iterate!(solver::Solver, f::F, arguments...) where {F}
    failed = iterate_on(solver, f, arguments...)
    failed === nothing || throw(failed)
    return nothing
end

function destroy(solver::Solver)
    solver.closed = true
    dry_solver_destroy(solver.pointer)
    solver.pointer = C_NULL
    return nothing
end

"""
    solve(solver, step, bodies, contacts = ProblemContact[], rows = ProblemRow[]; settings = Settings())

Solves a problem. Returns velocities, 6 by the number of bodies, linear and angular [m/s, rad/s], and a `ContactSolution` for each
contact. Also returns the impulse of each row, also after the compatibility correction, and a report. Indices of bodies count from
0, as in C. `DRY_ERR_NOT_CONVERGED`, only with `require_convergence`, comes with all of these in `solution`.
"""
function solve(
    solver::Solver,
    step::Real,
    bodies::Vector{ProblemBody},
    contacts::Vector{ProblemContact} = ProblemContact[],
    rows::Vector{ProblemRow} = ProblemRow[];
    settings::Settings = Settings(),
)
    velocities = zeros(6, length(bodies))
    solutions = Vector{ContactSolution}(undef, length(contacts))
    row_impulses = zeros(length(rows))
    compatible_row_impulses = zeros(length(rows))
    report = Ref(sized(StepReport))
    failed = GC.@preserve bodies contacts rows velocities solutions row_impulses compatible_row_impulses report begin
        into = with(
            sized(Solution);
            velocities = pointer(velocities),
            contacts = pointer(solutions),
            row_impulses = pointer(row_impulses),
            report = Base.unsafe_convert(Ptr{StepReport}, report),
            compatible_row_impulses = pointer(compatible_row_impulses),
        )
        posed = problem(step, bodies, contacts, rows)
        iterate_on(solver, dry_solver_solve, Ref(posed), Ref(settings), Ref(into))
    end
    found = (
        velocities = velocities,
        contacts = solutions,
        row_impulses = row_impulses,
        report = report[],
        compatible_row_impulses = compatible_row_impulses,
    )
    failed === nothing && return found
    failed.status == DRY_ERR_NOT_CONVERGED || throw(failed)
    throw(DrystoneError(failed.status, failed.message, found.report, found))
end

"""
    correct(solver, step, bodies, contacts, impulses, settings)

Corrects given impulses, 3 by the number of contacts, on body b, world axes [N s], to compatible ones with the same resultant on
every body: these, and a report. The settings have a compatibility that is not off.
"""
function correct(
    solver::Solver,
    step::Real,
    bodies::Vector{ProblemBody},
    contacts::Vector{ProblemContact},
    impulses::AbstractMatrix{<:Real},
    settings::Settings,
)
    if size(impulses) != (3, length(contacts))
        throw(DimensionMismatch("impulses is $(size(impulses)), expected $((3, length(contacts)))"))
    end
    given, compatible, report = convert(Matrix{Cdouble}, impulses), zeros(3, length(contacts)), Ref(sized(StepReport))
    GC.@preserve bodies contacts begin
        posed = problem(step, bodies, contacts, ProblemRow[])
        iterate!(solver, dry_solver_correct, Ref(posed), Ref(settings), given, compatible, report)
    end
    return (impulses = compatible, report = report[])
end

"""
    solve_local(solver, row_offsets, columns, blocks, q, friction; rolling, settings)

Solves u = W r + q, a problem that is given by its Delassus operator alone: impulses, d by the number of contacts, and a report.

- `row_offsets`, `columns`: W in block compressed rows; they count from 0, as in C.
- `blocks`: d by d by their number, d being 3 or 5; both halves of the symmetric matrix.
- `q`: d by the number of contacts: velocities without any impulse [m/s, rad/s].
- `friction`: Coulomb's coefficient of each contact [-].
- `rolling`: with d = 5, of each contact: rolling impulse over normal impulse, at most [m].
"""
function solve_local(
    solver::Solver,
    row_offsets::AbstractVector{<:Integer},
    columns::AbstractVector{<:Integer},
    blocks::AbstractArray{<:Real, 3},
    q::AbstractMatrix{<:Real},
    friction::AbstractVector{<:Real};
    rolling::Union{Nothing, AbstractVector{<:Real}} = nothing,
    settings::Settings = Settings(),
)
    dimension, count = size(q)
    offsets, indices = convert(Vector{UInt32}, row_offsets), convert(Vector{UInt32}, columns)
    fits = length(offsets) == count + 1 && last(offsets) == length(indices) && length(friction) == count
    fits = fits && size(blocks) == (dimension, dimension, length(indices))
    fits = fits && (rolling === nothing || length(rolling) == count)
    fits || throw(DimensionMismatch("row_offsets, columns, blocks, friction or rolling do not fit a q of $(size(q))"))
    # the library has the rows of a block one after the other
    elements = convert(Array{Cdouble, 3}, permutedims(blocks, (2, 1, 3)))
    velocities, coefficients = convert(Matrix{Cdouble}, q), convert(Vector{Cdouble}, friction)
    radii = rolling === nothing ? Cdouble[] : convert(Vector{Cdouble}, rolling)
    impulses, report = zeros(dimension, count), Ref(sized(StepReport))
    GC.@preserve offsets indices elements velocities coefficients radii begin
        posed = with(
            sized(LocalProblem);
            contact_count = count,
            dimension = dimension,
            row_offsets = pointer(offsets),
            columns = pointer(indices),
            blocks = pointer(elements),
            q = pointer(velocities),
            friction = pointer(coefficients),
            rolling = rolling === nothing ? Ptr{Cdouble}(C_NULL) : pointer(radii),
        )
        iterate!(solver, dry_solver_solve_local, Ref(posed), Ref(settings), impulses, report)
    end
    return (impulses = impulses, report = report[])
end

"The problem with pointers to its arrays, which the caller keeps alive."
function problem(step, bodies, contacts, rows)
    return with(
        sized(Problem);
        step = step,
        bodies = pointer(bodies),
        body_count = length(bodies),
        contacts = pointer(contacts),
        contact_count = length(contacts),
        rows = pointer(rows),
        row_count = length(rows),
    )
end
