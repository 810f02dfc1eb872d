"""What is in force: a command's options, else the environment, else `settings.toml`, else the default."""

import locale
import os
import stat
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from seqthink.cli.locale_variables import locale_variable, names_ascii
from seqthink.cli.upkeep.setting_kinds import KINDS, NOTIFY_TABLE, THEMES
from seqthink.core import system
from seqthink.core.errors import UsageError
from seqthink.core.labels import MAX_AUTHOR_CHARS
from seqthink.core.settings_file import (
    FILE_NAME,
    MAX_FILE_BYTES,
    FileEntry,
    FileSettings,
    SettingKind,
    WrongLine,
    parse_settings,
)
from seqthink.core.text import one_line
from seqthink.journal.folder import seqthink_home
from seqthink.sources.transcripts.registry import parse_sources, sources_of

MONOCHROME = "mono"
"""The theme without colours, which only NO_COLOR asks for."""
_UTF8 = frozenset({"utf8", "cp65001"})


class Setting(NamedTuple):
    """A setting that is in force, and why."""

    name: str
    value: Any
    origin: str
    """``option``, ``environment``, ``file`` or ``default``; of keys ``preset NAME``, too."""
    where: str = ""
    """The option, the variable, or the line of the file."""


class Preferences:
    """All settings in force for a command with ``options``; an option that the command does not have was not given.

    Args:
        options: the command's options.
        environ: the environment.
        file: what the settings file says.
        ascii_reason: what in the environment keeps signs that are not ASCII from being shown, if anything.
    """

    def __init__(self, options: Namespace, environ: Mapping[str, str], file: FileSettings, ascii_reason: str) -> None:
        self._options = options
        self._environ = environ
        self._ascii_reason = ascii_reason
        self.file = file

    def setting(self, kind: SettingKind) -> Setting:
        """Return what is in force for one kind of setting.

        Raises:
            UsageError: the option or the variable has a value that is not allowed.
        """
        name = kind.name.rpartition(".")[2]
        given = getattr(self._options, name, None) if kind.has_option else None
        entry = self.file.values.get(kind.name)
        by_environment = self._from_environment(kind, is_given=given is not None)
        if by_environment is not None:
            return by_environment
        if given is not None:
            option = f"--no-{name}" if given is False else f"--{name}"
            return Setting(kind.name, parse_sources(str(given)) if name == "sources" else given, "option", option)
        if entry is not None:
            return Setting(kind.name, entry.value, "file", f"line {entry.line}" if entry.line else "")
        return Setting(kind.name, kind.default_value, "default")

    def _from_environment(self, kind: SettingKind, *, is_given: bool) -> Setting | None:
        """Return what the environment demands; of an option that is given, only NO_COLOR is stronger."""
        environ, name = self._environ, kind.name
        found: tuple[Any, str] | None = None
        if name == "theme" and environ.get("NO_COLOR"):
            found = MONOCHROME, "NO_COLOR"
        elif is_given:
            return None
        elif kind.variable and environ.get(kind.variable, "").strip():
            found = _variable_value(kind, environ), kind.variable
        elif name == "ascii" and self._ascii_reason:
            found = True, self._ascii_reason
        elif name == "motion" and (variable := _stillness(environ)):
            found = False, variable
        return Setting(name, found[0], "environment", found[1]) if found is not None else None

    def value(self, name: str) -> Any:  # noqa: ANN401 - each kind checks its own
        """Return the value in force of the setting ``name``.

        Raises:
            UsageError: the option or the variable has a value that is not allowed.
        """
        return self.setting(next(kind for kind in KINDS if kind.name == name)).value

    # In their types

    @property
    def theme(self) -> str:
        """The theme: one of `THEMES`, or `MONOCHROME`."""
        return cast("str", self.value("theme"))

    @property
    def sources(self) -> frozenset[str]:
        """Whose sessions are looked for: names as in `seqthink.sources.transcripts.registry`."""
        return cast("frozenset[str]", self.value("sources"))

    @property
    def stale(self) -> int:
        """Seconds without a thought after which a session is quiet."""
        return cast("int", self.value("stale"))

    @property
    def stuck(self) -> int:
        """Seconds without a thought after which a session that thinks counts as stuck."""
        return cast("int", self.value("stuck"))

    @property
    def wall(self) -> tuple[int, int] | None:
        """Columns and rows of the wall's tiles; None for as many as fit."""
        named = cast("str", self.value("wall"))
        columns, _, rows = named.partition("x")
        return (int(columns), int(rows)) if rows else None

    @property
    def author(self) -> str:
        """Who writes comments here; empty for the user's name on this machine."""
        return cast("str", self.value("author"))

    @property
    def has_motion(self) -> bool:
        """Whether new rows fade in."""
        return cast("bool", self.value("motion"))

    @property
    def has_mouse(self) -> bool:
        """Whether mouse events are requested from the terminal."""
        return cast("bool", self.value("mouse"))

    @property
    def is_ascii(self) -> bool:
        """Whether to draw with ASCII characters only."""
        return cast("bool", self.value("ascii"))

    @property
    def has_title(self) -> bool:
        """Whether the terminal's title says who needs the user."""
        return cast("bool", self.value("notifications.title"))

    @property
    def has_bell(self) -> bool:
        """Whether the bell rings when a session needs the user."""
        return cast("bool", self.value("notifications.bell"))

    @property
    def has_notifications(self) -> bool:
        """Whether the desktop says that a session needs the user."""
        return cast("bool", self.value("notifications.notify"))

    @property
    def commands(self) -> Mapping[str, tuple[str, ...]]:
        """The commands that are started when a session needs the user or has ended: their words, by the state."""
        found = {kind.name: cast("Sequence[str]", self.value(kind.name)) for kind in KINDS if not kind.has_option}
        return {name.rpartition(".")[2]: tuple(words) for name, words in found.items() if words}

    @property
    def keys(self) -> Mapping[str, FileEntry]:
        """The keys that the file gives to commands, not yet compared with those there are."""
        return self.file.keys


