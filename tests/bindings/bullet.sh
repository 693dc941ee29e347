#!/usr/bin/env bash
# The adapter for Bullet, as users have it: tests/bindings/bullet.sh PREFIX WORK
#
# Against Debian's libbullet-dev, in single and in double precision: its checks, the same scenes with Bullet's own solver
# and with drystone, the example, and the program of the README.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/bindings/provide.sh
prefix=$1 work=$2
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
provide "${CXX:-c++}" g++ || { skipped c++ "a C++ compiler is missing (Debian: apt-get install g++)"; exit; }
provide pkg-config pkg-config || { skipped pkg-config "pkg-config is missing (Debian: apt-get install pkg-config)"; exit; }
provide /usr/include/bullet/btBulletDynamicsCommon.h libbullet-dev || {
    skipped bullet "Bullet is missing (Debian: apt-get install libbullet-dev)"; exit; }

strict=(-std=c++17 -O1 -Wall -Wextra -Wpedantic -Wconversion -Werror)
adapter=$(pkg-config --variable=includedir drystone-bullet)
# Bullet's own headers are not ours to change; everything else is compiled as strictly as it can be
foreign() { pkg-config --cflags "$1" | sed 's/-I/-isystem /g'; }

# build PROGRAM PACKAGE SOURCE...: in single or in double precision, as the package says
build() {
    local program=$work/$1 package=$2
    shift 2
    # word splitting is what a user's shell does
    ${CXX:-c++} "${strict[@]}" -I"$adapter" $(foreign "$package") "$@" $(pkg-config --cflags --libs drystone) \
        $(pkg-config --libs "$package") -pthread -Wl,-rpath,"$prefix/lib" -o "$program" 2>"$program.warnings" ||
        fail "$program: $(cat "$program.warnings")"
}

# runs PROGRAM ARGUMENT...: shows what it prints, except for single checks, which are counted
runs() {
    local program=$work/$1 status=0
    shift
    "$program" "$@" >"$program.txt" 2>&1 || status=$?
    grep -v '^ok ' "$program.txt" || true
    [ $status = 0 ] || fail "$program"
    echo "${program##*/}: $(grep -c '^ok ' "$program.txt" || true) checks"
}

scenes=tests/bindings/bullet
for package in bullet bullet-float64; do
    build "units-$package" $package $scenes/units*.cpp &
    build "compare-$package" $package $scenes/compare.cpp &
    wait -n
    wait -n
    build "standing-$package" $package $scenes/standing.cpp
    echo "$package: without a warning"
done
# a user's program: nothing but what pkg-config says, and beside drystone's other header for C++
${CXX:-c++} -std=c++17 -O2 -include drystone.hpp examples/bullet/wall.cpp $(pkg-config --cflags --libs drystone-bullet) \
    -Wl,-rpath,"$prefix/lib" -o "$work/wall"

for package in bullet bullet-float64; do
    runs "units-$package"
    "$work/standing-$package" || fail "what should stand falls"
    runs "compare-$package"
done
"$work/wall" drystone | tee "$work/wall.txt"
grep -q '^after 3 s the wall has drifted by 0.000000 m and sunk by 0.000000 m$' "$work/wall.txt" || fail "the wall moved"
! grep -q refused "$work/wall.txt" || fail "a step was refused"

# the program of the README, as it stands there
readme=bindings/bullet/README.md
awk '/^```cpp$/ {on = 1; next} /^```$/ {on = 0} on' $readme >"$work/readme.cpp"
build readme bullet "$work/readme.cpp"
grep -qxF "    $("$work/readme")" $readme || fail "$readme does not show what its program prints: $("$work/readme")"
echo "the program of the README"

if provide valgrind valgrind libc6-dbg; then
    valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect "$work/readme" \
        >/dev/null || fail "valgrind"
    echo "clean under valgrind: the program of the README"
else
    skipped valgrind "valgrind is missing (Debian: apt-get install valgrind libc6-dbg)"
fi
