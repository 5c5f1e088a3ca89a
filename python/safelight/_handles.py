"""Objects of the library that Python holds."""

from __future__ import annotations

from typing import Any

from ._library import function


class Handle:
    """Owns an object, and gives it up with the last reference."""

    __slots__ = ("pointer", "_destroy", "__weakref__")

    def __init__(self, pointer: int, destroy: str) -> None:
        self.pointer = pointer
        # The function itself: when Python ends, modules may be gone before their objects.
        self._destroy = function(destroy)

    def __del__(self) -> None:
        self._destroy(self.pointer)

    def __reduce__(self) -> Any:
        raise TypeError("an object of the library cannot be sent to another process; send what it was made from")
