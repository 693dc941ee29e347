#!/usr/bin/env bash
# drystone.hpp, as users have it: tests/bindings/cpp.sh PREFIX WORK
#
# Every function of the C header is called; the tests of tests/bindings/cpp and the programs of the README, without a
# warning, with exceptions and without; the examples through pkg-config and CMake, shared and static, under valgrind.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/bindings/provide.sh
prefix=$1 work=$2
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
provide "${CXX:-c++}" g++ || { skipped c++ "a C++ compiler is missing (Debian: apt-get install g++)"; exit; }
provide pkg-config pkg-config || { skipped pkg-config "pkg-config is missing (Debian: apt-get install pkg-config)"; exit; }

strict=(-g -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
# word splitting is what a user's shell does
shared=($(pkg-config --cflags --libs drystone) "-Wl,-rpath,$prefix/lib" -pthread)
static=($(pkg-config --cflags --libs drystone-static) -pthread)

# silent COMMAND...: must end with 0 and say nothing
silent() {
    local said
    said=$("$@" 2>&1) && [ -z "$said" ] || fail "$*"$'\n'"$said"
}

# as many at a time as there are cores; `all_done` waits for the last
start() {
    [ "$(jobs -rp | wc -l)" -lt "$(nproc)" ] || wait -n
    silent "$@" &
}
all_done() { while [ "$(jobs -p | wc -l)" != 0 ]; do wait -n; done; }

# malloc without caches: cycles.cpp counts what it has given out
export GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1

# ---- every function of the header ---------------------------------------------------------------------------------

declare -A absent=() # [dry_function]="why drystone.hpp does not call it"
parts=$(sed -n 's|^#include "\(drystone/.*\)"$|\1|p' "$prefix/include/drystone.hpp")
code=$(cd "$prefix/include" && sed 's|//.*||' $parts)
functions=$(sed -nE 's/^[a-z].*[ *](dry_[a-z0-9_]+)\(.*/\1/p' "$prefix/include/drystone.h" | grep -v '^typedef')
[ "$(wc -l <<<"$functions")" -ge 50 ] || fail "include/drystone.h has only $(wc -l <<<"$functions") functions"
for function in $functions; do
    if [ -z "${absent[$function]:-}" ]; then
        grep -qE "\b$function\b[(>]" <<<"$code" || fail "drystone.hpp does not call $function"
    else
        ! grep -qE "\b$function\b[(>]" <<<"$code" || fail "drystone.hpp calls $function, which is said to be absent"
    fi
done
echo "drystone.hpp calls $(wc -l <<<"$functions") functions, all but ${#absent[@]} of the header"

# ---- the tests ----------------------------------------------------------------------------------------------------

vectors=() # what other libraries are there
if provide /usr/include/eigen3/Eigen/Dense libeigen3-dev; then vectors+=(-DWITH_EIGEN -isystem /usr/include/eigen3);
else skipped eigen "Eigen is missing (Debian: apt-get install libeigen3-dev)"; fi
if provide /usr/include/glm/glm.hpp libglm-dev; then vectors+=(-DWITH_GLM);
else skipped glm "glm is missing (Debian: apt-get install libglm-dev)"; fi

compilers=("${CXX:-c++}")
if [ -n "${CXX:-}" ]; then :; elif provide clang++ clang; then compilers+=(clang++);
else skipped clang "clang++ is missing (Debian: apt-get install clang)"; fi

tests=(world joints vectors tasks solver cycles)

# build COMPILER STANDARD: all tests as programs WORK/<name>
build() {
    local compiler=($1 "-std=$2" "${strict[@]}") name
    for name in "${tests[@]}"; do
        start "${compiler[@]}" "tests/bindings/cpp/$name.cpp" "${vectors[@]}" "${shared[@]}" -o "$work/$name"
    done
    start "${compiler[@]}" -fno-exceptions tests/bindings/cpp/{choice,results}.cpp "${shared[@]}" -o "$work/returns"
    silent "${compiler[@]}" -DDRYSTONE_NO_EXCEPTIONS -c tests/bindings/cpp/results.cpp $(pkg-config --cflags drystone) \
        -o "$work/results.o"
    silent "${compiler[@]}" tests/bindings/cpp/choice.cpp "$work/results.o" "${shared[@]}" -o "$work/mixed"
    all_done
}

# look COMPILER STANDARD: the same without code, for its warnings
look() {
    local name
    for name in "${tests[@]}" results; do
        local no_exceptions=()
        [ $name != results ] || no_exceptions=(-fno-exceptions)
        start $1 "-std=$2" "${strict[@]}" -fsyntax-only "${no_exceptions[@]}" "tests/bindings/cpp/$name.cpp" \
            "${vectors[@]}" $(pkg-config --cflags drystone)
    done
    all_done
}

# std::span in one, its stand-in in the other, which is checked under valgrind later
build "${compilers[-1]}" c++20
for test in "${tests[@]}" returns mixed; do silent env -C "$work" "./$test"; done # files they write stay there
echo "${compilers[-1]}, C++20: without a warning; ${tests[*]}; errors that are returned, alone and beside exceptions"
build "${compilers[0]}" c++17
for test in "${tests[@]}" returns mixed; do silent env -C "$work" "./$test"; done
echo "${compilers[0]}, C++17: the same"
look "${compilers[0]}" c++20
look "${compilers[-1]}" c++17
echo "the other way round without a warning"

# ---- the examples -------------------------------------------------------------------------------------------------

# example WHO COMMAND...: runs all and looks at what they print
example() {
    local who=$1 folder=$2
    shift 2
    "$@" "$folder/pile" >"$work/pile.txt" || fail "$who"
    same_pile "$work/pile.txt" "$who"
    for name in arch grain clump; do
        "$@" "$folder/$name" >"$work/$name.txt" || fail "$who"
        "same_$name" "$work/$name.txt" "$who"
    done
    "$@" "$folder/own_contacts" >"$work/own_contacts.txt" || fail "$who"
    grep -qF "    $(cat "$work/own_contacts.txt")" examples/README.md ||
        fail "$who: examples/README.md does not show what own_contacts prints: $(cat "$work/own_contacts.txt")"
}

for link in shared static; do
    mkdir -p "$work/$link"
    declare -n flags=$link
    for name in pile arch grain clump own_contacts; do
        start "${compilers[0]}" -std=c++17 -O2 "${strict[@]}" "examples/cpp/$name.cpp" "${flags[@]}" -o "$work/$link/$name"
    done
    all_done
    example "C++, pkg-config, $link" "$work/$link"
done

if provide cmake cmake; then
    for component in shared static; do
        place=$work/cmake-$component
        { cmake -S tests/bindings/cpp -B "$place" -DEXAMPLES="$PWD/examples/cpp" -DCMAKE_BUILD_TYPE=Release \
            -DCMAKE_PREFIX_PATH="$prefix" -DCOMPONENT=$component && cmake --build "$place"; } \
            >"$work/cmake.log" 2>&1 || { tail -20 "$work/cmake.log" >&2 && fail "CMake, $component"; }
        example "C++, CMake, $component" "$place"
    done
else
    skipped cmake "CMake is missing (Debian: apt-get install cmake)"
fi

if provide valgrind valgrind libc6-dbg; then
    valgrind=(valgrind --quiet --fair-sched=try --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect)
    example "C++, valgrind" "$work/shared" "${valgrind[@]}"
    for test in world joints tasks solver returns mixed; do start env -C "$work" "${valgrind[@]}" "./$test"; done
    all_done
    echo "clean under valgrind: the examples, world, joints, tasks, solver, errors that are returned"
else
    skipped valgrind "valgrind is missing (Debian: apt-get install valgrind libc6-dbg)"
fi

# ---- the README ---------------------------------------------------------------------------------------------------

# each program of the README, as it stands there, prints one of the texts that are shown, or its lines
readme=bindings/cpp/README.md
awk -v work="$work" '/^```cpp$/ {n++; file = work "/readme-" n ".cpp"; next} /^```$/ {file = ""} file {print > file}' $readme
count=0
for program in "$work"/readme-*.cpp; do
    if grep -q '<Eigen/' "$program" && [[ ${vectors[*]} != *EIGEN* ]]; then continue; fi
    silent "${compilers[0]}" -std=c++17 "${strict[@]}" "$program" -isystem /usr/include/eigen3 "${shared[@]}" -o "${program%.cpp}"
    "${program%.cpp}" >"$program.txt" || fail "$program"
    while IFS= read -r line; do
        grep -qxF "    $line" $readme || fail "$program prints \"$line\", which $readme does not show"
    done <"$program.txt"
    [ -s "$program.txt" ] || fail "$program prints nothing"
    count=$((count + 1))
done
[ $count -ge 3 ] || fail "$readme has only $count programs"
echo "$count programs of the README, as they stand there"
