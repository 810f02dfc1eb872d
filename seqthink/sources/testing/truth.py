"""Compares what is shown of a session with what is true of it."""

from collections import Counter
from collections.abc import Collection, Sequence

from seqthink.sources.testing.samples import Said

_WORDS = frozenset(("remark", "answer"))
"""Before more has come, a text may be shown as either."""


def require_shown(true: Sequence[Said], shown: Sequence[Said], *, lost: Collection[Said] = (), is_whole: bool) -> None:
    """Raise unless all that is true is shown once, under its agent, in its order, and nothing else.

    Args:
        true: what the client wrote; actions are compared only if it names one.
        shown: what is shown.
        lost: what was destroyed, so that it need not be shown.
        is_whole: whether nothing was destroyed, and all was read at once: then the order counts, and whether a text
            was a remark or an answer.

    Raises:
        AssertionError: something is missing, too much, under another agent, or not in order.
    """
    kinds = {said.kind for said in true}
    wanted = [_seen(said, is_whole=is_whole) for said in true]
    found = [_seen(said, is_whole=is_whole) for said in shown if said.kind != "action" or "action" in kinds]
    spared = Counter(_seen(said, is_whole=is_whole) for said in lost)
    missing = Counter(wanted) - Counter(found) - spared
    too_much = Counter(found) - Counter(wanted)
    assert not missing, f"not shown: {_listed(missing)}" + (f"; shown instead: {_listed(too_much)}" if too_much else "")
    assert not too_much, f"shown, but not true, or twice: {_listed(too_much)}"
    if is_whole:
        for agent in {said[0] for said in wanted}:
            in_order = [said for said in wanted if said[0] == agent and said[1] != "action"]
            order = [said for said in found if said[0] == agent and said[1] != "action"]
            assert order == in_order, f"not in order, of the agent {agent}: {order} instead of {in_order}"


def _seen(said: Said, *, is_whole: bool) -> tuple[str | None, str, str]:
    kind = "words" if not is_whole and said.kind in _WORDS else said.kind
    return said.agent, kind, said.text


def _listed(counted: Counter[tuple[str | None, str, str]]) -> str:
    return ", ".join(
        f"{count}x {kind} {text!r} of {agent or 'the main agent'}" for (agent, kind, text), count in counted.items()
    )
