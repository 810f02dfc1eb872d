"""The help page (``?``): first the signs on this screen, then the keys (docs/screens.md, "Keys")."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from seqthink.drawing.text.glyphs import DOWN, LEFT, RIGHT, UP, Signs
from seqthink.drawing.text.spans import Role, Span, Spans


class _Sign(NamedTuple):
    """One sign of the legend."""

    pattern: str
    """Regular expression that finds the sign in a screen's text."""
    sign: str
    """The sign as the legend shows it."""
    role: Role
    """The colour of the sign."""
    meaning: str
    """Its meaning, at most 16 characters."""

    def spans(self) -> Spans:
        return [Span(f" {self.sign:<4}", self.role), Span(f"{self.meaning:<16}"[:16])]


def _all_signs(signs: Signs) -> list[_Sign]:
    fork, arrow = signs.box_line(UP | DOWN | RIGHT), signs.box_line(DOWN | RIGHT)
    line, esc = signs.box_line(LEFT | RIGHT), re.escape
    return [
        _Sign(f"{esc(signs.thought)} +\\d", signs.thought, Role.ACCENT, "thought"),
        _Sign(f"{esc(signs.final)} +\\d", signs.final, Role.GOOD, "final; done"),
        _Sign(f"{esc(signs.revision)} +\\d", signs.revision, Role.REVISION, "revision"),
        _Sign(f"{esc(signs.prompt)} ", signs.prompt, Role.ACCENT, "prompt"),
        _Sign(f"{esc(signs.reasoning)} ", signs.reasoning, Role.MUTED, "native reasoning"),
        _Sign(f"{esc(signs.changed)} \\D", signs.changed, Role.MUTED, "what was done"),
        _Sign(f"{esc(signs.revised_by)}(\\d| by)", f"{signs.revised_by}6", Role.REVISION, "revised by 6"),
        _Sign(
            esc(arrow + line) + "*" + esc(signs.arrow_head),
            arrow + line + signs.arrow_head,
            Role.REVISION,
            "revised thought",
        ),
        _Sign(esc(signs.arrow_stub), signs.arrow_stub, Role.REVISION, "arrow not drawn"),
        _Sign(esc(fork + line), fork + line, Role.LINE, "branch opens"),
        _Sign(f"\\d{esc(signs.changed)}\\d", f"5{signs.changed}6", Role.ESTIMATE, "estimate changed"),
        _Sign("\\+\\?", "+?", Role.ESTIMATE, "more needed"),
        _Sign(f"{esc(signs.expected)} ", signs.expected, Role.MUTED, "expected; quiet"),
        _Sign(f"[{signs.final}{signs.revise}{signs.refused}]\\d", f"{signs.final}92", Role.GOOD, "audit score"),
        _Sign(f"\\d{esc(signs.times)}", f"2{signs.times}", Role.WARN, "repeated number"),
        _Sign(f"{esc(signs.refused)} ", signs.refused, Role.BAD, "refused; lost"),
        _Sign(esc(signs.missing[:2]), signs.missing, Role.MUTED, "numbers missing"),
        _Sign(f"{esc(signs.stopped)} ", signs.stopped, Role.MUTED, "stopped"),
        _Sign(f"{esc(signs.note)}( |$)", signs.note, Role.NOTE, "your note"),
        _Sign(f" {esc(signs.context)}( |$)", signs.context, Role.NOTE, "context item"),
    ]


def help_lines(signs: Signs, keys: Sequence[tuple[str, str]], screen: str | None = None) -> list[Spans]:
    """Return the page in lines of at most 44 cells: the signs found in ``screen`` (None: all signs), then the keys.

    ``keys`` has the names and the meaning of the keys, for two entries in a line.
    """
    shown = [sign for sign in _all_signs(signs) if screen is None or re.search(sign.pattern, screen, re.MULTILINE)]
    half = (len(shown) + 1) // 2
    lines: list[Spans] = [[Span(" Signs", Role.ACCENT)]] if shown else []
    lines += [[span for sign in shown[number::half] for span in sign.spans()] for number in range(half)]
    lines += [*([[]] if shown else []), [Span(" Keys", Role.ACCENT)]]
    for (key, meaning), (other_key, other_meaning) in zip(keys[::2], keys[1::2], strict=True):
        lines.append(
            [
                Span(f" {key:<7}", Role.ACCENT),
                Span(f"{meaning:<14}"),
                Span(f"{other_key:<10}", Role.ACCENT),
                Span(other_meaning),
            ]
        )
    return lines
