"""Decodes a long JSON string piece by piece, so that it is never in memory as a whole."""

import re
from collections.abc import Iterator

import msgspec

PIECE_BYTES = 64 << 10
"""Encoded bytes of a piece, at most."""
# A JSON string can be cut after any other byte, because that is certainly not inside an escape or a character.
_UNSAFE_CUT_BYTES = b"\\u0123456789abcdefABCDEF" + bytes(range(0x80, 0x100))
_HIGH, _HEX = rb"[dD][89abAB][0-9a-fA-F]{2}", rb"[0-9a-fA-F]{4}"
# Not possessive: before Python 3.11.5 such a group can end inside of what did not match.
_UNITS = re.compile(rb"(?:[^\\]+|\\u%b\\u%b|\\u(?!%b)%b|\\[^u])*" % (_HIGH, _HEX, _HIGH, _HEX))
_LAST_CHARACTER = re.compile(rb"[\xc0-\xff][\x80-\xbf]{0,3}\Z")
_decode = msgspec.json.Decoder(str).decode


def string_pieces(raw: msgspec.Raw, size: int = PIECE_BYTES) -> Iterator[str]:
    """Yield the valid JSON string ``raw`` decoded, in pieces of at most ``size`` encoded bytes."""
    view = memoryview(raw)[1:-1]
    start = 0
    while start < len(view):
        window = bytes(view[start : start + size])
        if start + size < len(view):
            window = window[: _safe_cut(window)]
        yield _decode(b'"%b"' % window)
        start += len(window)


def _safe_cut(window: bytes) -> int:
    """Return where ``window`` can be cut: not within an escape, a surrogate pair or a character."""
    end = len(window.rstrip(_UNSAFE_CUT_BYTES))
    if end:
        return end
    units = _UNITS.match(window)
    assert units is not None, "it also matches an empty string"
    end = units.end()
    character = _LAST_CHARACTER.search(window, max(0, end - 4), end)
    return character.start() if character else end
