"""The live page without a mouse, without eyes, and without motion."""

import re
from typing import Any

import pytest

from seqthink.share.export.html import page_style
from tests.support.depth import first
from tests.support.web.live_scenes import SCENES, LiveScenes

FOCUSED = """(() => {
  const one = document.activeElement, places = (window.places ??= new Map());
  if (!places.has(one)) places.set(one, places.size);
  const style = getComputedStyle(one), box = one.getBoundingClientRect();
  const row = one.id === "rows" && one.querySelector("[aria-selected=true] .row");
  return {
    is_page: one === document.body, place: places.get(one),
    order: [...document.querySelectorAll("*")].indexOf(one), id: one.id, href: one.getAttribute("href") ?? "",
    ring: (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2)
      || (!!row && getComputedStyle(row).boxShadow !== "none"),
    is_visible: box.width > 1 && box.height > 1 && box.bottom > 0 && box.top < innerHeight,
  };
})()"""
# What can be operated: everything of these that is seen, apart from rows, which are one stop.
OPERABLE = """[...document.querySelectorAll("a[href], button, input, summary, [role=slider], [role=tree]")].filter(
  (one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.tabIndex >= 0).length"""
NAMELESS = """[...document.querySelectorAll("button, input, a[href], [role=slider], [role=tree], dialog")].filter(
  (one) => one.checkVisibility() && !(one.ariaLabel || one.textContent.trim())).map((one) => one.outerHTML)"""
ITEMS = """[document.querySelector("#rows").getAttribute("aria-activedescendant"),
  [...document.querySelectorAll("#rows [role=treeitem]")].map((one) => Object.fromEntries(
    [...one.attributes].map(({ name, value }) => [name, value])))]"""
MOVING = """document.getAnimations().length + [...document.querySelectorAll("*")].filter((one) => {
  const style = getComputedStyle(one);
  return style.scrollBehavior === "smooth" || style.transitionDuration !== "0s" || style.animationName !== "none";
}).length"""

TABBED = (
    "list", "list, empty", "list, filtered with hits", "tree", "thought with everything", "changes", "replay",
    "rows at 390 pixels", "reading at 390 pixels", "no such session",
)  # fmt: skip


def stops(scenes: LiveScenes) -> list[dict[str, Any]]:
    """Return what Tab alone reaches, in its order, from the beginning of the page."""
    page = scenes.page
    around: list[dict[str, Any]] = []
    while not around or around[-1]["place"] not in [stop["place"] for stop in around[:-1]]:
        page.press("Tab")
        around.append(page.ask(FOCUSED))
        assert len(around) < 100
    # Tab goes around: between the last and the first may come the page itself, for the browser's own controls
    once = [stop for stop in around[:-1] if not stop["is_page"]]
    start = min(range(len(once)), key=lambda number: once[number]["order"])
    return once[start:] + once[:start]


@pytest.mark.parametrize("name", first(2, TABBED))
def test_tab_reaches_everything_and_shows_where_it_is(scenes: LiveScenes, name: str) -> None:
    page = scenes.open(name)
    count = page.ask(OPERABLE)
    found = stops(scenes)
    scrolled = {stop["id"] for stop in found} & {"thought"}

    assert len([stop for stop in found if stop["id"] not in scrolled]) >= count > 0
    assert [stop for stop in found if not (stop["ring"] and stop["is_visible"])] == []


def test_tab_goes_from_the_bar_to_the_rows_to_the_thought_to_the_time(scenes: LiveScenes) -> None:
    scenes.open("tree")
    ids = [stop["id"] for stop in stops(scenes) if stop["id"]]

    wanted = ["home", "find", "tree", "timeline", "help", "rows", "earlier", "copy", "plot", "play", "speed", "time"]
    assert [one for one in ids if one in wanted] == wanted


@pytest.mark.parametrize("name", first(2, [name for name in SCENES if name != "exported file"]))
def test_every_control_has_a_name(scenes: LiveScenes, name: str) -> None:
    assert scenes.open(name).ask(NAMELESS) == []


@pytest.mark.parametrize(
    "name", first(1, ["timeline", "thought with everything", "tree", "tree that goes on", "replay"])
)
def test_the_rows_are_a_tree_for_a_screen_reader(scenes: LiveScenes, name: str) -> None:
    page = scenes.open(name)
    page.until("!!document.getElementById(document.querySelector('#rows').getAttribute('aria-activedescendant'))")
    active, items = page.ask(ITEMS)
    selected = [item["id"] for item in items if item["aria-selected"] == "true"]

    assert page.ask("document.querySelector('#rows').getAttribute('role')") == "tree"
    assert selected == [active]
    assert all(int(item["aria-level"]) >= 1 and "aria-setsize" in item for item in items)
    placed = [(int(item["aria-posinset"]), int(item["aria-setsize"])) for item in items if "aria-posinset" in item]
    assert placed
    assert all(1 <= place <= size for place, size in placed)
    assert page.ask("document.querySelectorAll('#rows > #sizer > :not([role=treeitem])').length") == 0


def test_a_branch_says_whether_it_is_open(scenes: LiveScenes) -> None:
    page = scenes.open("tree")
    branch = "document.querySelector('#rows [aria-expanded]')"

    assert page.ask(f"{branch}.ariaExpanded") == "true"
    assert page.ask(f"+{branch}.nextElementSibling.ariaLevel") >= 1
    page.click("#rows [aria-expanded]")
    page.until(f"{branch}.ariaExpanded === 'false'")
    page.press("l")
    page.until(f"{branch}.ariaExpanded === 'true'")


def test_the_help_keeps_the_focus_and_gives_it_back(scenes: LiveScenes) -> None:
    page = scenes.open("tree")
    page.ask("document.querySelector('#help').focus()")
    page.press("Enter")
    page.until("document.querySelector('dialog').open")
    for _ in range(5):
        page.press("Tab")
        assert page.ask("document.activeElement.closest('dialog') !== null || document.activeElement === document.body")
    page.press("Escape")
    page.until("!document.querySelector('dialog').open")

    assert page.ask("document.activeElement.id") == "help"


def test_the_link_at_the_beginning_leads_past_the_rows(scenes: LiveScenes) -> None:
    page = scenes.open("tree")
    first = stops(scenes)[0]
    page.ask("document.querySelector('.skip').focus()")
    page.press("Enter")
    page.until("document.activeElement.id === 'thought'")

    assert first["href"] == "#thought"


def test_news_is_said_politely(scenes: LiveScenes) -> None:
    for name in ("list", "tree"):
        page = scenes.open(name)
        spoken = page.ask("[...document.querySelectorAll('[role=status], [aria-live]')].map((one) => one.id)")

        assert spoken == ["banner", "news"]
        assert page.ask("document.querySelectorAll('[aria-live=assertive], [role=alert]').length") == 0
        # rows and the thought change all the time: they are read when the reader goes there
        assert page.ask("document.querySelector('[role=status] [role=tree], [role=status] #thought')") is None


@pytest.mark.parametrize("name", first(1, SCENES))
def test_nothing_moves_for_those_who_want_less_motion(scenes: LiveScenes, name: str) -> None:
    assert scenes.open(name).ask(MOVING) == 0


def test_motion_is_asked_for_in_one_place() -> None:
    style = re.sub(r"@keyframes [a-z]+ \{.*\}\n", "", str(page_style()))
    calm, _, rest = style.partition("@media (prefers-reduced-motion: no-preference) {")
    rest = rest.partition("\n}")[2]

    assert not re.findall(r"[;{ ](?:animation|transition|scroll-behavior):", calm + rest)
