#!/usr/bin/env bash
# What the section "Install" of README.md says, done as it stands: tests/bindings/readme.sh PREFIX WORK
#
# /opt/drystone becomes a folder below WORK. Lines that begin with make are run in the root of the sources, all others
# in a folder with pile.c and the CMakeLists.txt that the section shows; each must succeed.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/bindings/provide.sh
work=$2
place=$work/place
mkdir -p "$place"
section=$(sed -n '/^## Install$/,/^## [^I]/p' README.md)
cp examples/c/pile.c "$place"
sed -n '/^```cmake$/,/^```$/{/^```/d; p}' <<<"$section" >"$place/CMakeLists.txt"
[ -s "$place/CMakeLists.txt" ] || fail "README.md shows no CMakeLists.txt"

# make package is run by package.sh
commands=$(sed -n 's/^    //p' <<<"$section" | grep -v '^make package$')
[ "$(wc -l <<<"$commands")" = 5 ] || fail "README.md, Install: expected 5 commands, got: $commands"
provide cmake cmake || {
    skipped cmake "CMake is missing (Debian: apt-get install cmake)"
    commands=$(grep -v '^cmake' <<<"$commands")
}
programs=0
{
    echo "set -euo pipefail; cd '$place'; unset PKG_CONFIG_PATH"
    while IFS= read -r command; do
        case $command in
        make\ *) printf '(cd "%s" && %s) >&2\n' "$tests_root" "$command" ;;
        *) printf '{ %s; }\n' "$command" ;;
        esac
    done <<<"$commands"
} | sed "s|/opt/drystone|$work/opt|g" >"$work/commands"
bash "$work/commands" >"$work/printed" 2>"$work/log" || { tail -20 "$work/log" && fail "README.md, Install"; }

# every program printed the pile
grep '^hash' -B 5 "$work/printed" | grep -E '^[a-z_]+ [-+.0-9a-f]+$' | split -l 6 - "$work/pile."
for printed in "$work"/pile.*; do
    same_pile "$printed" "README, ${printed##*.}"
    programs=$((programs + 1))
done
[ $programs -ge 2 ] || fail "README.md, Install: $programs programs ran"
PREFIX=$work/opt make uninstall >"$work/log" 2>&1 && [ ! -e "$work/opt" ] || fail "make uninstall: $(cat "$work/log")"
echo "README, Install: every command does what it says"
