"""What reads texts, configuration files, notes, and the sessions of other machines."""

import json
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from typing import Any, Final, Literal

from seqthink.audit.code.blocks import code_blocks
from seqthink.chain.query import filter_query
from seqthink.cli.upkeep.setting_kinds import KINDS
from seqthink.connect.clients.editing.documents import read_document
from seqthink.connect.clients.editing.errors import ConfigTextError
from seqthink.core.codex_patch import changes_in
from seqthink.core.errors import CorruptLineError
from seqthink.core.redaction import find_secrets, redact_pieces, redact_text
from seqthink.core.settings_file import parse_settings
from seqthink.core.text import first_line, one_line, sanitize, sanitize_pieces, split_pieces
from seqthink.core.unified_diff import parse_diff
from seqthink.drawing.markup.markdown import markdown_lines
from seqthink.drawing.text.wrap import wrap
from seqthink.journal.decode import decode
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.notes_file import NotesFile
from seqthink.library.live_session import load_journal
from seqthink.server.tools.tags import parse_tags
from seqthink.share.export.html_shapes import RowDrawer
from seqthink.share.export.markdown_html import thought_blocks
from seqthink.share.shipping.card_fold import CardFold
from seqthink.share.web.live.row_windows import drawn_rows
from seqthink.share.web.live.session_rows import ShownTree
from seqthink.share.web.parameters import Folds
from seqthink.sources.fleet.engine import Line
from seqthink.sources.fleet.mirror.mirror_file import MirrorFile
from seqthink.sources.transcripts.files.json_lines import decode_object
from tests.growth.journal_shapes import SHAPES, write_journal

TEXT_READERS: Final[dict[str, Callable[[str], object]]] = {
    "text: sanitizer": lambda text: (sanitize(text), one_line(text), first_line(text)),
    "text: in pieces": lambda text: list(sanitize_pieces(split_pieces(text))),
    "text: wrapping": lambda text: list(wrap(sanitize(text), 80)),
    "redaction": lambda text: (redact_text(text), find_secrets(text)),
    "redaction: in pieces": lambda text: list(redact_pieces(split_pieces(text))),
    "Markdown: drawn": lambda text: markdown_lines(text, 80),
    "Markdown: HTML": lambda text: thought_blocks([text]),
    "audit: code": code_blocks,
    "audit: diff": parse_diff,
    "audit: patch": changes_in,
    "tags": lambda text: (parse_tags(text), parse_tags(text.split())),
    "filter": filter_query,
}
"""What reads a text, which is tried with every shape of a text.

The comparison of two texts is not among them: it has bounds of its own (`seqthink/drawing/markup/text_diff.py`).
"""


def _edited(syntax: Literal["json", "jsonc", "toml"]) -> Callable[[str, Path], object]:
    def edit(text: str, _folder: Path) -> None:
        try:
            document = read_document(syntax, text)
            document.with_server(("servers",), "new", {"command": "x"})
            document.without_server(("servers",), "s1")
        except ConfigTextError:
            return

    return edit


def _decoded(text: str, _folder: Path) -> None:
    for line in text.encode().split(b"\n"):
        decode_object(line)
        try:
            decode(line)
        except CorruptLineError:
            continue


def _noted(text: str, folder: Path) -> None:
    path = folder / "s.notes.jsonl"
    path.write_text(text, encoding="utf-8")
    notes = NotesFile(path)
    notes.read_new()
    while notes.has_more:
        notes.read_new()


def _mirrored(text: str, folder: Path) -> None:
    mirror = MirrorFile(folder / "mirror.jsonl")
    for number, line in enumerate(text.encode().split(b"\n"), 1):
        mirror.append([Line(number, line)], 0)
    mirror.close()


def _journal(text: str, folder: Path) -> Path:
    shape, size = text.rsplit(" ", 1)
    path = folder / "card.jsonl"
    write_journal(path, SHAPES[shape](int(size)))
    return path


def _carded(text: str, folder: Path) -> None:
    fold = CardFold()
    file = JournalFile.open(_journal(text, folder))
    while not fold.read(file, 1 << 12):
        pass
    fold.card(file, 0, is_alive=False, lines=1, takes_notes=False, signed=False)


