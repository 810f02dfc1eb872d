"""The answer of `seqthink why` in words, and as JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import tzinfo
from typing import Any, NamedTuple

from seqthink.core.text import first_line, one_line, sanitize
from seqthink.core.times import datetime_of
from seqthink.drawing.describe import units
from seqthink.drawing.text.wrap import wrap
from seqthink.journal.encode import format_time
from seqthink.library.why.answers import LineAnswer
from seqthink.library.why.attribution import Commit, Doubt, Level
from seqthink.library.why.git_output import ranges_of
from seqthink.library.why.thoughts_behind import Behind, SaidText

MAX_TEXT_LINES = 14
"""Lines of a thought that are printed, unless all are wanted."""
MAX_EDITS = 3
MAX_RANGES = 8
_INDENT = "  "
_SHORT_ID_CHARS = 8
_KINDS = {
    "thought": "thought",
    "reasoning": "reasoning of the model",
    "remark": "remark of the agent (no thought or reasoning before it)",
    "prompt": "prompt (nothing was thought or said before it)",
    "nothing": "nothing was thought or said before it",
}
_SURE = {
    Level.SAME_TEXT: "the edit wrote this text",
    Level.SAME_LINES: "the edit wrote the lines around it",
    Level.SAME_FILE: "it was the last one of this file before",
    Level.SAME_MINUTES: "the session was at work in this repository then",
    Level.NOTHING: "",
}


class SessionWords(NamedTuple):
    """What is said of a session."""

    client: str
    title: str
    link: str
    """The reference on the command line, with the entry if there is one."""
    command: str
    """The command that opens it."""
    source: str


class AnswerPage:
    """Puts answers into words.

    Args:
        commits: the commits by their ids.
        words_of: returns what is said of the session of an answer.
        zone: the time zone of displayed times.
        cells: the width of a line.
        is_long: whether all of each text is printed.
        is_coloured: whether headings are bold.
        separator: the sign between two facts.
    """

    def __init__(
        self,
        commits: Mapping[str, Commit],
        words_of: "Mapping[int, SessionWords]",
        *,
        zone: tzinfo,
        cells: int,
        is_long: bool,
        is_coloured: bool,
        separator: str,
    ) -> None:
        self._commits, self._words_of, self._zone = commits, words_of, zone
        self._cells, self._is_long, self._is_coloured, self._separator = cells, is_long, is_coloured, separator

    def blocks(self, answers: Sequence[LineAnswer], texts: Mapping[int, str]) -> Iterator[str]:
        """Yield the lines of all answers, those with one thought together, and last the lines that were not found.

        ``texts`` has the text of single lines.
        """
        together: dict[tuple[object, ...], list[int]] = {}
        for place, answer in sorted(enumerate(answers), key=lambda one: one[1].session is None):
            behind = answer.behind
            is_known = behind is not None and behind.seq
            key = (answer.path, answer.session, behind.seq if behind is not None and is_known else -place - 1)
            together.setdefault(key, []).append(place)
        for count, places in enumerate(together.values()):
            if count:
                yield ""
            text = texts.get(places[0], "") if len(places) == 1 else ""
            yield from self._block(places[0], [answers[place] for place in places], text)

    def _block(self, place: int, answers: Sequence[LineAnswer], text: str) -> Iterator[str]:
        answer = answers[0]
        numbers = sorted({number for one in answers for number in one.numbers})
        plain = first_line(text.strip())
        yield self._bold(place_words(answer.path, numbers)) + (f"  {plain}" if plain else "")
        if answer.session is None:
            yield from self._field("not found", str(answer.doubt) or "no session has it")
            yield from self._commits_of(answers)
            return
        behind, words = answer.behind, self._words_of[place]
        for one in answers:
            noun = "line" if len(one.numbers) == 1 else "lines"
            which = f"{noun} {range_words(one.numbers)}: " if len(answers) > 1 else ""
            yield from self._field("how sure" if one is answer else "", which + sure_words(one))
        yield ""
        if behind is None:
            yield from self._field("behind it", "the session cannot be read any more")
        else:
            yield from self._behind(behind)
        yield from self._made(answers, behind)
        yield from self._field("in", self._session_words(words, behind))
        yield from self._commits_of(answers)
        if words.command:
            yield f"{_INDENT}{'open:':<11} {words.command}"  # in one piece, to be copied

    def _behind(self, behind: Behind) -> Iterator[str]:
        name = _KINDS[behind.kind]
        if behind.kind == "thought":
            name = f"thought {behind.number}"
            if behind.branch:
                fork = f" from thought {behind.fork}" if behind.fork else ""
                name += f", on branch {first_line(behind.branch)}{fork}"
            name += f", revises thought {behind.revises}" if behind.revises else ""
        yield _INDENT + self._bold(name)
        yield from self._text(behind.text, MAX_TEXT_LINES)
        if behind.text.strip():
            yield ""
        for label, said in (("revised", behind.revised), ("later revised by", behind.revised_by)):
            yield from self._said(label, said)
        yield from self._said("thought", behind.thought_before)
        yield from self._said("started by", behind.started_by)
        yield from self._said("asked", behind.prompt)

    def _said(self, label: str, said: SaidText | None) -> Iterator[str]:
        if said is not None and said.text.strip():
            yield from self._field(label, str(first_line(said.text)))

    def _made(self, answers: Sequence[LineAnswer], behind: Behind | None) -> Iterator[str]:
        edits = {(made.edit.call, made.edit.path): made for answer in answers for made in answer.edits}
        if not edits:
            yield from self._field("at work", self._time(answers[0].time))
        for place, made in enumerate(list(edits.values())[:MAX_EDITS]):
            when = self._time(made.edit.time)
            if behind is not None and 0 < behind.time <= made.edit.time:
                when += f", {units.duration(made.edit.time - behind.time)} after that"
            words = f"{first_line(made.action or made.edit.kind)} ({when})"
            yield from self._field("" if place else "edit", words)
        if len(edits) > MAX_EDITS:
            yield from self._field("", f"and {len(edits) - MAX_EDITS:,} more")

    def _session_words(self, words: SessionWords, behind: Behind | None) -> str:
        agent = f"sub-agent {one_line(behind.agent)}" if behind is not None and behind.agent else "main agent"
        link = "" if words.command else str(one_line(words.link))
        return f" {self._separator} ".join(filter(None, (words.client, agent, str(one_line(words.title)), link)))

    def _commits_of(self, answers: Sequence[LineAnswer]) -> Iterator[str]:
        named = dict.fromkeys(commit for answer in answers for commit in answer.commits)
        found = [self._commits[commit] for commit in named if commit in self._commits]
        if not found:
            return
        first, *others = found
        more = f", and {units.count(len(others), 'commit')} more" if others else ""
        summary = first_line(first.summary)
        yield from self._field("commit", f"{first.id[:_SHORT_ID_CHARS]} {summary} ({self._time(first.authored)}){more}")

    def _field(self, label: str, text: str) -> Iterator[str]:
        width = max(20, self._cells - len(_INDENT) - 12)
        for number, line in enumerate(wrap(sanitize(text), width)):
            head = f"{label}:" if label and not number else ""
            yield f"{_INDENT}{head:<11} {line}".rstrip()

    def _text(self, text: str, most: int) -> Iterator[str]:
        lines = list(wrap(sanitize(text.strip()), max(20, self._cells - 2 * len(_INDENT))))
        shown = lines if self._is_long or len(lines) <= most else lines[: most - 1]
        yield from (f"{_INDENT * 2}{line}".rstrip() for line in shown)
        if len(shown) < len(lines):
            yield f"{_INDENT * 2}... {len(lines) - len(shown):,} more lines: -p shows all"

    def _time(self, time: int) -> str:
        return f"{units.date(time, self._zone)} {units.clock(time, self._zone, seconds=False)}"

    def _bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self._is_coloured else text


def place_words(path: str, numbers: Sequence[int]) -> str:
    """Return the place of lines: ``shop/db.py:41-44,50 (5 lines)``."""
    shown = str(one_line(path))
    if not numbers:
        return f"{shown} (lines removed)"
    count = f" ({len(numbers):,} lines)" if len(numbers) > 1 else ""
    return f"{shown}:{range_words(numbers)}{count}"


def range_words(numbers: Sequence[int]) -> str:
    """Return line numbers as ranges, the first of them: ``41-44,50``."""
    ranges = ranges_of(numbers)
    shown = ",".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges[:MAX_RANGES])
    return f"{shown},..." if len(ranges) > MAX_RANGES else shown


def sure_words(answer: LineAnswer) -> str:
    """Return how sure an answer is, and why."""
    doubt = f"; {answer.doubt}" if answer.doubt is not Doubt.NONE else ""
    return f"{answer.level}: {_SURE[answer.level]}{doubt}" if _SURE[answer.level] else str(answer.doubt)


def as_json(
    asked: str,
    answers: Sequence[LineAnswer],
    commits: Mapping[str, Commit],
    words_of: "Mapping[int, SessionWords]",
    searched: Mapping[str, Any],
) -> str:
    """Return the whole answer as one JSON object (docs/how-to/find-the-thought-behind-a-line.md)."""
    return json.dumps(
        {
            "asked": asked,
            "answers": [_fields(answer, commits, words_of.get(place)) for place, answer in enumerate(answers)],
            "searched": searched,
        }
    )


def _fields(answer: LineAnswer, commits: Mapping[str, Commit], words: SessionWords | None) -> dict[str, Any]:
    behind = answer.behind
    return {
        "file": answer.path,
        "lines": [list(pair) for pair in ranges_of(answer.numbers)],
        "level": str(answer.level),
        "why": sure_words(answer),
        "commits": [
            {"id": one.id, "summary": one.summary, "author": one.author, "time": _time(one.authored)}
            for one in (commits[commit] for commit in answer.commits if commit in commits)
        ],
        "edits": [
            {
                "call": made.edit.call,
                "action": made.action or None,
                "file": made.edit.path,
                "time": _time(made.edit.time),
                "lines": [list(pair) for pair in ranges_of(made.numbers)],
            }
            for made in answer.edits
        ],
        "behind": None if behind is None else _behind_fields(behind),
        "session": None
        if words is None
        else {
            "link": words.link,
            "source": words.source,
            "client": words.client,
            "title": words.title or None,
            "agent": (behind.agent or None) if behind is not None else None,
            "time": _time(answer.time),
            "open": words.command or None,
        },
    }


def _behind_fields(behind: Behind) -> dict[str, Any]:
    return {
        "kind": behind.kind,
        "entry": behind.seq or None,
        "time": _time(behind.time) if behind.time else None,
        "text": behind.text,
        "number": behind.number or None,
        "branch": behind.branch or None,
        "fork": behind.fork or None,
        "revises": behind.revises or None,
        "revised": behind.revised.text if behind.revised is not None else None,
        "revisedBy": behind.revised_by.text if behind.revised_by is not None else None,
        "prompt": behind.prompt.text if behind.prompt is not None else None,
        "startedBy": behind.started_by.text if behind.started_by is not None else None,
        "thoughtBefore": behind.thought_before.text if behind.thought_before is not None else None,
    }


def _time(microseconds: int) -> str:
    return format_time(datetime_of(microseconds))
