"""The texts of a session for the page, which shows the beginning of a huge one: all of it is in an export."""

from collections.abc import Iterator
from typing import Any, cast

import msgspec
from typing_extensions import override

from seqthink.chain.session import Session
from seqthink.core.events import Event, ThoughtEvent, UnknownEvent
from seqthink.core.text import MAX_RENDERED_CHARS
from seqthink.journal.decode import LONG_LINE_BYTES
from seqthink.library.journal_texts import JournalTexts
from seqthink.share.export.html_blocks import Sentence
from seqthink.share.export.html_items import PageAside, ThoughtItem

MAX_VALUE_CHARS = 50_000
"""Characters of a text that is attached to a thought: an answer of a model, a context item."""
MAX_LINE_CHARS = 1000
"""Characters of a line: a name, a fact, a title."""
CUT = f"… the page shows the first {MAX_VALUE_CHARS:,} characters; an export has all"
MAX_NESTING = 32


class BoundedTexts(JournalTexts):
    """The same texts as another's, none longer than a page shows."""

    def __init__(self, texts: JournalTexts, session: Session) -> None:
        super().__init__(texts._journal, session, texts.corrupt_lines, texts.health)  # noqa: SLF001 - our own base

    @override
    def pieces(self, index: int) -> Iterator[str]:
        yield self.prefix(index).text[:MAX_RENDERED_CHARS]

    @override
    def event(self, offset: int, size: int) -> Event | UnknownEvent | None:
        event = super().event(offset, size)
        if size <= LONG_LINE_BYTES or event is None or isinstance(event, ThoughtEvent | UnknownEvent):
            return event
        fields = {name: _cut(value, 0) for name, value in msgspec.structs.asdict(event).items()}
        return msgspec.structs.replace(event, **fields)

    def cut_sentence(self, index: int) -> str:
        """Return what of a thought's text is shown, if it is not all; else ""."""
        prefix = self.prefix(index)
        whole = max(prefix.whole_chars, len(prefix.text))
        if whole <= MAX_RENDERED_CHARS:
            return ""
        return f"The first {MAX_RENDERED_CHARS:,} of {whole:,} characters. An export has all of them."


def bounded_line(text: str) -> str:
    """Return a line that is not too long."""
    return text if len(text) <= MAX_LINE_CHARS else f"{text[: MAX_LINE_CHARS - 1]}…"


def bounded_item(item: ThoughtItem | PageAside) -> ThoughtItem | PageAside:
    """Return an item without a title that is too long: it comes from no event."""
    if isinstance(item, ThoughtItem):
        return item
    return msgspec.structs.replace(item, title=bounded_line(item.title))


def with_remark(item: ThoughtItem | PageAside, sentence: str) -> ThoughtItem | PageAside:
    """Return an item with a sentence of the page behind its text."""
    return msgspec.structs.replace(item, blocks=[*item.blocks, Sentence(sentence)]) if sentence else item


def _cut(value: Any, depth: int) -> Any:  # noqa: ANN401 - values of JSON are of any kind
    """Return a value whose texts are not too long."""
    match value:
        case str() if len(value) > MAX_VALUE_CHARS:
            return value[:MAX_VALUE_CHARS] + CUT
        case dict() if depth < MAX_NESTING:
            pairs = cast("dict[str, Any]", value).items()
            return {_cut(name, depth + 1): _cut(inner, depth + 1) for name, inner in pairs}
        case list() | tuple() if depth < MAX_NESTING:
            items = [_cut(inner, depth + 1) for inner in cast("list[Any]", value)]
            return items if isinstance(value, list) else tuple(items)
        case _:
            return value
