"""A story: an architecture decision in twelve thoughts.

It has two branches side by side, a revision that withdraws what the first thought asked for, and an estimate that grows
once. First lines are short enough for a narrow terminal.
"""

from typing import Any

from seqthink.cli.stories.story import DemoStory, step

_OUTBOX: dict[str, Any] = {"branchFromThought": 3, "branchId": "outbox"}
_CAPTURE: dict[str, Any] = {"branchFromThought": 3, "branchId": "capture"}

STORY = DemoStory(
    name="outbox",
    title="orders",
    question="How do order events leave the service, none lost?",
    steps=(
        step(
            0.3, 1, 5,
            """
Every order, to three readers

Billing, stock and e-mail need each order exactly once, and only orders that were committed.

- 40 orders a second at the peak
- one PostgreSQL primary
- a reader may be down for an hour

A second or two late is fine.
""",
        ),
        step(
            3.2, 2, 5,
            """
Today: commit, then publish

```python
db.commit(order)
broker.publish(order)  # and if we die here?
```

Last month 31 orders were paid and never shipped. Each was committed in the second before a deploy restarted the \
service.
""",
        ),
        step(
            3.6, 3, 7,
            """
Two ways close that gap

1. **Outbox**: write the event in the order's own transaction, publish from the table
2. **Capture**: follow the database's write-ahead log

Each is worth a branch: two thoughts more than planned.
""",
        ),
        step(
            3.4, 1, 3,
            """
Outbox: both rows, or none

```sql
BEGIN;
INSERT INTO orders VALUES (...);
INSERT INTO outbox (topic, body) VALUES (...);
COMMIT;
```

A relay reads the table, publishes, and deletes what it has sent.
""",
            **_OUTBOX,
        ),
        step(
            3.4, 2, 3,
            """
Its relay may send twice

It publishes, then deletes the row. If it dies between the two, the row goes out again. Readers must ignore an id \
that they know: billing and stock do, e-mail does not.
""",
            **_OUTBOX,
        ),
        step(
            3.8, 1, 2,
            """
Capture: no code in the service

A connector follows the log and publishes each row of `orders`. No second table, and nobody can forget to write to it.
""",
            **_CAPTURE,
        ),
        step(
            3.6, 2, 2,
            """
But while it is down, a disk fills

PostgreSQL keeps its log until the connector has read it. At the peak that is 9 GB an hour, and there are 50 GB free: \
after a bad night the primary stops, and every order with it.
""",
            **_CAPTURE,
        ),
        step(
            3.6, 3, 3,
            """
Its price: 40 small rows a second

They live for a second, so the table stays small; `FOR UPDATE SKIP LOCKED` lets two relays share the work. When \
both are down, a table grows by 60 MB an hour, and an alarm has days to be heard.
""",
            **_OUTBOX,
        ),
        step(
            4.0, 4, 7,
            """
Which failure is worse?

| when                | outbox        | capture       |
| ------------------- | ------------- | ------------- |
| a reader is down    | rows wait     | log waits     |
| the sender is down  | table grows   | **disk full** |
| the sender restarts | some go twice | some go twice |

Only one of the two can stop the shop.
""",
        ),
        step(
            4.2, 5, 7,
            """
"Exactly once" asked too much

Thought 1 wanted each event exactly once. Neither way gives that, and no third one will. What we can have: *at least \
once*, and readers that ignore what they know.
""",
            isRevision=True,
            revisesThought=1,
        ),
        step(
            3.8, 6, 7,
            """
So e-mail is what has to change

Billing and stock keep the ids that they have handled. E-mail gets the same:

```sql
INSERT INTO handled (id) VALUES ($1)
ON CONFLICT DO NOTHING;  -- 0 rows: no mail
```
""",
        ),
        step(
            4.4, 7, 7,
            """
Decision: outbox, at least once

**Do.** An outbox in the orders database, two relays, ids in every reader.

**Not now.** Change capture: its worst day is worse than ours today.

**Proof.** Kill the relay between publish and delete, a thousand times: nothing lost, no mail sent twice.

**Look again** when a fifth service needs the same.
""",
            is_last=True,
        ),
    ),
)  # fmt: skip
