# Of what abidiff reports (--leaf-changes-only), prints all that is no growth: members at the end of a structure that may
# grow. growing: the names of those structures, spaces around each.
/^ *$/ || /summary: / { next }
/^'struct .*' changed:$/ {
    structure = $2
    sub(/'$/, "", structure)
    if (index(growing, " " structure " ") == 0) print
    next
}
/^  type size changed from [0-9]+ to [0-9]+ \(in bits\)$/ { size = $5; next }
/^  [0-9]+ data member insertions?:$/ { next }
/^    '.*', at offset [0-9]+ \(in bits\)$/ {
    match($0, /at offset [0-9]+/)
    if (substr($0, RSTART + 10, RLENGTH - 10) + 0 < size + 0) print structure ": " $0
    next
}
{ print structure ": " $0 }
