#!/usr/bin/env python3
"""Compares the constants of docs/tuning.md with the sources: names, files and values.

    python3 tests/words/constants.py

Reads the rows of tables whose second column is headed "file in `src/`". The exit code is 1 where one differs.
"""

import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
EPSILON = 2.0**-52


def number(text):
    """Returns the value of a constant as it is written in the page or in Rust, or None."""
    text = text.replace("_", "").replace("f64::EPSILON", repr(EPSILON)).replace("eps", repr(EPSILON))
    text = re.sub(r"Duration::frommicros\((\d+)\)", r"\1", text).removesuffix(" us")
    return eval(text, {}) if re.fullmatch(r"[-+*/<>(). 0-9e]+", text) else None


def main():
    failures, count, is_table = 0, 0, False
    for line_number, line in enumerate((ROOT / "docs/tuning.md").read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        is_table = bool(cells) and (is_table or cells[1:2] == ["file in `src/`"])
        if not is_table or cells[0] == "constant" or cells[0].startswith("---"):
            continue
        name, file, value = cells[0].strip("`"), cells[1].strip("`"), cells[2]
        source = ROOT / "src" / file
        text = source.read_text(encoding="utf-8") if source.is_file() else ""
        found = re.search(rf"const {name}: [\w:]+ = ([^;]+);", text)
        count += 1
        if not found or number(found[1]) is None or not math.isclose(number(found[1]), number(value)):
            failures += 1
            print(f"docs/tuning.md:{line_number}: {name} is {value} here, src/{file} has {found[1] if found else 'none'}")
    print(f"{count} constants, {failures} differ")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
