"""The progress of many photos."""

from __future__ import annotations

import sys
import time
from typing import Optional


class Progress:
    """A line on standard error: photos, megapixels a second, failures, the time that remains.

    Args:
        what: What is counted: photos or shards.
        total: How many there are.
        before: How many of them earlier runs have done.
        is_shown: None: on a terminal.
    """

    def __init__(self, what: str, total: int, before: int, is_shown: Optional[bool]) -> None:
        self._what, self._total, self._before = what, total, before
        self._is_shown = sys.stderr.isatty() if is_shown is None else is_shown
        self._begin = self._told = time.monotonic()
        self._finished = self._failed = 0
        self._megapixels = 0.0

    def add(self, finished: int, failed: int, megapixels: float) -> None:
        """
        Args:
            finished: How many more are finished.
            failed: How many photos more have failed.
            megapixels: Those of their results.
        """
        self._finished, self._failed = self._finished + finished, self._failed + failed
        self._megapixels += megapixels
        now = time.monotonic()
        if not self._is_shown or now - self._told < 1:
            return
        self._told = now
        finished, seconds = self._finished, now - self._begin
        left = (self._total - self._before - finished) * seconds / max(finished, 1)
        print(
            f"\r{self._before + finished}/{self._total} {self._what} · {self._megapixels / seconds:.1f} MP/s"
            f" · {self._failed} failed · {left:.0f} s left ",
            end="", file=sys.stderr, flush=True,
        )  # fmt: skip

    def end(self) -> None:
        if self._is_shown:
            print(file=sys.stderr)
