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
_SENTENCES = (
    "Nine services write to the table, and two of them only at night",
    "The nightly report takes a lock on the whole table for four minutes, which nobody has noticed because it runs at "
    "three; a backfill at the same time would wait for it",
    "An update of the status is idempotent, an insert is not",
    "Staging has a tenth of the rows, so its times say little",
    "With a key that both sides know, a write that arrives twice does no harm",
    "The queue grows by 40 writes a second while the new cluster is away; ten minutes fit into its memory",
    "What is measured once an hour cannot show a gap of a minute",
    "The foreign key from invoices has to follow, or the switch breaks the billing run",
    "A row changed during its copy is found by its version, and copied again",
)
_THOUGHTS_PER_PROMPT, _TOTAL = 45, 310


def long_chain() -> JournalBuilder:
    """Return the journal, which has not ended."""
    builder = JournalBuilder().session(cwd="/home/ana/orders", title="Move orders to the new cluster")
    sentences, branches, number = cycle(_SENTENCES), iter(_BRANCHES), 0
    for place, prompt in enumerate(_PROMPTS):
        builder.event("prompt", {"text": prompt, "id": f"p{place}"}, after=90)
        for step in range(_THOUGHTS_PER_PROMPT):
            number += 1
            is_revision = step % 17 == 11
            builder.thought(
                next(sentences),
                number,
                max(number, _TOTAL - 10 * place),
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
