"""The progress of many photos."""

from __future__ import annotations

import sys
import time
from typing import Optional


class Progress:
    """A line on standard error: photos, megapixels a second, failures, the time that remains.

    Args:
        total: How many photos there are.
        before: How many of them earlier runs have done.
        is_shown: None: on a terminal.
    """

    def __init__(self, total: int, before: int, is_shown: Optional[bool]) -> None:
        self._total, self._before = total, before
        self._is_shown = sys.stderr.isatty() if is_shown is None else is_shown
        self._begin = self._told = time.monotonic()
        self.done = self.failed = 0
        self._megapixels = 0.0

    def add(self, done: int, failed: int, megapixels: float) -> None:
        self.done, self.failed = self.done + done, self.failed + failed
        self._megapixels += megapixels
        now = time.monotonic()
        if not self._is_shown or now - self._told < 1:
            return
        self._told = now
        finished, seconds = self.done + self.failed, now - self._begin
        left = (self._total - self._before - finished) * seconds / max(finished, 1)
        print(
            f"\r{self._before + finished}/{self._total} photos · {self._megapixels / seconds:.1f} MP/s"
            f" · {self.failed} failed · {left:.0f} s left ",
            end="", file=sys.stderr, flush=True,
        )  # fmt: skip

    def end(self) -> None:
        if self._is_shown:
            print(file=sys.stderr)
