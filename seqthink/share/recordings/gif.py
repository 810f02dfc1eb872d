"""A recording as a GIF, drawn by agg (https://docs.asciinema.org/manual/agg/) from the asciicast."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from seqthink.core.errors import UsageError
from seqthink.core.text import one_line
from seqthink.share.recordings.asciicast import asciicast
from seqthink.share.recordings.recording import REST_SECONDS, Recording

PROGRAM = "agg"


def find_program() -> str:
    """Return the path of agg.

    Raises:
        UsageError: it is not installed.
    """
    found = shutil.which(PROGRAM)
    if found is None:
        raise UsageError(
            "a GIF is drawn by the program agg, which is not on PATH; install it "
            "(https://docs.asciinema.org/manual/agg/), or choose --format cast or animated-svg"
        )
    return found


def gif(recording: Recording) -> Iterator[bytes]:
    """Yield the bytes of the picture.

    Raises:
        UsageError: agg is not installed, or failed.
    """
    program = find_program()
    with tempfile.TemporaryDirectory(prefix="seqthink-") as folder:
        cast, picture = Path(folder) / "recording.cast", Path(folder) / "recording.gif"
        cast.write_text("".join(asciicast(recording)), encoding="utf-8", newline="\n")
        # Pauses were cut already; agg would cut those that the user asked for once more.
        command = [program, "--idle-time-limit", f"{recording.seconds:.3f}"]
        command += ["--last-frame-duration", f"{REST_SECONDS:g}", str(cast), str(picture)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode or not picture.is_file():
            message = one_line(done.stderr.decode(errors="replace").strip())[:200]
            raise UsageError(f"agg drew no GIF: it ended with status {done.returncode}: {message or 'no message'}")
        yield picture.read_bytes()
