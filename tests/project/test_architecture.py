"""The architecture page and the glossary are true of the tree: what they name exists, and one word means one thing."""

import ast
import re
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

import seqthink
from tests.conftest import PROJECT
from tests.support.docs.source_nodes import nodes_of

ARCHITECTURE = (PROJECT / "docs/architecture.md").read_text(encoding="utf-8")
GLOSSARY = (PROJECT / "docs/glossary.md").read_text(encoding="utf-8")
PACKAGES = ("seqthink", "tui")
SUPERLATIVES = {"MOST", "LEAST", "LONGEST", "SHORTEST", "DEEPEST", "FARTHEST", "WIDEST", "NARROWEST", "ENOUGH", "FAR"}


def test_every_file_and_folder_that_the_page_names_is_there() -> None:
    named = set(re.findall(r"`((?:seqthink|tui|tests|[a-z_]+)/(?:[a-z_/*]+\.py|[a-z_/]*))`", ARCHITECTURE))
    missing = [
        name for name in named if not any(next(root.glob(name), None) for root in (PROJECT, PROJECT / "seqthink"))
    ]

    assert len(named) > 30
    assert missing == []


def test_every_room_is_in_the_table() -> None:
    rooms = set(re.findall(r"^\| `([a-z_/]+)/` \|", ARCHITECTURE, re.MULTILINE))
    packages = [path.parent for name in PACKAGES for path in (PROJECT / name).rglob("__init__.py")]
    folders = {str(folder.relative_to(PROJECT)) for folder in packages} - {"seqthink"}

    assert rooms == folders | {"tests", "tests/support"}


STARTERS = frozenset(
    {"run_task", "run_worker", "Thread", "Timer", "create_task", "start_soon", "set_interval", "run_in_executor"}
    | {"ThreadPoolExecutor"}
)
"""What starts a background task."""


@pytest.mark.slow  # all modules are parsed
def test_every_module_that_starts_a_background_task_is_in_the_table_of_their_ends() -> None:
    [section] = re.findall(r"^### Background tasks$(.*?)^## ", ARCHITECTURE, re.DOTALL | re.MULTILINE)
    first_column = "".join(re.findall(r"^\| (`.*?) \|", section, re.MULTILINE))
    named = set(re.findall(r"`([\w/]+\.py)`", first_column))
    starting = {str(path.relative_to(PROJECT)) for path, nodes in _modules().items() if STARTERS & _called(nodes)}

    assert named == starting


@cache
def _modules() -> dict[Path, tuple[ast.AST, ...]]:
    return {path: nodes_of(path) for name in PACKAGES for path in (PROJECT / name).rglob("*.py")}


def _called(nodes: tuple[ast.AST, ...]) -> set[str]:
    """Return the names of all functions and methods that a module calls."""
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    methods = {func.attr for func in called if isinstance(func, ast.Attribute)}
    return methods | {func.id for func in called if isinstance(func, ast.Name)}


def test_no_room_hides_what_the_package_offers() -> None:
    rooms = {path.stem for path in (PROJECT / "seqthink").iterdir()}

    assert not rooms & set(seqthink.__all__)


def test_the_directions_of_imports_are_those_of_the_contract() -> None:
    [block] = [
        text for text in re.findall(r"```text\n(.*?)```", ARCHITECTURE, re.DOTALL) if text.startswith("__main__")
    ]
    contracts = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    [layers] = [contract["layers"] for contract in contracts if "seqthink.cli" in contract.get("layers", ())]

    assert [set(line.split(" | ")) for line in block.split("\n") if line] == [
        {name.removeprefix("seqthink.") for name in re.findall(r"[\w.]+", layer)} for layer in layers
    ]


@pytest.mark.slow  # all modules are parsed
def test_every_class_that_the_page_names_is_there() -> None:
    classes = {node.name for nodes in _modules().values() for node in nodes if isinstance(node, ast.ClassDef)}
    named = set(re.findall(r"`([A-Z][a-z]+(?:[A-Z][a-z]+)+)`", ARCHITECTURE))

    assert {"SessionColumns", "NumberIndex"} <= named
    assert named - classes <= {"OptionList", "RichLog", "ScrollView", "TextArea"}  # Textual's


@pytest.mark.slow  # all pages and names are looked up
def test_no_class_name_means_two_things() -> None:
    places: defaultdict[str, list[Path]] = defaultdict(list)
    for path, (module, *_) in _modules().items():
        assert isinstance(module, ast.Module)
        for node in module.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path.relative_to(PROJECT))

    assert {name: where for name, where in places.items() if len(where) > 1} == {}


@pytest.mark.slow  # all modules are parsed
def test_limits_are_named_after_what_they_bound() -> None:
    stored = {
        node.id
        for nodes in _modules().values()
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id.isupper()
    }

    assert sum(name.lstrip("_").startswith(("MAX_", "MIN_")) for name in stored) > 100
    assert [name for name in stored if name.lstrip("_").split("_")[0] in SUPERLATIVES] == []


@pytest.mark.slow  # all pages and names are looked up
def test_a_word_of_the_glossary_has_one_entry() -> None:
    words = [
        word
        for cell in re.findall(r"^\| ([^|]+) \|", GLOSSARY, re.MULTILINE)
        if cell != "Word" and "---" not in cell
        for word in cell.split(", ")
    ]

    assert len(words) > 60
    assert sorted(words) == sorted(set(words))
