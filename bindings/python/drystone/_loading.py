"""Finds and opens the library."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import sys
from pathlib import Path
from typing import Any, Optional, TypeVar

_NAME = {"win32": "drystone.dll", "darwin": "libdrystone.dylib"}.get(sys.platform, "libdrystone.so")
_library: Optional[ctypes.CDLL] = None

Kind = TypeVar("Kind", bound=ctypes.CDLL)


def path() -> str:
    """Which library is opened: that of the wheel, else $DRYSTONE_LIBRARY, else the system's."""
    own = Path(__file__).with_name(_NAME)
    if own.exists():
        return str(own)
    named = os.environ.get("DRYSTONE_LIBRARY")
    return named or ctypes.util.find_library("drystone") or _NAME


def opened() -> Any:
    """The library."""
    if _library is None:
        raise ImportError("the library is not open yet: import drystone")
    return _library


def load(kind: type[Kind], version: str, prototypes: dict[str, tuple[Any, ...]]) -> Kind:
    """Opens the library as a `kind`, and gives its functions their types.

    version: of the header that the types are of. The library must be as new, and of the same major version.
    prototypes: of each function what it returns, and what it takes.
    """
    global _library
    where = path()
    try:
        library = kind(where)
    except OSError as error:
        raise ImportError(
            f"{error}: expected {_NAME} beside {__file__}, or its path in DRYSTONE_LIBRARY, or an installed one"
        ) from None
    for name, (answer, *arguments) in prototypes.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"{where} has no {name}: expected drystone {version} or newer") from None
        function.restype = answer
        function.argtypes = arguments
    _compare(library.dry_version(), version, where)
    _library = library
    return library


def _compare(number: int, version: str, where: str) -> None:
    found = (number >> 22, number >> 12 & 0x3FF, number & 0xFFF)
    expected = tuple(int(part) for part in version.split("."))
    if found[0] != expected[0] or found < expected:
        found_version = ".".join(map(str, found))
        raise ImportError(f"{where} is drystone {found_version}: expected {version}, or newer with the same major version")
