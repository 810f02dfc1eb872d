"""Weighs a line as a shell command: known programs, their subcommands, flags, paths and operators. Pure."""

import re
from collections.abc import Sequence
from typing import Final

_WORD_PROGRAMS: Final = frozenset({
    "make", "go", "cat", "find", "cut", "sort", "head", "tail", "kill", "test", "touch", "diff", "patch", "echo",
    "source", "export", "which", "watch", "time", "cargo", "node", "swift", "less", "more", "split", "join", "read",
    "set", "type", "top", "wait", "link", "install", "bundle", "rails", "rake", "gem", "composer", "black", "tee",
    "tree", "code", "flask", "just", "task", "open", "run", "ping", "host", "dig", "screen", "paste", "file",
    "strings", "date", "sleep",
})  # fmt: skip
"""Programs whose names are English words, too."""
_PROGRAMS: Final = _WORD_PROGRAMS | {
    "git", "gh", "npm", "npx", "yarn", "pnpm", "bun", "bunx", "deno", "tsc", "eslint", "prettier", "jest", "vitest",
    "vite", "pip", "pip3", "pipx", "python", "python3", "pytest", "tox", "uv", "uvx", "poetry", "ruff", "mypy",
    "pyright", "conda", "rustc", "rustup", "gofmt", "cmake", "ninja", "gcc", "g++", "clang", "ctest", "gdb",
    "valgrind", "docker", "docker-compose", "podman", "kubectl", "helm", "terraform", "ansible", "ansible-playbook",
    "aws", "gcloud", "az", "curl", "wget", "ssh", "scp", "rsync", "ls", "cd", "mkdir", "rmdir", "rm", "cp", "mv",
    "ln", "chmod", "chown", "grep", "rg", "sed", "awk", "tar", "gzip", "gunzip", "zip", "unzip", "sudo", "apt",
    "apt-get", "brew", "dnf", "yum", "apk", "systemctl", "journalctl", "service", "psql", "pg_dump", "mysql",
    "mysqldump", "sqlite3", "redis-cli", "mongosh", "gradle", "mvn", "java", "javac", "kotlinc", "scala", "sbt",
    "php", "artisan", "phpunit", "dotnet", "xcodebuild", "wc", "uniq", "xargs", "ps", "pkill", "lsof", "netstat",
    "ss", "df", "du", "env", "pwd", "whoami", "ruby", "irb", "rspec", "lua", "luarocks", "perl", "bash", "sh",
    "zsh", "nohup", "tmux", "crontab", "openssl", "ssh-keygen", "jq", "yq", "alembic", "django-admin", "celery",
    "gunicorn", "uvicorn", "nginx", "strace", "perf", "flyctl", "heroku", "vercel", "nvm", "pyenv", "rbenv", "tr",
    "printf", "stat", "nc", "unset", "apply_patch", "codex", "claude", "hyperfine", "pre-commit", "trap", "eval",
    "exec", "chsh", "base64", "sha256sum", "md5sum", "ffmpeg", "go-test", "rubocop", "golangci-lint", "buf",
    "protoc", "pulumi", "minikube", "kind", "k9s", "istioctl", "pdm", "hatch", "nox",
}  # fmt: skip
_SUBCOMMANDS: Final = frozenset({
    "status", "add", "commit", "push", "pull", "fetch", "checkout", "switch", "branch", "merge", "rebase", "reset",
    "revert", "stash", "pop", "log", "show", "diff", "blame", "bisect", "clone", "init", "tag", "remote", "restore",
    "cherry-pick", "clean", "worktree", "install", "ci", "test", "run", "build", "start", "stop", "restart", "dev",
    "lint", "format", "update", "upgrade", "uninstall", "remove", "publish", "audit", "exec", "compose", "up",
    "down", "ps", "logs", "images", "prune", "get", "apply", "delete", "describe", "rollout", "plan", "destroy",
    "check", "clippy", "fmt", "bench", "vet", "mod", "tidy", "generate", "sync", "lock", "list", "freeze",
    "migrate", "head", "revision", "shell", "server", "console", "db", "serve", "release", "deploy", "login",
    "create", "view", "pr", "issue", "package", "verify", "compile", "doc", "new", "main", "origin", "all",
    "daemon-reload", "enable", "reload", "help", "version", "tool", "venv", "env", "config", "set", "use", "watch",
    "typecheck", "coverage", "e2e", "unit", "good", "bad", "reflog", "cache", "link", "outdated", "system",
    "volume", "network", "cp", "pods", "deployment", "nodes", "svc", "validate", "s3", "preview", "info", "drop",
    "continue", "abort", "file", "setup", "bundle", "spec", "seed", "rollback",
})  # fmt: skip
_SENTENCE_WORDS: Final = frozenset({
    "the", "a", "an", "is", "are", "was", "to", "and", "that", "it", "of", "in", "on", "with", "then", "fails",
    "passes", "for", "from", "shows", "this", "we", "i", "so", "as", "but", "or", "not", "by", "at", "be", "has",
    "had", "can", "will", "should", "would", "must", "if", "when", "because", "after", "before", "again", "still",
    "works", "succeeds", "prints", "says", "sure", "which", "where", "what", "there", "my", "our", "its", "all",
    "every", "each", "does", "did", "needs", "only", "first", "it's", "about", "into", "out", "over", "than",
    "just", "any", "no", "one", "two", "via", "also", "changes", "->", "=>", "-", "\u2192", "\u2013", "\u2014",
    "returned", "returns", "gave", "failed", "passed", "complained", "reports", "reported", "hangs", "output",
})  # fmt: skip
_STRING = re.compile(r"""(?<![\w"'])(?:"(?>(?:[^"\\]++|\\.)*)"|'[^']*+')|\$\([^()]*\)""")
_PART = re.compile(r"\s(?:&&|\|\||\||;)\s|;\s|\s&&|\s\|\|$")
_LEAD = re.compile(r"(?:\$\s+)?(?:(?:[A-Z_][A-Z0-9_]*=\S*|sudo|time|nohup|env|exec)\s+)*")
_FLAG = re.compile(r"(?:[A-Z_][A-Z0-9_]*=\S*|--?[A-Za-z][\w.-]*(?:=\S*)?|-\d+|--)$")
_PLACE = re.compile(
    r"\.{1,2}$|\*$|[~./]*[\w.@*{}$:+%-]*(?:/[\w.@*{}$:+%-]*)+$|[\w*-]+\.[a-z]\w{0,5}$|https?://\S+$|\"\"$|\$\w+$|@\S+$"
)
_REDIRECT = re.compile(r"\d?>{1,2}&?\S*$|<{1,3}\S*$|&$|\\$|2>&1$")
_SENTENCE_END = re.compile(r"[a-z)][.,?!:]$")


