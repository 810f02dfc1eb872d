"""What the variables of the locale say about signs that are not ASCII. Loads nothing: commands must be fast."""

import sys
from collections.abc import Mapping

_LOCALE_VARIABLES = ("LC_ALL", "LC_CTYPE", "LANG")
_ASCII_LOCALES = frozenset({"C", "POSIX"})
_COERCED_LOCALES = frozenset({"C.UTF-8", "C.utf8", "UTF-8"})
"""What Python itself puts into LC_CTYPE in place of a C locale (PEP 538)."""


def locale_variable(environ: Mapping[str, str], *, is_utf8_mode: bool | None = None) -> str:
    """Return the variable by which the user chose the locale, or "".

    Python runs in UTF-8 in the C locale, too, and says so in LC_CTYPE; what the user named counts all the same.
    """
    is_utf8_mode = bool(sys.flags.utf8_mode) if is_utf8_mode is None else is_utf8_mode
    is_coerced = is_utf8_mode and not environ.get("LC_ALL") and environ.get("LC_CTYPE") in _COERCED_LOCALES
    return next(
        (name for name in _LOCALE_VARIABLES if environ.get(name) and not (is_coerced and name == "LC_CTYPE")), ""
    )


def names_ascii(environ: Mapping[str, str], variable: str) -> bool:
    """Return whether ``variable`` names a locale that has ASCII only."""
    return environ.get(variable) in _ASCII_LOCALES and environ.get("PYTHONUTF8") != "1"
