#!/usr/bin/env bash
# Who else wrote what is in the library, and under which terms: packaging/licences.sh FILE
#
# Lists every crate that is linked into it, as Cargo knows them, with the texts that come with them: of those that leave
# a choice the MIT licence, which has the names of its authors; each text once.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/facts.sh"
[ $# = 1 ] || fail "packaging/licences.sh FILE: expected one file, got $#"
cargo=${CARGO:-cargo}
cd "$root"

# name version licence, of what is linked; macros run in the compiler and are not
crates=$($cargo tree --quiet --locked --edges normal,no-proc-macro --prefix none --format '{p} {l}' |
    sed 's/ (\*)$//; s/ v/ /' | sort -u | grep -v '^drystone ')
host=$(rustc -vV | sed -n 's/^host: //p')
folders=$($cargo metadata --quiet --locked --format-version 1 --filter-platform "$host" |
    grep -o '"manifest_path":"[^"]*' | sed 's/.*:"//; s,/Cargo.toml$,,')

# the files of folder $1 that tell its terms
texts() {
    local found
    found=$(find "$1" -maxdepth 1 -type f \( -iname 'LICEN[CS]E*' -o -iname 'COPYING*' -o -iname 'NOTICE*' \) | sort)
    if grep -qi 'mit' <<<"${found//"$1"/}"; then
        grep -vi -e '-APACHE' -e '-ZLIB' -e '/UNLICENSE' <<<"$found"
    else
        printf '%s\n' "$found"
    fi
}

{
    echo "What is linked into drystone $version besides its own code"
    echo
    echo "The standard library of Rust (MIT OR Apache-2.0), and:"
    echo
    sed 's/\([^ ]*\) \([^ ]*\) \(.*\)/  \1 \2 (\3)/' <<<"$crates"
    declare -A seen=()
    while read -r name number _; do
        folder=$(grep -m 1 -E "/$name(-$number)?$" <<<"$folders" || true)
        [ -n "$folder" ] || continue
        while IFS= read -r text; do
            [ -n "$text" ] || continue
            sum=$(cksum <"$text")
            [ -z "${seen[$sum]:-}" ] || continue
            seen[$sum]=1
            printf '\n%s\n%s, %s\n\n' "$(printf '%0100d' 0 | tr 0 -)" "$name $number" "${text##*/}"
            tr -d '\r' <"$text"
        done < <(texts "$folder")
    done <<<"$crates"
} >"$1.new"
mv "$1.new" "$1"
