"""What is to be written into a client's configuration file, worked out before anything is asked or done."""

import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event

from msgspec import Struct
from msgspec.structs import replace

from seqthink.connect.client_files.backups import backups_of
from seqthink.connect.client_files.found import claude_program
from seqthink.connect.client_files.leftovers import drop_leftovers
from seqthink.connect.client_files.locking import own_writes
from seqthink.connect.client_files.places import FilePlace, config_file, home_folder, place_of
from seqthink.connect.client_files.plugins import Plugin, plugins_with_us
from seqthink.connect.client_files.reading import (
    ChangedWhileReadError,
    ClientFile,
    is_in_own_folder,
    read_client_file,
    read_settled,
)
from seqthink.connect.clients.changes import Change, changed, restored
from seqthink.connect.clients.editing.errors import ConfigTextError
from seqthink.connect.clients.launch import Launch
from seqthink.connect.clients.registry import McpClient, Scope
from seqthink.connect.clients.wish import Wish
from seqthink.core.errors import ClientFileError

_PAUSE_SECONDS = 0.25


class Plan(Struct, frozen=True):
    """What becomes of one file."""

    client: McpClient
    place: FilePlace
    file: ClientFile
    """As it was read."""
    new: bytes | None
    """What it is to hold; None if it goes, because seqthink created it and nothing else is in it."""
    change: Change
    restored_from: Path | None = None
    """The backup with this text, byte for byte."""
    program: str = ""
    """The client's own program, by which this has to be written; empty if it is written directly."""
    plugin: Plugin | None = None
    """What starts seqthink for this client already, without an entry."""

    @property
    def changes(self) -> bool:
        """Whether there is anything to write."""
        return self.new != (self.file.data if self.file.exists else None)


class Request(Struct, frozen=True):
    """What is asked of one client."""

    client: McpClient
    launch: Launch
    scope: Scope
    wish: Wish


def _pause() -> None:
    Event().wait(_PAUSE_SECONDS)


def make_plan(request: Request, environ: Mapping[str, str], wait: Callable[[], None] = _pause) -> Plan:
    """Return what ``request`` makes of its file; nothing is written, but what a killed run left beside it is deleted.

    Args:
        request: what is asked.
        environ: the environment, which says where files are.
        wait: waits a moment for a client that is writing its file.

    Raises:
        UsageError: the client has no such file.
        ClientFileError: the file is not to be edited; the message begins with its path.
    """
    client = request.client
    place = place_of(config_file(client, request.scope, environ), environ)
    drop_leftovers(place.path, environ)
    entry = client.make_entry(request.launch)
    is_by_claude = client.rewrites_its_file and request.scope == "user"

    plugin = _plugin(request, environ)

    def understand(file: ClientFile) -> Plan:
        change = changed(client, file.text(), entry, request.wish)
        if plugin is not None and change.entry is None and not request.wish.forces:  # one server is enough
            change = changed(client, file.text(), entry, replace(request.wish, removes=True))
        if request.wish.removes and file.exists and change.new != change.old and not is_by_claude:
            return _removal(client, place, file, change)
        new = None if change.new == change.old and not file.exists else change.new.encode()
        return Plan(client, place, file, new, change)

    try:
        plan = read_settled(lambda: read_client_file(place.path, place.roots), understand, wait, own_writes(environ))
        plan = replace(plan, plugin=plugin)
        if plan.changes:
            _check_writable(plan, environ)
            plan = replace(plan, program=_claude(environ) if is_by_claude else "")
    except ConfigTextError as error:
        raise ClientFileError(f"{place.shown}:{error.line}:{error.column}: {error.reason}") from error
    except (ClientFileError, ChangedWhileReadError) as error:
        raise ClientFileError(f"{place.shown}: {error}") from error
    return plan


def _plugin(request: Request, environ: Mapping[str, str]) -> Plugin | None:
    """Return what starts seqthink wherever the file of ``request`` applies."""
    found = plugins_with_us(request.client, environ)
    return next((one for one in found if one.is_everywhere or request.scope == "project"), None)


def _removal(client: McpClient, place: FilePlace, file: ClientFile, change: Change) -> Plan:
    """Return the plan that takes our entry out: back to the very bytes of before, if nothing else changed since."""
    originals = {str(backup): text for backup, text in backups_of(file.target).items()}
    name = restored(client, change.old, originals | {"": ""})
    if name is None:
        return Plan(client, place, file, change.new.encode(), change)
    if not name:
        return Plan(client, place, file, None, change)
    return Plan(client, place, file, originals[name].encode(), change, Path(name))


def _check_writable(plan: Plan, environ: Mapping[str, str]) -> None:
    """Raise unless the file may be replaced; root could write what its owner wants to be left alone."""
    mode = plan.file.mode
    if not plan.file.exists and plan.place.is_private and not home_folder(environ).is_dir():
        raise ClientFileError("HOME names no folder; set it to your home folder")
    if not plan.file.exists and plan.place.is_private and not is_in_own_folder(plan.file.target):
        raise ClientFileError("its folder belongs to another user; run this as that one")
    if plan.file.exists and not mode & stat.S_IWUSR:
        raise ClientFileError("it is read-only; `chmod u+w` lets it be written, if that is not on purpose")
    if mode & stat.S_IWOTH:
        raise ClientFileError(
            "every user of this machine can write it, and so run programs as you; `chmod o-w` it first"
        )


def _claude(environ: Mapping[str, str]) -> str:
    """Return Claude Code's program. Raises ClientFileError if it is not found."""
    program = claude_program(environ)
    if program:
        return program
    raise ClientFileError(
        "Claude Code rewrites it while it runs, so only its own command may change it, and there is no `claude` on the"
        " PATH; add it to the PATH, or write one project's file: `seqthink config claude-code --write --scope project`"
    )
