"""Safelight: edits of pictures in memory and of photo files, analyses, cameras.

    import numpy, safelight

    look = safelight.Recipe(preset="noir", exposure=0.3)
    edited = look.render(array)                                  # uint8, uint16 or float32; (H, W) or (H, W, C)
    look.edit("harbour.jpg", "harbour-noir.jpg", quality=85)     # file to file

A recipe gives the same pixels here, on the command line, in the studio and on live frames.
"""

from __future__ import annotations

import ctypes
import json
from os import PathLike as _PathLike
from typing import Any

from ._arrays import Array as _Array
from ._camera import Camera, Frame
from ._errors import (
    CorruptDataError,
    DeviceError,
    Error,
    ForkedError,
    InvalidValueError,
    MissingLibraryError,
    NoMemoryError,
    NoResourcesError,
    NoSpaceError,
    PhotoExistsError,
    PhotoFileError,
    TooLargeError,
    UnsupportedError,
)
from ._library import attempt as _attempt
from ._library import call as _call
from ._library import encode as _encode
from ._library import text as _text
from ._plan import Plan, Renderer
from ._recipe import Recipe

__version__: str = _call("version").decode()


def _values(text: "int | None") -> Any:
    """What a JSON text of the library says."""
    return json.loads(_text(text) or "null")


def filters() -> "list[dict[str, Any]]":
    """Every filter with its parameters: names, ranges, units, neutral values."""
    return list(_values(_call("filters")))


def presets() -> "list[dict[str, Any]]":
    """Every look, one's own included: ``preset``, ``description``, ``family`` …"""
    return list(_values(_attempt("presets")))


def spaces() -> "list[str]":
    """The names of colour spaces."""
    return list(_values(_call("spaces")))


def analyze(picture: Any, space: str = "srgb", *, orientation: int = 1) -> "dict[str, Any]":
    """Measures a picture: histograms, exposure, clipping, colour cast, sharpness, noise, horizon.

    Args:
        picture: An array, or the path of a photo file.
        space: The array's colour space.
        orientation: EXIF's number for how the array must be turned for display.
    """
    if isinstance(picture, (str, _PathLike)):
        return dict(_values(_attempt("photo_analyze", _encode(picture))))
    array = _Array(picture)
    image = array.image(_encode(space), orientation)
    return dict(_values(_attempt("analyze", ctypes.byref(image))))


__all__ = [
    "Camera",
    "CorruptDataError",
    "DeviceError",
    "Error",
    "ForkedError",
    "Frame",
    "InvalidValueError",
    "MissingLibraryError",
    "NoMemoryError",
    "NoResourcesError",
    "NoSpaceError",
    "PhotoExistsError",
    "PhotoFileError",
    "Plan",
    "Recipe",
    "Renderer",
    "TooLargeError",
    "UnsupportedError",
    "analyze",
    "filters",
    "presets",
    "spaces",
]
