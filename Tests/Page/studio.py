"""The program: `safelight studio` as a process, and other commands of it."""

import os
import pathlib
import signal
import subprocess
import time

PROGRAM = os.environ.get("SAFELIGHT", "safelight")
# Generous: a slow machine must not fail a test.
PATIENCE = float(os.environ.get("PATIENCE", 60))


def until(look, what, seconds=PATIENCE):
    """Calls `look` until what it returns is true, and returns that."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"in {seconds} s this did not happen: {what}; at last it was {found!r}")
        time.sleep(0.02)


def safelight(*arguments, cwd=None):
    """Runs a command to its end and returns what it printed."""
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, f"{' '.join(map(str, arguments))}: {done.stderr}"
    return done.stdout


class Studio:
    """A running studio of a photo or a folder; `address` has its token. Without a port it takes the usual one."""

    def __init__(self, photos, port=0, *options):
        self.photos = pathlib.Path(photos)
        self.process = subprocess.Popen(
            [PROGRAM, "studio", str(photos), *([] if port is None else ["--port", str(port)]), *map(str, options)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://"), f"the studio did not start: {self.address!r}"
        self.origin = self.address.split("/#")[0]
        self.port = int(self.origin.rsplit(":", 1)[1])

    def kill(self):
        """As a crash or the system would end it: with no chance to save anything."""
        self._end(signal.SIGKILL)

    def stop(self):
        self._end(signal.SIGTERM)

    def _end(self, how):
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            self.process.stdout.close()
