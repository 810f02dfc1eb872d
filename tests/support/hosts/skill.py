"""The skill `think` of the plugin: the server's own prompt of that name, in the form in which hosts read skills."""

from typing import Final

from seqthink.server.prompts.thinking_prompts import PROMPTS

_DESCRIPTION: Final = (
    "Think a hard problem through with the sequentialthinking tool, one call for each thought, with branches and "
    "revisions, and reach an answer that has been checked. Use it when the user asks to think something through "
    "step by step, or when a question has several answers that each seem right."
)
# Claude Code puts what the user typed behind the text of a skill that has no place for it, other hosts into their own
# message: so the text has none, and says where to look.
_PROBLEM: Final = "The problem is what the user gives with this skill; if that is nothing, what the user asked last."


def think_skill() -> str:
    """Return the skill's file: the head that hosts list, then what the model reads when the skill is used."""
    head = f'---\nname: think\ndescription: {_DESCRIPTION}\nargument-hint: "[problem]"\n---\n'
    return f"{head}\n{PROMPTS['think'].instructions()}\n\n{_PROBLEM}\n"
