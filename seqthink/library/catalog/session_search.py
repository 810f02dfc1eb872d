"""Searches the texts of all sessions of a catalog, transcripts included (docs/sessions.md, "Finding")."""

from collections.abc import Callable

from seqthink.chain.overview.session_filter import EVERY_SESSION, SessionFilter
from seqthink.chain.query import Query
from seqthink.journal.decode import LineDecoder
from seqthink.journal.store import SessionFile
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.catalog.wanted_sessions import WantedSessions
from seqthink.library.finding.search import TextSearch


def search_catalog(
    catalog: SessionCatalog,
    query: Query,
    decode: LineDecoder,
    *,
    since: int | None = None,
    is_cancelled: Callable[[], bool] = bool,
    also: SessionFilter = EVERY_SESSION,
) -> TextSearch:
    """Return a search in the sessions of ``catalog``; a transcript is translated only if its files hold the words.

    Args:
        catalog: the sessions.
        query: what is looked for.
        decode: decodes lines of journals.
        since: microseconds since 1970 before which texts do not count.
        is_cancelled: asked from time to time whether to stop.
        also: which of the sessions that the user wants to see are searched; what it says of their state does not count.
    """
    is_ready, wanted = catalog.search_filter(query, since), WantedSessions(also, catalog.session)

    def prepare(file: SessionFile) -> bool:
        return is_ready(file) and wanted.has(file)

    return TextSearch(query, decode, since=since, prepare=prepare, is_cancelled=is_cancelled)
