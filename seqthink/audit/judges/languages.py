"""Language of a unit, and its grammar, which is loaded on first use."""

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
"""Languages whose code may need another grammar: `js` fences with types, `ts` with markup, `.h` files with C++."""

LANGUAGES: Final = tuple(_GRAMMARS)


def language_of(unit: CodeUnit) -> str:
    """Return the language of ``unit`` by the name of its grammar, else as its fence calls it, else ""."""
    fence_language = unit.language.lower()
    if fence_language == "typescript" and unit.path.endswith(".tsx"):
        return "tsx"
    return _LANGUAGE_OF_FENCE.get(fence_language, fence_language) or _LANGUAGE_OF_SUFFIX.get(_suffix(unit.path), "")


def is_fragment(unit: CodeUnit) -> bool:
    """Return whether ``unit`` may be only a part of a file: incomplete, or without a path of a known extension."""
    return not unit.is_complete or _suffix(unit.path) not in _LANGUAGE_OF_SUFFIX


def dialects(language: str) -> Sequence[str]:
    """Return the grammars that may fit code of ``language``, its own first; none for an unknown language."""
    return _DIALECTS.get(language, (language,)) if language in _GRAMMARS else ()


def missing_grammar_packages(names: Sequence[str]) -> list[str]:
    """Return the packages that must be installed to parse the languages ``names``."""
    packages = ["tree_sitter", *(_GRAMMARS[name][0] for name in names if name in _GRAMMARS)]
    return [package.replace("_", "-") for package in dict.fromkeys(packages) if find_spec(package) is None]


@cache
def grammar(name: str) -> "Language":
    """Return the grammar called ``name``."""
    from tree_sitter import Language  # noqa: PLC0415 - optional dependency

    package, function = _GRAMMARS[name]
    return Language(getattr(importlib.import_module(package), function)())  # pyright: ignore[reportDeprecated] - some wheels give a number


def parser(name: str) -> "Parser":
    """Return a new parser; not thread-safe."""
    from tree_sitter import Parser  # noqa: PLC0415 - optional dependency

    return Parser(grammar(name))


def _suffix(path: str) -> str:
    return PurePosixPath(path).suffix.lower()
