"""The page behind ``?``: first the signs on this screen, then the keys that work here (screens.md, "Keys")."""

from seqthink.drawing.glyphs import Signs
from seqthink.drawing.spans import Role, Span, Spans


def signs_and_keys(signs: Signs) -> list[Spans]:
    """Return the page in lines of at most 44 cells."""
    # named by words, the arrow keys have no room
    arrows = {key: sign if len(sign) == 1 else "" for key, sign in signs.keys.items()}
    sign_rows = [
        (signs.thought, Role.ACCENT, "thought", signs.final, Role.GOOD, "final thought; done"),
        (signs.revision, Role.REVISION, "revision", f"{signs.revised_by}6", Role.REVISION, "revised by 6"),
        (f"5{signs.changed}6", Role.ESTIMATE, "estimate", "+?", Role.ESTIMATE, "more are needed"),
        (signs.expected, Role.MUTED, "expected", f"2{signs.times}", Role.WARN, "number taken again"),
        (signs.refused, Role.BAD, "refused; lost", signs.stub, Role.REVISION, "arrow not drawn"),
        (signs.stopped, Role.MUTED, "stopped", signs.missing, Role.MUTED, "numbers missing"),
    ]
    key_rows = [
        (f"{arrows['up']}{arrows['down']} j k".strip(), "move", "g G", "first, last"),
        (f"{arrows['left']}{arrows['right']} h l".strip(), "fold, unfold", "PgUp PgDn", "a page"),
        ("Enter", "read", "Esc q", "back, quit"),
        ("Space", "hold, follow", "f End", "newest"),
        ("r", "revised/by", "t", "timeline"),
        ("d", "diff", "m", "raw text"),
        ("/ n N", "search, hits", "&", "filter rows"),
        ("s", "sessions", ": Ctrl+P", "commands"),
        ("y", "copy", "o e", "editor"),
        ("Tab", "other pane", "?", "this page"),
    ]
    lines: list[Spans] = [[], [Span(" Signs", Role.ACCENT)]]
    for left, left_role, means, right, right_role, too in sign_rows:
        lines.append([Span(f" {left:<4}", left_role), Span(f"{means:<15}"), Span(f"{right:<4}", right_role), Span(too)])
    lines += [[], [Span(" Keys", Role.ACCENT)]]
    for left, means, right, too in key_rows:
        lines.append(
            [Span(f" {left:<7}", Role.ACCENT), Span(f"{means:<14}"), Span(f"{right:<10}", Role.ACCENT), Span(too)]
        )
    return [*lines, []]
