"""docs/sources/adding-a-source.md, executed: its package is installed, its sessions are shown, its tests pass."""

import asyncio
import json
import subprocess
import sys
import time
import tomllib
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.share.web.app import make_app
from seqthink.share.web.settings import WebSettings
from seqthink.sources.transcripts.installed.entry_points import GROUP
from tests.support.screens.screen_text import running_viewer, settings_of
from tests.support.transcripts.acme import NAME, blocks, document_modules, install, module, test_module, write_session
from tests.support.web.asgi import Reader, reading

ANSWER, NEXT = "It reads the table twice.", "And who wrote that?"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[TranscriptPlace]:
    """The sessions of a home folder with one of Acme; the page's package is installed."""
    install(tmp_path / "packages")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "packages"), *sys.path])
    write_session(tmp_path / "home")
    (tmp_path / "runtime").mkdir()
    environ = {"XDG_RUNTIME_DIR": str(tmp_path / "runtime")}
    with closing(TranscriptPlace(frozenset({NAME}), environ, tmp_path / "home", now)) as place:
        yield place


def now() -> int:
    """Return the time in microseconds since 1970."""
    return time.time_ns() // 1000


def ask(home: Path, text: str) -> None:
    """Append what a user asked to the session."""
    with (home / ".acme" / "sessions" / "s1.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": "r7", "at": "2026-11-29T10:01:00Z", "kind": "ask", "text": text}) + "\n")


def write_tests(folder: Path) -> None:
    """Write the sources of the page, and their tests, into a folder."""
    for name, text in {"acme_seqthink.py": module(), "test_acme.py": test_module(), **document_modules()}.items():
        (folder / name).write_text(text, encoding="utf-8")


def run_tests(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run tests in a folder, as the page says."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.process
def test_the_tests_of_the_page_pass(tmp_path: Path) -> None:
    write_tests(tmp_path)

    done = run_tests(tmp_path, "test_acme.py", "test_documents.py")

    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


@pytest.mark.process
@pytest.mark.parametrize(
    ("old", "new", "law"),
    [
        ("facts.get(key) != fact", "key not in facts", "replaced_by_an_equally_long_one"),
        ("is_whole and any(", "any(", "a_torn_document"),
    ],
)
def test_a_fault_in_the_feed_of_a_document_is_found(tmp_path: Path, old: str, new: str, law: str) -> None:
    write_tests(tmp_path)
    source = document_modules()["acme_documents.py"]
    assert source.count(old) == 1
    (tmp_path / "acme_documents.py").write_text(source.replace(old, new), encoding="utf-8")

    done = run_tests(tmp_path, "test_documents.py", "-k", law)

    assert "1 failed" in done.stdout


def test_the_entry_of_the_page_is_that_of_our_group() -> None:
    [project] = map(tomllib.loads, blocks("toml"))

    assert project["project"]["entry-points"] == {GROUP: {NAME: "acme_seqthink:DESCRIPTION"}}
    assert project["tool"]["setuptools"]["py-modules"] == ["acme_seqthink"]  # else the tests beside it are refused


async def test_the_viewer_follows_its_newest_session(place: TranscriptPlace, tmp_path: Path) -> None:
    settings = settings_of(tmp_path, now=now(), catalog=SessionCatalog(place))
    async with running_viewer(None, (120, 40), settings) as stage:
        await stage.until(lambda: ANSWER in stage.text)
        ask(tmp_path / "home", NEXT)
        await stage.until(lambda: NEXT in stage.text)

        assert "Acme" in stage.text


def test_the_pages_list_and_follow_it(place: TranscriptPlace, tmp_path: Path) -> None:
    async def read(reader: Reader) -> None:
        listed = await reader.answer_with("/sessions", sessions)
        [one] = sessions(listed)
        assert (one["key"], one["client"]) == ("acme-s1", "acme")
        ask(tmp_path / "home", NEXT)
        await reader.answer_with("/s/acme-s1/rows", lambda answer: NEXT in json.dumps(answer))

    async def run() -> None:
        async with reading(make_app(WebSettings(catalog=SessionCatalog(place), clock=now))) as reader:
            await read(reader)

    asyncio.run(run())


def sessions(answer: Any) -> list[Any]:  # noqa: ANN401 - JSON
    """Return the sessions of a list in their order."""
    return [one for group in answer["groups"] for one in group["sessions"]]
