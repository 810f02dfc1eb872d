"""No modules import each other in a circle, late and type-checking imports included: read from the sources alone."""

import ast
from collections.abc import Iterator, Mapping, Set
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.support.docs.source_nodes import nodes_of

ROOMS = ("seqthink", "tui", "tests/support")


def modules(root: Path, rooms: tuple[str, ...]) -> dict[str, Path]:
    """Return the files of the modules below ``rooms``, by dotted name."""
    paths = [path for room in rooms for path in sorted((root / room).rglob("*.py"))]
    return {".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


def imports(path: Path, known: Set[str]) -> Iterator[str]:
    """Yield the modules among ``known`` that the file imports anywhere: at its top, in functions, for types only."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from inner & known
            if node.module in known and inner - known:
                yield node.module


def circles(root: Path, rooms: tuple[str, ...]) -> list[list[str]]:
    """Return the groups of modules that import each other, directly or through others, each in order of name."""
    files = modules(root, rooms)
    graph = {name: set(imports(path, files.keys())) for name, path in files.items()}
    reached = {name: _reached(graph, name) for name in graph}
    groups = {tuple(sorted(other for other in reached[name] if name in reached[other])) for name in graph}
    return sorted(list(group) for group in groups if group)


def _reached(graph: Mapping[str, Set[str]], start: str) -> set[str]:
    """Return all that ``start`` imports, through any number of modules; ``start`` itself only through a circle."""
    reached: set[str] = set()
    ahead = list(graph[start])
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += graph[name]
    return reached


@pytest.mark.slow  # all modules are parsed
def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circles(PROJECT, ROOMS) == []


def test_circles_are_found_wherever_the_import_stands(tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    (room / "__init__.py").touch()
    (room / "at_top.py").write_text("from room import late\n", encoding="utf-8")
    (room / "late.py").write_text("def run():\n    from room.typed import Thing\n", encoding="utf-8")
    (room / "typed.py").write_text("if TYPE_CHECKING:\n    import room.at_top\nclass Thing: ...\n", encoding="utf-8")
    (room / "apart.py").write_text("from room.late import run\n", encoding="utf-8")

    assert circles(tmp_path, ("room",)) == [["room.at_top", "room.late", "room.typed"]]
