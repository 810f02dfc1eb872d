"""The sessions of a fleet for commands that read many: listed once, and each read when it is asked for."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from seqthink.chain.attention import STUCK_SECONDS
from seqthink.cli.fleet.reading import MAX_SESSIONS, opened, refresh
from seqthink.core.labels import NO_LABELS, SessionLabels, labels_of_text
from seqthink.core.text import SafeText, one_line
from seqthink.core.times import microseconds_of
from seqthink.drawing.describe.session import ListedSession
from seqthink.journal.store import SessionFile
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.place import Place, PlacedSession
from seqthink.library.viewer_store.label_book import LabelBook
from seqthink.sources.fleet.failures import EngineUnavailableError
from seqthink.sources.fleet.mirror.folder import FleetFolder

if TYPE_CHECKING:
    from seqthink.chain.query import Query
    from seqthink.library.places.place import SearchFilter


class ListedFleet(Place):
    """The sessions of a fleet as they are when a command lists them."""

    is_remote = True

    def __init__(self, folder: FleetFolder) -> None:
        self._folder = folder

    @property
    @override
    def name(self) -> SafeText:
        return one_line(self._folder.place)

    @override
    def holds(self, path: Path) -> bool:
        return self._folder.name_of(path) is not None

    @override
    def list_whole(self) -> None:
        """Look which sessions there are. Raises as `refresh` does."""
        refresh(self._folder, MAX_SESSIONS)

    @override
    def sessions(self) -> list[SessionFile]:
        return self._folder.listed

    @override
    def session(self, path: Path | None) -> PlacedSession:
        return _Listed(self._folder, path)

    @override
    def search_filter(self, query: "Query", since: int | None) -> "SearchFilter":
        """Return what reads a session, unless it did not change since."""

        def prepare(file: SessionFile) -> bool:
            if since is not None and microseconds_of(file.last) < since:
                return False
            self.session(file.path).read_whole()
            return True

        return prepare


class _Listed(PlacedSession):
    def __init__(self, folder: FleetFolder, path: Path | None) -> None:
        super().__init__(path)
        self._folder = folder

    @property
    @override
    def key(self) -> str:
        name = self._folder.name_of(self.path)
        return "/".join(name) if name is not None else self.path.stem

    @property
    @override
    def machine(self) -> SafeText:
        return one_line(self._folder.host_of(self.path))

    @property
    @override
    def received_labels(self) -> SessionLabels:
        card = self._folder.card_of(self.path)
        return labels_of_text(card.labels) if card is not None else NO_LABELS

    @override
    def summary(self, _stuck_seconds: int = STUCK_SECONDS) -> ListedSession | None:
        return self._folder.summary_of(self.path, _stuck_seconds)

    @override
    def read_whole(self) -> None:
        """Bring the session's file up to date.

        Raises:
            EngineUnavailableError: the engine is not there.
        """
        if not self._folder.fill(self.path) and self._folder.trouble is not None:
            raise EngineUnavailableError(self._folder.trouble.sentence)


@contextmanager
def open_fleet_catalog(url: str, label_book: LabelBook | None = None) -> Generator[SessionCatalog]:
    """Give the sessions of the fleet at ``url``, with what people say about them."""
    with opened(url) as folder:
        yield SessionCatalog(ListedFleet(folder), label_book=label_book)
