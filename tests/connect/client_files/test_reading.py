"""Which files are read at all, and what is said of the others."""

import os
import socket
import stat
from pathlib import Path

import pytest

from seqthink.connect.client_files import reading
from seqthink.connect.client_files.reading import (
    READINGS,
    ChangedWhileReadError,
    ClientFile,
    read_client_file,
    read_settled,
)
from seqthink.connect.clients.editing.errors import ConfigTextError
from seqthink.core.errors import ClientFileError


def test_a_file_is_read_whole_with_what_shows_whether_it_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(b"\xef\xbb\xbf{}\r\n")
    path.chmod(0o640)

    file = read_client_file(path)

    assert (file.data, file.text(), file.mode, file.exists) == (b"\xef\xbb\xbf{}\r\n", "\ufeff{}\r\n", 0o640, True)
    assert file.state is not None
    assert file.state.inode == path.stat().st_ino


def test_a_file_that_does_not_exist_is_empty(tmp_path: Path) -> None:
    file = read_client_file(tmp_path / "none" / "mcp.json")

    assert (file.exists, file.text()) == (False, "")


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.mkdir()


def _device(path: Path) -> None:
    path.symlink_to(os.devnull)


def _socket(path: Path) -> None:
    os.chdir(path.parent)  # a socket's whole path may be too long
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(path.name)


def _loop(path: Path) -> None:
    path.symlink_to(path)


def _below_a_file(path: Path) -> None:
    path.parent.rmdir()
    path.parent.write_text("", "utf-8")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (_folder, "it is a folder; move it away"),
        (_fifo, "it is not a regular file; move it away"),
        (_socket, "it is not a regular file; move it away"),
        (_device, "it is not a regular file; move it away"),
        (_loop, "it is a link that leads in a circle; remove it"),
        (_below_a_file, "one of the folders on its path is a file; move that away"),
    ],
)
def test_what_is_no_regular_file_is_refused_without_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: object, reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "folder" / "mcp.json"
    path.parent.mkdir()
    assert callable(make)
    make(path)

    with pytest.raises(ClientFileError) as refused:
        read_client_file(path)

    assert str(refused.value) == reason


def test_a_file_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("{}", "utf-8")
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)

    with pytest.raises(ClientFileError, match="it belongs to another user"):
        read_client_file(path)


def test_a_huge_file_is_refused_by_its_size_alone(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    with path.open("wb") as file:
        file.truncate(reading.MAX_FILE_BYTES + (3 << 20))  # takes no room on the disk

    with pytest.raises(ClientFileError, match="it has 67 MiB; at most 64 are edited"):
        read_client_file(path)


def test_a_link_is_followed_as_far_as_its_folder_reaches(tmp_path: Path) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside.json"
    (home / "dotfiles").mkdir(parents=True)
    (home / "dotfiles" / "mcp.json").write_text("{}", "utf-8")
    outside.write_text("{}", "utf-8")
    (home / "near.json").symlink_to("dotfiles/mcp.json")
    (home / "far.json").symlink_to(outside)

    assert read_client_file(home / "near.json", (home.resolve(),)).target == home / "dotfiles" / "mcp.json"
    with pytest.raises(ClientFileError, match="out of the folder that it belongs to"):
        read_client_file(home / "far.json", (home.resolve(),))


def test_bytes_that_are_not_utf_8_are_named_by_their_line(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes('{\n"a": 1,\n"b": "é"}'.encode("latin-1"))

    with pytest.raises(ClientFileError, match="line 3 is not UTF-8"):
        read_client_file(path).text()


def test_a_file_that_is_written_while_it_is_read_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("{}", "utf-8")
    looked: list[os.stat_result] = []

    def growing(descriptor: int) -> os.stat_result:
        if looked:
            path.write_text('{"more": 1}', "utf-8")
        looked.append(os.stat(descriptor))
        return looked[-1]

    monkeypatch.setattr(os, "fstat", growing)
    with pytest.raises(ChangedWhileReadError):
        read_client_file(path)
    assert stat.S_ISREG(looked[0].st_mode)


def test_a_half_written_file_is_read_again_until_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text('{"a": ', "utf-8")
    waited: list[int] = []

    def wait() -> None:
        waited.append(1)
        if len(waited) == 2:
            path.write_text('{"a": 1}', "utf-8")

    def understand(file: ClientFile) -> str:
        if not file.data.endswith(b"}"):
            raise ConfigTextError("it ends too early", 1, 7)
        return file.text()

    assert read_settled(lambda: read_client_file(path), understand, wait) == '{"a": 1}'
    assert len(waited) == 3  # once more, since it is believed only when it stays so


def test_a_file_that_stays_half_written_is_refused_after_a_few_readings(tmp_path: Path) -> None:
    waited: list[int] = []

    def understand(_file: ClientFile) -> str:
        raise ConfigTextError("it ends too early", 1, 7)

    with pytest.raises(ConfigTextError):
        read_settled(lambda: ClientFile(tmp_path), understand, lambda: waited.append(1))
    assert len(waited) == READINGS - 1


@pytest.mark.parametrize("half", ["", "[a]\nx = 1\n"])
def test_half_a_file_that_parses_is_not_believed_while_its_client_writes(tmp_path: Path, half: str) -> None:
    path, whole = tmp_path / "config.toml", "[a]\nx = 1\n[b]\n"
    path.write_text(half, "utf-8")

    def finish() -> None:
        if path.read_text("utf-8") != whole:
            path.write_text(whole, "utf-8")

    found = read_settled(lambda: read_client_file(path), ClientFile.text, finish)

    assert found == whole


def test_a_file_that_is_written_at_every_moment_is_refused(tmp_path: Path) -> None:
    path, sizes = tmp_path / "config.toml", list[int]()

    def write() -> None:
        sizes.append(len(sizes))
        path.write_text("#" * len(sizes), "utf-8")

    write()
    with pytest.raises(ChangedWhileReadError, match="another program is writing it at this moment"):
        read_settled(lambda: read_client_file(path), ClientFile.text, write)
    assert len(sizes) == READINGS


def test_a_file_that_was_written_long_ago_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("x = 1", "utf-8")
    os.utime(path, (1, 1))

    def wait() -> None:
        pytest.fail("it waited")

    assert read_settled(lambda: read_client_file(path), ClientFile.text, wait) == "x = 1"
