"""Invalid and ambiguous journal lines, and files made of them."""

from typing import NamedTuple

from hypothesis import strategies as st

from tests.support.journals.build import JournalBuilder

THOUGHT = (b'{"v":1,"seq":3,"time":"2026-03-10T14:02:00.000000Z","type":"thought",'
           b'"thought":"x","nextThoughtNeeded":true,"thoughtNumber":2,"totalThoughts":2}')  # fmt: skip
AUDIT = b'{"v":1,"seq":3,"time":"2026-03-10T14:02:00.000000Z","type":"audit","of":2}'
REFUSED = b'{"v":1,"seq":3,"time":"2026-03-10T14:02:00.000000Z","type":"rejected","error":"e"}'


def with_(member: bytes, line: bytes = THOUGHT) -> bytes:
    """Return ``line`` with one more member."""
    return b"%b,%b}" % (line[:-1], member)


def but(old: bytes, new: bytes, line: bytes = THOUGHT) -> bytes:
    """Return ``line`` with ``new`` in place of ``old``."""
    assert old in line
    return line.replace(old, new)


READ: dict[str, bytes] = {
    "plain": THOUGHT,
    "a key twice": with_(b'"thought":"y"'),
    "a key twice, once wrong": but(b'"thought":"x"', b'"thought":3,"thought":"x"'),
    "seq twice": with_(b'"seq":9'),
    "v twice": but(b'"v":1', b'"v":2,"v":1'),
    "type twice": with_(b'"type":"rejected","error":"x"'),
    "a key that is spelled with escapes": but(b'"thought":"x"', b'"\\u0074hought":"x"'),
    "a key in another case": with_(b'"Thought":3'),
    "a key of a lone surrogate": with_(b'"\\ud800":1'),
    "too large for a double": with_(b'"new":1e400'),
    "too small for a double": with_(b'"new":[-1e400,-0,-0.0,1e-400]'),
    "too many digits": with_(b'"new":' + b"9" * 5000),
    "too many digits, in a place that is read": with_(b'"arguments":' + b"9" * 5000, REFUSED),
    "beyond 64 bits": with_(b'"arguments":[18446744073709551617,-9007199254740993]', REFUSED),
    "too large, in a place that is read": with_(b'"arguments":{"a":1e400,"b":-0}', REFUSED),
    "deep": with_(b'"new":' + b"[" * 900 + b"]" * 900),
    "deep, in a place that is read": with_(b'"arguments":' + b"[" * 900 + b"]" * 900, REFUSED),
    "deep objects": with_(b'"arguments":' + b'{"a":' * 900 + b"1" + b"}" * 900, REFUSED),
    "an endless duration": with_(b'"durationMs":1e400', AUDIT),
    "a long duration": with_(b'"durationMs":' + b"9" * 30, AUDIT),
    "a duration below 0": with_(b'"durationMs":-1e400', AUDIT),
    "a lone surrogate": but(b'"x"', b'"\\ud800"'),
    "surrogates the wrong way round": but(b'"x"', b'"\\ude00\\ud83d"'),
    "a raw surrogate": but(b'"x"', b'"\xed\xa0\x80"'),
    "a raw pair": but(b'"x"', b'"\xed\xa0\xbd\xed\xb8\x80"'),
    "an escaped NUL": but(b'"x"', b'"\\u0000"'),
    "DEL": but(b'"x"', b'"\x7f"'),
    "nothing thought": but(b'"x"', b'""'),
    "a carriage return": THOUGHT + b"\r",
    "blanks around": b" \t" + THOUGHT + b" ",
    "another zone": but(b'00Z"', b'00+02:00"'),
    "the first hour": but(b"2026-03-10T14:02:00.000000Z", b"0001-01-01T00:00:00.000000+23:00"),
    "the last hour": but(b"2026-03-10T14:02:00.000000Z", b"9999-12-31T23:59:59.999999-23:00"),
    "the largest numbers": but(b'"thoughtNumber":2,"totalThoughts":2',
                               b'"thoughtNumber":9007199254740991,"totalThoughts":9007199254740991'),
}  # fmt: skip
"""Lines that readers accept; where parsers disagree, one reading is defined."""

NEWER: dict[str, bytes] = {
    "a later version": but(b'"v":1', b'"v":2'),
    "v twice, the last one later": with_(b'"v":2'),
    "an unknown type": but(b'"type":"thought"', b'"type":"dream"'),
    "a type of a lone surrogate": but(b'"type":"thought"', b'"type":"\\ud800"'),
    "a version of many digits": but(b'"v":1', b'"v":' + b"9" * 3000),
}
"""Lines that readers count as unread."""

