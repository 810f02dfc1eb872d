"""Where the statements of a TOML text are: table headers and key/value pairs, with the full path of each.

`tomllib` has parsed the text before, so this reads only its outline. `tomlkit` keeps every character too, but gives
the comments between two tables to the first one, and would take them away with it.
"""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

_BLANKS_AND_COMMENTS = re.compile(r"(?>(?:[ \t\r\n]++|#[^\n]*+)*)")
_KEY_PART = r"""(?:"(?>(?:[^"\\\n]++|\\.)*)"|'[^'\n]*+'|[A-Za-z0-9_-]++)"""
_KEY = re.compile(rf"{_KEY_PART}(?>(?:[ \t]*+\.[ \t]*+{_KEY_PART})*)")
_EQUALS = re.compile(r"[ \t]*+=[ \t]*+")
_TOKEN = re.compile(
    r'''"""(?>(?:[^"\\]++|\\.|"{1,2}(?!"))*)"{3,5}'''
    r"""|'''(?>(?:[^']++|'{1,2}(?!'))*)'{3,5}"""
    r'''|"(?>(?:[^"\\\n]++|\\.)*)"'''
    r"""|'[^'\n]*+'"""
    r"""|(?P<comment>\#[^\n]*+)|(?P<open>[\[{])|(?P<close>[\]}])|(?P<end>\r?\n)|(?P<blank>[ \t]++)|[^"'\#\[\]{}\s]++""",
    re.DOTALL,
)


class Statement(Struct, frozen=True):
    """A header, or a pair, by the indexes of its characters."""

    path: tuple[str, ...]
    """All keys from the top of the text."""
    is_header: bool
    start: int
    """Where its line begins."""
    value_start: int
    value_end: int
    end: int
    """Behind its line break, or the end of the text."""


def statements(text: str, start: int) -> Iterator[Statement]:
    """Yield the statements of a valid ``text`` from ``start`` on."""
    table: tuple[str, ...] = ()
    position = _match_end(_BLANKS_AND_COMMENTS, text, start)
    while position < len(text):
        line_start = max(text.rfind("\n", 0, position) + 1, start)
        is_header = text[position] == "["
        key_start = _match_end(_OPENING, text, position) if is_header else position
        key_end = _match_end(_KEY, text, key_start)
        keys = _split(text[key_start:key_end])
        if is_header:
            table, path = keys, keys
            value_start = key_end
            value_end = _match_end(_CLOSING, text, key_end)
            end = _line_end(text, value_end)
        else:
            path = (*table, *keys)
            value_start = _match_end(_EQUALS, text, key_end)
            value_end, end = _value_span(text, value_start)
        yield Statement(path, is_header, line_start, value_start, value_end, end)
        position = _match_end(_BLANKS_AND_COMMENTS, text, end)


_OPENING = re.compile(r"\[\[?[ \t]*+")
_CLOSING = re.compile(r"[ \t]*+\]\]?")


def _line_end(text: str, position: int) -> int:
    newline = text.find("\n", position)
    return newline + 1 if newline >= 0 else len(text)


def _value_span(text: str, start: int) -> tuple[int, int]:
    """Return where the value ends, and where its statement's line does."""
    depth, value_end = 0, start
    for token in _TOKEN.finditer(text, start):
        kind = token.lastgroup
        depth += (kind == "open") - (kind == "close")
        if kind == "end" and not depth:
            return value_end, token.end()
        if kind not in {"end", "blank", "comment"}:
            value_end = token.end()
    return value_end, len(text)


def _split(dotted: str) -> tuple[str, ...]:
    if '"' not in dotted and "'" not in dotted:
        return tuple(part.strip(" \t") for part in dotted.split("."))
    value: Any = tomllib.loads(f"{dotted} = 0")
    keys: list[str] = []
    while value != 0:
        key, value = next(iter(value.items()))
        keys.append(key)
    return tuple(keys)


def _match_end(pattern: re.Pattern[str], text: str, position: int) -> int:
    found = pattern.match(text, position)
    return found.end() if found else position
