"""What a call from Python costs beside the pixels, and what a second thread gains."""

from __future__ import annotations

import multiprocessing
import statistics
import threading
import time
from pathlib import Path
from typing import Any, Callable

import numpy
import safelight


def _seconds(call: "Callable[[], object]") -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


class Photos:
    """Renders photos of 12 megapixels, in one thread."""

    def __init__(self, look: safelight.Recipe, renderer: safelight.Renderer) -> None:
        self.look, self.renderer = look, renderer
        self.photo = numpy.random.default_rng(1).integers(0, 256, (3000, 4000, 3), dtype=numpy.uint8)
        self.result = numpy.zeros_like(self.photo)
        self.render()

    def render(self) -> None:
        for _ in range(6):
            self.look.render(self.photo, out=self.result, renderer=self.renderer)


def _serve(pipe: Any) -> None:
    """Another process, which renders whenever it is told to."""
    photos = Photos(safelight.Recipe(exposure=0.3), safelight.Renderer(threads=1))
    pipe.send(True)
    while pipe.recv():
        photos.render()
        pipe.send(True)


def arrays(folder: Path) -> "list[dict[str, Any]]":
    look, one = safelight.Recipe(exposure=0.3), safelight.Renderer(threads=1)
    tiny = numpy.zeros((8, 8, 4), numpy.uint8)
    into = numpy.zeros_like(tiny)
    look.render(tiny, out=into, renderer=one)
    call = statistics.median(_seconds(lambda: look.render(tiny, out=into, renderer=one)) for _ in range(2000))

    # Threads share a plan, as those of a program do.
    pair = [Photos(look, one), Photos(look, one)]

    def threads() -> None:
        started = [threading.Thread(target=photos.render) for photos in pair]
        for thread in started:
            thread.start()
        for thread in started:
            thread.join()

    context = multiprocessing.get_context("spawn")
    pipes = []
    for _ in range(2):
        own, others = context.Pipe()
        context.Process(target=_serve, args=(others,), daemon=True).start()
        pipes.append(own)
        own.recv()

    def processes() -> None:
        for pipe in pipes:
            pipe.send(True)
        for pipe in pipes:
            pipe.recv()

    # In turns, because the machine is not as fast at one moment as at another. Processes share nothing that could hold
    # them up: they tell what its processors can do.
    turns = [(_seconds(pair[0].render), _seconds(threads), _seconds(processes)) for _ in range(25)]
    for pipe in pipes:
        pipe.send(False)
    gain = statistics.median(2 * alone / together for alone, together, _ in turns)
    possible = statistics.median(2 * alone / apart for alone, _, apart in turns)
    share = statistics.median(apart / together for _, together, apart in turns)
    return [
        {"what": "a call for 8 x 8 pixels, pixels included, in microseconds", "value": round(call * 1e6, 1), "bar": 50,
         "met": call <= 50e-6},
        {"what": "photos a second of two threads, of one's", "ratio": round(gain, 2), "processes": round(possible, 2),
         "bar": 1.8, "met": gain >= 1.8},
        {"what": "photos a second of two threads, of two processes'", "ratio": round(share, 2)},
    ]
