#!/usr/bin/env bash
# Module drystone, as users have it: tests/bindings/fortran.sh PREFIX WORK
#
# The generated part against drystone.json and against the C compiler; the tests of tests/bindings/fortran and the programs
# of the README; the example through pkg-config and CMake, shared and static, under valgrind.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/bindings/provide.sh
prefix=$1 work=$2
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
provide gfortran gfortran || { skipped gfortran "gfortran is missing (Debian: apt-get install gfortran)"; exit; }
provide pkg-config pkg-config || { skipped pkg-config "pkg-config is missing (Debian: apt-get install pkg-config)"; exit; }

root=$PWD
share=$(pkg-config --variable=sharedir drystone)
# word splitting is what a user's shell does
shared=($(pkg-config --libs drystone) "-Wl,-rpath,$prefix/lib")
static=($(pkg-config --libs drystone-static))
# -fcheck looks at bounds and shapes while the program runs; its notes of copies are not errors
strict=(-g -std=f2008 -Wall -Wextra -pedantic -Wimplicit-interface -Werror -fcheck=all,no-array-temps)

# silent COMMAND...: must end with 0 and say nothing
silent() {
    local said
    said=$("$@" 2>&1) && [ -z "$said" ] || fail "$*"$'\n'"$said"
}

cd "$work" # where compilers leave .mod files

# ---- the raw interface --------------------------------------------------------------------------------------------

if provide python3 python3; then
    silent python3 "$root/bindings/generate/fortran.py" --check
    echo "drystone_c.f90 is what drystone.json says"
    python3 "$root/tests/bindings/fortran/layout.py" "$share/drystone.json" "$work"
    silent ${CC:-cc} layout.c $(pkg-config --cflags drystone) -o layout-c
    silent gfortran "$share/fortran/drystone_c.f90" layout.f90 -o layout-fortran
    ./layout-c >layout-c.txt
    ./layout-fortran >layout-fortran.txt
    diff layout-c.txt layout-fortran.txt >&2 || fail "Fortran (>) does not lay out what C (<) does"
    echo "$(grep -vc '\.' layout-c.txt) sizes and constants, $(grep -c '\.' layout-c.txt) offsets, as in C"
    gfortran -fc-prototypes -fsyntax-only "$share/fortran/drystone_c.f90" >prototypes.h
    python3 "$root/tests/bindings/fortran/prototypes.py" "$share/drystone.json" prototypes.h
else
    skipped python "python3 is missing (Debian: apt-get install python3): layouts and arguments are not compared with C's"
fi

# every function of the interface has its procedure: c_dry_... is called by the other files
for function in $(sed -n 's/.*bind(C, name="\(dry_[a-z_]*\)").*/\1/p' "$share/fortran/drystone_c.f90"); do
    grep -q "c_$function\b" "$share"/fortran/drystone_{errors,worlds,bodies,states,joints,solvers,runs}.f90 ||
        fail "module drystone does not call $function"
done

# what has optional arguments also takes ierr in their place: its name is generic
for name in $(awk '/^  subroutine / {split($2, part, "("); name = part[1]} /, optional ::/ && !/:: ierr/ && name ~ /^dry/ {print name}' \
    "$share"/fortran/drystone_{worlds,bodies,states,joints,solvers}.f90 | sort -u); do
    grep -q "^  interface $name$" "$share"/fortran/drystone_*.f90 ||
        fail "$name has optional arguments and no interface that takes ierr in their place"
done

# ---- the tests ----------------------------------------------------------------------------------------------------

silent gfortran "${strict[@]}" -c "$share/fortran/drystone.f90"
silent gfortran "${strict[@]}" -c "$root/tests/bindings/fortran/checks.f90"
for test in worlds joints solvers; do
    silent gfortran "${strict[@]}" "$root/tests/bindings/fortran/$test.f90" checks.o drystone.o "${shared[@]}" -o $test
    silent ./$test
done
echo "gfortran: without a warning; worlds, joints, solvers"
silent gfortran "${strict[@]}" "$root/tests/bindings/fortran/stops.f90" drystone.o "${shared[@]}" -o stops
! ./stops >stops.txt 2>&1 || fail "a failure without ierr did not end the program"
grep -q '^DRY_ERR_ARGUMENT: dry_shape_sphere: radius is -1' stops.txt && ! grep -q never stops.txt || fail "$(cat stops.txt)"
echo "a failure without ierr ends the program with drystone's message"

# ---- the example --------------------------------------------------------------------------------------------------

for link in shared static; do
    declare -n flags=$link
    silent gfortran -O2 "$share/fortran/drystone.f90" "$root/examples/fortran/pile.f90" "${flags[@]}" -o "pile-$link"
    "./pile-$link" >"pile-$link.txt"
    same_pile "pile-$link.txt" "Fortran, pkg-config, $link"
    for name in arch grain clump; do
        silent gfortran -O2 "$share/fortran/drystone.f90" "$root/examples/fortran/$name.f90" "${flags[@]}" -o "$name-$link"
        "./$name-$link" >"$name-$link.txt"
        "same_$name" "$name-$link.txt" "Fortran, pkg-config, $link"
    done
done

if provide cmake cmake; then
    for component in shared static; do
        { cmake -S "$root/tests/bindings/fortran" -B "cmake-$component" -DPILE="$root/examples/fortran/pile.f90" \
            -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" -DCOMPONENT=$component &&
            cmake --build "cmake-$component"; } >cmake.log 2>&1 || { tail -20 cmake.log >&2 && fail "CMake, $component"; }
        "cmake-$component/pile" >cmake.txt
        same_pile cmake.txt "Fortran, CMake, $component"
    done
else
    skipped cmake "CMake is missing (Debian: apt-get install cmake)"
fi

if provide valgrind valgrind libc6-dbg; then
    valgrind=(valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect)
    "${valgrind[@]}" ./pile-shared >valgrind.txt || fail "valgrind"
    same_pile valgrind.txt "Fortran, valgrind"
    for test in worlds joints solvers; do silent "${valgrind[@]}" ./$test; done
    echo "clean under valgrind: the example, worlds, joints, solvers"
else
    skipped valgrind "valgrind is missing (Debian: apt-get install valgrind libc6-dbg)"
fi

# ---- the README ---------------------------------------------------------------------------------------------------

# each program of the README, as it stands there, prints lines that are shown
readme=$root/bindings/fortran/README.md
awk '/^```fortran$/ {n++; file = "readme-" n ".f90"; next} /^```$/ {file = ""} file {print > file}' "$readme"
count=0
for program in readme-*.f90; do
    silent gfortran "${strict[@]}" "$program" drystone.o "${shared[@]}" -o "${program%.f90}"
    "./${program%.f90}" >"$program.txt" || fail "$program"
    while IFS= read -r line; do
        grep -qxF "    $line" "$readme" || fail "$program prints \"$line\", which $readme does not show"
    done <"$program.txt"
    [ -s "$program.txt" ] || fail "$program prints nothing"
    count=$((count + 1))
done
[ $count -ge 2 ] || fail "$readme has only $count programs"
echo "$count programs of the README, as they stand there"
