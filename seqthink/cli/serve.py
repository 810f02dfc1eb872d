"""`seqthink serve`: options and environment to a running server."""

import argparse
import os
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqthink import __version__
from seqthink.errors import UsageError
from seqthink.journal.file import JournalFile
from seqthink.journal.folder import LETTERS, home, sessions_folder
from seqthink.journal.resume import open_last, open_named
from seqthink.journal.writer import Edges, JournalWriter
from seqthink.server import front
from seqthink.server.audits import SECONDS, Audits
from seqthink.server.notes import Notes
from seqthink.server.signals import Signals
from seqthink.server.stderr import Stderr, block
from seqthink.server.thinking import Thinking
from seqthink.server.wire import claim

if TYPE_CHECKING:
    from seqthink.server.context import Context

_DEFAULT_MAX_THOUGHT_BYTES = 16 << 20
_LONGEST = 86_400
_pause = time.sleep  # noqa: TID251 - the edge lends its clock: a lock that a viewer probes is free in an instant


def run(arguments: list[str]) -> int:
    """Serve MCP on stdin and stdout until the client leaves."""
    signals = Signals()
    options = parse(arguments, os.environ)
    stderr = Stderr()
    if os.isatty(0):
        stderr.say("waiting for an MCP client on stdin, which is a terminal here; the README says how to connect one")
    thinking = make_thinking(options, os.environ, stderr)
    try:
        wire = claim()
    except OSError as error:
        raise UsageError(f"stdin and stdout must be open: {error.strerror}") from error
    front.run(thinking, wire, signals, schema=options.schema, say=stderr.say, has_front=not options.no_front)
    return 0


def parse(arguments: list[str], environ: Mapping[str, str]) -> argparse.Namespace:
    """Return the server's options: those given, else those of the environment, else the defaults.

    Raises:
        UsageError: one makes no sense.
    """
    parser = argparse.ArgumentParser(
        prog="seqthink serve",
        description="The MCP server: answers sequentialthinking over stdio and keeps a journal.",
        epilog="Every option can also be set in the environment: --journal-dir as SEQTHINK_JOURNAL_DIR, and so on. "
        "DISABLE_THOUGHT_LOGGING=true keeps thoughts off stderr; ENABLE_GAN_AUDITING=true audits code in thoughts.",
        allow_abbrev=False,
        exit_on_error=False,
    )

    def add(name: str, kind: Callable[[str], Any], default: object, **more: Any) -> None:  # noqa: ANN401 - argparse's own
        variable = "SEQTHINK_" + name.removeprefix("--").replace("-", "_").upper()
        parser.add_argument(name, type=kind, default=_from_environment(environ, variable, kind, default), **more)

    add(
        "--journal-dir",
        _folder_named,
        None,
        metavar="D",
        help="the folder of the journals (default: SEQTHINK_HOME/sessions)",
    )
    add(
        "--resume",
        str,
        None,
        metavar="ID|last",
        help="go on in a session; `last`: the newest of this working folder that no server writes, else a new one",
    )
    add("--title", str, None, metavar="T", help="a name for the session (default: the working folder's)")
    add(
        "--fsync",
        _one_of("never", "always"),
        "never",
        metavar="never|always",
        help="always: wait for the disk before each answer (default: never)",
    )
    add(
        "--journal-required",
        _switch,
        False,
        nargs="?",
        const=True,
        metavar="yes|no",
        help="refuse a thought that cannot be written at once; else it waits in memory until it can (default: no)",
    )
    add(
        "--schema",
        _one_of("lenient", "plain"),
        "lenient",
        metavar="lenient|plain",
        help="plain: advertise no oneOf, for providers that refuse it (default: lenient)",
    )
    add(
        "--tools",
        _one_of("context"),
        None,
        metavar="context",
        help="list more tools: context adds store_context, update_context and search_context (default: none)",
    )
    add(
        "--max-thoughts",
        _positive,
        0,
        metavar="N",
        help="past so many thoughts in a chain, ask the person whether to go on, else tell the agent to conclude "
        "(default: no limit)",
    )
    add(
        "--max-thought-bytes",
        _positive,
        _DEFAULT_MAX_THOUGHT_BYTES,
        metavar="N",
        help=f"longer thoughts are refused (default: {_DEFAULT_MAX_THOUGHT_BYTES})",
    )
    add(
        "--no-front",
        _switch,
        False,
        nargs="?",
        const=True,
        metavar="yes|no",
        help="let the MCP SDK answer everything: slower to start, the same answers (default: no)",
    )
    add(
        "--no-notes",
        _switch,
        False,
        nargs="?",
        const=True,
        metavar="yes|no",
        help="do not read what a person at the viewer writes to the agent (default: no)",
    )
    add(
        "--workspace",
        _existing_folder,
        None,
        metavar="D",
        help="the folder that code in thoughts belongs to, where the client names none (default: the working folder)",
    )
    add(
        "--audit-timeout",
        _seconds,
        SECONDS,
        metavar="S",
        help=f"after so many seconds an audit ends with what it has (default: {SECONDS:g})",
    )
    try:
        options, unknown = parser.parse_known_args(arguments)
    except argparse.ArgumentError as error:
        raise _refusal(str(error)) from error
    if unknown:
        raise _refusal(f"unrecognized arguments: {' '.join(unknown)}")
    return options


