"""Models of compas_dem: closed forms, and its own solvers RBE and CRA."""

from __future__ import annotations

import sys
from typing import Any, Callable

import numpy as np
import pytest

pytest.importorskip("compas_dem")

import compas
from compas.geometry import Box, Frame
from compas_dem.interactions import EdgeContact
from compas_dem.models import BlockModel
from compas_dem.problem import Solver

import drystone.compas
from masonry_models import arch, barrel, cross_vault, dome, finished, planar_dome, problem_of
from masonry_models import hanging_block, leaning, leaning_stack, rectangle, running_bond, semicircle, tilted
from masonry_reference import Structure, stress

MODELS = [arch, barrel, dome, cross_vault]
KINDS = ["RBE", "CRA"]
COULOMB = drystone.FrictionLaw.COULOMB
APART = {
    ("arch", "RBE"): 0.002,
    ("arch", "CRA"): 0.03,
    ("barrel", "RBE"): 0.3,
    ("barrel", "CRA"): 0.7,
    ("dome", "RBE"): 0.25,
    ("dome", "CRA"): 1.2,
    ("cross_vault", "RBE"): 0.2,
    ("cross_vault", "CRA"): 0.25,
}
"""How far resultants of indeterminate models are apart, measured and rounded up, over the largest resultant."""


def tower(friction: float = 0.7, high: float = 2) -> Any:
    """A block of 1 x 1 x `high` m on a support."""
    model = BlockModel.from_boxes([Box(3, 3, 1, Frame([0, 0, -0.5])), Box(1, 1, high, Frame([0, 0, high / 2]))])
    model.add_support(0)
    return problem_of(finished(model), friction)


def weight(model: Any) -> float:
    """Of all blocks that are no supports [N]."""
    return sum(9.81 * block.material.density * abs(block.modelgeometry.volume()) for block in model.blocks())


def corners(results: Any) -> dict[tuple[int, int], np.ndarray]:
    """Forces at the corners of interfaces in their axes: x, y, normal."""
    edges = {edge: results.contact_data(edge).forces for edge in results.edges()}
    return {edge: np.array([[f["c_u"], f["c_v"], f["c_np"] - f["c_nn"]] for f in forces]) for edge, forces in edges.items()}


def on_supports(model: Any, results: Any) -> np.ndarray:
    """The sum of the forces of supports on the blocks above them."""
    supports = {block.graphnode: block for block in model.supports()}
    blocks = {block.graphnode: np.array(block.point) for block in model.elements()}
    total = np.zeros(3)
    for u, v in results.edges():
        if (u in supports) != (v in supports):
            fixed, free = (u, v) if u in supports else (v, u)
            frame = results.contact_data((u, v)).frame
            along = (blocks[free] - blocks[fixed]) @ np.array(list(frame.zaxis))
            total += np.sign(along) * np.array(results.resultant_global((u, v)))
    return total


@pytest.mark.parametrize("make", MODELS)
def test_templates_stand_and_their_supports_carry_them(make: Callable[[], Any]) -> None:
    model = make()
    results = drystone.compas.solve(problem_of(model), directions=2)
    assert results.metadata["stable"] and results.metadata["converged"]
    assert 0 < results.metadata["margin"] < np.inf and results.metadata["contacts"] == "model"
    carried = weight(model)
    assert on_supports(model, results) == pytest.approx([0, 0, carried], abs=1e-9 * carried)
    for forces in corners(results).values():
        assert (np.hypot(forces[:, 0], forces[:, 1]) <= 0.7 * forces[:, 2] + 1e-9 * carried).all()
    assert max(np.abs(results.displacement(block.graphnode)).max() for block in model.elements()) < 1e-9


