"""Hypothesis strategies for journals: small alphabets, so that numbers clash and references miss."""

from typing import Any

from hypothesis import strategies as st

from tests.support.journals.events_factory import Journal

_maybe_number = st.none() | st.integers(1, 6)


@st.composite
def _thoughts(draw: st.DrawFn, agents: tuple[str, ...]) -> dict[str, Any]:
    """Draw a thought as agents write them: mostly plain, sometimes with every field."""
    fields: dict[str, Any] = {
        "thought": draw(st.sampled_from(["x", "y", "so branch b", "as `a` says", "a-1 and `b`"])),
        "thoughtNumber": draw(st.integers(1, 5)),
        "totalThoughts": draw(st.integers(1, 6)),
        "nextThoughtNeeded": draw(st.booleans()),
    }
    shape = draw(st.sampled_from(["plain", "branch", "revision", "anything"]))
    if shape in {"branch", "anything"}:
        fields["branchId"] = draw(st.sampled_from([None, "a", "b", "a-1", ""]))
        fields["branchFromThought"] = draw(_maybe_number)
    if shape in {"revision", "anything"}:
        fields["isRevision"] = draw(st.sampled_from([None, True, False]))
        fields["revisesThought"] = draw(_maybe_number)
    fields["agent"] = draw(st.sampled_from([None, *agents]))
    if shape == "anything":
        fields["answeredNext"] = draw(st.none() | st.booleans())
        fields["needsMoreThoughts"] = draw(st.none() | st.booleans())
    return {"call": "thought", "fields": fields}


def _calls(*names: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"call": st.sampled_from(names), **fields})


def _steps(size: int, agents: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    of = st.integers(1, size)
    others = st.one_of(
        _calls("audit", of=of, verdict=st.sampled_from([None, "pass", "revise", "reject", "odd"])),
        _calls(
            "elicit",
            of=of,
            action=st.sampled_from([None, None, "accept", "decline"]),
            error=st.sampled_from([None, "client left", "the call was called off", "no answer within 600 s"]),
            purpose=st.sampled_from(["limit", "ask"]),
        ),
        _calls("asking", of=of, kind=st.sampled_from(["sample", "elicit"]), purpose=st.sampled_from(["limit", "next"])),
        _calls("auditing", of=of, done=st.integers(0, 3)),
        _calls("context", of=st.none() | of),
        _calls("note", "sample", of=of),
        _calls("session", title=st.sampled_from([None, "", "T", "U"])),
        _calls("rejected", agent=st.sampled_from([None, *agents])),
        _calls("end", "unread", "corrupt", "gap", "clock"),
    )
    if agents:
        known = {
            "agent": st.sampled_from(agents),
            "parent": st.sampled_from([None, *agents, "X"]),
            "of": st.none() | of,
        }
        others |= _calls("agent", **known)
    return st.one_of(*[_thoughts(agents)] * 3, _calls("again"), others)


def _transcript_steps(size: int, agents: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    """What only a transcript says, hostile lines included: an unknown ``of``, a call that failed before it was made."""
    agent, of = st.sampled_from([None, None, *agents]), st.integers(1, size)
    text, counts = st.sampled_from([None, "", "hm"]), st.sampled_from([0, 0, 3])
    calls = st.sampled_from([None, "c1", "c2"])
    return st.one_of(
        _calls("prompt", agent=agent),
        _calls("reason", agent=agent, text=text),
        _calls("reason", agent=agent),
        _calls("say", agent=agent),
        _calls("answer", agent=agent, text=text, aborted=st.booleans()),
        _calls("act", agent=agent, tool=st.sampled_from(["Read", "Bash"]), made=calls, failed=st.booleans()),
        _calls("act", agent=agent, made=calls, ended=st.sampled_from(["done", "interrupted", "unknown"])),
        _calls("asking", of=of, purpose=st.sampled_from(["limit", "next"]), made=st.just("c1")),
        _calls("compacted", agent=agent, after=st.sampled_from([None, 0, 100])),
        _calls("used", agent=agent, tokens=st.integers(0, 1200), window=st.sampled_from([None, 0, 1000])),
        _calls("skipped", corrupt=counts, tooLong=counts, unknown=counts, id=st.sampled_from([None, "s"])),
        _calls("rewound", agent=agent, of=of),
        _calls("session", resumed=st.just(value=True)),
        _calls("agent", agent=st.sampled_from(["F"]), of=st.none() | of, fork=st.just(value=True)),
    )


def journal_steps(size: int, agents: tuple[str, ...], *, transcript: bool) -> st.SearchStrategy[dict[str, Any]]:
    """Return single steps of a journal, for `play`."""
    steps = _steps(size, agents)
    return st.one_of(steps, _transcript_steps(size, agents)) if transcript else steps


@st.composite
def journals(draw: st.DrawFn, size: int = 24, *, transcript: bool = False) -> Journal:
    """Draw a journal: valid events in their order, some lines unknown or corrupt.

    With ``transcript`` some have what only a transcript says.
    """
    journal = Journal()
    length = draw(st.integers(0, size))  # drawn separately: lists are short on average otherwise
    agents = draw(st.sampled_from([(), ("A",), ("A", "B")]))
    steps = _steps(size, agents)
    if transcript and draw(st.booleans()):
        agents = (*agents, "F")
        steps = st.one_of(_steps(size, agents), _transcript_steps(size, agents))
    for step in draw(st.lists(steps, min_size=length, max_size=length)):
        play(journal, step)
    return journal


def play(journal: Journal, step: dict[str, Any]) -> None:
    """Apply one drawn step to the journal."""
    call, fields = step["call"], {name: value for name, value in step.items() if name != "call"}
    if call == "thought":
        spoken = dict(step["fields"])
        journal.think(spoken.pop("thoughtNumber"), spoken.pop("thought"), **spoken)
    elif call == "again":
        if journal.has_thoughts:
            journal.again()
    elif call == "gap":
        journal.seq += 2
    elif call == "clock":
        journal.turn_back()
    else:
        getattr(journal, call)(**fields)
