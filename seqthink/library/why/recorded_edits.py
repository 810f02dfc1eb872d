"""An edit as the index keeps it, and the edits of a session out of its facts. Pure: facts in, edits out.

Of the texts only digests are kept (`line_digests.py`).
"""

import posixpath
from array import array
from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from seqthink.core.events import ActionEvent, Event, SessionEvent, UnknownEvent
from seqthink.core.times import microseconds_of
from seqthink.library.why.line_digests import TYPE, all_added, changed_lines
from seqthink.library.why.shell_commands import GitStep, git_step_of, named_files
from seqthink.sources.transcripts.facts import Fact, FileEdit, Result, SessionDescribed, ToolCall

EditKind = Literal["write", "edit", "delete", "move", "command", "action"]
"""`FileEdit.kind`; ``command``: a shell command that names the file; ``action``: a call that a journal names."""
MINUTE: Final = 60_000_000
MAX_MINUTES: Final = 20_000
"""Minutes of a session in which something happened, the first."""
MAX_EDITS: Final = 100_000
"""Edits of a session, the first."""
_CHANGING_WORDS: Final = ("edit", "write", "patch", "replace", "create", "insert", "delete", "move", "rename")


class RecordedEdit(Struct, frozen=True, kw_only=True):
    """One change of one file."""

    call: str
    """The client's id of the call."""
    agent: str | None = None
    """The source's id of the agent; None for the main agent."""
    time: int
    """When it was done, in microseconds since 1970; of a call without an answer, when it was asked for."""
    path: str
    """The file: absolute, with ``/``; as the client recorded it if its folder is not known."""
    kind: EditKind
    moved_to: str = ""
    """Of a move: the path afterwards, as `path`."""
    line: int = 0
    """The first line of the new text in the file, from 1; 0 if that is not recorded."""
    after: "array[int]" = array(TYPE)
    """The lines of the new text (`EditedLines.after`)."""
    removed: "array[int]" = array(TYPE)
    """The lines of the old text that are not in the new one."""
    is_whole: bool = False
    """Whether the new text is the whole file."""
    knows_before: bool = False
    """Whether the old text was recorded, so that only what was added counts as added."""


class GitCommand(Struct, frozen=True, kw_only=True):
    """A shell command of an agent that made a commit, or put files back."""

    time: int
    folder: str
    """Where it ran, as `RecordedEdit.path`."""
    step: GitStep


class SessionEdits(Struct, kw_only=True):
    """What the index keeps of one session."""

    client: str = ""
    """The client's version, or of a journal its name."""
    cwd: str = ""
    repository: str = ""
    """The folder of the repository, if the client says so."""
    title: str = ""
    edits: list[RecordedEdit] = []
    git_commands: list[GitCommand] = []
    minutes: list[int] = []
    """The minutes since 1970 in which something happened, in order."""


