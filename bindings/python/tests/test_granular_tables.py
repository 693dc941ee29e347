"""Tables of grains: all bits come back, and errors name line and column."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from drystone.granular import tables
from scenes import Scene


HEADER = "x y z radius vx vy vz wx wy wz material\n"


def some(count: int) -> tables.Grains:
    """Grains with numbers of all magnitudes."""
    generator = np.random.default_rng(1)

    def numbers(*shape: int) -> np.ndarray:
        return generator.normal(size=shape) * 10.0 ** generator.integers(-300, 300, shape)

    materials = generator.integers(0, tables.MOST_MATERIAL, count, endpoint=True)
    return tables.Grains(numbers(count, 3), np.abs(numbers(count)), numbers(count, 3), numbers(count, 3), materials)


@pytest.mark.parametrize("count", [0, 1, 100])
def test_all_bits_come_back(tmp_path: Path, count: int) -> None:
    grains = some(count)
    grains.centres[:1] = 0.1, -0.0, 5e-324
    tables.write(tmp_path / "grains.txt", grains)
    back = tables.read(str(tmp_path / "grains.txt"))
    assert [each.tobytes() for each in back] == [each.tobytes() for each in grains]
    assert [each.shape for each in back] == [(count, 3), (count,), (count, 3), (count, 3), (count,)]
    assert back.materials.dtype == np.int64


def test_the_text(tmp_path: Path) -> None:
    file = tmp_path / "grains.txt"
    tables.write(file, tables.Grains([(1, 2, 0.1)], [0.5], [(0, 0, -1e-9)], [(0, 3, 0)]))
    assert file.read_text() == HEADER + "1.0 2.0 0.1 0.5 0.0 0.0 -1e-09 0.0 3.0 0.0 0\n"
    tables.write(file, tables.Grains([(1, 2, 0.1)], [0.5], [(0, 0, 0)], [(0, 0, 0)], np.array([4294967295])))
    assert file.read_text() == HEADER + "1.0 2.0 0.1 0.5 0.0 0.0 0.0 0.0 0.0 0.0 4294967295\n"


@pytest.mark.parametrize("motion", ["", " vx vy vz wx wy wz"])
@pytest.mark.parametrize("material", ["", " material"])
def test_columns_that_a_table_may_lack(tmp_path: Path, motion: str, material: str) -> None:
    file = tmp_path / "grains.txt"
    moves, kinds = " 1 2 3 4 5 6" if motion else "", (" 7", " 0") if material else ("", "")
    file.write_text(f"x y z radius{motion}{material}\n1 2 3 4{moves}{kinds[0]}\n5 6 7 8{moves}{kinds[1]}\n")
    grains = tables.read(file)
    assert grains.centres.tolist() == [[1, 2, 3], [5, 6, 7]] and grains.radii.tolist() == [4, 8]
    assert grains.linear_velocities.tolist() == 2 * [[1, 2, 3] if motion else [0, 0, 0]]
    assert grains.angular_velocities.tolist() == 2 * [[4, 5, 6] if motion else [0, 0, 0]]
    assert grains.materials.tolist() == ([7, 0] if material else [0, 0])


def test_tables_of_other_programs(tmp_path: Path) -> None:
    file = tmp_path / "grains.txt"
    file.write_bytes(b"# a packing\r\n\r\nx y\tz radius\r\n 1 2 3 .5\r\n  # and\r\n4 5 6 1E0\r\n")
    grains = tables.read(file)
    assert grains.centres.tolist() == [[1, 2, 3], [4, 5, 6]] and grains.radii.tolist() == [0.5, 1]
    assert not grains.linear_velocities.any() and grains.angular_velocities.shape == (2, 3)


def test_a_byte_order_mark_and_blank_lines(tmp_path: Path) -> None:
    file = tmp_path / "grains.txt"
    file.write_bytes(b"\xef\xbb\xbfx y z radius\r\n \t \r\n1 2 3 4\r\n\r\n\r\n")
    assert tables.read(file).centres.tolist() == [[1, 2, 3]]
    file.write_bytes(b"\xef\xbb\xbf\n# only a comment\n")
    with pytest.raises(ValueError, match="grains.txt has no lines, expected the header 'x y z radius"):
        tables.read(file)


def test_lines_are_counted_as_editors_do(tmp_path: Path) -> None:
    file = tmp_path / "grains.txt"
    file.write_text("x y z radius\n1 2\x0c 3 4\n1 2 3 a\n")  # a form feed does not end a line
    with pytest.raises(ValueError, match=re.escape("grains.txt, line 3, column 4 (radius): 'a', expected a finite number above 0")):
        tables.read(file)
    file.write_bytes(b"x y z radius\r1 2 3 a\r")
    with pytest.raises(ValueError, match=re.escape("grains.txt, line 2, column 4 (radius): 'a', expected a finite number above 0")):
        tables.read(file)
    file.write_bytes(b"x y z radius\n1 2 \xff 3\n")
    with pytest.raises(ValueError, match=re.escape("grains.txt, line 2: the byte 0xff is no UTF-8, expected a text")):
        tables.read(file)


def test_arguments_that_are_refused(tmp_path: Path) -> None:
    for path in (3, None, b"grains.txt"):
        with pytest.raises(TypeError, match=re.escape(f"path is {path!r}, expected a str or a path")):
            tables.read(path)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=re.escape(f"path is {path!r}, expected a str or a path")):
            tables.write(path, some(1))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="grains is None, expected a Grains"):
        tables.write(tmp_path / "grains.txt", None)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError, match="missing.txt"):
        tables.read(tmp_path / "missing.txt")


def test_grains_of_a_world(scene: Scene) -> None:
    scene.world.set_state(scene.ball, linear_velocity=(1, 2, 3), angular_velocity=(4, 5, 6))
    grains = tables.grains_of(scene.world, [scene.ball], [0.5])
    assert grains.centres[0] == pytest.approx([0, 0, 0.5]) and grains.radii.tolist() == [0.5]
    assert grains.linear_velocities.tolist() == [[1, 2, 3]] and grains.angular_velocities.tolist() == [[4, 5, 6]]
    assert grains.materials.tolist() == [0]
    assert tables.grains_of(scene.world, [scene.ball], [0.5], [3]).materials.tolist() == [3]
    for materials, message in (
        ([-1], "materials[0] is -1, expected the index of a material, 0 to 4294967295"),
        ([2**32], "materials[0] is 4294967296, expected the index of a material, 0 to 4294967295"),
        ([0, 0], "materials is of shape (2,), expected (1,)"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            tables.grains_of(scene.world, [scene.ball], [0.5], materials)
    with pytest.raises(TypeError, match="materials is of type float64, expected integers"):
        tables.grains_of(scene.world, [scene.ball], [0.5], [1.0])
    with pytest.raises(ValueError, match=re.escape("radii is of shape (2,), expected (1,), one for each of bodies")):
        tables.grains_of(scene.world, [scene.ball], [0.5, 0.5])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "grains.txt has no lines, expected the header 'x y z radius vx"),
        ("1 2 3 4\n", "grains.txt, line 1: the header is '1 2 3 4', expected 'x y z radius vx vy vz wx wy wz material', with or"),
        ("x y z material\n", "line 1: the header is 'x y z material', expected"),
        ("x y z radius vx\n", "line 1: the header is 'x y z radius vx', expected"),
        (HEADER + "\n1 2 3 4 5 6 7 8 9\n", "line 3: column 10 (wz) is missing, expected 11 numbers"),
        ("x y z radius material\n1 2 3 4\n", "line 2: column 5 (material) is missing, expected 5 numbers"),
        ("x y z radius material\n1 2 3 4 1.0\n", "line 2, column 5 (material): '1.0', expected the index of a material, 0 to 4294967295"),
        ("x y z radius material\n1 2 3 4 0\n1 2 3 4 -1\n", "line 3, column 5 (material): '-1', expected the index of a material"),
        ("x y z radius material\n1 2 3 4 4294967296\n", "line 2, column 5 (material): '4294967296', expected the index of a material"),
        ("x y z radius material\n1 2 3 4 steel\n", "line 2, column 5 (material): 'steel', expected the index of a material"),
        ("x y z radius material\n1 2 3 4 \u0664\n", "line 2, column 5 (material): '\u0664', expected the index of a material"),
        ("x y z radius\n1 2 3 4 5\n", "line 2: column 5 is '5', expected 4 numbers"),
        ("x y z radius\n1 2 3 4\n1 2, 3 4\n", "line 3, column 2 (y): '2,', expected a finite number"),
        (HEADER + "1 2 3 4 5 6 7 8 inf 9 0\n", "line 2, column 9 (wy): 'inf', expected a finite number"),
        ("x y z radius\n1 2 3\n", "line 2: column 4 (radius) is missing, expected 4 numbers"),
        ("x y z radius\n1 2 3 nan\n", "line 2, column 4 (radius): 'nan', expected a finite number above 0"),
        ("x y z radius\n1 1e999 3 4\n", "line 2, column 2 (y): '1e999', expected a finite number"),
        ("x y z radius\n1 2 3_0 4\n", "line 2, column 3 (z): '3_0', expected a finite number"),
        ("x y z radius\n1 2 3 \u0664\n", "line 2, column 4 (radius): '\u0664', expected a finite number above 0"),
        (HEADER + "1 2 3 -4 5 6 7 8 9 10 0\n", "line 2, column 4 (radius): '-4', expected a finite number above 0"),
    ],
)
def test_lines_that_are_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "grains.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(message)):
        tables.read(file)


def test_grains_that_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "grains.txt"
    for change, message in (
        ({"radii": np.array([1, 0])}, "grains.radii[1] is 0.0, expected a finite number above 0"),
        ({"centres": np.zeros((3, 3))}, "grains.centres is of shape (3, 3), expected (2, 3)"),
        ({"linear_velocities": np.full((2, 3), np.nan)}, "grains.linear_velocities[0, 0] is nan, expected a finite"),
        ({"materials": np.array([0, -1])}, "grains.materials[1] is -1, expected the index of a material, 0 to 4294967295"),
        ({"materials": np.array([0])}, "grains.materials is of shape (1,), expected (2,)"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            tables.write(file, some(2)._replace(**change))
    assert not file.exists()
