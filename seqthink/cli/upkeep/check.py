"""`seqthink check`: validates journals line by line, and writes a clean copy of a damaged one."""

import argparse
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol, TextIO

from seqthink.cli.common import CommandParser, print_stderr
from seqthink.cli.option_values import journal_folder
from seqthink.cli.session_reference import resolve_session
from seqthink.cli.standard_output import output
from seqthink.core.errors import UsageError
from seqthink.core.events import WriterState
from seqthink.core.saving import write_atomically
from seqthink.core.text import one_line
from seqthink.drawing.describe.units import count
from seqthink.journal.folder import REPAIRED_SUFFIX, SUFFIX
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.maintenance.check import JournalCheck, JournalFinding
from seqthink.journal.maintenance.repair import JournalRepair
from seqthink.journal.peek import first_session_event, writer_state
from seqthink.journal.store import resolve_journal

_MAX_PRINTED_FINDINGS = 100
"""How many findings of one journal the text output prints; `--json` has them all."""


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "check",
        "seqthink check last",
        "seqthink check last --repair",
        notes="Exit 1 if a line is damaged.",
    )
    parser.add_sessions()
    parser.add_argument(
        "--repair",
        action="store_true",
        help=f"write a clean copy of a damaged journal beside it, NAME{REPAIRED_SUFFIX}",
    )
    parser.add_argument("--force", action="store_true", help="replace an existing copy")
    parser.add_json()
    return parser


def run(arguments: list[str]) -> int:
    """Print the problems of journals: exit 1 if there are any, 2 if a journal is missing or unreadable."""
    options = make_parser().parse_args(arguments)
    if options.force and not options.repair:
        raise UsageError("check: --force replaces the copy that --repair writes; give both, or neither")
    folder, status = journal_folder(options), 0
    with output() as out:
        report = _JsonReport(out) if options.json else _TextReport(out)
        for reference in options.sessions:
            try:
                path = resolve_journal(reference, folder) if options.repair else resolve_session(reference, folder)
                status = max(status, _check(path, _open(path), report, options))
            except UsageError as error:
                print_stderr(str(error))
                status = 2
        report.close()
    return status


class _Report(Protocol):
    """Output of the findings, journal by journal."""

    def begin_journal(self, path: Path) -> None: ...

    def add_finding(self, finding: JournalFinding) -> None: ...

    def end_journal(self, check: JournalCheck, copy: Path | None, repair: JournalRepair | None) -> None: ...

    def close(self) -> None: ...


def _check(path: Path, file: JournalFile, report: _Report, options: argparse.Namespace) -> int:
    check = JournalCheck(file, is_live=writer_state(path, first_session_event(path)) is WriterState.ALIVE)
    repair, copy, refusal = None, path.with_name(path.name.removesuffix(SUFFIX) + REPAIRED_SUFFIX), ""
    report.begin_journal(path)
    try:
        for finding in _findings(path, check):
            report.add_finding(finding)
        if check.error_count and options.repair:
            repair = _repair(path, file, copy, may_replace=options.force)
    except UsageError as error:
        refusal = str(error)
    report.end_journal(check, copy if repair else None, repair)
    if refusal:
        raise UsageError(refusal)
    return 1 if check.error_count else 0


def _open(path: Path) -> JournalFile:
    try:
        return JournalFile.open(path)
    except OSError as error:
        raise UsageError(f"{path}: {_reason(error)}") from error


def _findings(path: Path, check: JournalCheck) -> Iterator[JournalFinding]:
    try:
        yield from check.findings()
    except OSError as error:
        raise UsageError(f"{path}: {_reason(error)}") from error


def _repair(path: Path, file: JournalFile, copy: Path, *, may_replace: bool) -> JournalRepair | None:
    """Write the clean copy, if there is anything to copy.

    Raises:
        UsageError: it exists already, or cannot be written.
    """
    repair = JournalRepair(file, path.name.removesuffix(SUFFIX))
    lines = repair.lines()
    first = next(lines, None)
    if first is None:
        print_stderr(f"{path}: no line can be read, so there is nothing to copy")
        return None
    try:
        write_atomically(copy, itertools.chain([first], lines), may_replace=may_replace, is_private=True)
    except FileExistsError:
        raise UsageError(f"{copy} already exists; --force replaces it") from None
    except OSError as error:
        raise UsageError(f"cannot write {copy}: {_reason(error)}") from error
    return repair


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


class _TextReport:
    """One line for each finding, up to a limit, and a summary at the end."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._name = ""
        self._printed = self._unprinted = 0
        self._files = self._lines = self._problem_count = self._notes = self._unread = 0

    def begin_journal(self, path: Path) -> None:
        self._name = one_line(str(path))
        self._files += 1
        self._printed = self._unprinted = 0

    def add_finding(self, finding: JournalFinding) -> None:
        if self._printed == _MAX_PRINTED_FINDINGS:
            self._unprinted += 1
            return
        self._printed += 1
        what = ("" if finding.is_error else "note: ") + one_line(finding.message)
        print(f"{self._name}:{finding.line_number} (byte {finding.offset}): {what}", file=self._out)

    def end_journal(self, check: JournalCheck, copy: Path | None, repair: JournalRepair | None) -> None:
        self._lines += check.line_count
        self._problem_count += check.error_count
        self._notes += check.remark_count
        self._unread += check.unknown_count
        if self._unprinted:
            print(f"{self._name}: {self._unprinted:,} more; --json lists them all", file=self._out)
        if repair is not None:
            print(f"clean copy: {one_line(str(copy))} ({_repair_summary(repair)})", file=self._out)

    def close(self) -> None:
        found = count(self._problem_count, "problem") if self._problem_count else "nothing wrong"
        notes = f", {count(self._notes, 'note')}" if self._notes else ""
        unread = f"; {count(self._unread, 'line')} of a newer version" if self._unread else ""
        if self._files:
            read = f"{count(self._files, 'journal')}, {count(self._lines, 'line')}"
            print(f"{read}: {found}{notes}{unread}", file=self._out)


def _repair_summary(repair: JournalRepair) -> str:
    parts = (
        (repair.dropped_count, f"{count(repair.dropped_count, 'line')} left out"),
        (repair.rewritten_count, f"{repair.rewritten_count:,} rewritten"),
        (repair.added_count, "a `session` line added"),
    )
    return ", ".join(words for number, words in parts if number) or "`seq` renumbered"


class _JsonReport:
    """An array with one object for each journal, written as soon as it is known."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._separator = "["
        self._first = True

    def begin_journal(self, path: Path) -> None:
        self._out.write(f'{self._separator}\n{{"path": {json.dumps(str(path))}, "findings": [')
        self._separator, self._first = ",", True

    def add_finding(self, finding: JournalFinding) -> None:
        fields = {
            "line": finding.line_number,
            "offset": finding.offset,
            "what": finding.message,
            "wrong": finding.is_error,
        }
        self._out.write(("\n  " if self._first else ",\n  ") + json.dumps(fields))
        self._first = False

    def end_journal(self, check: JournalCheck, copy: Path | None, repair: JournalRepair | None) -> None:
        fields: dict[str, Any] = {"lines": check.line_count, "wrong": check.error_count, "notes": check.remark_count}
        fields |= {"unread": check.unknown_count, "copy": str(copy) if copy else None}
        fields |= {"leftOut": repair.dropped_count, "rewritten": repair.rewritten_count} if repair else {}
        self._out.write(f"], {json.dumps(fields)[1:]}")

    def close(self) -> None:
        self._out.write(("" if self._separator == "," else "[") + "\n]\n")
