"""Writes `raw.py` and `_status.py` in `bindings/python/drystone`: the interface as ctypes and numpy have it."""

from __future__ import annotations

import json
import keyword
import textwrap
from typing import Any

import common

CTYPES = {
    "double": "c_double",
    "uint8_t": "c_uint8",
    "uint32_t": "c_uint32",
    "int32_t": "c_int32",
    "uint64_t": "c_uint64",
    "size_t": "c_size_t",
    "char": "c_char",
}

HEAD = '''"""The interface of the library, as `drystone.h` declares it, for ctypes and numpy.

Generated from bindings/drystone.json by bindings/generate/python.py: do not edit.

`library` has every function of the header under its own name. Types of arguments are checked by ctypes, their number by
mypy. Structures refuse members that they do not have and numbers that do not fit; members that are arrays read as
views of the structure.
"""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_char, c_char_p, c_double, c_int, c_int32, c_size_t
from ctypes import c_uint8, c_uint32, c_uint64, c_void_p
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from ._handles import Handle
from ._loading import load
from ._status import Status as Status
from ._structure import Structure, members

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

    from ._structure import Bits, Numbers
'''

STATUS = "dry_status"
"""The enumeration with a file of its own: errors need it, and raw.py needs errors."""

STATUS_HEAD = '''"""The results of calls, as `drystone.h` declares them.

Generated from bindings/drystone.json by bindings/generate/python.py: do not edit.
"""

from __future__ import annotations

from enum import IntEnum
'''


