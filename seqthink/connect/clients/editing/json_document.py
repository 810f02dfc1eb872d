"""One server's entry put into, changed in or taken out of a JSON text; nothing else in the text changes.

What was added comes out again without a trace wherever the object of the servers had a member, was `{}`, or was
missing. Not restored are the blanks inside of an empty top-level object, and an empty text, which becomes `{}`; an
empty object of the servers that is spread over lines and the last member of its parent is taken for one of ours.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, cast

from msgspec import Struct

from seqthink.connect.clients.editing.errors import error_at
from seqthink.connect.clients.editing.json_fault import COMMENT
from seqthink.connect.clients.editing.json_scan import JsonObject, Member, scan_json, string_end, trivia_end
from seqthink.connect.clients.snippets import NO_ENTRY, ServerEntry

_SAME_LINE_COMMENTS = re.compile(rf"(?>(?:[ \t]*+(?:{COMMENT.pattern}))+)")
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_SPACES = re.compile(r"[ \t]*+")
_DEFAULT_INDENT = "  "


class _Edit(Struct, frozen=True, order=True):
    """``text`` instead of the characters from ``start`` to ``end``."""

    start: int
    end: int
    text: str


class JsonDocument:
    """A configuration in JSON (``"jsonc"``: with comments), read.

    Raises:
        ConfigTextError: the text does not parse, or its top level is not an object.
    """

    def __init__(self, syntax: Literal["json", "jsonc"], text: str) -> None:
        self.text = text
        self._scan = scan_json(text, syntax)
        if self._is_blank:
            self.value: Mapping[str, Any] = {}
        elif self._scan.object_at(self._scan.start):
            self.value = cast("dict[str, Any]", self._scan.value)
        else:
            raise error_at(text, self._scan.start, "the top level is not an object ({...})")

    @property
    def _is_blank(self) -> bool:
        return self._scan.start == len(self.text)

    def server(self, keys: tuple[str, ...], name: str) -> ServerEntry | None:
        """Return what ``name`` under ``keys`` says, None if it is not there.

        Raises:
            ConfigTextError: a key on the way is there twice, or it, or the server, is not an object.
        """
        path = (*keys, name)
        if self._is_blank or len(self._walk(path)) <= len(path):
            return None
        value = self.value
        for key in path:
            value = cast("Mapping[str, Any]", value[key])
        return value

    def with_server(self, keys: tuple[str, ...], name: str, entry: ServerEntry, base: ServerEntry = NO_ENTRY) -> str:
        """Return the text with ``entry`` as ``name`` under ``keys``; further members of an old entry stay.

        ``base`` is put before it where the text says nothing yet.

        Raises:
            ConfigTextError: a key on the way is there twice, or leads to no object.
        """
        if self._is_blank:
            return self._new_text({**base, **_nested((*keys, name), entry)})
        path = self._walk(keys)
        target = path[-1]
        missing = keys[len(path) - 1 :]
        if missing:
            new = {missing[0]: _nested((*missing[1:], name), entry)}
            return self._apply(self._insert(target, new, is_path=True))
        member = self._single(target, name)
        if not member:
            return self._apply(self._insert(target, {name: entry}))
        return self._apply(list(self._merge(member, entry)))

    def without_server(self, keys: tuple[str, ...], name: str) -> str:
        """Return the text without ``name`` under ``keys``; objects that `with_server` made for it go too.

        Raises:
            ConfigTextError: a key on the way is there twice, or leads to no object.
        """
        if self._is_blank:
            return self.text
        path = self._walk(keys)
        if len(path) <= len(keys):
            return self.text
        member = self._single(path[-1], name)
        if not member:
            return self.text
        while len(path) > 1 and self._was_made_for(path[-1], path[-2]):
            del path[-1]
            member = path[-1].members[-1]
        return self._apply(self._remove(path[-1], member))

    # the way through the text

    def _walk(self, keys: tuple[str, ...]) -> list[JsonObject]:
        """Return the objects from the top level along ``keys``, as far as they exist."""
        path = [self._root]
        for key in keys:
            member = self._single(path[-1], key)
            if not member:
                break
            path.append(self._object_of(member))
        return path

    def _object_of(self, member: Member) -> JsonObject:
        found = self._scan.object_at(member.value_start)
        if not found:
            raise error_at(self.text, member.value_start, f"{json.dumps(member.key)} is not an object ({{...}})")
        return found

    def _single(self, target: JsonObject, key: str) -> Member | None:
        found = target.named(key)
        if len(found) > 1:
            raise error_at(self.text, found[1].key_start, f"the key {json.dumps(key)} is there twice")
        return found[0] if found else None

    # what is added

    def _new_text(self, value: Mapping[str, Any]) -> str:
        newline = self._newline
        needs_newline = self.text.strip("\ufeff \t") and not self.text.rstrip(" \t").endswith(("\n", "\r"))
        return self.text + (newline if needs_newline else "") + self._spread(value, "", _DEFAULT_INDENT) + newline

    def _merge(self, member: Member, wanted: object) -> Iterator[_Edit]:
        """Yield what makes the value of ``member`` say what ``wanted`` says; its further members stay."""
        old = self._scan.object_at(member.value_start)
        if not old or not isinstance(wanted, Mapping):
            if not self._says(member, wanted):
                yield _Edit(member.value_start, member.value_end, self._replacement(member, wanted))
            return
        missing: dict[str, Any] = {}
        for key, value in cast("Mapping[str, Any]", wanted).items():
            found = self._single(old, key)
            if found:
                yield from self._merge(found, value)
            else:
                missing[key] = value
        if missing:
            yield from self._insert(old, missing)

    def _says(self, member: Member, wanted: object) -> bool:
        found = scan_json(self.text[member.value_start : member.value_end], "jsonc").value
        return json.dumps(found, sort_keys=True) == json.dumps(wanted, sort_keys=True)

    def _replacement(self, member: Member, wanted: object) -> str:
        old = self.text[member.value_start : member.value_end]
        is_new_object = isinstance(wanted, Mapping) and self._begins_line(member.key_start)
        if is_new_object or _LINE_BREAK.search(old):
            return self._spread(cast("object", wanted), self._indent_of(member.key_start), self._indent_unit)
        return _flat(cast("object", wanted))

    def _insert(self, target: JsonObject, new: Mapping[str, Any], *, is_path: bool = False) -> list[_Edit]:
        """Add ``new`` to ``target``; ``is_path`` says that it is a missing object on the way to the servers.

        Such an object is always spread over lines, and one that was there as `{}` is not: so `_was_made_for` can
        distinguish them afterwards.
        """
        if target.members:
            return self._insert_behind(target, new, is_path=is_path)
        return [self._insert_first(target, new, is_path=is_path)]

    def _insert_behind(self, target: JsonObject, new: Mapping[str, Any], *, is_path: bool) -> list[_Edit]:
        """Add members behind the last one, and behind the comment on its line."""
        last = target.members[-1]
        has_comma = target.trailing_comma >= 0
        behind = target.trailing_comma + 1 if has_comma else last.value_end
        comments = _SAME_LINE_COMMENTS.match(self.text, behind)
        position = comments.end() if comments else behind
        begins_line = self._begins_line(last.key_start)
        if begins_line or (comments and self._ends_in_line_comment(behind, position)):
            unit = self._unit_in(target, last)
            indent = self._indent_of(last.key_start) if begins_line else self._indent_of(target.start) + unit
            separator = self._newline_before(last.key_start) + indent
            members = [self._member(key, self._spread(value, indent, unit)) for key, value in new.items()]
        else:
            is_compact = last.value_start == self.text.index(":", string_end(self.text, last.key_start)) + 1
            separator = "" if is_compact else " "
            members = self._flat_members(target, new, is_compact=is_compact, is_path=is_path)
        text = separator + ("," + separator).join(members)
        if has_comma:
            return [_Edit(position, position, text + ",")]
        if position == behind:
            return [_Edit(position, position, "," + text)]
        return [_Edit(behind, behind, ","), _Edit(position, position, text)]

    def _insert_first(self, target: JsonObject, new: Mapping[str, Any], *, is_path: bool) -> _Edit:
        """Add members to an object without any, behind its comments."""
        start, end = target.start + 1, target.end - 1
        position = start
        for comment in COMMENT.finditer(self.text, start, end):
            position = comment.end()
        if not is_path and not _LINE_BREAK.search(self.text, start, end):
            padding = self.text[start:end] if position == start else " "
            members = self._flat_members(target, new, is_compact=False, is_path=False)
            return _Edit(position, position, padding + ", ".join(members))
        indent = self._indent_of(target.start)
        unit = self._indent_unit
        separator = self._newline + indent + unit
        members = [self._member(key, self._spread(value, indent + unit, unit)) for key, value in new.items()]
        text = separator + ("," + separator).join(members)
        if self._is_root(target) and position == start:
            return _Edit(start, end, text + self._newline + indent)
        return _Edit(position, position, text)

    def _flat_members(
        self, target: JsonObject, new: Mapping[str, Any], *, is_compact: bool, is_path: bool
    ) -> list[str]:
        indent = self._indent_of(target.start)
        return [
            self._member(
                key,
                self._spread(value, indent, self._indent_unit) if is_path else _flat(value, is_compact=is_compact),
                colon=":" if is_compact else ": ",
            )
            for key, value in new.items()
        ]

    def _member(self, key: str, value: str, colon: str = ": ") -> str:
        return _flat(key) + colon + value

    def _spread(self, value: object, indent: str, unit: str) -> str:
        """Return ``value`` over several lines; all but the first begin with ``indent``."""
        return _encode(value, indent=unit).replace("\n", self._newline + indent)

    # what is taken out

    def _was_made_for(self, inner: JsonObject, parent: JsonObject) -> bool:
        """Whether ``inner`` holds one member only, on lines of its own, and is the last value in ``parent``."""
        if len(inner.members) != 1 or parent.members[-1].value_start != inner.start:
            return False
        key_end = string_end(self.text, parent.members[-1].key_start)
        if self.text[key_end : inner.start].strip() != ":":
            return False  # a comment between key and value is the user's
        before, behind = self._around(inner)
        return bool(_LINE_BREAK.search(before)) and not before.strip() and not behind.replace(",", "").strip()

    def _around(self, target: JsonObject) -> tuple[str, str]:
        """Return what comes before and behind the members inside of ``target``."""
        first, last = target.members[0], target.members[-1]
        return self.text[target.start + 1 : first.key_start], self.text[last.value_end : target.end - 1]

    def _remove(self, target: JsonObject, member: Member) -> list[_Edit]:
        before, behind = self._around(target)
        is_alone = len(target.members) == 1
        if is_alone and self._is_root(target) and not (before + behind.replace(",", "", 1)).strip():
            return [_Edit(target.start + 1, target.end - 1, "")]
        index = target.members.index(member)
        own_comma = self._comma_behind(target, index)
        edits: list[_Edit] = []
        end = member.value_end
        if own_comma >= 0 and not self.text[end:own_comma].strip():
            end = own_comma + 1
        elif own_comma >= 0:
            edits.append(_Edit(own_comma, own_comma + 1, ""))
        elif index:
            comma = self._comma_behind(target, index - 1)
            edits.append(_Edit(comma, comma + 1, ""))
        gap_start = self._comma_behind(target, index - 1) + 1 if index else target.start + 1
        start = self._blank_start(gap_start, member.key_start, end)
        if start == member.key_start and index < len(target.members) - 1:
            end = _end_of_spaces(self.text, end)
        return [*edits, _Edit(start, end, "")]

    def _comma_behind(self, target: JsonObject, index: int) -> int:
        """Return the place of the comma behind a member, -1 if there is none."""
        if index == len(target.members) - 1:
            return target.trailing_comma
        return trivia_end(self.text, target.members[index].value_end)

    def _blank_start(self, gap_start: int, key_start: int, end: int) -> int:
        """Return from where blanks go with the member from ``key_start`` to ``end``.

        Its line break goes too if the next line, or the closing brace, may then follow what is left.
        """
        gap = self.text[gap_start:key_start]
        start = gap_start + len(gap.rstrip(" \t"))
        line_break = self._newline_before(key_start) if self._begins_line(key_start) else ""
        behind = _end_of_spaces(self.text, end)
        # Behind a line comment even blanks would become part of it.
        is_free = not self._ends_in_line_comment(gap_start, key_start)
        may_join = (self.text[behind] in "\r\n" and (is_free or behind == end)) or (
            self.text[behind] == "}" and is_free
        )
        return start - len(line_break) if may_join and start - len(line_break) >= gap_start else start

    # the text's own style

    @property
    def _root(self) -> JsonObject:
        return cast("JsonObject", self._scan.object_at(self._scan.start))

    def _is_root(self, target: JsonObject) -> bool:
        return target.start == self._scan.start

    def _ends_in_line_comment(self, start: int, end: int) -> bool:
        """Whether the last comment among the blanks and comments from ``start`` to ``end`` goes to its line's end."""
        comments = COMMENT.findall(self.text, start, end)
        return bool(comments) and comments[-1].startswith("//")

    def _line_start(self, position: int) -> int:
        return max(self.text.rfind("\n", 0, position), self.text.rfind("\r", 0, position)) + 1

    def _begins_line(self, position: int) -> bool:
        start = self._line_start(position)
        return start > 0 and not self.text[start:position].strip(" \t")

    def _indent_of(self, position: int) -> str:
        start = self._line_start(position)
        return self.text[start : _end_of_spaces(self.text, start)]

    def _newline_before(self, position: int) -> str:
        """Return the line break that ends the line before ``position``; on the first line, the text's first one."""
        start = self._line_start(position)
        if not start:
            return self._newline
        return "\r\n" if self.text.startswith("\r\n", start - 2) and start > 1 else self.text[start - 1]

    @cached_property
    def _newline(self) -> str:
        found = _LINE_BREAK.search(self.text)
        return found[0] if found else "\n"

    @cached_property
    def _indent_unit(self) -> str:
        members = self._root.members
        has_own_line = members and self._begins_line(members[0].key_start)
        return (self._indent_of(members[0].key_start) if has_own_line else "") or _DEFAULT_INDENT

    def _unit_in(self, target: JsonObject, last: Member) -> str:
        indent, outer = self._indent_of(last.key_start), self._indent_of(target.start)
        return indent.removeprefix(outer) if indent.startswith(outer) and indent != outer else self._indent_unit

    def _apply(self, edits: list[_Edit]) -> str:
        parts: list[str] = []
        done = 0
        for edit in sorted(edits):
            parts += self.text[done : edit.start], edit.text
            done = edit.end
        return "".join(parts) + self.text[done:]


def _nested(keys: tuple[str, ...], value: object) -> dict[str, Any]:
    for key in reversed(keys):
        value = {key: value}
    return cast("dict[str, Any]", value)


def _end_of_spaces(text: str, position: int) -> int:
    found = _SPACES.match(text, position)
    return found.end() if found else position


def _flat(value: object, *, is_compact: bool = False) -> str:
    return _encode(value, separators=(",", ":") if is_compact else (", ", ": "))


def _encode(value: object, indent: str | None = None, separators: tuple[str, str] | None = None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)
    try:
        text.encode()
    except UnicodeEncodeError:  # a path that is not UTF-8 came as lone surrogates: only their escapes can be written
        return json.dumps(value, indent=indent, separators=separators)
    return text
