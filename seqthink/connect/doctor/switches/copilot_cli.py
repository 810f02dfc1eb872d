"""What keeps Copilot CLI from using a server: a list in its settings. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from seqthink.connect.clients.registry import ConfigFile
from seqthink.connect.doctor.results import CheckResult
from seqthink.connect.doctor.switches.client_switch import ClientSwitches, NamedServer, ReadFile, listed, off


def _files(environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    return (ConfigFile(f"{environ.get('COPILOT_HOME') or '~/.copilot'}/settings.json"),)


def _checks(server: NamedServer, files: Sequence[ReadFile], _project: str) -> Iterator[CheckResult]:
    for file in files:
        if server.name in listed(file.value.get("disabledMcpServers")):
            yield off("by `disabledMcpServers`", "take {} out of `disabledMcpServers` in {}", server, file)


SWITCHES: Final = ClientSwitches("copilot-cli", _files, _checks)
