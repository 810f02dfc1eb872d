"""The workflows: least rights, pinned actions, and steps that do on this machine what they are there for."""

import functools
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from ruamel.yaml import YAML

import seqthink
from tests.conftest import PROJECT

Json = dict[str, Any]

FOLDER = PROJECT / ".github" / "workflows"
NAMES = sorted(path.name for path in FOLDER.glob("*.yml"))
PINNED = re.compile(r"uses: ([\w.-]+/[\w.-]+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)$")
TAG = f"v{seqthink.__version__}"
GUARDS = ["The tag is the version, the account is ours", "The changelog says what is new"]

needs_sums = pytest.mark.skipif(shutil.which("sha256sum") is None, reason="the runner of these jobs has sha256sum")
each_workflow = pytest.mark.parametrize("name", NAMES)


@functools.cache
def workflow(name: str) -> Json:
    return cast("Json", cast("Any", YAML(typ="safe")).load((FOLDER / name).read_text("utf-8")))


def jobs(name: str) -> dict[str, Json]:
    return workflow(name)["jobs"]


def steps(name: str) -> list[Json]:
    return [step for job in jobs(name).values() for step in job["steps"]]


def script(name: str, job: str, title: str) -> str:
    """Return what a step runs, as its shell gets it."""
    [step] = [step for step in jobs(name)[job]["steps"] if step.get("name") == title]
    return step["run"]


