"""The pages on the sessions of other programs, as their clients recorded them."""

import asyncio
import json
import re
import shutil
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.share.web.app import make_app
from seqthink.share.web.settings import WebSettings
from tests.support.depth import first, sized
from tests.support.journals.build import JournalBuilder
from tests.support.screens.browser import browser
from tests.support.screens.screen_text import rests
from tests.support.transcripts import claude_lines as claude
from tests.support.transcripts.recorded import RUNS, lay_out
from tests.support.web.asgi import Reader, reading
from tests.support.web.command import TIMEOUT_SECONDS, RunningWeb, running_web

CALLS = {
    "claude": "Read notes.md",
    "codex": "exec_command",
    "gemini": "read_file notes.md",
    "opencode": "read notes.md",
}
CLIENTS = tuple(CALLS)
SHOWN = {"claude": "claude-code"}
"""The names of clients that are not called as their source."""
FIRST = "Symptoms: 502s at the top of each hour"
ROWS = "document.getElementById('rows')?.innerText"


def now() -> int:
    """Return the time in microseconds since 1970."""
    return time.time_ns() // 1000


class Place:
    """A home with transcripts, a folder of our journals, and readers of both."""

    def __init__(self, folder: Path) -> None:
        self.home, self.journals, self.runtime = folder / "ada", folder / "journals", folder / "runtime"
        for made in (self.home, self.journals, self.runtime):
            made.mkdir()

    def read(self, use: Callable[[Reader], Awaitable[None]]) -> None:
        """Let ``use`` read the sessions."""

        async def run() -> None:
            async with reading(make_app(settings)) as reader:
                await use(reader)

        environ = {"XDG_RUNTIME_DIR": str(self.runtime)}
        with closing(TranscriptPlace(frozenset(CLIENTS), environ, self.home, now)) as library:
            settings = WebSettings(catalog=SessionCatalog(FolderPlace(self.journals), library), clock=now)
            asyncio.run(run())


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def sessions(answer: Any) -> list[Any]:  # noqa: ANN401 - JSON
    """Return the sessions of a list in their order."""
    return [one for group in answer["groups"] for one in group["sessions"]]


def texts(answer: Any) -> str:  # noqa: ANN401 - JSON
    """Return the words of rows."""
    return json.dumps([row["node"] for row in answer["rows"]], ensure_ascii=False)


async def loaded(reader: Reader, key: str) -> Any:  # noqa: ANN401 - JSON
    """Return how a session stands once all of it has been read."""
    return await reader.answer_with(f"/s/{key}/state", lambda state: state["thoughts"] and not state["remark"])


async def key_of_the_only_one(reader: Reader) -> str:
    [one] = sessions(await reader.answer_with("/sessions", sessions))
    return one["key"]


def append_prompt(home: Path, text: str) -> None:
    """Append what a user typed to the transcript of Claude Code that has subagents."""
    [folder] = home.rglob("subagents")
    path = folder.parent.with_suffix(".jsonl")
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    last = next(record for record in reversed(records) if record.get("uuid"))
    same = {name: last[name] for name in ("sessionId", "cwd", "version")}
    with path.open("ab") as file:
        file.write(claude.user(f"new-{text}", last["uuid"], text, **same) + b"\n")


def test_transcripts_stand_in_the_list_beside_journals(place: Place) -> None:
    for client in CLIENTS:
        lay_out(f"{client}/agents", place.home)
    JournalBuilder().session().thought("ours", 1).write(place.journals / "ours.jsonl")

    async def use(reader: Reader) -> None:
        answer = await reader.answer_with(
            "/sessions", lambda answer: sum(one["thoughts"] is not None for one in sessions(answer)) == 5
        )
        listed = {one["key"].partition("-")[0]: one for one in sessions(answer)}
        assert listed.keys() == {*CLIENTS, "ours"}
        assert {name: listed[name]["client"] for name in CLIENTS} == {name: SHOWN.get(name, name) for name in CLIENTS}
        assert all(listed[name]["title"] == FIRST for name in CLIENTS[1:])
        assert listed["opencode"]["name"] == "502s, once an hour"
        assert [one["key"].partition("-")[0] for one in sessions((await reader.get("/sessions?q=codex")).json)] == [
            "codex"
        ]

    place.read(use)


