"""Grains as text: one line for each, with all digits of a double.

    from drystone.granular import tables

    tables.write("grains.txt", tables.grains_of(world, bodies, radii, materials))
    grains = tables.read("grains.txt")

The first line is the header `x y z radius vx vy vz wx wy wz material`; units are m, m/s and rad/s, axes those of the world. A material
is an index into a list of the caller. A table may lack the columns of the velocities: grains are then at rest. It may lack the column
of the material: grains then have the material 0. Empty lines, lines that start with `#`, and a byte order mark are skipped.
"""

from __future__ import annotations

import math
from os import PathLike
from pathlib import Path
from typing import NamedTuple, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Numbers, integers
from .._checks import instance, shown
from .._world import World
from ._valid import finites, positives, refuse

COLUMNS = ("x", "y", "z", "radius", "vx", "vy", "vz", "wx", "wy", "wz", "material")
"""The names of the columns, in their order."""

HEADERS = (COLUMNS, COLUMNS[:-1], COLUMNS[:4], (*COLUMNS[:4], COLUMNS[-1]))
"""The columns that a table may have."""

MOST_MATERIAL = 2**32 - 1
"""The largest index of a material."""

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
    materials: Optional[NDArray[np.int64]] = None
    """(n,), indices into a list of the caller, 0 to `MOST_MATERIAL`; None: all 0. `read` returns an array."""


def grains_of(world: World, bodies: ArrayLike, radii: ArrayLike, materials: Optional[ArrayLike] = None) -> Grains:
    """The spheres of a world as they are now.

    bodies: (n,), their handles, in any order.
    radii: (n,), in the same order, above 0 [m]. The world does not tell the radius of a shape.
    materials: (n,), in the same order, indices into a list of the caller, 0 to `MOST_MATERIAL`; None: all 0. They are not handles, which
        another world does not know, and the world does not tell the material of a body.
    """
    named = integers("bodies", bodies, np.uint64, -1)
    states = instance("world", world, World).states(named)
    sizes = positives("radii", radii)
    if len(sizes) != len(named):
        raise ValueError(f"radii is of shape {sizes.shape}, expected ({len(named)},), one for each of bodies")
    linear, angular = (np.array(states[name]) for name in ("linear_velocity", "angular_velocity"))
    return Grains(np.array(states["position"]), sizes, linear, angular, _materials("materials", materials, len(sizes)))


def write(path: Location, grains: Grains) -> None:
    """Writes grains to a file, which is overwritten. Reading it gives the same bits.

    Numbers must be finite, radii above 0, materials 0 to `MOST_MATERIAL`, arrays of the shapes that Grains has.
    """
    file = _file(path)
    sizes = positives("grains.radii", instance("grains", grains, Grains).radii)
    columns = [finites("grains.centres", grains.centres, len(sizes), 3), sizes[:, None]]
    for name in ("linear_velocities", "angular_velocities"):
        columns.append(finites(f"grains.{name}", getattr(grains, name), len(sizes), 3))
    materials = _materials("grains.materials", grains.materials, len(sizes))
    # repr is the shortest text that gives the same double
    lines = [" ".join(map(repr, [*row, kind])) for row, kind in zip(np.hstack(columns).tolist(), materials.tolist())]
    file.write_text("\n".join([" ".join(COLUMNS), *lines, ""]), encoding="ascii")


def read(path: Location) -> Grains:
    """Reads grains from a file that `write`, or another program, wrote.

    Raises ValueError with the line and the column, both counted from 1, where a number is not finite, is missing or is no number, and
    where a material is no index.
    """
    name = _file(path)
    lines = [(number, line.split()) for number, line in enumerate(_lines(name), 1) if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise ValueError(f"{name} has no lines, expected the header {' '.join(COLUMNS)!r}")
    (at, header), rows = lines[0], lines[1:]
    if tuple(header) not in HEADERS:
        expected = f"{' '.join(COLUMNS)!r}, with or without the columns from vx to wz, and with or without material"
        raise ValueError(f"{name}, line {at}: the header is {shown(' '.join(header))}, expected {expected}")
    values, there = np.zeros((len(rows), len(COLUMNS))), [COLUMNS.index(column) for column in header]
    for index, (number, words) in enumerate(rows):
        values[index, there] = _row(f"{name}, line {number}", words, header)
    numbers = (values[:, :3], values[:, 3], values[:, 4:7], values[:, 7:10])
    centres, radii, linear, angular = (np.ascontiguousarray(part) for part in numbers)
    return Grains(centres, radii, linear, angular, values[:, 10].astype(np.int64))


def _materials(name: str, value: Optional[ArrayLike], count: int) -> NDArray[np.int64]:
    """A copy of the indices of materials, (count,)."""
    if value is None:
        return np.zeros(count, np.int64)
    given = integers(name, value, np.int64, count)
    refuse(name, given, (given < 0) | (given > MOST_MATERIAL), f"the index of a material, 0 to {MOST_MATERIAL}")
    return np.array(given)


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


def _row(where: str, words: list[str], header: list[str]) -> list[float]:
    """The numbers of a line."""
    count = len(header)
    if len(words) != count:
        missing = f"column {len(words) + 1} ({header[len(words)]}) is missing" if len(words) < count else ""
        extra = f"column {count + 1} is {shown(words[count])}" if len(words) > count else ""
        raise ValueError(f"{where}: {missing or extra}, expected {count} numbers")
    return [_number(f"{where}, column {column} ({header[column - 1]})", word) for column, word in enumerate(words, 1)]


def _number(where: str, word: str) -> float:
    if where.endswith("(material)"):
        # indices up to the largest one are doubles too
        if not (word.isascii() and word.isdigit() and len(word) <= 20 and int(word) <= MOST_MATERIAL):
            raise ValueError(f"{where}: {shown(word)}, expected the index of a material, 0 to {MOST_MATERIAL}")
        return int(word)
    expected = "a finite number above 0" if where.endswith("(radius)") else "a finite number"
    try:
        # Python also reads 1_000 and digits of other scripts
        number = float(word if word.isascii() and "_" not in word else "")
    except ValueError:
        raise ValueError(f"{where}: {shown(word)}, expected {expected}") from None
    if not math.isfinite(number) or (number <= 0 and where.endswith("(radius)")):
        raise ValueError(f"{where}: {shown(word)}, expected {expected}")
    return number
