"""Every command of the viewer, once: its keys, its action, its entry in the palette and on the help page.

The bindings, the palette and the help page derive from `COMMANDS`. A row without a name is not in the palette. The
help page has a row's entry in the group that it names, in the order of the table. An action is Textual's: ``app.``
means the app, any other the screen.
"""

from collections.abc import Callable, Collection, Iterable
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from textual.binding import Binding

from seqthink.drawing.panels.help_page import HelpSection
from seqthink.drawing.text.glyphs import Signs, arrow_keys

OFFERED_THEMES = ("dark", "light", "ansi")
TENTHS = 10
APP_PREFIX = "app."


class HelpGroup(Enum):
    """The groups of the help page, in its order."""

    MOVE = "Move"
    READ = "Read"
    TIME = "Time"
    FIND = "Find"
    SESSIONS = "Sessions"
    SHARE = "Share"
    VIEWER = "Viewer"


class HelpEntry(NamedTuple):
    """An entry of the help page; commands that belong together share one."""

    group: HelpGroup
    """Its group; within a group entries are in the order of `COMMANDS`."""
    keys: str
    """The keys as the page names them, at most 9 cells; ``{up}`` stands for the sign of an arrow key."""
    meaning: str
    """What they do, in plain words, at most 27 characters."""


class Need(Enum):
    """What a command needs; without it, the command is not offered."""

    REVISION = "the selected thought revises another, or is revised"
    REPLAY = "the session is played"
    READER = "a note would be read"


class Command(Struct, frozen=True):
    """A command; in the palette it runs an action or opens a session."""

    name: str
    """Label in the palette; empty for a command that nobody looks for by name."""
    hint: str
    """Its key, or other text at the right end that identifies it."""
    action: str = ""
    """Textual action string; empty when the entry opens a session."""
    session: Path | None = None
    """Journal to show, if any."""
    keys: str = ""
    """The keys that run it, as Textual names them, with commas."""
    help: HelpEntry | None = None
    """Entry on the help page, at the first of the commands that share it."""
    is_global: bool = False
    """The keys work whatever is open or being typed."""
    needs: Need | None = None
    """Without it the command does nothing, and is not offered."""