def ran(text: str, folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a step as GitHub runs it: `bash -e`, in the checkout."""
    inherited = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "LANG": "C.UTF-8"}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-u", "-c", text], cwd=folder,
        env={**inherited, "RUNNER_TEMP": str(folder), **environ}, capture_output=True, encoding="utf-8", timeout=120,
        check=False,
    )  # fmt: skip


def stand_in(folder: Path, name: str, text: str) -> None:
    """Make a program of another's name."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    (folder / name).chmod(stat.S_IRWXU)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout of an account `someone`, whose changelog says what this version brings."""
    folder = tmp_path / "checkout"
    (folder / "seqthink").mkdir(parents=True)
    shutil.copy(PROJECT / "seqthink" / "__init__.py", folder / "seqthink")
    project = (PROJECT / "pyproject.toml").read_text("utf-8")
    named = re.sub(r'^Source = ".*"$', 'Source = "https://github.com/someone/seqthink"', project, flags=re.MULTILINE)
    (folder / "pyproject.toml").write_text(named, "utf-8")
    released = f"## [{TAG[1:]}] - 2026-12-01\n\n### Added\n\n- All.\n\n## [0.0.1]\n\n- Old.\n"
    changes = f"# Changelog\n\n## [Unreleased]\n\n{released}"
    (folder / "CHANGELOG.md").write_text(changes, "utf-8")
    return folder


@each_workflow
def test_an_action_is_pinned_by_commit_and_says_its_version(name: str) -> None:
    lines = [line.strip(" -") for line in (FOLDER / name).read_text("utf-8").splitlines() if "uses:" in line]

    assert lines
    assert [line for line in lines if not PINNED.fullmatch(line)] == []


def test_an_action_has_one_version_in_all_workflows() -> None:
    pins = {match[:3] for name in NAMES for line in (FOLDER / name).read_text("utf-8").splitlines()
            for match in PINNED.findall(line)}  # fmt: skip

    assert len({action for action, _, _ in pins}) == len(pins) > 3


@each_workflow
def test_a_workflow_has_no_rights_and_a_job_only_those_that_it_names(name: str) -> None:
    assert workflow(name)["permissions"] == {}
    for job in jobs(name).values():
        assert job["permissions"]
        assert job["timeout-minutes"] <= 90


def test_only_the_jobs_that_publish_may_prove_who_they_are_or_write() -> None:
    rights = {job: right["permissions"] for name in NAMES for job, right in jobs(name).items()}
    strong = {job: {what for what, how in given.items() if how == "write"} for job, given in rights.items()}

    assert {job: given for job, given in strong.items() if given} == {
        "publish": {"id-token"},
        "registry": {"id-token"},
        "release": {"contents"},
    }


@each_workflow
def test_a_checkout_keeps_no_credentials(name: str) -> None:
    checkouts = [step for step in steps(name) if step.get("uses", "").startswith("actions/checkout@")]

    assert checkouts
    assert [step for step in checkouts if step["with"]["persist-credentials"] is not False] == []


@each_workflow
def test_no_step_puts_an_expression_into_a_shell(name: str) -> None:
    scripts = [step["run"] for step in steps(name) if "run" in step]

    assert scripts
    assert [text for text in scripts if "${{" in text] == []
    assert [text for text in scripts if subprocess.run(["bash", "-n", "-c", text], check=False).returncode] == []


def test_every_job_that_publishes_waits_for_the_build_and_the_index_for_a_person() -> None:
    release = jobs("release.yml")

    assert {name: job.get("needs") for name, job in release.items()} == {
        "build": None,
        "publish": "build",
        "registry": "publish",
        "release": "publish",
    }
    assert release["publish"]["environment"] == "pypi"
    assert workflow("release.yml")["on"] == {"push": {"tags": ["v*"]}}


def test_the_job_that_may_publish_on_the_index_runs_no_shell_and_no_checkout() -> None:
    assert [step["uses"].split("@")[0] for step in jobs("release.yml")["publish"]["steps"]] == [
        "actions/download-artifact",
        "pypa/gh-action-pypi-publish",
    ]


def test_windows_alone_may_fail_and_everywhere_else_the_same_command_runs_as_on_the_desk() -> None:
    ci = jobs("ci.yml")

    assert {name for name, job in ci.items() if job.get("continue-on-error")} == {"windows"}
    assert ci["suite"]["strategy"]["matrix"] == {"os": ["ubuntu-latest", "macos-latest"], "python": ["3.11", "3.14"]}
    assert script("ci.yml", "suite", "Checks and tests") == ".ci/run"


def test_a_file_that_a_step_names_is_there() -> None:
    named = {
        word
        for name in NAMES
        for step in steps(name)
        for word in re.findall(r"(?<!\S)\.ci/[\w.]+", step.get("run", ""))
    }

    assert ".ci/run" in named
    assert [word for word in named if not (PROJECT / word).is_file()] == []


def test_a_tag_of_this_version_and_account_with_a_changelog_may_be_built(checkout: Path) -> None:
    runs = [
        ran(script("release.yml", "build", title), checkout, GITHUB_REF_NAME=TAG, GITHUB_REPOSITORY="someone/seqthink")
        for title in GUARDS
    ]

    assert [done.returncode for done in runs] == [0, 0], runs
    assert (checkout / "build/release/notes.md").read_text("utf-8") == "\n### Added\n\n- All.\n\n"


@pytest.mark.parametrize(
    ("title", "tag", "repository"),
    [
        (GUARDS[0], "v9.9.9", "someone/seqthink"),
        (GUARDS[0], TAG, "another/seqthink"),
        (GUARDS[0], TAG.replace(".", "x"), "someone/seqthink"),
        (GUARDS[1], "v9.9.9", "someone/seqthink"),
        (GUARDS[1], "vUnreleased", "someone/seqthink"),
    ],
)
def test_another_tag_account_or_an_empty_changelog_stops_the_build(
    title: str, tag: str, repository: str, checkout: Path
) -> None:
    done = ran(script("release.yml", "build", title), checkout, GITHUB_REF_NAME=tag, GITHUB_REPOSITORY=repository)

    assert done.returncode == 1


def test_as_long_as_nobody_is_named_nothing_is_built() -> None:
    done = ran(script("release.yml", "build", GUARDS[0]), PROJECT, GITHUB_REF_NAME=TAG, GITHUB_REPOSITORY="me/seqthink")

    assert done.returncode == 1


@pytest.mark.deep  # a demo from its beginning to its end
def test_the_demo_of_the_installed_wheel_has_to_show_something(tmp_path: Path) -> None:
    installed = tmp_path / ".venv-wheel" / "bin"
    installed.mkdir(parents=True)
    text = script("release.yml", "build", "The installed wheel shows the demo")
    (installed / "seqthink").symlink_to(Path(sys.executable).with_name("seqthink"))

    shown = ran(text, tmp_path, GITHUB_REF_NAME=TAG, GITHUB_WORKSPACE=str(tmp_path))
    of_another_version = ran(text, tmp_path, GITHUB_REF_NAME="v9.9.9", GITHUB_WORKSPACE=str(tmp_path))

    assert (shown.returncode, shown.stderr) == (0, "")
    assert "thinking" in (tmp_path / "demo.txt").read_text("utf-8") or "done" in (tmp_path / "demo.txt").read_text(
        "utf-8"
    )
    assert of_another_version.returncode == 1


def test_what_is_published_is_sorted_into_packages_and_release(tmp_path: Path) -> None:
    for folder in (".venv/bin", "dist", "build/packages", "build/release"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("seqthink-1.tar.gz", "seqthink-1-py3-none-any.whl"):
        (tmp_path / "dist" / name).write_text(name, "utf-8")
    stand_in(
        tmp_path / ".venv/bin",
        "python",
        'test "$*" = "-m tests.support.packaging.bundle dist" && : >dist/seqthink-1.mcpb',
    )

    done = ran(script("release.yml", "build", "Pack the bundle, and sort what is published"), tmp_path)

    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in tmp_path.glob("build/packages/*")) == [
        "seqthink-1-py3-none-any.whl",
        "seqthink-1.tar.gz",
    ]
    assert [path.name for path in tmp_path.glob("build/release/*")] == ["seqthink-1.mcpb"]


@needs_sums
def test_a_program_that_is_not_the_one_that_was_looked_at_is_not_unpacked(tmp_path: Path) -> None:
    stand_in(tmp_path / "bin", "curl", 'while [ "$1" != --output ]; do shift; done; echo other >"$2"')
    environ: Json = next(step["env"] for step in steps("release.yml") if "SHA256" in step.get("env", {}))
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"

    done = ran(script("release.yml", "registry", "Fetch the registry's own program"), tmp_path, **environ, PATH=path)

    assert done.returncode == 1
    assert not (tmp_path / "mcp-publisher").exists()


@pytest.mark.parametrize(("refusals", "status", "attempts"), [(0, 0, 1), (2, 0, 3), (9, 1, 5)])
def test_the_registry_is_asked_again_while_the_index_does_not_show_the_version(
    refusals: int, status: int, attempts: int, tmp_path: Path
) -> None:
    stand_in(tmp_path / "bin", "sleep", ":")
    stand_in(
        tmp_path, "mcp-publisher", f'[ "$1" = publish ] || exit 0; echo >>asked; [ $(wc -l <asked) -gt {refusals} ]'
    )
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"

    done = ran(script("release.yml", "registry", "Publish"), tmp_path, PATH=path)

    assert done.returncode == status
    assert len((tmp_path / "asked").read_text("utf-8").splitlines()) == attempts


@needs_sums
def test_the_release_has_all_files_and_the_sums_by_which_they_are_checked(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    for name in ("seqthink-1.whl", "seqthink-1.mcpb", "notes.md"):
        (tmp_path / "files" / name).write_text(name, "utf-8")
    stand_in(tmp_path / "bin", "gh", 'printf "%s\\n" "$@"')
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"

    done = ran(
        script("release.yml", "release", "Release"),
        tmp_path,
        PATH=path,
        GITHUB_REF_NAME="v1",
        GITHUB_REPOSITORY="me/seqthink",
    )
    checked = subprocess.run(
        ["sha256sum", "--check", "SHA256SUMS"], cwd=tmp_path / "files", capture_output=True, check=False
    )

    words = done.stdout.splitlines()
    assert words[:5] == ["release", "create", "v1", "--repo", "me/seqthink"]
    assert words[words.index("--notes-file") :] == [
        *("--notes-file", "../notes.md", "./SHA256SUMS", "./seqthink-1.mcpb", "./seqthink-1.whl"),
    ]
    assert checked.returncode == 0
