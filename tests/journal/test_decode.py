import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.errors import CorruptLineError
from seqthink.core.events import EndEvent, SessionEvent, ThoughtEvent, UnknownEvent
from seqthink.journal.decode import decode
from tests.support.journals.build import JournalBuilder

JOURNALS = Path(__file__).parent.parent / "journals"
START = b'{"v":1,"seq":1,"time":"2026-03-10T14:02:00.000000Z",'

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(["thought", "of", "id", "session", "client", "review", "reason", "tags", "\ud800"])
kinds = st.sampled_from(["session", "thought", "rejected", "audit", "sample", "elicit", "context", "note", "end", "x"])


def outcome(line: bytes) -> object:
    """Return the event, or the reason why there is none; anything else is a bug."""
    try:
        return decode(line)
    except CorruptLineError as error:
        return error.reason


def test_unknown_types_and_versions_are_unread() -> None:
    assert decode(START + b'"type":"dream","of":3}') == UnknownEvent(1, "dream")
    assert decode(b'{"v":2,"type":"thought","thinking":"a newer shape"}') == UnknownEvent(2, "thought")
    assert decode(b'{"v":3,"type":{"name":"thought"}}') == UnknownEvent(3, "{'name': 'thought'}")


def test_unknown_fields_are_ignored_and_null_is_absent() -> None:
    event = decode(START + b'"type":"end","reason":"eof","error":null,"mood":{"calm":true}}')

    assert isinstance(event, EndEvent)
    assert event.error is None


def test_a_lone_surrogate_is_kept_as_it_came() -> None:
    event = decode(JournalBuilder().thought("half \ud83d of a smile").lines[0])

    assert isinstance(event, ThoughtEvent)
    assert event.thought == "half \ud83d of a smile"


def test_a_lone_surrogate_in_the_name_of_an_unknown_field_does_no_harm() -> None:
    event = decode(START + b'"type":"end","reason":"eof","\\ud800":1}')

    assert isinstance(event, EndEvent)


def test_an_escaped_pair_is_one_character() -> None:
    event = decode(START + b'"type":"session","session":"a","title":"\\ud83d\\ude00"}')

    assert isinstance(event, SessionEvent)
    assert event.title == "😀"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "not JSON: Expecting value, at character 0"),
        (b"\xff", "not UTF-8: invalid start byte, at byte 0"),
        (b"[1]", "not a JSON object"),
        (b'{"v":true}', "no version"),
        (b'{"v":0,"type":"end"}', "no version"),
        (b'{"v":1}', "no `type`"),
        (START + b'"type":"end"}', "missing required field `reason`"),
        (START + b'"type":"end","reason":"bored"}', "Invalid enum value 'bored'"),
        (START + b'"type":"end","reason":"\\ud800"}', "surrogates not allowed"),
        (START + b'"type":"audit","of":1,"durationMs":NaN}', "NaN is not JSON"),
        (
            START + b'"type":"end","reason":"eof","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
            "nested too deeply",
        ),
        (START + b'"type":"end","reason":"eof"}{', "not JSON: Extra data"),
    ],
)
def test_a_bad_line_is_corrupt_and_says_why(line: bytes, reason: str) -> None:
    with pytest.raises(CorruptLineError) as caught:
        decode(line)

    assert reason in caught.value.reason


# The first draw of any text on a machine builds Hypothesis's table of characters.
@given(kinds, st.dictionaries(names, json_values, max_size=4), st.booleans())
def test_whatever_the_fields_hold_a_line_is_an_event_or_corrupt(
    kind: str, fields: dict[str, object], ascii_only: bool
) -> None:
    value = {"v": 1, "seq": 1, "time": "2026-03-10T14:02:00Z", "type": kind} | fields
    line = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")

    assert outcome(line)


@given(st.binary())
def test_any_bytes_are_corrupt_at_worst(line: bytes) -> None:
    assert outcome(line)


@pytest.mark.parametrize(
    ("name", "events", "unread", "corrupt"),
    [
        ("minimal", 2, 0, 0),
        ("full", 42, 0, 0),
        ("unknown", 4, 4, 0),
        ("corrupt", 4, 0, 11),
        ("hostile", 20, 1, 7),
        ("shop-api", 15, 0, 0),
    ],
)
def test_the_journals_of_the_tests_hold_what_they_are_for(name: str, events: int, unread: int, corrupt: int) -> None:
    found = {"events": 0, "unread": 0, "corrupt": 0}
    for line in (JOURNALS / f"{name}.jsonl").read_bytes().split(b"\n")[:-1]:
        try:
            event = decode(line)
        except CorruptLineError:
            found["corrupt"] += 1
        else:
            found["unread" if isinstance(event, UnknownEvent) else "events"] += 1

    assert found == {"events": events, "unread": unread, "corrupt": corrupt}
