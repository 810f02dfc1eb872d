"""What every manifest repeats: who publishes which version of what.

The account is that of `Source` among the addresses in `pyproject.toml`, name, description, licence and keywords are the
project's there, and the version is `seqthink/__init__.py`'s. Everything else is written from these.
"""

import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_SOURCE = re.compile(r"https://github\.com/([^/]+)/([^/]+)")


class Identity(NamedTuple):
    """What is published, and by whom."""

    name: str
    version: str
    description: str
    author: str
    licence: str
    """The SPDX expression."""
    keywords: tuple[str, ...]
    account: str
    """The account on GitHub; `OWNER` until there is one."""
    repository: str
    """The repository's address."""

    @property
    def registry_name(self) -> str:
        """The name in the MCP registry: the account as a domain, backwards, and the project."""
        return f"io.github.{self.account}/{self.name}"


def read_identity(root: Path) -> Identity:
    """Return what is published from the checkout in ``root``.

    Raises:
        ValueError: `pyproject.toml` names no repository, or the package no version.
    """
    project: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    source = _SOURCE.fullmatch(project["urls"]["Source"])
    version = _VERSION.search((root / "seqthink" / "__init__.py").read_text("utf-8"))
    if source is None or version is None:
        raise ValueError("pyproject.toml names no repository on GitHub, or seqthink/__init__.py no version")
    return Identity(
        name=project["name"],
        version=version[1],
        description=project["description"],
        author=project["authors"][0]["name"],
        licence=project["license"],
        keywords=tuple(project["keywords"]),
        account=source[1],
        repository=source[0],
    )
