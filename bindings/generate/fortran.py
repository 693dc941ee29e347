"""Writes `bindings/fortran/drystone_c.f90`: the interface as Fortran's `iso_c_binding` has it."""

from __future__ import annotations

import textwrap
from typing import Any

import common

KINDS = {
    "double": "real(c_double)",
    "uint8_t": "integer(c_int8_t)",
    "uint32_t": "integer(c_int32_t)",
    "int32_t": "integer(c_int32_t)",
    "uint64_t": "integer(c_int64_t)",
    "size_t": "integer(c_size_t)",
}

# Pointers to the first of many, which may be NULL if there are none. All others show one thing, or as many numbers as
# their type says, or are called _or_null.
ARRAYS = {
    "dry_last_error": ["buffer"],
    "dry_shape_hull": ["points_xyz"],
    "dry_shape_mesh": ["points_xyz", "triangles"],
    "dry_bodies_add": ["defs", "bodies"],
    "dry_shape_clump": ["parts"],
    "dry_query_bodies": ["bodies"],
    "dry_bodies_get_states": ["states"],
    "dry_joints_add": ["defs", "joints"],
    "dry_joints_set_targets": ["joints", "indices"],
    "dry_query_joints": ["joints"],
    "dry_query_body_joints": ["joints"],
    "dry_joints_get_states": ["states"],
    "dry_query_joint_events": ["events"],
    "dry_query_contacts": ["contacts"],
    "dry_query_fields": ["points_xyz", "fields"],
    "dry_query_overlaps": ["poses", "overlaps"],
    "dry_world_limit_load": ["unit_loads"],
    "dry_world_export_vtk": ["prefix"],
    "dry_world_snapshot": ["buffer"],
    "dry_world_restore": ["buffer"],
    "dry_solver_snapshot": ["buffer"],
    "dry_solver_restore": ["buffer"],
    "dry_solver_correct": ["impulses", "compatible_impulses"],
    "dry_solver_solve_local": ["impulses"],
}

HEAD = """\
! The interface of the library as drystone.h declares it: what module drystone is made of.
!
! Generated from bindings/drystone.json by bindings/generate/fortran.py: do not edit.
!
! Functions have the names of C with c_ before them. Unsigned integers are signed ones of the same size, and so are
! handles. Pointers to arrays, to what may be NULL, and to worlds and solvers are type(c_ptr).
module drystone_c
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_funptr, c_int, c_int8_t, c_int32_t, c_int64_t, c_ptr, &
    c_size_t, c_null_funptr, c_null_ptr
  implicit none
  public
"""


