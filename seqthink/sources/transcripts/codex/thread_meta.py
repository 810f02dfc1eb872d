"""What the first record of a rollout says about its thread: whose it is, who started it, what it is a copy of."""

import re
from typing import Final, NamedTuple
from uuid import UUID

from seqthink.core.remote_address import remote_address
from seqthink.sources.transcripts.files.json_lines import decode_object
from seqthink.sources.transcripts.json_fields import Fields, id_in, number_in, object_in, text_in, time_in
from seqthink.sources.transcripts.lane_names import task_name
from seqthink.sources.transcripts.tool_names import unsealed

_AFTER_WHAT_COUNTS: Final = (b',"base_instructions":', b',"instructions":', b',"dynamic_tools":')
_LONG_META_BYTES: Final = 4_096
_GIT: Final = re.compile(rb',"git":\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\}')
"""What Codex writes last: where the repository is, behind the long texts."""
_MAX_GIT_BYTES: Final = 4_096
_TASK_KEYS: Final = ("agent_path", "agentPath", "task_name")
_OWN_NAME: Final = re.compile(r"[^/]+$")


class ThreadMeta(NamedTuple):
    """One thread of Codex: a session, a fork of one, or a subagent's."""

    id: str
    session: str
    """Id of the session that it belongs to, as the record says; of older versions the thread's own."""
    parent: str | None
    """The thread that started it, if it is a subagent's and says so."""
    is_subagent: bool
    forked_from: str | None
    """The thread that it begins with a copy of."""
    forked_before: int | None
    """The ordinal of the first record of that thread that is not part of its history; None if it repeats them."""
    continues_before: int | None
    """Of a second file of a thread that was rewound: the ordinal of the first record that is left behind."""
    time: int | None
    """When it was created, in microseconds since 1970."""
    cwd: str | None
    version: str | None
    name: str | None
    """Of a subagent: the name of its task, else its role and nickname."""
    has_task_name: bool = False
    """Whether it is the name of its task."""
    branch: str | None = None
    """The git branch that it began on."""
    remote: str | None = None
    """The address of the repository's origin."""

    def labelled(self, root: str) -> str | None:
        """Return this thread's id as the agent of a fact, in a session with this main thread."""
        return None if self.id == root else self.id


def meta_of_line(line: bytes) -> ThreadMeta | None:
    """Return what the first line of a rollout says; it may be cut off behind the fields that count."""
    record = decode_object(_without_instructions(line))
    if record is None:
        return None
    if record.get("type") == "session_meta":
        return meta_of_payload(object_in(record, "payload"))
    return meta_of_payload(record) if is_bare_meta(record) else None


def is_bare_meta(record: Fields) -> bool:
    """Return whether a record without payload is the first line of a rollout of 2025."""
    return "type" not in record and bool(text_in(record, "id")) and bool(text_in(record, "timestamp"))


def meta_of_payload(payload: Fields) -> ThreadMeta | None:
    """Return what a ``session_meta`` says; None if it has no id."""
    thread = id_in(payload, "id", "session_id")
    if not thread:
        return None
    source = object_in(payload, "source")
    spawn = object_in(object_in(source, "subagent", "subAgent"), "thread_spawn")
    base, git = object_in(payload, "history_base"), object_in(payload, "git")
    parent = id_in(payload, "parent_thread_id") or id_in(spawn, "parent_thread_id") or None
    known = {**spawn, **{key: value for key, value in payload.items() if value is not None}}
    return ThreadMeta(
        id=thread,
        session=id_in(payload, "session_id") or thread,
        parent=parent,
        is_subagent=bool({"subagent", "subAgent"} & source.keys()) or text_in(payload, "thread_source") == "subagent",
        forked_from=id_in(payload, "forked_from_id") or None,
        forked_before=number_in(payload, "forked_from_ordinal_exclusive"),
        continues_before=number_in(base, "end_ordinal_exclusive") if id_in(base, "thread_id") == thread else None,
        time=time_in(payload, "timestamp"),
        cwd=text_in(payload, "cwd") or None,
        version=text_in(payload, "cli_version") or None,
        name=agent_name(known),
        has_task_name=bool(text_in(known, *_TASK_KEYS)),
        branch=text_in(git, "branch") or None,
        remote=remote_address(text_in(git, "repository_url")) or None,
    )


def bare_meta(thread: str) -> ThreadMeta:
    """Return a thread with only its id known."""
    made = created_ms(thread)
    time = None if made is None else made * 1_000
    return ThreadMeta(thread, thread, None, False, None, None, None, time, None, None, None)


def agent_name(fields: Fields, prompt: str = "") -> str | None:
    """Return what a subagent is called: by the name of its task, else by how its prompt begins.

    Without both it is ``role: nickname``, as far as these are known: a nickname is drawn by lot, and says nothing.
    """
    path = _OWN_NAME.search(text_in(fields, *_TASK_KEYS))
    role = text_in(fields, "agent_role", "new_agent_role", "agentRole", "agent_type")
    nickname = text_in(fields, "agent_nickname", "new_agent_nickname", "agentNickname", "nickname")
    kind = ": ".join(part for part in (role, nickname) if part)
    return task_name(kind, path[0] if path else "", unsealed(prompt or text_in(fields, "prompt")))


def created_ms(identifier: str) -> int | None:
    """Return when an id was made, in milliseconds since 1970; None if it is not a UUID with a time (version 7)."""
    try:
        value = UUID(identifier)
    except ValueError:
        return None
    return value.int >> 80 if value.version == 7 else None


def _without_instructions(line: bytes) -> bytes:
    """Return the line without the texts of many kilobytes, and what is behind them but the repository."""
    if len(line) < _LONG_META_BYTES:
        return line
    cuts = [line.find(key) for key in _AFTER_WHAT_COUNTS]
    cut = min((at for at in cuts if at > 0), default=-1)
    closing = b"}}" if b'"payload":{' in line[:512] else b"}"
    git = _GIT.search(line, max(cut, len(line) - _MAX_GIT_BYTES))
    return line if cut < 0 else line[:cut] + (git[0] if git else b"") + closing
