# What the scripts of this folder share; sourced.

tests_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# provide COMMAND-OR-FILE PACKAGE...: true if the command, or the file, is there or could be installed.
#
# Installs the Debian packages with apt-get where that is allowed, that is, as root. Who cannot have what it needs
# says "SKIPPED: ..." with the packages, and goes on.
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

# fail SENTENCE: ends the script
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# same_pile FILE WHO: what an example printed is, to the bit, what examples/README.md shows
same_pile() {
    local shown
    shown=$(sed -n '/^## `c\/pile.c`/,/^## /s/^    \([a-z_]* [-+.0-9a-f]*\)$/\1/p' "$tests_root/examples/README.md")
    [ "$(wc -l <<<"$shown")" = 6 ] || fail "examples/README.md shows no output of the pile"
    diff "$1" - <<<"$shown" >&2 || fail "$2: another pile than in examples/README.md"
    echo "the same pile: $2"
}
