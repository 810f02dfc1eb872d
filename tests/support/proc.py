"""What Linux says about a process in `/proc`; on a system without it, the test that asks is skipped, and says so."""

import resource
from pathlib import Path

import pytest

needs_prlimit = pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits another process")


def process_file(pid: int | str, name: str) -> Path:
    """Return the path of a file about a process; ``"self"`` is this one."""
    if not Path("/proc/self/status").exists():
        pytest.skip("needs Linux's /proc")
    return Path(f"/proc/{pid}", name)
