#!/usr/bin/env bash
# The example in C, built as users build it: tests/bindings/c.sh PREFIX WORK
#
# Through pkg-config and through CMake, shared and static, from the prefix and from drystone's sources as part of a
# CMake project; under valgrind; and 10 000 worlds made and ended.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/bindings/provide.sh
prefix=$1 work=$2
example=$PWD/examples/c/pile.c
strict=(-std=c99 -O2 -Wall -Wextra -Wpedantic -Wconversion -Werror)
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig

# a file's name: "C, CMake, shared" is c-cmake-shared
place_of() {
    echo "$work/$(tr 'A-Z ' 'a-z-' <<<"${1//,/}")"
}

# built WHO ARGUMENT...: compiles the example, runs it, and sees whether it is the pile that is shown
built() {
    local who=$1 program
    program=$(place_of "$1")
    shift
    ${CC:-cc} "${strict[@]}" "$example" "$@" -lm -o "$program" 2>"$program.warnings" ||
        fail "$who: $(cat "$program.warnings")"
    "$program" >"$program.txt" || fail "$program"
    same_pile "$program.txt" "$who"
}

# with_library PROGRAM no|yes: whether it asks the loader for drystone
with_library() {
    local found=no
    ! readelf --dynamic "$1" | grep -q 'NEEDED.*libdrystone\.so\.[0-9]' || found=yes
    [ "$found" = "$2" ] || fail "$1: asks for libdrystone.so: $found, expected $2"
}

# word splitting is what a user's shell does
built "C, pkg-config, shared" $(pkg-config --cflags --libs drystone) -Wl,-rpath,"$prefix/lib"
with_library "$work/c-pkg-config-shared" yes
for name in arch grain clump; do
    cc "${strict[@]}" "examples/c/$name.c" $(pkg-config --cflags --libs drystone) -Wl,-rpath,"$prefix/lib" -lm -o "$work/$name"
    "$work/$name" >"$work/$name.txt" || fail "$name"
    "same_$name" "$work/$name.txt" "C"
done
built "C, pkg-config, static" $(pkg-config --cflags --libs drystone-static)
with_library "$work/c-pkg-config-static" no
built "C, pkg-config, all static" -static $(pkg-config --static --cflags --libs drystone)

# configured WHO FOLDER OPTION...: the example as the CMake project in tests/bindings/c/FOLDER
configured() {
    local who=$1 folder=tests/bindings/c/$2 place
    place=$(place_of "$1")
    shift 2
    { cmake -S "$folder" -B "$place" -DPILE="$example" -DCMAKE_BUILD_TYPE=Release "$@" && cmake --build "$place"; } \
        >"$place.log" 2>&1 || { tail -20 "$place.log" && fail "$who"; }
    "$place/pile" >"$place.txt" || fail "$place/pile"
    same_pile "$place.txt" "$who"
}

if provide cmake cmake; then
    for component in shared static; do
        configured "C, CMake, $component" . -DCMAKE_PREFIX_PATH="$prefix" -DCOMPONENT=$component
    done
    with_library "$work/c-cmake-shared/pile" yes
    with_library "$work/c-cmake-static/pile" no
    ! cmake -S tests/bindings/c -B "$work/other" -DPILE="$example" -DCMAKE_PREFIX_PATH="$prefix" -DCOMPONENT=other \
        >"$work/other.log" 2>&1 || fail "CMake found a component that there is none of"
    grep -q 'component other: expected shared or static' "$work/other.log" || fail "$(cat "$work/other.log")"

    version=$(pkg-config --modversion drystone)
    for asked in "$version TRUE" "${version%.*} TRUE" "${version%.*}.999 FALSE" "9999 FALSE"; do
        printf '%s\n' "set(PACKAGE_FIND_VERSION ${asked% *})" "set(CMAKE_SIZEOF_VOID_P \"\")" \
            "include($prefix/lib/cmake/drystone/drystone-config-version.cmake)" \
            'message("${PACKAGE_FIND_VERSION} ${PACKAGE_VERSION_COMPATIBLE}")' >"$work/version.cmake"
        [ "$(cmake -P "$work/version.cmake" 2>&1)" = "$asked" ] ||
            fail "find_package(drystone ${asked% *}) is not ${asked#* }"
    done
    echo "CMake finds $version where it is required, and no other"

    # cargo has built it there already
    sources=(-DDRYSTONE="$PWD" -DDRYSTONE_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
        -DDRYSTONE_CARGO="$(command -v "${CARGO:-cargo}")")
    for library in shared static; do
        configured "C, add_subdirectory, $library" subdirectory "${sources[@]}" -DDRYSTONE_LIBRARY=$library
    done
    configured "C, FetchContent" subdirectory "${sources[@]}" -DFETCH=1
    with_library "$work/c-add_subdirectory-shared/pile" yes
    with_library "$work/c-add_subdirectory-static/pile" no
    with_library "$work/c-fetchcontent/pile" no
    # the installed program runs where there is neither what was built nor an installed drystone
    for built in add_subdirectory-shared add_subdirectory-static fetchcontent; do
        cmake --install "$work/c-$built" --prefix "$work/installed-$built" >"$work/installed.log" 2>&1 ||
            fail "$(tail "$work/installed.log")"
        mv "$work/c-$built" "$work/gone"
        "$work/installed-$built/bin/pile" >"$work/installed.txt" || fail "installed: $built"
        mv "$work/gone" "$work/c-$built"
        same_pile "$work/installed.txt" "C, installed by its own project, $built"
    done
    { cmake -S . -B "$work/alone" "${sources[@]:1}" && cmake --build "$work/alone" &&
        cmake --install "$work/alone" --prefix "$work/alone-prefix"; } >"$work/alone.log" 2>&1 ||
        fail "$(tail "$work/alone.log")"
    diff -r --exclude='*.pc' --exclude=installed "$prefix" "$work/alone-prefix" ||
        fail "cmake --install and make install differ"
    echo "cmake --install does what make install does"
else
    skipped cmake "CMake is missing (Debian: apt-get install cmake)"
fi

${CC:-cc} "${strict[@]/c99/gnu99}" tests/bindings/c/cycles.c $(pkg-config --cflags --libs drystone) \
    -Wl,-rpath,"$prefix/lib" -o "$work/cycles"
GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1 "$work/cycles" 10000 || fail "memory grows"

if provide valgrind valgrind libc6-dbg; then
    valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect \
        "$work/c-pkg-config-shared" >"$work/valgrind.txt" || fail "valgrind"
    same_pile "$work/valgrind.txt" "C, valgrind"
else
    skipped valgrind "valgrind is missing (Debian: apt-get install valgrind libc6-dbg)"
fi
