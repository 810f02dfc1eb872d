"""Matching the commands of the palette to a query."""

from collections.abc import Iterable, Sequence
from operator import itemgetter

from msgspec import Struct

from tui.commands import Command


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
