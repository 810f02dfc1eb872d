"""What a file says about its session: version, folder, title, and what it is a copy of."""

from typing import Final

from seqthink.transcripts.claude.shapes import Record, decode_titles, object_in, text_in
from seqthink.transcripts.facts import SessionDescribed
from seqthink.transcripts.files.json_lines import bounded_id, text_or_none

_MAX_SUMMARIES: Final = 200
_CUSTOM, _BY_MODEL, _SUMMARY = 3, 2, 1
"""Which title counts, if there are several: the highest."""


class Description:
    """Collects what is said about one session, and says it once it has a time."""

    def __init__(self, session: str, agent: str | None) -> None:
        self._session = session
        self._agent = agent
        self._is_described = False
        self._title: str | None = None
        self._title_rank = 0
        self._told_title: str | None = None
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
        if self._is_described and not is_news and self._title == self._told_title:
            return []
        version, cwd = text_in(record.version), text_in(record.cwd)
        if not self._is_described and version is None and cwd is None and self._title is None and not is_news:
            return []
        self._is_described = self._is_described or version is not None or cwd is not None
        return [self._fact(time, version=version, cwd=cwd)]

    def title(self, kind: str, line: bytes) -> None:
        """Take in a line of a type that may hold a title."""
        match kind:
            case "custom-title":
                self._titled(text_in(decode_titles(line).custom_title), _CUSTOM)
            case "ai-title":
                self._titled(text_in(decode_titles(line).ai_title), _BY_MODEL)
            case "summary":
                titles = decode_titles(line)
                leaf, summary = text_in(titles.leaf_uuid), text_in(titles.summary)
                if leaf is not None and summary is not None and len(self._summaries) < _MAX_SUMMARIES:
                    self._summaries[leaf] = summary
            case _:
                pass

    def leaf(self, uuid: str) -> None:
        """Take in that the file has this record, which a summary may be about."""
        if self._summaries:
            self._titled(self._summaries.pop(uuid, None), _SUMMARY)

    def _titled(self, title: str | None, rank: int) -> None:
        if text_or_none(title) and rank >= self._title_rank:
            self._title, self._title_rank = title, rank

    def _fact(self, time: int, *, version: str | None = None, cwd: str | None = None) -> SessionDescribed:
        self._told_title = self._title
        return SessionDescribed(
            id=self._session,
            time=time,
            agent=self._agent,
            client_version=version,
            cwd=cwd,
            title=self._title,
            forked_from=self._forked_from,
        )


def origin_of(record: Record, session: str) -> str | None:
    """Return the session that a record says it was copied from."""
    if record.forked_from:
        named = bounded_id(object_in(record.forked_from).get("sessionId"))
        if named is not None and named != session:
            return named
    asked_in = bounded_id(text_in(record.request_session_id))
    return asked_in if asked_in != session else None
