"""Texts that do not parse, or cannot be edited without harm: one error with its place, never a corrupt text."""

import pytest

from seqthink.connect.clients.editing.documents import Syntax, read_document, server_of
from seqthink.connect.clients.editing.errors import ConfigTextError
from seqthink.connect.clients.editing.verify import change_is_only_ours

ENTRY = {"command": "/opt/seqthink", "args": ["serve"]}
ZED = (
    '\ufeff// Zed\r\n{\r\n\t"theme": "One", /* dark */\r\n'
    '\t"context_servers": {\r\n\t\t"x": {}, // mine\r\n\t},\r\n}\r\n'
)
CODEX = (
    'model = "o" # m\n\n[mcp_servers.docs]\ncommand = "d"\nargs = ["""\n[x]"""]\n\n# profiles\n[profiles.a]\nk = 1\n'
)


@pytest.mark.parametrize(
    ("syntax", "text", "line", "column"),
    [
        ("json", '{"a": 1, // c\n}', 1, 10),
        ("json", '{"a": 1,\n}', 1, 8),
        ("jsonc", '{\n  "a": 1\n  "b": 2\n}', 3, 3),
        ("jsonc", "{'a': 1}", 1, 2),
        ("jsonc", '{"a": NaN}', 1, 7),
        ("jsonc", '{"a": -Infinity}', 1, 7),
        ("jsonc", '{"a": 01}', 1, 7),
        ("jsonc", "{} /* open", 1, 4),
        ("jsonc", '{"a": "\x00"}', 1, 8),
        ("jsonc", "\x00\x00", 1, 1),
        ("jsonc", '{"a": "\\q"}', 1, 8),
        ("jsonc", "[1]", 1, 1),
        ("jsonc", '\r\n"text"', 2, 1),
        ("json", "12", 1, 1),
        ("jsonc", "{} {}", 1, 4),
        ("jsonc", '{"a": [,]}', 1, 8),
        ("jsonc", "[" * 100_000, 1, 257),
        ("toml", "a = 1\na = 2\n", 2, 6),
        ("toml", "a = [\n", 2, 1),
    ],
)
def test_a_text_that_does_not_parse_is_refused_with_its_place(
    syntax: Syntax, text: str, line: int, column: int
) -> None:
    with pytest.raises(ConfigTextError) as refusal:
        read_document(syntax, text)

    assert (refusal.value.line, refusal.value.column) == (line, column)


@pytest.mark.parametrize(
    ("syntax", "text", "line"),
    [
        ("jsonc", '{\n"servers": {},\n"s\\u0065rvers": {}}', 3),
        ("jsonc", '{"servers": {\n"seqthink": {},\n\n"seqthink": {}}}', 4),
        ("jsonc", '{\n\n"servers": []}', 3),
        ("jsonc", '{"servers": null}', 1),
        ("toml", "a = 1\n[[servers]]\n", 2),
        ("toml", "servers = 3\n", 1),
    ],
)
def test_a_way_to_the_servers_that_is_not_clear_is_refused_with_its_line(syntax: Syntax, text: str, line: int) -> None:
    document = read_document(syntax, text)

    with pytest.raises(ConfigTextError) as adding:
        document.with_server(("servers",), "seqthink", ENTRY)

    assert adding.value.line == line


@pytest.mark.parametrize(("syntax", "text", "key"), [("jsonc", ZED, "context_servers"), ("toml", CODEX, "mcp_servers")])
def test_a_text_cut_anywhere_is_refused_or_edited_without_harm(syntax: Syntax, text: str, key: str) -> None:
    for cut in range(len(text)):
        try:
            new = read_document(syntax, text[:cut]).with_server((key,), "seqthink", ENTRY)
        except ConfigTextError:
            continue
        assert change_is_only_ours(syntax, text[:cut], new, (key,), "seqthink"), text[:cut]


@pytest.mark.parametrize(("syntax", "text", "key"), [("jsonc", ZED, "context_servers"), ("toml", CODEX, "mcp_servers")])
def test_a_users_file_is_as_before_after_adding_and_removing(syntax: Syntax, text: str, key: str) -> None:
    new = read_document(syntax, text).with_server((key,), "seqthink", ENTRY)

    assert new != text
    assert read_document(syntax, new).without_server((key,), "seqthink") == text


@pytest.mark.parametrize("text", ["", "\ufeff", " \n", "// only a comment"])
def test_a_text_that_says_nothing_becomes_a_file_with_its_base(text: str) -> None:
    new = read_document("jsonc", text).with_server(("mcp",), "seqthink", ENTRY, {"$schema": "s"})

    assert new.startswith(text)
    assert read_document("jsonc", new).value == {"$schema": "s", "mcp": {"seqthink": ENTRY}}


