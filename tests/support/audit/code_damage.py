"""Pieces cut from sound files, and ways to break them as models do: for the measure of `tests.bench audit`.

Pieces are found by indentation alone, not by a grammar, so that a grammar cannot flatter itself.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from textwrap import dedent
from typing import Final

_MAX_PIECE_LINES: Final = 60
_OPENINGS: Final[Mapping[str, str]] = {
    "ruby": r"(?:def|class|module|it|describe|if|unless|case|begin|\w.* do(?: \|.*\|)?$)\b",
    "lua": r"(?:local function|function|if|for|while|[\w.]+ = function)\b",
    "html": r"<(?!!|/|br|img|hr|input|meta|link)(?P<tag>\w+)[^<>]*>$",
    "sql": r"(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|GRANT)\b",
    "toml": r"\[.*\]$",
    "dockerfile": r"[A-Z]+ ",
    "css": r"[^\s@}].*\{$",
}
_CURLY_OPENING: Final = r"(?![@#*/})\"']|(?:extends|with|throws|else|catch)\b).*\S.*\{$"
_COMMENT: Final = re.compile(r"//|#|--|/\*|\*|<!--|^\s*\"\"\"|=begin|@|REM|[\"'`]")
"""Lines with a comment or a text are not damaged: a bracket more or less in them is sound."""
_GOES_ON: Final = r"{blank}(?:\s|[}}{{]|els|rescue|when)"
_KEYWORDS: Final[Mapping[str, str]] = {
    "ruby": r"\b(?:def|end|class|module)\b",
    "php": r"\b(?:function|class|foreach|public|return)\b(?= [\w$(])",
    "csharp": r"\b(?:class|namespace|foreach|using|public|private|return)\b(?= \w)",
    "kotlin": r"\b(?:class|private|override|return|import|interface)\b(?= \w)",
    "swift": r"\b(?:class|func|guard|let|struct|return)\b(?= \w)",
    "scala": r"\b(?:class|object|def|val|import)\b(?= \w)",
    "lua": r"\b(?:function|local|end|then|return|elseif)\b",
    "sql": r"\b(?:SELECT|FROM|WHERE|INSERT|UPDATE|VALUES|TABLE|CREATE|INTO)\b(?= )",
    "dockerfile": r"^(?:FROM|RUN|COPY|WORKDIR|ENTRYPOINT|EXPOSE)\b",
}
_END: Final[Mapping[str, str]] = {"ruby": "end", "lua": "end", "html": "</div>", "sql": ")", "dockerfile": "}"}

Damage = Callable[[str, str, random.Random], str | None]


def pieces(language: str, text: str) -> Iterator[str]:
    """Yield blocks of ``text``, dedented: a line that opens one, and all up to the line that ends it."""
    lines = text.split("\n")
    if language == "csharp":  # whose braces stand on lines of their own
        text = re.sub(r"(?<=[\w)>])\n\s*\{[ \t]*$", " {", text, flags=re.MULTILINE)
        lines = text.split("\n")
    opening = re.compile(rf"(?P<blank>\s*){_OPENINGS.get(language, _CURLY_OPENING)}")
    number = 0
    while number < len(lines):
        match = opening.match(lines[number])
        end = _end_of(language, lines, number, match) if match else number
        if 1 <= end - number <= _MAX_PIECE_LINES:
            yield dedent("\n".join(lines[number : end + 1]) + "\n")
        number = max(end, number) + 1


def damaged(language: str, text: str, seed: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each kind of damage that ``text`` can take, and the damaged text."""
    for name, damage in _DAMAGES.items():
        broken = damage(language, text, random.Random(f"{seed} {name}"))
        if broken is not None and broken.strip() and broken != text:
            yield name, broken


