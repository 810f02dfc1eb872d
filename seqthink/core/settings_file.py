"""What `settings.toml` says: its lines in, settings with their line numbers out, and what is wrong with the rest.

Nothing is read here, and no setting is known by name: `seqthink.cli.preferences` finds the file, and
`seqthink.cli.upkeep.setting_kinds` says what it may have. Standard library only, and `tomllib` only for a file that is
there.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from seqthink.core.text import one_line

FILE_NAME = "settings.toml"
MAX_FILE_BYTES = 64 * 1024
"""A longer file is not read."""
MAX_STATEMENT_LINES = 200
"""Lines that one setting may have; of a longer one, and of those behind it, the line is not said."""
KEYS_TABLE = "keys"
"""The table whose names are commands of the viewer, and its values their keys."""
KEYS_PRESET = "preset"
"""The name in it that is not a command: of a preset that the other lines change."""


class NotAllowedError(ValueError):
    """A value is not one that its setting can have; the message says which ones are."""


class SettingKind(NamedTuple):
    """A setting that the file may have."""

    name: str
    """Its name; of one in a table with the table's: ``notifications.bell``."""
    default: object
    """Its default; a function that returns it, if it depends on what is installed."""
    check: Callable[[object], object]
    """Returns the value that is meant; raises `NotAllowedError`."""
    variable: str = ""
    """The environment variable that wins over the file, if there is one."""
    has_option: bool = True
    """Whether an option of a command may be called by the last part of its name."""

    @property
    def default_value(self) -> object:
        """The value that counts where nothing else gives one."""
        return self.default() if callable(self.default) else self.default


class FileEntry(NamedTuple):
    """A value as the file has it."""

    value: Any
    line: int
    """From 1; 0 where it is not known."""


class WrongLine(NamedTuple):
    """A line of the file that is left out."""

    line: int
    """From 1; 0 where it is not known, or where the whole file is meant."""
    message: str
    """What is wrong, and what is allowed: safe to show."""

    def text(self) -> str:
        """Return it as one sentence for a person."""
        return f"{FILE_NAME}{f':{self.line}' if self.line else ''}: {self.message}"


class FileSettings(NamedTuple):
    """All that a file says."""

    values: Mapping[str, FileEntry] = {}
    """The settings that can be used, by name."""
    keys: Mapping[str, FileEntry] = {}
    """The table of keys: a tuple of keys by a command's name, and a preset's name by `KEYS_PRESET`.

    The viewer knows which commands, keys and presets there are.
    """
    wrong: tuple[WrongLine, ...] = ()
    """What is left out, in the order of the lines."""

    def without_table(self, table: str, reason: str) -> "FileSettings":
        """Return it with one table left out, if it has that, and with the reason."""
        refused = [(name, entry) for name, entry in self.values.items() if name.startswith(f"{table}.")]
        if not refused:
            return self
        values = {name: entry for name, entry in self.values.items() if (name, entry) not in refused}
        first = min(entry.line for _, entry in refused)
        wrong = tuple(sorted([*self.wrong, WrongLine(first, f"{table}: {reason}; left out")]))
        return self._replace(values=values, wrong=wrong)


def strings_of(value: object) -> tuple[str, ...] | None:
    """Return a string, or a list of strings, as a tuple; None for any other value."""
    values = cast("list[object]", value) if isinstance(value, list) else [value]
    texts = tuple(text for text in values if isinstance(text, str))
    return texts if len(texts) == len(values) else None


def parse_settings(data: bytes, kinds: Sequence[SettingKind]) -> FileSettings:
    """Return what the bytes of a settings file say, which may have settings of these kinds, and keys.

    Nothing of a file that is not TOML is used.
    """
    import tomllib  # noqa: PLC0415 - most people have no such file

    if len(data) > MAX_FILE_BYTES:
        return FileSettings(wrong=(WrongLine(0, f"longer than {MAX_FILE_BYTES // 1024} KiB; nothing of it is used"),))
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return FileSettings(wrong=(WrongLine(line, "not UTF-8; nothing of the file is used"),))
    try:
        tree = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return FileSettings(wrong=(_broken(error, text),))
    by_name = {kind.name: kind for kind in kinds}
    tables = {name.partition(".")[0] for name in by_name if "." in name} | {KEYS_TABLE}
    return _read_tree(tree, _lines_of(text, tables, tomllib.loads), by_name, tables)


