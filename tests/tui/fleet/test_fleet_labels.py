"""Names, tags and comments of other machines."""

from seqthink.core.labels import MAX_LABELS_BYTES, Comment, SessionLabels, labels_text
from tests.tui.fleet.conftest import Fleet

THEIRS = SessionLabels(
    name="Hourly 502s",
    tags=("prod", "t\x1b[2J"),
    is_pinned=True,
    comments=(Comment(seq=3, number=2, text="It was the \u202ecache", by="bo@lab\x07", time=1),),
)


async def test_what_people_say_elsewhere_is_shown_as_theirs(fleet: Fleet) -> None:
    fleet.put("lab-bbbbbb", "one", labels=labels_text(THEIRS))
    async with fleet.viewer(shown="one") as stage:
        await stage.shows("Hourly 502s")
        await stage.press("k")
        await stage.shows("✎ comment by bo@lab", "│ It was the")
        await stage.press("B", *"mine", "enter")
        await stage.shows("✎ your comment", "✎ comment by bo@lab")
        await stage.press("s")
        await stage.shows("Hourly 502s #prod")
        assert "⚑" not in stage.text
        assert not {"\x1b", "\u202e", "\x07"} & set(stage.text)


async def test_labels_that_make_no_sense_change_nothing(fleet: Fleet) -> None:
    fleet.put("lab-bbbbbb", "one", labels='{"name": 3, "tags": {}, "comments": [[[')
    fleet.put("lab-bbbbbb", "two", labels='{"name": "' + "x" * MAX_LABELS_BYTES + '"}')
    async with fleet.viewer(shown="one") as stage:
        await stage.press("s")
        await stage.shows("one", "two")
        assert "xxx" not in stage.text
