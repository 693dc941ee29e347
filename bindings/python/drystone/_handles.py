"""Handles of what a world holds."""

from __future__ import annotations


class Handle(int):
    """The name of a material, shape, body or joint of a world: an integer that this world alone knows.

    It prints as `Body(3, generation 1)`: its place among the bodies, and how often that place was given. Elements of arrays of
    handles are integers of numpy, which every call takes too: `Body(bodies[0])` prints one.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        if self == 0:
            return f"{type(self).__name__}(null)"
        return f"{type(self).__name__}({self & 0xFFFFFFFF}, generation {self >> 32 & 0xFFFFFFF})"

    __str__ = __repr__
