"""`seqthink status --now`: what each live session does, in one line each."""

import pytest

from seqthink.chain.attention import Attention, Doing, EndingCall, Standing, StuckReason
from seqthink.chain.overview.ending_lines import ending_of_lines, fields_of_line
from seqthink.chain.overview.states import shown_state
from seqthink.chain.state import State
from seqthink.cli.overview.status_now import SessionNow, name_and_folder_in, now_lines
from seqthink.core.text import SafeText
from seqthink.core.times import microseconds_of
from tests.support.journals.build import JournalBuilder

NOW = 1_000_000_000


def _session(name: str, standing: Standing, call: EndingCall | None = None) -> SessionNow:
    return SessionNow(SafeText(name), standing, shown_state(standing, NOW), call)


def test_each_live_session_says_what_it_does_and_those_that_need_you_come_first() -> None:
    second = 1_000_000
    sessions = [
        _session("shop", Standing(Attention.THINKING, since=NOW - 4 * second)),
        _session("quiet", Standing(Attention.THINKING, since=NOW - 90 * second)),
        _session("over", Standing(Attention.DONE, since=NOW)),
        _session("open", Standing(Attention.OPEN, since=NOW)),
        _session(
            "mailer",
            Standing(Attention.THINKING, since=NOW, doing=Doing.ACTING),
            EndingCall("Bash", "mix\x1b test", NOW - 41 * second),
        ),
        _session("stuck", Standing(Attention.STUCK, StuckReason.SILENT, NOW - 600 * second)),
        _session("web", Standing(Attention.ASKING, since=NOW - 2 * second, question="Which\npool?")),
    ]

    assert [line.split(maxsplit=2) for line in now_lines(sessions, NOW, is_ascii=False)] == [
        ["▲", "web", "asks you: Which pool? · 2 s"],
        ["▲", "stuck", "stuck · 10 m"],
        ["●", "mailer", "Bash mix␛ test · 41 s"],
        ["●", "shop", "thinking · 4 s"],
        ["○", "quiet", "quiet · 1 m"],
    ]
    assert all(line.isascii() for line in now_lines(sessions[:2], NOW, is_ascii=True))


def test_the_newest_lines_of_a_journal_name_the_call_that_runs() -> None:
    journal = JournalBuilder().session().event("prompt", {"text": "Why?"})
    for call in ("a", "b"):
        journal.event("action", {"tool": "Bash", "summary": f"make {call}", "call": call})
    lines = [fields for line in journal.data.splitlines() if (fields := fields_of_line(line)) is not None]
    call = ending_of_lines(lines, State.THINKING).call
    journal.event("action", {"tool": "Bash", "call": "b", "ended": "done"})
    ended = [fields for line in journal.data.splitlines() if (fields := fields_of_line(line)) is not None]

    assert call is not None
    assert (call.tool, call.text) == ("Bash", "make b")
    assert ending_of_lines(ended, State.THINKING).call is None


@pytest.mark.parametrize(("asked", "waited"), [("a", 0), ("b", 60), (None, None)], ids=str)
def test_a_call_runs_since_the_user_has_allowed_it_if_that_is_known(asked: str | None, waited: int | None) -> None:
    journal = JournalBuilder().session().event("prompt", {"text": "Why?"})
    journal.event("action", {"tool": "Bash", "call": "b", "agent": "x"})
    journal.event("action", {"tool": "Bash", "summary": "make a", "call": "a"})
    question = {"of": journal.seq, "purpose": "permission", "call": asked}
    journal.event("asking", {**question, "kind": "elicit", "message": "allow it?"})
    journal.event("elicit", question, after=60)
    lines = [fields for line in journal.data.splitlines() if (fields := fields_of_line(line)) is not None]
    call = ending_of_lines(lines, State.THINKING).call

    assert call is not None
    answered = microseconds_of(journal.events[-1].time)
    assert call.time == (answered - waited * 1_000_000 if waited is not None else 0)


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (JournalBuilder().session(title="Slow\x07 pool").data.splitlines()[0], "Slow␇ pool"),
        (JournalBuilder().session(title=None, cwd="/home/ada/shop").data.splitlines()[0], "shop"),
        (b"", "id"),
        (b"no journal", "id"),
        (JournalBuilder().session().thought("a").data.splitlines()[1], "id"),
    ],
)
def test_a_session_is_called_by_the_first_line_of_its_journal(head: bytes, name: str) -> None:
    assert name_and_folder_in(head, "id")[0] == name


def _acting(tool: str, text: str, folder: str = "/home/ada/shop") -> str:
    standing = Standing(Attention.THINKING, since=NOW, doing=Doing.ACTING)
    session = _session("shop", standing, EndingCall(tool, text, NOW))._replace(folder=folder)
    [line] = now_lines([session], NOW, is_ascii=False)
    return line.split(maxsplit=2)[2]


def test_paths_are_relative_to_the_working_folder_and_cut_on_the_left_and_commands_on_the_right() -> None:
    deep = "/".join(f"folder-{number}" for number in range(9))

    assert _acting("Edit", "/home/ada/shop/lib/pool.ex") == "Edit lib/pool.ex · 0 s"
    assert _acting("Edit", "/etc/hosts") == "Edit /etc/hosts · 0 s"
    assert _acting("Edit", f"/home/ada/shop/{deep}/pool.ex").startswith("Edit …")
    assert _acting("Edit", f"/home/ada/shop/{deep}/pool.ex").endswith("/folder-8/pool.ex · 0 s")
    assert _acting("Edit", f"/{deep}/pool.ex").startswith("Edit …")
    assert _acting("Bash", "cd /home/ada/shop && make all") == "Bash make all · 0 s"
    assert _acting("Bash", f"cat {deep}").startswith("Bash cat folder-0/")
    assert _acting("Bash", f"cat {deep}").endswith("… · 0 s")


def test_the_first_line_of_a_journal_says_what_folder_its_session_works_in() -> None:
    assert name_and_folder_in(JournalBuilder().session(cwd="/home/ada/shop/").data, "id") == ("shop", "/home/ada/shop")
