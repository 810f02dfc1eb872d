"""A folder of journals in memory, and one of them with its source."""

from collections.abc import Generator
from pathlib import Path

import pytest

from seqthink.sources.transcripts.spool import Spool, SpoolFolder
from tests.support.transcripts.fake_source import FakeSource, found


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "runtime"
    folder.mkdir()
    return folder


@pytest.fixture
def environ(base: Path) -> dict[str, str]:
    return {"XDG_RUNTIME_DIR": str(base)}


@pytest.fixture
def folder(environ: dict[str, str]) -> Generator[SpoolFolder]:
    made = SpoolFolder(environ)
    yield made
    made.close()


@pytest.fixture
def source() -> FakeSource:
    return FakeSource()


@pytest.fixture
def spool(folder: SpoolFolder, source: FakeSource) -> Generator[Spool]:
    made = Spool(source, found(), folder.path_of(found()))
    yield made
    made.close()
