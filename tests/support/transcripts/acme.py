"""The source that docs/sources/adding-a-source.md builds, as an installed package, and variants of it that fail."""

import itertools
import re
from pathlib import Path
from typing import Final

from tests.conftest import PROJECT

PAGE: Final = PROJECT / "docs" / "sources" / "adding-a-source.md"
NAME: Final = "acme"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_numbers = itertools.count(1)


def blocks(language: str) -> list[str]:
    """Return the blocks of a language on the page."""
    return [text for found, text in _BLOCK.findall(PAGE.read_text("utf-8")) if found == language]


def module() -> str:
    """Return `acme_seqthink.py`, as the page builds it step by step."""
    return "\n".join(blocks("python")[:3])


def test_module() -> str:
    """Return `test_acme.py`, as the page has it."""
    return blocks("python")[3]


def document_modules() -> dict[str, str]:
    """Return `acme_documents.py` and `test_documents.py`, as the page has them."""
    [source, tests] = blocks("python")[4:]
    return {"acme_documents.py": source, "test_documents.py": tests}


test_module.__test__ = False  # pyright: ignore[reportFunctionMemberAccess] - it tests nothing itself


def install(folder: Path, source: str | None = None, *, name: str = NAME, entry: str = "") -> str:
    """Put a package with a source into a folder of packages, as an installer leaves it; return the package's name.

    Each has a module of its own, so that none is taken for another that was imported before.

    Args:
        folder: the folder, which is to be on the path.
        source: its module; by default the page's.
        name: the name of its entry.
        entry: what its entry refers to; by default the description.
    """
    package = f"acme_seqthink_{next(_numbers)}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{package}.py").write_text(module() if source is None else source, encoding="utf-8")
    metadata = folder / f"{package}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    entries = f"[console_scripts]\nacme = x:y\n\n[seqthink.sources]\n{name} = {entry or f'{package}:DESCRIPTION'}\n"
    (metadata / "entry_points.txt").write_text(entries, encoding="utf-8")
    return package


def write_session(home: Path, name: str = "s1") -> Path:
    """Write the session of the page below a home folder; return its file."""
    path = home / ".acme" / "sessions" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(blocks("jsonl")[0], encoding="utf-8")
    return path