class Writer:
    """The text of drystone_c.f90, piece by piece."""

    def __init__(self, whole: common.Description) -> None:
        self.whole = whole
        self.enums = {each["name"] for each in whole["enums"]}
        self.handles = {each["name"] for each in whole["handles"]}
        self.opaque = {each["name"] for each in whole["opaque"]}
        self.callbacks = {each["name"] for each in whole["callbacks"]}
        self.structs = {each["name"] for each in whole["structs"]}
        self.initialised = {f["name"].removesuffix("_init") for f in whole["functions"] if f["name"].endswith("_init")}
        self.lines = [HEAD]
        pointers = {(f["name"], a["name"]) for f in whole["functions"] for a in f["arguments"] if a["pointer"]}
        gone = {(function, name) for function, names in ARRAYS.items() for name in names} - pointers
        if gone:
            raise SystemExit(f"{sorted(gone)}: in ARRAYS of {__file__}, and not in the interface")

    def text(self) -> str:
        """All of it."""
        for each in self.whole["enums"]:
            self.doc(each["doc"], 2)
            self.constants("integer(c_int)", each["values"])
        for each in self.whole["constants"]:
            self.constants(KINDS[each["type"]], [each])
        for each in self.whole["structs"]:
            self.structure(each)
        self.lines.append("  abstract interface")
        for each in self.whole["callbacks"]:
            self.doc(each["doc"], 4)
            self.procedure(each, each["name"], " bind(C)")
        self.lines += ["  end interface", "", "  interface"]
        for each in self.whole["functions"]:
            self.procedure(each, "c_" + each["name"], f' &\n        bind(C, name="{each["name"]}")')
        self.lines += ["  end interface", "end module drystone_c"]
        return "\n".join(self.lines) + "\n"

    def doc(self, text: str, indent: int) -> None:
        """A comment of a documentation tool."""
        start = " " * indent + "!> "
        for paragraph in text.split("\n\n"):
            for line in textwrap.wrap(paragraph.replace("\n", " "), 117 - len(start)):
                self.lines.append(start + line)

    def constants(self, kind: str, values: list[dict[str, Any]]) -> None:
        """Named numbers of one kind."""
        for each in values:
            assert -(2**31) <= each["value"] < 2**31, each
            self.doc(each["doc"], 2)
            self.lines.append(f"  {kind}, parameter :: {each['name']} = {each['value']}")
        self.lines.append("")

    def kind(self, name: str) -> str:
        """The type of a C type that is no pointer."""
        if name in self.enums:
            return "integer(c_int)"
        if name in self.handles:
            return "integer(c_int64_t)"
        if name in self.callbacks:
            return "type(c_funptr)"
        if name in self.structs:
            return f"type({name})"
        return KINDS[name]

    def structure(self, each: dict[str, Any]) -> None:
        """A type, zero by itself. What no function fills in knows its size."""
        self.doc(each["doc"], 2)
        self.lines.append(f"  type, bind(C) :: {each['name']}")
        for field in each["fields"]:
            kind = "type(c_ptr)" if field["pointer"] else self.kind(field["type"])
            start = {"type(c_ptr)": "c_null_ptr", "type(c_funptr)": "c_null_funptr", "real(c_double)": "0.0_c_double"}.get(kind, "0")
            if field["name"] == "struct_size" and each["name"] not in self.initialised:
                start = str(each["size"])
            length = f"({field['length']})" if field["length"] else ""
            self.doc(field["doc"], 4)
            self.lines.append(f"    {kind} :: {field['name']}{length} = {start}")
        self.lines += [f"  end type {each['name']}", ""]

    def procedure(self, each: dict[str, Any], name: str, bind: str) -> None:
        """The interface of a function of the library, or of the host's."""
        arguments = [argument["name"] for argument in each["arguments"]]
        returned = each["return"]
        empty = returned["type"] == "void" and not returned["pointer"]
        word = "subroutine" if empty else "function"
        head = f"    {word} {name}({', '.join(arguments)}){bind}"
        self.lines += [head if empty else head + " result(returned)", "      import"]
        for argument in each["arguments"]:
            self.lines.append(f"      {self.argument(each['name'], argument)}")
        if not empty:
            self.lines.append(f"      {'type(c_ptr)' if returned['pointer'] else self.kind(returned['type'])} :: returned")
        self.lines.append(f"    end {word} {name}")

    def argument(self, function: str, argument: dict[str, Any]) -> str:
        """The declaration of one argument."""
        name, depth = argument["name"], argument["pointer"]
        if not depth:
            return f"{self.kind(argument['type'])}, value :: {name}"
        if argument["type"] in self.opaque or argument["type"] == "void":
            return f"type(c_ptr), {'value' if depth == 1 else 'intent(inout)'} :: {name}"
        if name in ARRAYS.get(function, []) or (name.endswith("_or_null") and not argument["length"]):
            return f"type(c_ptr), value :: {name}"
        if name.endswith("_or_null"):
            return f"type(c_ptr), value :: {name} ! {argument['length']} numbers"
        intent = "in" if argument["const"] else "inout" # not out: a failure does not change it
        length = f"({argument['length']})" if argument["length"] else ""
        return f"{self.kind(argument['type'])}, intent({intent}) :: {name}{length}"


if __name__ == "__main__":
    common.main(common.BINDINGS / "fortran" / "drystone_c.f90", lambda whole: Writer(whole).text())
