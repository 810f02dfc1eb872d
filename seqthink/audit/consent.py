"""Asks the user before a proposed diff is written into the workspace (docs/audit.md, "Applying a diff")."""

import json
import re
import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from pydantic import BaseModel

from seqthink.audit.prompts import THOUGHT_PATH
from seqthink.audit.workspace.dry_run import FileDifference
from seqthink.audit.workspace.workspace import Workspace
from seqthink.core.text import one_line
from seqthink.core.unified_diff import parse_diff
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError

APPLY_PURPOSE: Final = "apply"
_MAX_FILES: Final = 50
_MAX_LIST_CHARS: Final = 16_000
_PLAIN: Final = re.compile(r"[A-Za-z0-9_./@+~-]+")
_RIGHT_TO_LEFT: Final = {"R", "AL", "AN"}
_GIT_CHANGE: Final = re.compile(r"^(?=diff --git )", re.MULTILINE)
_EDGE_BLANK: Final = re.compile(r'(?<=[ "]) | (?="$)')


class ApplyConsent(BaseModel):
    """Form without fields: accepting it allows the diff to be applied."""


BeginAsking = Callable[[], Awaitable[None]]
"""Is called just before the user is asked."""


async def _nothing() -> None:
    """Do nothing."""


async def apply_if_accepted(
    diff: str, score_sentence: str, workspace: Workspace, dialogue: Dialogue, begin_asking: BeginAsking = _nothing
) -> str:
    """Ask the user whether to apply ``diff``, do as they answer, and return one sentence about the outcome.

    Args:
        diff: A unified diff for files of the workspace.
        score_sentence: How good the diff is, shown below the question.
        workspace: Where the diff is checked and applied.
        dialogue: Where the question is asked.
        begin_asking: Is called just before that.
    """
    checked = await workspace.dry_run(of_files := _without_thought(diff))
    if not of_files or THOUGHT_PATH in checked.files:
        return "The proposed diff changes code in the thought: there is nothing to apply."
    if problem := checked.problem or _too_long_to_ask(checked.differences):
        return f"The proposed diff was not applied: {problem}."
    if not dialogue.can_elicit:
        return "The proposed diff was not applied: the client cannot ask the user."
    await begin_asking()
    try:
        exchange = await dialogue.elicit(
            f"{_question(checked.differences, workspace)}\n{score_sentence}", ApplyConsent, purpose=APPLY_PURPOSE
        )
    except DialogueError as error:
        return f"The proposed diff was not applied: {error}."
    if exchange.action != "accept":
        answer = "declined" if exchange.action == "decline" else "has not decided"
        return f"The proposed diff was not applied: the user {answer}."
    problem = await workspace.apply(checked)
    applied = "was applied" if of_files == diff else "was applied, except for code in the thought"
    return f"The proposed diff {f'was not applied: {problem}' if problem else applied}."


def _without_thought(diff: str) -> str:
    """Return ``diff`` without the changes that git's headers name as those of the thought."""
    changes = _GIT_CHANGE.split(diff)
    kept = [change for change in changes if [part.path for part in parse_diff(change)] != [THOUGHT_PATH]]
    return diff if len(kept) == len(changes) else "".join(kept)


def _too_long_to_ask(differences: Sequence[FileDifference]) -> str:
    """Return why the question would be too long to ask, or "".

    A truncated list of files would hide what the user agrees to, so such a diff is not offered at all.
    """
    if len(differences) > _MAX_FILES:
        return f"it changes {len(differences)} files"
    return "the names of its files are too long to ask about" if len(_file_list(differences)) > _MAX_LIST_CHARS else ""


def _question(differences: Sequence[FileDifference], workspace: Workspace) -> str:
    listed = _file_list(differences)
    return f"Apply the audit's proposed diff in {one_line(str(workspace.root))}? It changes:\n{listed}"


def _file_list(differences: Sequence[FileDifference]) -> str:
    return "\n".join(f"- {_describe(difference)}" for difference in differences)


def _describe(difference: FileDifference) -> str:
    name = _quoted_name(difference.path)
    if difference.is_rename:
        name = f"{_quoted_name(difference.old_path)} → {name}"
    details = ["new"] * (difference.before is None) + ["deleted"] * (difference.after is None)
    details += ["becomes executable"] * difference.becomes_executable
    details += ["is no longer executable"] * difference.is_no_longer_executable
    return f"{name} ({', '.join([*details, f'+{len(difference.added_lines)} −{difference.removed_line_count}'])})"


def _quoted_name(path: str) -> str:
    """Return ``path`` as is if it is plain ASCII, else in quotes.

    Escapes replace blanks at the edges, and characters that a screen may reorder or draw like others.
    """
    if _PLAIN.fullmatch(path):
        return path
    is_drawn_otherwise = unicodedata.normalize("NFC", path) != path
    is_drawn_otherwise |= any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in path)
    return _EDGE_BLANK.sub(r"\\u0020", json.dumps(path, ensure_ascii=is_drawn_otherwise))
