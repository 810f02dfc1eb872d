"""Python by ruff: a process that reads it on its standard input, with nothing of the workspace's configuration."""

import re
import sysconfig
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from subprocess import DEVNULL
from typing import Final

import anyio
import msgspec
from msgspec.structs import replace

from seqthink.audit.judges.fragments import Way, ways
from seqthink.audit.judges.languages import is_fragment
from seqthink.audit.judges.reading import MOST_TRIED, Reading
from seqthink.audit.judges.rules import FRAGMENT_IGNORE, IGNORE, MOST_COMPLEX, SELECT, rule
from seqthink.audit.judges.sketches import has_to_be_right
from seqthink.audit.judges.syntax import MOST, broken
from seqthink.audit.review import Finding
from seqthink.audit.sources import Source
from seqthink.redaction import redact_text
from seqthink.text import one_line

TIME_LIMIT: Final = 20.0
_VERSION: Final = "py313"
_ENVIRONMENT: Final = {"LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
_WIDTH: Final = 160


_MODULE: Final = re.compile(
    r"(?<![\w.])(asyncio|dataclasses|hashlib|httpx|jinja2|marshal|os|paramiko|pickle|requests|shutil|ssl|subprocess|tarfile"
    r"|tempfile|time|urllib|yaml)(?=\.)"
)
"""Modules whose use says something, by the names under which everybody imports them."""


_IMPORT: Final = re.compile(r"^(?:import|from) \w", re.MULTILINE)


class RuffError(Exception):
    """Ruff could not judge; the text says why."""


class NoProgramError(RuffError):
    """The code is none that Python takes, and need not be."""


class _Place(msgspec.Struct):
    row: int


class _Alarm(msgspec.Struct):
    message: str
    location: _Place
    code: str | None = None


async def python(reading: Reading) -> list[Finding]:
    """Return what ruff says of ``reading``, in the order of lines.

    Raises:
        NoProgramError: the code is none that Python takes, and need not be.
        RuffError: ruff is not installed, took too long or failed.
    """
    found = await _found(reading)
    if not any(finding.is_fatal for finding in found):
        return found
    plainest: list[Finding] = []
    for way in _other_ways(reading):
        other = await _found(replace(reading, way=way))
        if not any(finding.is_fatal for finding in other):
            return other
        plainest = plainest or other
    if not has_to_be_right(reading.source):
        raise NoProgramError
    return [finding for finding in plainest or found if finding.is_fatal][:MOST]


def _other_ways(reading: Reading) -> Iterator[Way]:
    """Yield the ways to read a fragment: the grammar takes more for Python than Python does."""
    text = reading.source.text
    if len(text) <= MOST_TRIED:
        yield from ways(reading.language, text, may_vary=True)


async def _found(reading: Reading) -> list[Finding]:
    return [finding for alarm in await _alarms(reading) for finding in _finding(reading, alarm)]


@cache
def ruff() -> str | None:
    """Return the path of ruff: the one beside this interpreter, else the one on PATH."""
    beside = Path(sysconfig.get_path("scripts")) / "ruff"
    if beside.is_file():
        return str(beside)
    return _bundled() or which("ruff")


def _bundled() -> str | None:
    if find_spec("ruff") is None:
        return None
    from ruff import find_ruff_bin  # noqa: PLC0415 - an extra

    try:
        return str(find_ruff_bin())
    except FileNotFoundError:
        return None


async def _alarms(reading: Reading) -> list[_Alarm]:
    program = ruff()
    if program is None:
        raise RuffError("ruff is not installed")
    text = _with_imports(reading)
    try:
        with anyio.fail_after(TIME_LIMIT):
            done = await anyio.run_process(
                [program, *_arguments(reading)], input=text, stderr=DEVNULL, check=False, env=_ENVIRONMENT, cwd="/"
            )
    except TimeoutError:
        raise RuffError(f"ruff took more than {TIME_LIMIT:.0f} s") from None
    except OSError as error:
        raise RuffError(f"ruff does not start: {error.strerror}") from error
    except ExceptionGroup as group:
        _, others = group.split(anyio.BrokenResourceError)
        if others is not None:
            raise
        raise RuffError("ruff failed") from None
    try:
        alarms = msgspec.json.decode(done.stdout, type=list[_Alarm])
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise RuffError("ruff failed") from None
    return sorted(alarms, key=lambda alarm: (alarm.location.row, alarm.code or "", alarm.message))


def _with_imports(reading: Reading) -> bytes:
    """Return the text on its second line and below; on the first, of a fragment, the imports that it seems to have had.

    Without them ruff takes `os.system` for anybody's.
    """
    text = reading.way.text
    used = dict.fromkeys(_MODULE.findall(text)) if _is_part(reading) else ()
    return f"{'import ' + ', '.join(used) if used else ''}\n{text}".encode("utf-8", "replace")


def _is_part(reading: Reading) -> bool:
    """Return whether names may come from what is not shown: a fence may name a file and show a function of it."""
    source = reading.source
    is_shown_whole = source.added is not None or bool(_IMPORT.search(source.text))
    return is_fragment(source) or reading.way.text != source.text or not is_shown_whole


def _arguments(reading: Reading) -> list[str]:
    ignored = [*IGNORE, *(FRAGMENT_IGNORE if _is_part(reading) else ())]
    if reading.source.path.endswith("__init__.py"):
        ignored.append("F401")
    return [
        "check", "--isolated", "--no-cache", "-", "--output-format", "json", "--exit-zero", "--no-fix", "--ignore-noqa",
        "--target-version", _VERSION, "--stdin-filename", "code.py", "--select", ",".join(SELECT),
        "--ignore", ",".join(ignored), "--config", f"lint.mccabe.max-complexity={MOST_COMPLEX}",
    ]  # fmt: skip


def _finding(reading: Reading, alarm: _Alarm) -> list[Finding]:
    line = reading.line_of_row(alarm.location.row - 2)
    if alarm.code in (None, "invalid-syntax", "E999", "E902"):
        return [broken(reading, line, f"Syntax error: {_shown(alarm.message)}; correct it.")]
    if alarm.location.row - 1 <= reading.way.shift:
        return []
    known = rule(alarm.code, alarm.message)
    if known.dimension != "security" and _is_excused(reading.source, line):
        return []
    comment = known.comment or f"{_shown(alarm.message)}; correct it."
    name = alarm.message.split("`")[1][:40] if alarm.code in _NAMED and alarm.message.count("`") >= 2 else ""
    return [
        Finding(
            path=reading.source.path, line=line, dimension=known.dimension, cost=known.cost,
            comment=f"{_shown(name)}: {comment}" if name else comment,
        )
    ]  # fmt: skip


def _is_excused(source: Source, line: int) -> bool:
    """Return whether the author says that a line is meant so; of what is unsafe, nobody is let off by that."""
    lines = source.text.split("\n")
    return bool(_EXCUSE.search(lines[min(line - source.first_line, len(lines) - 1)]))


def _shown(message: str) -> str:
    """Return what ruff says, which may quote the code, fit for a comment."""
    return redact_text(one_line(message)[:_WIDTH].rstrip("."))


_EXCUSE: Final = re.compile(r"#\s*noqa\b", re.IGNORECASE)
_NAMED: Final = ("F401", "F811", "F821", "F823", "F841")
"""Rules whose message says which name is meant."""
