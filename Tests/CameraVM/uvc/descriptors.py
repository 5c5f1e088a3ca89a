"""What the emulated camera says about itself. Source: USB Video Class 1.1, chapter 3; names are the standard's."""

import struct
from collections import namedtuple

from . import controls

# A picture format: encoding 'YUYV' or 'MJPG', with its sizes.
Format = namedtuple("Format", "encoding sizes")
# Frames per second; the first is the default.
Size = namedtuple("Size", "width height rates")

FORMATS = [
    Format("YUYV", [Size(640, 480, [30, 15]), Size(320, 240, [60, 30]), Size(1280, 720, [10])]),
    Format("MJPG", [Size(640, 480, [30, 15]), Size(320, 240, [60, 30]), Size(1280, 720, [30])]),
]

STREAMING_ENDPOINT = 1
# Bytes of one bulk transfer, including its header.
PAYLOAD_BYTES = 16384

_GUIDS = {"YUYV": bytes.fromhex("5955593200001000800000aa00389b71")}
_CS_INTERFACE = 0x24
_CAMERA, _PROCESSING, _OUTPUT = controls.CAMERA_TERMINAL, controls.PROCESSING_UNIT, 3


def _descriptor(layout, *fields):
    body = struct.pack("<" + layout, *fields)
    return bytes([len(body) + 1]) + body


def interval(rate):
    """The frame interval of a rate, in units of 100 ns."""
    return 10_000_000 // rate


def device():
    # Miscellaneous device with interface association; vendor and product of the Linux Foundation.
    return _descriptor("BHBBBBHHHBBBB", 1, 0x0200, 0xEF, 2, 1, 64, 0x1D6B, 0x0104, 0x0100, 1, 2, 3, 1)


def string(text):
    if text is None:
        return _descriptor("BH", 3, 0x0409)
    encoded = text.encode("utf-16le")
    return _descriptor(f"B{len(encoded)}s", 3, encoded)


def configuration():
    control, streaming = _control_interface(), _streaming_interface()
    body = (
        _descriptor("BBBBBBB", 11, 0, 2, 0x0E, 3, 0, 2)  # video collection of two interfaces
        + _descriptor("BBBBBBBB", 4, 0, 0, 0, 0x0E, 1, 0, 2)
        + control
        + _descriptor("BBBBBBBB", 4, 1, 0, 1, 0x0E, 2, 0, 0)
        + streaming
        + _descriptor("BBBHB", 5, 0x80 | STREAMING_ENDPOINT, 2, 512, 0)  # bulk
    )
    return _descriptor("BHBBBBB", 2, 9 + len(body), 2, 1, 0, 0x80, 250) + body


def _control_interface():
    camera = controls.supported(_CAMERA).to_bytes(3, "little")
    processing = controls.supported(_PROCESSING)
    body = (
        _descriptor("BBBHBBHHHB3s", _CS_INTERFACE, 2, _CAMERA, 0x0201, 0, 0, 0, 0, 0, 3, camera)
        + _descriptor("BBBBHBHBB", _CS_INTERFACE, 5, _PROCESSING, _CAMERA, 0, 2, processing, 0, 0)
        + _descriptor("BBBHBBB", _CS_INTERFACE, 3, _OUTPUT, 0x0101, 0, _PROCESSING, 0)
    )
    return _descriptor("BBHHIBB", _CS_INTERFACE, 1, 0x0110, 13 + len(body), 48_000_000, 1, 1) + body


def _streaming_interface():
    body = b"".join(_format(index + 1, form) for index, form in enumerate(FORMATS))
    count = len(FORMATS)
    length = 13 + count + len(body)
    header = _descriptor(
        f"BBBHBBBBBBB{count}B",
        *(_CS_INTERFACE, 1, count, length, 0x80 | STREAMING_ENDPOINT, 0, _OUTPUT, 0, 0, 0, 1),
        *[0] * count,
    )
    return header + body


def _format(index, form):
    count = len(form.sizes)
    if form.encoding == "MJPG":
        subtype = 0x06
        head = _descriptor("BBBBBBBBBB", _CS_INTERFACE, subtype, index, count, 0, 1, 0, 0, 0, 0)
    else:
        subtype = 0x04
        guid = _GUIDS[form.encoding]
        head = _descriptor("BBBB16sBBBBBB", _CS_INTERFACE, subtype, index, count, guid, 16, 1, 0, 0, 0, 0)
    frames = b"".join(_frame(subtype + 1, number + 1, size) for number, size in enumerate(form.sizes))
    # sRGB's primaries and transfer, BT.601's matrix.
    return head + frames + _descriptor("BBBBB", _CS_INTERFACE, 0x0D, 1, 1, 4)


def _frame(subtype, index, size):
    bytes_a_frame = size.width * size.height * 2
    rates, intervals = sorted(size.rates), [interval(rate) for rate in size.rates]
    return _descriptor(
        f"BBBBHHIIIIB{len(intervals)}I",
        *(_CS_INTERFACE, subtype, index, 0, size.width, size.height),
        *(bytes_a_frame * 8 * rates[0], bytes_a_frame * 8 * rates[-1], bytes_a_frame),
        *(intervals[0], len(intervals)),
        *sorted(intervals),
    )
