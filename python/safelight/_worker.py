"""A worker process: the client's side of docs/worker.md."""

from __future__ import annotations

import json
import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from typing import IO, Any, Optional, Sequence

from ._errors import DeviceError, Error, error_of

PROTOCOL = 1


class WorkerLost(Error):
    """The worker process ended, or took too long, while it had a photo.

    Attributes:
        is_killed: Whether something else killed it, as the system does when memory runs out.
        is_late: Whether it took too long.
    """

    code = "worker-lost"
    is_killed = is_late = False


def find_program(program: Optional[str] = None) -> str:
    """The program `safelight`: the one named, or that of the environment variable SAFELIGHT, or the one in PATH."""
    found = program or os.environ.get("SAFELIGHT") or shutil.which("safelight")
    if not found:
        raise FileNotFoundError(
            "There is no program safelight in PATH; install its package, or name it with program= or SAFELIGHT."
        )
    return found


class _Messages:
    """What a process says to people. It is read all the time: a process whose pipe is full would wait for ever.

    Args:
        file: Where it is read from; None if there is no process.
    """

    _most = 4096

    def __init__(self, file: "Optional[IO[bytes]]" = None) -> None:
        self._file, self._last = file, b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        if file is not None:
            self._reader.start()

    def _read(self) -> None:
        assert self._file is not None
        while chunk := os.read(self._file.fileno(), 1 << 16):
            self._last = (self._last + chunk)[-self._most :]

    def text(self) -> str:
        """The end of what an ended process has said."""
        if self._file is not None:
            # A child of the process may hold the pipe open.
            self._reader.join(1)
        return self._last.decode("utf-8", "replace").strip()


class Worker:
    """A process that edits photos, one at a time.

    Args:
        flags: The edit and how results are written, as on the command line of ``safelight worker``.
        program: The program; see :func:`find_program`.
        timeout: How long a photo may take, in seconds.
        recipe: The text of a recipe that the edit begins with.
        starts: Whether it is started now, which tells mistakes in the flags; else with the first photo.
    """

    def __init__(
        self,
        flags: Sequence[str],
        program: Optional[str] = None,
        timeout: float = 120,
        *,
        recipe: Optional[str] = None,
        starts: bool = True,
    ) -> None:
        self._flags, self._program, self.timeout = list(flags), find_program(program), timeout
        self._recipe: "Optional[IO[str]]" = None
        if recipe is not None:
            # Kept as long as the process may have to be started again.
            self._recipe = tempfile.NamedTemporaryFile("w", prefix="safelight-", suffix=".json", encoding="utf-8")
            self._recipe.write(recipe)
            self._recipe.flush()
            self._flags += ["--recipe", self._recipe.name]
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._messages = _Messages()
        self._rest = bytearray()
        self.hello: "dict[str, Any]" = {}
        if starts:
            self._start()

    def edit(self, photo: str, result: str, name: Optional[str] = None) -> "dict[str, Any]":
        """Edits a photo file into one that is not there yet, and returns what was done.

        A photo whose worker ended is tried once more in a new one: it may have been damaged by an earlier photo. If
        something else killed the worker, the photo is not to blame, and is tried up to five times.

        Args:
            photo: Its path.
            result: The path of the result.
            name: What errors call the photo; None for its path.

        Raises:
            Error: What is wrong with the photo.
        """
        request = {"do": "edit", "input": photo, "output": result}
        deaths = kills = 0
        was_there = os.path.lexists(result)
        while True:
            try:
                reply = self._ask(request)
                break
            except WorkerLost as error:
                # It may have been lost between the result and the answer.
                if not was_there and os.path.lexists(result):
                    os.unlink(result)
                deaths, kills = deaths + (not error.is_killed), kills + error.is_killed
                if error.is_late or deaths > 1 or kills > 4:
                    raise
        if "failed" in reply:
            failed = {part: text.replace(photo, name or photo) for part, text in reply["failed"].items()}
            raise error_of(failed)
        edited: "dict[str, Any]" = reply["edited"]
        return edited

    def close(self) -> None:
        """Ends the process, as soon as it has nothing to do. The worker cannot be used again."""
        if self._recipe is not None:
            self._recipe.close()
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        try:
            process.stdin.close()
            process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            process.kill()
            process.wait()

    def _start(self) -> None:
        self._rest = bytearray()
        self._process = subprocess.Popen(
            [self._program, "worker", *self._flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self._messages = _Messages(self._process.stderr)
        deadline = time.monotonic() + 60
        line = self._line(deadline)
        if line is None:
            # No photo is to blame yet.
            is_late = time.monotonic() >= deadline
            if is_late:
                self._process.kill()
            status = self._process.wait()
            if is_late or status < 0:
                how = "was not ready after 60 s" if is_late else f"was ended by signal {-status} before it was ready"
                self._process = None
                raise DeviceError(
                    f"{self._program} {how}; try it on this machine.", f"{self._program} {how}", "try it on this machine"
                )
            said = self._messages.text()
            self._process = None
            problem = said.removeprefix("Error: ") or "The worker process ended before it was ready"
            raise Error(problem, problem.rstrip("."), "")
        self.hello = json.loads(line)
        if self.hello.get("protocol") != PROTOCOL:
            self.close()
            problem = f"{self._program} speaks version {self.hello.get('protocol')} of the worker protocol, not {PROTOCOL}"
            raise Error(f"{problem}; install the same version of both.", problem, "install the same version of both")

    def _ask(self, request: "dict[str, Any]") -> "dict[str, Any]":
        if self._process is None:
            self._start()
        process = self._process
        assert process is not None and process.stdin is not None
        deadline = time.monotonic() + self.timeout
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        except OSError:
            raise self._lost("ended") from None
        line = self._line(deadline)
        if line is None:
            raise self._lost("ended" if time.monotonic() < deadline else f"took more than {self.timeout:g} s")
        reply: "dict[str, Any]" = json.loads(line)
        return reply

    def _lost(self, how: str) -> WorkerLost:
        process, self._process = self._process, None
        code = None
        if process is not None:
            # One that has closed its pipe is about to end, and its status tells why.
            if how == "ended":
                try:
                    code = process.wait(1)
                except subprocess.TimeoutExpired:
                    pass
            process.kill()
            process.wait()
        status = "" if code is None else f" (status {code})"
        problem, remedy = f"The process that edited the photo {how}{status}", "the file is probably damaged"
        if how.startswith("took"):
            remedy = "give it a longer timeout, or look at the file"
        if code == -signal.SIGKILL:
            problem = "The process that edited the photo was killed from outside, as the system does when memory runs out"
            remedy = "edit fewer photos at a time"
        lost = WorkerLost(f"{problem}; {remedy}.", problem, remedy)
        lost.is_late = how.startswith("took")
        lost.is_killed = code == -signal.SIGKILL
        return lost

    def _line(self, deadline: float) -> Optional[bytes]:
        while (end := self._rest.find(b"\n")) < 0:
            if not self._read(deadline):
                return None
        line = bytes(self._rest[:end])
        del self._rest[: end + 1]
        return line

    def _read(self, deadline: float) -> bool:
        """Takes what has arrived; false at the end or at the deadline."""
        assert self._process is not None and self._process.stdout is not None
        file = self._process.stdout
        with selectors.DefaultSelector() as selector:
            selector.register(file, selectors.EVENT_READ)
            if not selector.select(max(0, deadline - time.monotonic())):
                return False
        chunk = os.read(file.fileno(), 1 << 20)
        self._rest += chunk
        return bool(chunk)
