"""The lines at the top and the bottom of the screen: status of the session, and the available keys."""

from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.attention import Attention, last_activity, plain_standing, standing_of
from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.core.text import SafeText, first_line, one_line, plain_line
from seqthink.drawing.describe.lanes import agent_name
from seqthink.drawing.describe.now_line import Present, now_spans, present_of
from seqthink.drawing.describe.oddities import newest_chain_oddities
from seqthink.drawing.describe.session import session_label, session_progress
from seqthink.drawing.describe.status import counts_spans
from seqthink.drawing.describe.units import count
from seqthink.drawing.describe.unread import short_unread
from seqthink.drawing.panels.note_input import comment_prompt, note_prompt
from seqthink.drawing.panels.status_line import compact_status_line, compact_statuses, status_line
from seqthink.drawing.panels.transport import playback_state, position_words, transport_line
from seqthink.drawing.text.cells import cut
from seqthink.drawing.text.glyphs import Signs, arrow_keys, comment_sign
from seqthink.drawing.text.row_layout import WIDE_FROM_CELLS
from seqthink.drawing.text.span_wrapping import wrap_spans
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_text, spans_width, spread
from tui.session_view.view_state import ViewState, typed_text
from tui.sessions.session_choice import OtherSession
from tui.settings import Settings
from tui.state.next_session import counted_states

MAX_OTHER_NAME_CELLS = 16
"""Width limit for the name of another session."""
MIN_CELLS_FOR_OTHER_SESSION = 80
"""Width from which the status line shows two sessions."""

MAX_NOTE_ROWS = 4
CHARS_PER_CELL = 4
"""Characters of a question that may share a cell."""
MIN_QUESTION_CELLS = 32
"""Cells of a question below which nothing is shown behind it."""
ENTER_HINT = "Enter sends"


def shown_present(view_state: ViewState, settings: Settings) -> Present | None:
    """Return what the session on the screen does, and its standing; None without one, or while its past is shown."""
    session, texts, now = view_state.feed.session, view_state.feed.texts, settings.clock()
    if view_state.viewport.session is None or view_state.has_playhead:
        return None
    if texts is None:
        standing = plain_standing(session)
    else:
        newest = settings.catalog.session(view_state.feed.path).last_seen(last_activity(session), now)
        standing = standing_of(session, newest, now, settings.stuck_seconds, texts.row_text)
    return present_of(session, standing, now, settings.stale, settings.signs)


def status_spans(view_state: ViewState, present: Present | None, settings: Settings, width: int) -> Spans:
    """Return the status line in ``width`` cells."""
    session, signs = view_state.viewport.session, settings.signs
    if view_state.feed.trouble and not view_state.has_playhead:
        return _trouble_spans(view_state, signs, width)
    if view_state.is_opening:
        return _opening_spans(view_state, settings, width)
    if session is None:
        return _waiting_spans(view_state, settings, width)
    if present is None:
        return transport_line(
            session,
            view_state.feed.session,
            width,
            zone=settings.zone,
            signs=signs,
            speed=view_state.playback.speed,
            is_playing=view_state.playback.is_playing,
            is_live=view_state.is_past,
        )
    trouble = settings.catalog.trouble(settings.zone)
    if trouble:
        extra: Spans = [Span(trouble, Role.BAD)]
    else:
        extra = _remark_spans(view_state, settings, session, width)
    extra = extra or _odd_spans(view_state, session, signs, width)
    return status_line(
        session,
        width,
        present.status,
        words=present.words,
        signs=signs,
        extra=extra,
        counts=_counts_spans(view_state, settings),
        host=machine_of(view_state, settings),
    )


def name_of_transcript(view_state: ViewState, settings: Settings) -> SafeText:
    """Return the name of the transcript that the user named, until it is on the screen; "" otherwise."""
    named = settings.named
    return one_line(named.name) if named is not None and view_state.feed.path is None else SafeText("")


def now_lines(view_state: ViewState, present: Present | None, signs: Signs, width: int) -> list[Spans]:
    """Return what the session on the screen does now, as one line; [] if it is not live, or its past is shown."""
    if present is None or view_state.is_opening or view_state.feed.trouble:
        return []
    shown = now_spans(present.doing, width - 2, signs)
    return [[Span(" "), *shown]] if shown else []


