"""What the internal judge finds, what it leaves alone, and that nothing stops it."""

from functools import cache
from itertools import groupby
from operator import attrgetter

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges import internal, ruff_runner
from seqthink.audit.judges.internal import MAX_FINDINGS, MAX_JUDGED_CHARS, judge
from seqthink.audit.judges.languages import LANGUAGES, dialects, language_of
from seqthink.audit.review import MINOR, CodeFinding, JudgeCard, combine_cards, justifies_verdict
from seqthink.core.text import one_line
from tests.support.audit.audit_specimens import Specimen, clean, defects, is_found
from tests.support.depth import first, sized

RECALL = dict.fromkeys(defects(), 1.0)
"""Share of the defects of each kind that must be found."""


def judged(text: str, language: str = "python", path: str = "thought", **more: object) -> JudgeCard:
    return anyio.run(judge, [CodeUnit(path=path, text=text, language=language, **more)])  # pyright: ignore[reportArgumentType] - any field


def said(text: str, language: str = "python", path: str = "thought", **more: object) -> list[tuple[int, str]]:
    return [(finding.line, finding.comment) for finding in judged(text, language, path, **more).findings]


def verdict(card: JudgeCard) -> str:
    """Return the verdict of ``card``, or "" if it allows none."""
    return combine_cards([card], threshold=85).verdict if justifies_verdict(card, 85) else ""


@pytest.mark.parametrize("kind", first(6, defects()))
def test_each_kind_of_defect_is_found_on_its_line(kind: str) -> None:
    specimens = defects()[kind]
    missed = [one.name for one in specimens if not is_found(one, anyio.run(judge, [one.source]))]

    assert len(specimens) >= 6
    assert 1 - len(missed) / len(specimens) >= RECALL[kind], missed


@pytest.mark.parametrize("specimen", first(4, defects()["debugger"]), ids=lambda specimen: specimen.source.language)
def test_a_debugger_call_does_not_pass_in_a_long_file(specimen: Specimen) -> None:
    sign = "#" if specimen.source.language in {"python", "ruby"} else "//"
    long = replace(specimen.source, text=specimen.source.text + f"{sign} sound\n" * 1000)
    card = anyio.run(judge, [long])

    assert is_found(specimen, card)
    assert verdict(card) == "revise"


@cache
def _card_of(source: CodeUnit) -> JudgeCard:
    """Judge a clean piece once for the two tests that look at it."""
    return anyio.run(judge, [source])


CLEAN = groupby(sorted(clean(), key=attrgetter("language")), attrgetter("language"))


@pytest.mark.parametrize("sources", first(8, [pytest.param(list(group), id=language) for language, group in CLEAN]))
def test_of_clean_code_and_clean_pieces_of_code_nothing_is_said(sources: list[CodeUnit]) -> None:
    for source in sources:
        card = _card_of(source)

        assert (card.findings, card.notes) == ((), ""), source.text
        assert verdict(card) == ("pass" if card.read_units else ""), source.text
        assert card.read_units or card.unread, source.text


@pytest.mark.deep  # counts over all pieces; that clean ones pass is tried above
@pytest.mark.slow  # all clean pieces of code
def test_most_clean_pieces_are_read_whole() -> None:
    known = [source for source in clean() if dialects(language_of(source))]
    cards = [_card_of(source) for source in known]

    assert sum(bool(card.read_units) and not card.unread for card in cards) / len(known) >= 0.82


@pytest.mark.parametrize(
    ("text", "language"),
    first(
        3,
        [
            ("def load(path: str) -> str:\n    # a -> b …\n    return open(path\n", "python"),
            ('log("Loading…", "<id>", "a -> b"\n', "python"),
            ("def f():\n    ...\n\ndef g(:\n    ...\n", "python"),
            ("const all = [...first, ...second;\n", "javascript"),
            ("const next = {\n  ...state,\n  open: ,\n};\n", "typescript"),
            ("let Point { x, .. } = point;\nlet y = x + ;\n", "rust"),
            ("try { go(); } catch (...) { stop( }\n", "cpp"),
            ("func f(names ...string) {\n\tg(names...\n}\n", "go"),
        ],
        is_unpacked=True,
    ),
)
def test_code_that_only_looks_like_pseudocode_must_parse(text: str, language: str) -> None:
    assert verdict(judged(text, language)) == "reject"


def test_a_workspace_file_is_never_pseudocode() -> None:
    assert verdict(judged("x = [1, 2\ny = load(<id>)\n", "", "a.py")) == "reject"
    assert verdict(judged("x = [1, 2\ny = load(<id>)\n", "python", "a.py")) == ""