CORRUPT: dict[str, bytes] = {
    "nothing": b"",
    "blanks": b" \t\r",
    "cut off": THOUGHT[:60],
    "two on one line": THOUGHT + THOUGHT,
    "text": b"hello",
    "a list": b"[1]",
    "open brackets": b"[" * 100_000,
    "too deep": with_(b'"new":' + b"[" * 100_000 + b"]" * 100_000),
    "NULs": b"\0" * 512,
    "a NUL within": but(b'"x"', b'"\0"'),
    "a NUL behind": THOUGHT + b"\0",
    "a byte order mark": b"\xef\xbb\xbf" + THOUGHT,
    "UTF-16": THOUGHT.decode().encode("utf-16"),
    "UTF-16, no mark": THOUGHT.decode().encode("utf-16-be"),
    "UTF-32": THOUGHT.decode().encode("utf-32"),
    "Latin-1": but(b'"x"', b'"\xe9"'),
    "Latin-1, in a place that nobody reads": with_(b'"new":"\xe9"'),
    "Latin-1, as a key": with_(b'"\xe9":1'),
    "overlong": but(b'"x"', b'"\xc0\x80"'),
    "above all planes": with_(b'"new":"\xf4\x90\x80\x80"'),
    "a raw control": but(b'"x"', b'"\x1b]0;x"'),
    "a raw tab": with_(b'"new":"\t"'),
    "an escape that is none": with_(b'"new":"\\x1b"'),
    "a form feed before": b"\x0c" + THOUGHT,
    "a no-break space before": b"\xc2\xa0" + THOUGHT,
    "NaN": with_(b'"new":NaN'),
    "infinity": with_(b'"new":-Infinity'),
    "a leading zero": but(b'"thoughtNumber":2', b'"thoughtNumber":02'),
    "a bare point": with_(b'"new":1.'),
    "a plus": with_(b'"new":+1'),
    "a comma too many": THOUGHT[:-1] + b",}",
    "a comment": with_(b'"new":1')[:-1] + b"/**/}",
    "other quotes": but(b'"x"', b"'x'"),
    "no version": b"{}",
    "v as a string": but(b'"v":1', b'"v":"1"'),
    "v as true": but(b'"v":1', b'"v":true'),
    "v as a float": but(b'"v":1', b'"v":1.0'),
    "v below 0": but(b'"v":1', b'"v":-0'),
    "seq as a float": but(b'"seq":3', b'"seq":3.0'),
    "seq 0": but(b'"seq":3', b'"seq":-0'),
    "seq 2**53": but(b'"seq":3', b'"seq":9007199254740992'),
    "seq of many digits": but(b'"seq":3', b'"seq":' + b"9" * 5000),
    "a number 2**53": but(b'"thoughtNumber":2', b'"thoughtNumber":9007199254740992'),
    "a number as a float": but(b'"thoughtNumber":2', b'"thoughtNumber":2.0'),
    "a number with an exponent": but(b'"thoughtNumber":2', b'"thoughtNumber":2e0'),
    "an endless number": but(b'"thoughtNumber":2', b'"thoughtNumber":1e400'),
    "a number as a string": but(b'"thoughtNumber":2', b'"thoughtNumber":"2"'),
    "a switch as a number": but(b":true", b":1"),
    "a switch as a string": but(b":true", b':"true"'),
    "no text": but(b'"x"', b"null"),
    "wrong the last time": with_(b'"thought":3'),
    "no time": but(b'"time":"2026-03-10T14:02:00.000000Z",', b""),
    "no zone": but(b'00Z"', b'00"'),
    "a month 13": but(b"2026-03", b"2026-13"),
    "a leap second": but(b"14:02:00", b"23:59:60"),
    "a year 0": but(b"2026", b"0000"),
    "no type": but(b'"type":"thought",', b""),
    "a type that is none": but(b'"type":"thought"', b'"type":["thought"]'),
    "a long bad value": b'{"v":1,"seq":3,"time":"2026-03-10T14:02:00.000000Z","type":"end","reason":"%b"}'
                        % (b"x" * 100_000),
}  # fmt: skip
"""Lines that readers report as corrupt, and skip."""


class Part(NamedTuple):
    """One line of a file without its line feed, and its outcome: an event, unread or corrupt."""

    data: bytes
    kind: str


def _of(kind: str, lines: dict[str, bytes]) -> st.SearchStrategy[Part]:
    return st.sampled_from([Part(data, kind) for data in lines.values()])


def _good(number: int) -> Part:
    line = JournalBuilder().thought(f"é {number}", number, 9).lines[0]
    return Part(line[:-1], "event")


def _noise(data: bytes) -> Part:
    return Part(data.replace(b"\n", b"?").replace(b"{", b"?"), "corrupt")


def _turned(line: bytes, place: int, byte: int) -> bytes:
    return line[:place] + bytes([byte]) + line[place + 1 :]


def _utf_16(text: str) -> bytes:
    return text.encode("utf-16", "surrogatepass")


def _file(head: list[bytes], body: list[bytes], tail: bytes) -> bytes:
    return b"".join(line + b"\n" for line in [*head, *body]) + tail


_NOISE = (st.binary(max_size=60) | st.text(max_size=20).map(_utf_16)).map(_noise)
_TURNED = st.builds(
    _turned,
    st.sampled_from([THOUGHT, AUDIT, REFUSED, *READ.values()]),
    st.integers(0, 160),
    st.integers(0, 255).filter(lambda byte: byte != ord("\n")),
)
_HEADS: list[list[bytes]] = [[], [line[:-1] for line in JournalBuilder().session().thought("one", 1, 3).lines]]

parts = st.one_of(
    st.integers(1, 9).map(_good), _of("event", READ), _of("unread", NEWER), _of("corrupt", CORRUPT), _NOISE
)
"""Lines with a known outcome."""

torn = st.sampled_from([b"", b"", THOUGHT, THOUGHT[:40], b"\0\0", b"\xef\xbb\xbf", b"{", "é".encode()[:1]])
"""What may follow the last line feed."""

lines = parts.map(lambda part: part.data) | _TURNED
"""Lines of any kind, also with an unknown outcome."""

files = st.builds(_file, st.sampled_from(_HEADS), st.lists(lines, max_size=12), torn)
"""Journals, intact or damaged."""
