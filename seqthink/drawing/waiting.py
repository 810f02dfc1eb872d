"""The screen while nobody has called yet: it teaches how to connect an agent (screens.md, (g))."""

from collections.abc import Sequence

from msgspec import Struct

from seqthink.drawing.cells import cut
from seqthink.drawing.glyphs import Signs
from seqthink.drawing.spans import Role, Span, Spans, spread
from seqthink.drawing.wrap import wrap


class Connection(Struct, frozen=True):
    """How one client is told of the server, by one command."""

    client: str
    command: str


CONNECTIONS = (
    Connection("claude-code", "claude mcp add seqthink -- seqthink serve"),
    Connection("codex", "codex mcp add seqthink -- seqthink serve"),
    Connection("gemini-cli", "gemini mcp add seqthink seqthink serve"),
    Connection("vscode", """code --add-mcp '{"name":"seqthink","command":"seqthink","args":["serve"]}'"""),
)
"""The clients that take a server by one command; the README has the files of the others."""


def waiting_lines(
    *, cells: int, rows: int, chosen: int, folder: str, last: str, signs: Signs, said: str = ""
) -> list[Spans]:
    """Return the lines under the state line: at most ``rows`` of them, each of at most ``cells`` cells.

    ``chosen`` is the client whose command is shown, ``folder`` the one that is watched, ``last`` the newest old session
    in words, and ``said`` what the last key did.
    """
    connection = CONNECTIONS[chosen]
    others = [one.client for one in CONNECTIONS if one is not connection]
    keys = f"{signs.keys['up']}{signs.keys['down']}"
    indent = " " * max(1, min(4, cells - len(connection.command)))
    body = [
        *_said("No thoughts yet. The first one shows up here by itself; nothing to press.", cells, Role.TEXT),
        [],
        [Span(" 1  ", Role.ACCENT), Span("Connect your agent, once:")],
        [],
        *([Span(indent), Span(line, Role.GOOD)] for line in wrap(connection.command, cells - len(indent))),
        [],
        *([Span("    "), Span(line, Role.MUTED)] for line in wrap(_or(others, keys), cells - 5)),
        [],
        [Span(" 2  ", Role.ACCENT), Span("Restart it and ask, for example:")],
        *([Span("    "), Span(line, Role.GOOD)] for line in wrap(_EXAMPLE, cells - 5)),
    ]
    foot = [
        [Span(said or " Enter play the demo   y copy   q quit", _role(said))],
        _last(last, cells, signs) if last else [],
        [],
        spread([Span(" " + cut(folder, cells - 10, signs.cut), Role.MUTED)], [Span("? keys ", Role.MUTED)], cells),
    ]
    return _stacked(body, foot, rows)


def _last(last: str, cells: int, signs: Signs) -> Spans:
    keys = [Span("   s", Role.ACCENT), Span(" sessions", Role.MUTED)]
    return [Span(cut(f" Last: {last}", cells - 13, signs.cut), Role.MUTED), *keys]


_EXAMPLE = '"Use sequential thinking: why is our CI slow?"'


def _or(others: Sequence[str], keys: str) -> str:
    return f"or ({keys}): {' '.join(others)}; more in the README"


def _said(text: str, cells: int, role: Role) -> list[Spans]:
    return [[Span(" "), Span(line, role)] for line in wrap(text, cells - 3)]


def _role(said: str) -> Role:
    return Role.GOOD if said else Role.MUTED


def _stacked(body: list[Spans], foot: list[Spans], rows: int) -> list[Spans]:
    """Return the body at the top and the foot at the bottom; where they do not fit, blank lines go first."""
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
