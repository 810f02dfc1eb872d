"""The sdist and the wheel, built from a clean checkout with the backend that is installed here."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.parser import BytesParser
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import PROJECT

TIMEOUT_SECONDS = 60.0


class Distributions(NamedTuple):
    """What a release publishes."""

    sdist: Path
    wheel: Path


def tracked_files() -> list[Path]:
    """Return every file that is, or would be, committed, from the top of the project; skip the test without git."""
    git = ["git", "-c", f"safe.directory={PROJECT}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(git, cwd=PROJECT, capture_output=True, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git clone: what was unpacked here is not known to be the tree")
    paths = sorted({Path(path) for path in listed.split("\0") if path})
    return [path for path in paths if (PROJECT / path).is_file()]


def check_out(folder: Path) -> Path:
    """Copy what a clone would hold into ``folder``, which must not exist, and return it."""
    for path in tracked_files():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PROJECT / path, folder / path)
        (folder / path).chmod((PROJECT / path).stat().st_mode & 0o777)
    return folder


def build(source: Path, folder: Path, epoch: int | None = None) -> Distributions:
    """Build the sdist from ``source``, and the wheel from the sdist, into ``folder``, as a release does.

    Args:
        source: a checkout
        folder: where both go
        epoch: the time that files in them get, in seconds since 1970; without it, the backend's own fixed one
    """
    _run_backend(source, folder, "sdist", epoch)
    [sdist] = folder.glob("*.tar.gz")
    unpacked = unpack(sdist, folder / "unpacked")
    wheel = build_wheel(unpacked, folder, epoch)
    return Distributions(sdist, wheel)


def build_wheel(source: Path, folder: Path, epoch: int | None = None) -> Path:
    """Build the wheel from ``source`` into ``folder`` and return its path."""
    _run_backend(source, folder, "wheel", epoch)
    [wheel] = folder.glob("*.whl")
    return wheel


def unpack(sdist: Path, folder: Path) -> Path:
    """Unpack ``sdist`` in ``folder`` and return the one folder that is in it."""
    with tarfile.open(sdist) as packed:
        if hasattr(tarfile, "data_filter"):
            packed.extractall(folder, filter="data")
        else:  # Python before 3.11.4, as on Debian 12
            packed.extractall(folder)
    [top] = folder.iterdir()
    return top


def metadata_text(wheel: Path) -> bytes:
    """Return a wheel's METADATA as it stands."""
    with zipfile.ZipFile(wheel) as packed:
        [name] = [name for name in packed.namelist() if name.endswith(".dist-info/METADATA")]
        return packed.read(name)


def long_description(wheel: Path) -> str:
    """Return what an index shows as a wheel's page."""
    payload = BytesParser().parsebytes(metadata_text(wheel)).get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode()


def _run_backend(source: Path, folder: Path, target: str, epoch: int | None) -> None:
    variables = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)],
        cwd=source,
        env=variables | ({} if epoch is None else {"SOURCE_DATE_EPOCH": str(epoch)}),
        capture_output=True,
        check=True,
        timeout=TIMEOUT_SECONDS,
    )
