"""Commands of the palette: every action with its key, the themes, the sessions; and matching them to a query."""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from pathlib import Path

from msgspec import Struct

OFFERED_THEMES = ("dark", "light", "ansi")


class Command(Struct, frozen=True):
    """An entry of the palette; it runs an app action or opens a session."""

    name: str
    """Label."""
    hint: str
    """Its key, or other text at the right end that identifies it."""
    action: str = ""
    """Textual action string; empty when the entry opens a session."""
    session: Path | None = None
    """Journal to show, if any."""


SESSION_COMMANDS = (
    Command("Search the texts", "/", "search"),
    Command("Filter: only matching rows", "&", "filter"),
    Command("Timeline or tree", "t", "timeline"),
    Command("Read the thought, back to the tree", "Enter", "enter"),
    Command("Go to the revised or revising thought", "r", "jump"),
    Command("Diff: what a revision changed", "d", "diff"),
    Command("Go to the newest thought and follow", "f", "follow"),
    Command("Hold or follow; play or pause", "Space", "play"),
    Command("Note to the agent", "i", "note"),
    Command("Copy the thought", "y", "copy"),
    Command("Open a copy in the editor", "o", "editor"),
    Command("Export to a file", "x", "choose_export"),
)
WAITING_COMMANDS = (
    Command("Play the demo", "Enter", "enter"),
    Command("Copy the command that connects an agent", "y", "copy"),
)
GLOBAL_COMMANDS = (
    Command("Sessions", "s", "sessions"),
    Command("Signs and keys", "?", "help"),
    *(Command(f"Theme: {theme}", "", f"set_theme('{theme}')") for theme in OFFERED_THEMES),
    Command("Suspend; fg resumes", "Ctrl+Z", "suspend_process"),
    Command("Quit", "Ctrl+C", "leave"),
)
PLAYBACK_COMMANDS = (
    Command("Step back in time", ",", "step(-1)"),
    Command("Step forward in time", ".", "step(1)"),
    Command("Previous mark", "[", "landmark(-1)"),
    Command("Next mark", "]", "landmark(1)"),
    Command("Play slower", "<", "speed(-1)"),
    Command("Play faster", ">", "speed(1)"),
    Command("Start", "Home", "start"),
    Command("End, or now", "End", "now"),
    Command("Loop the replay: on, off", "", "loop"),
)
MOVEMENT_COMMANDS = (
    Command("Next hit", "n", "hit(1)"),
    Command("Previous hit", "N", "hit(-1)"),
    Command("First row", "g", "first"),
    Command("Last row", "G", "last"),
    Command("Fold, or go to the parent", "h", "fold(True)"),
    Command("Unfold", "l", "fold(False)"),
    Command("Raw or rendered text", "m", "raw"),
    Command("Other pane", "Tab", "other_pane"),
    Command("Back", "Esc", "close(False)"),
)


def commands_for(*, has_session: bool) -> tuple[Command, ...]:
    """Return the available commands, most used first."""
    return (
        (*SESSION_COMMANDS, *GLOBAL_COMMANDS, *PLAYBACK_COMMANDS, *MOVEMENT_COMMANDS)
        if has_session
        else (*WAITING_COMMANDS, *GLOBAL_COMMANDS)
    )


class CommandMatch(Struct, frozen=True):
    """A matching command, and the positions of the matched characters in its name."""

    command: Command
    positions: Sequence[int] = ()


def match_commands(query: str, commands: Iterable[Command], *, with_numbers: bool = True) -> list[CommandMatch]:
    """Return the commands that match ``query``, best first; all of them in order when it is empty.

    With ``with_numbers``, digits offer to go to the thought of that number. A query that equals a key ranks its command
    first.
    """
    query = query.strip()
    if not query:
        return [CommandMatch(command) for command in commands]
    number = query.removeprefix("#")[:16]
    is_number = with_numbers and number.isascii() and number.isdigit()
    first = [CommandMatch(Command(f"Go to thought {number}", "", f"go_to_number({int(number)})"))] if is_number else []
    found = [match for command in commands if (match := _match_command(query, command)) is not None]
    return first + [offer for _, offer in sorted(found, key=itemgetter(0))]


def _match_command(query: str, command: Command) -> tuple[int, CommandMatch] | None:
    """Return the match and its rank, 0 is best: by key, by substring, or letter by letter; None without one."""
    if query == command.hint:
        return 0, CommandMatch(command)
    name, wanted = command.name.lower(), query.lower()
    at = name.find(wanted)
    if at >= 0:
        return (1 if not name[at - 1 : at].isalnum() else 2), CommandMatch(command, range(at, at + len(wanted)))
    positions: list[int] = []
    for letter in wanted:
        at = name.find(letter, positions[-1] + 1 if positions else 0)
        if at < 0:
            return None
        positions.append(at)
    return 3, CommandMatch(command, positions)
