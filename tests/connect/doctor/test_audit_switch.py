"""Whether a server audits is read from the environment as the server reads it."""

import pytest

from seqthink.connect.doctor.audit_checks import audit_checks
from seqthink.connect.doctor.server_commands import ServerCommand
from seqthink.core.system import is_on, read_switch


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        *[(text, True) for text in ("1", "true", "TRUE", "yes", " on ")],
        *[(text, False) for text in ("", "0", "false", "No", "off", "  ")],
        *[(text, None) for text in ("ja", "2", "enabled", "true!")],
    ],
)
def test_a_switch_is_yes_or_no_or_neither(text: str, meaning: bool | None) -> None:
    messages: list[str] = []

    assert read_switch(text) is meaning
    assert is_on({"SEQTHINK_DEBUG": text}, "SEQTHINK_DEBUG", messages.append) is bool(meaning)
    assert len(messages) == (meaning is None)


def messages_of(switch: str) -> list[str]:
    """Return what `doctor` says about a server with this switch."""
    command = ServerCommand(("uvx", "seqthink[audit]", "serve"), {"ENABLE_GAN_AUDITING": switch})
    return [result.message for result in audit_checks(command, {}, ("seqthink",))]


def test_a_switch_that_is_neither_is_named_by_doctor() -> None:
    assert messages_of("ja") == ["off: ENABLE_GAN_AUDITING is neither yes nor no"]
    assert messages_of("on") == ["on, with the extra `audit`"]
    assert messages_of("off") == []
