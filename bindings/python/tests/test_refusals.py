"""Calls that do not fit are refused in Python's words: the parameter, its value, what is valid; and `help` shows what is."""

from __future__ import annotations

import inspect
import pydoc
import re
from typing import Any, Callable, Iterator

import numpy as np
import pytest

import drystone
from drystone import BodyDef, BodyKind, Settings, Solver, Tasks, World, raw
from scenes import Scene

# One argument of each kind that fits, and one that does not with what is said of it.
FITTING: dict[str, Any] = {
    "float": 0.01,
    "int": 1,
    "ArrayLike": (1.0, 1.0, 1.0),
    "Records": np.zeros(1, drystone.PROBLEM_BODY_DTYPE),
    "Settings": Settings(),
    "BodyLike": drystone.Body(1 << 32),
    "ShapeLike": drystone.Shape(1 << 32),
    "MaterialLike": drystone.Material(1 << 32),
    "JointLike": drystone.Joint(1 << 32),
    "JointDef": drystone.JointDef(),
    "bool": True,
    "Executor": type("Pool", (), {"submit": print})(),
    "bytes": b"",
    "Union[str, os.PathLike[str]]": "run",
    "Iterable[ClumpPart]": [],
    "IterationWatch": print,
}
WRONG: dict[str, tuple[Any, str]] = {
    "float": ("0.5", "is '0.5', expected a number"),
    "int": ("2", "is '2', expected a whole number"),
    "ArrayLike": ("abc", "is of type <U3, expected "),
    "Records": (np.zeros(1), "is of type float64, expected an array of structures"),
    "Settings": ({"iterations": 3}, "is {'iterations': 3}, expected a Settings"),
    "BodyLike": ("x", "is 'x', expected a Body"),
    "ShapeLike": ("x", "is 'x', expected a Shape"),
    "MaterialLike": ("x", "is 'x', expected a Material"),
    "JointLike": ("x", "is 'x', expected a Joint"),
    "JointDef": (3, "is 3, expected a JointDef"),
    "JointAxis": (3, "is 3, expected a JointAxis"),
    "bool": ("yes", "is 'yes', expected True or False"),
    "Executor": (3, "is 3, expected a concurrent.futures.Executor"),
    "bytes": ("abc", "is 'abc', expected bytes"),
    "Union[str, os.PathLike[str]]": (3, "is 3, expected a path"),
    "Iterable[ClumpPart]": (3, "is 3, expected several ClumpPart"),
    "CurveContacts": ("x", "is 'x', expected CurveContacts.MINIMA or CurveContacts.KNOTS"),
    "Kernel": ("x", "is 'x', expected Kernel.GAUSSIAN or Kernel.LUCY"),
    "Tasks": (3, "is 3, expected a Tasks"),
    "Watch": (3, "is 3, expected a function or None"),
    "IterationWatch": (3, "is 3, expected a function or None"),
    "BodyState": (3, "is 3, expected a BodyState"),
    "Solution": (3, "is 3, expected a Solution"),
    "Handles": ([1], "is a list, expected a numpy array"),
    "Numbers": ([1], "is a list, expected a numpy array"),
}


def bare(parameter: inspect.Parameter) -> str:
    """The annotation of a parameter, without Optional."""
    return re.sub(r"Optional\[(.*)\]", r"\1", str(parameter.annotation))


def public() -> Iterator[tuple[str, Callable[..., Any], list[inspect.Parameter]]]:
    """Every function of the package that takes something, with its parameters except `self` and members."""
    found: list[tuple[str, Any]] = [("body_defs", drystone.body_defs), ("joint_defs", drystone.joint_defs)]
    for kind in (World, Solver, Tasks):
        for name, function in inspect.getmembers(kind, inspect.isfunction):
            if name == "__init__" or not name.startswith("_"):
                found.append((f"{kind.__name__}.{name}", function))
    for name, function in found:
        parameters = [each for each in inspect.signature(function).parameters.values() if each.name != "self"]
        yield name, function, [each for each in parameters if repr(each.default) != "..."]


