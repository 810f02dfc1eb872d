"""Which edit each line of a file comes from, and how sure that is. Pure: blamed lines and edits in, attributions out.

A line comes from the last edit before its commit that added its text to that file, unless something took the text out
meanwhile. A text that may be anywhere, such as a closing bracket, is no proof: then the lines around it decide. What is
not proven is never called so: see `Level`.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from msgspec import Struct

from seqthink.library.why.line_digests import ADDED, digest_of, equal_around, is_blank, is_distinct, plain_digest
from seqthink.library.why.recorded_edits import MINUTE, GitCommand, RecordedEdit

SECOND: Final = 1_000_000
CLOCK_TOLERANCE: Final = 2 * SECOND
"""How much later than its commit an edit may seem to be."""
REACH: Final = 4
"""How many lines above and below a line are compared."""
MIN_EQUAL_AROUND: Final = 2
"""How many of them have to be equal where the line's own text is no proof."""
MAX_GAP_LINES: Final = 3
"""Over how many lines of unknown origin the lines around them decide."""
MAX_MINUTES_BEFORE: Final = 30
"""How long before a commit a session may have been at work for the commit to be its work."""
COMMIT_SLACK: Final = 60 * SECOND
"""How far a recorded `git commit` may be from the time of the commit that it made: hooks run in between."""


class Level(StrEnum):
    """How sure it is that an edit is the origin of a line."""

    SAME_TEXT = "same text"
    """The edit added this text, which is not like any other."""
    SAME_LINES = "same lines"
    """The edit wrote the lines around it; the line's own text proves nothing, or is not the edit's."""
    SAME_FILE = "only the same file"
    """The edit is the last one of this file before the commit; the text is not known to be its."""
    SAME_MINUTES = "only the same minutes"
    """The session was at work in this repository right before the commit."""
    NOTHING = "nothing"
    """Nothing was found."""


class Doubt(StrEnum):
    """Why it is not surer."""

    NONE = ""
    COMMON_TEXT = "the text is too common to prove it"
    SEVERAL = "several edits have the same text"
    CHANGED = "the text is in no recorded edit: it was changed by hand, by a program or by an unrecorded agent"
    PUT_BACK = "an earlier commit had the same text already, so somebody may have put it back"
    NAMED = "a command names the file; what it wrote is not recorded"
    GONE_FOLDER = "the edit was made in a folder that is gone, perhaps of another project"
    NO_EDITS = "no edit of this file is recorded"


class Commit(Struct, frozen=True, kw_only=True):
    """A commit that blame names."""

    id: str
    authored: int
    """When its change was first committed, in microseconds since 1970; whole seconds."""
    committed: int
    """When it was made, rebased or amended; as above."""
    author: str = ""
    summary: str = ""


class BlamedLine(NamedTuple):
    """A line, and the commit that brought it."""

    number: int
    """Its number in the file now, from 1."""
    text: str
    commit: str
    """The commit's id; empty for a line that is not committed, or without git."""
    path: str
    """The file in that commit, relative to the repository."""
    number_then: int
    """The line's number in it."""


class PlacedEdit(NamedTuple):
    """An edit of the file in question."""

    session: int
    """The session's number in the index."""
    edit: RecordedEdit
    root: str
    """The working tree that it was made in."""
    is_gone: bool = False
    """Whether that folder is gone, and may have been of another project."""


class ActiveSession(NamedTuple):
    """A session that worked in the repository."""

    session: int
    minutes: Sequence[int]
    """`SessionEdits.minutes`."""


class Attribution(Struct, frozen=True, kw_only=True):
    """Where one line comes from."""

    line: BlamedLine
    level: Level = Level.NOTHING
    doubt: Doubt = Doubt.NONE
    edit: PlacedEdit | None = None
    """The edit; None at the last two levels."""
    session: int | None = None
    """The session, also without an edit; None if there is none."""
    time: int = 0
    """When the edit was made, or the session was at work, in microseconds since 1970."""