def _refusal(message: str) -> UsageError:
    return UsageError(f"serve: {message}; see `seqthink serve --help`")


def _from_environment(environ: Mapping[str, str], variable: str, kind: Callable[[str], Any], default: object) -> Any:  # noqa: ANN401 - as the option's kind has it
    text = environ.get(variable, "")
    if not text:
        return default
    try:
        return kind(text)
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"{variable}: {error}") from error


def _one_of(*words: str) -> Callable[[str], str]:
    def check(text: str) -> str:
        if text not in words:
            raise argparse.ArgumentTypeError(f"must be {' or '.join(words)}, got {text[:100]!r}")
        return text

    return check


def _folder_named(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("must name a folder, got nothing")
    return Path(text)


def _existing_folder(text: str) -> Path:
    folder = _folder_named(text).expanduser()
    if not folder.is_dir():
        raise argparse.ArgumentTypeError(f"must be a folder that is there, got {text[:100]!r}")
    return folder


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _LONGEST:
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, at most {_LONGEST}, got {text[:100]!r}")
    return seconds


def _switch(text: str) -> bool:
    word = text.strip().lower()
    if word in {"1", "true", "yes", "on"}:
        return True
    if word in {"0", "false", "no", "off"}:
        return False
    raise argparse.ArgumentTypeError(f"must be yes or no, got {text[:100]!r}")


def _positive(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 19 and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"must be a whole number above 0, got {text[:100]!r}")


def make_thinking(options: argparse.Namespace, environ: Mapping[str, str], stderr: Stderr) -> Thinking:
    """Return the thinking tool as the options have it, of a session that is about to begin or to go on.

    Raises:
        UsageError: the session to go on in is not there, or cannot be written.
    """
    cwd = _cwd()
    folder = _folder(options, environ)
    writer = JournalWriter(
        folder,
        Edges(clock=_now, letters=_letters, pause=_pause),
        resumed=_resumed(folder, options.resume, cwd),
        sync=options.fsync == "always",
        required=options.journal_required,
    )
    is_quiet = _is_true(environ, "DISABLE_THOUGHT_LOGGING")
    is_audited = _is_true(environ, "ENABLE_GAN_AUDITING")
    about = {
        "title": options.title,
        "server": {"name": "seqthink", "version": __version__},
        "client": None,
        "protocolVersion": None,
        "pid": os.getpid(),
        "host": os.uname().nodename,
        "cwd": cwd,
        "notes": False if options.no_notes else None,
    }
    return Thinking(
        writer,
        about=about,
        max_thought_bytes=options.max_thought_bytes,
        max_thoughts=options.max_thoughts,
        show=_silence if is_quiet else lambda thought: stderr.write(block(thought)),
        say=stderr.say,
        context=_context(options.max_thought_bytes) if options.tools == "context" else None,
        notes=None if options.no_notes else Notes(folder, stderr.say),
        audits=Audits(options.workspace, Path(cwd), options.audit_timeout) if is_audited else None,
    )


def _is_true(environ: Mapping[str, str], name: str) -> bool:
    return environ.get(name, "").strip().lower() == "true"


def _context(max_bytes: int) -> "Context":
    from seqthink.server.context import Context

    return Context(max_bytes)


def _folder(options: argparse.Namespace, environ: Mapping[str, str]) -> Path:
    try:
        return (options.journal_dir or sessions_folder(home(environ))).expanduser()
    except RuntimeError as error:
        raise UsageError("whose home folder ~ is, is not known; write the whole path with --journal-dir") from error


def _resumed(folder: Path, wanted: str | None, cwd: str) -> tuple[str, JournalFile] | None:
    if not wanted:
        return None
    return open_last(folder, cwd, _pause) if wanted == "last" else open_named(folder, wanted, _pause)


def _now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - the edge reads the clock


def _letters() -> str:
    return "".join(LETTERS[byte % len(LETTERS)] for byte in os.urandom(6))


def _cwd() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - as text, for the journal
    except OSError:
        return ""


def _silence(_thought: Mapping[str, Any]) -> None:
    """Show nothing."""
