"""Two runs at one problem: one finds the cause, the other hides it."""

from datetime import timedelta

from tests.support.journals.build import START, JournalBuilder

WORKED, FAILED = "20260310T140200.000000Z-worked", "20260310T130200.000000Z-failed"


def run_that_worked() -> JournalBuilder:
    """Return the run that found the report job."""
    builder = JournalBuilder().session(WORKED, title="502s, found")
    return (
        builder.thought(
            "Symptoms: 502s cluster at the top of each hour and are gone two minutes later. "
            "Nothing was deployed at those times.",
            1,
            5,
        )
        .thought(
            "Layers: CDN, gateway, checkout, payments. The gateway answers the 502, so I suspect its pool first.", 2, 5
        )
        .thought("DNS is fine: TTL 300, no failed lookups", 3, 5)
        .thought("What runs at the top of the hour? The report job, alone", 4, 6, branch="cron-job", from_=3)
        .thought(
            "The report job holds 40 connections for 90 s; checkout's pool has 50, so it starves",
            5,
            6,
            branch="cron-job",
        )
        .thought(
            "Not the gateway's pool: it is idle while the 502s happen. The report job starves checkout.",
            4,
            6,
            revises=2,
        )
        .thought("Fix: jitter the report job, and cap its pool at 10.", 5, 6, next=False)
    )


def run_that_failed() -> JournalBuilder:
    """Return the run that raised a timeout."""
    builder = JournalBuilder(START - timedelta(hours=1)).session(FAILED, title="502s, hidden", client="codex")
    return (
        builder.thought(
            "The 502s cluster at the top of every hour and are gone about two minutes later. "
            "No deployment matches those times.",
            1,
            4,
        )
        .thought(
            "Layers: CDN, gateway, checkout, payments. The gateway answers the 502, so I suspect its pool first.", 2, 4
        )
        .thought(
            "The gateway's timeout is 5 s, and checkout answers in 4.8 s at the full hour. Raise the timeout to 10 s?",
            3,
            4,
        )
        .thought("DNS is fine: TTL 300, no failed lookups, so it is not DNS", 4, 5, after=40)
        .thought(
            "Raise the timeout to 10 s, and retry once: the slow minutes remain to be explained.", 5, 5, next=False
        )
    )
