#!/usr/bin/env python3
"""Solves pairs that certify.sh lists with the reference of 60 digits.

    tests/geometry/certify.sh --list list.jsonl
    python3 tests/geometry/decide.py list.jsonl                 every pair of the list that is no row of a closed mesh's overlaps
    python3 tests/geometry/decide.py list.jsonl --is undecided  those of one kind: undecided, above, missing

Each line has the gap and the normal of the reference and of the library, and both errors in parts of the smaller size. The
exit status is 1 where the reference proves nothing. A closed mesh counts as the solid inside it.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Dict, Tuple

import numpy as np

from reference import solve
from solids import Answer, Pose, Shape
from vectors import Unproved, doubles


def body_of(body: Dict[str, Any]) -> Tuple[Shape, Pose]:
    """Returns a shape and its pose."""
    kind = str(body["kind"])
    corners = tuple((float(x), float(y), float(z)) for x, y, z in body["corners"])
    faces = tuple((int(i), int(j), int(k)) for i, j, k in body["faces"])
    edges = {(min(pair), max(pair)) for face in faces for pair in zip(face, face[1:] + face[:1])}
    if corners and not faces:
        edges = {(0, len(corners) - 1)}
    radius = float(body["radius"] if kind == "cylinder" else body["grown"])
    shape = Shape(
        kind="hull" if kind == "closed" else kind,
        radius=radius,
        half_height=float(body["half_height"]),
        corners=corners,
        edges=tuple(sorted(edges)),
        faces=faces,
        parameters=tuple(float(value) for value in body["plane"]),
    )
    x, y, z = body["position"]
    i, j, k, w = body["rotation"]
    return shape, Pose((float(x), float(y), float(z)), (float(i), float(j), float(k), float(w)))


def describe(pair: Dict[str, Any], answer: Answer) -> str:
    """Returns the line of a pair."""
    size = float(pair["size"])
    turn = float(np.linalg.norm(np.array(pair["library_normal"]) - doubles([answer.normal])[0]))
    text = f"{pair['pair']} ({pair['is']}): reference {float(answer.gap):.17g}, certificate {pair['gap']:.17g}"
    if not pair["contacts"]:
        return f"{text}, library has no contact, margin {pair['margin']:.17g}"
    excess = (float(pair["library_gap"]) - float(answer.gap)) / size
    tie = "" if answer.is_single else ", tie"
    return f"{text}, library {pair['library_gap']:.17g}: {excess:+.2e} of the size, normal {turn:.2e}{tie}"


def main() -> int:
    """Runs the command. Returns 0 if every pair was proved."""
    parser = argparse.ArgumentParser(description="Solves pairs that certify.sh lists.")
    parser.add_argument("list", help="the file of certify.sh --list")
    parser.add_argument("--is", dest="what", help="undecided, above or missing")
    parser.add_argument("--pair", help="one pair, as box-hull:17")
    options = parser.parse_args()
    unproved = 0
    with open(options.list, encoding="utf-8") as lines:
        for line in lines:
            pair = json.loads(line)
            is_wanted = pair["pair"] == options.pair if options.pair else options.what in (None, pair["is"])
            if not is_wanted:
                continue
            try:
                print(describe(pair, solve(body_of(pair["a"]), body_of(pair["b"]))), flush=True)
            except Unproved as error:
                unproved += 1
                print(f"{pair['pair']} ({pair['is']}): no proof, {error}", flush=True)
    return 1 if unproved else 0


if __name__ == "__main__":
    sys.exit(main())
