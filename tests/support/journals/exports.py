"""Journals for export tests, with hostile texts in every field."""

import unicodedata

from tests.support.journals.build import JournalBuilder
from tests.support.screens.payloads import PAGE_PAYLOADS, PAYLOADS

HOSTILE = PAYLOADS | PAGE_PAYLOADS

SOFT_HYPHEN, JOINER = "\u00ad", "\u200d"


def invisible_chars(text: str) -> set[str]:
    """Return the control and invisible characters in ``text``, except those that scripts need."""
    kinds = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    return {character for character in text if unicodedata.category(character) in kinds} - {SOFT_HYPHEN, JOINER}


def hostile() -> JournalBuilder:
    """Return a journal with each hostile text in every field that takes a text."""
    builder = JournalBuilder().session(title="\n".join(HOSTILE.values()), client="".join(HOSTILE.values()))
    for number, text in enumerate(HOSTILE.values(), 1):
        builder.thought(text, number, 99, after=1, coerced=[text], hint=text, toolUseId=text)
        add_attachments(builder, text)
    for text in HOSTILE.values():
        builder.thought(text, 1, 1, branch=text, from_=1)
        builder.thought(
            f"# {text}\n\n- {text}\n\n> {text}\n\n```{text}\n{text}\n```\n\n| {text} |\n| - |", 2, 2, revises=1
        )
        builder.rejected(text, arguments={text: [text]}, tool=text)
        builder.rejected(text, arguments=text, truncated=True)
    return builder.end("error", error="".join(HOSTILE.values()))


def add_attachments(builder: JournalBuilder, text: str) -> None:
    """Attach one of everything to the last thought, with ``text`` in every text field."""
    of = builder.seq
    said = [{"role": "user", "content": {"type": "text", "text": text}}, {"role": text, "content": [{"type": text}]}]
    builder.audit(of, "revise", 40, dimensions={text: 50}, summary=text)
    builder.audit(of, "revise", 40, dimensions={text: 50}, summary=text, comments=[(text, 3, text)])
    builder.audit(of, error=text)
    builder.sample(of, text, messages=said, model=text, error=text)
    builder.elicit(of, text, messages=said, content={text: text}, error=text)
    builder.context(text, id=text, tags=[text], of=of)
    builder.note(text, of=of, written=text)
    builder.note(text, of=of, written="2026-03-10T14:05:10Z")
