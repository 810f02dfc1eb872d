"""Which language a source is in, and its grammar. Grammars are loaded when they are first needed."""

import importlib
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from seqthink.audit.code_units import CodeUnit

if TYPE_CHECKING:
    from tree_sitter import Language, Parser

INSTALL_HINT: Final = "install seqthink[audit]"

_LANGUAGE_OF_SUFFIX: Final = {
    ".py": "python", ".pyi": "python", ".pyw": "python",
    ".js": "javascript", ".jsx": "javascript", ".mjs": "javascript", ".cjs": "javascript",
    ".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "tsx",
    ".go": "go", ".rs": "rust", ".java": "java",
    ".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hh": "cpp", ".hpp": "cpp", ".hxx": "cpp",
    ".json": "json", ".yaml": "yaml", ".yml": "yaml", ".sh": "bash", ".bash": "bash",
}  # fmt: skip
_LANGUAGE_OF_FENCE: Final = {"pycon": "python", "python-repl": "python", "ipython": "python"}
_GRAMMARS: Final = {
    "python": ("tree_sitter_python", "language"), "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"), "tsx": ("tree_sitter_typescript", "language_tsx"),
    "go": ("tree_sitter_go", "language"), "rust": ("tree_sitter_rust", "language"),
    "java": ("tree_sitter_java", "language"),
    "c": ("tree_sitter_c", "language"), "cpp": ("tree_sitter_cpp", "language"),
    "json": ("tree_sitter_json", "language"), "yaml": ("tree_sitter_yaml", "language"),
    "bash": ("tree_sitter_bash", "language"),
}  # fmt: skip
_DIALECTS: Final = {
    "javascript": ("javascript", "tsx", "typescript"),
    "typescript": ("typescript", "tsx"),
    "c": ("c", "cpp"),
}
"""A fence says `js` where there are types, `ts` where there is markup, and `.h` says nothing of C++."""

LANGUAGES: Final = tuple(_GRAMMARS)


def language_of(unit: CodeUnit) -> str:
    """Return the language of ``source`` as the grammars are named, else what its fence or nobody ("") calls it."""
    named = unit.language.lower()
    if named == "typescript" and unit.path.endswith(".tsx"):
        return "tsx"
    return _LANGUAGE_OF_FENCE.get(named, named) or _LANGUAGE_OF_SUFFIX.get(_suffix(unit.path), "")


def is_fragment(unit: CodeUnit) -> bool:
    """Return whether what stands around ``source`` is unknown: part of a file, or a fence, whose path has no ending."""
    return not unit.is_complete or _suffix(unit.path) not in _LANGUAGE_OF_SUFFIX


def dialects(language: str) -> Sequence[str]:
    """Return the grammars in which code of ``language`` may be right, its own first; none for an unknown language."""
    return _DIALECTS.get(language, (language,)) if language in _GRAMMARS else ()


def missing_grammar_packages(names: Sequence[str]) -> list[str]:
    """Return which packages have to be installed before ``names``, languages, can be read."""
    packages = ["tree_sitter", *(_GRAMMARS[name][0] for name in names if name in _GRAMMARS)]
    return [package.replace("_", "-") for package in dict.fromkeys(packages) if find_spec(package) is None]


@cache
def grammar(name: str) -> "Language":
    """Return the grammar called ``name``."""
    from tree_sitter import Language  # noqa: PLC0415 - an extra

    package, function = _GRAMMARS[name]
    return Language(getattr(importlib.import_module(package), function)())  # pyright: ignore[reportDeprecated] - some wheels give a number


def parser(name: str) -> "Parser":
    """Return a new parser, which only one thread at a time may use."""
    from tree_sitter import Parser  # noqa: PLC0415 - an extra

    return Parser(grammar(name))


def _suffix(path: str) -> str:
    return PurePosixPath(path).suffix.lower()
