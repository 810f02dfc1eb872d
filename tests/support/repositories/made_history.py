"""A repository whose every line has a known origin: agents of three clients, and people who write by hand.

It has what makes the question "who wrote this line?" hard in practice: edits with neighbouring lines that stay, files
rewritten as a whole, refused edits with the text of a later one, lines that occur again and again, two agents in one
commit, people who change an agent's lines, renamed files, worktrees that are merged, an attempt at the same text in
a worktree that is thrown away, subfolders as working folders, and changes that are not committed.
"""

import os
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.support.repositories.agents import CLIENTS, Agent, Clock, Part

_COMMON = ("", "    return None", "    pass", "    else:", "    try:")
"""Lines that say nothing about who wrote them."""
_VERBS = ("load", "check", "merge", "price", "route", "count", "close", "retry", "parse", "store")
_NOUNS = ("order", "basket", "invoice", "stock", "voucher", "parcel", "refund", "ledger", "quota", "batch")
_FOLDERS = ("src", "src/shop", "lib", "tools")


class Origin(NamedTuple):
    """What led to a line that an agent wrote."""

    client: str
    session: str
    call: str
    thought: str


class KnownLine(NamedTuple):
    """A line, and where it comes from."""

    text: str
    origin: Origin | None
    """None: a person wrote it."""
    commit: int
    """Number of the commit that brought it, from 1; that of the next one if it is not committed."""


class MadeHistory(NamedTuple):
    """A repository, the transcripts of its agents, and the truth."""

    repository: Path
    home: Path
    """The home folder of the clients."""
    files: dict[str, list[KnownLine]]
    """The lines of each file in the working tree, by its path."""
    commits: list[str]
    """The hashes, from the first on."""


def make_history(folder: Path, commits: int = 200, seed: int = 1) -> MadeHistory:
    """Make a repository in ``folder``, in some seconds."""
    maker = _Maker(folder, random.Random(seed))
    while len(maker.commits) < commits:
        maker.one_commit()
    maker.leave_uncommitted()
    return MadeHistory(maker.tree, maker.home, maker.files, maker.commits)


