#!/usr/bin/env bash
# run.sh [OPTIONS]: boxes, hulls, cylinders and mixed shapes in drystone and its peers, interleaved; a table for each scene.
#
#   --engines "A B ..."  drystone rapier jolt bullet ode
#   --scenes "A:N ..."   default: $scenes below; N is the number of bodies, of stacks, or of boxes in the lowest row of the wall
#   --iterations "10"    iterations of each engine
#   --rounds N           3; engines alternate within a round
#   --work DIR           build/peers; keeps what was built
#   --results FILE       WORK/shapes.jsonl; started again
#   --append             add to the results file instead
#   --max-time S         300; processor time after which a scene is stopped before it has settled
#   --profile P          release; the cargo profile of drystone
#   --build              build what is missing or older than its source, and stop; drystone and the measuring program are
#                        always rebuilt
#   --no-build           run what is there
#   --jobs N             1; for building
#
# Needs cargo, C and C++ compilers, python3; for the peers libode-dev, libbullet-dev, pkg-config, cmake, ninja-build
# (Debian; installed when run as root), crates.io for rapier and Jolt's sources. What cannot be built is named and left out.
set -euo pipefail
engines="drystone rapier jolt bullet ode"
scenes="slab:1 slab:10 slab:100 wall:20 boxes:1000 mixed:1000 cylinders:700 hulls:1000 stacks:1000 boxes:3000"

usage() { sed -n '2,/^set -/{/^set -/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
iterations=10 rounds=3 work=$root/build/peers results='' append='' max_time=300 profile=release build=yes build_only='' jobs=1
while [ $# -gt 0 ]; do
  case $1 in
    --append) append=yes; shift; continue ;; --build) build_only=yes; shift; continue ;; --no-build) build=''; shift; continue ;;
  esac
  [ $# -ge 2 ] || usage
  case $1 in
    --engines) engines=$2 ;; --scenes) scenes=$2 ;; --iterations) iterations=$2 ;; --rounds) rounds=$2 ;; --work) work=$2 ;;
    --results) results=$2 ;; --max-time) max_time=$2 ;; --profile) profile=$2 ;; --jobs) jobs=$2 ;;
    *) usage ;;
  esac
  shift 2
done
mkdir -p "$work/shapes"
work=$(cd "$work" && pwd)
out=$work/shapes # adapters and the measuring program
results=${results:-$work/shapes.jsonl}
target=${CARGO_TARGET_DIR:-$root/target}
CC=${CC:-cc} CXX=${CXX:-c++}
adapter=(-O2 -std=c++17 -fPIC -shared -I"$here")

# ---- building ---------------------------------------------------------------------------------------------------------

# provide TEST PACKAGES...: installs Debian packages where TEST fails, when run as root.
provide() {
  local test=$1; shift
  eval "$test" >/dev/null 2>&1 && return
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || { echo "missing: $* (Debian packages)" >&2; return 1; }
  apt-get install -y "$@" || { apt-get update && apt-get install -y "$@"; }
}

build_drystone() {
  (cd "$root" && CARGO_TARGET_DIR=$target cargo build --profile "$profile" -j"$jobs" --lib --quiet) || return 1
  cp "$target/$profile/libdrystone.so" "$out/libdrystone.so" || return 1 # a later compilation does not change a run
  local commit; commit=$(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)
  [ -z "$(git -C "$root" status --porcelain -- src Cargo.toml 2>/dev/null)" ] || commit="$commit, changed"
  echo "$commit" >"$out/commit"
  # the adapter finds the library beside itself, unless LD_LIBRARY_PATH names another folder with one
  # shellcheck disable=SC2016
  $CC -std=c99 -O2 -fPIC -shared -I"$here" -I"$root/include" -o "$out/peer_drystone.so" "$here/drystone.c" -L"$out" -ldrystone \
    -Wl,--enable-new-dtags,-rpath,'$ORIGIN'
}

build_rapier() {
  mkdir -p "$work/shapes-rapier" && cp "$here/rapier/Cargo.toml" "$here/rapier/lib.rs" "$work/shapes-rapier" || return 1
  (cd "$work/shapes-rapier" && env -u CARGO_PROFILE_RELEASE_CODEGEN_UNITS RUSTFLAGS="-C target-cpu=native" \
    cargo build --release -q -j"$jobs" --target-dir target --features simd8) || return 1
  cp "$work/shapes-rapier/target/release/libpeer_rapier.so" "$out/peer_rapier.so"
}

