#!/usr/bin/env bash
# Installing and removing: tests/bindings/install.sh PREFIX WORK
#
# PREFIX was filled by `make install`; the rest is done with packaging/install.sh, which make calls, from the libraries
# that are linked by then.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/bindings/provide.sh
prefix=$1 work=$2
install=$PWD/packaging/install.sh library=$PWD/build/library

listed() {
    (cd "$1" && find . \( -type f -o -type l \) | sort)
}

for file in include/drystone.h lib/libdrystone.so lib/libdrystone.a \
    lib/pkgconfig/drystone.pc lib/pkgconfig/drystone-static.pc \
    lib/cmake/drystone/drystone-config.cmake lib/cmake/drystone/drystone-config-version.cmake \
    share/doc/drystone/LICENSE-MIT share/doc/drystone/LICENSE-APACHE share/doc/drystone/third-party.txt; do
    [ -e "$prefix/$file" ] || fail "$prefix/$file is missing"
done
grep -rl '@[A-Z]*@' "$prefix/lib/pkgconfig" "$prefix/lib/cmake" && fail "a template was not filled in"
grep -q '^  nalgebra ' "$prefix/share/doc/drystone/third-party.txt" || fail "third-party.txt does not name nalgebra"
! find "$prefix" -type f -perm /022 | grep . || fail "others may write"
! find "$prefix" ! -perm -444 | grep . || fail "not all may read"
sed 's/^/  /' < <(listed "$prefix")

# relative places; twice; and gone again, with the folders that were made
cd "$work"
for turn in first second; do PREFIX=here/prefix DESTDIR= "$install" install "$library" >/dev/null; done
diff <(listed "$prefix") <(listed here/prefix) || fail "a relative PREFIX, twice"
grep -qx "prefix=$PWD/here/prefix" here/prefix/lib/pkgconfig/drystone.pc || fail "drystone.pc: prefix is not absolute"
PREFIX=here/prefix "$install" uninstall >/dev/null
[ ! -e here ] || fail "left behind: $(find here)"
DESTDIR='with space/stage' PREFIX=/usr LIBDIR=lib/somewhere "$install" install "$library" >/dev/null
[ -e 'with space/stage/usr/lib/somewhere/libdrystone.so' ] || fail "DESTDIR and LIBDIR"
grep -qx 'prefix=/usr' 'with space/stage/usr/lib/somewhere/pkgconfig/drystone.pc' || fail "DESTDIR is in drystone.pc"
DESTDIR='with space/stage' PREFIX=/usr LIBDIR=lib/somewhere "$install" uninstall >/dev/null
[ ! -e 'with space' ] || fail "left behind: $(find 'with space')"
echo "installed twice the same; removed without a trace; DESTDIR and relative places"

# what is not ours stays, what an older version had goes
mkdir -p kept/share/drystone
touch kept/share/drystone/mine
PREFIX=kept "$install" install "$library" >/dev/null
touch kept/lib/libdrystone.so.0.1
echo lib/libdrystone.so.0.1 >>kept/share/drystone/installed
PREFIX=kept "$install" install "$library" >/dev/null
[ ! -e kept/lib/libdrystone.so.0.1 ] || fail "an older version's file stayed"
PREFIX=kept "$install" uninstall >/dev/null
[ "$(find kept -type f)" = kept/share/drystone/mine ] && [ ! -e kept/lib ] || fail "left in kept: $(find kept)"
echo "an older version's files go, other people's stay"

# refused, by name, with nothing done; as a user says it
refused() {
    local expected=$1 told
    shift
    ! told=$("$@" 2>&1) || fail "accepted: $*"
    grep -qF "$expected" <<<"$told" || fail "$*: expected \"$expected\", got \"$told\""
}
refused 'PREFIX is "a b": expected' make -C "$tests_root" --no-print-directory uninstall PREFIX='a b'
refused 'PREFIX is "a b": expected' env PREFIX='a b' "$install" install "$library"
refused 'PREFIX is "$(date)": expected' env PREFIX='$(date)' "$install" install "$library"
refused 'LIBDIR is "../lib": expected' env PREFIX=a LIBDIR=../lib "$install" install "$library"
refused 'LIBDIR is "/usr/lib": expected' env PREFIX=a LIBDIR=/usr/lib "$install" install "$library"
refused 'installed is missing: no drystone is installed there' env PREFIX=a "$install" uninstall
refused 'is missing: packaging/link.sh' env PREFIX=a "$install" install "$work"
[ ! -e a ] && [ ! -e 'a b' ] || fail "a refused install left files"
echo "refused by name: spaces, the shell's characters, folders outside, nothing to remove"