@pytest.mark.parametrize("client", first(2, CLIENTS))
def test_a_transcript_is_read_as_a_session_with_what_was_done_between_its_thoughts(client: str, place: Place) -> None:
    lay_out(f"{client}/agents", place.home)

    async def use(reader: Reader) -> None:
        key = await key_of_the_only_one(reader)
        state = await loaded(reader, key)
        assert (bool(state["choices"]), state["shown"]) == (True, "thoughts")
        tree = (await reader.get(f"/s/{key}/rows")).json
        work = [row for row in tree["rows"] if CALLS[client] in texts({"rows": [row]})]
        assert FIRST in texts(tree)
        assert work, texts(tree)
        card = (await reader.get(f"/s/{key}/thought/{work[0]['seq']}")).json
        assert card["title"]

    place.read(use)


@pytest.mark.parametrize("client", first(2, CLIENTS))
def test_native_reasoning_has_rows_cards_and_hits_only_for_who_wants_it(client: str, place: Place) -> None:
    lay_out(f"{client}/agents", place.home)

    async def use(reader: Reader) -> None:
        key = await key_of_the_only_one(reader)
        plain = await loaded(reader, key)
        state = (await reader.get(f"/s/{key}/state?shown=everything")).json
        assert state["shown"] == "everything"
        assert state["views"]["tree"] > plain["views"]["tree"]
        hidden = (await reader.get(f"/s/{key}/rows")).json
        shown = (await reader.get(f"/s/{key}/rows?shown=everything")).json
        more = {row["seq"] for row in shown["rows"]} - {row["seq"] for row in hidden["rows"]}
        assert "Nothing is new since." in texts(shown)
        assert "Nothing is new since." not in texts(hidden)
        assert (await reader.get(f"/s/{key}/find?q=nothing+is+new")).json["seqs"] == []
        found = (await reader.get(f"/s/{key}/find?q=nothing+is+new&shown=everything")).json["seqs"]
        assert {*found} <= more
        assert b"Nothing is new since." in (await reader.get(f"/s/{key}/thought/{found[0]}?shown=everything")).body

    place.read(use)


def test_a_line_that_is_appended_to_a_transcript_is_announced_and_shown(place: Place) -> None:
    lay_out("claude/agents", place.home)

    async def use(reader: Reader) -> None:
        key = await key_of_the_only_one(reader)
        await loaded(reader, key)
        append_prompt(place.home, "And why at noon?")
        await reader.answer_with(f"/s/{key}/rows", lambda rows: "And why at noon?" in texts(rows))

    place.read(use)


@pytest.mark.slow  # waits for the next look at the folder
def test_a_transcript_that_appears_is_in_the_list(place: Place) -> None:
    lay_out("claude/agents", place.home)

    async def use(reader: Reader) -> None:
        await key_of_the_only_one(reader)
        lay_out("codex/agents", place.home)
        await reader.answer_with("/sessions", lambda answer: len(sessions(answer)) == 2)

    place.read(use)


def test_a_subagent_whose_file_appears_later_is_a_lane(place: Place) -> None:
    lay_out("claude/agents", place.home)
    [folder] = place.home.rglob("subagents")
    later = place.home / "later"
    shutil.move(folder, later)

    async def use(reader: Reader) -> None:
        key = await key_of_the_only_one(reader)
        before = await loaded(reader, key)
        shutil.move(later, folder)
        await reader.answer_with(f"/s/{key}/state", lambda state: state["thoughts"] > before["thoughts"])

    place.read(use)


@pytest.mark.parametrize("run", first(2, sized(RUNS[::3], RUNS)))
def test_the_lines_left_of_each_row_have_room(run: str, place: Place) -> None:
    lay_out(run, place.home)

    async def use(reader: Reader) -> None:
        key = await key_of_the_only_one(reader)
        await loaded(reader, key)
        for view in ("tree", "timeline"):
            for shown in ("thoughts", "everything"):
                answer = (await reader.get(f"/s/{key}/rows?view={view}&shown={shown}")).json
                widths = re.findall(r'"svg", {[^}]*"width": "([^"]+)"', texts(answer))
                assert min(map(float, widths)) >= 0

    place.read(use)


