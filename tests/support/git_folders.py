"""Git folders as git lays them out, made without git."""

from pathlib import Path

COMMIT = "4d93628280608ca43390b54f48dbb68907322400"


def git_folder(top: Path, *, branch: str = "main", origin: str = "") -> None:
    """Make the folder ``top`` a repository with a branch and an origin."""
    git = top / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text(f"ref: refs/heads/{branch}\n", "utf-8")
    remote = f'[remote "origin"]\n\turl = {origin}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n' if origin else ""
    (git / "config").write_text(f"[core]\n\tbare = false\n{remote}", "utf-8")


def worktree(top: Path, folder: Path, *, branch: str, git: str = ".git") -> None:
    """Make ``folder`` a working tree of the repository whose git folder is ``top / git``."""
    own = top / git / "worktrees" / folder.name
    own.mkdir(parents=True)
    (own / "HEAD").write_text(f"ref: refs/heads/{branch}\n", "utf-8")
    (own / "commondir").write_text("../..\n", "utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".git").write_text(f"gitdir: {own}\n", "utf-8")
