"""Sessions that think at the same time, for the wall; they stand beside the shop-api session at 14:04:08."""

from collections.abc import Sequence
from datetime import timedelta

from tests.support.journals.build import START, JournalBuilder

Sessions = Sequence[tuple[JournalBuilder, bool]]
"""Journals, each with whether its server is running."""


def busy_wall() -> Sessions:
    """Return five sessions: one asks, one is stuck, one is done, two think."""
    return [(_billing(), True), (_infra(), True), (_search(), True), (_login(), True), (_docs(), True)]


def _billing() -> JournalBuilder:
    builder = JournalBuilder(START - timedelta(seconds=200)).session(client="codex", cwd="/home/ana/billing")
    texts = (
        "Invoices of March are twice in the ledger: 14 of them, all from one batch",
        "Is it the retry, or two workers on one queue?",
        "The batch has one id, so the retry wrote it again",
        "An idempotency key on the batch would stop it; the ledger has none yet",
    )
    for number, text in enumerate(texts, 1):
        builder.thought(text, number, 6, after=22)
    builder.thought("Two ways to repair the ledger: reverse the 14 entries, or rebuild March from the events", 5, 6)
    return builder.asking(
        message="Reverse the 14 entries in the live ledger? They show up in the customers' statements until midnight."
    )


def _infra() -> JournalBuilder:
    builder = JournalBuilder(START - timedelta(minutes=7)).session(client="gemini-cli", cwd="/home/ana/infra")
    builder.thought("Which VPC peerings are still used? Flow logs of 30 days, by pair", 1, 4)
    builder.thought("Three pairs carry nothing but health checks", 2, 4, after=8)
    return builder.thought(
        "Terraform plans to destroy 2 of 3; the third is held by a module that nobody applies. Wait for its plan", 3, 4
    )


def _search() -> JournalBuilder:
    builder = JournalBuilder(START - timedelta(seconds=40)).session(client="claude-code", cwd="/home/ana/search")
    builder.thought("Relevance fell after Tuesday's synonyms: compare the two indexes", 1, 5)
    builder.thought("*Colour* and *color* now share a field, and its norm counts twice", 2, 5, after=30)
    builder.thought("Try without norms on that field", 1, 2, branch="no-norms", from_=2, after=20)
    builder.thought("NDCG 0.71 against 0.64: better on 38 of 50 queries", 2, 2, branch="no-norms", after=35)
    return builder.thought(
        "So the norm it is, not the synonyms. Drop it from `title.syn` alone, and keep the rest: three of the twelve "
        "queries that got worse are single words, where length should count. Next: reindex a tenth, and compare again.",
        3,
        5,
        revises=2,
        after=37,
    )


def _login() -> JournalBuilder:
    builder = JournalBuilder(START + timedelta(seconds=61)).session(client="vscode", cwd="/home/ana/login")
    builder.thought("Sessions end after 20 minutes though the cookie says 8 hours: who ends them?", 1, 7)
    for number, text in enumerate(("The gateway's cache is too small?", "No: it evicts nothing"), 2):
        builder.thought(text, number, 7, after=20)
    return builder.thought(
        "Redis keeps the keys for 1200 s. That is the default of the client library since 4.0, where a missing TTL "
        "came to mean 20 minutes instead of for ever",
        4,
        7,
        after=22,
    )


def _docs() -> JournalBuilder:
    builder = JournalBuilder(START - timedelta(seconds=160)).session(client="opencode", cwd="/home/ana/docs")
    builder.thought("目录应该按任务还是按模块划分?", 1, 3)
    builder.thought("Readers come with a task: nine of ten searches begin with a verb", 2, 3, after=12)
    return builder.thought(
        "By task, with one page per task and the modules as an index behind it. Moved pages keep their addresses.",
        3,
        3,
        next=False,
        after=17,
    )


def many_sessions() -> Sessions:
    """Return more sessions than a page has tiles and lines; every other one is done, and one on the last page asks."""
    sessions: list[tuple[JournalBuilder, bool]] = []
    for number in range(1, 25):
        builder = JournalBuilder(START + timedelta(seconds=number)).session(cwd=f"/home/ana/service-{number}")
        builder.thought(f"What does service {number} need?", 1, 3).thought("Look at its logs", 2, 3, after=40)
        if number % 2 == 0:
            builder.thought("A restart of its worker", 3, 3, next=False, after=9)
        sessions.append((builder.asking(message="May I restart it?") if number == 23 else builder, True))
    return sessions


def odd_names() -> Sessions:
    """Return sessions with names and texts that nobody should trust: too long, too wide, with escapes."""
    wide = "非常に長い名前のセッション" * 16
    named = (
        (wide, wide),
        ("\x1b]0;owned\x07\x1b[31mred\u202eevil", "\x1b[2J\x1b]52;c;aGVsbG8=\x07 gone? \u200b\u2066x"),
        ("e\u0301\u0301\u0301\u0301\u0301 \U0001f468\u200d\U0001f469\u200d\U0001f467 family", "```\nnever closed"),
        ("", "| a | b |\n|---|---|\n| **c** | `d` |"),
    )
    sessions: list[tuple[JournalBuilder, bool]] = []
    for number, (name, text) in enumerate(named):
        builder = JournalBuilder(START + timedelta(seconds=number)).session(title=name or None, client=name or None)
        sessions.append((builder.thought(text, 1, 9, after=5).asking(message=text), True))
    return sessions
