"""A proposed diff goes into the workspace only after the person has said so (server.md, "applyFixes")."""

import json
import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel

from seqthink.audit.prompts import THOUGHT
from seqthink.audit.workspace.trial import Difference
from seqthink.audit.workspace.workspace import Workspace
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError
from seqthink.text import one_line

PURPOSE: Final = "apply"
_MOST_FILES: Final = 50
_MOST_LETTERS: Final = 16_000
_PLAIN: Final = re.compile(r"[A-Za-z0-9_./@+~-]+")
_RIGHT_TO_LEFT: Final = {"R", "AL", "AN"}
_LOST_BLANK: Final = re.compile(r'(?<=[ "]) | (?="$)')


class Apply(BaseModel):
    """A form without fields: to accept it is to let the diff be applied."""


async def apply_if_accepted(diff: str, worth: str, workspace: Workspace, dialogue: Dialogue) -> str:
    """Ask the person whether ``diff`` is to be applied, do as they say, and return in a sentence what came of it.

    ``worth`` is a sentence that says how good it is.
    """
    checked = await workspace.check(diff)
    if THOUGHT in checked.files:
        return "The proposed diff changes code in the thought: there is nothing to apply."
    if problem := checked.problem or _too_much(checked.differences):
        return f"The proposed diff was not applied: {problem}."
    if not dialogue.can_elicit:
        return "The proposed diff was not applied: the client cannot ask the user."
    try:
        exchange = await dialogue.elicit(
            f"{_question(checked.differences, workspace)}\n{worth}", Apply, purpose=PURPOSE
        )
    except DialogueError as error:
        return f"The proposed diff was not applied: {error}."
    if exchange.action != "accept":
        return "The proposed diff was not applied: the user did not want it."
    problem = await workspace.apply(checked)
    return f"The proposed diff was not applied: {problem}." if problem else "The proposed diff was applied."


def _too_much(differences: Sequence[Difference]) -> str:
    """Return why a person is not asked about so many files; a list of some of them would be no question."""
    if len(differences) > _MOST_FILES:
        return f"it changes {len(differences)} files"
    return "the names of its files are too long to ask about" if len(_listed(differences)) > _MOST_LETTERS else ""


def _question(differences: Sequence[Difference], workspace: Workspace) -> str:
    listed = _listed(differences)
    return f"Apply the audit's proposed diff in {one_line(str(workspace.root))}? It changes:\n{listed}"


def _listed(differences: Sequence[Difference]) -> str:
    return "\n".join(f"- {_told(difference)}" for difference in differences)


def _told(difference: Difference) -> str:
    name = _named(difference.path)
    if difference.is_rename:
        name = f"{_named(difference.old_path)} → {name}"
    what = ["new"] * (difference.before is None) + ["deleted"] * (difference.after is None)
    what += ["becomes executable"] * difference.becomes_executable
    what += ["is no longer executable"] * difference.is_no_longer_executable
    return f"{name} ({', '.join([*what, f'+{len(difference.added)} −{difference.removed}'])})"


def _named(path: str) -> str:
    """Return ``path``, between quotes where it might be taken for more than a name.

    Escapes stand for blanks that a screen might swallow, and for letters that it might draw elsewhere, or like others.
    """
    if _PLAIN.fullmatch(path):
        return path
    is_drawn_otherwise = unicodedata.normalize("NFC", path) != path
    is_drawn_otherwise |= any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in path)
    return _LOST_BLANK.sub(r"\\u0020", json.dumps(path, ensure_ascii=is_drawn_otherwise))
