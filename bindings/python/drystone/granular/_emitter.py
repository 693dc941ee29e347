"""Sources of grains."""

from __future__ import annotations

import inspect
import json
import math
from typing import Any, Iterable, Mapping, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Handles, Numbers, integers
from .._checks import handle, instance, shown, whole
from .._definitions import body_defs
from .._world import World
from ..raw import Material
from . import _valid, packings
from ._free import Free as _Free
from ._free import Obstacles
from ._saved import MOST, members, one_for_each, progress
from ._valid import corners, distance, finite, finites, positive, refuse

ATTEMPTS = 16
"""Places that are tried for a grain in a call, where grains come one by one."""

FIRST, MAX_GRAINS = 4, 64
"""Grains whose places are looked at together: at first, and at most. The number doubles while all of them find places."""

ROUND_OFF = 1e-9
"""Of a grain or a layer: one that is due to within it is due."""


class Emitter:
    """A source of grains: a horizontal rectangle from which bodies fall, one by one or in layers.

        source = Emitter([world.sphere(0.01)], [0.01], (0, 0), (0.2, 0.2), 0.5, rate=1000)
        for number in range(1000):
            source.emit(world, number * step)
            world.step(step)

    A grain that would overlap a body of the world waits until a later call; what is due adds up meanwhile. So does one that would
    overlap what `emit` is given as `beside`. Grains of one call keep the distance of their radii. The next grain is always of the shape
    that lags most behind its share.

    shapes: (k,), handles of shapes, for instance one sphere for each size.
    radii: (k,), radius of a sphere about the shape's origin that contains the shape [m]. Grains start with the axes of the world.
    lower, upper: (2,), corners of the rectangle, x and y, in which grains lie with their radius [m].
    height: z of their origins [m].
    rate: grains per second, at random places; above 0.
    interval: seconds from layer to layer, above 0. A layer is that of `packings.layer` for the largest radius. The first one is
        due at `start`. Either `rate` or `interval` must be given.
    shares: (k,), of the number of grains, 0 or above; None: equal ones. Only their ratios matter.
    material: of the grains; 0: the default material.
    velocity: (3,), with which grains start [m/s].
    jitter: of the places in a layer, 0 or above [m].
    limit: number of grains after which the source is empty; None: never.
    start: when it opens [s].
    seed: of places, 0 or above. The same calls in the same world give the same bits.
    """

    def __init__(
        self,
        shapes: ArrayLike,
        radii: ArrayLike,
        lower: ArrayLike,
        upper: ArrayLike,
        height: float,
        *,
        rate: Optional[float] = None,
        interval: Optional[float] = None,
        shares: Optional[ArrayLike] = None,
        material: Material = Material(0),
        velocity: ArrayLike = (0, 0, 0),
        jitter: float = 0,
        limit: Optional[int] = None,
        start: float = 0,
        seed: int = 0,
    ) -> None:
        self._shapes = np.array(integers("shapes", shapes, np.uint64, -1))
        self._radii = _valid.lengths("radii", radii)
        count = len(self._shapes)
        if count == 0:
            raise ValueError("shapes is of shape (0,), expected at least one shape")
        if len(self._radii) != count:
            raise ValueError(f"radii is of shape {self._radii.shape}, expected ({count},), one for each of shapes")
        self._lower, self._upper = corners(lower, upper, 2)
        edge = float((self._upper - self._lower).min())
        refuse("radii", self._radii, 2 * self._radii > edge, f"at most {edge / 2}, half the shorter edge of the rectangle")
        self._height = _valid.place("height", height)
        if (rate is None) == (interval is None):
            raise ValueError(f"rate is {rate} and interval is {interval}, expected one of them")
        self._rate = None if rate is None else positive("rate", rate)
        self._interval = None if interval is None else positive("interval", interval)
        self._shares = _valid.shares(np.ones(count) if shares is None else shares, count)
        self._material = handle("material", material, Material)
        self._velocity = finites("velocity", velocity, 3)
        self._jitter = distance("jitter", jitter)
        self._limit = None if limit is None else whole("limit", limit, 0, 2**63 - 1)
        self._start = finite("start", start)
        self._seed = whole("seed", seed, 0, 2**64 - 1)
        if self._interval is not None:
            self._require_layer()

        self._random = np.random.Generator(np.random.PCG64(self._seed))
        self._time: Optional[float] = None
        self._made = np.zeros(count, np.int64)  # grains of each shape, those that wait included
        self._layers = 0
        self._waiting: list[tuple[int, float, float]] = []  # the rest of a layer: index of the shape, x, y
        self._grains = np.empty(0, np.uint64)  # those in the world
        self._kinds = np.empty(0, np.int64)  # the indices of their shapes

    @property
    def emitted(self) -> int:
        """How many grains it has added so far, those that were removed since included."""
        return int(self._made.sum()) - len(self._waiting)

    def emit(self, world: World, time: float, beside: Iterable[Union[Emitter, Obstacles]] = ()) -> Handles:
        """Adds the grains that are due to a world, and returns their handles, (n,).

        If the world refuses them, the source is as before the call.

        time: now, no earlier than in the call before [s].
        beside: `Obstacles` that grains must not overlap, in addition to the bodies of the world. Other sources may be named too, but need
            not be: their grains are bodies of the world.
        """
        instance("world", world, World)
        now = finite("time", time)
        if self._time is not None and now < self._time:
            raise ValueError(f"time is {now}, expected no less than that of the call before, {self._time}")
        obstacles = _obstacles(beside)
        before = self._progress()
        try:
            self._time = now
            due = self._due(now - self._start)
            if due == 0 and not self._waiting:
                return np.empty(0, np.uint64)
            return self._add_due(world, due, obstacles)
        except BaseException:
            # what was not added does not count, and the next call draws the same places
            self._restore(before)
            raise

    def _add_due(self, world: World, due: int, obstacles: list[Obstacles]) -> Handles:
        self._forget_removed(world)
        free = _Free(self._lower, self._height, float(self._radii.max()), world.period)
        for each in obstacles:
            free.add_obstacles(world, each)
        found = self._single(world, due, free) if self._interval is None else self._layered(world, due, free)
        kinds = np.array([kind for kind, _, _ in found], np.int64)
        definitions = body_defs(len(found), material=Material(self._material), linear_velocity=self._velocity)
        definitions["shape"] = self._shapes[kinds]
        definitions["position"] = np.array([(x, y, self._height) for _, x, y in found]).reshape(-1, 3)
        bodies = world.add_bodies(definitions)
        self._grains, self._kinds = np.concatenate([self._grains, bodies]), np.concatenate([self._kinds, kinds])
        return bodies

    def state(self) -> dict[str, Any]:
        """All that the source is and remembers, as a dict of numbers, texts, lists and dicts, which JSON can hold.

        Handles are in it as integers: "shapes", "material" and "grains". The latter are its grains that were in the world after
        the last call of `emit` for which grains were due.
        """
        return {
            "shapes": self._shapes.tolist(),
            "radii": self._radii.tolist(),
            "lower": self._lower.tolist(),
            "upper": self._upper.tolist(),
            "height": self._height,
            "rate": self._rate,
            "interval": self._interval,
            "shares": self._shares.tolist(),
            "material": self._material,
            "velocity": self._velocity.tolist(),
            "jitter": self._jitter,
            "limit": self._limit,
            "start": self._start,
            "seed": self._seed,
            "random": self._random.bit_generator.state,
            "time": self._time,
            "made": self._made.tolist(),
            "layers": self._layers,
            "waiting": [list(each) for each in self._waiting],
            "grains": self._grains.tolist(),
            "kinds": self._kinds.tolist(),
        }

    @classmethod
    def from_state(
        cls,
        state: Mapping[str, Any],
        *,
        shapes: Optional[ArrayLike] = None,
        material: Optional[Material] = None,
        grains: Optional[ArrayLike] = None,
    ) -> Emitter:
        """A source that goes on where the one of the state was, with the same bits.

        state: of `Emitter.state`.
        shapes, material, grains: handles in a world that was rebuilt, in the order of those in the state; None: as in the state.

        Raises TypeError or ValueError, with the name of the member, for a state that no source can have.
        """
        given = {name: each for name, each in members(state, _MEMBERS).items() if name in _ARGUMENTS}
        count = len(integers("state['shapes']", given["shapes"], np.uint64, -1))
        if shapes is not None:
            given["shapes"] = one_for_each("state['shapes']", count, "shapes", shapes, np.uint64)
        if material is not None:
            given["material"] = handle("material", material, Material)
        try:
            emitter = cls(**given)
        except (TypeError, ValueError) as error:
            # the message begins with the name of an argument
            text = str(error)
            name = next((each for each in sorted(_ARGUMENTS, key=len, reverse=True) if text.startswith(each)), "")
            raise type(error)(f"state[{name!r}]{text[len(name):]}" if name else text) from None
        before = progress(state, grains, (emitter._lower, emitter._upper), len(emitter._shapes))
        emitter._restore((before.random, before.time, before.made, before.layers, before.waiting))
        emitter._grains, emitter._kinds = before.grains, before.kinds
        return emitter

    def to_json(self) -> str:
        """The state as a text, to be kept beside a snapshot of the world; `from_json` goes on from it with the same bits."""
        return json.dumps(self.state())

    @classmethod
    def from_json(cls, text: str, **handles: Any) -> Emitter:
        """A source that goes on where the one of the text was.

        text: of `to_json`.
        handles: `shapes`, `material`, `grains`, as of `from_state`.
        """
        if not isinstance(text, str):
            raise TypeError(f"text is {shown(text)}, expected a str, of Emitter.to_json")
        try:
            state = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"text is {shown(text)}, expected what Emitter.to_json returns: {error}") from None
        if not isinstance(state, dict):
            raise ValueError(f"text is {shown(text)}, expected what Emitter.to_json returns")
        return cls.from_state(state, **handles)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the state."""
        return Emitter.from_state, (self.state(),)

    def _due(self, elapsed: float) -> int:
        """How many grains, or layers, should have been added and were not."""
        if elapsed < 0:
            return 0
        left = MOST if self._limit is None else self._limit - int(self._made.sum())
        if self._rate is not None:
            return min(self._whole(elapsed * self._rate, "grains") - self.emitted, left)
        assert self._interval is not None
        layers = self._whole(elapsed / self._interval, "layers") + 1 - self._layers
        return layers if left > 0 else 0

    def _whole(self, number: float, what: str) -> int:
        if not number < MOST:
            each = f"a rate of {self._rate}" if self._interval is None else f"an interval of {self._interval}"
            raise ValueError(f"time is {self._time}, which makes {number:.3g} {what} at {each} since {self._start}, expected at most {MOST}")
        return math.floor(number + ROUND_OFF)

    def _single(self, world: World, due: int, free: _Free) -> list[tuple[int, float, float]]:
        """Grains at random places, until all are there or one finds no place."""
        found: list[tuple[int, float, float]] = []
        most = FIRST
        while len(found) < due:
            count = min(most, due - len(found))
            added = self._some(world, count, free)
            found += added
            if len(added) < count:
                break
            most = min(2 * most, MAX_GRAINS)
        return found

    def _some(self, world: World, count: int, free: _Free) -> list[tuple[int, float, float]]:
        """So many of them. After one that finds no place no others are drawn, so that the bits do not depend on `count`."""
        before = self._random.bit_generator.state
        kinds = self._next_kinds(count)
        radii = self._radii[kinds][:, None, None]
        room = self._upper - self._lower - 2 * radii
        places = self._lower + radii + self._random.random((count, ATTEMPTS, 2)) * room
        are_free = self._are_free(world, np.repeat(kinds, ATTEMPTS), places.reshape(-1, 2)).reshape(count, ATTEMPTS)
        found: list[tuple[int, float, float]] = []
        for kind, tried, is_free in zip(kinds.tolist(), places, are_free):
            radius = float(self._radii[kind])
            place = next(((x, y) for x, y in tried[is_free].tolist() if free.holds((x, y, self._height), radius)), None)
            if place is None:
                self._random.bit_generator.state = before
                self._random.random((len(found) + 1, ATTEMPTS, 2))
                break
            self._made[kind] += 1
            free.add((*place, self._height), radius)
            found.append((kind, *place))
        return found

    def _are_free(self, world: World, kinds: NDArray[np.int64], places: Numbers) -> NDArray[np.bool_]:
        """Where grains of these kinds at places (n, 2) would overlap no body of the world."""
        positions = np.column_stack([places, np.full(len(places), self._height)])
        are_free = np.ones(len(places), np.bool_)
        are_free[world.overlaps(self._shapes[kinds], positions)["pose"].astype(np.int64)] = False
        return are_free

    def _layered(self, world: World, due: int, free: _Free) -> list[tuple[int, float, float]]:
        """Those grains of a layer that have room. A new layer begins only when the one before has left."""
        if due and not self._waiting:
            self._begin_layer()
        found, waiting = [], []
        kinds = np.array([kind for kind, _, _ in self._waiting], np.int64)
        places = np.array([(x, y) for _, x, y in self._waiting]).reshape(-1, 2)
        for (kind, x, y), is_free in zip(self._waiting, self._are_free(world, kinds, places).tolist()):
            centre, radius = (x, y, self._height), float(self._radii[kind])
            if is_free and free.holds(centre, radius):
                free.add(centre, radius)
                found.append((kind, x, y))
            else:
                waiting.append((kind, x, y))
        self._waiting = waiting
        return found

    def _begin_layer(self) -> None:
        self._layers += 1
        # in random order: shapes that follow each other would make rows
        places = self._random.permutation(self._layer(int(self._random.integers(2**63))))
        left = None if self._limit is None else self._limit - int(self._made.sum())
        for x, y, _ in places[:left].tolist():
            kind = int(self._next_kinds(1)[0])
            self._made[kind] += 1
            self._waiting.append((kind, x, y))

    def _layer(self, seed: int) -> Numbers:
        diameter = 2 * float(self._radii.max())
        return packings.layer(self._lower, self._upper, self._height, diameter, self._jitter, seed)

    def _require_layer(self) -> None:
        """Raises ValueError if a layer would have no grain, or too many."""
        largest = int(self._radii.argmax())
        radius, edges = float(self._radii[largest]), self._upper - self._lower
        counts = (edges / (2 * (radius + self._jitter))).tolist()
        _valid.refuse_many(f"radii[{largest}]", radius, counts, "grains in a layer")
        if len(self._layer(0)) == 0:
            room = float(edges.min()) / 2 - radius
            raise ValueError(f"jitter is {self._jitter}, expected 0 to {room}, so that the rectangle has room for one grain")

    def _next_kinds(self, count: int) -> NDArray[np.int64]:
        """The shapes of the next grains: each is the one that lags most behind its share."""
        made, kinds = self._made.copy(), np.empty(count, np.int64)
        for index in range(count):
            wanted = self._shares / self._shares.sum() * (made.sum() + 1)
            kinds[index] = (wanted - made).argmax()
            made[kinds[index]] += 1
        return kinds

    def _progress(self) -> tuple[Any, ...]:
        """What a call of `emit` changes before the world has the grains."""
        return self._random.bit_generator.state, self._time, self._made.copy(), self._layers, list(self._waiting)

    def _restore(self, progress: tuple[Any, ...]) -> None:
        self._random.bit_generator.state, self._time, self._made, self._layers, self._waiting = progress

    def _forget_removed(self, world: World) -> None:
        """Keeps only those grains of this source that are still in the world."""
        is_here = np.isin(self._grains, world.bodies())
        self._grains, self._kinds = self._grains[is_here], self._kinds[is_here]


_ARGUMENTS = frozenset(inspect.signature(Emitter).parameters)
_MEMBERS = _ARGUMENTS | {"random", "time", "made", "layers", "waiting", "grains", "kinds"}


def _obstacles(beside: Any) -> list[Obstacles]:
    """The obstacles among the elements of `beside`."""
    try:
        elements = iter(beside)
    except TypeError:
        raise TypeError(f"beside is {shown(beside)}, expected a list of Emitter or Obstacles") from None
    obstacles = []
    for number, each in enumerate(elements):
        if isinstance(each, Obstacles):
            obstacles.append(each)
        elif not isinstance(each, Emitter):
            raise TypeError(f"beside[{number}] is {shown(each)}, expected an Emitter or Obstacles")
    return obstacles
