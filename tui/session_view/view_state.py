"""Everything that the screen depends on."""

from msgspec import Struct, field

from seqthink.chain.model import NONE
from seqthink.chain.query import compared_thought
from seqthink.chain.session import Session
from seqthink.core.background import Troubles
from seqthink.core.events import WriterState
from seqthink.drawing.panels.note_input import NoteInput
from seqthink.library.catalog.journal_feed import JournalFeed
from tui.sessions.session_choice import OtherSession
from tui.state.bookmark import Bookmark
from tui.state.comment_state import CommentState
from tui.state.landing import Landing
from tui.state.next_session import SessionNeed
from tui.state.note_state import NoteState
from tui.state.playback import Playback
from tui.state.search import SearchState
from tui.state.viewport import Viewport


class FolderNews(Struct, kw_only=True):
    """What exists besides the session on the screen."""

    newer_session: str = ""
    """Name of a session that became active meanwhile, with its key; empty for none."""
    other_session: OtherSession | None = None
    """Another session to show on the status line once this one has ended."""
    announced_id: str = ""
    """Id of the session named by ``newer_session`` or ``other_session``."""
    last_session: str = ""
    """The newest old session, as text for the waiting screen."""
    needs: tuple[SessionNeed, ...] = ()
    """What the sessions need that are live or changed a short while ago."""


class ViewState(Struct, kw_only=True):
    """Everything that the screen depends on; the controllers change it, the panes draw it."""

    feed: JournalFeed
    viewport: Viewport
    playback: Playback = field(default_factory=Playback)
    is_replay: bool = False
    """The journal is played."""
    is_past: bool = False
    """A live session is shown at an earlier position."""
    left_thought_count: int = 0
    """Thoughts that had arrived when the user went into the past."""
    has_wall_behind: bool = False
    """Leaving the session means to come back to the wall: it came first, or the session was opened there."""
    is_reading: bool = False
    """The text has the full screen."""
    is_text_active: bool = False
    """Movement keys scroll the text."""
    is_raw: bool = False
    """Texts are shown as written, not rendered."""
    is_diff: bool = False
    """Revisions are shown as a diff."""
    folder: FolderNews = field(default_factory=FolderNews)
    troubles: Troubles = field(default_factory=Troubles)
    """What is wrong with background tasks that do not read the session on the screen."""
    status_message: str = ""
    """Result of the last key press."""
    connect_index: int = 0
    """Index of the client whose connect command the waiting screen shows."""
    bookmark: Bookmark | None = None
    """The user's position in a journal that was replaced, until it is found again."""
    marked_seqs: frozenset[int] = frozenset()
    """The ``seq`` of each marked thought."""
    landing: Landing | None = None
    """A thought to go to as soon as it has been read."""
    search: SearchState = field(default_factory=SearchState)
    notes: NoteState = field(default_factory=NoteState)
    comments: CommentState = field(default_factory=CommentState)

    @property
    def has_input(self) -> bool:
        """Whether the user is typing a search, a filter, a note or a comment."""
        return self.search.text_input is not None or typed_text(self) is not None

    @property
    def is_opening(self) -> bool:
        """Whether an existing journal is still loading."""
        return self.feed.path is not None and not self.feed.is_loaded

    @property
    def has_diff(self) -> bool:
        """Whether the selected thought revises another, or is revised."""
        thought, session = self.viewport.thought, self.viewport.session
        return session is not None and thought != NONE and compared_thought(session, thought) != NONE

    @property
    def has_playhead(self) -> bool:
        """Whether the playhead decides what is shown, not the newest thought."""
        return self.is_replay or self.is_past

    @property
    def visible_session(self) -> Session:
        """The session at the visible position; where more follows, its server counts as running."""
        whole = self.feed.session
        if not self.has_playhead or self.playback.position >= whole.entry_count:
            return whole
        return whole.at(self.playback.position).with_writer(WriterState.ALIVE)

    @property
    def unseen_count(self) -> int:
        """Number of thoughts that arrived unseen."""
        if self.is_past:
            return self.feed.session.thought_count - self.left_thought_count
        return self.viewport.new_count

    def leave_session(self, feed: JournalFeed) -> None:
        """Start over with the session of another journal."""
        if self.feed.path is not None:
            self.status_message = ""
        self.feed, self.viewport, self.bookmark = feed, Viewport(), None
        self.is_reading = self.is_text_active = False

    # A journal that was replaced

    def keep_bookmark(self) -> None:
        """Remember the user's position: the journal was replaced, and is read again."""
        if self.feed.texts is not None:
            self.bookmark = Bookmark.of_viewport(self.viewport, self.feed.texts.row_text) or self.bookmark

    def restore_bookmark(self) -> None:
        """Restore the bookmarked position once it has been read again, unless the user has moved meanwhile."""
        bookmark, texts, viewport = self.bookmark, self.feed.texts, self.viewport
        if bookmark is None or texts is None:
            return
        is_over = self.feed.is_caught_up and self.feed.session.thought_count > bookmark.index
        if not viewport.is_following or bookmark.restore(viewport, texts.row_text) or is_over:
            self.bookmark = None


def typed_text(view_state: ViewState) -> NoteInput | None:
    """Return the note or the comment that the user is typing; None for neither."""
    return view_state.notes.text_input or view_state.comments.text_input
