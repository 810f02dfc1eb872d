"""Which version of a client is installed, where its program says so without opening a window."""

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Final

import msgspec

from seqthink.connect.clients.quiet import quiet_environment
from seqthink.connect.clients.registry import CLIENTS
from seqthink.connect.doctor.started_server import FloodedError, SilentError, StartedServer, StdoutClosedError
from seqthink.connect.doctor.versions import UNKNOWN, version_in

_SECONDS: Final = 1.5
"""How long it has to say its version: a page without that is better than a wait."""
_PARENTS: Final = 3
"""How many folders above its program a package's description is looked for."""
_MAX_BYTES: Final = 1 << 20
_MAX_LINES: Final = 20


def client_version(client: str, environ: Mapping[str, str], cancelled: Event) -> str:
    """Return the version of a client, as its package or its program says it; "" if neither does.

    Args:
        client: its name on the command line.
        environ: the environment of this shell.
        cancelled: set when the answer is not wanted any more.
    """
    name = CLIENTS[client].program
    program = shutil.which(name, path=environ.get("PATH", "")) if name else None
    if program is None:
        return ""
    version = _packaged_version(program, name)
    if version:
        return version
    until = monotonic() + _SECONDS
    with (
        suppress(OSError, ValueError, FloodedError, SilentError, StdoutClosedError),
        StartedServer([program, "--version"], quiet_environment(client, environ), Path.cwd(), cancelled) as started,
    ):
        for _ in range(_MAX_LINES):
            version = version_in(started.next_line(until).decode("utf-8", "replace"))
            if version != UNKNOWN:
                return version
    return ""


def _packaged_version(program: str, name: str) -> str:
    """Return the version in the npm package that ``program`` belongs to; "" if it is in none.

    A program in JavaScript may take seconds to say the same.
    """
    for folder in (*Path(os.path.realpath(program)).parents,)[:_PARENTS]:
        with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError), (folder / "package.json").open("rb") as file:
            package = msgspec.json.decode(file.read(_MAX_BYTES), type=_Package)
            if name in package.bin:
                version = version_in(package.version)
                return "" if version == UNKNOWN else version
    return ""


class _Package(msgspec.Struct):
    """What npm's description of a package says. Untrusted."""

    version: str
    bin: dict[str, str]
