import json
from typing import Annotated

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.sources.transcripts.files.json_lines import (
    MAX_ID_CHARS,
    bounded_id,
    decode_as,
    decode_object,
    decode_value,
    microseconds_of_text,
)


class Named(msgspec.Struct):
    name: str | None = None
    given: msgspec.Raw = msgspec.Raw(b"")
    parts: "str | list[Named] | None" = None
    count: Annotated[int, msgspec.Meta(ge=0)] | None = None


NAMED = msgspec.json.Decoder(Named)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b'{"a": 1}', {"a": 1}),
        (b'{"a": "\\ud800x"}', {"a": "���x"}),
        (b'{"a": "\xff"}', {"a": "�"}),
        (b'{"a": NaN}', {"a": None}),
        (b'{"a": "\\ud83e\\udd16"}', {"a": "🤖"}),
        (b"[1]", None),
        (b"{", None),
        (b"", None),
        (b"[" * 100_000, None),
    ],
)
def test_an_object_is_decoded_whatever_its_texts_hold(line: bytes, value: object) -> None:
    assert decode_object(line) == value


def test_of_a_line_only_the_named_fields_are_read_also_where_another_is_broken() -> None:
    line = b'{"other": "\\ud800", "name": "Ada"}'
    read = decode_as(NAMED, line)

    assert read is not None
    assert read.name == "Ada"
    assert decode_as(NAMED, b"[]") is None
    assert decode_as(NAMED, b'{"name": ') is None


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-11-22T17:38:21.171Z", 1_795_369_101_171_000),
        ("2026-11-22T18:38:21.171+01:00", 1_795_369_101_171_000),
        ("2026-11-22T17:38:21.171234567Z", 1_795_369_101_171_234),
        ("2026-11-22T17:38:21", 1_795_369_101_000_000),
        ("yesterday", None),
        ("", None),
        (17, None),
        ("2026-99-22T17:38:21Z", None),
        ("2" * 1000, None),
    ],
)
def test_times_are_microseconds(text: object, microseconds: int | None) -> None:
    assert microseconds_of_text(text) == microseconds


def test_ids_are_bounded_and_stay_apart() -> None:
    first, second = bounded_id("x" * 5000 + "1"), bounded_id("x" * 5000 + "2")

    assert first is not None
    assert (len(first), first == second) == (MAX_ID_CHARS, False)
    assert (bounded_id("abc"), bounded_id(""), bounded_id(7)) == ("abc", None, None)
    assert bounded_id("\ud800" * 500) is not None


@pytest.mark.parametrize(
    ("line", "read"),
    [
        (b'{"name": 7, "count": 7}', Named(count=7)),
        (b'{"name": "Ada", "count": true}', Named("Ada")),
        (b'{"name": "Ada", "count": -1}', Named("Ada")),
        (b'{"name": "\\ud800", "count": "1"}', Named("���")),
        (b'{"parts": {"name": "Ada"}}', Named()),
        (
            b'{"parts": [1, {"name": "Ada", "count": []}, {"parts": [{"name": 7}]}]}',
            Named(parts=[Named("Ada"), Named(parts=[Named()])]),
        ),
        (b'{"count": 100000000000000000000000000000000000, "name": 1}', Named(count=10**35)),
        (b"[]", None),
    ],
)
def test_a_value_of_another_type_than_its_field_counts_as_missing(line: bytes, read: Named | None) -> None:
    assert decode_as(NAMED, line) == read


def test_what_is_kept_as_bytes_may_be_of_any_type() -> None:
    read = decode_as(NAMED, b'{"given": {"a": [1]}, "name": 7}')

    assert read is not None
    assert decode_value(read.given) == {"a": [1]}


VALUES = st.recursive(st.none() | st.text() | st.floats(), st.lists).map(lambda value: json.dumps(value).encode())


@given(st.binary(max_size=60) | VALUES)
def test_nothing_raises(data: bytes) -> None:
    decode_object(data)
    decode_value(data)
    decode_as(NAMED, data)
    for name in (b"name", b"given", b"parts", b"count"):
        decode_as(NAMED, b'{"' + name + b'":' + data + b"}")
