"""Markup is written by templates and libraries that escape what they are given, never put together from strings."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import PROJECT

EXPORT = PROJECT / "seqthink/share/export"
MODULES = sorted(EXPORT.glob("*.py"))
TEMPLATES = sorted((EXPORT / "templates").glob("*.html"))
TAG = re.compile(r"</?[a-zA-Z!][^\s>]*")

# What writes tags itself, and which.
ALLOWED_TAGS = {
    "markdown.py": {"<a", "</a"},  # an anchor in a Markdown file; the session's position is all that it holds
    "mermaid.py": {"<br/"},  # a line break in a label of Mermaid
}
# What says that a text is safe markup, and how often.
DECLARED_SAFE = {
    "html.py": 1,  # the style: colours of ours
    # what a template has written; the same with other texts, which are sanitized and escaped; a line feed
    "html_shapes.py": 3,
    "html_templates.py": 3,  # what a template has written, and a macro of one; a file beside the templates
    "markdown_html.py": 2,  # what markdown-it has written; nothing
}


def strings(tree: ast.AST) -> Iterator[str]:
    """Yield the string constants of a module, those in f-strings included, without docstrings."""
    documented = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.value


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_of_the_exports_writes_no_tag_itself(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))

    tags = {tag for text in strings(tree) for tag in TAG.findall(text)}

    assert tags == ALLOWED_TAGS.get(path.name, set())


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_text_is_called_safe_only_where_it_was_escaped(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]

    declared = [call for call in names if isinstance(call.func, ast.Name) and call.func.id == "Markup"]

    assert len(declared) == DECLARED_SAFE.get(path.name, 0)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_switches_no_escaping_off_and_quotes_what_it_puts_into_an_attribute(path: Path) -> None:
    text = path.read_text("utf-8")

    assert not re.search(r"\|\s*safe\b|autoescape|__html__", text)
    assert not re.search(r"=\s*\{\{", text)
