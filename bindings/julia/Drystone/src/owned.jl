# What a program must end: worlds and solvers.

"""
An object of the library, ended by `close`, by the end of a `do` block, or by the garbage collector.

The library handles calls from several threads. Here the end waits for calls that are still running, and later ones are
refused.
"""
abstract type Owned end

function Base.close(owned::Owned)
    lock(owned.changed) do
        owned.closed = true
        while owned.running > 0
            wait(owned.changed)
        end
        finalize(owned)
    end
    return nothing
end

Base.isopen(owned::Owned) = !owned.closed

function Base.show(io::IO, owned::Owned)
    print(io, nameof(typeof(owned)), isopen(owned) ? "()" : "(closed)")
    return nothing
end

"Calls a function of the library on this object, and throws what it answers."
function call(owned::Owned, f::F, arguments...) where {F}
    failed = attempt(owned, f, arguments...)
    failed === nothing || throw(failed)
    return nothing
end

"The same; answers the failure, or nothing."
function attempt(owned::Owned, f::F, arguments...) where {F}
    lock(owned.changed) do
        owned.closed && throw(DrystoneError(DRY_ERR_STALE_HANDLE, "$(nameof(typeof(owned))) is closed"))
        owned.running += 1
    end
    try
        # the message is the thread's: it is read before anything here may yield
        return GC.@preserve owned failure(f(owned.pointer, arguments...))
    finally
        lock(owned.changed) do
            owned.running -= 1
            notify(owned.changed)
        end
    end
end

"What a function writes through its last pointer."
function made(owned::Owned, ::Type{T}, f::F, arguments...) where {T, F}
    result = Ref{T}()
    call(owned, f, arguments..., result)
    return result[]
end
