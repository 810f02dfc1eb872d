"""Checks SQL and Dockerfiles by their text, because no grammar is enough for them. Pure.

The grammar for SQL knows a part of each dialect, so an error counts only if the text alone shows what is wrong: a
bracket, a quote, a clause that breaks off, a misspelled keyword. A Dockerfile is a list of instructions whose arguments
are mostly shell, so the lines themselves say whether they are sound (the Dockerfile reference, "Format").
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from msgspec import Struct


class TextFault(Struct, frozen=True):
    """A syntax error in a text."""

    row: int
    """Counts from 0."""
    reason: str
    """What is wrong; it quotes no more than a word of the code."""


def has_text_check(dialect: str) -> bool:
    """Return whether text in ``dialect`` is checked here, so that its grammar's errors do not count."""
    return dialect in _CHECKS


def text_faults(dialect: str, text: str, *, is_file: bool, has_errors: bool) -> list[TextFault]:
    """Return the syntax errors in ``text``.

    Args:
        dialect: A dialect with a text check.
        text: The code.
        is_file: Whether it is a whole file, and not only a part of one.
        has_errors: Whether the grammar found errors.
    """
    return list(_CHECKS[dialect](text, is_file, has_errors))


# SQL

_SQL_IGNORED: Final = re.compile(
    r"\bOPERATOR\s+\d+\s+\S+|--[^\n]*|/\*(?>(?:[^*]++|\*(?!/))*)\*/|^\\[^\n]*|^\s*(?:GO|DELIMITER\b[^\n]*|/)\s*$"
    r"|(?<!\S)(?<!\bOPERATOR )\#[ \t][^\n]*"
    r"|(\$\w*\$)(?>(?:(?!\1).)*)\1|\b[eE]'(?>(?:[^'\\]++|\\.|'')*)'|'(?>(?:[^'\\]++|\\.|'')*)'|\"(?>(?:[^\"]++|\"\")*)\"|`[^`]*+`"
    r"|\[[A-Za-z_][\w $]*+\]",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
"""Comments, commands of clients, texts and quoted names."""
_MAX_KEYWORD_CHARS: Final = 16
_SQL_STARTS: Final = frozenset((
    "abort", "add", "alter", "analyse", "analyze", "and", "as", "attach", "backup", "begin", "by", "call", "cancel",
    "case", "check", "checkpoint", "close", "cluster", "comment", "commit", "constraint", "copy", "create", "cross",
    "deallocate", "declare", "delete", "deny", "desc", "describe", "detach", "discard", "do", "drop", "else",
    "elseif", "elsif", "end", "except", "exception", "exec", "execute", "exit", "explain", "fetch", "flush", "for",
    "foreign", "from", "full", "get", "go", "grant", "group", "handler", "having", "if", "import", "in", "index",
    "inner", "insert", "install", "intersect", "into", "iterate", "join", "key", "kill", "leave", "left", "limit",
    "listen", "load", "lock", "loop", "merge", "move", "natural", "not", "notify", "offset", "on", "open",
    "optimize", "or", "order", "outer", "partition", "perform", "pragma", "prepare", "primary", "print", "purge",
    "raise", "reassign", "refresh", "reindex", "release", "rename", "repair", "repeat", "replace", "reset",
    "resignal", "restore", "return", "returning", "revoke", "right", "rollback", "savepoint", "security", "select",
    "set", "show", "signal", "start", "table", "then", "throw", "truncate", "union", "unique", "unlock", "until",
    "update", "upsert", "use", "vacuum", "value", "values", "waitfor", "when", "where", "while", "window", "with",
))  # fmt: skip
"""First words of statements, and of the parts of statements that models show."""
_SQL_KEYWORDS: Final = (
    "select", "insert", "update", "delete", "create", "alter", "drop", "from", "where", "values", "into", "table",
    "group", "order", "having", "join", "inner", "limit", "union", "primary", "references", "constraint", "default",
    "between", "exists", "distinct", "returning", "begin", "truncate", "foreign", "index",
)  # fmt: skip
_SQL_NEEDS_MORE: Final = re.compile(
    r"(?:[-+/=<>(.,]|\|\||\b(?:select|from|where|and|or|not|set|values|by|on|into|join|in|like|between|table|distinct"
    r"|having|union|all|case|when|then|else|update|exists|references|cast|over|as|is)\b)\s*$",
    re.IGNORECASE,
)
"""The end of a statement that breaks off."""
_SQL_NEXT_CLAUSE: Final = r"\b(?:from|where|group by|order by|having|limit)\b"
_SQL_NOTHING_BETWEEN: Final = re.compile(
    rf"(?P<sign>,)\s*(?:[,);]|{_SQL_NEXT_CLAUSE})"
    rf"|\b(?P<word>where|and|or|having|set|from|into|join|on|between|like)\s*(?:[;),]|\bset\b|{_SQL_NEXT_CLAUSE})"
    rf"|(?<![<>=!-])(?P<operator>=|<>|<=|>=|<|\+|/)\s*(?:[;),]|\b(?:and|or)\b|{_SQL_NEXT_CLAUSE})",
    re.IGNORECASE,
)
_SQL_WORD: Final = re.compile(r"(?<![.\w@:$\"'])[A-Za-z_]{3,}\b(?!\s*[.(]|\w)")


def _check_sql(text: str, is_file: bool, has_errors: bool) -> Iterator[TextFault]:
    """Yield what is wrong in SQL that the grammar could not read."""
    del is_file
    if not has_errors:
        return
    bare = _SQL_IGNORED.sub(_blanked, text)
    if fault := _unbalanced_sql(bare):
        yield fault
        return
    at = 0
    for statement in bare.split(";"):
        row = text.count("\n", 0, at + len(statement) - len(statement.lstrip()))
        yield from _check_sql_statement(statement, row, at + len(statement) < len(bare))
        at += len(statement) + 1


def _check_sql_statement(statement: str, row: int, is_ended: bool) -> Iterator[TextFault]:
    stripped = statement.strip()
    first = re.match(r"[A-Za-z_]+", stripped)
    if first and first[0].lower() not in _SQL_STARTS and keyword_meant(first[0], _SQL_STARTS):
        yield TextFault(row, f'"{first[0][:20]}" begins no statement')
    elif between := _SQL_NOTHING_BETWEEN.search(f"{statement};" if is_ended else statement):
        sign = between["sign"] or between["word"] or between["operator"]
        yield TextFault(
            row + statement.lstrip().count("\n", 0, between.start()), f'something is missing after "{sign}"'
        )
    elif _SQL_NEEDS_MORE.search(stripped):
        yield TextFault(row + stripped.count("\n"), "the statement breaks off")
    elif wrong := next(_misspelled_sql(stripped), None):
        yield TextFault(row + stripped.count("\n", 0, wrong.start()), f'"{wrong[0][:20]}" is misspelled')


def _misspelled_sql(statement: str) -> Iterator[re.Match[str]]:
    """Yield words that look like a keyword which the statement lacks."""
    words = list(_SQL_WORD.finditer(statement))
    present = {match[0].lower() for match in words} | set(re.findall(r"[a-z_]+", statement.lower()))
    for match in words:
        meant = keyword_meant(match[0], _SQL_KEYWORDS) if match[0].lower() not in _SQL_STARTS else ""
        if meant and meant not in present and match[0].lower() not in _SQL_KEYWORDS:
            yield match


def _unbalanced_sql(bare: str) -> TextFault | None:
    opened = list[int]()
    for match in re.finditer(r"[()'\"`]", bare):
        if match[0] == "(":
            opened.append(match.start())
        elif match[0] == ")" and opened:
            opened.pop()
        else:
            reason = '")" closes nothing' if match[0] == ")" else "a quote is never closed"
            return TextFault(bare.count("\n", 0, match.start()), reason)
    return TextFault(bare.count("\n", 0, opened[-1]), '"(" is never closed') if opened else None


def _blanked(match: re.Match[str]) -> str:
    """Return something harmless of the same lines: a value for a text, a blank for a comment."""
    lines = "\n" * match[0].count("\n")
    is_value = match[0][0] in "'\"`[$eEoO"
    return f"it{lines}" if is_value else f" {lines}"


def keyword_meant(word: str, keywords: Collection[str]) -> str:
    """Return the keyword that ``word`` is one slip away from, or "": two letters swapped, one left out or wrong."""
    lower = word.lower()
    if len(lower) > _MAX_KEYWORD_CHARS:
        return ""
    swapped = {lower[:at] + lower[at + 1] + lower[at] + lower[at + 2 :] for at in range(len(lower) - 1)}
    near = (one for one in keywords if len(one) > 2 and (one in swapped or _is_one_letter_off(lower, one)))
    return next(near, "") if lower not in keywords else ""


def _is_one_letter_off(word: str, keyword: str) -> bool:
    if len(keyword) < 5:
        return False
    if len(word) == len(keyword):
        return sum(a != b for a, b in zip(word, keyword, strict=True)) == 1
    return len(word) == len(keyword) - 1 and any(keyword[:at] + keyword[at + 1 :] == word for at in range(len(keyword)))


# Dockerfiles

_INSTRUCTIONS: Final = frozenset((
    "FROM", "RUN", "CMD", "LABEL", "MAINTAINER", "EXPOSE", "ENV", "ADD", "COPY", "ENTRYPOINT", "VOLUME", "USER",
    "WORKDIR", "ARG", "ONBUILD", "STOPSIGNAL", "HEALTHCHECK", "SHELL",
))  # fmt: skip
_QUOTED_ARGUMENTS: Final = frozenset(("RUN", "CMD", "ENTRYPOINT", "ENV", "LABEL", "ARG"))
_INSTRUCTION: Final = re.compile(r"\s*([A-Za-z]+)(?=\s|$)\s*(.*)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\A(?:#[^\n]*\n)*?#\s*escape\s*=\s*`", re.IGNORECASE)
_HEREDOC: Final = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
_SHELL_TEXT: Final = re.compile(r"\\.|'[^']*+'|\"(?>(?:[^\"\\]++|\\.)*)\"|(?:(?<=\s)|^)#[^\n]*", re.DOTALL)
_IMAGE: Final = re.compile(r"(?:--\w+=\S+\s+)*\S+(?:\s+AS\s+[\w.${}-]+)?\s*", re.IGNORECASE)


class _Instruction(Struct, frozen=True):
    """One instruction with its continued lines."""

    row: int
    text: str
    is_ended: bool = True
    """Whether its last line needs no other."""
    has_heredoc: bool = False


def _check_dockerfile(text: str, is_file: bool, has_errors: bool) -> Iterator[TextFault]:
    """Yield what is wrong in the instructions, with or without errors of the grammar."""
    del has_errors
    is_first = True
    instructions = list(_instructions(text))
    for instruction in instructions:
        match = _INSTRUCTION.fullmatch(instruction.text)
        name, arguments = (match[1].upper(), match[2].strip()) if match else ("", "")
        if name not in _INSTRUCTIONS:
            word = f'"{match[1]}" is' if match and len(match[1]) <= 20 else "This is"
            yield TextFault(instruction.row, f"{word} no instruction")
            continue
        if is_first and name not in ("FROM", "ARG") and (is_file or _has_from(instructions)):
            yield TextFault(instruction.row, "FROM must come first")
        is_first &= name == "ARG"
        if reason := _argument_fault(name, arguments, instruction):
            yield TextFault(instruction.row, reason)


def _has_from(instructions: list[_Instruction]) -> bool:
    return any(instruction.text.lstrip()[:5].upper() == "FROM " for instruction in instructions)


def _argument_fault(name: str, arguments: str, instruction: _Instruction) -> str:
    """Return what is wrong with the arguments of an instruction, or ""."""
    if not instruction.is_ended:
        return "the instruction breaks off"
    if not arguments:
        return f"{name} has no arguments"
    if name == "FROM" and not _IMAGE.fullmatch(arguments):
        return "FROM takes one image and, after AS, a name"
    if re.match(r"\[\s*\"", arguments) and not _is_list(arguments):
        return "the list is not JSON"
    bare = _SHELL_TEXT.sub("", arguments)
    if name in _QUOTED_ARGUMENTS and not instruction.has_heredoc and ('"' in bare or "'" in bare):
        return "a quote is never closed"
    return '"$(" is never closed' if name == "RUN" and bare.count("$(") > bare.count(")") else ""


def _is_list(arguments: str) -> bool:
    try:
        return isinstance(json.loads(arguments), list)
    except (ValueError, RecursionError):
        return False


def _instructions(text: str) -> Iterator[_Instruction]:
    """Yield the instructions; comments and blank lines may interrupt one."""
    lines = text.split("\n")
    continued = "`" if _ESCAPE.match(text) else "\\"
    row = 0
    while row < len(lines):
        first, parts, is_ended = row, list[str](), False
        while row < len(lines) and not is_ended:
            line = lines[row].rstrip()
            row += 1
            if line and not line.lstrip().startswith("#"):
                is_ended = not line.endswith(continued)
                parts.append(line if is_ended else line[:-1])
            elif not parts:
                first = row
        joined = "\n".join(parts)
        heredocs = [match[2] for match in _HEREDOC.finditer(joined)] if _takes_heredocs(joined) else []
        for end in heredocs:
            row, is_found = _after(lines, row, end)
            is_ended &= is_found
        if parts:
            yield _Instruction(first, joined, is_ended, bool(heredocs))


def _takes_heredocs(instruction: str) -> bool:
    return instruction.lstrip()[:4].upper() in ("RUN ", "COPY", "ADD ")


def _after(lines: list[str], row: int, end: str) -> tuple[int, bool]:
    """Return the row after the line ``end``, and whether there is one."""
    for number in range(row, len(lines)):
        if lines[number].strip() == end:
            return number + 1, True
    return len(lines), False


_CHECKS: Final[Mapping[str, Callable[[str, bool, bool], Iterator[TextFault]]]] = {
    "sql": _check_sql,
    "dockerfile": _check_dockerfile,
}
