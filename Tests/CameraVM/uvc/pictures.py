"""What the emulated camera sees: eight bars of known colours that move by one bar to the left with every frame."""

import os
import struct
from collections import namedtuple

# 75 % bars: name, 8-bit R'G'B', and Y'CbCr of BT.601 in narrow range, rounded (ITU-R BT.801-1, table 1).
Bar = namedtuple("Bar", "name rgb ycbcr")
BARS = [
    Bar("white", (191, 191, 191), (180, 128, 128)),
    Bar("yellow", (191, 191, 0), (162, 44, 142)),
    Bar("cyan", (0, 191, 191), (131, 156, 44)),
    Bar("green", (0, 191, 0), (112, 72, 58)),
    Bar("magenta", (191, 0, 191), (84, 184, 198)),
    Bar("red", (191, 0, 0), (65, 100, 212)),
    Bar("blue", (0, 0, 191), (35, 212, 114)),
    Bar("black", (0, 0, 0), (16, 128, 128)),
]

EOI = b"\xff\xd9"
_DHT, _SOS = 0xC4, 0xDA


def _row(step, width, pixels):
    """A row of bars moved by `step`, where `pixels` makes the bytes of two neighbouring pixels of one bar."""
    moved = BARS[step:] + BARS[:step]
    return b"".join(pixels(bar) * (width // len(BARS) // 2) for bar in moved)


def ppm(step, width, height):
    row = _row(step, width, lambda bar: bytes(bar.rgb) * 2)
    return b"P6 %d %d 255\n" % (width, height) + row * height


def yuyv(step, width, height, light=1.0):
    def scaled(value, zero, low, high):
        return round(min(max(zero + (value - zero) * light, low), high))

    def pixels(bar):
        y, cb, cr = bar.ycbcr
        y = scaled(y, 16, 16, 235)
        return bytes((y, scaled(cb, 128, 16, 240), y, scaled(cr, 128, 16, 240)))

    return _row(step, width, pixels) * height


def jpeg_path(folder, step, width, height):
    return os.path.join(folder, f"{width}x{height}-{step}.jpg")


def without_huffman_tables(jpeg):
    """The picture without its DHT segments, as many cameras send it: decoders know the standard tables."""
    kept, at = bytearray(jpeg[:2]), 2
    while jpeg[at + 1] != _SOS:
        length = 2 + struct.unpack_from(">H", jpeg, at + 2)[0]
        if jpeg[at + 1] != _DHT:
            kept += jpeg[at : at + length]
        at += length
    return bytes(kept + jpeg[at:])
