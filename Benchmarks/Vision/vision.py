#!/usr/bin/env python3
"""Speed and accuracy of safelight-vision, beside OpenCV's detector of QR Codes, in one run.

    vision.py PROGRAM --photos shoot/*.jpg            photos without codes, scaled to 1920 pixels
    vision.py PROGRAM --samples zxing-cpp/test/samples   zxing-cpp's samples beside its expected counts (v1.4.0)

Needs numpy, Pillow and, for the comparison, opencv-python-headless of PyPI. Times are the best of several turns.
"""

import argparse
import fcntl
import mmap
import os
import re
import socket
import struct
import subprocess
import time

import numpy
from PIL import Image

CODES, FACES, TEXT = 1, 2, 3
HARDER, TURNED, SMALLER, PLAIN, INVERTED, MIRRORED, STACKED = 1, 2, 4, 8, 16, 64, 128
THOROUGH = HARDER | TURNED | SMALLER | PLAIN | INVERTED | MIRRORED | STACKED
FRAMES = 64 << 20


class Worker:
    """The other side of `vision/messages.h`."""

    def __init__(self, program, *abilities):
        own, other = socket.socketpair()
        memory = os.memfd_create("frames", os.MFD_ALLOW_SEALING)
        os.ftruncate(memory, FRAMES)
        self.frames = mmap.mmap(memory, FRAMES)
        fcntl.fcntl(memory, 1033, 2 | 4)  # F_ADD_SEALS: F_SEAL_SHRINK, F_SEAL_GROW
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (other.fileno(), memory)]
        self.process = subprocess.Popen(
            [program, *abilities],
            preexec_fn=lambda: [os.dup2(end, 3 + place) for place, end in enumerate(ends)],
            close_fds=False,
            env={"OMP_THREAD_LIMIT": "1"},
        )
        for end in (other.fileno(), memory, *ends):
            os.close(end)
        other.detach()
        self.socket, self.sequence = own, 0
        self.ready = self.message()

    def receive(self, count):
        data = b""
        while len(data) < count:
            chunk = self.socket.recv(count - len(data))
            if not chunk:
                raise EOFError("safelight-vision ended")
            data += chunk
        return data

    def message(self):
        return self.receive(struct.unpack("<I", self.receive(4))[0])

    def find(self, ability, flags, luma):
        height, width = luma.shape
        self.frames[: width * height] = luma.tobytes()
        return self.again(ability, flags, width, height)

    def again(self, ability, flags, width, height):
        self.sequence += 1
        request = (24, self.sequence, ability, flags, 0, width, height, width, 60000)
        self.socket.sendall(struct.pack("<IIBBHIIII", *request))
        return self.parse(self.message())

    @staticmethod
    def parse(data):
        place = 0

        def take(form):
            nonlocal place
            value = struct.unpack_from("<" + form, data, place)
            place += struct.calcsize("<" + form)
            return value[0] if len(value) == 1 else value

        def text():
            nonlocal place
            count = take("I")
            place += count
            return data[place - count : place]

        take("I")
        if take("B") == 1:
            raise ValueError(text().decode())
        things = []
        for _ in range(take("H")):
            corners = [take("ff") for _ in range(take("B"))]
            confidence = take("f")
            said = text() if take("B") else None
            details = {text().decode(): text().decode() for _ in range(take("B"))}
            things.append((corners, confidence, said, details))
        return things


def best(work, turns=5):
    times = []
    for _ in range(turns):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def luma(path, long_edge=None):
    picture = Image.open(path)
    if picture.mode in ("RGBA", "LA", "P"):
        picture = picture.convert("RGBA")
        white = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(white, picture)
    picture = picture.convert("L")
    if long_edge:
        scale = long_edge / max(picture.size)
        picture = picture.resize([max(1, round(edge * scale)) for edge in picture.size])
    return numpy.asarray(picture)


