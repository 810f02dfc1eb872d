"""What is said of a whole session: its name, its client, its progress, what it counts, when it was active last."""

from collections.abc import Callable
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from seqthink.chain.attention import Attention, Standing
from seqthink.chain.columns.context_columns import ContextUse
from seqthink.chain.health.oddities import HealthCounts
from seqthink.chain.overview.session_filter import SessionFacts, state_words
from seqthink.chain.overview.states import shown_state
from seqthink.chain.overview.work_place import CLAUDE_WORKTREE, WorkPlace, last_part, repository_folder
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.core.events import SessionEvent
from seqthink.core.labels import SessionLabels
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe import units
from seqthink.drawing.describe.lanes import lane_name, lane_progress
from seqthink.drawing.text.spans import Span


def session_name(session: Session) -> SafeText:
    """Return the display name of a session: the one that somebody gave it; a title stays after a resume."""
    info, given = session.session_event, session.labels.name
    if given:
        return one_line(given)
    return session_label(info, session.title) if info is not None else SafeText("?")


def session_label(info: SessionEvent, title: str | None = None) -> SafeText:
    """Return ``title`` or the event's own, else the folder's name, else the client's name, else the id."""
    client = info.client.name if info.client else ""
    return one_line(title or info.title or _folder_label(info) or client or info.session)


def _folder_label(info: SessionEvent) -> str:
    """Return the name of a session's folder with its branch; of one in a git worktree the repository's with that."""
    folder, aside = last_part(repository_folder(info)), _worktree_of(info) or info.branch
    return f"{folder} ({aside})" if folder and aside else folder


def _worktree_of(info: SessionEvent) -> str:
    """Return the name of the git worktree that a session works in; empty for none."""
    if info.repository:
        return info.worktree or ""
    found = CLAUDE_WORKTREE.search(info.cwd or "")
    return last_part(found[0]) if found else ""


def client_name(info: SessionEvent | None) -> SafeText:
    """Return the name of the client, or "" if it is unknown."""
    return one_line(info.client.name if info is not None and info.client is not None else "")


def session_title(name: SafeText, info: SessionEvent | None, separator: str, host: str = "") -> str:
    """Return a session's name and, if that is another, its client's: ``shop-api · claude-code``; then its machine."""
    client = client_name(info)
    return f" {separator} ".join([name, *([client] if client and client != name else []), *([host] if host else [])])


def session_progress(session: Session) -> str:
    """Return ``6 of ~8``: highest number and estimate of the leading thought's lane; "" without thoughts."""
    if not session.thought_count:
        return ""
    return lane_progress(session, session.thoughts.lane_of(session.current_thought))


def progress_and_branch(session: Session) -> tuple[str, SafeText]:
    """Return `session_progress`, and the name of the branch that it is of; "" for a trunk."""
    if not session.thought_count:
        return "", SafeText("")
    lane = session.lanes.get(session.thoughts.lane_of(session.current_thought))
    name = one_line(lane_name(session, lane)) or SafeText("" if lane.is_trunk else "?")
    return lane_progress(session, lane.ordinal), name


def length_of(session: Session) -> str:
    """Return how long a session is: ``12 thoughts``; ``3 turns`` where it has nothing but native reasoning."""
    if session.native.turn_count:
        return units.count(session.native.turn_count, "turn")
    return units.count(session.native.call_count, "thought")


def counts_of(session: Session) -> list[str]:
    """Return how many subagents, branches and revisions there are, without zeros: ``["1 branch", "2 revisions"]``."""
    forks = session.agents.fork_count
    counts = (
        (session.agents.count - forks, "sub-agent"),
        (forks, "fork"),
        (session.branch_count, "branch"),
        (session.revision_count, "revision"),
    )
    return [units.count(number, noun) for number, noun in counts if number]


class ListedLabels(NamedTuple):
    """What people say about a session, as far as a list shows it."""

    original_name: SafeText = SafeText("")
    """What it would be called without the name that somebody gave it; empty if nobody did."""
    tags: tuple[SafeText, ...] = ()
    is_pinned: bool = False
    """Whether the user pinned it: it is first in its group."""
    comments: int = 0
    """How many comments its thoughts have."""


_UNLABELLED: Final = ListedLabels()


def named_repository(name: str, branch: str) -> SafeText:
    """Return a repository with a branch: ``shop (feat)``."""
    return SafeText(f"{name} ({branch})" if name and branch else name or branch)


class ListedPlace(Struct, frozen=True, kw_only=True):
    """What a list of sessions says about where one of them works."""

    folder: SafeText = SafeText("")
    """The working folder."""
    repository: SafeText = SafeText("")
    """The name of its repository; without git, of its folder."""
    address: SafeText = SafeText("")
    """What distinguishes that from others: the address of its origin, else the folder."""
    branch: SafeText = SafeText("")
    """The git branch; empty if nobody says it."""
    recorded: WorkPlace = WorkPlace()
    """What the journal says of this."""


