#!/usr/bin/env python3
"""Recordings killed at random moments, stopped by two signals, or out of room: every file plays, and at most its last
second is missing."""

import json
import os
import resource
import shutil
import signal
import subprocess
import time

from harness import Attack

# What is drawn for each run: how movies are written.
SHAPES = [
    ["-o", "out/a.mp4", "--microphone", "synthetic"],
    ["-o", "out/a.mov", "--microphone", "synthetic", "--audio-codec", "pcm"],
    ["-o", "out/a.mkv", "--microphone", "synthetic", "--audio-codec", "flac"],
    ["-o", "out/{index}.mp4", "--segment", "1s", "--microphone", "synthetic"],
    ["-o", "out/a.mp4", "--microphone", "none", "--preset", "noir"],
]
# What the first picture takes from the camera through the encoder into the file, in seconds.
ENCODER = 0.3


class KilledRecordings(Attack):
    def record(self, shape):
        """Starts a recording and returns it once its first file has begun."""
        process = subprocess.Popen(
            [self.program, "record", "--source", "synthetic", "--size", "320x180", "--json", *shape],
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True)
        while line := process.stdout.readline():
            if json.loads(line)["event"] == "started":
                break
        return process, time.monotonic()

    def seconds(self):
        """The length of all files, as ffmpeg decodes their pictures; a file that does not decode is a failure."""
        total = 0.0
        for name in sorted(os.listdir(self.path("out"))):
            probe = subprocess.run(
                ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0",
                 self.path("out", name)], capture_output=True, text=True)
            times = [float(line.strip(",")) for line in probe.stdout.split() if line.strip(",") not in ("", "N/A")]
            decoded = subprocess.run(
                ["ffmpeg", "-v", "error", "-i", self.path("out", name), "-f", "null", "-"], capture_output=True, text=True)
            if times and decoded.returncode != 0:
                self.fail(f"{name} does not decode: {decoded.stderr.splitlines()[:1]}")
            total += max(times) - min(times) + 1 / 30 if times else 0
        return total

    def round(self, number):
        shape = SHAPES[number % len(SHAPES)]
        self.fresh("out")
        process, began = self.record(shape)
        time.sleep(self.random.uniform(0, 3))
        os.kill(process.pid, signal.SIGKILL)
        elapsed = time.monotonic() - began
        process.wait()
        self.tried += 1
        lost = elapsed + ENCODER - self.seconds()
        if lost > 1 + ENCODER:
            self.fail(f"round {number}: {lost:.2f} s of {elapsed:.2f} s are lost with {' '.join(shape)}")
        return lost

    def interrupt(self, pause):
        """Two signals one after the other: the file is complete, or at least plays."""
        self.fresh("out")
        process, began = self.record(SHAPES[0])
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        elapsed = time.monotonic() - began
        time.sleep(pause)
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            self.fail("a recording does not end after two signals")
        self.tried += 1
        if elapsed - self.seconds() > 1:
            self.fail(f"two signals {pause} s apart cost {elapsed - self.seconds():.2f} s")

    def full(self, most):
        """No more room in a file of `most` bytes, as on a full disk: one sentence, and what was written plays."""
        self.fresh("out")
        run = self.run(
            "record", "--source", "synthetic", "--size", "640x360", "--max-duration", "20s", *SHAPES[0],
            limits=[(resource.RLIMIT_FSIZE, most)], seconds=40)
        self.check(f"recording into {most} bytes", run, codes=(1,), folder=self.path("out"))
        if most > 300_000 and self.seconds() < 0.5:
            self.fail(f"with {most} bytes nothing was kept")

    def attack(self):
        if not shutil.which("ffprobe"):
            self.skip("ffprobe is not installed")
            return
        losses = [self.round(number) for number in range(self.options.rounds)]
        for pause in (0, 0.01, 0.05, 0.2):
            self.interrupt(pause)
        for most in (20_000, 200_000, 500_000, 1_000_000):
            self.full(most)
        self.note(f"{len(losses)} recordings were killed; at most {max(losses):.2f} s were lost")


attack = KilledRecordings(__doc__, rounds=50)
attack.attack()
attack.finish()
