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
    said: list[str] = []

    assert read_switch(text) is meaning
    assert is_on({"SEQTHINK_DEBUG": text}, "SEQTHINK_DEBUG", said.append) is bool(meaning)
    assert len(said) == (meaning is None)


def said_of(switch: str) -> list[str]:
    """Return what `doctor` says of a server with this switch."""
    command = ServerCommand(("uvx", "seqthink[audit]", "serve"), {"ENABLE_GAN_AUDITING": switch})
    return [result.said for result in audit_checks(command, {}, ("seqthink",))]


def test_a_switch_that_is_neither_is_named_by_doctor() -> None:
    assert said_of("ja") == ["off: ENABLE_GAN_AUDITING is neither yes nor no"]
    assert said_of("on") == ["on, with the extra `audit`"]
    assert said_of("off") == []
