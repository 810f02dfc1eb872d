"""The commands of `[notify]`: which may be named, whose file is trusted, and how one is tried."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from seqthink.cli import preferences as preferences_module
from seqthink.cli.preferences import read_settings_file
from seqthink.core import system
from seqthink.core.settings_file import FileEntry
from tests.support.servers.commands import refusal_line, seqthink


@pytest.fixture
def file(seqthink_home: Path) -> Path:
    path = seqthink_home / "settings.toml"
    path.touch(0o600)
    return path


def _commands(values: Mapping[str, FileEntry]) -> dict[str, object]:
    return {name: entry.value for name, entry in values.items() if name.startswith("notify.")}


def test_a_command_is_a_list_of_words_or_a_text_that_is_split_as_a_shell_would(file: Path) -> None:
    file.write_text(
        """
        [notify]
        asking = ["call-me", "--sound", "two words", "$HOME `id`"]
        stuck = "call-me 'two words' \\"$(id)\\" ; true"
        done = []
        lost = '~/bin/call-me'
        context = "/usr/bin/call-me"
        """,
        encoding="utf-8",
    )
    found = read_settings_file(file)

    assert found.wrong == ()
    assert _commands(found.values) == {
        "notify.asking": ["call-me", "--sound", "two words", "$HOME `id`"],
        "notify.stuck": ["call-me", "two words", "$(id)", ";", "true"],
        "notify.done": [],
        "notify.lost": ["~/bin/call-me"],
        "notify.context": ["/usr/bin/call-me"],
    }


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("asking = true", "must be a command"),
        ("asking = ['a', 1]", "must be a command"),
        ('asking = "a \'b"', "cannot be split into words: no closing quotation"),
        ('asking = "a\\u0000b"', "NUL"),
        ('asking = ["", "b"]', "begin with the name of a program"),
        ('asking = "./call-me"', "in your PATH, or with its whole path"),
        ('asking = "bin/call-me"', "in your PATH, or with its whole path"),
        ('asked = "call-me"', "did you mean notify.asking?"),
        ('notify = "call-me"', "did you mean notifications.notify?"),
    ],
)
def test_what_is_not_a_command_is_left_out_with_its_line(file: Path, line: str, reason: str) -> None:
    file.write_text(f"[notify]\n{line}\n", encoding="utf-8")
    found = read_settings_file(file)

    assert _commands(found.values) == {}
    assert [(wrong.line, reason in wrong.message) for wrong in found.wrong] == [(2, True)]


def test_an_option_of_the_same_name_is_another_setting(file: Path) -> None:
    file.write_text('stuck = 90\n[notify]\nstuck = ["call me"]\n', encoding="utf-8")
    found = {one["name"]: one["value"] for one in json.loads(seqthink("settings", "--json").stdout)["settings"]}

    assert (found["stuck"], found["notify.stuck"], found["notify.done"]) == (90, ["call me"], [])
    printed = seqthink("settings").stdout
    assert '\nstuck = ["call me"]' in printed.partition("[notify]")[2]


@pytest.mark.skipif(not system.HAS_POSIX_FILES, reason="there are no modes")
@pytest.mark.parametrize("mode", [0o602, 0o620, 0o666])
def test_a_file_that_others_may_write_to_starts_nothing_and_the_rest_of_it_counts(file: Path, mode: int) -> None:
    file.write_text('theme = "light"\n[notify]\nasking = "touch owned"\n', encoding="utf-8")
    file.chmod(mode)
    found = read_settings_file(file)

    assert {name: entry.value for name, entry in found.values.items()} == {"theme": "light"}
    assert [wrong.text() for wrong in found.wrong] == [
        "settings.toml:3: notify: others may write to the file, so no command in it is started; "
        "`chmod go-w` changes that; left out"
    ]
    refused = seqthink("settings", "--try-notify", "asking")
    assert (refused.returncode, "others may write" in refusal_line(refused)) == (2, True)
    assert not Path("owned").exists()


def test_the_file_of_another_user_starts_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('theme = "light"\n[notify]\nasking = "touch owned"\n', encoding="utf-8")

    def is_foreign(_state: os.stat_result) -> bool:
        return False

    monkeypatch.setattr(preferences_module.system, "is_own", is_foreign)
    found = read_settings_file(file)

    assert list(found.values) == ["theme"]
    assert "belongs to another user" in found.wrong[0].message


def test_a_command_can_be_tried_and_gets_all_facts(file: Path) -> None:
    file.write_text('[notify]\nasking = ["sh", "-c", "echo $SEQTHINK_TEXT; cat; echo oops >&2"]\n', encoding="utf-8")
    tried = seqthink("settings", "--try-notify", "asking")
    command, text, line, oops, end = tried.stdout.splitlines()

    assert (tried.returncode, tried.stderr) == (0, "")
    assert (command, text) == (
        "$ sh -c 'echo $SEQTHINK_TEXT; cat; echo oops >&2'",
        "a trial of seqthink asks you: May I go on?",
    )
    assert json.loads(line)["try"] is True
    assert (oops, end.partition(" (")[0]) == ("oops", "it worked")


@pytest.mark.parametrize("state", ["asking", "stuck", "done", "lost", "context"])
def test_each_state_can_be_tried_as_json(file: Path, state: str) -> None:
    file.write_text(f'[notify]\n{state} = ["sh", "-c", "cat >/dev/null; exit 4"]\n', encoding="utf-8")
    tried = seqthink("settings", "--try-notify", state, "--json")
    found = json.loads(tried.stdout)

    assert (tried.returncode, tried.stderr) == (1, "")
    assert (found["status"], found["problem"], found["facts"]["state"]) == (4, "exit status 4", state)


def test_a_state_without_a_command_says_what_to_add(file: Path) -> None:
    file.write_text('[notify]\nlost = "./x"\n', encoding="utf-8")
    missing, refused = (seqthink("settings", "--try-notify", state) for state in ("done", "lost"))

    assert missing.returncode == refused.returncode == 2
    assert refusal_line(missing) == 'settings.toml has no command for done; add: [notify] done = ["PROGRAM"]'
    assert refusal_line(refused).startswith("settings.toml:2: notify.lost: must begin with a program in your PATH")
