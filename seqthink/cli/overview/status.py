"""`seqthink status`: one line about all sessions, for tmux, starship and scripts.

It answers within 40 ms, so what takes time to load is loaded only where it is needed: the parser for options other than
the usual ones, transcripts if they count.
"""

import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from seqthink.chain.attention import MAX_ENDING_THOUGHTS, STUCK_SECONDS, Standing, standing
from seqthink.chain.overview.ending_lines import ending_of_lines, fields_of_line
from seqthink.chain.overview.states import STATE_SIGNS, ShownState, counts_by_sign, is_counted, shown_state
from seqthink.chain.state import STALE_SECONDS, State
from seqthink.cli.locale_variables import locale_variable, names_ascii
from seqthink.core import system
from seqthink.core.errors import UsageError, unreadable_folder
from seqthink.journal.folder import SUFFIX, default_folder, default_folder_name, home_name
from seqthink.journal.glance import Glance, glance, glances

if TYPE_CHECKING:
    from seqthink.chain.attention import EndingCall
    from seqthink.chain.overview.session_filter import SessionFilter
    from seqthink.cli.common import CommandParser
    from seqthink.cli.overview.tagged import Tagged
    from seqthink.core.events import WriterState
    from seqthink.drawing.describe.session import ListedSession
    from seqthink.library.viewer_store.read_state import ReadState

FIELDS: Final = ("asking", "stuck", "thinking", "quiet", "done", "stopped", "lost", "unread", "full", "unseen")
RECENT_SECONDS: Final = 600
"""A session that ended within this time counts as done or lost."""
_MAX_SETTINGS_BYTES = 1 << 16
_MAX_FLEET_SESSIONS: Final = 2000
"""Sessions of a fleet that count, the newest."""
UNREAD_SECONDS: Final = 24 * 3600
"""A session that ended within this time counts as unread until somebody has read it."""
JOURNAL: Final = "journal"
_FORMATS = ("tmux", "json")
_PIECE = r"\{\{|\}\}|\{([^{}]*)\}|[{}]"
_FIELD_OF: Final = {
    ShownState.ACTING: "thinking",
    ShownState.AUDITING: "thinking",
    ShownState.SAMPLING: "thinking",
    ShownState.WAITING: "quiet",
}
"""Fields of the states that have none of their own name."""
_TMUX_COLOURS: Final = {"warn": "yellow", "accent": "blue", "good": "green", "bad": "red", "muted": "default"}
"""By the role of a state."""


class _Found(NamedTuple):
    """One session."""

    session: str
    standing: Standing
    state: ShownState
    is_recent: bool
    """Whether it is live, or changed in the last ten minutes."""
    call: "EndingCall | None" = None
    """The call of a tool that it waits for."""
    head: bytes = b""
    """The first line of its journal, which names it."""
    is_context_full: bool = False
    """Whether the context of an agent is nearly full."""


class _Counts(NamedTuple):
    """What the line says."""

    fields: dict[str, int]
    """How many sessions there are for each of `FIELDS`."""
    shown: list[ShownState]
    """The states of the sessions that the signs count."""


class _Options(NamedTuple):
    format: str | None = None
    sources: str | None = None
    stuck: int | None = None
    journal_dir: str | None = None
    is_ascii: bool = False
    fleet: str | None = None
    """Address of the fleet whose sessions count; None for those of this machine."""
    stale: int = STALE_SECONDS
    """Seconds without a thought after which a thinking session is quiet; 0 for never."""
    is_now: bool = False
    """Whether to say what each live session does now."""
    tags: tuple[str, ...] = ()
    """Only sessions with all of these tags count."""
    wanted: "SessionFilter | None" = None
    """Which sessions count, by repository and branch; None for all."""


def make_parser() -> "CommandParser":
    """Return the parser of the command line."""
    from seqthink.cli.common import CommandParser  # not for the usual options
    from seqthink.cli.fleet.options import add_fleet
    from seqthink.cli.overview.wanted_sessions import add_wanted

    parser = CommandParser(
        "status",
        "seqthink status",
        "seqthink status --now",
        "seqthink status --format '{asking} asking, {thinking} thinking'",
    )
    parser.add_argument(
        "--format",
        metavar="F",
        help=f"tmux, json, or a text with these fields: {', '.join(f'{{{field}}}' for field in FIELDS)}; "
        "{{ and }} are braces (default: signs and counts)",
    )
    parser.add_argument("--now", action="store_true", help="print a line for each live session: what it does now")
    parser.add_sources("count", "; journal is the fastest")
    add_wanted(parser, "count")
    add_fleet(parser)
    parser.add_stuck()
    parser.add_tag()
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII signs (default: if needed)")
    return parser


