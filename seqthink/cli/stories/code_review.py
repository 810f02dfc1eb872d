"""A story: the review of a patch in ten thoughts, played to a server that audits their code.

The patch swallows errors; the corrected version does not apply to the file; a branch contains a token; and a second
judge, the client's model, finds what no rule finds. The verdicts are real: only the model's answers are scripted. First
lines are short enough for a narrow terminal.
"""

from typing import Any, Final

from seqthink.cli.stories.code_review_files import (
    ENVIRONMENT_TOKEN_DIFF,
    FIRST_REVIEW,
    LOGGING_DIFF,
    MONOTONIC_DIFF,
    ORIGINAL_FILE,
    PATCHED_FILE,
    SECOND_REVIEW,
)
from seqthink.cli.stories.story import DemoStory, step

_BACKUP: Final[dict[str, Any]] = {"branchFromThought": 4, "branchId": "backup"}
_TOKEN: Final = "-".join(("8f3cb71e", "44d0", "a2e9"))
"""Opens nothing. Joined from pieces so that secret scanners ignore it."""

STORY = DemoStory(
    name="code-review",
    title="rates",
    question="Is this patch safe to merge?",
    steps=(
        step(
            0.3, 1, 6,
            """
No rates, no checkout: 9 min on Friday

`convert()` asks the rates service for every price. It was down from 18:02 to 18:11, and so were we.

The patch under review: **when no rates come, use the last ones**.

- does it hide what went wrong?
- how old may a rate be?
- what happens after a restart?
""",
            files={"rates.py": ORIGINAL_FILE},
        ),
        step(
            3.2, 2, 6,
            """
The patch, as it came in

```diff
--- a/rates.py
+++ b/rates.py
@@ -8,2 +8,3 @@
 log = logging.getLogger(__name__)
+known: dict[str, float] = {}

@@ -18,2 +19,6 @@
     \"""Return an amount of euros in another currency.\"""
-    return round(cents * fetch()[to])
+    try:
+        known.update(fetch())  # TODO how old?
+    except Exception:
+        pass
+    return round(cents * known[to])
```
""",
            model_answers=({"diff": LOGGING_DIFF},),
        ),
        step(
            3.0, 3, 7,
            """
Log it: an outage must be seen

`pass` would hide the next Friday. On top of the patch, and a step more than planned:

```diff
--- a/rates.py
+++ b/rates.py
@@ -20,5 +20,5 @@
     try:
-        known.update(fetch())  # TODO how old?
+        known.update(fetch())
     except Exception:
-        pass
+        log.warning("no new rates")
     return round(cents * known[to])
```
""",
            model_answers=({"diff": LOGGING_DIFF},),
            isRevision=True,
            revisesThought=2,
        ),
        step(
            2.8, 4, 7,
            f"""
The same, for the file as it is

My diff was one on a patch that nobody has applied. In one piece:

```diff
{LOGGING_DIFF}```
""",
            isRevision=True,
            revisesThought=3,
        ),
        step(
            3.0, 1, 2,
            f"""
Or ask a second service?

```diff
--- a/rates.py
+++ b/rates.py
@@ -7,2 +7,4 @@
 URL = "https://rates.internal/latest"
+BACKUP = "https://api.fx-backup.example/v2"
+TOKEN = "{_TOKEN}"
 log = logging.getLogger(__name__)
```
""",
            model_answers=({"diff": ENVIRONMENT_TOKEN_DIFF},),
            **_BACKUP,
        ),
        step(
            3.4, 2, 2,
            """
No: one basket, two prices

The two services differ by up to 0.4 %. A basket priced before the outage and paid for in it would change its total \
on the last click, and finance reconciles against one of them only.

The token goes, and so does the idea.
""",
            **_BACKUP,
        ),
        step(
            3.8, 5, 8,
            """
How old may a rate be? An hour

Rules see what is written; a reviewer sees what is not. Thought 4 is in the file now.

```gan-config
{"judges": ["internal", "reviewer"],
 "scope": "paths", "paths": ["rates.py"],
 "applyFixes": true}
```
```diff
--- a/rates.py
+++ b/rates.py
@@ -4,2 +4,3 @@
 import logging
+from time import time
 from urllib.request import urlopen
@@ -21,4 +22,7 @@
         known.update(fetch())
+        known["at"] = time()
     except Exception:
         log.warning("no new rates")
+    if time() - known["at"] > 3600:
+        raise LookupError("rates too old")
     return round(cents * known[to])
```
""",
            files={"rates.py": PATCHED_FILE},
            model_answers=(FIRST_REVIEW, {"diff": MONOTONIC_DIFF}, SECOND_REVIEW),
            user_accepts=True,
        ),
        step(
            4.0, 6, 8,
            f"""
Taken: an hour, and no clock to set

```diff
{MONOTONIC_DIFF}```
""",
            isRevision=True,
            revisesThought=5,
        ),
        step(
            3.6, 7, 8,
            """
Proof: an outage of 61 minutes

```python
def test_old_rates_serve_for_an_hour(service, clock):
    convert(100, "SEK")
    service.stop()
    clock.forward(minutes=59)
    assert convert(100, "SEK") == 1108
    clock.forward(minutes=2)
    with pytest.raises(LookupError):
        convert(100, "SEK")
```
""",
        ),
        step(
            4.0, 8, 8,
            """
Merge it, with the hour and the test

**In.** Last known rates for an hour, a line in the log for every miss.

**Out.** The second service, and its token.

**Watch.** `no new rates` more than three times a minute is an outage: somebody gets a call.

**Later.** In an outage each price still waits two seconds for nothing: after a miss, ask again in ten.
""",
            is_last=True,
        ),
    ),
)  # fmt: skip
