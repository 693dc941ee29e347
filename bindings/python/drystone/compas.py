"""Masonry of the package `compas_dem`: its models and problems, solved by the statics of this library.

`solve` takes a `BlockModel` or a `Problem` of compas_dem, and answers its `Results`: forces of interfaces, displacements and a margin of
stability. `interfaces` makes a table of the forces. `pip install drystone[compas]` installs what it needs.
"""

from __future__ import annotations

import importlib
from typing import Any, NamedTuple, Optional

import numpy as np

from ._arrays import Numbers, Records
from ._checks import choice, real, whole
from ._compas_balance import Balance, balance_given, balance_shapes
from ._compas_build import Built, build
from ._compas_results import contacts_of, results_of
from ._interfaces import summed
from .raw import FrictionLaw, StaticFlag

__all__ = ["interfaces", "solve"]

CONTACTS = ("auto", "model", "shapes")
_GRAVITY = 9.81
_MOST_DIRECTIONS = 3600


def solve(
    problem: Any,
    *,
    contacts: str = "auto",
    friction: Optional[float] = None,
    density: Optional[float] = None,
    directions: int = 4,
    tolerance: float = 1e-9,
    friction_law: FrictionLaw = FrictionLaw.ASSOCIATED,
) -> Any:
    """Balances the blocks of a model under their weight and the loads of a problem, and says how far they are from a collapse.

    problem: a `compas_dem.problem.Problem`, or a `compas_dem.models.BlockModel` under its weight. Supports can be moved by the
        displacements of the problem. Blocks are rigid; with a joint model contacts are compliant, with its stiffnesses per corner
        [N/m]: rigid where kn is None, and two thirds of kn where kt is None.
    contacts: "model": the contacts of the model are the interfaces, whatever the shape of blocks; they are rigid. "shapes": the hulls of
        the blocks touch where this library finds that they do; blocks must be convex. Blocks that touch along an edge or at a corner have
        no interface. "auto": those of the model, or of the shapes if it has none or the problem has a joint model.
    friction: coefficient [-]; None: that of the contact model of the problem.
    density: of blocks without a material [kg/m^3]; None: each block needs one.
    directions: horizontal directions of the margin, evenly spread from x on, 0 to 3600; 0: no margin.
    tolerance: force that may be missing on a block, over the largest load of a block, above 0 [-].
    friction_law: with the associated law a structure stands if any forces balance it, as with RBE. With Coulomb's law forces are those that
        stiff elastic corners find from no stress. Margins and the load factor are those of the associated law.

    The Results hold for each block `transformation`; for each edge `contact_data` (forces at the corners), `resultant_global` and
    `resultant_local`, `force_magnitude`, `force_point`, `force_normal`, `force_tangent1`, `force_tangent2`, and the geometry. A resultant acts
    on the block on the side of the z axis of the contact frame. Of a collapse the displacements are the way it falls, and there are no forces.

    Metadata:
        stable: whether forces balance all blocks.
        margin: the least horizontal acceleration over g that makes it fall; `margins`: by direction.
        load_factor: by how much the loads of the problem can be multiplied; None without loads.
        margins_slide, load_factor_slides: whether blocks slide at that limit, which then is an upper bound for Coulomb's law.
        limits_converged: whether these limits are proved to 1e-9 of the loads. Otherwise they are less exact.
        converged: whether forces balance to the tolerance; `unbalanced`: the largest force that is missing [N].
        friction_law: of the forces: ASSOCIATED where none of Coulomb's law were found.
        without_area: pairs of nodes whose blocks touch, but along an edge or at a corner alone, with contacts of the shapes.
        mu, contacts, elastic_energy [J], solver.

    Raises ImportError without compas_dem, ValueError for what is missing or not offered: cohesion, tension, blocks that move as given but
    are no supports, loads on blocks that are not there.
    """
    dem = _compas_dem()
    if contacts not in CONTACTS:
        raise ValueError(f"contacts is {contacts!r}, expected one of {', '.join(map(repr, CONTACTS))}")
    friction_law = choice("friction_law", friction_law, FrictionLaw)
    if friction_law == FrictionLaw.BOX:
        raise ValueError("friction_law is FrictionLaw.BOX, expected FrictionLaw.COULOMB or FrictionLaw.ASSOCIATED")
    whole("directions", directions, 0, _MOST_DIRECTIONS)
    _above("tolerance", tolerance)
    if friction is not None and not 0 <= real("friction", friction) < np.inf:
        raise ValueError(f"friction is {friction}, expected a finite number, 0 or above")
    if density is not None:
        _above("density", density)
    given = _Given.of(problem, friction, dem)
    built = build(given.model, contacts=contacts, friction=given.friction, stiffness=given.stiffness, density=density, law=friction_law)
    with built.world as world:
        world.set_gravity((0, 0, -given.gravity))
        loads, moves = _loads(given, built, dem), _moves(given, built, dem)
        factor = _load_factor(built, loads)
        margins = _margins(built, loads, directions, given.gravity)
        if built.interfaces:
            weights = np.outer([block.mass for block in built.blocks], (0, 0, -given.gravity, 0, 0, 0))
            found = balance_given(built, loads + weights, moves, given.friction, tolerance, friction_law)
        else:
            found = balance_shapes(built, loads, moves, tolerance, friction_law)
        return results_of(given.model, given.id, built, found, _metadata(given, built, found, factor, margins))


