"""What interfaces carry, against closed forms, and files of it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from drystone import BodyKind, ClumpPart, World, masonry

GRAVITY = 9.81


def about_y(angle: float) -> tuple[float, float, float, float]:
    return (0, float(np.sin(angle / 2)), 0, float(np.cos(angle / 2)))


@pytest.mark.parametrize("floor_first", [True, False])
def test_a_block_on_a_slope(floor_first: bool) -> None:
    """The resultant is the weight. It acts where the line of weight meets the bed, and its shares are W cos and W sin."""
    slope, mass, half = np.radians(20), 3.0, (0.5, 0.4, 0.6)
    along, up = np.array([np.cos(slope), 0, -np.sin(slope)]), np.array([np.sin(slope), 0, np.cos(slope)])
    with World() as world:
        rough = world.add_material(friction=0.7)
        adders = [
            lambda: world.add_body(shape=world.half_space(up, 0), kind=BodyKind.STATIC, material=rough),
            lambda: world.add_body(shape=world.box(half), mass=mass, position=half[2] * up, rotation=about_y(slope), material=rough),
        ]
        for add in adders if floor_first else adders[::-1]:
            add()
        world.solve_static()
        (found,) = masonry.interfaces(world)
    weight, side = mass * GRAVITY, 1 if floor_first else -1
    assert (found["a"], found["b"]) == (0, 1)
    assert found["resultant"] == pytest.approx([0, 0, side * weight], abs=1e-9 * weight)
    assert found["normal"] == pytest.approx(side * up, abs=1e-12)
    assert found["point"] == pytest.approx(half[2] * np.tan(slope) * along, abs=1e-9)
    assert found["normal_force"] == pytest.approx(weight * np.cos(slope), rel=1e-9)
    assert found["tangential_force"] == pytest.approx(weight * np.sin(slope), rel=1e-9)
    assert found["moment"] == pytest.approx([0, 0, 0], abs=1e-9 * weight)


def test_a_stack_under_a_horizontal_acceleration() -> None:
    """A bed carries what is above it. The resultant acts where the line of the inclined weight meets the bed."""
    count, mass, share, height = 4, 2.0, 0.1, 0.5
    with World(gravity=(share * GRAVITY, 0, -GRAVITY)) as world:
        rough = world.add_material(friction=0.7)
        world.add_body(shape=world.half_space((0, 0, 1), 0), kind=BodyKind.STATIC, material=rough)
        brick = world.box((0.5, 0.3, height / 2))
        for place in range(count):
            world.add_body(shape=brick, mass=mass, position=(0, 0, (place + 0.5) * height), material=rough)
        world.solve_static()
        found = masonry.interfaces(world)
    assert found["a"].tolist() == [0, 1, 2, 3] and found["b"].tolist() == [1, 2, 3, 4]
    above = mass * GRAVITY * np.arange(count, 0, -1)
    middle = height / 2 * np.arange(count, 0, -1)
    zero = np.zeros(count)
    assert found["resultant"] == pytest.approx(np.column_stack([-share * above, zero, above]), abs=1e-8)
    assert found["point"] == pytest.approx(np.column_stack([share * middle, zero, height * np.arange(count)]), abs=1e-9)
    assert found["normal_force"] == pytest.approx(above, rel=1e-9)
    assert found["tangential_force"] == pytest.approx(share * above, rel=1e-8)


def test_an_arch() -> None:
    """The thrust is the same at all joints, resultants act within them, and those of a voussoir balance its weight and meet on its line."""
    count, inner, outer, depth = 12, 0.85, 1.15, 0.25
    angles = np.pi * np.arange(count + 1) / count
    with World() as world:
        rough = world.add_material(friction=0.7)
        for first, second in zip(angles, angles[1:]):
            rim = [(r * np.cos(a), y, r * np.sin(a)) for a in (first, second) for r in (inner, outer) for y in (-depth, depth)]
            # The centroid of a trapezoid, from the axis of the arch.
            middle = (first + second) / 2
            away = 2 / 3 * (outer**3 - inner**3) / (outer**2 - inner**2) * np.cos((second - first) / 2)
            center = np.array([away * np.cos(middle), 0, away * np.sin(middle)])
            world.add_body(shape=world.hull(rim - center), mass=1, position=center, material=rough)
        for x in (1, -1):
            world.add_body(shape=world.box((0.3, 0.3, 0.1)), position=(x, 0, -0.1), kind=BodyKind.STATIC, material=rough)
        centers = world.states()["position"][:count]
        world.solve_static()
        found = masonry.interfaces(world)
    assert len(found) == count + 1 and (found["normal_force"] > 0).all()
    assert np.abs(found["resultant"][:, 0]) == pytest.approx(np.full(count + 1, abs(found["resultant"][0, 0])), rel=1e-8)
    radii = np.hypot(found["point"][:, 0], found["point"][:, 2])
    # A hinge lies at the end of its joint.
    assert radii.min() > inner - 1e-12 and radii.max() < outer + 1e-12
    for place in range(count):
        forces, moments = np.array([0, 0, -GRAVITY]), np.zeros(3)
        for each in found[(found["a"] == place) | (found["b"] == place)]:
            sign = 1 if each["b"] == place else -1
            forces = forces + sign * each["resultant"]
            moments += sign * (np.cross(each["point"] - centers[place], each["resultant"]) + each["moment"])
        assert np.abs([forces, moments]).max() < 1e-8
    assert np.hypot(found["normal_force"], found["tangential_force"]) == pytest.approx(np.linalg.norm(found["resultant"], axis=1), rel=1e-12)


def test_friction_that_twists_is_a_moment_about_the_normal() -> None:
    with World() as world:
        rough = world.add_material(friction=0.7)
        world.add_body(shape=world.half_space((0, 0, 1), 0), kind=BodyKind.STATIC, material=rough)
        block = world.add_body(shape=world.box((0.5, 0.5, 0.5)), mass=1, position=(0, 0, 0.5), material=rough)
        world.add_torque(block, (0, 0, 0.8))
        world.solve_static()
        (found,) = masonry.interfaces(world)
    assert found["moment"] == pytest.approx([0, 0, -0.8], abs=1e-9)
    assert found["tangential_force"] == pytest.approx(0, abs=1e-9)


def test_two_bodies_that_touch_with_two_normals_have_two_interfaces() -> None:
    """A ball of weight W in a right-angled groove: W cos 45 on either side, without friction."""
    with World() as world:
        smooth = world.add_material(friction=0)
        wall = ClumpPart(shape=world.box((0.1, 1, 1)), position=(0.1, 0, 0))
        floor = ClumpPart(shape=world.box((1, 1, 0.1)), position=(-1, 0, -0.9))
        turn = np.radians(45)
        world.add_body(shape=world.clump([wall, floor]), kind=BodyKind.STATIC, material=smooth, rotation=about_y(turn))
        x, z = np.array([np.cos(turn), 0, -np.sin(turn)]), np.array([np.sin(turn), 0, np.cos(turn)])
        world.add_body(shape=world.sphere(0.2), mass=1, position=-0.2 * x - 0.6 * z, material=smooth)
        world.solve_static()
        found = masonry.interfaces(world)
    assert len(found) == 2 and (found["a"] == 0).all() and (found["b"] == 1).all()
    assert found["normal_force"] == pytest.approx([GRAVITY * np.sqrt(0.5)] * 2, rel=1e-9)
    assert found["tangential_force"] == pytest.approx([0, 0], abs=1e-9)


def stood(world: World) -> np.ndarray:
    block = world.add_body(shape=world.box((0.5, 0.5, 0.5)), mass=1, position=(0, 0, 0.5))
    world.add_force(block, (0.123456789, 0, 0))
    world.solve_static()
    return masonry.interfaces(world)


def test_files_have_all_digits(world: World, tmp_path: Path) -> None:
    found = stood(world)
    masonry.write(tmp_path / "forces.csv", found)
    masonry.write(str(tmp_path / "forces.json"), found)
    with (tmp_path / "forces.csv").open(newline="") as text:
        (line,) = csv.DictReader(text)
    (record,) = json.loads((tmp_path / "forces.json").read_text())
    for name in ("a", "b", "normal_force", "tangential_force"):
        assert float(line[name]) == record[name] == found[name][0]
    for name in ("resultant", "point", "normal", "moment"):
        assert [float(line[f"{name}_{axis}"]) for axis in "xyz"] == record[name] == found[name][0].tolist()
    masonry.write(tmp_path / "none.json", found[:0])
    assert json.loads((tmp_path / "none.json").read_text()) == []


def test_what_is_wrong_is_named(world: World, tmp_path: Path) -> None:
    assert len(masonry.interfaces(world)) == 0
    found = stood(world)
    with pytest.raises(ValueError, match=r"path is '.*forces.txt', expected one that ends in .csv or .json"):
        masonry.write(tmp_path / "forces.txt", found)
    with pytest.raises(TypeError, match="path is 3, expected a str or a path"):
        masonry.write(3, found)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"interfaces is of type structures \(body_a"):
        masonry.write(tmp_path / "forces.csv", world.contacts())
    with pytest.raises(TypeError, match="world is None, expected a World"):
        masonry.interfaces(None)  # type: ignore[arg-type]