class Writer:
    """The text of raw.py, piece by piece."""

    def __init__(self, whole: common.Description) -> None:
        self.whole = whole
        self.enums = {each["name"] for each in whole["enums"]}
        self.handles = {each["name"] for each in whole["handles"]}
        self.opaque = {each["name"] for each in whole["opaque"]}
        self.callbacks = {each["name"] for each in whole["callbacks"]}
        inits = [each for each in whole["functions"] if each["name"].endswith("_init")]
        self.initialised = {each["arguments"][0]["type"]: each for each in inits}
        self.lines = [HEAD]

    def status(self) -> str:
        """Returns the text of _status.py."""
        self.lines = [STATUS_HEAD]
        for each in self.whole["enums"]:
            if each["name"] == STATUS:
                self.named(each)
        return "\n".join(self.lines).rstrip() + "\n"

    def text(self) -> str:
        """Returns the text of raw.py."""
        whole = self.whole
        self.lines += [f'VERSION = "{whole["version"]}"', '"""The version of the header."""', ""]
        self.lines += [f'ABI = {whole["abi"]}', '"""Its major version: libraries of another one do not fit."""', ""]
        for each in whole["enums"]:
            if each["name"] != STATUS:
                self.named(each)
        for name, bits in common.flags(whole).items():
            values = [(bit["short"], bit["value"], bit["doc"].split(": ", 1)[1]) for bit in bits]
            self.enumeration(name, "IntFlag", f"{bits[0]['prefix']} bits.", values)
        for each in whole["handles"]:
            name = common.type_name(each["name"])
            self.lines += ["", f"class {name}(Handle):", quoted(each["doc"], "    "), "", "    __slots__ = ()", ""]
        self.lines += [
            f"{common.type_name(each['name'])} = {self.callback(each)}\n{quoted(each['doc'], '')}\n"
            for each in whole["callbacks"]
        ]
        for each in whole["structs"]:
            self.structure(each)
        self.library()
        return "\n".join(self.lines).rstrip() + "\n"

    def named(self, each: dict[str, Any]) -> None:
        """Writes one enumeration of the interface."""
        short = common.short_names([value["name"] for value in each["values"]])
        values = [(short[value["name"]], value["value"], value["doc"]) for value in each["values"]]
        self.enumeration(common.type_name(each["name"]), "IntEnum", each["doc"], values)

    def enumeration(self, name: str, base: str, doc: str, values: list[tuple[str, int, str]]) -> None:
        """One enumeration, or one set of bits."""
        self.lines += ["", f"class {name}({base}):", quoted(doc, "    "), ""]
        for short, value, text in values:
            self.lines += [f"    {short} = {value}", quoted(text, "    ")]
        self.lines.append("")

    def callback(self, each: dict[str, Any]) -> str:
        """The type of a pointer to a function. Structures, which come later in the file, are addresses."""
        structs = {struct["name"] for struct in self.whole["structs"]}
        arguments = ["c_void_p" if each["type"] in structs else self.ctype(each) for each in each["arguments"]]
        kinds = [self.ctype(each["return"]), *arguments]
        return f"CFUNCTYPE({', '.join(kinds)})"

    def ctype(self, of: dict[str, Any]) -> str:
        """The type of a member, an argument or a result."""
        name, depth = of["type"], of["pointer"]
        if name in self.opaque or name == "void":
            kind, depth = ("c_void_p", depth - 1) if depth else ("None", 0)
        elif name == "char" and of["const"] and depth:
            kind, depth = "c_char_p", depth - 1
        elif name in self.enums:
            kind = "c_int"
        elif name in self.handles:
            kind = "c_uint64"
        else:
            kind = CTYPES.get(name) or common.type_name(name)
        return "POINTER(" * depth + kind + ")" * depth

    def structure(self, each: dict[str, Any]) -> None:
        """One structure: the class, the members it is made with, the numpy type if it holds no pointers."""
        name = common.type_name(each["name"])
        plain = [field for field in each["fields"] if field["name"] not in ("struct_size", "reserved")]
        data = [field for field in plain if not self.is_pointer(field)]
        self.lines += ["", f"class {name}Members(TypedDict, total=False):"]
        self.lines += [f'    """What a {name} can be made with; its text is there."""', ""]
        self.lines += [f"    {field['name']}: {self.hint(field, given=True)}" for field in plain]
        self.lines += ["", "", listed("", "@members(", [f"{name}Members", *self.kinds(data)], ")"), f"class {name}(Structure):"]
        self.lines += [quoted(each["doc"] + "\n\nAttributes:\n" + attributes(plain), "    "), ""]
        self.lines += ["    __slots__ = ()", *self.initialiser(each["name"])]
        self.lines += ["    _fields_ = ["]
        self.lines += [f'        ("{field["name"]}", {self.member(field)}),' for field in each["fields"]]
        self.lines += ["    ]", "", "    if TYPE_CHECKING:", ""]
        self.lines += [f"        def __init__(self, **members: Unpack[{name}Members]) -> None: ...", ""]
        for field in plain:
            self.typed(field)
        self.lines.append("")
        if len(data) == len(plain):
            self.lines += ["", f"{each['name'].removeprefix('dry_').upper()}_DTYPE = np.dtype(", "    ["]
            self.lines += [f'        ("{field["name"]}", {self.scalar(field)}),' for field in each["fields"]]
            self.lines += ["    ]", ")", f'"""{name} as an element of a numpy array."""', ""]

    def initialiser(self, structure: str) -> list[str]:
        """The function that fills in a structure, and the members that it takes in addition to its size."""
        function = self.initialised.get(structure)
        if function is None:
            return ["    _initialiser_ = None"]
        chosen = [argument["name"] for argument in function["arguments"][2:]]
        lines = [f'    _initialiser_ = "{function["name"]}"']
        return lines + [f"    _chosen_ = ({', '.join(map(json.dumps, chosen))},)"] * bool(chosen)

    def is_pointer(self, field: dict[str, Any]) -> bool:
        """Whether what a field shows lies elsewhere."""
        return field["pointer"] > 0 or field["type"] in self.callbacks

    def member(self, field: dict[str, Any]) -> str:
        """The ctypes type of a member."""
        kind = self.ctype(field)
        return f"{kind} * {field['length']}" if field["length"] else kind

    def scalar(self, field: dict[str, Any]) -> str:
        """The numpy type of a member."""
        kind = {"c_int": "i4"}.get(self.ctype(field)) or self.letter(field)
        return f'"{kind}", ({field["length"]},)' if field["length"] else f'"{kind}"'

    def letter(self, field: dict[str, Any]) -> str:
        """What kind of number, and its bytes."""
        letter = {"double": "f", "int32_t": "i"}.get(field["type"], "u")
        return f"{letter}{field['size'] // (field['length'] or 1)}"

    def kinds(self, fields: list[dict[str, Any]]) -> list[str]:
        """The members that are not read as plain numbers."""
        kinds = []
        for field in fields:
            if field["type"] in self.enums or field["type"] in self.handles:
                kinds.append(f"{field['name']}={common.type_name(field['type'])}")
            elif common.flag_of(field) and not field["length"]:
                kinds.append(f"{field['name']}={common.flag_of(field)}")
            elif common.is_truth(field):
                kinds.append(f"{field['name']}=bool")
        return kinds

    def hint(self, field: dict[str, Any], given: bool) -> str:
        """The type of a member, as it is given or as it is read."""
        if self.is_pointer(field):
            return "Any"
        if field["length"]:
            return "ArrayLike" if given else "Numbers" if field["type"] == "double" else "Bits"
        if field["type"] in self.enums or field["type"] in self.handles:
            name = common.type_name(field["type"])
            return f"{name} | np.uint64" if given and field["type"] in self.handles else name
        return common.flag_of(field) or (
            "bool" if common.is_truth(field) else "float" if field["type"] == "double" else "int"
        )

    def typed(self, field: dict[str, Any]) -> None:
        """A member as type checkers see it."""
        name, read, given = field["name"], self.hint(field, given=False), self.hint(field, given=True)
        if read == given:
            self.lines.append(f"        {name}: {read}")
            return
        self.lines += ["", "        @property", f"        def {name}(self) -> {read}: ..."]
        self.lines += ["", f"        @{name}.setter", f"        def {name}(self, value: {given}) -> None: ..."]

    def library(self) -> None:
        """The functions: for type checkers, and for ctypes."""
        self.lines += ["", "class Library(ctypes.CDLL):", '    """The library with the functions of its header."""', ""]
        self.lines += ["    if TYPE_CHECKING:", ""]
        for each in self.whole["functions"]:
            names = [f"{argument_name(argument)}: {argument_hint(argument)}" for argument in each["arguments"]]
            names = ["self", *names, "/"] if names else ["self"]
            tail = f") -> {answer_hint(each['return'])}: ..."
            self.lines.append(listed("        ", f"def {each['name']}(", names, tail))
        self.lines += ["", "", "library: Library = load(", "    Library,", "    VERSION,", "    {"]
        for each in self.whole["functions"]:
            kinds = [self.ctype(each["return"])] + [self.ctype(argument) for argument in each["arguments"]]
            tail = ",)," if len(kinds) == 1 else "),"
            self.lines.append(listed("        ", f'"{each["name"]}": (', kinds, tail))
        self.lines += ["    },", ")", '"""The library, its functions with their types."""']


