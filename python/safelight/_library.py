"""The C library: where it is, and its functions. `safelight.h` documents them."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, Structure, c_bool, c_char_p, c_double, c_int32, c_int64, c_size_t, c_ssize_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Optional

from ._errors import raise_error

SONAME = "libsafelight.so.1"


class CImage(Structure):
    """`safelight_image`."""

    _fields_ = [
        ("pixels", c_void_p),
        ("width", c_size_t),
        ("height", c_size_t),
        ("stride", c_ssize_t),
        ("format", c_int32),
        ("orientation", c_int32),
        ("space", c_char_p),
    ]


class COption(Structure):
    """`safelight_option`."""

    _fields_ = [("name", c_char_p), ("value", c_char_p)]


class CMoment(Structure):
    """`safelight_moment`."""

    _fields_ = [("nanoseconds", c_int64), ("number", c_uint64), ("dropped", c_uint64), ("is_end", c_bool)]


def _path() -> str:
    """The library: the one that `SAFELIGHT_LIBRARY` names, the wheel's, or the system's."""
    named = os.environ.get("SAFELIGHT_LIBRARY")
    if named:
        return named
    shipped = Path(__file__).parent / "lib" / SONAME
    return str(shipped) if shipped.exists() else SONAME


def _load() -> ctypes.CDLL:
    path = _path()
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"Safelight's library cannot be loaded: {error}; install the wheel, or name the file with SAFELIGHT_LIBRARY."
        ) from error


# CDLL releases Python's lock during each call.
library = _load()

_errors = POINTER(c_void_p)
_image = POINTER(CImage)
_options = POINTER(COption)
_size = POINTER(c_size_t)

# Texts that have to be given back are c_void_p: ctypes would make bytes of a c_char_p and lose the pointer.
_signatures: dict[str, tuple[Any, list[Any]]] = {
    "version": (c_char_p, []),
    "error_code": (c_int32, [c_void_p]),
    "error_message": (c_char_p, [c_void_p]),
    "error_problem": (c_char_p, [c_void_p]),
    "error_remedy": (c_char_p, [c_void_p]),
    "error_destroy": (None, [c_void_p]),
    "text_destroy": (None, [c_void_p]),
    "spaces": (c_void_p, []),
    "recipe_create": (c_void_p, [_options, c_size_t, _errors]),
    "recipe_of_photo": (c_void_p, [c_char_p, _errors]),
    "recipe_keep": (c_bool, [c_void_p, c_char_p, _errors]),
    "recipe_needs_picture": (c_bool, [c_void_p]),
    "recipe_resolve": (c_void_p, [c_void_p, _image, _errors]),
    "recipe_found": (c_void_p, [c_void_p]),
    "recipe_json": (c_void_p, [c_void_p, _errors]),
    "recipe_destroy": (None, [c_void_p]),
    "filters": (c_void_p, []),
    "presets": (c_void_p, [_errors]),
    "renderer_create": (c_void_p, [c_char_p, c_int32, _errors]),
    "renderer_destroy": (None, [c_void_p]),
    "plan_create": (c_void_p, [c_void_p, c_void_p, _image, c_int32, c_char_p, _errors]),
    "plan_size": (c_bool, [c_void_p, _size, _size, _errors]),
    "plan_format": (c_int32, [c_void_p]),
    "plan_text": (c_void_p, [c_void_p, _errors]),
    "plan_render": (c_bool, [c_void_p, _image, _image, _errors]),
    "plan_destroy": (None, [c_void_p]),
    "photo_edit": (c_void_p, [c_void_p, c_void_p, c_char_p, c_char_p, _options, c_size_t, _errors]),
    "analyze": (c_void_p, [_image, _errors]),
    "photo_analyze": (c_void_p, [c_char_p, _errors]),
    "camera_open": (c_void_p, [c_void_p, c_char_p, c_void_p, c_int32, _options, c_size_t, _errors]),
    "camera_size": (c_bool, [c_void_p, _size, _size, _errors]),
    "camera_next": (c_bool, [c_void_p, c_double, _image, POINTER(CMoment), _errors]),
    "camera_destroy": (None, [c_void_p]),
}

_functions: dict[str, Any] = {}
for _name, (_result, _arguments) in _signatures.items():
    _function = getattr(library, "safelight_" + _name)
    _function.restype, _function.argtypes = _result, _arguments
    _functions[_name] = _function


def function(name: str) -> Any:
    """A function, for what outlives this module when Python ends."""
    return _functions[name]


def call(name: str, *arguments: Any) -> Any:
    """Calls a function that cannot fail."""
    return _functions[name](*arguments)


def attempt(name: str, *arguments: Any) -> Any:
    """Calls a function that can fail, and raises its error."""
    error = c_void_p()
    result = _functions[name](*arguments, ctypes.byref(error))
    if error.value is not None:
        _raise(error)
    return result


def text(pointer: Optional[int]) -> Optional[str]:
    """Takes over a text that the library returned."""
    if not pointer:
        return None
    try:
        return ctypes.string_at(pointer).decode("utf-8")
    finally:
        call("text_destroy", pointer)


def encode(value: "str | os.PathLike[str]") -> bytes:
    """A text or a path as the library takes it."""
    path = os.fspath(value)
    # The library takes UTF-8, whatever the locale; names of files that are none are refused there.
    encoded = path if isinstance(path, bytes) else path.encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise ValueError(f"{value!r} contains a null character")
    return encoded


def options(values: "list[tuple[str, str]]") -> "tuple[Any, int]":
    """Options as the library takes them."""
    return (COption * len(values))(*(COption(encode(n), encode(v)) for n, v in values)), len(values)


def _raise(error: c_void_p) -> None:
    try:
        parts = [call("error_" + part, error).decode("utf-8", "replace") for part in ("message", "problem", "remedy")]
        code = call("error_code", error)
    finally:
        call("error_destroy", error)
    raise_error(code, *parts)