@pytest.mark.parametrize(
    ("text", "language", "comments"),
    [
        ("x = 1\n# TODO release\n", "python", [(2, "TODO left in an added line; finish or file it.")]),
        ("total = (1 + 2\n", "python", [(1, "Syntax error: unexpected EOF while parsing; correct it.")]),
        ("func f() {\n\tif ok {\n", "go", [(1, 'Syntax error: "{" is never closed; add "}".')]),
        ("debugger;\n", "js", [(1, "Debugger call left in; remove it.")]),
        (
            "def f(seen=[]):\n    seen.append(1)\n", "python",
            [(1, "A mutable default is shared by all calls; default to None and create it inside.")],
        ),
        (
            "def f():\n    c = pool.acquire()\n    c.run()\n    c.release()\n", "python",
            [(2, 'Not released when something raises: use "with" or a finally block.')],
        ),
        ("try { a(); } catch (e) {}\n", "js", [(1, "The error is swallowed; handle it, log it or re-raise it.")]),
        (
            'x = f"SELECT * FROM a WHERE b = {c}"\n', "python",
            [(1, "SQL put together from text can be injected; pass the values as parameters.")],
        ),
        ("<<<<<<< ours\n", "", [(1, "Conflict marker left in; resolve the conflict.")]),
    ],
)  # fmt: skip
def test_a_comment_says_what_to_do(text: str, language: str, comments: list[tuple[int, str]]) -> None:
    language = {"js": "javascript"}.get(language, language)

    assert said(text, language) == comments


SECRETS = [
    "AKIA" + "Q3EGRZ7WLPT4XKVD",
    "ghp_" + "b7Kq2mXw9RtY4pLz8VnC3sDf6GhJ1aEu5TiO",
    "kV9#mQ2!xR7",
]


@pytest.mark.parametrize("secret", first(2, SECRETS))
@pytest.mark.parametrize("shape", ['password = "{}"', 'f(api_key="{}"', 'const token = "{}";', 'password: "{}"', '"{}'])
@pytest.mark.parametrize("language", first(2, ["python", "", "javascript", "yaml"]))
def test_a_secret_is_named_and_never_quoted(secret: str, shape: str, language: str) -> None:
    card = judged(shape.format(secret) + "\n", language)

    assert not [text for text in (card.notes, *(one.comment for one in card.findings)) if secret[:8] in text]
    assert verdict(card) == "reject" or not secret.startswith(("AKIA", "ghp")), card


def test_a_cookie_that_lets_somebody_in_is_a_secret() -> None:
    assert verdict(judged("curl -H 'Cookie: sid=" + SECRETS[1][4:20] + "; Path=/' shop.example\n", "bash")) == "reject"


def test_the_words_on_a_secret_name_its_kind() -> None:
    text = f'a = 1\nkey = "{SECRETS[0]}"\n'

    assert said(text) == [(2, "AWS Access Key in the code; revoke it and read it from the environment.")]


@pytest.mark.parametrize(
    "line",
    [
        'password = "changeme"', 'password = os.environ["PASSWORD"]', 'token = "<token>"', 'secret = "${SECRET}"',
        'api_key = "xxxxxxxxxxxx"', 'api_key = "your-api-key-here"', 'password = "secret"', 'password = "test1234"',
        'token = "example-token-1"', "password = get_password(user, 12345678)", 'label = {"password": "Your password"}',
        "'twig\\\\token2' => '/Token2.php',", "publicKeyToken='6595b64144ccf1df'",
        "Set-Cookie: fig=newton; Path=/cookie", 'PASSWORD = "anonymous@anonymous.org"',
        'aws_key = "AKIAIOSFODNN7' + 'EXAMPLE"', 'password="{password}"', 'DB_PASSWORD = "%(password)s"',
    ],
)  # fmt: skip
def test_a_placeholder_is_not_a_secret(line: str) -> None:
    assert not [comment for _, comment in said(line + "\n", "javascript", "notes") if "in the code" in comment]


def test_only_what_a_change_brought_is_judged_but_broken_syntax_counts_anywhere() -> None:
    old = "def f(seen=[]):\n    return seen  # TODO\n\n\ndef g():\n    # TODO\n    return 1\n"

    assert [line for line, _ in said(old, path="a.py", added_lines=frozenset({6}))] == [6]
    assert [line for line, _ in said(old + "def h(:\n", path="a.py", added_lines=frozenset({6}))] == [8, 6]


def test_lines_are_numbered_from_where_the_piece_begins() -> None:
    assert said("    # TODO: a\n    return eval(x)\n", first_line=40) == [
        (40, "TODO left in an added line; finish or file it."),
        (41, "eval runs whatever the text says; parse it, e.g. with ast.literal_eval."),
    ]


