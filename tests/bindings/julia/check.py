"""Drystone.jl against the description of the interface, without Julia: python3 check.py BINDINGS [MORE.jl...]

Reads generated.jl by itself, knowing nothing of how it is made: every structure must have the members, types, offsets and size
that bindings/drystone.json says, every constant its number, every ccall its types. In the hand-written files every function must
get as many arguments as it has, and members and constants must exist. What is not understood is a failure.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, Iterator

# How C spells what Julia may call: name of a type, its bytes.
SCALARS = {
    "double": ({"Cdouble", "Float64"}, 8),
    "size_t": ({"Csize_t", "UInt"}, 8),
    "uint64_t": ({"UInt64"}, 8),
    "uint32_t": ({"UInt32", "Cuint"}, 4),
    "int32_t": ({"Int32", "Cint"}, 4),
    "uint8_t": ({"UInt8"}, 1),
    "char": ({"UInt8", "Cchar"}, 1),
    "void": ({"Cvoid"}, 0),
}
# What a program need not call: said by other means, or not offered by the library.
UNUSED = {"dry_status_name", "dry_version"}
# Which structure the members belong to that a function takes by name.
MEMBERS_OF = {
    "add_body!": "BodyDef",
    "add_material!": "MaterialDef",
    "set_pair!": "PairDef",
    "configure!": "Settings",
    "set_state!": "BodyState",
    "add_joint!": "JointDef",
    "set_joint_axis!": "JointAxis",
}

failures: list[str] = []


def expect(true: bool, message: str) -> None:
    """Notes a failure."""
    if not true:
        failures.append(message)


def camel(name: str) -> str:
    """`dry_body_def` as `BodyDef`."""
    return "".join(part.capitalize() for part in name.split("_")[1:])


class Interface:
    """The description, by Julia's names."""

    def __init__(self, path: Path) -> None:
        self.whole = json.loads(path.read_text(encoding="ascii"))
        self.functions = {each["name"]: each for each in self.whole["functions"]}
        self.structs = {camel(each["name"]): each for each in self.whole["structs"]}
        self.numbers = {each["name"]: each["value"] for each in self.whole["constants"]}
        for enumeration in self.whole["enums"]:
            self.numbers.update({each["name"]: each["value"] for each in enumeration["values"]})
        self.words = {each["name"] for each in self.whole["opaque"] + self.whole["callbacks"]}

    def allowed(self, of: dict[str, Any], by_value: bool) -> set[str]:
        """The types that Julia may have for a type of C."""
        name, depth = of["type"], of["pointer"]
        if name in self.words:  # opaque, or a pointer to a function
            return {wrapped("Cvoid", max(depth, 1))}
        if name == "char" and of["const"] and depth == 1:
            return {"Cstring"}
        names = SCALARS[name][0] if name in SCALARS else {camel(name)}
        if name == "dry_status" and by_value:
            names = {"Cint"}
        return {wrapped(each, depth) for each in names}


def wrapped(name: str, depth: int) -> str:
    """`Ptr{Ptr{name}}`."""
    return "Ptr{" * depth + name + "}" * depth