@pytest.mark.parametrize("make", [arch, barrel, planar_dome, cross_vault])
def test_contacts_of_the_model_and_of_the_shapes_have_one_answer(make: Callable[[], Any]) -> None:
    """In the cross vault 36 pairs of blocks meet along an edge alone, at the groins and on the crown, and 96 in the dome."""
    model = make()
    given = drystone.compas.solve(problem_of(model), directions=4, contacts="model")
    found = drystone.compas.solve(problem_of(model), directions=4, contacts="shapes")
    assert found.metadata["contacts"] == "shapes" and found.metadata["stable"] and given.metadata["without_area"] == []
    assert len(found.metadata["without_area"]) == {"cross_vault": 36, "planar_dome": 96}.get(make.__name__, 0)
    assert {frozenset(edge) for edge in found.edges()} == {frozenset(edge) for edge in given.edges()}
    # Limits are exact to 1e-9 of the loads.
    assert found.metadata["margins"] == pytest.approx(given.metadata["margins"], rel=1e-8)
    most = max(given.force_magnitude(edge) for edge in given.edges())
    for edge in given.edges():
        other = edge if edge in found.edges() else edge[::-1]
        sign = np.sign(np.dot(list(given.contact_frame(edge).zaxis), list(found.contact_frame(other).zaxis)))
        assert sign * np.array(found.resultant_global(other)) == pytest.approx(given.resultant_global(edge), abs=1e-7 * most)


def test_beds_that_are_not_planar_keep_their_contacts() -> None:
    """The hulls of the dome of the templates are another structure than its contacts: margins differ by 1.1 %."""
    model = dome()
    given = drystone.compas.solve(problem_of(model), directions=2, contacts="model")
    found = drystone.compas.solve(problem_of(model), directions=2, contacts="shapes")
    assert found.metadata["without_area"] == [] and len(list(found.edges())) == len(list(given.edges()))
    assert found.metadata["margins"] == pytest.approx(given.metadata["margins"], rel=0.012)


@pytest.mark.parametrize("is_elastic", [False, True])
def test_an_edge_carries_nothing_and_a_narrow_bed_does(is_elastic: bool) -> None:
    """A beam on two walls: it lies on them along `width`, of 4 m. Without width it meets them along two edges."""
    for width in (0.3, 0.01, 1e-9, 0.0):
        walls = [rectangle(-3, -2 + width, -1, 0), rectangle(2 - width, 3, -1, 0)]
        problem = problem_of(tilted([*walls, rectangle(-2, 2, 0, 0.5)], {0, 1}))
        if is_elastic:
            problem.set_joint_model(kn=1e8, kt=5e7)
        found = drystone.compas.solve(problem, directions=0, contacts="shapes")
        stands = width > 1e-3
        assert found.metadata["stable"] == stands
        assert found.metadata["without_area"] == ([] if stands else [[0, 2], [1, 2]])


def solved_by(kind: str, problem: Any) -> Any:
    """The Results of RBE or CRA."""
    pytest.importorskip("compas_cra")
    problem.set_solver(getattr(Solver, kind)())
    return problem.solve()


@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("kind", KINDS)
def test_indeterminate_forces_against_rbe_and_cra(make: Callable[[], Any], kind: str) -> None:
    """All balance each block and obey the law of friction; ours have less stress, by at least the stress of the difference."""
    model, friction = make(), 0.7
    structure, problem = Structure(model), problem_of(model, friction)
    own = structure.forces(drystone.compas.solve(problem, directions=0))
    others = structure.forces(solved_by(kind, problem))
    # Ours balance to the tolerance of `solve`. The others end within 1e-8 of the weight of a cubic metre.
    assert structure.unbalanced(own) < 1e-9 and structure.unbalanced(others) < 1e-8
    assert structure.beyond_friction(own, friction) < 1e-9
    # The others have the octagon around the circle of friction, and end at 1e-5. RBE can pull, at 1e6 times the cost.
    assert structure.beyond_friction(others, friction / np.cos(np.pi / 8)) < 1e-5
    # Forces of least stress are the projection of 0 on a convex set: the angle towards any other forces in the set is not acute.
    # The others leave the circle by the octagon, which gains them less than the last digits of their stress.
    assert stress(own) + stress(others - own) <= stress(others) * (1 + 1e-7)
    assert structure.apart(own, others) < APART[make.__name__, kind]


