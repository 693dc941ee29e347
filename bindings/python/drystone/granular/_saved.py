"""Checks of a state that a source of grains goes on from."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from .._arrays import Handles, Numbers, integers
from .._checks import shown, whole
from ._valid import finite, refuse

MOST = 2**63 - 1
"""The most grains or layers of a source."""

WANTED = "what Emitter.state returns"


class Progress(NamedTuple):
    """What a source remembers in addition to its arguments."""

    random: dict[str, Any]
    time: Optional[float]
    made: NDArray[np.int64]
    layers: int
    waiting: list[tuple[int, float, float]]
    grains: Handles
    kinds: NDArray[np.int64]


def members(state: Any, names: Iterable[str]) -> Mapping[str, Any]:
    """A state with all of these members."""
    if not isinstance(state, Mapping):
        raise TypeError(f"state is {shown(state)}, expected {WANTED}")
    missing = sorted(set(names) - set(state))
    if missing:
        raise ValueError(f"state has no {missing[0]!r}, expected {WANTED}")
    return state


def progress(state: Mapping[str, Any], grains: Any, corners: tuple[Numbers, Numbers], count: int) -> Progress:
    """What a source with `count` shapes and these corners remembers. `grains` replace those of the state unless None."""
    made = _whole_numbers("made", state["made"], MOST, count, "state['shapes']")
    waiting = _waiting(state["waiting"], corners, count)
    old = integers("state['grains']", state["grains"], np.uint64, -1)
    kinds = _whole_numbers("kinds", state["kinds"], count - 1, len(old), "state['grains']")
    total, limit = sum(made.tolist()), MOST if state["limit"] is None else state["limit"]
    if total > limit:
        raise ValueError(f"state['made'] has the sum {total}, expected at most {limit}, the limit")
    there = np.bincount(kinds, minlength=count) + np.bincount(np.array([kind for kind, _, _ in waiting], np.int64), minlength=count)
    refuse("state['made']", made, made < there, "at least the grains of this shape in 'waiting' and 'kinds'")
    if waiting and state["interval"] is None:
        raise ValueError(f"state['waiting'] has {len(waiting)} grains, expected none, as the source has a rate")
    return Progress(
        random=_generator(state["random"]),
        time=None if state["time"] is None else finite("state['time']", state["time"]),
        made=made,
        layers=whole("state['layers']", state["layers"], 0, MOST),
        waiting=waiting,
        grains=np.array(old if grains is None else one_for_each("state['grains']", len(old), "grains", grains, np.uint64)),
        kinds=kinds,
    )


def one_for_each(of: str, count: int, name: str, value: Any, dtype: Any) -> NDArray[Any]:
    """An array (count,) of integers, one for each element of `of`."""
    given = integers(name, value, dtype, -1)
    if len(given) != count:
        raise ValueError(f"{name} is of shape {given.shape}, expected ({count},), one for each of {of}")
    return given


def _whole_numbers(member: str, value: Any, most: int, count: int, of: str) -> NDArray[np.int64]:
    name = f"state[{member!r}]"
    given = one_for_each(of, count, name, value, np.int64)
    refuse(name, given, (given < 0) | (given > most), f"0 to {most}")
    return np.array(given)


def _waiting(value: Any, corners: tuple[Numbers, Numbers], count: int) -> list[tuple[int, float, float]]:
    """Grains that wait, each as the index of its shape, x and y."""
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"state['waiting'] is {shown(value)}, expected a list of [index of a shape, x, y]")
    waiting = []
    for number, each in enumerate(value):
        name = f"state['waiting'][{number}]"
        if not isinstance(each, (list, tuple)) or len(each) != 3:
            raise ValueError(f"{name} is {shown(each)}, expected the index of a shape, x and y")
        x, y = finite(f"{name}[1]", each[1]), finite(f"{name}[2]", each[2])
        for axis, at in enumerate((x, y)):
            low, high = float(corners[0][axis]), float(corners[1][axis])
            if not low <= at <= high:
                raise ValueError(f"{name}[{axis + 1}] is {at}, expected {low} to {high}")
        waiting.append((whole(f"{name}[0]", each[0], 0, count - 1), x, y))
    return waiting


def _generator(value: Any) -> dict[str, Any]:
    """The state of numpy's PCG64, as its `state` has it."""
    name = "state['random']"
    inner = value.get("state") if isinstance(value, Mapping) else None
    if not isinstance(inner, Mapping) or str(value.get("bit_generator")) != "PCG64":
        raise ValueError(f"{name} is {shown(value)}, expected the state of a numpy.random.PCG64")
    words = {word: whole(f"{name}['state'][{word!r}]", inner.get(word), 0, 2**128 - 1) for word in ("state", "inc")}
    if words["inc"] % 2 == 0:
        raise ValueError(f"{name}['state']['inc'] is {words['inc']}, expected an odd number")
    rest = (("has_uint32", 1), ("uinteger", 2**32 - 1))
    halves = {word: whole(f"{name}[{word!r}]", value.get(word), 0, most) for word, most in rest}
    return {"bit_generator": "PCG64", "state": words, **halves}
