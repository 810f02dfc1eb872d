"""A repository that three agents and a user make by chance, and for each of its lines who wrote it."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.support.transcripts.agents_at_work import MINUTE, Agent, World

NAMES = ("shop/db.py", "shop/cart.py", "shop/api/orders.py", "web/app.js", "README.md")
COMMON = ("", "}", "    return None", "    pass", "else:", "    )")
WORDS = (
    *("pool", "cart", "order", "price", "total", "stock", "user", "token", "retry"),
    *("queue", "cache", "index", "event", "route", "query", "page"),
)


@dataclass(eq=False)
class Line:
    """A line of a file."""

    text: str
    call: str | None
    """The call that wrote it; None for the user."""


class MadeRepository:
    """Lets agents and the user work by turns.

    Args:
        folder: where the repository is made.
        seed: of the chances.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.world = World(folder)
        self.chance = Random(seed)
        self.files: dict[str, list[Line]] = {}
        self.agents = [self.world.agent(name) for name in ("ada", "bob", "cyd")]
        self._counter = 0
        self._gone: list[str] = []

    def run(self, commits: int) -> None:
        """Work until there are so many commits."""
        for number in range(commits):
            for _ in range(self.chance.randint(1, 3)):
                self._work()
            self.world.tick(self.chance.randint(5, 40) * MINUTE // 10)
            if self.chance.random() < 0.5:
                self.chance.choice(self.agents).commit(f"step {number}")
            else:
                self.world.commit(f"step {number}")
            if self.chance.random() < 0.06:
                self._rename(number)
            self.world.tick(self.chance.randint(1, 600) * MINUTE)

    def _work(self) -> None:
        agent = self.chance.choice(self.agents)
        kind = self.chance.random()
        path = self.chance.choice([*self.files, *NAMES])
        agent.think(f"Thought about {path} {self._counter}")
        if path not in self.files:
            self._write(agent, path, [self._text() for _ in range(self.chance.randint(4, 20))])
        elif kind < 0.1:
            self._rewrite(agent, path)
        elif kind < 0.75:
            self._edit(agent, path)
        elif kind < 0.8:
            agent.write(path, "nothing of this\nhappened at all\n", is_error=True)
        else:
            self._by_hand(path)

    def _text(self) -> str:
        kind = self.chance.random()
        if kind < 0.2:
            return self.chance.choice(COMMON)
        if kind < 0.25 and self._gone:
            return self.chance.choice(self._gone)
        if kind < 0.3:
            known = [line.text for lines in self.files.values() for line in lines]
            return self.chance.choice(known or ["    start(here)"])
        self._counter += 1
        words = self.chance.sample(WORDS, 2)
        return f"    {words[0]}_{self._counter} = make_{words[1]}({self._counter % 7})"

    def _write(self, agent: Agent, path: str, texts: list[str]) -> None:
        call = agent.write(path, "".join(f"{text}\n" for text in texts))
        self.files[path] = [Line(text, call) for text in texts]

    def _rewrite(self, agent: Agent, path: str) -> None:
        """Write a whole file again: most of its lines stay whose they are."""
        lines = [line for line in self.files[path] if self.chance.random() < 0.9]
        place = self.chance.randint(0, len(lines))
        new = [Line(self._new_text(path), "") for _ in range(self.chance.randint(1, 4))]
        lines[place:place] = new
        call = agent.write(path, "".join(f"{line.text}\n" for line in lines))
        for line in new:
            line.call = call
        self.files[path] = lines

    def _new_text(self, path: str) -> str:
        """Return a text that the file does not have: else nobody could say which of two equal lines is new."""
        known = {line.text for line in self.files[path]}
        return next(text for text in iter(self._text, "never") if text not in known or text in COMMON)

    def _edit(self, agent: Agent, path: str) -> None:
        lines = self.files[path]
        start = self.chance.randint(0, max(0, len(lines) - 1))
        stop = min(len(lines), start + self.chance.randint(1, 4))
        old = lines[start:stop]
        before = "".join(f"{line.text}\n" for line in old)
        whole = "".join(f"{line.text}\n" for line in lines)
        if not old or whole.count(before) != 1:
            return
        kept = [line for line in old if self.chance.random() < 0.5]
        new = [Line(self._new_text(path), "") for _ in range(self.chance.randint(1, 5))]
        place = self.chance.randint(0, len(kept))
        result = [*kept[:place], *new, *kept[place:]]
        call = agent.edit(path, before, "".join(f"{line.text}\n" for line in result))
        for line in new:
            line.call = call
        self._gone += [line.text for line in old if line not in kept]
        lines[start:stop] = result

    def _by_hand(self, path: str) -> None:
        """Let the user change, add and remove lines, between two commits."""
        self.world.commit("before the user")
        self.world.tick(MINUTE)
        lines = self.files[path]
        for _ in range(self.chance.randint(1, 3)):
            place = self.chance.randint(0, len(lines))
            kind = self.chance.random()
            if kind < 0.4 and place < len(lines):
                self._gone.append(lines.pop(place).text)
            elif kind < 0.7 and place < len(lines):
                lines[place] = Line(lines[place].text + "  # by hand", None)
            else:
                lines.insert(place, Line(self._new_text(path), None))
        self.world.by_hand(path, "".join(f"{line.text}\n" for line in lines))
        self.world.tick(MINUTE)
        self.world.commit("by the user")

    def _rename(self, number: int) -> None:
        path = self.chance.choice(list(self.files))
        folder, _, name = path.rpartition("/")
        new = f"{folder}/r{number}_{name}" if folder else f"r{number}_{name}"
        self.world.git("mv", path, new)
        self.world.commit("rename")
        self.files[new] = self.files.pop(path)
