r"""Simple LaTeX as plain text for one row: ``\frac{n(n+1)}{2}`` becomes ``(n(n+1))/2``, and ``x^2`` becomes ``x²``.

Written by hand, after three libraries were tried. pylatexenc loses what belongs together (``\frac{a+b}{c}`` becomes
``a+b/c``), takes 0.1 to 1 ms for a formula, and prints a warning for one that is cut; unicodeit turns ``\log`` into
``łog``; flatlatex gives up at what it does not know. What is unknown here stays as it was written.
"""

import re
from functools import cache

MAX_FORMULA_CHARS = 2000
"""A longer formula stays as it is."""
_MAX_DEPTH = 16
"""Groups within groups; a formula that goes deeper stays as it is."""
_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|.", re.DOTALL)
_SYMBOL_PAIRS = """
alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ mu μ nu ν
xi ξ pi π rho ρ sigma σ varsigma ς tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ
Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
sum ∑ prod ∏ int ∫ iint ∬ oint ∮ bigcup ⋃ bigcap ⋂ partial ∂ nabla ∇ infty ∞ ell ℓ hbar ℏ Re ℜ Im ℑ aleph ℵ
cdot · times × div ÷ pm ± mp ∓ ast * star ⋆ circ ∘ bullet • oplus ⊕ otimes ⊗ setminus ∖ cup ∪ cap ∩ wedge ∧ land ∧
vee ∨ lor ∨ neg ¬ lnot ¬ top ⊤ bot ⊥ perp ⊥ parallel ∥ mid | vert | Vert ‖ angle ∠ triangle △ prime ′ degree ° dagger †
le ≤ leq ≤ leqslant ≤ ge ≥ geq ≥ geqslant ≥ ne ≠ neq ≠ lt < gt > ll ≪ gg ≫ approx ≈ sim ∼ simeq ≃ cong ≅ equiv ≡
propto ∝ in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ emptyset ∅ varnothing ∅ forall ∀ exists ∃ nexists ∄
models ⊨ vdash ⊢ to → rightarrow → longrightarrow → gets ← leftarrow ← leftrightarrow ↔ mapsto ↦ implies ⇒ Rightarrow ⇒
Longrightarrow ⇒ impliedby ⇐ Leftarrow ⇐ iff ⇔ Leftrightarrow ⇔ uparrow ↑ downarrow ↓ therefore ∴ because ∵
ldots … dots … cdots ⋯ vdots ⋮ ddots ⋱ langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ lbrace { rbrace }
"""
_PREFIXES = frozenset("∂∇∀∃∄¬")
"""Signs that belong to what follows them."""
_SPACES = dict.fromkeys((",", ";", ":", " ", "quad", "qquad"), " ")
_DROPPED_NAMES = """
! left right middle big Big bigg Bigg bigl bigr Bigl Bigr limits nolimits displaystyle textstyle nonumber notag
"""
_ESCAPED = {"\\": "; ", "|": "‖", **{sign: sign for sign in "{}%$#&_"}}
_WORD_NAMES = """
arccos arcsin arctan arg argmax argmin cos cosh cot csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max
min mod Pr sec sin sinh sup tan tanh
"""
_WORDS = frozenset(_WORD_NAMES.split())
"""Functions that are written as words."""
_FRACTIONS = frozenset(("frac", "dfrac", "tfrac", "cfrac"))
_TEXTS = frozenset(("text", "textrm", "textit", "texttt", "textsf", "mbox", "operatorname"))
_STYLE_NAMES = """
mathrm mathbf mathit mathsf mathtt mathcal mathfrak mathscr boldsymbol bm textbf boxed underbrace overbrace
"""
_STYLES = frozenset(_STYLE_NAMES.split())
_ACCENTS = {
    **dict.fromkeys(("hat", "widehat"), "\u0302"),
    **dict.fromkeys(("bar", "overline"), "\u0304"),
    **dict.fromkeys(("tilde", "widetilde"), "\u0303"),
    "dot": "\u0307",
    "ddot": "\u0308",
    "vec": "\u20d7",
}
_BOARD = {"R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ", "P": "ℙ", "H": "ℍ"}
_ROOTS = {"": "√", "2": "√", "3": "∛", "4": "∜"}
_BRACKETS = {"pmatrix": "()", "bmatrix": "[]", "Bmatrix": "{}", "vmatrix": "||", "Vmatrix": "‖‖"}
_RAISED = dict(
    zip("0123456789+-=()niTabcdefghjklmoprstuvwxyz′°", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵀᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻ′°", strict=True)
)
_LOWERED = dict(zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_SCRIPTS = {"^": _RAISED, "_": _LOWERED}
_LONG_WORD = re.compile(r"[A-Za-z]{3}")
_ONE_THING = re.compile(r"[\d.]+|[√∂]?[^\W\d_]+['′⁰-₎²³¹ⁿⁱ]*(?:\([^()+-]*\))?|\([^()]*\)|.?")
_WORD_END, _WORD_BEGIN = re.compile(r"[\w)\]]\Z"), re.compile(r"[0-9A-Za-zͰ-Ͽ]")
_INNER_BLANKS = re.compile(r"(?<=[(\[⌊⌈⟨]) | (?=[)\]⌋⌉⟩,;])")


@cache
def _symbols() -> dict[str, str]:
    pairs = _SYMBOL_PAIRS.split()
    return (
        dict(zip(pairs[::2], pairs[1::2], strict=True)) | _SPACES | dict.fromkeys(_DROPPED_NAMES.split(), "") | _ESCAPED
    )


def plain_formula(formula: str) -> str:
    """Return what is between a formula's delimiters as plain text, on one line and never longer than before."""
    if len(formula) > MAX_FORMULA_CHARS:
        return formula
    try:
        text = _Reader(formula).text()
    except RecursionError:  # raised by `_Reader` itself, long before Python would
        return formula
    text = _INNER_BLANKS.sub("", " ".join(text.split()))
    return text if len(text) <= len(formula) else formula


class _Reader:
    """Reads a formula once, from the left."""

    def __init__(self, formula: str) -> None:
        self._tokens = _TOKEN.findall(formula)
        self._next = 0
        self._depth = 0

    def text(self, end: str = "") -> str:
        """Return the text up to the token ``end``, which is read, too; else up to the end."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise RecursionError
        parts: list[str] = []
        is_word = False  # the part before must not run into a letter or a digit
        while self._next < len(self._tokens):
            token = self._take()
            if token == end:
                break
            part, is_apart = self._part(token, has_blank=not parts or parts[-1][-1:].isspace())
            before = parts[-1] if parts else ""
            if (is_word and _WORD_BEGIN.match(part)) or (is_apart and _WORD_END.search(before)):
                parts.append(" ")
            if part:
                parts.append(part)
                is_word = is_apart
        self._depth -= 1
        return "".join(parts)

    def _take(self) -> str:
        self._next += 1
        return self._tokens[self._next - 1]

    def _peek(self) -> str:
        return self._tokens[self._next] if self._next < len(self._tokens) else ""

    def _skip_blanks(self) -> None:
        while self._peek().isspace():
            self._next += 1

    def _part(self, token: str, *, has_blank: bool) -> tuple[str, bool]:
        """Return the text of a token with its arguments, and whether it must stay apart from letters and digits."""
        if token == "{":
            return self.text("}"), False
        if token in _SCRIPTS:
            return self._script(token), False
        if token.isspace() or token in "&~":
            return " ", False
        if token[0] != "\\" or len(token) == 1:
            return token, False
        return self._command(token[1:].rstrip("*"), has_blank=has_blank)

    def _command(self, name: str, *, has_blank: bool) -> tuple[str, bool]:
        if name in _WORDS or name == "bmod":
            return name.removeprefix("b"), True
        sign = _symbols().get(name)
        if sign is None:
            return self._with_arguments(name)
        if name.isalpha() and (sign in _PREFIXES or not has_blank):  # in TeX the blank behind a name only ends it
            self._skip_blanks()
        return sign, False

    def _with_arguments(self, name: str) -> tuple[str, bool]:
        if name in _FRACTIONS:
            return f"{_grouped(self._argument())}/{_grouped(self._argument())}", True
        if name in _TEXTS:
            return self._verbatim(), False
        if name in _STYLES:
            return self._argument(), False
        if name in ("begin", "end"):
            brackets = _BRACKETS.get(self._verbatim().rstrip("*"), "")
            return brackets[:1] if name == "begin" else brackets[1:], False
        if name == "sqrt":
            return self._root(), True
        return self._letter_or_unknown(name), False

    def _letter_or_unknown(self, name: str) -> str:
        if name == "mathbb":
            letters = self._argument()
            return _BOARD.get(letters, letters)
        if name == "binom":
            return f"C({self._argument()},{self._argument()})"
        if name == "pmod":
            return f"(mod {self._argument()})"
        if name not in _ACCENTS:
            return f"\\{name}{{{self._argument()}}}" if self._peek() == "{" else f"\\{name}"
        below = self._argument()
        return below + _ACCENTS[name] if len(below) == 1 and below.isalpha() else f"{name}({below})"

    def _root(self) -> str:
        self._skip_blanks()
        degree = ""
        if self._peek() == "[":
            self._take()
            degree = self.text("]")
        sign = _ROOTS.get(degree) or (_set_in(degree, _RAISED) or f"{degree} ") + "√"
        return sign + _grouped(self._argument())

    def _script(self, sign: str) -> str:
        content = self._argument()
        plain = content.replace(" ", "").replace("∘", "°")
        small = "" if _LONG_WORD.search(plain) else _set_in(plain, _SCRIPTS[sign])
        if small or not plain:
            return small
        return f"{sign}{content}" if len(content) == 1 or content.isalnum() else f"{sign}({content})"

    def _argument(self) -> str:
        """Return the text of a group, a command or a character."""
        self._skip_blanks()
        if self._peek() in ("", "}"):
            return ""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise RecursionError
        part, _ = self._part(self._take(), has_blank=True)
        self._depth -= 1
        return part

    def _verbatim(self) -> str:
        """Return a group as it was written."""
        self._skip_blanks()
        if self._peek() != "{":
            return self._argument()
        start, level = self._next + 1, 0
        while self._next < len(self._tokens):
            token = self._take()
            level += {"{": 1, "}": -1}.get(token, 0)
            if not level:
                return "".join(self._tokens[start : self._next - 1])
        return "".join(self._tokens[start:])


def _set_in(text: str, signs: dict[str, str]) -> str:
    """Return a text in raised or lowered characters; "" if one has none."""
    found = [signs.get(character, "") for character in text]
    return "".join(found) if all(found) else ""


def _grouped(text: str) -> str:
    """Return a part of a fraction or root, in brackets unless it is one thing."""
    text = text.strip()
    return text if _ONE_THING.fullmatch(text) else f"({text})"
