"""Finds code without a fence: programs of several lines, and statements or commands alone on a line. Pure.

Two rules find it, and each finds what the other misses:

- A *program* is a run of lines most of them with signs of code; indented and blank lines may lie between them.
- A *standing* run of lines is a paragraph, or the part of one after a line that ends with a colon. Each of its lines
  must be code, or belong to code. One line with a strong sign is enough, or two with weak ones; a run that prose
  follows without a blank line needs more.
"""

from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import Final

from seqthink.audit.code.data_formats import is_data
from seqthink.audit.code.heuristics import (
    CODE_KINDS,
    INDENTED,
    OPEN,
    PROSE,
    is_code,
    is_output_line,
    is_program_output,
    is_talk_line,
    line_kind,
)
from seqthink.audit.code.statements import NO_SIGN, Sign, is_closer, is_remark, sign_of

MAX_STANDING_LINES: Final = 5_000
"""Lines in which standing runs are looked for; programs are found below them, too."""
_MIN_WEIGHT: Final = 2
"""The weight that makes lines code where nothing surrounds them."""
_MIN_WEIGHT_AMID_PROSE: Final = 3


def unfenced_regions(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return start and end (exclusive) of each piece of code in ``lines``, in their order; none overlap."""
    regions = [(start, end) for start, end in _program_regions(lines) if _is_program(_dedented(lines[start:end]))]
    standing = list(_standing_regions(lines))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(regions + standing):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def is_code_in_fence(text: str) -> bool:
    """Return whether ``text``, from a fence without a name, is code: fewer signs are enough there."""
    lines = [line for line in text.split("\n") if line.strip()]
    if any(is_output_line(line) for line in lines):
        return False
    return is_code(text, is_fenced=True) or is_data(text) or is_statement_list(lines, 1)


def is_statement_list(lines: Sequence[str], min_weight: int = _MIN_WEIGHT) -> bool:
    """Return whether each of ``lines``, none blank, is code or belongs to code, and they weigh ``min_weight``."""
    signs = [_sign_in_run(line) for line in lines]
    if any(sign is None for sign in signs):
        return False
    known = [sign for sign in signs if sign is not None]
    unclear = sum(
        sign.weight == 0 and not (is_closer(line) or is_remark(line)) for line, sign in zip(lines, known, strict=True)
    )
    named = {line.strip() for line, sign in zip(lines, known, strict=True) if sign.weight and line.endswith("()")}
    total = sum(sign.weight for sign in known) - max(0, len(named) - 1)
    return total >= min_weight and unclear * 2 <= len(lines)


def _dedented(lines: Sequence[str]) -> str:
    return dedent("".join(f"{line}\n" for line in lines))


def _is_program(text: str) -> bool:
    return not is_program_output(text) and is_code(text, is_fenced=False)


def _program_regions(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield each run of lines that may be a program."""
    start, end, was_blank = -1, 0, False
    for number, line in enumerate(lines):
        kind = line_kind(line)
        if kind in CODE_KINDS:
            start, end = (number if start < 0 else start), number + 1
        elif start >= 0 and (kind == INDENTED or (kind == OPEN and lines[start].startswith("#!"))):
            end = number + 1
        elif start >= 0 and (kind == PROSE or (kind == OPEN and was_blank)):
            yield start, end
            start = -1
        was_blank = not line.strip()
    if start >= 0:
        yield start, end


def _standing_regions(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield each standing run that is code."""
    for start, end in _paragraphs(lines[:MAX_STANDING_LINES]):
        paragraph = lines[start:end]
        if any(is_output_line(line) for line in paragraph):
            continue
        if is_data(_dedented(paragraph)):
            yield start, end
            continue
        for first, last in _runs(paragraph):
            if _is_standing_code(lines, start, end, (start + first, start + last)):
                yield start + first, start + last


def _is_standing_code(lines: Sequence[str], start: int, end: int, run: tuple[int, int]) -> bool:
    """Return whether ``run``, a part of the paragraph from ``start`` to ``end``, is code."""
    first, last = run
    above = lines[first - 1] if first > start else next((line for line in lines[max(0, first - 2) : first] if line), "")
    is_announced = above.rstrip().endswith(":")
    is_alone = last == end and (first == start or is_announced)
    content = lines[first:last]
    if is_data(_dedented(content)):
        return is_alone
    is_set_off = is_announced and content[0].startswith(("  ", "\t")) and (above != "" and not above[0].isspace())
    if is_statement_list(content, _MIN_WEIGHT if is_alone or is_set_off else _MIN_WEIGHT_AMID_PROSE):
        return True
    return is_alone and is_announced and is_statement_list(content, 1) and not content[0].rstrip().endswith("()")


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = -1
    for number, line in enumerate(lines):
        if line.strip():
            start = number if start < 0 else start
        elif start >= 0:
            yield start, number
            start = -1
    if start >= 0:
        yield start, len(lines)


def _runs(paragraph: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield each run of lines that are not prose."""
    start = -1
    for number, line in enumerate(paragraph):
        if _sign_in_run(line) is None:
            if start >= 0:
                yield start, number
            start = -1
        elif start < 0:
            start = number
    if start >= 0:
        yield start, len(paragraph)


def _sign_in_run(line: str) -> Sign | None:
    """Return the sign of ``line``; None: it is prose, a list item or the like."""
    if is_talk_line(line):
        return None
    if is_closer(line) or is_remark(line):
        return NO_SIGN
    sign = sign_of(line)
    return sign if sign.weight or not (sign.is_sentence or line.rstrip()[-1] in ".!?:") else None