class History(Struct, frozen=True, kw_only=True):
    """What is known of the repository."""

    commits: Mapping[str, Commit]
    """The commits of the lines."""
    versions: Mapping[tuple[str, str], Sequence[int]]
    """The digests of a file's lines, by commit and path; the ids as in `BlamedLine`."""
    previous: Mapping[tuple[str, str], tuple[str, str]] = {}
    """The version before, by commit and path."""
    changes: Mapping[str, Sequence[Commit]] = {}
    """All commits, on any branch, that changed a path, as far as edits of it are recorded."""
    now: int
    """The time before which an uncommitted line was written."""
    written: int
    """When the file was changed last."""
    has_had: Callable[[str, str, int, str], bool] = lambda _path, _text, _since, _commit: False
    """Whether a commit other than the last-named one changed, since a time, how often a path has a text."""


class _File:
    """The edits of one path, by the lines that they add and remove."""

    def __init__(self, edits: Iterable[PlacedEdit]) -> None:
        self.edits = sorted(edits, key=lambda placed: placed.edit.time)
        self._places: list[dict[int, list[int]] | None] = [None] * len(self.edits)
        self._touched: dict[int, list[int]] = {}
        for index, placed in enumerate(self.edits):
            edit = placed.edit
            for digest in {plain_digest(one) for one in edit.after if one & ADDED} | set(edit.removed):
                self._touched.setdefault(digest, []).append(index)
        self._clearing = [
            index for index, placed in enumerate(self.edits) if placed.edit.is_whole or placed.edit.kind == "delete"
        ]

    def adders(self, digest: int, until: int, is_restored: Callable[[str, int, int], bool]) -> list[list[int]]:
        """Return for each working tree the edits, in order, that added a line that nothing took out until a time."""
        found: dict[str, list[int]] = {}
        for index in sorted({*self._touched.get(digest, ()), *self._clearing}):
            placed = self.edits[index]
            if placed.edit.time > until:
                break
            places = self.places(index, digest)
            if places is None:
                if digest in placed.edit.removed or index in self._clearing:
                    found.pop(placed.root, None)
            elif places:
                found.setdefault(placed.root, []).append(index)
        return [self._without_repeats(adders, is_restored) for adders in found.values()]

    def places(self, index: int, digest: int) -> list[int] | None:
        """Return where an edit has added a line; empty if it only has it, None if it does not."""
        known = self._places[index]
        if known is None:
            known = self._places[index] = {}
            for place, one in enumerate(self.edits[index].edit.after):
                places = known.setdefault(plain_digest(one), [])
                if one & ADDED:
                    places.append(place)
        return known.get(digest)

    def _without_repeats(self, adders: list[int], is_restored: Callable[[str, int, int], bool]) -> list[int]:
        """Leave out the edits that wrote a whole file, or a script, with a line that was there already."""
        kept: list[int] = []
        for index in adders:
            edit = self.edits[index].edit
            is_repeat = kept and not edit.knows_before and (edit.is_whole or edit.kind == "command")
            if not is_repeat or is_restored(self.edits[index].root, self.edits[kept[-1]].edit.time, edit.time):
                kept.append(index)
        return kept


