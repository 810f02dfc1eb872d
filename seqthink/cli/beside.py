"""`seqthink beside`: opens the viewer in a split of the terminal that it is called in."""

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress

from seqthink.cli.common import CommandParser, folder_options, program_command, shell_command, viewer_options
from seqthink.cli.option_values import whole_number
from seqthink.cli.standard_output import output
from seqthink.connect.beside.splits import (
    DEFAULT_SIZE_CELLS,
    HINTS,
    Attempt,
    Split,
    attempts,
    choose_split,
    tmux_query,
    with_environment,
)
from seqthink.connect.beside.terminals import TERMINALS, TMUX, place_key, terminals_around
from seqthink.core.errors import SeqthinkError, UsageError
from seqthink.core.text import one_line

_IN_PLACE = "--in-place"
"""The first word of the call that this command puts into the new pane: it holds the place, and becomes `watch`."""
_MAX_SIZE_CELLS = 1000
_ANSWER_SECONDS = 30.0
"""How long a terminal may take: AppleScript asks its user for permission at the first time."""
_START_SECONDS = 3.0
"""How long the viewer may take to hold its place, before others may open one."""
_MAX_REASON_CHARS = 200


class _RefusalError(Exception):
    """A terminal did not open the pane; the message says why."""


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "beside",
        "seqthink beside",
        "seqthink beside --once",
        "seqthink beside --hook",
        notes=f"It works in {', '.join(TERMINALS)}. The focus stays where it is.",
        usage="seqthink beside [options] [SESSION] [-- OPTIONS OF watch]",
    )
    parser.add_session("what `seqthink watch` shows", links=True)
    parser.add_argument(
        "--size",
        type=_size,
        metavar="N",
        default=DEFAULT_SIZE_CELLS,
        help=f"columns of the viewer, if the terminal lets us choose (default: {DEFAULT_SIZE_CELLS})",
    )
    parser.add_argument("--once", action="store_true", help="do nothing if a viewer is already open; for hooks")
    parser.add_argument("--print", action="store_true", help="print the terminal's command instead of running it")
    parser.add_argument(
        "--hook", action="store_true", help="print a hook for Claude Code that opens the viewer at the first thought"
    )
    return parser


def _size(text: str) -> int:
    return whole_number(text, _MAX_SIZE_CELLS)


def run(arguments: list[str]) -> int:
    """Open the viewer, or print how."""
    if arguments[:1] == [_IN_PLACE]:
        return _watch_in_place(arguments[1], arguments[2:])
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    watch_options = arguments[len(own) + 1 :]
    try:
        return _run(make_parser().parse_args(own), watch_options)
    except UsageError as error:
        if "--once" in own:
            # To Claude Code, status 2 of a hook forbids the tool call that it precedes.
            raise SeqthinkError(str(error)) from error
        raise


def _run(options: argparse.Namespace, watch_options: Sequence[str]) -> int:
    folder = folder_options(options.journal_dir)
    if options.hook:
        return _print(_hook(shell_command("beside", "--once", *folder)))
    session = [options.session] if options.session is not None else []
    words = [*folder, *watch_options, *session]
    _check(words)
    found = terminals_around(os.environ, sys.platform)
    if not found:
        raise SeqthinkError(
            f"beside: this terminal cannot be split ({', '.join(TERMINALS)} can): "
            f"open another and run {shell_command('watch', *words)}"
        )
    return _open_in_first(found, options, words)


def _check(words: Sequence[str]) -> None:
    """See that `watch` will take its options: in the new pane, its error would not be seen.

    Raises:
        UsageError: it will not.
    """
    # Not for Tab or help.
    from seqthink.cli import watch
    from seqthink.cli.session_reference import take_link
    from seqthink.sources.transcripts.named_transcript import NamedTranscript

    options = watch.make_parser().parse_args(words)
    if options.session == "-":
        raise UsageError("beside: the viewer in a split has no stdin; name a session")
    take_link(options)
    named = watch.named_session(options)
    if isinstance(named, NamedTranscript):
        named.choose(str)
    viewer_options(options)


def _open_in_first(found: Sequence[str], options: argparse.Namespace, words: Sequence[str]) -> int:
    """Open the viewer in the first of the terminals that does not refuse."""
    refusals: list[str] = []
    for name in found:
        try:
            split, window = _look(name, options.size, is_innermost_sure=len(found) == 1)
            key = place_key(name, os.environ, window)
            viewer = with_environment([*program_command(), "beside", _IN_PLACE, key, *words], os.environ)
            ways = attempts(name, split, viewer, os.getcwd(), os.environ)  # noqa: PTH109 - a string is wanted
            if options.print:
                return _print(shlex.join(ways[0].opening))
            _open(ways, key, is_once=options.once)
        except _RefusalError as refusal:
            hint = f"; {HINTS[name]}" if name in HINTS else ""
            refusals.append(f"{name} opens no split: {refusal}{hint}")
        else:
            return 0
    raise SeqthinkError(
        f"beside: {' | '.join(refusals)}; open another terminal and run {shell_command('watch', *words)}"
    )


