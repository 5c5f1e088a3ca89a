#!/usr/bin/env python3
"""The stream's server against everybody at once, over loopback: floods, silence, stopped readers, thousands of connections.

The bar: with 4 clients that keep sending and 300 that say nothing, a good client loses at most 2 % of the frames.
"""

import json
import multiprocessing
import os
import re
import resource
import signal
import socket
import subprocess
import threading
import time

from harness import Attack, corpus, mutate

BAR = 0.02
GET = b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"
WORDS = [b"\r\n\r\n", b"Host: ", b"\0", b"127.", b".evil.example", b"[::1]", b"\n\n", b"\r", b" ", b"\xff"]


def connect(port, receive_buffer=None, patience=20):
    client = socket.socket()
    if receive_buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    client.settimeout(patience)
    client.connect(("127.0.0.1", port))
    return client


def ask(port, request):
    """The whole answer; empty if there is none."""
    answer = b""
    try:
        with connect(port) as client:
            client.sendall(request)
            while chunk := client.recv(65_536):
                answer += chunk
    except OSError:
        pass
    return answer


def flood(port, start):
    """Keeps sending, and reconnects whenever it is rejected."""
    garbage = start + b"x" * 65_536
    while True:
        try:
            with connect(port) as client:
                while True:
                    client.sendall(garbage)
        except OSError:
            pass


