"""The sessions of a fleet for commands that read many, in place of a catalog of this machine's."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from seqthink.cli.fleet.reading import MAX_SESSIONS, opened, refresh
from seqthink.fleet.failures import EngineUnavailableError
from seqthink.fleet.mirror.folder import FleetFolder
from seqthink.journal.store import SessionFile

if TYPE_CHECKING:
    from seqthink.chain.query import Query
    from seqthink.finding.search import TextSearch
    from seqthink.journal.decode import LineDecoder


class FleetCatalog:
    """The sessions of a fleet, each read when it is asked for."""

    def __init__(self, folder: FleetFolder) -> None:
        self.folder = folder

    def list_whole(self) -> None:
        """Look which sessions there are. Raises as `refresh` does."""
        refresh(self.folder, MAX_SESSIONS)

    def sessions(self) -> list[SessionFile]:
        """Return all sessions, newest first."""
        return self.folder.listed

    def read_whole(self, path: Path) -> None:
        """Bring a session's file up to date.

        Raises:
            EngineUnavailableError: the engine is not there.
        """
        if not self.folder.fill(path) and self.folder.trouble is not None:
            raise EngineUnavailableError(self.folder.trouble.sentence)

    def search(self, query: "Query", decode: "LineDecoder", since: int | None) -> "TextSearch":
        """Return a search in the sessions; one that did not change since is not read."""
        from seqthink.finding.search import TextSearch
        from seqthink.times import microseconds_of

        def prepare(file: SessionFile) -> bool:
            if since is not None and microseconds_of(file.last) < since:
                return False
            self.read_whole(file.path)
            return True

        return TextSearch(query, decode, since=since, prepare=prepare)


@contextmanager
def open_fleet_catalog(url: str) -> Generator[FleetCatalog]:
    """Give the sessions of the fleet at ``url``."""
    with opened(url) as folder:
        yield FleetCatalog(folder)
