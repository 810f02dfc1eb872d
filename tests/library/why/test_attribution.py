"""Lines attributed to edits, without git: what is proven, and what is only likely."""

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from seqthink.library.why.attribution import (
    SECOND,
    ActiveSession,
    Attribution,
    Attributor,
    BlamedLine,
    Commit,
    Doubt,
    History,
    Level,
    PlacedEdit,
)
from seqthink.library.why.line_digests import ADDED, changed_lines, digest_of, digests_of, plain_digest
from seqthink.library.why.recorded_edits import MINUTE, EditKind, GitCommand, RecordedEdit

NOW = 10_000 * MINUTE
FILE = "import pool\n\ndef connect_now():\n    return pool.open(size)\n}\n"


def edit(
    call: str,
    time: int,
    after: str,
    before: str | None = None,
    *,
    kind: EditKind = "edit",
    root: str = "/shop",
    is_gone: bool = False,
    session: int = 1,
) -> PlacedEdit:
    lines = changed_lines(before, after)
    recorded = RecordedEdit(
        call=call,
        time=time,
        path=f"{root}/db.py",
        kind=kind,
        after=lines.after,
        removed=lines.removed,
        is_whole=kind == "write",
        knows_before=before is not None,
    )
    return PlacedEdit(session, recorded, root, is_gone)


def commit(name: str, time: int, *, authored: int | None = None) -> Commit:
    return Commit(id=name, authored=time if authored is None else authored, committed=time)


def attributed(
    edits: Sequence[PlacedEdit],
    *,
    text: str = FILE,
    at: Commit | None = None,
    changes: Sequence[Commit] = (),
    had: bool = False,
    before: str | None = None,
    git: Mapping[int, Sequence[GitCommand]] | None = None,
    active: Sequence[ActiveSession] = (),
) -> list[Attribution]:
    name = at.id if at is not None else ""
    lines = [BlamedLine(number, line, name, "db.py", number) for number, line in enumerate(text.split("\n")[:-1], 1)]
    history = History(
        commits={at.id: at} if at is not None else {},
        versions={(name, "db.py"): digests_of(text), ("before", "db.py"): digests_of(before or "")},
        previous={(name, "db.py"): ("before", "db.py")} if before is not None else {},
        changes={"db.py": changes},
        now=NOW,
        written=NOW,
        has_had=lambda _path, _text, _since, _commit: had,
    )
    attributor = Attributor(history, lambda _: edits, lambda session: (git or {}).get(session, ()), lambda _: active)
    return attributor.attribute(lines)


def levels(found: Sequence[Attribution]) -> list[Level]:
    return [one.level for one in found]


def call_of(found: Attribution) -> str | None:
    return found.edit.edit.call if found.edit is not None else None


def test_a_written_file_is_the_same_text_and_its_common_lines_are_the_lines_between() -> None:
    found = attributed([edit("c1", 1 * MINUTE, FILE, kind="write")])

    text, between = Level.SAME_TEXT, Level.SAME_LINES
    assert levels(found) == [text, between, text, text, between]
    assert {call_of(one) for one in found} == {"c1"}


def test_an_edit_after_the_commit_is_not_its_origin() -> None:
    edits = [edit("c1", 1 * MINUTE, FILE, kind="write"), edit("c2", 9 * MINUTE, FILE, kind="write")]

    found = attributed(edits, at=commit("k", 5 * MINUTE))

    assert call_of(found[3]) == "c1"


def test_an_edit_within_the_second_of_its_commit_counts() -> None:
    found = attributed([edit("c1", 5 * MINUTE + SECOND - 1, FILE, kind="write")], at=commit("k", 5 * MINUTE))

    assert (found[3].level, call_of(found[3])) == (Level.SAME_TEXT, "c1")


def test_an_amended_commit_has_edits_that_are_later_than_its_first_time() -> None:
    found = attributed([edit("c1", 7 * MINUTE, FILE, kind="write")], at=commit("k", 8 * MINUTE, authored=5 * MINUTE))

    assert found[3].level is Level.SAME_TEXT


def test_a_line_that_was_only_kept_belongs_to_the_edit_that_added_it() -> None:
    edits = [
        edit("c1", 1 * MINUTE, FILE, kind="write"),
        edit("c2", 2 * MINUTE, FILE + "more = of_this\n", FILE),
        edit("c3", 3 * MINUTE, FILE + "more = of_this\n", kind="write"),
    ]

    found = attributed(edits, text=FILE + "more = of_this\n")

    assert [call_of(one) for one in found] == ["c1", "c1", "c1", "c1", "c1", "c2"]


