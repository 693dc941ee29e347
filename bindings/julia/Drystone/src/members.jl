# Structures, made with defaults and changed by the names of their members.

Base.UInt64(handle::Handle) = reinterpret(UInt64, handle)
(::Type{T})(number::UInt64) where {T <: Handle} = reinterpret(T, number)

function Base.show(io::IO, handle::Handle)
    print(io, nameof(typeof(handle)), "(0x", string(UInt64(handle); base = 16), ")")
    return nothing
end

"""
    with(value; members...)

The same structure with other members: `with(settings; iterations = 100)`. Arrays may be given as anything of the right length.
"""
function with(value::T; members...) where {T}
    given = values(members)
    for name in keys(given)
        name in fieldnames(T) || throw(ArgumentError("$T has no member $name"))
    end
    chosen(name) = haskey(given, name) ? member(fieldtype(T, name), name, given[name]) : getfield(value, name)
    return T(map(chosen, fieldnames(T))...)
end

member(::Type{T}, name, value) where {T} = convert(T, value)

function member(::Type{NTuple{N, Cdouble}}, name, value) where {N}
    return NTuple{N, Cdouble}(numbers(name, value, N))
end

"`count` numbers for the library to read."
function numbers(name, value, count)
    length(value) == count || throw(DimensionMismatch("$name has $(length(value)) elements, expected $count"))
    return collect(Cdouble, value)
end

"A structure of zeros."
zeroed(::Type{T}) where {T} = first(reinterpret(T, zeros(UInt8, sizeof(T))))

"A structure that grows, zeroed, as the library expects it."
sized(::Type{T}) where {T} = with(zeroed(T); struct_size = sizeof(T))

"A structure with the library's defaults."
function initialised(::Type{T}, initialise::F, arguments...) where {T, F}
    value = Ref{T}(zeroed(T))
    check(initialise(value, sizeof(T), arguments...))
    return value[]
end

Settings(; members...) = with(initialised(Settings, dry_settings_init); members...)
WorldDef(; members...) = with(initialised(WorldDef, dry_world_def_init); members...)
MaterialDef(; members...) = with(initialised(MaterialDef, dry_material_def_init); members...)
PairDef(; members...) = with(initialised(PairDef, dry_pair_def_init); members...)
BodyDef(; members...) = with(initialised(BodyDef, dry_body_def_init); members...)
StaticDef(; members...) = with(initialised(StaticDef, dry_static_def_init); members...)
ClumpPart(; members...) = with(initialised(ClumpPart, dry_clump_part_init); members...)
VtkDef(; members...) = with(initialised(VtkDef, dry_vtk_def_init); members...)
NurbsCurveDef(; members...) = with(initialised(NurbsCurveDef, dry_nurbs_curve_def_init); members...)
JointAxis(; members...) = with(initialised(JointAxis, dry_joint_axis_init); members...)
ShapePose(; members...) = with(zeroed(ShapePose); rotation = (0, 0, 0, 1), members...)
BodyState(; members...) = with(zeroed(BodyState); rotation = (0, 0, 0, 1), members...)
ProblemBody(; members...) = with(zeroed(ProblemBody); members...)
ProblemContact(; members...) = with(zeroed(ProblemContact); members...)
ProblemRow(; members...) = with(zeroed(ProblemRow); friction_row = -1, members...)

function JointDef(; kind::JointKind = DRY_JOINT_BALL, members...)
    return with(initialised(JointDef, dry_joint_def_init, kind); members...)
end

"""
    positions(states)

Places of bodies, as a view of their states, 3 by n [m]; likewise `rotations`, 4 by n, `linear_velocities` and
`angular_velocities`.
"""
positions(states::AbstractVector{BodyState}) = columns(states, 1:3)
rotations(states::AbstractVector{BodyState}) = columns(states, 4:7)
linear_velocities(states::AbstractVector{BodyState}) = columns(states, 8:10)
angular_velocities(states::AbstractVector{BodyState}) = columns(states, 11:13)

columns(states, rows) = view(reinterpret(reshape, Cdouble, states), rows, :)
