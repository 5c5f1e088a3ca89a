"""Cameras."""

from __future__ import annotations

import ctypes
from ctypes import c_size_t
from typing import Any, Iterator, NamedTuple, Optional

from . import _arrays
from ._arrays import Array, Layout
from ._errors import invalid
from ._handles import Handle
from ._library import CMoment, attempt, encode, options
from ._plan import Default, Renderer
from ._recipe import Recipe
from ._values import Value, as_text


class Frame(NamedTuple):
    """A picture of a camera.

    Attributes:
        array: Rows, columns and channels.
        seconds: When its first row was captured, on the clock of :func:`time.monotonic`.
        number: In the camera's sequence; a gap is a picture that was lost on the way to us.
        dropped: Pictures dropped since the camera was opened, late ones included.
    """

    array: Any
    seconds: float
    number: int
    dropped: int


class Camera:
    """A camera, or what stands for one. Iterating over it yields :class:`Frame`.

    Pictures that come while none is waited for are late: they are dropped and counted, so the next one is always
    fresh. Files wait instead. One thread at a time may use a camera.

    Args:
        source: ``"default"``; a node such as ``"/dev/video0"``; a camera's id; a movie, a folder of pictures;
            ``"synthetic"``, a drawn scene.
        recipe: The look of its pictures; values to be found in each picture are refused.
        format: The type of arrays: ``"rgb8"``, ``"rgba16"``, ``"rgbf32"`` …, in sRGB.
        renderer: What renders; None for a renderer that all such calls share.
        timeout: How long to wait for a picture, in seconds.
        **values: ``size`` ("1280x720") and ``rate``, of the drawn scene; ``rate`` of folders.
    """

    def __init__(
        self,
        source: str = "default",
        recipe: Optional[Recipe] = None,
        *,
        format: str = "rgb8",
        renderer: Optional[Renderer] = None,
        timeout: float = 10,
        **values: Value,
    ) -> None:
        self.timeout = timeout
        self._format = _arrays.format_number(format)
        self._layout: Optional[Layout] = None
        self._renderer = renderer or Default.get()
        given = [(name.replace("_", "-"), as_text(name, value)) for name, value in values.items()]
        pointer = attempt(
            "camera_open",
            self._renderer._handle.pointer,
            encode(source),
            None if recipe is None else recipe._handle.pointer,
            self._format,
            *options(given),
        )
        self._handle: Optional[Handle] = Handle(pointer, "camera_destroy")

    def _open(self) -> Handle:
        # Whoever waits for a picture keeps the camera, even if it is closed meanwhile.
        handle = self._handle
        if handle is None:
            raise invalid("The camera is closed", "open another one")
        return handle

    def read(self, out: Any = None) -> Optional[Frame]:
        """Waits for the next picture.

        Args:
            out: Memory for it; a new array if None.

        Returns:
            None at the end of a source that has one.
        """
        handle = self._open()
        if self._layout is None:
            width, height = c_size_t(), c_size_t()
            attempt("camera_size", handle.pointer, ctypes.byref(width), ctypes.byref(height))
            self._layout = Layout(height.value, width.value, self._format)
        result = _arrays.empty(self._layout) if out is None else out
        memory = Array(result, "The memory for the picture")
        if not memory.writable:
            raise invalid("The memory for the picture cannot be written", "give an array that is not read-only")
        image, moment = memory.image(), CMoment()
        attempt("camera_next", handle.pointer, self.timeout, ctypes.byref(image), ctypes.byref(moment))
        if moment.is_end:
            return None
        return Frame(result, moment.nanoseconds / 1e9, moment.number, moment.dropped)

    def __iter__(self) -> Iterator[Frame]:
        while (frame := self.read()) is not None:
            yield frame

    def close(self) -> None:
        """Stops the camera."""
        self._handle = None

    def __enter__(self) -> "Camera":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
