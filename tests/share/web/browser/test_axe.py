"""What axe-core finds on the pages: nothing, by WCAG 2.1 A and AA and its best practices."""

import json

import pytest

from tests.conftest import PROJECT
from tests.support.depth import first
from tests.support.web.live_scenes import SCENES, LiveScenes

AXE = PROJECT / ".venv" / "axe-core" / "axe.min.js"

pytestmark = pytest.mark.skipif(not AXE.exists(), reason=f"there is no axe-core at {AXE}")

RULES = {
    "resultTypes": ["violations"],
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]},
}
# The facts of a thought lead to others from within its summary. HTML allows that; below, that the links are there.
LINKS_IN_SUMMARIES = {"rules": {"nested-interactive": {"enabled": False}}}
FOUND = """axe.run(document, RULES).then(({ violations }) => violations.flatMap(
  ({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target}: ${failureSummary}`)))"""


@pytest.mark.parametrize("dark", first(1, [False, True]), ids=["light", "dark"])
@pytest.mark.parametrize("name", first(2, SCENES))
def test_axe_finds_nothing(scenes: LiveScenes, name: str, dark: bool) -> None:
    page = scenes.open(name, dark=dark)

    page.ask(AXE.read_text("utf-8"))  # by the protocol: the page's own policy lets no foreign script in

    rules = RULES | (LINKS_IN_SUMMARIES if name == "exported file" else {})
    assert page.ask(FOUND.replace("RULES", json.dumps(rules))) == []


def test_links_in_the_summaries_of_an_exported_file_are_links_for_everybody(scenes: LiveScenes) -> None:
    page = scenes.open("exported file")
    count = page.ask("document.querySelectorAll('main summary a').length")
    page.call("Accessibility.enable")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    page.call("Accessibility.disable")
    names = {node["nodeId"]: node for node in nodes}

    linked = [node for node in nodes if node.get("role", {}).get("value") == "link" and not node["ignored"]]
    in_summaries = [node for node in linked if names[node["parentId"]]["role"]["value"] == "DisclosureTriangle"]
    assert len(in_summaries) == count > 0