def _trouble_spans(view_state: ViewState, signs: Signs, width: int) -> Spans:
    """Return why nothing can be known of the session now, in place of its state and its name.

    Without room for all of it, what failed gives way to the reason.
    """
    trouble, session = one_line(view_state.feed.trouble), view_state.viewport.session
    text = f"{signs.refused} {trouble}"
    if spans_width([Span(text)]) > width:
        text = f"{signs.refused} not read: {trouble.partition(': ')[2]}"
    progress = session_progress(session) if session is not None else ""
    right = [Span(progress, Role.MUTED)] if spans_width([Span(f"{text}  {progress}")]) < width else []
    return spread([Span(cut(text, width, signs.ellipsis), Role.BAD)], right, width)


def machine_of(view_state: ViewState, settings: Settings) -> SafeText:
    """Return the machine of a fleet that the session on the screen runs on; "" for one of this machine's folder."""
    path = view_state.feed.path
    return settings.catalog.session(path).machine if path is not None else SafeText("")


def _is_replay_over(view_state: ViewState) -> bool:
    return view_state.is_replay and view_state.playback.position >= view_state.feed.session.entry_count


def needs_person(view_state: ViewState, present: Present | None) -> bool:
    """Return whether the session on the screen needs the person now."""
    if present is None or view_state.is_opening or view_state.feed.trouble:
        return False
    return present.standing.needs_person


def question_lines(present: Present | None, reader: str, signs: Signs, width: int, rows: int) -> list[Spans]:
    """Return what the session on the screen asks the user, what waits for it and where to answer, in at most ``rows``.

    Nothing without a question, or where the question would not be the newest there is.
    """
    if present is None or rows <= 0 or present.standing.attention is not Attention.ASKING:
        return []
    standing = present.standing
    waiting = f"thought {standing.blocked} waits" if standing.blocked else "it waits"
    facts = [waiting, f"answer in {reader}"]
    tail = "".join(f" {signs.separator} {fact}" for fact in facts)
    question = plain_line(standing.question, signs.separator) or "a question whose text was not kept"
    room = rows * (width - 3) - len(tail) - width // 4
    asked = [Span(cut(question, room, signs.ellipsis), Role.WARN), Span(tail, Role.MUTED)]
    lines = list(wrap_spans(asked, width - 4))
    if room < MIN_QUESTION_CELLS or len(lines) > rows:  # the question itself matters most
        lines = list(wrap_spans([Span(question[: rows * width * CHARS_PER_CELL], Role.WARN)], width - 4))
    if len(lines) > rows:
        rest = " ".join(spans_text(line) for line in lines[rows - 1 :])
        lines[rows - 1 :] = [[Span(cut(rest, width - 4, signs.ellipsis), Role.WARN)]]
    shown: list[Spans] = [[Span("   "), *line] for line in lines]
    shown[0][0] = Span(f" {signs.attention} ", Role.WARN)
    return [clip(line, width) for line in shown]


def _counts_spans(view_state: ViewState, settings: Settings) -> Spans:
    """Return how many other sessions need the user, go on, and have ended unread."""
    path = view_state.feed.path
    shown = str(path) if path is not None else None
    return counts_spans(
        counted_states(view_state.folder.needs, settings.clock(), settings.stale, shown), settings.signs
    )


def compact_status_spans(view_state: ViewState, present: Present | None, settings: Settings, width: int) -> Spans:
    """Return the status line of a single-line screen; it includes the selected thought."""
    viewport, texts, signs = view_state.viewport, view_state.feed.texts, settings.signs
    session = viewport.session
    is_blind = bool(view_state.feed.trouble) and not view_state.has_playhead
    if session is None or texts is None or view_state.is_opening or is_blind:
        return status_spans(view_state, present, settings, width)
    message = view_state.status_message or settings.catalog.trouble(settings.zone) or view_state.feed.remark
    text = Span(message, Role.GOOD if view_state.status_message else Role.MUTED)
    if not message and present is not None and present.standing.attention is Attention.ASKING:
        text = Span(plain_line(present.standing.question, signs.separator), Role.WARN)
    elif not message and viewport.thought != NONE:
        text = Span(first_line(texts.row_text(viewport.thought)))
    if present is None:
        states = [playback_state(is_playing=view_state.playback.is_playing, is_over=_is_replay_over(view_state))]
        progress = position_words(session, view_state.feed.session, is_brief=True)
    else:
        states = compact_statuses(present, settings.clock())
        progress = session_progress(session)
    return compact_status_line(states, progress, text, status_text(view_state, signs, 0), width, signs)


