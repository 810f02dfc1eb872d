"""Exports a session from the viewer to a file in the current folder."""

import errno
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from seqthink.chain.session_texts import SessionTexts
from seqthink.core.saving import write_atomically
from seqthink.share.export.file_names import unused_paths
from seqthink.share.export.formats import FORMATS, format_writer
from tui.commands import Command

OFFERED_FORMATS = (
    Command("Web page, with search and folding", "html"),
    Command("Markdown report", "md"),
    Command("Picture of the tree", "svg"),
    Command("Graph for a pull request", "mermaid"),
    Command("Data for other programs", "json"),
)


def write_export(texts: SessionTexts, name: str, folder: Path, is_cancelled: Callable[[], bool] = bool) -> Path:
    """Write a session in the format ``name`` to a new file in ``folder``, and return its path.

    Raises:
        OSError: it cannot be written, or was cancelled; no partial file is left.
    """
    for path in unused_paths(folder, texts.session, FORMATS[name]):
        try:
            write_atomically(path, _encoded_pieces(format_writer(name)(texts), is_cancelled), may_replace=False)
        except FileExistsError:
            continue
        return path
    raise AssertionError("numbers never end")


def _encoded_pieces(pieces: Iterable[str], is_cancelled: Callable[[], bool]) -> Iterator[bytes]:
    for piece in pieces:
        if is_cancelled():
            raise OSError(errno.ECANCELED, "cancelled")
        yield piece.encode()
