"""What a command is given: facts as variables and as one JSON object (docs/sessions.md, "Your own commands").

Texts of models and clients are cut, and have no control characters. No shell sees them.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from seqthink.core.text import one_line
from seqthink.core.times import datetime_of
from seqthink.drawing.describe.status import standing_news, stuck_reason
from seqthink.share.notify.occasions import Occasion, Subject
from seqthink.share.notify.states import NotifyState

MAX_NAME_CHARS: Final = 200
MAX_FOLDER_CHARS: Final = 1000
MAX_QUESTION_CHARS: Final = 1000
_PREFIX: Final = "SEQTHINK_"
_ONLY_JSON: Final = frozenset({"v", "since", "time", "try"})

Facts = Mapping[str, str | int | bool]


def facts_of(occasion: Occasion, now: int, *, is_try: bool = False) -> Facts:
    """Return the facts of an occasion at ``now``, in microseconds since 1970; all texts are safe to show.

    ``is_try`` marks facts that were made up to try a command.
    """
    state, subject, _ = occasion
    standing = subject.standing
    question = _short(standing.question, MAX_QUESTION_CHARS) if state is NotifyState.ASKING else ""
    reason = _reason(state, subject, now)
    name = _short(subject.name, MAX_NAME_CHARS)
    facts: dict[str, str | int | bool] = {
        "v": 1,
        "state": str(state),
        "text": _text(state, subject, name, question or reason),
        "session": _short(subject.session, MAX_NAME_CHARS),
        "name": name,
        "client": _short(subject.client, MAX_NAME_CHARS),
        "machine": _short(subject.machine, MAX_NAME_CHARS),
        "folder": _short(subject.folder, MAX_FOLDER_CHARS),
        "reason": reason,
        "question": question,
        "link": _short(subject.link, MAX_NAME_CHARS),
        "since": _spelled(datetime_of(standing.since)),
        "time": _spelled(datetime_of(now)),
    }
    return facts | ({"try": True} if is_try else {})


def variables_of(facts: Facts) -> dict[str, str]:
    """Return the facts as variables of an environment: ``SEQTHINK_STATE`` and so on."""
    return {f"{_PREFIX}{name.upper()}": str(value) for name, value in facts.items() if name not in _ONLY_JSON}


def json_line(facts: Facts) -> bytes:
    """Return the facts as a line of JSON, in which absent ones are empty texts."""
    return json.dumps(facts, ensure_ascii=False).encode() + b"\n"


def _reason(state: NotifyState, subject: Subject, now: int) -> str:
    if state is NotifyState.CONTEXT:
        return f"context {subject.full_context} % full"
    return stuck_reason(subject.standing, now=now) if state is NotifyState.STUCK else ""


def _text(state: NotifyState, subject: Subject, name: str, rest: str) -> str:
    if state is NotifyState.ASKING or state is NotifyState.CONTEXT:
        news = standing_news(name, subject.standing) if state is NotifyState.ASKING else name
        return f"{news}: {rest}" if rest else news
    return standing_news(name, subject.standing)


def _short(text: str, max_chars: int) -> str:
    """Return a text in one line without control characters, of at most so many characters."""
    shown = one_line(text[: 4 * max_chars]).replace("\0", "")
    return shown if len(shown) <= max_chars else shown[: max_chars - 1] + "…"


def _spelled(time: datetime) -> str:
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")
