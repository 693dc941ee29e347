#!/usr/bin/env bash
# run.sh HARNESS [OPTIONS]: drystone and every peer engine on the same scenes, interleaved; a table and a plot of it.
#
# HARNESS is the folder of the peer harness (bench.cpp, peer.h, adapters/); it is copied to WORK, never written to.
#
#   --engines "A B ..."  default: $engines_all below; more: drystone_2t ode_2t rapier_2t jolt_2t mujoco_noslip rapier_coulomb
#   --scenes "A B ..."   stack slope massratio wall cannonball pile1000 pile5000 pile20000 (all of them); also cannonball20
#   --sweeps "10 50"     iterations of each engine
#   --rounds N           3; engines alternate within a round
#   --work DIR           build/peers; keeps what was built and the settled beds
#   --results FILE       WORK/results.jsonl; started again
#   --profile P          release; the cargo profile of drystone
#   --build              build what is missing and stop
#   --no-build           run what is there
#   --jobs N             1; for building
#   --picture FILE       WORK/peers.svg
#
# Needs cargo, C and C++ compilers; for the peers: libode-dev, libbullet-dev, cmake, ninja-build (Debian; installed when run as
# root), python3 with venv for MuJoCo's wheel. What cannot be built is named and left out.
set -euo pipefail
engines_all="drystone ode bullet bullet64 rapier rapier64 rapier_simd8 jolt jolt_noslop mujoco mujoco_cg mujoco_pgs"
scenes_all="stack slope massratio wall cannonball pile1000 pile5000 pile20000"

usage() { sed -n '2,/^set -/{/^set -/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
[ $# -ge 1 ] && [ -f "$1/bench.cpp" ] || usage
root=$(cd "$(dirname "$0")/../.." && pwd)
harness=$(cd "$1" && pwd); shift
engines=$engines_all scenes=$scenes_all sweeps="10 50" rounds=3 work=$root/build/peers results= profile=release build=yes build_only= jobs=1 picture=
while [ $# -gt 0 ]; do
  case $1 in
    --engines) engines=$2; shift ;; --scenes) scenes=$2; shift ;; --sweeps) sweeps=$2; shift ;; --rounds) rounds=$2; shift ;;
    --work) work=$2; shift ;; --results) results=$2; shift ;; --profile) profile=$2; shift ;; --jobs) jobs=$2; shift ;;
    --picture) picture=$2; shift ;; --build) build_only=1 ;; --no-build) build= ;;
    *) usage ;;
  esac
  shift
done
mkdir -p "$work/build" "$work/beds"
work=$(cd "$work" && pwd)
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
results=$(absolute "${results:-$work/results.jsonl}"); picture=$(absolute "${picture:-$work/peers.svg}")
target=${CARGO_TARGET_DIR:-$root/target}
export CARGO_TARGET_DIR=$target
CC=${CC:-cc}; export CXX=${CXX:-c++}
left_out=()

# ---- building ---------------------------------------------------------------------------------------------------------

# An engine's adapter, label and options of the harness.
spec() {
  case $1 in
    drystone_2t | jolt_2t | ode_2t) echo "${1%_2t} --threads 2" ;; rapier_2t) echo "rapier_mt --threads 2" ;;
    jolt_noslop) echo "jolt --variant noslop" ;; rapier_coulomb) echo "rapier --variant coulomb" ;;
    mujoco) echo "mujoco --variant newton" ;; mujoco_noslip) echo "mujoco --variant newton+noslip" ;;
    mujoco_*) echo "mujoco --variant ${1#mujoco_}" ;; *) echo "$1" ;;
  esac
}

# provide TEST PACKAGES...: installs Debian packages where TEST fails, when run as root.
provide() {
  local test=$1; shift
  eval "$test" >/dev/null 2>&1 && return
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || { echo "missing: $* (Debian packages)" >&2; return 1; }
  { apt-get install -y "$@" || { apt-get update && apt-get install -y "$@"; }; } >>"$work/build/apt-get.log" 2>&1
}

