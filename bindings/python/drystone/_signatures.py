"""Calls that do not fit: keywords that `help` and editors see, and errors that say what would fit."""

from __future__ import annotations

import difflib
import functools
import inspect
from inspect import Parameter
from typing import Any, Callable, TypeVar

Kind = TypeVar("Kind", bound="type[Any]")
Call = TypeVar("Call", bound=Callable[..., Any])

SHOWN = 5
"""Of the members of a structure, in the message of an error."""
LIKE = 0.4
"""How like a name has to be, 0 to 1, to be the one that may have been meant: `tolerance` for `tol`, not any for `grid`."""


class _Left:
    """Stands for the default of a member, which the library knows."""

    def __repr__(self) -> str:
        return "..."


def keywords(members: Any) -> list[Parameter]:
    """The members of a structure, by the TypedDict that lists them, as parameters."""
    return [
        Parameter(name, Parameter.KEYWORD_ONLY, default=_Left(), annotation=getattr(kind, "__forward_arg__", kind))
        for name, kind in members.__annotations__.items()
    ]


def takes(structure: Any) -> Callable[[Call], Call]:
    """Shows the members of a structure as the keywords that a function takes as **members, with their texts."""

    def decorate(function: Call) -> Call:
        signature = inspect.signature(function)
        own = [each for each in signature.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
        members = list(inspect.signature(structure).parameters.values())
        function.__signature__ = signature.replace(parameters=own + members)  # type: ignore[attr-defined]
        texts = inspect.getdoc(structure) or ""
        function.__doc__ = f"{inspect.getdoc(function)}\n\n{texts[texts.index('Attributes:') :]}"
        return function

    return decorate


def explained(kind: Kind) -> Kind:
    """Lets the TypeError of a call with other arguments than a method takes say what it does take."""
    for name, function in inspect.getmembers(kind, inspect.isfunction):
        if (name == "__init__" or not name.startswith("_")):
            setattr(kind, name, _explained(function, kind.__name__ if name == "__init__" else f"{kind.__name__}.{name}"))
    return kind


def explained_function(function: Call) -> Call:
    """The same for a function."""
    explained: Any = _explained(function, function.__name__)
    return explained  # type: ignore[no-any-return]


def no_member(owner: str, name: str, names: list[str]) -> TypeError:
    """A member that a structure does not have, and the one that may have been meant, or all."""
    shown = [own for own in names if own not in ("struct_size", "reserved")]
    close = difflib.get_close_matches(name, shown, 1, LIKE)
    return TypeError(f"{owner} has no member {name!r}: expected {repr(close[0]) if close else ', '.join(shown)}")


def usage(name: str, function: Callable[..., Any]) -> str:
    """How a function is called: `World.box(half_extents: ArrayLike)`."""
    shown: list[str] = []
    parameters = [each for each in inspect.signature(function).parameters.values() if each.name != "self"]
    for each in parameters:
        is_named = each.kind is Parameter.KEYWORD_ONLY
        if is_named and len(shown) >= SHOWN:
            shown.append("...")
            break
        has_default = each.default is not Parameter.empty
        shown.append(f"{each.name}=..." if is_named or has_default else f"{each.name}: {each.annotation}")
    return f"{name}({', '.join(shown)})"


def _explained(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except TypeError as error:
            # without a frame below this one the function was not entered
            if error.__traceback__ is not None and error.__traceback__.tb_next is not None:
                raise
            said = str(error)
            if said.startswith(f"{function.__name__}("):  # Python 3.9 leaves out the class
                said = function.__qualname__ + said[len(function.__name__) :]
            raise TypeError(f"{said}: expected {usage(name, function)}") from None

    return call
