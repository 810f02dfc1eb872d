"""What the fast path knows of audits: which calls need none, and what an answer says where none is possible."""

from typing import TYPE_CHECKING, Any

from seqthink.server.recording.calls import Answer, Call

if TYPE_CHECKING:  # loads what the first answer does not wait for
    from seqthink.server.recording.recorder import ThoughtRecorder

_MAX_SEARCHED_CHARS = 20_000
"""Longer thoughts are left to the SDK path, which searches them in a thread."""


def may_need_audit(call: Call) -> bool:
    """Return whether a call may hold something to audit; True in doubt."""
    from seqthink.core.arguments import InvalidArguments, read_arguments  # noqa: PLC0415 - not for the first answer

    given = read_arguments(call.arguments)
    thought: Any = "" if isinstance(given, InvalidArguments) else given.fields.get("thought", "")
    if not isinstance(thought, str) or len(thought) > _MAX_SEARCHED_CHARS:
        return True
    try:
        from seqthink.audit.code.blocks import should_audit  # noqa: PLC0415 - loaded with audits, in idle time if there was any
    except (Exception, SystemExit):  # noqa: BLE001 - whatever is wrong with a package, the SDK path says so
        return True
    return should_audit(thought)


def without_audit(call: Call, answer: Answer, recorder: "ThoughtRecorder", problem: str) -> Answer:
    """Return ``answer`` and journal an audit that could not begin, if ``call`` may have needed one."""
    if answer.is_error or not answer.seq or not may_need_audit(call):
        return answer
    error = f"not audited: {problem}"
    recorder.append_event("audit", {"of": answer.seq, "sessionId": recorder.session, "error": error})
    return answer._replace(body={**answer.body, "sessionId": recorder.session, "auditError": error})
