"""USB over a socket: the kernel's virtual host controller (vhci-hcd) on one side, a device in user space on the other.

Source of the messages: the kernel's Documentation/usb/usbip_protocol.rst.
"""

import errno
import os
import socket
import struct
import time
from collections import namedtuple

ATTACH = "/sys/devices/platform/vhci_hcd.0/attach"
HIGH_SPEED = 3

STALLED = -errno.EPIPE
UNLINKED = -errno.ECONNRESET

_SUBMIT, _UNLINK, _SUBMITTED, _UNLINKED = 1, 2, 3, 4
_HEADER = struct.Struct(">IIIII")
_HEADER_BYTES = 48

# A transfer that the host requests; `setup` matters only on endpoint 0.
Transfer = namedtuple("Transfer", "sequence endpoint to_host length setup data")
# The host no longer wants the transfer `victim`.
Unlink = namedtuple("Unlink", "sequence victim")


class Disconnected(Exception):
    """The host controller closed the connection."""


class Connection:
    """A device plugged into a port of the host controller."""

    def __init__(self, port):
        self._device_id = 0x10001 + port
        self._socket, host = socket.socketpair()
        # A port stays in use for a moment after its last device is gone.
        for attempt in range(100):
            try:
                with open(ATTACH, "w", encoding="ascii") as file:
                    file.write(f"{port} {host.fileno()} {self._device_id} {HIGH_SPEED}")
                break
            except OSError as error:
                if error.errno not in (errno.EBUSY, errno.EINVAL) or attempt == 99:
                    raise
                time.sleep(0.02)
        host.close()

    def fileno(self):
        return self._socket.fileno()

    def close(self):
        """Unplugs the device."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def receive(self):
        """The next Transfer or Unlink."""
        header = self._read(_HEADER_BYTES)
        command, sequence, _, to_host, endpoint = _HEADER.unpack_from(header)
        if command == _UNLINK:
            return Unlink(sequence, struct.unpack_from(">I", header, 20)[0])
        if command != _SUBMIT:
            raise Disconnected(f"the host controller sent the unknown command {command}")
        length = struct.unpack_from(">i", header, 24)[0]
        data = self._read(length) if not to_host else b""
        return Transfer(sequence, endpoint, bool(to_host), length, header[40:48], data)

    def complete(self, transfer, status=0, data=b""):
        """Answers a transfer; one to the device counts as fully received."""
        count = len(data) if transfer.to_host else transfer.length
        header = _HEADER.pack(
            _SUBMITTED, transfer.sequence, self._device_id, transfer.to_host, transfer.endpoint
        )
        self._socket.sendall(header + struct.pack(">iiiii8x", status, count, 0, 0, 0) + data)

    def confirm(self, unlink, found):
        """Answers an unlink; `found` tells whether its victim was still waiting."""
        header = _HEADER.pack(_UNLINKED, unlink.sequence, self._device_id, 0, 0)
        self._socket.sendall(header + struct.pack(">i24x", UNLINKED if found else 0))

    def _read(self, count):
        data = b""
        while len(data) < count:
            try:
                part = self._socket.recv(count - len(data))
            except OSError as error:
                raise Disconnected(os.strerror(error.errno)) from error
            if not part:
                raise Disconnected("the host controller closed the connection")
            data += part
        return data
