"""The pages of `docs/` that are generated whole: the commands with their options, and the settings."""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module

from typing_extensions import override

from seqthink.__main__ import COMMAND_GROUPS
from seqthink.cli import module_name, serve_options
from seqthink.cli.common import PROGRAM_NAME
from seqthink.cli.upkeep.setting_kinds import KINDS, MAX_WALL_TILES
from seqthink.core.settings_file import KEYS_PRESET, KEYS_TABLE, SettingKind
from seqthink.share.notify.states import NotifyState
from seqthink.sources.transcripts.registry import SOURCE_NAMES
from tui.key_map import default_keys, key_name, label, named_commands
from tui.key_presets import PRESETS

_COMMANDS_HEAD = """\
# Commands

Every command of seqthink with its arguments and options, as `seqthink COMMAND --help` prints them. This page is
generated from the program.

`seqthink --help` lists the commands, and `seqthink --version` prints the version. An option wins over the environment,
the environment over the [settings file](settings.md), and the file over the default. The exit status is 0 for success,
1 for failure and 2 for a bad request, with one line on stderr that names the fix.

"""
_SETTINGS_HEAD = """\
# Settings

Every line that `settings.toml` may have, with its default. This page is generated from the program.

The file is in the folder that `SEQTHINK_HOME` names, else in your platform's state folder for seqthink. For example:

```toml
theme = "light"             # dark, light, ansi
sources = ["journal", "claude"]
wall = "2x3"                # columns and rows of tiles

[notifications]
bell = false

[keys]
sessions = "ctrl+n"
search = ["/", "f3"]        # a command may have several keys, or none: []
```

Every line is optional. An option wins over the environment, the environment over the file, and the file over the
default. `seqthink settings` prints, in the form of such a file, every setting and every command of the viewer, with the
value in force and its origin.

Lines with an unknown name, an invalid value or a key already in use are ignored. The viewer shows `settings.toml:3: …`
until you press the first key. A file that is not valid TOML is ignored as a whole.

The commands of the table `[notify]` are described in [many sessions](sessions.md#your-own-commands); `[notifications]`
is about the terminal that the viewer runs in.

The variables of the server are in [tools](tools.md#command-line), those of a fleet in
[fleet](fleet.md#addresses-and-passwords).

"""
_KEYS_HEAD = f"""
## Keys

Lines of the table `[{KEYS_TABLE}]`: the name of a command of the viewer, and its keys. `?` in the viewer shows the keys
in force, and [screens](screens.md#keys) describes what a key does on each screen. Two commands may exchange their keys.
Ctrl+C and Ctrl+Z cannot be changed, and lists keep their own keys.

"""
_PRESETS_HEAD = f"""
## Keys of another program

`keys = "less"` or `keys = "vim"` at the top of the file gives the keys of that program. To combine both, write
`{KEYS_PRESET} = "less"` in the table `[{KEYS_TABLE}]`; the other lines of the table then win. Commands that a preset
does not name keep their keys.

"""
_WALL_HELP = (
    f'columns and rows of tiles on the wall, such as "2x3", each from 1 to {MAX_WALL_TILES}; "auto": as many as fit'
)
_AUTHOR_HELP = 'whose name your comments have; "": your user name and this machine\'s'
"""The settings that are not options of `seqthink watch`, but for the commands."""
_NOTIFY_HELP = {
    NotifyState.ASKING: "the command that is started when a session asks you",
    NotifyState.STUCK: "when a session is stuck",
    NotifyState.DONE: "when a session is done",
    NotifyState.LOST: "when a session was lost",
    NotifyState.CONTEXT: "when an agent's context is nearly full",
}
"""What is said of each command of the user."""


