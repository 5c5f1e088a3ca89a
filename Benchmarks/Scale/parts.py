"""The parts of the measurement; each returns lines with a figure and its bar."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any, Callable

import safelight
import safelight.ray
from arrays import arrays as arrays
from kills import kills as kills
from machine import Spent, batch, cluster, process_seconds, spent
from million import million as million
from pictures import make_corpus
from safelight._worker import find_program

__all__ = ["arrays", "against_batch", "through_s3", "two_nodes", "waiting_nodes", "kills", "million"]

_here = Path(__file__).parent
_flags = ["--exposure", "0.3", "--quality", "85"]


def _program(script: str, folder: Path) -> str:
    """A script of this folder as a program that `safelight.ray` starts."""
    path = folder / Path(script).stem
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{_here / script}" "$@"\n')
    path.chmod(0o755)
    return str(path)


def _edit(source: str, destination: str, **values: Any) -> Spent:
    with spent() as run:
        summary = safelight.ray.edit(source, destination, safelight.Recipe(exposure=0.3), quality=85, progress=False, **values)
    assert summary.failed == 0 and summary.done == summary.photos, summary
    return run


def _batch(program: str, photos: Path, results: Path, *flags: str) -> Spent:
    with spent() as run:
        batch(program, photos, results, 2, [*_flags, *flags])
    return run


class Pairs:
    """Two ways in turn, each first as often as the other; the machine is not as fast at one moment as at another."""

    def __init__(self, turns: int, own: "Callable[[int], Spent]", other: "Callable[[int], Spent]") -> None:
        self.own: "list[Spent]" = []
        self.other: "list[Spent]" = []
        for turn in range(turns):
            for way, runs in ((own, self.own), (other, self.other))[:: -1 if turn % 2 else 1]:
                runs.append(way(turn))

    def ratio(self, of: str) -> float:
        """The median of what the other way needs of the own."""
        return statistics.median(getattr(other, of) / getattr(own, of) for own, other in zip(self.own, self.other))

    def each(self, of: str, photos: int) -> "dict[str, float]":
        """Both ways' medians for a photo."""
        names = {"batch": self.own, "other": self.other}
        return {name: round(statistics.median(getattr(run, of) for run in runs) / photos, 4) for name, runs in names.items()}


def against_batch(folder: Path) -> "list[dict[str, Any]]":
    """Processor time a photo through Ray against `batch`, and libvips in the same harness."""
    program, count = find_program(), 72
    photos = folder / "in"
    make_corpus(program, photos, count, 6000, 4000)
    vips = _program("vips_worker.py", folder)
    has_vips = subprocess.run([sys.executable, "-c", "import pyvips"], capture_output=True).returncode == 0
    lines: "list[dict[str, Any]]" = []
    with cluster(1, 2):
        for edge in (0, 2048):
            os.environ["VIPS_SIZE"] = str(edge)
            size: "dict[str, Any]" = {"max_size": edge} if edge else {}
            flags = ["--max-size", str(edge)] if edge else []
            name = f"to {edge} pixels" if edge else "in full size"

            def through_ray(turn: int) -> Spent:
                return _edit(str(photos), str(_fresh(folder / "ray")), block=6, **size)

            pairs = Pairs(4, lambda turn: _batch(program, photos, _fresh(folder / "batch"), *flags), through_ray)
            ratio = pairs.ratio("cpu")
            lines.append({
                "what": f"processor time a 24-MP photo through Ray, of batch's, {name}", "ratio": round(ratio, 3), "bar": 1.03,
                "met": ratio <= 1.03, **pairs.each("cpu", count), "wall": round(pairs.ratio("wall"), 3),
            })
            if has_vips:
                # The recipe of the call is told to the worker, which has one of its own.
                against = Pairs(
                    2, through_ray,
                    lambda turn: _edit(str(photos), str(_fresh(folder / "vips")), block=6, program=vips, **size),
                )
                ratio = against.ratio("wall")
                lines.append({
                    "what": f"photos a second against libvips in the same harness, {name}", "ratio": round(ratio, 3), "bar": 1.5,
                    "met": ratio >= 1.5,
                })
    return lines


