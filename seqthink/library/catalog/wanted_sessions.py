"""Which sessions the user wants to see, by what is known of each without reading it: its repository and its branch."""

from collections.abc import Callable
from pathlib import Path

from seqthink.chain.overview.session_filter import SessionFacts, SessionFilter
from seqthink.chain.overview.work_place import WorkPlace, work_place
from seqthink.drawing.describe.session import facts_of
from seqthink.journal.peek import first_session_event, newest_session_event
from seqthink.journal.store import SessionFile
from seqthink.library.places.place import PlacedSession
from seqthink.library.repositories.repository import Repositories


class WantedSessions:
    """The sessions that match a filter: one on a place, so what it says of states and words does not count.

    A session is looked at once for its repository, and again whenever it has changed if branches count.

    Args:
        wanted: the conditions.
        session_of: returns the session of a journal.
    """

    def __init__(self, wanted: SessionFilter, session_of: Callable[[Path], PlacedSession] = PlacedSession) -> None:
        self._session_of = session_of
        self._repositories = Repositories()
        self.choose(wanted)

    def choose(self, wanted: SessionFilter) -> None:
        """Change the conditions."""
        self.filter = wanted
        """The conditions, as they were chosen."""
        self._of_place, self._known = wanted.of_place, dict[str, tuple[object, SessionFacts]]()

    def has(self, file: SessionFile) -> bool:
        """Return whether a session matches; a transcript that was not read whole has the branch of its beginning."""
        return self._of_place.is_empty or self._of_place.matches(self._facts_of(file))

    def may_have(self, file: SessionFile) -> bool:
        """Return whether a session may match, whatever its branch is: then it is worth reading to know that."""
        anywhere = SessionFilter(repositories=self._of_place.repositories)
        return anywhere.is_empty or anywhere.matches(self._facts_of(file))

    def has_place(self, place: WorkPlace) -> bool:
        """Return whether a session that works there matches."""
        return self._of_place.is_empty or self._of_place.matches(self._facts_at(place))

    def _facts_of(self, file: SessionFile) -> SessionFacts:
        version = file.content if self._of_place.branches else ""
        known = self._known.get(file.session)
        if known is None or known[0] != version:
            known = self._known[file.session] = version, self._look(self._session_of(file.path))
        return known[1]

    def _look(self, session: PlacedSession) -> SessionFacts:
        listed = session.summary()
        if listed is not None:
            return facts_of(listed, 0, 0)
        session.read_head()
        newest = newest_session_event if self._of_place.branches else first_session_event
        return self._facts_at(work_place(newest(session.path)))

    def _facts_at(self, place: WorkPlace) -> SessionFacts:
        found = self._repositories.of_place(place)
        return SessionFacts(repository=found.name, address=found.address, branch=place.branch)
