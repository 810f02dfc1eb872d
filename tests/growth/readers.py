"""The table: every reader, and the shapes that it is tried with."""

import contextlib
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from seqthink.__main__ import main
from seqthink.sources.transcripts.description import ReadingTerms
from seqthink.sources.transcripts.registry import load_source
from seqthink.sources.transcripts.source import FoundSession
from seqthink.sources.transcripts.translation import SessionNames, Translator
from tests.growth.journal_shapes import SHAPES, TEXTS, write_journal
from tests.growth.text_readers import DOCUMENT_SHAPES, DOCUMENTS, TEXT_READERS
from tests.growth.transcript_shapes import claude, codex, copilot, gemini, opencode, records, trees
from tests.support.depth import sized

Run = Callable[[], object]


class Reader(NamedTuple):
    """Something that reads, and the shapes that it is tried with."""

    prepare: Callable[[str, int, Path], Run]
    """Writes an input of a shape and size into a folder; returns what reads it."""
    shapes: tuple[str, ...]
    size: int = 150
    """The smaller of the two sizes."""
    step: int = 1
    """`make test` tries one shape in that many, another one for each reader; `python -m tests.growth` tries all."""


def _command(arguments: Callable[[Path], list[str]]) -> Callable[[str, int, Path], Run]:
    def prepare(shape: str, size: int, folder: Path) -> Run:
        sessions = folder / "sessions"
        sessions.mkdir()
        path = sessions / "20260310T140200.000000Z-k3v9qa.jsonl"
        write_journal(path, SHAPES[shape](size))
        return _running(folder, arguments(path))

    return prepare


def _running(folder: Path, arguments: list[str]) -> Run:
    def run() -> None:
        os.environ["SEQTHINK_HOME"] = str(folder)
        out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            assert main(arguments) in {0, 1}, err.getvalue()

    return run


def _comparing(*options: str) -> Callable[[str, int, Path], Run]:
    """Return what writes two journals of a shape, of which every third thought is the same."""

    def prepare(shape: str, size: int, folder: Path) -> Run:
        one, other = folder / "one.jsonl", folder / "other.jsonl"
        write_journal(one, SHAPES[shape](size))
        write_journal(
            other,
            (
                event | {"thought": f"then {event['thought']}"} if number % 3 and "thought" in event else event
                for number, event in enumerate(SHAPES[shape](size))
            ),
        )
        return _running(folder, ["diff", str(one), str(other), *options])

    return prepare


def _export(form: str, *options: str) -> Callable[[str, int, Path], Run]:
    return _command(lambda path: ["export", str(path), "--format", form, *options])


def _reading(
    client: str, write: Callable[[str, int, Path], Path], session: str = ""
) -> Callable[[str, int, Path], Run]:
    def prepare(shape: str, size: int, folder: Path) -> Run:
        path = write(shape, size, folder)
        return lambda: _read(client, path, session)

    return prepare


def _read(client: str, path: Path, session: str) -> None:
    source = load_source(client)
    found = next(found for found in source.sessions_in(path) if session in {"", found.id})
    feed, translator = source.open(found), Translator(SessionNames("s", client, "s", client))
    at_end = False
    while not at_end:
        facts, at_end, _ = feed.read(1 << 20)
        translator.translate(facts)
    translator.flush()
    feed.close()


def _listing(client: str, write: Callable[[str, int, Path], Path], below: str = "") -> Callable[[str, int, Path], Run]:
    def prepare(shape: str, size: int, folder: Path) -> Run:
        write(shape, size, folder)
        return lambda: _listed(client, folder / below)

    return prepare


def _listed(client: str, folder: Path) -> list[FoundSession]:
    return load_source(client, ReadingTerms(is_thorough=True)).find(folder, 1 << 30)


def _claude_file(shape: str, size: int, folder: Path) -> Path:
    path = folder / "-x" / f"{claude.CLAUDE_SESSION}.jsonl"
    return records.write_lines(path, claude.CLAUDE[shape](size))


def _codex_file(shape: str, size: int, folder: Path) -> Path:
    path = folder / "sessions" / "2026" / "11" / "22" / f"rollout-2026-11-22T10-00-00-{codex.CODEX_THREAD}.jsonl"
    return codex.write_codex(path, codex.CODEX[shape](size))


def _copilot_file(shape: str, size: int, folder: Path) -> Path:
    return copilot.write_copilot(folder, copilot.COPILOT[shape](size))


def _copilot_files(_shape: str, size: int, folder: Path) -> Path:
    return copilot.write_sessions(folder, size)


def _tree(write: Callable[[Path, str, int], Path]) -> Callable[[str, int, Path], Path]:
    return lambda shape, size, folder: write(folder, shape, size)


def _copies(_shape: str, size: int, folder: Path) -> Path:
    return trees.write_copies(folder, size)


def _gemini_file(shape: str, size: int, folder: Path) -> Path:
    path = folder / "tmp" / "x" / "chats" / "session-2026-11-22T10-00-0a970a83.jsonl"
    return gemini.write_gemini(path, gemini.GEMINI[shape](size))


def _opencode_file(shape: str, size: int, folder: Path) -> Path:
    return opencode.write_opencode(folder / "opencode.db", opencode.OPENCODE[shape], size)


