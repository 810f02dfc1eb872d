"""Configures glibc's malloc so that the growing columns of a long journal do not fragment the heap.

By default glibc serves ever larger allocations from one heap, where a column that outgrows its space has to move: a
third of the memory is then holes. With a fixed mmap threshold, columns grow in place.
"""

import contextlib
import ctypes

_MMAP_THRESHOLD = -3
_MMAP_BYTES = 128 << 10
"""Larger allocations get their own pages; the slices of a journal, which come and go, are smaller."""


def map_large_allocations() -> None:
    """Set a fixed mmap threshold, where the C library is glibc."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _MMAP_BYTES)
