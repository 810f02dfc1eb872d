"""Asks the user before a proposed diff is written into the workspace (docs/audit.md, "Applying a diff")."""

import json
import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel

from seqthink.audit.prompts import THOUGHT_PATH
from seqthink.audit.workspace.dry_run import FileDifference
from seqthink.audit.workspace.workspace import Workspace
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError
from seqthink.text import one_line

APPLY_PURPOSE: Final = "apply"
_MAX_FILES: Final = 50
_MAX_LIST_CHARS: Final = 16_000
_PLAIN: Final = re.compile(r"[A-Za-z0-9_./@+~-]+")
_RIGHT_TO_LEFT: Final = {"R", "AL", "AN"}
_EDGE_BLANK: Final = re.compile(r'(?<=[ "]) | (?="$)')


class ApplyConsent(BaseModel):
    """Form without fields: accepting it allows the diff to be applied."""


async def apply_if_accepted(diff: str, score_sentence: str, workspace: Workspace, dialogue: Dialogue) -> str:
    """Ask the user whether to apply ``diff``, do as they answer, and return one sentence about the outcome.

    Args:
        diff: A unified diff for files of the workspace.
        score_sentence: How good the diff is, shown below the question.
        workspace: Where the diff is checked and applied.
        dialogue: Where the question is asked.
    """
    checked = await workspace.dry_run(diff)
    if THOUGHT_PATH in checked.files:
        return "The proposed diff changes code in the thought: there is nothing to apply."
    if problem := checked.problem or _too_long_to_ask(checked.differences):
        return f"The proposed diff was not applied: {problem}."
    if not dialogue.can_elicit:
        return "The proposed diff was not applied: the client cannot ask the user."
    try:
        exchange = await dialogue.elicit(
            f"{_question(checked.differences, workspace)}\n{score_sentence}", ApplyConsent, purpose=APPLY_PURPOSE
        )
    except DialogueError as error:
        return f"The proposed diff was not applied: {error}."
    if exchange.action != "accept":
        return "The proposed diff was not applied: the user declined."
    problem = await workspace.apply(checked)
    return f"The proposed diff was not applied: {problem}." if problem else "The proposed diff was applied."


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
