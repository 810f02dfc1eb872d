"""The top of the repository holds what somebody put there on purpose, and nothing that a tool or a slip left behind."""

import re

from ruamel.yaml import YAML

from tests.conftest import PROJECT
from tests.project.test_project import tracked_texts
from tests.support.docs.pages import Page
from tests.support.docs.readme import codes

NAMED = {
    "the two programs, their tests, their pages": {"seqthink", "tui", "tests", "docs", "screenshots"},
    "what people read first": {
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "SECURITY.md",
    },
    "how it is built and checked": {".ci", ".gitignore", "Makefile", "pyproject.toml"},
    "the image": {".dockerignore", "Dockerfile", "compose.yaml"},
    "what GitHub reads": {".github"},
    "where hosts and registries look": {
        *(".agents", ".claude-plugin", "bundle", "gemini-extension.json", "manifest.json", "plugin", "server.json"),
    },
}
RELEASING = Page(PROJECT / "docs" / "releasing.md")


def test_the_top_of_the_repository_holds_what_is_named_and_nothing_else() -> None:
    held = {path.split("/")[0] for path in tracked_texts()}

    assert held == set[str]().union(*NAMED.values())


def test_what_the_page_about_releases_names_is_there() -> None:
    words = codes(RELEASING.prose)
    makefile = (PROJECT / "Makefile").read_text("utf-8")
    tests = "".join(path.read_text("utf-8") for path in (PROJECT / "tests").glob("*/test_*.py"))
    release = YAML(typ="safe").load((PROJECT / ".github/workflows/release.yml").read_text("utf-8"))  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - the library has no types
    jobs = re.findall(r"^\| in `(\w+)`(?: or `(\w+)`)?", RELEASING.text, re.MULTILINE)

    assert len(words) > 20
    assert [word for word in words if re.fullmatch(r"[.\w/-]+\.(?:py|toml|md|yml|json)|Dockerfile", word)
            and not (PROJECT / word).exists() and word != "release.yml"] == []  # fmt: skip
    assert [word for word in words if word.startswith("make ") and f"\n{word.split()[1]}:" not in makefile] == []
    assert [word for word in words if re.fullmatch(r"test_\w+", word) and f"def {word}(" not in tests] == []
    assert {job for pair in jobs for job in pair if job} == set(release["jobs"])