@pytest.mark.parametrize("make", [*MODELS, semicircle, leaning_stack, hanging_block])
def test_forces_are_those_of_least_stress(make: Callable[[], Any]) -> None:
    model, friction = make(), 0.7
    structure = Structure(model)
    own = structure.forces(drystone.compas.solve(problem_of(model, friction), directions=0))
    least = structure.least_stress(friction)
    assert structure.unbalanced(least) < 1e-11 and structure.beyond_friction(least, friction) < 1e-11
    # The least stress is strongly convex: forces differ by no more than the balance of ours, 1e-9, times the slenderness.
    assert np.abs(own - least).max() < 1e-8 * structure.weight


@pytest.mark.parametrize("make", [leaning_stack, lambda: leaning_stack(0.1), lambda: leaning_stack(0.5, 1), hanging_block])
@pytest.mark.parametrize("kind", KINDS)
def test_determinate_resultants_against_rbe_and_cra(make: Callable[[], Any], kind: str) -> None:
    """Stacks, a block on a slope and a block with two like interfaces: balance alone, or with symmetry, decides the resultants."""
    model = make()
    structure, problem = Structure(model), problem_of(model)
    own, others = drystone.compas.solve(problem, directions=0), solved_by(kind, problem)
    # The tolerance of balance of the other solvers is 1e-8.
    assert structure.apart(structure.forces(own), structure.forces(others)) < 1e-8
    ours, theirs = drystone.compas.interfaces(own), drystone.compas.interfaces(others)
    assert ours[["a", "b"]].tolist() == theirs[["a", "b"]].tolist()
    for name, tolerance in (("point", 1e-8), ("normal", 1e-12), ("normal_force", 1e-8 * structure.weight)):
        assert ours[name] == pytest.approx(theirs[name], abs=10 * tolerance)


@pytest.mark.parametrize("kind", KINDS)
def test_resultants_of_an_arch_whose_hinges_are_decided(kind: str) -> None:
    """An arch that leans nearly to its fall has four hinges, which decide the resultants in its plane."""
    away = 1e-6
    margin = drystone.compas.solve(semicircle(), friction=0.7, directions=1).metadata["margin"]
    model = semicircle(margin * (1 - away))
    structure, problem = Structure(model), problem_of(model)
    own = structure.resultants(structure.forces(drystone.compas.solve(problem, directions=0)))
    others = structure.resultants(structure.forces(solved_by(kind, problem)))
    # What is open shrinks with the distance from the fall. CRA balances to 1e-6 there, and RBE pulls by 1e-6.
    largest = np.linalg.norm(own, axis=1).max()
    assert np.abs(own - others)[:, [0, 2]].max() < 2e-5 * largest
    # Across its plane the arch is indeterminate: RBE weighs only a third of the friction there, ours has none.
    assert np.abs(own[:, 1]).max() < 1e-9 * largest


@pytest.mark.parametrize("make", [semicircle, barrel])
def test_the_margin_is_where_rbe_begins_to_pull(make: Callable[[], Any]) -> None:
    """A model that leans has the weight of one that is accelerated. The barrel is flat: it leans by 86 degrees."""
    margin = drystone.compas.solve(make(), friction=0.7, directions=1).metadata["margin"]
    pulls = []
    for share in (0.99, 1.01):
        model = leaning(make(), margin * share)
        assert drystone.compas.solve(model, friction=0.7, directions=0).metadata["stable"] == (share < 1)
        normal = Structure(model).forces(solved_by("RBE", problem_of(model)))[:, 2]
        pulls.append(-normal.min() / normal.max())
    # RBE pulls a little everywhere, at 1e6 times the cost of pressure.
    assert pulls[0] < 2e-5 and pulls[1] > 2e-4