def argument_name(argument: dict[str, Any]) -> str:
    """A name that Python allows."""
    return argument["name"] + ("_" if keyword.iskeyword(argument["name"]) else "")


def argument_hint(argument: dict[str, Any]) -> str:
    """What ctypes takes."""
    if argument["pointer"]:
        return "Any"
    return "float" if argument["type"] == "double" else "int"


def answer_hint(answer: dict[str, Any]) -> str:
    """What ctypes gives."""
    if answer["pointer"]:
        return "bytes"
    return "None" if answer["type"] == "void" else "int"


def attributes(fields: list[dict[str, Any]]) -> str:
    """The members with their texts."""

    def filled(field: dict[str, Any]) -> str:
        text = f"{field['name']}: " + " ".join(field["doc"].split())
        return textwrap.fill(text, 112, initial_indent="    ", subsequent_indent="        ")

    return "\n".join(map(filled, fields))


def listed(indent: str, head: str, items: list[str], tail: str) -> str:
    """A list between brackets on one line, or where that is too long on one line each."""
    whole = f"{indent}{head}{', '.join(items)}{tail}"
    if len(whole) <= 120:
        return whole
    return "\n".join([indent + head, *(f"{indent}    {item}," for item in items), indent + tail])


def quoted(doc: str, indent: str) -> str:
    """A text as a docstring."""
    if '"""' in doc or "\\" in doc:
        raise SystemExit(f"a text that is no docstring: {doc}")
    if "\n" not in doc and len(doc) + len(indent) + 6 <= 120 and not doc.endswith('"'):
        return f'{indent}"""{doc}"""'
    text = textwrap.indent(f'"""{doc}\n"""', indent, lambda line: bool(line.strip()))
    first, rest = text.split("\n", 1)
    # the quotes make the first line longer than it is in the header
    return text if len(first) <= 120 else f'{indent}"""\n{indent}{first.strip()[3:]}\n{rest}'


if __name__ == "__main__":
    package = common.BINDINGS / "python" / "drystone"
    common.main(package / "_status.py", lambda whole: Writer(whole).status())
    common.main(package / "raw.py", lambda whole: Writer(whole).text())
