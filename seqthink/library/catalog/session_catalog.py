"""All sessions that can be shown, from whatever places they come (`seqthink.library.places`)."""

from collections.abc import AsyncGenerator, Callable, Iterable
from datetime import tzinfo
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from seqthink.chain.overview.session_filter import EVERY_SESSION
from seqthink.core.text import SafeText
from seqthink.core.times import is_recent, microseconds_of
from seqthink.journal.store import RECENT_SECONDS, SessionFile
from seqthink.library.catalog.wanted_sessions import WantedSessions
from seqthink.library.places.place import Place, PlacedSession
from seqthink.library.viewer_store.label_book import LabelBook

if TYPE_CHECKING:
    from seqthink.chain.query import Query
    from seqthink.library.places.place import SearchFilter

MAX_JOINED_JOURNALS = 256
"""Journals for which a transcript is looked for, the newest."""
MAX_LISTING_SECONDS = 0.4
"""How long the first frame waits for the list of a place that is slow."""


class SessionCatalog:
    """The sessions of some places, in one list.

    Args:
        places: where sessions come from; a journal that lies in none of them may be shown, too.
        label_book: what people say about sessions; None where nobody keeps that.
    """

    def __init__(self, *places: Place, label_book: LabelBook | None = None) -> None:
        self.places = places
        self.label_book = label_book
        self.wanted = WantedSessions(EVERY_SESSION, self.session)
        """Which sessions the user wants to see; `sessions` returns the others, too."""

    # All sessions

    def sessions(self, count: int | None = None) -> list[SessionFile]:
        """Return all sessions, newest first, or that many: few of thousands cost little.

        Those that are slow to list are as they were at the last look.

        Raises:
            UsageError: a place cannot be read.
        """
        listed = sessions_by_place(self)
        if len(listed) < 2:  # all is in order
            return listed[0][1][:count] if listed else []
        files = chain.from_iterable(files[:count] for _, files in listed)
        return sorted(files, key=attrgetter("last", "session"), reverse=True)[:count]

    def look(self) -> bool:
        """Look for sessions; return False where that is slow: what is not listed soon comes with the next `refresh`.

        Raises:
            UsageError: a place will not serve this user.
        """
        is_through = True
        for place in self.places:
            is_through = place.look(MAX_LISTING_SECONDS) and is_through
        return is_through

    def refresh(self, *, everywhere: bool = True) -> None:
        """Look for sessions, and for those that hold the calls of journals, which may take a second.

        Unless ``everywhere``, only where there seem to be new ones.

        Raises:
            UsageError: a place cannot be read, or will not serve this user.
        """
        for place in self.places:
            place.refresh(everywhere=everywhere)
        self.join()

    def list_whole(self) -> None:
        """Look for all sessions and for the journals that belong to them, however slow that is, within the budget.

        Raises:
            UsageError: a place cannot be read.
        """
        for place in self.places:
            place.list_whole()
        self.join(is_whole=True)

    def join(self, *, is_whole: bool = False) -> None:
        """Look for the transcripts that hold the calls of journals, among those that are listed.

        Raises:
            UsageError: a place cannot be read.
        """
        translated = [place for place in self.places if place.is_translated]
        if translated and len(translated) < len(self.places):
            journals = self._own_journals()[:MAX_JOINED_JOURNALS]
            for place in translated:
                place.join_with(journals, is_whole=is_whole)

    def _own_journals(self) -> list[SessionFile]:
        """Return the journals that servers write, newest first."""
        return SessionCatalog(*(place for place in self.places if not place.is_translated)).sessions()

    def shown_instead(self, path: Path) -> Path | None:
        """Return the transcript's journal with which a journal of ours has been joined, or None."""
        return next(filter(None, (place.shown_instead(path) for place in self.places)), None)

    def search_filter(self, query: "Query", since: int | None) -> "SearchFilter":
        """Return what makes a session's journal ready for a search, if it can hold what is looked for."""
        filters = {place: place.search_filter(query, since) for place in self.places}

        def prepare(file: SessionFile) -> bool:
            is_wanted = filters.get(self.place_of(file.path))
            return (is_wanted is None or is_wanted(file)) and self.wanted.has(file)

        return prepare

    def on_wall(self, files: Iterable[SessionFile]) -> list[SessionFile]:
        """Return which of these sessions the wall shows, and have them kept up to date."""
        held: dict[Place, list[SessionFile]] = {place: [] for place in self.places}
        for file in files:
            held.setdefault(self.place_of(file.path), []).append(file)
        return [file for place, files in held.items() for file in place.on_wall(files)]

    # Its places

    def place_of(self, path: Path | None) -> Place:
        """Return the place of a session; for a journal that is in none, one that knows files alone."""
        if path is None:
            return next((place for place in self.places if not place.is_list), _ANYWHERE)
        return next((place for place in self.places if place.holds(path)), _ANYWHERE)

    def session(self, path: Path | None) -> PlacedSession:
        """Return the session whose journal is at ``path``; None for the one that comes through a pipe."""
        return self.place_of(path).session(path)

    def is_transcript(self, path: Path) -> bool:
        """Return whether a journal is a transcript's."""
        return self.place_of(path).is_translated

    def hints(self) -> list[Callable[[], AsyncGenerator[bool, None]]]:
        """Return what says when the sessions of each place may have changed."""
        return [place.hints for place in self.places]

    @property
    def name(self) -> SafeText:
        """Where the sessions are, for people; empty without a place."""
        return self.places[0].name if self.places else SafeText("")

    @property
    def is_list(self) -> bool:
        """Whether one chooses among the sessions."""
        return all(place.is_list for place in self.places)

    @property
    def is_remote(self) -> bool:
        """Whether sessions run on other machines."""
        return any(place.is_remote for place in self.places)

    @property
    def is_translated(self) -> bool:
        """Whether sessions of other programs are among them."""
        return any(place.is_translated for place in self.places)

    @property
    def announces(self) -> bool:
        """Whether sessions appear only with a hint; else somebody has to `refresh`."""
        return all(place.announces for place in self.places)

    # What is said of them

    @property
    def version(self) -> tuple[int, ...]:
        """What changes with the sessions, as far as that costs nothing to know."""
        return tuple(place.version for place in self.places)

    @property
    def is_listed(self) -> bool:
        """Whether all sessions have been looked for once."""
        return all(place.report.is_listed for place in self.places)

    @property
    def unlisted(self) -> str:
        """Which sessions `sessions` leaves out, since they were not looked for yet or are too old; empty if none."""
        return "; ".join(filter(None, (place.report.unlisted for place in self.places)))

    def is_cut_since(self, time: int) -> bool:
        """Return whether there may be sessions that changed since ``time`` (µs since 1970) and are not listed."""
        return any(place.report.is_cut_since(time) for place in self.places)

    @property
    def left_out(self) -> list[str]:
        """What `sessions` leaves out, since it cannot be read, in sentences; may cost a look at folders."""
        return [sentence for place in self.places for sentence in place.report.left_out]

    @property
    def left_out_of_programs(self) -> list[str]:
        """What of that concerns other programs' sessions."""
        return [sentence for place in self.places if place.is_translated for sentence in place.report.left_out]

    @property
    def clients(self) -> list[tuple[str, Path]]:
        """The other programs whose sessions are looked for, by their names for people, and the folder of each."""
        return [client for place in self.places for client in place.report.clients]

    @property
    def waiting_sentence(self) -> str:
        """What is waited for while there is no session; empty where nothing special is."""
        return next(filter(None, (place.report.waiting_sentence for place in self.places)), "")

    def trouble(self, zone: tzinfo) -> str:
        """Return why a place cannot be asked now, and since when; empty while all can."""
        return next(filter(None, (place.report.trouble(zone) for place in self.places)), "")

    def close(self) -> None:
        """Give back what the places hold. Calling it again does nothing."""
        for place in self.places:
            place.close()


def sessions_by_place(catalog: SessionCatalog) -> list[tuple[Place, list[SessionFile]]]:
    """Return the sessions of each place that has some, newest first; the same list as long as it has not changed.

    Raises:
        UsageError: a place cannot be read.
    """
    listed = [(place, files) for place in catalog.places if (files := place.sessions())]
    if len(listed) < 2:  # nothing can be joined
        return listed
    return [
        (place, files if place.is_translated else [one for one in files if catalog.shown_instead(one.path) is None])
        for place, files in listed
    ]


class _Anywhere(Place):
    """Journals that somebody named, wherever they lie."""

    @property
    @override
    def name(self) -> SafeText:
        return SafeText("")

    @override
    def holds(self, path: Path) -> bool:
        return True

    @override
    def sessions(self) -> list[SessionFile]:
        return []


_ANYWHERE = _Anywhere()


def has_changed_lately(file: SessionFile, now: int) -> bool:
    """Return whether a session changed in the last ten minutes; ``now`` in microseconds since 1970."""
    return is_recent(microseconds_of(file.last), now, RECENT_SECONDS)
