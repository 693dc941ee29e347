"""The files of the package import each other without circles, and none imports the package itself."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import drystone

PACKAGE = Path(drystone.__file__).parent
FOLDERS = ("drystone", "drystone/granular")
"""Those of the package and of its sub-packages: an import from them names files, or what __init__.py defines."""


def module(path: Path) -> str:
    """Returns the name of a file below the package: `granular.sizes`."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts)


def imported(path: Path) -> set[str]:
    """Returns the files of the package that a file imports, those for type checkers and within functions included."""
    found: set[str] = set()
    folders = ("drystone", *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = folders[: len(folders) + 1 - node.level] if node.level else ()
            source = ".".join(filter(None, [*base, node.module]))
            is_file = source.replace(".", "/") not in FOLDERS
            names = [source] if is_file else [f"{source}.{alias.name}" for alias in node.names]
        else:
            continue
        found.update(name for name in names if name.split(".")[0] == "drystone")
    return {name.partition(".")[2] for name in found}


def test_no_circles_and_no_import_of_the_package() -> None:
    graph = {module(path): imported(path) for path in PACKAGE.rglob("*.py")}
    assert len(graph) > 5 and "raw" in graph["_world"]
    assert {"granular.packings", "_world"} <= graph["granular._emitter"]
    inits = {name for name in graph if name.endswith("__init__")}
    for name, others in graph.items():
        # what is no file is defined in __init__.py
        assert others <= graph.keys() - inits, f"{name}.py imports {others - graph.keys()} of the package itself"
    assert list(TopologicalSorter(graph).static_order())  # raises CycleError with the circle