class EditCollector:
    """Collects what a session did, from its facts in order."""

    def __init__(self) -> None:
        self._found = SessionEdits()
        self._calls: dict[str, ToolCall] = {}
        self._ended: set[str] = set()
        self._minutes: set[int] = set()

    def add(self, facts: Iterable[Fact]) -> None:
        """Take in the next facts; a fact that came before is left out."""
        for fact in facts:
            match fact:
                case SessionDescribed():
                    self._describe(fact)
                case ToolCall():
                    self._note_time(fact.time)
                    if fact.id not in self._ended:
                        self._calls.setdefault(fact.id, fact)
                case Result():
                    self._note_time(fact.time)
                    self._end(fact)
                case _:
                    self._note_time(fact.time)

    def finish(self) -> SessionEdits:
        """Return all of it: calls without an answer, too, which may have been done."""
        for call in list(self._calls.values()):
            self._take(call, None)
        self._calls.clear()
        self._found.edits.sort(key=lambda edit: edit.time)
        self._found.minutes = sorted(self._minutes)
        return self._found

    def _describe(self, fact: SessionDescribed) -> None:
        if fact.agent is not None:
            return
        found = self._found
        found.cwd = fact.cwd or found.cwd
        found.repository = fact.repository or found.repository
        found.title = fact.title or found.title
        found.client = fact.client_version or found.client

    def _note_time(self, time: int) -> None:
        if time > 0 and len(self._minutes) < MAX_MINUTES:
            self._minutes.add(time // MINUTE)

    def _end(self, result: Result) -> None:
        call = self._calls.pop(result.id, None)
        if call is not None:
            self._ended.add(result.id)
            if not result.is_error:
                self._take(call, result)
        # An answer before its call belongs to a file out of order: the call counts as one without an answer.

    def _take(self, call: ToolCall, result: Result | None) -> None:
        time = max(call.time, result.time) if result is not None else call.time
        edits = result.edits if result is not None and result.edits else call.edits
        folder = call.cwd or self._found.cwd
        for edit in edits:
            self._add(_recorded(edit, call, time, self._found.cwd))
        if call.command:
            self._take_command(call, time, folder)

    def _take_command(self, call: ToolCall, time: int, folder: str) -> None:
        step = git_step_of(call.command)
        if step is not None:
            self._found.git_commands.append(GitCommand(time=time, folder=absolute(folder, ""), step=step))
        names, lines, moves = named_files(call.command)
        after = all_added(lines) if names else array(TYPE)
        made = RecordedEdit(call=call.id, agent=call.agent, time=time, path="", kind="command", after=after)
        for name in names:
            self._add(replace(made, path=absolute(folder, name)))
        for source, target in moves:
            self._add(
                replace(
                    made,
                    kind="move",
                    path=absolute(folder, source),
                    moved_to=absolute(folder, target),
                    after=array(TYPE),
                )
            )

    def _add(self, edit: RecordedEdit) -> None:
        if len(self._found.edits) < MAX_EDITS:
            self._found.edits.append(edit)


def absolute(folder: str, path: str) -> str:
    """Return a path in a folder as the index keeps it."""
    joined = posixpath.join(folder.replace("\\", "/"), path.replace("\\", "/"))
    return posixpath.normpath(joined) if joined else ""


def _recorded(edit: FileEdit, call: ToolCall, time: int, folder: str) -> RecordedEdit:
    lines = changed_lines(edit.before, edit.after)
    return RecordedEdit(
        call=call.id,
        agent=call.agent,
        time=time,
        path=absolute(folder, edit.path),
        kind=edit.kind,
        moved_to=absolute(folder, edit.moved_to) if edit.moved_to else "",
        line=edit.line or 0,
        after=lines.after,
        removed=lines.removed,
        is_whole=edit.kind == "write" and not edit.is_cut,
        # Whoever writes a whole file may not know that there was one.
        knows_before=edit.before is not None if edit.kind != "write" else bool(edit.before),
    )


class JournalCollector:
    """Collects what a journal says of a session: which files its calls name, and when something happened."""

    def __init__(self) -> None:
        self._found = SessionEdits()
        self._minutes: set[int] = set()

    def add(self, event: Event | UnknownEvent) -> None:
        """Take in the next event."""
        if isinstance(event, UnknownEvent):
            return
        time = microseconds_of(event.time)
        if len(self._minutes) < MAX_MINUTES:
            self._minutes.add(time // MINUTE)
        if isinstance(event, SessionEvent):
            found = self._found
            found.cwd = event.cwd or found.cwd
            found.repository = event.repository or found.repository
            found.title = event.title or found.title
            found.client = event.client.name if event.client is not None else found.client
        elif isinstance(event, ActionEvent) and event.summary and not event.is_end:
            self._add_action(event, time, event.summary)

    def _add_action(self, event: ActionEvent, time: int, summary: str) -> None:
        names = named_files(summary).names
        if any(word in event.tool.lower() for word in _CHANGING_WORDS):
            names = (summary, *names)
        for name in dict.fromkeys(names):
            path = absolute(self._found.cwd, name)
            self._found.edits.append(
                RecordedEdit(call=event.call or "", agent=event.agent, time=time, path=path, kind="action")
            )

    def finish(self) -> SessionEdits:
        """Return all of it."""
        self._found.minutes = sorted(self._minutes)
        return self._found
