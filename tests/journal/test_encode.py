"""An event's line: the same bytes as the general encoder's, whatever the fields are."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.journal.encode import encode, encode_line, format_time
from tests.core.test_arguments import JSON

MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
NAMES = st.text(st.characters(exclude_categories=()), max_size=5)
ZONES = st.integers(-86_399, 86_399).map(lambda seconds: timezone(timedelta(seconds=seconds)))


@given(st.integers(1, 2**60), st.sampled_from(["thought", "session", 'a"b']), st.dictionaries(NAMES, JSON, max_size=8))
def test_a_line_is_that_of_the_general_encoder(seq: int, kind: str, fields: dict[str, Any]) -> None:
    head = {"v": 1, "seq": seq, "time": format_time(MOMENT), "type": kind}
    given_fields = {name: value for name, value in fields.items() if value is not None and name not in head}

    try:
        expected = encode_line(head | given_fields)
    except ValueError:
        with pytest.raises(ValueError, match=r"JSON"):  # infinite
            encode(seq, MOMENT, kind, given_fields)
        return

    line = encode(seq, MOMENT, kind, {**dict.fromkeys(("left", "out")), **given_fields})
    assert line == expected
    assert json.loads(line) == head | given_fields


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [float("-inf")]])
def test_a_number_that_is_not_json_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        encode(1, MOMENT, "thought", {"thoughtNumber": value})


def test_a_truth_is_no_number_and_a_text_that_looks_like_json_stays_text() -> None:
    line = encode(1, MOMENT, "thought", {"a": True, "b": 1, "c": '{"d":1}', "e": False, "f": 1.0, "g": []})

    assert line.endswith(b',"a":true,"b":1,"c":"{\\"d\\":1}","e":false,"f":1.0,"g":[]}\n')


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=ZONES))  # noqa: DTZ001 - hypothesis adds the zone
def test_a_time_is_utc_with_microseconds_whatever_its_zone(time: datetime) -> None:
    utc = time.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00")

    assert format_time(time) == f"{utc}Z"
