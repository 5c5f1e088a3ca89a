"""What a call from Python costs beside the pixels, and what a second thread gains."""

from __future__ import annotations

import hashlib
import statistics
import threading
import time
from pathlib import Path
from typing import Any, Callable

import numpy
import safelight


def _median(call: "Callable[[], object]", turns: int) -> float:
    """The median of calls, in seconds."""
    taken = []
    for _ in range(turns):
        began = time.perf_counter()
        call()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def arrays(folder: Path) -> "list[dict[str, Any]]":
    look, one = safelight.Recipe(exposure=0.3), safelight.Renderer(threads=1)
    tiny = numpy.zeros((8, 8, 4), numpy.uint8)
    into = numpy.zeros_like(tiny)
    look.render(tiny, out=into, renderer=one)
    call = _median(lambda: look.render(tiny, out=into, renderer=one), 2000)

    photo = numpy.random.default_rng(1).integers(0, 256, (3000, 4000, 3), dtype=numpy.uint8)
    results = [numpy.zeros_like(photo) for _ in range(2)]

    def render(number: int) -> None:
        for _ in range(6):
            look.render(photo, out=results[number], renderer=one)

    noise = photo.tobytes()

    def hash_noise(number: int) -> None:
        for _ in range(6):
            hashlib.sha256(noise).digest()

    def gain_of(work: "Callable[[int], None]") -> float:
        """How much more two threads do than one."""

        def together() -> None:
            threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        return 2 * _median(lambda: work(0), 1) / _median(together, 1)

    render(0)
    # In turns, because the machine is not as fast at one moment as at another. Hashing tells what its processors can do.
    turns = [(gain_of(render), gain_of(hash_noise)) for _ in range(9)]
    gain, possible = (statistics.median(way) for way in zip(*turns))
    return [
        {"what": "a call for 8 x 8 pixels, pixels included, in microseconds", "value": round(call * 1e6, 1), "bar": 50,
         "met": call <= 50e-6},
        {"what": "photos a second of two threads, of one's", "ratio": round(gain, 2), "hashing": round(possible, 2), "bar": 1.8,
         "met": gain >= 1.8},
    ]
