"""A browser that is driven by WebDriver BiDi, the protocol that Firefox speaks: https://w3c.github.io/webdriver-bidi.

It needs no library: a WebSocket by hand, which is one HTTP request and a few bytes before each message.
"""

import base64
import json
import os
import socket
import struct
import time


class Line:
    """The client's end of a WebSocket (RFC 6455) that carries JSON."""

    def __init__(self, port, path, patience):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=patience)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.waiting = b""
        while b"\r\n\r\n" not in self.waiting:
            self.waiting += self._received()
        head, self.waiting = self.waiting.split(b"\r\n\r\n", 1)
        assert b" 101 " in head.split(b"\r\n")[0], head

    def _received(self):
        part = self.socket.recv(1 << 20)
        if not part:
            raise ConnectionError("the browser has ended the connection")
        return part

    def _take(self, count):
        while len(self.waiting) < count:
            self.waiting += self._received()
        taken, self.waiting = self.waiting[:count], self.waiting[count:]
        return taken

    def _frame(self, kind, data):
        length = len(data)
        size = bytes([0x80 | length]) if length < 126 else (
            struct.pack(">BH", 0x80 | 126, length) if length < 1 << 16 else struct.pack(">BQ", 0x80 | 127, length))
        # A client masks what it sends.
        mask = os.urandom(4)
        masked = bytes(one ^ mask[index % 4] for index, one in enumerate(data))
        self.socket.sendall(bytes([0x80 | kind]) + size + mask + masked)

    def send(self, message):
        self._frame(1, json.dumps(message).encode())

    def receive(self):
        text = b""
        while True:
            first, second = self._take(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", self._take(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self._take(8))
            data, kind = self._take(length), first & 0x0F
            if kind == 8:
                raise ConnectionError("the browser has ended the session")
            if kind == 9:
                self._frame(10, data)
            elif kind in (0, 1):
                text += data
                if first & 0x80:
                    return json.loads(text)

    def close(self):
        self.socket.close()


class Session:
    """Commands to a browser, and what it tells meanwhile: `events` has a function for each kind."""

    def __init__(self, port, patience):
        self.line = Line(port, "/session", patience)
        self.numbers = 0
        self.events = {}
        self.command("session.new", capabilities={})

    def command(self, method, **parameters):
        """Sends a command and returns its result; what happens until then is handled."""
        number = self._send(method, parameters)
        while True:
            message = self.line.receive()
            if message.get("type") == "event":
                self._heard(message)
            elif message.get("id") == number:
                if message["type"] == "error":
                    raise AssertionError(f"{method}: {message['error']}: {message['message']}")
                return message["result"]

    def tell(self, method, **parameters):
        """Sends a command whose result nobody waits for."""
        self._send(method, parameters)

    def _send(self, method, parameters):
        self.numbers += 1
        self.line.send({"id": self.numbers, "method": method, "params": parameters})
        return self.numbers

    def _heard(self, message):
        run = self.events.get(message["method"])
        if run:
            run(message["params"])

    def close(self):
        self.line.close()


def connected(port, patience):
    """A session with a browser that is starting."""
    end = time.monotonic() + patience
    while True:
        try:
            return Session(port, patience)
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
