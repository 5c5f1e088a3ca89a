#!/usr/bin/env python3
"""Deferred captures killed at random moments, and finished afterwards: every photo that was told is there and final, and
nothing else is left."""

import json
import os
import signal
import struct
import subprocess
import threading
import time
import zlib

from harness import Attack

# What is drawn for each run: how photos are taken and kept.
SHAPES = [
    ["--interval", "60ms"],
    ["--interval", "60ms", "--keep-original", "--preset", "noir"],
    ["--interval", "60ms", "--recipe-only", "--preset", "noir"],
    ["--interval", "60ms", "--no-finish"],
    ["--interval", "60ms", "--best-of", "5", "--auto", "exposure"],
]


class KilledCaptures(Attack):
    def capture(self, output, shape, delay):
        """Starts a capture, kills it `delay` seconds after its first photo was told, or from the start for a negative
        one, and returns the photos that were told."""
        lines = []

        def read(stream):
            for line in stream:
                lines.append(line)

        with open(self.path("log"), "ab") as log:
            process = subprocess.Popen(
                [self.program, "capture", "--source", "synthetic", "--size", "320x180", "-o", output + "/", "--deferred",
                 "--json", "--format", "png", *shape],
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, start_new_session=True)
            reader = threading.Thread(target=read, args=(process.stdout,), daemon=True)
            reader.start()
            deadline = time.monotonic() + 30
            while delay >= 0 and not lines and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.001)
            time.sleep(abs(delay))
            if process.poll() is not None:
                self.fail(f"a capture ended by itself, with {process.returncode}")
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            reader.join(10)
        # The last line may have been cut.
        return [json.loads(line) for line in lines if line.endswith(b"\n")]

    def finish_photos(self, output, delay=None):
        """Finishes a folder; with a delay, it is killed after that many seconds."""
        if delay is None:
            return self.run("finish", output, "--json", seconds=120)
        with open(self.path("log"), "ab") as log:
            process = subprocess.Popen(
                [self.program, "finish", output], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            time.sleep(delay)
            process.kill()
            process.wait()
        return None

    def bits(self, name):
        """The bits per sample of a PNG; 0 if it is not whole."""
        with open(self.path("out", name), "rb") as file:
            data = file.read()
        place, kinds, rows = 8, [], b""
        try:
            while place < len(data):
                length, kind = struct.unpack(">I4s", data[place:place + 8])
                body = data[place + 8:place + 8 + length]
                if zlib.crc32(kind + body) != struct.unpack(">I", data[place + 8 + length:place + 12 + length])[0]:
                    return 0
                kinds.append(kind)
                rows += body if kind == b"IDAT" else b""
                place += 12 + length
            zlib.decompress(rows)
        except (struct.error, zlib.error):
            return 0
        return data[24] if kinds[:1] == [b"IHDR"] and kinds[-1:] == [b"IEND"] else 0

    def round(self, number):
        shape = SHAPES[number % len(SHAPES)]
        self.fresh("out")
        told = self.capture("out", shape, self.random.uniform(0, 0.7) if number % 10 else -self.random.uniform(0, 0.3))
        proxies = {photo["deferredID"]: photo for photo in told if photo["isProxy"]}
        finals = set()
        # Half of the runs that finish are killed, too.
        kills = 0
        if number % 2:
            self.finish_photos("out", self.random.uniform(0.01, 0.4))
            kills = 1
        if os.path.isdir(self.path("out")):
            run = self.finish_photos("out")
            self.check(f"finishing after round {number}", run, codes=(0,), folder=self.path("out"))
            finals |= {json.loads(line)["deferredID"] for line in run.output.splitlines()}
        names = set(os.listdir(self.path("out")))
        for photo in proxies.values():
            name = os.path.basename(photo["path"])
            if name not in names:
                self.fail(f"round {number}: {name} was told, and is not there")
            if kills == 0 and "--no-finish" in shape and photo["deferredID"] not in finals:
                self.fail(f"round {number}: {name} was told, and is not finished")
        # Only merged photos have 16 bits: proxies do not.
        final = 8 if "--best-of" in shape else 16
        for name in names:
            if name.startswith("."):
                self.fail(f"round {number}: {name} is left")
            elif name.endswith(".json"):
                if name.removesuffix(".safelight.json") not in names:
                    self.fail(f"round {number}: {name} is left without its photo")
            elif self.bits(name) != final:
                self.fail(f"round {number}: {name} is not a final photo, or not whole")
        if "--recipe-only" in shape:
            for name in names:
                if name.endswith(".png") and name + ".safelight.json" not in names:
                    self.fail(f"round {number}: the edit of {name} is not there")
                elif name.endswith(".png"):
                    self.check(f"exporting {name}", self.run("export", "out/" + name, "-o", "export.png", "--overwrite"),
                               codes=(0,))
        return len(proxies), len([name for name in names if name.endswith(".png")])

    def attack(self):
        told = found = 0
        for number in range(self.options.rounds):
            photos = self.round(number)
            told, found = told + photos[0], found + photos[1]
        self.note(f"{self.options.rounds} captures were killed, {told} photos were told, {found} files were found")


attack = KilledCaptures(__doc__, rounds=50)
attack.attack()
attack.finish()
