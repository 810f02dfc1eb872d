"""One server's table put into, changed in or taken out of a TOML text; nothing else in the text changes.

A new table goes to the end of the text, behind a blank line; taken out again, it leaves the text as it was. Tables in
one line (`mcp_servers = {...}`), in which a text edit would need a second parser, are edited by `tomlkit`.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any, NoReturn, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable

from seqthink.connect.clients.editing.errors import ConfigTextError, error_at
from seqthink.connect.clients.editing.toml_scan import Statement, statements
from seqthink.connect.clients.snippets import NO_ENTRY, ServerEntry, toml_key, toml_pairs, toml_table, toml_value

_BOM = "\ufeff"
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class TomlDocument:
    """A configuration in TOML, read.

    Raises:
        ConfigTextError: the text does not parse.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._start = 1 if text.startswith(_BOM) else 0
        self.value: Mapping[str, Any] = self._parsed(text)
        self._statements = list(statements(text, self._start))

    def server(self, keys: tuple[str, ...], name: str) -> ServerEntry | None:
        """Return what ``name`` under ``keys`` says, None if it is not there.

        Raises:
            ConfigTextError: a key on the way, or the server, is not a table.
        """
        return self._find((*keys, name))

    def with_server(self, keys: tuple[str, ...], name: str, entry: ServerEntry, base: ServerEntry = NO_ENTRY) -> str:
        """Return the text with ``entry`` as ``name`` under ``keys``; further keys of an old table stay.

        ``base`` goes to the top of a text that says nothing yet.

        Raises:
            ConfigTextError: a key on the way leads to no table, or the text cannot be edited without harm.
        """
        path = (*keys, name)
        old = self._find(path)
        if old is not None and _says(old, entry):
            return self.text
        if old is not None:
            return self._merged(path, old, entry)
        if self._is_inline(keys):
            return self._by_tomlkit(path, entry)
        return self._appended("\n".join([*toml_pairs({} if self.value else base), toml_table(path, entry)]))

    def without_server(self, keys: tuple[str, ...], name: str) -> str:
        """Return the text without ``name`` under ``keys``, its tables and what is between them.

        Raises:
            ConfigTextError: a key on the way leads to no table, or the text cannot be edited without harm.
        """
        path = (*keys, name)
        if self._find(path) is None:
            return self.text
        if self._is_inline(keys):
            return self._by_tomlkit(path, None)
        text = self.text
        for first, last in reversed(self._runs(path)):
            start, end = self._removed_span(first, last)
            text = text[:start] + text[end:]
        return text

    # reading

    def _parsed(self, text: str) -> dict[str, Any]:
        try:
            return tomllib.loads(text.removeprefix(_BOM))
        except RecursionError:
            raise ConfigTextError("values nest too deep", 1, 1) from None
        except ValueError as error:  # also a whole number of more digits than Python reads
            raise _syntax_error(text, str(error)) from None

    def _find(self, path: tuple[str, ...]) -> Mapping[str, Any] | None:
        value: Mapping[str, Any] = self.value
        for depth, key in enumerate(path, 1):
            if key not in value:
                return None
            inner: Any = value[key]
            if not isinstance(inner, Mapping):
                self._refuse(path[:depth], f"{'.'.join(path[:depth])} is not a table")
            value = cast("Mapping[str, Any]", inner)
        return value

    def _refuse(self, path: tuple[str, ...], reason: str) -> NoReturn:
        places = [found.start for found in self._statements if found.path[: len(path)] == path]
        # A value inside of a table in one line has no statement of its own: then that table's.
        places += [found.start for found in self._statements if path[: len(found.path)] == found.path]
        raise error_at(self.text, places[0], reason)

    def _is_inline(self, keys: tuple[str, ...]) -> bool:
        """Whether a table on the way is written as one value."""
        return any(not found.is_header and keys[: len(found.path)] == found.path for found in self._statements)

    @property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    # adding

    def _appended(self, table: str) -> str:
        """Return the text with ``table`` behind a blank line; it ends with a line break where the text did."""
        newline = self._newline
        table = table.replace("\n", newline)
        if len(self.text) == self._start:
            return self.text + table + newline
        if self.text.endswith("\n"):
            return self.text + newline + table + newline
        return self.text + newline + newline + table

    def _merged(self, path: tuple[str, ...], old: Mapping[str, Any], entry: ServerEntry) -> str:
        """Return the text with the differing values replaced, and the missing ones behind the last of their table."""
        pairs = {found.path: found for found in self._statements if not found.is_header}
        edits: list[tuple[int, int, str]] = []
        for change, value in _changes(path, old, entry):
            pair = pairs.get(change)
            last = None if pair else self._last_in_table(change[:-1])
            if pair:
                edits.append((pair.value_start, pair.value_end, _value_text(value)))
            elif last:
                edits.append((last.end, last.end, self._line(f"{toml_key(change[-1])} = {_value_text(value)}", last)))
            else:
                return self._by_tomlkit(path, entry)
        text = self.text
        for start, end, new in sorted(edits, key=lambda edit: edit[0], reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def _last_in_table(self, path: tuple[str, ...]) -> Statement | None:
        """Return the last statement of the table with a header for ``path``, None if it has no header."""
        last = None
        for found in self._statements:
            if found.is_header and last:
                break
            last = found if last or (found.is_header and found.path == path) else None
        return last

    def _line(self, line: str, before: Statement) -> str:
        is_whole_line = self.text.endswith("\n", before.start, before.end)
        return line + self._newline if is_whole_line else self._newline + line

    def _by_tomlkit(self, path: tuple[str, ...], entry: ServerEntry | None) -> str:
        """Return the text with ``entry`` at ``path``, or with nothing there."""
        try:
            document = tomlkit.parse(self.text.removeprefix(_BOM))
            table: Any = document
            for key in path[:-1]:
                table = table[key]
            if entry is None:
                del table[path[-1]]
            elif path[-1] in table:
                _merge(table[path[-1]], entry)
            else:
                table[path[-1]] = _inline(entry)
            text = self.text[: self._start] + tomlkit.dumps(document)
            wanted = _merged_value(self._find(path) or {}, entry) if entry is not None else None
            is_right = TomlDocument(text)._find(path) == wanted  # noqa: SLF001 - of the same class
        except (TOMLKitError, ConfigTextError, KeyError, TypeError, RecursionError):
            is_right, text = False, ""
        if not is_right:
            self._refuse(path[:-1], "this table cannot be edited without harm; change it by hand")
        return text

    # removing

    def _runs(self, path: tuple[str, ...]) -> list[tuple[Statement, Statement]]:
        """Return the first and the last of each row of statements that say something at ``path``."""
        runs: list[tuple[Statement, Statement]] = []
        is_running = False
        for found in self._statements:
            is_ours = found.path[: len(path)] == path
            if is_ours:
                runs.append((runs.pop()[0] if is_running else found, found))
            is_running = is_ours
        return runs

    def _removed_span(self, first: Statement, last: Statement) -> tuple[int, int]:
        """Return what goes: whole lines, a blank line before a header, and the break before an end without one."""
        start = first.start
        if first.is_header:
            start -= _break_at_end(self.text, self._start, start, is_blank_line=True)
        if last.end == len(self.text) and not self.text.endswith("\n"):
            start -= _break_at_end(self.text, self._start, start, is_blank_line=False)
        return start, last.end


def _break_at_end(text: str, begin: int, end: int, *, is_blank_line: bool) -> int:
    """Return how long the line break before ``end`` is; of a line without anything in it, if asked so."""
    length = 2 if text.endswith("\r\n", begin, end) else int(text.endswith("\n", begin, end))
    before = end - length
    is_blank = before == begin or text.endswith("\n", begin, before)
    return length if is_blank or not is_blank_line else 0


def _says(old: Mapping[str, Any], entry: ServerEntry) -> bool:
    return not list(_changes((), old, entry))


def _changes(
    path: tuple[str, ...], old: Mapping[str, Any], entry: ServerEntry
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the paths at which ``entry`` says something else than ``old``, with what it says."""
    for key, value in entry.items():
        found = old.get(key)
        is_same = type(found) is type(value) and found == value
        if isinstance(value, Mapping) and isinstance(found, Mapping):
            yield from _changes((*path, key), cast("ServerEntry", found), cast("ServerEntry", value))
        elif not is_same:
            yield (*path, key), value


def _merge(table: MutableMapping[str, Any], entry: ServerEntry) -> None:
    for key, value in entry.items():
        old = table.get(key)
        if isinstance(value, Mapping) and isinstance(old, MutableMapping):
            _merge(cast("MutableMapping[str, Any]", old), cast("ServerEntry", value))
        elif old != value:
            table[key] = _inline(cast("ServerEntry", value)) if isinstance(value, Mapping) else value


def _merged_value(old: Mapping[str, Any], entry: ServerEntry) -> dict[str, Any]:
    merged = dict(old)
    for key, value in entry.items():
        found = merged.get(key)
        if isinstance(value, Mapping) and isinstance(found, Mapping):
            merged[key] = _merged_value(cast("ServerEntry", found), cast("ServerEntry", value))
        else:
            merged[key] = value
    return merged


def _value_text(value: Any) -> str:  # noqa: ANN401 - a value of an entry
    if isinstance(value, Mapping):
        return _inline(cast("ServerEntry", value)).as_string()
    return toml_value(value)


def _inline(entry: ServerEntry) -> InlineTable:
    table = tomlkit.inline_table()
    for key, value in entry.items():
        table[key] = _inline(cast("ServerEntry", value)) if isinstance(value, Mapping) else value
    return table


def _syntax_error(text: str, message: str) -> ConfigTextError:
    place = _PLACE.search(message)
    reason = message[: place.start()] if place else message
    reason = reason[:1].lower() + reason[1:]
    if place and place[1]:
        return ConfigTextError(reason, int(place[1]), int(place[2]))
    return error_at(text, len(text) if place else 0, reason)
