#!/usr/bin/env bash
# The packages: made, unpacked somewhere, used from there: tests/bindings/package.sh PREFIX WORK
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/bindings/provide.sh
prefix=$1 work=$2
example=$PWD/examples/c/pile.c
unset SOURCE_DATE_EPOCH PKG_CONFIG_PATH

packaging/package.sh build/library "$work/packages"
packaging/package.sh build/library "$work/again" >/dev/null
diff -r "$work/packages" "$work/again" || fail "packed twice, two results"
echo "packed twice: the same, byte by byte"

# used WHO ARGUMENT...: the example, compiled with what pkg-config says in the environment of the caller
used() {
    local who=$1
    shift
    ${CC:-cc} -std=c99 -O2 "$example" "$@" -lm -o "$work/pile"
    "$work/pile" >"$work/pile.txt"
    same_pile "$work/pile.txt" "$who"
}

# ---- the archive, moved after it was unpacked ----
mkdir -p "$work/unpacked"
tar -xzf "$work/packages"/drystone-*.tar.gz -C "$work/unpacked"
moved=$work/moved
mv "$work/unpacked"/drystone-* "$moved"
diff <(cd "$prefix" && find . ! -name installed | sort) <(cd "$moved" && find . | sort) || fail "the archive has other files"
! grep -rIlF "$work" "$moved" || fail "the archive knows where it was made"
export PKG_CONFIG_PATH=$moved/lib/pkgconfig
libraries=$(pkg-config --variable=libdir drystone)
[ "$(realpath "$libraries")" = "$(realpath "$moved/lib")" ] || fail "libdir of the archive: $libraries"
used "tar.gz, pkg-config, shared" $(pkg-config --cflags --libs drystone) -Wl,-rpath,"$libraries"
used "tar.gz, pkg-config, static" $(pkg-config --cflags --libs drystone-static)
if provide cmake cmake; then
    for component in shared static; do
        { cmake -S tests/bindings/c -B "$work/$component" -DPILE="$example" -DCOMPONENT=$component \
            -DCMAKE_PREFIX_PATH="$moved" && cmake --build "$work/$component"; } >"$work/$component.log" 2>&1 ||
            fail "$(tail -20 "$work/$component.log")"
        "$work/$component/pile" >"$work/pile.txt"
        same_pile "$work/pile.txt" "tar.gz, CMake, $component"
    done
else
    skipped cmake "CMake is missing (Debian: apt-get install cmake)"
fi

# ---- Debian's packages, unpacked into a folder that stands for the root ----
provide dpkg-deb dpkg || { skipped dpkg-deb "dpkg-deb is missing (Debian: apt-get install dpkg)"; exit; }
root=$work/root
mkdir -p "$root"
for package in "$work/packages"/*.deb; do
    dpkg-deb --extract "$package" "$root"
    dpkg-deb --control "$package" "$work/control"
    (cd "$root" && md5sum --quiet --check "$work/control/md5sums") || fail "sums of $package"
    rm -r "$work/control"
done
runtime=$(echo "$work/packages"/libdrystone[0-9]*.deb)
shared=$(echo "$root"/usr/lib/*/libdrystone.so)
soname=$(readelf --dynamic "$shared" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
[ "lib$(sed 's/^lib//; s/\.so\.//' <<<"$soname")" = "$(dpkg-deb --field "$runtime" Package)" ] || fail "$runtime for $soname"
dpkg-deb --control "$runtime" "$work/control"
grep -qx "libdrystone ${soname##*.} $(dpkg-deb --field "$runtime" Package) (>= [0-9.]*)" "$work/control/shlibs" || fail "shlibs"
export PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=${shared%/*}/pkgconfig PKG_CONFIG_PATH=
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
used "Debian package, pkg-config" $(pkg-config --cflags --libs drystone) -Wl,-rpath,"${shared%/*}"
if provide lintian lintian; then
    lintian --fail-on error "$work/packages"/*.deb >"$work/lintian" 2>&1 || fail "$(cat "$work/lintian")"
    echo "lintian: no errors, $(grep -c '^W:' "$work/lintian" || true) warnings"
else
    skipped lintian "lintian is missing (Debian: apt-get install lintian)"
fi