def preferences_of(options: Namespace, environ: Mapping[str, str] | None = None) -> Preferences:
    """Return what is in force for a command with ``options``; the settings file is read now."""
    environ = os.environ if environ is None else environ
    return Preferences(options, environ, read_settings_file(settings_path(environ)), ascii_reason(environ))


def settings_path(environ: Mapping[str, str]) -> Path | None:
    """Return where the settings file is, or would be; None if the home folder is unknown."""
    try:
        return seqthink_home(environ) / FILE_NAME
    except RuntimeError:
        return None


def read_settings_file(path: Path | None) -> FileSettings:
    """Return what the settings file says; one that is not there says nothing. It is read only if it is a file."""
    if path is None:
        return FileSettings()
    try:
        descriptor = os.open(path, system.READ)
    except (FileNotFoundError, NotADirectoryError):
        return FileSettings()
    except (OSError, ValueError) as error:
        return _unread((error.strerror if isinstance(error, OSError) else None) or str(error))
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            return _unread("not a regular file")
        data = b""
        while len(data) <= MAX_FILE_BYTES and (more := os.read(descriptor, MAX_FILE_BYTES + 1)):
            data += more
    except OSError as error:
        return _unread(error.strerror or str(error))
    finally:
        os.close(descriptor)
    reason = _reason_to_run_nothing(state)
    found = parse_settings(data, KINDS)
    return found.without_table(NOTIFY_TABLE, reason) if reason else found


def _reason_to_run_nothing(state: os.stat_result) -> str:
    """Return why no command of the settings file is started; empty if nobody but the user can have written it."""
    if not system.is_own(state):
        return "the file belongs to another user, so no command in it is started"
    if system.HAS_POSIX_FILES and state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "others may write to the file, so no command in it is started; `chmod go-w` changes that"
    return ""


def _unread(reason: str) -> FileSettings:
    return FileSettings(wrong=(WrongLine(0, f"cannot be read: {one_line(reason.lower())}"),))


def _variable_value(kind: SettingKind, environ: Mapping[str, str]) -> Any:  # noqa: ANN401 - as its kind has it
    if kind.name == "sources":
        return sources_of(environ, None)
    named = environ[kind.variable]
    if kind.name == "author":
        return named[:MAX_AUTHOR_CHARS]
    if named not in THEMES:
        raise UsageError(f"SEQTHINK_THEME: unknown theme {named[:40]!r}; choose from: {', '.join(THEMES)}")
    return named


def _stillness(environ: Mapping[str, str]) -> str:
    """Return the variable that asks for no motion, or "". Over SSH there is none."""
    if environ.get("TEXTUAL_ANIMATIONS") == "none":
        return "TEXTUAL_ANIMATIONS"
    return "SSH_CONNECTION" if environ.get("SSH_CONNECTION") else ""


def ascii_reason(environ: Mapping[str, str], *, is_utf8_mode: bool | None = None) -> str:
    """Return what keeps signs that are not ASCII from being shown: a variable of the locale, or stdout; else ""."""
    named = locale_variable(environ, is_utf8_mode=is_utf8_mode)
    if names_ascii(environ, named):
        return named
    if hasattr(locale, "nl_langinfo") and not _is_utf8(locale.nl_langinfo(locale.CODESET)):
        return named or "the locale"
    return "" if _is_utf8(getattr(sys.stdout, "encoding", None) or "") else "stdout"


def _is_utf8(encoding: str) -> bool:
    return encoding.lower().replace("-", "") in _UTF8
