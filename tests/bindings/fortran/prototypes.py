"""Whether Fortran calls C as C is declared: prototypes.py DRYSTONE_JSON PROTOTYPES.

PROTOTYPES is what `gfortran -fc-prototypes` says of module drystone_c: the C functions and structures that the compiler
takes its own declarations for. Each is compared with drystone.json. gfortran has no unsigned types and no enumerations,
and has void * for type(c_ptr), by value or not: that, the tests that call the functions find out.
"""

import json
import re
import sys

SAME = {
    "uint8_t": "char",
    "int32_t": "int",
    "uint32_t": "int",
    "uint64_t": "long",
    "size_t": "long",
}

with open(sys.argv[1], encoding="ascii") as file:
    whole = json.load(file)
with open(sys.argv[2], encoding="ascii") as file:
    said = file.read()

same = dict(SAME)
same.update({each["name"]: "int" for each in whole["enums"]})
same.update({each["name"]: "long" for each in whole["handles"]})
same.update({each["name"]: "int (*)()" for each in whole["callbacks"]})


def expected(each, name=""):
    """What gfortran may say of an argument, a member, or a result: with its own type, or as type(c_ptr)."""
    base = same.get(each["type"], each["type"])
    if base == "int (*)()":
        return {f"int (*{name})()"}
    if not each["pointer"]:
        if each["length"]:
            return {f"{base} {name}[{each['length']}]"}
        return {f"{base} {name}".strip()}
    exact = f"{'const ' if each['const'] else ''}{base} *{name}"
    plain = f"void *{name}"
    return {plain} if each["type"] in {"void", "char"} or each["pointer"] > 1 else {exact, plain}


wrong = []


def compare(what, found, wanted):
    """Arguments or members, one by one."""
    if len(found) != len(wanted):
        wrong.append(f"{what}: Fortran has {len(found)}, C {len(wanted)}")
    for mine, theirs in zip(found, wanted):
        if mine not in expected(theirs, theirs["name"]):
            wrong.append(f"{what}: Fortran has `{mine}`, expected one of {sorted(expected(theirs, theirs['name']))}")


prototypes = dict()
for result, name, arguments in re.findall(r"^(\w+ \*?)(dry_\w+) \((.*)\);$", said, re.M):
    prototypes[name] = (result.strip(), arguments.split(", ") if arguments else [])
structures = {name: body for body, name in re.findall(r"^typedef struct \w+ \{\n(.*?)\} (\w+);$", said, re.M | re.S)}

for function in whole["functions"] + whole["callbacks"]:
    if function["name"] not in prototypes:
        wrong.append(f"{function['name']}: not in Fortran")
        continue
    result, arguments = prototypes.pop(function["name"])
    if result not in expected(function["return"]):
        wrong.append(f"{function['name']}: Fortran expects `{result}`")
    compare(function["name"], arguments, function["arguments"])
for struct in whole["structs"]:
    members = [line.strip().rstrip(";") for line in structures.pop(struct["name"], "").splitlines()]
    compare(struct["name"], members, struct["fields"])
wrong += [f"{name}: not in C" for name in [*prototypes, *structures]]

if wrong:
    sys.exit("\n".join(wrong))
print(f"{len(whole['functions'])} functions and {len(whole['structs'])} structures are called and laid out as C declares them")
