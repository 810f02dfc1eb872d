"""Finds the first syntax error in invalid JSON: slow, run only for its reason and its place.

JSON is RFC 8259; "jsonc" also takes what VS Code's and Zed's readers take: comments and a comma behind the last member.
"""

import re
from typing import NoReturn

from seqthink.connect.clients.editing.errors import error_at

MAX_DEPTH = 256
"""Containers inside each other; what reads the result by recursion (`json`, `==`) goes on for about a thousand."""

BLANK = re.compile(r"[ \t\r\n]*+")
COMMENT = re.compile(r"//[^\r\n]*+|/\*(?>(?:[^*]++|\*(?!/))*)\*/")
TRIVIA = re.compile(rf"{BLANK.pattern}(?>(?:(?:{COMMENT.pattern}){BLANK.pattern})*)")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_STRING_BEGIN = re.compile(r'"(?>(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)')
_WORD = re.compile(r"[^\s,:{}\[\]\"/]++")
_WORDS = {"true", "false", "null"}


def refuse_fault(text: str, *, is_strict: bool) -> None:
    """Refuse ``text`` for its first syntax error; do nothing if there is none.

    Raises:
        ConfigTextError: with the reason and its place; also for values that nest deeper than `MAX_DEPTH`.
    """
    _Walk(text, is_strict=is_strict).go()


class _Walk:
    """One walk from the text's beginning; a bracket on the stack is a container that is not closed yet."""

    def __init__(self, text: str, *, is_strict: bool) -> None:
        self._text = text
        self._is_strict = is_strict
        self._trivia = BLANK if is_strict else TRIVIA
        self._stack: list[str] = []

    def go(self) -> None:
        position = self._skip(1 if self._text.startswith("\ufeff") else 0)
        while position >= 0:
            position = self._after_value(*self._begin_value(position))

    def _fail(self, position: int, reason: str) -> NoReturn:
        raise error_at(self._text, position, reason)

    def _skip(self, position: int) -> int:
        end = match_end(self._trivia, self._text, position)
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
        """Pass a scalar, or open a container; return where it goes on, and whether a container was opened."""
        char = self._text[position : position + 1]
        if char == '"':
            return self._string(position), False
        if char in {"{", "["}:
            if len(self._stack) == MAX_DEPTH:
                self._fail(position, f"values nest deeper than {MAX_DEPTH} levels")
            self._stack.append(char)
            return position + 1, True
        number = _NUMBER.match(self._text, position)
        if number and not _WORD.match(self._text, number.end()):
            return number.end(), False
        return self._word(position), False

    def _string(self, position: int) -> int:
        end = match_end(_STRING_BEGIN, self._text, position)
        if not self._text.startswith('"', end):
            is_escape = self._text.startswith("\\", end)
            is_control = self._text[end : end + 1] not in {"", "\n", "\r"} and not is_escape
            reason = "a string may not have this escape" if is_escape else "a string is not closed on its line"
            self._fail(end, "a string may not have a control character" if is_control else reason)
        return end + 1

    def _word(self, position: int) -> int:
        word = _WORD.match(self._text, position)
        if not word:
            self._fail(position, "a value was expected")
        if word[0] not in _WORDS:
            self._fail(position, "a value was expected; strings need double quotes")
        return word.end()

    def _after_value(self, position: int, opened: bool) -> int:
        """Close what ends here; return where the next value begins, -1 behind the last one."""
        while self._stack:
            position = self._skip(position)
            if not opened and self._text.startswith(",", position):
                position = self._after_comma(position)
                opened = not self._closes(position)
            elif not opened and not self._closes(position):
                self._fail(position, self._expected_end())
            if not self._closes(position):
                return self._member_value(position)
            self._stack.pop()
            position += 1
            opened = False
        if self._skip(position) != len(self._text):
            self._fail(self._skip(position), "there is more behind the end of the value")
        return -1

    def _after_comma(self, comma: int) -> int:
        position = self._skip(comma + 1)
        if self._closes(position) and self._is_strict:
            self._fail(comma, "this file may not have a comma behind the last value")
        return position

    def _closes(self, position: int) -> bool:
        return self._text.startswith("}" if self._stack[-1] == "{" else "]", position)

    def _expected_end(self) -> str:
        end, what = ("}", "object") if self._stack[-1] == "{" else ("]", "list")
        return f'a comma or the end of the {what} was expected ("{end}")'

    def _member_value(self, position: int) -> int:
        if self._stack[-1] != "{":
            return position
        if not self._text.startswith('"', position):
            self._fail(position, "a key in double quotes was expected")
        colon = self._skip(self._string(position))
        if not self._text.startswith(":", colon):
            self._fail(colon, "a colon was expected behind the key")
        return self._skip(colon + 1)


def match_end(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Return where ``pattern`` ends that matches at ``position``; ``position`` if it does not match."""
    found = pattern.match(text, position)
    return found.end() if found else position
