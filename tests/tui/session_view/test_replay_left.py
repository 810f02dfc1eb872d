"""A replay that was left for another session stands where it stood."""

from pathlib import Path

from tests.support.journals.build import SESSION, JournalBuilder, shop_api
from tests.support.screens.screen_text import running_viewer, settings_of

WIDE = (120, 30)


async def test_a_replay_resumes_at_its_position(tmp_path: Path) -> None:
    other = "20260309T100000.000000Z-bbbbbb"
    JournalBuilder().session(session=other, title="other").thought("elsewhere").end().write(tmp_path / f"{other}.jsonl")
    shop = shop_api().write(tmp_path / f"{SESSION}.jsonl")
    async with running_viewer(shop, WIDE, settings_of(tmp_path, is_replay=True, replay_at=7)) as stage:
        await stage.press("s")
        await stage.until(lambda: "other" in stage.text)
        while "other" not in stage.cursor:
            await stage.press("j")
        await stage.press("enter")
        await stage.until(lambda: "elsewhere" in stage.text)
        await stage.press("s")
        await stage.until(lambda: "shop-api" in stage.cursor)
        await stage.press("enter")
        await stage.until(lambda: "of 11" in stage.lines[0])

        assert stage.lines[0].startswith("paused")
        assert "thought 7 of 11" in stage.lines[0]
