"""Which sessions of a catalog the user wants to see, known without reading them."""

from pathlib import Path

import pytest

from seqthink.chain.overview.session_filter import EVERY_SESSION, session_filter
from seqthink.chain.query import words_query
from seqthink.journal.decode import decode
from seqthink.journal.peek import newest_session_event
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.catalog.session_search import search_catalog
from seqthink.library.places.folder import FolderPlace
from tests.support.journals.build import JournalBuilder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write two sessions; the first one changed its branch."""
    moved = JournalBuilder().session("moved", cwd="/w/shop", branch="main", host="far").thought("pool", 1, 2)
    moved.session("moved", cwd="/w/shop", branch="feat", host="far", resumed=True).thought("x" * 9_000, 2, 2)
    moved.write(tmp_path / "moved.jsonl")
    stayed = JournalBuilder().session("stayed", cwd="/w/cart", branch="main", host="far").thought("pool", 1, 1)
    stayed.write(tmp_path / "stayed.jsonl")
    return tmp_path


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("", {"moved", "stayed"}),
        ("repo:shop", {"moved"}),
        ("branch:feat", {"moved"}),
        ("branch:main", {"stayed"}),
        ("repo:shop branch:main", set[str]()),
        ("is:done word", {"moved", "stayed"}),
    ],
)
def test_the_wanted_sessions_are_those_of_repository_and_newest_branch(
    folder: Path, typed: str, found: set[str]
) -> None:
    catalog = SessionCatalog(FolderPlace(folder))
    catalog.wanted.choose(session_filter(typed))

    assert {file.session for file in filter(catalog.wanted.has, catalog.sessions())} == found
    assert catalog.wanted.filter == session_filter(typed)


def test_a_session_that_may_be_wanted_is_read_for_its_branch(folder: Path) -> None:
    catalog = SessionCatalog(FolderPlace(folder))
    catalog.wanted.choose(session_filter("repo:shop branch:nosuch"))

    assert {file.session for file in catalog.sessions() if catalog.wanted.may_have(file)} == {"moved"}


def test_a_search_leaves_out_what_is_not_wanted(folder: Path) -> None:
    catalog = SessionCatalog(FolderPlace(folder))

    def found(also: str) -> set[str]:
        search = search_catalog(catalog, words_query("pool"), decode, also=session_filter(also))
        return {hit.session.session for hit in search.hits(catalog.sessions()) if hit is not None}

    assert (found(""), found("repo:shop")) == ({"moved", "stayed"}, {"moved"})
    catalog.wanted.choose(session_filter("repo:cart"))
    assert (found(""), found("repo:shop")) == ({"stayed"}, set())
    catalog.wanted.choose(EVERY_SESSION)
    assert found("branch:feat") == {"moved"}


def test_a_branch_that_changes_is_noticed(folder: Path) -> None:
    catalog = SessionCatalog(FolderPlace(folder))
    catalog.wanted.choose(session_filter("branch:later"))
    assert list(filter(catalog.wanted.has, catalog.sessions())) == []
    line = JournalBuilder().session("stayed", cwd="/w/cart", branch="later", host="far", resumed=True).data
    with (folder / "stayed.jsonl").open("ab") as file:
        file.write(line)

    assert [file.session for file in filter(catalog.wanted.has, catalog.sessions())] == ["stayed"]


def test_the_newest_session_event_is_found_before_long_lines_and_damage(folder: Path, tmp_path: Path) -> None:
    event = newest_session_event(folder / "moved.jsonl")
    assert event is not None
    assert event.branch == "feat"
    (tmp_path / "damaged.jsonl").write_bytes((folder / "stayed.jsonl").read_bytes() + b'{"type":"session"\n{"v":1')
    damaged = newest_session_event(tmp_path / "damaged.jsonl")

    assert damaged is not None
    assert damaged.branch == "main"
    assert newest_session_event(tmp_path / "nosuch.jsonl") is None