class Watcher(threading.Thread):
    """A client that reads every frame."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.times, self.problem, self.is_done = port, [], None, False
        self.start()

    def run(self):
        try:
            with connect(self.port) as client:
                client.sendall(GET % b"/stream.mjpg")
                file = client.makefile("rb")
                length, moment = 0, 0.0
                status = file.readline()
                if b" 200 " not in status:
                    self.problem = status.decode().strip()
                    return
                while not self.is_done:
                    line = file.readline()
                    if not line:
                        self.problem = "the connection ended"
                        return
                    if line.startswith(b"Content-Length: "):
                        length = int(line.split()[1])
                    if line.startswith(b"X-Timestamp: "):
                        moment = float(line.split()[1])
                    if line == b"\r\n" and length:
                        if not file.read(length).startswith(b"\xff\xd8"):
                            self.problem = "a frame is no JPEG"
                        self.times.append(moment)
                        length = 0
        except OSError as error:
            self.problem = str(error)


class StreamFlood(Attack):
    def extend(self, parser):
        parser.add_argument("--frames", type=int, default=300, help="of the flood (default: %(default)s)")
        parser.add_argument("--size", default="320x240", help="of the pictures (default: %(default)s)")
        parser.add_argument("--connections", type=int, default=3000, help="(default: %(default)s)")

    def start_server(self, files=4096):
        self.log = open(self.path("log"), "w+")
        self.server = subprocess.Popen(
            [self.program, "live", "--source", "synthetic", "--size", self.options.size, "--to", "stream:0"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, cwd=self.folder,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files)))
        for _ in range(600):
            with open(self.path("log")) as log:
                if found := re.search(r"Stream at http://127\.0\.0\.1:(\d+)/", log.read()):
                    self.port = int(found[1])
                    return
            time.sleep(0.1)
        raise SystemExit(f"the stream did not start; see {self.path('log')}")

    def stop_server(self):
        self.server.send_signal(signal.SIGINT)
        try:
            code = self.server.wait(30)
        except subprocess.TimeoutExpired:
            self.server.kill()
            code = "none: it did not end"
        if code != 0:
            self.fail(f"the program ended with {code}")

    def encoded(self):
        """How many frames have been made so far; None if the server does not say."""
        _, _, body = ask(self.port, GET % b"/stats.json").partition(b"\r\n\r\n")
        try:
            return json.loads(body)["encoded"]
        except (ValueError, KeyError):
            return None

    def files(self):
        return len(os.listdir(f"/proc/{self.server.pid}/fd"))

    def resident(self):
        with open(f"/proc/{self.server.pid}/status") as file:
            return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) // 1024

    def watch(self, what, frames=60, seconds=40):
        """Watches until this many frames have been made; fails if more than the bar's share of them is lost."""
        self.tried += 1
        watcher = Watcher(self.port)
        for _ in range(400):
            if watcher.times or watcher.problem:
                break
            time.sleep(0.05)
        before, first, start = self.encoded(), len(watcher.times), time.monotonic()
        after = before
        if before is None:
            self.fail(f"{what}: newcomers get no answer")
            return
        while after - before < frames and time.monotonic() - start < seconds and not watcher.problem:
            time.sleep(0.5)
            after = self.encoded() or after
        last, elapsed = len(watcher.times), time.monotonic() - start
        watcher.is_done = True
        made, taken = after - before, last - first
        lost = max(0, made - taken) / max(made, 1)
        self.note(f"{what}: {taken} of {made} frames in {elapsed:.1f} s, {lost:.1%} lost "
                  f"({taken / elapsed:.1f} a second)")
        if watcher.problem:
            self.fail(f"{what}: {watcher.problem}")
        elif made == 0:
            self.fail(f"{what}: no frame was made")
        # One frame may be in transit at each end.
        elif made - taken > max(2, BAR * made):
            self.fail(f"{what}: {lost:.1%} of the frames are lost, and {BAR:.0%} may be")
        elif made < 50:
            self.skip(f"{what}: {made} frames are too few for the bar; attack a release build, or give a smaller --size")

    def names(self):
        """Requests that a web page could make a browser send, and data that are not requests."""
        good = ["localhost", "LOCALHOST:80", "127.0.0.1", "127.9.9.9:1", "[::1]", f"127.0.0.1:{self.port}"]
        evil = ["127.evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example", "127.1",
                "0x7f.0.0.1", "2130706433", "0.0.0.0", "[::2]", "192.168.1.1", "1270.0.0.1"]
        bad = ["", "[::1]x", "[::1", "a@localhost", "local host", "localhost:x", "localhost:99999", "l\xf6calhost",
               "localhost\r\nHost: localhost", "localhost\r\n x", "localhost\0"]
        for hosts, status in ((good, 200), (evil, 403), (bad, 400)):
            for host in hosts:
                self.tried += 1
                answer = ask(self.port, f"GET /stats.json HTTP/1.1\r\nHost: {host}\r\n\r\n".encode("latin-1"))
                if not answer.startswith(b"HTTP/1.1 %d " % status):
                    self.fail(f"Host: {host!r} is answered {answer[:40]!r}, not {status}")
        seeds = list(corpus("http"))
        for number in range(self.options.rounds):
            self.tried += 1
            request = mutate(seeds[number % len(seeds)][1], self.random, WORDS).replace(b"/stream.mjpg", b"/stats.json")
            try:
                with connect(self.port) as client:
                    client.sendall(request)
                    client.shutdown(socket.SHUT_WR)
                    answer = client.recv(4096)
            except ConnectionError:
                answer = b""
            if answer and not answer.startswith(b"HTTP/1.1 "):
                self.fail(f"{request!r} is answered {answer[:60]!r}")
        self.note(f"{len(good + evil + bad)} names, {self.options.rounds} damaged requests")

    def floods(self):
        silent = [connect(self.port) for _ in range(300)]
        starts = [GET % b"/stream.mjpg", b"GET /", GET % b"/", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "]
        processes = [multiprocessing.Process(target=flood, args=(self.port, start), daemon=True) for start in starts]
        for process in processes:
            process.start()
        self.watch("with 4 floods and 300 silent connections", self.options.frames, 60)
        for process in processes:
            process.kill()
        for client in silent:
            client.close()

    def stopped_readers(self):
        stopped = []
        for _ in range(100):
            client = connect(self.port, receive_buffer=4096)
            client.sendall(GET % b"/stream.mjpg")
            stopped.append(client)
        # Their buffers take a while to fill; a rejected client returns as it is told to.
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and b" 503 " in ask(self.port, GET % b"/snapshot.jpg")[:20]:
            time.sleep(0.5)
        self.watch("with 100 watchers that do not read", 120)
        for client in stopped:
            client.close()

    def connections(self):
        """Thousands, most of them rude."""
        kept = []
        for number in range(self.options.connections):
            self.tried += 1
            try:
                client = connect(self.port, patience=5)
                client.sendall((b"", b"G", GET % b"/", GET % b"/stream.mjpg", b"\0" * 100, b"GET / HTTP/1.1\r\n")[number % 6])
                if number % 3 == 0:
                    # A reset instead of an end.
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                    client.close()
                elif number % 3 == 1:
                    client.close()
                else:
                    kept.append(client)
            except OSError:
                pass
            if len(kept) > 800:
                kept.pop(0).close()
        if b" 200 " not in ask(self.port, GET % b"/")[:20]:
            self.fail(f"no page after {self.options.connections} connections")
        for client in kept:
            client.close()

    def attack(self):
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
        self.start_server()
        self.watch("undisturbed")
        files = self.files()
        self.names()
        self.floods()
        self.watch("after the floods")
        self.stopped_readers()
        self.connections()
        self.watch(f"after {self.options.connections} connections")
        # The last watchers and the connections being closed go within a few seconds.
        for _ in range(100):
            if self.files() <= files + 2:
                break
            time.sleep(0.1)
        else:
            self.fail(f"{self.files()} files are open, {files} before")
        if self.resident() > 400:
            self.fail(f"the program took {self.resident()} MB")
        self.note(f"at most {self.resident()} MB")
        self.stop_server()
        # With so few files, the server runs out of descriptors before it runs out of places.
        self.start_server(files=40)
        silent = [connect(self.port) for _ in range(100)]
        self.watch("with 40 files and 100 silent connections")
        for client in silent:
            client.close()
        self.stop_server()


attack = StreamFlood(__doc__, rounds=600)
try:
    attack.attack()
finally:
    if attack.server.poll() is None:
        attack.server.kill()
attack.finish()
