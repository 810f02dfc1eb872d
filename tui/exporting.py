"""A session written to a file from the viewer, in the folder that it was started in."""

import errno
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path

from seqthink.drawing.status_line import session_name
from seqthink.export.export_source import ExportSource
from seqthink.export.formats import FORMATS, format_writer
from seqthink.loading import SessionTexts
from seqthink.saving import write_atomically
from tui.commands import Command

OFFERED = (
    Command("Web page, with search and folding", "html"),
    Command("Markdown report", "md"),
    Command("Picture of the tree", "svg"),
    Command("Graph for a pull request", "mermaid"),
    Command("Data for other programs", "json"),
)
_UNFIT = re.compile(r"[^\w.-]+")
LONGEST_NAME = 60


def write(texts: SessionTexts, name: str, folder: Path, is_cancelled: Callable[[], bool] = bool) -> Path:
    """Write a session in a format to a file that was not there, and return its path.

    Raises:
        OSError: it cannot be written, or was cancelled; nothing is left of it.
    """
    session = texts.session
    material = ExportSource.from_texts(texts)
    for path in _free(folder, _UNFIT.sub("-", session_name(session)).strip("-.")[:LONGEST_NAME], FORMATS[name]):
        try:
            write_atomically(path, _encoded(format_writer(name)(material), is_cancelled), may_replace=False)
        except FileExistsError:
            continue
        return path
    raise AssertionError("numbers never end")


def _encoded(pieces: Iterable[str], is_cancelled: Callable[[], bool]) -> Iterator[bytes]:
    for piece in pieces:
        if is_cancelled():
            raise OSError(errno.ECANCELED, "cancelled")
        yield piece.encode()


def _free(folder: Path, name: str, suffix: str) -> Iterator[Path]:
    """Yield names that nothing has, the plainest first."""
    names = (f"{name or 'session'}{f'-{number}' if number > 1 else ''}{suffix}" for number in count(1))
    return (path for path in (folder / one for one in names) if not path.exists())
