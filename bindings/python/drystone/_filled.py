"""Calls whose results are numbers and arrays that the library fills in."""

from __future__ import annotations

from ctypes import byref, c_size_t, c_uint64
from typing import TYPE_CHECKING, Any

from ._arrays import address, output
from ._errors import CapacityError
from ._owned import Owned

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Filled(Owned):
    """An object of the library with such calls."""

    def _made(self, function: Any, *arguments: Any) -> int:
        """What a function writes as one 64 bit number through its last pointer."""
        number = c_uint64()
        self._call(function, *arguments, byref(number))
        return number.value

    def _count(self, function: Any, *sizes: int) -> int:
        count = c_size_t()
        self._call(function, None, *sizes, 0, byref(count))
        return count.value

    def _filled(self, function: Any, out: Any, dtype: Any, kind: Any, *sizes: int) -> NDArray[Any]:
        """An array that a function fills, as long as it says: in `out`, or in a new one."""
        while True:
            least = 0 if out is not None else self._count(function, *sizes)
            array, count = output("out", out, dtype, least), c_size_t()
            try:
                self._call(function, address(array, kind), *sizes, len(array), byref(count))
            except CapacityError:
                if out is not None:
                    raise
                # another thread stepped the world since the count was asked for
                continue
            return array[: count.value]
