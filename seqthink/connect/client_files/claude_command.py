"""Claude Code's own command for its own file, which it rewrites all the time while it runs.

An edit from outside could be lost, or could undo what Claude Code has just written. Its command is used only where the
file is strict JSON: with a comment in it, the command has been seen to lose the other servers. Measured with 2.1.197:
it reformats the file, adds members of its own, and refuses to add a server whose name is taken.
"""

import json
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final, cast

from seqthink.connect.client_files.backups import backups_of, drop_old_backups, make_backup
from seqthink.connect.client_files.planning import Plan
from seqthink.connect.client_files.reading import ChangedWhileReadError, ClientFile, read_client_file, reason_of
from seqthink.connect.client_files.replacing import replace_file
from seqthink.connect.clients.launch import SERVER_NAME
from seqthink.connect.clients.quiet import quiet_environment
from seqthink.core.errors import ClientFileError, UsageError
from seqthink.core.text import one_line

_CLIENT = "claude-code"
"""The client whose command this is."""
_BOUND_SECONDS: Final = 60.0
_MAX_SAID_CHARS: Final = 300

Json = dict[str, Any]


def claude_commands(plan: Plan) -> list[list[str]]:
    """Return the command lines that make of Claude Code's file what ``plan`` wants."""
    present, entry = plan.change.entry, _servers(_value(plan.change.new)).get(SERVER_NAME)
    gone = [*plan.change.replaced, *([SERVER_NAME] if present not in (None, entry) else [])]
    commands = [[plan.program, "mcp", "remove", "--scope", "user", name] for name in gone]
    if entry not in (None, present):
        text = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
        commands.append([plan.program, "mcp", "add-json", "--scope", "user", SERVER_NAME, text])
    return commands


def write_by_claude(plan: Plan, environ: Mapping[str, str], now: datetime) -> Path | None:
    """Have Claude Code write what was planned, and return where the file as it was is kept.

    Raises:
        FileChangedError: the file was written since the plan was made; it is as it is now.
        ClientFileError: the command failed, or did something else; the message says what, and where the copy is.
        OSError: no copy of the file could be made; it is as it was.
    """
    backup = make_backup(plan.file, now).path if plan.file.exists else None
    kept = f"; the file as it was: {backup}" if backup else ""
    for command in claude_commands(plan):
        _run(command, environ, kept)
    try:
        written = read_client_file(plan.place.path, plan.place.roots)
    except (ClientFileError, ChangedWhileReadError) as error:
        raise ClientFileError(f"{plan.place.shown}: claude has written the file, but {error}{kept}") from error
    wrong = _what_is_wrong(plan.change.new, written.text(), plan.change.replaced)
    if wrong:
        raise ClientFileError(f"{plan.place.shown}: claude has written the file, but {wrong}{kept}")
    drop_old_backups(plan.file.target)
    is_removal = SERVER_NAME not in _servers(_value(plan.change.new))
    if backup is not None and is_removal and _restore(plan, written, backup):
        return None
    return backup


def _run(command: Sequence[str], environ: Mapping[str, str], kept: str) -> None:
    shown = " ".join(["claude", *command[1:6]])
    try:
        done = subprocess.run(
            command, env=quiet_environment(_CLIENT, environ), stdin=subprocess.DEVNULL, capture_output=True,
            timeout=_BOUND_SECONDS, encoding="utf-8", errors="replace", check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise ClientFileError(f"`{shown}` did not end within {_BOUND_SECONDS:.0f} seconds{kept}") from None
    except OSError as error:
        raise ClientFileError(f"`{shown}` cannot be started: {reason_of(error)}{kept}") from error
    if done.returncode:
        output = one_line((done.stderr.strip() or done.stdout.strip())[-_MAX_SAID_CHARS:])
        raise ClientFileError(f"`{shown}` failed with status {done.returncode}: {output or 'it said nothing'}{kept}")


def _what_is_wrong(wanted: str, written: str, replaced: Sequence[str]) -> str:
    """Return what in the written file is not as wanted.

    Claude Code's own members may come and change, and a flag may go: it leaves out a theme that is the default. What
    holds more than that, such as its projects, must still be there.
    """
    before, after = _value(wanted), _value(written)
    if _servers(before) != _servers(after):
        names = {*_servers(before), *_servers(after)} - {*replaced}
        odd = sorted(name for name in names if _servers(before).get(name) != _servers(after).get(name))
        return f"these servers in it are not as they should be: {one_line(', '.join(odd))}"
    lost = sorted(name for name in {*before} - {*after, "mcpServers"} if before[name] and _is_container(before[name]))
    return f"these members are gone: {one_line(', '.join(lost))}" if lost else ""


def _is_container(value: object) -> bool:
    return isinstance(value, dict | list)


def _restore(plan: Plan, written: ClientFile, backup: Path) -> bool:
    """Write the bytes of an older copy that says the same as the file, and return whether there is one."""
    value = _comparable(_value(written.text()))
    for path, text in backups_of(plan.file.target).items():
        if path != backup and _comparable(_value(text)) == value:
            try:
                replace_file(plan.place, written, text.encode())
            except (OSError, UsageError):  # it says the same as before; only its layout is Claude Code's
                return False
            for copy in (path, backup):  # the file holds the one, and the other is that with our entry
                with suppress(OSError):
                    copy.unlink()
            return True
    return False


def _comparable(value: Json) -> Json:
    """Return a configuration in which no servers are the same as an empty list of them."""
    return value | {"mcpServers": _servers(value)}


def _value(text: str) -> Json:
    if not text.strip("\ufeff \t\r\n"):
        return {}
    try:
        value: object = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    return cast("Json", value) if isinstance(value, dict) else {}


def _servers(value: Json) -> Json:
    servers: object = value.get("mcpServers")
    return cast("Json", servers) if isinstance(servers, dict) else {}
