"""What is shown, besides the session itself."""

from msgspec import Struct, field

from tui.bookmark import Bookmark
from tui.feed import Feed
from tui.finding import Find
from tui.viewing import Viewing


class Shown(Struct, kw_only=True):
    """All that the screen depends on; the app sets it, the board draws it.

    ``newer`` names a session that came up meanwhile, ``announced`` is its id; ``last`` names the newest old one, and
    ``live`` counts the other sessions whose server lives. ``said`` is what the last key did, ``client`` the one whose
    command the waiting screen shows. ``bookmark`` is where the person was in a journal that has been replaced, until
    that is found again.
    """

    feed: Feed
    viewing: Viewing
    is_reading: bool = False
    is_text_active: bool = False
    is_raw: bool = False
    is_diff: bool = False
    newer: str = ""
    announced: str = ""
    last: str = ""
    said: str = ""
    client: int = 0
    live: int = 0
    bookmark: Bookmark | None = None
    find: Find = field(default_factory=Find)

    @property
    def is_opening(self) -> bool:
        """Whether a journal is being read that was there."""
        return self.feed.path is not None and not self.feed.is_loaded
