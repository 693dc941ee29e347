"""Grains as text: one line for each, with all digits of a double.

    from drystone.granular import tables

    tables.write("grains.txt", tables.grains_of(world, bodies, radii))
    grains = tables.read("grains.txt")

The first line is the header `x y z radius vx vy vz wx wy wz`; units are m, m/s and rad/s, axes those of the world. Lines may end
after the radius: grains are then at rest. Empty lines, lines that start with `#`, and a byte order mark are skipped.
"""

from __future__ import annotations

import math
from os import PathLike
from pathlib import Path
from typing import NamedTuple, Union

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Numbers, integers
from .._checks import instance, shown
from .._world import World
from ._valid import finites, positives

COLUMNS = ("x", "y", "z", "radius", "vx", "vy", "vz", "wx", "wy", "wz")
"""The names of the columns, in their order."""

Location = Union[str, "PathLike[str]"]


class Grains(NamedTuple):
    """Spheres: where they are and how they move, world axes."""

    centres: Numbers
    """(n, 3) [m]."""
    radii: Numbers
    """(n,), above 0 [m]."""
    linear_velocities: Numbers
    """(n, 3) [m/s]."""
    angular_velocities: Numbers
    """(n, 3) [rad/s]."""


def grains_of(world: World, bodies: ArrayLike, radii: ArrayLike) -> Grains:
    """The spheres of a world as they are now.

    bodies: (n,), their handles, in any order.
    radii: (n,), in the same order, above 0 [m]. The world does not tell the radius of a shape.
    """
    named = integers("bodies", bodies, np.uint64, -1)
    states = instance("world", world, World).states(named)
    sizes = positives("radii", radii)
    if len(sizes) != len(named):
        raise ValueError(f"radii is of shape {sizes.shape}, expected ({len(named)},), one for each of bodies")
    motion = (np.array(states[name]) for name in ("linear_velocity", "angular_velocity"))
    return Grains(np.array(states["position"]), sizes, *motion)


def write(path: Location, grains: Grains) -> None:
    """Writes grains to a file, which is overwritten. Reading it gives the same bits.

    Numbers must be finite, radii above 0, arrays of the shapes that Grains has.
    """
    file = _file(path)
    sizes = positives("grains.radii", instance("grains", grains, Grains).radii)
    columns = [finites("grains.centres", grains.centres, len(sizes), 3), sizes[:, None]]
    for name in ("linear_velocities", "angular_velocities"):
        columns.append(finites(f"grains.{name}", getattr(grains, name), len(sizes), 3))
    # repr is the shortest text that gives the same double
    lines = [" ".join(map(repr, row)) for row in np.hstack(columns).tolist()]
    file.write_text("\n".join([" ".join(COLUMNS), *lines, ""]), encoding="ascii")


def read(path: Location) -> Grains:
    """Reads grains from a file that `write`, or another program, wrote.

    Raises ValueError with the line and the column, both counted from 1, where a number is not finite, is missing or is no number.
    """
    name = _file(path)
    lines = [(number, line.split()) for number, line in enumerate(_lines(name), 1) if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise ValueError(f"{name} has no lines, expected the header {' '.join(COLUMNS)!r}")
    (at, header), rows = lines[0], lines[1:]
    if tuple(header) not in (COLUMNS, COLUMNS[:4]):
        expected = f"{' '.join(COLUMNS)!r}, or its first 4 columns"
        raise ValueError(f"{name}, line {at}: the header is {shown(' '.join(header))}, expected {expected}")
    values = np.zeros((len(rows), len(COLUMNS)))
    for index, (number, words) in enumerate(rows):
        values[index, : len(header)] = _row(f"{name}, line {number}", words, len(header))
    return Grains(*(np.ascontiguousarray(part) for part in (values[:, :3], values[:, 3], values[:, 4:7], values[:, 7:])))


def _file(path: Location) -> Path:
    if not isinstance(path, (str, PathLike)):
        raise TypeError(f"path is {shown(path)}, expected a str or a path")
    return Path(path)


def _lines(file: Path) -> list[str]:
    """The lines of a text, which end with LF, CR LF or CR."""
    content = file.read_bytes()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        line = before.count(b"\n") + 1
        raise ValueError(f"{file}, line {line}: the byte {content[error.start]:#04x} is no UTF-8, expected a text") from None
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _row(where: str, words: list[str], count: int) -> list[float]:
    """The numbers of a line."""
    if len(words) != count:
        missing = f"column {len(words) + 1} ({COLUMNS[len(words)]}) is missing" if len(words) < count else ""
        extra = f"column {count + 1} is {shown(words[count])}" if len(words) > count else ""
        raise ValueError(f"{where}: {missing or extra}, expected {count} numbers")
    return [_number(f"{where}, column {column} ({COLUMNS[column - 1]})", word) for column, word in enumerate(words, 1)]


def _number(where: str, word: str) -> float:
    try:
        # Python also reads 1_000 and digits of other scripts
        number = float(word if word.isascii() and "_" not in word else "")
    except ValueError:
        raise ValueError(f"{where}: {shown(word)}, expected a number") from None
    if not math.isfinite(number):
        raise ValueError(f"{where}: {word!r}, expected a finite number")
    if number <= 0 and where.endswith("(radius)"):
        raise ValueError(f"{where}: {word!r}, expected a number above 0")
    return number
