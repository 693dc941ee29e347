"""Fields on grids, their means, and files for ParaView."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import drystone
from drystone import Kernel, VtkPart
from drystone.granular import fields

from scenes import BALL_MASS, Scene


def test_fields_at_points(scene: Scene) -> None:
    scene.steps(3)
    found = scene.world.fields([(0, 0, 0.5), (9, 9, 9)], width=0.5)
    peak = 105 / (16 * np.pi)
    assert found["density"][0] == pytest.approx(BALL_MASS * peak, rel=1e-12)
    assert found["contact_stress"][0, 8] < 0
    assert not any(found[1].tobytes())
    with pytest.raises(drystone.ArgumentError, match="width is -1"):
        scene.world.fields([(0, 0, 0)], width=-1)
    with pytest.raises(ValueError, match="kernel is 7"):
        scene.world.fields([(0, 0, 0)], kernel=7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="points is of shape"):
        scene.world.fields([0, 0, 0])


def test_grid() -> None:
    grid = fields.Grid((0, 0, -1), (1, 0.3, 1), spacing=0.25)
    assert grid.shape == (5, 3, 9)
    assert grid.points.shape == (135, 3)
    assert tuple(grid.points[1]) == (0, 0, -0.75)
    assert np.allclose(grid.coordinates["y"], (0, 0.15, 0.3))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"spacing": 0}, "spacing is 0.0, expected a finite number above 0"),
        ({"spacing": -1}, "spacing is -1.0, expected a finite number above 0"),
        ({"spacing": np.nan}, "spacing is nan, expected a finite number above 0"),
        ({"spacing": np.inf}, "spacing is inf, expected a finite number above 0"),
        ({"spacing": 1e-3}, "spacing is 0.001, which makes 1e+09 points, expected at most 134217728"),
        ({"spacing": 1e-320}, "spacing is 1e-320, which makes inf points, expected at most 134217728"),
        ({"lower": (0, 0)}, "lower is of shape (2,), expected (3,)"),
        ({"upper": (1, 0, 1)}, "upper[1] is 0.0, expected above lower[1], which is 0.0"),
        ({"upper": (1, 1, np.nan)}, "upper[2] is nan, expected a finite number"),
    ],
)
def test_grids_that_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        fields.Grid(**{"lower": (0, 0, 0), "upper": (1, 1, 1), "spacing": 0.5, **change})


def test_arguments_of_fields_that_are_refused(scene: Scene) -> None:
    mean = fields.Mean(fields.Grid((0, 0, 0), (1, 1, 1), 1), width=1)
    with pytest.raises(TypeError, match="world is None, expected a World"):
        mean.add(None)  # type: ignore[arg-type]
    assert mean.count == 0
    mean.add(scene.world)
    with pytest.raises(ValueError, match=re.escape("expected different ones of ['x', 'y', 'z']")):
        mean.fields().along(np.ones(2))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="width is -1.0, expected a finite number, 0 or above"):
        fields.sample(scene.world, fields.Grid((0, 0, 0), (1, 1, 1), 1), width=-1)


@pytest.mark.parametrize(("kernel", "limit"), [(Kernel.LUCY, 1e-6), (Kernel.GAUSSIAN, 1e-4)])
def test_sums_over_a_grid(scene: Scene, kernel: Kernel, limit: float) -> None:
    """Over all space: the mass, and the weight times the length of its branch.

    A Gaussian drops at its radius from a hundredth of its peak, so that sums are less exact. The ball is at no point of the
    grid: otherwise many of its points are at that radius at once, and the mass is off by 2e-4.
    """
    scene.steps(100)
    width = 0.5
    grid = fields.Grid((-1.52, -1.53, -1.54), (1.55, 1.56, 2.03), width / 8)
    found = fields.sample(scene.world, grid, kernel, width)
    cell = np.prod([line[1] - line[0] for line in grid.coordinates.values()])
    assert found.density.sum() * cell == pytest.approx(BALL_MASS, rel=limit)
    assert found.stress[..., 2, 2].sum() * cell == pytest.approx(-BALL_MASS * 9.81 * 0.5, rel=limit)
    profile = found.along("x", "y")
    assert list(profile.coordinates) == ["z"]
    assert profile.density.shape == grid.shape[2:] and profile.stress.shape == (*grid.shape[2:], 3, 3)
    assert profile.density.mean() == pytest.approx(found.density.mean(), rel=1e-12)
    assert np.all(profile.pressure >= -1e-9)
    with pytest.raises(ValueError, match="expected different ones of"):
        profile.along("x")


def test_means_over_time(scene: Scene) -> None:
    """A ball that flies along x passes each place alike."""
    scene.world.set_gravity((0, 0, 0))
    state = scene.world.state(scene.ball)
    state.position, state.linear_velocity = (0, 0, 2), (1.5, 0, 0)
    scene.world.set_state(scene.ball, state)
    mean = fields.Mean(fields.Grid((0, -1, 1), (1, 1, 3), 0.5), width=0.5)
    with pytest.raises(ValueError, match="nothing was added"):
        mean.fields()
    first = None
    for _ in range(4):
        scene.steps(1)
        mean.add(scene.world)
        first = first or mean.fields()
    found = mean.fields()
    assert mean.count == 4 and first is not None
    assert not np.array_equal(first.density, found.density)
    there = found.density > 0
    assert there.any() and not there.all()
    assert np.allclose(found.velocity[there], (1.5, 0, 0), rtol=1e-12)
    assert not found.velocity[~there].any()
    assert np.allclose(found.granular_temperature, 0)


def arrays(path: Path) -> dict[str, Any]:
    """Every array of a file for VTK, read as the format says."""
    content = path.read_bytes()
    header, _, data = content.partition(b'<AppendedData encoding="raw">\n_')
    kinds = {"Float64": "<f8", "Int64": "<i8", "UInt64": "<u8"}
    found = {}
    pattern = r'type="(\w+)" Name="(\w+)" (?:NumberOfTuples="1" )?NumberOfComponents="(\d+)" format="appended" offset="(\d+)"'
    for kind, name, components, offset in re.findall(pattern, header.decode()):
        at = int(offset)
        (size,) = struct.unpack_from("<Q", data, at)
        found[name] = np.frombuffer(data[at + 8 : at + 8 + size], kinds[kind]).reshape(-1, int(components))
    return found


def test_arrays_for_vtk_have_x_fastest(scene: Scene, tmp_path: Path) -> None:
    """As the README turns them for pyvista, whose order is that of files for VTK."""
    scene.steps(3)
    grid = fields.Grid((-1, -0.75, 0), (1, 0.75, 0.5), 0.25)
    found = fields.sample(scene.world, grid, width=0.5)
    assert grid.spacing == (0.25, 0.25, 0.25) and tuple(grid.points[0]) == (-1, -0.75, 0)
    scene.world.export_vtk(tmp_path / "run", 0, 0, parts=VtkPart.FIELDS, width=0.5, **grid.for_vtk)
    expected = arrays(tmp_path / "run_fields_000000.vti")
    assert np.array_equal(found.density.ravel(order="F"), expected["density"][:, 0])
    velocity = found.velocity.reshape(-1, 3, order="F")
    assert velocity.shape == (9 * 7 * 3, 3) and np.allclose(velocity, expected["velocity"], rtol=1e-15, atol=0)
    stress = found.contact_stress.reshape(*grid.shape, 9).reshape(-1, 9, order="F")
    assert stress.any() and np.array_equal(stress, expected["contact_stress"])


def test_export(scene: Scene, tmp_path: Path) -> None:
    scene.steps(3)
    scene.world.export_vtk(tmp_path / "run", 7, 0.25, parts=VtkPart.GRAINS | VtkPart.CONTACTS)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "run_contacts.pvd",
        "run_contacts_000007.vtp",
        "run_grains.pvd",
        "run_grains_000007.vtp",
    ]
    grains, contacts = arrays(tmp_path / "run_grains_000007.vtp"), arrays(tmp_path / "run_contacts_000007.vtp")
    assert np.array_equal(grains["Points"][0], scene.world.state(scene.ball).position)
    assert grains["body"][0, 0] == int(scene.ball) and grains["TimeValue"][0, 0] == 0.25
    (contact,) = scene.world.contacts()
    for name in ("key", "normal_force", "gap", "friction_force", "state"):
        assert np.array_equal(contacts[name][0], np.ravel(contact[name])), name
    grid: dict[str, Any] = {"grid_origin": (-1, -1, 0), "grid_spacing": (0.5, 0.5, 0.25), "grid_count": (5, 5, 3)}
    scene.world.export_vtk(str(tmp_path / "run"), 7, 0.25, parts=VtkPart.FIELDS, width=0.5, kernel=Kernel.GAUSSIAN, **grid)
    found = arrays(tmp_path / "run_fields_000007.vti")
    points = [(x, y, z) for z in (0, 0.25, 0.5) for y in (-1, -0.5, 0, 0.5, 1) for x in (-1, -0.5, 0, 0.5, 1)]
    expected = scene.world.fields(points, Kernel.GAUSSIAN, 0.5)
    assert np.array_equal(found["contact_stress"], expected["contact_stress"])
    with pytest.raises(drystone.FileError, match="cannot be written"):
        scene.world.export_vtk(tmp_path / "missing" / "run", 0, 0)
    with pytest.raises(TypeError, match="has no member 'side'"):
        scene.world.export_vtk(tmp_path / "run", 0, 0, side=3)  # type: ignore[call-arg]
    for count, error in (((5, 5), ValueError), ((5, 5, -1), ValueError), ((5, 5, 2**32), ValueError), ((5, 5, 3.0), TypeError)):
        with pytest.raises(error, match="VtkDef.grid_count (is|has) .*, expected"):
            scene.world.export_vtk(tmp_path / "run", 0, 0, grid_count=count)
    with pytest.raises(ValueError, match="without zeros"):
        scene.world.export_vtk("a\0b", 0, 0)
