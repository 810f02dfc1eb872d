"""`seqthink settings`: prints every setting with what is in force and why, as a settings file is written."""

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from seqthink.cli.common import CommandParser, print_stderr
from seqthink.cli.preferences import MONOCHROME, Preferences, Setting, preferences_of, settings_path
from seqthink.cli.standard_output import output
from seqthink.cli.upkeep.setting_kinds import KINDS, NOTIFY_TABLE
from seqthink.core.errors import UsageError
from seqthink.core.settings_file import KEYS_PRESET, KEYS_TABLE, WrongLine
from seqthink.core.text import one_line
from seqthink.share.notify.states import NotifyState
from seqthink.sources.transcripts.registry import NONE_OF_ALL, source_names

_COMMENT_COLUMN = 34


class _Report(NamedTuple):
    """What is in force."""

    path: str
    is_there: bool
    settings: Sequence[Setting]
    keys: Sequence[Setting]
    """The keys of each command of the viewer; the command's label is in `labels`."""
    labels: dict[str, str]
    wrong: Sequence[WrongLine]


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "settings",
        "seqthink settings",
        "seqthink settings --json",
        "seqthink settings --try-notify asking",
        notes="It also names the invalid lines of the settings file; then it exits with 1.",
        reads_journals=False,
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--try-notify",
        choices=[str(state) for state in NotifyState],
        metavar="STATE",
        help=f"start the command of [notify] for this state, with facts made up for it: {', '.join(NotifyState)}",
    )
    return parser


def run(arguments: list[str]) -> int:
    """Print the settings; exit 1 if a line of the file cannot be used."""
    options = make_parser().parse_args(arguments)
    preferences = preferences_of(argparse.Namespace())
    if options.try_notify is not None:
        from seqthink.cli.upkeep.notify_trial import try_notify  # runs programs, as nothing else here does

        return try_notify(NotifyState(options.try_notify), preferences, is_json=options.json)
    report = _make_report(preferences)
    with output() as out:
        if options.json:
            out.write(json.dumps(_fields(report), indent=1) + "\n")
        else:
            out.writelines(f"{line}\n" for line in _lines(report))
    if not options.json:
        for wrong in report.wrong:
            print_stderr(wrong.text())
    return 1 if report.wrong else 0


def wrong_lines() -> tuple[Path, Sequence[WrongLine]]:
    """Return where the settings file is, and what of it cannot be used.

    Raises:
        UsageError: the home folder is unknown, or a variable has a value that is not allowed.
    """
    report = _make_report(preferences_of(argparse.Namespace()))
    return Path(report.path), report.wrong


def _make_report(preferences: Preferences) -> _Report:
    from tui.key_map import label, make_key_map, named_commands  # not needed for Tab or help

    path = settings_path(os.environ)
    if path is None:
        raise UsageError("the home folder (~) is unknown; give the whole path in SEQTHINK_HOME")
    key_map = make_key_map(preferences.keys)
    keys: list[Setting] = []
    if key_map.preset:
        keys.append(Setting(KEYS_PRESET, [key_map.preset], "file", _line_of(preferences, KEYS_PRESET)))
    for name in named_commands():
        value = [label(key) for key in key_map.keys_of(name)]
        if name in key_map.own:
            keys.append(Setting(name, value, "file", _line_of(preferences, name)))
        else:
            keys.append(Setting(name, value, f"preset {key_map.preset}" if name in key_map.changed else "default"))
    return _Report(
        str(path),
        path.exists(),
        [preferences.setting(kind) for kind in KINDS],
        keys,
        {name: command.name for name, command in named_commands().items()},
        sorted([*preferences.file.wrong, *key_map.wrong]),
    )


def _line_of(preferences: Preferences, name: str) -> str:
    line = preferences.keys[name].line
    return f"line {line}" if line else ""


def _fields(report: _Report) -> dict[str, Any]:
    return {
        "file": report.path,
        "exists": report.is_there,
        "settings": [_setting_fields(setting) for setting in report.settings],
        "keys": [_setting_fields(setting) for setting in report.keys],
        "wrong": [{"line": wrong.line or None, "reason": wrong.message} for wrong in report.wrong],
    }


def _setting_fields(setting: Setting) -> dict[str, Any]:
    return {
        "name": setting.name,
        "value": _plain(setting.value),
        "origin": setting.origin,
        "where": setting.where or None,
    }


def _plain(value: Any) -> Any:  # noqa: ANN401 - what JSON and TOML have in common
    if isinstance(value, frozenset):
        return [name for name in source_names() if name in value] or [NONE_OF_ALL]
    return value


def _lines(report: _Report) -> Iterator[str]:
    """Yield a settings file that says what is in force; what no file can say is a comment."""
    yield f"# {one_line(report.path)}{'' if report.is_there else ' (not there yet)'}"
    table = ""
    for setting in report.settings:
        before, _, name = setting.name.rpartition(".")
        if before != table:
            table = before
            yield from ("", f"[{table}]")
        # a command of one word that has a blank is a list: a text would be split
        value = _toml(setting.value) if table != NOTIFY_TABLE else json.dumps(setting.value, ensure_ascii=False)
        line = f"{name} = {value}"
        yield _commented(f"# {line}" if setting.value == MONOCHROME else line, _reason(setting))
    yield from ("", f"[{KEYS_TABLE}]")
    for setting in report.keys:
        meaning = report.labels.get(setting.name, "")
        yield _commented(
            f"{setting.name} = {_toml(setting.value)}",
            f"{_reason(setting)}; {meaning[:1].lower()}{meaning[1:]}" if meaning else _reason(setting),
        )


def _commented(line: str, comment: str) -> str:
    return f"{line:<{_COMMENT_COLUMN}}  # {comment}"


def _reason(setting: Setting) -> str:
    return setting.where or setting.origin


def _toml(value: Any) -> str:  # noqa: ANN401 - a setting's value
    plain = _plain(value)
    if isinstance(plain, list) and len(plain) == 1:  # pyright: ignore[reportUnknownArgumentType] - of strings
        plain = plain[0]  # pyright: ignore[reportUnknownVariableType] - a string
    return json.dumps(plain, ensure_ascii=False)
