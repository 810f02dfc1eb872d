"""`seqthink settings --try-notify STATE`: starts the command for a state with made-up facts, and says how it went."""

import json
import os
import shlex
import time
from typing import TYPE_CHECKING, Any

from seqthink.chain.attention import Attention, Standing, StuckReason
from seqthink.chain.state import NEARLY_FULL_PERCENT
from seqthink.cli.standard_output import output
from seqthink.core.errors import UsageError
from seqthink.core.text import one_line, sanitize
from seqthink.share.notify.commands import CommandOutcome, run_command
from seqthink.share.notify.facts import facts_of, json_line, variables_of
from seqthink.share.notify.occasions import Occasion, Subject
from seqthink.share.notify.states import NotifyState

if TYPE_CHECKING:
    from seqthink.cli.preferences import Preferences

_QUESTION = "May I go on?"


def try_notify(state: NotifyState, preferences: "Preferences", *, is_json: bool) -> int:
    """Start the command for ``state`` with made-up facts; print what it printed. Exit 1 if it did not work.

    Raises:
        UsageError: there is no command for that state.
    """
    words = preferences.commands.get(state)
    if not words:
        about = f"notify.{state}:", "notify:"
        wrong = next((line.text() for line in preferences.file.wrong if line.message.startswith(about)), "")
        raise UsageError(wrong or f'settings.toml has no command for {state}; add: [notify] {state} = ["PROGRAM"]')
    facts = facts_of(_made_up(state), time.time_ns() // 1000, is_try=True)
    outcome = run_command(words, variables_of(facts), json_line(facts), keeps_output=True)
    with output() as out:
        if is_json:
            out.write(json.dumps({"command": words, "facts": facts, **_fields(outcome)}, indent=1) + "\n")
        else:
            out.write(f"$ {one_line(shlex.join(words))}\n")
            out.write("".join(f"{sanitize(line)}\n" for line in _shown(outcome.out + outcome.err)))
            out.write(f"{outcome.problem or 'it worked'} ({outcome.seconds:.1f} s)\n")
    return 1 if outcome.problem else 0


def _shown(printed: bytes) -> list[str]:
    return printed.decode(errors="replace").splitlines()


def _fields(outcome: CommandOutcome) -> dict[str, Any]:
    return {
        "status": outcome.status,
        "problem": outcome.problem or None,
        "seconds": round(outcome.seconds, 3),
        "stdout": outcome.out.decode(errors="replace"),
        "stderr": outcome.err.decode(errors="replace"),
    }


def _made_up(state: NotifyState) -> Occasion:
    """Return an occasion that never was."""
    since = time.time_ns() // 1000 - 360_000_000
    standing = {
        NotifyState.ASKING: Standing(Attention.ASKING, since=since, question=_QUESTION),
        NotifyState.STUCK: Standing(Attention.STUCK, StuckReason.SILENT, since),
        NotifyState.DONE: Standing(Attention.DONE, since=since),
        NotifyState.LOST: Standing(Attention.LOST, since=since),
        NotifyState.CONTEXT: Standing(Attention.THINKING, since=since),
    }[state]
    subject = Subject(
        key="",
        session="a-trial",
        name="a trial of seqthink",
        standing=standing,
        link="a-trial",
        client="seqthink",
        folder=os.getcwd(),  # noqa: PTH109 - a text
        full_context=NEARLY_FULL_PERCENT if state is NotifyState.CONTEXT else 0,
    )
    return Occasion(state, subject)
