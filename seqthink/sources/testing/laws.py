"""What holds for every source, whatever its client: a class of tests to derive from."""

import tracemalloc
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from string import ascii_letters
from typing import ClassVar, Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seqthink.sources.testing.fact_laws import FactLaws
from seqthink.sources.testing.harm import RecordHarm
from seqthink.sources.testing.homes import ALL, Home, new_home
from seqthink.sources.testing.samples import Sample, SampleRecord
from seqthink.sources.testing.truth import require_shown
from seqthink.sources.transcripts.files.tail import read_head
from seqthink.sources.transcripts.installed.values import (
    checked_batch,
    checked_calls,
    checked_counts,
    checked_facts,
    checked_paths,
    checked_process,
    checked_sessions,
    checked_times,
)

_HEAD_BYTES: Final = 64 << 10
_FEW_BYTES, _READ_BYTES = 61, 1 << 20
_FEW_FILLINGS, _MANY_FILLINGS = 4, 24
_MAX_GROWTH_BYTES: Final = 8 << 20
"""Much less than what the fillings between `_FEW_FILLINGS` and `_MANY_FILLINGS` are together."""
_TEXTS: Final = frozenset(("prompt", "reasoning", "remark", "answer"))
_NEXT_LETTERS: Final = bytes.maketrans(ascii_letters.encode(), (ascii_letters[1:] + ascii_letters[0]).encode())
_SLOW: Final = (HealthCheck.too_slow, HealthCheck.data_too_large)
_FOREIGN: Final = (b"", b"\n", bytes(64), b"{}\n", b"[1, 2]\n", b"\xff\xfe{\n", b"plain words\n", b'{"a": "b"}\n')


