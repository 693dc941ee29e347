# What the scripts of this folder share; sourced.

tests_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# provide COMMAND-OR-FILE PACKAGE...: true if the command, or the file, is there or could be installed.
#
# Installs the Debian packages with apt-get where that is allowed, that is, as root. A check
# that cannot have what it needs calls `skipped` with the packages, and the rest goes on.
provide() {
    local wanted=$1 log=$tests_root/build/apt-get.log
    shift
    there "$wanted" && return
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || return 1
    echo "installing $*"
    mkdir -p "${log%/*}"
    local install=(apt-get -o DPkg::Lock::Timeout=300 install -y "$@")
    { "${install[@]}" || { apt-get update && "${install[@]}"; }; } >"$log" 2>&1 || return 1
    there "$wanted"
}

there() {
    if [[ $1 == */* ]]; then [ -e "$1" ]; else command -v "$1" >/dev/null 2>&1; fi
}

# skipped NAME REASON: says that a check is left out. With CI=true this ends the script as a failure, unless NAME stands
# in may_skip.txt.
skipped() {
    local name=$1 listed=$tests_root/tests/bindings/may_skip.txt
    shift
    echo "SKIPPED: $name: $*"
    [ "${CI:-}" != true ] || sed 's/[ #].*//' "$listed" | grep -qxF -e "$name" ||
        fail "with CI=true $name must not be skipped: it is not in tests/bindings/may_skip.txt"
}

# fail SENTENCE: ends the script
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# same_output NAME LINES FILE WHO: what the example NAME printed is, to the last digit, what examples/README.md shows
same_output() {
    local shown
    shown=$(sed -n '/^## `c\/'"$1"'.c`/,/^## /s/^    \([a-z_]* [-+.0-9a-f]*\)$/\1/p' "$tests_root/examples/README.md")
    [ "$(wc -l <<<"$shown")" = "$2" ] || fail "examples/README.md shows no output of the $1"
    diff "$3" - <<<"$shown" >&2 || fail "$4: another $1 than in examples/README.md"
    echo "the same $1: $4"
}
same_pile() { same_output pile 6 "$@"; } # FILE WHO
same_arch() { same_output arch 8 "$@"; } # FILE WHO
same_grain() { same_output grain 6 "$@"; } # FILE WHO
same_clump() { same_output clump 7 "$@"; } # FILE WHO
