"""A proposed diff goes into the workspace only after the person has said so (server.md, "applyFixes")."""

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


class Apply(BaseModel):
    """A form without fields: to accept it is to let the diff be applied."""


async def apply_if_accepted(diff: str, workspace: Workspace, dialogue: Dialogue) -> str:
    """Ask the person whether ``diff`` is to be applied, do as they say, and return in a sentence what came of it."""
    changes = parse(diff)
    if any(change.path == THOUGHT for change in changes):
        return "The proposed diff changes code in the thought: there is nothing to apply."
    if len(changes) > _MOST_FILES:
        return f"The proposed diff was not applied: it changes {len(changes)} files."
    if not dialogue.can_elicit:
        return "The proposed diff was not applied: the client cannot ask the user."
    try:
        exchange = await dialogue.elicit(_question(changes, workspace), Apply, purpose=PURPOSE)
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
    name = one_line(change.path)
    counts = f"+{len(change.added)} −{len(change.removed)}"
    if change.is_new:
        return f"{name} (new, {counts})"
    if change.is_deleted:
        return f"{name} (deleted, {counts})"
    if change.is_rename:
        return f"{one_line(change.old_path or '')} → {name} ({counts})"
    return f"{name} ({counts})"
