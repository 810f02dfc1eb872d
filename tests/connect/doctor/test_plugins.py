"""The doctor sees our plugin and our extension as what starts the server, and never advises a second entry."""

import json

from tests.connect.doctor.set_ups import INSTALLED, SetUp
from tests.support.clients.plugins import install_claude_plugin, install_gemini_extension


def starts_installed(set_up: SetUp) -> None:
    """Let the installed program stand for the one that a launcher would fetch."""
    set_up.program("uvx", f'shift; exec {INSTALLED} "$@"', language="sh")


def test_a_plugin_is_the_entry_and_its_server_is_tried(set_up: SetUp) -> None:
    starts_installed(set_up)
    install_claude_plugin(set_up.home)
    install_gemini_extension(set_up.home)

    examined = set_up.examine()

    assert (examined.status, examined.fixes) == (0, [])
    assert "in a plugin: seqthink@seqthink" in examined.messages("entry")
    assert "in an extension: seqthink" in examined.messages("entry")
    assert ("server", "right") in examined.of("Claude Code")
    assert ("server", "right") in examined.of("Gemini CLI")


def test_an_entry_beside_the_plugin_is_a_second_server_and_the_plugin_can_go(set_up: SetUp) -> None:
    starts_installed(set_up)
    set_up.connect("claude-code")
    install_claude_plugin(set_up.home)

    examined = set_up.examine("claude-code")

    assert examined.fixes == ["claude plugin uninstall seqthink@seqthink"]
    assert "one more, a plugin, starts seqthink: two servers" in examined.messages("entry")


def test_an_entry_beside_the_extension_takes_its_place(set_up: SetUp) -> None:
    set_up.connect("gemini-cli")
    install_gemini_extension(set_up.home)

    examined = set_up.examine("gemini-cli")

    assert examined.fixes == []
    assert "an extension has one, too, which does not count here" in examined.messages("entry")


def test_a_plugin_whose_server_cannot_start_is_to_be_replaced_and_not_doubled(set_up: SetUp) -> None:
    install_claude_plugin(set_up.home, "private@firm")
    set_up.variables["PATH"] = str(set_up.home / "bin")

    examined = set_up.examine("claude-code")
    report = set_up.run("claude-code", "--report").stdout

    assert examined.fixes[0] == "claude plugin uninstall … && seqthink config claude-code --write"
    assert "private@firm" in json.dumps(examined.groups["Claude Code"])
    assert "private" not in report
