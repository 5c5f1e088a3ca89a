"""The emulated camera: answers the driver's requests and sends pictures at the rate agreed with it."""

import struct
import time
from collections import OrderedDict

from . import controls, descriptors, pictures
from .usbip import STALLED, Connection, Disconnected, Unlink

_GET_DESCRIPTOR, _GET_STATUS = 0x06, 0x00
_CLEAR_FEATURE = 0x01
_DEVICE, _CONFIGURATION, _STRING = 1, 2, 3
_STANDARD_IN, _STANDARD_TO_ENDPOINT, _STANDARD_STATUS = 0x80, 0x02, (0x80, 0x81, 0x82)
_CLASS_IN, _CLASS_OUT = 0xA1, 0x21
_CONTROL_INTERFACE, _STREAMING_INTERFACE = 0, 1
_REQUEST_ERROR_CODE = 0x02
_PROBE, _COMMIT = 1, 2
_PROBE_LAYOUT = struct.Struct("<HBBIHHHHHIIIBBBB")

# Bits of a payload's header, UVC 1.1, 2.4.3.3.
_FRAME_ID, _END_OF_FRAME, _END_OF_HEADER = 0x01, 0x02, 0x80
_HEADER_BYTES = 12


class Agreement:
    """A format, size and rate, as negotiated by probe and commit."""

    def __init__(self, format_index=1, size_index=1, interval=0):
        self.format_index = min(max(format_index, 1), len(descriptors.FORMATS))
        form = descriptors.FORMATS[self.format_index - 1]
        self.size_index = min(max(size_index, 1), len(form.sizes))
        self.encoding, size = form.encoding, form.sizes[self.size_index - 1]
        self.width, self.height = size.width, size.height
        self.rate = min(size.rates, key=lambda rate: abs(descriptors.interval(rate) - interval))

    def packed(self):
        return _PROBE_LAYOUT.pack(
            *(1, self.format_index, self.size_index, descriptors.interval(self.rate), 0, 0, 0, 0, 0),
            *(self.width * self.height * 2, descriptors.PAYLOAD_BYTES, 48_000_000, 0, 0, 0, 0),
        )

    def __str__(self):
        return f"{self.encoding} {self.width}x{self.height} {self.rate}"