@pytest.mark.parametrize("contacts", ["model", "shapes"])
@pytest.mark.parametrize("make", [semicircle, lambda: semicircle(count=48), leaning_stack, running_bond])
def test_margins_against_a_linear_program(make: Callable[[], Any], contacts: str) -> None:
    """Among them an arch whose voussoirs are much thinner than its joints are wide."""
    for friction in (0.7, 0.4):
        model = make()
        results = drystone.compas.solve(model, friction=friction, directions=1, contacts=contacts)
        # That of the linear program is 1e-10, of drystone 1e-9.
        assert results.metadata["margin"] == pytest.approx(Structure(model).margin(friction), abs=1e-8)


@pytest.mark.parametrize(("contacts", "spread"), [("model", 1e-3), ("model", 0.05), ("shapes", 1e-3), ("shapes", 0.05)])
def test_a_support_that_moves_out_or_in_decides_the_thrust(contacts: str, spread: float) -> None:
    """An arch on supports that spread has the least thrust of all that balance it, on supports that close the largest."""
    model = semicircle()
    structure = Structure(model)
    bounds = structure.least_reaction(0, (1, 0, 0), 0.7), -structure.least_reaction(0, (-1, 0, 0), 0.7)
    for move, bound in zip((spread, -spread), bounds):
        problem = problem_of(model)
        problem.add_boundary_condition().add_displacement(0, dx=move)
        results = drystone.compas.solve(problem, contacts=contacts, directions=0)
        assert results.metadata["stable"] and results.metadata["converged"]
        table = drystone.compas.interfaces(results)
        thrust = sum(each["resultant"][0] * (1 if each["b"] == 0 else -1) for each in table if 0 in (each["a"], each["b"]))
        assert thrust == pytest.approx(bound, rel=1e-7)


@pytest.mark.parametrize("contacts", ["model", "shapes"])
def test_beds_that_slide_have_full_friction(contacts: str) -> None:
    """A beam lies on two supports, of which one moves out. Each bed carries W / 2 and slides: its friction is mu W / 2."""
    model = tilted([rectangle(-2, -1, -1, 0), rectangle(1, 2, -1, 0), rectangle(-2, 2, 0, 0.5)], {0, 1})
    problem = problem_of(model, 0.3)
    problem.add_boundary_condition().add_displacement(1, dx=1e-3)
    table = drystone.compas.interfaces(drystone.compas.solve(problem, contacts=contacts, directions=0))
    assert table["normal_force"] == pytest.approx([weight(model) / 2] * 2, rel=1e-8)
    assert table["tangential_force"] == pytest.approx([0.15 * weight(model)] * 2, rel=1e-8)


def test_forces_after_a_move_across_do_not_depend_on_the_source_of_contacts() -> None:
    """One support of an arch moves along its barrel: some corners slide, some open, some stick."""
    tables = []
    for contacts in ("model", "shapes"):
        problem = problem_of(semicircle())
        problem.add_boundary_condition().add_displacement(0, dy=5e-3, dz=2e-3)
        table = drystone.compas.interfaces(drystone.compas.solve(problem, contacts=contacts, directions=0))
        tables.append({(each["a"], each["b"]): each["resultant"] for each in table})
    largest = max(np.linalg.norm(resultant) for resultant in tables[0].values())
    for edge, resultant in tables[0].items():
        other = tables[1][edge] if edge in tables[1] else -tables[1][edge[::-1]]
        # What slides is judged by speeds, to 1e-6.
        assert resultant == pytest.approx(other, abs=1e-6 * largest)


