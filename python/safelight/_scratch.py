"""Files of actors of `safelight.ray` that live as long as a photo is under way."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from pathlib import Path


class Scratch:
    """A folder for the photo under way and its result: where TMPDIR says, else in memory if there is enough.

    Args:
        is_large: Whether it is for whole shards, which are too large for memory.
    """

    _prefix, _least = "safelight-ray-", 1 << 30

    def __init__(self, is_large: bool = False) -> None:
        parent = os.environ.get("TMPDIR") or (tempfile.gettempdir() if is_large else "/dev/shm")
        if not os.environ.get("TMPDIR"):
            try:
                status = os.statvfs(parent)
                if status.f_bavail * status.f_frsize < self._least or not os.access(parent, os.W_OK):
                    parent = tempfile.gettempdir()
            except OSError:
                parent = tempfile.gettempdir()
        # Those of killed processes would stay in memory for ever. A folder is in use while its lock is held.
        for left in Path(parent).glob(self._prefix + "*/lock"):
            try:
                with open(left, "rb") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(left.parent, ignore_errors=True)
            except OSError:
                continue
        self._folder = tempfile.TemporaryDirectory(prefix=self._prefix, dir=parent)
        # Locked before it has its name, so that nobody takes it for left.
        self._lock = open(self.path("new"), "wb")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        os.rename(self.path("new"), self.path("lock"))

    def clear(self) -> None:
        """Removes what a killed worker has left."""
        for name in os.listdir(self._folder.name):
            if name != "lock":
                os.unlink(self.path(name))

    def close(self) -> None:
        self._folder.cleanup()
        self._lock.close()

    def path(self, name: str) -> str:
        return os.path.join(self._folder.name, name)
