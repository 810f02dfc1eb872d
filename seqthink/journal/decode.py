"""Decodes a journal line into its event, or says why it cannot be read (docs/journal.md, "Lines").

JSON parsers differ on some inputs. The fast and the slow decoder here agree: of a duplicate key the last value counts;
a number too large for a double becomes the largest double; bytes that are not UTF-8 make the line corrupt, except for
lone surrogates.
"""

import codecs
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, cast

import msgspec

from seqthink.core.errors import CorruptLineError
from seqthink.core.events import EVENT_TYPES, Event, ThoughtEvent, UnknownEvent, text_of
from seqthink.core.text import MAX_FOLDED_CHARS, MAX_RENDERED_CHARS, split_pieces
from seqthink.journal.json_strings import string_pieces

LONG_LINE_BYTES = 64 << 10
"""Above this line length the text of a thought is decoded only on demand, piece by piece."""

_MAX_REASON_CHARS = 200
"""Characters of a parser's message that a reason keeps."""
_MAX_INT_DIGITS = 4000
"""Longer integers are read as floats: Python refuses to convert more than 4300 digits."""
_MARGIN_CHARS = 64 << 10
"""Characters of a long text that are decoded beyond those shown, so that a secret at the cut is still found."""
_CHUNK_BYTES = 1 << 20
"""How much of a line is checked for UTF-8 at a time."""

_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_raw_decoder: msgspec.json.Decoder[dict[str, msgspec.Raw]] = msgspec.json.Decoder(dict[str, msgspec.Raw])


class EventPreview(NamedTuple):
    """An event for display; of a long thought it holds only the beginning of the text."""

    event: Event | UnknownEvent
    """The event; the text of a long thought is cut."""
    whole_chars: int = 0
    """Characters of the whole text of a thought or of native reasoning; 0 for other events."""


class LineDecoder:
    """Decodes complete lines.

    Args:
        clean: removes what must not be shown from an event, for example secrets.
        clean_text: does the same for the text of a long thought, which comes in pieces.
    """

    def __init__(
        self,
        clean: Callable[[Event | UnknownEvent], Event | UnknownEvent] | None = None,
        clean_text: Callable[[Iterable[str]], Iterable[str]] = iter,
    ) -> None:
        self._clean, self._clean_text = clean, clean_text

    def __call__(self, line: bytes) -> Event | UnknownEvent:
        """Return the event of one complete line.

        Raises:
            CorruptLineError: the line is not a JSON object, or has a known type with bad fields.
        """
        event = _decode(line)
        return self._clean(event) if self._clean else event

    def decode_all(self, lines: list[bytes]) -> "list[Event | UnknownEvent] | None":
        """Return the events of complete lines of UTF-8; None if they have to be decoded one by one.

        That is where one of them is unusual: unknown, corrupt, or with a lone surrogate.
        """
        if self._clean:
            return None
        try:
            return list(map(_decoder.decode, lines))
        except (msgspec.DecodeError, RecursionError):
            return None

    def decode_for_fold(self, line: bytes) -> Event | UnknownEvent:
        """Return the event of a line for the fold: of a long text it has the beginning, and a hash of the rest.

        Raises:
            CorruptLineError: the line cannot be decoded.
        """
        fields = _long_thought_fields(line)
        if fields is None:
            return self(line)
        from hashlib import blake2b  # noqa: PLC0415 - loads OpenSSL, and few thoughts are that long

        digest, beginning = blake2b(digest_size=32), ""
        for piece in string_pieces(fields["thought"]):
            beginning += piece[: MAX_FOLDED_CHARS - len(beginning)]
            digest.update(piece.encode("utf-8", "surrogatepass"))
        return self(_with_text(fields, beginning + digest.hexdigest()))

    def preview(self, line: bytes) -> EventPreview:
        """Return the event of a line for a screen, without the rest of a long text.

        Raises:
            CorruptLineError: the line cannot be decoded.
        """
        fields = _long_thought_fields(line)
        if fields is None:
            return _preview(self(line))
        kept: list[str] = []
        length = 0
        for piece in string_pieces(fields["thought"]):
            if length < MAX_RENDERED_CHARS + _MARGIN_CHARS:
                kept.append(piece)
            length += len(piece)
        beginning = "".join(kept)
        event = self(_with_text(fields, beginning))
        if len(beginning) < length and isinstance(event, ThoughtEvent):
            # Redaction may have missed a secret that was cut in two at the end: drop the margin.
            event = msgspec.structs.replace(event, thought=event.thought[: len(event.thought) - _MARGIN_CHARS])
        return EventPreview(_preview(event).event, length)

    def text_pieces(self, line: bytes) -> Iterator[str]:
        """Yield the text of a thought or of native reasoning in pieces; nothing for any other event.

        Raises:
            CorruptLineError: the line cannot be decoded.
        """
        fields = _long_thought_fields(line)
        if fields is not None:
            yield from self._clean_text(string_pieces(fields["thought"]))
            return
        text = text_of(_decode(line))
        if text is not None:
            yield from self._clean_text(split_pieces(text))


