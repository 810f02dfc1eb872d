"""`seqthink prune`: deletes old journals and prints a line for each."""

import json
import os
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple, TextIO

from seqthink.cli.common import CommandParser, print_stderr
from seqthink.cli.option_values import age_in_hours, journal_folder
from seqthink.cli.overview.wanted_sessions import add_wanted, wanted_of
from seqthink.cli.standard_output import output
from seqthink.core.errors import SeqthinkError, UsageError
from seqthink.core.labels import NO_LABELS, SessionLabels
from seqthink.core.text import one_line
from seqthink.drawing.describe.units import count
from seqthink.journal.maintenance.prune import (
    IMPORTED,
    DeletedSession,
    NotDeletableError,
    delete_session,
    sessions_before,
)
from seqthink.journal.store import SessionFile
from seqthink.library.catalog.wanted_sessions import WantedSessions

_EARLIEST = datetime(1, 1, 1, tzinfo=UTC)
_KIB = 1024


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "prune",
        "seqthink prune --older-than 30d --dry-run",
        "seqthink prune --older-than 30d",
        notes="Their notes, repaired copies, marks and labels are deleted, too. A journal that a server is using is "
        "kept, and so is a pinned session.",
    )
    parser.add_argument(
        "--older-than",
        required=True,
        type=age_in_hours,
        metavar="AGE",
        help="12h, 30d or 8w since the last event (imported sessions: since the import)",
    )
    add_wanted(parser, "delete")
    parser.add_argument("--dry-run", action="store_true", help="print what would be deleted, delete nothing")
    parser.add_json()
    return parser


def run(arguments: list[str]) -> int:
    """Delete journals older than the given age; exit 1 if one could not be deleted."""
    options = make_parser().parse_args(arguments)
    now = datetime.now(UTC)  # noqa: TID251 - the edge reads the clock
    before = now - timedelta(hours=min(options.older_than, (now - _EARLIEST) // timedelta(hours=1)))
    wanted = WantedSessions(wanted_of(options))
    pruning = _Pruning(journal_folder(options), before, wanted, is_dry_run=options.dry_run)
    with output() as out:
        try:
            (_print_json if options.json else _print_text)(pruning, out)
        finally:
            if pruning.deleted:
                forget_in_viewers(pruning.deleted)
    return pruning.status


def forget_in_viewers(sessions: Collection[str]) -> None:
    """Remove what viewers keep of deleted sessions; where that fails, one line on stderr says so."""
    from seqthink.journal.folder import seqthink_home
    from seqthink.library.viewer_store.folder import viewer_folder
    from seqthink.library.viewer_store.forgetting import forget_sessions

    try:
        forget_sessions(viewer_folder(seqthink_home(os.environ)), sessions)
    except (OSError, UsageError, RuntimeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        print_stderr(f"marks, labels and read state stay: {reason.lower()}")


def _unshipped(folder: Path) -> frozenset[str]:
    """Return the sessions of a folder that a shipper was still sending when it was last seen."""
    from time import time

    from seqthink.journal.folder import seqthink_home
    from seqthink.share.shipping.shipped_state import shipping_folder, states_of

    try:
        states = states_of(shipping_folder(seqthink_home(os.environ)), folder, time())
    except RuntimeError:  # an unknown home folder
        return frozenset()
    return frozenset(session for state in states for session in state.behind)


def _labels() -> Mapping[str, SessionLabels]:
    """Return what people say about sessions; nothing is pruned while that cannot be read.

    Raises:
        SeqthinkError: it cannot be read.
    """
    from seqthink.library.viewer_store.label_book import label_book_of

    book = label_book_of(os.environ)
    try:
        return book.all() if book is not None else {}
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SeqthinkError(f"nothing is pruned: which sessions are pinned cannot be read: {reason}") from error


class _Pruned(NamedTuple):
    """The result for one old session."""

    session: SessionFile
    removal: DeletedSession | None
    """What was deleted; None if the session was kept."""
    kept_reason: str = ""
    """Why the session was kept."""


class _Pruning:
    """Deletes the old sessions of a folder one by one; ``status`` becomes 1 when a deletion fails."""

    def __init__(self, folder: Path, before: datetime, wanted: WantedSessions, *, is_dry_run: bool) -> None:
        self.status = 0
        self.deleted: set[str] = set()
        self.is_dry_run = is_dry_run
        self._folder = folder
        self._before = before
        self._wanted = wanted
        self._unshipped = _unshipped(folder)
        self._labels = _labels()

    def __iter__(self) -> Iterator[_Pruned]:
        for session in sessions_before(self._folder, self._before):
            if not self._wanted.has(session):
                continue
            reason = self._reason_to_keep(session.session)
            if reason:
                print_stderr(f"kept {session.session}: {reason}")
                yield _Pruned(session, None, reason)
                continue
            try:
                removal = delete_session(session, is_dry_run=self.is_dry_run)
                if not self.is_dry_run:
                    self.deleted.add(session.session)
                yield _Pruned(session, removal)
            except FileNotFoundError:
                continue  # deleted by another process meanwhile
            except NotDeletableError as error:
                print_stderr(f"kept {session.session}: {error}")
                yield _Pruned(session, None, str(error))
            except OSError as error:
                self.status = 1
                reason = (error.strerror or str(error)).lower()
                print_stderr(f"cannot delete {session.session}: {reason}")
                yield _Pruned(session, None, reason)

    def _reason_to_keep(self, session: str) -> str:
        if session in self._unshipped:
            return "not all of it is shipped; `seqthink ship --status` says how much"
        if self._labels.get(session, NO_LABELS).is_pinned:
            return "it is pinned; `seqthink label --unpin` takes the pin away"
        return ""


def _print_text(pruning: _Pruning, out: TextIO) -> None:
    sessions = size = 0
    verb = "would delete" if pruning.is_dry_run else "deleted"
    for session, removal, _ in pruning:
        if removal is not None:
            sessions, size = sessions + 1, size + removal.size
            name = one_line(session.session)
            since = "imported" if session.source == IMPORTED else "last event"
            print(f"{verb} {name}  {since} {session.last:%Y-%m-%d}  {size_text(removal.size)}", file=out)
    print(f"{verb} {count(sessions, 'session')}, {size_text(size)}", file=out)


def _print_json(pruning: _Pruning, out: TextIO) -> None:
    out.write("[")
    between = "\n"
    for session, removal, kept in pruning:
        fields = {
            "session": session.session,
            "path": str(session.path),
            "last": session.last.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "files": [str(path) for path in removal.files] if removal else [],
            "bytes": removal.size if removal else 0,
            "deleted": removal is not None and not pruning.is_dry_run,
            "kept": kept or None,
        }
        out.write(between + json.dumps(fields))
        between = ",\n"
    out.write("\n]\n")


def size_text(size: int) -> str:
    """Return a number of bytes for a person."""
    for unit in ("bytes", "KiB", "MiB"):
        if size < _KIB or unit == "MiB":
            break
        size = -(-size // _KIB)
    return f"{size:,} {unit}"
