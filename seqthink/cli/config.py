"""`seqthink config`: what to tell an MCP client of the server, and where it reads that."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from seqthink.cli import serve
from seqthink.cli.common import Parser, is_terminal, output, say
from seqthink.clients.known import CLIENTS, Client, Place
from seqthink.clients.launch import Launch, launch
from seqthink.errors import UsageError
from seqthink.text import one_line

_HOMES = ("SEQTHINK_HOME", "SEQTHINK_JOURNAL_DIR", "XDG_STATE_HOME")
"""Variables that say where journals are: a client need not have those of your shell."""

_REPLACED = "server-sequential-thinking"
_EXAMPLE = "Use sequential thinking: why is our CI slow?"


def run(arguments: list[str]) -> int:
    """Print one client's configuration, or which clients there are."""
    parser = Parser(
        "config",
        "Print what an MCP client has to be told to start this server, and where it reads that. "
        "OPTIONS are those of `seqthink serve`.",
        "seqthink config claude-code",
        usage="seqthink config [-h] [--journal-dir D] [--list] [CLIENT] [-- OPTIONS]",
    )
    parser.add_argument("client", nargs="?", metavar="CLIENT", help=", ".join(CLIENTS))
    parser.add_argument("--list", action="store_true", help="name the clients and leave")
    own, options = _parted(arguments)
    chosen = parser.parse_args(own)
    if chosen.list:
        with output() as out:
            out.writelines(f"{line}\n" for line in _list())
        return 0
    client = _client(chosen.client)
    if chosen.journal_dir:
        options = ["--journal-dir", _absolute(chosen.journal_dir), *options]
    start = _launch(options)
    if start.is_passing:
        say(f"{start.command} was installed for one run and may be gone tomorrow: install seqthink first (README)")
    _print(client, start)
    return 0


def _parted(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Part what is said to this command from what is for `serve`, behind ``--``."""
    if "--" not in arguments:
        return arguments, []
    place = arguments.index("--")
    return arguments[:place], arguments[place + 1 :]


def _client(name: str | None) -> Client:
    if name is not None and name in CLIENTS:
        return CLIENTS[name]
    there_are = f"there are: {', '.join(CLIENTS)}"
    if name is None:
        raise UsageError(f"config: which client? {there_are}")
    from difflib import get_close_matches

    close = get_close_matches(name, CLIENTS, 1)
    hint = f"did you mean {close[0]}? " if close else ""
    raise UsageError(f"config: no client {name[:40]!r}; {hint}{there_are}")


def _launch(options: list[str]) -> Launch:
    """Return how a client is to start the installed program.

    Raises:
        UsageError: `serve` does not take ``options``, or a name among them is no text.
    """
    serve.parse(options, {})
    homes = {name: _absolute(Path(value)) for name in _HOMES if (value := os.environ.get(name))}
    start = launch(_program(sys.argv[0]), options, homes)
    for word in (*start.words, *homes.values()):
        try:
            word.encode()
        except UnicodeEncodeError:
            raise UsageError(f"config: {word!r} is not UTF-8; no client's configuration can hold it") from None
    return start


def _absolute(folder: Path) -> str:
    """Return a folder's name as it is from everywhere.

    Raises:
        UsageError: it begins with somebody's home folder, and nobody knows where that is.
    """
    try:
        return str(folder.expanduser().resolve())
    except RuntimeError as error:
        raise UsageError(f"config: {folder}: whose home folder ~ is, is not known; write the whole path") from error


def _program(called: str) -> list[str]:
    """Return the installed program: as it was called, else beside the interpreter, else by the interpreter.

    A link is left as it is: what `pipx` and `uv tool` put on the PATH outlives what it points to.
    """
    found = shutil.which(called) if Path(called).name.startswith("seqthink") else None
    beside = shutil.which("seqthink", path=str(Path(sys.executable).parent))
    if found or beside:
        return [os.path.abspath(found or beside or "")]  # noqa: PTH100 - `resolve` would follow the link
    return [sys.executable, "-m", "seqthink"]


def _list() -> Iterator[str]:
    widths = max(map(len, CLIENTS)), max(len(client.title) for client in CLIENTS.values())
    for client in CLIENTS.values():
        [best, *_] = _places(client)
        yield f"{client.name:<{widths[0]}}  {client.title:<{widths[1]}}  {best.path}"


def _places(client: Client) -> list[Place]:
    return list(client.places(sys.platform, os.environ))


def _print(client: Client, start: Launch) -> None:
    """Print all on a terminal; in a pipe the snippet alone, so that it can go into a file, and the rest on stderr."""
    before, after = _said(client, start)
    snippet = client.snippet(start)
    if not is_terminal():
        for line in (*before, *after):
            print(line, file=sys.stderr)
        with output() as out:
            print(snippet, file=out)
        return
    with output() as out:
        print("\n".join([*before, "", snippet, "", *after]), file=out)


def _said(client: Client, start: Launch) -> tuple[list[str], list[str]]:
    """Return what is said before the snippet, and after it."""
    command = client.command_line(start)
    before = [f"{client.title}, by command:", "", f"  {one_line(command)}", ""] if command else []
    [best, *others] = _places(client)
    before.append(
        f"{'Or by hand' if command else client.title}, in {one_line(best.path)} ({best.whose}; {_there(best)}):"
    )
    after = [f"Or in {one_line(other.path)}, for {other.whose}." for other in others]
    return before, [*after, f"{client.then} and ask, for example: {_EXAMPLE}", "Then: seqthink watch"]


def _there(place: Place) -> str:
    """Say what has to be done about what the file may hold already."""
    try:
        text = Path(os.path.expandvars(place.path)).expanduser().read_text("utf-8", "replace")
    except (OSError, RuntimeError):
        return "make it, if it is not there"
    if _REPLACED in text:
        return f"take {_REPLACED} out there: its tool has the same name"
    return "add the entry to what it holds"
