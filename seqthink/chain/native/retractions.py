"""Finds where an agent takes something back in words: a remark, an answer or a reasoning item that says so itself.

It is what the text says, never a revision: no thought is named, and nothing is counted. Only English is read. A phrase
counts at the start of a sentence, outside of quotations and code. Each was chosen by how often it means that in
public technical prose: "Wait," and "Actually," alone do so half of the time, so they are left out; "Wait, no" is not.
"""

import re
from functools import cache
from typing import Final

from seqthink.core.text import MAX_FOLDED_CHARS

MAX_SENTENCE_CHARS: Final = 120
"""Characters of the sentence that are quoted."""

_NOT_ITS_OWN: Final = re.compile(
    r"(?:```|~~~).*?(?:```|~~~|\Z)|`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|^[ \t]*>[^\n]*", re.DOTALL | re.MULTILINE
)
"""Code and quotations."""
_OBJECT: Final = r"(?:that|this|it|those|these|both|all|just|my|the)\b"
_WRONG: Final = r"(?:wrong|mistaken|incorrect)\b"
_PHRASES: Final = (
    rf"i was (?:(?:just|simply|clearly|completely|totally|partly) )?{_WRONG}",
    rf"that was (?:{_WRONG}|(?:a|my) mistake\b|my error\b)",
    rf"my (?:earlier|previous|first|initial|last) [^.!?\n]{{1,80}}? (?:was|were) (?:\w+ )?[*_]{{0,3}}{_WRONG}",
    r"my mistake\b",
    r"i made an? (?:mistake|error)\b",
    r"i (?:mis(?:read|understood|spoke|judged)|stand corrected)\b",
    r"i(?:['’]ve| have)? changed my mind\b",
    r"i take (?:it|(?:that|this|the|my)(?: [^.!?\n]{1,40})?) back\b",
    r"scratch that\b",
    r"on second thoughts?\b",
    rf"(?:let me|i['’]ll|i will|i['’]m going to) (?:revert|undo) {_OBJECT}",
    rf"i(?:['’]m| am) (?:reverting|undoing) {_OBJECT}",
    r"(?:reverting|undoing) (?:that|this|it|(?:my|the|that|this)(?: [\w'./-]+){0,3} (?:change|edit|fix|commit|patch)s?)"
    r"(?: again| now)?[ \t]*(?:[.:;…!—–]|\Z)",
)
_OPENERS: Final = (
    r"(?:(?:wait|actually|hm+|oh|oops|ah|no|ok|okay|well|sorry|right|but|and|so|you['’]re (?:absolutely )?right)"
    r"[,.…!:;—–-]*[ \t]*(?:[—–-][ \t]*)?){0,3}"
)
_FIRST_WORDS: Final = re.compile(r"\ACorrection: ")
_SENTENCE_END: Final = re.compile(r"[.!?…](?=[\s*_]|\Z)|\n|\Z")
_PARTS: Final = (
    "wrong", "istake", "rror", "mis", "orrect", "my mind", "take ", "cratch that", "second thought", "evert", "ndo",
    "ctually", "ait no", "ait, no",
)  # fmt: skip
"""One of these is in each text that has a phrase, so that most texts are seen to have none at once."""


@cache
def _retraction() -> re.Pattern[str]:
    """Return the pattern of a sentence that takes something back: to compile it takes a hundredth of the start."""
    return re.compile(
        r"(?:\A|\n|(?<=[.!?…])[ \t])[ \t]*(?:[-*•#]+[ \t]+|\d{1,3}[.)][ \t]+)?[*_]{0,3}"
        rf"(?P<sentence>{_OPENERS}(?:{'|'.join(_PHRASES)})"
        rf"|(?:wait|actually|no)[,.…!—–-]*[ \t]*(?:[—–-][ \t]*)?that(?:['’]s| is) {_WRONG}"
        r"|(?:actually|wait),? no[,.!;:—–])",
        re.IGNORECASE,
    )


def retraction_in(text: str) -> str:
    """Return the first sentence in which a text takes something back, cut; an empty string if none does."""
    text = text[:MAX_FOLDED_CHARS]
    if not any(part in text for part in _PARTS):
        return ""
    own = _NOT_ITS_OWN.sub(lambda found: "\0" * len(found[0]), text)
    for found in (_FIRST_WORDS.search(own), *_retraction().finditer(own)):
        if found is None:
            continue
        start = found.start("sentence") if found.re is _retraction() else 0
        end = _SENTENCE_END.search(text, max(start, found.end() - 1))
        stop = end.end() if end is not None else len(text)
        if not text[start:stop].endswith("?"):
            return text[start : min(stop, start + MAX_SENTENCE_CHARS)].strip()
    return ""
