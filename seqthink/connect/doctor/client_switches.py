"""What keeps a client from using a server whose entry is right: its switches, lists and approvals. Pure.

Seen by starting Claude Code 2.1.197, Codex 0.169.0, Gemini CLI 0.61.0, OpenCode 1.18.33 and Copilot CLI 1.0.102:
`enabled`, and the lists and approvals outside of an entry. No client was started with `disabled` or a list of tools in
its entry.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from seqthink.connect.clients.registry import ConfigFile, McpClient
from seqthink.connect.doctor.fixes import shell_word
from seqthink.connect.doctor.probe_messages import TOOL
from seqthink.connect.doctor.results import CheckResult, wrong
from seqthink.connect.doctor.switches import claude_code, copilot_cli, gemini_cli
from seqthink.connect.doctor.switches.client_switch import ClientSwitches, NamedServer, ReadFile

_SWITCHES: Final[Mapping[str, ClientSwitches]] = {
    one.client: one for one in (claude_code.SWITCHES, copilot_cli.SWITCHES, gemini_cli.SWITCHES)
}
_ONLY: Final = ("enabled_tools", "includeTools")
"""Members of an entry that list the tools to offer: Codex's and Gemini CLI's."""
_NOT: Final = ("disabled_tools", "excludeTools")
"""Members of an entry that list tools to leave out."""


def switch_files(client: str, environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    """Return files that hold no entries of servers, but decide over them.

    Args:
        client: its name on the command line.
        environ: the environment, which says where files are.
    """
    switches = _SWITCHES.get(client)
    return switches.files(environ) if switches is not None else ()


def switch_checks(
    client: McpClient, server: NamedServer, files: Sequence[ReadFile], project: str
) -> Iterator[CheckResult]:
    """Yield what keeps ``client`` from using ``server``.

    Args:
        client: the client.
        server: the entry that counts.
        files: all files of the client that could be read.
        project: the folder by which the client knows the current one.
    """
    yield from _own_switches(client, server)
    if (switches := _SWITCHES.get(client.name)) is not None:
        yield from switches.checks(server, files, project)


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