def test_a_line_that_was_taken_out_and_written_again_belongs_to_the_second_edit() -> None:
    edits = [
        edit("c1", 1 * MINUTE, FILE, kind="write"),
        edit("c2", 2 * MINUTE, "x = nothing\n", "    return pool.open(size)\n"),
        edit("c3", 3 * MINUTE, "    return pool.open(size)\n", "x = nothing\n"),
    ]

    assert call_of(attributed(edits)[3]) == "c3"


def test_a_line_that_was_taken_out_is_not_attributed_by_its_text() -> None:
    edits = [
        edit("c1", 1 * MINUTE, "    return pool.open(size)\n", kind="write"),
        edit("c2", 2 * MINUTE, "x = nothing\n", "    return pool.open(size)\n"),
    ]

    [found] = attributed(edits, text="    return pool.open(size)\n")

    assert (found.level, found.doubt, call_of(found)) == (Level.SAME_FILE, Doubt.CHANGED, "c2")


def test_a_changed_line_between_lines_of_an_edit_is_named_as_changed() -> None:
    found = attributed(
        [edit("c1", 1 * MINUTE, FILE, kind="write")],
        text=FILE.replace("def connect_now():", "def connect_by_hand():"),
    )

    assert (found[2].level, found[2].doubt) == (Level.SAME_LINES, Doubt.CHANGED)


def test_two_working_trees_with_the_same_text_are_no_proof_of_either() -> None:
    edits = [
        edit("c1", 1 * MINUTE, FILE, kind="write", session=1),
        edit("c2", 2 * MINUTE, FILE, kind="write", root="/other", session=2),
    ]

    found = attributed(edits)

    assert (found[3].level, found[3].doubt) == (Level.SAME_LINES, Doubt.SEVERAL)


def test_the_working_tree_in_which_the_commit_was_made_decides() -> None:
    edits = [
        edit("c1", 1 * MINUTE, FILE, kind="write", session=1),
        edit("c2", 2 * MINUTE, FILE, kind="write", root="/other", session=2),
    ]
    git = {1: [GitCommand(time=5 * MINUTE, folder="/shop/src", step="commit")]}

    found = attributed(edits, at=commit("k", 5 * MINUTE), git=git)

    assert (found[3].level, call_of(found[3])) == (Level.SAME_TEXT, "c1")


def test_a_text_that_an_earlier_commit_had_may_have_been_put_back() -> None:
    edits, at = [edit("c1", 1 * MINUTE, FILE, kind="write")], commit("k", 9 * MINUTE)
    changes = [commit("before", 4 * MINUTE), at]

    found = attributed(edits, at=at, changes=changes, had=True)
    assert (found[3].level, found[3].doubt) == (Level.SAME_FILE, Doubt.PUT_BACK)

    found = attributed(edits, at=at, changes=changes, had=False)
    assert found[3].level is Level.SAME_TEXT


def test_a_file_that_is_written_again_after_a_commit_may_bring_a_line_back() -> None:
    edits = [edit("c1", 1 * MINUTE, FILE, kind="write"), edit("c2", 6 * MINUTE, FILE, kind="write")]

    found = attributed(edits, at=commit("k", 9 * MINUTE), changes=[commit("before", 4 * MINUTE)])
    assert call_of(found[3]) == "c2"

    found = attributed(edits, at=commit("k", 9 * MINUTE))
    assert call_of(found[3]) == "c1"


def test_a_line_that_a_commit_only_moved_is_as_old_as_it_was() -> None:
    edits = [edit("c1", 1 * MINUTE, FILE, kind="write"), edit("c2", 6 * MINUTE, FILE, kind="write")]
    changes = [commit("before", 4 * MINUTE)]

    found = attributed(edits, at=commit("k", 9 * MINUTE), changes=changes, had=True, before=FILE)

    assert (found[3].level, call_of(found[3])) == (Level.SAME_TEXT, "c1")


def test_equal_lines_are_told_apart_by_the_lines_around_them() -> None:
    text = "first = one_thing\nlog.write(everything)\nsecond = other_thing\nlog.write(everything)\n"
    edits = [
        edit("c1", 1 * MINUTE, "first = one_thing\nlog.write(everything)\n", ""),
        edit("c2", 2 * MINUTE, "second = other_thing\nlog.write(everything)\n", ""),
    ]

    assert [call_of(one) for one in attributed(edits, text=text)] == ["c1", "c1", "c2", "c2"]


