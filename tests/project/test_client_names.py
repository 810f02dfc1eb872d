"""No code but a client's own asks which client it is: their names are in no string outside of its modules."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from seqthink.sources.transcripts.registry import TRANSCRIPTS, description_of
from tests.conftest import PROJECT
from tests.support.docs.source_nodes import nodes_of

ROOMS = ("seqthink", "tui")
OWN = ("seqthink/sources/transcripts/{}/", "seqthink/connect/")
"""Where a client's names may be: the folder of its source, and the room that edits the files of MCP clients."""
EXCEPTIONS: Mapping[str, str] = {
    "seqthink/audit/code/shell_commands.py": "programs by which a line of a shell script is known",
    "seqthink/cli/connecting/doctor.py": "an example on a help page",
    "seqthink/cli/connecting/writing.py": "shows the command of Claude Code that writes its file",
    "seqthink/drawing/describe/session.py": "a folder in which only Claude Code puts worktrees; a journal has no more",
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
