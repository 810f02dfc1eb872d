import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.events import EVENT_TYPES, Event, ThoughtEvent
from seqthink.journal.decode import decode
from seqthink.journal.encode import encode, format_time
from tests.support.journals.build import JournalBuilder, shop_api

JOURNALS = Path(__file__).parents[1] / "journals"

moments = st.datetimes(min_value=datetime(1970, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - Hypothesis adds it
# Two halves of a pair side by side come back as one character, as everywhere in JSON.
texts = st.text(st.characters(exclude_categories=[])).filter(
    lambda text: text == text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
)
thoughts = st.fixed_dictionaries(
    {
        "thought": texts,
        "nextThoughtNeeded": st.booleans(),
        "thoughtNumber": st.integers(1, 2**53 - 1),
        "totalThoughts": st.integers(1, 2**53 - 1),
    },
    optional={
        "isRevision": st.booleans(),
        "revisesThought": st.integers(1, 2**53 - 1),
        "branchFromThought": st.integers(1, 2**53 - 1),
        "branchId": texts,
        "needsMoreThoughts": st.booleans(),
        "hint": texts,
        "coerced": st.lists(texts).map(tuple),
    },
)


@given(st.integers(1, 2**53 - 1), moments, thoughts)
def test_what_is_encoded_decodes_to_the_same(seq: int, time: datetime, fields: dict[str, Any]) -> None:
    line = encode(seq, time, "thought", fields)

    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert decode(line[:-1]) == ThoughtEvent(v=1, seq=seq, time=time, **fields)


def test_a_line_begins_with_its_four_common_fields_and_has_no_null() -> None:
    line = encode(7, datetime(2026, 3, 10, 14, 2, tzinfo=UTC), "end", {"reason": "eof", "error": None})

    assert line == b'{"v":1,"seq":7,"time":"2026-03-10T14:02:00.000000Z","type":"end","reason":"eof"}\n'


def test_real_characters_are_written_as_they_came() -> None:
    line = encode(1, datetime(2026, 3, 10, tzinfo=UTC), "note", {"text": "目录 👩‍💻 \u2028 \ud800"})

    assert '"text":"目录 👩‍💻 \u2028 \\ud800"}'.encode() in line


@given(moments)
def test_a_time_reads_back_as_the_same_moment(time: datetime) -> None:
    assert datetime.fromisoformat(format_time(time)) == time


def test_every_event_type_has_its_model() -> None:
    tags = {msgspec.inspect.type_info(model).tag for model in get_args(Event)}  # pyright: ignore - msgspec names its types loosely

    assert tags == EVENT_TYPES


def test_the_full_journal_holds_every_event_type() -> None:
    lines = (JOURNALS / "full.jsonl").read_bytes().splitlines()

    assert {json.loads(line)["type"] for line in lines} == EVENT_TYPES


def test_seq_has_no_gaps_in_what_the_builder_writes() -> None:
    events = JournalBuilder().session().thought("One", 1, 2).audit().thought("Two", 2, 2).note().end().events

    assert [event.seq for event in events] == [1, 2, 3, 4, 5, 6]


def test_the_example_journal_is_the_one_that_the_builder_gives() -> None:
    assert (JOURNALS / "shop-api.jsonl").read_bytes() == shop_api().data
