"""What a text in JSON, with or without comments, says; and where the members of one object are, on demand.

`json` reads the meaning, in a text of the same length in which comments are blanks: so its positions are the file's.
Of a file of megabytes only the objects on the way to the servers are looked at member by member.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Literal, NoReturn, cast

from msgspec import Struct

from seqthink.connect.clients.editing.errors import error_at
from seqthink.connect.clients.editing.json_fault import BLANK, COMMENT, MAX_DEPTH, TRIVIA, match_end, refuse_fault

BOM = "\ufeff"

_STRING = r'"(?>(?:[^"\\]++|\\[\s\S])*)"'
_QUOTED = re.compile(_STRING)
_SCALAR = re.compile(rf"{_STRING}|[^\s,:{{}}\[\]]++")
_TO_COMMENT = re.compile(rf'(?>(?:[^"/]++|{_STRING})*)')
_VISIBLE = re.compile(r"[^\r\n]")
_TO_LAST_COMMA = re.compile(rf'(?>(?:[^",]++|{_STRING}|,(?![ \t\r\n]*+[}}\]]))*)')
_TO_BRACKET = re.compile(rf'(?>(?:[^"{{}}\[\]]++|{_STRING})*)')
_MAX_INT_DIGITS = 4000  # from 4,300 on `int` refuses


class Member(Struct, frozen=True, gc=False):
    """A key with its value, by the indexes of their characters."""

    key: str
    key_start: int
    value_start: int
    value_end: int


class JsonObject(Struct, gc=False):
    """An object by the indexes of its braces, and its members in order."""

    start: int
    members: list[Member]
    end: int = 0
    """Behind its closing brace."""
    trailing_comma: int = -1
    """The place of the comma behind the last member; -1 if there is none."""

    def named(self, key: str) -> list[Member]:
        """Return all members with ``key``; more than one is a duplicate."""
        return [member for member in self.members if member.key == key]


class JsonScan:
    """What a valid text says, and where."""

    def __init__(self, plain: str, start: int, value: Any) -> None:  # noqa: ANN401 - any JSON
        self.start = start
        """Where the value begins; behind the text's last character if there is none."""
        self.value = value
        """None also where there is nothing but blanks and comments."""
        self._plain = plain
        self._objects: dict[int, JsonObject] = {}

    def object_at(self, position: int) -> JsonObject | None:
        """Return the object that begins at ``position``; None if another value does."""
        if not self._plain.startswith("{", position):
            return None
        if position not in self._objects:
            self._objects[position] = self._read_object(position)
        return self._objects[position]

    def _read_object(self, start: int) -> JsonObject:
        found = JsonObject(start, [])
        position = self._skip(start + 1)
        while not self._plain.startswith("}", position):
            member = self._read_member(position)
            found.members.append(member)
            position = self._skip(member.value_end)
            if self._plain.startswith(",", position):
                found.trailing_comma = position
                position = self._skip(position + 1)
            else:
                found.trailing_comma = -1
        found.end = position + 1
        return found

    def _read_member(self, position: int) -> Member:
        key_end = match_end(_QUOTED, self._plain, position)
        value_start = self._skip(self._skip(key_end) + 1)
        key = json.loads(self._plain[position:key_end])
        return Member(key, position, value_start, self._value_end(value_start))

    def _value_end(self, position: int) -> int:
        if not self._plain.startswith(("{", "["), position):
            return match_end(_SCALAR, self._plain, position)
        depth = 0
        while True:
            position = match_end(_TO_BRACKET, self._plain, position)
            depth += 1 if self._plain[position] in "{[" else -1
            position += 1
            if not depth:
                return position

    def _skip(self, position: int) -> int:
        return match_end(BLANK, self._plain, position)


def scan_json(text: str, syntax: Literal["json", "jsonc"]) -> JsonScan:
    """Return what ``text`` says.

    Raises:
        ConfigTextError: it does not parse, or nests deeper than `MAX_DEPTH`.
    """
    is_strict = syntax == "json"
    plain = text if is_strict else _without_comments(text)
    start = match_end(BLANK, plain, 1 if plain.startswith(BOM) else 0)
    if start == len(plain):
        return JsonScan(plain, start, None)
    try:
        value = _loads((plain if is_strict else _without_last_commas(plain)).removeprefix(BOM))
        is_read = not _is_too_deep(value)
    except (ValueError, RecursionError):
        value, is_read = None, False
    if not is_read:
        refuse_fault(text, is_strict=is_strict)
        raise error_at(text, start, "this is not JSON")
    return JsonScan(plain, start, value)


def string_end(text: str, position: int) -> int:
    """Return where the valid string that begins at ``position`` ends."""
    return match_end(_QUOTED, text, position)


def trivia_end(text: str, position: int) -> int:
    """Return where blanks and comments that begin at ``position`` end."""
    return match_end(TRIVIA, text, position)


def _without_comments(text: str) -> str:
    """Return ``text`` with blanks for its comments' characters; line breaks stay."""
    if "/" not in text:
        return text
    parts: list[str] = []
    position = 0
    while position < len(text):
        comment_start = match_end(_TO_COMMENT, text, position)
        comment = COMMENT.match(text, comment_start)
        if not comment:  # the end; or a string or a comment that is not closed, which `json` refuses
            return "".join([*parts, text[position:]])
        parts += text[position:comment_start], _VISIBLE.sub(" ", comment[0])
        position = comment.end()
    return "".join(parts)


def _without_last_commas(plain: str) -> str:
    """Return ``plain`` with a blank for every comma between a value and a closing bracket."""
    parts: list[str] = []
    position = 0
    while position < len(plain):
        comma = match_end(_TO_LAST_COMMA, plain, position)
        if not plain.startswith(",", comma):  # the end; or a string that is not closed, which `json` refuses
            return "".join([*parts, plain[position:]])
        parts += plain[position:comma], "," if _char_before(plain, comma) in "{[,:" else " "
        position = comma + 1
    return "".join(parts)


def _char_before(plain: str, position: int) -> str:
    """Return the last character before ``position`` that is not a blank; ``{`` if there is none."""
    position -= 1
    while position >= 0 and plain[position] in " \t\r\n":
        position -= 1
    return plain[position] if position >= 0 else "{"


def _loads(plain: str) -> Any:  # noqa: ANN401 - any JSON
    try:
        return json.loads(plain, parse_constant=_refuse)
    except json.JSONDecodeError:
        raise
    except ValueError:  # a number of more digits than `int` reads, or NaN
        return json.loads(plain, parse_constant=_refuse, parse_int=_whole_number)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_INT_DIGITS else float(digits)


def _is_too_deep(value: object) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _inner(outer) if isinstance(inner, dict | list)]
        if not level:
            return False
    return True


def _inner(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        return iter(cast("dict[str, object]", value).values())
    return iter(cast("list[object]", value) if isinstance(value, list) else [])
