"""The name of an installation."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from seqthink.core import system
from seqthink.core.errors import UsageError
from seqthink.share.shipping.origin import origin_of
from seqthink.sources.fleet.layout import is_origin


def test_it_is_made_once_and_kept_for_its_owner_alone(tmp_path: Path) -> None:
    first = origin_of(tmp_path / "home", "Build Box.example", lambda: "a2b3c4")
    second = origin_of(tmp_path / "home", "another", lambda: "zzzzzz")

    assert first.name == "Build-Box-a2b3c4"
    assert second == first
    assert len(first.salt) == 16
    if system.HAS_POSIX_FILES:
        assert (tmp_path / "home" / "origin").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("host", ["", "..", "é", "x" * 300, "-", "a b/c\n", "локальный"])
def test_any_host_gives_a_name_that_can_be_a_key(host: str, tmp_path: Path) -> None:
    assert is_origin(origin_of(tmp_path, host, lambda: "abcdef").name)


def test_many_at_once_agree(tmp_path: Path) -> None:
    letters = iter(f"{number:06d}" for number in range(100))

    with ThreadPoolExecutor(8) as pool:
        made = [pool.submit(origin_of, tmp_path, "desk", lambda: next(letters)) for _ in range(32)]
        found = {each.result() for each in made}

    assert len(found) == 1


def test_a_given_name_is_not_kept(tmp_path: Path) -> None:
    given = origin_of(tmp_path, "desk", lambda: "abcdef", "runner-1")

    assert given.name == "runner-1"
    assert origin_of(tmp_path, "desk", lambda: "zzzzzz").name == "desk-abcdef"


@pytest.mark.parametrize("text", ["", "desk", "../x\n00", "desk-abcdef\nzz\n", "a b\n" + "00" * 16])
def test_a_file_that_holds_no_name_is_an_error_with_a_way_out(text: str, tmp_path: Path) -> None:
    (tmp_path / "origin").write_text(text, encoding="utf-8")

    with pytest.raises(UsageError, match="holds no name of a machine; move it away"):
        origin_of(tmp_path, "desk", lambda: "abcdef")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)

    with pytest.raises(UsageError, match="the name of this machine is kept there"):
        origin_of(tmp_path, "desk", lambda: "abcdef")
