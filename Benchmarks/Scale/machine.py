"""What this machine has spent, and clusters on it."""

from __future__ import annotations

import os
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

import ray
from ray.cluster_utils import Cluster

STORE = 80 << 20
_tick = os.sysconf("SC_CLK_TCK")


def cpu_seconds() -> float:
    """The processor time of everything on this machine since it started: nothing that belongs to a run is missed, not even
    processes that were killed."""
    user, nice, system = (int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:4])
    return (user + nice + system) / _tick


def process_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _tick


class Spent:
    """What was spent while a block ran."""

    wall = cpu = 0.0


@contextmanager
def spent() -> "Iterator[Spent]":
    result = Spent()
    # What earlier runs have written is on the disk, and is not this one's to write.
    os.sync()
    wall, cpu = time.monotonic(), cpu_seconds()
    yield result
    result.wall, result.cpu = time.monotonic() - wall, cpu_seconds() - cpu


@contextmanager
def cluster(nodes: int, cpus: int) -> "Iterator[Cluster]":
    """Nodes on this machine, each with processors that Ray counts; the driver is connected to the first."""
    made = Cluster()
    for number in range(nodes):
        made.add_node(num_cpus=cpus, object_store_memory=STORE, include_dashboard=False)
    ray.init(address=made.address, log_to_driver=False)
    try:
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


def batch(program: str, photos: Path, results: Path, jobs: int, flags: "list[str]") -> None:
    subprocess.run(
        [program, "batch", str(photos), "-o", str(results), "--jobs", str(jobs), *flags],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
