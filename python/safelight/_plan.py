"""Renderers and plans."""

from __future__ import annotations

import ctypes
import threading
from ctypes import c_size_t
from typing import TYPE_CHECKING, Any, Optional

from . import _arrays
from ._arrays import Array, Layout
from ._errors import invalid
from ._handles import Handle
from ._library import CImage, attempt, call, encode, text

if TYPE_CHECKING:
    from ._recipe import Recipe


class Renderer:
    """What renders pictures: threads, and tables that its plans share.

    Args:
        backend: ``"cpu"``; ``"vulkan"``, a GPU; ``"auto"``, which measures; ``"reference"``, exact and slow.
        threads: How many threads take part in one picture; 0 for one per processor. Programs that render several
            pictures at once, each on a thread of its own, give 1.
    """

    def __init__(self, backend: str = "cpu", threads: int = 0) -> None:
        self.backend = backend
        self.threads = threads
        self._handle = Handle(attempt("renderer_create", encode(backend), threads), "renderer_destroy")

    def __repr__(self) -> str:
        return f"Renderer({self.backend!r}, threads={self.threads})"


class Default:
    """The renderer of calls that name none."""

    lock = threading.Lock()
    renderer: Optional[Renderer] = None

    @classmethod
    def get(cls) -> Renderer:
        with cls.lock:
            if cls.renderer is None:
                cls.renderer = Renderer()
            return cls.renderer


class Plan:
    """A recipe made ready for pictures of one shape, type and colour space. Many threads may use one at once.

    Attributes:
        shape: The shape of the results.
        space: Their colour space.
    """

    def __init__(
        self, recipe: "Recipe", like: CImage, layout: Layout, format: int, space: Optional[str], renderer: Renderer
    ) -> None:
        self._renderer = renderer
        pointer = attempt(
            "plan_create",
            renderer._handle.pointer,
            recipe._handle.pointer,
            ctypes.byref(like),
            format,
            None if space is None else encode(space),
        )
        self._handle = Handle(pointer, "plan_destroy")
        self._input = layout
        self._space, self._orientation = like.space, like.orientation
        width, height = c_size_t(), c_size_t()
        attempt("plan_size", pointer, ctypes.byref(width), ctypes.byref(height))
        self._output = Layout(height.value, width.value, call("plan_format", pointer))
        self.space: str = space or (like.space or b"srgb").decode()
        self.shape: "tuple[int, int, int]" = (height.value, width.value, [1, 3, 4][(self._output.format - 1) % 3])

    def render(self, array: Any, out: Any = None) -> Any:
        """Renders a picture of the plan's shape, type and space.

        Args:
            array: The picture, which is not changed.
            out: Memory for the result, of the plan's ``shape`` and the result's type, which may be the picture's own; a
                new array if None.

        Returns:
            ``out``, or the new array.
        """
        picture = Array(array)
        result = _arrays.empty(self._output) if out is None else out
        memory = Array(result, "The memory for the result")
        if not memory.writable:
            raise invalid("The memory for the result cannot be written", "give an array that is not read-only")
        image = picture.image(self._space, self._orientation)
        target = memory.image()
        attempt("plan_render", self._handle.pointer, ctypes.byref(image), ctypes.byref(target))
        return result

    def __str__(self) -> str:
        """What the plan does, stage by stage."""
        return text(attempt("plan_text", self._handle.pointer)) or ""
