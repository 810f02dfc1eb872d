"""What git prints is partly foreign: no name and no subject passes for a commit, or hides one."""

import pytest

from seqthink.library.why.git_output import commits_of

ONE, TWO = "1" * 40, "2" * 40


@pytest.mark.parametrize("foreign", ["\x01", f"\x01{TWO}", "\r", "\x0b\x0c\x85\u2028"])
def test_foreign_text_neither_hides_nor_makes_a_commit(foreign: str) -> None:
    output = f"{ONE}\0000017\0000018\0Ada {foreign}\0Fix {foreign} it\n{TWO}\00019\00020\0Bob\0Go on\n"

    found = commits_of(output.encode())

    assert [(one.id, one.author, one.summary) for one in found] == [
        (ONE, f"Ada {foreign}", f"Fix {foreign} it"),
        (TWO, "Bob", "Go on"),
    ]
