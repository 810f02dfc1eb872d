"""A story: an error that occurs every hour, solved in twelve thoughts.

It has one branch, two revisions (the second withdraws a fix that looked good), a refused call that is repeated, and an
estimate that grows three times. First lines are short enough for a narrow terminal.
"""

from typing import Any

from seqthink.cli.stories.story import DemoStory, step

_CRON: dict[str, Any] = {"branchFromThought": 3, "branchId": "cron-job"}

_NOT_THE_GATEWAY = """
Not the gateway: it only reports

Thought 2 blamed the layer whose name is on the error. The gateway says 502 because checkout does not answer it in \
time, and checkout waits for a connection that the job on branch `cron-job` holds.

Two thoughts more: a fix, and how to prove it.
"""

STORY = DemoStory(
    name="shop-api",
    title="shop-api",
    question="Why does checkout fail at the top of every hour?",
    steps=(
        step(
            0.3, 1, 5,
            """
Checkout answers 502 on the hour

- 31 times in 24 hours, every one between `:00:05` and `:01:35`
- no deploy near any of them
- search and payments are fine; it is only `POST /checkout`

So load is not the cause, the clock is. Which layer gives up first?
""",
        ),
        step(
            3.2, 2, 5,
            """
Layers: CDN → gateway → checkout → db

The gateway writes the 502, so I suspect the gateway: when its pool of upstream connections runs dry, requests fail \
before checkout ever sees them.
""",
        ),
        step(
            3.5, 3, 6,
            """
Three suspects, one check each

1. **Gateway pool**: how many connections are in use at `:00`?
2. **DNS**: do lookups fail, or take long?
3. **A schedule**: what starts on the hour?

That is a step more than planned. The third deserves a branch of its own.
""",
        ),
        step(
            3.8, 4, 6,
            """
DNS is out: lookups do not fail

Not one in a week. And a stale record (TTL 300 s) would hurt for up to five minutes at any time, not for ninety \
seconds on the hour.
""",
        ),
        step(
            3.2, 1, 3,
            """
What starts at :00? One job

```cron
0 * * * *  python -m jobs.stock_sync
```

It copies the stock of every warehouse into the shop's database. Nothing else is scheduled on the hour.
""",
            **_CRON,
        ),
        step(
            3.5, 2, 3,
            """
It holds 40 connections for 90 s

One a warehouse, all at once:

```python
with ThreadPool(len(warehouses)) as pool:  # 40
    pool.map(sync, warehouses)
```

Ninety seconds is also how long the errors last.
""",
            **_CRON,
        ),
        step(
            4.0, 3, 3,
            """
The db allows 60: checkout starves

- 40 for the stock sync
- 8 for search and admin
- **12 left** for checkout, which needs 25

Requests queue for a connection and time out.
""",
            **_CRON,
        ),
        step(
            4.0, 5, 6,
            """
Gateway pool: 12 of 200 used at :00

The slowest wait for a connection took 3 ms. The gateway never runs dry.
""",
        ),
        step(4.2, 6, "8 or 9", _NOT_THE_GATEWAY, isRevision=True, revisesThought=2, is_refused=True),
        step(1.6, 6, 8, _NOT_THE_GATEWAY, isRevision=True, revisesThought=2),
        step(
            4.8, 7, 8,
            """
Fix: give the sync 10 connections

```python
with ThreadPool(10) as pool:
    pool.map(sync, warehouses)
```

Four rounds of 90 s are six minutes instead of one and a half, and 42 connections stay free for checkout.
""",
        ),
        step(
            4.8, 8, 9,
            """
Better: hold one only to write

Ten threads would still sit on ten connections for six minutes, most of that time waiting for a warehouse to answer. \
Fetch first, connect after:

```python
stock = fetch(warehouse)    # slow, holds nothing
with db.connection() as c:  # 0.2 s
    write(c, stock)
```

Now all 40 may fetch at once, as before, and a pool of 10 is plenty for the writes. One thought more, to sum up.
""",
            isRevision=True,
            revisesThought=7,
        ),
        step(
            4.5, 9, 9,
            """
Cause: stock sync starves checkout

**Cause.** On the hour the sync takes 40 of the database's 60 connections for 90 s. Checkout waits, the gateway \
says 502.

**Fix.** Fetch first, then write through a pool of 10.

**Proof.** Watch how long checkout waits for a connection. After the fix, the next full hour should look like any \
other minute; if it does not, this cause is not the only one.
""",
            is_last=True,
        ),
    ),
)  # fmt: skip
