"""Secrets reject, in whatever language they are written down, and what only looks like one does not."""

from pathlib import Path

import pytest

from seqthink.audit.code.blocks import code_blocks, should_audit
from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.secrets.search import find_secrets

V = "kT9$vQ2mZr7x"
W = "kT9vQ2mZr7xLw4"


def written(file: str) -> list[tuple[str, str]]:
    """Return language and code of each line of a file beside this one."""
    lines = (Path(__file__).parent / file).read_text("utf-8").splitlines()
    pairs = [line.partition("\t")[::2] for line in lines if not line.startswith("#")]
    return [(language, code.replace("\\n", "\n")) for language, code in pairs]


SECRETS, LOOK_ALIKES = written("secrets.txt"), written("look_alikes.txt")


def found(text: str, language: str = "", path: str = "thought") -> list[int]:
    """Return the lines of the secrets in a text."""
    return [finding.line for finding in find_secrets(CodeUnit(path=path, text=f"{text}\n", language=language))]


@pytest.mark.parametrize(("language", "text"), SECRETS)
def test_a_secret_is_found_in_any_language_and_in_a_fence_without_one(language: str, text: str) -> None:
    assert found(text, language)
    assert all(V not in finding.comment for finding in find_secrets(CodeUnit(path="", text=text, language=language)))
    assert [block.language for block in code_blocks(f"```{language}\n{text}\n```")] or not language


@pytest.mark.parametrize(("language", "text"), LOOK_ALIKES)
def test_what_only_stands_for_a_secret_is_none(language: str, text: str) -> None:
    assert found(text, language) == []


@pytest.mark.parametrize("text", [f"DB_PASSWORD={W}\nDEBUG=1", f"password: {W}", f"<password>{W}</password>"])
def test_a_fence_without_a_language_is_judged_for_the_secret_in_it(text: str) -> None:
    assert should_audit(f"The settings:\n\n```\n{text}\n```")
    assert not should_audit(f"The settings:\n\n```\n{text.replace(W, 'none')}\n```")


def test_a_word_without_quotes_is_a_variable_in_a_program_and_a_text_in_settings() -> None:
    assert found("password = kT9vQ2mZr7xLw4", "python") == []
    assert found("password = kT9vQ2mZr7xLw4", "ini") == [1]


@pytest.mark.parametrize("path", ["tests/test_login.py", "src/app.spec.ts", "spec/login_spec.rb", "fixtures/a.yaml"])
def test_a_made_up_password_in_a_file_of_tests_is_none_and_a_token_of_a_service_is_one(path: str) -> None:
    assert found('password = "kT9$vQ2mZr7x"', path=path) == []
    assert found('password = "kT9vQ2mZr7xLw4kT9vQ2mZr7xLw4"', path=path) == [1]
    assert found("key = " + "AKIA" + "Q3EGRZ7WLPT4XKVD", path=path) == [1]


def test_each_secret_is_found_on_its_line() -> None:
    assert found(f"a: 1\npassword: {W}\nb: 2\n- name: DB_TOKEN\n  value: {W}", "yaml") == [2, 5]