class Attributor:
    """Attributes the lines of one repository.

    Args:
        history: what is known of the repository.
        edits_of: returns the edits of a path that is relative to the repository.
        git_commands_of: returns the git commands of a session.
        active_at: returns the sessions that worked in the repository around a minute since 1970.
    """

    def __init__(
        self,
        history: History,
        edits_of: Callable[[str], Sequence[PlacedEdit]],
        git_commands_of: Callable[[int], Sequence[GitCommand]] = lambda _session: (),
        active_at: Callable[[int], Sequence[ActiveSession]] = lambda _minute: (),
    ) -> None:
        self._history, self._edits_of = history, edits_of
        self._git_commands_of, self._active_at = git_commands_of, active_at
        self._files: dict[str, _File] = {}
        self._git_commands: dict[str, list[GitCommand]] = {}
        self._had: dict[tuple[str, str, int, str], bool] = {}

    def attribute(self, lines: Sequence[BlamedLine]) -> list[Attribution]:
        """Return where each of these lines comes from; they are lines of one file, in order."""
        found = [self._by_text(line) for line in lines]
        found = self._blank_lines(self._by_lines_around(found))
        return [one if one.level is not Level.NOTHING else self._by_file(one) for one in found]

    def attribute_removed(self, path: str, commit: str, texts: Sequence[str]) -> Attribution:
        """Return the edit that took lines out of a file before a commit, if one is known."""
        line = BlamedLine(0, "", commit, path, 0)
        wanted = {digest_of(text) for text in texts if is_distinct(text)}
        *_, until = self._bounds(line)
        for placed in reversed(self._file(path).edits):
            edit = placed.edit
            is_removal = edit.kind == "delete" or not wanted.isdisjoint(edit.removed)
            if edit.time <= until and not placed.is_gone and is_removal:
                return Attribution(
                    line=line, level=Level.SAME_TEXT, edit=placed, session=placed.session, time=edit.time
                )
        return self._by_file(Attribution(line=line, doubt=Doubt.CHANGED))

    def _file(self, path: str) -> _File:
        if path not in self._files:
            self._files[path] = _File(self._edits_of(path))
        return self._files[path]

    def _commands(self, path: str) -> list[GitCommand]:
        """Return the git commands of the sessions that edited a file."""
        if path not in self._git_commands:
            sessions = {placed.session for placed in self._file(path).edits}
            self._git_commands[path] = [one for session in sorted(sessions) for one in self._git_commands_of(session)]
        return self._git_commands[path]

    # By the text

    def _by_text(self, line: BlamedLine) -> Attribution:
        digest = digest_of(line.text)
        if is_blank(digest):
            return Attribution(line=line, doubt=Doubt.COMMON_TEXT)
        file = self._file(line.path)
        version = self._history.versions.get((line.commit, line.path), ())
        was_there = self._was_there(line, digest, version)
        is_restored = _never if was_there else self._is_restored(line.path)
        found_in = (file.adders(digest, time, is_restored) for time in self._bounds(line))
        trees = next(filter(None, found_in), list[list[int]]())
        if not trees:
            return Attribution(line=line, doubt=Doubt.CHANGED if is_distinct(line.text) else Doubt.COMMON_TEXT)
        is_repeated = _count(digest, version) > 1
        indices = [index for adders in trees for index in (adders if is_repeated else adders[-1:])]
        ranked = sorted(((self._rank(file, line, digest, index, version), index) for index in indices), reverse=True)
        (rank, index) = ranked[0]
        placed = file.edits[index]
        found = Attribution(
            line=line, level=Level.SAME_TEXT, edit=placed, session=placed.session, time=placed.edit.time
        )
        rivals = [file.edits[one] for other, one in ranked[1:] if other[:3] == rank[:3]]
        found = self._doubted(found, rank[2], rivals, is_lone=len(indices) == 1 and not is_repeated)
        is_textual = found.level in {Level.SAME_TEXT, Level.SAME_LINES}
        if is_textual and not was_there and self._was_put_back(line, placed.edit.time):
            return _lowered(found, Level.SAME_FILE, Doubt.PUT_BACK)
        return found

    def _was_there(self, line: BlamedLine, digest: int, version: Sequence[int]) -> bool:
        """Return whether the version before had the line already: then its commit only moved it."""
        before = self._history.versions.get(self._history.previous.get((line.commit, line.path), ("", "")), ())
        return 0 < _count(digest, version) <= _count(digest, before)

    def _doubted(self, found: Attribution, around: int, rivals: Sequence[PlacedEdit], *, is_lone: bool) -> Attribution:
        """Return an attribution by the text with what speaks against it.

        Args:
            found: the attribution.
            around: how many lines around are the same in the edit.
            rivals: the edits for which as much speaks.
            is_lone: whether the file has the text once, and no other edit added it.
        """
        line, placed = found.line, found.edit
        assert placed is not None
        is_proven_around = around >= (1 if is_lone else MIN_EQUAL_AROUND)
        if not is_distinct(line.text):
            level = Level.SAME_LINES if is_proven_around and not rivals else Level.NOTHING
            found = _lowered(found, level, Doubt.COMMON_TEXT)
        elif any(rival.edit.call != placed.edit.call for rival in rivals):
            found = _lowered(found, Level.SAME_LINES, Doubt.SEVERAL)
        elif placed.is_gone and around < MIN_EQUAL_AROUND:
            found = _lowered(found, Level.SAME_FILE, Doubt.GONE_FOLDER)
        return found

    def _rank(
        self, file: _File, line: BlamedLine, digest: int, index: int, version: Sequence[int]
    ) -> tuple[bool, bool, int, int]:
        placed = file.edits[index]
        around = max(
            (
                sum(equal_around(version, line.number_then - 1, placed.edit.after, place, REACH))
                for place in file.places(index, digest) or ()
            ),
            default=0,
        )
        commit = self._history.commits.get(line.commit)
        has_committed = commit is not None and any(
            one.step == "commit"
            and -COMMIT_SLACK <= commit.authored - one.time <= COMMIT_SLACK
            and _is_in(one.folder, placed.root)
            for one in self._commands(line.path)
        )
        return not placed.is_gone, has_committed, around, placed.edit.time

    def _bounds(self, line: BlamedLine) -> Iterator[int]:
        """Yield the times before which the line was written: first the likeliest."""
        commit = self._history.commits.get(line.commit)
        if commit is None:
            yield self._history.now
            return
        for time in dict.fromkeys((commit.authored, commit.committed, commit.committed + CLOCK_TOLERANCE)):
            yield time + SECOND - 1  # git counts whole seconds

    def _is_restored(self, path: str) -> Callable[[str, int, int], bool]:
        """Return what says whether a file may have been put back between two times, in a working tree."""
        changes, commands = self._history.changes.get(path, ()), self._commands(path)

        def is_restored(root: str, since: int, until: int) -> bool:
            return any(since < change.authored < until for change in changes) or any(
                since < one.time < until and one.step == "restore" and _is_in(one.folder, root) for one in commands
            )

        return is_restored

    def _was_put_back(self, line: BlamedLine, written: int) -> bool:
        """Return whether the text was committed after the edit, and again by the line's commit."""
        commit = self._history.commits.get(line.commit)
        until = commit.authored if commit is not None else self._history.now
        if not any(
            written + CLOCK_TOLERANCE < change.authored < until and change.id != line.commit
            for change in self._history.changes.get(line.path, ())
        ):
            return False
        asked = (line.path, line.text, written, line.commit)
        if asked not in self._had:
            self._had[asked] = self._history.has_had(*asked)
        return self._had[asked]

    # By the lines around

    def _by_lines_around(self, found: list[Attribution]) -> list[Attribution]:
        """Attribute lines between two lines of one edit to that edit, but say that their own text is no proof."""
        known = [index for index, one in enumerate(found) if one.level is Level.SAME_TEXT]
        result = list(found)
        for index, one in enumerate(found):
            if one.level is not Level.NOTHING:
                continue
            position = bisect_left(known, index)
            above = found[known[position - 1]] if position else None
            below = found[known[position]] if position < len(known) else None
            if above is None or below is None or not _is_between(above, one, below):
                continue
            result[index] = Attribution(
                line=one.line,
                level=Level.SAME_LINES,
                doubt=one.doubt,
                edit=above.edit,
                session=above.session,
                time=above.time,
            )
        return result

    def _blank_lines(self, found: list[Attribution]) -> list[Attribution]:
        """Attribute blank lines as the line above them, or else below them, that the same commit brought."""
        result = list(found)
        places = range(len(found))
        for step, order in ((-1, places), (1, reversed(places))):
            for place in order:
                one, other = result[place], place + step
                if one.level is Level.NOTHING and not one.line.text.strip() and 0 <= other < len(found):
                    near = result[other]
                    if near.level in {Level.SAME_TEXT, Level.SAME_LINES} and near.line.commit == one.line.commit:
                        result[place] = Attribution(
                            line=one.line,
                            level=Level.SAME_LINES,
                            doubt=one.doubt,
                            edit=near.edit,
                            session=near.session,
                            time=near.time,
                        )
        return result

    # By the file, and by the time

    def _by_file(self, found: Attribution) -> Attribution:
        line, file = found.line, self._file(found.line.path)
        *_, until = self._bounds(line)
        since = max((change.authored for change in self._history.changes.get(line.path, ())
                     if change.authored < until - SECOND and change.id != line.commit), default=0)  # fmt: skip
        last = next((one for one in reversed(file.edits) if since <= one.edit.time <= until and not one.is_gone), None)
        if last is None:
            return self._by_minutes(found, has_edits=bool(file.edits))
        doubt = found.doubt
        if last.edit.kind in {"command", "action"} and doubt is Doubt.CHANGED:
            doubt = Doubt.NAMED
        return Attribution(
            line=line, level=Level.SAME_FILE, doubt=doubt, edit=last, session=last.session, time=last.edit.time
        )

    def _by_minutes(self, found: Attribution, *, has_edits: bool) -> Attribution:
        commit = self._history.commits.get(found.line.commit)
        made = commit.authored if commit is not None else self._history.written
        active: list[tuple[bool, int, int]] = []
        for one in self._active_at(made // MINUTE):
            committed = [
                command.time
                for command in self._git_commands_of(one.session)
                if command.step == "commit" and -COMMIT_SLACK <= made - command.time <= COMMIT_SLACK
            ]
            minute = _last_minute(one.minutes, made // MINUTE)
            if committed or made // MINUTE - minute <= MAX_MINUTES_BEFORE:
                active.append((bool(committed), min(max(((minute + 1) * MINUTE, *committed)), made), one.session))
        doubt = found.doubt if has_edits else Doubt.NO_EDITS
        if not active:
            return _lowered(found, Level.NOTHING, doubt)
        _, time, session = max(active)
        return Attribution(line=found.line, level=Level.SAME_MINUTES, doubt=doubt, session=session, time=time)


def _never(_root: str, _since: int, _until: int) -> bool:
    return False


def _count(digest: int, version: Sequence[int]) -> int:
    return sum(one == digest for one in version)


def _lowered(found: Attribution, level: Level, doubt: Doubt) -> Attribution:
    if level is Level.NOTHING:
        return Attribution(line=found.line, doubt=doubt)
    return Attribution(
        line=found.line, level=level, doubt=doubt, edit=found.edit, session=found.session, time=found.time
    )


def _is_between(above: Attribution, one: Attribution, below: Attribution) -> bool:
    if above.edit is None or below.edit is None:
        return False
    is_near = below.line.number - above.line.number <= MAX_GAP_LINES + 1
    is_one_call = (above.session, above.edit.edit.call) == (below.session, below.edit.edit.call)
    is_one_commit = above.line.commit == below.line.commit
    # A line that proves nothing may also be from another commit; what it says is then not from this edit.
    return (
        is_near
        and is_one_call
        and is_one_commit
        and (one.line.commit == above.line.commit or one.doubt is Doubt.CHANGED)
    )


def _last_minute(minutes: Sequence[int], until: int) -> int:
    """Return the last of these minutes up to one; far before it if there is none."""
    position = bisect_left(minutes, until + 1)
    return minutes[position - 1] if position else until - MAX_MINUTES_BEFORE - 1


def _is_in(folder: str, root: str) -> bool:
    return folder == root or folder.startswith(root + "/")
