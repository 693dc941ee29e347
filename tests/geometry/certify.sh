#!/bin/sh
# Compares gaps and normals of many random pairs with certificates in double-double arithmetic, and prints one table.
#
#     tests/geometry/certify.sh [options]                  1000 pairs of every combination, some seconds
#     tests/geometry/certify.sh --pairs 20000 --seed 1     a million pairs
#     tests/geometry/certify.sh --kinds box-hull-tilted    one combination
#     tests/geometry/certify.sh --only box-hull:17         one pair, with all its numbers
#     tests/geometry/certify.sh --list FILE                also writes pairs above a bound and undecided ones, a line of JSON each
#
# DRYSTONE_LIB is the folder of the library, by default target/release. CC is the compiler, which must know -march=native: an
# fma of the processor makes double-double arithmetic fast. The exit status is 1 where a pair is above its bound or undecided.
# decide.py solves listed pairs with the reference of 60 digits.
#
# How a pair is certified:
#
# * Apart: the separation along a unit vector n is the least n.x of the second shape minus the largest n.x of the first.
#   No separation exceeds the gap. No distance of two points of the shapes is below it. Both bounds are computed to 32
#   digits, from the nearest features. They must agree to 1e-13 of the size.
# * Overlapping: the depth is the least over all axes. Each axis that two features have in common is tried. A search from 200
#   random axes, without features, must find no smaller depth.
# * A closed mesh is a convex surface, and counts as the solid inside it. That is certain for shapes apart. The contacts of an
#   overlap are those of its triangles: there the depth may be larger, or less by up to a half.
#
# The column "allowed" has such depths, and the ends of cylinders on faces: docs/limits.md gives their gaps an error of 1e-9 of the
# size. The column "missing" has pairs without contacts whose gap is below the margin, and steps that do not end within 2 s.
#
# Pairs are drawn as in compare.py. In rows "tilted" a face, an edge or a side of each shape faces one of the other, turned by 0
# or 1e-17 to 1e-3. In an eighth of the pairs the margin of contacts is just above the gap, else half of the size.
#
# Bounds are those of compare.py: 1e-12 of the size apart, 1e-9 for cylinders with cylinders or hulls, 1e-9 for overlaps. So are
# errors of normals and the column "near a face". In rows "tilted" that column also has normals along which the separation is the gap
# to the bound. Nearly parallel lines have many such normals.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
lib=${DRYSTONE_LIB:-$root/target/release}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

${CC:-cc} -std=c11 -O3 -march=native -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Werror \
    -I "$root/include" "$here"/certify/*.c -o "$folder/certify" -L "$lib" -ldrystone -lm -Wl,-rpath,"$lib"
"$folder/certify" "$@"
