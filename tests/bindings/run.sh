#!/usr/bin/env bash
# Installs drystone into an empty prefix and checks what was installed, with every binding:
# tests/bindings/run.sh [NAME...]
#
# Without names all of them. Each tests/bindings/<name>.sh is called with the prefix and an empty folder for what
# it builds; its output goes to build/bindings/<name>.log too. Times are printed, not judged.
# With CI=true a check that is skipped is a failure, unless tests/bindings/may_skip.txt lists it.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/bindings/provide.sh
all="install library abi c package readme cpp fortran python julia bullet ode"
place=$PWD/build/bindings
prefix=$place/prefix
unset PREFIX DESTDIR LIBDIR MAKEFLAGS MAKELEVEL

provide pkg-config pkg-config || fail "pkg-config is missing (Debian: apt-get install pkg-config)"
rm -rf "$place"
mkdir -p "$place"
make install PREFIX="$prefix" >"$place/make-install.log" 2>&1 || {
    tail -20 "$place/make-install.log"
    fail "make install PREFIX=$prefix"
}

failed=()
for name in ${*:-$all}; do
    script=tests/bindings/$name.sh
    [ -x "$script" ] || fail "$script is missing"
    printf '\n-- %s\n' "$name"
    mkdir -p "$place/$name"
    started=$SECONDS
    if "$script" "$prefix" "$place/$name" 2>&1 | tee "$place/$name.log"; then
        echo "($((SECONDS - started)) s)"
    else
        failed+=("$name")
    fi
done
[ ${#failed[@]} = 0 ] || fail "bindings: ${failed[*]} (build/bindings/<name>.log)"