def _claude_files(shape: str, size: int, folder: Path) -> Path:
    return claude.CLAUDE_FILES[shape](folder / "-x", size)


def _codex_files(shape: str, size: int, folder: Path) -> Path:
    return codex.CODEX_FILES[shape](folder / "sessions" / "2026" / "11" / "22", size)


def _gemini_files(shape: str, size: int, folder: Path) -> Path:
    return gemini.GEMINI_FILES[shape](folder / "tmp" / "x" / "chats", size)


def _text(read: Callable[[str], object]) -> Callable[[str, int, Path], Run]:
    def prepare(shape: str, size: int, _folder: Path) -> Run:
        text = TEXTS[shape](size)
        return lambda: read(text)

    return prepare


def _document(read: Callable[[str, Path], object]) -> Callable[[str, int, Path], Run]:
    def prepare(shape: str, size: int, folder: Path) -> Run:
        text = DOCUMENT_SHAPES[shape](size)
        return lambda: read(text, folder)

    return prepare


_JOURNAL_SHAPES: Final = tuple(shape for shape in SHAPES if not shape.startswith("a text"))
_TEXT_SHAPES: Final = tuple(shape for shape in SHAPES if shape.startswith("a text"))

READERS: Final[dict[str, Reader]] = {
    "show": Reader(_command(lambda path: ["show", str(path)]), tuple(SHAPES), step=4),
    "check": Reader(_command(lambda path: ["check", str(path)]), _JOURNAL_SHAPES, step=5),
    "repair": Reader(
        _command(lambda path: ["check", str(path), "--repair", "--force"]),
        ("damaged lines", "equal seqs", "damaged, and targets"),
    ),
    "find": Reader(_command(lambda _: ["find", "pool", "--sources", "journal"]), tuple(SHAPES), step=5),
    "stats": Reader(_command(lambda path: ["stats", str(path)]), _JOURNAL_SHAPES, step=5),
    "diff": Reader(_comparing("--full"), _JOURNAL_SHAPES, step=5),
    "diff: HTML": Reader(_comparing("--html", "-"), _JOURNAL_SHAPES, 100, step=6),
    "status": Reader(_command(lambda _: ["status", "--sources", "journal"]), _JOURNAL_SHAPES, step=5),
    "sessions": Reader(_command(lambda _: ["sessions"]), _JOURNAL_SHAPES, step=5),
    "export: Markdown": Reader(_export("md"), tuple(SHAPES), 100, step=6),
    "export: Markdown, redacted": Reader(_export("md", "--redact"), ("straight", *_TEXT_SHAPES), 100, step=6),
    "export: HTML": Reader(_export("html"), tuple(SHAPES), 100, step=6),
    "export: SVG": Reader(_export("svg"), _JOURNAL_SHAPES, step=5),
    # It draws at most 500 edges, with less and less detail until there are no more.
    "export: Mermaid": Reader(_export("mermaid"), _JOURNAL_SHAPES, sized(600, 1200), step=12),
    "export: JSON": Reader(_export("json"), _JOURNAL_SHAPES, step=5),
    "Claude Code: a file": Reader(_reading("claude", _claude_file), tuple(claude.CLAUDE)),
    "Claude Code: many files": Reader(_reading("claude", _claude_files), tuple(claude.CLAUDE_FILES), 60),
    "Claude Code: the list": Reader(_listing("claude", _claude_files), tuple(claude.CLAUDE_FILES), 60),
    "Codex: a file": Reader(_reading("codex", _codex_file), tuple(codex.CODEX)),
    "Codex: many files": Reader(_reading("codex", _codex_files), tuple(codex.CODEX_FILES), 60),
    "Codex: the list": Reader(_listing("codex", _codex_files), tuple(codex.CODEX_FILES), 100),
    "Copilot CLI: a file": Reader(_reading("copilot", _copilot_file), tuple(copilot.COPILOT)),
    "Copilot CLI: the list": Reader(_listing("copilot", _copilot_files), ("sessions",), 100),
    "Gemini CLI: a file": Reader(_reading("gemini", _gemini_file), tuple(gemini.GEMINI)),
    "Gemini CLI: many files": Reader(_reading("gemini", _gemini_files), tuple(gemini.GEMINI_FILES), 60),
    "Gemini CLI: the list": Reader(_listing("gemini", _gemini_files), tuple(gemini.GEMINI_FILES), 60),
    "Qwen Code: a file": Reader(_reading("qwen", _tree(trees.write_qwen)), tuple(trees.TREES)),
    "pi: a file": Reader(_reading("pi", _tree(trees.write_pi)), tuple(trees.TREES)),
    "pi: the list": Reader(_listing("pi", _copies), ("copies",), 100),
    "Cline CLI: a document": Reader(_reading("cline", _tree(trees.write_cline)), tuple(trees.TREES)),
    "OpenCode: a database": Reader(_reading("opencode", _opencode_file, "s"), tuple(opencode.OPENCODE)),
    "OpenCode: the list": Reader(_listing("opencode", _opencode_file), tuple(opencode.OPENCODE)),
    **{name: Reader(_text(read), tuple(TEXTS), 300, step=4) for name, read in TEXT_READERS.items()},
    **{name: Reader(_document(read), shapes, 200, step=4) for name, (read, shapes) in DOCUMENTS.items()},
}
"""Every reader, and the shapes that it is tried with."""
