"""Compares two sessions: aligned by prompt first, and within what answers it by the meaning of the thoughts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import accumulate

from msgspec import Struct

from seqthink.chain.comparison.alignment import MIN_LIKENESS, Pair, aligned, between
from seqthink.chain.comparison.passages import Passage, PassageKind, Section, passage_text, sections_of
from seqthink.chain.comparison.wording import Vocabulary, Wording, joined
from seqthink.chain.model import NONE
from seqthink.chain.session_texts import SessionTexts

MAX_WORDS_NAMED = 8
"""How many words are named that only one session uses."""
MIN_NAMED_USES, MIN_NAMED_CHARS = 2, 4
"""In how many texts such a word is at least, and how long it is."""
_HEAD_PASSAGES = 5
"""By how many thoughts a section without a prompt is known."""


class StretchKind(Enum):
    """How the two sides of a stretch are related."""

    SAME = "same"
    """One text on each side, and they differ in nothing but blanks."""
    ALIKE = "alike"
    """One text on each side, with much in common."""
    APART = "apart"
    """Texts that only one side has."""


class Stretch(Struct, frozen=True):
    """A part of a comparison. Ranges count the passages of a side from 0."""

    kind: StretchKind
    left: range
    right: range
    likeness: float = 0.0
    """From 0 to 1."""

    @property
    def mirrored(self) -> "Stretch":
        """The same with its sides exchanged."""
        return Stretch(self.kind, self.right, self.left, self.likeness)


class SideTexts(Struct, frozen=True):
    """One of two compared sessions."""

    passages: Sequence[Passage]
    """What was compared, section by section."""
    answer: int
    """Where among the passages the last answer of the main agent is, else its last final thought; NONE without one."""
    own_words: Sequence[str]
    """Words that only this session uses, in several thoughts, the most used first."""


class Comparison(Struct, frozen=True):
    """What two sessions have in common, and where they part."""

    left: SideTexts
    right: SideTexts
    stretches: Sequence[Stretch]
    """All passages of both sides, each once, in order."""
    answers: StretchKind | None
    """How the two answers are related; None if there are not two."""

    @property
    def first_parting(self) -> int:
        """The first stretch in which one side thought what the other did not; NONE if there is none."""
        return next((place for place, stretch in enumerate(self.stretches) if self._is_parting(stretch)), NONE)

    def _is_parting(self, stretch: Stretch) -> bool:
        if stretch.kind is not StretchKind.APART:
            return False
        found = [*(self.left.passages[at] for at in stretch.left), *(self.right.passages[at] for at in stretch.right)]
        return any(passage.kind is not PassageKind.PROMPT for passage in found)

    def count(self, kind: StretchKind) -> int:
        """Return how many pairs are the same, or alike."""
        return sum(stretch.kind is kind for stretch in self.stretches)

    @property
    def left_only(self) -> int:
        """How many passages only the left side has."""
        return sum(len(stretch.left) for stretch in self.stretches if stretch.kind is StretchKind.APART)

    @property
    def right_only(self) -> int:
        """How many passages only the right side has."""
        return sum(len(stretch.right) for stretch in self.stretches if stretch.kind is StretchKind.APART)

    @property
    def mirrored(self) -> "Comparison":
        """The same with its sides exchanged."""
        return Comparison(self.right, self.left, [stretch.mirrored for stretch in self.stretches], self.answers)


class _Worded:
    """A session with the wordings of its passages, section by section."""

    def __init__(self, texts: SessionTexts, vocabulary: Vocabulary) -> None:
        self.sections = sections_of(texts)
        self.passages = [passage for section in self.sections for passage in section.passages]
        self.wordings = [vocabulary.wording(passage_text(texts, passage)) for passage in self.passages]
        self.starts = [0, *accumulate(len(section.passages) for section in self.sections)]
        """Where among the passages each section begins, and where the last one ends."""
        self.answer = _answer(texts, self.passages)

    def heads(self) -> list[Wording]:
        """Return by which words each section is known: those of its prompt, else of its first thoughts."""
        return [
            self.wordings[start]
            if section.has_prompt
            else joined(self.wordings[start : min(stop, start + _HEAD_PASSAGES)])
            for section, start, stop in zip(self.sections, self.starts, self.starts[1:], strict=False)
        ]

    def order(self) -> tuple[object, ...]:
        """Return a key that puts two sessions into an order that does not depend on which of them is on the left."""
        sections = [(section.agent is None, section.has_prompt) for section in self.sections]
        return (self.starts, sections, [wording.digest for wording in self.wordings])

    def side(self, other: "_Worded", vocabulary: Vocabulary) -> SideTexts:
        """Return what is known of this session beside ``other``."""
        others = {word for wording in other.wordings for word in wording.words}
        uses = Counter(
            word
            for passage, wording in zip(self.passages, self.wordings, strict=True)
            if passage.kind is not PassageKind.PROMPT
            for word in wording.words
            if word not in others
        )
        often = [(-count, vocabulary.spelled(word)) for word, count in uses.items() if count >= MIN_NAMED_USES]
        telling = sorted(found for found in often if len(found[1]) >= MIN_NAMED_CHARS and found[1].isalpha())
        return SideTexts(self.passages, self.answer, [word for _, word in telling[:MAX_WORDS_NAMED]])


def compare(left: SessionTexts, right: SessionTexts) -> Comparison:
    """Compare two sessions. Exchanged sessions give the same with exchanged sides."""
    vocabulary = Vocabulary()
    one, other = _Worded(left, vocabulary), _Worded(right, vocabulary)
    vocabulary.weigh()
    # Where two alignments are equally good, the choice must not depend on which session is on the left.
    if other.order() < one.order():
        return _compared(other, one, vocabulary).mirrored
    return _compared(one, other, vocabulary)


def _compared(left: _Worded, right: _Worded, vocabulary: Vocabulary) -> Comparison:
    stretches = [stretch for stretch in _stretches(left, right, vocabulary) if stretch.left or stretch.right]
    answers = None
    if NONE not in {left.answer, right.answer}:
        answers = _relation(left.wordings[left.answer], right.wordings[right.answer], vocabulary)[0]
    return Comparison(left.side(right, vocabulary), right.side(left, vocabulary), stretches, answers)


def _relation(one: Wording, other: Wording, vocabulary: Vocabulary) -> tuple[StretchKind, float]:
    if one.digest == other.digest:
        return StretchKind.SAME, 1.0
    likeness = vocabulary.likeness(one, other)
    return StretchKind.ALIKE if likeness >= MIN_LIKENESS else StretchKind.APART, likeness


def _stretches(left: _Worded, right: _Worded, vocabulary: Vocabulary) -> Iterator[Stretch]:
    pairs = _section_pairs(left, right, vocabulary)
    for pair, lefts, rights in between(pairs, len(left.sections), len(right.sections)):
        yield Stretch(
            StretchKind.APART,
            range(left.starts[lefts.start], left.starts[lefts.stop]),
            range(right.starts[rights.start], right.starts[rights.stop]),
        )
        if pair is not None:
            yield from _within_sections(left, right, pair, vocabulary)


def _section_pairs(left: _Worded, right: _Worded, vocabulary: Vocabulary) -> list[Pair]:
    """Return which sections belong together: those with like prompts, and between them those in the same place."""
    found = aligned(left.heads(), right.heads(), vocabulary)
    alike = [pair for pair in found if _are_of_a_kind(left.sections[pair.left], right.sections[pair.right])]
    pairs: list[Pair] = []
    for pair, lefts, rights in between(alike, len(left.sections), len(right.sections)):
        pairs += _by_place(left, right, lefts, rights)
        pairs += [pair] if pair is not None else []
    return pairs


def _by_place(left: _Worded, right: _Worded, lefts: range, rights: range) -> Iterator[Pair]:
    """Yield the sections of main agents, and those of subagents, in pairs; one that has no partner is left out."""
    at, other = lefts.start, rights.start
    while at < lefts.stop and other < rights.stop:
        if _are_of_a_kind(left.sections[at], right.sections[other]):
            yield Pair(at, other, 0.0)
            at, other = at + 1, other + 1
        elif left.sections[at].agent is None:
            other += 1
        else:
            at += 1


def _are_of_a_kind(one: Section, other: Section) -> bool:
    return (one.agent is None) == (other.agent is None)


def _within_sections(left: _Worded, right: _Worded, sections: Pair, vocabulary: Vocabulary) -> Iterator[Stretch]:
    """Yield the stretches of two sections that belong together: the prompts, then what answers them."""
    at, stop = left.starts[sections.left], left.starts[sections.left + 1]
    other, other_stop = right.starts[sections.right], right.starts[sections.right + 1]
    asked = range(at, at + left.sections[sections.left].has_prompt)
    other_asked = range(other, other + right.sections[sections.right].has_prompt)
    kind, likeness = StretchKind.APART, 0.0
    if asked and other_asked:
        kind, likeness = _relation(left.wordings[at], right.wordings[other], vocabulary)
    yield Stretch(kind, asked, other_asked, likeness)
    at, other = asked.stop, other_asked.stop
    wordings, other_wordings = left.wordings[at:stop], right.wordings[other:other_stop]
    pairs = aligned(wordings, other_wordings, vocabulary)
    for pair, lefts, rights in between(pairs, len(wordings), len(other_wordings)):
        yield Stretch(
            StretchKind.APART,
            range(at + lefts.start, at + lefts.stop),
            range(other + rights.start, other + rights.stop),
        )
        if pair is not None:
            is_same = wordings[pair.left].digest == other_wordings[pair.right].digest
            yield Stretch(
                StretchKind.SAME if is_same else StretchKind.ALIKE,
                range(at + pair.left, at + pair.left + 1),
                range(other + pair.right, other + pair.right + 1),
                pair.likeness,
            )


def _answer(texts: SessionTexts, passages: Sequence[Passage]) -> int:
    """Return where the last answer of the main agent is, else its last final thought, or NONE."""
    is_final = texts.session.thoughts.is_final
    places = [place for place, passage in enumerate(passages) if passage.agent is None]
    answers = (place for place in reversed(places) if passages[place].kind is PassageKind.ANSWER)
    final = (
        place
        for place in reversed(places)
        if passages[place].kind is PassageKind.THOUGHT and is_final(passages[place].thought)
    )
    return next(answers, next(final, NONE))
