"""What the page asks about a session: its standing, a window of rows, where a row is, one thought.

For the thread whose turn it is; the answers are JSON.
"""

from typing import Any

from seqthink.chain.model import NONE
from seqthink.chain.native.switchable_fold import Shown
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe import units
from seqthink.drawing.describe.calls import working_folder
from seqthink.drawing.describe.changes import has_calls
from seqthink.drawing.describe.context_use import gauge_spans
from seqthink.drawing.describe.now_line import NowLine
from seqthink.drawing.describe.session import session_name, session_progress
from seqthink.drawing.describe.status import Status, session_status
from seqthink.drawing.describe.unread import unread_phrases
from seqthink.drawing.panels.transport import position_unit
from seqthink.drawing.timeline.timeline import Timeline
from seqthink.drawing.tree.tree import Tree
from seqthink.library.call_changes import asked_of_row
from seqthink.share.export import session_facts
from seqthink.share.export.html_items import ThoughtItem, aside_of_seq, page_item
from seqthink.share.export.html_shapes import item_node
from seqthink.share.web.json_answers import RefusedRequestError, encoded
from seqthink.share.web.live.bounded_texts import BoundedTexts, bounded_item, bounded_line, with_remark
from seqthink.share.web.live.changed_files import AskedFiles
from seqthink.share.web.live.open_session import OpenSession, SessionMoment
from seqthink.share.web.live.row_windows import (
    Window,
    drawn_rows,
    number_of_key,
    number_of_seq,
    seq_of,
    thought_at_or_before,
)
from seqthink.share.web.parameters import NO_FOLDS, Folds
from seqthink.share.web.settings import WebSettings

NO_ENTRY = "there is no such entry in this session"


