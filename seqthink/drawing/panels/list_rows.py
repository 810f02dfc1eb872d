"""The list of sessions: headings, rows, preview (docs/screens.md, "Sessions"); and rows of the palette's commands."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from msgspec import Struct

from seqthink.chain.attention import Attention
from seqthink.chain.overview.session_groups import ListGroup, RepositoryGroup
from seqthink.chain.overview.states import SessionGroup, ShownState
from seqthink.chain.query import Query
from seqthink.chain.state import STALE_SECONDS
from seqthink.core.text import first_line, one_line, plain_line
from seqthink.drawing.describe import units
from seqthink.drawing.describe.context_use import use_spans
from seqthink.drawing.describe.session import ListedSession, repository_words
from seqthink.drawing.describe.status import breakdown, counts_spans, standing_status, standing_words
from seqthink.drawing.rows.highlight import has_match, highlight
from seqthink.drawing.rows.sparkline import MAX_SPARKLINE_CELLS
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.text.rules import rule
from seqthink.drawing.text.spans import BOLD, Role, Span, Spans, clip, fitted_ends, spans_width, spread
from seqthink.drawing.text.wrap import wrap

MIN_STATE_CELLS, MAX_STATE_CELLS = 15, 24
MIN_NAME_CELLS, MAX_CLIENT_CELLS, MAX_PROGRESS_CELLS, MIN_COUNT_CELLS = 12, 16, 13, 4
MAX_HOST_CELLS = 16
MIN_REPOSITORY_CELLS, MAX_REPOSITORY_CELLS = 10, 28
"""Widths of columns."""
MIN_TITLE_CELLS = 16
"""Cells that the title gets before the client is shown."""
MIN_HOST_CELLS, MIN_HOST_TITLE_CELLS = 7, 12
"""Cells that the host gets before the title has its own, and cells that the title gets before the rest of the host."""
MIN_BOTH_CELLS = 46
"""Cells from which on the newest thought is beside the first; the client comes after that."""
MIN_CELLS_BESIDE_CONTEXT = 40
"""Cells that names and texts get before it is shown how full contexts are."""
NARROW_NAME_CELLS = 16
"""Cells of a name that narrow rows leave room for before they show the shape."""
MAX_COUNTED = 999
"""The largest number of new thoughts that is shown."""
MAX_ROW_LINES = 3
"""Lines of a row where there is room."""
_CHARS_PER_CELL = 4
"""Characters that may share a cell."""
_KEYS = {
    "Enter": "open",
    "!": "next",
    "&": "filter",
    "r": "by repo",
    "N": "name",
    "T": "tag",
    "p": "pin",
    "x": "export",
    "y": "copy id",
    "Esc": "back",
}
_KEYS_THAT_GIVE_WAY = ("p", "T", "N", "y", "x", "r", "&", "!", "Esc", "Enter")
GROUP_ROLES = {
    SessionGroup.NEEDS_YOU: Role.WARN,
    SessionGroup.GOING_ON: Role.ACCENT,
    SessionGroup.UNREAD: Role.TEXT,
    SessionGroup.EARLIER: Role.MUTED,
}


class ListLayout(Struct, frozen=True, kw_only=True):
    """The columns of a list in cells; 0 for one that is not shown."""

    state: int
    name: int
    host: int = 0
    repository: int = 0
    client: int = 0
    first: int = 0
    newest: int = 0
    progress: int = 0
    context: int = 0
    shape: int = 0
    count: int = 0


class ListClock(Struct, frozen=True, kw_only=True):
    """What ages are counted from."""

    now: int
    """Microseconds since 1970."""
    stale_seconds: int = STALE_SECONDS
    """Seconds without a thought after which a thinking session counts as quiet."""


# The columns


def list_layout(
    groups: Sequence[tuple[ListGroup, Sequence[ListedSession]]], cells: int, clock: ListClock, signs: Signs = UNICODE
) -> dict[ListGroup, ListLayout]:
    """Return the columns of each group; names take what they need, as far as there is room.

    Wide rows have the same columns in all groups. A narrow group of sessions that need the user has room for their
    reasons.
    """
    urgent = [listed for group, inside in groups if group is SessionGroup.NEEDS_YOU for listed in inside]
    others = [listed for group, inside in groups if group is not SessionGroup.NEEDS_YOU for listed in inside]
    if cells >= NARROW_BELOW_CELLS:
        return dict.fromkeys((group for group, _ in groups), _wide_layout(urgent, others, cells, clock, signs))
    narrow = _narrow_layout(others, cells, clock, signs)
    layouts = dict.fromkeys((group for group, _ in groups), narrow)
    if urgent:
        layouts[SessionGroup.NEEDS_YOU] = _narrow_layout(urgent, cells, clock, signs)
    return layouts


def _narrow_layout(inside: Sequence[ListedSession], cells: int, clock: ListClock, signs: Signs) -> ListLayout:
    states = max((width(_state(listed, clock, signs, is_brief=True).text) for listed in inside), default=0)
    names = max((_bounded_width(shown_name(listed, signs), cells) for listed in inside), default=0)
    state = min(states + 1, max(cells // 2, cells - 2 - names))  # cells that no name needs are the states'
    room = cells - 2 - state
    shape = MAX_SPARKLINE_CELLS
    if any(listed.host for listed in inside):  # a fleet's lists do not know it, only what is new
        shape = max((len(_count(listed, 0).text) for listed in inside if listed.has_unread), default=0)
    shape = shape if room - shape - 2 >= NARROW_NAME_CELLS else 0
    return ListLayout(state=state, name=room - (shape and shape + 2), shape=shape)


def _wide_layout(
    urgent: Sequence[ListedSession], others: Sequence[ListedSession], cells: int, clock: ListClock, signs: Signs
) -> ListLayout:
    names = hosts = repositories = clients = progress = contexts = counts = 0
    for listed in (*urgent, *others):
        names = max(names, _bounded_width(shown_name(listed, signs), cells))
        hosts = max(hosts, _bounded_width(listed.host, MAX_HOST_CELLS))
        repositories = max(repositories, _bounded_width(repository_words(listed), MAX_REPOSITORY_CELLS))
        clients = max(clients, _bounded_width(listed.client, MAX_CLIENT_CELLS))
        progress = max(progress, len(listed.progress))
        contexts = max(contexts, len(_context(listed).text))
        counts = max(counts, len(_count(listed, 0).text))
    reasons = max((width(_state(listed, clock, signs).text) for listed in urgent), default=0)
    state = max(MIN_STATE_CELLS, min(reasons, MAX_STATE_CELLS)) + 2
    progress, counts = min(progress, MAX_PROGRESS_CELLS), max(counts, MIN_COUNT_CELLS)
    shape = 0 if hosts else MAX_SPARKLINE_CELLS  # a fleet's lists do not know it
    fixed = 2 + state + 2 + (progress and progress + 2) + (shape and shape + 2) + 2 + counts + 1
    room = max(0, cells - fixed)
    context = contexts if room - contexts - 2 >= MIN_CELLS_BESIDE_CONTEXT else 0
    room -= context and context + 2
    host = min(hosts, max(MIN_HOST_CELLS, room - 2 - MIN_NAME_CELLS - MIN_HOST_TITLE_CELLS))
    host = host if room - host - 2 >= MIN_NAME_CELLS else 0
    room -= host and host + 2
    repository = min(repositories, max(MIN_REPOSITORY_CELLS, room // 4))
    repository = repository if room - repository - 2 >= MIN_NAME_CELLS + MIN_TITLE_CELLS + 2 else 0
    room -= repository and repository + 2
    name = min(names, max(MIN_NAME_CELLS, room * 2 // 5))
    client, first, newest = _texts(room - name, clients)
    return ListLayout(
        state=state,
        name=name,
        host=host,
        repository=repository,
        client=client,
        first=first,
        newest=newest,
        progress=progress,
        context=context,
        shape=shape,
        count=counts,
    )


def _texts(room: int, clients: int) -> tuple[int, int, int]:
    """Return the columns of client, first and newest thought for ``room`` cells with their gaps."""
    has_client = room - clients - 2 >= (MIN_BOTH_CELLS if room >= MIN_BOTH_CELLS else MIN_TITLE_CELLS)
    client = clients if clients and has_client else 0
    room -= client and client + 2
    if room < MIN_BOTH_CELLS:
        return client, max(0, room), 0
    first = (room - 2) * 2 // 5
    return client, first, room - 2 - first


def _bounded_width(text: str, most: int) -> int:
    """Return the width of a text, at most ``most``; a long one is not measured to its end."""
    return min(most, width(text[: most + 1]))


# Rows


def shown_name(listed: ListedSession, signs: Signs) -> str:
    """Return what a row calls a session: a sign if it is pinned, its name, its tags."""
    if not (listed.labels.is_pinned or listed.labels.tags):
        return listed.name
    pin = [signs.marked] if listed.labels.is_pinned else []
    return " ".join([*pin, listed.name, *(f"#{tag}" for tag in listed.labels.tags)])


def session_list_heading(
    total: int | None,
    states: Iterable[ShownState],
    cells: int,
    *,
    right: Spans,
    is_typed: bool = False,
    signs: Signs = UNICODE,
) -> Spans:
    """Return the first line: how many sessions there are, how many in each of the ``states``, and ``right``.

    ``total`` is None as long as not all of them are listed. What is at the right goes first where there is no room, but
    if it ``is_typed``, the counts do.
    """
    text = units.count(total, "session") if total else f"listing{signs.ellipsis}" if total is None else "none yet"
    left = [Span(" Sessions", Role.ACCENT, BOLD), Span(f"   {text.removesuffix(' sessions')}  ")]
    left += counts_spans(states, signs)
    return fitted_ends([left, left[:2], []] if is_typed else [left], [[*right, Span(" ")], []], cells)


def group_role(group: ListGroup) -> Role:
    """Return the role of a group's heading."""
    return GROUP_ROLES[group] if isinstance(group, SessionGroup) else Role.TEXT