def cleaned_place(place: ListedPlace, clean: Callable[[str], str]) -> ListedPlace:
    """Return a place without what ``clean`` removes from its texts."""
    texts = (place.folder, place.repository, place.address, place.branch)
    folder, repository, address, branch = (one_line(clean(text)) for text in texts)
    return ListedPlace(folder=folder, repository=repository, address=address, branch=branch)


def repository_words(listed: "ListedSession") -> SafeText:
    """Return repository and branch of a session; "" where its name says the same."""
    words = named_repository(listed.place.repository, listed.place.branch)
    return SafeText("") if words == listed.name else words


class ListedSession(Struct, frozen=True, kw_only=True):
    """What a list of sessions says about one of them.

    Until ``is_counted``, it is read from the journal's first and last lines only.
    """

    session: str
    """The session's id."""
    last_change: int
    """Time of the last change, in microseconds since 1970 (UTC)."""
    name: SafeText
    """The name that somebody gave it, else its title, its folder or client, its id."""
    labels: ListedLabels = _UNLABELLED
    """What people say about it."""
    client: SafeText = SafeText("")
    """Name of the client."""
    host: SafeText = SafeText("")
    """The machine that it runs on, in a fleet; empty for a session of this machine's folder."""
    title: SafeText = SafeText("")
    """The first line of its newest chain."""
    newest: SafeText = SafeText("")
    """The beginning of its newest thought; empty if that was not read."""
    newest_number: str = ""
    """The newest thought's number; empty for native reasoning, or if it was not read."""
    newest_time: int = 0
    """When its newest thought came, in microseconds since 1970; 0 if that is not known."""
    newest_line: tuple[int, int] = (0, 0)
    """Offset and size of its newest thought's line in the journal, if the whole journal was read."""
    progress: str = ""
    """``6 of ~8``, as far as it is known."""
    context: ContextUse | None = None
    """How full the main agent's context is, if its client records it."""
    started: int = 0
    """When it began, in microseconds since 1970; 0 if that is not known."""
    model: SafeText = SafeText("")
    """The language model, where the client says it."""
    place: ListedPlace = ListedPlace()
    """Where its agent works."""
    state: State = State.UNKNOWN
    """State of its newest chain."""
    standing: Standing = Standing(attention=Attention.OPEN)
    """What it needs."""
    has_unread: bool = False
    """Whether it has thoughts that nobody read."""
    unread: int = 0
    """How many of them; 0 until they are counted."""
    alive: bool = False
    """Whether its server still runs."""
    sparkline: tuple[Span, ...] = ()
    """The sparkline of its newest chain."""
    chains: int = 0
    """Number of chains."""
    thoughts: int = 0
    """Number of thoughts: calls of the thinking tool."""
    turns: int = 0
    """Number of turns, where the session has native reasoning and no thoughts."""
    branches: int = 0
    """Number of branches."""
    revisions: int = 0
    """Number of revisions."""
    health: HealthCounts | None = None
    """What is odd about it; None if nobody looked."""
    is_counted: bool = False
    """Whether the whole journal was read, so that counts and sparkline are known."""
    is_cut: bool = False
    """Whether the journal was too long to be counted to its end; the counts are minimums then."""


def has_words(listed: ListedSession, text: str) -> bool:
    """Return whether name, client, machine, title, folder, repository, branch, tags or id have all words of a text."""
    facts = _searched_text(listed).casefold()
    return all(word in facts for word in text.casefold().split())


def facts_of(listed: ListedSession, now: int, stale_seconds: int) -> SessionFacts:
    """Return what a filter looks at; ``now`` in microseconds since 1970."""
    state = shown_state(listed.standing, now, stale_seconds)
    return SessionFacts(
        repository=listed.place.repository,
        address=listed.place.address,
        branch=listed.place.branch,
        tags=listed.labels.tags,
        states=state_words(state, is_unread=listed.has_unread),
        text=_searched_text(listed),
    )


def _searched_text(listed: ListedSession) -> str:
    place, labels = listed.place, listed.labels
    names = (listed.name, labels.original_name, listed.client, listed.host, listed.title)
    return f"{' '.join((*names, place.folder, place.repository, place.branch, *labels.tags))} {listed.session}"


def labelled(listed: ListedSession, labels: SessionLabels) -> ListedSession:
    """Return what is listed with what people say about the session; that of an earlier call is replaced."""
    original = listed.labels.original_name or listed.name
    return replace(
        listed,
        name=one_line(labels.name) if labels.name else original,
        labels=ListedLabels(
            original if labels.name else SafeText(""),
            tuple(map(one_line, labels.tags)),
            labels.is_pinned,
            len(labels.comments),
        ),
    )
