"""The official conformance suite: which of its runs there are, and what is known to fail and why."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.conformance.node import CannotRunError, Node
from tests.conformance.verdicts import Check, Scenario


class Run(NamedTuple):
    """A run of the suite: what it is, the package it comes from, what is asked of it."""

    title: str
    package: str
    options: tuple[str, ...]


RUNS: Final = (
    Run("suite 0.1.16", "conformance-0.1", ("--suite", "all")),
    Run("suite 0.2.0-alpha.12, revision 2025-11-25", "conformance-0.2", ("--requirements", "2025-11-25")),
    Run("suite 0.2.0-alpha.12, revision 2026-07-28", "conformance-0.2", ("--requirements", "2026-07-28")),
)

# The suite expects a server made for it. Ours is one for thinking; the mount adds what tests seqthink/dialogue.
_PROMPTS = (
    "prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource", "prompts-get-with-image",
    "sep-2322-non-tool-incomplete",
)  # fmt: skip
_RESOURCES = (
    "resources-list", "resources-read-text", "resources-read-binary", "resources-templates-read",
    "resources-subscribe", "resources-unsubscribe", "sep-2549-resources-list-caching-hints",
    "sep-2549-resources-templates-list-caching-hints", "sep-2164-error-code", "sep-2164-data-uri",
)  # fmt: skip
_COMPLETION = ("completion-complete",)
_TOOLS = (
    "tools-call-image", "tools-call-audio", "tools-call-embedded-resource", "tools-call-mixed-content",
    "json-schema-2020-12-tool-found", "sep-2243-server-no-xmcp-tool", "sep-2243-server-decode-base64",
    "sep-2243-server-validate-param-match", "sep-2243-server-reject-invalid-param-chars",
    "sep-2243-server-reject-param-mismatch", "incoming-sse-event",
)  # fmt: skip
_STREAMS = ("server-sse-priming-event", "server-sse-retry-field")
_TAMPERED = ("sep-2322-reject-tampered-state",)
_STATELESS = ("sep-2322-ignore-unexpected-params",)

KNOWN: Final[Mapping[str, str]] = {
    **dict.fromkeys(_PROMPTS, "lacks the suite's own prompt"),
    **dict.fromkeys(_RESOURCES, "has no resources"),
    **dict.fromkeys(_COMPLETION, "completes nothing"),
    **dict.fromkeys(_TOOLS, "lacks the suite's own tool"),
    **dict.fromkeys(_STREAMS, "is mounted without a store of events"),
    **dict.fromkeys(_TAMPERED, "takes a call whose state does not open as a new call, not as an error"),
    **dict.fromkeys(_STATELESS, "takes answers only with the state of the question"),
}
"""Why a check fails, or warns, by the check's name."""

_EXTENSION = "tasks-"  # optional, no part of a revision's requirements, and not offered here


def run(node: Node, asked: Run, url: str, folder: Path) -> list[Scenario]:
    """Return the scenarios of a run against the server at ``url``; files go into ``folder``.

    Raises:
        CannotRunError: the suite ran no scenario.
    """
    script = f"{asked.package}/dist/index.js"
    done = node.run(script, ["server", "--url", url, *asked.options, "--output-dir", str(folder)], folder)
    names = re.findall(r"^=== Running scenario: (\S+) ===$", done.stdout, re.MULTILINE)
    if not names:
        raise CannotRunError(f"{asked.title} ran no scenario: {(done.stderr or done.stdout).strip()[-500:]}")
    return [Scenario(name, _checks(folder, name)) for name in names if not name.startswith(_EXTENSION)]


def _checks(folder: Path, name: str) -> list[Check]:
    """Return what the suite wrote of a scenario; nothing when it broke off."""
    # The name is followed by the time at which it ran.
    files = list(folder.glob(f"server-{name}-[0-9][0-9][0-9][0-9]-*/checks.json"))
    checks: list[dict[str, Any]] = [check for file in files for check in json.loads(file.read_text("utf-8"))]
    return [Check(check["id"], check["status"], check.get("errorMessage", "")) for check in checks]
