"""The animated picture: each row is there while it was on the screen, and at no other time."""

import re
from xml.etree import ElementTree as ET

from seqthink.share.recordings.animated_svg import animated_svg
from seqthink.share.recordings.recording import REST_SECONDS, Recording
from tests.support.screens.recordings import MARKED, SURFACE, TEXT, small_recording

SVG = "{http://www.w3.org/2000/svg}"


def drawn(recording: Recording) -> ET.Element:
    return ET.fromstring("".join(animated_svg(recording)))


def words(group: ET.Element) -> list[str | None]:
    return [text.text for text in group.iter(f"{SVG}text")]


def test_a_row_is_seen_from_the_frame_that_has_it_until_the_one_that_has_not() -> None:
    root = drawn(small_recording())
    groups = {group.get("class"): words(group) for group in root.iter(f"{SVG}g")}
    style = root.findtext(f"{SVG}style") or ""
    seconds = 2.5 + REST_SECONDS

    assert groups == {"f0-1 f": [], "f0-3 f last": ["one"], "f1-2 f": ["two"], "f2-3 f last": ["three"]}
    start, stop = 1.5 / seconds * 100, 2.5 / seconds * 100
    assert (
        f"@keyframes f1-2{{0%{{visibility:hidden}}{start:.3f}%{{visibility:visible}}{stop:.3f}%{{visibility:hidden}}}}"
    ) in style
    assert f".f1-2{{animation:f1-2 {seconds:.2f}s step-end infinite}}" in style
    assert ".f0-3{" not in style


def test_who_prefers_no_motion_sees_the_last_frame() -> None:
    style = drawn(small_recording()).findtext(f"{SVG}style") or ""

    assert ".f{visibility:hidden}.last{visibility:visible}" in style
    assert "@media (prefers-reduced-motion: reduce){.f{animation:none}}" in style


def test_words_have_their_colours_and_their_cells() -> None:
    root = drawn(small_recording(said="目b"))
    texts = {text.text: text for text in root.iter(f"{SVG}text")}
    surfaces = [rect for rect in root.iter(f"{SVG}rect") if rect.get("fill") == MARKED.background]
    style = root.findtext(f"{SVG}style") or ""

    assert float(texts["目b"].get("textLength", "")) == 36.6
    assert float(texts["目b"].get("x", "")) - float(texts["one"].get("x", "")) == 24.4
    assert f".{texts['one'].get('class')}{{fill:{MARKED.colour};font-weight:700}}" in style
    assert f".{texts['目b'].get('class')}{{fill:{TEXT}}}" in style
    assert [rect.get("width") for rect in surfaces] == ["36.6", "97.6"]
    assert [rect.get("fill") for rect in root.iter(f"{SVG}rect")].count(SURFACE) == 1


def test_a_text_is_never_markup_and_the_picture_fetches_and_runs_nothing() -> None:
    recording = small_recording("</title><script>1</script>", said="<a&b")
    picture = "".join(animated_svg(recording))

    assert drawn(recording).findtext(f"{SVG}title") == recording.title
    assert "<a&b" in [text for group in drawn(recording).iter(f"{SVG}g") for text in words(group)]
    assert "<script" not in picture
    assert re.findall(r"url\(|href|@import|@font-face", picture) == []
