"""What the scripted model does: scripts of steps, in no client's words.

A prompt says by a marker, ``(play: NAME)``, which script answers it. Subagents are given prompts with markers of their
own, so the model knows who asks.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

MARKER: Final = re.compile(r"\(play: ([a-z-]+)\)")


class Action(NamedTuple):
    """A call of a tool: what is done, and with which arguments; a client's vocabulary gives the tool's name."""

    does: str
    """``think``, ``read``, ``run``, ``write``, ``edit``, ``delegate``, ``wait`` or ``code``; ``finish`` where a
    subagent ends by a tool."""
    arguments: Mapping[str, Any]


class Step(NamedTuple):
    """One answer of the model."""

    reasoning: str
    calls: tuple[Action, ...] = ()
    answer: str = ""
    """What ends the turn; empty if calls follow."""
    slowness: int = 1
    """How many times the delay that was asked for this answer takes."""
    tokens: int = 1
    """How many tokens of context the model says it was given: many make the client compact the conversation."""


def _think(thought: str, number: int | str, total: int = 3, *, more: bool = True, **others: object) -> Action:
    named = {"thought": thought, "thoughtNumber": number, "totalThoughts": total, "nextThoughtNeeded": more}
    return Action("think", named | others)


def _run(command: str) -> Action:
    return Action("run", {"command": command})


def _read(path: str) -> Action:
    return Action("read", {"path": path})


def _write(path: str, text: str) -> Action:
    return Action("write", {"path": path, "text": text})


def _edit(path: str, before: str, after: str) -> Action:
    return Action("edit", {"path": path, "before": before, "after": after})


def _delegate(description: str, prompt: str) -> Action:
    return Action("delegate", {"description": description, "prompt": prompt})


_OPENING = (
    Step(
        "**Reading the symptoms**\n\nThe user wants a cause, so the times come first.",
        (_think("Symptoms: 502s at the top of each hour", 1),),
    ),
    Step("**A first suspect**\n\nThe pool is small.", (_think("Pool exhausted?\nTwo lines — ünïcode 漢字かな", 2),)),
    Step("**Looking at the notes**\n\nSomebody may have written it down.", (_read("notes.md"),)),
    Step(
        "**Another way**\n\nOnly one thing happens once an hour.",
        (_think("What runs at :00?", 2, branchFromThought=1, branchId="cron-job"),),
    ),
    Step("**A slip**\n\nThis number is no number.", (_think("bad call", "abc"),)),
    Step(
        "**Counting**\n\nOne listing, and one file that is not there.",
        (_run("grep -c 502 access.log"), _run("cat no-such-file.log")),
    ),
    Step(
        "**Taking it back**\n\nThe pool was never full.",
        (_think("Not the pool: it was half empty at :00", 3, 5, isRevision=True, revisesThought=2),),
    ),
)
_DELEGATING = (
    Step(
        "**Asking two others**\n\nThe log and the schedule can be read at the same time.",
        (
            _delegate("read the log", "Read the access log and say when it fails. (play: log)"),
            _delegate("read the schedule", "Read the schedule and say what runs at :00. (play: schedule)"),
        ),
    ),
    Step("**Waiting**\n\nBoth are at work.", (Action("wait", {}),)),
    Step("**Waiting on**\n\nOne has reported.", (Action("wait", {}),)),
)
_CLOSING = (
    Step("**Concluding**\n\nAll of it points to one job.", (_think("Final: the cron job", 4, 5, more=False),)),
    Step("**Answering**\n\nShort, with the cause first.", answer="DONE: the cron job starves the pool."),
)


def _subagent(subject: str, finding: str, slowness: int = 1) -> tuple[Step, ...]:
    return (
        Step(
            f"**{subject}: where to begin**\n\nFrom the top.",
            (_think(f"{subject}: what is there?", 1, 2),),
            "",
            slowness,
        ),
        Step(f"**{subject}: a look**\n\nIt is short.", (_read("access.log"),), "", slowness),
        Step(f"**{subject}: what it means**\n\nClear.", (_think(finding, 2, 2, more=False),), "", slowness),
        Step(f"**{subject}: reporting**\n\nOne sentence.", (), f"{subject}: {finding}", slowness),
    )


_TEST_MAILER = """\
It does not: that is the test mailer

`mailer.yml` has two blocks:

- `test`: **2** retries
- `live`: no retry at all

