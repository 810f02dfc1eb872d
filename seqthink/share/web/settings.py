"""What the page shows, and how: given once, by the command line."""

from collections.abc import Callable
from datetime import UTC, tzinfo
from pathlib import Path

from msgspec import Struct

from seqthink.chain.attention import STUCK_SECONDS
from seqthink.chain.native.switchable_fold import Shown
from seqthink.chain.state import STALE_SECONDS
from seqthink.journal.decode import LineDecoder, decode
from seqthink.library.catalog.session_catalog import SessionCatalog


class WebSettings(Struct, frozen=True, kw_only=True):
    """Which sessions are shown, and how."""

    catalog: SessionCatalog
    """All sessions that can be shown."""
    clock: Callable[[], int]
    """Returns microseconds since 1970."""
    zone: tzinfo = UTC
    """Time zone of displayed times."""
    decode: LineDecoder = decode
    """Turns journal lines into events; redacts if that is on."""
    stale_seconds: int = STALE_SECONDS
    """Seconds after which a quiet session counts as stale; 0 for never."""
    stuck_seconds: int = STUCK_SECONDS
    """Seconds of silence after which a thinking session is stuck; 0 for never."""
    choice: Shown | None = None
    """What of a transcript has rows unless the reader says otherwise; None: everything where there is nothing else."""
    shown: Path | None = None
    """A journal that is shown though it is in no list: the user named its file."""
    viewer_folder: Path | None = None
    """Where viewers keep what was read; None if nobody knows. It is never written."""