def _broken(error: Exception, text: str) -> WrongLine:
    """Return what is said about a file that is not TOML."""
    message = str(error) if isinstance(error, ValueError) else "nested too deeply"
    place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message)
    line = int(place[1]) if place and place[1] else text.count("\n") + 1 if place else 0
    reason = one_line(message[: place.start()] if place else message)
    return WrongLine(line, f"not TOML: {reason[:1].lower()}{reason[1:200]}; nothing of the file is used")


def _read_tree(
    tree: Mapping[str, Any],
    lines: Mapping[tuple[str, ...], int],
    by_name: Mapping[str, SettingKind],
    tables: Collection[str],
) -> FileSettings:
    values: dict[str, FileEntry] = {}
    keys: dict[str, FileEntry] = {}
    wrong: list[WrongLine] = []
    for path, value in _leaves(tree, tables):
        line = lines.get(path, 0)
        try:
            if path[0] == KEYS_TABLE and (len(path) > 1 or isinstance(value, str)):
                name = ".".join(path[1:]) or KEYS_PRESET
                keys[name] = FileEntry(_preset_name(value) if name == KEYS_PRESET else _key_names(value), line)
            else:
                kind = _kind(path, by_name, tables)
                values[kind.name] = FileEntry(kind.check(value), line)
        except NotAllowedError as error:
            wrong.append(WrongLine(line, f"{one_line('.'.join(path))[:60]}: {one_line(str(error))}; left out"))
    return FileSettings(values, keys, tuple(sorted(wrong)))


def _key_names(value: object) -> tuple[str, ...]:
    names = strings_of(value)
    if names is None:
        raise NotAllowedError('must be a key such as "s" or "ctrl+n", or a list of keys')
    return tuple(name for name in names if name)


def _preset_name(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    raise NotAllowedError('must be the name of a preset, such as "vim"')


def _kind(path: tuple[str, ...], by_name: Mapping[str, SettingKind], tables: Collection[str]) -> SettingKind:
    name = ".".join(path)
    if name in by_name:
        return by_name[name]
    if name in tables:
        preset = ", or the name of a preset" if name == KEYS_TABLE else ""
        raise NotAllowedError(f"must be a table, [{name}]{preset}")
    from difflib import get_close_matches  # noqa: PLC0415 - imported only for an error

    own_names = {known.rpartition(".")[2]: known for known in reversed([*by_name])}  # of equal ones, the first
    close = get_close_matches(path[-1], own_names, 1)
    meant = own_names[close[0]] if close else next(iter(get_close_matches(name, by_name, 1)), None)
    hint = f"did you mean {meant}?" if meant else f"there are {', '.join(by_name)} and [{KEYS_TABLE}]"
    raise NotAllowedError(f"unknown setting; {hint}")


def _leaves(
    tree: Mapping[str, Any], tables: Collection[str], before: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield each value with its path; an empty table has none unless its name is unknown."""
    for name, value in tree.items():
        path = (*before, name)
        if isinstance(value, dict) and (value or path[0] in tables):
            yield from _leaves(value, tables, path)  # pyright: ignore[reportUnknownArgumentType] - TOML's tables have strings as names
        else:
            yield path, value


def _lines_of(text: str, tables: Collection[str], loads: Callable[[str], dict[str, Any]]) -> dict[tuple[str, ...], int]:
    """Return the line of each value of a sound file: `tomllib` does not say it.

    A statement is the shortest run of lines that is TOML by itself: a table's heading, or a setting.
    """
    lines: dict[tuple[str, ...], int] = {}
    statement, first, table = "", 1, ()
    for number, line in enumerate(text.split("\n"), 1):
        statement, first = (statement + "\n" + line, first) if statement else (line, number)
        if number - first >= MAX_STATEMENT_LINES:
            break
        try:
            parsed = loads(statement)
        except ValueError:
            continue
        if statement.lstrip().startswith("["):
            table = _heading(parsed)
        for path, _ in _leaves(parsed, tables):
            lines[(*table, *path) if not statement.lstrip().startswith("[") else path] = first
        statement = ""
    return lines


def _heading(parsed: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the path of the table that a heading opens."""
    path: list[str] = []
    level: object = parsed
    while isinstance(level, dict) and level:
        [(name, level)] = cast("dict[str, object]", level).items()
        path.append(name)
    return tuple(path)
