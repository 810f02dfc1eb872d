"""Values that options take, and the journal folder that they name. Standard library only: `serve` starts with it."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from seqthink.core.errors import UsageError

if TYPE_CHECKING:  # each is loaded when a value needs it: `serve` usually has no options
    import argparse
    from datetime import datetime
    from pathlib import Path
    from types import SimpleNamespace

JOURNAL_FOLDER_HELP: Final = "the folder of the journals (default: SEQTHINK_JOURNAL_DIR, else SEQTHINK_HOME/sessions)"
_NUMBER_LIMIT = 2**53
_AGE = re.compile(r"([0-9]{1,9})([hdw])")
_AGE_HINT = "must be a number above 0 and h, d or w, as in 30d"
MIN_SPEED: Final = 0.25
MAX_SPEED: Final = 16
MIN_IDLE_SECONDS: Final = 0.1
MAX_IDLE_SECONDS: Final = 86_400
"""Bounds of a replay's speed and of its longest pause."""
_SIZE = re.compile(r"([0-9]{1,4})x([0-9]{1,4})")
MIN_SIZE: Final = (28, 8)
MAX_SIZE: Final = (400, 200)
"""Bounds of a recorded terminal, in columns and lines."""
_HOURS = {"h": 1, "d": 24, "w": 24 * 7}

_MIN_LIKENESS: Final = 0.7
"""From 0 to 1: less alike, a suggestion is a riddle (`--nonsense` is not `--no-notes`)."""


def bad_value(message: str) -> "argparse.ArgumentTypeError":
    """Return the error of an option's type, for a value that it refuses."""
    import argparse

    return argparse.ArgumentTypeError(message)


def refuse_unknown(parser: "argparse.ArgumentParser", unknown: Sequence[str]) -> NoReturn:
    """Refuse arguments that ``parser`` does not know; of an option, name the nearest one.

    Raises:
        UsageError: always.
    """
    command = parser.prog.rpartition(" ")[2]
    name = next((word.partition("=")[0] for word in unknown if word.startswith("-")), "")
    if not name:
        raise UsageError(f"{command}: unexpected argument {unknown[0][:40]!r}; see `{parser.prog} --help`")
    known = [option for action in parser._actions for option in action.option_strings]  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - argparse has no public list
    near = nearest(name, known)
    hint = f"did you mean {near}?" if near else f"see `{parser.prog} --help`"
    raise UsageError(f"{command}: unknown option {name[:40]}; {hint}")


def nearest(name: str, known: Iterable[str], min_likeness: float = _MIN_LIKENESS) -> str | None:
    """Return the name that a mistyped one most likely means, apart from the dashes of options; None if none is near."""
    from difflib import get_close_matches  # imported only for an error

    by_letters = {option.lstrip("-"): option for option in known}
    close = get_close_matches(name.lstrip("-"), by_letters, 1, min_likeness)
    return by_letters[close[0]] if close else None


def folder_path(text: str) -> "Path":
    """Return a folder's path, as an option's type. An empty one usually comes from an unset shell variable.

    Raises:
        argparse.ArgumentTypeError: it is empty.
    """
    if not text:
        raise bad_value("must name a folder, got nothing")
    from pathlib import Path

    return Path(text)


def whole_number(text: str, limit: int = _NUMBER_LIMIT) -> int:
    """Return a number above 0 and below ``limit``, as an option's type.

    Raises:
        argparse.ArgumentTypeError: it is not one.
    """
    if text.isascii() and text.isdigit() and len(text) <= len(str(limit)) and 0 < int(text) < limit:
        return int(text)
    raise bad_value(f"must be a whole number above 0, got {text[:40]!r}")


def number_between(text: str, minimum: float, maximum: float) -> float:
    """Return a number within bounds, as an option's type.

    Raises:
        argparse.ArgumentTypeError: it is not one.
    """
    try:
        number = float(text)
    except ValueError:
        number = minimum - 1
    if minimum <= number <= maximum:
        return number
    raise bad_value(f"must be a number from {minimum:g} to {maximum:g}, got {text[:40]!r}")


def replay_speed(text: str) -> float:
    """Return the speed of a replay, as an option's type.

    Raises:
        argparse.ArgumentTypeError: it is not one.
    """
    return number_between(text, MIN_SPEED, MAX_SPEED)


def idle_seconds(text: str) -> float:
    """Return the longest pause of a replay, as an option's type.

    Raises:
        argparse.ArgumentTypeError: it is not one.
    """
    return number_between(text, MIN_IDLE_SECONDS, MAX_IDLE_SECONDS)