So the second mail is no retry of the mailer. What is left is the queue: who gives a job out again, and when?
"""
_MAILS = (
    Step(
        "**What is known**\n\nTwo mails, never three, and only to some.",
        (_think("Symptoms: two mails, 40 s apart, one user in 50", 1, 5),),
    ),
    Step(
        "**Who could send twice**\n\nThree parts touch a mail.",
        (_think("Suspects: the form, the queue, the mailer", 2, 5),),
    ),
    Step("**Looking at the notes**\n\nSomebody may have seen it.", (_read("notes.md"), _run("grep -c 200 access.log"))),
    Step(
        "**The form first**\n\nThe cheapest to rule out.",
        (_think("Does a double click send two?", 1, 2, branchFromThought=2, branchId="the-form"),),
    ),
    Step(
        "**Ruled out**\n\nThe button is disabled at once.",
        (_think("No: one request for each pair of mails", 2, 2, more=False, branchId="the-form"),),
    ),
    Step(
        "**Splitting the work**\n\nThe rest can be read at the same time.",
        (_think("The rest can be read at once: ask three", 3, 5),),
    ),
    Step(
        "**Asking three**\n\nOne for each part.",
        (
            _delegate("trace one mail", "Follow one mail through the log. (play: trace)"),
            _delegate("read the settings", "Read who may retry, and when. (play: retries)"),
            _delegate("count workers", "Count the workers that ran at 09:00. (play: workers)"),
        ),
    ),
    *[Step("**Waiting**\n\nThey are at work.", (Action("wait", {}),))] * 3,
    Step(
        "**Taking one back**\n\nThe mailer is innocent.",
        (
            _think(
                "Not the mailer: the queue gives a job out again after 30 s", 4, 5, isRevision=True, revisesThought=2
            ),
        ),
    ),
    Step("**Concluding**\n\nOne number is too small.", (_think("Raise the lease to 120 s", 5, 5, more=False),)),
    Step(
        "**Answering**\n\nShort, with the cause first.", answer="DONE: the lease of a job ends before the mail is sent."
    ),
)
_TRACE = (
    Step("**One is enough**\n\nA pair with a number.", (_think("Take one pair: 09:00:02 and 09:00:42", 1, 3),)),
    Step("**The log**\n\nBy number.", (_read("access.log"),)),
    Step("**The same**\n\nThe id is equal.", (_think("Both mails carry one job id: it ran twice", 2, 3),)),
    Step("**Who**\n\nTwo names.", (_think("Worker 1 at :02, worker 3 at :42", 3, 3, more=False),)),
    Step("**Reporting**\n\nOne sentence.", answer="One job ran twice, 40 s apart, on two workers."),
)
_RETRIES = (
    Step("**Three who may**\n\nIn order.", (_think("Who may retry: the form, the queue, the mailer?", 1, 4),), "", 2),
    Step("**The settings**\n\nThey are short.", (_read("notes.md"),), "", 2),
    Step(
        "**The mailer**\n\nIt says so.",
        (_think("The mailer retries twice, at once\n\n`retries: 2` stands in `mailer.yml`, with no pause.", 2, 4),),
        "",
        2,
    ),
    Step(
        "**Not so**\n\nThat is another mailer.",
        (_think(_TEST_MAILER, 3, 4, isRevision=True, revisesThought=2),),
        "",
        2,
    ),
    Step("**The lease**\n\nA job comes back.", (_think("The queue does: its lease is 30 s", 4, 4, more=False),), "", 2),
    Step("**Reporting**\n\nOne sentence.", answer="Only the queue retries: a job whose lease has ended."),
)
_WORKERS = (
    Step("**At that minute**\n\nOnly then.", (_think("Who ran at 09:00?", 1, 3),), "", 2),
    Step("**Counting**\n\nOne listing.", (_run("grep -c 502 access.log"), _run("cat workers.log")), "", 2),
    Step("**Four of them**\n\nOne is slow.", (_think("Four, and one of them swaps", 2, 3),), "", 2),
    Step(
        "**Why slow**\n\nIt is small.",
        (_think("A mail takes it 35 s: longer than the lease", 3, 3, more=False),),
        "",
        6,
    ),
    Step("**Reporting**\n\nOne sentence.", answer="Worker 3 swaps: a mail takes it 35 s."),
)
_NEAR = (
    _think("Near: plain", 1, 7),
    _think("Near: numbers as strings", "2", 7),
    _think("Near: nulls", 3, 7, isRevision=None, revisesThought=None, branchId=None, needsMoreThoughts=None),
    Action(
        "think",
        {"thought": "Near: a boolean as string", "thoughtNumber": 4, "totalThoughts": 7, "nextThoughtNeeded": "true"},
    ),
    _think("Near: a branch named by a number", 1, 2, branchFromThought=1, branchId=7),
    _think("Near: an optional name in snake case", 2, 2, branch_id="side"),
    Action(
        "think",
        {
            "thought": "Near: all names in snake case",
            "thought_number": 5,
            "total_thoughts": 7,
            "next_thought_needed": False,
        },
    ),
)
"""Calls that the server repairs (docs/tools.md, "Arguments"); a client that checks calls may stop some."""
_CODE = """\
const answers = [];
for (const [i, thought] of ["In code: the symptoms", "In code: the suspect", "In code: the cause"].entries()) {
  answers.push(await tools.mcp__seq__sequentialthinking({
    thought, thoughtNumber: i + 1, totalThoughts: 3, nextThoughtNeeded: i < 2,
  }));
}
text(JSON.stringify(answers.length));
"""

_REPORT = """\
import pool


def run():
    for hour in range(24):
        pool.open()
        report(hour)
        pool.close()


def report(hour):
    print(f"{hour:02}:00")
