"""Strategies that draw sessions of agents."""

from itertools import count
from typing import Final

from hypothesis import strategies as st

from tests.support.transcripts.known.sessions import (
    Act,
    Call,
    Delegate,
    End,
    KnownAgent,
    KnownSession,
    Outcome,
    Shape,
    Step,
    Think,
    Turn,
)

TEXTS: Final = (
    "look at {}",
    "the same again",
    "look at {}",
    "zwei\nZeilen {}",
    "漢字 🧵 {}",
    '{{"type":"user","uuid":"{}","sessionId":"s"}}',
    "<b>{}</b> & \\ \" '",
    "{}" + " long" * 60,
)
_ENDS: Final = (End.MARKED, End.MARKED, End.MARKED, End.UNMARKED, End.ABORTED)
_LAST_ENDS: Final = (*_ENDS, End.CUT)
_OUTCOMES: Final = (Outcome.ANSWERED, Outcome.ANSWERED, Outcome.ANSWERED, Outcome.REFUSED)


class _Drawer:
    """Draws one session, and numbers its texts."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self._numbers = count(1)

    def _below(self, size: int) -> int:
        return self._draw(st.integers(0, size - 1))

    def _text(self) -> str:
        return TEXTS[self._below(len(TEXTS))].format(next(self._numbers))

    def _reasoning(self) -> tuple[str, ...]:
        return tuple(self._text() if self._below(4) else "" for _ in range(self._below(3)))

    def agent(self, depth: int) -> KnownAgent:
        """Draw an agent that may start subagents ``depth`` levels deep."""
        size = 1 + self._below(3)
        return KnownAgent(tuple(self._turn(depth, is_last=place == size - 1) for place in range(size)))

    def _subagent(self, depth: int) -> KnownAgent:
        return KnownAgent((self._turn(depth, is_last=False, ends=(End.MARKED, End.UNMARKED)),))

    def _turn(self, depth: int, *, is_last: bool, ends: tuple[End, ...] = ()) -> Turn:
        ends = ends or (_LAST_ENDS if is_last else _ENDS)
        return Turn(
            prompt=self._text(),
            steps=tuple(self._step(depth) for _ in range(self._below(4))),
            reasoning=self._reasoning(),
            answer=self._text(),
            end=ends[self._below(len(ends))],
        )

    def _step(self, depth: int) -> Step:
        calls = tuple(self._call(depth) for _ in range(1 + self._below(3)))
        interjected = None if self._below(6) else self._text()
        return Step(self._reasoning(), calls, interjected, None if self._below(3) else self._text())

    def _call(self, depth: int) -> Call:
        kind = self._below(6)
        if kind == 0 and depth:
            return Delegate(self._subagent(depth - 1))
        outcome = _OUTCOMES[self._below(len(_OUTCOMES))]
        return Act(outcome) if kind == 1 else Think(self._text(), list(Shape)[self._below(len(Shape))], outcome)


@st.composite
def sessions(draw: st.DrawFn, number: int = 1) -> KnownSession:
    """Draw a session with this number."""
    drawer = _Drawer(draw)
    return KnownSession(
        number=number,
        main=drawer.agent(depth=2),
        has_unique_calls=draw(st.booleans()),
        variant=draw(st.integers(0, 7)),
        has_counted_ids=draw(st.booleans()),
    )
