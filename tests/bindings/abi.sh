#!/usr/bin/env bash
# The ABI of the installed header against every recorded one (docs/abi.md), by abidiff: tests/bindings/abi.sh PREFIX
# WORK
#
# The release library has no debugging information, and what Rust would write there is not what a host compiles. So each
# header becomes a library of its own: its functions with empty bodies, compiled with -g, which shows abidiff every type
# that a host sees. That the real library has the same functions is checked by library.sh; that its structures are those
# of the header, by the hosts of tests/c.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/bindings/provide.sh
prefix=$1 work=$2
header=$prefix/include/drystone.h
provide abidiff abigail-tools || {
    skipped abidiff "abidiff is missing (Debian: apt-get install abigail-tools)"
    exit
}

# stub HEADER LIBRARY: the prototypes of a header, their semicolons made bodies
stub() {
    sed '/^ \*/b; /^typedef.*(\*/,/;$/b; /^typedef/b; s/);$/) { __builtin_trap(); }/' "$1" >"${2%.so}.c"
    ${CC:-cc} -std=c99 -shared -fPIC -g -O0 -Wall -Wextra -Wno-unused-parameter -Werror "${2%.so}.c" -o "$2"
}

# the structures that may grow: those that begin with struct_size, and dry_contact, whose size goes with the array
growing=" dry_contact $(awk '/^typedef struct .* \{$/ { name = $3; next }
    name && /^    [a-z]/ { if ($2 == "struct_size;") printf "%s ", name; name = "" }' "$header")"
grep -q ' dry_settings ' <<<"$growing" || fail "no growing structures found in $header"

# compatible OLD NEW: hosts of the old library run with the new one; says what speaks against it
compatible() {
    local status=0 report
    report=$(abidiff --leaf-changes-only --no-added-syms --no-show-locs "$1" "$2") || status=$?
    # bits: 1 error, 2 usage, 4 change, 8 a change that breaks in any case
    [ $((status & 3)) = 0 ] || fail "abidiff $1 $2 ended with $status: $report"
    report=$(awk -v growing="$growing" -f tests/bindings/abi/grown.awk <<<"$report")
    [ -z "$report" ] || { printf '%s\n' "$report" && return 1; }
}

stub "$header" "$work/today.so"
latest=0
for record in $(find tests/abi -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort -n); do
    stub "tests/abi/$record/drystone.h" "$work/record$record.so"
    compatible "$work/record$record.so" "$work/today.so" || fail "hosts of tests/abi/$record no longer run"
    latest=$record
done
echo "hosts of tests/abi/1 to $latest run with today's library"
abidiff --no-added-syms "$work/record$latest.so" "$work/today.so" >"$work/report" ||
    { cat "$work/report" && fail "the ABI is not the one recorded last: docs/abi.md says how to record another"; }
echo "the ABI is that of tests/abi/$latest"

# Each of these changes breaks hosts, and the comparison must report it.
while IFS= read -r change; do
    sed "$change" "$header" >"$work/changed.h"
    ! cmp -s "$header" "$work/changed.h" || fail "the header has no place for $change"
    stub "$work/changed.h" "$work/changed.so"
    for record in 1 "$latest"; do
        ! compatible "$work/record$record.so" "$work/changed.so" >/dev/null ||
            fail "not noticed beside $record: $change"
    done
done <<'END'
/^void dry_world_destroy/d
/^dry_status dry_world_step(/,/;/s/double step,/float step,/
s/^const char \*dry_version_string(void)/int dry_version_string(void)/
s/^dry_status dry_bodies_add(dry_world \*world,/dry_status dry_bodies_add(dry_world *world, int extra,/
s/^typedef uint64_t dry_body;/typedef uint32_t dry_body;/
s/^    DRY_ERR_MEMORY = 13,/    DRY_ERR_MEMORY = 14,/
s/^    double relaxation;/    uint64_t relaxation;/
s/^    double relaxation;/    double relaxation; double extra;/
s/^    double theta;//
s/^    double gravity\[3\];/    uint64_t gravity[3];/
s/^    double linear_velocity\[3\];/    double linear_velocity[4];/
s/^} dry_body_state;/ double extra; } dry_body_state;/
END
sed 's/^} dry_settings;/ double extra; } dry_settings;/' "$header" >"$work/grown.h"
stub "$work/grown.h" "$work/grown.so"
compatible "$work/record$latest.so" "$work/grown.so" || fail "growth is taken for a break"
echo "breaks of twelve kinds are noticed, growth is none"
