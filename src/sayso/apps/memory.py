"""Memory that was let go of goes back to the machine: the allocator would keep it for a use that may never come."""

from __future__ import annotations

import gc


def give_back() -> None:
    """Collect what is garbage and trim the heap, where the C library can."""
    gc.collect()
    import ctypes

    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):  # not glibc
        return
    trim(0)
