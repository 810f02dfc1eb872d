"""Which clients are found on a machine, by their programs or by what they leave in the home folder."""

import pytest

from seqthink.connect.client_files.found import clients_found
from seqthink.connect.clients.presence import signs_of
from seqthink.connect.clients.registry import CLIENTS
from seqthink.core.errors import ClientFileError
from tests.support.clients.machine import Machine


def _names(machine: Machine) -> list[str]:
    return [client.name for client in clients_found(machine.environ)]


def test_on_an_empty_machine_there_is_none(machine: Machine) -> None:
    assert _names(machine) == []


@pytest.mark.parametrize(
    ("program", "client"),
    [
        ("claude", "claude-code"),
        ("codex", "codex"),
        ("cursor", "cursor"),
        ("code", "vscode"),
        ("gemini", "gemini-cli"),
        ("opencode", "opencode"),
        ("windsurf", "windsurf"),
        ("zeditor", "zed"),
    ],
)
def test_a_client_is_found_by_a_program_on_the_path(machine: Machine, program: str, client: str) -> None:
    machine.install_program(program)

    assert _names(machine) == [client]


def test_no_client_is_found_by_a_program_that_cannot_be_run(machine: Machine) -> None:
    machine.install_program("codex").chmod(0o644)

    assert _names(machine) == []


def test_the_daemon_of_a_file_system_is_no_editor(machine: Machine) -> None:
    machine.install_program("zed")

    assert _names(machine) == []


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_is_found_by_its_own_file(machine: Machine, client: str) -> None:
    machine.write(client, "")

    assert _names(machine) == [client]


@pytest.mark.parametrize("client", [name for name in CLIENTS if name != "claude-code"])
def test_a_client_is_found_by_its_own_folder(machine: Machine, client: str) -> None:
    machine.use(client)

    assert _names(machine) == [client]


def test_a_folder_that_a_variable_names_is_looked_at(machine: Machine) -> None:
    folder = machine.home.parent / "elsewhere"
    machine.environ["CODEX_HOME"] = str(folder)
    machine.use("codex")

    assert _names(machine) == ["codex"]


def test_without_a_home_nothing_is_guessed(machine: Machine) -> None:
    with pytest.raises(ClientFileError, match="HOME is not an absolute path"):
        clients_found(machine.environ | {"HOME": ""})


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_on_every_platform_each_client_has_a_sign_and_the_home_folder_is_none(client: object, platform: str) -> None:
    from seqthink.connect.clients.registry import McpClient

    assert isinstance(client, McpClient)
    signs = signs_of(client, platform, {})

    assert signs.paths
    assert not {"~", "", "%APPDATA%"} & {*signs.paths}