def test_what_a_user_added_to_our_entry_stays() -> None:
    text = '{"servers": {"seqthink": {"command": "old", /* off */ "disabled": true}}}'

    new = read_document("jsonc", text).with_server(("servers",), "seqthink", {"command": "new"})

    assert new == text.replace("old", "new")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('{"a": 1}', '{"a": 1.0, "servers": {"seqthink": {}}}'),
        ('{"a": 1, "b": 2}', '{"b": 2, "a": 1, "servers": {"seqthink": {}}}'),
        ('{"a": 1, "a": 2}', '{"a": 2, "servers": {"seqthink": {}}}'),
        ('{"servers": {"x": {}}}', '{"servers": {"seqthink": {}}}'),
        ('{"a": "//"}', '{"a": "", "servers": {"seqthink": {}}}'),
        ('{"a": 1}', '{"a": 1, "servers": {"seqthink": {}}'),
    ],
)
def test_any_other_difference_is_seen(old: str, new: str) -> None:
    assert not change_is_only_ours("jsonc", old, new, ("servers",), "seqthink")


@pytest.mark.parametrize("syntax", ["json", "jsonc", "toml"])
def test_a_text_that_said_nothing_may_become_the_base_and_ours_only(syntax: Syntax) -> None:
    base = {"$schema": "s"}
    entry = {"command": "c"}
    new = read_document(syntax, "\n").with_server(("servers",), "seqthink", entry, base)
    other = read_document(syntax, new).with_server(("servers",), "other", entry)

    assert change_is_only_ours(syntax, "\n", new, ("servers",), "seqthink", base)
    assert not change_is_only_ours(syntax, "\n", new, ("servers",), "seqthink")
    assert not change_is_only_ours(syntax, "\n", other, ("servers",), "seqthink", base)


@pytest.mark.parametrize(
    ("syntax", "text", "place"),
    [
        ("json", '{\n  "servers": 1}', (2, 14)),
        ("json", '{"servers": {\n"seqthink": []}}', (2, 13)),
        ("jsonc", '{"servers": {},\n "servers": {}}', (2, 2)),
        ("jsonc", '{"servers": {"seqthink": {},\n// c\n "seqthink": {}}}', (3, 2)),
        ("toml", "a = 1\n[servers]\nseqthink = 1\n", (3, 1)),
        ("toml", "a = 1\nservers = { seqthink = 1 }\n", (2, 1)),
    ],
)
def test_a_server_that_cannot_be_read_is_named_by_its_place(syntax: Syntax, text: str, place: tuple[int, int]) -> None:
    with pytest.raises(ConfigTextError) as caught:
        server_of(read_document(syntax, text), ("servers",), "seqthink")

    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize("syntax", ["json", "jsonc", "toml"])
def test_a_lone_surrogate_is_refused_at_its_place(syntax: Syntax) -> None:
    with pytest.raises(ConfigTextError, match=r"line 2, column 3: .*lone surrogate"):
        read_document(syntax, "\n# \ud800")


@pytest.mark.parametrize("piece", ['\\"', "/* ", ",\n"])
def test_a_long_text_that_is_not_closed_is_read_once(piece: str) -> None:
    with pytest.raises(ConfigTextError):
        read_document("jsonc", '{"a": ' + ('"' if piece == '\\"' else "") + piece * 300_000)


@pytest.mark.parametrize(
    ("syntax", "old"),
    [
        (
            "jsonc",
            '// VS\n{\n\t"in": [], // none\n\t"servers": {\n\t\t"x": {\n\t\t\t"command": "y",\n\t\t},\n\t},\n}\n',
        ),
        ("jsonc", '{\r\n  "$schema": "s",\r\n  /* mine */\r\n  "servers": {"x": {"type": "local"}}, // x\r\n}'),
        ("toml", 'model = "m" # best\nservers = { x = { command = "y" } } # inline\n\n[a]\nb = 1\n'),
    ],
)
def test_a_file_in_its_client_s_own_style_is_byte_for_byte_back(syntax: Syntax, old: str) -> None:
    new = read_document(syntax, old).with_server(("servers",), "seqthink", {"command": "c", "args": ["serve"]})

    assert new != old
    assert change_is_only_ours(syntax, old, new, ("servers",), "seqthink")
    assert read_document(syntax, new).without_server(("servers",), "seqthink") == old
