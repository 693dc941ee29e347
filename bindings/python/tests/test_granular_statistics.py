"""Statistics of grains, on contacts made by hand, in worlds, and against closed forms."""

from __future__ import annotations

import math
import re
from typing import Any, Callable

import numpy as np
import pytest

import drystone
from drystone import BodyKind, ContactState, World
from drystone.granular import packings, statistics
from scenes import BALL_MASS, Scene


def contacts(*pairs: tuple[int, int], forces: Any = 1.0, state: int = ContactState.ACTIVE) -> np.ndarray:
    """Contacts between pairs of handles, their normals along x."""
    made = np.zeros(len(pairs), drystone.CONTACT_DTYPE)
    made["body_a"], made["body_b"] = np.array(pairs, np.uint64).reshape(-1, 2).T
    made["normal"], made["compatible_normal_force"], made["state"] = (1, 0, 0), forces, state
    made["normal_force"] = -7  # the solver's own, which nothing here is to use
    return made


def test_coordination_of_a_triangle_a_rattler_and_a_wall() -> None:
    wall, grains = 9, [5, 3, 7, 4, 6]
    # 3, 5 and 7 touch each other; 4 touches 3 alone; 6 touches nothing; 5 touches the wall
    found = contacts((3, 5), (5, 7), (7, 3), (4, 3), (9, 5))
    inner = statistics.coordination(found, grains)
    assert inner == (2 * 4 / 5, (2 * 4 - 1) / (5 - 2), 4, 5, 1, 1)
    outer = statistics.coordination(found, grains, walls=True)
    assert outer == ((2 * 4 + 1) / 5, (2 * 4 + 1 - 1) / (5 - 2), 5, 5, 1, 1)
    assert len(statistics.between(found, grains)) == 4 and len(statistics.between(found, grains, walls=True)) == 5
    assert statistics.between(found, [wall]).shape == (0,)
    assert len(statistics.between(contacts((9, 5), (5, 9)), [5], walls=True)) == 2


def test_what_carries_nothing_does_not_count() -> None:
    found = np.concatenate([contacts((1, 2)), contacts((2, 3), state=ContactState.NEW)])
    assert statistics.carrying(found)["body_b"].tolist() == [2]
    one = statistics.coordination(found, [1, 2, 3])
    assert (one.contacts, one.without_contact, one.with_one_contact) == (1, 1, 2)
    assert one.mean == 2 / 3 and math.isnan(one.without_rattlers)
    assert statistics.force_distribution(found).values.tolist() == [1]


def test_a_stack_in_a_world() -> None:
    with World() as world:
        world.configure(iterations=200)
        world.add_body(shape=world.half_space((0, 0, 1), 0), kind=BodyKind.STATIC)
        definitions = drystone.body_defs(4, shape=world.sphere(0.5))
        definitions["position"][:, 2] = 0.5 + np.arange(4)
        grains = world.add_bodies(definitions)
        world.step(1 / 240)
        found = world.contacts()
        assert statistics.coordination(found, grains)[:3] == (2 * 3 / 4, (2 * 3 - 2) / 2, 3)
        assert statistics.coordination(found, grains, walls=True).mean == 7 / 4
        assert statistics.fabric(found) == pytest.approx(np.diag([0, 0, 1]), abs=1e-15)
        forces = statistics.force_distribution(statistics.between(found, grains, walls=True))
        # the contacts carry 4, 3, 2 and 1 balls
        assert forces.mean == pytest.approx(2.5 * BALL_MASS * 9.81, rel=1e-6)
        assert np.sort(forces.values) == pytest.approx(np.array([1, 2, 3, 4]) / 2.5, rel=1e-6)


def test_fabric() -> None:
    found = contacts((1, 2), (1, 3), (2, 3), (3, 4), (4, 5))
    normals = np.random.default_rng(1).normal(size=(5, 3))
    found["normal"] = normals / np.linalg.norm(normals, axis=1)[:, None]
    found["state"][4] = 0
    tensor = statistics.fabric(found)
    expected = sum(np.outer(normal, normal) for normal in found["normal"][:4]) / 4
    assert tensor == pytest.approx(expected, abs=1e-15) and (tensor == tensor.T).all()
    assert np.trace(tensor) == pytest.approx(1, abs=1e-15)


def test_force_distribution() -> None:
    spread = statistics.force_distribution(contacts(*5 * [(1, 2)], forces=[1, 1, 2, 2, 4]), bins=4)
    assert spread.mean == 2 and spread.values.tolist() == [0.5, 0.5, 1, 1, 2]
    assert spread.edges.tolist() == [0, 0.5, 1, 1.5, 2]
    assert spread.density == pytest.approx([0, 2 / 5 / 0.5, 2 / 5 / 0.5, 1 / 5 / 0.5])


