"""A session as most people run their agent: the client keeps no reasoning, and the agent has no thinking tool."""

from tests.support.journals.build import JournalBuilder

_CWD = "/home/ada/shop"
_PROMPT = "The registry loses a name now and then when two workers register it at once. Find out why, and fix it."
_FIRST = "I look at how a name is taken, and whether a test shows the loss."
_SECOND = "Two processes may both see the name as free: lookup and insert are two steps. First, a test that fails."
_CAUSE = (
    "That is it. Between `lookup/1` and `:ets.insert/2` another worker can insert, and the later one wins without an "
    "error. `:ets.insert_new/2` does both in one step and says whether it did."
)
_FIXED = "Registry and test are changed. Now the whole suite, since three other modules call `register/2`."


def plain_session() -> JournalBuilder:
    """Return the journal: what the agent said and did, up to a call that is still waited for."""
    session = JournalBuilder().session(cwd=_CWD)
    session.event("prompt", {"text": _PROMPT, "id": "p1"})
    session.event("reasoning", {"tokens": 260, "durationMs": 6000, "id": "r1"}, after=6)
    _say(session, _FIRST, after=1)
    for path in ("lib/shop/registry.ex", "lib/shop/worker.ex", "test/registry_test.exs"):
        _call(session, "Read", path, took=0.4)
    _call(session, "Grep", "register(", took=1)
    _say(session, _SECOND, after=9)
    _call(session, "Edit", "test/registry_test.exs", took=0.6)
    _call(session, "Bash", "mix test test/registry_test.exs", took=14, error="1 test, 1 failure")
    _say(session, _CAUSE, after=7)
    _call(session, "Edit", "lib/shop/registry.ex", took=0.5)
    session.event("reasoning", {"tokens": 410, "durationMs": 8000, "id": "r2"}, after=8)
    _call(session, "Edit", "lib/shop/worker.ex", took=0.5)
    _call(session, "Bash", "mix test test/registry_test.exs", took=12)
    _say(session, _FIXED, after=5)
    return session.event("action", {"tool": "Bash", "summary": "mix test", "call": "last"}, after=1)


def _say(session: JournalBuilder, text: str, *, after: float) -> None:
    session.event("remark", {"text": text, "id": f"m{session.seq}"}, after=after)


def _call(session: JournalBuilder, tool: str, summary: str, *, took: float, error: str = "") -> None:
    """Add a call that took some seconds and, with an error, failed."""
    call = f"c{session.seq}"
    end = {"failed": True, "error": error} if error else {"ended": "done"}
    session.event("action", {"tool": tool, "summary": summary, "call": call}, after=1)
    session.event("action", {"tool": tool, "call": call, **end}, after=took)