# Jolt's sources come with the crate joltc-sys. Its own build file has them compiled for AVX2.
build_jolt() {
  provide "command -v cmake && command -v ninja" cmake ninja-build || return 1
  local crate=$work/shapes-jolt source
  mkdir -p "$crate" || return 1
  printf '[package]\nname = "jolt-sources"\nversion = "0.0.0"\nedition = "2021"\n[lib]\npath = "lib.rs"\n[dependencies]\njoltc-sys = "=0.3.1"\n[workspace]\n' >"$crate/Cargo.toml"
  : >"$crate/lib.rs"
  source=$(cd "$crate" && cargo metadata --format-version 1 | python3 -c 'import json, os, sys
packages = json.load(sys.stdin)["packages"]
print(next(os.path.dirname(p["manifest_path"]) for p in packages if p["name"] == "joltc-sys"))')/JoltC/JoltPhysics || return 1
  cmake -G Ninja -S "$source/Build" -B "$crate/build" -DCMAKE_BUILD_TYPE=Distribution -DTARGET_UNIT_TESTS=OFF -DTARGET_HELLO_WORLD=OFF \
    -DTARGET_PERFORMANCE_TEST=OFF -DTARGET_SAMPLES=OFF -DTARGET_VIEWER=OFF -DENABLE_ALL_WARNINGS=OFF -DINTERPROCEDURAL_OPTIMIZATION=OFF \
    -DGENERATE_DEBUG_SYMBOLS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON || return 1
  ninja -C "$crate/build" -j"$jobs" Jolt || return 1
  $CXX "${adapter[@]}" -DNDEBUG -DJPH_OBJECT_LAYER_BITS=16 -DJPH_USE_AVX -DJPH_USE_AVX2 -DJPH_USE_F16C -DJPH_USE_FMADD -DJPH_USE_LZCNT \
    -DJPH_USE_SSE4_1 -DJPH_USE_SSE4_2 -DJPH_USE_TZCNT -mavx2 -mbmi -mpopcnt -mlzcnt -mf16c -mfma -I"$source" -o "$out/peer_jolt.so" \
    "$here/jolt.cpp" "$crate/build/libJolt.a" -lpthread
}

build_bullet() {
  provide "pkg-config --exists bullet" libbullet-dev pkg-config || return 1
  # shellcheck disable=SC2046
  $CXX "${adapter[@]}" $(pkg-config --cflags bullet) -o "$out/peer_bullet.so" "$here/bullet.cpp" -lBulletDynamics -lBulletCollision -lLinearMath
}

build_ode() {
  provide "echo '#include <ode/ode.h>' | $CXX -E -x c++ -" libode-dev || return 1
  $CXX "${adapter[@]}" -o "$out/peer_ode.so" "$here/ode.cpp" -lode
}

# Whether the adapter of an engine is newer than its sources.
is_built() {
  [ -f "$out/peer_$1.so" ] && [ -z "$(find "$here/peer.h" "$here/$1"* -newer "$out/peer_$1.so" -type f)" ]
}

build() {
  echo "building ..." >&2
  $CXX -O2 -std=c++17 -Wall -Wextra -o "$out/bench" "$here/bench.cpp" -ldl
  local engine kept=()
  for engine in $engines; do
    if [ "$engine" = drystone ]; then
      build_drystone
    elif ! is_built "$engine" && ! "build_$engine" >"$out/$engine.log" 2>&1; then
      left_out+=("$engine: not built, see $out/$engine.log")
      continue
    fi
    kept+=("$engine")
  done
  engines="${kept[*]}"
}

# ---- running ----------------------------------------------------------------------------------------------------------

# As a function, so that the shell has read all of it before it begins: later changes of this file do not matter.
main() {
  left_out=()
  [ -z "$build" ] || build
  [ ${#left_out[@]} -eq 0 ] || printf 'left out: %s\n' "${left_out[@]}" >&2
  [ -z "$build_only" ] || { echo "built: $engines (in $out)" >&2; exit 0; }

  local pinned=() round each engine sweeps line
  ! command -v taskset >/dev/null || pinned=(taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')")
  quoted() { printf '%s' "$1" | tr -d '"\\'; }
  [ -n "$append" ] || printf '{"about":"shapes","date":"%s","commit":"%s","processor":"%s","load":"%s"}\n' "$(date -u +%F)" \
    "$(quoted "$(cat "$out/commit" 2>/dev/null || echo unknown)")" "$(quoted "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)")" \
    "$(cut -d' ' -f1-3 /proc/loadavg)" >"$results"
  for round in $(seq "$rounds"); do
    for each in $scenes; do
      echo "round $round of $rounds: $each" >&2
      for sweeps in $iterations; do
        for engine in $engines; do
          line=$("${pinned[@]}" "$out/bench" --peer "$out/peer_$engine.so" --label "$engine" --scene "${each%:*}" --n "${each#*:}" \
            --iterations "$sweeps" --max-time "$max_time") || { echo "  $engine failed on $each" >&2; continue; }
          echo "$line" | sed "s/}\$/,\"round\":$round,\"load\":$(cut -d' ' -f1 /proc/loadavg)}/" >>"$results"
        done
      done
    done
  done
  python3 "$here/table.py" "$results"
}
main
exit
