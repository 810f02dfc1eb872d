"""A class has one reason to change: no tower of base classes, and no more members than a reader can hold.

Folders and test files have a bound too.
"""

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import PROJECT
from tests.support.docs.source_nodes import nodes_of

MAX_BASES = 2
"""How many classes of ours a class may stand on, those below its bases included."""
MAX_METHODS = 60
"""How many methods a class may have, those from bases of ours included."""
MAX_PUBLIC_MEMBERS = 30
"""How many public methods, properties and attributes a class may have, those from bases of ours included."""
MAX_MODULES = 22
"""How many modules a folder may hold side by side, besides its ``__init__.py``."""
MAX_TEST_LINES = 600
"""How many lines a module of tests, or of their helpers, may have."""


class Measured(NamedTuple):
    """A class of ours, with what it has from bases of ours."""

    place: str
    bases: set[str]
    methods: set[str]
    public_members: set[str]


class Module(NamedTuple):
    """The classes of one module by name, and the names that it imports from others of ours, with their module."""

    classes: dict[str, ast.ClassDef]
    imported: dict[str, tuple[str, str]]


@cache
def modules() -> dict[str, Module]:
    found: dict[str, Module] = {}
    for path in (path for package in ("seqthink", "tui") for path in (PROJECT / package).rglob("*.py")):
        nodes = nodes_of(path)
        found[module_name(path)] = Module(
            {node.name: node for node in nodes if isinstance(node, ast.ClassDef)},
            {
                alias.asname or alias.name: (node.module, alias.name)
                for node in nodes
                if isinstance(node, ast.ImportFrom) and node.module
                for alias in node.names
            },
        )
    return found


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__")


def definition(module: str, name: str) -> tuple[str, ast.ClassDef] | None:
    """Return the class of ours that ``name`` means in ``module``, and the module that defines it."""
    known = modules().get(module)
    if known is None:
        return None
    if name in known.classes:
        return module, known.classes[name]
    return definition(*known.imported[name]) if name in known.imported else None


def own_bases(module: str, node: ast.ClassDef) -> list[tuple[str, ast.ClassDef]]:
    """Return the bases of a class that are ours, each with its module."""
    names = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
    found = [definition(module, name.id) for name in names if isinstance(name, ast.Name)]
    return [base for base in found if base is not None]


def lineage(module: str, node: ast.ClassDef) -> dict[str, ast.ClassDef]:
    """Return a class and all classes of ours that it stands on, by module and name."""
    family = {f"{module}.{node.name}": node}
    for base in own_bases(module, node):
        family |= lineage(*base)
    return family


def methods_of(node: ast.ClassDef) -> set[str]:
    return {item.name for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)}


def attributes_of(node: ast.ClassDef) -> set[str]:
    """Return the names that a class body or its methods assign to the class or to ``self``."""
    targets: list[ast.expr] = []
    for item in node.body:
        if isinstance(item, ast.Assign):
            targets += item.targets
        elif isinstance(item, ast.AnnAssign):
            targets.append(item.target)
    return {target.id for target in targets if isinstance(target, ast.Name)} | {
        part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute)
        and isinstance(part.ctx, ast.Store)
        and isinstance(part.value, ast.Name)
        and part.value.id == "self"
    }


@cache
def measured_classes() -> dict[str, Measured]:
    found: dict[str, Measured] = {}
    for module, known in modules().items():
        for node in known.classes.values():
            family = lineage(module, node)
            methods = set[str]().union(*map(methods_of, family.values()))
            members = methods.union(*map(attributes_of, family.values()))
            found[f"{module}.{node.name}"] = Measured(
                place=f"{module}.{node.name}",
                bases=family.keys() - {f"{module}.{node.name}"},
                methods=methods,
                public_members={name for name in members if not name.startswith("_")},
            )
    return found


@pytest.mark.slow  # all modules are parsed
def test_the_classes_are_found_with_what_they_inherit() -> None:
    found = measured_classes()
    journal = found["seqthink.api.journal.Journal"]

    assert len(found) > 300
    assert journal.bases == {"seqthink.api.session_views.SessionView"}
    assert {"refresh", "chains", "at_entry", "path"} <= journal.public_members
    assert {"__enter__", "_revision"} <= journal.methods
    assert {"title", "writer"} <= found["seqthink.chain.session.Session"].public_members


@pytest.mark.slow  # all modules are parsed
def test_no_class_stands_on_more_than_two_of_ours() -> None:
    assert {found.place: found.bases for found in measured_classes().values() if len(found.bases) > MAX_BASES} == {}


@pytest.mark.slow  # all modules are parsed
def test_no_class_has_more_methods_than_can_be_known() -> None:
    assert {
        found.place: len(found.methods) for found in measured_classes().values() if len(found.methods) > MAX_METHODS
    } == {}


@pytest.mark.slow  # all modules are parsed
def test_no_class_offers_more_than_can_be_remembered() -> None:
    counts = {found.place: len(found.public_members) for found in measured_classes().values()}

    assert {place: count for place, count in counts.items() if count > MAX_PUBLIC_MEMBERS} == {}


@pytest.mark.parametrize("root", ["seqthink", "tui", "tests"])
def test_no_folder_is_a_heap_of_modules(root: str) -> None:
    folders = [path for path in (PROJECT / root, *(PROJECT / root).rglob("*")) if (path / "__init__.py").exists()]
    counts = {
        str(folder.relative_to(PROJECT)): len([path for path in folder.glob("*.py") if path.name != "__init__.py"])
        for folder in folders
    }

    assert counts
    assert {folder: count for folder, count in counts.items() if count > MAX_MODULES} == {}


def test_no_test_file_is_longer_than_a_reader_can_hold() -> None:
    lengths = {
        path.relative_to(PROJECT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in (PROJECT / "tests").rglob("*.py")
    }

    assert lengths
    assert {place: length for place, length in lengths.items() if length > MAX_TEST_LINES} == {}