def interfaces(results: Any) -> Records:
    """Returns what interfaces carry: an array of `drystone.masonry.INTERFACE_DTYPE`, which `drystone.masonry.write` writes to a file.

    results: of `solve`, or of the solvers RBE and CRA of compas_dem. Those have one interface for each edge, the last one.

    Members are those of `drystone.masonry.interfaces`, and a and b are the nodes of the edge. Each contact of an edge is an interface.
    Interfaces without forces are left out, which are all of them after a collapse.
    """
    kind = _compas_dem().problem.Results
    if not isinstance(results, kind):
        raise TypeError(f"results is a {type(results).__name__}, expected Results of compas_dem")
    return summed(each for edge in results.edges() for each in contacts_of(results, edge))


def _above(name: str, value: Any) -> None:
    if not 0 < real(name, value) < np.inf:
        raise ValueError(f"{name} is {value}, expected a finite number above 0")


class _Given(NamedTuple):
    """What a problem says of a model."""

    model: Any
    id: str
    friction: float
    stiffness: Optional[tuple[float, float]]
    conditions: list[Any]
    gravity: float

    @classmethod
    def of(cls, problem: Any, friction: Optional[float], dem: Any) -> _Given:
        if isinstance(problem, dem.models.BlockModel):
            if friction is None:
                raise ValueError("friction is None, expected a coefficient: a model has none; a Problem with a contact model has")
            return cls(problem, str(problem.guid), float(friction), None, [], _GRAVITY)
        if not isinstance(problem, dem.problem.Problem):
            raise TypeError(f"problem is a {type(problem).__name__}, expected a Problem or a BlockModel of compas_dem")
        properties = problem.contact_properties
        law, joint = properties.contact_model, properties.joint_model
        if friction is None and law is None:
            raise ValueError("the problem has no contact model, expected one by set_contact_model, or friction")
        for name in ("c", "t_c"):
            if law is not None and getattr(law, name):
                raise ValueError(f"{name} of the contact model is {getattr(law, name)}, expected 0 or None: joints have no strength here")
        stiffness = None
        if joint is not None and joint.kn is not None:
            for name in ("kn", "kt"):
                if getattr(joint, name) is not None:
                    _above(f"{name} of the joint model", getattr(joint, name))
            stiffness = float(joint.kn), float(joint.kt or 0)
        conditions = list(problem.boundary_conditions)
        gravity = float(conditions[0].g) if conditions else _GRAVITY
        return cls(problem.model, str(problem.guid), float(law.mu if friction is None else friction), stiffness, conditions, gravity)


def _compas_dem() -> Any:
    try:
        for name in ("compas_dem.models", "compas_dem.problem", "compas_dem.analysis.resolve"):
            importlib.import_module(name)
        return importlib.import_module("compas_dem")
    except ImportError as error:
        message = f"drystone.compas needs compas_dem: pip install drystone[compas] ({error})"
        raise ImportError(message, name="compas_dem") from error