def test_in_a_browser_v_shows_native_reasoning_and_a_new_line_appears(place: Place, tmp_path: Path) -> None:
    lay_out("claude/agents", place.home)
    environ = {"XDG_RUNTIME_DIR": str(place.runtime), "HOME": str(place.home), "SEQTHINK_HOME": str(place.journals)}
    with running_web("--sources", "journal,claude", environ=environ) as web, browser(tmp_path / "browser") as page:
        page.visit(web.url)
        page.until("document.querySelector('a.one') !== null")
        page.visit(
            page.ask("document.querySelector('a.one').href")
        )  # a click may miss a row of a list that still fills
        page.until(f"{ROWS}?.includes({json.dumps(FIRST)})")
        counted = page.ask("document.getElementById('position').innerText")
        assert "Nothing is new since." not in page.ask(ROWS)
        page.press("v")
        page.until(f"{ROWS}.includes('Nothing is new since.')")
        page.until(f"document.getElementById('position').innerText !== {json.dumps(counted)}")
        page.press("v")
        page.until(f"!{ROWS}.includes('Nothing is new since.')")
        page.until(f"document.getElementById('position').innerText === {json.dumps(counted)}")
        append_prompt(place.home, "And why at noon?")
        page.press("G")
        page.until(f"{ROWS}.includes('And why at noon?')")
        assert page.complaints == []


def until_rows(web: RunningWeb, key: str, words: str) -> None:
    """Wait until the rows of a session have these words."""
    end, answer = time.monotonic() + TIMEOUT_SECONDS, None
    for delay in rests():
        answer = web.get(f"/s/{key}/rows")
        if words in texts(answer):
            return
        assert time.monotonic() < end, answer
        time.sleep(delay)  # noqa: TID251 - looks again at what another process does


@pytest.mark.parametrize("sources", first(1, ["journal", "claude"]))
def test_a_transcript_that_the_command_line_names_is_live(sources: str, place: Place, tmp_path: Path) -> None:
    path = tmp_path / "copy.jsonl"
    path.write_bytes(claude.user("u1", None, "Why do we see 502s?") + b"\n")
    environ = {"XDG_RUNTIME_DIR": str(place.runtime), "HOME": str(place.home), "SEQTHINK_HOME": str(place.journals)}

    with running_web(str(path), "--sources", sources, environ=environ) as web:
        web.enter()
        key = f"claude-{claude.SESSION}"
        until_rows(web, key, "Why do we see 502s?")
        with path.open("ab") as file:
            file.write(claude.user("u2", "u1", "And at noon?") + b"\n")
        until_rows(web, key, "And at noon?")


HOLD_BACK = """(() => {
  const fetched = window.fetch;
  window.heldBack = [];
  window.askedAgain = 0;
  window.fetch = async (address, rest) => {
    const answer = await fetched(address, rest), isState = /\\/state(\\?|$)/.test(String(address));
    if (isState && String(address).includes("shown=")) window.askedAgain += 1;
    else if (isState) await new Promise((go) => window.heldBack.push(go));
    return answer;
  };
  return true;
})()"""
"""Holds back what the server says about the session as it is shown by default."""
COUNT = "document.getElementById('position').innerText.split(' ')[0]"
RECORD_COUNTS = f"""(() => {{
  window.counts = [];
  const watch = new MutationObserver(() => window.counts.push({COUNT}));
  watch.observe(document.getElementById('position'), {{childList: true, characterData: true, subtree: true}});
  return true;
}})()"""


@pytest.mark.deep  # a browser of its own; `v` is pressed above
def test_in_a_browser_an_answer_that_comes_late_does_not_undo_what_v_shows(place: Place, tmp_path: Path) -> None:
    lay_out("claude/agents", place.home)
    environ = {"XDG_RUNTIME_DIR": str(place.runtime), "HOME": str(place.home), "SEQTHINK_HOME": str(place.journals)}
    with running_web("--sources", "journal,claude", environ=environ) as web, browser(tmp_path / "browser") as page:
        page.visit(web.url)
        page.until("document.querySelector('a.one') !== null")
        page.visit(page.ask("document.querySelector('a.one').href"))
        page.until(f"{ROWS}?.includes({json.dumps(FIRST)})")
        counted = page.ask(COUNT)
        page.ask(HOLD_BACK)
        append_prompt(place.home, "And why at noon?")
        page.until("window.heldBack.length > 0")
        page.press("v")
        page.until("window.askedAgain > 0")
        page.until(f"{COUNT} !== {json.dumps(counted)}")
        page.ask(RECORD_COUNTS)
        before = page.ask("window.askedAgain")
        page.ask("window.heldBack.forEach((go) => go()) ?? true")

        page.until(f"window.askedAgain > {before}")
        assert counted not in page.ask("window.counts")
        assert page.complaints == []
