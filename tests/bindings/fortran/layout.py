"""Writes two programs that print all sizes, offsets and constants of the interface: layout.py DRYSTONE_JSON WORK.

WORK/layout.c says what the C compiler makes of drystone.h, WORK/layout.f90 what the Fortran compiler makes of module
drystone_c. The names come from drystone.json, the numbers from the compilers: the two must print the same.
"""

import json
import sys
from pathlib import Path

with open(sys.argv[1], encoding="ascii") as file:
    whole = json.load(file)
work = Path(sys.argv[2])
constants = [each["name"] for group in whole["enums"] for each in group["values"]]
constants += [each["name"] for each in whole["constants"]]

c = ["#include <drystone.h>", "#include <stdio.h>", "int main(void)", "{"]
fortran = ["program layout", "use, intrinsic :: iso_c_binding", "use drystone_c", "implicit none"]
fortran += [f"type({each['name']}), target :: {each['name']}_" for each in whole["structs"]]

for name in constants:
    c.append(f'printf("{name} %lld\\n", (long long){name});')
    fortran.append(f"print '(a,1x,i0)', '{name}', {name}")
for struct in whole["structs"]:
    s = struct["name"]
    c.append(f'printf("{s} %zu\\n", sizeof({s}));')
    fortran.append(f"print '(a,1x,i0)', '{s}', c_sizeof({s}_)")
    for field in struct["fields"]:
        f = field["name"]
        c.append(f'printf("{s}.{f} %zu %zu\\n", offsetof({s}, {f}), sizeof((({s} *)0)->{f}));')
        place, start = f"transfer(c_loc({s}_%{f}), 0_c_intptr_t)", f"transfer(c_loc({s}_), 0_c_intptr_t)"
        fortran.append(f"print '(a,1x,i0,1x,i0)', '{s}.{f}', &\n  {place} - &\n  {start}, &\n  c_sizeof({s}_%{f})")

(work / "layout.c").write_text("\n".join(c + ["return 0;", "}"]) + "\n", encoding="ascii")
(work / "layout.f90").write_text("\n".join(fortran + ["end program layout"]) + "\n", encoding="ascii")
