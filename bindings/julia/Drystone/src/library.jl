# Opens the library, and turns what it answers into exceptions.

"""
Opens the library that `ENV["DRYSTONE_LIBRARY"]` names, else the system's `libdrystone`. It must have every function of the
header, the same major version, and be no older.
"""
function open_library()
    name = get(ENV, "DRYSTONE_LIBRARY", "libdrystone")
    library = dlopen(name)
    for (number, symbol) in enumerate(FUNCTIONS)
        pointer = dlsym(library, symbol; throw_error = false)
        pointer === nothing && error("$name has no $symbol: expected drystone $VERSION_OF_HEADER or newer")
        POINTERS[number] = pointer
    end
    found = version()
    if found.major != VERSION_OF_HEADER.major || found < VERSION_OF_HEADER
        error("$name is drystone $found: expected $VERSION_OF_HEADER, or newer with the same major version")
    end
    return nothing
end

"The version of the library that was opened."
version() = VersionNumber(unsafe_string(dry_version_string()))

"""
A call that the library refused, or that failed: its status, and the library's message, which names the argument, its value,
and what was expected. With `DRY_ERR_NOT_CONVERGED` the report is there, and what a solve has found.
"""
struct DrystoneError <: Exception
    status::Status
    message::String
    report::Union{Nothing, StepReport}
    solution::Any
end

DrystoneError(status, message) = DrystoneError(status, message, nothing, nothing)

function Base.showerror(io::IO, failure::DrystoneError)
    print(io, "DrystoneError: ", failure.message, " (", failure.status, ")")
    return nothing
end

"What a status means: nothing, or the failure of the last call on this thread."
function failure(status::Cint)
    status == Cint(DRY_OK) && return nothing
    return DrystoneError(Status(status), last_error())
end

function check(status::Cint)
    failed = failure(status)
    failed === nothing || throw(failed)
    return nothing
end

function last_error()
    needed = Ref{Csize_t}(0)
    dry_last_error(C_NULL, 0, needed)
    buffer = zeros(UInt8, max(1, needed[]))
    dry_last_error(buffer, length(buffer), C_NULL)
    return String(buffer[1:(end - 1)])
end
