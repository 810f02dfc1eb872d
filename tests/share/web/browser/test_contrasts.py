"""The colours of the pages can be read: WCAG 2.1 AA, computed from the style sheet and as a browser draws them."""

import re
from collections.abc import Iterator

import pytest

from seqthink.share.export.html import page_style
from tests.support.depth import first
from tests.support.web.live_scenes import SCENES, LiveScenes

TEXT, LARGE_TEXT, SIGN = 4.5, 3.0, 3.0
SURFACES = ("page", "raised", "selected")
SIGNS = {"line"}
"""Roles that draw lines and signs; a text in them is drawn in another role."""

# Everything that has a text of its own and is seen, with the ratio of its colour to what lies behind it.
FAINT = """(() => {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const parsed = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (upper, lower) => (
    [0, 1, 2].map((part) => upper[part] * upper[3] + lower[part] * (1 - upper[3])).concat(1));
  const root = document.documentElement;
  root.style.outlineColor = "Canvas";
  const canvas = parsed(getComputedStyle(root).outlineColor);
  const behind = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      layers.push(parsed(getComputedStyle(one).backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reduceRight((lower, upper) => over(upper, lower), canvas);
  };
  const luminance = ([...parts]) => {
    const shares = parts.map((part) => part / 255);
    const [red, green, blue] = shares.map((one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratio = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((first, second) => first - second);
    return (high + 0.05) / (low + 0.05);
  };
  const faint = [];
  let count = 0;
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!own && !element.matches("input[placeholder]")) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const style = getComputedStyle(element, element.matches(":placeholder-shown") ? "::placeholder" : null);
    const paint = element.matches("svg text") ? style.fill : style.color;
    const surface = behind(element), found = ratio(over(parsed(paint), surface), surface);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    count += 1;
    if (found < (isLarge ? LARGE : SMALL)) faint.push(`${found.toFixed(2)} ${element.outerHTML.slice(0, 80)}`);
  }
  return [count, faint];
})()""".replace("LARGE", str(LARGE_TEXT)).replace("SMALL", str(TEXT))


def themes() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the custom properties of the light theme, the dark theme, and of print."""
    blocks = re.findall(r":root \{([^}]*)\}", str(page_style()))
    light, dark, printed = (dict(re.findall(r"--([a-z0-9-]+): *(#[0-9a-f]{3,6})", block)) for block in blocks)
    yield "light", light
    yield "dark", light | dark
    yield "print", light | printed


def luminance(colour: str) -> float:
    digits = colour.removeprefix("#")
    digits = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


THEMES = dict(themes())


@pytest.mark.parametrize("name", THEMES)
def test_every_role_can_be_read_on_every_surface(name: str) -> None:
    theme = THEMES[name]
    roles = theme.keys() - set(SURFACES)
    found = {(role, surface): ratio(theme[role], theme[surface]) for role in roles for surface in SURFACES}

    assert len(found) > 50
    assert {key: value for key, value in found.items() if value < (SIGN if key[0] in SIGNS else TEXT)} == {}


@pytest.mark.parametrize("name", THEMES)
def test_marked_words_buttons_and_focus_rings_can_be_seen(name: str) -> None:
    theme = THEMES[name]
    style = str(page_style())

    assert "::highlight(found) { background: var(--warn); color: var(--page) }" in style
    assert ":focus-visible { outline: 2px solid var(--accent)" in style
    assert ratio(theme["page"], theme["warn"]) >= TEXT
    assert ratio(theme["page"], theme["accent"]) >= TEXT
    assert min(ratio(theme["accent"], theme[surface]) for surface in SURFACES) >= SIGN


def test_a_text_is_drawn_in_no_colour_that_is_not_a_role() -> None:
    style = re.sub(r"/\*.*?\*/", "", str(page_style()))
    colours = set(re.findall(r"[{; ](?:color|fill|stroke): ([^;}]+?)(?: !important)? *[;}]", style))

    used = {colour for colour in colours if not re.fullmatch(r"var\(--[a-z0-9]+\)", colour)}
    assert used <= {"inherit", "currentColor", "none"}


@pytest.mark.parametrize("dark", first(1, [False, True]), ids=["light", "dark"])
@pytest.mark.parametrize("name", first(1, SCENES))
def test_every_text_on_the_page_can_be_read(scenes: LiveScenes, name: str, dark: bool) -> None:
    count, faint = scenes.open(name, dark=dark).ask(FAINT)

    assert count > 0
    assert faint == []
