"""What a shell command names: the files that it may change, the lines that it may write, what it does with git.

Pure, and a guess: a shell's language is not parsed. What only reads is left out by the names of known programs.
"""

import re
from typing import Final, Literal, NamedTuple

from seqthink.library.why.line_digests import lines_of

MAX_NAMES: Final = 16
"""Files that a command is said to name, the first."""
MAX_NAME_CHARS: Final = 300

GitStep = Literal["commit", "restore"]
"""What a command does with git: it makes a commit, or puts files back as they were."""

_SEPARATOR = re.compile(r"&&|\|\||[;|\n]")
_WORD = re.compile(
    r"""(?P<redirect>&?>{1,2})?\s*(?:"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)'|(?P<bare>[^\s"'<>()]+))"""
)
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
_PATH = re.compile(r"(?!-)(?!\w+://)[\w.@+~/ -]*(?:/[\w.@+~ -]*\w|[\w@+-]\.\w{1,12}|\w/)")
_QUOTED = re.compile(r"""(['"])([^'"\n]{1,300})\1""")
_ANY_PROGRAM: Final = "program"
_INTERPRETERS: Final = frozenset(
    {"python", "python3", "node", "deno", "bun", "ruby", "perl", "php", "bash", "sh", "zsh"}
)
_SETTING = re.compile(r"\w+=\S*")
_READERS: Final = frozenset(
    {
        *(
            "cat",
            "grep",
            "egrep",
            "fgrep",
            "rg",
            "ag",
            "ack",
            "ls",
            "head",
            "tail",
            "wc",
            "less",
            "more",
            "file",
            "stat",
        ),
        *(
            "find",
            "tree",
            "diff",
            "cmp",
            "du",
            "pytest",
            "tox",
            "mypy",
            "pyright",
            "node",
            "cargo",
            "go",
            "cd",
            "pushd",
        ),
        *("which", "type", "man", "echo", "printf", "test", "["),
    }
)
"""Programs that change none of the files they are given."""
_GIT_RESTORES: Final = frozenset({"checkout", "restore", "revert", "reset", "stash", "clean", "switch"})
_GIT_CHANGES: Final = _GIT_RESTORES | {"mv", "rm", "apply", "am", "cherry-pick", "merge", "rebase", "pull"}
_WRAPPERS: Final = frozenset({"sudo", "env", "time", "command", "exec", "nohup"})
_GIT = re.compile(r"\bgit\b(?:\s+(?:-[cC]\s*\S+|--?[\w-]+(?:=\S+)?))*\s+([a-z][a-z-]*)")


class NamedFiles(NamedTuple):
    """What a command says of files."""

    names: tuple[str, ...]
    """The files that it may change, as it writes them."""
    lines: tuple[str, ...]
    """The lines that it may write: those of a command with more than one."""
    moves: tuple[tuple[str, str], ...] = ()
    """The files that it moves or copies: from, and to."""


def named_files(command: str) -> NamedFiles:
    """Return the files that a command may change, and the lines that it may write into them."""
    lines = lines_of(command)
    names: dict[str, None] = {}
    moves: list[tuple[str, str]] = []
    for part in _parts(lines):
        words = _words(part)
        found = _names_in(words)
        names.update(dict.fromkeys(found))
        if len(found) == 2 and _moves(words):
            source, target = found
            moves.append((source, target + source.rpartition("/")[2] if target.endswith("/") else target))
    return NamedFiles(tuple(names)[:MAX_NAMES], tuple(lines) if len(lines) > 1 else (), tuple(moves[:MAX_NAMES]))


def _parts(lines: list[str]) -> list[str]:
    """Return the simple commands; what a here-document holds is data, but for a program that is given there."""
    parts: list[str] = []
    until, is_program = "", False
    for line in lines:
        if until:
            until = "" if line.strip() == until else until
            if until and is_program:
                parts += [f"{_ANY_PROGRAM} '{found[2]}'" for found in _QUOTED.finditer(line)]
            continue
        here = _HEREDOC.search(line)
        until = here[2] if here is not None else ""
        is_program = _words(line).program in _INTERPRETERS
        parts += _SEPARATOR.split(line)
    return parts


class _Words(NamedTuple):
    plain: list[str]
    """The program and its arguments."""
    redirected: list[str]
    """Where its output goes."""

    @property
    def program(self) -> str:
        return self.plain[0].rpartition("/")[2] if self.plain else ""


def _words(part: str) -> _Words:
    plain, redirected = list[str](), list[str]()
    for found in _WORD.finditer(part):
        word = found["double"] or found["single"] or found["bare"] or ""
        if found["redirect"]:
            redirected.append(word)
        elif plain or not _SETTING.fullmatch(word):
            plain.append(word)
    return _Words(plain[1:] if plain and plain[0] in _WRAPPERS else plain, redirected)


def _moves(words: _Words) -> bool:
    return words.program in {"mv", "cp"} or (words.program == "git" and "mv" in words.plain[1:4])


def _names_in(words: _Words) -> list[str]:
    plain, program = words.plain, words.program
    changes = program not in _READERS
    if program == "git":
        changes = any(word in _GIT_CHANGES for word in plain[1:4]) and "commit" not in plain[1:4]
    if program == "sed":
        changes = any(word.startswith(("-i", "--in-place")) or re.fullmatch(r"-\w*i\w*", word) for word in plain)
    found = words.redirected + (plain[1:] if changes else [])
    return [word for word in found if len(word) <= MAX_NAME_CHARS and _PATH.fullmatch(word)]


def git_step_of(command: str) -> GitStep | None:
    """Return what a command does with git, if that bears on which edits are in which commit."""
    steps = {found[1] for found in _GIT.finditer(command)}
    if "commit" in steps:
        return "commit"
    return "restore" if steps & _GIT_RESTORES else None
