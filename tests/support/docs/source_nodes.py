"""The syntax of our modules, for the rules that look through all of them."""

import ast
from functools import cache
from pathlib import Path


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a module, the module's own first; each file is parsed once for all rules of a worker."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