def test_part_of_a_file_is_not_checked_for_syntax_or_names() -> None:
    assert said("        ]\n    return totl\n", path="a.py", is_complete=False) == []
    assert said("return totl\n") == []
    assert said("def f():\n    return totl\n", "", "a.py") == []
    assert said("import b\nb.f()\nc = totl\n", "", "a.py") == [(3, "totl: Undefined name; define or import it.")]


def test_a_mistake_that_several_rules_find_is_reported_once() -> None:
    assert len(said("try:\n    ship()\nexcept:\n    pass\n")) == 1


def test_extra_findings_are_on_the_same_card() -> None:
    finding = CodeFinding(
        path="a.py", line=1, comment="Does not apply.", dimension="correctness", cost=100, is_fatal=True
    )
    card = anyio.run(judge, [CodeUnit(path="a.py", text="print(1)\n")], (finding,))

    assert card.findings == (finding,)
    assert (card.model, card.score, verdict(card)) == ("internal", 67, "reject")


def test_very_many_findings_are_counted_not_listed() -> None:
    card = judged("# TODO\n" * (MAX_FINDINGS + 7), "bash")

    assert len(card.findings) == MAX_FINDINGS
    assert card.notes == "7 more findings are not listed."
    assert all(finding.cost == MINOR for finding in card.findings)


@pytest.mark.deep  # a very long thought is judged in served/test_verdicts.py
@pytest.mark.slow  # megabytes of text
def test_of_a_very_long_source_the_beginning_is_judged() -> None:
    card = judged("get(url, { rejectUnauthorized: false });\n" + "ship();\n" * (MAX_JUDGED_CHARS // 4), "javascript")

    assert [finding.line for finding in card.findings] == [1]
    assert verdict(card) == "revise"
    assert card.full_notes == "Not judged by 'internal' (it is longer than 262,144 characters): thought:32764-65537."


def test_without_the_extra_the_notes_say_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def lack_python(_names: object) -> list[str]:
        return ["tree-sitter-python"]

    monkeypatch.setattr(internal, "missing_grammar_packages", lack_python)
    monkeypatch.setattr(internal, "find_ruff", lambda: None)
    card = judged("# TODO\neval(x)\n")

    assert [finding.line for finding in card.findings] == [1]
    assert card.notes == "To be judged fully, tree-sitter-python, ruff is needed: install seqthink[audit]."


def test_a_ruff_that_cannot_run_is_named_and_the_rest_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    for path, why in (
        ("/nowhere/ruff", "ruff does not start: No such file or directory"),
        ("/bin/false", "ruff failed"),
    ):
        monkeypatch.setattr(ruff_runner, "find_ruff", lambda path=path: path)
        card = judged("# TODO\n")

        assert [finding.line for finding in card.findings] == [1]
        assert card.notes == f"thought was not judged by ruff: {why}."


HOSTILE = {
    "deep": "(" * 50_000,
    "nested": "[" * 30_000 + "]" * 30_000,
    "words": "a." * 50_000,
    "passwords": "password" * 20_000,
    "null bytes": "x = 1\0\n" * 1000,
    "surrogates": "x = '\ud800'\n" * 500,
    "blanks": " " * 100_000,
    "controls": "".join(map(chr, range(1, 0x400))) * 20,
}


@pytest.mark.parametrize("text", first(3, HOSTILE.values()), ids=HOSTILE)
@pytest.mark.parametrize("language", sized(["python", ""], ["python", "javascript", "cpp", "bash", "json", ""]))
def test_hostile_text_is_judged_twice_the_same(text: str, language: str) -> None:
    card = judged(text, language)

    assert 0 <= card.score <= 100
    assert judged(text, language) == card


@given(text=st.text(max_size=300), language=st.sampled_from([*LANGUAGES, "", "kotlin"]))
def test_any_text_in_any_language_is_judged_and_the_same_text_the_same(text: str, language: str) -> None:
    source = CodeUnit(path="thought", text=text, language=language)
    card = anyio.run(judge, [source])

    assert anyio.run(judge, [source]) == card
    assert all(1 <= finding.line <= text.count("\n") + 1 for finding in card.findings)
    assert all(finding.comment == one_line(finding.comment) for finding in card.findings)


@given(data=st.data())
def test_any_part_of_known_code_is_judged(data: st.DataObject) -> None:
    specimen = data.draw(st.sampled_from([one.source for kind in defects().values() for one in kind] + clean()))
    text = specimen.text
    start = data.draw(st.integers(0, len(text)))
    source = CodeUnit(
        path="thought", text=text[start : data.draw(st.integers(start, len(text)))], language=specimen.language
    )

    assert anyio.run(judge, [source]) == anyio.run(judge, [source])
