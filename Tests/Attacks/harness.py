"""What the attacks share: the program run under limits, seeded damage, and the verdict.

A run is bad where the program ends by a signal, by a trap of Swift's, or not at all, takes more memory than it is
allowed, leaves a temporary file, or fails without one sentence that begins with “Error” or “Failed”.
"""

import argparse
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.dirname(os.path.dirname(HERE))
SEEDS = os.path.join(PACKAGE, "Tests", "Fuzz")
# Seconds for one run; with a debug build on a busy machine most take less than one.
PATIENCE = 60
MEGABYTE = 1 << 20


class Run:
    """How a run of the program ended."""

    def __init__(self, code, output, errors, peak, hung):
        self.code, self.output, self.errors, self.peak, self.hung = code, output, errors, peak, hung

    @property
    def signal(self):
        """The signal that ended it, even if reported as a shell's exit code."""
        return -self.code if self.code < 0 else self.code - 128 if 128 < self.code < 160 else 0


class Reader:
    """Receives what a program prints, through a pipe or as a terminal, and keeps the beginning."""

    def __init__(self, end, into, terminal=False):
        self.end, self.into, self.bytes = end, into, b""
        if terminal:
            modes = termios.tcgetattr(into)
            modes[1] &= ~termios.OPOST
            termios.tcsetattr(into, termios.TCSANOW, modes)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        try:
            while chunk := os.read(self.end, 65_536):
                self.bytes = (self.bytes + chunk)[:MEGABYTE]
        except OSError:
            pass

    def close(self):
        os.close(self.into)
        self.thread.join(5)
        if not self.thread.is_alive():
            os.close(self.end)
        return self.bytes.decode("utf-8", "replace")


class Attack:
    """Counts what was tried and what failed; prints both."""

    def __init__(self, about, rounds=None):
        parser = argparse.ArgumentParser(description=about)
        parser.add_argument("--program", default=os.path.join(PACKAGE, ".build", "debug", "safelight"))
        parser.add_argument("--seed", type=int, default=1, help="of what is drawn at random (default: %(default)s)")
        if rounds is not None:
            parser.add_argument("--rounds", type=int, default=rounds, help="(default: %(default)s)")
        self.extend(parser)
        self.options = parser.parse_args()
        self.program = os.path.abspath(self.options.program)
        if not os.access(self.program, os.X_OK):
            sys.exit(f"{self.program} is not there; build it with swift build, or name it with --program.")
        self.random = random.Random(self.options.seed)
        self.name = os.path.basename(sys.argv[0])
        self.tried, self.failures, self.skipped = 0, [], []
        self.start = time.monotonic()
        self.folder = tempfile.mkdtemp(prefix="safelight-attack-")
        os.environ["XDG_CACHE_HOME"] = os.path.join(self.folder, "cache")
        os.environ.pop("SAFELIGHT_GPU", None)
        # If a signal ended a run, only that counts; the backtrace takes seconds.
        os.environ["SWIFT_BACKTRACE"] = "enable=no"

    def extend(self, parser):
        """Further options of one attack."""

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def fresh(self, name):
        """An empty folder."""
        shutil.rmtree(self.path(name), ignore_errors=True)
        os.makedirs(self.path(name))
        return self.path(name)

    def run(self, *arguments, cwd=None, limits=(), seconds=PATIENCE, stdin=None, terminal=False):
        """Runs the program; `limits` are pairs of a resource and its bound, `terminal` is whether it prints to one."""

        def prepare():
            for kind, bound in limits:
                resource.setrlimit(kind, (bound, bound))

        # Pipes, because a file size limit would also apply to files that receive the output.
        output, errors = Reader(*os.openpty(), True) if terminal else Reader(*os.pipe()), Reader(*os.pipe())
        process = subprocess.Popen(
            [self.program, *arguments], cwd=cwd or self.folder, stdin=stdin or subprocess.DEVNULL,
            stdout=output.into, stderr=errors.into, preexec_fn=prepare, start_new_session=True)
        deadline = time.monotonic() + seconds
        hung = False
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                hung = True
                os.killpg(process.pid, signal.SIGKILL)
                pid, status, usage = os.wait4(process.pid, 0)
                break
            time.sleep(0.002)
        process.returncode = os.waitstatus_to_exitcode(status)
        return Run(process.returncode, output.close(), errors.close(), usage.ru_maxrss * 1024, hung)

    def check(self, what, run, codes=(0, 1, 2, 64), memory=None, folder=None, worded=True):
        """Counts one try and prints at once what is wrong with it. True if nothing is."""
        self.tried += 1
        wrong = []
        if run.hung:
            wrong.append("did not end")
        elif run.signal:
            wrong.append(f"ended by signal {run.signal}")
        elif run.code not in codes:
            wrong.append(f"exit code {run.code}")
        if "Fatal error" in run.errors or "crashed the process" in run.errors + run.output:
            wrong.append("crashed")
        if worded and run.code not in (0, 130) and not run.hung and not run.signal:
            if not any(mark in run.errors for mark in ("Error: ", "Failed")):
                wrong.append("no sentence that tells why")
        if memory and run.peak > memory:
            wrong.append(f"took {run.peak // MEGABYTE} MB, and {memory // MEGABYTE} are allowed")
        if folder:
            wrong += [f"left {name}" for name in leftovers(folder)]
        for reason in wrong:
            last = run.errors.strip().splitlines()[-1:] or [""]
            self.fail(f"{what}: {reason} {last[0][:300]}")
        return not wrong

    def fail(self, text):
        self.failures.append(text)
        print(f"  FAILED {printable(text)}", flush=True)

    def skip(self, text):
        self.skipped.append(text)
        print(f"  skipped: {text}", flush=True)

    def note(self, text):
        print(f"  {text}", flush=True)

    def finish(self):
        """Prints the verdict and exits with it."""
        seconds = time.monotonic() - self.start
        if self.failures:
            print(f"{self.name}: {self.tried} tried, {len(self.failures)} failed, seed {self.options.seed}, "
                  f"{seconds:.0f} s; files are in {self.folder}")
            sys.exit(1)
        shutil.rmtree(self.folder, ignore_errors=True)
        skipped = f", {len(self.skipped)} skipped" if self.skipped else ""
        print(f"{self.name}: {self.tried} tried, none failed{skipped}, {seconds:.0f} s")
        sys.exit(0)


