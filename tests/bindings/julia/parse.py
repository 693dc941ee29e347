"""Julia's grammar, as tree-sitter has it, takes every file: python3 parse.py FILE.jl..."""

import sys

import tree_sitter
import tree_sitter_julia

parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_julia.language()))
failures = []
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        nodes = [parser.parse(file.read()).root_node]
    while nodes:
        node = nodes.pop()
        if node.type == "ERROR" or node.is_missing:
            failures.append(f"{path}:{node.start_point[0] + 1}: {node.type} {node.text.decode()[:60]!r}")
        elif node.has_error:
            nodes += node.children
if failures:
    raise SystemExit("\n".join(failures))
print(f"{len(sys.argv) - 1} files parse")
