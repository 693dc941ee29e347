"""The files of the package import each other without circles, and none imports the package itself."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import drystone

PACKAGE = Path(drystone.__file__).parent


def imported(path: Path) -> set[str]:
    """Returns the files of the package that a file imports, those for type checkers and within functions included."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = ".".join(filter(None, ["drystone" if node.level else "", node.module]))
            names = [module] if module != "drystone" else [f"drystone.{alias.name}" for alias in node.names]
        else:
            continue
        found.update(name for name in names if name.split(".")[0] == "drystone")
    return {name.partition(".")[2].split(".")[0] for name in found}


def test_no_circles_and_no_import_of_the_package() -> None:
    graph = {path.stem: imported(path) for path in PACKAGE.glob("*.py")}
    assert len(graph) > 5
    for name, others in graph.items():
        # what is no file is defined in __init__.py
        assert others <= graph.keys() - {"__init__"}, f"{name}.py imports {others - graph.keys()} of the package itself"
    assert list(TopologicalSorter(graph).static_order())  # raises CycleError with the circle