def printable(text):
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def leftovers(folder):
    """The program's temporary files below a folder."""
    found = []
    for parent, _, names in os.walk(os.fsencode(folder)):
        found += [os.fsdecode(os.path.join(parent, name)) for name in names
                  if name.startswith(b".") and name.endswith(b".tmp")]
    return found


def corpus(kind, suffixes=()):
    """The names and bytes of a parser's seeds."""
    folder = os.path.join(SEEDS, kind)
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".md") and (not suffixes or name.endswith(tuple(suffixes))):
            with open(os.path.join(folder, name), "rb") as file:
                yield name, file.read()


def mutate(data, rng, tokens=()):
    """One to four wounds: flipped bits, extreme numbers, cuts, repeats, and words that the format knows."""
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(data) + 1)
        end = min(len(data), place + rng.choice((1, 2, 4, 8, 40, 400)))
        kind = rng.randrange(8)
        if kind == 0 and data:
            data[place % len(data)] ^= 1 << rng.randrange(8)
        elif kind == 1 and data:
            data[place % len(data)] = rng.randrange(256)
        elif kind == 2:
            wide = rng.choice((b"\xff" * 4, b"\0" * 4, b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\xff\xff", b"\0\0\0\1"))
            data[place:place + len(wide)] = wide
        elif kind == 3:
            del data[place:end]
        elif kind == 4:
            data[place:place] = data[place:end]
        elif kind == 5 and rng.random() < 0.3:
            del data[place:]
        elif tokens:
            data[place:place] = rng.choice(tokens)
        else:
            data[place:end] = rng.randbytes(end - place)
    return bytes(data)


def png(width, height, rows=None, level=6):
    """A PNG of 8-bit grey; without rows it is all black and takes little memory, however large it is."""

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    compressor = zlib.compressobj(level)
    body = []
    if rows is None:
        row = bytes(width + 1)
        for _ in range(height):
            body.append(compressor.compress(row))
    else:
        for row in rows:
            body.append(compressor.compress(b"\0" + bytes(row)))
    body.append(compressor.flush())
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"".join(body)) + chunk(b"IEND", b"")


def photo(index=0, width=64, height=48):
    """A small picture that is different for every index."""
    return png(width, height, ([(x * 3 + y * 5 + index * 37) % 256 for x in range(width)] for y in range(height)))
