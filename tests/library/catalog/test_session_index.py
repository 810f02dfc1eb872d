"""The index of sessions recovers from what may pass, and says what it cannot read or that it has stopped."""

from collections.abc import Callable
from pathlib import Path

import pytest

from seqthink.core import background
from seqthink.core.errors import UnreadableJournalError
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.journal.decode import decode
from seqthink.library.catalog import session_index
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.catalog.session_index import SessionIndex
from seqthink.library.places.folder import FolderPlace
from tests.support.journals.build import shop_api
from tests.support.journals.read_faults import FailingReads

MAX_NOTICES = 1000


def _scanned(folder: Path, look: Callable[[SessionIndex], bool]) -> SessionIndex:
    """Scan a folder until ``look``, which is called at each notice, says that it is enough."""
    index, notices = (
        SessionIndex(SessionCatalog(FolderPlace(folder)), UNICODE, decode, clock=lambda: 0),
        iter(range(MAX_NOTICES)),
    )

    def notify() -> None:
        if look(index):
            index.stop()
        assert next(notices) < MAX_NOTICES - 1, "it never comes to that"

    index.scan(notify)
    return index


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again at once."""
    monkeypatch.setattr(background, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(session_index, "RELIST_SECONDS", 0.01)


def test_a_folder_that_cannot_be_listed_for_a_while_is_said_and_listed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop_api().write(tmp_path / "shop.jsonl")
    said, list_all, failures = list[str](), SessionCatalog.sessions, [1, 2]

    def list_or_fail(catalog: SessionCatalog) -> object:
        if failures:
            failures.pop()
            raise UnreadableJournalError("the folder: permission denied")
        return list_all(catalog)

    monkeypatch.setattr(SessionCatalog, "sessions", list_or_fail)

    def look(index: SessionIndex) -> bool:
        said.append(index.error)
        return bool(index.files) and not index.error

    index = _scanned(tmp_path, look)

    assert "listing the sessions: the folder: permission denied; trying again" in said
    assert [file.session for file in index.files] == ["shop"]


def test_a_session_that_cannot_be_read_for_a_while_is_said_and_counted_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop_api().write(tmp_path / "shop.jsonl")
    fault, said = FailingReads(monkeypatch, "EMFILE"), list[str]()

    def look(index: SessionIndex) -> bool:
        said.append(index.error)
        fault.is_on = fault.is_on and not index.error
        known = [index.summary(file) for file in index.files]
        return bool(known) and all(one is not None and one.is_counted for one in known)

    index = _scanned(tmp_path, look)

    assert "cannot read shop.jsonl: too many open files; trying again" in said
    assert not index.error


def test_a_list_that_fails_as_nobody_thought_of_says_that_it_has_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: object) -> None:
        raise RuntimeError("a thought")

    monkeypatch.setattr(SessionCatalog, "sessions", fails)

    index = _scanned(tmp_path, lambda index: bool(index.error))

    assert index.error == "listing the sessions has stopped: unexpected RuntimeError"


@pytest.mark.parametrize("counted_bytes", [session_index.MAX_RECOUNT_BYTES, 0])
def test_a_session_that_grows_without_a_server_is_looked_at_again(
    tmp_path: Path, counted_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_index, "MAX_RECOUNT_BYTES", counted_bytes)  # of longer ones only the end is read
    journal = shop_api()
    path = journal.write(tmp_path / "shop.jsonl")
    newest = list[str]()

    def look(index: SessionIndex) -> bool:
        known = [index.summary(file) for file in index.files]
        counted = [one.newest for one in known if one is not None and one.is_counted]
        if counted and not newest:
            before = len(journal.data)
            with path.open("ab") as file:
                file.write(journal.thought("One more", 9, 9).data[before:])
        newest.extend(counted)
        return bool(newest) and newest[-1] == "One more"

    _scanned(tmp_path, look)

    assert newest[0] != newest[-1]
