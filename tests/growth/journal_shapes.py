"""Journals of every shape, in any size."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

Event = dict[str, Any]


def write_journal(path: Path, events: Iterator[Event]) -> None:
    """Write a journal with these events behind its first line."""
    session = {"type": "session", "session": path.name.removesuffix(".jsonl"), "title": "Growth"}
    with path.open("w", encoding="utf-8") as file:
        for seq, event in enumerate([session, *events], 1):
            if "raw" in event:
                file.write(f"{event['raw']}\n")
                continue
            time = f"2026-03-10T{14 + seq // 3600 % 8}:{seq // 60 % 60:02}:{seq % 60:02}.000000Z"
            file.write(json.dumps({"v": 1, "seq": seq, "time": time, **event}, separators=(",", ":")) + "\n")


def thought(number: int, text: str = "look at the pool", **more: object) -> Event:
    """Return a thought."""
    known = {"thought": f"{text} {number}", "nextThoughtNeeded": True, "thoughtNumber": number, "totalThoughts": number}
    return {"type": "thought", **known, **more}


def _straight(size: int) -> Iterator[Event]:
    return (thought(number) for number in range(1, size + 1))


def _branches_of_one(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(size):
        yield thought(2, branchFromThought=1, branchId=f"b{number}")


def _branches_of_branches(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(1, size):
        yield thought(number + 1, branchFromThought=number, branchId=f"b{number}")


def _branches_in_turn(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(size):
        yield thought(2 + number // 20, branchFromThought=1, branchId=f"b{number % 20}")


def _revisions_of_one(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(2, size):
        yield thought(number, isRevision=True, revisesThought=1)


def _revisions_of_revisions(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(2, size):
        yield thought(number, isRevision=True, revisesThought=number - 1)


def _long_arrows(size: int) -> Iterator[Event]:
    yield from _straight(size // 2)
    for number in range(1, size // 2):
        yield thought(size // 2 + number, isRevision=True, revisesThought=number)


def _equal_numbers(size: int) -> Iterator[Event]:
    return (thought(7) for _ in range(size))


def _many_chains(size: int) -> Iterator[Event]:
    return (thought(1 + number % 2) for number in range(size))


def _falling_numbers(size: int) -> Iterator[Event]:
    return (thought(size - number) for number in range(size))


def _equal_texts(size: int) -> Iterator[Event]:
    for number in range(1, size + 1):
        yield thought(number) | {"thought": "the pool is exhausted because nobody gives connections back " * 4}


def _agents(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(size):
        yield {"type": "agent", "id": f"a{number}", "name": f"Explore: {number}", "of": 2}
        yield thought(1, agent=f"a{number}")


def _agents_of_agents(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(size):
        parent = {"parent": f"a{number - 1}"} if number else {}
        yield {"type": "agent", "id": f"a{number}", "name": f"Explore: {number}", "of": 2 + 2 * number, **parent}
        yield thought(1, agent=f"a{number}")


def _agents_in_turn(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(10):
        yield {"type": "agent", "id": f"a{number}", "name": f"Explore: {number}", "of": 2}
    for number in range(size):
        yield thought(1 + number // 10, agent=f"a{number % 10}")


def _turns(size: int) -> Iterator[Event]:
    for number in range(size):
        yield {"type": "prompt", "text": f"Why {number}?", "id": f"p{number}"}
        yield {"type": "reasoning", "text": f"because {number}", "id": f"r{number}"}
        yield {"type": "turn", "text": f"It is {number}.", "id": f"t{number}"}


def _rewinds_to_one(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(size):
        yield {"type": "prompt", "text": f"Why {number}?", "id": f"p{number}"}
        yield thought(2)
        yield {"type": "rewound", "of": 3, "id": f"w{number}"}


def _rewinds_of_each(size: int) -> Iterator[Event]:
    for number in range(size):
        yield thought(number + 1)
    for number in range(size, 0, -1):
        yield {"type": "rewound", "of": number + 1, "id": f"w{number}"}


def _actions_of_one(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(size):
        yield {"type": "action", "tool": "Read", "summary": f"file{number}.py", "call": f"c{number}"}
        if number % 3 == 0:
            yield {"type": "action", "tool": "Read", "failed": True, "call": f"c{number}"}
        elif number % 2:
            yield {"type": "action", "tool": "Read", "ended": "done", "call": f"c{number}"}
    yield thought(2)


def _refused(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(size):
        yield {"type": "rejected", "error": "Invalid thoughtNumber", "arguments": {"thought": f"x{number}"}}


def _context_of_one(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(size):
        yield {
            "type": "context",
            "id": f"k{number}",
            "action": "store",
            "content": f"fact {number}",
            "tags": ["pool"],
            "of": 2,
        }


def _updates_of_one(size: int) -> Iterator[Event]:
    yield thought(1)
    yield {"type": "context", "id": "k", "action": "store", "content": "fact", "tags": ["pool"], "of": 2}
    for number in range(size):
        yield {"type": "context", "id": "k", "action": "update", "content": f"fact {number}", "of": 2}


def _notes_of_one(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(size):
        yield {
            "type": "note",
            "id": f"{number:016x}",
            "text": f"look {number}",
            "of": 2,
            "writtenAt": "2026-03-10T14:00:00Z",
        }


def _audits_of_one(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(size):
        yield {"type": "auditing", "of": 2, "done": number, "steps": size, "doing": "judging"}
        yield {"type": "audit", "of": 2, "config": {}, "error": "client left"}


def _questions_of_one(size: int) -> Iterator[Event]:
    yield thought(1)
    for _ in range(size):
        yield {"type": "asking", "of": 2, "purpose": "limit", "kind": "elicit"}


def _resumes(size: int) -> Iterator[Event]:
    for number in range(size):
        yield {"type": "session", "session": "growth", "resumed": True}
        yield thought(number + 1)


def _unknown(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(size):
        yield {"type": f"new{number}", "of": 2}


def _compacted(size: int) -> Iterator[Event]:
    yield thought(1)
    for number in range(size):
        yield {"type": "compacted", "tokensBefore": 100000, "tokensAfter": 1000, "id": f"k{number}"}


def _damaged(size: int) -> Iterator[Event]:
    for number in range(1, size + 1):
        yield {"raw": f'{{"v":1,"seq":{number},'} if number % 2 else thought(number)


def _damaged_with_targets(size: int) -> Iterator[Event]:
    yield {"raw": "{"}
    yield from _notes_of_one(size)
    yield from ({"type": "context", "id": "k", "action": "update", "content": "c", "of": 3 + n} for n in range(size))


def _equal_seqs(size: int) -> Iterator[Event]:
    return (thought(number, seq=7) for number in range(1, size + 1))


def _one_text(text: Callable[[int], str]) -> Callable[[int], Iterator[Event]]:
    return lambda size: iter([thought(1), thought(2) | {"thought": text(size)}, thought(3)])


def _tags_in_text(size: int) -> str:
    return " ".join(f"#tag{number}" for number in range(size))


def _nested_lists(size: int) -> str:
    return "\n".join(f"{'  ' * (number % 20)}- item {number}" for number in range(size))


def _table(size: int) -> str:
    rows = "\n".join(f"| {number} | {number} |" for number in range(size))
    return f"| a | b |\n| --- | --- |\n{rows}"


def _fences(size: int) -> str:
    return "\n".join(f"```python\nx{number} = {number}\n```" for number in range(size))


TEXTS: Final[dict[str, Callable[[int], str]]] = {
    "one long line": lambda size: "word " * size,
    "a run of letters": lambda size: "x" * size,
    "a run of opening brackets": lambda size: "[" * size,
    "a run of brackets": lambda size: "[](" * size,
    "a run of backticks": lambda size: " ".join("`" * (number % 40 + 1) for number in range(size)),
    "a run of stars": lambda size: "*a_ " * size,
    "a run of tildes": lambda size: "~" * size,
    "a run of quotes": lambda size: ">" * size,
    "a run of dollars": lambda size: "$a " * size,
    "a run of angles": lambda size: "<a " * size,
    "a run of ampersands": lambda size: "&amp;" * size,
    "many lines": lambda size: "a line\n" * size,
    "many blank lines": lambda size: "\n" * size,
    "nested quotes": lambda size: "\n".join(">" * (number % 30) + f" q{number}" for number in range(size)),
    "nested lists": _nested_lists,
    "a table": _table,
    "fences": _fences,
    "nested fences": lambda size: "\n".join("`" * (3 + number % 50) for number in range(size)),
    "one fence": lambda size: "```python\n" + "x = [1]\n" * size + "```",
    "an open fence": lambda size: "```diff\n" + "+x = [1]\n-y\n" * size,
    "a diff": lambda size: "```diff\n--- a/x.py\n+++ b/x.py\n" + "@@ -1,2 +1,2 @@\n a\n-b\n+c\n" * size + "```",
    "links": lambda size: "".join(f"[a{number}][{number}] " for number in range(size)),
    "tags": _tags_in_text,
    "control characters": lambda size: "\x1b[31m\u202e\x00" * size,
    "combining characters": lambda size: "e" + "\u0301" * size,
    "secrets": lambda size: "api_key = 'AKIAIOSFODNN7EXAMPLE' " * size,
    "words like secrets": lambda size: "password=" * size,
}
"""Texts of one thought."""

SHAPES: Final[dict[str, Callable[[int], Iterator[Event]]]] = {
    "straight": _straight,
    "branches of one thought": _branches_of_one,
    "branches of branches": _branches_of_branches,
    "branches in turn": _branches_in_turn,
    "revisions of one thought": _revisions_of_one,
    "revisions of revisions": _revisions_of_revisions,
    "long arrows": _long_arrows,
    "equal numbers": _equal_numbers,
    "many chains": _many_chains,
    "falling numbers": _falling_numbers,
    "equal texts": _equal_texts,
    "agents": _agents,
    "agents of agents": _agents_of_agents,
    "agents in turn": _agents_in_turn,
    "turns": _turns,
    "rewinds to one thought": _rewinds_to_one,
    "rewinds of each thought": _rewinds_of_each,
    "actions of one thought": _actions_of_one,
    "refused calls": _refused,
    "context items of one thought": _context_of_one,
    "updates of one item": _updates_of_one,
    "notes of one thought": _notes_of_one,
    "audits of one thought": _audits_of_one,
    "questions of one thought": _questions_of_one,
    "resumes": _resumes,
    "unknown lines": _unknown,
    "compactions": _compacted,
    "damaged lines": _damaged,
    "damaged, and targets": _damaged_with_targets,
    "equal seqs": _equal_seqs,
    **{f"a text: {name}": _one_text(text) for name, text in TEXTS.items()},
}
"""Journals, by what there is much of."""
