"""The keys that the user gave to commands: compared with those there are, bound, and named wherever a key is named."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from itertools import zip_longest

from msgspec import Struct
from textual.binding import Binding
from textual.keys import Keys

from seqthink.core.settings_file import KEYS_PRESET, KEYS_TABLE, FileEntry, WrongLine
from seqthink.core.text import one_line
from seqthink.drawing.panels.help_page import KEY_CELLS
from tui.commands import APP_PREFIX, COMMANDS, Command
from tui.key_presets import PRESETS

_ALIASES = {"esc": "escape", "return": "enter", "pgup": "pageup", "pgdn": "pagedown", "del": "delete", "ins": "insert"}
_LABELS = {
    "escape": "Esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "delete": "Del",
    "insert": "Ins",
    **{key.capitalize().lower(): key.capitalize() for key in ("up", "down", "left", "right", "home", "end")},
    **{key: key.capitalize() for key in ("enter", "space", "tab", "backspace")},
}
_ARROWS = {"↑": "Up", "↓": "Down", "←": "Left", "→": "Right"}
"""Signs of the help page by which it names keys."""
_PAIRS = {
    "step": ("step-back", "step-forward"),
    "landmark": ("previous-mark", "next-mark"),
    "speed": ("slower", "faster"),
    "hit": ("previous-hit", "next-hit"),
    "move": ("up", "down"),
    "page": ("page-up", "page-down"),
    "half_page": ("half-page-up", "half-page-down"),
    "fold": ("fold", "unfold"),
    "close": ("quit", "back"),
}
"""Names of the two commands that share an action: with -1 or True, and with 1 or False."""


def command_name(command: Command) -> str:
    """Return the name of a command in the settings: its action's, in words with hyphens."""
    name, _, argument = command.action.removeprefix(APP_PREFIX).removesuffix(")").partition("(")
    pair = _PAIRS.get(name)
    if pair is not None:
        return pair[argument not in {"-1", "True"}]
    return re.sub(r"[^a-z0-9]+", "-", f"{name} {argument}".strip().lower()).strip("-")


@cache
def named_commands() -> Mapping[str, Command]:
    """Return the commands whose keys may be changed, by name; those that work everywhere keep theirs."""
    found: dict[str, Command] = {}
    for command in COMMANDS:
        if command.action and not command.is_global:
            found.setdefault(command_name(command), command)
    return found


def default_keys(command: Command) -> tuple[str, ...]:
    """Return the keys of a command that the user has given no other."""
    return tuple(command.keys.split(",")) if command.keys else ()


class KeyMap(Struct, frozen=True):
    """The commands' keys; those of a command that is not named are its own."""

    changed: Mapping[str, tuple[str, ...]] = {}
    """The keys that the user or the preset chose, by the command's name."""
    wrong: tuple[WrongLine, ...] = ()
    """What of the settings could not be used."""
    preset: str = ""
    """The preset in force."""
    own: frozenset[str] = frozenset()
    """The changed commands whose keys are those of the settings, not of the preset."""

    def keys_of(self, name: str) -> tuple[str, ...]:
        """Return the keys of the command ``name``, as Textual names them."""
        return self.changed[name] if name in self.changed else default_keys(named_commands()[name])

    def bindings(self) -> list[Binding]:
        """Return the bindings of all commands whose keys may be changed."""
        return [
            Binding(",".join(keys), command.action, command.name or command.hint)
            for name, command in named_commands().items()
            if (keys := self.keys_of(name))
        ]

    def command(self, command: Command) -> Command:
        """Return a command of the palette with the key that it has now."""
        name = command_name(command) if command.action and not command.is_global else ""
        if name not in self.changed:
            return command
        return Command(command.name, label(next(iter(self.changed[name]), "")), command.action)

    def renamed(self, keys: str) -> str:
        """Return names of keys, parted by blanks, with those of today in place of the commands' own."""
        first = (next(iter(self._labels.get(word, (word,))), "") for word in keys.split(" "))
        return " ".join(dict.fromkeys(filter(None, first)))

    def all_of(self, keys: str) -> str:
        """Return the same with all keys of a changed command, in lines for the help page.

        Of commands that share an entry, the first keys come first, then the second ones, and so on.
        """
        labels = self._labels
        named: list[tuple[str, ...]] = []
        for word in keys.split(" "):
            arrows = [_ARROWS[sign] for sign in word if sign in _ARROWS]
            is_own = not any(arrow in labels for arrow in arrows)
            named += [labels.get(name, (name,)) for name in ([word] if is_own else arrows)]
        lines, seen = [""], {""}
        for rank in zip_longest(*named, fillvalue=""):
            own = " ".join(key for key in dict.fromkeys(rank) if key not in seen)
            seen.update(rank)
            line = f"{lines[-1]} {own}".strip()
            lines = [*lines[:-1], line] if len(line) <= KEY_CELLS or not lines[-1] else [*lines, own]
        return "\n".join(lines)

    @property
    def _labels(self) -> dict[str, tuple[str, ...]]:
        """What the changed commands' own keys are called, and what their keys of today are called."""
        return {
            label(key): tuple(map(label, keys))
            for name, keys in self.changed.items()
            for key in default_keys(named_commands()[name])
        }


