"""`seqthink delete`: deletes one session at once, with all that belongs to it, after a yes."""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from seqthink.cli.common import CommandParser, is_terminal, print_stderr
from seqthink.cli.option_values import journal_folder
from seqthink.cli.standard_output import output
from seqthink.cli.upkeep.prune import forget_in_viewers, size_text
from seqthink.core.errors import JournalNotFoundError, SeqthinkError, UsageError
from seqthink.core.text import one_line
from seqthink.drawing.describe.units import count
from seqthink.journal.decode import decode
from seqthink.journal.folder import SUFFIX
from seqthink.journal.maintenance.prune import DeletedSession, NotDeletableError, delete_session
from seqthink.journal.store import SessionFile, resolve_journal
from seqthink.library.summary import summarize

_YES = frozenset({"y", "yes"})


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "delete",
        "seqthink delete 20260310T1402 --dry-run",
        "seqthink delete 20260310T1402 --yes",
        notes="It deletes the journal, notes, repaired copy, marks and labels. A session that a server is using is "
        "kept, and transcripts of other programs are never deleted.",
    )
    parser.add_session(default=None)
    parser.add_argument("--yes", action="store_true", help="do not ask (required without a terminal)")
    parser.add_argument("--dry-run", action="store_true", help="print what would be deleted, delete nothing")
    return parser


def run(arguments: list[str]) -> int:
    """Delete a session; exit 1 if it stays."""
    options = make_parser().parse_args(arguments)
    file = _session_file(options.session, journal_folder(options))
    removal = _delete(file, is_dry_run=True)
    described = _description(file, removal)
    if options.dry_run:
        with output() as out:
            print(f"would delete {described}", file=out)
            out.writelines(f"  {one_line(str(path))}\n" for path in removal.files)
        return 0
    if not options.yes and not _agrees(described):
        print_stderr(f"kept {file.session}")
        return 1
    removal = _delete(file, is_dry_run=False)
    forget_in_viewers([file.session])
    forget_in_engines(file.session)
    with output() as out:
        print(f"deleted {described}", file=out)
    return 0


def forget_in_engines(session: str) -> None:
    """Let the shippers of this machine delete their copies of a deleted session, now or when they run again."""
    from seqthink.journal.folder import seqthink_home
    from seqthink.share.shipping.shipped_state import note_deletion, shipping_folder

    try:
        note_deletion(shipping_folder(seqthink_home(os.environ)), session)
    except (OSError, RuntimeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        print_stderr(f"its copies in engines stay: {reason.lower()}")


def _session_file(reference: str, folder: Path) -> SessionFile:
    """Return the session that the command line names.

    Raises:
        UsageError: there is none of ours, or more than one.
    """
    try:
        path = resolve_journal(reference, folder)
    except JournalNotFoundError:
        from seqthink.cli.session_reference import transcript_of_id  # only where there is no such journal

        if transcript_of_id(reference) is not None:
            raise UsageError(f"{reference} is a transcript of another program; delete it there") from None
        raise
    if not path.name.endswith(SUFFIX):
        raise UsageError(f"{path} is not a journal: its name does not end in {SUFFIX}; nothing is deleted")
    state = path.lstat()
    changed = datetime.fromtimestamp(state.st_mtime, UTC)
    return SessionFile(path.name.removesuffix(SUFFIX), path, state.st_size, changed)


def _delete(file: SessionFile, *, is_dry_run: bool) -> DeletedSession:
    try:
        return delete_session(file, is_dry_run=is_dry_run)
    except NotDeletableError as error:
        raise SeqthinkError(f"kept {one_line(file.session)}: {error}") from error
    except OSError as error:
        raise SeqthinkError(
            f"cannot delete {one_line(file.session)}: {(error.strerror or str(error)).lower()}"
        ) from error


def _description(file: SessionFile, removal: DeletedSession) -> str:
    listed = summarize(file, decode=decode, max_bytes=None)
    facts = [str(listed.name), count(listed.thoughts, "thought")] if listed is not None else []
    facts += [count(len(removal.files), "file"), size_text(removal.size)]
    return f"{one_line(file.session)} ({', '.join(filter(None, facts))})"


def _agrees(described: str) -> bool:
    """Ask on the terminal; return whether the user wants it.

    Raises:
        UsageError: there is no terminal to ask on.
    """
    if sys.stdin is None or not sys.stdin.isatty() or not is_terminal():
        raise UsageError("delete: there is no terminal to ask on; add --yes, or look first with --dry-run")
    os.write(sys.stdout.fileno(), f"delete {described}? [y/N] ".encode(sys.stdout.encoding, "replace"))
    return sys.stdin.readline().strip().lower() in _YES
