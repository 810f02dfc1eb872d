"""What keeps a client from using a server whose entry is right: its switches, lists and approvals. Pure.

Seen by starting Claude Code 2.1.197, Codex 0.169.0, Gemini CLI 0.61.0, OpenCode 1.18.33 and Copilot CLI 1.0.102:
`enabled`, and the lists and approvals outside of an entry. No client was started with `disabled` or a list of tools in
its entry.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from msgspec import Struct

from seqthink.connect.clients.launch import SERVER_NAME
from seqthink.connect.clients.registry import ConfigFile, McpClient
from seqthink.connect.doctor.fixes import shell_word
from seqthink.connect.doctor.probe_messages import TOOL
from seqthink.connect.doctor.results import CheckResult, warning, wrong

_GEMINI_SWITCHES: Final = "mcp-server-enablement.json"
_ONLY: Final = ("enabled_tools", "includeTools")
"""Members of an entry that list the tools to offer: Codex's and Gemini CLI's."""
_NOT: Final = ("disabled_tools", "excludeTools")
"""Members of an entry that list tools to leave out."""


class ReadFile(Struct, frozen=True):
    """A file of a client and what it says. Untrusted."""

    path: str
    name: str
    """The last part of the path."""
    value: Mapping[str, Any]


class NamedServer(Struct, frozen=True):
    """The entry that counts, as far as switches go. Untrusted."""

    name: str
    entry: Mapping[str, Any]
    path: str
    """The file that it is in."""
    is_in_project_file: bool


def switch_files(client: str, environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    """Return files that hold no entries of servers, but decide over them.

    Args:
        client: its name on the command line.
        environ: the environment, which says where files are.
    """
    if client == "claude-code":
        folder = environ.get("CLAUDE_CONFIG_DIR") or "~/.claude"
        project = (ConfigFile(f".claude/{name}", scope="project") for name in ("settings.json", "settings.local.json"))
        return ConfigFile(f"{folder}/settings.json"), *project
    if client == "copilot-cli":
        return (ConfigFile(f"{environ.get('COPILOT_HOME') or '~/.copilot'}/settings.json"),)
    return (ConfigFile(f"~/.gemini/{_GEMINI_SWITCHES}"),) if client == "gemini-cli" else ()


def project_members(value: Mapping[str, Any], project: str) -> Mapping[str, Any]:
    """Return what Claude Code keeps of the folder ``project`` in the user's file."""
    return _table(_table(value.get("projects")).get(project))


def switch_checks(
    client: McpClient, server: NamedServer, files: Sequence[ReadFile], project: str
) -> Iterator[CheckResult]:
    """Yield what keeps ``client`` from using ``server``.

    Args:
        client: the client.
        server: the entry that counts.
        files: all files of the client that could be read.
        project: the folder by which Claude Code knows the current one.
    """
    yield from _own_switches(client, server)
    if client.name == "gemini-cli":
        yield from _gemini(server, files)
    elif client.name == "copilot-cli":
        yield from _copilot(server, files)
    elif client.name == "claude-code":
        yield from _claude_code(server, files, project)


def _own_switches(client: McpClient, server: NamedServer) -> Iterator[CheckResult]:
    joint = " = " if client.syntax == "toml" else ": "
    for member, off in (("enabled", False), ("disabled", True)):
        if server.entry.get(member) is off:
            setting = f"{member}{joint}{'true' if off else 'false'}"
            fix = f"take `{setting}` out of the entry in {{}}"
            yield wrong("entry", f"it is switched off ({setting})", fix=fix, fix_detail=shell_word(server.path))
    for member in (*_ONLY, *_NOT):
        names = server.entry.get(member)
        if isinstance(names, list) and (TOOL in names) == (member in _NOT):
            fix = f"take `{member}` out of the entry in {{}}"
            message = f"it is kept from the model (`{member}`)"
            yield wrong("tool", message, fix=fix, fix_detail=shell_word(server.path))


def _gemini(server: NamedServer, files: Sequence[ReadFile]) -> Iterator[CheckResult]:
    """Yield what Gemini CLI's lists say; it compares names without regard to case, and each file has its say."""
    name = server.name.strip().lower()
    for file in files:
        if file.name == _GEMINI_SWITCHES:
            if _table(file.value.get(name)).get("enabled") is False:
                yield _off(f"by `{_GEMINI_SWITCHES}`", "take {} out of {}", server, file)
            continue
        lists = _table(file.value.get("mcp"))
        if name in _lowered(lists.get("excluded")):
            yield _off("by `mcp.excluded`", "take {} out of `mcp.excluded` in {}", server, file)
        if isinstance(lists.get("allowed"), list) and name not in _lowered(lists["allowed"]):
            yield _off("since `mcp.allowed` leaves it out", "add {} to `mcp.allowed` in {}", server, file)


def _copilot(server: NamedServer, files: Sequence[ReadFile]) -> Iterator[CheckResult]:
    for file in files:
        if server.name in _list(file.value.get("disabledMcpServers")):
            yield _off("by `disabledMcpServers`", "take {} out of `disabledMcpServers` in {}", server, file)


def _claude_code(server: NamedServer, files: Sequence[ReadFile], project: str) -> Iterator[CheckResult]:
    for file in files:
        if server.name in _list(project_members(file.value, project).get("disabledMcpServers")):
            where = "for this folder, by `disabledMcpServers`"
            yield _off(where, "switch {} on in the menu /mcp of Claude Code, which edits {}", server, file)
    if not server.is_in_project_file:
        return
    deciding = [(file, _table(members)) for file in files for members in (file.value, _project(file, project))]
    refusing = [file for file, members in deciding if server.name in _list(members.get("disabledMcpjsonServers"))]
    if refusing:
        where = "by `disabledMcpjsonServers`"
        yield _off(where, "take {} out of `disabledMcpjsonServers` in {}", server, refusing[0])
    elif not any(_approves(members, server.name) for _file, members in deciding):
        message = "Claude Code has not asked yet whether it may start this project's server"
        yield warning("approval", message, fix="start `claude` here once, and approve it")


def _project(file: ReadFile, project: str) -> Mapping[str, Any]:
    return project_members(file.value, project)


def _approves(members: Mapping[str, Any], name: str) -> bool:
    return members.get("enableAllProjectMcpServers") is True or name in _list(members.get("enabledMcpjsonServers"))


def _off(where: str, fix: str, server: NamedServer, file: ReadFile) -> CheckResult:
    named = f"`{SERVER_NAME}`" if server.name == SERVER_NAME else "the server's name"  # a report holds no other name
    filled = fix.replace("{}", named, 1)
    return wrong("entry", f"it is switched off {where}", server.name, fix=filled, fix_detail=shell_word(file.path))


def _table(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _list(value: object) -> Sequence[object]:
    return cast("Sequence[object]", value) if isinstance(value, list) else ()


def _lowered(value: object) -> Sequence[str]:
    return [word.strip().lower() for word in _list(value) if isinstance(word, str)]
