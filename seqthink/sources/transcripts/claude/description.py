"""What a file says about its session: version, folder, worktree, title, and what it is a copy of."""

from typing import Final, NamedTuple

from seqthink.sources.transcripts.claude.shapes import LooseRecord, Record, WorktreeSession
from seqthink.sources.transcripts.facts import SessionDescribed

_MAX_SUMMARIES: Final = 200
_NO_BRANCH: Final = "HEAD"
"""What Claude Code writes in place of a branch without git, and for a commit that is checked out itself."""
_CUSTOM, _BY_MODEL, _SUMMARY = 3, 2, 1
"""Which title counts, if there are several: the highest."""


class _Place(NamedTuple):
    """The worktree in which a session works, or worked."""

    repository: str | None = None
    worktree: str | None = None
    """Its name; empty once the session has left it."""
    entered: str | None = None
    """Its name, also then."""


class Description:
    """Collects what is said about one session, and says it once it has a time."""

    def __init__(self, session: str, agent: str | None) -> None:
        self._session = session
        self._agent = agent
        self._is_described = False
        self._titles: dict[int, str] = {}
        self._place: _Place | None = None
        self._branch: str | None = None
        self._emitted: tuple[str | None, _Place | None, str | None] = (None, None, None)
        self._forked_from: str | None = None
        # Summaries name the record that they are about, which may be in another file, or come later.
        self._summaries: dict[str, str] = {}

    def record(self, record: Record, time: int, copied_from: str | None) -> list[SessionDescribed]:
        """Return what the next record says about the session."""
        if time == 0:
            return []
        forked_from = copied_from or origin_of(record, self._session)
        is_news = forked_from is not None and self._forked_from is None
        if is_news:
            self._forked_from = forked_from
        self._note_branch(record.git_branch)
        news = (self._title, self._place, self._branch)
        if self._is_described and not is_news and news == self._emitted:
            return []
        version, cwd = record.version, record.cwd
        if not self._is_described and version is None and cwd is None and news == (None, None, None) and not is_news:
            return []
        self._is_described = self._is_described or version is not None or cwd is not None
        return [self._fact(time, version=version, cwd=cwd)]

    def name(self, kind: str, record: LooseRecord) -> None:
        """Take in a record of a type that may hold a title or the session's worktree."""
        match kind:
            case "custom-title":
                self._titled(record.custom_title, _CUSTOM)
            case "ai-title":
                self._titled(record.ai_title, _BY_MODEL)
            case "summary":
                leaf, summary = record.leaf_uuid, record.summary
                if leaf is not None and summary is not None and len(self._summaries) < _MAX_SUMMARIES:
                    self._summaries[leaf] = summary
            case "worktree-state":
                self._place = _place_in(record.worktree_session, self._place)
            case _:
                pass

    def _note_branch(self, branch: str | None) -> None:
        if branch == _NO_BRANCH:
            self._branch = "" if self._branch else self._branch
        elif branch:
            self._branch = branch

    def leaf(self, uuid: str) -> None:
        """Take in that the file has this record, which a summary may be about."""
        if self._summaries:
            self._titled(self._summaries.pop(uuid, None), _SUMMARY)

    def _titled(self, title: str | None, rank: int) -> None:
        if title:
            self._titles[rank] = title

    @property
    def _title(self) -> str | None:
        """The title that counts. Claude Code gives each session in a worktree that one's name as its title."""
        worktree = self._place.entered if self._place is not None else None
        titles = {rank: title for rank, title in self._titles.items() if rank != _CUSTOM or title != worktree}
        return titles[max(titles)] if titles else None

    def _fact(self, time: int, *, version: str | None = None, cwd: str | None = None) -> SessionDescribed:
        self._emitted = (self._title, self._place, self._branch)
        place = self._place or _Place()
        return SessionDescribed(
            id=self._session,
            time=time,
            agent=self._agent,
            client_version=version,
            cwd=cwd,
            repository=place.repository,
            worktree=place.worktree,
            branch=self._branch,
            title=self._title,
            forked_from=self._forked_from,
        )


def _place_in(worktree: WorktreeSession | None, before: _Place | None) -> _Place | None:
    """Return where a record says that the session works; ``before`` is what the one before said."""
    if worktree is None or not worktree.original_cwd or not worktree.worktree_name:
        return _Place(before.repository, "", before.entered) if before is not None else None
    return _Place(worktree.original_cwd, worktree.worktree_name, worktree.worktree_name)


def origin_of(record: Record, session: str) -> str | None:
    """Return the session that a record says it was copied from."""
    if record.forked_from is not None:
        named = record.forked_from.session_id
        if named is not None and named != session:
            return named
    asked_in = record.request_session_id
    return asked_in if asked_in != session else None
