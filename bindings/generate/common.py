"""What all generators share: the description of the interface, and names without their prefixes.

Each generator is a program: `python3 bindings/generate/python.py` writes its file, with `--check` it says whether the file
is what it would write. They need nothing but Python.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, Callable

BINDINGS = Path(__file__).resolve().parent.parent

# What the bits of one prefix are, as a type. A new prefix needs a line.
FLAGS = {
    "DRY_REPORT_": "ReportFlag",
    "DRY_STATIC_": "StaticFlag",
    "DRY_LOCK_": "Lock",
    "DRY_CONTACT_": "ContactState",
    "DRY_JOINT_": "JointFlag",
    "DRY_DIAGNOSE_": "Diagnose",
    "DRY_VTK_": "VtkPart",
}

Description = dict[str, Any]


def description() -> Description:
    """`bindings/drystone.json`."""
    with open(BINDINGS / "drystone.json", encoding="ascii") as file:
        return json.load(file)


def type_name(name: str) -> str:
    """`dry_body_def` as `BodyDef`."""
    return "".join(part.capitalize() for part in name.removeprefix("dry_").split("_"))


def short_names(names: list[str]) -> dict[str, str]:
    """Names without the words with which all of them begin."""
    words = [name.split("_") for name in names]
    shared = 0
    while all(len(each) > shared + 1 for each in words) and len({each[shared] for each in words}) == 1:
        shared += 1
    return {name: "_".join(each[shared:]) for name, each in zip(names, words)}


def flags(whole: Description) -> dict[str, list[dict[str, Any]]]:
    """The constants, by the name of the type whose bits they are."""
    groups: dict[str, list[dict[str, Any]]] = {name: [] for name in FLAGS.values()}
    for constant in whole["constants"]:
        prefix = next((prefix for prefix in FLAGS if constant["name"].startswith(prefix)), None)
        if prefix is None:
            raise SystemExit(f"{constant['name']}: a constant of no known group; see FLAGS in {__file__}")
        short = constant["name"].removeprefix(prefix)
        groups[FLAGS[prefix]].append({**constant, "short": short, "prefix": prefix})
    return groups


def flag_of(field: dict[str, Any]) -> str | None:
    """The type of the bits that a field holds, which its text names: `DRY_LOCK_ bits`."""
    named = re.match(r"(DRY_[A-Z]+_) bits", field["doc"])
    return FLAGS[named.group(1)] if named else None


def is_truth(field: dict[str, Any]) -> bool:
    """A uint32_t that is 0 or 1."""
    return field["type"] == "uint32_t" and field["doc"].startswith("Flag, ")


def main(path: Path, text: Callable[[Description], str]) -> None:
    """Writes `text` to `path`, or compares."""
    new = text(description())
    if sys.argv[1:] == ["--check"]:
        if not path.exists() or path.read_text(encoding="ascii") != new:
            raise SystemExit(f"{path} is not what bindings/drystone.json says: python3 {sys.argv[0]}")
    elif sys.argv[1:]:
        raise SystemExit(f"usage: {sys.argv[0]} [--check]")
    else:
        path.write_text(new, encoding="ascii")
