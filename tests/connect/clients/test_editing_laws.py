"""Laws over random documents; SEQTHINK_EDITING_EXAMPLES sets how many (20,000 in a long run)."""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any, Literal

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from seqthink.connect.clients.editing.documents import read_document, server_of
from seqthink.connect.clients.editing.verify import change_is_only_ours

ENTRY: dict[str, Any] = {"command": "/opt/seqthink", "args": ["serve", "--x"], "env": {"SEQTHINK_HOME": "/j ä"}}
NAME = "seqthink"
many = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

SCALARS = [
    "1",
    "-0.50",
    "1e999",
    "12345678901234567890123",
    "true",
    "null",
    '"a"',
    '"//no"',
    '"/*\\""',
    '"\\ud800"',
    '"ä,}"',
]
KEYS = ["a", "b", "servers", "\\u0061", "x y", "//", "$schema", "seqthin"]
BLANKS = ["", "", " ", "  ", "\t", "\n", "\r\n", "\n\n  ", "\n    "]
COMMENTS = ["// c1\n", "/* c2 */", '  // "servers": {\n', "/* , } \n */", "/**/", "//\r\n"]


class Doc:
    """Draws pieces of one document."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any], *, has_comments: bool) -> None:
        self.draw = draw
        self.gaps = st.lists(st.sampled_from([*BLANKS, *COMMENTS] if has_comments else BLANKS), max_size=3)
        self.has_comments = has_comments

    def gap(self) -> str:
        return "".join(self.draw(self.gaps))

    def pick(self, choices: list[str]) -> str:
        return self.draw(st.sampled_from(choices))

    def container(self, brackets: str, items: list[str]) -> str:
        inner = ",".join(self.gap() + item + self.gap() for item in items)
        comma = self.pick(["", "," + self.gap()]) if items and self.has_comments else ""
        return brackets[0] + (inner + comma or self.gap()) + brackets[1]

    def member(self, key: str, value: str) -> str:
        return f'"{key}"{self.gap()}:{self.gap()}{value}'

    def value(self, depth: int) -> str:
        kind = self.draw(st.integers(0, 3 if depth else 1))
        if kind < 2:
            return self.pick(SCALARS)
        items = range(self.draw(st.integers(0, 3)))
        if kind == 2:
            return self.container("[]", [self.value(depth - 1) for _ in items])
        return self.container("{}", [self.member(self.pick(KEYS), self.value(depth - 1)) for _ in items])

    def document(self) -> str:
        """Return a document with or without servers; none is ours."""
        members = [
            self.member(key, self.value(2))
            for key in self.draw(st.lists(st.sampled_from(["a", "b", "$s", "\\u00e4"]), max_size=3))
        ]
        if self.draw(st.booleans()):
            names = self.draw(st.lists(st.sampled_from(["x", "y", "seqthin"]), max_size=2))
            servers = self.container("{}", [self.member(name, self.value(1)) for name in names])
            members.insert(
                self.draw(st.integers(0, len(members))), self.member(self.pick(["servers", "s\\u0065rvers"]), servers)
            )
        return self.pick(["", "\ufeff"]) + self.gap() + self.container("{}", members) + self.gap()


@st.composite
def documents(draw: DrawFn, *, has_comments: bool) -> str:
    return Doc(draw, has_comments=has_comments).document()


def strip_comments(text: str) -> str:
    """Another reading than the product's: piece by piece, with the commas in front of a closing bracket."""
    pieces: list[str] = []
    at = 0
    while at < len(text):
        end = piece_end(text, at)
        if text[at] in "}]" and pieces and pieces[-1] == ",":
            pieces.pop()
        if text[at] != "/" and not text[at].isspace():
            pieces.append(text[at:end])
        at = end
    return "".join(pieces)


def piece_end(text: str, at: int) -> int:
    """Return where the string, the comment or the character at ``at`` ends."""
    if text.startswith("//", at):
        return min((found for found in (text.find("\r", at), text.find("\n", at)) if found >= 0), default=len(text))
    if text.startswith("/*", at):
        return text.index("*/", at + 2) + 2
    end = at + 1
    while text[at] == '"' and text[end] != '"':
        end += 2 if text[end] == "\\" else 1
    return end + (text[at] == '"')