def _fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def through_s3(folder: Path) -> "list[dict[str, Any]]":
    """Processor time a photo with photos and results in a bucket of moto's, whose own time does not count."""
    program, count, turns = find_program(), 48, 4
    photos = folder / "in"
    make_corpus(program, photos, count, 6000, 4000)
    server = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-p", "5555"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.environ.update(
        AWS_ENDPOINT_URL="http://127.0.0.1:5555", AWS_ALLOW_HTTP="true", AWS_ACCESS_KEY_ID="test",
        AWS_SECRET_ACCESS_KEY="test", AWS_REGION="us-east-1", AWS_VIRTUAL_HOSTED_STYLE_REQUEST="false",
    )
    try:
        for bucket in ["photos", *(f"out-{turn}" for turn in range(turns))]:
            _put_bucket(f"http://127.0.0.1:5555/{bucket}")
        import obstore

        store = obstore.store.from_url("s3://photos")
        for photo in sorted(photos.iterdir()):
            obstore.put(store, photo.name, photo.read_bytes())

        def through_bucket(turn: int) -> Spent:
            before = process_seconds(server.pid)
            run = _edit("s3://photos", f"s3://out-{turn}", block=6)
            run.cpu -= process_seconds(server.pid) - before
            return run

        with cluster(1, 2):
            pairs = Pairs(turns, lambda turn: _batch(program, photos, _fresh(folder / "batch")), through_bucket)
    finally:
        server.kill()
        server.wait()
    ratio = pairs.ratio("cpu")
    return [{
        "what": "processor time a 24-MP photo through Ray and S3, of batch's", "ratio": round(ratio, 3), "bar": 1.10,
        "met": ratio <= 1.10, **pairs.each("cpu", count),
    }]


def _put_bucket(url: str) -> None:
    for attempt in range(100):
        try:
            urllib.request.urlopen(urllib.request.Request(url, method="PUT"))
            return
        except OSError:
            # The server is not up yet.
            if attempt == 99:
                raise
            time.sleep(0.2)


def two_nodes(folder: Path) -> "list[dict[str, Any]]":
    """Two nodes of one processor each against one `batch` with two jobs."""
    program, count = find_program(), 240
    photos = folder / "in"
    make_corpus(program, photos, count, 6000, 4000)
    with cluster(2, 1):
        pairs = Pairs(
            4, lambda turn: _batch(program, photos, _fresh(folder / "batch")),
            lambda turn: _edit(str(photos), str(_fresh(folder / "ray")), block=4),
        )
    ratio = 1 / pairs.ratio("wall")
    return [{
        "what": "photos a second on two nodes of one processor, of batch's with two jobs", "ratio": round(ratio, 3), "bar": 0.95,
        "met": ratio >= 0.95, **pairs.each("wall", count),
    }]


def waiting_nodes(folder: Path) -> "list[dict[str, Any]]":
    """Eight nodes whose editors only sleep: what the driver can feed."""
    photos = folder / "in"
    photos.mkdir()
    count, seconds, nodes = 2400, 0.5, 8
    for number in range(count):
        (photos / f"{number:05}.jpg").write_bytes(b"photo")
    os.environ["STUB_SECONDS"] = str(seconds)
    with cluster(nodes, 1):
        with spent() as run:
            safelight.ray.edit(
                str(photos), str(folder / "out"), block=4, program=_program("stub_worker.py", folder), progress=False
            )
    ideal = count * seconds / nodes
    return [{
        "what": "eight nodes whose editors sleep, of the ideal", "ratio": round(ideal / run.wall, 3), "bar": 0.95,
        "met": ideal / run.wall >= 0.95, "photos": count, "wall": round(run.wall, 1), "ideal": ideal,
    }]
