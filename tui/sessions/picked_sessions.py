"""The sessions that the user picked to compare: at most two, in the order in which they were picked."""

from pathlib import Path

MAX_PICKED = 2
LETTERS = ("A", "B")
"""How the picked sessions are called, as in the comparison."""


class PickedSessions:
    """Which sessions are picked, by their journals."""

    def __init__(self) -> None:
        self._paths: list[Path] = []

    @property
    def paths(self) -> tuple[Path, ...]:
        """The picked ones, in order."""
        return tuple(self._paths)

    def toggle(self, path: Path) -> None:
        """Pick a session, or drop it; a third one takes the place of the second."""
        if path in self._paths:
            self._paths.remove(path)
        else:
            self._paths = [*self._paths[: MAX_PICKED - 1], path]

    def letter_of(self, path: Path) -> str:
        """Return how a picked session is called; "" for another one."""
        return LETTERS[self._paths.index(path)] if path in self._paths else ""

    def pair_with(self, path: Path | None) -> tuple[Path, Path] | None:
        """Return the two sessions to compare: both picked ones, else the picked one and ``path``; None without two."""
        found = self._paths if len(self._paths) == MAX_PICKED or path in self._paths else [*self._paths, path]
        match found:
            case [Path() as one, Path() as other]:
                return one, other
            case _:
                return None