def command_weight(text: str) -> int:
    """Return how surely ``text``, one line, is a command or several: 0 to 3."""
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    first = text[start : start + 40].partition(" ")[0].partition("\t")[0]
    if first not in _PROGRAMS and not first.startswith(("./", "../", "~/", "/usr/", "/bin/", "bin/", "scripts/")):
        return 0
    bare = _STRING.sub('""', text[start:]).partition(" #")[0].rstrip(" \\")
    if _SENTENCE_END.search(bare) and not bare.endswith(" .") and not bare.endswith(".."):
        return 0
    parts = [part.split() for part in _PART.split(bare)]
    weights = [_part_weight(words) for words in parts if words]
    if not weights or 0 in weights:
        return 0
    return min(3, max(weights) + (len(weights) > 1 or "=" in text[:start]))


def _part_weight(words: Sequence[str]) -> int:
    """Return the weight of one command: its program, and what follows it."""
    program, *rest = words
    if any(word.rstrip(",.;:").lower() in _SENTENCE_WORDS or word[-1] in ",:?!" for word in rest if word != "."):
        return 0
    is_path = program.startswith((".", "~", "/", "bin/", "scripts/"))
    if program not in _PROGRAMS and not is_path and "=" not in program:
        return 0
    if is_path and not rest:
        return int(program.startswith("./"))
    signs = sum(bool(_FLAG.match(word) or _PLACE.match(word) or _REDIRECT.match(word)) for word in rest)
    subcommands = sum(word in _SUBCOMMANDS for word in rest)
    others = len(rest) - signs - sum(word in _SUBCOMMANDS and not _FLAG.match(word) for word in rest)
    return _weight_of(program, signs, subcommands, others, is_path=is_path)


def _weight_of(program: str, signs: int, subcommands: int, others: int, *, is_path: bool) -> int:
    if program in _WORD_PROGRAMS:
        return 0 if others > 1 + signs else 2 if signs else 1 if subcommands and not others else 0
    if others > 2 + signs + subcommands:
        return 0
    if is_path or signs:
        return 2
    return 1
