"""What a release publishes: the files of the sdist and the wheel, their metadata and page; each build like the last."""

import os
import re
import tarfile
import zipfile
from pathlib import Path
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from packaging.metadata import Metadata
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import seqthink
from tests.conftest import PROJECT
from tests.project.test_project import pyproject
from tests.support.docs import readme
from tests.support.packaging.distributions import (
    Distributions,
    build,
    build_wheel,
    check_out,
    long_description,
    metadata_text,
    tracked_files,
)
from tests.support.packaging.environments import pinned_names

SHIPPED = ("seqthink", "tui")
PROSE = {"README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE"}
ACCOUNT = pyproject()["project"]["urls"]["Source"].split("/")[3]
PAGES = f"https://github.com/{ACCOUNT}/seqthink/blob/v{seqthink.__version__}/"
PICTURES = f"https://raw.githubusercontent.com/{ACCOUNT}/seqthink/v{seqthink.__version__}/"


def wheel_names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as packed:
        return set(packed.namelist())


def metadata(wheel: Path) -> Metadata:
    return Metadata.from_email(metadata_text(wheel), validate=True)


def all_tokens(text: str) -> list[Token]:
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    return [one for token in tokens for one in [token, *(token.children or [])]]


def targets(text: str, kind: str, attribute: str) -> list[str]:
    return [str(token.attrs[attribute]) for token in all_tokens(text) if token.type == kind]


# Files


def test_a_wheel_holds_both_programs_with_all_their_data_and_one_command(built: Distributions) -> None:
    names = wheel_names(built.wheel)
    sources = {str(path) for path in tracked_files() if path.parts[0] in SHIPPED}
    with zipfile.ZipFile(built.wheel) as packed:
        [entry] = [packed.read(name).decode() for name in names if name.endswith("entry_points.txt")]

    assert {name for name in names if ".dist-info/" not in name} == sources
    assert {"seqthink/py.typed", "tui/py.typed"} <= names
    assert [name for name in names if name.endswith(".dist-info/licenses/LICENSE")] != []
    assert entry.split("\n", 1)[1].strip() == "seqthink = seqthink.__main__:main"


@pytest.mark.deep  # builds twice; `make wheel` holds what is in it
def test_the_wheel_of_the_sdist_is_the_wheel_of_the_checkout(
    checkout: Path, built: Distributions, tmp_path: Path
) -> None:
    assert build_wheel(checkout, tmp_path).read_bytes() == built.wheel.read_bytes()


def test_an_sdist_holds_what_builds_the_wheel_and_the_pages_and_no_tests(built: Distributions) -> None:
    with tarfile.open(built.sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    tops = {Path(name).parts[0] for name in names}

    assert {str(path) for path in tracked_files() if path.parts[0] in {*SHIPPED, "docs"}} <= names
    assert tops - {".gitignore", "PKG-INFO"} == {*SHIPPED, "docs", "pyproject.toml", *PROSE}


@pytest.mark.deep  # it builds twice more
def test_a_build_elsewhere_at_another_time_by_someone_else_is_the_same_to_the_byte(
    built: Distributions, tmp_path: Path
) -> None:
    source = check_out(tmp_path / "elsewhere" / "other-name")
    for path in source.rglob("*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
        path.chmod(path.stat().st_mode & 0o700 | 0o040)
    again = build(source, tmp_path / "dist")

    assert again.sdist.read_bytes() == built.sdist.read_bytes()
    assert again.wheel.read_bytes() == built.wheel.read_bytes()


@pytest.mark.deep  # it builds twice more
def test_the_release_s_own_time_makes_equal_builds_too(checkout: Path, tmp_path: Path) -> None:
    first, second = (build(checkout, tmp_path / name, epoch=1_790_000_000) for name in ("first", "second"))

    assert first.sdist.read_bytes() == second.sdist.read_bytes()
    assert first.wheel.read_bytes() == second.wheel.read_bytes()


# Metadata


def test_the_metadata_passes_an_index_s_checks_and_says_what_the_project_says(built: Distributions) -> None:
    said = metadata(built.wheel)
    project = pyproject()["project"]

    assert (said.name, str(said.version)) == ("seqthink", seqthink.__version__)
    assert said.summary == project["description"]
    assert said.license_expression == "MIT"
    assert said.license_files == ["LICENSE"]
    assert str(said.requires_python) == project["requires-python"]
    assert said.description_content_type == "text/markdown"
    assert said.project_urls == project["urls"]


def test_the_pythons_that_are_named_begin_with_the_one_that_is_required(built: Distributions) -> None:
    named = re.findall(r"Python :: 3\.(\d+)", "\n".join(metadata(built.wheel).classifiers or []))

    assert [int(minor) for minor in named] == list(range(11, 15))
    assert pyproject()["project"]["requires-python"] == f">=3.{named[0]}"


def test_a_user_is_asked_for_what_the_code_needs_and_no_tool_of_ours(built: Distributions) -> None:
    said = metadata(built.wheel)
    needed = [requirement for requirement in said.requires_dist or [] if requirement.marker is None]
    tools = {canonicalize_name(Requirement(one).name) for one in pyproject()["dependency-groups"]["dev"]}

    assert said.provides_extra == ["audit", "fleet"]
    assert {canonicalize_name(one.name) for one in needed} <= set(pinned_names())
    assert {canonicalize_name(one.name) for one in needed} & tools <= {"textual"}


def test_the_pins_of_a_user_are_among_those_of_the_project() -> None:
    every, users, fleets = (
        set(re.findall(r"^([\w.-]+)(?:\[hiredis\])?(==[\w.]+)", text, re.MULTILINE))
        for text in (
            (PROJECT / ".ci" / name).read_text("utf-8") for name in ("requirements.txt", "runtime.txt", "fleet.txt")
        )
    )

    assert users < every
    assert {name for name, _ in fleets} == {"redis", "hiredis", "async-timeout"}
    assert fleets < every
    assert not fleets & users


# The page on an index: the README by itself, far from the files that it points to


def test_the_page_carries_the_name_by_which_the_registry_of_servers_knows_it(built: Distributions) -> None:
    assert f"<!-- mcp-name: io.github.{ACCOUNT}/seqthink -->" in long_description(built.wheel)


def test_every_link_and_picture_of_the_page_names_a_file_of_the_release(built: Distributions) -> None:
    page = long_description(built.wheel)
    links = [link for link in targets(page, "link_open", "href") if not link.startswith("#")]
    pictures = targets(page, "image", "src")
    ours = [link.removeprefix(PAGES) for link in links if link.startswith(PAGES)]
    drawn = [link.removeprefix(PICTURES) for link in pictures if link.startswith(PICTURES)]
    own = [link for link in targets(readme.text(), "link_open", "href") if not re.match(r"[a-z]+:|#", link)]

    assert [link for link in [*links, *pictures] if not link.startswith("https://")] == []
    assert ours == own
    assert len(drawn) == readme.prose().count("](screenshots/") > 0
    assert [path for path in [*ours, *drawn] if not (PROJECT / unquote(path).partition("#")[0]).is_file()] == []


def test_nothing_but_links_differs_between_the_page_and_the_readme(built: Distributions) -> None:
    def contents(text: str) -> list[str]:
        return [token.content for token in all_tokens(text) if token.type in {"fence", "code_inline", "text"}]

    assert contents(long_description(built.wheel)) == contents(readme.text())
