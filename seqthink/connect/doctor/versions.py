"""Version numbers in the words of other programs. Pure."""

import re
from typing import Final

_SUFFIX: Final = r"[-.+]?(?:a|b|rc|alpha|beta|dev|post|pre|nightly)\.?\d{0,9}"
_VERSION: Final = re.compile(rf"(?<![\w.])v?(\d{{1,9}}(?:\.\d{{1,9}}){{1,3}}(?:{_SUFFIX})?)(?![\w])")
UNKNOWN: Final = "of an unknown version"


def version_in(text: str) -> str:
    """Return the first version number in a text, and nothing else of it: others may read it."""
    found = _VERSION.search(text[:1000])
    return found[1] if found else UNKNOWN
