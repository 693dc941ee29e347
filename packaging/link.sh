#!/usr/bin/env bash
# The libraries as they are installed, from those that cargo made: packaging/link.sh RELEASE OUT
#
#     RELEASE   the folder in which cargo left libdrystone.a and libdrystone.so: target/release
#     OUT       receives libdrystone.so.<abi>.<record>, its two links, libdrystone.a, and third-party.txt: what else is
#               in them, under which terms
#
# Cargo cannot name a library's ABI, so the shared one is linked again, with its soname, from the very objects of the
# static one. In both only the functions of the interface are visible: Rust's own runtime, which is in both, does
# not meet that of another library.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/facts.sh"
[ $# = 2 ] || fail "packaging/link.sh RELEASE OUT: expected two folders, got $#"
release=$1 out=$2
soname=libdrystone.so.$abi file=libdrystone.so.$abi.$record
for built in libdrystone.a libdrystone.so; do
    [ -f "$release/$built" ] || fail "$release/$built is missing: cargo build --release"
done
ld --version 2>/dev/null | grep -q '^GNU ld' || fail "ld is not GNU ld (Debian: apt-get install binutils)"

mkdir -p "$out"
work=$(mktemp -d "$out/link.XXXXXX")
trap 'rm -rf "$work"' EXIT

# what cargo's shared library exports is the interface; tests/bindings/library.sh compares it with the header
nm -D --defined-only "$release/libdrystone.so" | sed -n 's/.* T //p' >"$work/names"
{ echo '{ global:' && sed 's/$/;/' "$work/names" && echo 'local: *; };'; } >"$work/exports"
sed 's/.*/--undefined=&/' "$work/names" >"$work/roots"

# one object of all that the interface reaches; without it the archive has 34 MB, most of them never used. The
# sections of bitcode go because they do not survive being joined.
ld -r --gc-sections "@$work/roots" -o "$work/all.o" "$release/libdrystone.a"
objcopy --keep-global-symbols="$work/names" --strip-debug \
    --remove-section=.llvmbc --remove-section=.llvmcmd --remove-section=.comment "$work/all.o" "$work/drystone.o"
ar rcD "$work/libdrystone.a" "$work/drystone.o"

# -Xlinker for the path, which may have a comma in it
${CC:-cc} -shared "$work/drystone.o" -o "$work/$file" -Xlinker --version-script -Xlinker "$work/exports" \
    -Wl,-soname,"$soname" -Wl,--gc-sections -Wl,-z,defs -Wl,-z,relro -Wl,-z,now -Wl,--strip-all -Wl,--as-needed $private

chmod 644 "$work/libdrystone.a" "$work/$file"
rm -f "$out"/libdrystone.*
if command -v "${CARGO:-cargo}" >/dev/null 2>&1; then "$root/packaging/licences.sh" "$out/third-party.txt"; fi
mv "$work/libdrystone.a" "$work/$file" "$out/"
ln -s "$file" "$out/$soname"
ln -s "$soname" "$out/libdrystone.so"