def _loads(given: _Given, built: Built, dem: Any) -> Numbers:
    """The loads of a problem without its weight, about the centres of mass, (n, 6)."""
    loads = np.zeros((len(built.blocks), 6))
    if given.conditions:
        for node, load in _resolve(dem).resolve_centroidal_loads(_Massive(given.model, built), given.conditions).items():
            place = built.places[node]
            force = np.array(list(load["force"]), float)
            arm = np.array(list(built.blocks[place].element.point), float) - built.blocks[place].center
            loads[place] = [*force, *(np.array(list(load["moment"]), float) + np.cross(arm, force))]
    return loads


class _Massive:
    """A model whose blocks have the masses that were found."""

    def __init__(self, model: Any, built: Built) -> None:
        self._model, self._built = model, built

    def elements(self) -> list[Any]:
        return [_MassiveBlock(block.element, block.mass) for block in self._built.blocks]


class _MassiveBlock:
    def __init__(self, element: Any, mass: float) -> None:
        self._element, self.mass = element, mass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._element, name)


def _resolve(dem: Any) -> Any:
    return dem.analysis.resolve


def _moves(given: _Given, built: Built, dem: Any) -> Numbers:
    """The displacements of supports, (n, 6)."""
    moves = np.zeros((len(built.blocks), 6))
    for node, moved in _resolve(dem).resolve_centroidal_displacements(given.conditions).items():
        if node not in built.places or not built.blocks[built.places[node]].is_support:
            raise ValueError(f"block {node} has a displacement, expected one of supports alone")
        moves[built.places[node]] = [value or 0.0 for value in [*moved["translation"], *moved["rotation"]]]
    return moves


class _Limit(NamedTuple):
    """A factor of loads, whether it is as exact as it should be, and whether blocks slide where it is exceeded."""

    factor: float
    converged: bool
    slides: bool

    @classmethod
    def of(cls, built: Built, unit_loads: Numbers) -> _Limit:
        report = built.world.limit_load(built.of_all(unit_loads)).report
        flags = StaticFlag(report.flags)
        return cls(float(report.load_factor), not flags & StaticFlag.NOT_CONVERGED, bool(flags & StaticFlag.SLIDING_MECHANISM))


def _load_factor(built: Built, loads: Numbers) -> Optional[_Limit]:
    """By how much the loads can be multiplied beside the weight; None if there are none."""
    carried = loads * built.is_free[:, None]
    return _Limit.of(built, carried) if carried.any() else None


def _margins(built: Built, loads: Numbers, directions: int, gravity: float) -> list[_Limit]:
    """The horizontal accelerations over g that make it fall in addition to its weight and all loads."""
    margins, masses = [], np.array([block.mass for block in built.blocks]) * built.is_free
    for angle in 2 * np.pi * np.arange(directions) / max(directions, 1):
        unit = np.zeros((len(masses), 6))
        unit[:, :3] = gravity * np.outer(masses, (np.cos(angle), np.sin(angle), 0))
        _push(built, loads)
        margins.append(_Limit.of(built, unit))
        _push(built, -loads)
    return margins


def _push(built: Built, loads: Numbers) -> None:
    for block, load in zip(built.blocks, loads):
        if not block.is_support and load.any():
            built.world.add_force(block.body, load[:3])
            built.world.add_torque(block.body, load[3:])


def _metadata(given: _Given, built: Built, found: Balance, factor: Optional[_Limit], margins: list[_Limit]) -> dict[str, Any]:
    limits = margins if factor is None else [factor, *margins]
    return {
        "solver": "drystone",
        "stable": found.stable,
        "converged": found.converged,
        "mu": given.friction,
        "friction_law": found.law.name,
        "contacts": built.source,
        "without_area": [list(pair) for pair in built.parted],
        "unbalanced": float(found.unbalanced),
        "elastic_energy": float(found.elastic_energy),
        "load_factor": None if factor is None else factor.factor,
        "load_factor_slides": None if factor is None else factor.slides,
        "margin": min(margin.factor for margin in margins) if margins else None,
        "margins": [margin.factor for margin in margins],
        "margins_slide": [margin.slides for margin in margins],
        "limits_converged": all(limit.converged for limit in limits),
    }