def group_heading(
    group: ListGroup, count: int, cells: int, signs: Signs = UNICODE, *, states: Iterable[ShownState] = ()
) -> Spans:
    """Return the line above a group: how many sessions it has and, where there is room, in which ``states``.

    A repository's has its address, if that says more than its name.
    """
    is_repository = isinstance(group, RepositoryGroup)
    title = cut(group.value, max(1, cells // 2), signs.ellipsis)
    left = [
        Span(f"{signs.rule * 2} ", Role.LINE),
        Span(title, group_role(group), BOLD),
        Span(f" {count:,}", Role.MUTED),
    ]
    if is_repository and group.address != group.name and spans_width(left) + width(group.address) + 4 < cells:
        left.append(Span(f"  {group.address}", Role.MUTED))
    held = [span for part in breakdown(states) for span in (Span(f" {signs.separator} ", Role.MUTED), part)]
    fitting = [*left, *held] if spans_width([*left, *held]) < cells else left
    return clip(rule(fitting, "", cells, signs), cells)


def lines_needed(listed: ListedSession, layout: ListLayout, signs: Signs = UNICODE) -> int:
    """Return how many lines a row needs for all of its texts, at most `MAX_ROW_LINES`; a narrow one has one line."""
    if not layout.count:
        return 1
    texts = _wrapped_texts(listed, layout, MAX_ROW_LINES, signs)
    return max(1, sum(any(cell.text.strip() for cell in line) for line in texts))


def session_row(
    listed: ListedSession,
    layout: ListLayout,
    cells: int,
    *,
    clock: ListClock,
    lines: int = 1,
    signs: Signs = UNICODE,
    is_selected: bool = False,
    is_shown: bool = False,
    picked: str = "",
    query: Query | None = None,
) -> list[Spans]:
    """Return one row in ``lines`` lines of exactly ``cells`` cells; facts not known yet stay blank.

    Args:
        listed: the session.
        layout: the columns.
        cells: width of the row.
        lines: how many lines the row has; its texts go on in those after the first.
        clock: what ages are counted from.
        signs: the character set.
        is_selected: whether the row is selected.
        is_shown: whether the session is the one behind the list.
        picked: how the session is called in a comparison; empty if it is not picked.
        query: words to highlight; if they are in no text that is shown, the first column says that they match.
    """
    is_narrow = not layout.count
    cursor = Span(signs.selected, Role.ACCENT) if is_selected else Span(" ")
    mark = Span(signs.arrow_head, Role.ACCENT) if is_shown else Span(" ")
    mark = Span(picked, Role.ACCENT, BOLD) if picked else mark
    state = _state(listed, clock, signs, is_brief=is_narrow)
    texts = [_narrow(listed, layout, signs)] if is_narrow else _wide(listed, layout, lines, signs)
    texts += [[] for _ in range(lines - len(texts))]
    if query is not None and query.words:
        texts = [highlight(line, query) for line in texts]
        if not any(map(has_match, texts)) and not is_selected:
            cursor = Span("/", Role.MATCH)
    head = [cursor, mark, Span(_padded(state.text, layout.state - 1, signs) + " ", state.role)]
    below = [cursor if is_selected else Span(" "), Span(" " * (1 + layout.state))]
    return [_filled([*(below if number else head), *line], cells) for number, line in enumerate(texts)]


def _filled(spans: Spans, cells: int) -> Spans:
    return clip([*spans, Span(" " * max(0, cells - spans_width(spans)))], cells)


class _RowTexts(NamedTuple):
    """What one line of a row says in the columns whose texts may go on in the next line."""

    name: Span
    title: Span
    newest: Span


def _wrapped_texts(listed: ListedSession, layout: ListLayout, lines: int, signs: Signs) -> list[_RowTexts]:
    is_asking = listed.standing.attention is Attention.ASKING
    newest = plain_line(listed.standing.question, signs.separator) if is_asking else first_line(listed.newest)
    names, titles, newests = (
        [_padded(line, cells, signs) for line in _wrapped(text, cells, lines, signs)]
        for text, cells in (
            (shown_name(listed, signs), layout.name),
            (listed.title, layout.first),
            ("" if newest == listed.title else newest, layout.newest),
        )
    )
    newest_role = Role.WARN if is_asking else Role.MUTED
    return [
        _RowTexts(Span(name, Role.TEXT, BOLD if listed.has_unread else 0), Span(title), Span(newest, newest_role))
        for name, title, newest in zip(names, titles, newests, strict=True)
    ]


def _wrapped(text: str, cells: int, lines: int, signs: Signs) -> list[str]:
    """Return a text in exactly ``lines`` lines, the last of them cut."""
    if lines == 1:
        return [text]
    found = list(islice(wrap(text[: _CHARS_PER_CELL * cells * lines], cells), lines + 1)) if cells > 1 else []
    if len(found) > lines:
        found[lines - 1 :] = [cut(f"{found[lines - 1].rstrip()} {found[lines].lstrip()}", cells, signs.ellipsis)]
    return [line.strip() for line in found] + [""] * (lines - len(found))


def _wide(listed: ListedSession, layout: ListLayout, lines: int, signs: Signs) -> list[Spans]:
    first, *rest = _wrapped_texts(listed, layout, lines, signs)
    between = [Span("  ")]
    columns = (
        (listed.host, layout.host, Role.ACCENT),
        (repository_words(listed), layout.repository, Role.MUTED),
        (listed.client, layout.client, Role.MUTED),
    )
    for text, cells, role in columns:
        between += [Span(_padded(text, cells, signs), role), Span("  ")] if cells else []
    head = [first.name, *between, first.title, *([Span("  "), first.newest] if layout.newest else [])]
    gap = Span(" " * spans_width(between))
    below = [[name, gap, title, *([Span("  "), newest] if layout.newest else [])] for name, title, newest in rest]
    return [[*head, *_figures(listed, layout, signs)], *below]


def _figures(listed: ListedSession, layout: ListLayout, signs: Signs) -> Spans:
    spans: Spans = []
    if layout.progress:
        spans.append(Span(f"  {cut(listed.progress, layout.progress, signs.ellipsis):>{layout.progress}}"))
    if layout.context:
        context = _context(listed)
        spans.append(context._replace(text=f"  {context.text:>{layout.context}}"))
    if layout.shape:
        spans += [Span("  "), *_right_aligned(listed.sparkline, layout.shape)]
    return [*spans, Span("  "), _count(listed, layout.count), Span(" ")]


def _context(listed: ListedSession) -> Span:
    """Return how full the context is: ``ctx 62%``; empty if that is not recorded."""
    return use_spans(listed.context)[-1] if listed.context is not None else Span("")


def _narrow(listed: ListedSession, layout: ListLayout, signs: Signs) -> Spans:
    spans = _name_and_host(listed, layout.name, signs)
    if not layout.shape:
        return spans
    news = [_count(listed, 0)] if listed.has_unread else listed.sparkline
    return [*spans, Span(" "), *_right_aligned(news, layout.shape), Span(" ")]


def _name(listed: ListedSession, cells: int, signs: Signs) -> Span:
    return Span(_padded(shown_name(listed, signs), cells, signs), Role.TEXT, BOLD if listed.has_unread else 0)


def _name_and_host(listed: ListedSession, cells: int, signs: Signs) -> Spans:
    """Return the name and, of a session on a machine of a fleet, the machine; each has half of the cells at least."""
    called = shown_name(listed, signs)
    rest = cells - 3 - min(_bounded_width(called, cells), (cells - 3) // 2)
    host = cut(listed.host, rest, signs.ellipsis) if listed.host else ""
    if not host:
        return [_name(listed, cells, signs)]
    room = cells - 3 - width(host)
    name = cut(called, room, signs.ellipsis)
    return [
        Span(name, Role.TEXT, BOLD if listed.has_unread else 0),
        Span(f" {signs.separator} ", Role.MUTED),
        Span(host + " " * (room - width(name)), Role.ACCENT),
    ]


def _count(listed: ListedSession, cells: int) -> Span:
    """Return how many thoughts there are, or, where some are unread, how many are new."""
    if listed.has_unread:
        more = f"{min(listed.unread, MAX_COUNTED)}{'+' * (listed.unread > MAX_COUNTED)} " if listed.unread else ""
        return Span(f"{more}new".rjust(cells), Role.GOOD)
    count = f"{'>' if listed.is_cut else ''}{listed.thoughts}" if listed.is_counted else ""
    return Span(count.rjust(cells), Role.MUTED)


def _state(listed: ListedSession, clock: ListClock, signs: Signs, *, is_brief: bool = False) -> Span:
    """Return sign, word and age; a brief one has a word only where the sign alone is ambiguous."""
    standing, now = listed.standing, clock.now
    if standing.attention is Attention.OPEN and not (listed.is_counted or standing.since):
        return Span(f"  {units.age(now, listed.last_change)}", Role.MUTED)
    shown = standing_status(standing, signs, now, clock.stale_seconds)
    is_plain = standing.attention in {Attention.DONE, Attention.STOPPED} or shown.word == "thinking"
    if is_brief and is_plain:
        return Span(f"{shown.sign} {units.age(now, standing.since or listed.last_change)}", shown.role)
    return Span(f"{shown.sign} {standing_words(standing, signs, now, clock.stale_seconds)}", shown.role)


def _padded(text: str, cells: int, signs: Signs) -> str:
    shown = cut(text, cells, signs.ellipsis)
    return shown + " " * (cells - width(shown))


def _right_aligned(spans: Sequence[Span], cells: int) -> Spans:
    return [Span(" " * max(0, cells - spans_width(spans))), *spans]


# Below the list


def session_list_keys(message: str, folder: str, cells: int, *, signs: Signs = UNICODE) -> Spans:
    """Return the last line: the keys, and at its end a message, else the folder where it fits.

    A message takes the room of the keys that are needed least.
    """
    shown, message = dict(_KEYS), cut(message, cells - 2, signs.ellipsis)
    for key in _KEYS_THAT_GIVE_WAY:
        if sum(len(name) + len(does) + 3 for name, does in shown.items()) + width(message) > cells - 2:
            del shown[key]
    spans: Spans = [Span(" ")]
    for key, does in shown.items():
        spans += [Span(key, Role.ACCENT), Span(f" {does}  ", Role.MUTED)]
    right = Span(message, Role.GOOD)
    if not message and spans_width(spans) + width(folder) + 1 <= cells:
        right = Span(folder, Role.MUTED)
    return spread(spans, [right, Span(" ")], cells)


_NOTHING_WANTED = "Nothing matches the filter. & changes it; an empty one shows all sessions."
_NONE_YET = "No sessions yet. Each agent that calls `seqthink serve` gets one, in"


def empty_list_lines(
    folder: str,
    cells: int,
    *,
    is_filtered: bool,
    is_narrowed: bool = False,
    sentence: str = "",
    signs: Signs = UNICODE,
) -> list[Spans]:
    """Return the text shown instead of an empty list.

    Args:
        folder: where journals are.
        cells: width of a line.
        is_filtered: whether a search leaves out all sessions.
        is_narrowed: whether the filter of sessions does.
        sentence: shown in place of how journals come into the folder.
        signs: the character set.
    """
    if is_filtered or is_narrowed:
        words = "Nothing matches. Esc shows them all." if is_filtered else _NOTHING_WANTED
        return [[], *([Span(f" {line}", Role.MUTED)] for line in wrap(words, cells - 2))]
    if sentence:
        return [[], *([Span(f" {line}", Role.MUTED)] for line in wrap(sentence, cells - 2))]
    return [
        [],
        *([Span(f" {line}", Role.MUTED)] for line in wrap(_NONE_YET, min(cells - 2, 40))),
        [Span(" " + cut(folder, cells - 2, signs.ellipsis), Role.MUTED)],
    ]


def command_row(
    name: str, hint: str, match_positions: Sequence[int], cells: int, *, signs: Signs, is_selected: bool = False
) -> Spans:
    """Return a command in exactly ``cells`` cells; the characters at ``match_positions`` are bold.

    The name is cut before the key is.
    """
    name, hint = one_line(name), one_line(hint)
    cursor = Span(signs.selected, Role.ACCENT) if is_selected else Span(" ")
    shown = cut(name, cells - 2 - (width(hint) + 2 if hint else 0), signs.ellipsis)
    matched = {index for index in match_positions if index < len(shown)}
    spans = [Span(sign, Role.ACCENT, BOLD) if at in matched else Span(sign) for at, sign in enumerate(shown)]
    return clip(spread([cursor, *spans], [Span(f"{hint} ", Role.MUTED)], cells), cells)
