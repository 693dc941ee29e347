"""What the interfaces of blocks carry: resultants, where they act, and their shares along and across the normals.

    from drystone import masonry

    report, displacements = world.solve_static()
    forces = masonry.interfaces(world)
    forces["normal_force"].max(), forces["point"]
    masonry.write("forces.csv", forces)

An interface is where two bodies touch with one normal. `drystone.compas.interfaces` has those of Results of compas_dem. `import drystone`
alone does not load this module.
"""

from __future__ import annotations

import csv
import json
from os import PathLike
from pathlib import Path
from typing import Any, Union

import numpy as np

from ._arrays import Numbers, Records, records
from ._checks import instance, shown
from ._interfaces import INTERFACE_DTYPE, Contacts, summed
from ._world import World

__all__ = ["INTERFACE_DTYPE", "interfaces", "write"]

# Cosine of the angle between normals, from which they are those of one interface: a degree.
_ONE_NORMAL = float(np.cos(np.radians(1)))


def interfaces(world: World) -> Records:
    """Returns what the interfaces of a world carry, as of its last increment or step: an array of INTERFACE_DTYPE, in the order of bodies.

    Members of an element:
        a, b: indices of the bodies in `world.bodies()`, a below b.
        resultant: the force of body a on body b, world axes [N].
        point: where it acts: the mean of the contact points, weighted by their normal forces [m].
        normal: from a to b, the mean of the normals, weighted likewise.
        normal_force: the resultant along the normal, above 0 in compression [N].
        tangential_force: the length of the rest of the resultant, 0 or above [N].
        moment: of the contact forces on body b about the point [N m]. On a plane interface it is along the normal: friction twists.

    Contacts of two bodies whose normals differ by more than a degree belong to different interfaces. Interfaces without forces are left out.
    """
    bodies = {body: place for place, body in enumerate(instance("world", world, World).bodies().tolist())}
    contacts = world.contacts()
    groups: dict[tuple[int, int], list[tuple[Numbers, list[int]]]] = {}
    for row, contact in enumerate(contacts):
        pair = bodies[int(contact["body_a"])], bodies[int(contact["body_b"])]
        normal = _sign(pair) * contact["normal"]
        of_pair = groups.setdefault((min(pair), max(pair)), [])
        rows = next((rows for first, rows in of_pair if first @ normal > _ONE_NORMAL), None)
        if rows is None:
            of_pair.append((normal, [row]))
        else:
            rows.append(row)
    return summed(_contacts(pair, contacts[rows], bodies) for pair, of_pair in groups.items() for _, rows in of_pair)


def _contacts(pair: tuple[int, int], contacts: Records, bodies: dict[int, int]) -> Contacts:
    signs = np.array([_sign((bodies[a], bodies[b])) for a, b in zip(contacts["body_a"].tolist(), contacts["body_b"].tolist())])[:, None]
    normals = signs * contacts["normal"]
    forces = contacts["normal_force"][:, None] * normals + signs * contacts["friction_force"]
    return Contacts(*pair, contacts["point"], normals, forces, (signs * contacts["rolling_torque"]).sum(axis=0))


def _sign(pair: tuple[int, int]) -> int:
    """1 for bodies in their order, -1 for others."""
    return 1 if pair[0] < pair[1] else -1


def write(path: Union[str, PathLike[str]], interfaces: Records) -> None:
    """Writes what interfaces carry to a file, which is overwritten. Numbers have all digits of a double.

    path: its ending says how: .csv has a header and a line for each interface, with vectors as `resultant_x` and so on; .json is a list of
        objects with the members of INTERFACE_DTYPE.
    interfaces: an array of INTERFACE_DTYPE, of this module or of `drystone.compas`.

    Raises ValueError for another ending, TypeError for another array.
    """
    if not isinstance(path, (str, PathLike)):
        raise TypeError(f"path is {shown(path)}, expected a str or a path")
    file, given = Path(path), records("interfaces", interfaces, INTERFACE_DTYPE)
    if file.suffix not in (".csv", ".json"):
        raise ValueError(f"path is {shown(str(file))}, expected one that ends in .csv or .json")
    rows = [dict(zip(INTERFACE_DTYPE.names or (), map(_plain, row))) for row in given]
    if file.suffix == ".json":
        file.write_text("[" + ",\n ".join(map(json.dumps, rows)) + "]\n", encoding="ascii")
        return
    with file.open("w", newline="", encoding="ascii") as text:
        lines = csv.writer(text, lineterminator="\n")
        lines.writerow(_header())
        lines.writerows([value for entry in row.values() for value in (entry if isinstance(entry, list) else [entry])] for row in rows)


def _header() -> list[str]:
    return [name + axis for name in INTERFACE_DTYPE.names or () for axis in (("_x", "_y", "_z") if INTERFACE_DTYPE[name].shape else ("",))]


def _plain(value: Any) -> Any:
    """A number or a list of them."""
    return value.tolist()