def run(arguments: list[str]) -> int:
    """Print the line."""
    options = _with_settings(_options(arguments))
    if options.format is not None and options.format not in _FORMATS:
        _filled(options.format, dict.fromkeys(FIELDS, 0))  # a wrong field is said before anything is read
    read_state = _Reading()
    found = _sessions(options, read_state) if options.fleet is None else _of_fleet(options.fleet, options)
    if options.wanted is not None and options.fleet is None:
        from seqthink.cli.overview.status_now import wanted_among

        found = wanted_among(found, options.wanted)
    labelled = _labels(options) if options.tags or options.is_now else None
    if labelled is not None:
        found = (one for one in found if labelled.has(labelled.labels_of(one.session)))
    if options.is_now and labelled is not None:
        return _print("\n".join(_now_lines(found, options, labelled)) or _nothing())
    counts = count_sessions(found, read_state)
    return _print(_line(options, counts) or _nothing())


def _nothing() -> str:
    return "nothing is going on" if sys.stdout is not None and sys.stdout.isatty() else ""


def _labels(options: _Options) -> "Tagged":
    from argparse import Namespace

    from seqthink.cli.overview.tagged import Tagged

    return Tagged(Namespace(tag=options.tags))


def _now_lines(found: Iterable["_Found"], options: _Options, labelled: "Tagged") -> Iterator[str]:
    from seqthink.cli.overview.status_now import SessionNow, name_and_folder_in, now_lines
    from seqthink.core.text import one_line

    def shown(one: "_Found") -> SessionNow:
        name, folder = name_and_folder_in(one.head, one.session)
        name = one_line(labelled.labels_of(one.session).name) or name
        return SessionNow(name, one.standing, one.state, one.call, folder)

    sessions = map(shown, found)
    return now_lines(sessions, int(time.time() * 1_000_000), is_ascii=_is_ascii(options))


def _print(line: str) -> int:
    if sys.stdout is None or not _can_print(line):
        from seqthink.cli.standard_output import output  # replaces what stdout cannot show

        with output() as out:
            out.write(line + "\n")
        return 0
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
    return 0


