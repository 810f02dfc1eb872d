"""Searches the texts of all sessions of a catalog, transcripts included (docs/sessions.md, "Finding")."""

from collections.abc import Callable

from seqthink.catalog.session_catalog import SessionCatalog
from seqthink.chain.query import Query
from seqthink.finding.search import TextSearch
from seqthink.journal.decode import LineDecoder
from seqthink.journal.store import SessionFile


def search_catalog(
    catalog: SessionCatalog,
    query: Query,
    decode: LineDecoder,
    *,
    since: int | None = None,
    is_cancelled: Callable[[], bool] = bool,
) -> TextSearch:
    """Return a search in the sessions of ``catalog``; a transcript is translated only if its files hold the words.

    Args:
        catalog: the sessions.
        query: what is looked for.
        decode: decodes lines of journals.
        since: microseconds since 1970 before which texts do not count.
        is_cancelled: asked from time to time whether to stop.
    """
    fleet, library = catalog.fleet, catalog.library
    if fleet is not None:

        def fetch(file: SessionFile) -> bool:
            fleet.read_whole(file.path)
            return file.path.is_file()

        return TextSearch(query, decode, since=since, prepare=fetch, is_cancelled=is_cancelled)
    if library is None:
        return TextSearch(query, decode, since=since, is_cancelled=is_cancelled)
    from seqthink.finding.transcript_bytes import TranscriptBytes  # noqa: PLC0415 - journals alone need none of it

    transcripts = TranscriptBytes(query)

    def prepare(file: SessionFile) -> bool:
        original = library.original_of(file.path)
        if original is None:
            return True
        # What our own server added to a joined session is in no file of the client.
        if library.journal_of(file.path) is None and not transcripts.may_be_in(*original):
            return False
        library.read_whole(file.path)
        return True

    return TextSearch(query, decode, since=since, prepare=prepare, is_cancelled=is_cancelled)
