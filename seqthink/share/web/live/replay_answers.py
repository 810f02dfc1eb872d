"""What the page asks to replay a session: where a playhead can stop, steps, marks of the time line, the estimate chart.

For the thread whose turn it is; the answers are JSON. A position is a number of journal lines.
"""

from collections.abc import Iterator
from typing import Any

from seqthink.chain.native.switchable_fold import Shown
from seqthink.chain.session import Session
from seqthink.core.text import one_line
from seqthink.drawing.describe.attachments import step_words
from seqthink.drawing.panels.estimate_chart import estimate_points
from seqthink.drawing.panels.scrubber import SHOWN_LANDMARKS, landmark_sign
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.share.web.json_answers import RefusedRequestError, encoded
from seqthink.share.web.live.open_session import OpenSession

MAX_POSITIONS, MAX_MARKS, MAX_POINTS = 500, 200, 400
"""How many an answer has."""
TENTHS = 10
STEPS = ("next", "previous", "next-mark", "previous-mark")
WRONG_STEP = "to must be next, previous, next-mark, previous-mark, a digit for a tenth, or seq: with an entry's number"
_MAX_SEQ_CHARS = 15


class ReplayAnswers:
    """Answers questions about the positions of one session.

    Args:
        session: the session.
        at: the position of the playhead; None for the end.
        choice: what of a transcript has rows; None for the default.
    """

    def __init__(self, session: OpenSession, *, at: int | None = None, choice: Shown | None = None) -> None:
        self._session = session
        self._moment = session.moment(at, choice)

    def positions(self, after: int) -> bytes:
        """Return the next positions at which more is visible, with seconds since the one before and what comes."""
        if self._moment is None:
            return encoded({"positions": [], "end": 0})
        whole = self._moment.whole
        return encoded({"positions": list(_positions(whole, min(after, whole.entry_count))), "end": whole.entry_count})

    def step(self, to: str) -> bytes:
        """Return the position that a step from the playhead leads to.

        Raises:
            RefusedRequestError: there is no such step, or no such entry.
        """
        if self._moment is None:
            return encoded({"at": 0, "newest": 0, "says": ""})
        whole, before = self._moment.whole, self._moment.at
        after = _after_step(whole, before, to)
        count = whole.at(after).thought_count
        return encoded(
            {
                "at": after,
                "newest": whole.thoughts.get(count - 1).seq if count else 0,
                "says": step_words(whole, before, after) if to in STEPS[:2] else "",
            }
        )

    def marks(self) -> bytes:
        """Return what is above the time line: each at its share of the journal's lines."""
        if self._moment is None:
            return encoded({"marks": []})
        shown = self._moment.shown
        question = ("marks", self._moment.is_shown, shown.entry_count)
        return self._session.answer(question, lambda: encoded({"marks": list(_marks(shown))}))

    def chart(self) -> bytes:
        """Return the estimates of the lane whose progress is shown."""
        shown = self._moment.shown if self._moment is not None else None
        if shown is None or not shown.thought_count:
            return encoded({"points": [], "thoughts": 0, "isSampled": False})
        question = ("chart", self._moment and self._moment.is_shown, shown.entry_count)
        return self._session.answer(question, lambda: encoded(_chart(shown)))


def _positions(whole: Session, after: int) -> Iterator[list[Any]]:
    positions, position = whole.positions, after
    time = positions.time_at(position)
    for _ in range(MAX_POSITIONS):
        following = positions.next_visible(position)
        if following <= position:
            return
        before, time = time, positions.time_at(following)
        gap = max(0, time - before) / 1_000_000 if before else 0
        is_thought = whole.at(following).thought_count > whole.at(position).thought_count
        is_mark = positions.has_landmark_between(position, following)
        yield [following, round(gap, 3), f"{'t' * is_thought}{'m' * is_mark}"]
        position = following


def _after_step(whole: Session, before: int, to: str) -> int:
    positions = whole.positions
    match to:
        case "next":
            return positions.next_visible(before)
        case "previous":
            return positions.previous_visible(before)
        case "next-mark":
            return positions.next_landmark(before)
        case "previous-mark":
            return positions.previous_landmark(before)
        case _ if len(to) == 1 and to.isascii() and to.isdigit():
            count = whole.thought_count
            return positions.after_thought(min(count - 1, count * int(to) // TENTHS)) if count else positions.end
        case _:
            return _after_entry(whole, to)


def _after_entry(whole: Session, to: str) -> int:
    kind, _, digits = to.partition(":")
    if kind != "seq" or not (digits.isascii() and digits.isdigit() and len(digits) <= _MAX_SEQ_CHARS):
        raise RefusedRequestError(400, WRONG_STEP)
    index = whole.thoughts.index_of_seq(int(digits))
    if index < 0:
        raise RefusedRequestError(404, "there is no such thought in this session")
    return whole.positions.after_thought(index)


def _marks(shown: Session) -> Iterator[list[Any]]:
    """Yield the marks: the line is cut into as many parts as there may be, and a part has one at most."""
    entries, count = shown.entry_count, shown.thought_count
    kinds = [kind for kind in SHOWN_LANDMARKS if count and shown.landmarks.between(kind, 0, count)]
    first = 0
    for part in range(MAX_MARKS if kinds else 0):
        stop = shown.at(entries * (part + 1) // MAX_MARKS).thought_count
        if stop == first:
            continue
        for kind in kinds:
            found = shown.landmarks.between(kind, first, stop)
            sign = landmark_sign(shown, kind, found[-1], UNICODE, has_words=True) if found else None
            if sign is not None:
                index = max(0, shown.landmarks.thought_at(kind, found[-1]))
                share = (shown.thoughts.entry_index_of(index) + 1) / entries
                yield [round(share, 5), sign.role, f"{kind.value}: {one_line(sign.text)}"]
                break
        first = stop


def _chart(shown: Session) -> dict[str, Any]:
    lane = shown.thoughts.lane_of(shown.current_thought)
    points = estimate_points(shown, lane, MAX_POINTS)
    length = shown.lanes.length_of(lane)
    return {
        "points": [
            [point.number, point.estimate, shown.thoughts.get(point.thought).seq, point.has_changed, point.remaining]
            for point in points
        ],
        "thoughts": length,
        "isSampled": length > MAX_POINTS,
    }