def _can_print(line: str) -> bool:
    """Return whether standard output shows all of a line."""
    try:
        line.encode(sys.stdout.encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def _options(arguments: list[str]) -> _Options:
    """Return the options; the usual ones are read without the parser, which takes longer to load than all the rest."""
    values: dict[str, str] = {}
    words = [word for argument in arguments for word in _split(argument)]
    for name, value in zip(words[::2], words[1::2], strict=False):
        if name not in {"--format", "--sources", "--journal-dir"} or name in values or value.startswith("-"):
            break
        values[name] = value
    is_usual = len(words) == 2 * len(values) and values.get("--journal-dir") != ""
    if is_usual and not os.environ.get("SEQTHINK_FLEET"):
        return _Options(values.get("--format"), values.get("--sources"), journal_dir=values.get("--journal-dir"))
    parsed = make_parser().parse_args(arguments)
    folder = str(parsed.journal_dir) if parsed.journal_dir is not None else None
    from seqthink.cli.fleet.options import fleet_url
    from seqthink.cli.overview.wanted_sessions import has_wanted, wanted_of

    if parsed.now and parsed.format:
        raise UsageError("status: --now and --format exclude each other; leave one out")
    is_ascii, fleet = parsed.ascii, fleet_url(parsed)
    wanted = wanted_of(parsed) if has_wanted(parsed) else None
    about = _Options(parsed.format, parsed.sources, parsed.stuck, folder, is_ascii, fleet)
    return about._replace(is_now=parsed.now, tags=tuple(parsed.tag), wanted=wanted)


def _with_settings(options: _Options) -> _Options:
    """Return the options with what is in force where none was given; the settings file is read only if there is one."""
    try:
        has_settings = os.path.exists(f"{home_name(os.environ)}/settings.toml")  # noqa: PTH110 - pathlib takes a third of the time there is
    except RuntimeError:  # an unknown home folder
        has_settings = False
    if not has_settings:
        return options if options.stuck is not None else options._replace(stuck=STUCK_SECONDS)
    from argparse import Namespace

    from seqthink.cli.preferences import preferences_of

    preferences = preferences_of(Namespace(stuck=options.stuck, sources=options.sources))
    sources = ",".join(sorted(preferences.sources)) or "none"
    return options._replace(stuck=preferences.stuck, stale=preferences.stale, sources=sources)


def _split(argument: str) -> list[str]:
    name, equals, value = argument.partition("=")
    return [name, value] if equals and name.startswith("--") else [argument]


# Counting


class _Reading:
    """What was read of sessions; its file is opened only if it is there and somebody asks."""

    def __init__(self) -> None:
        try:
            self._home = home_name(os.environ)
        except RuntimeError:  # an unknown home folder
            self._home = ""
        self.unseen = 0
        """How many sessions, and clients, were not looked at in time."""
        self._state: ReadState | None = None
        self._is_loaded = False

    def is_unread(self, session: str, newest: int) -> bool:
        """Return whether a session may have a thought of the time ``newest`` that nobody has read."""
        try:
            state = self._loaded()
            return state is not None and state.is_unread(session, newest)
        except (OSError, UsageError):  # what was read is not known
            return False

    def _loaded(self) -> "ReadState | None":
        if not self._is_loaded:
            self._is_loaded = True
            if self._home and os.path.lexists(f"{self._home}/viewer/read.jsonl"):
                from pathlib import Path

                from seqthink.library.viewer_store.folder import viewer_folder
                from seqthink.library.viewer_store.read_state import ReadState

                self._state = ReadState(viewer_folder(Path(self._home)))
        return self._state


def count_sessions(found: Iterable["_Found"], read_state: _Reading) -> _Counts:
    """Count the sessions that matter now, and those that ended and are unread."""
    counts: Counter[str] = Counter()
    shown: list[ShownState] = []
    for one in found:
        state, is_over = one.state, one.standing.is_over
        if one.is_recent:
            counts[_FIELD_OF.get(state, state.value)] += 1
        is_lost_now = one.is_recent and state is ShownState.LOST
        is_unread = not is_lost_now and (is_over or state is ShownState.OPEN) and _is_unread(one, read_state)
        counts["unread"] += is_unread and is_over
        counts["full"] += one.is_recent and one.is_context_full and not is_over
        if is_lost_now or ((one.is_recent or is_over) and is_counted(state, is_unread=is_unread)):
            shown.append(state)
    counts["unseen"] = read_state.unseen
    return _Counts({field: counts[field] for field in FIELDS}, shown)


def _is_unread(one: "_Found", read_state: _Reading) -> bool:
    return read_state.is_unread(one.session, one.standing.since)


def _sessions(options: _Options, read_state: _Reading) -> Iterator["_Found"]:
    named = options.sources if options.sources is not None else os.environ.get("SEQTHINK_SOURCES")
    if named == JOURNAL:
        return _journals(options, read_state)
    from seqthink.sources.transcripts.registry import sources_of

    sources = sources_of(os.environ, options.sources)
    clients = sources - {JOURNAL}
    own = _journals(options, read_state) if JOURNAL in sources else iter(())
    return _with_transcripts(list(own), clients, options, read_state) if clients else own


def _journals(options: _Options, read_state: _Reading) -> Iterator["_Found"]:
    try:
        folder = os.path.expanduser(options.journal_dir) if options.journal_dir else default_folder_name(os.environ)  # noqa: PTH111 - pathlib takes a third of the time there is
    except RuntimeError as error:
        raise UsageError("the home folder (~) is unknown; give the whole path with --journal-dir") from error
    now = time.time()

    def is_wanted(session: str, changed: float) -> bool:
        """Whether a journal without a server matters: it ended a short while ago, or is unread."""
        age = abs(now - changed)
        if age > RECENT_SECONDS:
            return age <= UNREAD_SECONDS and read_state.is_unread(session, int(changed * 1_000_000))
        return True

    try:
        for one in glances(folder, is_wanted, MAX_ENDING_THOUGHTS):
            yield _found(one, now, options)
    except (FileNotFoundError, NotADirectoryError):
        from pathlib import Path

        from seqthink.cli.option_values import require_folder

        require_folder(Path(folder))
    except OSError as error:
        raise unreadable_folder(folder, error) from error


def _of_fleet(url: str, options: _Options) -> Iterator["_Found"]:
    """Yield the sessions of a fleet; what was read of them is remembered by origin and id."""
    from seqthink.cli.fleet.reading import opened, refresh  # loads what speaks to an engine

    now = int(time.time() * 1_000_000)
    with opened(url) as folder:
        refresh(folder, _MAX_FLEET_SESSIONS)
        for file in folder.listed:
            name, listed = folder.name_of(file.path), folder.summary_of(file.path, options.stuck or 0)
            is_wanted = options.wanted is None or (listed is not None and _is_wanted(listed, options.wanted))
            if name is not None and listed is not None and is_wanted:
                is_recent = listed.alive or abs(now - listed.last_change) < RECENT_SECONDS * 1_000_000
                state = shown_state(listed.standing, now, options.stale)
                yield _Found("/".join(name), listed.standing, state, is_recent)


def _is_wanted(listed: "ListedSession", wanted: "SessionFilter") -> bool:
    from seqthink.drawing.describe.session import facts_of

    return wanted.matches(facts_of(listed, 0, 0))


def _with_transcripts(
    own: list["_Found"], clients: frozenset[str], options: _Options, reading: _Reading
) -> Iterator["_Found"]:
    """Yield our own sessions and the transcripts that changed lately; one that is in both counts as it is shown."""
    from pathlib import Path

    from seqthink.journal.store import list_sessions
    from seqthink.library.places.of_this_machine import transcript_place
    from seqthink.sources.transcripts.budget import STATUS_BYTES, STATUS_SECONDS, budget_of

    now = time.time()
    budget = budget_of(os.environ, STATUS_SECONDS, STATUS_BYTES)
    library = transcript_place(clients, budget)
    try:
        library.list_in_time()
        folder = Path(os.path.expanduser(options.journal_dir)) if options.journal_dir else default_folder(os.environ)  # noqa: PTH111 - as above
        recent = [
            file for file in library.sessions() if file.waits_for or abs(now - file.last.timestamp()) < RECENT_SECONDS
        ]
        if recent or own:
            library.join_with(
                [file for file in list_sessions(folder)[:64] if now - file.last.timestamp() < UNREAD_SECONDS]
            )
        shown: set[Path] = set()
        for file in recent:
            is_whole = library.spools.read_whole(file.path)
            seen = glance(str(file.path), MAX_ENDING_THOUGHTS, also_unlocked=True) if is_whole else None
            if seen is not None:
                shown.add(file.path)
                yield _found(seen._replace(is_written=_is_at_work(library.spools.writer_of(file.path))), now, options)
        for one in own:
            spool = library.shown_instead(folder / f"{one.session}{SUFFIX}")
            if spool is None:
                yield one
            elif spool not in shown:
                shown.add(spool)
                yield one._replace(session=spool.stem)  # what was read is remembered by the session that is shown
    finally:
        library.close()
        if budget.left_out:
            from seqthink.cli.common import print_left_out

            reading.unseen = budget.missed
            print_left_out(budget, has_links=False)  # a status bar asks every second


def _is_at_work(writer: "WriterState") -> bool | None:
    """Return whether the agent of a transcript is at work; None if that is unknown."""
    from seqthink.core.events import WriterState

    return None if writer is WriterState.UNKNOWN else writer is WriterState.ALIVE


def _found(seen: Glance, now: float, options: _Options) -> "_Found":
    lines = [fields for fields in map(fields_of_line, seen.lines) if fields is not None]
    head = fields_of_line(seen.head) or {}
    ending = ending_of_lines(lines, _open_state(seen, head))
    found = standing(ending, int(now * 1_000_000), options.stuck or 0)
    state = shown_state(found, int(now * 1_000_000), options.stale)
    is_recent = bool(seen.is_written) or abs(now - ending.last_activity / 1_000_000) < RECENT_SECONDS
    return _Found(seen.session, found, state, is_recent, ending.call, seen.head, ending.is_context_full)


def _open_state(seen: Glance, head: Mapping[str, object]) -> State:
    """Return the state of a session that is not done: a lock says nothing about another host."""
    is_transcript = head.get("source") not in {None, "tap"}
    if seen.is_written is None or head.get("imported") or (not is_transcript and head.get("host") != _host()):
        return State.UNKNOWN
    return State.THINKING if seen.is_written else State.LOST


@cache
def _host() -> str:
    return system.host_name()


# The line


def _line(options: _Options, counts: _Counts) -> str:
    if options.format == "json":
        import json

        return json.dumps(counts.fields)
    if options.format is not None and options.format != "tmux":
        return _filled(options.format, counts.fields)
    is_ascii = _is_ascii(options)
    parts = [
        (_TMUX_COLOURS[role], f"{STATE_SIGNS[sign][is_ascii]}{number}")
        for (sign, role), number in counts_by_sign(counts.shown).items()
    ]
    if unseen := counts.fields["unseen"]:
        parts.append((_TMUX_COLOURS["warn"], f"?{unseen}"))
    if options.format == "tmux":
        return " ".join(f"#[fg={colour}]{text}#[default]" for colour, text in parts)
    return " ".join(text for _, text in parts)


def _is_ascii(options: _Options) -> bool:
    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    return options.is_ascii or encoding != "utf8" or names_ascii(os.environ, locale_variable(os.environ))


def _filled(template: str, counts: Mapping[str, int]) -> str:
    """Return a template with its fields filled in.

    Raises:
        UsageError: there is another field in it, or a single brace.
    """
    import re

    def fill(found: re.Match[str]) -> str:
        text = found[0]
        if text in {"{{", "}}"}:
            return text[0]
        if found[1] in counts:
            return str(counts[found[1]])
        known = f"the fields are {', '.join(FIELDS)}, and {{{{ and }}}} stand for braces"
        if found[1] is None:
            raise UsageError(f"status: a single {text} in --format; {known}")
        raise UsageError(f"status: unknown field {found[1][:40]!r} in --format; {known}")

    return re.sub(_PIECE, fill, template)
