"""A chain of some three hundred thoughts, as one afternoon with an agent: prompts, branches, returns, revisions."""

from itertools import cycle

from tests.support.journals.build import JournalBuilder

_PROMPTS = (
    "Move the orders table to the new cluster without downtime. First, find out what writes to it.",
    "Good. Now plan the double write, and say what happens when one of the two fails.",
    "The backfill took all night in staging. Make it resumable, and slower during the day.",
    "Switch the reads over, service by service. Which one goes first?",
    "Something is off: the totals differ by a few cents. Find out why before we go on.",
    "Write the runbook, with a way back at each step.",
)
_BRANCHES = (
    ("triggers", "copy each write in a trigger"),
    ("outbox", "publish each write from an outbox"),
    ("logical-replication", "let the server replicate"),
    ("batch-ids", "backfill by ranges of ids"),
    ("read-replica", "read from a replica first"),
    ("rounding", "the cents come from rounding"),
    ("currency", "the cents come from the currency table"),
    ("rollback", "turn the double write around"),
)
_SUBJECTS = (
    "The nightly report",
    "Checkout, which writes most,",
    "The importer of the shops",
    "The old status endpoint",
    "The trigger on invoices",
    "The backfill of March",
    "A write that arrives twice",
)
_FINDINGS = (
    "takes a lock on the whole table for four minutes",
    "is idempotent as long as it keeps the id that both sides know",
    "needs the foreign key of invoices first, or the billing run breaks",
    "grows the queue by 40 writes a second while the new cluster is away",
    "was never measured: staging has a tenth of the rows",
    "leaves rows behind that were changed while they were copied",
    "reads its own write, so both clusters have to answer alike",
    "does no harm",
    "waits for the slower of the two",
)
_CONSEQUENCES = (
    "so it comes last",
    "and nobody has noticed, because it runs at three in the morning when no other job asks for the same lock",
    "which the version column shows",
    "",
    "; ten minutes of that fit into memory, an hour does not",
    "but only on the replica",
    "and a check once an hour cannot see a gap of a minute",
    "so the copy has to go by ranges of ids, with a pause after each, and has to know where it stopped",
    "",
    "until the reads are switched",
    "as the log of last week says",
)
_THOUGHTS_PER_PROMPT, _TOTAL = 45, 330


def _sentence(subject: str, finding: str, consequence: str) -> str:
    """Return a thought; no two of the chain are nearly the same."""
    return f"{subject} {finding} {consequence}".strip().replace(" ;", ";")


def long_chain() -> JournalBuilder:
    """Return the journal, which has not ended."""
    builder = JournalBuilder().session(cwd="/home/ana/orders", title="Move orders to the new cluster")
    sentences = map(_sentence, cycle(_SUBJECTS), cycle(_FINDINGS), cycle(_CONSEQUENCES))
    branches, number = iter(_BRANCHES), 0
    for place, prompt in enumerate(_PROMPTS):
        builder.event("prompt", {"text": prompt, "id": f"p{place}"}, after=90)
        for step in range(_THOUGHTS_PER_PROMPT):
            number += 1
            is_revision = step % 17 == 11
            builder.thought(
                next(sentences),
                number,
                _TOTAL - 10 * place,
                revises=number - 5 if is_revision else None,
                after=6 + number % 7,
            )
            if step % 23 == 14 and (branch := next(branches, None)) is not None:
                name, idea = branch
                for own in range(1, 6):
                    text = f"What if we {idea}?" if own == 1 else next(sentences)
                    builder.thought(text, own, 5, branch=name, from_=number, after=8)
                number += 1
                builder.thought(
                    f"Branch {name} answers it: we {idea}, and measure again", number, _TOTAL - 10 * place, after=12
                )
    return builder
