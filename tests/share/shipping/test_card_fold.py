"""What lists show of a journal: the same as the lists of this machine."""

from pathlib import Path

import pytest

from seqthink.api.journal import open_journal
from seqthink.core import system
from seqthink.journal.folder import is_journal
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.store import list_sessions
from seqthink.library.summary import summarize
from seqthink.share.shipping.card_fold import CardFold
from seqthink.share.shipping.line_redaction import LineRedaction, Outgoing, as_it_stands
from seqthink.sources.fleet.cards import Card, CardPlace, place_of
from seqthink.sources.fleet.layout import SessionName
from seqthink.sources.fleet.mirror.card_summaries import summary_of_card
from tests.support.git_folders import git_folder
from tests.support.journals.build import JournalBuilder

JOURNALS = Path(__file__).parents[2] / "journals"
NAMES = sorted(path.stem for path in JOURNALS.glob("*.jsonl") if is_journal(path.name))


def card_of_journal(path: Path, outgoing: Outgoing = as_it_stands, step: int = 1 << 20) -> Card:
    file, fold = JournalFile.open(path), CardFold(outgoing)
    while not fold.read(file, step):
        pass
    return fold.card(file, 0, is_alive=False, lines=7, takes_notes=True, signed=False)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("step", [1 << 20, 300])
def test_a_card_says_what_the_list_says(name: str, step: int) -> None:
    file = next(file for file in list_sessions(JOURNALS) if file.session == name)
    listed = summarize(file)
    assert listed is not None

    card = card_of_journal(file.path, step=step)

    shown = (listed.client, listed.title, listed.progress, listed.place.folder, listed.newest, listed.newest_number)
    assert (card.client, card.title, card.progress, card.cwd, card.newest, card.newest_number) == shown
    counts = (listed.chains, listed.thoughts, listed.turns, listed.branches, listed.revisions, listed.started)
    assert (card.chains, card.thoughts, card.turns, card.branches, card.revisions, card.started) == counts
    assert place_of(card) == CardPlace(listed.place.address, listed.place.branch)
    assert (card.state, card.attention, card.lines) == (listed.state, listed.standing.attention, 7)
    context = summary_of_card(
        SessionName("o", name), card, alive=False, now=1 << 60, changed=0, stuck_seconds=0
    ).context
    assert (context and context[:2]) == (listed.context and listed.context[:2])


@pytest.mark.parametrize("text", ["", "7", "7/", "/7", "-1/7", "1/2/3", "٣/7", "9" * 16 + "/7", "1/7\n"])
def test_a_card_of_another_machine_that_says_no_context_has_none(text: str) -> None:
    card = Card(context=text)

    assert summary_of_card(SessionName("o", "s"), card, alive=False, now=0, changed=0, stuck_seconds=0).context is None


def test_a_card_says_the_repository_and_the_newest_branch(tmp_path: Path) -> None:
    git_folder(tmp_path / "shop", origin="https://ada:s3cret@github.com/acme/shop")
    builder = (
        JournalBuilder().session(cwd=str(tmp_path / "shop"), branch="main", host=system.host_name()).thought("One")
    )
    builder.session(cwd=str(tmp_path / "shop"), branch="feat", host=system.host_name(), resumed=True).thought("Two")

    card = card_of_journal(builder.write(tmp_path / "s.jsonl"))

    assert place_of(card) == CardPlace("github.com/acme/shop", "feat")


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ([("prompt", "Sweep it")], "Sweep it"),
        ([], ""),
        ([("thought", "Mine")], "Mine"),
        ([("prompt", "Sweep it"), ("prompt", "And that"), ("thought", "Mine")], "Mine"),
    ],
)
def test_no_list_titles_a_session_by_the_thought_of_a_subagent(
    tmp_path: Path, lines: list[tuple[str, str]], title: str
) -> None:
    journal = JournalBuilder().session(source="claude", imported=True).thought("A helper's", agent="a")
    for kind, text in lines:
        if kind == "thought":
            journal.thought(text)
        else:
            journal.event(kind, {"text": text})
    journal.thought("Another helper's", agent="b").write(tmp_path / "one.jsonl")
    [file] = list_sessions(tmp_path)
    listed = summarize(file)
    assert listed is not None

    card = card_of_journal(file.path)

    assert (listed.title, card.title) == (title, title)
    with open_journal(file.path) as opened:
        assert opened.chains[0].title == title


def test_a_card_grows_with_its_journal_and_starts_again_with_another(tmp_path: Path) -> None:
    path, whole = tmp_path / "one.jsonl", (JOURNALS / "shop-api.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4]))
    file, fold = JournalFile.open(path), CardFold()
    fold.read(file)
    with path.open("ab") as grown:
        grown.writelines(lines[4:])
    fold.read(file)
    grown_card = fold.card(file, 0, is_alive=False, lines=1, takes_notes=False, signed=False)

    path.write_bytes(b"".join(lines[:2]))
    fold.read(file)
    small_card = fold.card(file, 0, is_alive=False, lines=1, takes_notes=False, signed=False)

    assert (grown_card.thoughts, small_card.thoughts) == (11, 1)
    assert fold.account() > 0


def test_no_secret_is_on_a_card(tmp_path: Path) -> None:
    token = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    path = tmp_path / "one.jsonl"
    head = '{"v":1,"seq":%d,"time":"2026-03-10T14:02:10.000000Z",'
    path.write_text(
        head % 1 + f'"type":"session","session":"one","title":"{token}","cwd":"/{token}"}}\n'
        # The text is cut for the card within the token.
        + head % 2 + f'"type":"thought","thought":"{"x " * 480}{" " * 20}{token}","nextThoughtNeeded":true,'
        '"thoughtNumber":1,"totalThoughts":1}\n',
        encoding="utf-8",
    )  # fmt: skip

    card = card_of_journal(path, LineRedaction(b"s" * 16))

    assert "ghp_a1" not in repr(card)
    assert "[redacted GitHub Token]" in card.name
    assert "redacted" in card.head
    assert token in repr(card_of_journal(path))


def test_an_empty_journal_has_a_card(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").touch()

    card = card_of_journal(tmp_path / "one.jsonl")

    assert (card.name, card.thoughts, card.ended, card.notes) == ("", 0, 0, 0)
