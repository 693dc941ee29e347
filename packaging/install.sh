#!/usr/bin/env bash
# Puts drystone in place, or takes it away again:
#
#     packaging/install.sh install LIBRARY    LIBRARY: the folder that link.sh filled
#     packaging/install.sh uninstall
#     packaging/install.sh sources            what needs no building, alone: for a CMake project with drystone as a part
#
# In the environment:
#
#     PREFIX        where it will be used; default /usr/local
#     DESTDIR       stands before PREFIX while files are copied; default none
#     LIBDIR        the folder of libraries below PREFIX; default lib
#     RELOCATABLE   1: pkg-config derives the prefix from the place of its file, so that the whole may be moved
#
# What was installed is listed in PREFIX/share/drystone/installed: `uninstall` removes these files, and the folders that
# `install` had to make, if they are empty. A second install removes what only the first one had.
set -euo pipefail
umask 022
. "$(dirname "${BASH_SOURCE[0]}")/facts.sh"

PREFIX=${PREFIX:-/usr/local} DESTDIR=${DESTDIR:-} LIBDIR=${LIBDIR:-lib}
# pkg-config hands its words to a shell: no path in them can hold what a shell would take apart. (`sources` has none.)
refused='[[:space:]"'\''\\$`;&|<>()*?#!~]|^-'
[[ ${1:-} == sources || ! $PREFIX =~ $refused ]] ||
    fail "PREFIX is \"$PREFIX\": expected a path without spaces and the shell's own characters"
[[ ! $LIBDIR =~ $refused && $LIBDIR != /* && /$LIBDIR/ != */../* ]] ||
    fail "LIBDIR is \"$LIBDIR\": expected a folder below PREFIX, without spaces and the shell's own characters"
PREFIX=$(realpath -ms "$PREFIX")
[ -z "$DESTDIR" ] || DESTDIR=$(realpath -ms "$DESTDIR")
top=$DESTDIR${PREFIX%/}
list=share/drystone/installed
adapters="bullet ode"

# source and destination below PREFIX, a tab between them, of all that is copied as it is
each_file() {
    printf '%s\t%s\n' \
        "$root/include/drystone.h" include/drystone.h \
        "$root/docs/abi.md" share/doc/drystone/abi.md
    local file destination
    for file in LICENSE-APACHE LICENSE-MIT CHANGELOG.md; do
        printf '%s\t%s\n' "$root/$file" "share/doc/drystone/$file"
    done
    # bindings/README.md says which go where
    while IFS= read -r file; do
        case $file in
        cpp/*.hpp) destination=include/${file#cpp/} ;;
        drystone.json | ode/*.hpp | *.c | *.cpp | *.f90 | */README.md) destination=share/drystone/$file ;;
        *.h | *.hpp) destination=include/drystone/$file ;;
        *) continue ;;
        esac
        printf '%s\t%s\n' "$root/bindings/$file" "$destination"
    done < <(cd "$root/bindings" && find drystone.json cpp fortran $adapters -type f 2>/dev/null | sort)
}

# $1, a template, filled in; $2: the adapter it is for
filled() {
    local prefix=$PREFIX up libraries=$private
    up=$(realpath -ms --relative-to="/$LIBDIR/cmake/drystone" /)
    [ "${RELOCATABLE:-}" != 1 ] || prefix="\${pcfiledir}/$(realpath -ms --relative-to="/$LIBDIR/pkgconfig" /)"
    case $1 in *.cmake.in) libraries=$(sed 's/-l//g; s/ /;/g' <<<"$private") ;; esac
    sed -e "s|@PREFIX@|$prefix|; s|@LIBDIR@|$LIBDIR|; s|@UP@|$up|; s|@VERSION@|$version|; s|@PRIVATE@|$libraries|" \
        -e "s|@DESCRIPTION@|$description|; s|@ABI@|$abi|; s|@RECORD@|$record|; s|@POINTER@|$pointer|g; s|@ADAPTER@|${2:-}|g" "$1"
}

# puts file $1, or the link that it is, at $2 below PREFIX, and writes down what that took
place() {
    local folder=$top/${2%/*} made=
    while [ ! -d "$folder" ]; do
        made="$(realpath -ms --relative-to="$top" "$folder")/"$'\n'$made
        folder=${folder%/*}
        [ -n "$folder" ] || folder=/
    done
    mkdir -p "$top/${2%/*}"
    if [ -L "$1" ]; then
        ln -sfn "$(readlink "$1")" "$top/$2"
    else
        install -m 644 "$1" "$top/$2"
    fi
    printf '%s%s\n' "$made" "$2" >>"$work/new"
}

place_sources() {
    local source destination
    while IFS=$'\t' read -r source destination; do place "$source" "$destination"; done < <(each_file)
}

install_all() {
    local library=$1 file adapter
    local shared=$library/libdrystone.so.$abi.$record
    [ -f "$shared" ] || fail "$shared is missing: packaging/link.sh"
    pointer=$(od -An -j4 -N1 -tu1 "$shared" | tr -d ' ')
    pointer=$((pointer * 4)) # the class of an ELF file: 1 has 4 bytes, 2 has 8
    # folders that an earlier install made are still ours
    if [ -f "$top/$list" ]; then cp "$top/$list" "$work/old"; else : >"$work/old"; fi

    place_sources
    for file in "$library"/libdrystone.*; do place "$file" "$LIBDIR/${file##*/}"; done
    [ ! -f "$library/third-party.txt" ] || place "$library/third-party.txt" share/doc/drystone/third-party.txt
    for file in drystone.pc drystone-static.pc; do
        filled "$root/packaging/$file.in" >"$work/$file"
        place "$work/$file" "$LIBDIR/pkgconfig/$file"
    done
    for adapter in $adapters; do
        filled "$root/packaging/drystone-adapter.pc.in" "$adapter" >"$work/adapter.pc"
        [ ! -d "$root/bindings/$adapter" ] || place "$work/adapter.pc" "$LIBDIR/pkgconfig/drystone-$adapter.pc"
    done
    for file in drystone-config.cmake drystone-config-version.cmake; do
        filled "$root/packaging/$file.in" >"$work/$file"
        place "$work/$file" "$LIBDIR/cmake/drystone/$file"
    done
    place "$root/packaging/drystone-adapters.cmake" "$LIBDIR/cmake/drystone/drystone-adapters.cmake"
    : >"$work/list"
    place "$work/list" "$list"

    { cat "$work/new" && grep '/$' "$work/old" || true; } | sort -u >"$top/$list"
    while IFS= read -r file; do
        rm -f "$top/$file"
    done < <(comm -23 <(grep -v '/$' "$work/old" | sort) <(sort -u "$work/new"))
    settle
    echo "drystone $version is installed in $top"
}

# as root and in a folder that the loader knows: updates its cache
settle() {
    [ -n "$DESTDIR" ] || [ "$(id -u)" != 0 ] || ! command -v ldconfig >/dev/null 2>&1 ||
        ! ldconfig -NXv 2>/dev/null | grep -q "^$PREFIX/$LIBDIR:" || ldconfig
}

uninstall_all() {
    [ -f "$top/$list" ] || fail "$top/$list is missing: no drystone is installed there"
    local entries entry
    entries=$(cat "$top/$list")
    while IFS= read -r entry; do rm -f "$top/$entry"; done < <(grep -v '/$' <<<"$entries")
    # folders innermost first: those below the prefix, then the prefix (./) and what stands above it (../, ../../)
    while IFS= read -r entry; do
        rmdir --ignore-fail-on-non-empty "$(realpath -ms "$top/$entry")"
    done < <(grep '^[^.].*/$' <<<"$entries" | sort -r
        grep '^\..*/$' <<<"$entries" | awk '{ print length, $0 }' | sort -n | cut -d ' ' -f 2)
    settle
    echo "drystone is removed from $top"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/new"
case ${1:-} in
install) install_all "${2:?the folder that packaging/link.sh filled}" ;;
uninstall) uninstall_all ;;
sources) place_sources ;;
*) fail "packaging/install.sh ${1:-}: expected install LIBRARY, uninstall or sources" ;;
esac