def _look(name: str, size: int, *, is_innermost_sure: bool) -> tuple[Split, str]:
    """Return where the pane goes, and the window as the terminal calls it, if it can be asked.

    Raises:
        _RefusalError: the terminal is gone, or is not the one that this process runs in.
    """
    if name != TMUX:
        columns, lines = _own_size()
        return choose_split(size, columns, lines), ""
    answer = _run_command(tmux_query(os.environ)).split()
    if len(answer) != 4 or not (answer[0].isdigit() and answer[1].isdigit()):
        raise _RefusalError("it does not know the pane that this runs in")
    columns, lines, terminal, window = answer
    own = _own_terminals()
    if not is_innermost_sure and own and terminal not in own:
        raise _RefusalError("this runs in another terminal, which was started from it")
    return choose_split(size, int(columns), int(lines)), window


def _own_terminals() -> set[str]:
    """Return the terminals that stdin, stdout and stderr are; none in a hook."""
    found: set[str] = set()
    for descriptor in range(3):
        with suppress(OSError):
            found.add(os.ttyname(descriptor))
    return found


def _own_size() -> tuple[int, int]:
    """Return columns and lines of the terminal; zeros if there is none."""
    for descriptor in range(3):
        with suppress(OSError):
            size = os.get_terminal_size(descriptor)
            return size.columns, size.lines
    return 0, 0


def _open(ways: Sequence[Attempt], key: str, *, is_once: bool) -> None:
    """Open the pane; with ``is_once`` only if no viewer holds the place, and none is being opened there.

    Raises:
        _RefusalError: the terminal did not open it in any of the ``ways``.
        SeqthinkError: the place cannot be looked at.
    """
    if not is_once:
        _try(ways)
        return
    from seqthink.journal.folder import seqthink_home
    from seqthink.library.viewer_store.one_viewer import held, is_held, place_path, wait_until

    home = seqthink_home(os.environ)
    place = place_path(home, key)
    try:
        with held(place_path(home, f"{key}-opening"), 0) as is_ours:
            if is_ours and not is_held(place):
                _try(ways)
                wait_until(lambda: is_held(place), _START_SECONDS)
    except OSError as error:
        raise SeqthinkError(f"beside: {place.parent}: {error.strerror}") from error


def _try(ways: Sequence[Attempt]) -> None:
    """Open the pane in the first of the ``ways`` that works.

    Raises:
        _RefusalError: none does; the last one's reason.
    """
    refusal = _RefusalError("there is no way")
    for way in ways:
        try:
            _run_command(way.opening)
        except _RefusalError as error:
            refusal = error
            continue
        if way.returning:
            with suppress(_RefusalError):  # the viewer is there
                _run_command(way.returning)
        return
    raise refusal


def _run_command(command: Sequence[str]) -> str:
    """Return what a terminal's command prints.

    Raises:
        _RefusalError: it failed, is not there, or does not end.
    """
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            encoding="utf-8",
            errors="replace",
            timeout=_ANSWER_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise _RefusalError(f"{command[0]} does not answer") from None
    except (OSError, ValueError) as error:
        raise _RefusalError(f"{command[0]} cannot be started ({getattr(error, 'strerror', None) or error})") from None
    if done.returncode:
        reason = one_line(done.stderr.strip()[:_MAX_REASON_CHARS]) or f"status {done.returncode}"
        raise _RefusalError(reason)
    return done.stdout


def _watch_in_place(key: str, words: list[str]) -> int:
    """Watch, and hold the place meanwhile, so that `--once` opens no second viewer there."""
    from seqthink.cli import watch
    from seqthink.journal.folder import seqthink_home
    from seqthink.library.viewer_store.one_viewer import held, place_path

    with ExitStack() as stack:
        with suppress(OSError, UsageError):  # `--once` has said it, or the next one will
            stack.enter_context(held(place_path(seqthink_home(os.environ), key)))
        return watch.run(words)


def _hook(command: str) -> str:
    hook = {
        "matcher": "mcp__.*sequentialthinking",
        "hooks": [{"type": "command", "command": command, "timeout": 5}],
    }
    return json.dumps({"hooks": {"PreToolUse": [hook]}}, indent=2, ensure_ascii=False)


def _print(text: str) -> int:
    with output() as out:
        print(text, file=out)
    return 0