def test_fraction_of_lattices() -> None:
    lower, upper = np.zeros(3), np.full(3, 5.0)
    cubic = packings.cubic(lower, upper, 1)
    radii = np.full(len(cubic), 0.5)
    assert statistics.packing_fraction(lower, upper, cubic, radii) == pytest.approx(math.pi / 6, rel=1e-14)
    # any box whose edges are whole periods has the same, wherever its faces cut the spheres
    for shift in ((1.5, 1.5, 1.5), (1.13, 1.5, 1.77), (1.02, 1.98, 1.0)):
        fraction = statistics.packing_fraction(shift, np.add(shift, (2, 1, 2)), cubic, radii)
        assert fraction == pytest.approx(math.pi / 6, rel=1e-13)
    close = packings.hexagonal((0, 0, 0), (9, 9, 9), 1)
    low, period = np.array([2.3, 2.1, 2.7]), np.array([2, math.sqrt(3), math.sqrt(8 / 3)])
    fraction = statistics.packing_fraction(low, low + period, close, np.full(len(close), 0.5))
    assert fraction == pytest.approx(math.pi / math.sqrt(18), rel=1e-13)


def volume(lower: Any, upper: Any) -> float:
    """Of the sphere of radius 2 about (1, 0, 0) in a box."""
    return statistics.packing_fraction(lower, upper, [(1, 0, 0)], [2.0]) * float(np.prod(np.subtract(upper, lower)))


@pytest.mark.parametrize("height", [-1.999, -1.3, 0, 0.4, 1.9999])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_sphere_that_one_face_cuts(height: float, axis: int) -> None:
    lower = np.full(3, -9.0)
    lower[axis] = height + (1, 0, 0)[axis]
    cap = math.pi * (2 - height) ** 2 * (4 + height) / 3
    assert volume(lower, (9, 9, 9)) == pytest.approx(cap, abs=1e-13 * 4 / 3 * math.pi * 8)


def test_a_sphere_that_six_faces_cut() -> None:
    for half in (1.5, 1.8, math.sqrt(2) + 1e-9):  # the edges of the cube are outside
        cap = math.pi * (2 - half) ** 2 * (4 + half) / 3
        exact = 4 / 3 * math.pi * 8 - 6 * cap
        assert volume((1 - half, -half, -half), (1 + half, half, half)) == pytest.approx(exact, rel=1e-13)
    assert volume((0.5, -0.5, -0.5), (1.5, 0.5, 0.5)) == pytest.approx(1, rel=1e-14)  # the corners are inside


def test_parts_cut_by_edges_and_corners_add_up() -> None:
    generator = np.random.default_rng(2)
    corners = np.array([1, 0, 0]) + generator.uniform(-2, 2, (20, 3))
    corners[0] = 1 + 1e-9, 1e-9, 0  # the kinks are near each other
    corners[1] = 1 + math.sqrt(2), math.sqrt(2), 1e-7  # an edge is near the surface
    for corner in corners:
        parts = []
        for octant in range(8):
            is_upper = np.array([octant & 1, octant & 2, octant & 4], bool)
            parts.append(volume(np.where(is_upper, corner, -9), np.where(is_upper, 9, corner)))
        assert min(parts) >= -1e-13 and sum(parts) == pytest.approx(4 / 3 * math.pi * 8, rel=1e-13)


def test_the_axis_of_the_integration_does_not_matter() -> None:
    generator = np.random.default_rng(3)
    for number in range(100):
        lower, upper = np.sort(generator.uniform(-2, 2, (2, 3)), axis=0)
        if number % 2:
            upper = np.full(3, 9.0)  # one corner alone
        turned = [[lower[order], upper[order]] for order in ([0, 1, 2], [1, 2, 0], [2, 0, 1])]
        volumes = [volume(low + (1, 0, 0), high + (1, 0, 0)) for low, high in turned]
        assert volumes == pytest.approx(3 * [volumes[0]], abs=1e-13 * 4 / 3 * math.pi * 8)


