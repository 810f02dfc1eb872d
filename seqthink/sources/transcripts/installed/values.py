"""Checks what a source of another package returns, so that a wrong value fails there and not where it is used."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar, cast

import msgspec

from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Fact, ToolCall
from seqthink.sources.transcripts.source import ClientProcess, FactBatch, FoundSession

_MAX_TIME: Final = 253_402_300_799_000_000
"""The last microsecond that a date can have."""


_T = TypeVar("_T")
_S = TypeVar("_S", bound=msgspec.Struct)


class WrongValueError(TypeError):
    """A source has returned something else than it should."""


def checked_sessions(value: object, source: str) -> list[FoundSession]:
    """Return the sessions that a source has found.

    Raises:
        WrongValueError: they are not sessions of this source.
    """
    return [checked_session(one, source) for one in _many(value, "sessions")]


def checked_session(value: object, source: str) -> FoundSession:
    """Return a session.

    Raises:
        WrongValueError: it is not one of this source.
    """
    if not isinstance(value, FoundSession):
        raise WrongValueError(f"a {type(value).__name__} instead of a FoundSession")
    if value.source != source:
        raise WrongValueError(f"a session of the source {value.source!r}; this one is {source!r}")
    checked(value.waits_for, str)
    checked(value.path, Path)
    if not checked(value.id, str):
        raise WrongValueError("a session whose id is empty")
    if not all(0 <= checked(number, int) <= _MAX_TIME for number in (value.changed, value.size, value.began)):
        raise WrongValueError(f"the session {value.id!r} has a time or a size below 0, or beyond all dates")
    return value


def checked_paths(value: object) -> tuple[Path, ...]:
    """Return paths.

    Raises:
        WrongValueError: they are not paths.
    """
    return tuple(checked(one, Path) for one in _many(value, "paths"))


def checked_facts(value: object) -> list[Fact]:
    """Return facts whose fields have the types that they should have.

    Raises:
        WrongValueError: they have not, or are not facts.
    """
    return [_checked_fact(one) for one in _many(value, "facts")]


def checked_calls(value: object) -> list[ToolCall]:
    """Return facts about calls.

    Raises:
        WrongValueError: they are others, or not facts.
    """
    return [checked(one, ToolCall) for one in checked_facts(value)]


def checked_batch(value: object) -> FactBatch:
    """Return what a look at a transcript brought.

    Raises:
        WrongValueError: it is something else.
    """
    batch = checked(value, FactBatch)
    return FactBatch(checked_facts(batch.facts), checked(batch.at_end, bool), checked(batch.restarted, bool))


def checked_counts(value: object) -> ReadCounts:
    """Return a copy of what became of records.

    Raises:
        WrongValueError: it is something else.
    """
    return _converted(checked(value, ReadCounts), ReadCounts)


def checked_times(value: object) -> dict[str, int]:
    """Return times by the ids of calls.

    Raises:
        WrongValueError: they are something else.
    """
    times = cast("Mapping[object, object]", checked(value, Mapping))
    return {checked(name, str): checked(time, int) for name, time in times.items()}


def checked_process(value: object) -> ClientProcess:
    """Return what is known of a client's process.

    Raises:
        WrongValueError: it is something else.
    """
    process = checked(value, ClientProcess)
    if process.is_running is not None:
        checked(process.is_running, bool)
    return ClientProcess(process.is_running, checked(process.waits_for, str), checked(process.since, int))


def checked(value: object, kind: type[_T]) -> _T:
    """Return a value that is of this type.

    Raises:
        WrongValueError: it is not.
    """
    if not isinstance(value, kind):
        raise WrongValueError(f"a {type(value).__name__} instead of a {kind.__name__}")
    return value


def _many(value: object, what: str) -> Sequence[object]:
    if not isinstance(value, Iterable) or isinstance(value, str | bytes):
        raise WrongValueError(f"a {type(value).__name__} instead of a list of {what}")
    return [*cast("Iterable[object]", value)]


def _checked_fact(value: object) -> Fact:
    fact = _converted(checked(value, Fact), type(checked(value, Fact)))
    if not 0 <= fact.time <= _MAX_TIME:
        raise WrongValueError(f"the fact {fact.id!r} has the time {fact.time}, which is not a date")
    return fact


def _converted(value: _S, kind: type[_S]) -> _S:
    """Return an equal struct, each field of which was looked at: to make one, none is."""
    try:
        return msgspec.convert(msgspec.structs.asdict(value), kind)
    except msgspec.ValidationError as error:
        raise WrongValueError(f"a {kind.__name__} with a field of another type: {error}") from error
