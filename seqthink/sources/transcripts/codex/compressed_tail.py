"""Reads a compressed rollout: once, from the beginning to the end, since it no longer grows."""

from pathlib import Path
from typing import IO

from typing_extensions import override

from seqthink.sources.transcripts.codex.zstandard_files import open_rollout
from seqthink.sources.transcripts.files.tail import JsonlTail, TailRead


class CompressedTail(JsonlTail):
    """A `JsonlTail` of a compressed file, which stays open until it was read."""

    _stream: IO[bytes] | None = None
    _is_read = False

    @override
    def read(self, limit_bytes: int) -> TailRead:
        if self._stream is None and not self._is_read:
            self._stream = open_rollout(Path(self.path))
        result = self.read_lines(self._decompressed, limit_bytes, restarted=False)
        if result.at_end:
            self._is_read = True
            self.close()
        return result

    @override
    def is_unchanged(self) -> bool:
        return self._is_read

    @override
    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def _decompressed(self, size: int) -> bytes:
        """Return the next bytes; a broken stream ends where it breaks."""
        try:
            return self._stream.read(size) if self._stream is not None else b""
        except Exception:  # noqa: BLE001 (each decompressor has errors of its own for a broken file)
            self.damaged += 1
            return b""
