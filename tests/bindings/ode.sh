#!/usr/bin/env bash
# The adapter for ODE: tests/bindings/ode.sh PREFIX WORK
#
# Checks of contacts, joints, what comes and goes between steps, and threads; what the README says, done as it stands, with
# the example; and scenes beside ODE's own solver.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/bindings/provide.sh
prefix=$1 work=$2
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig

provide /usr/include/ode/ode.h libode-dev || { skipped ode "ODE is missing (Debian: apt-get install libode-dev)"; exit; }
provide c++ g++ || { skipped c++ "a C++ compiler is missing (Debian: apt-get install g++)"; exit; }

read -ra flags <<<"$(pkg-config --cflags drystone-ode)"
read -ra libraries <<<"$(pkg-config --libs drystone-ode ode) -Wl,-rpath,$prefix/lib -lpthread -lm"
sources=$(pkg-config --variable=sourcedir drystone-ode)
strict=(-O2 -Wall -Wextra -Wpedantic -Werror)
for source in "$sources"/*.cpp; do
    c++ -std=c++17 "${strict[@]}" "${flags[@]}" -c "$source" -o "$work/$(basename "$source" .cpp).o"
    # Debian has no library for dReal as float, but headers
    c++ -std=c++17 "${strict[@]}" "${flags[@]}" -DdIDESINGLE -fsyntax-only "$source"
done
echo "dReal as float: every source compiles"
checks="units joints lives fallback"
for program in $checks scenes; do
    cc -std=gnu99 "${strict[@]}" -DWITH_DRYSTONE "${flags[@]}" -c "tests/bindings/ode/$program.c" -o "$work/$program.main"
    c++ "$work/$program.main" "$work"/*.o "${libraries[@]}" -o "$work/$program"
done
cc -std=gnu99 "${strict[@]}" tests/bindings/ode/scenes.c -lode -lm -o "$work/stock"
c++ -std=c++17 "${strict[@]}" "${flags[@]}" tests/bindings/ode/standing.cpp "$work"/*.o "${libraries[@]}" -o "$work/standing"

for program in $checks; do
    "$work/$program" >"$work/$program.log" || { cat "$work/$program.log"; fail "$program"; }
    echo "$program: $(grep -c '^ok' "$work/$program.log") checks"
done
"$work/standing" || fail "what should stand falls"
if provide valgrind valgrind libc6-dbg; then
    for program in $checks; do
        # ODE keeps what it makes once
        valgrind --quiet --fair-sched=try --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=none \
            "$work/$program" >/dev/null || fail "valgrind: $program"
    done
    echo "clean under valgrind"
else
    skipped valgrind "valgrind is missing (Debian: apt-get install valgrind libc6-dbg)"
fi

# ---- the README ---------------------------------------------------------------------------------------------------

# the example as for ODE alone, and what the README has one do: an include, and commands, the last of which links
readme=bindings/ode/README.md place=$work/readme
mkdir "$place"
change=$(sed -n 's/^    \(#include .*\)/\1/p' $readme)
old=$(sed 's/ *->.*//' <<<"$change") new=$(sed 's/.*-> *//' <<<"$change")
[ -n "$new" ] || fail "$readme shows no include"
sed '/^#ifdef WITH_DRYSTONE/,/^#else/d; /^#endif/d' examples/ode/ratio.c >"$place/program.c"
grep -qxF "$old" "$place/program.c" || fail "examples/ode/ratio.c has no $old"
cc "$place/program.c" -lode -lm -o "$place/before"
sed "s|^$old\$|$new|" "$place/program.c" >"$place/changed.c"
mv "$place/changed.c" "$place/program.c"
commands=$(sed -n 's/^    \(\(cc\|c++\) .*\)/\1/p' $readme)
[ "$(wc -l <<<"$commands")" = 3 ] || fail "$readme, expected 3 commands, got: $commands"
(cd "$place" && bash -euo pipefail -c "$commands") || fail "$readme: a command"
printed=$(LD_LIBRARY_PATH=$prefix/lib "$place/program")
[ "$("$place/before")" != "$printed" ] || fail "the program of $readme: ODE's own answer"
grep -qF "$printed" examples/README.md || fail "examples/ode/ratio.c: examples/README.md does not show $printed"
echo "the commands of the README, and the example: as in examples/README.md"

if provide cmake cmake; then
    cat >"$place/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(program C CXX)
find_package(drystone REQUIRED)
add_executable(program program.c)
target_link_libraries(program drystone::ode ode m)
END
    cmake -S "$place" -B "$place/build" -DCMAKE_PREFIX_PATH="$prefix" >"$place/cmake.log" 2>&1 &&
        cmake --build "$place/build" >>"$place/cmake.log" 2>&1 || { tail -20 "$place/cmake.log"; fail "drystone::ode"; }
    [ "$("$place/build/program")" = "$printed" ] || fail "drystone::ode: another answer"
    echo "the CMake target drystone::ode: the same"
else
    skipped cmake "CMake is missing (Debian: apt-get install cmake)"
fi

# ---- beside ODE's own solver --------------------------------------------------------------------------------------

# three tenths of each scene's time; "own" and "drystone" print: name, drift, overlap, energy, ms
settled="stack wall mass_ratio slope car"
# shellcheck disable=SC2086
{ "$work/stock" -t 0.3 $settled; "$work/stock" pile; } >"$work/own.txt" & own=$!
# shellcheck disable=SC2086
{ "$work/scenes" -t 0.3 $settled; "$work/scenes" pile; } >"$work/drystone.txt"
wait $own
echo "                 drift [m]            overlap [m]           energy [J]      time of a step"
join <(sort "$work/own.txt") <(sort "$work/drystone.txt") >"$work/both.txt"
awk '{ printf "%-10s %9.2e %9.2e   %9.2e %9.2e   %9.2e %9.2e   %5.2f\n", $1, $2, $6, $3, $7, $4, $8, $9 / $5 }' "$work/both.txt"
awk '$6 > $2 || $7 > $3 || $8 > $4 { print $1 ": worse than with ODE"; worse = 1 } END { exit worse || NR != 6 }' "$work/both.txt" ||
    fail "no better than ODE's own solver"
echo "six scenes: less drift, overlap and energy than with ODE's own solver"
awk '$1 == "car" && $6 == 0 && $8 == 0 { rests = 1 } END { exit !rests }' "$work/both.txt" || fail "the parked car creeps"
echo "the parked car stays where it is to the last bit"