class Camera:
    """A camera on a port of the virtual host controller. `tell` is called with a line for everything that happens.

    truncated: every n-th JPEG ends in its middle; 0: none does.
    extraneous: bytes that are put before the end of each JPEG.
    stalled: no frame is sent.
    """

    def __init__(self, port, name, serial, jpegs, without_huffman_tables, tell):
        self.truncated, self.extraneous, self.stalled = 0, 0, False
        self._port, self._strings, self._tell = port, ["Safelight", name, serial], tell
        self._jpegs, self._without_huffman_tables = jpegs, without_huffman_tables
        self._connection = None

    # Plugging in

    @property
    def connection(self):
        """What to wait for, or None while unplugged."""
        return self._connection

    def plug(self):
        self._controls, self._error = controls.Controls(), controls.NO_ERROR
        self._probe, self._agreement = Agreement(), None
        self._waiting = OrderedDict()
        self._frame, self._sent, self._count = b"", 0, 0
        self._due = time.monotonic()
        self._connection = Connection(self._port)
        self._tell("plugged")

    def unplug(self):
        self._connection.close()
        self._connection = None
        self._tell("unplugged")

    # The loop

    def time_to_wait(self):
        """Seconds until the next payload is due; None if only the host can make something happen."""
        if not (self._connection and self._agreement and self._waiting) or self.stalled:
            return None
        return max(0, self._due - time.monotonic())

    def answer(self):
        """Takes one message from the host."""
        try:
            message = self._connection.receive()
            if isinstance(message, Unlink):
                self._unlink(message)
            elif message.endpoint == descriptors.STREAMING_ENDPOINT:
                self._waiting[message.sequence] = message
            else:
                self._control(message)
        except (Disconnected, BrokenPipeError) as error:
            self._connection = None
            self._tell(f"lost {error}")

    def send(self):
        """Sends the next payload of a frame that is due."""
        if self._sent == 0:
            self._frame = self._next_frame()
        _, transfer = self._waiting.popitem(last=False)
        end = min(self._sent + descriptors.PAYLOAD_BYTES - _HEADER_BYTES, len(self._frame))
        flags = _END_OF_HEADER | (self._count & _FRAME_ID) | (_END_OF_FRAME if end == len(self._frame) else 0)
        header = bytes((_HEADER_BYTES, flags)).ljust(_HEADER_BYTES, b"\0")
        self._connection.complete(transfer, data=header + self._frame[self._sent : end])
        self._sent = end
        if end == len(self._frame):
            self._sent = 0
            self._count += 1
            # A camera that falls behind does not catch up with a burst.
            self._due = max(self._due + 1 / self._agreement.rate, time.monotonic() - 0.1)

    def _unlink(self, unlink):
        found = self._waiting.pop(unlink.victim, None) is not None
        if not self._waiting:
            self._sent = 0
        self._connection.confirm(unlink, found)

    def _next_frame(self):
        agreement, step = self._agreement, self._count % len(pictures.BARS)
        if agreement.encoding == "YUYV":
            return pictures.yuyv(step, agreement.width, agreement.height, self._controls.light)
        with open(pictures.jpeg_path(self._jpegs, step, agreement.width, agreement.height), "rb") as file:
            jpeg = file.read()
        if self._without_huffman_tables:
            jpeg = pictures.without_huffman_tables(jpeg)
        if self.extraneous:
            jpeg = jpeg[: -len(pictures.EOI)] + bytes(self.extraneous) + pictures.EOI
        if self.truncated and self._count % self.truncated == self.truncated - 1:
            jpeg = jpeg[: len(jpeg) // 2]
        return jpeg

    # Requests on endpoint 0

    def _control(self, transfer):
        try:
            data = self._reply(transfer)
            self._error = controls.NO_ERROR if transfer.setup[0] == _CLASS_OUT else self._error
            self._connection.complete(transfer, data=data[: transfer.length] if transfer.to_host else b"")
        except controls.Refused as refused:
            self._error = refused.code
            self._connection.complete(transfer, status=STALLED)

    def _reply(self, transfer):
        kind, request, value, index, _ = struct.unpack("<BBHHH", transfer.setup)
        if kind == _STANDARD_IN and request == _GET_DESCRIPTOR:
            return self._descriptor(value >> 8, value & 0xFF)
        if kind in _STANDARD_STATUS and request == _GET_STATUS:
            return b"\0\0"
        if kind <= _STANDARD_TO_ENDPOINT:
            # The driver clears the endpoint's halt when it stops streaming.
            if kind == _STANDARD_TO_ENDPOINT and request == _CLEAR_FEATURE and self._agreement:
                self._agreement = None
                self._tell("stopped")
            return b""
        if kind not in (_CLASS_IN, _CLASS_OUT):
            raise controls.Refused(controls.INVALID_REQUEST)
        interface, unit, selector = index & 0xFF, index >> 8, value >> 8
        if interface == _STREAMING_INTERFACE:
            return self._negotiate(selector, request, transfer.data)
        if unit == 0 and selector == _REQUEST_ERROR_CODE:
            return b"\x01" if request == controls.GET_INFO else bytes([self._error])
        if kind == _CLASS_OUT:
            self._tell("set %s %d" % self._controls.set(unit, selector, transfer.data))
            return b""
        return self._controls.get(unit, selector, request)

    def _descriptor(self, kind, index):
        if kind == _DEVICE:
            return descriptors.device()
        if kind == _CONFIGURATION:
            return descriptors.configuration()
        if kind == _STRING and index <= len(self._strings):
            return descriptors.string(self._strings[index - 1] if index else None)
        raise controls.Refused(controls.INVALID_REQUEST)

    def _negotiate(self, selector, request, data):
        if selector not in (_PROBE, _COMMIT):
            raise controls.Refused(controls.INVALID_CONTROL)
        if request == controls.SET_CUR:
            _, format_index, size_index, interval = struct.unpack_from("<HBBI", data)
            self._probe = Agreement(format_index, size_index, interval)
            if selector == _COMMIT:
                self._agreement, self._due = self._probe, time.monotonic()
                self._tell(f"stream {self._agreement}")
            return b""
        if request == controls.GET_INFO:
            return b"\x03"
        if request == controls.GET_LEN:
            return _PROBE_LAYOUT.size.to_bytes(2, "little")
        return (Agreement() if request == controls.GET_DEF else self._probe).packed()