"""
_WRITING = (
    Step("**A report first**\n\nOne file is enough.", (_think("Write the report by the hour", 1),)),
    Step("**Writing**\n\nFrom the top.", (_write("report.py", _REPORT),)),
    Step("**The pool**\n\nIt is opened too often.", (_think("Open the pool once, not 24 times", 2),)),
    Step(
        "**Editing**\n\nThe loop first.",
        (
            _edit(
                "report.py",
                "        pool.open()\n        report(hour)\n        pool.close()\n",
                "        report(hour)\n",
            ),
        ),
    ),
    Step("**And above it**\n\nOnce.", (_edit("report.py", "def run():\n", "def run():\n    pool.open()\n"),)),
    Step("**A slip**\n\nThat line is not there.", (_edit("report.py", "pool.shut()\n", "pool.close()\n"),)),
    Step("**The notes**\n\nThey should say so.", (_run("echo 'One pool.' >> notes.md"),)),
    Step("**Concluding**\n\nDone.", (_think("Final: one pool for all hours", 3, more=False),)),
    Step("**Answering**\n\nShort.", answer="DONE: the report opens one pool."),
)

SCRIPTS: Final[Mapping[str, tuple[Step, ...]]] = {
    "chain": (*_OPENING, *_CLOSING),
    "agents": (*_OPENING, *_DELEGATING, *_CLOSING),
    "writing": _WRITING,
    "log": _subagent("Log", "it fails at :00 only"),
    "schedule": _subagent("Schedule", "a job at :00 opens 40 connections"),
    "mails": _MAILS,
    "trace": _TRACE,
    "retries": _RETRIES,
    "workers": _WORKERS,
    "long": (
        Step("**Beginning**\n\nThis will be long.", (_think("Long: where to begin", 1),)),
        Step("**Going on**\n\nIt was long.", answer="DONE: that filled the context.", tokens=990_000),
    ),
    "brim": (
        Step("**Beginning**\n\nAt once too long.", (_think("Brim: all at once", 1),), tokens=990_000),
        Step("**Going on**\n\nWith what is left.", answer="DONE: in the middle of a turn."),
    ),
    "again": (Step("**The same again**\n\nNothing is new since.", answer="Still the cron job."),),
    "other": (
        Step("**Another end**\n\nWhat if the job stays?", (_think("Or a bigger pool", 5, 5, more=False),)),
        Step("**Choosing**\n\nIt costs less.", answer="Then make the pool bigger."),
    ),
    "pool": _subagent("Pool", "20 of 20 connections are taken at :00", slowness=2),
    "three": (
        Step("**Beginning**\n\nThree things can be looked at.", (_think("Three suspects: log, schedule, pool", 1),)),
        Step(
            "**Asking three others**\n\nAll at the same time.",
            (
                _delegate("read the log", "Read the access log and say when it fails. (play: log)"),
                _delegate("read the schedule", "Read the schedule and say what runs at :00. (play: schedule)"),
                _delegate("look at the pool", "Look at the pool and say how full it is. (play: pool)"),
            ),
        ),
        *(Step("**Waiting**\n\nThey are at work.", (Action("wait", {}),)) for _ in range(3)),
        *_CLOSING,
    ),
    "slow": (
        Step(
            "**Asking somebody slow**\n\nThis one takes its time.",
            (_delegate("read everything", "Read everything, slowly. (play: sleeper)"),),
        ),
        Step("**Waiting**\n\nIt is still at work.", (Action("wait", {}),)),
        *_CLOSING,
    ),
    "sleeper": _subagent("Everything", "nothing but the cron job", slowness=10),
    "near": (
        *(Step("**Careless**\n\nAlmost as the schema says.", (call,)) for call in _NEAR),
        Step("**Answering**\n\nAll were sent.", answer="DONE: seven calls."),
    ),
    "permit": (
        Step("**Writing**\n\nThe user has to allow it.", (_run("touch made.txt"),)),
        Step("**Answering**\n\nIt is there.", answer="DONE: made."),
    ),
    "code": (
        Step("**Thinking in code**\n\nThree thoughts in one call.", (Action("code", {"source": _CODE}),)),
        Step("**Answering**\n\nThe code has run.", answer="DONE: three thoughts in one call."),
    ),
}
"""The scripts, by name."""

FINISHED: Final = Step("", answer="There is nothing more to say.")
"""The answer where no script says anything."""
TITLE: Final = Step("", answer="502s, once an hour")
"""The answer to a request that offers no tools: the client wants a title, or a summary."""


def step_of(script: str | None, place: int, spoken: frozenset[str]) -> Step:
    """Return the step at a place of a script, leaving out the steps that are only calls which a client does not have.

    Args:
        script: Its name; None if the model was asked for something else, such as a title.
        place: How many answers of the model there are since the prompt.
        spoken: What the client has a tool for.
    """
    steps = [
        step for step in SCRIPTS.get(script or "", ()) if step.answer or any(call.does in spoken for call in step.calls)
    ]
    return steps[place] if place < len(steps) else FINISHED


def script_in(prompt: str) -> str | None:
    """Return the script that a prompt names last, if it names any."""
    names = MARKER.findall(prompt)
    return names[-1] if names else None
