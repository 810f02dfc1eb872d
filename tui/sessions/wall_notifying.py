"""Starts the user's commands for what the wall's sessions have come to: for the viewer, and without one."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from seqthink.chain.attention import last_activity
from seqthink.chain.session import Session
from seqthink.core.times import microseconds_of
from seqthink.drawing.describe.session import client_name
from seqthink.journal.links import link_text
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.viewer_store.notified import NotifiedSessions
from seqthink.share.notify.notifier import Notifier
from seqthink.share.notify.occasions import Occasion, Occasions, Subject
from tui.sessions.wall_sessions import WallEntry, WallSessions


class WallNotifier:
    """Notices what sessions have come to, and starts commands.

    Args:
        catalog: all sessions.
        commands: the words of each command, by the state that it is for.
        folder: the folder of what viewers keep; None if nothing is kept.
        clock: returns microseconds since 1970.
        say: is called in a thread with a sentence about a command that does not work.
    """

    def __init__(
        self,
        catalog: SessionCatalog,
        commands: Mapping[str, Sequence[str]],
        folder: Path | None,
        clock: Callable[[], int],
        say: Callable[[str], object],
    ) -> None:
        self._catalog = catalog
        notified = NotifiedSessions(folder) if folder is not None else None
        self._notifier = Notifier(commands, notified, clock, say)
        self._occasions = Occasions(clock())
        self._last_before: dict[Path, int] = {}
        self.has_begun = False
        """Whether all sessions that there were at first have been read."""

    def look(self, wall: WallSessions, seen: Path | None = None) -> list[Occasion]:
        """Start the commands for what is new, and return that; ``seen`` is the session that the person looks at."""
        # Asked before the sessions: they are then all there.
        is_listed = self._catalog.is_listed and all(place.report.was_reached for place in self._catalog.places)
        for file in () if self.has_begun else self._catalog.sessions():
            self._last_before.setdefault(file.path, microseconds_of(file.last))
        subjects = [self._subject(entry) for entry in wall.entries]
        key = str(seen) if seen is not None else None
        found = self._occasions.look(subjects, key)
        self.has_begun = self.has_begun or (is_listed and wall.is_settled)
        if found:
            self._notifier.add(found)
        return found

    def close(self) -> None:
        """Start no further command."""
        self._notifier.close()

    def _subject(self, entry: WallEntry) -> Subject:
        session, key = entry.session, self._catalog.session(entry.file.path).key
        info, count = session.session_event, session.thought_count
        return Subject(
            key=str(entry.file.path),
            session=key,
            name=entry.name,
            standing=entry.standing,
            link=link_text(key, session.thoughts.get(count - 1).seq) if count else key,
            client=client_name(info),
            machine=entry.machine,
            folder=(info.cwd or "") if info is not None else "",
            started=entry.started,
            newest=session.thoughts.time_of(count - 1) if count else 0,
            is_as_before=bool(entry.machine) and last_activity(session) <= self._last_before.get(entry.file.path, -1),
            full_context=_fullest(session),
        )


def _fullest(session: Session) -> int:
    """Return how many percent of its context the agent uses that uses most, if any is nearly full; else 0."""
    uses = (session.agents.context_of(agent) for agent in session.agents.nearly_full)
    return max((use.percent or 0 for use in uses if use is not None), default=0)
