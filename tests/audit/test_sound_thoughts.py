"""Sound code passes with any text in it, also with one that looks like the end of its fence."""

import pytest

from seqthink.audit.code_under_review import code_of_thought
from seqthink.audit.judges.internal import judge
from seqthink.audit.review import combine_cards

THOUGHTS = [
    '```python\ndef f():\n    """Say it.\n\n    ```python\n    f()\n    ```\n    """\n```',
    '```python\n"""Say it.\n\n```\nf()\n```\n"""\n\nX = 1\n```\nDone.',
    '~~~python\nx = """\n```\n"""\n~~~',
    '1. Do:\n\n   ```py\n   def f():\n       """It.\n\n       ```\n       f()\n       ```\n       """\n   ```',
    "> ```py\n> def f():\n>     return 1\n> ```",
    "# T\n\n````markdown\n```python\nx = 1\n```\n````",
    "```bash\ncat > README.md <<'EOF'\n# T\n```sh\nmake\n```\nEOF\necho done\n```",
    '```python\r\ndef f():\r\n    """Say it.\r\n\r\n    ```\r\n    f()\r\n    ```\r\n    """\r\n```\r\n',
    "```rust\n/// ```\n/// f();\n/// ```\nfn f() {}\n```",
    "```yaml\nservices:\n  db:\n    environment:\n      POSTGRES_PASSWORD: ${DB_PASSWORD:?set it}\n```",
    '```sh\nexport PGPASSWORD="$(pass show db/app-2)"\npsql -h db -U app\n```',
]


@pytest.mark.parametrize("thought", THOUGHTS)
async def test_sound_code_passes(thought: str) -> None:
    code = await code_of_thought(thought, None)
    review = combine_cards([await judge(code.units, code.findings)], threshold=85)

    assert (len(code.units), review.verdict) == (1, "pass"), review.summary