def _opening_spans(view_state: ViewState, settings: Settings, width: int) -> Spans:
    signs, path = settings.signs, view_state.feed.path
    trouble = settings.catalog.trouble(settings.zone)
    if trouble:
        return spread([Span(f"{signs.refused} {trouble}", Role.BAD)], [], width)
    if view_state.viewport.session is None:
        machine = machine_of(view_state, settings)
        if path is None or not machine:
            return []
        named = f"{settings.catalog.session(path).name} from {machine}"
        return spread([Span(f"{signs.expected} fetching {named} {signs.ellipsis}", Role.ACCENT)], [], width)
    session, event = view_state.viewport.session, view_state.viewport.session.session_event
    opening = view_state.feed.opening_text
    if view_state.feed.is_transcript and event is not None:
        opening = f"reading {cut(session_label(event), width // 2, signs.ellipsis)} …"
    progress = Span(f"{signs.expected} {opening.replace('…', signs.ellipsis)}", Role.ACCENT)
    return spread([progress], [Span(f"{count(session.thought_count, 'thought')} ", Role.MUTED)], width)


def _waiting_spans(view_state: ViewState, settings: Settings, width: int) -> Spans:
    signs = settings.signs
    if not view_state.feed.is_empty:
        return []
    trouble = settings.catalog.trouble(settings.zone)
    if trouble:
        return spread([Span(f"{signs.refused} {trouble}", Role.BAD)], [], width)
    if named := name_of_transcript(view_state, settings):
        text = f"{signs.expected} reading {named} {signs.ellipsis}"
        return [Span(cut(text, width, signs.ellipsis), Role.ACCENT)]
    left = [Span(f"{signs.expected} waiting", Role.MUTED)]
    if view_state.troubles.text:
        left = [Span(cut(f"{signs.refused} {one_line(view_state.troubles.text)}", width, signs.ellipsis), Role.BAD)]
    if view_state.feed.remark:
        left.append(Span(f" {signs.separator} {view_state.feed.remark}", Role.MUTED))
    right = (
        "" if view_state.feed.path is not None else "no session now" if view_state.folder.last_session else "0 sessions"
    )
    return spread(left, [Span(right, Role.MUTED)], width)


