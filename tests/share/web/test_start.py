"""`seqthink web` where it cannot start, or has nothing to show."""

import errno
import os
from pathlib import Path

import pytest

from tests.support.fleet.redis_server import free_port
from tests.support.servers.commands import refusal_line, seqthink
from tests.support.web.command import running_web

LOOP = f"{os.strerror(errno.ELOOP).lower()}; check its owner and mode"
MISSING = "no session 'nosuch' in {}; name one by its id, a unique prefix, `last`, or a file"


@pytest.fixture
def unreadable(tmp_path: Path) -> Path:
    """A folder that nobody can read, root neither."""
    folder = tmp_path / "loop"
    folder.symlink_to(folder)
    return folder


def test_without_a_session_the_list_waits_for_the_first_one(tmp_path: Path) -> None:
    with running_web("--sources", "journal", "--journal-dir", str(tmp_path / "nosuch")) as web:
        web.enter()
        answer = web.get("/sessions")

    assert (answer["groups"], answer["error"], answer["waiting"]) == ([], "", "")
    assert answer["place"].endswith("nosuch")


@pytest.mark.usefixtures("seqthink_home")
def test_an_unreadable_folder_is_one_line_as_elsewhere(unreadable: Path) -> None:
    line = refusal_line(seqthink("web", "--journal-dir", str(unreadable)))

    assert line == f"{unreadable}: {LOOP}"
    assert line == refusal_line(seqthink("sessions", "--journal-dir", str(unreadable)))


def test_a_file_in_place_of_the_folder_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="ascii")
    line = refusal_line(seqthink("web", "--journal-dir", str(tmp_path / "file")))

    assert line == f"{tmp_path / 'file'} is a file, not a folder; give the folder of the journals as --journal-dir"


def test_a_name_of_no_session_is_one_line_as_elsewhere(seqthink_home: Path) -> None:
    (seqthink_home / "sessions").mkdir(parents=True)
    line = refusal_line(seqthink("web", "nosuch"))

    assert line == MISSING.format(seqthink_home / "sessions")
    assert line == refusal_line(seqthink("show", "nosuch"))


@pytest.mark.usefixtures("seqthink_home")
def test_an_address_of_another_machine_is_one_line() -> None:
    line = refusal_line(seqthink("web", "--bind", "192.0.2.1", "--allow-host", "pages.example"))

    assert line == f"web: cannot listen on 192.0.2.1: {os.strerror(errno.EADDRNOTAVAIL).lower()}"


@pytest.mark.usefixtures("seqthink_home")
def test_a_session_of_an_engine_that_is_not_there_is_one_line_as_elsewhere() -> None:
    url = f"redis://127.0.0.1:{free_port()}"
    done, other = seqthink("web", "last", "--fleet", url), seqthink("show", "last", "--fleet", url)

    assert (done.returncode, done.stdout, done.stderr) == (other.returncode, "", other.stderr)
    assert done.stderr.count("\n") == 1
