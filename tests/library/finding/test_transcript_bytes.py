"""The look into a client's own files before a transcript is translated: it leaves out none that has the words."""

import re
from pathlib import Path

import pytest

from seqthink.chain.query import words_query
from seqthink.core.events import UnknownEvent
from seqthink.journal.decode import decode
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.catalog.session_search import search_catalog
from seqthink.library.finding.found import found_in
from seqthink.library.finding.search import TextSearch
from seqthink.library.finding.transcript_bytes import TranscriptBytes
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.sources.transcripts.registry import TRANSCRIPTS, load_source
from seqthink.sources.transcripts.source import FoundSession, Source
from seqthink.sources.transcripts.spool import Spool
from tests.support.depth import first
from tests.support.transcripts.recorded import RUNS, lay_out

NOW = 1_900_000_000_000_000


def sessions_of(home: Path) -> list[tuple[Source, FoundSession]]:
    sources = [load_source(name) for name in TRANSCRIPTS]
    return [(source, found) for source in sources for found in source.find(source.folder({}, home), 100)]


def words_of(source: Source, found: FoundSession, folder: Path) -> set[str]:
    """Return all words in the texts that a search would find in the translation of a transcript."""
    spool = Spool(source, found, folder / "spool.jsonl")
    spool.advance_to_end(NOW, 1 << 30)
    events = [decode(line) for line in spool.path.read_bytes().split(b"\n")[:-1]]
    spool.close()
    anything = words_query("x")
    texts = [
        found_text.excerpt
        for event in events
        if not isinstance(event, UnknownEvent) and (found_text := found_in(event, anything, lambda _: True))
    ]
    return {word for text in texts for word in re.findall(r"[^\s\"…]{2,}", text)}


@pytest.mark.parametrize("run", first(5, RUNS))
def test_no_transcript_is_left_out_that_has_a_word(run: str, tmp_path: Path) -> None:
    lay_out(run, tmp_path / "ada")
    for source, found in sessions_of(tmp_path / "ada"):
        missed = [
            word
            for word in words_of(source, found, tmp_path)
            if not TranscriptBytes(words_query(word)).may_be_in(source, found)
        ]
        assert not missed


def test_a_transcript_without_the_word_is_not_translated(tmp_path: Path) -> None:
    lay_out("claude/agents", tmp_path / "ada")
    library = TranscriptPlace(frozenset({"claude"}), {"XDG_RUNTIME_DIR": str(tmp_path)}, tmp_path / "ada", lambda: NOW)
    catalog = SessionCatalog(FolderPlace(tmp_path / "journals"), library)
    library.refresh()
    try:
        files = catalog.sessions()
        assert not [*filter(None, search_catalog(catalog, words_query("xylophone"), decode).hits(files))]
        assert not any(file.path.exists() for file in files)
        assert [*filter(None, search_catalog(catalog, words_query("cron"), decode).hits(files))]
        assert any(file.path.exists() for file in files)
    finally:
        library.close()


def test_a_word_with_a_sign_that_clients_escape_is_looked_for_by_its_longest_plain_part(tmp_path: Path) -> None:
    lay_out("claude/agents", tmp_path / "ada")
    for source, found in sessions_of(tmp_path / "ada"):
        assert TranscriptBytes(words_query('"<>"')).may_be_in(source, found), "only its translation can decide"
        assert not TranscriptBytes(words_query("池池池")).may_be_in(source, found)


def test_a_transcript_that_is_gone_is_left_to_its_reader(tmp_path: Path) -> None:
    lay_out("claude/agents", tmp_path / "ada")
    for source, found in sessions_of(tmp_path / "ada"):
        found.path.unlink()
        assert TranscriptBytes(words_query("cron")).may_be_in(source, found)
    assert TextSearch(words_query("cron")).searched == 0