def _end_of(language: str, lines: list[str], start: int, match: re.Match[str]) -> int:
    blank = match["blank"]
    if language in ("sql", "toml", "dockerfile"):
        return _end_of_statement(language, lines, start)
    end = {"ruby": "end", "lua": "end", "html": f"</{match['tag']}>" if language == "html" else ""}.get(language, "}")
    if lines[start].lstrip().startswith("{"):
        return start
    for number in range(start + 1, min(len(lines), start + _MAX_PIECE_LINES)):
        line = lines[number]
        if line.startswith(blank + end) and not line[len(blank + end) :].strip(" ;,)"):
            return number
        if line.strip() and not re.match(_GOES_ON.format(blank=blank), line):
            return start
    return start


def _end_of_statement(language: str, lines: list[str], start: int) -> int:
    for number in range(start, min(len(lines), start + _MAX_PIECE_LINES)):
        line = lines[number].rstrip()
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if language == "sql" and line.endswith(";"):
            return number
        if language == "toml" and (not following.strip() or following.startswith("[")):
            return number
        if language == "dockerfile" and number > start and not following.strip() and not line.endswith("\\"):
            return number
    return start


def _plain_places(text: str, pattern: str) -> list[re.Match[str]]:
    """Return the matches of ``pattern`` in lines without comments and texts."""
    found, at, is_inside = list[re.Match[str]](), 0, False
    for line in text.split("\n"):
        is_inside = (is_inside or "/*" in line or "<!--" in line) and not ("*/" in line or "-->" in line)
        if not is_inside and not _COMMENT.search(line):
            found += re.compile(pattern).finditer(text, at, at + len(line))
        at += len(line) + 1
    return found


def _without(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + text[match.end() :]


def _bracket_dropped(language: str, text: str, chance: random.Random) -> str | None:
    places = _plain_places(text, r"[<>]" if language == "html" else r"[()\[\]{}]")
    return _without(text, chance.choice(places)) if places else None


def _quote_left_open(_language: str, text: str, chance: random.Random) -> str | None:
    places = list(re.finditer(r"^[^\"'`#/\n]*\"[^\"'`#\n\\]*(\")[^\"'`\n]*$", text, re.MULTILINE))
    if not places:
        return None
    at = chance.choice(places).start(1)
    return text[:at] + text[at + 1 :]


def _keyword_misspelled(language: str, text: str, chance: random.Random) -> str | None:
    pattern = _KEYWORDS.get(language)
    places = _plain_places(text, pattern) if pattern else []
    if not places:
        return None
    match = chance.choice(places)
    word = match[0]
    at = chance.randrange(1, len(word) - 1) if len(word) > 2 else 0
    wrong = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return text[: match.start()] + wrong + text[match.end() :] if wrong != word else None


def _end_missing(language: str, text: str, _chance: random.Random) -> str | None:
    end = {"ruby": r"^\s*end\s*$", "lua": r"^\s*end\s*$", "html": r"</(?:div|ul|span|table|a|h\d|section|form)>"}
    places = list(re.finditer(end.get(language, r"^\s*\}\s*$"), text, re.MULTILINE))
    return _without(text, places[-1]) if places else None


def _cut_in_the_middle(language: str, text: str, chance: random.Random) -> str | None:
    signs = {"html": r"<\w+ |</\w", "toml": r"= *[\[\"{]", "dockerfile": r"\\\n"}.get(language, r"[({\[,=+]")
    places = _plain_places(text, signs) if language != "toml" else list(re.finditer(signs, text))
    return text[: chance.choice(places).end()].rstrip() + "\n" if places else None


def _stray_end(language: str, text: str, chance: random.Random) -> str | None:
    if language == "toml":
        return f"{text}]\n"
    end = _END.get(language, "}")
    return f"{text}{end}\n" if chance.random() < 0.5 else f"{end}\n{text}"


_DAMAGES: Final[Mapping[str, Damage]] = {
    "a bracket dropped": _bracket_dropped,
    "a quote left open": _quote_left_open,
    "a keyword misspelled": _keyword_misspelled,
    "an end missing": _end_missing,
    "cut in the middle": _cut_in_the_middle,
    "a stray end": _stray_end,
}