def label(key: str) -> str:
    """Return a key's name for a person: ``Ctrl+N``, ``PgDn``, ``/``; of no key ""."""
    *modifiers, plain = key.split("+")
    shown = _LABELS.get(plain) or _characters().get(plain, plain)
    shown = shown.upper() if shown == plain and (modifiers or plain[1:]) else shown
    return "+".join([*(word.capitalize() for word in modifiers), shown])


@cache
def _characters() -> Mapping[str, str]:
    """Return the characters that Textual has a name for, by this name."""
    return {_key_of_character(sign): sign for sign in map(chr, range(33, 127))}


def _key_of_character(character: str) -> str:
    if character == ",":
        return "comma"
    [binding] = Binding.make_bindings([Binding(character, "")])
    return binding.key


@cache
def _named_keys() -> frozenset[str]:
    return frozenset(key.value for key in Keys if re.fullmatch(r"[a-z0-9+_]+", key.value)) | _characters().keys()


def key_name(text: str) -> str:
    """Return Textual's name of a key that a person named: a character, or a name such as ``ctrl+n`` or ``PgDn``.

    Raises:
        ValueError: there is no such key.
    """
    if len(text) == 1 and text.isprintable() and text != " ":
        return _key_of_character(text)
    *modifiers, plain = text.lower().replace("-", "+").split("+")
    if len(plain) == 1 and not plain.isalnum() and plain.isascii() and plain.isprintable() and plain != " ":
        plain = _key_of_character(plain)
    key = "+".join([*modifiers, _ALIASES.get(plain, plain)])
    if key not in _named_keys():
        raise ValueError(text)
    return key


def make_key_map(entries: Mapping[str, FileEntry]) -> KeyMap:
    """Return the keys of the settings; what cannot be used is left out and named.

    A preset's keys yield to those of single commands, which may exchange theirs.
    Where two would have the same key, the line that changed it last is left out.
    """
    own: dict[str, tuple[str, ...]] = {}
    preset = ""
    wrong: list[WrongLine] = []

    def leave_out(name: str, reason: str) -> None:
        own.pop(name, None)
        wrong.append(WrongLine(entries[name].line, f"{KEYS_TABLE}.{one_line(name)[:40]}: {reason}; left out"))

    for name, entry in entries.items():
        try:
            if name == KEYS_PRESET:
                preset = _checked_preset(*entry.value)
            else:
                own[name] = _checked_keys(name, entry.value)
        except ValueError as error:
            leave_out(name, str(error))
    while conflict := _conflict(KeyMap(_combined(preset, own)), own, entries):
        leave_out(*conflict)
    return KeyMap(_combined(preset, own), tuple(sorted(wrong)), preset, frozenset(own))


def _checked_preset(preset: str) -> str:
    if preset in PRESETS:
        return preset
    from difflib import get_close_matches  # noqa: PLC0415 - imported only for an error

    close = get_close_matches(preset.lower(), PRESETS, 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {' and '.join(PRESETS)}"
    raise ValueError(f'no preset is called "{one_line(preset)[:20]}"; {hint}')


def _combined(preset: str, own: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return the keys of a preset without those that the user gave to another command, and the user's."""
    given = {key for keys in own.values() for key in keys}
    keys = {name: map(key_name, texts.split(" ")) for name, texts in PRESETS.get(preset, {}).items()}
    return {**{name: tuple(key for key in named if key not in given) for name, named in keys.items()}, **own}


def _checked_keys(name: str, texts: Iterable[str]) -> tuple[str, ...]:
    if name not in named_commands():
        fixed = {command_name(command) for command in COMMANDS if command.is_global}
        if name in fixed:
            raise ValueError("its key cannot be changed: it works whatever is open")
        from difflib import get_close_matches  # noqa: PLC0415 - imported only for an error

        close = get_close_matches(name, named_commands(), 1)
        raise ValueError(
            f"unknown command; {f'did you mean {close[0]}?' if close else '`seqthink settings` lists them'}"
        )
    keys: list[str] = []
    for text in texts:
        try:
            keys.append(key_name(text))
        except ValueError:
            shown = one_line(text)[:20]
            raise ValueError(f'no key is called "{shown}"; a character, or a name such as ctrl+n, f5, pgdn') from None
    if any(key in fixed_keys() for key in keys):
        raise ValueError(f"{', '.join(map(label, sorted(fixed_keys())))} cannot have another meaning")
    return tuple(dict.fromkeys(keys))


@cache
def fixed_keys() -> frozenset[str]:
    """Return the keys of the commands that keep theirs."""
    return frozenset(key for command in COMMANDS if command.is_global for key in default_keys(command))


def _conflict(key_map: KeyMap, own: Collection[str], entries: Mapping[str, FileEntry]) -> tuple[str, str] | None:
    """Return the name of an own command whose key another one has, and why it cannot have it; None for none."""
    owners: dict[str, list[str]] = {}
    for name in named_commands():
        for key in key_map.keys_of(name):
            owners.setdefault(key, []).append(name)
    for key, names in owners.items():
        changed = sorted((name for name in names if name in own), key=lambda name: entries[name].line)
        if len(names) > 1 and changed:
            other = next(name for name in names if name != changed[-1])
            return changed[-1], f"{label(key)} is the key of {other} already; give that another one, too"
    return None