def photos(program, paths):
    worker = Worker(program, "--codes", "--faces")
    try:
        import cv2

        cv2.setNumThreads(1)
        detector = cv2.QRCodeDetector()
    except ImportError:
        cv2 = None
    print("ms: live codes (plain, turned, inverted), thorough codes, OpenCV's QR Codes (ratio to plain), live faces, thorough faces")
    ratios, plains, faces = [], [], []
    for path in paths:
        frame = luma(path, 1920)
        height, width = frame.shape
        found = worker.find(CODES, THOROUGH, frame)
        times = {}
        for name, flags in [("plain", PLAIN), ("turned", PLAIN | TURNED), ("inverted", INVERTED), ("thorough", THOROUGH)]:
            times[name] = best(lambda: worker.again(CODES, flags, width, height), 3 if name == "thorough" else 7)
        rival = best(lambda: detector.detectAndDecodeMulti(frame), 3) if cv2 else float("nan")
        proxy = luma(path, 640)
        boxes = worker.find(FACES, 0, proxy)
        live = best(lambda: worker.again(FACES, 0, proxy.shape[1], proxy.shape[0]))
        large = luma(path, 960)
        more = worker.find(FACES, HARDER, large)
        thorough = best(lambda: worker.again(FACES, HARDER, large.shape[1], large.shape[0]), 2)
        plains.append(times["plain"])
        ratios.append(rival / times["plain"])
        faces.append(live)
        print(
            f"{os.path.basename(path):20} {width}x{height}  {times['plain']:6.1f} {times['turned']:6.1f} {times['inverted']:6.1f}"
            f" {times['thorough']:7.1f}  {rival:6.1f} ({rival / times['plain']:4.1f}x)  {live:6.1f} {thorough:7.1f}"
            f"  codes {len(found)} faces {len(boxes)} {len(more)}"
        )
    print(f"median: codes {numpy.median(plains):.1f} ms, OpenCV {numpy.median(ratios):.1f} x, live faces {numpy.median(faces):.1f} ms")


def expected(samples):
    """What zxing-cpp's own test wants of each category: of so many pictures, so many, when it tries harder."""
    runner = open(os.path.join(samples, "../blackbox/BlackboxTestRunner.cpp")).read()
    counts = {}
    for name, total, body in re.findall(r'runTests\("([^"]+)", "[^"]+", (\d+), \{(.*?)\n\t\t\}', runner, re.S):
        row = re.search(r"\{\s*(\d+),\s*(\d+),(?:\s*\d+,\s*\d+,)?\s*0\s*\}", body)
        if row:
            counts[name] = (int(total), int(row.group(2)))
    return counts


def samples(program, folder):
    worker = Worker(program, "--codes")
    counts = expected(folder)
    below, wrong, lost, spent = [], 0, 0, 0.0
    for category in sorted(os.listdir(folder)):
        path = os.path.join(folder, category)
        if not os.path.isdir(path):
            continue
        names = sorted(name for name in os.listdir(path) if name.endswith((".png", ".jpg")))
        right = other = 0
        for name in names:
            frame = luma(os.path.join(path, name))
            start = time.perf_counter()
            try:
                found = worker.find(CODES, THOROUGH, frame)
            except EOFError:
                found, lost = [], lost + 1
                worker = Worker(program, "--codes")
            spent += time.perf_counter() - start
            stem = os.path.join(path, os.path.splitext(name)[0])
            wanted = None
            if os.path.exists(stem + ".txt"):
                wanted = open(stem + ".txt", "rb").read()
            elif os.path.exists(stem + ".bin"):
                wanted = open(stem + ".bin", "rb").read()
            texts = [thing[2] for thing in found]
            raw = [bytes.fromhex(thing[3].get("bytes", "")) for thing in found]
            if wanted is not None and (wanted in texts or wanted in raw):
                right += 1
            elif found:
                other += 1
        total, least = counts.get(category, (len(names), None))
        mark = "" if least is None or right >= least else "  below"
        if mark:
            below.append(category)
        if category.startswith("falsepositives"):
            wrong += other
        print(f"{category:22} {right:4} of {len(names):4}, expected {least}, read otherwise {other}{mark}")
    print(f"{spent:.1f} s; below: {', '.join(below) or 'none'}; false positives: {wrong}; workers lost: {lost}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--photos", nargs="*", default=[])
    parser.add_argument("--samples")
    options = parser.parse_args()
    if options.photos:
        photos(options.program, options.photos)
    if options.samples:
        samples(options.program, options.samples)


if __name__ == "__main__":
    main()
