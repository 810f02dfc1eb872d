"""Sessions for exports: a journal in a file, read and folded as the command does it."""

import unicodedata
from pathlib import Path

from seqthink.export.export_source import ExportSource
from seqthink.loading import load_journal
from tests.build import JournalBuilder
from tests.payloads import PAGE_PAYLOADS, PAYLOADS

HOSTILE = PAYLOADS | PAGE_PAYLOADS

SOFT_HYPHEN, JOINER = "\u00ad", "\u200d"


def unseen(text: str) -> set[str]:
    """Return the controls and invisible characters in ``text``, but for those that writing needs."""
    kinds = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    return {character for character in text if unicodedata.category(character) in kinds} - {SOFT_HYPHEN, JOINER}


def material(journal: Path) -> ExportSource:
    """Return what an export of the journal is made of."""
    texts = load_journal(journal)
    return ExportSource.from_texts(texts)


def hostile() -> JournalBuilder:
    """Return a journal that says each hostile text in every place where a journal takes a text."""
    builder = JournalBuilder().session(title="\n".join(HOSTILE.values()), client="".join(HOSTILE.values()))
    for number, text in enumerate(HOSTILE.values(), 1):
        builder.thought(text, number, 99, after=1, coerced=[text], hint=text, toolUseId=text)
        belonging(builder, text)
    for text in HOSTILE.values():
        builder.thought(text, 1, 1, branch=text, from_=1)
        builder.thought(
            f"# {text}\n\n- {text}\n\n> {text}\n\n```{text}\n{text}\n```\n\n| {text} |\n| - |", 2, 2, revises=1
        )
        builder.rejected(text, arguments={text: [text]}, tool=text)
        builder.rejected(text, arguments=text, truncated=True)
    return builder.end("error", error="".join(HOSTILE.values()))


def belonging(builder: JournalBuilder, text: str) -> None:
    """Add one of each thing that belongs to a thought, to the last one, with ``text`` wherever a text may stand."""
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
