"""What of a session the user chose to see is remembered from one viewer to the next."""

from pathlib import Path

import pytest

from seqthink.library.viewer_store.record_file import MIN_OUTDATED_LINES, RecordFile
from seqthink.library.viewer_store.shown_choices import ShownChoice, ShownChoices
from tests.support.journals.build import JournalBuilder
from tests.support.screens.screen_text import running_viewer, settings_of

SIZE = (80, 24)


def plain_session(path: Path) -> Path:
    """Write a session whose agent calls no thinking tool."""
    builder = JournalBuilder().session(title="plain")
    builder.event("prompt", {"text": "why is it slow?", "id": "p"}).event(
        "remark", {"text": "It reads twice.", "id": "r"}
    )
    return builder.event("turn", {"text": "mended", "id": "t"}).write(path)


async def test_the_next_viewer_shows_a_session_as_the_user_chose_to_see_it(tmp_path: Path) -> None:
    path, store = plain_session(tmp_path / "a.jsonl"), tmp_path / "viewer"
    async with running_viewer(path, SIZE, settings_of(tmp_path, viewer_folder=store)) as stage:
        await stage.shows("It reads twice.")
        await stage.press("v")
        await stage.shows("thoughts only")
        await stage.until(lambda: ShownChoices(store).of("a").shown == "thoughts")

    async with running_viewer(path, SIZE, settings_of(tmp_path, viewer_folder=store)) as stage:
        await stage.shows("why is it slow?")

        assert "It reads twice." not in stage.text


@pytest.mark.parametrize("line", ["", "{", '{"session":"a","shown":"all of it"}', '{"session":"a","shown":7}', "[1]"])
async def test_a_choice_that_cannot_be_read_is_as_if_nothing_was_chosen(tmp_path: Path, line: str) -> None:
    path, store = plain_session(tmp_path / "a.jsonl"), tmp_path / "viewer"
    store.mkdir(mode=0o700)
    (store / "shown.jsonl").write_text(line + "\n", encoding="utf-8")

    async with running_viewer(path, SIZE, settings_of(tmp_path, viewer_folder=store)) as stage:
        await stage.shows("It reads twice.")


def test_outdated_choices_are_removed_from_the_file(tmp_path: Path) -> None:
    file = RecordFile(tmp_path / "shown.jsonl")
    file.append({"session": "a", "shown": "words"} for _ in range(MIN_OUTDATED_LINES + 2))
    ShownChoices(tmp_path).choose("a", ShownChoice(shown="thoughts"))

    assert file.read() == [{"session": "a", "shown": "thoughts"}]