class _Maker:
    def __init__(self, folder: Path, dice: random.Random) -> None:
        self.tree, self.home = folder / "shop", folder / "home"
        self.files: dict[str, list[KnownLine]] = {}
        self.commits: list[str] = []
        self._dice = dice
        self._clock = Clock()
        self._count = 0
        self._sessions = 0
        self._agents: list[Agent] = []
        self.tree.mkdir(parents=True)
        self.home.mkdir()
        self._git("init", "--quiet", "--initial-branch=main")
        self._git("remote", "add", "origin", "https://example.com/ada/shop.git")
        self._write_new(by=None)
        self._write_new(by=None)
        self._commit("Begin")

    def one_commit(self) -> None:
        """Make one commit, or the few of a worktree and their merge."""
        kinds = {
            self._agents_work: 60,
            self._two_agents: 8,
            self._by_hand: 14,
            self._hand_after_agent: 8,
            self._rename: 4,
            self._merged_worktree: 3,
            self._rival: 3,
        }
        [kind] = self._dice.choices(list(kinds), list(kinds.values()))
        kind()

    def leave_uncommitted(self) -> None:
        """Change two files without a commit: one by an agent, one by hand."""
        self._edit(self._agent(), self._some_file())
        self._edit(None, self._some_file())

    def _agents_work(self) -> None:
        agent = self._agent()
        if len(self.files) < 24 and self._dice.random() < 0.3:
            self._write_new(agent)
        for _ in range(self._dice.randint(1, 4)):
            path = self._some_file()
            if self._dice.random() < 0.15:
                self._refused(agent, path)
            elif self._dice.random() < 0.1:
                self._rewrite(agent, path)
            else:
                self._edit(agent, path)
        self._commit("Work")

    def _two_agents(self) -> None:
        for agent in (self._agent(), self._agent()):
            self._edit(agent, self._some_file())
        self._commit("Work of two")

    def _by_hand(self) -> None:
        for _ in range(self._dice.randint(1, 3)):
            self._edit(None, self._some_file())
        self._commit("By hand")

    def _hand_after_agent(self) -> None:
        """A person changes some lines that an agent has just written, before they are committed."""
        path = self._some_file()
        self._edit(self._agent(), path)
        lines = self.files[path]
        written = [place for place, line in enumerate(lines) if line.origin and line.commit == self._next]
        for place in written[: len(written) // 2]:
            if lines[place].text not in _COMMON:
                lines[place] = KnownLine(f"{lines[place].text}  # checked by hand", None, self._next)
        self._save(path)
        self._commit("Work, looked through")

    def _rename(self) -> None:
        path = self._some_file()
        new = f"{self._dice.choice(_FOLDERS)}/renamed_{len(self.commits)}.py"
        self._clock.step(5)
        (self.tree / new).parent.mkdir(parents=True, exist_ok=True)
        self._git("mv", path, new)
        if self._dice.random() < 0.5:
            self._agent().run(f"git mv {path} {new}")
        self.files[new] = self.files.pop(path)
        self._commit("Rename")

    def _merged_worktree(self) -> None:
        """An agent works in a worktree, whose branch is merged."""
        name = f"feat-{len(self.commits)}"
        path = self._some_file()
        folder = self.tree.parent / name
        self._git("worktree", "add", "--quiet", "-b", name, str(folder))
        agent = self._new_agent(folder)
        for _ in range(2):
            self._edit(agent, path, tree=folder)
            self._commit("Work on a branch", folder)
        self._clock.step(20)
        self._git("merge", "--quiet", "--no-ff", "-m", "Merge", name)
        self.commits.append(self._git("rev-parse", "HEAD"))
        self._git("worktree", "remove", "--force", str(folder))

    def _rival(self) -> None:
        """Two agents write the same text, one of them in a worktree that is thrown away."""
        name = f"try-{len(self.commits)}"
        path = self._some_file()
        folder = self.tree.parent / name
        self._git("worktree", "add", "--quiet", "-b", name, str(folder))
        lines, rival = self.files[path], self._new_agent(folder)
        part = self._part(path, lines)
        rival.change(self._thought("an attempt"), part)
        self._git("worktree", "remove", "--force", str(folder))
        self._git("branch", "--quiet", "-D", name)
        self._apply(self._agent(), part, lines)
        self._save(path)
        self._commit("Work, tried twice")

    def _agent(self) -> Agent:
        """Return an agent that works in the repository itself: one of before, or a new one."""
        if self._agents and self._dice.random() < 0.75:
            return self._dice.choice(self._agents[-4:])
        agent = self._new_agent(self.tree)
        self._agents.append(agent)
        return agent

    def _new_agent(self, tree: Path) -> Agent:
        self._sessions += 1
        make = CLIENTS[self._sessions % len(CLIENTS)]
        session = f"{self._sessions:08x}-5eed-4000-8000-{self._sessions:012x}"
        inner = tree / "src"
        cwd = inner if inner.is_dir() and self._dice.random() < 0.3 else tree
        return make(self.home, tree, cwd, session, self._clock)

    @property
    def _next(self) -> int:
        return len(self.commits) + 1

    def _some_file(self) -> str:
        return self._dice.choice(sorted(self.files))

    def _write_new(self, by: Agent | None) -> None:
        path = f"{self._dice.choice(_FOLDERS)}/{self._dice.choice(_NOUNS)}_{len(self.files) + len(self.commits)}.py"
        part = Part(path, 0, (), self._new_lines(self._dice.randint(8, 30)))
        self.files[path] = []
        self._apply(by, part, self.files[path])
        self._save(path)

    def _rewrite(self, agent: Agent, path: str) -> None:
        """An agent writes the whole file, most of which stays as it was."""
        lines = self.files[path]
        part = self._part(path, lines)
        texts = [line.text for line in lines]
        texts[part.start : part.start + len(part.before)] = part.after
        self._apply(agent, part, lines, as_written=Part(path, 0, (), texts))
        self._save(path)

    def _refused(self, agent: Agent, path: str) -> None:
        """An agent's edit is refused; another agent makes it later."""
        lines = self.files[path]
        part = self._part(path, lines)
        agent.change(self._thought("it cannot be replaced like this"), part, works=False)
        self._apply(self._agent(), part, lines)
        self._save(path)

    def _edit(self, by: Agent | None, path: str, tree: Path | None = None) -> None:
        lines = self.files[path]
        part = self._part(path, lines)
        self._apply(by, part, lines)
        self._save(path, tree)

    def _part(self, path: str, lines: list[KnownLine]) -> Part:
        """Return a change of a place whose old text occurs once: what goes, what comes, and some neighbours."""
        texts = [line.text for line in lines]
        size = min(len(texts), self._dice.randint(0, 4))
        at = self._dice.randint(0, len(texts) - size)
        first, last = max(0, at - 2), min(len(texts), at + size + 2)
        while _count_of(texts, texts[first:last]) > 1:
            first, last = max(0, first - 1), min(len(texts), last + 1)
        new = self._new_lines(self._dice.randint(1, 6))
        after = [*texts[first:at], *new, *texts[at + size : last]]
        return Part(path, first, texts[first:last], after)

    def _apply(self, by: Agent | None, part: Part, lines: list[KnownLine], as_written: Part | None = None) -> None:
        """Change the known lines, and report it if an agent did; lines that stay keep their origin."""
        origin = None
        self._clock.step(3)
        if by is not None:
            thought = self._thought(f"{part.path} needs this")
            call = by.change(thought, as_written or part)
            origin = Origin(by.client, by.session, call, thought)
        old = lines[part.start : part.start + len(part.before)]
        head = _common(part.before, part.after)
        tail = min(_common(part.before[::-1], part.after[::-1]), len(old) - head, len(part.after) - head)
        new = [KnownLine(text, origin, self._next) for text in part.after[head : len(part.after) - tail]]
        lines[part.start : part.start + len(old)] = [*old[:head], *new, *old[len(old) - tail :]]

    def _new_lines(self, count: int) -> list[str]:
        return [self._dice.choice(_COMMON) if self._dice.random() < 0.2 else self._new_line() for _ in range(count)]

    def _new_line(self) -> str:
        self._count += 1
        verb, noun = self._dice.choice(_VERBS), self._dice.choice(_NOUNS)
        return f"    {noun}_{self._count} = {verb}_{noun}({self._dice.choice(_NOUNS)}, {self._dice.randint(2, 99)})"

    def _thought(self, about: str) -> str:
        self._count += 1
        return f"Thought {self._count}: {about}"

    def _save(self, path: str, tree: Path | None = None) -> None:
        file = (tree or self.tree) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{line.text}\n" for line in self.files[path]), encoding="utf-8")

    def _commit(self, message: str, tree: Path | None = None) -> None:
        self._clock.step(self._dice.randint(10, 600))
        self._git("add", "--all", tree=tree)
        self._git("commit", "--quiet", "--allow-empty", "-m", message, tree=tree)
        self.commits.append(self._git("rev-parse", "HEAD", tree=tree))
        self._clock.step(self._dice.randint(30, 4000))

    def _git(self, *arguments: str, tree: Path | None = None) -> str:
        who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in _PERSON.items()}
        times = {f"GIT_{role}_DATE": f"{self._clock.now} +0000" for role in ("AUTHOR", "COMMITTER")}
        own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "HOME": str(self.home)}
        run = subprocess.run(
            ["git", *arguments],
            cwd=tree or self.tree,
            env={"PATH": os.environ["PATH"], **own, **who, **times},
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
        return run.stdout.strip()


_PERSON = {"NAME": "Ada", "EMAIL": "ada@example.com"}


def _count_of(texts: Sequence[str], part: Sequence[str]) -> int:
    """Return how often consecutive lines occur among others."""
    if not part:
        return 1
    wide = "\n".join(("", *texts, ""))
    return wide.count("\n".join(("", *part, "")))


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many first lines two parts have in common."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