def call(name: str, function: Callable[..., Any], arguments: dict[str, Any]) -> None:
    """Calls a function on a new object of its class."""
    owner = name.partition(".")[0]
    if name.endswith("__init__"):
        getattr(drystone, owner)(**arguments)
    elif owner in ("World", "Solver"):
        with getattr(drystone, owner)() as own:
            function(own, **arguments)
    else:
        function(**arguments)


CASES = [(name, function, parameters, each) for name, function, parameters in public() for each in parameters]


@pytest.mark.parametrize(
    ("name", "function", "parameters", "wrong"), CASES, ids=[f"{case[0]}-{case[3].name}" for case in CASES]
)
def test_every_parameter_of_every_function(name: str, function: Any, parameters: Any, wrong: Any) -> None:
    required = [each for each in parameters if each.default is inspect.Parameter.empty]
    arguments = {each.name: FITTING[bare(each)] for each in required}
    if name == "Solver.solve_local":
        arguments = {"row_offsets": [0, 1], "columns": [0], "blocks": [np.eye(3)], "q": np.zeros((1, 3)), "friction": [0.1]}
    if name == "Solver.correct":
        arguments["contacts"] = np.zeros(3, drystone.PROBLEM_CONTACT_DTYPE)
        arguments["impulses"] = np.zeros((3, 3))
    if name in ("World.hull", "World.mesh", "World.fields"):
        arguments["points"] = np.eye(3)
    if name == "World.overlaps":
        arguments = {"shapes": 1 << 32, "positions": np.zeros((1, 3))}
    if name == "World.nurbs_curve":
        arguments = {"points": np.zeros((4, 2)), "knots": range(5)}
    if name == "World.set_joint_targets":
        arguments = {"joints": [1, 2], "indices": [5, 5]}
    value, message = WRONG[bare(wrong)]
    if bare(wrong) == "Records" and wrong.name == "out":
        value, message = [1], "is a list, expected a numpy array"
    with pytest.raises(TypeError, match=rf"\b{wrong.name}{re.escape(' ' + message)}") as caught:
        call(name, function, {**arguments, wrong.name: value})
    assert "ctypes" not in str(caught.value) and "argument" not in str(caught.value)


@pytest.mark.parametrize(("name", "function", "parameters"), list(public()), ids=[each[0] for each in public()])
def test_arguments_that_no_function_takes(name: str, function: Any, parameters: Any) -> None:
    called = name.removesuffix(".__init__")
    with pytest.raises(TypeError, match=rf"takes .* positional arguments? but .* expected {re.escape(called)}\("):
        function(*range(12)) if name != "Tasks.__init__" else Tasks(*range(12))  # type: ignore[arg-type, call-arg]


