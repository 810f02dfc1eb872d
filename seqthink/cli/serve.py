"""`seqthink serve`: starts the server from options and environment."""

import os
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from seqthink import __version__
from seqthink.cli import serve_options
from seqthink.cli.option_values import known_journal_folder, named_folders
from seqthink.cli.serve_options import ServeOptions
from seqthink.core import system
from seqthink.core.errors import UsageError
from seqthink.server import run as server
from seqthink.server.setup import AuditOptions, ServerSetup, tool_definitions
from seqthink.server.wire.signals import Signals
from seqthink.server.wire.stderr import Stderr, format_thought
from seqthink.server.wire.stdio import take_over_stdio

if TYPE_CHECKING:  # loaded after the first answer, or with an option
    import argparse
    from collections.abc import Callable
    from pathlib import Path

    from seqthink.journal.locked_journal import LockedJournal
    from seqthink.server.recording.context_items import ContextItems
    from seqthink.server.recording.recorder import ThoughtRecorder


def make_parser() -> "argparse.ArgumentParser":
    """Return the parser of the command line."""
    return serve_options.make_parser(os.environ)


def run(arguments: list[str]) -> int:
    """Serve MCP on stdin and stdout until the client leaves."""
    signals = Signals()
    options = serve_options.parse_options(arguments, os.environ)
    stderr = Stderr()
    if os.isatty(0):
        stderr.print_line(
            "waiting for an MCP client on stdin, which is a terminal here; the README says how to connect one"
        )
    recorder = cache(lambda: make_recorder(options, os.environ, stderr))
    if _may_be_refused(options, os.environ):
        recorder()
    try:
        stdio = take_over_stdio()
    except OSError as error:
        raise UsageError(f"stdin and stdout must be open: {error.strerror}") from error
    audit_options = _audit_options(options, os.environ, stderr)
    setup = ServerSetup(
        recorder,
        stdio,
        signals,
        stderr.print_line,
        tool_definitions(options.schema, has_context=options.tools == "context", has_audits=audit_options is not None),
        audit_options,
    )
    server.run(setup, use_fast_path=not options.no_front)
    return 0


def _may_be_refused(options: ServeOptions, environ: Mapping[str, str]) -> bool:
    """Whether `make_recorder` may raise: the session to resume or a home folder may not exist."""
    return bool(options.resume) or any(folder.startswith("~") for folder in named_folders(options, environ))


def make_recorder(options: ServeOptions, environ: Mapping[str, str], stderr: Stderr) -> "ThoughtRecorder":
    """Return the recorder for a new or resumed session, set up by the options.

    Raises:
        UsageError: the session to resume does not exist, or cannot be written.
    """
    from seqthink.cli.journal_writing import process_fields, writer_environment
    from seqthink.journal.writer import JournalWriter
    from seqthink.server.recording.note_inbox import NoteInbox
    from seqthink.server.recording.recorder import ThoughtRecorder

    folder = known_journal_folder(options, environ)
    writer = JournalWriter(
        folder,
        writer_environment(),
        resumed=_open_resumed(folder, options.resume),
        sync=options.fsync == "always",
        required=options.journal_required,
    )
    is_quiet = system.is_on(environ, "DISABLE_THOUGHT_LOGGING", stderr.print_line)
    session_fields = {
        "title": options.title,
        "server": {"name": "seqthink", "version": __version__},
        "client": None,
        "protocolVersion": None,
        **process_fields(),
        "notes": False if options.no_notes else None,
        "agentNotes": None if options.no_notes else True,
    }
    return ThoughtRecorder(
        writer,
        session_fields=session_fields,
        max_thought_bytes=options.max_thought_bytes,
        max_thoughts=options.max_thoughts,
        show=_show_nothing if is_quiet else lambda thought: stderr.write(format_thought(thought)),
        print_stderr=stderr.print_line,
        context=_context(options.max_thought_bytes) if options.tools == "context" else None,
        note_inbox=None if options.no_notes or folder is None else NoteInbox(folder, stderr.print_line),
        on_session=_shipper_starter(folder, stderr) if folder and environ.get("SEQTHINK_SHIP") else None,
    )


def _shipper_starter(folder: "Path", stderr: Stderr) -> "Callable[[str], None]":
    from seqthink.cli.fleet.detached_shipper import DetachedShipper  # only where SEQTHINK_SHIP names an engine

    return DetachedShipper(folder, stderr.print_line).start


def _audit_options(options: ServeOptions, environ: Mapping[str, str], stderr: Stderr) -> AuditOptions | None:
    if not system.is_on(environ, "ENABLE_GAN_AUDITING", stderr.print_line):
        return None
    if not system.HAS_POSIX_FILES:
        raise UsageError("audits need a POSIX system, such as Linux or macOS; start without ENABLE_GAN_AUDITING")
    from pathlib import Path

    from seqthink.cli.journal_writing import working_folder

    return AuditOptions(options.workspace, Path(working_folder()), options.audit_timeout)


def _context(max_bytes: int) -> "ContextItems":
    from seqthink.server.recording.context_items import ContextItems  # off by default

    return ContextItems(max_bytes)


def _open_resumed(folder: "Path | None", wanted: str | None) -> "tuple[str, LockedJournal] | None":
    if not wanted:
        return None
    if folder is None:
        if wanted == "last":
            return None
        raise UsageError(f"no session {wanted!r}: the home folder is unknown; name the folder with --journal-dir")
    from seqthink.cli.journal_writing import pause, working_folder
    from seqthink.journal.resume import open_newest, open_session

    return open_newest(folder, working_folder(), pause) if wanted == "last" else open_session(folder, wanted, pause)


def _show_nothing(_thought: Mapping[str, Any]) -> None:
    """Show nothing."""