def test_a_block_that_hangs_from_its_head_is_carried() -> None:
    """Its centre lies below those of the blocks that carry it. It swings out of the outer edge of its head, b = 0.6 m from its middle."""
    model = hanging_block()
    results = drystone.compas.solve(model, friction=0.7, directions=2)
    # Head 1.2 x 0.3 m about z = 0.15 m, stem 0.4 x 3 m about -1.5 m.
    depth = (1.2 * 1.5 - 0.36 * 0.15) / 1.56
    assert results.metadata["stable"] and results.metadata["margins"] == pytest.approx([0.6 / depth] * 2, rel=1e-8)
    table = drystone.compas.interfaces(results)
    assert table["a"].tolist() == [0, 0] and table["normal"] == pytest.approx(np.array([[0, 0, -1]] * 2), abs=1e-12)
    assert table["resultant"] == pytest.approx(np.array([[0, 0, -weight(model) / 2]] * 2), abs=1e-9 * weight(model))


def test_interfaces_are_kept_in_saved_results_and_point_to_the_second_block() -> None:
    model = barrel()
    results = drystone.compas.solve(model, friction=0.7, directions=0)
    table = drystone.compas.interfaces(results)
    assert (drystone.compas.interfaces(compas.json_loads(compas.json_dumps(results))) == table).all()
    structure = Structure(model)
    order = {edge: place for place, edge in enumerate(structure.edges)}
    resultants = structure.resultants(structure.forces(results))
    for each in table:
        assert each["resultant"] == pytest.approx(resultants[order[each["a"], each["b"]]], abs=1e-9 * structure.weight)
        shares = each["normal_force"], each["tangential_force"]
        assert np.hypot(*shares) == pytest.approx(np.linalg.norm(each["resultant"]), rel=1e-12)
        if each["normal_force"] > 1e-9 * structure.weight:  # more than round-off, which acts anywhere
            assert each["point"] == pytest.approx(list(results.force_point((each["a"], each["b"]))), abs=1e-9)
    assert len(drystone.compas.interfaces(drystone.compas.solve(arch(thickness=0.05), friction=0.7, directions=0))) == 0
    with pytest.raises(TypeError, match="results is a int, expected Results of compas_dem"):
        drystone.compas.interfaces(3)


def test_a_thin_arch_falls_for_both() -> None:
    pytest.importorskip("compas_cra")
    problem = problem_of(arch(thickness=0.05))
    results = drystone.compas.solve(problem)
    assert not results.metadata["stable"] and results.metadata["margin"] == -np.inf
    assert not list(results.edges()) and min(results.displacement(node)[2] for node in results.nodes()) < 0
    problem.set_solver(Solver.RBE())
    forces = np.vstack(list(corners(problem.solve()).values()))
    # RBE answers with tension where nothing else balances.
    assert -forces[:, 2].min() > 0.05 * forces[:, 2].max()


@pytest.mark.parametrize("contacts", ["model", "shapes"])
@pytest.mark.parametrize(("friction", "margin"), [(0.7, 0.5), (0.3, 0.3)])
def test_a_block_turns_over_or_slides(contacts: str, friction: float, margin: float) -> None:
    results = drystone.compas.solve(tower(friction), contacts=contacts)
    assert results.metadata["margins"] == pytest.approx([margin] * 4, abs=1e-8)
    assert results.metadata["margins_slide"] == [friction == margin] * 4 and results.metadata["limits_converged"]
    assert results.metadata["load_factor_slides"] is None


@pytest.mark.parametrize("contacts", ["model", "shapes"])
def test_loads_grow_until_it_falls(contacts: str) -> None:
    problem = tower(0.7, 1)
    mass = 2200.0
    loads = problem.add_boundary_condition()
    loads.add_point_load(1, [0.1 * mass * 9.81, 0, 0], point=[0, 0, 1])
    results = drystone.compas.solve(problem, contacts=contacts, directions=0)
    # It turns over by F * 1 = W / 2.
    assert results.metadata["stable"] and results.metadata["load_factor"] == pytest.approx(5, abs=1e-7)
    assert not results.metadata["load_factor_slides"] and results.metadata["limits_converged"]
    upon = np.sign(results.contact_frame((0, 1)).zaxis[2]) * np.array(results.resultant_global((0, 1)))
    assert upon == pytest.approx([-0.1 * mass * 9.81, 0, mass * 9.81], abs=1e-5)
    assert results.force_point((0, 1))[0] == pytest.approx(0.1, abs=1e-9)
    loads.add_point_load(1, [0.5 * mass * 9.81, 0, 0], point=[0, 0, 1])
    assert not drystone.compas.solve(problem, contacts=contacts, directions=0).metadata["stable"]


