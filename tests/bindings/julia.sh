#!/usr/bin/env bash
# The package for Julia: tests/bindings/julia.sh PREFIX WORK
#
# As text against the description of the interface, with Python; and, where there is a julia, its tests and the example.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/bindings/provide.sh
prefix=$1 work=$2
package=$PWD/bindings/julia/Drystone

provide python3 python3 || { skipped python "Python is missing (Debian: apt-get install python3)"; exit; }
python3 bindings/generate/julia.py --check
echo "generated from bindings/drystone.json: generated.jl"

# the programs of the README, each as a file
awk -v place="$work/readme" '/^```julia$/ { file = place (++count) ".jl"; next } /^```$/ { file = "" } file { print > file }' \
    bindings/julia/Drystone/README.md
programs=("$package"/test/*.jl examples/julia/*.jl "$work"/readme?.jl)
told=$(python3 tests/bindings/julia/check.py bindings "${programs[@]}")
echo "as text: $told"

if python3 -m venv "$work/environment" >"$work/venv.log" 2>&1 &&
    "$work/environment/bin/python" -m pip install --quiet --disable-pip-version-check tree-sitter tree-sitter-julia \
        >"$work/pip.log" 2>&1; then
    told=$("$work/environment/bin/python" tests/bindings/julia/parse.py "$package"/src/*.jl "${programs[@]}")
    echo "as text: $told"
else
    skipped julia-grammar "Julia's grammar cannot be had (python3-venv; pip install tree-sitter tree-sitter-julia)"
fi

command -v julia >/dev/null 2>&1 || {
    skipped julia "there is no julia (https://julialang.org): the package was checked as text, and not run"
    exit
}
export DRYSTONE_LIBRARY=$prefix/lib/libdrystone.so JULIA_DEPOT_PATH=$work/depot:
julia --project="$package" -e 'using Pkg; Pkg.test()' >"$work/tests.log" 2>&1 || { cat "$work/tests.log"; fail "Pkg.test()"; }
echo "tests: $(grep -c 'Pass' "$work/tests.log") sets"
julia --project="$package" examples/julia/pile.jl >"$work/pile.txt" || fail "pile.jl"
same_pile "$work/pile.txt" "Julia"
for name in arch grain clump; do
    julia --project="$package" "examples/julia/$name.jl" >"$work/$name.txt" || fail "$name.jl"
    "same_$name" "$work/$name.txt" "Julia"
done
