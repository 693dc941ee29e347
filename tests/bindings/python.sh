#!/usr/bin/env bash
# The wheel for Python, built and installed as its README says, in an environment of its own: tests/bindings/python.sh PREFIX
# WORK. Then its tests, mypy, and the examples.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/bindings/provide.sh
prefix=$1 work=$2
python=$work/environment/bin/python

provide python3 python3 || { skipped python "Python is missing (Debian: apt-get install python3 python3-venv)"; exit; }
python3 bindings/generate/python.py --check
echo "generated from bindings/drystone.json: raw.py, _status.py"

python3 -m venv "$work/environment" >"$work/venv.log" 2>&1 ||
    { provide /usr/share/python-wheels python3-venv && python3 -m venv --clear "$work/environment"; } ||
    { skipped python-venv "environments for Python cannot be made (Debian: apt-get install python3-venv)"; exit; }
install() { "$python" -m pip install --quiet --disable-pip-version-check "$@" >>"$work/pip.log" 2>&1; }
install numpy || { skipped numpy "numpy cannot be had from the package index (pip install numpy)"; exit; }

# the library that was installed, not that of the build
DRYSTONE_LIBRARY=$prefix/lib/libdrystone.so make --no-print-directory wheel >"$work/wheel.log" 2>&1 ||
    { cat "$work/wheel.log"; fail "make wheel"; }
install build/wheel/drystone-*.whl || { tail -5 "$work/pip.log"; fail "pip install $(ls build/wheel)"; }
echo "built and installed: $(basename build/wheel/*.whl)"

cd "$work"
unset DRYSTONE_LIBRARY
examples=$OLDPWD/examples/python tests=$OLDPWD/bindings/python/tests
"$python" -c 'import drystone; print(drystone.library_path())' >path.txt
[[ $(<path.txt) == "$work"/environment/*/drystone/libdrystone.so ]] || fail "the library is $(<path.txt)"
cmp -s "$(<path.txt)" "$prefix/lib/libdrystone.so" || fail "the wheel has another library than $prefix"

"$python" "$examples/pile.py" >pile.txt
same_pile pile.txt "Python"
for name in arch grain clump; do
    "$python" "$examples/$name.py" >"$name.txt"
    "same_$name" "$name.txt" "Python"
done

install pytest 'mypy>=1.11' matplotlib || { skipped pytest "pytest, mypy, matplotlib cannot be had (pip install)"; exit; }
# tests of robots are skipped without these; the packages after --no-deps have only files of robots
pins() { sed -n "s/^$1 = \[\(.*\)\]$/\1/p" "$tests_root/bindings/python/pyproject.toml" | tr -d '",'; }
read -ra loaders <<<"$(pins robots)"
read -ra models <<<"$(pins test-robots)"
install "${loaders[@]}" && install --no-deps "${models[@]}" ||
    skipped robots "packages of robots cannot be had (pip install ${loaders[*]} ${models[*]})"
# tests of masonry are skipped without these
# and those of convex decomposition without this one
read -ra decomposition <<<"$(pins decomposition)"
install "${decomposition[@]}" || skipped decomposition "a package cannot be had (pip install ${decomposition[*]})"
read -ra masonry <<<"$(pins compas) $(pins test-compas)"
install "${masonry[@]}" || skipped masonry "packages of masonry cannot be had (pip install ${masonry[*]})"
"$python" -m pytest -q -W error -p no:cacheprovider "$tests" >tests.log 2>&1 || { cat tests.log; fail "the tests"; }
echo "tests: $(tail -1 tests.log)"
! tail -1 tests.log | grep -q skipped || skipped python-tests "pytest -rs in bindings/python/tests says why"
"$python" -m mypy --strict -p drystone >mypy.log 2>&1 || { cat mypy.log; fail "mypy, the package"; }
"$python" -m mypy --strict --warn-unused-ignores "$tests/typed.py" >mypy.log 2>&1 || { cat mypy.log; fail "mypy, a program"; }
echo "mypy --strict: the package, and a program that uses it"

# gaps and normals beside a reference of 40 digits
geometry=$tests_root/tests/geometry
"$python" -m mypy --strict --warn-unused-ignores "$geometry/compare.py" >mypy.log 2>&1 || { cat mypy.log; fail "mypy, compare.py"; }
"$python" -B "$geometry/compare.py" --pairs 30 --allow-tilt >geometry.txt 2>&1 || { cat geometry.txt; fail "compare.py"; }
echo "geometry: $(grep -c ' [0-9.e-]* (:' geometry.txt) combinations of shapes within their bounds"

"$python" "$examples/pyramid.py" pyramid.png 8 >pyramid.txt || { cat pyramid.txt; fail "pyramid.py"; }
[ "$(head -c 4 pyramid.png | tail -c 3)" = PNG ] || fail "pyramid.png is no picture"
echo "pyramid.py: $(grep '^Compatible' pyramid.txt)"

# Examples that check themselves, those that can be long in a short form: what follows a name are its other arguments.
for example in four_bar slider_crank "projection 10000" friction crane "arm 0.5"; do
    read -r -a words <<<"$example"
    name=${words[0]}
    "$python" -B "$examples/$name.py" "$name.png" "${words[@]:1}" >"$name.txt" 2>&1 || { cat "$name.txt"; fail "$name.py"; }
    [ "$(head -c 4 "$name.png" | tail -c 3)" = PNG ] || fail "$name.png is no picture"
    echo "$name.py: $(tail -2 "$name.txt" | head -1 | sed "s/^ *//")"
done
