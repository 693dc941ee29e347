#!/usr/bin/env bash
# Packages of drystone: packaging/package.sh LIBRARY OUT
#
#     LIBRARY   the folder that link.sh filled
#     OUT       receives drystone-<version>-<machine>.tar.gz, to be unpacked anywhere, and, where dpkg-deb is there,
#               libdrystone<abi> and libdrystone-dev
#
# In the environment: MAINTAINER, "name <address>" for the Debian packages; SOURCE_DATE_EPOCH, the time they bear, by
# default that of the last commit. The same library gives the same packages, byte by byte.
set -euo pipefail
umask 022
. "$(dirname "${BASH_SOURCE[0]}")/facts.sh"
[ $# = 2 ] || fail "packaging/package.sh LIBRARY OUT: expected two folders, got $#"
library=$1
mkdir -p "$2"
out=$(realpath "$2")
MAINTAINER=${MAINTAINER:-The drystone authors <drystone@packages.invalid>}
committed=$(git -C "$root" log -1 --format=%ct 2>/dev/null || stat -c %Y "$root/Cargo.toml")
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$committed}
export SOURCE_DATE_EPOCH
debian_version=$version-1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

installed() {
    packaging=$root/packaging/install.sh
    env -u RELOCATABLE DESTDIR="$work/$1" "${@:2}" "$packaging" install "$library" >/dev/null
    rm "$work/$1"/*/share/drystone/installed
}

archive() {
    local name
    name=drystone-$version-$(${CC:-cc} -dumpmachine)
    installed archive PREFIX="/$name" LIBDIR=lib RELOCATABLE=1
    tar -C "$work/archive" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" |
        gzip -9n >"$out/$name.tar.gz"
    echo "$out/$name.tar.gz"
}

# ---- Debian -------------------------------------------------------------------------------------------------------

# the newest version $2_x.y that the library asks a shared one for
newest() {
    objdump -T "$1" | grep -o "\b$2_[0-9.]*" | sed "s/$2_//" | sort -V | tail -n 1
}

debian() {
    local multiarch runtime=libdrystone$abi shared=$library/libdrystone.so.$abi.$record glibc gcc
    multiarch=$(${CC:-cc} -print-multiarch)
    glibc=$(newest "$shared" GLIBC) gcc=$(newest "$shared" GCC)
    installed all PREFIX=/usr LIBDIR="lib/$multiarch"
    mkdir -p "$work/$runtime/DEBIAN" "$work/$runtime/usr/lib/$multiarch" "$work/libdrystone-dev/DEBIAN"
    mv "$work/all/usr/lib/$multiarch"/libdrystone.so.* "$work/$runtime/usr/lib/$multiarch/"
    mv "$work/all/usr" "$work/libdrystone-dev/usr"

    printf '%s\n' "libdrystone $abi $runtime (>= $version)" >"$work/$runtime/DEBIAN/shlibs"
    echo "activate-noawait ldconfig" >"$work/$runtime/DEBIAN/triggers"
    documents "$runtime"
    documents libdrystone-dev
    rm -r "$work/libdrystone-dev/usr/share/doc/drystone"
    control "$runtime" libs "libc6 (>= $glibc), libgcc-s1 (>= $gcc)" "shared library" \
        "This package has what programs need to run."
    control libdrystone-dev libdevel "$runtime (= $debian_version)" "development files" \
        "This package has the header, the static library, the files for pkg-config
 and CMake, and bindings and adapters in source."
}

documents() {
    local from=$work/libdrystone-dev/usr/share/doc/drystone to=$work/$1/usr/share/doc/$1 holder
    mkdir -p "$to"
    holder=$(sed -n 's/^Copyright (c) //p' "$root/LICENSE-MIT")
    {
        printf '%s\n' "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/" \
            "Upstream-Name: drystone" "Comment: What is linked into it besides, and under which terms: third-party.txt" \
            "" "Files: *" "Copyright: $holder" "License: MIT or Apache-2.0" "" "License: MIT"
        sed '1,/^Copyright/d; /./,$!d' "$root/LICENSE-MIT" | sed '1{/^$/d}; s/^$/./; s/^/ /'
        printf '%s\n' "" "License: Apache-2.0" " The full text is in /usr/share/common-licenses/Apache-2.0."
    } >"$to/copyright"
    printf '%s\n' "drystone ($debian_version) unstable; urgency=medium" "" \
        "  * Version $version: see changelog.gz." "" " -- $MAINTAINER  $(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$to/changelog.Debian.gz"
    gzip -9nc "$from/CHANGELOG.md" >"$to/changelog.gz"
    cp "$from/abi.md" "$to/"
    [ ! -f "$from/third-party.txt" ] || gzip -9nc "$from/third-party.txt" >"$to/third-party.txt.gz"
}

# writes DEBIAN/control and the sums of package $1, and packs it
control() {
    local package=$1 folder=$work/$1 architecture
    architecture=$(dpkg --print-architecture)
    cat >"$folder/DEBIAN/control" <<END
Package: $package
Source: drystone
Version: $debian_version
Architecture: $architecture
Multi-Arch: same
Section: $2
Priority: optional
Maintainer: $MAINTAINER
Installed-Size: $(du -sk --exclude=DEBIAN "$folder" | cut -f1)
Depends: $3
Description: rigid bodies in frictional contact, $4
 A library with a C interface that moves rigid bodies in frictional contact and
 tells its host the contact forces. They balance to round-off in every step,
 and a correction makes them unique where rigid contacts leave them open.
 .
 $5
END
    (cd "$folder" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$folder/DEBIAN/md5sums"
    find "$folder" -print0 | xargs -0 touch -h -d "@$SOURCE_DATE_EPOCH"
    dpkg-deb --root-owner-group --build "$folder" "$out/${package}_${debian_version}_$architecture.deb" >/dev/null
    echo "$out/${package}_${debian_version}_$architecture.deb"
}

archive
if command -v dpkg-deb >/dev/null 2>&1; then
    debian
else
    echo "SKIPPED: dpkg-deb is missing (Debian: apt-get install dpkg): no Debian packages"
fi