def test_inertial_number() -> None:
    assert statistics.inertial_number(-10, 2e-3, 400, 2500) == pytest.approx(10 * 2e-3 / math.sqrt(400 / 2500))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: statistics.coordination(contacts((1, 2)), []), "grains is of shape (0,), expected at least one grain"),
        (lambda: statistics.coordination(contacts((1, 2)), [1, 2, 1]), "grains has 1 more than once"),
        (lambda: statistics.fabric(contacts((1, 2), state=0)), "contacts has 1 contacts that carry nothing"),
        (lambda: statistics.force_distribution(contacts()), "contacts has 0 contacts that carry nothing"),
        (lambda: statistics.force_distribution(contacts((1, 2)), bins=0), "bins is 0, expected 1 to"),
        (lambda: statistics.force_distribution(contacts((1, 2), forces=0)), "with the mean 0.0, expected a mean above 0"),
        (lambda: statistics.inertial_number(1, 1, 0, 1), "pressure is 0.0, expected a finite number above 0"),
        (
            lambda: statistics.packing_fraction((0, 0, 0), (1, 1, 1), [(0, 0, 0)], [1, 1]),
            "radii is of shape (2,), expected (1,), one for each of centres",
        ),
        (
            lambda: statistics.packing_fraction((0, 0, 0), (1, 1, 1), [(0, float("nan"), 0)], [1]),
            "centres[0, 1] is nan, expected a finite number",
        ),
        (lambda: statistics.packing_fraction((0, 0, 0), (1, 1, 1), [(1e300, 0, 0)], [1]), "centres[0, 0] is 1e+300, expected -1e+50 to"),
        (lambda: statistics.packing_fraction((0, 0, 0), (1, 1, 1), [(0, 0, 0)], [1e300]), "radii[0] is 1e+300, expected 1e-50 to"),
        (lambda: statistics.packing_fraction((0, 0, 0), (1, 1, 1), [(1e6, 0, 0)], [1e6]), "radii[0] is 1000000.0, of a sphere that cuts"),
        (lambda: statistics.packing_fraction((0, 0, 0), (1, 1, float("inf")), [], []), "upper[2] is inf, expected a finite number"),
        (lambda: statistics.force_distribution(contacts((1, 2)), bins=2**40), "bins is 1099511627776, expected 1 to 134217728"),
        (lambda: statistics.inertial_number(1e300, 1e300, 1, 1), "shear_rate is 1e+300, which makes an inertial number of inf"),
        (lambda: statistics.inertial_number(float("nan"), 1, 1, 1), "shear_rate is nan, expected a finite number"),
    ],
)
def test_what_is_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e300])
def test_numbers_of_contacts_that_are_refused(value: float) -> None:
    found = contacts((1, 2), (2, 3), (3, 4))
    found["state"][0] = 0
    found["normal"][0] = found["compatible_normal_force"][0] = math.nan  # it carries nothing, so that it does not matter
    assert statistics.fabric(found)[0, 0] == 1 and statistics.force_distribution(found).mean == 1
    found["normal"][2, 1] = found["compatible_normal_force"][2] = value
    with pytest.raises(ValueError, match=re.escape(f"contacts['normal'][2, 1] is {value}, expected a component of a unit vector")):
        statistics.fabric(found)
    with pytest.raises(ValueError, match=re.escape(f"contacts['compatible_normal_force'][2] is {value}, expected -1e+150 to 1e+150")):
        statistics.force_distribution(found)


def test_nothing_at_all() -> None:
    empty = statistics.coordination(contacts(), [1, 2])
    assert empty[0] == 0 and math.isnan(empty.without_rattlers) and empty[2:] == (0, 2, 2, 0)
    assert statistics.packing_fraction((0, 0, 0), (1, 1, 1), np.empty((0, 3)), []) == 0
    # spheres around the whole box, and one that touches it with its outermost point
    assert statistics.packing_fraction((0, 0, 0), (1, 1, 1), [(1e6, 0, 0), (-1e9, 0, 0)], [2e6, 1e9]) == 1
    assert len(statistics.carrying(contacts())) == len(statistics.between(contacts(), [])) == 0


def test_forces_below_0_are_in_the_distribution() -> None:
    spread = statistics.force_distribution(contacts(*4 * [(1, 2)], forces=[-1, 1, 1, 3]), bins=4)
    assert spread.edges.tolist() == [-1, 0, 1, 2, 3]
    assert spread.density.tolist() == [0.25, 0, 0.5, 0.25]


def test_extreme_inertial_numbers() -> None:
    assert statistics.inertial_number(1, 1, 1e-320, 1e10) == pytest.approx(1e165, rel=1e-3)


def test_contacts_of_another_type_are_refused(scene: Scene) -> None:
    with pytest.raises(TypeError, match="contacts is of type structures .position"):
        statistics.fabric(scene.world.states())