class SessionAnswers:
    """Answers questions about one session at one position.

    Args:
        session: the session.
        settings: how it is shown.
        at: how many lines of the journal are shown; None for all.
        choice: what of a transcript has rows; None for the default.
    """

    def __init__(
        self, session: OpenSession, settings: WebSettings, *, at: int | None = None, choice: Shown | None = None
    ) -> None:
        self._session = session
        self._settings = settings
        self._moment = session.moment(at, choice)

    def state(self) -> bytes:
        """Return what is above the rows."""
        moment, session, catalog = self._moment, self._session, self._settings.catalog
        common = {
            "key": session.key,
            "machine": catalog.session(session.path).machine,
            "remark": session.remark,
            "trouble": session.engine_trouble,
            "version": session.version,
        }
        if moment is None:
            return encoded({**common, **_NOTHING_READ, "name": self._name()})
        shown, whole = moment.shown, moment.whole
        present = session.present(whole) if moment.is_present else None
        name = session_name(shown)
        end = shown.end_event
        count = shown.thought_count
        timeline = count + shown.asides.count + max(0, shown.chain_count - 1) + (shown.chain_count > 1)
        facts = (
            *(span.text for span in gauge_spans(shown)[-1:]),
            session_facts.client(shown),
            session_facts.time_span(shown),
            ", ".join(session_facts.counts(shown)),
            *session_facts.contexts(shown),
            " ".join(session_facts.tags(shown)),
            *unread_phrases(shown),
        )
        return encoded(
            {
                **common,
                "name": bounded_line(name if name not in {"", "?"} else self._name()),
                "state": _status(present.status if present is not None else session_status(shown, None)),
                "now": self._doing(present.doing if present is not None else None),
                "facts": [bounded_line(fact) for fact in facts if fact],
                "error": bounded_line(one_line(end.error)) if end is not None and end.error else "",
                "entries": whole.entry_count,
                "at": moment.at,
                "first": whole.positions.first,
                "thoughts": count,
                "unit": position_unit(whole),
                "newest": shown.thoughts.get(count - 1).seq if count else 0,
                "progress": session_progress(shown),
                "choices": session.feed.choices,
                "shown": moment.is_shown,
                "isLive": whole.is_alive,
                "clock": units.clock(time, self._settings.zone) if (time := whole.positions.time_at(moment.at)) else "",
                "views": {"tree": self._rows(moment, "tree", NO_FOLDS).count, "timeline": timeline},
            }
        )

    def _doing(self, line: NowLine | None) -> dict[str, Any] | None:
        """Return what the agent does now; None if it is not live, or its past is shown."""
        if line is None:
            return None
        now = self._settings.clock()
        return {
            "doing": bounded_line(line.doing),
            "object": bounded_line(line.object),
            "isPath": line.is_path,
            "also": line.also,
            "role": line.role,
            "seconds": max(0, now - line.since) / 1_000_000 if line.since else 0,
        }

    def _name(self) -> SafeText:
        """Return the name of a session without one of its own."""
        catalog, path = self._settings.catalog, self._session.path
        session = catalog.session(path)
        return (session.name if session.machine else SafeText("")) or one_line(session.key)

    def rows(self, window: Window) -> bytes:
        """Return a window of rows."""
        moment = self._moment
        if moment is None:
            return encoded({"entries": 0, "at": 0, "count": 0, "from": 0, "keep": None, "rows": []})
        return self._session.answer(
            ("rows", window, *self._what_rows_depend_on(moment)), lambda: self._drawn(moment, window)
        )

    def _drawn(self, moment: SessionMoment, window: Window) -> bytes:
        tree = moment.rows.tree(window.view, window.folds, moment.shown)
        painter = tree.painter(moment.rows.texts, self._settings.zone, self._now(moment))
        rows = drawn_rows(self._session.drawer, painter, window.first, window.stop)
        return encoded(
            {
                "entries": moment.whole.entry_count,
                "at": moment.at,
                "count": tree.rows.count,
                "from": min(window.first, tree.rows.count),
                "keep": number_of_key(tree.rows, window.keep) if window.keep else None,
                "rows": rows,
            }
        )

    def place(self, seq: int, view: str, folds: Folds) -> bytes:
        """Return the row of an entry, or of what hides it; of one without a row, that of the thought before it.

        Raises:
            RefusedRequestError: there is none.
        """
        moment = self._moment
        if moment is None:
            raise RefusedRequestError(404, NO_ENTRY)
        rows = self._rows(moment, view, folds)
        number = number_of_seq(rows, seq)
        if number is None and seq <= moment.shown.entry_count:
            index = thought_at_or_before(moment.shown, seq)
            number = rows.row_of_thought(index) if index != NONE else None
        if number is None:
            raise RefusedRequestError(404, NO_ENTRY)
        return encoded({"row": number, "seq": seq_of(moment.shown, rows.row(number))})

    def thought(self, seq: int, *, is_diff: bool) -> bytes:
        """Return the card of a thought or an aside.

        Raises:
            RefusedRequestError: there is none.
        """
        moment = self._moment
        if moment is None:
            raise RefusedRequestError(404, NO_ENTRY)
        question = ("thought", seq, is_diff, *self._what_rows_depend_on(moment))
        return self._session.answer(question, lambda: self._card(moment, seq, is_diff=is_diff))

    def _card(self, moment: SessionMoment, seq: int, *, is_diff: bool) -> bytes:
        shown = moment.shown
        texts = BoundedTexts(moment.rows.texts, shown)
        item = page_item(texts, seq, is_diff=is_diff)
        if item is None:
            raise RefusedRequestError(404, NO_ENTRY)
        item = bounded_item(item)
        index = shown.thoughts.index_of_seq(seq)
        if index != NONE:
            item = with_remark(item, texts.cut_sentence(index))
        thought = shown.thoughts.get(index) if index != NONE else None
        following = index + 1
        return encoded(
            {
                "seq": seq,
                "number": thought.number if thought is not None else 0,
                "title": item.brief if isinstance(item, ThoughtItem) else one_line(item.title),
                "node": item_node(item),
                "is_revision": thought is not None and thought.target != NONE,
                "has_calls": has_calls(shown, thought=index, aside=aside_of_seq(shown, seq) if index == NONE else NONE),
                "previous": shown.thoughts.get(index - 1).seq if index > 0 else 0,
                "next": shown.thoughts.get(following).seq if 0 < following < shown.thought_count else 0,
            }
        )

    def asked(self, seq: int) -> AskedFiles:
        """Return which calls an entry stands for, when it is asked what they changed in files.

        Raises:
            RefusedRequestError: there is no such entry.
        """
        moment = self._moment
        index = moment.shown.thoughts.index_of_seq(seq) if moment is not None else NONE
        aside = aside_of_seq(moment.shown, seq) if moment is not None and index == NONE else NONE
        if moment is None or (index == NONE and aside == NONE):
            raise RefusedRequestError(404, NO_ENTRY)
        row = asked_of_row(moment.rows.texts, moment.shown, thought=index, aside=aside)
        return AskedFiles(row, working_folder(moment.shown))

    def _rows(self, moment: SessionMoment, view: str, folds: Folds) -> Tree | Timeline:
        return moment.rows.tree(view, folds, moment.shown).rows

    def _what_rows_depend_on(self, moment: SessionMoment) -> tuple[object, ...]:
        whole, health = moment.whole, moment.rows.health
        return (
            moment.is_shown, moment.at, whole.entry_count, whole.writer, health.finding_count,
            (self._now(moment) or 0) // 1_000_000,
        )  # fmt: skip

    def _now(self, moment: SessionMoment) -> int | None:
        """Return the time, where rows say how long a subagent has been silent."""
        has_silence = moment.is_present and moment.whole.is_alive and moment.whole.agents.count
        return self._settings.clock() if has_silence else None


_NOTHING_READ: dict[str, Any] = {
    "state": {"role": "muted", "sign": "○", "word": "waiting"},
    "now": None,
    "facts": [],
    "error": "",
    "entries": 0,
    "at": 0,
    "first": 0,
    "thoughts": 0,
    "unit": "thought",
    "newest": 0,
    "progress": "",
    "choices": [],
    "shown": "thoughts",
    "isLive": False,
    "clock": "",
    "views": {"tree": 0, "timeline": 0},
}


def _status(status: Status) -> dict[str, str]:
    return {"role": status.role, "sign": status.sign, "word": status.word}
