"""Photos to measure with: their spectrum is that of nature, so decoders and encoders have as much to do as with real ones."""

from __future__ import annotations

import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import numpy


def draw(width: int, height: int, seed: int) -> numpy.ndarray:
    """8-bit RGB whose power falls with the square of the frequency, and a little grain."""
    random = numpy.random.default_rng(seed)
    y, x = numpy.fft.fftfreq(height)[:, None], numpy.fft.rfftfreq(width)[None, :]
    frequency = numpy.maximum(numpy.hypot(y, x), 1 / max(width, height))
    planes = []
    for _ in range(3):
        waves = numpy.fft.rfft2(random.standard_normal((height, width), dtype=numpy.float32)) / frequency
        plane = numpy.fft.irfft2(waves, (height, width))
        planes.append(plane / plane.std())
    shared = planes[0]
    picture = numpy.stack([118 + 45 * (0.85 * shared + 0.15 * plane) for plane in planes], axis=-1)
    picture += random.standard_normal(picture.shape, dtype=numpy.float32)
    return picture.clip(0, 255).astype(numpy.uint8)


def write_photo(program: str, path: Path, picture: numpy.ndarray, quality: int = 92) -> None:
    """Writes a JPEG, by way of a PNG without compression."""
    height, width, _ = picture.shape

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + row.tobytes() for row in picture)
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    plain = path.with_suffix(".png")
    plain.write_bytes(b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b""))
    subprocess.run([program, "edit", str(plain), "-o", str(path), "--quality", str(quality)], check=True, stdout=subprocess.DEVNULL)
    plain.unlink()


def make_corpus(program: str, folder: Path, count: int, width: int, height: int) -> None:
    """Some drawn photos, each several times under names of its own: `count` in all. They are no links, which `batch` would know
    for the same photo."""
    folder.mkdir(parents=True)
    drawn = min(count, 6)
    for seed in range(drawn):
        write_photo(program, folder / f"{seed:05}.jpg", draw(width, height, seed))
    for number in range(drawn, count):
        shutil.copy(folder / f"{number % drawn:05}.jpg", folder / f"{number:05}.jpg")
