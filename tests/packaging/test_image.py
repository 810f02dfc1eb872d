"""The image: what its file says, and, as far as a machine without a daemon can show it, what a container then does."""

import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.packaging.test_distributions import ACCOUNT
from tests.project.test_project import pyproject
from tests.support.docs.pages import page
from tests.support.packaging.distributions import tracked_files
from tests.support.packaging.dockerfile import entry, parse, placed, run_stage, stages, variables
from tests.support.packaging.environments import REAL, Installed, pinned_names
from tests.support.servers.wire import events, journals, start, thought

BUILD, FINAL = stages(parse((PROJECT / "Dockerfile").read_text(encoding="utf-8")))
IGNORED = (PROJECT / ".dockerignore").read_text(encoding="utf-8").splitlines()
LINTER = Path(sys.executable).with_name("hadolint")


def values(name: str) -> list[str]:
    return [one.value for one in FINAL if one.name == name]


def copied() -> set[str]:
    """Return what the build takes from the checkout."""
    return {word for one in BUILD if one.name == "COPY" for word in one.words[:-1]}


def serve_once(program: list[str], environ: dict[str, str], cwd: Path) -> None:
    """Start what a container starts, with the source tree out of reach, and send it one thought."""
    with start(program=program, environ=environ | {"PYTHONPATH": ""}, cwd=cwd) as wire:
        assert wire.handshake()["serverInfo"]["name"] == "seqthink"
        assert wire.call(thought())["structuredContent"]["thoughtHistoryLength"] == 1
        wire.hang_up()
        assert wire.status() == 0


# What the file says


def test_the_base_is_pinned_by_a_version_and_named_without_a_host() -> None:
    bases = {one.words[0] for stage in (BUILD, FINAL) for one in stage if one.name == "FROM"}

    assert len(bases) == 1
    [name, _, tag] = bases.pop().partition(":")
    assert "/" not in name
    assert f"Programming Language :: Python :: {tag.removesuffix('-slim')}" in pyproject()["project"]["classifiers"]


def test_the_build_is_given_what_it_copies_and_nothing_else() -> None:
    tracked = {str(path) for path in tracked_files()}

    assert {line[1:] for line in IGNORED if line.startswith("!")} == copied()
    assert [line for line in IGNORED if line[:1] not in {"!", "#"}] == ["*", "**/__pycache__"]
    assert [path for path in copied() if path not in tracked and not (PROJECT / path).is_dir()] == []


def test_the_build_is_given_all_that_the_wheel_holds() -> None:
    hatch = pyproject()["tool"]["hatch"]
    [read] = [one["path"] for one in hatch["metadata"]["hooks"]["fancy-pypi-readme"]["fragments"]]
    project = pyproject()["project"]

    assert {*hatch["build"]["targets"]["wheel"]["packages"], read, *project["license-files"]} <= copied()


def test_everything_that_the_build_installs_is_pinned_or_the_wheel_itself() -> None:
    steps = " ".join(one.value for one in BUILD if one.name == "RUN")
    installs = [step.split()[4:] for step in steps.split("&& ") if " pip install " in step]
    backend = pinned_names(PROJECT / ".ci" / "build.txt")

    assert [words for words in installs if "--require-hashes" not in words and "--no-index" not in words] == []
    assert {one.partition(">")[0] for one in pyproject()["build-system"]["requires"]} <= set(backend)


def test_a_container_runs_as_nobody_in_particular_and_serves() -> None:
    command, _ = entry(FINAL)

    assert command == ["seqthink", "serve"]
    assert [user.isdigit() and int(user) > 0 for user in values("USER")] == [True]
    assert values("VOLUME") == [variables(FINAL)["SEQTHINK_JOURNAL_DIR"]] == ["/journals"]


def test_the_label_is_the_name_in_the_registry_of_servers() -> None:
    [labels] = [one.words for one in FINAL if one.name == "LABEL"]

    assert f"io.modelcontextprotocol.server.name=io.github.{ACCOUNT}/seqthink" in labels


def test_the_user_is_the_one_that_was_made_and_owns_the_folder(tmp_path: Path) -> None:
    [made, owner] = run_stage(FINAL, PROJECT, tmp_path)
    mode = stat.S_IMODE((tmp_path / "journals").stat().st_mode)

    assert made == ["useradd", "--create-home", "--uid", values("USER")[0], "seqthink"]
    assert owner == ["chown", "seqthink:seqthink", str(tmp_path / "journals")]
    assert mode == 0o700


@pytest.mark.skipif(not LINTER.is_file(), reason="hadolint has no wheel for this platform")
def test_the_linter_finds_nothing() -> None:
    done = subprocess.run([LINTER, "Dockerfile"], cwd=PROJECT, capture_output=True, check=False, encoding="utf-8")

    assert (done.returncode, done.stdout) == (0, "")


# What a container does


@pytest.mark.deep  # starts the program of the image; its file is checked always
def test_what_a_container_starts_keeps_the_journal_in_the_volume(installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "journals").mkdir()
    [program, *arguments], environ = entry(FINAL, {"SEQTHINK_JOURNAL_DIR": placed("/journals", tmp_path)})
    assert program == installed.program.name
    serve_once([str(installed.program), *arguments], {**environ, "PATH": str(installed.folder / "bin")}, tmp_path)
    [journal] = journals(tmp_path / "journals")

    assert [event["type"] for event in events(journal)] == ["session", "thought", "end"]


@pytest.mark.skipif(not REAL, reason="fetches packages: `make wheel` runs it")
def test_the_steps_of_the_file_make_what_a_container_starts(tmp_path: Path) -> None:
    context, root = tmp_path / "context", tmp_path / "image"
    root.mkdir()
    for path in tracked_files():
        if any(path.is_relative_to(source) for source in copied()):
            (context / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(PROJECT / path, context / path)
    run_stage(BUILD, context, root)
    run_stage(FINAL, context, root)
    command, environ = entry(FINAL)
    placed_environ = {name: placed(value, root) for name, value in environ.items()}
    environ = {**placed_environ, "PATH": placed_environ["PATH"].partition(":")[0]}
    program = str(root / "opt" / "seqthink" / "bin" / command[0])
    serve_once([program, *command[1:]], environ, root / "home" / "seqthink")
    compiled = list((root / "opt" / "seqthink").glob("lib/python*/site-packages/seqthink/server/**/*.pyc"))

    assert len(journals(root / "journals")) == 1
    assert compiled != []
    assert not (root / "opt" / "seqthink" / "bin" / "pip").exists()


def test_the_page_shows_the_folder_the_user_and_the_command_of_the_image() -> None:
    text = page("docker").text

    assert f":{variables(FINAL)['SEQTHINK_JOURNAL_DIR']}" in text
    assert f"`{values('USER')[0]}`" in text
