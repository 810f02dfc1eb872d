"""By which signs a piece of code is only a sketch: what nobody meant to run need not be a program. Pure."""

import re
from collections.abc import Mapping
from typing import Final

from seqthink.audit.judges.languages import is_fragment, language_of
from seqthink.audit.sources import Source

_LONGEST: Final = 1000
"""What stands further right than this on a line decides nothing."""
_LEFT_OUT: Final = r"(?<![\w.)\]>\"'`])(?:\.{3,}|…)(?![\w.(\[{$<&*])"
_ELIDED: Final = rf"[{{(\[]\s*(?:\.\.\.?|…)\s*[}})\]]|^\s*(?:\.\.\.|…)|[:=]\s*{_LEFT_OUT}|,\s*{_LEFT_OUT}\s*,"
_PLACE: Final = r"<[A-Za-z][A-Za-z0-9]*(?:[ _-][A-Za-z0-9]+)*>"
_PYTHON: Final = (
    r"^\s*[!%]{1,2}\s*[a-z]|^\s*\w+(?:, *\w+)*\s*=\s*[!%]\s*[a-z]|^\s*[\w.()]+\?{1,2}\s*$|^\s*\?{1,2}[\w.]+\s*$"
    rf"|^(?:In|Out) ?\[\d*\]: ?|^[^#\"']*?{_PLACE}|…|,\s*\.\.\.\s*,\s*\w+="
    r"|^(?!\s*(?:(?:async )?def |[\])}])).*\S\s+(?:->|=>|→|⇒|←)\s+\S[^:]*$"
)
_BY_LANGUAGE: Final[Mapping[str, str]] = {
    "python": _PYTHON,
    "json": rf"{_ELIDED}|{_LEFT_OUT}|[:,\[]\s*{_PLACE}|\{{\{{|\$\{{|[:,\[]\s*(?:[A-Z_]{{3,}}|\$\w+|%\w+%)\s*[,}}\]]?$",
    "yaml": rf"{_ELIDED}|^\s*{_LEFT_OUT}|{_PLACE}|\{{\{{|\{{%|<%",
    "bash": rf"{_ELIDED}|{_LEFT_OUT}|{_PLACE}|\[[A-Za-z][\w -]*\]",
}
_OTHERS: Final = rf"{_ELIDED}|[(,=]\s*{_PLACE}\s*[,;)]|/\*\s*(?:\.\.\.|…)\s*\*/|\{{\{{\s*\w|^\s*[-+]\s"


def has_to_be_right(source: Source) -> bool:
    """Return whether an error in ``source`` is a mistake: it is all there, and meant to be a program."""
    is_file = not source.language and not is_fragment(source)
    return source.is_whole and (is_file or not is_sketch(language_of(source), source.text))


def is_sketch(language: str, text: str) -> bool:
    """Return whether ``text`` bears signs of a notebook, of places to fill in or of what was left out."""
    sign = _sign(_BY_LANGUAGE.get(language, _OTHERS))
    return any(sign.search(line[:_LONGEST]) for line in text.split("\n"))


def _sign(shape: str) -> re.Pattern[str]:
    return re.compile(shape)
