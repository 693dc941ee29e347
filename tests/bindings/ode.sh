#!/usr/bin/env bash
# The adapter for ODE: tests/bindings/ode.sh PREFIX WORK. Checks against closed forms, refusals, and scenes beside ODE's own solver.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/bindings/provide.sh
prefix=$1 work=$2
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig

provide /usr/include/ode/ode.h libode-dev || { echo "SKIPPED: ODE is missing (Debian: apt-get install libode-dev)"; exit 0; }
provide c++ g++ || { echo "SKIPPED: a C++ compiler is missing (Debian: apt-get install g++)"; exit 0; }

read -ra flags <<<"$(pkg-config --cflags drystone-ode)"
read -ra libraries <<<"$(pkg-config --libs drystone-ode ode) -Wl,-rpath,$prefix/lib -lm"
sources=$(pkg-config --variable=sourcedir drystone-ode)
for source in "$sources"/*.cpp; do
    c++ -std=c++17 -O2 -Wall -Wextra -Wpedantic -Werror "${flags[@]}" -c "$source" -o "$work/$(basename "$source" .cpp).o"
done
strict=(-std=gnu99 -O2 -Wall -Wextra -Wpedantic -Werror)
for program in units scenes; do
    cc "${strict[@]}" -DWITH_DRYSTONE "${flags[@]}" -c "tests/bindings/ode/$program.c" -o "$work/$program.main"
    c++ "$work/$program.main" "$work"/*.o "${libraries[@]}" -o "$work/$program"
done
cc "${strict[@]}" tests/bindings/ode/scenes.c -lode -lm -o "$work/stock"

"$work/units" >"$work/units.log" || { cat "$work/units.log"; fail "units"; }
echo "closed forms and refusals: $(grep -c '^ok' "$work/units.log") checks"
if provide valgrind valgrind libc6-dbg; then
    # ODE keeps what it makes once
    valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=none "$work/units" >/dev/null || fail "valgrind"
    echo "clean under valgrind"
fi

cc "${strict[@]}" -DWITH_DRYSTONE "${flags[@]}" -c examples/ode/ratio.c -o "$work/ratio.main"
c++ "$work/ratio.main" "$work"/*.o "${libraries[@]}" -o "$work/ratio"
[ "$("$work/ratio")" = "1000 kg on 1 kg: the upper box is at 1.500 m" ] || fail "examples/ode/ratio.c: another place than in examples/README.md"
echo "the example: as in examples/README.md"

# three tenths of each scene's time; "own" and "drystone" print: name, drift, overlap, energy, ms
settled="stack wall mass_ratio slope"
# shellcheck disable=SC2086
{ "$work/stock" -t 0.3 $settled; "$work/stock" pile; } >"$work/own.txt" & own=$!
# shellcheck disable=SC2086
{ "$work/scenes" -t 0.3 $settled; "$work/scenes" pile; } >"$work/drystone.txt"
wait $own
echo "                 drift [m]            overlap [m]           energy [J]      time of a step"
join <(sort "$work/own.txt") <(sort "$work/drystone.txt") >"$work/both.txt"
awk '{ printf "%-10s %9.2e %9.2e   %9.2e %9.2e   %9.2e %9.2e   %5.2f\n", $1, $2, $6, $3, $7, $4, $8, $9 / $5 }' "$work/both.txt"
awk '$6 > $2 || $7 > $3 || $8 > $4 { print $1 ": worse than with ODE"; worse = 1 } END { exit worse || NR != 5 }' "$work/both.txt" ||
    fail "no better than ODE's own solver"
echo "five scenes: less drift, overlap and energy than with ODE's own solver"
