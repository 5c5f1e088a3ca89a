import os
import struct
import sys
import zlib
from pathlib import Path

# The package as it is in the repository, with the library that SAFELIGHT_LIBRARY names.
if "SAFELIGHT_LIBRARY" in os.environ:
    sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy
import pytest


def png(array: numpy.ndarray) -> bytes:
    """A PNG of 8-bit RGB, as ISO/IEC 15948 has it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width, _ = array.shape
    rows = b"".join(b"\0" + row.tobytes() for row in array)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


@pytest.fixture
def noise() -> numpy.ndarray:
    return numpy.random.default_rng(7).integers(0, 256, (48, 64, 3), dtype=numpy.uint8)


@pytest.fixture
def ramp() -> numpy.ndarray:
    """A smooth picture: no two renderers round its samples apart."""
    y, x = numpy.mgrid[0:90, 0:120]
    return numpy.stack([x * 2, y * 2, 255 - x - y], axis=-1).astype(numpy.uint8)


@pytest.fixture
def photo(tmp_path: Path) -> str:
    """A photo file, made with the library itself from a drawn scene."""
    import safelight

    with safelight.Camera("synthetic", size="320x240") as camera:
        frame = camera.read()
    (tmp_path / "photo.png").write_bytes(png(frame.array))
    safelight.Recipe().edit(tmp_path / "photo.png", tmp_path / "photo.jpg")
    return str(tmp_path / "photo.jpg")
