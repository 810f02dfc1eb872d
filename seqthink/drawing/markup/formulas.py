r"""Formulas of LaTeX in Markdown: the text of ``\(…\)``, ``\[…\]``, ``$…$``, ``$$…$$`` or an environment stays.

Markdown alone would take the backslashes for escapes, and stars and underscores for emphasis.
"""

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

MAX_FORMULA_CHARS, MAX_FORMULA_LINES = 2000, 60
"""How far the end of a formula is looked for."""
FORMULA, FORMULA_BLOCK = "formula", "formula_block"
"""Token types: a formula in a line, and one in lines of its own."""
_CLOSERS = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}
_BLOCK_CLOSERS = {"\\[": "\\]", "$$": "$$", "\\begin{": "\\end{"}
_KEPT = frozenset(",;:%{}")
"""After a backslash they are LaTeX, also outside of a formula: in Markdown nobody has to escape them."""


def add_formulas(parser: MarkdownIt) -> None:
    """Make a parser know formulas."""
    parser.inline.ruler.before("escape", FORMULA, _formula)
    parser.block.ruler.before("fence", FORMULA_BLOCK, _formula_block, {"alt": ["paragraph", "blockquote", "list"]})


def _formula(state: StateInline, silent: bool) -> bool:
    end = _formula_end(state.src, state.pos, state.posMax)
    if not end:
        return False
    if not silent:
        text = state.src[state.pos : end]
        # A displayed formula keeps its lines.
        state.push(FORMULA, "", 0).content = text if text.startswith(("\\[", "$$")) else text.replace("\n", " ")
    state.pos = end
    return True


def _formula_end(text: str, start: int, most: int) -> int:
    """Return where the formula or the command at ``start`` ends; 0 if there is none."""
    if text[start] == "\\" and text[start + 1 : start + 2] in _KEPT:
        return start + 2
    opener = text[start : start + 2]
    closer = _CLOSERS.get(opener) or (opener[0] if opener[0] == "$" else "")
    inside = start + (2 if opener in _CLOSERS else 1)
    end = text.find(closer, inside, min(most, start + MAX_FORMULA_CHARS)) if closer else -1
    if end <= inside or "`" in text[inside:end]:
        return 0
    is_sum = closer == "$" and (text[inside].isspace() or text[end - 1].isspace() or text[end + 1 : end + 2].isdigit())
    return 0 if is_sum else end + len(closer)


def _formula_block(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    if state.is_code_block(first):
        return False
    start = _line(state, first).lstrip()
    closer = next((closer for opener, closer in _BLOCK_CLOSERS.items() if start.startswith(opener)), "")
    if not closer:
        return False
    lines: list[str] = []
    for number in range(first, min(last, first + MAX_FORMULA_LINES)):
        line = _line(state, number)
        if not line.strip() or (number > first and state.sCount[number] < state.blkIndent):
            return False
        lines.append(line)
        searched = line.lstrip()[2:] if number == first else line
        _, found, behind = searched.partition(closer)
        if found and not (closer == "\\end{" and "}" not in behind):
            break
    else:
        return False
    if behind.strip() and closer != "\\end{":
        return False  # a sentence that begins with a formula
    if not silent:
        token = state.push(FORMULA_BLOCK, "", 0)
        token.content, token.map = "\n".join(lines), [first, first + len(lines)]
        state.line = first + len(lines)
    return True


def _line(state: StateBlock, number: int) -> str:
    return state.getLines(number, number + 1, state.blkIndent, False).rstrip()