def terminal_size(text: str) -> tuple[int, int]:
    """Return the columns and lines of ``100x30``, as an option's type.

    Raises:
        argparse.ArgumentTypeError: it is not a size, or too small or too large to draw on.
    """
    found = _SIZE.fullmatch(text)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if all(low <= number <= high for low, number, high in zip(MIN_SIZE, size, MAX_SIZE, strict=True)):
        return size
    smallest, largest = ("x".join(map(str, bound)) for bound in (MIN_SIZE, MAX_SIZE))
    raise bad_value(f"must be columns x lines from {smallest} to {largest}, as in 100x30, got {text[:40]!r}")


def age_in_hours(text: str) -> int:
    """Return an age such as ``12h``, ``30d`` or ``8w`` in hours, as an option's type.

    Raises:
        argparse.ArgumentTypeError: it is not one.
    """
    match = _AGE.fullmatch(text)
    if match is None or not int(match[1]):
        raise bad_value(f"{_AGE_HINT}, got {text[:40]!r}")
    return int(match[1]) * _HOURS[match[2]]


class Since(NamedTuple):
    """What `--since` gives: an age in hours, or a time."""

    hours: int = 0
    at: "datetime | None" = None

    def time(self, now: "datetime") -> "datetime":
        """Return the time that it means, in UTC; the calendar's first where it lies before that."""
        from datetime import UTC, datetime, timedelta

        try:
            return (self.at or now - timedelta(hours=self.hours)).astimezone(UTC)
        except (OverflowError, ValueError):
            return datetime.min.replace(tzinfo=UTC)

    @property
    def heading(self) -> str:
        """Its words: ``last 7 days``, ``since 2026-11-20``."""
        if self.at is not None:
            clock = f"{self.at: %H:%M}" if self.at.hour or self.at.minute else ""
            return f"since {self.at.date()}{clock}"
        is_days = self.hours % 24 == 0 and self.hours > 24
        return f"last {self.hours // 24} days" if is_days else f"last {self.hours} hours"


def since(text: str) -> Since:
    """Return what ``7d``, ``2026-11-20`` or ``2026-11-20T09:30`` means, as an option's type.

    A time without a zone is local.

    Raises:
        argparse.ArgumentTypeError: it is none of them.
    """
    from datetime import datetime

    if _AGE.fullmatch(text) is not None:
        return Since(age_in_hours(text))
    if re.match(r"[0-9]{4}-", text) is None:
        raise bad_value(f"{_AGE_HINT}, or a date, as in 2026-11-20, got {text[:40]!r}")
    try:
        return Since(at=datetime.fromisoformat(text))
    except ValueError:
        raise bad_value(f"no such date: {text[:40]!r}; write it as in 2026-11-20 or 2026-11-20T09:30") from None


def journal_folder(options: "argparse.Namespace | SimpleNamespace", environ: Mapping[str, str] | None = None) -> "Path":
    """Return the journal folder.

    It is the option's, else SEQTHINK_JOURNAL_DIR, else SEQTHINK_HOME/sessions, else the platform's.

    Raises:
        UsageError: it starts with ``~`` and the home folder is unknown.
    """
    from seqthink.journal.folder import default_folder

    environ = os.environ if environ is None else environ
    try:
        return options.journal_dir.expanduser() if options.journal_dir else default_folder(environ)
    except RuntimeError as error:
        raise UsageError("the home folder (~) is unknown; give the whole path with --journal-dir") from error


def named_folders(options: "argparse.Namespace | SimpleNamespace", environ: Mapping[str, str]) -> list[str]:
    """Return what the user named as the journal folder, or as one that holds it."""
    named = (options.journal_dir, environ.get("SEQTHINK_JOURNAL_DIR"), environ.get("SEQTHINK_HOME"))
    return [str(folder) for folder in named if folder]


def known_journal_folder(
    options: "argparse.Namespace | SimpleNamespace", environ: Mapping[str, str] | None = None
) -> "Path | None":
    """Return `journal_folder`; None where the user named none and has no home folder, as in some containers.

    Raises:
        UsageError: the folder that the user named starts with ``~`` and the home folder is unknown.
    """
    environ = os.environ if environ is None else environ
    try:
        return journal_folder(options, environ)
    except UsageError:
        if named_folders(options, environ):
            raise
        return None


def require_folder(folder: "Path") -> None:
    """Raise where there can never be a journal: a file is where the folder, or one above it, would be.

    Raises:
        UsageError: there is one.
    """
    for level in (folder, *folder.parents):
        try:
            if level.exists() and not level.is_dir():
                raise UsageError(f"{level} is a file, not a folder; give the folder of the journals as --journal-dir")
        except (OSError, ValueError):  # the reader of the folder reports why it cannot be read
            return
