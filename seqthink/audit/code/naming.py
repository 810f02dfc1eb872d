"""What a fence's info and the lines around a piece of code name: its language and its file. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from seqthink.text import one_line, without_controls

DIFF: Final = "diff"
MAX_PATH_CHARS: Final = 200
_MAX_LINE_CHARS: Final = 300

_ALIASES: Final = {
    "py": "python", "python3": "python", "js": "javascript", "jsx": "javascript", "mjs": "javascript",
    "cjs": "javascript", "node": "javascript", "ts": "typescript", "mts": "typescript", "rs": "rust", "golang": "go",
    "c++": "cpp", "cc": "cpp", "cxx": "cpp", "hpp": "cpp", "h": "c", "yml": "yaml", "sh": "bash", "shell": "bash",
    "zsh": "bash", "patch": DIFF, "udiff": DIFF, "jsonc": "json", "cs": "csharp", "c#": "csharp", "rb": "ruby",
    "kt": "kotlin", "kts": "kotlin",
}  # fmt: skip
_PATH_PATTERN = (
    r"(?:[A-Za-z]:)?[\w@.+~/\\-]*\w\.[A-Za-z]\w{0,9}|(?:[\w.-]+/)*(?:Makefile|Dockerfile)"
    r"|(?:\.{0,2}/)?(?:[\w@.+~-]+/)+[\w.-]+"
)
_PATH = re.compile(_PATH_PATTERN)
_PATH_ATTRIBUTE = re.compile(r"""(?:title|file|filename|path|name)=(?:"([^"]*)"|'([^']*)'|(\S+))""")
_COMMENT = re.compile(rf"\s*(?://|#|--|;|/\*|<!--)\s*(?:(?:[Ff]ile|[Pp]ath):\s*)?({_PATH_PATTERN})\s*(?:\*/|-->)?\s*")
_ABOVE = re.compile(
    rf"\W{{0,9}}(?:(?:[Ff]ile|[Pp]ath)(?:name)?:?\s*)?[`*]{{0,3}}({_PATH_PATTERN})[`*]{{0,3}}"
    r"(?: \([a-z ]+\))?:?[`*]{0,3}\s*"
)
_QUOTED_ABOVE = re.compile(rf"[^`]*`({_PATH_PATTERN})`[^`]*:\s*")


def language_of_info(info: str) -> str:
    """Return the language that a fence's info names first; a path and a sentence name none."""
    word = (info.split(maxsplit=1) or [""])[0].lower().strip("{}").removeprefix(".").partition(",")[0]
    word = word.removeprefix("language-").removeprefix("lang-")
    word = word.partition(":")[0] if not word[:1].isdigit() else ""
    return _ALIASES.get(word, word) if re.fullmatch(r"[a-z][\w+#-]{0,30}", word) else ""


def language_of_path(path: str) -> str:
    """Return the language that a path's extension tells, "" if that is not clear."""
    extension = path.rpartition(".")[2].lower()
    return _ALIASES.get(extension, extension if extension in _ALIASES.values() else "") if "." in path else ""


def path_in_block(info: str, text: str) -> str:
    """Return the path that a fence's info, or else a first line that is only a comment with one, names."""
    info = info[: MAX_PATH_CHARS * 4]
    if said := _PATH_ATTRIBUTE.search(info):
        return _clean_path(said[1] or said[2] or said[3] or "")
    for word in info.split():
        if name := _clean_path(word.rpartition(":")[2].strip("{}")):
            return name
    comment = _COMMENT.fullmatch(text.partition("\n")[0][:_MAX_LINE_CHARS])
    return _clean_path(comment[1]) if comment else ""


def path_above(lines: Sequence[str], start: int) -> str:
    """Return the path that the line above names, if it is there for that: alone, or marked as code before a colon."""
    above = next((line for line in reversed(lines[max(0, start - 2) : start]) if line.strip()), "")[:_MAX_LINE_CHARS]
    found = _ABOVE.fullmatch(above) or _QUOTED_ABOVE.fullmatch(above)
    return _clean_path(found[1]) if found else ""


def _clean_path(text: str) -> str:
    """Return ``text`` as a path without controls, cut; "" if it is none. Where it leads, others have to guard."""
    name = one_line(without_controls(text[: MAX_PATH_CHARS * 2]))[:MAX_PATH_CHARS]
    is_cut = len(name) == MAX_PATH_CHARS and "/" in name
    return name if is_cut or _PATH.fullmatch(name.replace(" ", "_")) else ""
