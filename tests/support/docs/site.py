"""The pages as a static site in `build/site`: ``python -m tests.support.docs.site``, or ``make site``.

Zensical builds it from a copy in which each page keeps its place in the repository, so that links are the same.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tomlkit

from tests.conftest import PROJECT
from tests.support.docs.pages import DOCS, Page, mapped_pages, pages

BUILD = PROJECT / "build"
GENERATOR = PROJECT / ".venv-site" / "bin" / "zensical"
"""Where `.ci/site` installs it."""
CONFIG = PROJECT / ".ci" / "zensical.toml"
STYLE = CONFIG.with_name("site.css")
PROJECT_PAGES = {"Contributing": "CONTRIBUTING.md", "Security": "SECURITY.md", "Changes": "CHANGELOG.md"}
"""Pages at the top of the repository that are pages of the site, with their titles in its navigation."""

_TABLE_ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
_CODE = re.compile(r"``.+?``|`[^`]+`")


def site_pages() -> list[Page]:
    """Return all pages of the site; README.md is its first."""
    return [*(Page(PROJECT / name) for name in ("README.md", *PROJECT_PAGES.values())), *pages()]


def navigation() -> list[dict[str, Any]]:
    """Return what leads to each page: the map of `docs/README.md`, and the project's own pages."""
    kinds = [
        {kind: [{entry.title: f"{DOCS.name}/{entry.path}"} for entry in entries]}
        for kind, entries in mapped_pages().items()
    ]
    project = [{title: path} for title, path in PROJECT_PAGES.items()]
    return [{"seqthink": "README.md"}, {"All pages": f"{DOCS.name}/README.md"}, *kinds, {"Project": project}]


def linked_files(shown: Iterable[Page]) -> set[Path]:
    """Return the files that pages link to or show, themselves not among the pages."""
    links = {(one.path.parent / link.partition("#")[0]).resolve() for one in shown for link in one.links}
    return {path for path in links if path.is_file()} - {one.path for one in shown}


def unescaped(text: str) -> str:
    """Return a page's ``text`` with plain bars in the code of its tables, which only hosts want escaped."""
    return _TABLE_ROW.sub(lambda row: _CODE.sub(lambda code: code[0].replace("\\|", "|"), row[0]), text)


def lay_out(folder: Path) -> None:
    """Copy what the site is built from into ``folder``."""
    shown = site_pages()
    shutil.rmtree(folder / "pages", ignore_errors=True)
    for path in (*(one.path for one in shown), *linked_files(shown)):
        copy = folder / "pages" / path.relative_to(PROJECT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(unescaped(path.read_text("utf-8")).encode() if path.suffix == ".md" else path.read_bytes())
    shutil.copyfile(STYLE, folder / "pages" / STYLE.name)
    config = tomlkit.parse(CONFIG.read_text(encoding="utf-8"))
    config["project"]["nav"] = navigation()  # pyright: ignore[reportIndexIssue] - it is a table
    (folder / CONFIG.name).write_text(config.as_string(), encoding="utf-8")


def build(folder: Path) -> str:
    """Build the site of what is laid out in ``folder``; return what is wrong, such as a link that leads nowhere."""
    command = [GENERATOR, "build", "--strict", "--clean", "-f", str(folder / CONFIG.name)]
    done = subprocess.run(
        command, env=os.environ | {"NO_COLOR": "1"}, capture_output=True, check=False, encoding="utf-8"
    )
    return done.stdout + done.stderr if done.returncode else ""


if __name__ == "__main__":
    lay_out(BUILD)
    sys.exit(build(BUILD) or None)
