"""Signatures of notes."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.errors import UsageError
from seqthink.sources.fleet.engine import SentNote
from seqthink.sources.fleet.signing import KEY_VARIABLE, note_key, sign, verify

NOW = datetime(2026, 1, 2, tzinfo=UTC)
KEY = b"0123456789abcdef"
NOTE = SentNote("", "one", "0" * 16, "2026-01-01T12:00:00.000000Z", "stop", "me", "")


def signed(note: SentNote) -> SentNote:
    return note._replace(mac=sign(note, KEY))


def test_a_signed_note_is_taken() -> None:
    assert verify(signed(NOTE), KEY, NOW) is None
    assert verify(signed(NOTE)._replace(by="another", entry="5-0"), KEY, NOW) is None


@pytest.mark.parametrize("field", ["session", "id", "text", "time"])
def test_a_changed_note_is_not_taken(field: str) -> None:
    changed = signed(NOTE)._replace(**{field: "2026-01-01T13:00:00Z"})

    assert verify(changed, KEY, NOW) == "its signature is wrong"


def test_a_note_cannot_be_sent_to_another_agent_than_it_was_signed_for() -> None:
    to_one = signed(NOTE._replace(agent="a"))

    assert verify(to_one, KEY, NOW) is None
    for changed in (to_one._replace(agent="b"), to_one._replace(agent=""), signed(NOTE)._replace(agent="a")):
        assert verify(changed, KEY, NOW) == "its signature is wrong"


def test_an_unsigned_a_stale_and_an_early_note_are_not_taken() -> None:
    assert verify(NOTE, KEY, NOW) == "it is not signed"
    assert verify(signed(NOTE), KEY[::-1], NOW) == "its signature is wrong"
    assert verify(signed(NOTE), KEY, NOW + timedelta(days=1)) == "it is older than a day"
    assert verify(signed(NOTE), KEY, NOW - timedelta(days=1)) == "its time is none, or lies ahead"
    assert verify(signed(NOTE._replace(time="soon")), KEY, NOW) == "its time is none, or lies ahead"


@given(st.tuples(*[st.text()] * 4), st.tuples(*[st.text()] * 4))
def test_no_two_notes_have_one_signature(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    first, second = (SentNote("", fields[0], fields[1], fields[2], fields[3], "", "") for fields in (one, other))

    assert (sign(first, KEY) == sign(second, KEY)) == (one == other)


def test_texts_that_run_into_each_other_are_distinguished() -> None:
    assert sign(NOTE._replace(session="a|b", id="c"), KEY) != sign(NOTE._replace(session="a", id="b|c"), KEY)


@given(st.text(), st.text())
def test_any_text_is_verified_without_an_error(mac: str, time: str) -> None:
    assert verify(NOTE._replace(mac=mac, time=time), KEY, NOW) is not None


def test_the_key_is_read_with_care(tmp_path: Path) -> None:
    file = tmp_path / "key"
    environ = {KEY_VARIABLE: str(file)}

    def written(content: bytes, mode: int) -> None:
        file.write_bytes(content)
        file.chmod(mode)

    assert note_key({}) is None
    with pytest.raises(UsageError, match="cannot be read"):
        note_key(environ)
    written(KEY + b"\n", 0o600)
    assert note_key(environ) == KEY
    written(KEY, 0o640)
    with pytest.raises(UsageError, match="can be read by other users"):
        note_key(environ)
    written(b"short\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n", 0o600)
    with pytest.raises(UsageError, match="shorter than 16 bytes"):
        note_key(environ)
    written(b"x" * 5000, 0o600)
    with pytest.raises(UsageError, match="larger than"):
        note_key(environ)
    written(b"", 0o600)
    with pytest.raises(UsageError, match="is empty"):
        note_key(environ)
    with pytest.raises(UsageError, match="is not a regular file"):
        note_key({KEY_VARIABLE: str(tmp_path)})
