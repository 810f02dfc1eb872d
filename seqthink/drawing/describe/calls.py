"""What is said of each call of a tool: what it touched, how long it took, and how it ended.

The rows of actions, opened, list their calls in these words: in the viewer, on pages, and in exports.
"""

import re
from collections.abc import Sequence
from datetime import UTC, tzinfo
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from seqthink.chain.columns.call_columns import CallEnd, CallResult
from seqthink.chain.model import AsideItem
from seqthink.chain.native.native_rows import file_name
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.core.events import ActionEvent, SessionEvent
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe import units
from seqthink.drawing.text.spans import Role

MAX_CALLS_LISTED: Final = 100
"""How many calls of a row are listed, the newest."""
MAX_TOOL_CHARS: Final = 300
"""Characters of a tool's name that are shown."""
RUNNING, NOT_KNOWN = "running", "not known"
SHELLS: Final = frozenset(
    {"bash", "shell", "exec_command", "local_shell", "shell_command", "run_shell_command", "run_command", "powershell"}
)
"""The tools of clients that run a command, in lower case."""
_SHELL_CALL: Final = re.compile(r"(?:\S*/)?(?:ba|z|da|k)?sh -\w*c (?=\S)")
"""What Codex runs a command with."""
_RESULTS: Final = {
    CallResult.DONE: ("done", Role.GOOD),
    CallResult.FAILED: ("failed", Role.BAD),
    CallResult.INTERRUPTED: ("interrupted", Role.WARN),
}


class ListedCall(Struct, frozen=True, kw_only=True):
    """One call of a row. Its texts are sanitized, each in one line."""

    time: int
    """When it began, in microseconds since 1970."""
    tool: SafeText
    object: SafeText
    """What it touched: a path, relative to the working folder if it is in there, or a command, or a pattern."""
    is_path: bool
    """Whether ``object`` is a path, which is cut on the left."""
    took_us: int
    """How long it took in microseconds; 0 if that is not known."""
    result: str
    """``done``, ``failed``, ``interrupted``, ``running`` or ``not known``."""
    role: Role
    """The colour of the result."""
    reason: SafeText = SafeText("")
    """Why it failed, as far as that was kept."""

    @property
    def took(self) -> str:
        """How long it took in at most five cells; empty if that is not known."""
        return units.duration(self.took_us) if self.took_us else ""

    def result_words(self, zone: tzinfo = UTC) -> str:
        """Return the result; of a call that runs also since when, in the time of ``zone``."""
        return f"{RUNNING} since {units.clock(self.time, zone)}" if self.result == RUNNING else self.result

    @property
    def end_words(self) -> str:
        """Duration and result, for a page or a report: ``1.2s, failed``."""
        return ", ".join(filter(None, (self.took, self.result_words())))


def listed_items(session: Session, ordinal: int) -> tuple[int, Sequence[AsideItem]]:
    """Return how many of the calls of an aside are not listed, and those that are: the newest."""
    items = session.asides.items_of(ordinal)
    left_out = max(0, len(items) - MAX_CALLS_LISTED)
    return left_out, items[left_out:]


def left_out_words(count: int) -> str:
    """Return the line that says how many calls are not listed."""
    return f"{units.count(count, 'earlier call')} not listed"


def listed_call(texts: SessionTexts, session: Session, item: AsideItem) -> ListedCall:
    """Return what is said of a call; ``session`` is that of ``texts``, or an earlier position of it."""
    event = texts.event(item.offset, item.size)
    begun = event if isinstance(event, ActionEvent) else None
    shown, is_path = called_with(
        working_folder(session), item.name, (begun.summary if begun is not None else None) or ""
    )
    call = ListedCall(
        time=item.time,
        tool=one_line(item.name[:MAX_TOOL_CHARS]),
        object=one_line(shown),
        is_path=is_path,
        took_us=0,
        result=NOT_KNOWN,
        role=Role.MUTED,
    )
    end = session.asides.end_of(item)
    if end is not None:
        return _with_end(call, end, texts)
    is_running = session.is_alive and session.asides.is_running(item)
    return replace(call, result=RUNNING, role=Role.ACCENT) if is_running else call


def _with_end(call: ListedCall, end: CallEnd, texts: SessionTexts) -> ListedCall:
    last = texts.event(end.offset, end.size) if end.result is CallResult.FAILED else None
    reason = one_line(last.error or "") if isinstance(last, ActionEvent) else SafeText("")
    result, role = _RESULTS[end.result]
    return replace(call, result=result, role=role, reason=reason, took_us=max(0, end.time - call.time))


def called_with(folder: str, tool: str, summary: str) -> tuple[str, bool]:
    """Return what a call touched, and whether it is a path: relative to the working folder, as commands are, too."""
    if tool.lower() not in SHELLS:
        return _in_folder(folder, summary)
    command = _SHELL_CALL.sub("", summary, count=1) if _SHELL_CALL.match(summary) else summary
    for begin in (f"cd {folder} && ", f'cd "{folder}" && ', f"cd '{folder}' && "):
        if folder and command.startswith(begin):
            return command[len(begin) :], False
    return command, False


def put_back_facts(session: Session, ordinal: int) -> list[str]:
    """Return that one of the calls of an aside puts back a file that was edited before; nothing of others."""
    path = session.asides.put_back_by(ordinal)
    return (
        [f"puts back a file that was edited before: {one_line(_in_folder(working_folder(session), path)[0])}"]
        if path
        else []
    )


def _in_folder(folder: str, path: str) -> tuple[str, bool]:
    """Return a text, and whether it is a path; one in the folder is relative to it."""
    is_inside = bool(folder) and path.startswith((f"{folder}/", f"{folder}\\"))
    return (path[len(folder) + 1 :], True) if is_inside else (path, bool(file_name(path)))


def path_in_folder(folder: str, path: str) -> str:
    """Return a path, relative to the folder if it is in there."""
    return _in_folder(folder, path)[0]


def working_folder(session: Session) -> str:
    """Return the folder that a session works in; empty if it does not say."""
    return folder_of(session.session_event)


def folder_of(event: SessionEvent | None) -> str:
    """Return the folder that the first line of a session names; empty if it names none."""
    return (event.cwd or "").rstrip("/\\") if event is not None else ""
