"""Tells the C library how to keep what grows: the columns of a long journal grow in place, and leave no holes behind.

By itself glibc takes ever larger pieces from one heap, and there a column that outgrows its place has to move: a third
of the memory is then holes.
"""

import contextlib
import ctypes

_MMAP_THRESHOLD = -3
_MMAP_BYTES = 128 << 10
"""What is larger has pages of its own; a slice of a journal, which comes and goes, is not."""


def map_large_allocations() -> None:
    """Give large pieces of memory pages of their own, where the C library is glibc."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _MMAP_BYTES)
