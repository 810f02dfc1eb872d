"""What keeps Claude Code from using a server: its lists for a folder, and its approvals. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from seqthink.connect.clients.registry import ConfigFile
from seqthink.connect.doctor.results import CheckResult, warning
from seqthink.connect.doctor.switches.client_switch import ClientSwitches, NamedServer, ReadFile, listed, off, table


def project_members(value: Mapping[str, Any], project: str) -> Mapping[str, Any]:
    """Return what Claude Code keeps of the folder ``project`` in the user's file."""
    return table(table(value.get("projects")).get(project))


def _files(environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    folder = environ.get("CLAUDE_CONFIG_DIR") or "~/.claude"
    project = (ConfigFile(f".claude/{name}", scope="project") for name in ("settings.json", "settings.local.json"))
    return ConfigFile(f"{folder}/settings.json"), *project


def _checks(server: NamedServer, files: Sequence[ReadFile], project: str) -> Iterator[CheckResult]:
    for file in files:
        if server.name in listed(project_members(file.value, project).get("disabledMcpServers")):
            where = "for this folder, by `disabledMcpServers`"
            yield off(where, "switch {} on in the menu /mcp of Claude Code, which edits {}", server, file)
    if not server.is_in_project_file:
        return
    deciding = [(file, table(members)) for file in files for members in (file.value, _project(file, project))]
    refusing = [file for file, members in deciding if server.name in listed(members.get("disabledMcpjsonServers"))]
    if refusing:
        where = "by `disabledMcpjsonServers`"
        yield off(where, "take {} out of `disabledMcpjsonServers` in {}", server, refusing[0])
    elif not any(_approves(members, server.name) for _file, members in deciding):
        message = "Claude Code has not asked yet whether it may start this project's server"
        yield warning("approval", message, fix="start `claude` here once, and approve it")


def _project(file: ReadFile, project: str) -> Mapping[str, Any]:
    return project_members(file.value, project)


def _approves(members: Mapping[str, Any], name: str) -> bool:
    return members.get("enableAllProjectMcpServers") is True or name in listed(members.get("enabledMcpjsonServers"))


SWITCHES: Final = ClientSwitches("claude-code", _files, _checks)
