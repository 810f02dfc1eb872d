"""Runs ruff on Python code: on standard input, isolated from the configuration of the workspace."""

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

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.languages import is_fragment
from seqthink.audit.judges.parsing import MAX_WRAPPED_CHARS, ParsedUnit
from seqthink.audit.judges.pseudocode import must_parse
from seqthink.audit.judges.ruff_rules import FRAGMENT_IGNORE, IGNORE, MAX_COMPLEXITY, SELECT, rule_for
from seqthink.audit.judges.snippet_wrapping import Wrapping, wrappings
from seqthink.audit.judges.syntax import MAX_SYNTAX_FINDINGS, syntax_finding
from seqthink.audit.review import CodeFinding
from seqthink.core.redaction import redact_text
from seqthink.core.text import one_line

TIME_LIMIT_SECONDS: Final = 20.0
_VERSION: Final = "py313"
_ENVIRONMENT: Final = {"LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
_MAX_COMMENT_CHARS: Final = 160


_KNOWN_MODULE: Final = re.compile(
    r"(?<![\w.])(asyncio|dataclasses|hashlib|httpx|jinja2|marshal|os|paramiko|pickle|requests|shutil|ssl|subprocess|tarfile"
    r"|tempfile|time|urllib|yaml)(?=\.)"
)
"""Modules whose misuse ruff recognises only if they are imported, by the names that everybody uses."""


_IMPORT: Final = re.compile(r"^(?:import|from) \w", re.MULTILINE)


class RuffError(Exception):
    """Ruff could not judge; the message says why."""


class NotPythonError(RuffError):
    """The code is not valid Python, and need not be."""


class _AlarmLocation(msgspec.Struct):
    row: int


class _RuffAlarm(msgspec.Struct):
    message: str
    location: _AlarmLocation
    code: str | None = None


async def judge_python(parsed: ParsedUnit) -> list[CodeFinding]:
    """Return the findings of ruff, ordered by line.

    Raises:
        NotPythonError: The code is not valid Python, and need not be.
        RuffError: Ruff is not installed, took too long or failed.
    """
    findings = await _ruff_findings(parsed)
    if not any(finding.is_fatal for finding in findings):
        return findings
    plainest: list[CodeFinding] = []
    for wrapping in _other_wrappings(parsed):
        other = await _ruff_findings(replace(parsed, wrapping=wrapping))
        if not any(finding.is_fatal for finding in other):
            return other
        plainest = plainest or other
    if not must_parse(parsed.unit):
        raise NotPythonError
    return [finding for finding in plainest or findings if finding.is_fatal][:MAX_SYNTAX_FINDINGS]


def _other_wrappings(parsed: ParsedUnit) -> Iterator[Wrapping]:
    """Yield other wrappings of a snippet: the grammar accepts code that Python rejects."""
    text = parsed.unit.text
    if len(text) <= MAX_WRAPPED_CHARS:
        yield from wrappings(parsed.language, text, may_wrap=True)


async def _ruff_findings(parsed: ParsedUnit) -> list[CodeFinding]:
    return [finding for alarm in await _run_ruff(parsed) for finding in _finding(parsed, alarm)]


@cache
def find_ruff() -> str | None:
    """Return the path of ruff: the installed one, else one on PATH."""
    return installed_ruff() or which("ruff")


@cache
def installed_ruff() -> str | None:
    """Return the path of the ruff that is installed with us: beside this interpreter, else in its package."""
    beside = Path(sysconfig.get_path("scripts")) / "ruff"
    if beside.is_file():
        return str(beside)
    if find_spec("ruff") is None:
        return None
    from ruff import find_ruff_bin  # noqa: PLC0415 - optional dependency

    try:
        return str(find_ruff_bin())
    except FileNotFoundError:
        return None


async def _run_ruff(parsed: ParsedUnit) -> list[_RuffAlarm]:
    program = find_ruff()
    if program is None:
        raise RuffError("ruff is not installed")
    text = _with_imports(parsed)
    try:
        with anyio.fail_after(TIME_LIMIT_SECONDS):
            done = await anyio.run_process(
                [program, *_arguments(parsed)], input=text, stderr=DEVNULL, check=False, env=_ENVIRONMENT, cwd="/"
            )
    except TimeoutError:
        raise RuffError(f"ruff took more than {TIME_LIMIT_SECONDS:.0f} s") from None
    except OSError as error:
        raise RuffError(f"ruff does not start: {error.strerror}") from error
    except ExceptionGroup as group:
        _, others = group.split(anyio.BrokenResourceError)
        if others is not None:
            raise
        raise RuffError("ruff failed") from None
    try:
        alarms = msgspec.json.decode(done.stdout, type=list[_RuffAlarm])
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise RuffError("ruff failed") from None
    return sorted(alarms, key=lambda alarm: (alarm.location.row, alarm.code or "", alarm.message))


def _with_imports(parsed: ParsedUnit) -> bytes:
    """Return the text from its second line on; the first line imports the modules that partial code seems to use.

    Without the import ruff does not know that `os.system` is the one of the standard library.
    """
    text = parsed.wrapping.text
    used = dict.fromkeys(_KNOWN_MODULE.findall(text)) if _is_partial(parsed) else ()
    return f"{'import ' + ', '.join(used) if used else ''}\n{text}".encode("utf-8", "replace")


def _is_partial(parsed: ParsedUnit) -> bool:
    return parsed.wrapping.text != parsed.unit.text or _may_be_partial(parsed.unit)


def _may_be_partial(unit: CodeUnit) -> bool:
    """Return whether names may be defined outside the shown text: a fence may show one function of a file."""
    is_shown_whole = unit.added_lines is not None or bool(_IMPORT.search(unit.text))
    return is_fragment(unit) or not is_shown_whole


def _arguments(parsed: ParsedUnit) -> list[str]:
    return [
        *("check", "--output-format", "json", "--exit-zero", "--no-fix", "--ignore-noqa"),
        *_rule_arguments(parsed.unit, is_partial=_is_partial(parsed)),
    ]


def fix_arguments(unit: CodeUnit) -> list[str]:
    """Return the arguments with which ruff repairs the text of ``unit``: safe fixes, and only of rules that are judged.

    What a `noqa` comment excuses is left alone.
    """
    return [
        "check",
        "--fix-only",
        "--no-unsafe-fixes",
        "--quiet",
        *_rule_arguments(unit, is_partial=_may_be_partial(unit)),
    ]


def _rule_arguments(unit: CodeUnit, *, is_partial: bool) -> list[str]:
    ignored = [*IGNORE, *(FRAGMENT_IGNORE if is_partial else ())]
    if unit.path.endswith("__init__.py"):
        ignored.append("F401")
    if "globals()" in unit.text:  # names may be defined while the module runs
        ignored.append("F821")
    return [
        "--isolated", "--no-cache", "-", "--target-version", _VERSION, "--stdin-filename", "code.py",
        "--select", ",".join(SELECT), "--ignore", ",".join(ignored),
        "--config", f"lint.mccabe.max-complexity={MAX_COMPLEXITY}",
    ]  # fmt: skip


def _finding(parsed: ParsedUnit, alarm: _RuffAlarm) -> list[CodeFinding]:
    line = parsed.line_of_row(alarm.location.row - 2)
    if alarm.code in (None, "invalid-syntax", "E999", "E902"):
        return [syntax_finding(parsed, line, f"Syntax error: {_clean_message(alarm.message)}; correct it.")]
    if alarm.location.row - 1 <= parsed.wrapping.line_offset:
        return []
    rule = rule_for(alarm.code, alarm.message)
    if rule.dimension != "security" and _has_noqa(parsed.unit, line):
        return []
    comment = rule.comment or f"{_clean_message(alarm.message)}; correct it."
    name = alarm.message.split("`")[1][:40] if alarm.code in _RULES_WITH_NAME and alarm.message.count("`") >= 2 else ""
    return [
        CodeFinding(
            path=parsed.unit.path, line=line, dimension=rule.dimension, cost=rule.cost,
            comment=f"{_clean_message(name)}: {comment}" if name else comment,
        )
    ]  # fmt: skip


def _has_noqa(unit: CodeUnit, line: int) -> bool:
    """Return whether the line has a `noqa` comment; security findings ignore those."""
    lines = unit.text.split("\n")
    return bool(_NOQA.search(lines[min(line - unit.first_line, len(lines) - 1)]))


def _clean_message(message: str) -> str:
    """Return a message of ruff, which may quote the code, cleaned for a comment."""
    return redact_text(one_line(message)[:_MAX_COMMENT_CHARS].rstrip("."))


_NOQA: Final = re.compile(r"#\s*noqa\b", re.IGNORECASE)
_RULES_WITH_NAME: Final = ("F401", "F811", "F821", "F823", "F841")
"""Rules whose message quotes the name in question."""
