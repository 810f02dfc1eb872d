"""Every command of the viewer, once: its keys, its action, its entry in the palette and on the help page.

The bindings, the palette and the help page derive from `COMMANDS`. Rows are in the palette's order, most used first; a
row without a name is no entry of the palette. An action is Textual's: ``app.`` means the app, any other the screen.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from textual.binding import Binding

from seqthink.drawing.text.glyphs import Signs

OFFERED_THEMES = ("dark", "light", "ansi")
TENTHS = 10
APP_PREFIX = "app."


class HelpEntry(NamedTuple):
    """An entry of the help page; commands that belong together share one."""

    place: int
    """Place on the page, which has two entries in a line."""
    keys: str
    """The keys as the page names them; ``{up}`` stands for the sign of an arrow key."""
    meaning: str


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


_SESSION = (
    Command("Search the texts", "/", "search", keys="slash", help=HelpEntry(16, "/ n N", "search, hits")),
    Command("Filter: only matching rows", "&", "filter", keys="ampersand", help=HelpEntry(17, "&", "filter rows")),
    Command("Timeline or tree", "t", "timeline", keys="t", help=HelpEntry(13, "t", "timeline")),
    Command("Show or hide native reasoning", "v", "native", keys="v"),
    Command("Read the thought, back to the tree", "Enter", "enter", keys="enter", help=HelpEntry(4, "Enter", "read")),
    Command("Go to the revised or revising thought", "r", "jump", keys="r", help=HelpEntry(12, "r", "revised/by")),
    Command("Diff: what a revision changed", "d", "diff", keys="d", help=HelpEntry(14, "d", "diff")),
    Command("Go to the newest thought and follow", "f", "follow", keys="f", help=HelpEntry(7, "f End", "newest, now")),
    Command("Hold or follow; play or pause", "Space", "play", keys="space", help=HelpEntry(6, "Space", "hold, play")),
    Command("Note to the agent", "i", "note", keys="i", help=HelpEntry(22, "i", "note to agent")),
    Command("Copy the thought", "y", "copy", keys="y", help=HelpEntry(20, "y x", "copy, export")),
    Command("Open a copy in the editor", "o", "editor", keys="e,o", help=HelpEntry(21, "o e", "editor")),
    Command("Export to a file", "x", "choose_export", keys="x"),
)
_WAITING = (
    Command("Play the demo", "Enter", "enter"),
    Command("Copy the command that connects an agent", "y", "copy"),
)
_EVERYWHERE = (
    Command("Sessions", "s", "sessions", keys="s", help=HelpEntry(18, "s", "sessions")),
    Command("Signs and keys", "?", "help", keys="question_mark", help=HelpEntry(25, "?", "this page")),
    *(Command(f"Theme: {theme}", "", f"app.set_theme('{theme}')") for theme in OFFERED_THEMES),
    Command("Suspend; fg resumes", "Ctrl+Z", "app.suspend_process", keys="ctrl+z", is_global=True),
    Command("Quit", "Ctrl+C", "app.leave", keys="ctrl+c", is_global=True),
)
_PLAYBACK = (
    Command("Step back in time", ",", "step(-1)", keys="comma", help=HelpEntry(8, ", .", "step in time")),
    Command("Step forward in time", ".", "step(1)", keys="full_stop"),
    Command(
        "Previous mark",
        "[",
        "landmark(-1)",
        keys="left_square_bracket,left_parenthesis",
        help=HelpEntry(10, "[ ]", "marks"),
    ),
    Command("Next mark", "]", "landmark(1)", keys="right_square_bracket,right_parenthesis"),
    Command("Play slower", "<", "speed(-1)", keys="less_than_sign,minus", help=HelpEntry(11, "< >", "speed")),
    Command("Play faster", ">", "speed(1)", keys="greater_than_sign,plus"),
    Command("Start", "Home", "start", keys="home", help=HelpEntry(9, "Home", "start")),
    Command("End, or now", "End", "now", keys="end"),
    Command("Loop the replay: on, off", "", "loop"),
)
_MOVEMENT = (
    Command("Next hit", "n", "hit(1)", keys="n"),
    Command("Previous hit", "N", "hit(-1)", keys="N"),
    Command("First row", "g", "first", keys="g", help=HelpEntry(1, "g G", "first, last")),
    Command("Last row", "G", "last", keys="G"),
    Command(
        "Fold, or go to the parent",
        "h",
        "fold(True)",
        keys="h,left",
        help=HelpEntry(2, "{left}{right} h l", "fold, unfold"),
    ),
    Command("Unfold", "l", "fold(False)", keys="l,right"),
    Command("Raw or rendered text", "m", "raw", keys="m", help=HelpEntry(15, "m v", "raw, native")),
    Command("Other pane", "Tab", "other_pane", keys="tab", help=HelpEntry(23, "Tab", "other pane")),
    Command("Back", "Esc", "close(False)", keys="escape", help=HelpEntry(5, "Esc q", "back, quit")),
)
_UNNAMED = (
    Command("", "q", "close(True)", keys="q"),
    Command("", "j", "move(1)", keys="j,down", help=HelpEntry(0, "{up}{down} j k", "move")),
    Command("", "k", "move(-1)", keys="k,up"),
    Command("", "PgDn", "page(1)", keys="pagedown", help=HelpEntry(3, "PgUp PgDn", "a page")),
    Command("", "PgUp", "page(-1)", keys="pageup"),
    Command("", ":", "palette", keys="colon,ctrl+p", help=HelpEntry(19, ": Ctrl+P", "commands")),
    Command("", "0", "tenth(0)", keys="0", help=HelpEntry(24, "0-9", "go to 0-90 %")),
    *(Command("", str(tenth), f"tenth({tenth})", keys=str(tenth)) for tenth in range(1, TENTHS)),
)
COMMANDS = (*_SESSION, *_WAITING, *_EVERYWHERE, *_PLAYBACK, *_MOVEMENT, *_UNNAMED)


def commands_for(*, has_session: bool) -> tuple[Command, ...]:
    """Return the commands that the palette offers, most used first."""
    return (*_SESSION, *_EVERYWHERE, *_PLAYBACK, *_MOVEMENT) if has_session else (*_WAITING, *_EVERYWHERE)


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


def help_entries(signs: Signs) -> list[tuple[str, str]]:
    """Return keys and meaning of each entry of the help page, in its order."""
    # ASCII names of the arrow keys are too long for the page
    arrows = {key: sign if len(sign) == 1 else "" for key, sign in signs.keys.items()}
    entries = sorted(command.help for command in COMMANDS if command.help is not None)
    return [(entry.keys.format(**arrows).strip(), entry.meaning) for entry in entries]
