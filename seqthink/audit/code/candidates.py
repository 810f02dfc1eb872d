"""Names the languages in which code without a named language may be written; a parser decides between them. Pure."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from seqthink.audit.code.data_formats import is_json, is_settings, is_yaml
from seqthink.audit.code.naming import language_named, language_of_path
from seqthink.audit.code.shell_commands import command_weight

_PARSED: Final = ("python", "javascript", "go", "rust", "java", "c", "csharp", "sql")
"""Languages whose grammars read little else; the dialects of one, such as TypeScript, count as one."""
_SIGNS: Final[Mapping[str, re.Pattern[str]]] = {
    language: re.compile(sign, re.MULTILINE)
    for language, sign in {
        "bash": r"^(?:fi|done|esac|export \w+=.*|set -[a-z].*)$|^\$ [a-z./]|; (?:then|do)\b",
        "ruby": r"^(?:def [\w.?!]+(?:\(.*\))?$|class \w+ < |(?:require|puts|unless)\s|\w+ :\w)|\sdo \|\w",
        "swift": r"\b(?:let|var|func|struct|extension|protocol)\s|\{ \w+ in\b|\$0",
        "lua": r"\b(?:local|nil|end|then)\b",
        "kotlin": r"\b(?:fun|va[lr]|data class)\s",
        "scala": r"\bdef .*=|\b(?:val|object|trait|case class)\s",
        "php": r"<\?(?:php|=)|\$\w",
        "html": r"^<[a-z!/]",
        "css": r"[{:].*[;}]$|\{$",
        "dockerfile": r"^(?:FROM|RUN|COPY|ADD|CMD|ENTRYPOINT|WORKDIR|EXPOSE|ENV|USER|ARG)\s",
    }.items()
}
"""For languages whose grammars also read other text: what their own code looks like."""
_MAX_LINES: Final = 1000
_MAX_LINE_CHARS: Final = 200
"""What is searched for signs."""
_MARKUP: Final = re.compile(r"<(?:!DOCTYPE|[a-z])[^{?]*>\s*\Z")
"""HTML, and JSX without anything of JavaScript."""
_SHEBANG: Final = re.compile(r"#!.*?\b(?:(?P<bash>sh|bash|zsh)|(?P<python>python)|(?P<ruby>ruby)|(?P<javascript>node))")


def candidate_languages(text: str, path: str = "", announcement: str = "") -> tuple[str, ...]:
    """Return the languages that ``text`` may be in; one if it is named, or if it is commands or data.

    Args:
        text: The code.
        path: The file that the thought names for it, or "".
        announcement: The line above it.
    """
    shebang = _SHEBANG.match(text)
    extension = path.rpartition("/")[2].rpartition(".")
    of_path = language_of_path(path) or (extension[2].lower() if extension[0] else "")
    if named := of_path or (shebang and shebang.lastgroup) or language_named(announcement):
        return (named,)
    lines = [line.strip()[:_MAX_LINE_CHARS] for line in text.split("\n") if line.strip()][:_MAX_LINES]
    for language, is_of in (("json", is_json), ("toml", is_settings), ("yaml", is_yaml)):
        if is_of(text):
            return (language,)
    if _MARKUP.match(text):
        return ("html",)
    if _is_command_list(lines):
        return ("bash",)
    searched = "\n".join(lines)
    return (*_PARSED, *(language for language, sign in _SIGNS.items() if sign.search(searched)))


def _is_command_list(lines: Sequence[str]) -> bool:
    commands = [line for line in lines if not line.startswith("#")]
    return bool(commands) and all(command_weight(line) for line in commands)
