"""Which calls in a transcript are thoughts, and what is kept of the others.

Clients write the tool of an MCP server with the server's name: ``mcp__seq__sequentialthinking`` (Claude Code, Codex),
``mcp_seq_sequentialthinking`` (Gemini CLI), ``seq_sequentialthinking`` (OpenCode, older Codex),
``seq-sequentialthinking`` (Copilot CLI).
"""

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from seqthink.sources.transcripts.edits.recorded import command_of, edits_asked, folder_of
from seqthink.sources.transcripts.facts import ToolCall
from seqthink.sources.transcripts.files.json_lines import decode_object

THINKING_TOOLS: Final = ("sequentialthinking", "sequential_thinking")
"""The names of the thinking tool, whichever server offers it."""
MAX_SUMMARY_CHARS: Final = 200
MAX_QUESTION_CHARS: Final = 2000
QUESTION_TOOLS: Final = frozenset(
    {"AskUserQuestion", "request_user_input", "ask_user", "question", "ask_user_question", "ask_question"}
)
"""Tools with which clients ask their user: with a list of questions, Cline with one, Copilot with a message."""
_MAX_TOOL_CHARS: Final = 80
_MAX_FAILURE_CHARS: Final = 4000
"""How much of the answer to a call that failed is looked at."""
_FAILURE_MARK: Final = re.compile(r"</?\w+>|^(?:Error: *)+")
_EXIT_STATUS: Final = re.compile(r"(?:Process exited with code|Exit code:?) (-?\d+)\Z")
_ABOUT_OUTPUT: Final = re.compile(
    r"(?:Chunk ID|Wall time|Original token count|Total output lines|Output|Script failed)\b:?[^:]*\Z"
)
_SEALED: Final = re.compile(r"\s*gAAAAA[\w-]*=*\s*\Z")
"""A Fernet token: version 0x80, and a time whose upper bytes are 0."""
_SUMMARY_KEYS: Final = (
    "file_path",
    "filePath",
    "absolute_path",
    "path",
    "notebook_path",
    "dir_path",
    "command",
    "cmd",
    "pattern",
    "query",
    "url",
    "description",
    "skill",
    "prompt",
)


def own_tool_name(name: str) -> str:
    """Return the name of a tool without that of its server, as far as the name alone shows where it begins."""
    plain = name.casefold()
    for thinking in THINKING_TOOLS:
        if plain == thinking or plain.endswith(tuple(f"{mark}{thinking}" for mark in "_-./:")):
            return thinking
    if name.startswith("mcp__"):
        name = name.split("__", 2)[-1]
    return name[:_MAX_TOOL_CHARS]


def is_thinking_tool(name: str) -> bool:
    """Return whether this is the thinking tool: the result of `own_tool_name`, or the tool's name itself."""
    return name in THINKING_TOOLS


def question_of(tool: str, arguments: object) -> str:
    """Return what a call asks the user; empty if it is not a question."""
    if tool not in QUESTION_TOOLS or not isinstance(arguments, Mapping):
        return ""
    named = cast("Mapping[str, Any]", arguments)
    asked = named.get("questions", [named])
    texts = (
        [named.get("message")]
        if "message" in named
        else [
            cast("Mapping[str, Any]", one).get("question")
            for one in (cast("list[Any]", asked) if isinstance(asked, list) else [])
            if isinstance(one, Mapping)
        ]
    )
    return "\n".join(text.strip() for text in texts if isinstance(text, str))[:MAX_QUESTION_CHARS]


def tool_call(
    identifier: str,
    client_id: str,
    tool: str,
    arguments: object,
    *,
    time: int,
    agent: str | None,
    shown: object = None,
) -> ToolCall:
    """Return a call with what is kept of it: the arguments of a thinking tool, of any other one line and its edits.

    Args:
        identifier: the call's id, which no other call of the session has.
        client_id: the client's id of it; empty if it has none.
        tool: its tool, as `own_tool_name` gives it.
        arguments: what it was called with.
        time: when, in microseconds since 1970.
        agent: who made it; None for the main agent.
        shown: what the line is made of, if that is not the arguments.
    """
    is_thinking = is_thinking_tool(tool)
    return ToolCall(
        id=identifier,
        client_id=client_id if client_id and client_id != identifier else None,
        time=time,
        agent=agent,
        tool=tool,
        arguments=arguments if is_thinking else None,
        summary="" if is_thinking else call_summary(arguments if shown is None else shown),
        question=question_of(tool, arguments),
        edits=edits_asked(tool, arguments),
        command=command_of(tool, arguments),
        cwd=folder_of(tool, arguments),
    )


def next_in_answer(text: str) -> bool | None:
    """Return ``nextThoughtNeeded`` in an answer of the thinking tool, if it can be read."""
    needed = (decode_object(text.encode("utf-8", "replace")) or {}).get("nextThoughtNeeded")
    return needed if isinstance(needed, bool) else None


def call_summary(arguments: object) -> str:
    """Return in one line what a tool was called with: the value of the argument that says most, cut to 200 characters.

    Values that are not text are left out; a command given as a list is joined.
    """
    if isinstance(arguments, str):
        return _one_line(arguments)
    if not isinstance(arguments, Mapping):
        return ""
    named = cast("Mapping[str, Any]", arguments)
    for key in _SUMMARY_KEYS:
        value = named.get(key)
        if isinstance(value, str):
            value = unsealed(value)
        if isinstance(value, list):
            value = " ".join(part for part in cast("list[Any]", value) if isinstance(part, str))
        if isinstance(value, str) and value.strip():
            return _one_line(value)
    return ""


def failure_line(text: str) -> str:
    """Return the first line of why a call failed, in at most 200 characters.

    An exit status alone says little: the first line of the output follows it.
    """
    lines = [_one_line(_FAILURE_MARK.sub("", line.strip())) for line in text[:_MAX_FAILURE_CHARS].splitlines()]
    lines = [line for line in lines if line and not _ABOUT_OUTPUT.match(line)]
    status = _EXIT_STATUS.match(lines[0]) if lines else None
    if status is None:
        return lines[0] if lines else ""
    return ": ".join([f"exit code {status[1]}", *lines[1:2]])[:MAX_SUMMARY_CHARS]


def unsealed(text: str) -> str:
    """Return the text, or nothing if it is ciphertext (Codex seals what agents write to each other)."""
    return "" if _SEALED.match(text) else text


def _one_line(text: str) -> str:
    return " ".join(text[: 4 * MAX_SUMMARY_CHARS].split())[:MAX_SUMMARY_CHARS]
