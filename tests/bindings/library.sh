#!/usr/bin/env bash
# The installed libraries: what they export and need, their names and version: tests/bindings/library.sh PREFIX WORK
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/bindings/provide.sh
prefix=$1 work=$2
release=${CARGO_TARGET_DIR:-$PWD/target}/release
abi=$(sed -n 's/^abi = //p' Cargo.toml)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
shared=$prefix/lib/libdrystone.so static=$prefix/lib/libdrystone.a

# the functions of the header, as the compiler sees them
sed '/^ \*/b; /^typedef.*(\*/,/;$/b; /^typedef/b; s/);$/) { __builtin_trap(); }/' "$prefix/include/drystone.h" >"$work/header.c"
${CC:-cc} -std=c99 -c "$work/header.c" -o "$work/header.o"
nm --defined-only --extern-only "$work/header.o" | awk '{ print $3 }' | sort >"$work/header"
[ "$(wc -l <"$work/header")" -ge 50 ] || fail "the header has $(wc -l <"$work/header") functions"
! grep -v '^dry_' "$work/header" || fail "a function of the header does not begin with dry_"

exported() {
    nm "$@" | awk 'NF == 3 { print $3 }' | sort
}
exported --dynamic --defined-only "$shared" | diff "$work/header" - || fail "$shared exports other names"
exported --defined-only --extern-only "$static" | diff "$work/header" - || fail "$static has other visible names"
exported --dynamic --defined-only "$release/libdrystone.so" | diff "$work/header" - || fail "$release/libdrystone.so"
echo "exported: the $(wc -l <"$work/header") functions of the header and nothing else, shared and static"

dynamic() {
    readelf --dynamic "$2" | sed -n "s/.*($1).*\[\(.*\)\]/\1/p"
}
[ "$(dynamic SONAME "$shared")" = "libdrystone.so.$abi" ] || fail "soname: $(dynamic SONAME "$shared")"
[ "$(readlink "$shared")" = "libdrystone.so.$abi" ] && [ -f "$shared.$abi" ] || fail "the links of $shared"
[ -z "$(dynamic SONAME "$release/libdrystone.so")" ] || fail "$release/libdrystone.so has a soname"
echo "soname: libdrystone.so.$abi; none in target/release"

allowed='^(libc|libm|libgcc_s|libpthread)\.so\.[0-9]+$|^ld-linux[-a-z0-9_]*\.so\.[0-9]+$'
unknown=$(dynamic NEEDED "$shared" | grep -vE "$allowed" || true)
[ -z "$unknown" ] || fail "it needs $unknown"
dynamic NEEDED "$shared" | grep -q '^libc\.so' || fail "readelf reports nothing"
echo "needs: $(dynamic NEEDED "$shared" | sort | tr '\n' ' ')"

# Sines, powers and logarithms of the C library differ from machine to machine: src/math/elementary.rs. parry takes
# acos and cos from it where it searches for the first triangle of a hull.
functions='a?(sin|cos|tan)h?|sincos|atan2|hypot|cbrt|pow|exp(2|10|m1)?|log(2|10|1p)?|[lt]gamma(_r)?'
undefined=$(nm --dynamic --undefined-only "$shared" | sed -n 's/.* U \([^@]*\).*/\1/p')
[ -n "$undefined" ] || fail "nm reports nothing"
foreign=$(grep -xE "$functions" <<<"$undefined" | grep -vxE 'acos|cos' || true)
[ -z "$foreign" ] || fail "mathematics of the C library: $foreign"
echo "mathematics: its own"

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
printf '%s\n' '#include <drystone.h>' '#include <stdio.h>' 'int main(void) { puts(dry_version_string()); }' \
    >"$work/version.c"
${CC:-cc} "$work/version.c" $(pkg-config --cflags --libs drystone) -Wl,-rpath,"$prefix/lib" -o "$work/version"
for told in "$("$work/version")" "$(pkg-config --modversion drystone)" "$(pkg-config --modversion drystone-static)"; do
    [ "$told" = "$version" ] || fail "version $told, of Cargo.toml $version"
done
echo "version: $version, of Cargo.toml, the library and pkg-config"
