"""Arrays as pictures, without a copy: through `__array_interface__`, as numpy's have it, or the buffer protocol."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, NamedTuple, Optional

from ._errors import invalid
from ._library import CImage

_native = "<" if sys.byteorder == "little" else ">"
# The header's formats, by type of sample and number of channels.
_depths = {"|u1": 0, _native + "u2": 1, _native + "f4": 2}
_samples = {"|u1": "uint8", _native + "u2": "uint16", _native + "f4": "float32"}
_channels = {1: 1, 3: 2, 4: 3}
# What memoryview calls the same types.
_codes = {"B": "|u1", "H": _native + "u2", "f": _native + "f4"}


class Layout(NamedTuple):
    """What a plan depends on."""

    height: int
    width: int
    format: int


class Array:
    """A picture in somebody's memory, kept alive as long as this is."""

    __slots__ = ("layout", "stride", "address", "writable", "_owner")

    def __init__(self, source: Any, name: str = "The array") -> None:
        interface: Optional[dict[str, Any]] = getattr(source, "__array_interface__", None)
        data = None if interface is None else interface.get("data")
        if interface is not None and data is not None:
            if isinstance(data, tuple):
                self._owner: Any = source
                self.address, is_read_only = data
                self.writable = not is_read_only
            else:
                # A buffer, as Pillow's pictures have it.
                view = memoryview(data)
                self.writable = not view.readonly
                self._owner, self.address = _address(view)
                self.address += interface.get("offset", 0)
            kind, shape, strides = interface["typestr"], tuple(interface["shape"]), interface.get("strides")
        else:
            try:
                view = memoryview(source)
            except TypeError:
                raise invalid(
                    f"{name} is of type {type(source).__name__}",
                    "give a numpy array of uint8, uint16 or float32, or anything with the buffer protocol",
                ) from None
            if any(offset >= 0 for offset in view.suboffsets or ()):
                raise invalid(f"{name} holds pointers to its rows", "copy it, such as with numpy.ascontiguousarray")
            self.writable = not view.readonly
            code = view.format.lstrip("@=" + _native)
            kind, shape, strides = _codes.get(code, view.format), view.shape or (), view.strides
            self._owner, self.address = _address(view)
        if kind not in _depths:
            raise invalid(
                f"{name} holds samples of type {_type_name(kind)}",
                "convert it to uint8, uint16 or float32, such as with .astype(numpy.float32)",
            )
        size = int(kind[2])
        channels = shape[2] if len(shape) == 3 else 1
        if len(shape) not in (2, 3) or channels not in _channels:
            hint = ""
            if len(shape) == 3 and shape[0] in _channels:
                hint = ": channels come last, so transpose it, such as with .transpose(1, 2, 0)"
            raise invalid(
                f"{name} has the shape {shape}", "give rows, columns, and 1, 3 or 4 channels: (H, W) or (H, W, C)" + hint
            )
        if 0 in shape:
            raise invalid(f"{name} is empty: {shape}", "give one with pixels")
        self.layout = Layout(shape[0], shape[1], 3 * _depths[kind] + _channels[channels])
        pixel = channels * size
        self.stride = pixel * shape[1] if strides is None else strides[0]
        if strides is not None and (
            (shape[1] > 1 and strides[1] != pixel) or (len(shape) == 3 and channels > 1 and strides[2] != size)
        ):
            raise invalid(
                f"{name} has pixels that do not lie one after another: strides {tuple(strides)}",
                "copy it, such as with numpy.ascontiguousarray",
            )
        # 0 means no gaps to the library, but here the same memory again and again.
        if shape[0] > 1 and self.stride == 0:
            raise invalid(f"{name} repeats one row", "copy it, such as with numpy.ascontiguousarray")
        if shape[0] == 1:
            self.stride = pixel * shape[1]

    def image(self, space: Optional[bytes] = None, orientation: int = 1) -> CImage:
        """The picture as the library takes it."""
        height, width, number = self.layout
        return CImage(self.address, width, height, self.stride, number, orientation, space)


def _type_name(kind: str) -> str:
    """numpy's name of a type, which people know."""
    if kind[:1] in "<>=|" and kind[1:2] in "iufcb" and kind[2:].isdigit():
        names = {"i": "int", "u": "uint", "f": "float", "c": "complex", "b": "bool"}
        name = names[kind[1]] + ("" if kind[1] == "b" else str(8 * int(kind[2:])))
        is_swapped = kind[0] in "<>" and kind[0] != _native
        return name + (" of the other byte order" if is_swapped else "")
    return repr(kind)


class _Buffer(ctypes.Structure):
    """`Py_buffer`, of which only the first members are read."""

    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.py_object),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
        ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)),
        ("internal", ctypes.c_void_p),
    ]


_FULL_READ_ONLY = 0x011C
_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = [ctypes.py_object, ctypes.POINTER(_Buffer), ctypes.c_int]
_release_buffer = ctypes.pythonapi.PyBuffer_Release
_release_buffer.argtypes = [ctypes.POINTER(_Buffer)]
_release_buffer.restype = None


def _address(view: memoryview) -> "tuple[memoryview, int]":
    """The first sample of a view, which must be kept; ctypes' own ways to it refuse memory that is read-only."""
    buffer = _Buffer()
    _get_buffer(view, ctypes.byref(buffer), _FULL_READ_ONLY)
    address = buffer.buf or 0
    _release_buffer(ctypes.byref(buffer))
    return view, address


class Picture:
    """A picture where there is no numpy: its samples through the buffer protocol of `data`, and numpy's interface."""

    def __init__(self, layout: Layout) -> None:
        depth, channels = divmod(layout.format - 1, 3)
        self.typestr = list(_depths)[depth]
        self.shape = (layout.height, layout.width, [1, 3, 4][channels])
        self.data = bytearray(layout.height * layout.width * self.shape[2] * int(self.typestr[2]))

    @property
    def __array_interface__(self) -> "dict[str, Any]":
        address = ctypes.addressof((ctypes.c_char * len(self.data)).from_buffer(self.data))
        return {"version": 3, "typestr": self.typestr, "shape": self.shape, "data": (address, False)}


def empty(layout: Layout) -> Any:
    """A new picture: numpy's array, where numpy is installed."""
    try:
        import numpy
    except ImportError:
        return Picture(layout)
    depth, channels = divmod(layout.format - 1, 3)
    kinds = [numpy.uint8, numpy.uint16, numpy.float32]
    return numpy.empty((layout.height, layout.width, [1, 3, 4][channels]), kinds[depth])


def format_number(name: str) -> int:
    """The header's number of a format by name: ``rgb8``, ``rgba16``, ``rgbf32`` …"""
    names = [c + d for d in ("8", "16", "f32") for c in ("gray", "rgb", "rgba")]
    if name not in names:
        raise invalid(f"There is no format {name!r}", f"give one of {', '.join(names)}")
    return names.index(name) + 1
