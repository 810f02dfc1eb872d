"""A session whose client records how full the contexts are: it was compacted once, and has two sub-agents."""

from datetime import timedelta

from tests.support.journals.build import START, JournalBuilder

_WINDOW = 258_400
_MODEL = "gpt-5.6-sol"


def full_contexts() -> JournalBuilder:
    """Return the journal: one sub-agent's context is nearly full; the main agent's was, before it was compacted."""
    session = JournalBuilder(START - timedelta(seconds=90)).session(client="codex", cwd="/home/ada/ledger")
    session.event("prompt", {"text": "Why are invoices of March twice in the ledger?", "id": "p1"})
    used(session, 41_300)
    session.thought("Fourteen of them, all from one batch", 1, 5, after=6)
    used(session, 96_800)
    session.thought("Is it the retry, or two workers on one queue?", 2, 5, after=9)
    used(session, 221_700)
    session.thought("The batch has one id, so the retry wrote it again", 3, 5, after=12)
    session.event("compacted", {"tokensBefore": 224_600, "tokensAfter": 38_200, "id": "k1"}, after=3)
    used(session, 43_900, after=4)
    session.thought("Two can look at once: one at the log, one at the schema", 4, 6, after=5)
    fork = session.seq
    for name, task, tokens, window in (
        ("a1", "read the log", 212_000, _WINDOW),
        ("a2", "read the schema", 8_600, None),
    ):
        session.event("agent", {"id": name, "name": task, "of": fork, "model": _MODEL})
        session.event("prompt", {"text": task, "id": f"p-{name}", "agent": name})
        used(session, tokens, agent=name, window=window)
        session.event("thought", _thought(f"{task}: where does the batch begin?", name), after=3)
    used(session, 61_200, after=2)
    return session.thought("An idempotency key on the batch would stop it", 5, 6, after=6)


def used(
    session: JournalBuilder, tokens: int, *, agent: str | None = None, window: int | None = _WINDOW, after: float = 0
) -> None:
    """Say how much of its context an agent uses."""
    fields = {"tokens": tokens, "window": window, "model": _MODEL, "agent": agent}
    session.event("usage", fields, after=after)


def _thought(text: str, agent: str) -> dict[str, object]:
    return {"thought": text, "thoughtNumber": 1, "totalThoughts": 3, "nextThoughtNeeded": True, "agent": agent}