@pytest.mark.parametrize("contacts", ["model", "shapes"])
def test_blocks_follow_a_support_that_moves(contacts: str) -> None:
    problem = tower()
    problem.add_boundary_condition().add_displacement(0, dx=0.004, dz=0.002)
    results = drystone.compas.solve(problem, contacts=contacts, directions=0)
    assert results.metadata["stable"]
    for node in (0, 1):
        assert results.displacement(node) == pytest.approx([0.004, 0, 0.002], abs=1e-8)


@pytest.mark.parametrize("contacts", ["model", "shapes"])
def test_coulombs_law_is_offered(contacts: str) -> None:
    results = drystone.compas.solve(problem_of(arch()), contacts=contacts, directions=0, friction_law=COULOMB)
    assert results.metadata["stable"] and results.metadata["converged"] and results.metadata["friction_law"] == "COULOMB"
    associated = drystone.compas.solve(problem_of(arch()), contacts=contacts, directions=0)
    # Nothing slides, so that both laws have the same forces.
    for edge in associated.edges():
        assert results.force_magnitude(edge) == pytest.approx(associated.force_magnitude(edge), rel=1e-5)


def test_forces_of_coulombs_law_do_not_depend_on_the_source_of_contacts() -> None:
    """In the barrel some corners slide in the joints along it, where both laws differ."""
    largest, tables = [], []
    for contacts, law in (("model", COULOMB), ("shapes", COULOMB), ("model", drystone.FrictionLaw.ASSOCIATED)):
        results = drystone.compas.solve(problem_of(barrel()), contacts=contacts, directions=0, friction_law=law)
        assert results.metadata["friction_law"] == law.name
        table = drystone.compas.interfaces(results)
        largest.append(table["normal_force"].max())
        tables.append({(each["a"], each["b"]): each["resultant"] for each in table})
    for edge, resultant in tables[0].items():
        other = tables[1][edge] if edge in tables[1] else -tables[1][edge[::-1]]
        assert resultant == pytest.approx(other, abs=1e-8 * largest[0])
    assert largest[2] > 1.02 * largest[0]


def test_a_block_between_walls_is_held_by_the_associated_law_alone() -> None:
    """The law presses it against both walls with W / 2 mu, as RBE does. No gaps and no stress: Coulomb's law lets it slide, as CRA does."""
    pytest.importorskip("compas_cra")
    model, friction = tilted([rectangle(-1, 0, -1, 1), rectangle(1, 2, -1, 1), rectangle(0, 1, 0, 1)], {0, 1}), 0.5
    problem = problem_of(model, friction)
    pressed = weight(model) / (2 * friction)
    for results in (drystone.compas.solve(problem, directions=0), solved_by("RBE", problem)):
        # RBE ends at 1e-6 of the force.
        assert drystone.compas.interfaces(results)["normal_force"] == pytest.approx([pressed] * 2, rel=1e-6)
    assert not drystone.compas.solve(problem, directions=0, friction_law=COULOMB).metadata["stable"]
    with pytest.raises(ValueError, match="infeasible"):
        solved_by("CRA", problem)


