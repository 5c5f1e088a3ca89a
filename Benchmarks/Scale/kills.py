"""10,000 photos while everything is killed, twenty times: no photo is lost, none is edited into two results."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet
from machine import STORE, batch
from pictures import draw, write_photo
from ray.cluster_utils import Cluster
from safelight._worker import find_program

_DRIVER = """
import json, sys
import ray, safelight, safelight.ray
ray.init(address=sys.argv[3], log_to_driver=False)
summary = safelight.ray.edit(sys.argv[1], sys.argv[2], safelight.Recipe(exposure=0.3), quality=85, progress=False, block=32)
print(json.dumps(summary._asdict()))
"""
_VICTIMS = ["worker"] * 8 + ["actor"] * 6 + ["node"] * 3 + ["driver"] * 3


def _processes(word: str) -> "list[int]":
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                continue
            if word in line and int(entry.name) != os.getpid():
                found.append(int(entry.name))
    return found


def _make_photos(program: str, folder: Path, count: int) -> None:
    """Small photos, no two alike: a byte after the end of a JPEG belongs to nothing."""
    folder.mkdir()
    for seed in range(16):
        write_photo(program, folder / f"base-{seed}.jpg", draw(320, 240, seed))
    bases = [path.read_bytes() for path in sorted(folder.glob("base-*.jpg"))]
    for path in folder.glob("base-*.jpg"):
        path.unlink()
    for number in range(count):
        (folder / f"{number:05}.jpg").write_bytes(bases[number % len(bases)] + number.to_bytes(4, "big"))


def kills(folder: Path) -> "list[dict[str, Any]]":
    program, count = find_program(), int(os.environ.get("SCALE_PHOTOS", "10000"))
    photos, results = folder / "in", folder / "out"
    _make_photos(program, photos, count)
    batch(program, photos, folder / "batch", 2, ["--exposure", "0.3", "--quality", "85", "--format", "jpeg"])

    cluster = Cluster()
    cluster.add_node(num_cpus=0, object_store_memory=STORE, include_dashboard=False)
    nodes = [cluster.add_node(num_cpus=1, object_store_memory=STORE) for _ in range(2)]
    command = [sys.executable, "-c", _DRIVER, str(photos), str(results), cluster.address]
    chance, waiting, killed = random.Random(11), list(_VICTIMS), 0
    chance.shuffle(waiting)
    began = time.monotonic()

    def start() -> "subprocess.Popen[str]":
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    driver, made = start(), 0
    try:
        while True:
            try:
                said, complained = driver.communicate(timeout=0.5)
                if driver.returncode == 0:
                    break
                assert driver.returncode == -signal.SIGKILL, complained
                driver = start()
            except subprocess.TimeoutExpired:
                pass
            made = sum(1 for _ in results.glob("*.jpg")) if results.exists() else 0
            # One after each of the parts that the photos are divided into by the kills.
            if not waiting or made < (killed + 0.5) * count / (len(_VICTIMS) + 1):
                continue
            victim = waiting.pop()
            if victim == "driver":
                driver.kill()
            elif victim == "node":
                gone = nodes.pop(chance.randrange(2))
                cluster.remove_node(gone, allow_graceful=False)
                nodes.append(cluster.add_node(num_cpus=1, object_store_memory=STORE))
            else:
                found = _processes(f"{program} worker" if victim == "worker" else "ray::Editor")
                if not found:
                    waiting.append(victim)
                    continue
                os.kill(chance.choice(found), signal.SIGKILL)
            killed += 1
            print(f"{made} results: killed a {victim} ({killed} of {len(_VICTIMS)})", file=sys.stderr, flush=True)
    finally:
        driver.kill()
        cluster.shutdown()
    wall = time.monotonic() - began

    rows = pyarrow.parquet.read_table(next(results.glob("_safelight/*/rows"))).to_pylist()
    objects = {path.name for path in results.glob("*.jpg")}
    same = sum(_digest(results / row["result"]) == _digest(folder / "batch" / row["key"]) for row in rows if row["result"])
    whole = {
        "rows": len({row["key"] for row in rows}), "objects": len(objects), "sameBytesAsBatch": same,
        "failed": sum(row["status"] == "failed" for row in rows),
    }
    assert len(rows) == len({row["key"] for row in rows}), "a photo has two rows"
    return [{
        "what": f"{killed} kills over {count} photos: a row, an object and batch's bytes for each", **whole, "kills": killed,
        "again": sum(row["status"] == "present" for row in rows), "seconds": round(wall),
        "met": whole["rows"] == whole["objects"] == same == count and whole["failed"] == 0 and killed == len(_VICTIMS),
    }]


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
