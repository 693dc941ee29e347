# What the scripts of this folder have to know; sourced. Each fact has its place elsewhere, and is read from there.

# One value of the first line `name = value` in Cargo.toml, without quotes.
fact() {
    sed -n "s/^$1 = \"\{0,1\}\([^\"]*\)\"\{0,1\}$/\1/p" "$root/Cargo.toml" | head -n 1
}

export LC_ALL=C # one order of names, everywhere
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
version=$(fact version)
description=$(fact description)
# the soname is libdrystone.so.<abi>, the file libdrystone.so.<abi>.<record>: docs/abi.md
abi=$(fact abi)
record=$(find "$root/tests/abi" -mindepth 1 -maxdepth 1 -type d -name '[0-9]*' -printf '%f\n' | sort -n | tail -n 1)
# what a program needs in addition to the static library; the compiler adds its own runtime and the C library
private='-lpthread -ldl -lm'

fail() {
    echo "$*" >&2
    exit 1
}