def test_elastic_joints_sink_and_shear() -> None:
    problem = tower()
    problem.set_joint_model(kn=1e8, kt=5e7)
    problem.add_boundary_condition().add_point_load(1, [1000, 0, 0], point=[0, 0, 0])
    results = drystone.compas.solve(problem, directions=0)
    # four corners of 1e8 and 5e7 N/m
    assert results.metadata["contacts"] == "shapes"
    assert results.displacement(1) == pytest.approx([1000 / 2e8, 0, -4400 * 9.81 / 4e8], rel=1e-9, abs=1e-15)
    problem.set_joint_model(kn=1e8, kt=None)
    assert drystone.compas.solve(problem, directions=0).displacement(1)[0] == pytest.approx(1000 / (4 * 2e8 / 3), rel=1e-9)
    for name, value in (("kn", -1.0), ("kt", 0.0)):
        problem.set_joint_model(**{"kn": 1e8, "kt": 1e8, name: value})
        with pytest.raises(ValueError, match=f"{name} of the joint model is {value}, expected a finite number above 0"):
            drystone.compas.solve(problem)


def test_a_model_alone_is_enough_and_results_can_be_saved() -> None:
    model = arch()
    results = drystone.compas.solve(model, friction=0.7, directions=1)
    again = compas.json_loads(compas.json_dumps(results))
    assert again.metadata == results.metadata and again.model_id == str(model.guid)
    for edge in results.edges():
        assert again.resultant_global(edge) == results.resultant_global(edge)


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(ValueError, match="friction is None"):
        drystone.compas.solve(arch())
    with pytest.raises(TypeError, match="problem is a int"):
        drystone.compas.solve(3)
    with pytest.raises(ValueError, match="contacts is 'none'"):
        drystone.compas.solve(arch(), friction=0.7, contacts="none")
    with pytest.raises(ValueError, match="directions is -1, expected 0 to 3600"):
        drystone.compas.solve(arch(), friction=0.7, directions=-1)
    with pytest.raises(TypeError, match="directions is 2.5, expected a whole number"):
        drystone.compas.solve(arch(), friction=0.7, directions=2.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"friction_law is FrictionLaw.BOX, expected FrictionLaw.COULOMB or FrictionLaw.ASSOCIATED"):
        drystone.compas.solve(arch(), friction=0.7, friction_law=drystone.FrictionLaw.BOX)
    for name, value in (("friction", -0.1), ("friction", np.nan), ("density", 0), ("density", np.inf), ("tolerance", 0)):
        with pytest.raises(ValueError, match=f"{name} is {value}, expected a finite number"):
            drystone.compas.solve(arch(), **{"friction": 0.7, name: value})
    model = arch()
    model.clear_supports()
    with pytest.raises(ValueError, match="no supports"):
        drystone.compas.solve(model, friction=0.7)
    problem = problem_of(arch())
    problem.set_contact_model("MohrCoulomb", mu=0.7, c=1e5)
    with pytest.raises(ValueError, match=r"c of the contact model is 100000"):
        drystone.compas.solve(problem)
    problem = tower()
    problem.add_boundary_condition().add_displacement(1, dx=0.1)
    with pytest.raises(ValueError, match="block 1 has a displacement"):
        drystone.compas.solve(problem)
    with pytest.raises(ValueError, match="block 0 has no material"):
        model = BlockModel.from_boxes([Box(1)])
        model.add_support(0)
        drystone.compas.solve(model, friction=0.7)
    with pytest.raises(ValueError, match="all blocks of the model are supports"):
        drystone.compas.solve(model, friction=0.7, density=2000)
    model = arch()
    model.graph.edge_attribute((3, 4), "contacts", [EdgeContact([[0, 0, 0], [0, 1, 0]], Frame.worldXY())])
    with pytest.raises(ValueError, match="the contact of blocks 3 and 4 has 2 corners, expected 3 or more"):
        drystone.compas.solve(model, friction=0.7)


def test_without_compas_dem_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "compas_dem.models", None)
    with pytest.raises(ImportError, match=r"needs compas_dem: pip install drystone\[compas\]"):
        drystone.compas.solve(None)
