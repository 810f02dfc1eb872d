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
    ".rb": "ruby", ".rake": "ruby", ".gemspec": "ruby", ".php": "php", ".phtml": "php", ".cs": "csharp",
    ".csx": "csharp", ".kt": "kotlin", ".kts": "kotlin", ".swift": "swift", ".scala": "scala", ".sc": "scala",
    ".lua": "lua", ".sql": "sql", ".html": "html", ".htm": "html", ".css": "css", ".toml": "toml",
    ".dockerfile": "dockerfile", ".containerfile": "dockerfile",
}  # fmt: skip
_LANGUAGE_OF_NAME: Final = {
    "dockerfile": "dockerfile", "containerfile": "dockerfile", "gemfile": "ruby", "rakefile": "ruby",
}  # fmt: skip
"""Files that are known by their whole name, or by its part before the first dot: `Dockerfile.dev`."""
_LANGUAGE_OF_FENCE: Final = {"pycon": "python", "python-repl": "python", "ipython": "python"}
_GRAMMARS: Final = {
    "python": ("tree_sitter_python", "language"), "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"), "tsx": ("tree_sitter_typescript", "language_tsx"),
    "go": ("tree_sitter_go", "language"), "rust": ("tree_sitter_rust", "language"),
    "java": ("tree_sitter_java", "language"),
    "c": ("tree_sitter_c", "language"), "cpp": ("tree_sitter_cpp", "language"),
    "json": ("tree_sitter_json", "language"), "yaml": ("tree_sitter_yaml", "language"),
    "bash": ("tree_sitter_bash", "language"),
    "ruby": ("tree_sitter_ruby", "language"), "php": ("tree_sitter_php", "language_php"),
    "csharp": ("tree_sitter_c_sharp", "language"), "kotlin": ("tree_sitter_kotlin", "language"),
    "swift": ("tree_sitter_swift", "language"), "scala": ("tree_sitter_scala", "language"),
    "lua": ("tree_sitter_lua", "language"), "sql": ("tree_sitter_sql", "language"),
    "html": ("tree_sitter_html", "language"), "css": ("tree_sitter_css", "language"),
    "toml": ("tree_sitter_toml", "language"), "dockerfile": ("tree_sitter_containerfile", "language"),
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
    return _LANGUAGE_OF_FENCE.get(fence_language, fence_language) or _language_of_path(unit.path)


def is_fragment(unit: CodeUnit) -> bool:
    """Return whether ``unit`` may be only a part of a file: incomplete, or without a path of a known language."""
    return not unit.is_complete or not _language_of_path(unit.path)


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


def _language_of_path(path: str) -> str:
    name = PurePosixPath(path).name.lower()
    by_name = _LANGUAGE_OF_NAME.get(name.partition(".")[0], "")
    return _LANGUAGE_OF_SUFFIX.get(PurePosixPath(name).suffix, by_name)
