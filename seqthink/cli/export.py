"""`seqthink export`: a session in a format that other programs read."""

import errno
import json
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from seqthink.cli.common import Parser, output
from seqthink.cli.reading import journal_path, read_journal
from seqthink.errors import UsageError
from seqthink.export.document import document

FORMATS = ("json",)


def run(arguments: list[str]) -> int:
    """Write a session to stdout, or to a file that was not there (or may be replaced)."""
    parser = Parser(
        "export",
        "Write a session in a format that other programs read.",
        "seqthink export last --format json -o session.json",
    )
    parser.add_session(default=None)
    parser.add_argument("--format", required=True, metavar="FORMAT", help=f"one of: {', '.join(FORMATS)}")
    parser.add_argument("-o", "--output", type=Path, metavar="F", help="the file to write (default: stdout)")
    parser.add_argument("--force", action="store_true", help="replace F when it is there (default: refuse)")
    options = parser.parse_args(arguments)
    if options.format not in FORMATS:
        raise UsageError(f"export: no format {options.format!r}; there is: {', '.join(FORMATS)}")
    path = journal_path(options)
    texts = read_journal(path)
    # Escapes everything that is not plain ASCII, so that no control of a thought reaches a terminal.
    pieces = json.JSONEncoder(ensure_ascii=True, indent=2).iterencode(document(texts.session, texts.thought))
    if options.output is None:
        with output() as out:
            out.writelines(pieces)
            print(file=out)
    else:
        _write(options.output, pieces, journal=path, may_replace=options.force)
    return 0


def _write(path: Path, pieces: Iterable[str], *, journal: Path, may_replace: bool) -> None:
    """Write the whole file or none of it; what is no regular file (a pipe, a device) is written to as it is."""
    try:
        named = path.expanduser()
        if named.is_dir():
            raise UsageError(f"{path} is a folder; name a file in it")
        if named.exists() and named.samefile(journal):
            raise UsageError(f"{path} is the journal itself; name another file")
        if named.exists() and not named.is_file():
            with named.open("w", encoding="ascii") as file:
                file.writelines((*pieces, "\n"))
            return
        if named.exists() and not may_replace:
            raise UsageError(f"{path} is there already; --force replaces it")
        # Where the file really is: a link to it stays one.
        target = named.resolve()
        _write_beside(target, pieces, may_replace=may_replace)
    except FileExistsError:
        raise UsageError(f"{path} is there already; --force replaces it") from None
    except (OSError, RuntimeError) as error:
        raise UsageError(f"cannot write {path}: {_why(error, path)}") from error


def _write_beside(target: Path, pieces: Iterable[str], *, may_replace: bool) -> None:
    """Write to a file of another name in the same folder, and give it the right one when it is complete."""
    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}")
    with beside.open("x", encoding="ascii") as file:
        try:
            file.writelines((*pieces, "\n"))
            file.flush()
            if may_replace:
                beside.replace(target)
            else:
                os.link(beside, target)  # unlike a rename, it fails where a file has come meanwhile
        finally:
            beside.unlink(missing_ok=True)


def _why(error: OSError | RuntimeError, path: Path) -> str:
    if isinstance(error, OSError) and error.errno == errno.ENOENT:
        return f"there is no folder {path.parent}"
    return ((error.strerror if isinstance(error, OSError) else None) or str(error)).lower()
