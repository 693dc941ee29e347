"""The types of ctypes and numpy against the description of the interface, and against what they let pass."""

from __future__ import annotations

import ctypes
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import drystone
from drystone import BodyDef, BodyKind, Lock, Settings, SolverKind, raw

DESCRIPTION = json.loads((Path(__file__).parents[2] / "drystone.json").read_text(encoding="ascii"))
SIZES = {"double": 8, "size_t": 8, "uint64_t": 8, "uint32_t": 4, "int32_t": 4}


def camel(name: str) -> str:
    """`dry_body_def` as `BodyDef`."""
    return "".join(word.capitalize() for word in name.split("_")[1:])


@pytest.mark.parametrize("structure", DESCRIPTION["structs"], ids=lambda each: each["name"])
def test_structures(structure: dict[str, Any]) -> None:
    kind = getattr(raw, camel(structure["name"]))
    assert ctypes.sizeof(kind) == structure["size"]
    assert [field[0] for field in kind._fields_] == [field["name"] for field in structure["fields"]]
    plain = type("Plain", (ctypes.Structure,), {"_fields_": kind._fields_})  # whose members are not wrapped
    dtype = getattr(raw, structure["name"].upper()[4:] + "_DTYPE", None)
    if dtype is not None:
        assert dtype.itemsize == structure["size"]
    for field in structure["fields"]:
        member = getattr(plain, field["name"])
        assert (member.offset, member.size) == (field["offset"], field["size"]), field["name"]
        if dtype is not None:
            base, offset = dtype.fields[field["name"]][:2]
            assert (offset, base.itemsize) == (field["offset"], field["size"]), field["name"]


def test_enumerations() -> None:
    for enumeration in DESCRIPTION["enums"]:
        kind = getattr(raw, camel(enumeration["name"]))
        assert [member.value for member in kind] == [value["value"] for value in enumeration["values"]]
        for member, value in zip(kind, enumeration["values"]):
            assert value["name"].endswith("_" + member.name), value["name"]


def test_bits() -> None:
    bits = {
        "DRY_REPORT_": raw.ReportFlag,
        "DRY_STATIC_": raw.StaticFlag,
        "DRY_LOCK_": raw.Lock,
        "DRY_CONTACT_": raw.ContactState,
        "DRY_JOINT_": raw.JointFlag,
        "DRY_DIAGNOSE_": raw.Diagnose,
        "DRY_VTK_": raw.VtkPart,
    }
    for constant in DESCRIPTION["constants"]:
        prefix = re.match("DRY_[A-Z]+_", constant["name"]).group()
        assert bits[prefix][constant["name"][len(prefix) :]].value == constant["value"]


def test_functions() -> None:
    structures = {each["name"]: getattr(raw, camel(each["name"])) for each in DESCRIPTION["structs"]}
    enums = {each["name"] for each in DESCRIPTION["enums"]}
    for function in DESCRIPTION["functions"]:
        bound = getattr(raw.library, function["name"])
        assert len(bound.argtypes) == len(function["arguments"]), function["name"]
        for kind, argument in zip(bound.argtypes, function["arguments"]):
            where = f"{function['name']}: {argument['name']}"
            if argument["type"] in structures:
                assert kind is ctypes.POINTER(structures[argument["type"]]), where
            elif argument["pointer"]:
                assert ctypes.sizeof(kind) == 8, where
            else:
                assert ctypes.sizeof(kind) == SIZES.get(argument["type"], 8 if "_" in argument["type"] else 0) or (
                    argument["type"] in enums and ctypes.sizeof(kind) == 4
                ), where


def test_the_version() -> None:
    assert drystone.__version__ == DESCRIPTION["version"] == drystone.version()


def test_the_library_is_that_of_the_package() -> None:
    assert Path(drystone.library_path()).parent == Path(drystone.__file__).parent


def test_defaults_are_those_of_the_library() -> None:
    settings = Settings()
    assert settings.position_projection is True and settings.contact_margin == 1e-3
    body = BodyDef()
    assert body.kind is BodyKind.DYNAMIC and body.rotation.tolist() == [0, 0, 0, 1]
    assert body.struct_size == 264 and body.filter_mask == 2**32 - 1


def test_members() -> None:
    body = BodyDef(position=(1, 2, 3), lock=Lock.X | Lock.Y, kind=0, user_data=np.uint64(5))
    assert body.lock == 3 and isinstance(body.lock, Lock) and body.kind is BodyKind.STATIC
    body.position[1] = 9
    copy = body.copy()
    copy.position[1] = 0
    assert body.position.tolist() == [1, 9, 3]
    assert "kind=BodyKind.STATIC" in repr(body) and "position=[1.0, 9.0, 3.0]" in repr(body)
    settings = Settings(solver=SolverKind.NEWTON, sleeping=True, tolerance=np.float32(0.5))
    assert (settings.solver, settings.sleeping, settings.tolerance) == (2, True, 0.5)


def test_views_keep_the_structure_alive() -> None:
    position = BodyDef(position=(1, 2, 3)).position
    spread = [BodyDef(position=(4, 5, 6)) for _ in range(100)]
    assert position.tolist() == [1, 2, 3] and len(spread) == 100


@pytest.mark.parametrize(
    ("name", "value", "kind", "message"),
    [
        ("iterations", -1, ValueError, "Settings.iterations is -1, expected 0 to 4294967295"),
        ("iterations", 2**32, ValueError, "Settings.iterations is 4294967296"),
        ("iterations", 1.5, TypeError, "Settings.iterations is 1.5, expected a whole number"),
        ("tolerance", "1", TypeError, "Settings.tolerance is '1', expected a number"),
        ("sleeping", 2, ValueError, "Settings.sleeping is 2, expected True or False"),
        ("solver", 99, ValueError, "Settings.solver is 99, expected SolverKind.PGS, SolverKind.PGS_ACCELERATED, "),
        ("itterations", 1, AttributeError, "itterations"),
    ],
)
def test_members_that_do_not_fit(name: str, value: object, kind: type, message: str) -> None:
    with pytest.raises(kind, match=re.escape(message)):
        setattr(Settings(), name, value)


def test_arrays_that_do_not_fit() -> None:
    for value in ((1, 2), (1, 2, 3, 4), "abc", (1, 2, 1j), 1.0):
        with pytest.raises((ValueError, TypeError), match=re.escape("BodyDef.position is ")):
            BodyDef(position=value)
    with pytest.raises(TypeError, match="BodyDef has no member 'positon'"):
        BodyDef(positon=(1, 2, 3))
