"""A long journal while it is being read: its end is on the screen, the keys answer, and the tree takes its place."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import anyio
import pytest

from seqthink.journal.follow import follow
from seqthink.journal.reader import Batch
from seqthink.library.places.folder import FolderPlace
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.screens.screen_text import Stage, running_viewer, settings_of
from tui.session_view import loader
from tui.sessions import journal_tail
from tui.state.landing import Beginning, Landing

HEADING = "earlier thoughts are being read"
NARROW, WIDE = (44, 20), (120, 35)
LENGTH = 400


class Gate:
    """Lets a journal be read up to a certain number of slices, and the rest when it is opened."""

    def __init__(self) -> None:
        self.slices = 2
        self.is_open = anyio.Event()
        self.moved = anyio.Event()

    def let_one_through(self) -> None:
        """Let one more slice be read, but never the last one."""
        self.slices = min(self.slices + 1, 12)
        self.moved.set()
        self.moved = anyio.Event()

    def open(self) -> None:
        """Let everything be read."""
        self.is_open.set()
        self.moved.set()

    async def follow(self, path: Path, **options: object) -> AsyncGenerator[Batch]:
        given = 0
        async for batch in follow(path, slice_bytes=1 << 12, **options):  # pyright: ignore[reportArgumentType] - as it was called
            given += 1
            while given > self.slices and not self.is_open.is_set():
                await self.moved.wait()
            yield batch


@pytest.fixture(autouse=True)
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    made = Gate()
    monkeypatch.setattr(loader, "follow", made.follow)
    monkeypatch.setattr(loader, "OPENING_REPORT_SECONDS", 0)
    monkeypatch.setattr(journal_tail, "MIN_JOURNAL_BYTES", 1)
    monkeypatch.setattr(journal_tail, "TAIL_BYTES", 1 << 13)
    return made


def straight(length: int = LENGTH, *, is_over: bool = False) -> JournalBuilder:
    journal = JournalBuilder().session()
    for number in range(1, length + 1):
        is_last = is_over and number == length
        journal.thought(f"Step {number} of a long chain", number, length if is_over else 2 * length, next=not is_last)
    return journal


async def read_all(stage: Stage, gate: Gate) -> None:
    gate.open()
    await stage.until(lambda: stage.app.is_ready and HEADING not in stage.text)
    await stage.pilot.pause()


def line_of(stage: Stage) -> int:
    return stage.lines.index(stage.cursor)


@pytest.mark.parametrize("size", first(1, [WIDE, NARROW, (80, 24), (200, 60)]))
@pytest.mark.parametrize("is_over", [True, False])
@pytest.mark.parametrize("keys", first(1, [(), ("k", "k", "k"), ("pageup", "pageup", "j")]))
async def test_the_same_thought_stays_in_the_same_line(
    tmp_path: Path, gate: Gate, size: tuple[int, int], is_over: bool, keys: tuple[str, ...]
) -> None:
    path = straight(is_over=is_over).write(tmp_path / "a.jsonl")
    async with running_viewer(path, size, settings_of(tmp_path), is_ready=False) as stage:
        await stage.shows(HEADING, f"Step {LENGTH}")
        await stage.press(*keys)
        before, text = line_of(stage), stage.cursor.split("Step ")[1].split()[0]
        assert HEADING in stage.text
        await read_all(stage, gate)

        assert (line_of(stage), stage.cursor.split("Step ")[1].split()[0]) == (before, text)
        assert stage.session.state.viewport.is_following == (not keys)


async def test_nothing_is_said_that_the_lines_do_not_prove(tmp_path: Path, gate: Gate) -> None:
    journal = straight(40)
    journal.thought("The cache again", 7, 9, revises=3).thought("On a branch", 41, 50, branch="cache", from_=2)
    journal.thought("The same number twice", 41, 50).thought("After a gap", 99, 50)
    path = journal.write(tmp_path / "a.jsonl")
    async with running_viewer(path, (80, 24), settings_of(tmp_path), is_ready=False) as stage:
        await stage.shows(HEADING)
        rows = [line for line in stage.lines if "●" in line or "↺" in line]

        assert any(re.search(r"↺ +7 +The cache again .*↺3", row) for row in rows)
        assert any("cache: On a branch" in row for row in rows)
        for sign in ("╭", "├", "╰", "missing", "×", "→", "expected", "⋮"):
            assert not any(sign in row for row in rows), sign
        await read_all(stage, gate)
        assert "missing" in stage.text


async def test_the_text_pane_shows_the_selected_thought(tmp_path: Path) -> None:
    journal = straight()
    journal.thought("# The **end**\n\nwith a second paragraph", LENGTH + 1, 2 * LENGTH)
    path = journal.write(tmp_path / "a.jsonl")
    async with running_viewer(path, (80, 24), settings_of(tmp_path), is_ready=False) as stage:
        await stage.shows(HEADING, "with a second paragraph", "── 401")
        assert "**end**" not in stage.text.split("── 401")[1]
        await stage.press("m")
        assert "**end**" in stage.text
        await stage.press("m", "enter")
        assert HEADING not in stage.text
        assert "with a second paragraph" in stage.text
        await stage.press("q")
        assert HEADING in stage.text


@pytest.mark.parametrize(
    "key",
    first(
        2,
        ["g", "slash", "t", "v", "d", "x", "5", "home", "h", "l", "H", "L", "ampersand", "r", "b", "y", "Y", "n", "N",
         "comma", "left_square_bracket", "greater_than_sign", "S", "o", "i"],
    ),
)  # fmt: skip
async def test_a_key_that_needs_all_of_the_session_says_why_it_does_nothing(
    tmp_path: Path, gate: Gate, key: str
) -> None:
    path = straight().write(tmp_path / "a.jsonl")
    async with running_viewer(path, NARROW, settings_of(tmp_path), is_ready=False) as stage:
        await stage.shows(HEADING)
        await stage.press(key)
        assert "still reading: " in stage.text
        assert f"Step {LENGTH}" in stage.cursor
        await read_all(stage, gate)
        assert "still reading" not in stage.text


@pytest.mark.deep  # two things at once, each of which is tried alone
async def test_other_screens_open_and_close_meanwhile(tmp_path: Path) -> None:
    path = straight().write(tmp_path / "a.jsonl")
    async with running_viewer(path, (80, 24), settings_of(tmp_path), is_ready=False) as stage:
        await stage.shows(HEADING)
        for key, back, words in (("question_mark", "q", "Signs"), ("s", "q", "sessions"), ("F", "escape", "Find")):
            await stage.press(key)
            await stage.until(lambda words=words: words.lower() in stage.text.lower())
            await stage.press(back)
            await stage.shows(HEADING)


async def test_space_and_f_hold_and_follow(tmp_path: Path) -> None:
    path = straight().write(tmp_path / "a.jsonl")
    async with running_viewer(path, WIDE, settings_of(tmp_path), is_ready=False) as stage:
        await stage.shows(HEADING, "following")
        assert "held" in await stage.press("space")
        assert "following" in await stage.press("space")
        await stage.press("k", "k")
        assert "held" in stage.text
        assert f"Step {LENGTH - 2}" in stage.cursor
        assert "following" in await stage.press("f")
        assert f"Step {LENGTH} " in stage.cursor
        await stage.press("G")
        assert "held" in stage.text


async def test_the_mouse_selects_and_scrolls(tmp_path: Path) -> None:
    path = straight().write(tmp_path / "a.jsonl")
    async with running_viewer(path, (80, 24), settings_of(tmp_path), is_ready=False) as stage:
        await stage.shows(HEADING)
        clicked = stage.lines[4].split("Step ")[1].split()[0]
        await stage.pilot.click(offset=(10, 4))
        await stage.until(lambda: f"Step {clicked} " in stage.cursor)
        await stage.pilot.click(offset=(10, 1))
        assert f"Step {clicked} " in stage.cursor, "the line that counts is no row"


async def test_what_is_appended_meanwhile_is_followed(tmp_path: Path, gate: Gate) -> None:
    journal = straight()
    path = journal.write(tmp_path / "a.jsonl")
    async with running_viewer(path, (80, 24), settings_of(tmp_path), is_ready=False) as stage:
        await stage.shows(HEADING, f"Step {LENGTH}")
        before = len(journal.data)
        journal.thought("A newer one", LENGTH + 1, 2 * LENGTH)
        with path.open("ab") as file:
            file.write(journal.data[before:])
        gate.let_one_through()  # each report of the progress looks at the end again
        await stage.until(lambda: gate.let_one_through() or "A newer one" in stage.cursor)
        assert HEADING in stage.text
        await read_all(stage, gate)
        assert "A newer one" in stage.cursor


@pytest.mark.parametrize("cut", first(1, [0.5, 0.0]))
async def test_a_journal_that_is_cut_off_meanwhile_is_shown_as_it_is(tmp_path: Path, gate: Gate, cut: float) -> None:
    path = straight().write(tmp_path / "a.jsonl")
    async with running_viewer(path, (80, 24), settings_of(tmp_path), is_ready=False) as stage:
        await stage.shows(HEADING)
        data = path.read_bytes()
        other = straight(30).data if not cut else data[: int(len(data) * cut)]
        path.with_name("other").write_bytes(other)
        path.with_name("other").replace(path)
        gate.open()
        await stage.until(lambda: stage.app.is_ready and HEADING not in stage.text)
        newest = 30 if not cut else None
        assert newest is None or "Step 30" in stage.text


async def test_a_journal_that_is_deleted_meanwhile_leaves_what_was_read(tmp_path: Path, gate: Gate) -> None:
    path = straight().write(tmp_path / "a.jsonl")
    async with running_viewer(path, (80, 24), settings_of(tmp_path), is_ready=False) as stage:
        await stage.shows(HEADING)
        path.unlink()
        gate.open()
        await stage.shows("the journal is gone")
        assert HEADING not in stage.text


@pytest.mark.parametrize(
    ("more", "has_tail"),
    first(
        2,
        [
            ({"is_replay": True, "replay_at": 0}, True),
            ({"is_replay": True, "replay_at": None}, False),
            ({"is_replay": True, "replay_at": 3}, False),
            ({"is_replay": True, "replay_at": 10_000}, False),
            ({"beginning": Beginning(landing=Landing(seq=5))}, False),
            ({"is_replay": True, "beginning": Beginning(landing=Landing(number=7))}, False),
        ],
        is_unpacked=True,
    ),
)
async def test_it_is_shown_only_where_the_end_is_what_will_be_shown(
    tmp_path: Path, gate: Gate, more: dict[str, Any], has_tail: bool
) -> None:
    path = straight().write(tmp_path / "a.jsonl")
    async with running_viewer(path, (80, 24), settings_of(tmp_path, **more), is_ready=False) as stage:
        await stage.shows("opening")
        assert (stage.session.state.tail is not None) == has_tail
        gate.open()
        await stage.until(lambda: stage.app.is_ready)
        assert stage.session.state.tail is None


async def test_space_does_not_play_a_replay_of_which_only_the_end_is_known(tmp_path: Path, gate: Gate) -> None:
    path = straight().write(tmp_path / "a.jsonl")
    settings = settings_of(tmp_path, is_replay=True, replay_at=0)
    async with running_viewer(path, (80, 24), settings, is_ready=False) as stage:
        await stage.shows(HEADING)
        assert "still reading" in await stage.press("space")
        assert not stage.session.state.playback.is_playing
        await read_all(stage, gate)
        assert f"{LENGTH} thoughts" in stage.text


@pytest.mark.deep  # transcripts have tests of their own
async def test_the_translation_of_a_transcript_has_none(
    tmp_path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FolderPlace, "is_translated", True)
    path = straight().write(tmp_path / "a.jsonl")
    async with running_viewer(path, (80, 24), settings_of(tmp_path), is_ready=False) as stage:
        assert stage.session.state.tail is None
        gate.open()
        await stage.until(lambda: stage.app.is_ready)


@pytest.mark.deep  # two things at once, each of which is tried alone
async def test_another_session_that_is_chosen_meanwhile_takes_its_place(tmp_path: Path, gate: Gate) -> None:
    path, other = straight().write(tmp_path / "a.jsonl"), straight(300).write(tmp_path / "b.jsonl")
    async with running_viewer(path, (80, 24), settings_of(tmp_path), is_ready=False) as stage:
        await stage.shows(HEADING, f"Step {LENGTH}")
        stage.session.switcher.choose(other)
        await stage.shows(HEADING, "Step 300")
        assert f"Step {LENGTH}" not in stage.text
        await read_all(stage, gate)
        assert "Step 300" in stage.cursor


@pytest.mark.parametrize("size", first(1, [(30, 1), (40, 12), (100, 12), (39, 3), (44, 14), (99, 12)]))
async def test_it_fits_on_any_screen(tmp_path: Path, gate: Gate, size: tuple[int, int]) -> None:
    path = straight().write(tmp_path / "a.jsonl")
    async with running_viewer(path, WIDE, settings_of(tmp_path), is_ready=False) as stage:
        await stage.shows(HEADING)
        await stage.resize(*size)
        await stage.until(lambda: all(len(line) <= size[0] for line in stage.lines))
        await stage.press("k", "pageup", "j", "G")
        await stage.resize(*WIDE)
        assert f"Step {LENGTH}" in stage.cursor
        await read_all(stage, gate)
        assert f"Step {LENGTH}" in stage.cursor


async def test_it_looks_as_the_page_draws_it(tmp_path: Path) -> None:
    journal = straight(380)
    journal.thought("The pool again: it was sized for the old timeout", 381, 800, revises=7)
    journal.thought("What if the job ran at :30?", 382, 800, branch="move-the-job", from_=12)
    path = journal.write(tmp_path / "a.jsonl")
    async with running_viewer(path, (56, 18), settings_of(tmp_path), is_ready=False) as stage:
        await stage.shows(HEADING, "move-the-job")
        drawn = re.sub(r"\d+ %", "40 %", re.sub(r"\d+ thoughts", "152 thoughts", stage.text))

    page = Path(__file__).parents[3].joinpath("docs/screens.md").read_text(encoding="utf-8")
    assert without_padding(drawn) in without_padding(page)


def without_padding(text: str) -> str:
    return re.sub(r" +", " ", text)
