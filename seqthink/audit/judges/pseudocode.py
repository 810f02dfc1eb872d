"""Recognises pseudocode and outlines, which need not parse. Pure."""

import re
from collections.abc import Mapping
from typing import Final

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.languages import is_fragment, language_of

_MAX_LINE_CHARS: Final = 1000
"""Characters of a line that are examined."""
_DOTS: Final = r"(?<![\w.)\]>\"'`])(?:\.{3,}|…)(?![\w.(\[{$<&*])"
"""An ellipsis for omitted code; after a word or bracket it is a spread operator."""
_BLANK_TO_FILL: Final = r"<[A-Za-z][A-Za-z0-9]*(?:[ _-][A-Za-z0-9]+)*>"
_PLAIN: Final = r"^[^#\"']*?"
"""Code before any string or comment."""
_MARGIN: Final = r"^[-+]\s|^\$\s|^\d+[.)]\s|^\s*\^{2,}|^(?:->|=>|→|⇒)\s"
"""Marks in the margin of code: diff signs, prompts, numbers, carets, arrows before results."""
_BODY: Final = rf"\{{\s*{_DOTS}\s*\}}|^\s*{_DOTS}|[:=]\s*{_DOTS}"
_CURLY: Final = (
    rf"{_BODY}|[(\[]\s*{_DOTS}\s*[)\]]|,\s*{_DOTS}\s*[,\]}}]|[(,=]\s*{_BLANK_TO_FILL}\s*[,;)]|/\*\s*(?:\.\.\.|…)\s*\*/"
    rf"|\{{\{{\s*\w|{_MARGIN}"
)
_C: Final = rf"{_BODY}|,\s*{_DOTS}\s*[\]}}]|[(,=]\s*{_BLANK_TO_FILL}\s*[,;)]|{_MARGIN}"
_PYTHON: Final = (
    r"^\s*[!%]{1,2}\s*[a-z]|^\s*\w+(?:, *\w+)*\s*=\s*[!%]\s*[a-z]|^\s*[\w.()]+\?{1,2}\s*$|^\s*\?{1,2}[\w.]+\s*$"
    rf"|{_PLAIN}(?:{_BLANK_TO_FILL}|…|,\s*\.\.\.\s*,\s*\w+=|\{{\{{\s*[\w.]+\s*(?:\||\}}\}})|\{{%)|^[A-Z]\w*:\s*$|{_MARGIN}"
    r"|^(?!\s*(?:(?:async )?def |[\])}]))[^#\"']*\S\s+(?:->|=>|→|⇒|←)\s+\S[^:]*$"
)
_SIGNS: Final[Mapping[str, str]] = {
    "python": _PYTHON,
    "json": (
        rf"{_DOTS}|[:,\[]\s*{_BLANK_TO_FILL}|\{{\{{|\$\{{|[:,\[]\s*(?:[A-Z_]{{3,}}|\$\w+|%\w+%)\s*[,}}\]]?$"
        r"|^(?:GET|POST|PUT|PATCH|DELETE|HTTP)\b|^[-+]\s"
    ),
    "yaml": rf"{_DOTS}|{_BLANK_TO_FILL}|\{{\{{|\{{%|<%|^\+\s",
    "bash": rf"{_DOTS}|{_BLANK_TO_FILL}|\[[A-Za-z][\w -]*\]|^\+\s",
    "rust": rf"{_CURLY}|\bfn\s\w+\(\.\.\)",
    "c": _C,
    "cpp": _C,
    "lua": rf"^\s*(?:\.{{3,}}|…)\s*$|…|[(,=]\s*{_BLANK_TO_FILL}\s*[,;)]|{_MARGIN}",
    "sql": rf"{_DOTS}|{_BLANK_TO_FILL}|\{{\{{|\{{%|^[-+]\s|\[\s*,?\s*\.\.\.",
    "html": rf"^\s*{_DOTS}\s*$|<\s*(?:\.\.\.|…)|{_MARGIN}",
    "css": rf"{_DOTS}|[:(,]\s*{_BLANK_TO_FILL}|{_MARGIN}",
    "toml": rf"{_DOTS}|[=,\[]\s*{_BLANK_TO_FILL}|\{{\{{|^[-+]\s",
    "dockerfile": rf"{_DOTS}|{_BLANK_TO_FILL}|\[[A-Za-z][\w -]*\]$|^[-+]\s",
}
_LONG_TEXT: Final = re.compile(r"'{3}(?>(?:[^']++|'(?!''))*)'{3}" r'|"{3}(?>(?:[^"]++|"(?!""))*)"{3}')


def must_parse(unit: CodeUnit) -> bool:
    """Return whether a syntax error in ``unit`` is a mistake: the code is complete and meant to run."""
    is_file = not unit.language and not is_fragment(unit)
    return unit.is_complete and (is_file or not is_pseudocode(language_of(unit), unit.text))


def is_pseudocode(language: str, text: str) -> bool:
    """Return whether ``text`` has notebook commands, blanks to fill in or omitted code."""
    sign = re.compile(_SIGNS.get(language, _CURLY))
    bare = _LONG_TEXT.sub("''", text) if language == "python" else text
    return any(sign.search(line[:_MAX_LINE_CHARS]) for line in bare.split("\n"))
