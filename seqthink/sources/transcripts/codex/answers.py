"""What the answer to a call says: whether it failed, and of a thinking tool its error or ``nextThoughtNeeded``."""

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from seqthink.sources.transcripts.facts import FileEdit
from seqthink.sources.transcripts.files.json_lines import decode_value
from seqthink.sources.transcripts.json_fields import Fields, as_fields, list_in, object_in, text_in, texts_in
from seqthink.sources.transcripts.tool_names import failure_line

MAX_ERROR_CHARS: Final = 2_000
_LOOKED_AT_CHARS: Final = 65_536
_EXIT: Final = re.compile(r"^(?:Process exited with code|Exit code:?) (-?\d+)", re.MULTILINE)
_REFUSED: Final = re.compile(r"\s*(?:MCP error|Error\b|error:|tool call (?:error|failed)|Script (?:error|failed))")
_BEFORE_OUTPUT: Final = re.compile(r"\A(?:Wall time:[^\n]*\n)?Output:\s*")
_ABORTED: Final = re.compile(r"(?:Wall time:[^\n]*\n)?aborted(?: by user(?: after [\d.]+s)?)?\s*\Z")
_FAILED: Final = ("Script failed", "Script error", "apply_patch verification failed")
"""How the output of a call begins that failed and has no exit code."""


class AnswerRecord(NamedTuple):
    """The end of a call."""

    is_error: bool
    error: str = ""
    answered_next: bool | None = None
    edits: Sequence[FileEdit] = ()


def mcp_answer(result: Fields, *, is_failed: bool = False, error: str = "") -> AnswerRecord:
    """Return what an MCP result says: ``content``, ``structuredContent``, ``isError``."""
    if is_failed or error or result.get("isError") is True or result.get("is_error") is True:
        return AnswerRecord(is_error=True, error=(error or "\n".join(texts_in(result, "content")))[:MAX_ERROR_CHARS])
    content = object_in(result, "structuredContent", "structured_content")
    return AnswerRecord(
        is_error=False, answered_next=_next_in(content or _object_in_text("\n".join(texts_in(result, "content"))))
    )


def mcp_event_answer(result: object) -> AnswerRecord:
    """Return what the result of an ``mcp_tool_call_end`` says: ``{"Ok": …}`` or ``{"Err": "…"}``."""
    fields = as_fields(result)
    if "Err" in fields:
        return AnswerRecord(is_error=True, error=(text_in(fields, "Err") or "the call failed")[:MAX_ERROR_CHARS])
    return mcp_answer(object_in(fields, "Ok") or fields)


def thinking_answer(output: object) -> AnswerRecord:
    """Return what the output of a thinking tool says, as the model got it: a text, or a list of texts."""
    text = _BEFORE_OUTPUT.sub("", _output_text(output)).strip()
    answer = _object_in_text(text)
    if "thoughtNumber" in answer or "nextThoughtNeeded" in answer:
        return AnswerRecord(is_error=False, answered_next=_next_in(answer))
    if answer.get("status") == "failed" or "error" in answer or _REFUSED.match(text) or _is_failure(output):
        return AnswerRecord(is_error=True, error=text[:MAX_ERROR_CHARS])
    return AnswerRecord(is_error=False)


def tool_answer(output: object) -> AnswerRecord:
    """Return whether the output of another tool says that it failed, and the first line of why."""
    text = _output_text(output)
    exit_code = _EXIT.search(text[:1_000])
    answer = _object_in_text(text)
    by_metadata = command_answer(object_in(answer, "metadata"), text_in(answer, "output"))
    if exit_code is None and by_metadata.is_error:
        return by_metadata
    failed = exit_code is not None and int(exit_code[1]) != 0
    if exit_code is not None:  # it may not be the first line
        text = f"{exit_code[0]}\n{text[: exit_code.start()]}{text[exit_code.end() :]}"
    is_error = failed or _is_failure(output) or bool(_ABORTED.match(text)) or text.startswith(_FAILED)
    return AnswerRecord(is_error=is_error, error=failure_line(text) if is_error else "")


def command_answer(fields: Fields, output: str, *, is_failed: bool = False) -> AnswerRecord:
    """Return the end of a command; ``fields`` may have its ``exit_code``, ``is_failed`` says that it failed anyway."""
    has_error_code = _exited_with_error(fields)
    if not has_error_code and not is_failed:
        return AnswerRecord(is_error=False)
    code = f"Exit code {fields['exit_code']}\n" if has_error_code else ""
    return AnswerRecord(is_error=True, error=failure_line(code + output[:_LOOKED_AT_CHARS]))


def _exited_with_error(fields: Fields) -> bool:
    """Return whether a command's ``exit_code`` says that it failed; also by a signal, which is below 0."""
    code = fields.get("exit_code")
    return isinstance(code, int | float) and code != 0


def _is_failure(output: object) -> bool:
    return as_fields(output).get("success") is False


def _output_text(output: object) -> str:
    if isinstance(output, str):
        return output[:_LOOKED_AT_CHARS]
    fields = as_fields(output)
    texts = texts_in({"list": output}, "list") or texts_in(fields, "content") or [text_in(fields, "content")]
    return "\n".join(texts)[:_LOOKED_AT_CHARS]


def _object_in_text(text: str) -> Fields:
    """Return the object that a text is, or that the first text of the list is that it is; else an empty one."""
    text = text.strip()
    if not text.startswith(("{", "[")):
        return {}
    value: Any = decode_value(text.encode("utf-8", "surrogatepass"))
    texts = texts_in({"list": value}, "list")
    return _object_in_text(texts[0]) if list_in({"list": value}, "list") and texts else as_fields(value)


def _next_in(answer: Fields) -> bool | None:
    needed = answer.get("nextThoughtNeeded")
    return needed if isinstance(needed, bool) else None