_MOVEMENT = (
    Command("", "j", "move(1)", keys="j,down", help=HelpEntry(HelpGroup.MOVE, "{up}{down} j k", "a row up, down")),
    Command("", "k", "move(-1)", keys="k,up"),
    Command(
        "", "PgDn", "page(1)", keys="pagedown,ctrl+f", help=HelpEntry(HelpGroup.MOVE, "PgUp PgDn", "a page up, down")
    ),
    Command("", "PgUp", "page(-1)", keys="pageup,ctrl+b"),
    Command("", "Ctrl+D", "half_page(1)", keys="ctrl+d", help=HelpEntry(HelpGroup.MOVE, "Ctrl+D", "half a page down")),
    Command("", "Ctrl+U", "half_page(-1)", keys="ctrl+u", help=HelpEntry(HelpGroup.MOVE, "Ctrl+U", "half a page up")),
    Command("First row", "g", "first", keys="g", help=HelpEntry(HelpGroup.MOVE, "g G", "first row, last row")),
    Command("Last row", "G", "last", keys="G"),
    Command(
        "Fold, or go to the parent",
        "h",
        "fold(True)",
        keys="h,left",
        help=HelpEntry(HelpGroup.MOVE, "{left}{right} h l", "fold, unfold"),
    ),
    Command("Unfold", "l", "fold(False)", keys="l,right"),
    Command("Fold all", "H", "fold_all", keys="H", help=HelpEntry(HelpGroup.MOVE, "H L", "fold all, unfold all")),
    Command("Unfold all", "L", "unfold_all", keys="L"),
    Command("Other pane", "Tab", "other_pane", keys="tab", help=HelpEntry(HelpGroup.MOVE, "Tab", "switch pane")),
)
_SESSION = (
    Command("Search the texts", "/", "search", keys="slash", help=HelpEntry(HelpGroup.FIND, "/", "search the texts")),
    Command(
        "Filter: only matching rows",
        "&",
        "filter",
        keys="ampersand",
        help=HelpEntry(HelpGroup.FIND, "&", "only the rows that match"),
    ),
    Command(
        "Mark the thought, or take the mark away",
        "b",
        "mark",
        keys="b",
        help=HelpEntry(HelpGroup.FIND, "b", "mark the thought, unmark it"),
    ),
    Command(
        "Comment on the thought",
        "B",
        "comment",
        keys="B",
        help=HelpEntry(HelpGroup.FIND, "B", "comment on the thought"),
    ),
    Command(
        "Timeline or tree",
        "t",
        "timeline",
        keys="t",
        help=HelpEntry(HelpGroup.READ, "t", "timeline, back to the tree"),
    ),
    Command(
        "Show thoughts, words too, or everything",
        "v",
        "shown",
        keys="v",
        help=HelpEntry(HelpGroup.READ, "v", "thoughts, words too, all"),
    ),
    Command(
        "Map of the chapters: show, hide",
        "c",
        "map",
        keys="c",
        help=HelpEntry(HelpGroup.READ, "c", "map of the chapters"),
    ),
    Command(
        "Read the thought, back to the tree",
        "Enter",
        "enter",
        keys="enter",
        help=HelpEntry(HelpGroup.READ, "Enter", "the text alone, and back"),
    ),
    Command("Raw or rendered text", "m", "raw", keys="m", help=HelpEntry(HelpGroup.READ, "m", "raw text")),
    Command(
        "Go to the revised or revising thought",
        "r",
        "jump",
        keys="r",
        help=HelpEntry(HelpGroup.MOVE, "r", "revised / revising thought"),
    ),
    Command(
        "Diff: what a revision changed",
        "d",
        "diff",
        keys="d",
        help=HelpEntry(HelpGroup.READ, "d", "what the revision changed"),
        needs=Need.REVISION,
    ),
    Command(
        "Changed files: what calls changed",
        "o",
        "change",
        keys="o",
        help=HelpEntry(HelpGroup.READ, "o", "what it changed in files"),
    ),
    Command(
        "Go to the newest thought and follow",
        "f",
        "follow",
        keys="f",
        help=HelpEntry(HelpGroup.TIME, "f End", "to the newest, and follow"),
    ),
    Command(
        "Hold or follow; play or pause",
        "Space",
        "play",
        keys="space",
        help=HelpEntry(HelpGroup.TIME, "Space", "pause or follow; play"),
    ),
    Command(
        "Note to the agent",
        "i",
        "note",
        keys="i",
        help=HelpEntry(HelpGroup.SHARE, "i", "write to the agent"),
        needs=Need.READER,
    ),
    Command("Copy the thought", "y", "copy", keys="y", help=HelpEntry(HelpGroup.SHARE, "y", "copy the thought")),
    Command(
        "Copy a link to the thought",
        "Y",
        "copy_link",
        keys="Y",
        help=HelpEntry(HelpGroup.SHARE, "Y", "copy a link to the thought"),
    ),
    Command(
        "Open a copy in the editor",
        "e",
        "editor",
        keys="e",
        help=HelpEntry(HelpGroup.SHARE, "e", "a copy in your editor"),
    ),
    Command(
        "Export to a file",
        "x",
        "choose_export",
        keys="x",
        help=HelpEntry(HelpGroup.SHARE, "x", "the session to a file"),
    ),
    Command("Next hit", "n", "hit(1)", keys="n", help=HelpEntry(HelpGroup.FIND, "n N", "next hit, previous hit")),
    Command("Previous hit", "N", "hit(-1)", keys="N"),
)
_NEXT = Command(
    "Next session that needs you",
    "!",
    "next_session",
    keys="exclamation_mark",
    help=HelpEntry(HelpGroup.SESSIONS, "!", "the next that needs you"),
)
_WAITING = (
    Command("Play the demo", "Enter", "enter", help=HelpEntry(HelpGroup.SESSIONS, "Enter", "play the demo")),
    Command(
        "Copy the command that connects an agent",
        "y",
        "copy",
        help=HelpEntry(HelpGroup.SHARE, "y", "copy the command"),
    ),
    Command("", "j", "move(1)", help=HelpEntry(HelpGroup.MOVE, "{up}{down} j k", "next client, previous one")),
)
_EVERYWHERE = (
    _NEXT,
    Command("Sessions", "s", "sessions", keys="s", help=HelpEntry(HelpGroup.SESSIONS, "s", "the list of sessions")),
    Command(
        "Find in the texts of all sessions",
        "F",
        "app.find_texts",
        keys="F",
        help=HelpEntry(HelpGroup.SESSIONS, "F", "find in all sessions"),
    ),
    Command(
        "Compare with the picked session",
        "D",
        "compare",
        keys="D",
        help=HelpEntry(HelpGroup.SESSIONS, "D", "compare with the picked one"),
    ),
    Command(
        "Marks of all sessions",
        "'",
        "marks",
        keys="apostrophe",
        help=HelpEntry(HelpGroup.SESSIONS, "'", "marks of all sessions"),
    ),
    Command(
        "Wall: all live sessions",
        "w",
        "wall",
        keys="w",
        help=HelpEntry(HelpGroup.SESSIONS, "w", "the wall: all that live"),
    ),
    Command(
        "Statistics of this session, and of all",
        "S",
        "statistics",
        keys="S",
        help=HelpEntry(HelpGroup.SESSIONS, "S", "statistics"),
    ),
    Command("Signs and keys", "?", "help", keys="question_mark", help=HelpEntry(HelpGroup.VIEWER, "?", "this page")),
    Command(
        "", ":", "palette", keys="colon,ctrl+p", help=HelpEntry(HelpGroup.VIEWER, ": Ctrl+P", "all commands by name")
    ),
    *(Command(f"Theme: {theme}", "", f"app.set_theme('{theme}')") for theme in OFFERED_THEMES),
    Command("Back", "Esc", "close(False)", keys="escape", help=HelpEntry(HelpGroup.VIEWER, "Esc", "back")),
    Command("", "q", "close(True)", keys="q", help=HelpEntry(HelpGroup.VIEWER, "q", "back; at the tree, quit")),
    Command(
        "Suspend; fg resumes",
        "Ctrl+Z",
        "app.suspend_process",
        keys="ctrl+z",
        is_global=True,
        help=HelpEntry(HelpGroup.VIEWER, "Ctrl+Z", "suspend; fg comes back"),
    ),
    Command(
        "Quit",
        "Ctrl+C",
        "app.leave",
        keys="ctrl+c",
        is_global=True,
        help=HelpEntry(HelpGroup.VIEWER, "Ctrl+C", "quit"),
    ),
)
_PLAYBACK = (
    Command(
        "Step back in time",
        ",",
        "step(-1)",
        keys="comma",
        help=HelpEntry(HelpGroup.TIME, ", .", "previous step, next step"),
    ),
    Command("Step forward in time", ".", "step(1)", keys="full_stop"),
    Command(
        "Previous mark",
        "[",
        "landmark(-1)",
        keys="left_square_bracket,left_parenthesis",
        help=HelpEntry(HelpGroup.TIME, "[ ]", "previous mark, next mark"),
    ),
    Command("Next mark", "]", "landmark(1)", keys="right_square_bracket,right_parenthesis"),
    Command(
        "Play slower",
        "<",
        "speed(-1)",
        keys="less_than_sign,minus",
        help=HelpEntry(HelpGroup.TIME, "< >", "play slower, faster"),
    ),
    Command("Play faster", ">", "speed(1)", keys="greater_than_sign,plus"),
    Command("Start", "Home", "start", keys="home", help=HelpEntry(HelpGroup.TIME, "Home", "the start")),
    Command("End, or now", "End", "now", keys="end"),
    Command("Loop the replay: on, off", "", "loop", needs=Need.REPLAY),
    Command(
        "",
        "0",
        "tenth(0)",
        keys="0",
        help=HelpEntry(HelpGroup.TIME, "0-9", "jump to 0-90 %"),
        needs=Need.REPLAY,
    ),
    *(Command("", str(tenth), f"tenth({tenth})", keys=str(tenth)) for tenth in range(1, TENTHS)),
)
COMMANDS = (*_MOVEMENT, *_SESSION, *_WAITING, *_PLAYBACK, *_EVERYWHERE)


