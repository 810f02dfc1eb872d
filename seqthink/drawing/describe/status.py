"""How a session is getting on, as sign, word and colour (docs/screens.md, "States")."""

from msgspec import Struct

from seqthink.chain.pending import QuestionKind
from seqthink.chain.session import Session
from seqthink.chain.state import STALE_SECONDS, State
from seqthink.drawing.describe import units
from seqthink.drawing.describe.session import last_activity
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.spans import Role


class Status(Struct, frozen=True):
    """How a state is displayed."""

    sign: str
    word: str
    role: Role
    """The colour of sign and word."""


def status_of(
    state: State, signs: Signs, *, is_quiet: bool = False, asking: QuestionKind | None = None, is_auditing: bool = False
) -> Status:
    """Return how to display a state. With ``is_quiet`` a thinking session is "quiet".

    A question to the user or the model, or a running audit, is shown instead.
    """
    if asking == "elicit":
        return Status(signs.expected, "asking you", Role.WARN)
    if is_auditing:
        return Status(signs.expected, "auditing", Role.ACCENT)
    if asking == "sample":
        return Status(signs.expected, "asking model", Role.ACCENT)
    if is_quiet and state is State.THINKING:
        return Status(signs.expected, "quiet", Role.WARN)
    return {
        State.THINKING: Status(signs.thought, "thinking", Role.ACCENT),
        State.DONE: Status(signs.final, "done", Role.GOOD),
        State.LEFT: Status(signs.expected, "left", Role.WARN),
        State.STOPPED: Status(signs.stopped, "stopped", Role.MUTED),
        State.LOST: Status(signs.refused, "lost", Role.BAD),
        State.UNKNOWN: Status(signs.expected, "open", Role.MUTED),
    }[state]


def session_status(
    session: Session, now: int | None, stale_seconds: int = STALE_SECONDS, signs: Signs = UNICODE
) -> Status:
    """Return the status of a session; without ``now`` (microseconds) none is quiet."""
    if not session.thought_count and session.state is State.THINKING:
        return Status(signs.expected, "waiting", Role.MUTED)
    is_quiet = now is not None and now - last_activity(session) > stale_seconds * 1_000_000
    asking = session.open_question and session.open_question.kind
    is_auditing = session.running_audit is not None
    return status_of(session.state, signs, is_quiet=is_quiet, asking=asking, is_auditing=is_auditing)


def word_with_age(word: str, newest: int, now: int | None) -> str:
    """Return a status word and how long ago its session was active: ``thinking 12s``, ``done 4m ago``.

    ``newest`` is the time of the last activity, ``now`` the current time, both in microseconds; without either there
    is no age.
    """
    if now is None or not newest:
        return word
    age = units.age(now, newest)
    is_ago = word == State.DONE and age != "now" and "-" not in age
    return f"{word} {age} ago" if is_ago else f"{word} {age}"
