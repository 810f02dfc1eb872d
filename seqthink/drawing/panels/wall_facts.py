"""What the wall says about one session, as a value that is drawn as a tile, a band or a line."""

from msgspec import Struct

from seqthink.chain.attention import Attention, Standing, StuckReason
from seqthink.chain.session import Session
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe import units
from seqthink.drawing.describe.context_use import gauge_spans
from seqthink.drawing.describe.now_line import NowLine, Present
from seqthink.drawing.describe.session import client_name, session_progress
from seqthink.drawing.describe.status import Status
from seqthink.drawing.rows.sparkline import sparkline
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.spans import Role, Span

MAX_TILE_CHARS = 6000
"""Characters of a thought or question that a tile looks at."""
MAX_LABEL_CHARS = 400
"""Characters of a name that a tile looks at."""


class WallTile(Struct, frozen=True, kw_only=True):
    """What a tile says about its session."""

    number: int = 0
    """The key that opens it; 0 for none."""
    name: SafeText
    client: SafeText = SafeText("")
    """Client, and host if that is another one."""
    machine: SafeText = SafeText("")
    """The machine of a fleet that it runs on, for tiles that have no room for ``client``."""
    status: Status
    is_heavy: bool = False
    """It needs the person."""
    is_over: bool = False
    """Nothing more is expected to come."""
    progress: str = ""
    """``6 of ~8``."""
    shape: tuple[Span, ...] = ()
    """The sparkline of its newest chain."""
    context: tuple[Span, ...] = ()
    """How full the main agent's context is, the longest form first; empty if its client does not record it."""
    silence: str = ""
    """For how long nothing came; empty where the state says that."""
    doing: NowLine | None = None
    """What it does now, if it is live."""
    question: str = ""
    """What the person is asked, as it was written."""
    text: str = ""
    """The newest thought, or why nothing can be read, as it was written."""
    is_broken: bool = False
    """``text`` says why nothing can be read."""
    is_unread: bool = False
    """It has thoughts that nobody has read."""
    when: str = ""
    """For how long nothing came."""
    is_selected: bool = False


def wall_tile(
    session: Session,
    present: Present,
    *,
    name: SafeText,
    newest: str,
    changed: int,
    now: int,
    signs: Signs,
    number: int = 0,
    is_selected: bool = False,
    is_unread: bool = False,
    host: str = "",
    machine: str = "",
    trouble: str = "",
) -> WallTile:
    """Return the tile of a session.

    Args:
        session: the session.
        present: its status, and what it does.
        name: its name.
        newest: its newest thought, as it was written.
        changed: when something came last, in microseconds since 1970.
        now: the current time, in microseconds since 1970.
        signs: the character set.
        number: the key that opens it, or 0.
        is_selected: whether it is selected.
        is_unread: whether it has thoughts that nobody has read.
        host: the computer that the viewer runs on; a session of another one names its own.
        machine: the machine of a fleet that it runs on, whatever it says itself.
        trouble: why its journal cannot be read now.
    """
    standing = present.standing
    lane = session.chains.lanes_of(session.chain_count - 1)[0] if session.chain_count else None
    return WallTile(
        number=number,
        name=SafeText(name[:MAX_LABEL_CHARS]),
        client=_client(session, name, host, machine, signs),
        machine=one_line(machine[:MAX_LABEL_CHARS]),
        status=Status(signs.refused, "not read", Role.BAD) if trouble else wall_status(present),
        is_heavy=standing.needs_person,
        is_over=standing.is_over,
        progress=session_progress(session),
        shape=tuple(sparkline(session, lane, signs)) if lane is not None else (),
        context=tuple(gauge_spans(session, signs)),
        silence=units.age(now, changed) if changed and not _names_age(standing) else "",
        doing=None if trouble else present.doing,
        question=standing.question[:MAX_TILE_CHARS],
        text=(trouble or newest)[:MAX_TILE_CHARS],
        is_broken=bool(trouble),
        is_unread=is_unread,
        when=units.age(now, changed) if changed else "",
        is_selected=is_selected,
    )


def wall_status(present: Present) -> Status:
    """Return how a tile shows a session's standing: the words say for how long it asks, and why it is stuck."""
    shown = present.status
    return Status(shown.sign, present.words, shown.role) if present.standing.needs_person else shown


def _names_age(standing: Standing) -> bool:
    """Return whether the state's words say for how long nothing came."""
    return standing.attention is Attention.ASKING or standing.reason is StuckReason.SILENT


def _client(session: Session, name: SafeText, host: str, machine: str, signs: Signs) -> SafeText:
    event = session.session_event
    client, other = client_name(event), one_line((event.host or "")[:MAX_LABEL_CHARS]) if event is not None else ""
    where = one_line(machine[:MAX_LABEL_CHARS]) if machine else other if other != host and host else ""
    parts = [where if machine else "", client[:MAX_LABEL_CHARS] if client != name else "", "" if machine else where]
    return SafeText(f" {signs.separator} ".join(part for part in parts if part))
