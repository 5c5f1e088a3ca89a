"""Many photos on many machines, with Ray: ``pip install ray obstore pyarrow``.

    import safelight, safelight.ray

    look = safelight.Recipe(preset="warm-film")
    summary = safelight.ray.edit("s3://bucket/in", "s3://bucket/out", look, format="jpeg", quality=85)

Folders and buckets work alike, with photos as files or in shards as WebDataset reads them. Ray's own cluster of this machine is
started if no other is connected; on every machine the program ``safelight`` has to be installed.

How no photo is lost or edited twice: the list of photos is written first and divided into blocks. The result of a photo is
only ever created, never replaced, under a name that stands for the photo, its version and the edit. When a block is done, its
rows are written as a Parquet file, which is only ever created too. A run with the same source and edit continues where an
earlier one ended, whatever ended it; two at the same time do the same work once.
"""

from __future__ import annotations

import io
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Iterator, NamedTuple, Optional, Sequence

from ._errors import invalid
from ._progress import Progress
from ._recipe import Recipe
from ._values import Value, as_text

try:
    import pyarrow
    import pyarrow.parquet
    import ray

    from ._driver import run_blocks
    from ._editor import Block, Plan, as_parquet, make_worker, mark_of
    from ._places import PHOTOS, place
    from ._shards import SHARDS
    from ._stores import STATE
except ImportError as _error:
    raise ImportError(f"{_error}; install it: pip install 'ray>=2.40' 'obstore>=0.8' pyarrow") from _error


class Summary(NamedTuple):
    """What became of the photos.

    Attributes:
        photos: How many there are.
        done: How many have results, those of earlier runs included.
        failed: How many have none; their rows say why.
        rows: Where the rows are, as Parquet files: a folder or a URL.
        seconds: How long this run took.
    """

    photos: int
    done: int
    failed: int
    rows: str
    seconds: float


def _manifest(source: str, destination: str, run: str, endings: "frozenset[str]") -> Any:
    """The list of the photos of a run, or of its shards: that of an earlier try, if there was one."""
    is_new = "://" not in destination and not os.path.isdir(destination)
    known = None if is_new else place(destination).get(run, "manifest.parquet")
    if known is None:
        photos = list(place(source).listed(endings))
        if len(photos) == 0:
            raise FileNotFoundError(f"There are no {'shards (.tar)' if endings == SHARDS else 'photos'} in {source}.")
        keys, versions = zip(*photos)
        listed = pyarrow.table({"key": keys, "version": versions}).sort_by("key")
        into = place(destination, makes=True)
        into.put(run, "manifest.parquet", as_parquet(listed))
        # Of two drivers, both take the list of the one that was first.
        known = into.get(run, "manifest.parquet")
    return pyarrow.parquet.read_table(io.BytesIO(known or b""))


def _statuses(into: Any, run: str, blocks: int) -> "Iterator[list[str]]":
    """What became of each photo, block by block; many are read at a time, because each waits for its store."""

    def read(number: int) -> "list[str]":
        data = into.get(run, f"rows/{number:08}.parquet") or b""
        return list(pyarrow.parquet.read_table(io.BytesIO(data), columns=["status"], use_threads=False)["status"].to_pylist())

    with ThreadPoolExecutor(32) as readers:
        yield from readers.map(read, range(blocks))


def _blocks(photos: Any, size: int, done: "set[int]") -> "Iterator[Block]":
    for number in range((len(photos) + size - 1) // size):
        if number not in done:
            part = photos.slice(number * size, size)
            yield number, list(zip(part["key"].to_pylist(), part["version"].to_pylist()))


def _refuse_nested(source: str, destination: str) -> None:
    """Results must not be photos of the next run."""
    if (destination + "/").startswith(source.rstrip("/") + "/"):
        raise invalid(f"{destination} is in {source}, so results would be edited again", "choose a place outside of it")


def edit(
    source: str,
    destination: str,
    recipe: Optional[Recipe] = None,
    *,
    shards: "Optional[str | Sequence[str]]" = None,
    workers: Optional[int] = None,
    block: Optional[int] = None,
    timeout: float = 120,
    program: Optional[str] = None,
    progress: Optional[bool] = None,
    format: str = "jpeg",
    **values: Value,
) -> Summary:
    """Edits all photos of a folder or a bucket into another one.

    Args:
        source: A folder, or a URL such as ``s3://bucket/prefix``.
        destination: The same; its object ``_safelight/`` holds the list of photos and the rows.
        recipe: The edit; None only writes photos anew.
        shards: What photos are called in WebDataset shards, such as ``"jpg"`` or ``["left.jpg", "right.jpg"]``: the source's
            ``.tar`` files are edited into such files, in which all else is as it was. None: photos are files.
        workers: How many photos are edited at a time; None for one per processor of the cluster.
        block: How many photos are done or done again together after a crash; None for 64, or one shard.
        timeout: How long a photo may take, in seconds.
        program: The program ``safelight`` on every machine; None finds it in PATH.
        progress: Whether to tell progress on standard error; None: on a terminal.
        format: The format of all results: ``"jpeg"``, ``"png"``, ``"webp"`` …
        **values: How results are written: ``quality``, ``max_size``, ``metadata``, ``color_space`` …

    Returns:
        What became of the photos. Those that fail are rows with a reason.
    """
    began = time.monotonic()
    in_shards = frozenset(name.lower().lstrip(".") for name in ([shards] if isinstance(shards, str) else shards or []))
    block = (1 if in_shards else 64) if block is None else block
    if block < 1:
        raise ValueError(f"block is {block}; give 1 or more.")
    if shards is not None and (not in_shards or "" in in_shards):
        raise ValueError("shards names no photos; give what they are called, such as 'jpg'.")
    # Actors have working folders of their own, and a run has one name, however its folders are written.
    source, destination = (name.rstrip("/") if "://" in name else os.path.realpath(name) for name in (source, destination))
    _refuse_nested(source, destination)
    options = [] if recipe is None else recipe._options
    options += [(name.replace("_", "-"), as_text(name, value)) for name, value in {"format": format, **values}.items()]
    # Mistakes in the edit are told before anything is listed or written.
    trial = make_worker(options, program, timeout, starts=True)
    hello = trial.hello
    trial.close()
    run = f"{STATE}/{mark_of(source, hello['edit'], *sorted(in_shards), str(block), digits=16)}"
    ending = "." + {"jpeg": "jpg", "tiff": "tif"}.get(hello["format"], hello["format"])
    plan = Plan(source, destination, tuple(options), hello["edit"], ending, in_shards, run, program, timeout)

    photos = _manifest(source, destination, run, SHARDS if in_shards else PHOTOS)
    into = place(destination)
    rows = [re.fullmatch(r"([0-9]{8})\.parquet", name) for name in into.names(run, "rows")]
    finished = {int(found[1]) for found in rows if found}
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    before = sum(min(block, len(photos) - number * block) for number in finished)
    shown = Progress("shards" if in_shards else "photos", len(photos), before, progress)
    run_blocks(plan, _blocks(photos, block, finished), workers or max(1, int(ray.cluster_resources().get("CPU", 1))), shown)
    shown.end()
    into.sweep(run, age=2 * timeout)

    done = failed = 0
    blocks = (len(photos) + block - 1) // block
    for status in _statuses(into, run, blocks):
        failed += status.count("failed")
        done += len(status) - status.count("failed")
    return Summary(done + failed, done, failed, f"{destination.rstrip('/')}/{run}/rows", time.monotonic() - began)
