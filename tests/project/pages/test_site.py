"""The pages build as a site: each link and anchor opens, and no page loads anything from elsewhere."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typing_extensions import override

from tests.support.docs.site import GENERATOR, build, lay_out, site_pages

pytestmark = [
    pytest.mark.slow,  # a site is built
    pytest.mark.skipif(not GENERATOR.exists(), reason="`make site` has not installed the generator"),
]

LOADING = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}
"""Elements that make a browser load something, and the attribute that names it."""


class _Loaded(HTMLParser):
    """Lists what a page makes a browser load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(text)

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        address = dict(attrs).get(LOADING.get(tag, ""))
        if address:
            self.addresses.append(address)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the laid out pages and the site of them."""
    folder = tmp_path_factory.mktemp("built")
    lay_out(folder)
    assert build(folder) == ""
    return folder


def test_every_page_is_on_the_site_and_loads_files_of_the_site_only(site: Path) -> None:
    built = sorted((site / "site").rglob("*.html"))
    loads = {(page, address) for page in built for address in _Loaded(page.read_text(encoding="utf-8")).addresses}
    local = {(page, address) for page, address in loads if not re.match(r"[a-z]+:|//", address)}

    assert len(built) > len(site_pages())
    assert sorted(address for _, address in loads - local) == []
    assert [
        (page.name, address)
        for page, address in sorted(local)
        if page.name != "404.html" and not (page.parent / re.split(r"[?#]", address)[0]).is_file()
    ] == []


def test_a_code_in_a_table_has_its_bars_and_a_drawing_its_lines(site: Path) -> None:
    commands = (site / "site/docs/commands.html").read_text(encoding="utf-8")
    screens = (site / "site/docs/screens.html").read_text(encoding="utf-8")

    assert "<code>--fsync never|always</code>" in commands
    assert "```" not in screens
    assert screens.count("<pre>") > 40


def test_a_link_and_an_anchor_that_lead_nowhere_are_found(site: Path, tmp_path: Path) -> None:
    pages = tmp_path / "pages" / "docs"
    pages.mkdir(parents=True)
    (pages.parent / "README.md").write_text("# One\n\n[Two](docs/nowhere.md)\n[Three](docs/a.md#nothing)\n", "utf-8")
    (pages / "a.md").write_text("# A\n", "utf-8")
    config = (site / "zensical.toml").read_text("utf-8")
    (tmp_path / "zensical.toml").write_text(re.sub(r"^nav = .*$", "", config, flags=re.MULTILINE), "utf-8")

    wrong = build(tmp_path)

    assert "README.md:3" in wrong
    assert "README.md:4" in wrong