def _windowed(text: str, folder: Path) -> None:
    texts = load_journal(_journal(text, folder))
    shown = ShownTree("tree", Folds(((), ())))
    shown.show(texts.session, texts.session)
    painter, drawer = shown.painter(texts, UTC, None), RowDrawer()
    for first in range(0, shown.rows.count, 50):
        drawn_rows(drawer, painter, first, first + 50)


def _members(size: int) -> str:
    servers: dict[str, Any] = {f"s{number}": {"command": "x", "args": ["y"]} for number in range(size)}
    return json.dumps({"a": 1, "servers": servers}, indent=2)


def _commented(size: int) -> str:
    members = "".join(f'  // a {number}\n  "k{number}": [1, 2, ], /* b */\n' for number in range(size))
    return "{\n" + members + '  "servers": {},\n}\n'


def _toml(size: int) -> str:
    return "".join(f'[servers.s{number}]\ncommand = "x" # c\nargs = ["y"]\n' for number in range(size))


def _journals(*shapes: str) -> dict[str, Callable[[int], str]]:
    return {shape: (lambda size, shape=shape: f"{shape} {size}") for shape in shapes}


_JOURNALS: Final = _journals(*(shape for shape in SHAPES if not shape.startswith("a text")))
_JSON: Final[dict[str, Callable[[int], str]]] = {
    "members": _members,
    "equal keys": lambda size: "{" + '"servers": {}, ' * size + '"a": 1}',
    "comments": _commented,
    "nested arrays": lambda size: '{"a": [' + ",".join("[" * 60 + "]" * 60 for _ in range(size)) + "]}",
    "an open bracket again and again": lambda size: "[" * size,
    "open objects": lambda size: '{"a":' * size,
    "a long string": lambda size: '{"a": "' + "\\u00e4\\n" * size + '"}',
    "an open comment": lambda size: "{ " + "/* " * size,
    "blanks": lambda size: "{" + " \n" * size + "}",
    "commas": lambda size: '{"a": [' + "," * size + "]}",
}
_TOML: Final[dict[str, Callable[[int], str]]] = {
    "tables": _toml,
    "keys": lambda size: "".join(f"k{number} = {number}\n" for number in range(size)),
    "TOML comments": lambda size: "# c\n" * size,
    "dotted keys": lambda size: "".join(f"a.b{number}.c = 1\n" for number in range(size)),
    "tables below tables": lambda size: "".join(
        "[" + ".".join(["a"] * 20) + f".b{number}]\n" for number in range(size)
    ),
    "arrays of tables": lambda size: "[[a]]\nb = 1\n" * size,
    "a long array": lambda size: "a = [" + "1, " * size + "]\n",
    "wrong lines": lambda size: "".join(f"nothing{number} = true\n" for number in range(size)) + "= x\n",
}
_LINES: Final[dict[str, Callable[[int], str]]] = {
    "notes": lambda size: "".join(
        json.dumps({"id": f"{number:016x}", "text": "look", "time": "2026-03-10T14:00:00Z"}) + "\n"
        for number in range(size)
    ),
    "equal notes": lambda size: (json.dumps({"id": "0" * 16, "text": "look"}) + "\n") * size,
    "half a line": lambda size: '{"text": "' + "x" * size,
    "empty lines": lambda size: "\n" * size,
    "lines of brackets": lambda size: ("[" * 100 + "\n") * size,
    "one line of brackets": lambda size: "[" * size,
}
DOCUMENT_SHAPES: Final = _JSON | _TOML | _LINES | _JOURNALS
DOCUMENTS: Final[dict[str, tuple[Callable[[str, Path], object], tuple[str, ...]]]] = {
    "editor: JSON": (_edited("json"), tuple(_JSON)),
    "editor: JSON with comments": (_edited("jsonc"), tuple(_JSON)),
    "editor: TOML": (_edited("toml"), tuple(_TOML)),
    "settings": (lambda text, _: parse_settings(text.encode(), KINDS), tuple(_TOML)),
    "JSON lines": (_decoded, (*_JSON, *_LINES)),
    "notes file": (_noted, tuple(_LINES)),
    "fleet: mirror": (_mirrored, tuple(_LINES)),
    "fleet: card": (_carded, tuple(_JOURNALS)),
    "web: windows": (_windowed, tuple(_JOURNALS)),
}
"""What reads another file, and the shapes that it is tried with."""
