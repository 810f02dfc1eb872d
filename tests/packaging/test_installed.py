"""What a user has after the install: every command runs outside the source tree, from an empty home."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import seqthink
from tests.packaging.test_distributions import metadata
from tests.support.depth import first
from tests.support.packaging.distributions import Distributions
from tests.support.packaging.environments import TIMEOUT_SECONDS, Installed, outside
from tests.support.screens.terminal import Terminal
from tests.support.servers.wire import events, journals, start, thought

NOWHERE = {"PYTHONPATH": ""}
"""Takes the source tree from the import path, on which the helpers of other tests put it."""
TYPED = """\
# pyright: strict
import seqthink

reveal_type(seqthink.__version__)
with seqthink.open_journal("last") as journal:
    reveal_type(journal.chains[0].lanes[0].thoughts[0].number)
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the empty folder in which the commands run."""
    folder = tmp_path / "desk"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def keep_a_session(installed: Installed, desk: Path) -> None:
    done = installed.run("seqthink", "demo", "--fast", cwd=desk)
    assert done.returncode == 0, done.stderr


def test_the_code_that_runs_is_the_installed_one_and_not_the_source(installed: Installed, desk: Path) -> None:
    done = installed.run("python", "-c", "import seqthink, tui; print(seqthink.__file__, tui.__file__)", cwd=desk)

    assert done.stderr == ""
    assert all(Path(path).is_relative_to(installed.folder) for path in done.stdout.split())


@pytest.mark.parametrize("command", [["seqthink"], ["python", "-m", "seqthink"]])
def test_the_command_and_the_module_say_their_version(command: list[str], installed: Installed, desk: Path) -> None:
    done = installed.run(*command, "--version", cwd=desk)

    assert (done.returncode, done.stdout) == (0, f"seqthink {seqthink.__version__}\n")


@pytest.mark.parametrize("options", first(1, [[], ["--no-front"]]), ids=["fast", "sdk"])
def test_the_server_answers_and_keeps_the_thought(
    options: list[str], installed: Installed, desk: Path, seqthink_home: Path
) -> None:
    program = [str(installed.program), "serve", *options]
    with start(program=program, environ=NOWHERE, cwd=desk) as wire:
        answered = wire.handshake()
        result = wire.call(thought("DNS is fine", 1, 3))
        wire.hang_up()
        status = wire.status()
    [journal] = journals(seqthink_home / "sessions")

    assert answered["serverInfo"] == {"name": "seqthink", "version": seqthink.__version__} | answered["serverInfo"]
    assert json.loads(result["content"][0]["text"])["thoughtHistoryLength"] == 1
    assert [event["type"] for event in events(journal)] == ["session", "thought", "end"]
    assert status == 0


@pytest.mark.usefixtures("desk")
def test_the_viewer_draws_its_first_picture(installed: Installed) -> None:
    with Terminal([str(installed.program), "watch"], variables=NOWHERE) as terminal:
        terminal.until("No thoughts yet")
        terminal.type("q")
        assert terminal.end() == 0


@pytest.mark.deep  # a demo from its beginning to its end; the checkout's is in `make test`
@pytest.mark.usefixtures("desk")
def test_the_demo_shows_its_story_in_the_viewer(installed: Installed) -> None:
    with Terminal([str(installed.program), "demo", "--fast"], variables=NOWHERE) as terminal:
        terminal.until("cron-job", "q: quit")
        terminal.type("q")
        assert terminal.end() == 0


@pytest.mark.deep  # a demo from its beginning to its end; the checkout's is in `make test`
def test_the_demo_prints_its_story_and_the_exports_show_it(installed: Installed, desk: Path) -> None:
    keep_a_session(installed, desk)
    shown = installed.run("seqthink", "show", "last", cwd=desk)
    exported = {
        name: installed.run("seqthink", "export", "last", "-o", name, cwd=desk)
        for name in ("session.html", "session.md", "session.svg", "session.json")
    }

    assert "cron-job" in shown.stdout
    assert {name: done.returncode for name, done in exported.items()} == dict.fromkeys(exported, 0)
    assert all("cron-job" in (desk / name).read_text(encoding="utf-8") for name in exported)
    assert (desk / "session.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_configuration_of_a_client_names_the_installed_program(installed: Installed, desk: Path) -> None:
    done = installed.run("seqthink", "config", "cursor", cwd=desk)
    entry = json.loads(done.stdout)["mcpServers"]["seqthink"]

    assert entry["args"] == ["serve"]
    assert entry["command"] == str(installed.program)


def test_the_extra_is_named_where_it_is_missing(installed: Installed, desk: Path) -> None:
    done = installed.run("seqthink", "demo", "code-review", cwd=desk)

    assert done.returncode == 1
    assert "audit" in done.stderr


@pytest.mark.deep  # a type checker; that the wheel has py.typed is in `make test`
def test_a_type_checker_finds_the_types(installed: Installed, desk: Path) -> None:
    (desk / "typed.py").write_text(TYPED, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", str(installed.python), "typed.py"],
        cwd=desk,
        env=outside() | {"PYRIGHT_PYTHON_FORCE_VERSION": "", "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
        capture_output=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
        encoding="utf-8",
    )
    said = [one["message"] for one in json.loads(done.stdout)["generalDiagnostics"]]

    assert [message.rpartition(" is ")[2] for message in said] == ['"str"', '"int"']


def test_every_package_that_the_wheel_asks_for_is_there_in_a_version_that_fits(
    installed: Installed, built: Distributions, desk: Path
) -> None:
    needed = [one for one in metadata(built.wheel).requires_dist or [] if one.marker is None]
    names = [one.name for one in needed]
    code = "import importlib.metadata as m, sys; print(*map(m.version, sys.argv[1:]))"
    versions = installed.run("python", "-c", code, *names, cwd=desk).stdout.split()

    assert [str(one) for one, version in zip(needed, versions, strict=True) if version not in one.specifier] == []