decode = LineDecoder()


def _preview(event: Event | UnknownEvent) -> EventPreview:
    text = text_of(event)
    if text is None:
        return EventPreview(event)
    if len(text) > MAX_RENDERED_CHARS:
        field = "thought" if isinstance(event, ThoughtEvent) else "text"
        event = msgspec.structs.replace(event, **{field: text[:MAX_RENDERED_CHARS]})
    return EventPreview(event, len(text))


def _long_thought_fields(line: bytes) -> dict[str, msgspec.Raw] | None:
    """Return the undecoded fields of a long thought; None for any line that is to be decoded as a whole."""
    if len(line) <= LONG_LINE_BYTES:
        return None
    try:
        fields = _raw_decoder.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return None
    kind, text = (memoryview(fields.get(name, b"")) for name in ("type", "thought"))
    is_thought = kind.tobytes() == b'"thought"' and text[:1].tobytes() == b'"'
    return fields if is_thought and is_utf8(line) else None


def _with_text(fields: dict[str, msgspec.Raw], text: str) -> bytes:
    """Return the line of a thought with ``text`` as its text."""
    return msgspec.json.encode(fields | {"thought": text})


def is_utf8(data: bytes) -> bool:
    """Whether bytes are UTF-8, checked without copying them."""
    if data.isascii():
        return True
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(data)
    try:
        for start in range(0, len(view), _CHUNK_BYTES):
            decoder.decode(view[start : start + _CHUNK_BYTES], final=start + _CHUNK_BYTES >= len(view))
    except UnicodeDecodeError:
        return False
    return True


def _decode(line: bytes) -> Event | UnknownEvent:
    try:
        event = _decoder.decode(line)
        if not line.isascii() and not is_utf8(line):
            line.decode()  # raises: the parser validates only the strings that it keeps
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _decode_slowly(line, error)
    return event


def _decode_slowly(line: bytes, first: Exception) -> Event | UnknownEvent:
    """Decode what the fast parser rejects (unknown types, lone surrogates), or raise with the reason."""
    try:
        value = parse(line.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise CorruptLineError(_stray_bytes_reason(line) or _reason(error)) from first
    if not isinstance(value, dict):
        raise CorruptLineError("not a JSON object")
    fields = cast("dict[str, Any]", value)
    version, kind = fields.get("v"), fields.get("type")
    if type(version) is not int or version < 1:
        raise CorruptLineError("no version: `v` must be an integer above 0")
    if version > 1 or (isinstance(kind, str) and kind not in EVENT_TYPES):
        return UnknownEvent(version, str(kind))
    if not isinstance(kind, str):
        raise CorruptLineError("no `type`")
    # All known names are ASCII, and msgspec fails on a name with a lone surrogate.
    known = {name: item for name, item in fields.items() if name.isascii()}
    try:
        return msgspec.convert(known, cast("type[Event]", Event))
    except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as error:
        raise CorruptLineError(_reason(error)) from first


def parse(text: str) -> Any:  # noqa: ANN401 - whatever a line holds
    """Parse JSON; a number too large for a double becomes the largest double.

    Raises:
        ValueError: ``text`` is not JSON.
        RecursionError: it is nested too deeply.
    """
    return json.loads(text, parse_constant=_refuse_constant, parse_float=_parse_float, parse_int=_parse_int)


def _parse_float(text: str) -> float:
    return max(-sys.float_info.max, min(sys.float_info.max, float(text)))


def _parse_int(text: str) -> int | float:
    return int(text) if len(text) < _MAX_INT_DIGITS else _parse_float(text)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _stray_bytes_reason(line: bytes) -> str:
    """Return why a line is not JSON if a byte order mark or NUL bytes are in it, else an empty string."""
    if line.startswith(codecs.BOM_UTF8):
        return "not JSON: it starts with a byte order mark"
    zeros = line.count(0)
    if zeros:
        return f"not JSON: {zeros:,} NUL byte{'s' * (zeros > 1)} in it, perhaps after a power failure"
    return ""


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg}, at character {error.pos}"
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8: {error.reason}, at byte {error.start}"
    return str(error)[:_MAX_REASON_CHARS]
