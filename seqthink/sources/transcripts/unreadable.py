"""Reports what this version cannot read of a client's files: the one place that knows when, and in which words."""

from collections.abc import Iterable
from typing import Final

from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import AgentStarted, Fact, SessionDescribed

UNKNOWN_WORDS: Final = "has a format that this version cannot read"
WHAT_TO_DO: Final = "; update seqthink, or send us what `seqthink doctor --report` prints"
LINK_WORDS: Final = "a link is not followed"
_LINK_BEGINNING: Final = f"{LINK_WORDS}, so its sessions are not listed: "
_LINK_ENDING: Final = " (`seqthink show FILE` takes each by name)"
_FEW_RECORDS: Final = 4
"""From this many records on, a single known one is not a reason to believe in the format."""


def unknown_format(label: str, kind: str = "file") -> str:
    """Return the words about a client's file, or another kind of its storage, whose format is not known."""
    return f"{label}'s {kind} {UNKNOWN_WORDS}"


def unknown_format_at(path: object, label: str, kind: str = "file") -> str:
    """Return the sentence about a client's file at a path whose format is not known."""
    return f"{unknown_format(label, kind)}: {path}"


def unknown_format_to_show(path: object, label: str) -> str:
    """Return the same about a file that the user named, with what to do."""
    return f"{unknown_format_at(path, label)}{WHAT_TO_DO}"


def is_unknown_format(counts: ReadCounts, *, has_content: bool) -> bool:
    """Return whether nothing in a transcript was recognised, though there are records in it."""
    strange = counts.unknown + counts.corrupt
    if has_content or not strange:
        return False
    return strange >= counts.read or (counts.read >= _FEW_RECORDS and strange >= counts.read - 1)


def have_content(facts: Iterable[Fact]) -> bool:
    """Return whether facts say more than which session it is."""
    return any(not isinstance(fact, SessionDescribed | AgentStarted) for fact in facts)


def skipped_link(path: str) -> str:
    """Return the sentence about a link in a client's folder, which is never followed."""
    return f"{_LINK_BEGINNING}{path}{_LINK_ENDING}"


def gathered(sentences: Iterable[str], *, has_links: bool = True) -> list[str]:
    """Return sentences with one about all links in place of one for each, or with none about links."""
    every = list(sentences)
    links = [sentence for sentence in every if sentence.startswith(_LINK_BEGINNING)]
    others = [sentence for sentence in every if sentence not in links]
    if len(links) > 1:
        paths = ", ".join(link.removeprefix(_LINK_BEGINNING).removesuffix(_LINK_ENDING) for link in links)
        links = [f"{len(links)} links are not followed, so their sessions are not listed: {paths}{_LINK_ENDING}"]
    return [*others, *links] if has_links else others