class SourceLaws(FactLaws):
    """Derive from it, with a name that your test runner collects, and say which source and which sessions.

    A law takes each sample in a home folder of its own.
    """

    examples: ClassVar[int] = 40
    """How many ways to cut and to damage a session are tried."""

    def test_the_source_has_the_names_of_its_description(self) -> None:
        """A session is named by its source, in lists and in ids."""
        source = self.make_source()

        assert (source.name, source.label) == (self.description.name, self.description.label)
        assert all(self.samples), "give at least one sample"

    def test_a_client_that_was_never_used_has_no_sessions(self) -> None:
        """Its folder does not exist, which is no failure."""
        source = self.make_source()
        with new_home(source, self.environ) as home:
            assert home.found() == []
            assert all(path.is_dir() for path in checked_paths(source.watched_folders(home.folder)))

    def test_each_session_is_listed_once_the_newest_first(self) -> None:
        """Subagents are not sessions of their own."""
        source = self.make_source()
        with new_home(source, self.environ) as home:
            for sample in self.samples:
                home.write_all(sample.records)
            found = checked_sessions(home.found(), source.name)
            assert sorted(one.id for one in found) == sorted(sample.session for sample in self.samples)
            assert [one.changed for one in found] == sorted((one.changed for one in found), reverse=True)
            assert source.find(home.folder, 1) == found[:1]
            watched = checked_paths(source.watched_folders(home.folder))
            assert watched, "no folder is watched"
            assert all(path.is_dir() for path in watched)

    def test_a_file_of_its_client_is_recognised_and_no_other(self) -> None:
        """A user names a file, and its content shows whose it is."""
        for sample in self.samples:
            source = self.make_source()
            with new_home(source, self.environ) as home:
                home.write_all(sample.records)
                path = home.session(sample.session).path
                assert source.recognises(path, read_head(path, _HEAD_BYTES)) is True
                assert self.description.has_likely_written(read_head(path, _HEAD_BYTES)), "its guess is wrong"
                assert sample.session in [one.id for one in checked_sessions(source.sessions_in(path), source.name)]
                other = Path(home.path, "other.txt")
                assert not any(source.recognises(other, head) for head in _FOREIGN)

    def test_nothing_is_lost_nothing_is_there_twice_and_all_is_under_its_agent(self) -> None:
        """All that the client wrote is shown once, in its order."""
        for sample in self.samples:
            with new_home(self.make_source(), self.environ) as home:
                home.write_all(sample.records)
                with home.shown(sample.session) as shown:
                    shown.end()
                    require_shown(sample.said, shown.said, is_whole=True)
                    assert shown.skipped == 0, f"{shown.skipped} records are counted as left out"

    def test_what_it_returns_has_the_types_that_it_promises(self) -> None:
        """A wrong type would show only where it is used."""
        for sample in self.samples:
            source = self.make_source()
            with new_home(source, self.environ) as home:
                home.write_all(sample.records)
                found = home.session(sample.session)
                checked_process(source.process_of(found))
                with closing(source.open(found)) as feed:
                    at_end = False
                    while not at_end:
                        at_end = checked_batch(feed.read(_READ_BYTES)).at_end
                    checked_counts(feed.counts)
                    checked_paths(feed.agent_files)
                    checked_times(feed.unstarted_calls)
                    checked_calls(feed.unwritten_calls())
                    checked_facts(feed.settle())
                    assert feed.is_abandoned() in {None, True, False}
                feed.close()

    def test_how_much_is_read_at_once_makes_no_difference(self) -> None:
        """The same is shown for any limit."""
        for sample in self.samples:
            for limit in (_FEW_BYTES, _READ_BYTES):
                with new_home(self.make_source(), self.environ) as home:
                    home.write_all(sample.records)
                    with home.shown(sample.session) as shown:
                        shown.end(limit)
                        require_shown(sample.said, shown.said, is_whole=False)

    def test_where_a_read_ends_makes_no_difference(self) -> None:
        """A client writes while it is read: anywhere in the bytes, with any pause."""
        for sample in self.samples:
            self._require_growth(sample)

    def test_damage_costs_no_more_than_what_is_damaged_and_is_counted(self) -> None:
        """A crash may leave anything in a file."""
        for sample in self.samples:
            self._require_damage(sample)

    def test_a_session_that_grew_is_listed_as_changed_and_read_on_from_there(self) -> None:
        """What was read is not read again, and where nothing was written, nothing is new."""
        for sample in self.samples:
            source = self.make_source()
            with new_home(source, self.environ) as home:
                begun = self._begin(home, sample)
                before = home.session(sample.session)
                with closing(source.open(before)) as feed:
                    first = feed.read(ALL).facts
                    assert feed.read(ALL).facts == [], "facts are there again though nothing was written"
                    home.write_all(sample.records[begun:])
                    batch = feed.read(ALL)
                    assert not batch.restarted, "a file that grew is read again from its beginning"
                    known = {(type(fact), fact.id) for fact in first}
                    assert not batch.facts or any((type(fact), fact.id) not in known for fact in batch.facts)
                after = home.session(sample.session)
                assert (after.changed, after.size) >= (before.changed, before.size)
                assert after._replace(waits_for="") != before._replace(waits_for=""), "it is listed as it was"

    def test_a_session_of_which_one_file_grew_is_listed_as_changed_and_read_on(self) -> None:
        """A subagent may work for long while the session's own file waits for it."""
        for sample in self.samples:
            for path in _growing_paths(sample.records):
                last = max(place for place, record in enumerate(sample.records) if record.path == path)
                with new_home(self.make_source(), self.environ) as home:
                    home.write_all([*sample.records[:last], *sample.records[last + 1 :]])
                    home.pause()
                    before = home.session(sample.session)
                    with home.shown(sample.session) as shown:
                        shown.read()
                        home.write(sample.records[last])
                        after = home.session(sample.session)
                        assert (after.changed, after.size) != (before.changed, before.size), (
                            f"{path} grew, and the session is listed as it was; `changed` is that of its newest file"
                        )
                        shown.end()
                        require_shown(sample.said, shown.said, is_whole=False)

    def test_a_file_that_was_replaced_is_read_from_its_beginning(self) -> None:
        """What was reported before is void then."""
        for sample in (one for one in self.samples if one.is_append_only):
            with new_home(self.make_source(), self.environ) as other:
                self._begin(other, sample)
                self._require_restart(sample, other)

    def test_a_file_that_was_replaced_by_an_equally_long_one_is_read_from_its_beginning(self) -> None:
        """Neither its size nor the number of its records shows that, but its texts do."""
        for sample in (one for one in self.samples if one.is_append_only):
            with new_home(self.make_source(), self.environ) as other:
                texts = [said.text for said in sample.said if said.agent is None and said.kind in _TEXTS]
                other.write_all(sample.records)
                path = other.session(sample.session).path
                content = path.read_bytes()
                before = max((text.encode() for text in texts if text.encode() in content), key=len, default=b"")
                if before:  # what is compressed holds no text
                    path.write_bytes(content.replace(before, before.translate(_NEXT_LETTERS)))
                    self._require_restart(sample, other)

    def test_a_torn_document_voids_nothing_that_was_read_before(self) -> None:
        """A client may be writing it again at this moment."""
        for sample in (one for one in self.samples if one.is_append_only):
            for record in (one for one in sample.records if one.do is not None and one.do_damaged is not None):
                with new_home(self.make_source(), self.environ) as home:
                    home.write_all(sample.records)
                    with home.shown(sample.session) as shown:
                        for write in (record.do, record.do_damaged, sample.records[-1].do):
                            if write is not None:
                                write(home.path)
                            shown.read()
                            require_shown(sample.said, shown.said, is_whole=False)

    def test_memory_does_not_grow_with_what_says_nothing(self) -> None:
        """Most of a transcript is what tools printed: it is passed over, not kept."""
        for sample in self.samples:
            few, many = (self._peak_bytes(sample, count) for count in (_FEW_FILLINGS, _MANY_FILLINGS))
            assert many - few < _MAX_GROWTH_BYTES, (
                f"{many - few:,} bytes more for {_MANY_FILLINGS - _FEW_FILLINGS} MB that say nothing; at most "
                f"{_MAX_GROWTH_BYTES:,} are allowed: skip long strings, do not decode them, and keep no lines"
            )

    def test_nothing_is_written(self) -> None:
        """The files are the client's."""
        for sample in self.samples:
            with new_home(self.make_source(), self.environ) as home:
                home.write_all(sample.records)
                before = home.state()
                with home.shown(sample.session) as shown:
                    shown.end()
                assert home.state() == before

    def _begin(self, home: Home, sample: Sample) -> int:
        """Write as many records as it takes until the session is listed, and half of the rest; return how many."""
        begun = 0
        while not home.found():
            assert begun < len(sample.records), f"the session {sample.session} is not listed"
            home.write(sample.records[begun])
            begun += 1
        half = begun + (len(sample.records) - begun) // 2
        home.write_all(sample.records[begun:half])
        return half

    def _require_restart(self, sample: Sample, other: Home) -> None:
        """Replace the file of a session that is shown by that of another home folder."""
        replacement = other.session(sample.session).path
        with other.shown(sample.session) as shown:
            shown.end()
            said = [one for one in shown.said if one.agent is None]
        source = self.make_source()
        with new_home(source, self.environ) as home:
            home.write_all(sample.records)
            found = home.session(sample.session)
            with home.shown(sample.session) as shown, closing(source.open(found)) as feed:
                shown.read()
                assert feed.read(ALL).facts
                replacement.replace(found.path)
                assert feed.read(ALL).restarted, "nothing says that the file was replaced"
                shown.end()
                assert [one for one in shown.said if one.agent is None] == said

    def _require_growth(self, sample: Sample) -> None:
        @settings(max_examples=self.examples, deadline=None, suppress_health_check=_SLOW)
        @given(st.data())
        def law(data: st.DataObject) -> None:
            with new_home(self.make_source(), self.environ) as home:
                begun = 0
                while not home.found():
                    home.write(sample.records[begun])
                    begun += 1
                rest = sample.records[begun:]
                pauses = data.draw(st.sets(st.integers(0, max(0, len(rest) - 1)), max_size=4))
                with home.shown(sample.session) as shown:
                    for place, record in enumerate(rest):
                        cut = data.draw(st.integers(0, len(record.data))) if place in pauses else 0
                        if place in pauses:
                            home.write(record, 0, cut if record.do is None else None)
                            shown.read(is_quiet=data.draw(st.booleans()))
                        if record.do is None or place not in pauses:
                            home.write(record, cut)
                    shown.end()
                    require_shown(sample.said, shown.said, is_whole=False)

        law()

    def _require_damage(self, sample: Sample) -> None:
        places = [place for place, record in enumerate(sample.records) if _can_be_damaged(record)]
        assert places, (
            f"no record of {sample.session} may be damaged: leave `is_fragile` out of one with a text; one with `do` "
            "needs `do_damaged`, too"
        )

        @settings(max_examples=self.examples, deadline=None, suppress_health_check=_SLOW)
        @given(st.data())
        def law(data: st.DataObject) -> None:
            place = data.draw(st.sampled_from(places))
            record = sample.records[place]
            with new_home(self.make_source(), self.environ) as home:
                home.write_all(sample.records[:place])
                if record.do_damaged is not None:
                    record.do_damaged(home.path)
                    destroys = True
                else:
                    harm = data.draw(st.sampled_from(_harms(sample.records, place)))
                    at = data.draw(st.integers(1, len(record.data) - 2))
                    home.write(record._replace(data=harm.done_to(record.data, at)))
                    destroys = harm.destroys
                home.write_all(sample.records[place + 1 :])
                with home.shown(sample.session) as shown:
                    shown.end()
                    kept = {said for other in sample.records if other is not record for said in other.says}
                    lost = [said for said in record.says if destroys and said not in kept]
                    require_shown(sample.said, shown.said, lost=lost, is_whole=False)
                    assert not any(said in shown.said for said in lost), f"shown though it was destroyed: {lost}"
                    assert shown.skipped == 1, f"{shown.skipped} records are counted as left out, and 1 was"

        law()

    def _peak_bytes(self, sample: Sample, count: int) -> int:
        """Return how much memory is in use at most while a session with fillings is read."""
        source = self.make_source()
        with new_home(source, self.environ) as home:
            home.write_all(sample.records)
            home.write_all(map(sample.filling, range(count)))
            found = home.session(sample.session)
            tracemalloc.start()
            try:
                with closing(source.open(found)) as feed:
                    while not feed.read(_READ_BYTES).at_end:
                        pass
                    return tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()


def _growing_paths(records: Sequence[SampleRecord]) -> list[str]:
    """Return the files to which something is added after they began."""
    return [path for path, count in Counter(record.path for record in records).items() if count > 1]


def _can_be_damaged(record: SampleRecord) -> bool:
    return not record.is_fragile and (record.do_damaged is not None or (record.do is None and len(record.data) > 2))


def _harms(records: Sequence[SampleRecord], place: int) -> list[RecordHarm]:
    """Return what can happen to a record: the last one of its file can be cut off, any other one glued to the next."""
    is_last = all(record.path != records[place].path for record in records[place + 1 :])
    return [harm for harm in RecordHarm if harm is not (RecordHarm.GLUED if is_last else RecordHarm.CUT_OFF)]
