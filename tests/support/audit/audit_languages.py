"""Broken and sound code in many languages, and whether one of our judges parses the language."""

from msgspec import Struct


class Language(Struct, frozen=True):
    """A language: its fence tag, a file name, a broken and a sound piece of code, and whether it is parsed."""

    tag: str
    path: str
    broken: str
    sound: str
    is_read: bool = True


SOUND_PYTHON = "Sum:\n\n```python\ndef add(a: int, b: int) -> int:\n    return a + b\n```\n"

LANGUAGES = [
    Language(
        "python", "cart.py", "def total(items:\n    return sum(items)\n", "def total(items):\n    return sum(items)\n"
    ),
    Language("javascript", "cart.js", "const total = (items => {\n", "const total = (items) => items.length;\n"),
    Language("typescript", "cart.ts", "const n: number = ;\n", "const n: number = 3;\nexport { n };\n"),
    Language(
        "go",
        "cart.go",
        "package cart\n\nfunc Total() int {\n\tx :=\n}\n",
        "package cart\n\nfunc Total() int {\n\treturn 3\n}\n",
    ),
    Language("rust", "cart.rs", "fn total() -> u32 {\n    let x = ;\n    x\n}\n", "fn total() -> u32 {\n    3\n}\n"),
    Language(
        "java",
        "Cart.java",
        "class Cart {\n    int total( {\n        return 3;\n    }\n}\n",
        "class Cart {\n    int total() {\n        return 3;\n    }\n}\n",
    ),
    Language("c", "cart.c", "int total(void) {\n    return (3;\n}\n", "int total(void) {\n    return 3;\n}\n"),
    Language(
        "cpp",
        "cart.cpp",
        "class Cart {\n  int total( { return 3; }\n};\n",
        "class Cart {\n  int total() { return 3; }\n};\n",
    ),
    Language("json", "cart.json", '{"items": [1, 2,, 3]}\n', '{"items": [1, 2, 3]}\n'),
    Language("yaml", "cart.yaml", "items:\n  - a: [1, 2\n  - b: }\n", "items:\n  - a: [1, 2]\n  - b: {}\n"),
    Language("bash", "cart.sh", 'if [ -n "$1" ]; then\n  echo "$1"\n', 'if [ -n "$1" ]; then\n  echo "$1"\nfi\n'),
    Language("ruby", "cart.rb", "def total(items\n  items.sum\nen\n", "def total(items)\n  items.sum\nend\n"),
    Language(
        "php",
        "cart.php",
        "<?php\nfunction total($items { return array_sum($items; }\n",
        "<?php\nfunction total($items) { return array_sum($items); }\n",
    ),
    Language(
        "sql",
        "cart.sql",
        "SELEC price FORM items WHERE (id = 3;\n",
        "SELECT price FROM items WHERE id = 3;\n",
    ),
    Language(
        "kotlin",
        "Cart.kt",
        "fun total(items: List<Int> = items.sum(\n",
        "fun total(items: List<Int>) = items.sum()\n",
    ),
    Language(
        "swift",
        "Cart.swift",
        "func total(_ items: [Int] -> Int { items.reduce(0, + }\n",
        "func total(_ items: [Int]) -> Int { items.reduce(0, +) }\n",
    ),
    Language("toml", "cart.toml", "[cart\nitems = [1, 2\n", "[cart]\nitems = [1, 2]\n"),
    Language("css", "cart.css", ".cart { color: ; width 3px\n", ".cart { color: red; width: 3px; }\n"),
    Language("c#", "Cart.cs", "class Cart { int Total( => 3 }\n", "class Cart { int Total() => 3; }\n"),
    Language(
        "lua",
        "cart.lua",
        "function total(items\n  return #items\n",
        "function total(items)\n  return #items\nend\n",
    ),
    Language(
        "dockerfile",
        "Dockerfile",
        'FORM python:3.13\nRUN ["pip", "install"\n',
        "FROM python:3.13\nRUN pip install cart\n",
    ),
    Language(
        "cobol",
        "cart.cbl",
        "IDENTIFICATION DIVISON\nPROGRAM-ID CART\n",
        "IDENTIFICATION DIVISION.\nPROGRAM-ID. CART.\n",
        is_read=False,
    ),
    Language(
        "scala",
        "Cart.scala",
        "def total(items: List[Int] = items.sum(\n",
        "def total(items: List[Int]) = items.sum\n",
    ),
    Language("html", "cart.html", "<ul><li>one</ul></li\n", "<ul><li>one</li></ul>\n"),
]
