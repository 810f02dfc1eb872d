"""What the palette offers: every action with its key, the themes, the sessions; and which of it matches a query."""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from pathlib import Path

from msgspec import Struct

THEMES_OFFERED = ("dark", "light", "ansi")


class Command(Struct, frozen=True):
    """Something to choose: what it is called, its key or what else tells it from others, and what it does.

    That is an action of the app, or to show another ``session``.
    """

    name: str
    hint: str
    action: str = ""
    session: Path | None = None


IN_A_SESSION = (
    Command("Search the texts", "/", "search"),
    Command("Filter: only matching rows", "&", "filter"),
    Command("Timeline, or the tree again", "t", "timeline"),
    Command("Read the thought, or back to the tree", "Enter", "enter"),
    Command("Revised thought, or its reviser", "r", "jump"),
    Command("Diff: what a revision changed", "d", "diff"),
    Command("Newest thought, and follow", "f", "follow"),
    Command("Hold or follow; play or pause", "Space", "play"),
    Command("Note to the agent", "i", "note"),
    Command("Copy the thought", "y", "copy"),
    Command("Open a copy in the editor", "o", "editor"),
    Command("Export to a file", "x", "choose_export"),
)
WAITING = (
    Command("Play the demo", "Enter", "enter"),
    Command("Copy the command that connects an agent", "y", "copy"),
)
ALWAYS = (
    Command("Sessions", "s", "sessions"),
    Command("Signs and keys", "?", "help"),
    *(Command(f"Theme: {look}", "", f"wear('{look}')") for look in THEMES_OFFERED),
    Command("Suspend; fg comes back", "Ctrl+Z", "suspend_process"),
    Command("Quit", "Ctrl+C", "leave"),
)
IN_TIME = (
    Command("Step back in time", ",", "step(-1)"),
    Command("Step on in time", ".", "step(1)"),
    Command("Mark before", "[", "mark(-1)"),
    Command("Next mark", "]", "mark(1)"),
    Command("Play slower", "<", "speed(-1)"),
    Command("Play faster", ">", "speed(1)"),
    Command("Start", "Home", "start"),
    Command("End, or the present", "End", "now"),
    Command("Loop the replay, or not", "", "loop"),
)
MOVING = (
    Command("Next hit", "n", "hit(1)"),
    Command("Hit before", "N", "hit(-1)"),
    Command("First row", "g", "first"),
    Command("Last row", "G", "last"),
    Command("Fold, or to the parent", "h", "fold(True)"),
    Command("Unfold", "l", "fold(False)"),
    Command("Raw text, or rendered", "m", "raw"),
    Command("Other pane", "Tab", "other_pane"),
    Command("Back", "Esc", "close(False)"),
)


def commands_for(*, has_session: bool) -> tuple[Command, ...]:
    """Return what can be done, the most wanted first."""
    return (*IN_A_SESSION, *ALWAYS, *IN_TIME, *MOVING) if has_session else (*WAITING, *ALWAYS)


class Offer(Struct, frozen=True):
    """A command that matches, and where in its name."""

    command: Command
    places: Sequence[int] = ()


def matching(query: str, commands: Iterable[Command], *, with_numbers: bool = True) -> list[Offer]:
    """Return the commands that match ``query``, best first; all in their order for none.

    A number offers to go to the thought that has it, if it is to; a key alone offers first what it does.
    """
    query = query.strip()
    if not query:
        return [Offer(command) for command in commands]
    number = query.removeprefix("#")[:16]
    is_number = with_numbers and number.isascii() and number.isdigit()
    first = [Offer(Command(f"Go to thought {number}", "", f"go_to_number({int(number)})"))] if is_number else []
    found = [match for command in commands if (match := _match(query, command)) is not None]
    return first + [offer for _, offer in sorted(found, key=itemgetter(0))]


def _match(query: str, command: Command) -> tuple[int, Offer] | None:
    """Return how far a command is from the query, and where it matches: as a whole, or letter by letter in order."""
    if query == command.hint:
        return 0, Offer(command)
    name, sought = command.name.lower(), query.lower()
    at = name.find(sought)
    if at >= 0:
        return (1 if not name[at - 1 : at].isalnum() else 2), Offer(command, range(at, at + len(sought)))
    places: list[int] = []
    for letter in sought:
        at = name.find(letter, places[-1] + 1 if places else 0)
        if at < 0:
            return None
        places.append(at)
    return 3, Offer(command, places)
