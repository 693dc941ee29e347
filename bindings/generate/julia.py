"""Writes `bindings/julia/Drystone/src/generated.jl`: the types, constants and functions of the interface."""

from __future__ import annotations

import textwrap
from typing import Any

import common

TYPES = {
    "double": "Cdouble",
    "uint8_t": "UInt8",
    "char": "UInt8",
    "uint32_t": "UInt32",
    "int32_t": "Int32",
    "uint64_t": "UInt64",
    "size_t": "Csize_t",
    "void": "Cvoid",
}

HEAD = """# The interface of the library, as `drystone.h` declares it.
#
# Generated from bindings/drystone.json by bindings/generate/julia.py: do not edit.
"""


class Writer:
    """The text of generated.jl, piece by piece."""

    def __init__(self, whole: common.Description) -> None:
        self.whole = whole
        self.opaque = {each["name"] for each in whole["opaque"]}
        self.callbacks = {each["name"] for each in whole["callbacks"]}
        self.lines = [HEAD]

    def text(self) -> str:
        """All of it."""
        whole = self.whole
        self.lines += [f'const VERSION_OF_HEADER = v"{whole["version"]}"', ""]
        for each in whole["constants"]:
            self.lines += [quoted(each["doc"]), f"const {each['name']} = UInt32({each['value']})", ""]
        for each in whole["enums"]:
            values = "\n".join(map(listed, each["values"]))
            self.lines += [quoted(f"{each['doc']}\n\n{values}")]
            self.lines += [f"@enum {common.type_name(each['name'])}::Int32 begin"]
            self.lines += [f"    {value['name']} = {value['value']}" for value in each["values"]]
            self.lines += ["end", ""]
        for each in whole["handles"]:
            name = common.type_name(each["name"])
            self.lines += [quoted(each["doc"]), f"primitive type {name} <: Handle 64 end", ""]
        for each in whole["structs"]:
            self.structure(each)
        self.functions()
        return "\n".join(self.lines).rstrip() + "\n"

    def kind(self, of: dict[str, Any], by_value: bool = False) -> str:
        """The type of a member, an argument or a result. A status travels as the integer that it is."""
        name, depth = of["type"], of["pointer"]
        if name == "char" and of["const"] and depth == 1:
            return "Cstring"
        if name in self.opaque or name in self.callbacks:
            kind, depth = ("Cvoid", depth) if depth else ("Ptr{Cvoid}", 0)
        elif name == "dry_status" and by_value:
            kind = "Cint"
        else:
            kind = TYPES.get(name) or common.type_name(name)
        return "Ptr{" * depth + kind + "}" * depth

    def structure(self, each: dict[str, Any]) -> None:
        """One structure, laid out as C does it."""
        name = common.type_name(each["name"])
        self.lines += [quoted(each["doc"]), f"struct {name}"]
        for field in each["fields"]:
            kind = self.kind(field)
            kind = f"NTuple{{{field['length']}, {kind}}}" if field["length"] else kind
            self.lines += [quoted(field["doc"], "    "), f"    {field['name']}::{kind}"]
        self.lines += ["end", ""]

    def functions(self) -> None:
        """The functions, each by the pointer that was found when the library was opened."""
        names = [each["name"] for each in self.whole["functions"]]
        self.lines += ["# In this order `POINTERS` holds them.", "const FUNCTIONS = ["]
        self.lines += [f"    :{name}," for name in names]
        self.lines += ["]", "", "const POINTERS = fill(C_NULL, length(FUNCTIONS))", ""]
        for number, each in enumerate(self.whole["functions"], 1):
            arguments = [argument["name"] for argument in each["arguments"]]
            kinds = [self.kind(argument, by_value=True) for argument in each["arguments"]]
            tuple_of_kinds = f"({', '.join(kinds)}{',' if len(kinds) == 1 else ''})"
            given = [f"POINTERS[{number}]", self.kind(each["return"], by_value=True), tuple_of_kinds, *arguments]
            self.lines += [f"function {each['name']}({', '.join(arguments)})"]
            call = f"    return ccall({', '.join(given)})"
            if len(call) > 120:
                call = "    return ccall(\n" + "".join(f"        {item},\n" for item in given[:3])
                call += f"        {', '.join(arguments)},\n    )"
            self.lines += [call, "end", ""]


def listed(value: dict[str, Any]) -> str:
    """A value of an enumeration as an element of a list."""
    text = f"- `{value['name']}`: {' '.join(value['doc'].split())}"
    return textwrap.fill(text, 120, subsequent_indent="  ", break_long_words=False)


def quoted(doc: str, indent: str = "") -> str:
    """A text as a docstring."""
    if '"""' in doc or "\\" in doc or "$" in doc:
        raise SystemExit(f"a text that is no docstring: {doc}")
    if "\n" not in doc and '"' not in doc and len(doc) + len(indent) + 2 <= 120:
        return f'{indent}"{doc}"'
    lines = ['"""', *doc.split("\n"), '"""']
    return "\n".join(indent + line if line else "" for line in lines)


if __name__ == "__main__":
    common.main(
        common.BINDINGS / "julia" / "Drystone" / "src" / "generated.jl",
        lambda whole: Writer(whole).text(),
    )
