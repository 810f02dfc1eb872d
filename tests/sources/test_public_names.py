"""What `seqthink.sources` offers to authors: all names load, explain themselves, and cost nothing before."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import seqthink.sources
from tests.conftest import PROJECT
from tests.support.transcripts.acme import install

READERS = {"msgspec", "importlib.metadata", "sqlite3", "asyncio", "inspect"}
"""What takes time to load."""


def loaded_by(program: str, *paths: Path) -> set[str]:
    """Return the modules that a fresh process has loaded after a program."""
    begin = f"import sys; sys.path[:0] = {[str(path) for path in paths]!r}; before = set(sys.modules)\n"
    done = subprocess.run(
        [sys.executable, "-c", f"{begin}{program}\nprint(*(set(sys.modules) - before))"],
        cwd=PROJECT,
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("name", seqthink.sources.__all__)
def test_a_public_name_is_there_and_explains_itself(name: str) -> None:
    assert inspect.getdoc(getattr(seqthink.sources, name))


def test_another_name_is_not_there() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        getattr(seqthink.sources, "Nothing")  # noqa: B009 - a type checker knows that it is not there


@pytest.mark.process
def test_names_and_descriptions_load_nothing_that_reads_and_no_package(tmp_path: Path) -> None:
    package = install(tmp_path)
    registry = "from seqthink.sources.transcripts import registry\n"

    names = loaded_by(
        f"{registry}registry.sources_of({{}}, None), registry.parse_sources('acme,claude-code')", tmp_path
    )
    described = loaded_by(f"{registry}[registry.description_of(name) for name in registry.TRANSCRIPTS]", tmp_path)
    authors = loaded_by("from seqthink.sources import ReadingTerms, SourceDescription")

    assert (names | described | authors) & READERS == set()
    assert package not in names | described
    assert {
        name for name in described if name.startswith("seqthink.sources.transcripts.") and name.endswith(".source")
    } == set()