# What an adapter needs; then the harness builds it.
build_peer() {
  case $1 in
    ode) provide "echo '#include <ode/ode.h>' | $CXX -E -x c++ -" libode-dev || return 1 ;;
    bullet*) provide "pkg-config --exists bullet && ls /usr/lib/*/libBulletDynamics-float64.so" libbullet-dev pkg-config || return 1 ;;
    jolt) provide "command -v cmake && command -v ninja" cmake ninja-build || return 1 ;;
    mujoco) "$work/build/venv/bin/python" -c 'import mujoco' 2>/dev/null ||
        { python3 -m venv "$work/build/venv" && "$work/build/venv/bin/pip" install -q mujoco; } || return 1 ;;
  esac
  (cd "$work" && env -u CARGO_TARGET_DIR PATH="$work/build/venv/bin:$PATH" JOBS=$jobs ./run.sh build "$1")
}

build_drystone() {
  (cd "$root" && cargo build --profile "$profile" -j"$jobs" --lib --quiet)
  cp "$target/$profile/libdrystone.so" "$work/build/libdrystone.so" # what is compiled meanwhile does not change a run
  local commit; commit=$(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)
  [ -z "$(git -C "$root" status --porcelain -- src Cargo.toml 2>/dev/null)" ] || commit="$commit, changed"
  echo "$commit" >"$work/build/commit"
  # the adapter finds the library beside itself
  # shellcheck disable=SC2016
  $CC -std=c99 -O2 -fPIC -shared -I"$harness" -I"$root/include" -o "$work/build/peer_drystone.so" "$root/benches/peers/drystone.c" \
    -L"$work/build" -ldrystone -Wl,-rpath,'$ORIGIN' -lm
}

build() {
  echo "building ..." >&2
  cp -Ru "$harness"/. "$work"
  chmod -R u+w "$work/adapters" "$work/run.sh"
  [ "$work/build/bench" -nt "$work/bench.cpp" ] || build_peer bench
  local engine adapter kept=()
  for engine in $engines; do
    adapter=$(spec "$engine" | cut -d' ' -f1)
    if [ "$adapter" = drystone ]; then
      [[ " ${kept[*]} " == *" drystone"* ]] || build_drystone
    elif [ ! -f "$work/build/peer_$adapter.so" ] && ! build_peer "$adapter" >>"$work/build/peers.log" 2>&1; then
      left_out+=("$engine: not built, see $work/build/peers.log")
      continue
    fi
    kept+=("$engine")
  done
  engines="${kept[*]}"
}

# ---- running ----------------------------------------------------------------------------------------------------------

# run ENGINE SCENE N SWEEPS CAP OPTIONS...: one line of JSON for each phase. CAP is in seconds, for settling and measuring together.
run() {
  local engine=$1 scene=$2 n=$3 iterations=$4 cap=$5; shift 5
  local adapter options pin=()
  read -r adapter options <<<"$(spec "$engine")"
  [[ $options == *--threads* ]] || pin=("${pinned[@]}")
  local library; library=$(ls -d "$work"/build/venv/lib/python3*/site-packages/mujoco 2>/dev/null || true)
  # shellcheck disable=SC2086
  (cd "$work" && LD_LIBRARY_PATH=$library timeout $((3 * cap + 60)) "${pin[@]}" build/bench --peer "./build/peer_$adapter.so" \
    --label "$engine" --scene "$scene" --n "$n" --iterations "$iterations" --max-wall "$cap" $options "$@")
}

# The bed of N spheres that an engine settled itself at 10 iterations: 5000 for 3 s from the start of the harness, 20 000 for 1 s from
# four mirror images of that.
bed() { # ENGINE N
  local file=$work/beds/$1-$2.txt from=()
  # of another build of drystone it would be another bed
  if [ ! -s "$file" ] || { [[ $1 == drystone* ]] && [ "$work/build/libdrystone.so" -nt "$file" ]; }; then
    if [ "$2" = 20000 ]; then
      bed "$1" 5000 || return 1
      from=(--bed "$work/beds/$1-5000.txt" --settle 1)
    fi
    echo "  settling $2 in $1 ..." >&2
    run "$1" pile "$2" 10 900 "${from[@]}" --measure 0.02 --save-bed "$file" >/dev/null || true
  fi
  [ -s "$file" ]
}

