"""Secrets in lines, before they leave the machine."""

import json

import pytest

from seqthink.share.shipping.line_redaction import LineRedaction

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
_HEAD = '{"v":1,"seq":2,"time":"2026-03-10T14:02:10.000000Z","type":"thought","thought":'


@pytest.fixture
def redact() -> LineRedaction:
    return LineRedaction(b"s" * 16)


@pytest.mark.parametrize(
    "line",
    [
        (_HEAD + '"The pool is exhausted.","nextThoughtNeeded":true,"thoughtNumber":1,"totalThoughts":3}').encode(),
        b"",
        b"no JSON at all",
        b"\xff\xfe broken",
        b"[1,2]",
        b'{"v":1,"seq":3,"time":"2026-03-10T14:02:10.000000Z","type":"unheard-of","of":{"a":[1,2.50]}}',
    ],
)
def test_a_line_without_secrets_is_the_same_object(line: bytes, redact: LineRedaction) -> None:
    assert redact(line) is line


@pytest.mark.parametrize(
    "line",
    [
        _HEAD + json.dumps(f"the token is {TOKEN}") + "}",
        _HEAD + '"the token is ' + "".join(f"\\u{ord(sign):04x}" for sign in TOKEN) + '"}',
        f'{{"v":9,"type":"unheard-of","deep":{{"er":["{TOKEN}"]}}}}',
        f'{{"v":1,"seq":2,"time":"{TOKEN}","type":"{TOKEN}"}}',
        f'{{"{TOKEN}":1}}',
        f"not JSON: {TOKEN}",
        f'{{"thought":"half \\ud800 {TOKEN}"}}',
    ],
)
def test_a_secret_is_found_wherever_it_is(line: str, redact: LineRedaction) -> None:
    clean = redact(line.encode())

    assert TOKEN.encode() not in clean
    assert "[redacted" in str(json.loads(clean) if clean.startswith(b"{") else clean)


def test_fields_that_are_not_known_stay(redact: LineRedaction) -> None:
    clean = redact(f'{{"thought":"{TOKEN}","new":{{"x":[1,null,true]}},"password":"abc"}}'.encode())

    assert json.loads(clean) == {
        "thought": "[redacted GitHub Token]",
        "new": {"x": [1, None, True]},
        "password": "[redacted secret]",
    }


def test_ids_of_agents_stay_different_and_the_same_in_every_process() -> None:
    lines = [f'{{"type":"agent","agent":"{TOKEN}{number}"}}'.encode() for number in (1, 2)]

    one, other = LineRedaction(b"s" * 16), LineRedaction(b"s" * 16)

    assert one(lines[0]) != one(lines[1])
    assert [one(line) for line in lines] == [other(line) for line in lines]
    assert LineRedaction(b"t" * 16)(lines[0]) != one(lines[0])
