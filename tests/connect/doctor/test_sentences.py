"""Every sentence of the doctor agrees with its sign: all sentences are read from the code, with all their branches.

A sentence is put together from constants, so whatever a check can say is known without a machine in that state.
"""

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from tests.conftest import PROJECT
from tests.connect.doctor.set_ups import SetUp

VERDICTS = ("right", "warning", "wrong", "unseen")
FILES = (*sorted((PROJECT / "seqthink/connect/doctor").glob("*.py")), PROJECT / "seqthink/cli/connecting/doctor.py")
FILLED_IN = "…"
"""What comes from the machine: a number, a version, the name of a client."""

FAULT = re.compile(
    r"\b(?:no|not|none|cannot|only|but|too|another|other|without|off|different|refuses|ends|gone|emptied|broken|coarse"
    r"|one more|kept from|to itself|in its place|blocks)\b"
)
"""Words one of which is in every sentence that says what is missing, unknown or in the way."""
SOUND_ALL_THE_SAME = frozenset(
    {
        "in …; … has one, too, which does not count here",
        "in …; … have one, too, and they do not count here",
        "none of your own",
        "none, as NO_COLOR asks",
        "not there yet; the first thought makes it",
        "… session; `seqthink check SESSION` looks for damage in one, this did not",
        "… sessions; `seqthink check SESSION` looks for damage in one, this did not",
        "the tool was called once; its journal is gone with the container",
        "yours, and closed to other users",
    }
)
"""Sentences with such a word whose sign is the tick."""


class Sentence(NamedTuple):
    """What one call of a verdict may say."""

    verdict: str
    text: str
    place: str


class Module:
    """The sentences of one module."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._functions = {
            node.name: node
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.FunctionDef)
        }

    def sentences(self) -> Iterator[Sentence]:
        for function in self._functions.values():
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in VERDICTS:
                    for text in self._texts(call.args[1], function):
                        yield Sentence(call.func.id, text, f"{self._path.name}:{call.lineno}")

    def _texts(self, node: ast.expr, function: ast.FunctionDef) -> list[str]:
        """Return all texts that an expression may have."""
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.JoinedStr(values=parts):
                return ["".join(texts) for texts in product(*(self._texts(part, function) for part in parts))]
            case ast.FormattedValue(value=value):
                return self._texts(value, function)
            case ast.IfExp(body=body, orelse=other):
                return self._texts(body, function) + self._texts(other, function)
            case _:
                return self._texts_elsewhere(node, function)

    def _texts_elsewhere(self, node: ast.expr, function: ast.FunctionDef) -> list[str]:
        match node:
            case ast.Name(id=name, lineno=line):
                return self._assigned(name, line, function)
            case ast.Call(func=ast.Name(id=name), args=[given, *_]) if name in self._functions:
                return self._table(self._functions[name]) or self._texts(given, function)
            case _:
                return [FILLED_IN]

    def _assigned(self, name: str, line: int, function: ast.FunctionDef) -> list[str]:
        """Return what the last assignment above a line may have given to a name."""
        values = [
            (assignment.lineno, value)
            for assignment in ast.walk(function)
            if isinstance(assignment, ast.Assign) and assignment.lineno < line
            for target, value in _pairs(assignment)
            if isinstance(target, ast.Name) and target.id == name
        ]
        return self._texts(max(values, key=lambda one: one[0])[1], function) if values else [FILLED_IN]

    def _table(self, function: ast.FunctionDef) -> list[str]:
        """Return the texts in the table of a function that looks its answer up."""
        tables = [node for node in ast.walk(function) if isinstance(node, ast.Dict)]
        return [text for table in tables for value in table.values for text in self._texts(value, function)]


def _pairs(assignment: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    target, value = assignment.targets[0], assignment.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def test_no_sentence_of_a_result_contradicts_its_sign() -> None:
    sentences = [sentence for path in FILES for sentence in Module(path).sentences()]
    known = [one for one in sentences if one.text.strip(FILLED_IN + " ")]

    assert len(known) > 80
    assert {one.text for one in known} >= SOUND_ALL_THE_SAME
    assert [one for one in known if _names_a_fault(one.text) == (one.verdict == "right")] == []


def _names_a_fault(text: str) -> bool:
    return FAULT.search(text) is not None and text not in SOUND_ALL_THE_SAME


def test_no_client_that_starts_seqthink_is_said_of_one_and_of_many(set_up: SetUp) -> None:
    set_up.use("codex")
    one = set_up.examine("--no-start").groups["Clients"]["results"]
    set_up.use("zed")
    many = set_up.examine("--no-start").groups["Clients"]["results"]

    assert [(result["verdict"], result["message"]) for result in [*one, *many]] == [
        ("wrong", "the one client here does not start seqthink"),
        ("wrong", "none of the 2 clients here starts seqthink"),
    ]
