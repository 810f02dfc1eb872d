"""`seqthink fetch`: keeps a copy of another machine's session, byte for byte."""

import os
import secrets
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from seqthink.cli.common import CommandParser, print_stderr
from seqthink.cli.fleet.options import VARIABLE, add_fleet, fleet_url
from seqthink.cli.option_values import journal_folder, require_folder
from seqthink.core.errors import SeqthinkError, UsageError
from seqthink.core.labels import NO_LABELS, SessionLabels, labels_of_text

# The shell asks for completions at every Tab, so slow imports wait until they are used.
if TYPE_CHECKING:
    from seqthink.sources.fleet.mirror.folder import FleetFolder
    from seqthink.sources.fleet.mirror.mirror_file import MirrorFile

_COMPARED_BYTES = 1 << 20


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "fetch",
        "seqthink fetch last --fleet redis://hub:6379",
        notes="The copy is equal to the byte, and is written into the folder of the journals. Its name, tags and "
        "comments come with it.",
    )
    parser.add_argument("session", metavar="SESSION", help="a session's id or the start of it, `last`, or HOST/ID")
    add_fleet(parser)
    parser.add_argument(
        "-o", "--output", metavar="F", help="the file to write (default: in the folder of the journals)"
    )
    return parser


def run(arguments: list[str]) -> int:
    """Write the copy, and say where it is."""
    options = make_parser().parse_args(arguments)
    url = fleet_url(Namespace(fleet=options.fleet))  # the folder is where the copy goes
    if url is None:
        raise UsageError(f"fetch: name the fleet with --fleet URL, or in {VARIABLE}")
    from seqthink.cli.fleet.reading import opened, patiently

    with opened(url) as folder:
        path = patiently(lambda: folder.resolve(options.session))
        target = _target(options, path)
        place = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        copied = _copied(folder, path, place)
        try:
            sentence = _keep(copied, target)
        finally:
            copied.close()
        card = folder.card_of(path)
        labels = labels_of_text(card.labels) if card is not None else NO_LABELS
    print_stderr(sentence)
    _keep_labels(target, labels)
    return 0


def _keep_labels(target: Path, labels: SessionLabels) -> None:
    """Keep what people say about the session there; where that fails, one line on stderr says so."""
    from seqthink.library.viewer_store.label_book import label_book_of

    book = label_book_of(os.environ)
    try:
        if book is not None:
            book.receive(target.stem, labels)
    except (OSError, UsageError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        print_stderr(f"its name, tags and comments are not kept: {reason.lower()}")


def _target(options: Namespace, path: Path) -> Path:
    """Return where the copy is to be.

    Raises:
        UsageError: nothing can be there.
    """
    if options.output:
        target = Path(options.output)
        if target.is_dir():
            raise UsageError(f"{target} is a folder; name a file in it")
        if not target.parent.is_dir():
            raise UsageError(f"{target.parent}: no such folder; make it first")
        return target
    from seqthink.journal.folder import make_private_folder

    folder = journal_folder(options)
    require_folder(folder)
    try:
        make_private_folder(folder)
    except OSError as error:
        raise SeqthinkError(f"{folder}: {(error.strerror or str(error)).lower()}") from error
    return folder / path.name


def _copied(folder: "FleetFolder", path: Path, place: Path) -> "MirrorFile":
    """Return a copy of all lines of a session, in a file beside the one to be written.

    Raises:
        SeqthinkError: not all lines are there, or they cannot be written.
    """
    from seqthink.cli.fleet.reading import DownloadProgress, no_longer_kept, patiently

    with DownloadProgress() as progress:
        copied = patiently(lambda: folder.copy(path, place, progress.show))
    problem = f"{place.parent}: {copied.problem}" if copied.problem else ""
    if not copied.position.last:
        problem = problem or "the session has no lines in the fleet"
    elif copied.first > 1:
        problem = f"{no_longer_kept(copied.first)}; `seqthink export` writes the rest"
    elif copied.has_holes:
        problem = "some of the session's lines are missing; `seqthink export` writes the rest"
    if problem:
        copied.close()
        raise SeqthinkError(f"nothing was written: {problem}")
    return copied


def _keep(copied: "MirrorFile", target: Path) -> str:
    """Put the copy in its place, and return what was done.

    Raises:
        SeqthinkError: there is another file already, or it cannot be written.
    """
    lines = f"{copied.position.last:,} line{'' if copied.position.last == 1 else 's'}"
    try:
        common = _common_bytes(copied.path, target)
        if common is None:
            copied.path.rename(target)
            return f"{target}: {lines}"
        size = target.stat().st_size
        if common == size == copied.size:
            return f"{target}: all {lines} are there already"
        if common == size and not _is_written(target):
            copied.path.replace(target)
            return f"{target}: {lines}; it was shorter before"
    except OSError as error:
        raise SeqthinkError(f"{target}: {(error.strerror or str(error)).lower()}") from error
    raise UsageError(f"{target} already exists and is another session; name a file with --output")


def _common_bytes(one: Path, other: Path) -> int | None:
    """Return how many bytes the beginnings of two files have in common, about; None if there is no other file."""
    try:
        with one.open("rb") as first, other.open("rb") as second:
            common = 0
            while (left := first.read(_COMPARED_BYTES)) and (right := second.read(_COMPARED_BYTES)):
                shorter = min(len(left), len(right))
                if left[:shorter] != right[:shorter]:
                    return common
                common += shorter
            return common
    except FileNotFoundError:
        return None


def _is_written(path: Path) -> bool:
    """Return whether a server has locked the journal at ``path``, or whether that cannot be determined."""
    from seqthink.core import system

    descriptor = os.open(path, system.READ)
    try:
        return not system.try_shared_lock(descriptor)
    except OSError:
        return True
    finally:
        os.close(descriptor)