def meaning(text: str) -> dict[str, Any]:
    return json.loads(strip_comments(text.removeprefix("\ufeff")))


def comments(text: str) -> list[str]:
    return [found[1] for found in re.findall(r'("(?:[^"\\]|\\.)*")|(//[^\r\n]*|/\*[\s\S]*?\*/)', text) if found[1]]


def is_subsequence(short: str, long: str) -> bool:
    rest = iter(long)
    return all(char in rest for char in short)


def inserted_spans(old: str, new: str) -> tuple[str, str]:
    """What is left of both texts between their common beginning and their common end."""
    begin = common_length(old, new)
    end = common_length(old[begin:][::-1], new[begin:][::-1])
    return old[begin : len(old) - end], new[begin : len(new) - end]


def common_length(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


def is_emptied_root(old: str) -> bool:
    return meaning(old) == {}


def spread_empty_servers(old: str) -> bool:
    return bool(
        re.search(
            r'"s(?:e|\\u0065)rvers"(?:\s|//[^\r\n]*|/\*[\s\S]*?\*/)*:(?:\s|//[^\r\n]*|/\*[\s\S]*?\*/)*\{\s*[\r\n]\s*\}',
            old,
        )
    )


def hold_json_laws(syntax: Literal["json", "jsonc"], old: str) -> None:
    document = read_document(syntax, old)
    assert document.value == meaning(old)

    new = document.with_server(("servers",), NAME, ENTRY)
    wanted = meaning(old)
    wanted["servers"] = {**wanted.get("servers", {}), NAME: ENTRY}
    assert meaning(new) == wanted
    assert comments(new) == comments(old)
    assert is_subsequence(old, new) or is_emptied_root(old)
    kept, _added = inserted_spans(old, new)
    assert not strip_comments(kept).strip()
    assert change_is_only_ours(syntax, old, new, ("servers",), NAME)

    again = read_document(syntax, new)
    assert server_of(again, ("servers",), NAME) == ENTRY
    assert again.with_server(("servers",), NAME, ENTRY) == new

    back = again.without_server(("servers",), NAME)
    assert change_is_only_ours(syntax, new, back, ("servers",), NAME)
    assert comments(back) == comments(old)
    if not is_emptied_root(old) and not spread_empty_servers(old):
        assert meaning(back) == meaning(old)
        assert back == old


@given(documents(has_comments=True))
@example('{//\r\n"servers":{\n}, \n}')
@many
def test_jsonc_keeps_its_meaning_its_comments_and_its_bytes(old: str) -> None:
    hold_json_laws("jsonc", old)


@given(documents(has_comments=False))
@many
def test_json_keeps_its_meaning_and_its_bytes(old: str) -> None:
    hold_json_laws("json", old)


@given(documents(has_comments=True), st.data())
@many
def test_a_server_of_any_style_is_taken_out_without_its_neighbours(old: str, data: st.DataObject) -> None:
    doc = Doc(data.draw, has_comments=True)
    names = data.draw(st.permutations(["x", NAME, "y"]))[: data.draw(st.integers(1, 3))]
    servers = doc.container("{}", [doc.member(name, doc.value(2)) for name in names])
    text = doc.container(
        "{}", [doc.member("a", doc.value(1)), doc.member("servers", servers), doc.member("z", old.strip("\ufeff"))]
    )
    new = read_document("jsonc", text).without_server(("servers",), NAME)

    wanted = meaning(text)
    wanted["servers"].pop(NAME, None)
    assert meaning(new) == wanted
    assert change_is_only_ours("jsonc", text, new, ("servers",), NAME)


TOML_VALUES = [
    "1",
    '"a # b"',
    "'[mcp_servers.seqthink]'",
    '"""\n[mcp_servers.seqthink]\n# x"""',
    "[\n  1, # in\n  2,\n]",
    "'''a''b'''",
    "{ a = 1 }",
    "1979-05-27",
    "1.50",
    "inf",
    '"""q\\""""',
]
TOML_COMMENTS = ["", "", "\n", "# c\n", "  # [mcp_servers.seqthink]\n", "\n# d\n\n"]


@st.composite
def toml_documents(draw: DrawFn) -> str:
    def pick(choices: list[str]) -> str:
        return draw(st.sampled_from(choices))

    def pairs(prefix: str) -> str:
        return "".join(
            f"{pick(TOML_COMMENTS)}{pick(['', '  '])}{prefix}{key} = {pick(TOML_VALUES)}{pick(['', ' # t'])}\n"
            for key in draw(st.lists(st.sampled_from(["k", '"q k"', "l.m", "'n'"]), max_size=3, unique=True))
        )

    shape = pick(["none", "tables", "inline", "dotted", "parent", "empty"])
    top = pairs("")
    if shape == "inline":
        top += f"mcp_servers = {pick(['{}', '{ }', '{ x = { command = 1 } }', '{x.y = 1, z = {}}'])} # i\n"
    if shape == "dotted":
        top += 'mcp_servers.x.command = "c"\nmcp_servers.x.args = []\n'
    tables: list[str] = []
    if shape in {"tables", "parent"}:
        tables += [
            f"[mcp_servers.x]{pick(['', ' # h'])}\n" + pairs(""),
            '[ mcp_servers . "y z" ]\n' + pairs(""),
            "[mcp_servers.x.env]\n" + "v = 1\n",
        ]
    if shape in {"parent", "empty"}:
        tables.append("[mcp_servers]\n")
    tables += ["[a]\n" + pairs(""), "[[b]]\n" + pairs("") + "[[b]]\n", "[z.z]\n" + pairs("")]
    order = draw(st.permutations(tables))
    if any(table.startswith("[mcp_servers]") for table in order):
        order = [
            *[t for t in order if t.startswith("[mcp_servers]")],
            *[t for t in order if not t.startswith("[mcp_servers]")],
        ]
    text = top + "".join(pick(TOML_COMMENTS) + table for table in order) + pick(TOML_COMMENTS)
    text = text.removesuffix("\n") if draw(st.booleans()) else text
    text = text.replace("\n", "\r\n") if draw(st.booleans()) else text
    return pick(["", "\ufeff"]) + text


def toml_meaning(text: str) -> dict[str, Any]:
    return tomllib.loads(text.removeprefix("\ufeff"))


def without_nan(value: object) -> str:
    return json.dumps(value, default=str, sort_keys=True)


@given(toml_documents())
@many
def test_toml_keeps_its_meaning_its_comments_and_its_bytes(old: str) -> None:
    document = read_document("toml", old)
    before = tomllib.loads(old.removeprefix("\ufeff"))

    new = document.with_server(("mcp_servers",), NAME, ENTRY)
    servers: Mapping[str, Any] = before.get("mcp_servers", {})
    assert without_nan(tomllib.loads(new.removeprefix("\ufeff"))) == without_nan(
        {**before, "mcp_servers": {**servers, NAME: ENTRY}}
    )
    assert change_is_only_ours("toml", old, new, ("mcp_servers",), NAME)
    assert is_subsequence(old.replace(" }", "}").replace("{ ", "{"), new) or "{ }" in old
    again = read_document("toml", new)
    assert again.with_server(("mcp_servers",), NAME, ENTRY) == new
    changed = again.with_server(("mcp_servers",), NAME, {"command": "other", "more": ["m"]})
    assert change_is_only_ours("toml", new, changed, ("mcp_servers",), NAME)
    assert server_of(read_document("toml", changed), ("mcp_servers",), NAME) == {
        **ENTRY,
        "command": "other",
        "more": ["m"],
    }

    back = again.without_server(("mcp_servers",), NAME)
    assert without_nan(toml_meaning(back)) == without_nan(before)
    if "mcp_servers = {" not in old:
        assert back == old
