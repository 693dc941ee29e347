#!/usr/bin/env bash
# run.sh HARNESS [ROUNDS]: the settled pile of 1000 spheres in drystone and in ODE, in turn, one thread.
# HARNESS is the folder of the peer harness (bench.cpp, peer.h, adapters/); it is copied to build/peers, never written to.
# Needs cargo, a C and a C++ compiler and ODE's header; Debian's libode-dev is installed when run as root.
set -euo pipefail
[ $# -ge 1 ] && [ -f "$1/bench.cpp" ] || { echo "usage: $0 HARNESS [ROUNDS]   (HARNESS holds bench.cpp and peer.h)" >&2; exit 2; }
harness=$(cd "$1" && pwd); rounds=${2:-5}
root=$(cd "$(dirname "$0")/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
work=$root/build/peers
CC=${CC:-cc}; CXX=${CXX:-c++}

echo "building ..." >&2
mkdir -p "$work/build"
cp -R "$harness"/. "$work"
chmod -R u+w "$work"
mkdir -p "$work/adapters/drystone"
cp "$root/benches/peers/drystone.c" "$work/adapters/drystone"
if ! echo '#include <ode/ode.h>' | $CXX -E -x c++ - >/dev/null 2>&1; then
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || { echo "ODE's header is missing (Debian: apt-get install libode-dev)" >&2; exit 1; }
  { apt-get install -y libode-dev || { apt-get update && apt-get install -y libode-dev; }; } >"$work/build/apt-get.log" 2>&1
fi
(cd "$root" && cargo build --release --lib --quiet)
cd "$work"
# The harness's own run.sh learns to build drystone too, for its other scenes: ./run.sh drystone all
grep -q 'drystone)' run.sh || sed -i "s|^    ode) \$CXX.*|&\n    drystone) $CC -std=c99 -O2 -fPIC -shared -I. -I'$root/include' -o \$B/peer_drystone.so adapters/drystone/drystone.c -L'$target/release' -ldrystone -Wl,-rpath,'$target/release' -lm ;;|" run.sh
for part in bench ode drystone; do CXX=$CXX ./run.sh build $part; done

pin=(); command -v taskset >/dev/null && pin=(taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')")
results=$work/build/pile1000.jsonl
: >"$results"
for round in $(seq "$rounds"); do
  echo "round $round of $rounds ..." >&2
  for engine in ode drystone; do for sweeps in 10 50; do
    "${pin[@]}" build/bench --peer ./build/peer_$engine.so --label $engine --scene pile --n 1000 --iterations $sweeps --threads 1 >>"$results"
  done; done
done

# Processor time, as the harness advises for one thread: a neighbour's load does not enter.
field() { grep "\"engine\":\"$1\".*\"iterations\":$2," "$results" | sed "s/.*\"$3\":\([^,}]*\).*/\1/"; }
median() { sort -g | awk '{ x[NR] = $1 } END { print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'; }
printf '\npile of 1000, %s rounds, processor time of a step (median over the steps of a run, then over the rounds)\n' "$rounds"
printf '%-10s %6s %10s %10s %10s %14s %16s\n' engine sweeps 'median ms' 'least ms' contacts 'overlap max m' 'J per sphere'
for sweeps in 10 50; do
  for engine in ode drystone; do
    printf '%-10s %6s %10.3f %10.3f %10s %14s %16s\n' $engine $sweeps "$(field $engine $sweeps cpu_ms_median | median)" "$(field $engine $sweeps cpu_ms_min | sort -g | head -1)" \
      "$(field $engine $sweeps contacts | head -1)" "$(field $engine $sweeps max_penetration | head -1)" "$(field $engine $sweeps kinetic_energy_per_body | head -1)"
  done
  awk -v ours="$(field drystone $sweeps cpu_ms_median | median)" -v theirs="$(field ode $sweeps cpu_ms_median | median)" -v s=$sweeps \
    'BEGIN { printf "           at %s sweeps drystone takes %.2f of the time of ODE\n", s, ours / theirs }'
done
