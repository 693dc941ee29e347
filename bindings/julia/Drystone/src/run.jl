# Many steps in one call, with a function between them; and functions between the iterations of other calls.

"The caller's function, and what it threw."
mutable struct Watched
    f::Any
    thrown::Any
end

"What the library calls: an exception must not enter it."
function watch(pointer::Ptr{Cvoid}, done::UInt64, count::UInt64, report::Ptr{StepReport})::Int32
    watched = unsafe_pointer_to_objref(pointer)::Watched
    try
        return watched.f(Int(done), Int(count), unsafe_load(report)) === true ? 1 : 0
    catch thrown
        watched.thrown = thrown
        return 1
    end
end

"""
    run!(world, step, count)
    run!(progress, world, step, count; every = 1)

Advances the world by `count` steps of `step` seconds, as `step!` again and again. Answers how many were completed, `steps_done`, and
the `report` of the last one. After an exception the steps before stay.

`progress(steps_done, count, report)` is called after `every` steps, again after as many more, and after the last one. `true`
stops the run, which is no failure; an exception stops it and is thrown on. Calls on this world from it are `DRY_ERR_BUSY`.
"""
function run!(progress, world::World, step::Real, count::Integer; every::Integer = 1)
    every >= 1 || throw(ArgumentError("every is $every, expected 1 or above"))
    watched = Watched(progress, nothing)
    pointer = @cfunction(watch, Int32, (Ptr{Cvoid}, UInt64, UInt64, Ptr{StepReport}))
    return GC.@preserve watched begin
        callback = with(sized(RunProgress); user_data = pointer_from_objref(watched), progress = pointer, every)
        answer = run_with(world, step, count, Ref(callback))
        watched.thrown === nothing || throw(watched.thrown)
        answer
    end
end

run!(world::World, step::Real, count::Integer) = run_with(world, step, count, C_NULL)

function run_with(world, step, count, callback)
    done, report = Ref{UInt64}(0), Ref(sized(StepReport))
    failed = attempt(world, dry_world_run, step, count, callback, done, report)
    if !(failed === nothing || failed.status == DRY_ERR_STOPPED)
        failed.status == DRY_ERR_NOT_CONVERGED || throw(failed)
        throw(DrystoneError(failed.status, failed.message, report[], nothing))
    end
    return (steps_done = Int(done[]), report = report[])
end

"What the library calls between iterations: an exception must not enter it."
function watch_iterations(pointer::Ptr{Cvoid}, done::UInt64)::Int32
    watched = unsafe_pointer_to_objref(pointer)::Watched
    try
        return watched.f(Int(done)) === true ? 1 : 0
    catch thrown
        watched.thrown = thrown
        return 1
    end
end

"""
Calls `solve` with a definition of a static problem that has the caller's function, unless that is nothing. What the function threw
is thrown on.
"""
function watching(solve, progress, every::Integer, def::StaticDef)
    every >= 1 || throw(ArgumentError("every is $every, expected 1 or above"))
    progress === nothing && return solve(def)
    watched = Watched(progress, nothing)
    pointer = @cfunction(watch_iterations, Int32, (Ptr{Cvoid}, UInt64))
    return GC.@preserve watched begin
        try
            solve(with(def; user_data = pointer_from_objref(watched), progress = pointer, every))
        catch
            watched.thrown === nothing || throw(watched.thrown)
            rethrow()
        end
    end
end
