"""What is shown, besides the session itself."""

from msgspec import Struct, field

from seqthink.chain.session import Session
from seqthink.events import WriterState
from tui.bookmark import Bookmark
from tui.feed import Feed
from tui.finding import Find
from tui.notes import Notes
from tui.playback import Playback
from tui.viewing import Viewing
from tui.watching import Beside


class Shown(Struct, kw_only=True):
    """All that the screen depends on; the app sets it, the board draws it.

    ``newer`` names a session that came up meanwhile, ``beside`` another one when the one shown has ended; ``announced``
    is its id. ``last`` names the newest old one, and ``live`` counts the others whose server lives. ``said`` is what
    the last key did, ``client`` the one whose command the waiting screen shows. ``bookmark`` is where the person was in
    a journal that has been replaced, until that is found again.

    ``is_replay`` means that the journal is played; ``is_past`` that a live session is shown as it was at the playhead,
    which was left for that when ``left_at`` thoughts had come.
    """

    feed: Feed
    viewing: Viewing
    playback: Playback = field(default_factory=Playback)
    is_replay: bool = False
    is_past: bool = False
    left_at: int = 0
    is_reading: bool = False
    is_text_active: bool = False
    is_raw: bool = False
    is_diff: bool = False
    newer: str = ""
    beside: Beside | None = None
    announced: str = ""
    last: str = ""
    said: str = ""
    client: int = 0
    live: int = 0
    bookmark: Bookmark | None = None
    find: Find = field(default_factory=Find)
    notes: Notes = field(default_factory=Notes)

    @property
    def has_field(self) -> bool:
        """Whether the person types a search, a filter or a note."""
        return self.find.field is not None or self.notes.field is not None

    @property
    def is_opening(self) -> bool:
        """Whether a journal is being read that was there."""
        return self.feed.path is not None and not self.feed.is_loaded

    @property
    def has_playhead(self) -> bool:
        """Whether the playhead says what is shown, and not the newest thought."""
        return self.is_replay or self.is_past

    @property
    def moment(self) -> Session:
        """The session as far as it is to be seen: what more came later, was thinking then."""
        whole = self.feed.session
        if not self.has_playhead or self.playback.position >= whole.entry_count:
            return whole
        return whole.at(self.playback.position).with_writer(WriterState.ALIVE)

    @property
    def arrived(self) -> int:
        """How many thoughts the person has not seen come."""
        if self.is_past:
            return self.feed.session.thought_count - self.left_at
        return self.viewing.news
