"""Long code does not escape the internal judge: it is cut between statements, and all of it is searched for secrets."""

import anyio
import pytest

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges import internal, ruff_runner
from seqthink.audit.judges.internal import MAX_JUDGED_CHARS, judge
from seqthink.audit.judges.secrets.search import find_secrets
from seqthink.audit.review import JudgeCard, combine_cards, justifies_verdict
from seqthink.audit.unread_lines import TOO_COMPLEX
from tests.support.depth import first, sized

LIMIT = sized(1 << 14, MAX_JUDGED_CHARS)
"""How much is judged here; a long parse shows nothing that a short one does not."""
FLAWED = "def f(a):\n    return eval(a)\n"
TOKEN = "ghp_" + "b7Kq2mXw9RtY4pLz8VnC3sDf6GhJ1aEu5TiO"


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(internal, "MAX_JUDGED_CHARS", LIMIT)


def judged(text: str, language: str = "python", **more: object) -> JudgeCard:
    return anyio.run(judge, [CodeUnit(path="thought", text=text, language=language, **more)])  # pyright: ignore[reportArgumentType] - any field


@pytest.mark.usefixtures("limit")
@pytest.mark.parametrize(
    "text",
    first(
        1,
        [
            FLAWED * (LIMIT // len(FLAWED) + 9),
            "class A:\n" + "    def f(a):\n        return eval(a)\n" * (LIMIT // 30),
            f"@decorated\n{FLAWED}" * (LIMIT // 35),
        ],
    ),
    ids=["functions", "a class", "decorators"],
)
def test_flawed_code_that_is_too_long_is_found_to_be_flawed(text: str) -> None:
    card = judged(text)

    assert combine_cards([card], threshold=85).verdict != "pass"
    assert any("whatever the text says" in finding.comment for finding in card.findings)


def test_what_cannot_be_read_at_all_is_not_judged() -> None:
    card = judged("x = [\n" + "    eval(a),\n" * (MAX_JUDGED_CHARS // 9) + "]\n")

    assert (card.findings, card.read_units) == ((), ())
    assert {one.reason for one in card.unread} == {TOO_COMPLEX, f"it is longer than {MAX_JUDGED_CHARS:,} characters"}
    assert not justifies_verdict(card, 85)


@pytest.mark.usefixtures("limit")
def test_a_line_longer_than_what_is_judged_is_judged_as_far_as_it_goes() -> None:
    assert combine_cards([judged("eval(x);" * (LIMIT // 7))], threshold=85).verdict != "pass"


def test_a_nul_is_reported_and_hides_nothing() -> None:
    card = judged("x = 1\neval(x)\n\0\n")

    assert {(finding.line, finding.is_fatal) for finding in card.findings} >= {(3, True)}
    assert 2 in {finding.line for finding in card.findings}


@pytest.mark.parametrize(("line", "is_reported"), [("eval(text)  # noqa", True), ("eval(text)  # NOQA: S307", True),
                                               ("except Exception:  # noqa: BLE001", False)])  # fmt: skip
def test_noqa_does_not_excuse_unsafe_code(line: str, is_reported: bool) -> None:
    program = f"import json\n\n\ndef f(text):\n    try:\n        json.loads(text)\n    {line}\n        return None\n"
    if is_reported:
        program = f"def f(text):\n    return {line}\n"

    assert bool(judged(program).findings) is is_reported


def test_code_that_ruff_cannot_parse_is_not_judged_but_grave_mistakes_are_found() -> None:
    card = judged(f"{FLAWED}x = foo(<a>)\n)", is_complete=False)

    assert [(finding.line, finding.comment) for finding in card.findings] == [
        (2, "Runs whatever the text says; parse it instead.")
    ]
    assert (card.full_notes, card.read_units) == (
        "Not judged by 'internal' (it cannot be read as python): thought:1-4 (python).",
        (),
    )
    assert combine_cards([card], threshold=85).verdict == "revise"
    assert justifies_verdict(card, 85)


@pytest.mark.parametrize(
    "line",
    [
        "exec(text)", "os.system(command)", "subprocess.run(command, shell=True)", "pickle.loads(data)",
        "yaml.load(text)", "hashlib.md5(password)", 'db.execute(f"DELETE FROM orders WHERE id = {number}")',
        "breakpoint()", "pdb.set_trace()",
    ],
)  # fmt: skip
def test_without_ruff_the_gravest_mistakes_in_python_are_found(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(internal, "find_ruff", lambda: None)

    assert [finding.line for finding in judged(f"def f():\n    {line}\n").findings] == [2]


def test_a_ruff_that_fails_leaves_the_gravest_mistakes_to_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruff_runner, "find_ruff", lambda: "/bin/false")
    text = "def f(seen=[]):\n    try:\n        seen.append(1)\n    except KeyError:\n        pass\n"

    assert {finding.line for finding in judged(text).findings} == {1, 4}


@pytest.mark.usefixtures("limit")
@pytest.mark.parametrize(
    ("text", "line"),
    first(
        4,
        [
            ("x = 1\n" * (LIMIT // 5) + f'y = "{TOKEN}"\n', LIMIT // 5 + 1),
            (f'x = "{"a " * 1500}{TOKEN}"\n', 1),
            (f'x = "{"a" * 1500}/{TOKEN}"\n', 1),
            ('password = "changeme"\n' * 300 + f'x = "{TOKEN}"\n', 301),
            ("x\n" * 7990 + f"-----BEGIN RSA PRIVATE KEY-----\n{'Ab3+/d' * 40}\n-----END RSA PRIVATE KEY-----\n", 7991),
            *((f'x = "{"a " * pad}{TOKEN}"\n', 1) for pad in range(930, 1010, 4)),
            *((f'x = "{"a" * pad}/{TOKEN}"\n', 1) for pad in range(90, 230, 7)),
        ],
        is_unpacked=True,
    ),
)
def test_a_secret_is_found_wherever_it_stands(text: str, line: int) -> None:
    found = find_secrets(CodeUnit(path="thought", text=text))

    assert [finding.line for finding in found if finding.is_fatal] == [line]
    assert combine_cards([judged(text, "javascript")], threshold=85).verdict == "reject"
