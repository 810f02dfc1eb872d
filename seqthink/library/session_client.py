"""What is said of the client of a session, by the description of the source that it comes from."""

from seqthink.core.events import SessionEvent
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe.session import client_name
from seqthink.sources.transcripts.registry import known_description


def listed_client(session_event: SessionEvent | None) -> SafeText:
    """Return the client's name; of a transcript that none of our servers took part in, the one that its source has."""
    if session_event is None or session_event.source is None or session_event.server is not None:
        return client_name(session_event)
    return client_of_source(session_event.source)


def client_of_source(source: str) -> SafeText:
    """Return what lists call the client of a source's sessions."""
    known = known_description(source)
    return one_line((known.listed_as if known is not None else "") or source)


def keeping_hint(session_event: SessionEvent | None) -> str:
    """Return how the user gets the client to keep the text of reasoning; empty if there is no way, or no need."""
    known = known_description(session_event.source) if session_event is not None and session_event.source else None
    return known.keeping_hint if known is not None else ""