# 5000 spheres as the harness has them, settled for 3 s, and 240 steps timed; 20 000 from the engine's own bed, 60 steps to adjust and 30
# timed. Then 60 steps at the second number of iterations, and 120 (30) timed.
large() { # ENGINE N
  local engine=$1 n=$2 first second more=() from=()
  read -r first second <<<"$sweeps"
  [ -z "$second" ] || more=(--then-iterations "${second%% *}")
  if [ "$n" = 20000 ]; then
    bed "$engine" "$n" || return 1
    from=(--bed "$work/beds/$engine-$n.txt" --settle 0.25 --measure 0.125)
    [ -z "$second" ] || more+=(--then-steps "60,30")
  fi
  run "$engine" pile "$n" "$first" 400 "${from[@]}" "${more[@]}"
}

scene() { # ENGINE SCENE
  local engine=$1 each
  case $2 in
    pile1000)
      # a step of MuJoCo's Newton takes most of a second
      local cap=150; [ "$engine" != mujoco ] || cap=60
      for each in $sweeps; do run "$engine" pile 1000 "$each" $cap; done ;;
    pile5000 | pile20000)
      # MuJoCo's step of 1000 spheres already takes 10 ms to 1 s
      [[ $engine == mujoco* ]] && return 0
      large "$engine" "${2#pile}" ;;
    wall) for each in $sweeps; do run "$engine" pyramid 20 "$each" 60; done ;;
    stack) for each in $sweeps; do run "$engine" stack 10 "$each" 40; run "$engine" stack 20 "$each" 40; done ;;
    slope | massratio) for each in $sweeps; do run "$engine" "$2" 1 "$each" 40; done ;;
    cannonball) for each in $sweeps; do run "$engine" cannonball 10 "$each" 40; done ;;
    cannonball20) for each in $sweeps; do run "$engine" cannonball 20 "$each" 60; done ;;
    *) echo "no scene $2" >&2; exit 2 ;;
  esac
}

# As a function, so that the shell has read all of it before it begins: what is changed in this file meanwhile does not matter.
main() {
  [ -z "$build" ] || build
  [ ${#left_out[@]} -eq 0 ] || printf 'left out: %s\n' "${left_out[@]}" >&2
  [ -z "$build_only" ] || { echo "built: $engines (in $work/build)" >&2; exit 0; }

  pinned=(); command -v taskset >/dev/null && pinned=(taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')")
  quoted() { printf '%s' "$1" | tr -d '"\\'; }
  commit=$(cat "$work/build/commit" 2>/dev/null || echo unknown)
  processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -1)
  printf '{"about":"run","date":"%s","commit":"%s","profile":"%s","processor":"%s","rounds":%s,"load":"%s","left_out":"%s"}\n' "$(date -u +%F)" \
    "$(quoted "$commit")" "$(quoted "$profile")" "$(quoted "$processor")" "$rounds" "$(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null)" "$(quoted "${left_out[*]:-}")" >"$results"
  for round in $(seq "$rounds"); do
    for each_scene in $scenes; do
      echo "round $round of $rounds: $each_scene" >&2
      for engine in $engines; do
        lines=$(scene "$engine" "$each_scene") || echo "  $engine failed on $each_scene" >&2
        [ -z "$lines" ] || sed "s/}\$/,\"round\":$round,\"load\":$(cut -d' ' -f1 /proc/loadavg)}/" <<<"$lines" >>"$results"
      done
    done
  done
  (cd "$root" && cargo bench --profile "$profile" -j"$jobs" --quiet --bench peers -- "$results" "$picture")
}
main
exit
