"""The screen before the first call: how to connect an agent (docs/screens.md, "Waiting")."""

from collections.abc import Sequence
from typing import Final

from seqthink.drawing.text.cells import cut, pad, width
from seqthink.drawing.text.glyphs import Signs, arrow_keys
from seqthink.drawing.text.spans import Role, Span, Spans, spread
from seqthink.drawing.text.wrap import wrap


def welcome_lines(
    *,
    cells: int,
    rows: int,
    choices: Sequence[str],
    chosen: int,
    command: str,
    folder: str,
    places: Sequence[tuple[str, str]],
    newest_session: str,
    signs: Signs,
    status_message: str = "",
    left_out: str = "",
) -> list[Spans]:
    """Return at most ``rows`` lines of at most ``cells`` cells to show below the status line.

    Args:
        cells: width of the screen.
        rows: height below the status line.
        choices: what a command can connect.
        chosen: index of what the command that is shown connects.
        command: that command.
        folder: the watched folder.
        places: the other programs whose sessions are looked for, each with its folder.
        newest_session: the newest old session in words, or "".
        signs: the character set.
        status_message: the result of the last key, or "".
        left_out: what of the other programs' sessions cannot be read, or "".
    """
    keys = "{up}{down}".format(**arrow_keys(signs))
    indent = " " * max(1, min(4, cells - len(command)))
    body = [
        *_wrapped("No thoughts yet. The first one shows up here by itself; nothing to press.", cells, Role.TEXT),
        [],
        [Span(" 1  ", Role.ACCENT), Span("Connect your agents, once:")],
        [],
        *([Span(indent), Span(line, Role.GOOD)] for line in wrap(command, cells - len(indent))),
        [],
        *_others(choices, chosen, keys, cells),
        [],
        [Span(" 2  ", Role.ACCENT), Span("Restart them and ask, for example:")],
        *([Span("    "), Span(line, Role.GOOD)] for line in wrap(_EXAMPLE, cells - 5)),
        *_place_lines(places, cells, signs),
    ]
    foot = [
        *(_wrapped(left_out, cells, Role.WARN)[:_MAX_LEFT_OUT_LINES] if left_out else []),
        [
            Span(
                " Enter play the demo   y copy   q quit" if cells > _DEMO_CELLS else " Enter demo  y copy  q quit",
                Role.MUTED,
            )
        ],
        _newest_session_line(newest_session, cells, signs) if newest_session else [],
        [Span(f" {status_message}", Role.GOOD)] if status_message else [],
        spread([Span(" " + cut(folder, cells - 10, signs.ellipsis), Role.MUTED)], [Span("? keys ", Role.MUTED)], cells),
    ]
    if len([line for line in body if line]) + len([line for line in foot if line]) > rows + _MAX_LINES_CUT:
        body = _brief(command, cells)
    return _stacked(body, foot, rows)


def _brief(command: str, cells: int) -> list[Spans]:
    """Return what to do, for a screen that has no room for more."""
    return [
        *_wrapped("No thoughts yet.", cells, Role.TEXT),
        [Span(" 1  ", Role.ACCENT), Span("Connect your agents:")],
        *([Span("    "), Span(line, Role.GOOD)] for line in wrap(command, cells - 4)),
        [Span(" 2  ", Role.ACCENT), Span("Restart them and ask.")],
    ]


def _newest_session_line(last: str, cells: int, signs: Signs) -> Spans:
    keys = [Span("   s", Role.ACCENT), Span(" sessions", Role.MUTED)]
    return [Span(cut(f" Last: {last}", cells - 13, signs.ellipsis), Role.MUTED), *keys]


def _place_lines(places: Sequence[tuple[str, str]], cells: int, signs: Signs) -> list[Spans]:
    """Return whose sessions show up without being connected."""
    if not places:
        return []
    longest = max(width(label) for label, _ in places)
    whole = " Also looked for, with nothing to connect:"
    lines: list[Spans] = [[], [Span(whole if width(whole) <= cells else " Also looked for:")]]
    for label, folder in places:
        room = cells - 4 - longest - 2
        shown = [Span("    "), Span(pad(label, longest + 2)), Span(cut(folder, room, signs.ellipsis), Role.MUTED)]
        lines.append(shown if room >= MIN_FOLDER_CELLS else shown[:2])
    return lines


_MAX_LEFT_OUT_LINES: Final = 6
_DEMO_CELLS = 38
"""Cells of a screen up to which the keys are named in fewer words."""
_MAX_LINES_CUT = 3
"""Lines at the end of the text that may be cut before it is said in fewer."""
MIN_FOLDER_CELLS = 12
"""A folder that would get fewer cells is left out."""
_EXAMPLE = '"Use sequential thinking: why is our CI slow?"'


def _others(choices: Sequence[str], chosen: int, keys: str, cells: int) -> list[Spans]:
    """Return the other choices, in the same number of lines whichever is chosen, so that nothing jumps."""
    wrapped = [_client_list(choices, index, keys, cells) for index in range(len(choices))]
    most = max(map(len, wrapped))
    return [*wrapped[chosen], *([[]] * (most - len(wrapped[chosen])))]


def _client_list(choices: Sequence[str], chosen: int, keys: str, cells: int) -> list[Spans]:
    head = "or: " if chosen else "or one: "
    others = " ".join(name for index, name in enumerate(choices) if index != chosen)
    room = cells - 4 - len(head)
    if room < max(map(len, choices)):
        lines = [head, *wrap(f"{others} {keys}", cells - 2)]
        return [[Span(" "), Span(line, Role.MUTED)] for line in lines]
    lines = list(wrap(f"{others} {keys}", room))
    heads = [head, *[" " * len(head)] * len(lines)]
    return [[Span("    "), Span(before + line, Role.MUTED)] for before, line in zip(heads, lines, strict=False)]


def _wrapped(text: str, cells: int, role: Role) -> list[Spans]:
    return [[Span(" "), Span(line, role)] for line in wrap(text, cells - 3)]


def _stacked(body: list[Spans], foot: list[Spans], rows: int) -> list[Spans]:
    """Return the body at the top and the foot at the bottom; blank lines are dropped first if they do not fit."""
    if len(body) + len(foot) > rows:
        foot = [line for line in foot if line]
    room = rows - len(foot) - 1
    if len(body) + 1 <= room:
        body = [[], *body]
    while len(body) > room and [] in body:
        body.remove([])
    body = body[: max(0, room)]
    blank = rows - len(body) - len(foot)
    return [*body, *([[]] * max(0, blank)), *foot][:rows]