@pytest.mark.parametrize(
    ("attempt", "kind", "message"),
    [
        (lambda world: world.box(1, 1, 1), TypeError, "but 4 were given: expected World.box(half_extents: ArrayLike)"),
        (lambda world: world.sphere(), TypeError, "argument: 'radius': expected World.sphere(radius: float)"),
        (lambda world: world.sphere(radus=1), TypeError, "got an unexpected keyword argument 'radus'"),
        (lambda world: world.add_body(drystone.Shape(1)), TypeError, "expected World.add_body(kind=..., lock=..., shape=..."),
        (lambda world: world.add_body(shpae=1), TypeError, "BodyDef has no member 'shpae': expected 'shape'"),
        (lambda world: world.solve_static(tol=1), TypeError, "StaticDef has no member 'tol': expected 'tolerance'"),
        (lambda world: world.solve_static(zzz=1), TypeError, "StaticDef has no member 'zzz': expected increment, max_displacement, "),
        (lambda world: BodyDef(1), TypeError, "BodyDef takes its members by name: expected BodyDef(kind=..., "),
        (
            lambda world: world.add_body(kind="static"),
            TypeError,
            "kind is 'static', expected BodyKind.STATIC, BodyKind.KINEMATIC or BodyKind.DYNAMIC",
        ),
        (lambda world: world.add_body(kind=7), ValueError, "kind is 7, expected BodyKind.STATIC, BodyKind.KINEMATIC or "),
        (lambda world: world.add_body(lock="x"), TypeError, "lock is 'x', expected bits of Lock: Lock.X | Lock.Y | "),
        (lambda world: world.add_body(shape=drystone.Body(1)), TypeError, "shape is Body(1, generation 0), expected a Shape"),
        (lambda world: world.add_body(position=1), ValueError, "position is 1, expected 3 numbers"),
        (lambda world: world.add_body(position=[[1], [2, 3]]), ValueError, "position is [[1], [2, 3]], expected an array"),
        (lambda world: world.box([[1], [2, 3]]), ValueError, "half_extents is [[1], [2, 3]], expected an array without"),
        (lambda world: world.configure(sleeping="yes"), TypeError, "sleeping is 'yes', expected True or False"),
        (lambda world: world.step(1j), TypeError, "step is 1j, expected a number"),
        (lambda world: world.step(np.zeros(3)), TypeError, "step is array([0., 0., 0.]), expected a number"),
        (lambda world: world.step(10**400), ValueError, "expected a number below 1.8e308"),
        (lambda world: world.state(drystone.Shape(1)), TypeError, "body is Shape(1, generation 0), expected a Body"),
        (lambda world: world.state(-1), ValueError, "body is -1, expected 0 to 18446744073709551615"),
        (lambda world: drystone.body_defs(-1), ValueError, "count is -1, expected 0 to "),
        (lambda world: World(threads="2"), TypeError, "threads is '2', expected a whole number"),
    ],
)
def test_what_is_said(attempt: Callable[[World], Any], kind: type[Exception], message: str) -> None:
    with World() as world, pytest.raises(kind, match=re.escape(message)):
        attempt(world)


def test_errors_of_the_inside_are_left_as_they_are() -> None:
    with World() as world, pytest.raises(TypeError) as caught:
        world.sphere("0.5")  # type: ignore[arg-type]
    assert str(caught.value) == "radius is '0.5', expected a number"


def test_numbers_of_any_type() -> None:
    with World() as world:
        for radius in (1, np.float32(0.5), np.int16(2), np.array(0.25), True):
            world.sphere(radius)  # type: ignore[arg-type]


def test_help_shows_the_members() -> None:
    for function, structure in (
        (World.add_body, BodyDef),
        (World.add_material, drystone.MaterialDef),
        (World.set_pair, drystone.PairDef),
        (World.set_state, drystone.BodyState),
        (World.configure, Settings),
        (World.add_joint, drystone.JointDef),
        (World.set_joint_axis, drystone.JointAxis),
        (drystone.body_defs, BodyDef),
        (drystone.joint_defs, drystone.JointDef),
    ):
        text = pydoc.render_doc(function, renderer=pydoc.plaintext)
        for name, *_ in structure._fields_:
            if name not in ("struct_size", "reserved"):
                assert f"{name}: '" in text and f"    {name}: " in text, name
        assert "kind: 'BodyKind' = ..." in text or structure is not BodyDef
    for structure in vars(raw).values():
        if isinstance(structure, type) and issubclass(structure, raw.Structure) and structure is not raw.Structure:
            plain = [name for name, *_ in structure._fields_ if name not in ("struct_size", "reserved")]
            assert list(inspect.signature(structure).parameters) == plain


def test_handles_print_their_kind(scene: Scene) -> None:
    assert (repr(scene.ball), str(scene.floor)) == ("Body(1, generation 1)", "Body(0, generation 1)")
    assert f"{scene.sphere}" == "Shape(1, generation 1)" and repr(drystone.Material(0)) == "Material(null)"
    scene.world.remove_body(scene.ball)
    again = scene.world.add_body(shape=scene.sphere, position=(0, 0, 5))
    assert repr(again) == "Body(1, generation 2)"
    first = scene.world.bodies()[0]
    assert drystone.Body(first) == first == scene.floor and repr(drystone.Body(first)) == repr(scene.floor)
    assert isinstance(BodyDef(shape=scene.sphere).shape, drystone.Shape)
    assert "shape=Shape(1, generation 1), material=Material(null)" in repr(BodyDef(shape=scene.sphere))
    assert BodyKind.STATIC == 0 and {scene.floor: 1}[int(scene.floor)] == 1  # type: ignore[index]