def code(text: str) -> str:
    """Julia without comments and docstrings; other texts become blanks of their length."""
    text = re.sub(r'^\s*"""\n.*?^\s*"""\n', "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r'^\s*"[^"\n]*"\n', "", text, flags=re.MULTILINE)
    text = re.sub(r'"(?:\\.|[^"\\])*"', lambda found: '"' + " " * (len(found[0]) - 2) + '"', text)
    return re.sub(r"#.*", "", text)


def parts(text: str, start: int) -> tuple[list[str], int]:
    """The parts between commas or semicolons from an opening bracket on, and where it closes."""
    depth, found, begin = 0, [], start + 1
    for place in range(start, len(text)):
        character = text[place]
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            found.append(text[begin:place].strip())
            return [part for part in found if part], place
        if depth == 1 and character in ",;":
            found.append(text[begin:place].strip())
            begin = place + 1
    raise SystemExit(f"a bracket that is not closed: {text[start:start + 60]}")


class Generated:
    """generated.jl, read line by line."""

    def __init__(self, interface: Interface, text: str) -> None:
        self.interface = interface
        self.lines = [line for line in code(text).split("\n") if line.strip()]
        self.sizes = {name: size for names, size in SCALARS.values() for name in names}
        self.found: dict[str, set[str]] = {"number": set(), "handle": set(), "struct": set(), "function": set()}
        self.order: list[str] = []
        while self.lines:
            self.item(self.lines.pop(0))
        expected = {
            "number": set(interface.numbers),
            "handle": {camel(each["name"]) for each in interface.whole["handles"]},
            "struct": set(interface.structs),
            "function": set(interface.functions),
        }
        for kind, names in expected.items():
            expect(self.found[kind] == names, f"{kind}: {sorted(self.found[kind] ^ names)} in one of both alone")

    def block(self) -> Iterator[str]:
        """The lines up to `end`."""
        while (line := self.lines.pop(0)) != "end":
            yield line.strip()

    def item(self, line: str) -> None:
        """One definition."""
        if match := re.fullmatch(r'const VERSION_OF_HEADER = v" *"', line):
            pass
        elif match := re.fullmatch(r"const (DRY_\w+) = UInt32\((\d+)\)", line):
            self.number(match[1], int(match[2]))
        elif match := re.fullmatch(r"@enum (\w+)::Int32 begin", line):
            self.sizes[match[1]] = 4
            for value in self.block():
                name, number = value.split(" = ")
                self.number(name, int(number))
        elif match := re.fullmatch(r"primitive type (\w+) <: Handle 64 end", line):
            self.sizes[match[1]] = 8
            self.found["handle"].add(match[1])
        elif match := re.fullmatch(r"struct (\w+)", line):
            self.structure(match[1], [tuple(field.split("::")) for field in self.block()])
        elif line == "const FUNCTIONS = [":
            while (name := self.lines.pop(0).strip()) != "]":
                self.order.append(name.strip(":,"))
        elif line == "const POINTERS = fill(C_NULL, length(FUNCTIONS))":
            pass
        elif match := re.fullmatch(r"function (\w+)\((.*)\)", line):
            self.function(match[1], match[2].split(", ") if match[2] else [], " ".join(self.block()))
        else:
            expect(False, f"generated.jl: not understood: {line}")

    def number(self, name: str, value: int) -> None:
        """A constant, or a value of an enumeration."""
        self.found["number"].add(name)
        expect(self.interface.numbers.get(name) == value, f"{name} is {value}, expected {self.interface.numbers.get(name)}")

    def structure(self, name: str, fields: list[tuple[str, ...]]) -> None:
        """A structure, laid out as Julia does it: each member at a multiple of its alignment."""
        self.found["struct"].add(name)
        described = self.interface.structs.get(name, {"fields": [], "size": -1})
        expect(len(fields) == len(described["fields"]), f"{name} has {len(fields)} members")
        end, widest = 0, 1
        for (member, kind), field in zip(fields, described["fields"]):
            where = f"{name}.{member}"
            expect(member == field["name"], f"{where}: expected {field['name']}")
            array = re.fullmatch(r"NTuple\{(\d+), (\w+)\}", kind)
            count, element = (int(array[1]), array[2]) if array else (1, kind)
            expect((count if array else None) == field["length"], f"{where} has {count} elements")
            expect(element in self.interface.allowed(field, by_value=False), f"{where} is a {element}")
            size = 8 if element.startswith("Ptr{") else self.sizes.get(element, 0)
            expect(size > 0, f"{where}: {element} is not known here")
            offset = -(-end // max(size, 1)) * max(size, 1)
            expect(offset == field["offset"], f"{where} is at {offset}, expected {field['offset']}")
            end, widest = offset + count * size, max(widest, size)
        size = -(-end // widest) * widest
        expect(size == described["size"], f"{name} has {size} bytes, expected {described['size']}")
        self.sizes[name] = size

    def function(self, name: str, arguments: list[str], body: str) -> None:
        """A function that hands its arguments to the library."""
        self.found["function"].add(name)
        match = re.match(r"return ccall\(", body)
        described = self.interface.functions.get(name)
        if not match or not described:
            expect(False, f"{name}: not understood: {body}")
            return
        (pointer, answer, kinds, *given), _ = parts(body, match.end() - 1)
        number = re.fullmatch(r"POINTERS\[(\d+)\]", pointer)
        expect(bool(number) and self.order[int(number[1]) - 1] == name, f"{name}: {pointer} is another function's")
        expect(answer in self.interface.allowed(described["return"], by_value=True), f"{name} returns {answer}")
        expect(given == arguments, f"{name}: hands over {given}, not {arguments}")
        listed, _ = parts(kinds, 0)
        expect(len(listed) == len(arguments) == len(described["arguments"]), f"{name} has {len(listed)} arguments")
        for kind, argument in zip(listed, described["arguments"]):
            allowed = self.interface.allowed(argument, by_value=True)
            expect(kind in allowed, f"{name}: {argument['name']} is a {kind}, expected {sorted(allowed)}")


def check_calls(interface: Interface, where: str, text: str) -> set[str]:
    """Every use of a function of the library has the right number of arguments; answers which are used."""
    # the arguments that the library gets in addition to those after the function's name
    added = {"call": 1, "attempt": 1, "iterate!": 1, "iterate_on": 1, "made": 2, "filled": 4, "initialised": 2}
    used = set()
    for match in re.finditer(r"\b([a-z]\w*!?)\(", text):
        name = match[1]
        if name.startswith("dry_"):
            count = len(parts(text, match.end() - 1)[0])
        elif name in added:
            arguments = parts(text, match.end() - 1)[0]
            place = next((n for n, part in enumerate(arguments) if part.startswith("dry_")), None)
            if place is None:
                continue
            name, count = arguments[place], len(arguments) - place - 1 + added[name]
        else:
            continue
        used.add(name)
        described = interface.functions.get(name)
        expect(described is not None, f"{where}: there is no {name}")
        if described is not None:
            expected = len(described["arguments"])
            expect(count == expected, f"{where}: {name} gets {count} arguments, expected {expected}")
    mentioned = set(re.findall(r"\bdry_\w+", text))
    expect(mentioned == used, f"{where}: {sorted(mentioned - used)} are not called as this program knows it")
    return used


def check_members(interface: Interface, where: str, text: str) -> None:
    """Every member that is given by name exists, and so does every constant."""
    for name in set(re.findall(r"\bDRY_\w+", text)) - {"DRY_", "DRYSTONE_LIBRARY"}:
        expect(name in interface.numbers, f"{where}: there is no {name}")
    for match in re.finditer(r"\b([A-Za-z_]\w*!?)\(", text):
        name = MEMBERS_OF.get(match[1], match[1])
        arguments = parts(text, match.end() - 1)[0]
        if name == "with" and arguments and (sized := re.fullmatch(r"(?:sized|zeroed)\((\w+)\)", arguments[0])):
            name = sized[1]
        if name in interface.structs:
            fields = {field["name"] for field in interface.structs[name]["fields"]}
            for argument in arguments:
                if member := re.match(r"(\w+) = ", argument):
                    expect(member[1] in fields, f"{where}: {name} has no member {member[1]}")


def main() -> None:
    """Checks all files."""
    bindings = Path(sys.argv[1])
    interface = Interface(bindings / "drystone.json")
    sources = bindings / "julia" / "Drystone" / "src"
    Generated(interface, (sources / "generated.jl").read_text(encoding="ascii"))
    used: set[str] = set()
    for path in [*sorted(sources.glob("*.jl")), *map(Path, sys.argv[2:])]:
        text = code(path.read_text(encoding="ascii"))
        if path.name != "generated.jl":
            used |= check_calls(interface, path.name, text)
            check_members(interface, path.name, text)
    # type parameters stand for these
    unused = set(interface.functions) - used - UNUSED
    expect(not unused, f"nothing calls {sorted(unused)}")
    version = re.search(r'^version = "(.*)"', (sources.parent / "Project.toml").read_text(encoding="ascii"), re.MULTILINE)
    expect(bool(version) and version[1] == interface.whole["version"], "Project.toml has another version")
    if failures:
        raise SystemExit("\n".join(failures))
    print(f"{len(interface.structs)} structures, {len(interface.numbers)} constants, {len(interface.functions)} functions")


main()
