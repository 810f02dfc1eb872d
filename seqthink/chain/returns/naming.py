"""Whether a text names a branch (docs/journal.md, "Branches that come back").

An id such as ``cron-job`` names its branch wherever it is a word of its own. An id that is an ordinary word, such as
``main`` or ``1``, would be found in any prose, so it counts only in quotes, or beside a word such as "branch".
"""

import re
from functools import cache, cached_property

MAX_ID_CHARS = 200
"""Longer ids are not looked for."""

_LETTER = (
    # Letters and digits, except of scripts that put no blanks between words: an id may touch those.
    r"[^\W\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_JOINT = r"[-/.:@#+=\\]"
"""What may join two parts of one word."""
_GOES_ON_BEFORE = rf"(?:{_LETTER}|{_JOINT})\Z"
_GOES_ON_AFTER = rf"{_JOINT}?{_LETTER}"

_INNER_MARK = re.compile(r"\d|\w[-_/.:]+\w|\w_|_\w|[a-z][A-Z]")
_KINDS = "alternative|approach|branch|option|path"
_KIND = re.compile(_KINDS, re.IGNORECASE)
_KIND_BEFORE = rf"(?i:(?<!{_LETTER})(?:{_KINDS})[ \t]*[:=]?[ \t]*\Z)"
_KIND_AFTER = rf"(?i:[ \t]+(?:{_KINDS})(?!{_LETTER}))"
_MAX_KIND_CHARS = 24
"""Characters beside an id in which a word such as "branch" is looked for."""
_QUOTES = {"`": "`", '"': '"', "'": "'", "“": "”", "„": "“", "‘": "’", "«": "»", "‹": "›", "「": "」", "『": "』"}

_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\S+",
        """
        I a about above after again all also an and and/or another any are as at back be because been before below best
        better both but by can could did do does done e.g each either else etc even every few first for from get go good
        had has have he her here his how i.e if in instead into is it its just last later less let like made make many
        may more most much must my new next no none nor not now of off old on once one only or other our out over own
        right same second see she should since so some still such take than that the their them then there these they
        third this those to too two under until up us use used very via vs was way we well were what when where which
        while who whole why will with within without worse would yet you your
        """,
    )
)
"""Words that occur beside "branch" or "path" in any prose ("the path", "another branch")."""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return one of the patterns with `_LETTER`: each takes milliseconds to compile, and few sessions need them."""
    return re.compile(pattern)


class BranchName:
    """A branch's id, as texts name it. The first letter of an id of several characters may be in either case."""

    def __init__(self, branch_id: str) -> None:
        words = branch_id.split() if len(branch_id) <= MAX_ID_CHARS else []
        self._words = words
        self.key = max([words[0][1:], *words[1:]], key=len) if words else None
        """A part of every text that names the branch; None if none does, because the id is blank or too long."""
        self._is_distinctive = _is_distinctive(words)
        self._needs_quotes = all(_is_function_word(word) for word in words)

    def is_named_in(self, text: str) -> bool:
        """Whether the text names the branch."""
        if self.key is None or self.key not in text:
            return False
        return any(self._is_name(text, found.start(), found.end()) for found in self._pattern.finditer(text))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        first, *others = self._words
        head, other = first[:1], first[:1].swapcase()
        if (len(first) > 1 or others) and len(other) == 1:
            head = f"[{re.escape(head)}{re.escape(other)}]"
        else:
            head = re.escape(head)
        return re.compile(r"\s+".join([head + re.escape(first[1:]), *map(re.escape, others)]))

    def _is_name(self, text: str, start: int, end: int) -> bool:
        """Whether the id, found from ``start`` to before ``end``, names the branch."""
        before, after = text[max(0, start - _MAX_KIND_CHARS) : start], text[end : end + _MAX_KIND_CHARS]
        if _QUOTES.get(before[-1:]) == after[:1]:
            return True
        if self._needs_quotes or _compiled(_GOES_ON_BEFORE).search(before) or _compiled(_GOES_ON_AFTER).match(after):
            return False
        if self._is_distinctive or _compiled(_KIND_BEFORE).search(before):
            return True
        # "the main branch", but not "1 branch"
        return end - start > 1 and not text[start:end].isdecimal() and _compiled(_KIND_AFTER).match(after) is not None


def _is_distinctive(words: list[str]) -> bool:
    """Whether an id is found in no ordinary prose."""
    if len(words) == 1:
        return any(map(str.isalpha, words[0])) and _INNER_MARK.search(words[0]) is not None
    kinds = [word for word in words if _KIND.fullmatch(word.strip(":"))]
    others = [word for word in words if word not in kinds and not _is_function_word(word)]
    return bool(kinds and others)  # "Option B", but not "the path"


def _is_function_word(word: str) -> bool:
    word = word if len(word) == 1 else word.lower().strip(".")
    return word in _FUNCTION_WORDS
