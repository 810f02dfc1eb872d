"""A story: a patch under review, told in ten thoughts to a server that audits their code.

The patch swallows what went wrong; mended, it fits no file; on a branch stands a token; and a second judge, the
client's model, sees what no rule does. What the judges say of all that is real: only the model's words are scripted.
First lines stay short enough to be read in a narrow terminal.
"""

from typing import Any, Final

from seqthink.demo.story import Story, step

_BACKUP: Final[dict[str, Any]] = {"branchFromThought": 4, "branchId": "backup"}
_TOKEN: Final = "-".join(("8f3cb71e", "44d0", "a2e9"))
"""Opens nothing. In pieces, so that nobody's scanner takes it for one that does."""

_FILE: Final = '''\
"""Exchange rates, asked for at every price."""

import json
import logging
from urllib.request import urlopen

URL = "https://rates.internal/latest"
log = logging.getLogger(__name__)


def fetch() -> dict[str, float]:
    """Return what a euro is worth now, by currency."""
    with urlopen(URL, timeout=2) as answer:
        return json.load(answer)


def convert(cents: int, to: str) -> int:
    """Return an amount of euros in another currency."""
    return round(cents * fetch()[to])
'''
_WAS: Final = "    return round(cents * fetch()[to])\n"
_NOW: Final = """\
    try:
        known.update(fetch())
    except Exception:
        log.warning("no new rates")
    return round(cents * known[to])
"""
_PATCHED: Final = _FILE.replace(_WAS, _NOW).replace(
    "(__name__)\n", "(__name__)\nknown: dict[str, float] = {}\n"
)  # fmt: skip

_LOGGED: Final = """\
--- a/rates.py
+++ b/rates.py
@@ -8,2 +8,3 @@
 log = logging.getLogger(__name__)
+known: dict[str, float] = {}

@@ -18,2 +19,6 @@
     \"""Return an amount of euros in another currency.\"""
-    return round(cents * fetch()[to])
+    try:
+        known.update(fetch())
+    except Exception:
+        log.warning("no new rates")
+    return round(cents * known[to])
"""

_FROM_ENVIRONMENT: Final = """\
--- a/rates.py
+++ b/rates.py
@@ -4,2 +4,3 @@
 import logging
+import os
 from urllib.request import urlopen
@@ -7,2 +8,4 @@
 URL = "https://rates.internal/latest"
+BACKUP = "https://api.fx-backup.example/v2"
+TOKEN = os.environ["FX_BACKUP_TOKEN"]
 log = logging.getLogger(__name__)
"""

_OPINION: Final[dict[str, Any]] = {
    "overall": 54,
    "dimensions": [
        {"name": "correctness", "score": 42},
        {"name": "security", "score": 90},
        {"name": "clarity", "score": 60},
    ],
    "summary": "A limit is right, but this one trusts a clock that can be set, and a cold start has no limit to read.",
    "inline": [
        {"path": "rates.py", "line": 23, "comment": "time() jumps when the clock is set; use monotonic()."},
        {
            "path": "rates.py",
            "line": 26,
            "comment": 'After a restart there is no "at": KeyError, for every price. And "at" is no currency.',
        },
    ],
}

_BETTER: Final = """\
--- a/rates.py
+++ b/rates.py
@@ -4,2 +4,3 @@
 import logging
+from time import monotonic
 from urllib.request import urlopen
@@ -9,2 +10,3 @@
 known: dict[str, float] = {}
+good_until = monotonic()

@@ -19,6 +21,10 @@
     \"""Return an amount of euros in another currency.\"""
+    global good_until
     try:
         known.update(fetch())
-    except Exception:
+        good_until = monotonic() + 3600
+    except (OSError, ValueError):
         log.warning("no new rates")
+    if monotonic() > good_until:
+        raise LookupError("no rates of the last hour")
     return round(cents * known[to])
"""

_OPINION_OF_THE_BETTER: Final[dict[str, Any]] = {
    "overall": 92,
    "dimensions": [
        {"name": "correctness", "score": 96},
        {"name": "security", "score": 94},
        {"name": "clarity", "score": 86},
    ],
    "summary": "Right at a restart, at a set clock and at a page of HTML. A global is no beauty; it can wait.",
}

STORY = Story(
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
            files={"rates.py": _FILE},
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
            model_answers=({"diff": _LOGGED},),
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
            model_answers=({"diff": _LOGGED},),
            isRevision=True,
            revisesThought=2,
        ),
        step(
            2.8, 4, 7,
            f"""
The same, for the file as it is

My diff was one on a patch that nobody has applied. In one piece:

```diff
{_LOGGED}```
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
            model_answers=({"diff": _FROM_ENVIRONMENT},),
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
            files={"rates.py": _PATCHED},
            model_answers=(_OPINION, {"diff": _BETTER}, _OPINION_OF_THE_BETTER),
            person_accepts=True,
        ),
        step(
            4.0, 6, 8,
            f"""
Taken: an hour, and no clock to set

```diff
{_BETTER}```
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
