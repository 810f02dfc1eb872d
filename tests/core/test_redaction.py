"""What `--redact` takes out, what it leaves, and that it holds wherever a session is shown."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.errors import CorruptLineError
from seqthink.core.events import RejectedEvent
from seqthink.core.redaction import redact_pieces, redact_text
from seqthink.journal.decode import decode
from seqthink.library.redacted_lines import decode_redacted
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.screens.terminal import Terminal
from tests.support.servers.commands import command, seqthink

# Made of pieces, so that no scanner takes this file for a leak.
AWS = "AKIA" + "IOSFODNN7EXAMPLE"
GITHUB = "ghp_" + "a1B2" * 9
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nqweasdzxc\n-----END RSA PRIVATE KEY-----"

SECRETS = {
    AWS: "AWS Access Key",
    GITHUB: "GitHub Token",
    "github_pat_" + "11ABCDEFG0" * 3: "GitHub token",
    "glpat-" + "x" * 20: "GitLab Token",
    "sk-ant-" + "api03-abcdefghijklmnop_-x": "Anthropic key",
    "sk-proj-" + "abcdefghijklmnop" * 3: "OpenAI key",
    "AIza" + "Sy" * 17 + "X": "Google key",
    "hf_" + "abcdEFGH" * 4: "Hugging Face token",
    "xoxb-" + "123-456-abcdefXYZ": "Slack Token",
    "https://hooks.slack.com/services/" + "T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX": "Slack Token",
    "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc": "Stripe Access Key",
    "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjMifQ." + "dozjgNryP4J3jVmNHl0w5N": "web token",
    "110201543:" + "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaww": "Telegram Bot Token",
    "npm_" + "a1B2" * 9: "npm token",
    "dop_v1_" + "0f" * 32: "DigitalOcean token",
    "AGE-SECRET-KEY-1" + "QZ" * 20: "age key",
    PEM: "private key",
    PEM[:50]: "private key",
}


@pytest.mark.parametrize(("secret", "kind"), SECRETS.items())
def test_a_known_shape_is_replaced_whole_and_what_stands_around_it_stays(secret: str, kind: str) -> None:
    around = "" if kind == "private key" else " and then"

    assert redact_text(f"I found {secret}{around}") == f"I found [redacted {kind}]{around}"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("DB_PASSWORD=hunter2 in .env", "DB_PASSWORD=[redacted secret] in .env"),
        ("export API_KEY='a b c d'", "export API_KEY='[redacted secret]'"),
        ('{"client_secret": "abc", "port": 80}', '{"client_secret": "[redacted secret]", "port": 80}'),
        ("config['auth_token'] = \"x1y2z3\"", "config['auth_token'] = \"[redacted secret]\""),
        ("password: hunter2000", "password: [redacted secret]"),
        ("password = 'abc'", "password = '[redacted secret]'"),
        ("postgres://bob:s3cr3t@db/x", "postgres://bob:[redacted login]@db/x"),
        ("Authorization: Bearer abcdefghijklmnopqrst", "Authorization: Bearer [redacted authorization]"),
        ("token := abcd1234;", "token := [redacted secret];"),
        ("**Token:** abcXYZ987654", "**Token:** [redacted secret]"),
        ("- **API key:** `boldtick9xyz`", "- **API key:** `[redacted secret]`"),
        ("**password**: boldpass9 it is", "**password**: [redacted secret] it is"),
        ("`password`: `battery staple`", "`password`: `[redacted secret]`"),
        ("| password | tablepass9 |", "| password | [redacted secret] |"),
        ("run it with --password flagpass -v", "run it with --password [redacted secret] -v"),
        ("deploy --auth-token tokflag9", "deploy --auth-token [redacted secret]"),
        ("curl -s -u admin:s3cr3tpass https://x", "curl -s -u admin:[redacted login] https://x"),
        ("mysql -h db -psecretpw9 shop", "mysql -h db -p[redacted login] shop"),
        ("Cookie: session=abc; theme=dark", "Cookie: [redacted cookie]"),
    ],
)
def test_of_an_assignment_the_name_stays(text: str, clean: str) -> None:
    assert redact_text(text) == clean
    assert redact_text(clean) == clean


@pytest.mark.parametrize(
    "text",
    [
        "the key: never mind; API keys: see below; secrets | of the trade",
        "--token, --password and friends; --secret-santa; cookies: tasty",
        "The token: it is a word like any other, and the password: never mind.",
        "if password == other: return token",
        "max_tokens=4096 and tokens: 12345678",
        "secret = <from the vault>",
        "token = $(vault read x)",
        "see https://example.org/a/very/long/path/that/goes/on?with=query",
        "commit 3f2a9c1d4b5e6f708192a3b4c5d6e7f8091a2b3c in main",
        "key ideas: cache, queue, retry",
        "/usr/share/dict/words_and_more and seqthink.journal.decode",
        "ssh://git@host/repo",
        "550e8400-e29b-41d4-a716-446655440000",
    ],
)
def test_prose_paths_hashes_and_code_that_only_names_secrets_stay(text: str) -> None:
    assert redact_text(text) == text


PROSE = ("The pool is idle.\n", "\n", "token\n", "a = 1\n", "  - step 2: wait\n", "x" * 60 + "\n", "no line break")


@given(
    parts=st.lists(st.sampled_from([*SECRETS, *PROSE, f"password = {AWS}\n", f"{PEM}\n{PEM}\n"]), max_size=12),
    cut=st.integers(1, 200),
    block_chars=st.integers(1, 400),
)
def test_a_text_in_pieces_is_redacted_as_the_whole(parts: list[str], cut: int, block_chars: int) -> None:
    text = "\n".join(parts)
    pieces = [text[start : start + cut] for start in range(0, len(text), cut)]

    assert "".join(redact_pieces(pieces, block_chars)) == redact_text(text)


def test_several_secrets_in_one_text_all_go() -> None:
    clean = redact_text(f"{AWS} {GITHUB}\n{PEM}\nDB_PASSWORD=hunter2 {AWS}")

    assert clean.count("[redacted ") == 5
    assert all(secret not in clean for secret in (AWS, GITHUB, "MIIEp", "hunter2"))


def _lines() -> list[bytes]:
    journal = JournalBuilder().session(title=f"with {AWS}", client=GITHUB)
    journal.thought(f"The key is {AWS}", branchFromThought=1, branchId=f"b {GITHUB}")
    journal.note(f"use {AWS}, not {GITHUB}")
    journal.rejected(error=f"Invalid thought: got {AWS}", arguments={"thought": 5, f"k {AWS}": [GITHUB, {"x": AWS}]})
    return journal.data.splitlines()


def test_every_text_of_an_event_is_looked_at_however_deep() -> None:
    for line in _lines():
        event = decode_redacted(line)
        assert type(event) is type(decode(line))
        assert AWS not in str(event)
        assert GITHUB not in str(event)
        assert "[redacted " in str(event)


def test_what_an_object_holds_under_a_revealing_name_is_a_secret_whatever_it_looks_like() -> None:
    arguments = {"password": "plain", "n": {"client_secret": "x", "token_count": 5, "keys": ["a"], "tokens": "many"}}
    line = JournalBuilder().session().rejected(error="no", arguments=arguments).data.splitlines()[1]
    mark = "[redacted secret]"

    event = decode_redacted(line)
    assert isinstance(event, RejectedEvent)
    assert event.arguments == {
        "password": mark, "n": {"client_secret": mark, "token_count": 5, "keys": ["a"], "tokens": "many"}
    }  # fmt: skip


def test_what_is_nested_too_deeply_to_look_into_is_left_out() -> None:
    arguments = '"arguments":' + '{"a":' * 500 + f'"{GITHUB}"' + "}" * 500
    line = f'{{"v":1,"seq":1,"time":"2026-03-10T14:02:00Z","type":"rejected","error":"e",{arguments}}}'.encode()
    event = decode_redacted(line)

    assert isinstance(event, RejectedEvent)
    assert GITHUB not in str(event)
    assert "[redacted nested too deeply]" in str(event)


def test_an_event_without_secrets_is_the_event() -> None:
    for line in JournalBuilder().session().thought("plain").end().data.splitlines():
        assert decode_redacted(line) == decode(line)


def test_what_is_no_event_is_refused_as_ever() -> None:
    with pytest.raises(CorruptLineError):
        decode_redacted(b"{")


# Wherever a session is shown


@pytest.fixture
def leaky(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    path = folder / "20260310T140200.000000Z-leaky1.jsonl"
    path.write_bytes(b"\n".join(_lines()) + b"\n")
    return path


@pytest.mark.parametrize(
    "arguments",
    first(
        3,
        [
            ("show", "--full"),
            ("show", "--timeline"),
            ("replay",),
            *(("export", "--format", name) for name in ("md", "html", "mermaid", "svg", "json")),
        ],
    ),
    ids=" ".join,
)
def test_a_secret_is_shown_without_the_option_and_not_with_it(arguments: tuple[str, ...], leaky: Path) -> None:
    bare, clean = (seqthink(*arguments, leaky, *more).stdout for more in ((), ("--redact",)))

    assert AWS in bare
    assert AWS not in clean
    assert GITHUB not in clean
    assert "redacted" in clean


def test_what_comes_in_on_a_pipe_is_redacted_too(leaky: Path) -> None:
    done = seqthink("watch", "-", "--redact", stdin=leaky.read_text("utf-8"))

    assert AWS not in done.stdout
    assert "The key is [redacted AWS Access Key]" in done.stdout


def test_the_list_of_sessions_is_redacted_too(leaky: Path) -> None:
    bare = json.loads(seqthink("sessions", "--json", "--journal-dir", leaky.parent).stdout)
    clean = json.loads(seqthink("sessions", "--json", "--redact", "--journal-dir", leaky.parent).stdout)

    assert AWS in bare[0]["title"]
    assert clean[0]["title"] == "The key is [redacted AWS Access Key]"
    assert GITHUB not in str(clean)


@pytest.mark.parametrize("name", ["watch", "replay"])
def test_the_viewer_shows_no_secret(name: str, leaky: Path) -> None:
    arguments = (name, leaky, "--redact", *(("--at", "end") if name == "replay" else ()))
    with Terminal(command(*arguments), (120, 35)) as terminal:
        terminal.until("[redacted AWS Access Key]")
        if name == "watch":
            terminal.type("s")
            terminal.until("sessions")
        terminal.type("\x03")
        assert terminal.end() == 0

    assert AWS not in terminal.text
    assert GITHUB not in terminal.text


def test_the_journal_keeps_what_it_holds(leaky: Path) -> None:
    before = leaky.read_bytes()

    seqthink("show", leaky, "--redact")

    assert leaky.read_bytes() == before
