"""Objects of the library that Python holds."""

from __future__ import annotations

from typing import Any

from ._library import call


class Handle:
    """Owns an object, and gives it up with the last reference."""

    __slots__ = ("pointer", "_destroy", "__weakref__")

    def __init__(self, pointer: int, destroy: str) -> None:
        self.pointer = pointer
        self._destroy = destroy

    def __del__(self) -> None:
        # When Python ends, its modules may be gone.
        if call is not None:
            call(self._destroy, self.pointer)

    def __reduce__(self) -> Any:
        raise TypeError("an object of the library cannot be sent to another process; send what it was made from")