class _Listing(argparse.HelpFormatter):
    """A help page as data: every argument that a parser formats is listed, with its explanation filled in."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self.listed: list[tuple[argparse.Action, str, str]] = []
        """The action, how it is written on a command line, and what it does."""

    @override
    def add_argument(self, action: argparse.Action) -> None:
        if action.help not in {None, argparse.SUPPRESS} and action.dest != "help":
            self.listed.append((action, self._written(action), self._expand_help(action)))

    def _written(self, action: argparse.Action) -> str:
        if not action.option_strings:
            return self._format_args(action, action.dest)
        value = "" if action.nargs == 0 else f" {self._format_args(action, action.dest.upper())}"
        return ", ".join(action.option_strings) + value


class _Prose:
    """What a help page says above or below the options: text, and command lines as examples."""

    def __init__(self, shown: str) -> None:
        lines = [
            line.replace("example: ", "  ") if line.startswith("example: ") else line for line in shown.splitlines()
        ]
        self.examples = [line.strip() for line in lines if line.startswith("  ")]
        text = "\n".join("" if line.startswith("  ") else line for line in lines)
        self.text = "\n\n".join(" ".join(part.split()) for part in text.split("\n\n") if part.strip())


class _Documented:
    """One command, as its parser describes it."""

    def __init__(self, name: str) -> None:
        self.name = name
        parser = _parser(name)
        listing = _Listing(parser.prog)
        parser.formatter_class = lambda prog: listing  # noqa: ARG005 - argparse names the argument
        parser.format_help()
        self.description = _Prose(parser.description or "")
        self.notes = _Prose(parser.epilog or "")
        self.arguments = [
            (written, help_text) for action, written, help_text in listing.listed if not action.option_strings
        ]
        self.options = [(written, help_text) for action, written, help_text in listing.listed if action.option_strings]
        self.help_by_name = {action.dest: help_text for action, _, help_text in listing.listed}
        arguments = "".join(f" {written}" for written, _ in self.arguments)
        self.usage = parser.usage % {"prog": parser.prog} if parser.usage else f"{parser.prog} [options]{arguments}"


def _parser(name: str) -> argparse.ArgumentParser:
    """Return the parser of a command, without what the environment says."""
    if name == "serve":
        return serve_options.make_parser({})
    parser: argparse.ArgumentParser = import_module(f"seqthink.cli.{module_name(name)}").make_parser()
    return parser


def commands_page() -> str:
    """Return the text of `docs/commands.md`."""
    page = _COMMANDS_HEAD + "".join(_table(("For", "Commands"), map(_group_row, COMMAND_GROUPS.items())))
    for group in COMMAND_GROUPS.values():
        page += "".join("\n" + _section(_Documented(name), summary) for name, summary in group.items())
    return page


def _group_row(group: tuple[str, Mapping[str, str]]) -> tuple[str, str]:
    title, commands = group
    return title, " ".join(f"[`{name}`](#{name})" for name in commands)


def _section(command: _Documented, summary: str) -> str:
    """Return what the page says about a command; a blank line parts its pieces."""
    pieces = [f"## {command.name}\n", f"{command.description.text or summary}\n"]
    pieces.append(_fence(_indented(line.strip()) for line in command.usage.splitlines()))
    for head, arguments in (("Argument", "Is"), command.arguments), (("Option", "Does"), command.options):
        if arguments:
            pieces.append("".join(_table(head, ((_code(written), text) for written, text in arguments))))
    if examples := [*command.description.examples, *command.notes.examples]:
        pieces += ["For example:\n", _fence(examples)]
    if command.notes.text:
        pieces.append(f"{command.notes.text}\n")
    return "\n".join(pieces)


def _fence(lines: Iterable[str]) -> str:
    return "```text\n" + "".join(f"{line}\n" for line in lines) + "```\n"


def _indented(line: str) -> str:
    """Return a line of a usage, farther to the right where it goes on from the one above."""
    return line if line.startswith(PROGRAM_NAME) else f"    {line}"


def settings_page() -> str:
    """Return the text of `docs/settings.md`."""
    explained = {**_Documented("watch").help_by_name, "wall": _WALL_HELP, "author": _AUTHOR_HELP}
    rows = [
        _setting_row(kind, explained[name] if kind.has_option else _NOTIFY_HELP[NotifyState(name)])
        for kind, name in ((kind, kind.name.rpartition(".")[2]) for kind in KINDS)
    ]
    return (
        _SETTINGS_HEAD
        + "".join(_table(("Setting", "Default", "Environment", "Does"), rows))
        + _KEYS_HEAD
        + "".join(_table(("Command", "Keys", "Does"), _key_rows()))
        + _PRESETS_HEAD
        + "".join(_table(("Keys of", *map(_code, PRESETS)), _preset_rows()))
    )


def _key_rows() -> Iterator[Sequence[str]]:
    """Yield a row for each command of the viewer; one line of the help page may explain several in a row."""
    shared = ""
    for name, command in named_commands().items():
        shared = command.help.meaning if command.help else shared
        does = command.name or shared
        keys = " ".join(_code(label(key)) for key in default_keys(command))
        yield _code(name), keys or "none", does[:1].lower() + does[1:]


def _preset_rows() -> Iterator[Sequence[str]]:
    """Yield a row for each command that a preset gives other keys, with those of each preset."""
    for name in named_commands():
        texts = [preset.get(name, "") for preset in PRESETS.values()]
        if any(texts):
            yield _code(name), *(" ".join(_code(label(key_name(key))) for key in text.split()) for text in texts)


def _setting_row(kind: SettingKind, explanation: str) -> Sequence[str]:
    default = kind.default_value
    value = list(SOURCE_NAMES) if default == frozenset(SOURCE_NAMES) else default
    does = explanation.partition(" (default")[0]
    return _code(kind.name), _code(json.dumps(value)), _code(kind.variable) if kind.variable else "", does


def _code(text: str) -> str:
    return f"`{text}`"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for cells in (head, ["---"] * len(head), *rows):
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


GENERATED = {"commands": commands_page, "settings": settings_page}
"""The pages that nobody edits, by name."""