def commands_for(*, has_session: bool, given: Collection[Need] = frozenset(Need)) -> tuple[Command, ...]:
    """Return the commands that apply where there is what is ``given``, most used first; some have no name."""
    groups = (*_SESSION, *_EVERYWHERE, *_PLAYBACK, *_MOVEMENT) if has_session else (*_WAITING, *_EVERYWHERE)
    return tuple(command for command in groups if command.needs is None or command.needs in given)


def _bindings(commands: Iterable[Command]) -> list[Binding]:
    return [
        Binding(command.keys, command.action, command.name or command.hint, priority=command.is_global)
        for command in commands
        if command.keys
    ]


APP_BINDINGS = _bindings(command for command in COMMANDS if command.action.startswith(APP_PREFIX))
SESSION_BINDINGS = _bindings(command for command in COMMANDS if not command.action.startswith(APP_PREFIX))
GLOBAL_KEYS = frozenset(key for command in COMMANDS if command.is_global for key in command.keys.split(","))
"""Keys that work whatever is open or being typed."""


def help_sections(signs: Signs, commands: Iterable[Command], renamed: Callable[[str], str] = str) -> list[HelpSection]:
    """Return the groups of the help page that some of ``commands`` have entries in, with keys as ``renamed``."""
    # ASCII names of the arrow keys are too long for the page
    arrows = {key: sign if len(sign) == 1 else "" for key, sign in arrow_keys(signs).items()}
    offered = set(commands)
    entries = [command.help for command in COMMANDS if command.help is not None and command in offered]
    sections = [
        HelpSection(
            group.value,
            [
                (renamed(entry.keys.format(**arrows)).strip(), entry.meaning)
                for entry in entries
                if entry.group is group
            ],
        )
        for group in HelpGroup
    ]
    return [section for section in sections if section.entries]
