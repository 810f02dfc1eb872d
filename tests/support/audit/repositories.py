"""Real git repositories for tests, without any user configuration."""

import os
import subprocess
from pathlib import Path

_IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}


class Repo:
    """A repository at ``root``, with helpers to fill it."""

    def __init__(self, root: Path, *options: str) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "trunk", *options)

    def git(self, *arguments: str) -> str:
        """Run git here, and return its output."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, env={**os.environ, **_IDENTITY}, capture_output=True, check=True
        )
        return done.stdout.decode("utf-8", "surrogateescape")

    def write(self, path: str, text: str | bytes) -> Path:
        """Write ``text`` to a file, exactly."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    def commit(self, **files: str | bytes) -> None:
        """Commit everything, after writing ``files``."""
        for path, text in files.items():
            self.write(path, text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "step")

    def configure(self, text: str) -> None:
        """Append ``text`` to the repository's own configuration, as anyone with write access could."""
        with (self.root / ".git" / "config").open("a", encoding="utf-8") as config:
            config.write(text)

    def snapshot(self) -> dict[str, bytes | str]:
        """Return every file's bytes by path, git's own included; of a link, its target."""
        return {
            str(path.relative_to(self.root)): str(path.readlink()) if path.is_symlink() else path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_symlink() or path.is_file()
        }
