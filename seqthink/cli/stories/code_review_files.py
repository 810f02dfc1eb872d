"""The files, diffs and scripted reviews of the story `code-review`.

Git can apply each diff, so the judges see the file that it leaves.
"""

from typing import Any, Final

ORIGINAL_FILE: Final = '''\
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
_ORIGINAL_RETURN: Final = "    return round(cents * fetch()[to])\n"
_PATCHED_RETURN: Final = """\
    try:
        known.update(fetch())
    except Exception:
        log.warning("no new rates")
    return round(cents * known[to])
"""
PATCHED_FILE: Final = ORIGINAL_FILE.replace(_ORIGINAL_RETURN, _PATCHED_RETURN).replace(
    "(__name__)\n", "(__name__)\nknown: dict[str, float] = {}\n"
)  # fmt: skip

LOGGING_DIFF: Final = """\
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

ENVIRONMENT_TOKEN_DIFF: Final = """\
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

FIRST_REVIEW: Final[dict[str, Any]] = {
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
            "comment": 'After a restart there is no "at": KeyError, for every price. And "at" is not a currency.',
        },
    ],
}

MONOTONIC_DIFF: Final = """\
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

SECOND_REVIEW: Final[dict[str, Any]] = {
    "overall": 92,
    "dimensions": [
        {"name": "correctness", "score": 96},
        {"name": "security", "score": 94},
        {"name": "clarity", "score": 86},
    ],
    "summary": "Right at a restart, at a set clock and at a page of HTML. A global is not pretty; it can wait.",
}
