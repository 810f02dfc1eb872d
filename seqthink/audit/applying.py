"""A proposed diff goes into the workspace only after the person has said so (server.md, "applyFixes")."""

import json
import re
from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel

from seqthink.audit.prompts import THOUGHT
from seqthink.audit.workspace.diffs import FileChange, parse
from seqthink.audit.workspace.workspace import Workspace
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError
from seqthink.text import one_line

PURPOSE: Final = "apply"
_MOST_FILES: Final = 50
_PLAIN: Final = re.compile(r"[\w./@+~-]+")


class Apply(BaseModel):
    """A form without fields: to accept it is to let the diff be applied."""


async def apply_if_accepted(diff: str, worth: str, workspace: Workspace, dialogue: Dialogue) -> str:
    """Ask the person whether ``diff`` is to be applied, do as they say, and return in a sentence what came of it.

    ``worth`` is a sentence that says how good it is.
    """
    changes = parse(diff)
    if any(change.path == THOUGHT for change in changes):
        return "The proposed diff changes code in the thought: there is nothing to apply."
    if len(changes) > _MOST_FILES:
        return f"The proposed diff was not applied: it changes {len(changes)} files."
    if not dialogue.can_elicit:
        return "The proposed diff was not applied: the client cannot ask the user."
    try:
        exchange = await dialogue.elicit(f"{_question(changes, workspace)}\n{worth}", Apply, purpose=PURPOSE)
    except DialogueError as error:
        return f"The proposed diff was not applied: {error}."
    if exchange.action != "accept":
        return "The proposed diff was not applied: the user did not want it."
    problem = await workspace.apply(diff)
    return f"The proposed diff was not applied: {problem}." if problem else "The proposed diff was applied."


def _question(changes: Sequence[FileChange], workspace: Workspace) -> str:
    listed = "\n".join(f"- {_told(change)}" for change in changes)
    return f"Apply the audit's proposed diff in {one_line(str(workspace.root))}? It changes:\n{listed}"


def _told(change: FileChange) -> str:
    name = _named(change.path)
    if change.is_rename:
        name = f"{_named(change.old_path or '')} → {name}"
    what = ["new"] * change.is_new + ["deleted"] * change.is_deleted + [_mode(change)] * bool(_mode(change))
    return f"{name} ({', '.join([*what, f'+{len(change.added)} −{len(change.removed)}'])})"


def _named(path: str) -> str:
    """Return ``path``, between quotes where it might be taken for more than a name."""
    return path if _PLAIN.fullmatch(path) else json.dumps(path, ensure_ascii=not path.isprintable())


def _mode(change: FileChange) -> str:
    if change.becomes_executable:
        return "becomes executable"
    return "is no longer executable" if change.modes[:2] == ("100755", "100644") else ""
