"""Which transcript a journal belongs to where its client sends no ids of calls: those with the most of its calls.

Two sessions may begin with the same thought, so a join is a guess until they differ. It is made again as both grow, for
all such journals together: a call of a transcript is that of one journal, so two journals share a transcript only if it
holds their first call twice. Pure but for reading the journals.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from seqthink.sources.transcripts.call_keys import CallKey, CallKeys, keys_of_line
from seqthink.sources.transcripts.joined_journal import FirstCall, JoinedJournal


class GuessedJoin:
    """A journal whose calls are known by their arguments alone.

    Args:
        path: the journal.
        call: its first accepted call.
    """

    def __init__(self, path: Path, call: FirstCall) -> None:
        self.path, self.call = path, call
        self.first_keys = keys_of_line(call.line)
        self.transcript: Path | None = None
        """The transcript with which it is joined now."""
        self._tail = JoinedJournal(path, 0)
        self._calls: list[Sequence[CallKey]] = []
        self._counted: dict[Path, tuple[int, int, int]] = {}

    def read(self) -> None:
        """Read the calls that were added to the journal."""
        self._calls += [keys_of_line(line) for line in self._tail.read() if line.kind == "thought"]

    def matches(self, path: Path, changed: int, keys: CallKeys) -> int:
        """Return how many of the journal's calls a transcript holds that had changed at ``changed``."""
        known = self._counted.get(path)
        if known is None or known[:2] != (changed, len(self._calls)):
            count = sum(bool(keys.times_of(call)) for call in self._calls)
            self._counted[path] = known = (changed, len(self._calls), count)
        return known[2]

    def distance(self, keys: CallKeys) -> int:
        """Return how many microseconds lie between the first call here and in a transcript."""
        return min(abs(time - self.call.line.time) for time in keys.times_of(self.first_keys))


Choice = tuple[int, CallKeys]
"""When a transcript changed last, and its calls; the first call of a journal is among them."""


def assigned(
    choices: Mapping[Path, tuple[GuessedJoin, Mapping[Path, Choice]]], settled: Iterable[GuessedJoin]
) -> dict[Path, Path]:
    """Return the transcript of each journal, if there is one for it: first for those that match best.

    Args:
        choices: the journals by their paths, each with the transcripts that hold its first call.
        settled: the journals that stay where they are.
    """
    ranked = sorted(
        (-join.matches(transcript, changed, keys), join.distance(keys), transcript != join.transcript, path, transcript)
        for path, (join, transcripts) in choices.items()
        for transcript, (changed, keys) in transcripts.items()
    )
    taken = Counter((join.transcript, _first_call(join)) for join in settled)
    found: dict[Path, Path] = {}
    for *_, path, transcript in ranked:
        join, transcripts = choices[path]
        place, keys = (transcript, _first_call(join)), transcripts[transcript][1]
        if path not in found and taken[place] < len(keys.times_of(join.first_keys)):
            found[path] = transcript
            taken[place] += 1
    return found


def _first_call(join: GuessedJoin) -> CallKey:
    return join.first_keys[0]