def _remark_spans(view_state: ViewState, settings: Settings, session: Session, width: int) -> Spans:
    is_wide, signs = width >= WIDE_FROM_CELLS, settings.signs
    if view_state.troubles.text:
        return [Span(cut(one_line(view_state.troubles.text), width // 2, signs.ellipsis), Role.BAD)]
    remarks = [view_state.feed.remark or settings.catalog.session(view_state.feed.path).remark]
    remarks = [remark for remark in remarks if remark]
    remarks += short_unread(session)
    role = Role.BAD if session.corrupt_count else Role.MUTED
    spans = [Span(f" {signs.separator} ".join(remarks), role)] if remarks else []
    if not spans and not is_wide and view_state.notes.waiting:
        return [Span(view_state.notes.status_text(signs), Role.NOTE)]  # a wide screen shows it on the key line
    other = view_state.folder.other_session if width >= MIN_CELLS_FOR_OTHER_SESSION else None
    parts = [part for part in (spans, _other_session_spans(other, signs)) if part]
    return [span for number, part in enumerate(parts) for span in ([Span("   ")] if number else []) + part]


def _odd_spans(view_state: ViewState, session: Session, signs: Signs, width: int) -> Spans:
    """Return how many oddities the newest chain has, where there is room for it."""
    texts = view_state.feed.texts
    return newest_chain_oddities(texts.health, session, signs) if texts is not None and width >= WIDE_FROM_CELLS else []


def _other_session_spans(other: OtherSession | None, signs: Signs) -> Spans:
    """Return name and state of the session to go to next, and the key that goes there."""
    if other is None:
        return []
    name, state, separator = cut(other.name, MAX_OTHER_NAME_CELLS, signs.ellipsis), other.status, f" {signs.separator} "
    spans = [Span(f"{name} "), Span(state.word, state.role), Span(separator, Role.MUTED)]
    return [*spans, Span("!", Role.ACCENT), Span(" next", Role.MUTED)]


def status_text(view_state: ViewState, signs: Signs, width: int, *, with_notes: bool = True) -> str:
    """Return the status of search and filter, or else waiting notes and the number of new thoughts.

    On a narrow screen it includes another session's state, for which the status line has no room.
    """
    new_count, other = (
        view_state.unseen_count,
        spans_text(_other_session_spans(view_state.folder.other_session, signs))
        if width < MIN_CELLS_FOR_OTHER_SESSION
        else "",
    )
    parts = (
        view_state.notes.status_text(signs) if with_notes else "",
        f"{new_count} new {signs.separator} f" if new_count else "",
        other,
    )
    return view_state.search.status_text(view_state.viewport, signs.ellipsis) or f" {signs.separator} ".join(
        filter(None, parts)
    )


def key_line_spans(view_state: ViewState, settings: Settings, width: int) -> Spans:
    """Return the key line in ``width`` cells: the open text input, otherwise the keys that apply now."""
    signs = settings.signs
    if view_state.search.text_input is not None:
        return view_state.search.input_line(view_state.viewport, width, signs.ellipsis)
    right = (
        [Span(view_state.status_message, Role.GOOD)]
        if view_state.status_message
        else _right_spans(view_state, signs, width)
    )
    keys = _key_hints(view_state, signs)
    if not view_state.has_input:
        renamed = [(settings.key_map.renamed(key), action) for key, action in keys]
        keys = [(key, action) for key, action in renamed if key]
    # keys give way to the status text; the last to go is the one that opens the help page
    while keys and spans_width([*_key_hint_spans(keys), *right]) >= width:
        del keys[-2:-1]
        if len(keys) == 1:
            keys = []
    if not keys:
        right = [Span(cut(spans_text(right), width - 2, signs.ellipsis), right[0].role)]
    return spread(_key_hint_spans(keys), [*right, Span(" ")], width)


def compact_note_spans(view_state: ViewState, settings: Settings, width: int) -> Spans:
    """Return the note input on the one line that a small screen has for it."""
    typed, signs = typed_text(view_state), settings.signs
    if typed is None or view_state.status_message:
        return key_line_spans(view_state, settings, width)
    return typed.spans(f" {signs.note if view_state.notes.text_input is not None else comment_sign(signs)} ", width)


def _key_hint_spans(keys: list[tuple[str, str]]) -> Spans:
    spans: Spans = [Span(" ")]
    for key, action in keys:
        spans += [Span(key, Role.ACCENT), Span(f" {action}  " if action else "  ", Role.MUTED)]
    return spans


def _key_hints(view_state: ViewState, signs: Signs) -> list[tuple[str, str]]:
    if view_state.notes.text_input is not None:
        other = "to one agent" if view_state.notes.is_to_all else "to any agent"
        switch = [("Tab", other)] if view_state.notes.selected_agent is not None else []
        return [("Enter", "send"), *switch, ("Esc", "close, keep the draft")]
    if view_state.comments.text_input is not None:
        return [("Enter", "keep"), ("Esc", "close, keep the draft")]
    if view_state.is_reading:
        return _text_key_hints(view_state, signs)
    return _transport_key_hints(view_state) if view_state.has_playhead else _tree_key_hints(view_state, signs)


def _transport_key_hints(view_state: ViewState) -> list[tuple[str, str]]:
    return [
        ("Space", "pause" if view_state.playback.is_playing else "again" if _is_replay_over(view_state) else "play"),
        (", .", "step"),
        ("[ ]", "marks"),
        *([("0–9", "tenths")] if view_state.is_replay else []),
        ("< >", "speed"),
        ("Home End", ""),
        ("t", "tree" if view_state.viewport.is_timeline else "timeline"),
        ("?", "keys"),
    ]


def _tree_key_hints(view_state: ViewState, signs: Signs) -> list[tuple[str, str]]:
    keys = arrow_keys(signs)
    return [
        (f"{keys['up']}{keys['down']}", "move"),
        (f"{keys['left']}{keys['right']}", "fold"),
        ("Enter", "read"),
        *([("r", "revised/by")] if view_state.feed.session.revision_count else []),
        ("/", "search"),
        ("t", "tree" if view_state.viewport.is_timeline else "timeline"),
        ("s", "sessions"),
        *([("i", "note")] if view_state.feed.session.is_alive else []),
        ("?", "keys"),
    ]


def _text_key_hints(view_state: ViewState, signs: Signs) -> list[tuple[str, str]]:
    keys = arrow_keys(signs)
    return [
        (f"{keys['up']}{keys['down']}", "scroll"),
        ("m", "rendered" if view_state.is_raw else "raw"),
        *([("d", "texts" if view_state.is_diff else "diff")] if view_state.has_diff else []),
        ("y", "copy"),
        ("o", "files"),
        ("/", "search"),
        ("Esc", "back"),
        ("?", "keys"),
    ]


def _right_spans(view_state: ViewState, signs: Signs, width: int) -> Spans:
    has_no_query = not view_state.search.is_active
    waiting = status_text(view_state, signs, width)
    if view_state.feed.trouble:
        # with a playhead the status line shows where it is
        trouble = one_line(view_state.feed.trouble) if view_state.has_playhead else "not reading"
        return [Span(trouble, Role.BAD)]
    if (view_state.is_replay and has_no_query) or not (width >= WIDE_FROM_CELLS or waiting):
        return [Span("q", Role.ACCENT), Span(f" {quit_key_label(view_state)}", Role.MUTED)]
    follows_newest = view_state.viewport.is_following and not view_state.is_past and has_no_query
    role = Role.NOTE if view_state.notes.waiting and has_no_query else Role.MUTED
    return [Span(waiting or ("following" if follows_newest else "paused"), role)]


def quit_key_label(view_state: ViewState) -> str:
    """Return what ``q`` does: ``back`` where something is open, else ``wall`` if that lies behind, else ``quit``."""
    is_on_diff = view_state.is_diff and view_state.has_diff
    if view_state.is_reading or view_state.is_text_active or is_on_diff or view_state.search.is_active:
        return "back"
    return "wall" if view_state.has_wall_behind else "quit"


def note_lines(view_state: ViewState, settings: Settings, cells: int, rows: int) -> list[Spans]:
    """Return the open note or comment below its prompt, in at most ``rows`` rows; ``[]`` when none is open."""
    text_input, session, signs = typed_text(view_state), view_state.feed.session, settings.signs
    if text_input is None:
        return []
    position_text = text_input.row_position(cells, rows - 1)
    right = (
        Span(view_state.status_message, Role.ACCENT)
        if view_state.status_message
        else Span(position_text or (ENTER_HINT if cells < WIDE_FROM_CELLS else ""), Role.MUTED)
    )
    target = view_state.comments.target
    if target is not None:
        right = Span(right.text.replace(ENTER_HINT, "Enter keeps"), right.role)
        name = str(target.number) if target.number else "this"
        prompt = comment_prompt(name, one_line(settings.author_name), right, cells, signs)
        return [prompt, *text_input.lines(cells, rows - 1)]
    when = "if it thinks again" if session.state is State.DONE else "with its next thought"
    way: tuple[str, ...] = ()
    machine = machine_of(view_state, settings)
    if machine:
        name = settings.catalog.place_of(view_state.feed.path).name
        way = (f"on {machine}", *((f"through {name}",) if name else ()))
    agent = session.agents.find(view_state.notes.agent)  # none while the session is read again
    recipient = one_line(agent_name(session, agent)) if agent > MAIN_AGENT else reader_name(session)
    prompt = note_prompt(recipient, when, right, cells, signs, way=way)
    return [prompt, *text_input.lines(cells, rows - 1)]


def reader_name(session: Session) -> SafeText:
    """Return the name of the client that receives the notes."""
    client = session.session_event.client.name if session.session_event and session.session_event.client else ""
    return one_line(client) or SafeText("the agent")
