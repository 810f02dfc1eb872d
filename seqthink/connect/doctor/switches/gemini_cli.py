"""What keeps Gemini CLI from using a server: a file of switches, and two lists in its settings. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from seqthink.connect.clients.registry import ConfigFile
from seqthink.connect.doctor.results import CheckResult
from seqthink.connect.doctor.switches.client_switch import ClientSwitches, NamedServer, ReadFile, lowered, off, table

_FILE_NAME: Final = "mcp-server-enablement.json"


def _files(_environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    return (ConfigFile(f"~/.gemini/{_FILE_NAME}"),)


def _checks(server: NamedServer, files: Sequence[ReadFile], _project: str) -> Iterator[CheckResult]:
    """Yield what Gemini CLI's lists say; it compares names without regard to case, and each file has its say."""
    name = server.name.strip().lower()
    for file in files:
        if file.name == _FILE_NAME:
            if table(file.value.get(name)).get("enabled") is False:
                yield off(f"by `{_FILE_NAME}`", "take {} out of {}", server, file)
            continue
        lists = table(file.value.get("mcp"))
        if name in lowered(lists.get("excluded")):
            yield off("by `mcp.excluded`", "take {} out of `mcp.excluded` in {}", server, file)
        if isinstance(lists.get("allowed"), list) and name not in lowered(lists["allowed"]):
            yield off("since `mcp.allowed` leaves it out", "add {} to `mcp.allowed` in {}", server, file)


SWITCHES: Final = ClientSwitches("gemini-cli", _files, _checks)
