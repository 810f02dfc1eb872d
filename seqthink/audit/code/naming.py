"""Language and file name of a piece of code, from the info string of its fence and the lines around it. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from seqthink.core.text import one_line, without_controls
from seqthink.core.unified_diff import DIFF_LANGUAGES

DIFF: Final = "diff"
MAX_PATH_CHARS: Final = 200
_MAX_LINE_CHARS: Final = 300

_ALIASES: Final = {
    "py": "python", "python3": "python", "js": "javascript", "jsx": "javascript", "mjs": "javascript",
    "cjs": "javascript", "node": "javascript", "ts": "typescript", "mts": "typescript", "rs": "rust", "golang": "go",
    "c++": "cpp", "cc": "cpp", "cxx": "cpp", "hpp": "cpp", "h": "c", "yml": "yaml", "sh": "bash", "shell": "bash",
    "zsh": "bash", "jsonc": "json", "cs": "csharp", "c#": "csharp", "rb": "ruby",
    "kt": "kotlin", "kts": "kotlin", "php5": "php", "php7": "php", "php8": "php", "docker": "dockerfile",
    "containerfile": "dockerfile", "htm": "html", "html5": "html", "css3": "css", "sc": "scala", "scala3": "scala",
    "postgresql": "sql", "postgres": "sql", "pgsql": "sql", "plpgsql": "sql", "psql": "sql", "mysql": "sql",
    "mariadb": "sql", "sqlite": "sql", "sqlite3": "sql", "tsql": "sql", "t-sql": "sql", "mssql": "sql", "plsql": "sql",
    **dict.fromkeys(DIFF_LANGUAGES, DIFF),
}  # fmt: skip
_NAMED_BY_EXTENSION: Final = frozenset({*_ALIASES.values(), "php", "swift", "lua", "toml"})
"""Languages whose names are extensions of their files, too."""
_FILE_NAMES: Final = {"dockerfile": "dockerfile", "containerfile": "dockerfile", "gemfile": "ruby", "rakefile": "ruby"}
_PATH_PATTERN = (
    r"(?:[A-Za-z]:)?[\w@.+~/\\-]*\w\.[A-Za-z]\w{0,9}|(?:[\w.-]+/)*(?:Makefile|Dockerfile|Containerfile|Gemfile|Rakefile)"
    r"|(?:\.{0,2}/)?(?:[\w@.+~-]+/)+[\w.-]+"
)
_PATH = re.compile(_PATH_PATTERN)
_PATH_ATTRIBUTE = re.compile(r"""(?:title|file|filename|path|name)=(?:"([^"]*)"|'([^']*)'|(\S+))""")
_COMMENT = re.compile(rf"\s*(?://|#|--|;|/\*|<!--)\s*(?:(?:[Ff]ile|[Pp]ath):\s*)?({_PATH_PATTERN})\s*(?:\*/|-->)?\s*")
_ABOVE = re.compile(
    rf"\W{{0,9}}(?:(?:[Ff]ile|[Pp]ath)(?:name)?:?\s*)?[`*]{{0,3}}({_PATH_PATTERN})[`*]{{0,3}}"
    r"(?: \([a-z ]+\))?:?[`*]{0,3}\s*"
)
_NAMED: Final = re.compile(
    r"(?<![\w.])(Python|JavaScript|TypeScript|Go|Rust|Java|C\+\+|C#|C|Ruby|PHP|Kotlin|Swift|Scala|Lua|SQL|HTML|CSS|JSON|YAML"
    r"|TOML|Dockerfile|Bash|Shell|[Ss]hell)(?![\w+#.])"
)
"""A language as prose writes it."""
_QUOTED_ABOVE = re.compile(rf"[^`]*`({_PATH_PATTERN})`[^`]*:\s*")


def language_of_info(info: str) -> str:
    """Return the language at the start of an info string, or "" if it starts with a path or a sentence."""
    word = (info.split(maxsplit=1) or [""])[0].lower().strip("{}").removeprefix(".").partition(",")[0]
    word = word.removeprefix("language-").removeprefix("lang-")
    word = word.partition(":")[0] if not word[:1].isdigit() else ""
    return _ALIASES.get(word, word) if re.fullmatch(r"[a-z][\w+#-]{0,30}", word) else ""


def language_of_path(path: str) -> str:
    """Return the language of a file extension or of a file name such as `Dockerfile`, or "" if unknown."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    extension = name.rpartition(".")[2] if "." in name else ""
    by_name = _FILE_NAMES.get(name.partition(".")[0], "")
    return _ALIASES.get(extension, extension if extension in _NAMED_BY_EXTENSION else by_name)


def language_named(announcement: str) -> str:
    """Return the language that a line which ends with a colon names, or "" if it names none or several."""
    text = announcement.rstrip()
    names = {name.lower() for name in _NAMED.findall(text)} if text.endswith(":") else set[str]()
    name = names.pop() if len(names) == 1 else ""
    return _ALIASES.get(name, name)


def path_in_block(info: str, text: str) -> str:
    """Return the path that an info string names, else the one in a comment on the first line, else ""."""
    info = info[: MAX_PATH_CHARS * 4]
    if attribute := _PATH_ATTRIBUTE.search(info):
        return _clean_path(attribute[1] or attribute[2] or attribute[3] or "")
    for word in info.split():
        if name := _clean_path(word.rpartition(":")[2].strip("{}")):
            return name
    comment = _COMMENT.fullmatch(text.partition("\n")[0][:_MAX_LINE_CHARS])
    return _clean_path(comment[1]) if comment else ""


def line_above(lines: Sequence[str], start: int) -> str:
    """Return the line above code that begins at ``start``, at most one blank line away, or ""; cut."""
    return next((line for line in reversed(lines[max(0, start - 2) : start]) if line.strip()), "")[:_MAX_LINE_CHARS]


def path_above(lines: Sequence[str], start: int) -> str:
    """Return the path on the line above, if it is alone there or in backticks before a colon; else ""."""
    above = line_above(lines, start)
    match = _ABOVE.fullmatch(above) or _QUOTED_ABOVE.fullmatch(above)
    return _clean_path(match[1]) if match else ""


def _clean_path(text: str) -> str:
    """Return ``text`` as a path without control characters, cut to its limit, or "" if it is none.

    The path is a name only: check where it leads before opening it.
    """
    name = one_line(without_controls(text[: MAX_PATH_CHARS * 2]))[:MAX_PATH_CHARS]
    is_cut = len(name) == MAX_PATH_CHARS and "/" in name
    return name if is_cut or _PATH.fullmatch(name.replace(" ", "_")) else ""
