"""A strict scanner of JSON, with or without comments, that says where every member stands.

A value's meaning comes with the spans of its objects' members, so that one member can be changed in the text. JSON is
RFC 8259; "jsonc" also takes what VS Code's and Zed's readers take: comments and a comma behind the last member.
"""

import json
import re
from typing import Any, Literal, NoReturn

from msgspec import Struct

from seqthink.clients.editing.errors import error_at

BOM = "\ufeff"
MAX_DEPTH = 256
"""Containers inside each other; what reads the result by recursion (`json`, `==`) goes on for about a thousand."""

_BLANK = re.compile(r"[ \t\r\n]*+")
_TRIVIA = re.compile(r"[ \t\r\n]*+(?:(?://[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)[ \t\r\n]*+)*+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_STRING_BEGIN = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_WORD = re.compile(r"[^\s,:{}\[\]\"/]++")
_WORDS = {"true": True, "false": False, "null": None}
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
    """Where the comma behind the last member stands; -1 if there is none."""

    def named(self, key: str) -> list[Member]:
        """Return all members with ``key``; more than one is a duplicate."""
        return [member for member in self.members if member.key == key]


class JsonScan(Struct):
    """What a text says, and where."""

    value: Any
    """None also where there is nothing but blanks and comments."""
    start: int
    """Where the value begins; behind the text's last character if there is none."""
    objects: dict[int, JsonObject]
    """All objects by the index of their opening brace."""


class _Open(Struct):
    """A container that is not closed yet."""

    value: Any
    spans: JsonObject | None
    start: int
    key: str = ""
    key_start: int = 0
    value_start: int = 0


def scan_json(text: str, syntax: Literal["json", "jsonc"]) -> JsonScan:
    """Return what ``text`` says.

    Raises:
        ConfigTextError: it does not parse, or nests deeper than `MAX_DEPTH`.
    """
    return _Scanner(text, is_strict=syntax == "json").scan()


def string_end(text: str, position: int) -> int:
    """Return where the valid string that begins at ``position`` ends."""
    return _match_end(_STRING_BEGIN, text, position) + 1


def trivia_end(text: str, position: int) -> int:
    """Return where blanks and comments that begin at ``position`` end."""
    return _match_end(_TRIVIA, text, position)


class _Scanner:
    def __init__(self, text: str, *, is_strict: bool) -> None:
        self._text = text
        self._is_strict = is_strict
        self._trivia = _BLANK if is_strict else _TRIVIA
        self._stack: list[_Open] = []
        self._objects: dict[int, JsonObject] = {}
        self._root: Any = None

    def scan(self) -> JsonScan:
        start = self._skip(1 if self._text.startswith(BOM) else 0)
        if start == len(self._text):
            return JsonScan(None, start, {})
        position = start
        while position >= 0:
            position = self._after_value(*self._begin_value(position))
        return JsonScan(self._root, start, self._objects)

    def _fail(self, position: int, reason: str) -> NoReturn:
        raise error_at(self._text, position, reason)

    def _skip(self, position: int) -> int:
        end = _match_end(self._trivia, self._text, position)
        if self._text.startswith("/", end):
            self._refuse_slash(end)
        return end

    def _refuse_slash(self, position: int) -> NoReturn:
        if self._text.startswith("/*", position) and not self._is_strict:
            self._fail(position, "a comment is not closed")
        if self._text.startswith(("//", "/*"), position):
            self._fail(position, "this file may not have comments")
        self._fail(position, "a value was expected")

    def _begin_value(self, position: int) -> tuple[int, bool]:
        """Read a scalar, or open a container; return where it goes on, and whether a container was opened."""
        char = self._text[position : position + 1]
        if char == '"':
            value, end = self._string(position)
            self._add(value, position, end)
            return end, False
        if char in {"{", "["} and char:
            return self._open(position, char)
        number = _NUMBER.match(self._text, position)
        if number and not _WORD.match(self._text, number.end()):
            self._add(_number(number[0]), position, number.end())
            return number.end(), False
        return self._word(position), False

    def _open(self, position: int, bracket: str) -> tuple[int, bool]:
        if len(self._stack) == MAX_DEPTH:
            self._fail(position, f"values nest deeper than {MAX_DEPTH} levels")
        spans = JsonObject(position, []) if bracket == "{" else None
        if spans:
            self._objects[position] = spans
        self._stack.append(_Open({} if spans else [], spans, position))
        return position + 1, True

    def _string(self, position: int) -> tuple[str, int]:
        end = _match_end(_STRING_BEGIN, self._text, position)
        if not self._text.startswith('"', end):
            is_escape = self._text.startswith("\\", end)
            is_control = self._text[end : end + 1] not in {"", "\n", "\r"} and not is_escape
            reason = "a string may not have this escape" if is_escape else "a string is not closed on its line"
            self._fail(end, "a string may not have a control character" if is_control else reason)
        raw = self._text[position : end + 1]
        return json.loads(raw) if "\\" in raw else raw[1:-1], end + 1

    def _word(self, position: int) -> int:
        word = _WORD.match(self._text, position)
        if not word:
            self._fail(position, "a value was expected")
        if word[0] not in _WORDS:
            self._fail(position, "a value was expected; strings stand in double quotes")
        self._add(_WORDS[word[0]], position, word.end())
        return word.end()

    def _add(self, value: object, start: int, end: int) -> None:
        if not self._stack:
            self._root = value
            return
        top = self._stack[-1]
        if top.spans:
            top.value[top.key] = value
            top.spans.members.append(Member(top.key, top.key_start, start, end))
        else:
            top.value.append(value)

    def _after_value(self, position: int, opened: bool) -> int:
        """Close what ends here; return where the next value begins, -1 behind the last one."""
        while self._stack:
            top = self._stack[-1]
            position = self._skip(position)
            if not opened and self._text.startswith(",", position):
                position = self._after_comma(top, position)
                opened = not self._closes(top, position)
            elif not opened and not self._closes(top, position):
                self._fail(position, self._expected_end(top))
            if not self._closes(top, position):
                return self._member_value(top, position)
            position = self._close(position + 1)
            opened = False
        if self._skip(position) != len(self._text):
            self._fail(self._skip(position), "there is more behind the end of the value")
        return -1

    def _after_comma(self, top: _Open, comma: int) -> int:
        position = self._skip(comma + 1)
        if self._closes(top, position):
            if self._is_strict:
                self._fail(comma, "this file may not have a comma behind the last value")
            if top.spans:
                top.spans.trailing_comma = comma
        return position

    def _closes(self, top: _Open, position: int) -> bool:
        return self._text.startswith("}" if top.spans else "]", position)

    def _expected_end(self, top: _Open) -> str:
        what = "object" if top.spans else "list"
        return f'a comma or the end of the {what} was expected ("{"}" if top.spans else "]"}")'

    def _close(self, end: int) -> int:
        closed = self._stack.pop()
        if closed.spans:
            closed.spans.end = end
        self._add(closed.value, closed.start, end)
        return end

    def _member_value(self, top: _Open, position: int) -> int:
        if not top.spans:
            return position
        if not self._text.startswith('"', position):
            self._fail(position, "a key in double quotes was expected")
        top.key, end = self._string(position)
        top.key_start = position
        colon = self._skip(end)
        if not self._text.startswith(":", colon):
            self._fail(colon, "a colon was expected behind the key")
        return self._skip(colon + 1)


def _match_end(pattern: re.Pattern[str], text: str, position: int) -> int:
    found = pattern.match(text, position)
    return found.end() if found else position


def _number(text: str) -> int | float:
    is_whole = text.lstrip("-").isdigit() and len(text) <= _MAX_INT_DIGITS
    return int(text) if is_whole else float(text)
