"""No code but a client's own asks which client it is: their names are in no string outside of its modules."""

import ast
import re
from collections.abc import Iterator, Mapping, Set
from pathlib import Path

import pytest

from seqthink.sources.transcripts.registry import TRANSCRIPTS, description_of
from tests.conftest import PROJECT
from tests.support.docs.source_nodes import nodes_of

ROOMS = ("seqthink", "tui")
CONNECT = "seqthink/connect/"
OWN = ("seqthink/sources/transcripts/{}/", CONNECT)
"""Where a client's names may be: the folder of its source, and the room that edits the files of MCP clients."""
EXCEPTIONS: Mapping[str, str] = {
    "seqthink/audit/judges/secrets/shapes.py": "the letters behind the a of an API key",
    "seqthink/audit/code/shell_commands.py": "programs by which a line of a shell script is known",
    "seqthink/chain/overview/work_place.py": "a folder in which only Claude Code puts worktrees; a journal has no more",
    "seqthink/cli/connecting/doctor.py": "an example on a help page",
    "seqthink/cli/connecting/writing.py": "shows the command of Claude Code that writes its file",
    "seqthink/core/plain_formulas.py": "a Greek letter",
    "seqthink/core/redaction.py": "the letters behind the a of an API key",
    "seqthink/sources/transcripts/registry.py": "the list of the sources that come with seqthink",
}
"""Modules with a name of a client in a string, each with the reason."""


def names_by_source() -> dict[str, set[str]]:
    described = [description_of(name) for name in TRANSCRIPTS]
    return {one.name: {one.name, *one.other_names, one.mcp_client} - {""} for one in described}


def strings(path: Path) -> Iterator[str]:
    """Yield the strings of a module that are no docstrings and no explanations of a name."""
    explaining = {id(node.value) for node in nodes_of(path) if isinstance(node, ast.Expr)}
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in explaining:
            yield node.value


def modules_that_name(names: Mapping[str, set[str]], root: Path) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path in (path for room in ROOMS for path in sorted((root / room).rglob("*.py"))):
        module = path.relative_to(root).as_posix()
        for source, words in names.items():
            own = tuple(place.format(source) for place in OWN)
            pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(words)))})(?![\w-])")
            if not module.startswith(own) and any(pattern.search(text) for text in strings(path)):
                found.setdefault(module, set()).add(source)
    return found


@pytest.mark.slow  # all modules are parsed
def test_no_module_names_a_client_but_its_own() -> None:
    assert sorted(modules_that_name(names_by_source(), PROJECT)) == sorted(EXCEPTIONS)


def comparisons(path: Path, names: Set[str]) -> Iterator[str]:
    """Yield the comparisons of a module with one of these names, also under a name that the module gives it."""
    given = {
        ast.unparse(target)
        for node in nodes_of(path)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and isinstance(node.value, ast.Constant)
        and node.value.value in names
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    }
    for node in nodes_of(path):
        if isinstance(node, ast.Compare | ast.MatchValue):
            parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node.value]
            if any(
                ast.unparse(part) in given or (isinstance(part, ast.Constant) and part.value in names) for part in parts
            ):
                yield ast.unparse(node)


@pytest.mark.slow  # all modules are parsed
def test_no_configuration_asks_which_client_it_is() -> None:
    names = {name for words in names_by_source().values() for name in words}
    modules = sorted((PROJECT / CONNECT).rglob("*.py"))
    found = {path.relative_to(PROJECT).as_posix(): [*comparisons(path, names)] for path in modules}

    assert {module: asked for module, asked in found.items() if asked} == {}


def test_a_comparison_with_a_client_is_found(tmp_path: Path) -> None:
    module = tmp_path / "asking.py"
    module.write_text(
        'ACME: Final = "acme"\nTABLE = {"acme": 1}\nif name == "acme" or name == ACME: pass\n'
        'match name:\n    case "acme": pass\n    case "other": pass\n',
        encoding="utf-8",
    )

    assert [*comparisons(module, {"acme"})] == ["name == 'acme'", "name == ACME", "'acme'"]


def test_a_name_is_found_in_code_and_not_where_it_explains(tmp_path: Path) -> None:
    room = tmp_path / "seqthink"
    (room / "sources" / "transcripts" / "acme").mkdir(parents=True)
    (room / "sources" / "transcripts" / "acme" / "__init__.py").write_text('NAME = "acme"\n', encoding="utf-8")
    (room / "asking.py").write_text('def is_it(name):\n    return name == "acme-cli"\n', encoding="utf-8")
    (room / "listing.py").write_text('HELP = f"one of acme, {1}"\n', encoding="utf-8")
    (room / "explaining.py").write_text('"""As acme does."""\nACMES = 1\n"""In acme."""\n', encoding="utf-8")
    (room / "others.py").write_text('NAMES = ("acmes", "my-acme", "acme-tools")\n', encoding="utf-8")

    found = modules_that_name({"acme": {"acme", "acme-cli"}}, tmp_path)

    assert found == {"seqthink/asking.py": {"acme"}, "seqthink/listing.py": {"acme"}}
