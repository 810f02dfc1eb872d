"""Where a grammar finds an error: is the code broken, or is the grammar too old for it?"""

import pytest

from seqthink.audit.judges.bracket_balance import may_be_grammar_fault

NEWER = {
    "kotlin": "data object Nothing\nfun f(vararg it: Int) = it.sumOf { (it * 2) }\n",
    "scala": 'extension (text: String)\n  def loud = s"${text.toUpperCase}!"\n',
    "swift": "let x = if ready { 1 } else { 2 }\nprint(x)\n",
}


@pytest.mark.parametrize("dialect", NEWER)
def test_whole_code_of_a_young_language_may_be_newer_than_its_grammar(dialect: str) -> None:
    assert may_be_grammar_fault(dialect, NEWER[dialect])


@pytest.mark.parametrize("dialect", NEWER)
@pytest.mark.parametrize("broken", ["f(a[0)]", "f({)}", "f(]", "f(a))", "f(a", "{ f(a) "])
def test_brackets_that_do_not_match_are_no_fault_of_a_grammar(dialect: str, broken: str) -> None:
    assert not may_be_grammar_fault(dialect, f"{NEWER[dialect]}{broken}\n")


@pytest.mark.parametrize("dialect", NEWER)
@pytest.mark.parametrize("slip", ["retrun x", "prviate val x = 1", "pubic val x = 1", "trhow x", "whlie (x) { }"])
def test_a_keyword_with_a_slip_is_no_fault_of_a_grammar(dialect: str, slip: str) -> None:
    assert not may_be_grammar_fault(dialect, f"{NEWER[dialect]}{slip}\n")


@pytest.mark.parametrize("dialect", NEWER)
@pytest.mark.parametrize("quoted", ['"a ( b"', "'('", "// f(", "/* { * [ */", '"""( " ["""'])
def test_brackets_in_texts_and_comments_do_not_count(dialect: str, quoted: str) -> None:
    assert may_be_grammar_fault(dialect, f"{NEWER[dialect]}f() {quoted}\n")