def test_a_folder_that_is_gone_counts_only_with_the_lines_around() -> None:
    lone = attributed([edit("c1", MINUTE, FILE, kind="write", is_gone=True)], text="    return pool.open(size)\n")
    assert (lone[0].level, lone[0].doubt) == (Level.SAME_FILE, Doubt.GONE_FOLDER)

    whole = attributed([edit("c1", MINUTE, FILE, kind="write", is_gone=True)])
    assert whole[3].level is Level.SAME_TEXT


def test_a_command_that_names_the_file_is_said_to_be_one() -> None:
    found = attributed([edit("c1", MINUTE, "", kind="command")])

    assert (found[3].level, found[3].doubt) == (Level.SAME_FILE, Doubt.NAMED)


def test_a_session_at_work_right_before_the_commit_is_the_last_resort() -> None:
    active = [ActiveSession(7, [1, 2, 3]), ActiveSession(8, [3, 50])]

    found = attributed([], at=commit("k", 20 * MINUTE), active=active)

    assert {(one.level, one.session) for one in found if one.line.text.strip()} == {(Level.SAME_MINUTES, 8)}
    assert found[3].doubt is Doubt.NO_EDITS


def test_a_session_that_committed_then_goes_before_one_that_only_was_at_work() -> None:
    active = [ActiveSession(7, [18]), ActiveSession(8, [20])]
    git = {7: [GitCommand(time=20 * MINUTE, folder="/shop", step="commit")]}

    found = attributed([], at=commit("k", 20 * MINUTE), active=active, git=git)

    assert found[3].session == 7


def test_nothing_is_found_where_nobody_was_at_work() -> None:
    found = attributed([], at=commit("k", 900 * MINUTE), active=[ActiveSession(7, [18])])

    assert levels(found) == [Level.NOTHING] * len(found)


def test_removed_lines_lead_to_the_edit_that_removed_them() -> None:
    placed = edit("c1", MINUTE, "", "    return pool.open(size)\n")
    history = History(commits={"k": commit("k", 2 * MINUTE)}, versions={}, now=NOW, written=NOW)

    found = Attributor(history, lambda _: [placed]).attribute_removed("db.py", "k", ["    return pool.open(size)"])

    assert (found.level, call_of(found)) == (Level.SAME_TEXT, "c1")


LINES = st.sampled_from(["alpha = make_one()", "beta = make_two()", "gamma = make_six()", "}", "", "    pass"])
TEXTS = st.lists(LINES, max_size=6).map(lambda lines: "".join(f"{line}\n" for line in lines))


@st.composite
def recorded_edits(draw: st.DrawFn) -> PlacedEdit:
    return edit(
        draw(st.sampled_from(["c1", "c2", "c3", "c4"])),
        draw(st.integers(0, 12)) * MINUTE,
        draw(TEXTS),
        draw(st.none() | TEXTS),
        kind=draw(st.sampled_from(["write", "edit", "command", "delete", "move", "action"])),
        root=draw(st.sampled_from(["/shop", "/other"])),
        is_gone=draw(st.booleans()),
        session=draw(st.integers(1, 3)),
    )


@given(st.lists(recorded_edits(), max_size=8), TEXTS, st.none() | st.integers(0, 12), st.booleans())
def test_the_same_text_is_always_in_the_edit_and_was_written_before_the_commit(
    edits: list[PlacedEdit], text: str, committed: int | None, had: bool
) -> None:
    at = commit("k", committed * MINUTE) if committed is not None else None

    found = attributed(edits, text=text, at=at, changes=[commit("other", 5 * MINUTE)], had=had)

    assert [one.line.text for one in found] == text.split("\n")[:-1]
    for one in found:
        assert (one.edit is None) == (one.level in {Level.SAME_MINUTES, Level.NOTHING})
        if one.level is Level.SAME_TEXT:
            assert one.edit is not None
            wanted = digest_of(one.line.text)
            assert any(digest & ADDED and plain_digest(digest) == wanted for digest in one.edit.edit.after)
            assert one.edit.edit.time < (at.committed if at is not None else NOW) + 3 * SECOND
            assert one.doubt is Doubt.NONE
