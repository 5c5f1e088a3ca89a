"""Many photos on many machines, with Ray: ``pip install 'safelight[ray]'``.

    import safelight, safelight.ray

    look = safelight.Recipe(preset="warm-film")
    summary = safelight.ray.edit("s3://bucket/in", "s3://bucket/out", look, format="jpeg", quality=85)

Folders and buckets work alike. Ray's own cluster of this machine is started if no other is connected; on every machine the
program ``safelight`` has to be installed.

How no photo is lost or edited twice: the list of photos is written first and divided into blocks. The result of a photo is
only ever created, never replaced, under a name that stands for the photo, its version and the edit. When a block is done, its
rows are written as a Parquet file, which is only ever created too. A run with the same source and edit continues where an
earlier one ended, whatever ended it; two at the same time do the same work once.
"""

from __future__ import annotations

import hashlib
import io
import os
import time
from pathlib import PurePosixPath
from typing import Any, Iterable, Iterator, NamedTuple, Optional

from ._errors import Error, invalid
from ._progress import Progress
from ._recipe import Recipe
from ._values import Value, as_text
from ._worker import Worker

try:
    import obstore
    import pyarrow
    import pyarrow.parquet
    import ray

    from ._places import Scratch, place
    from ._stores import STATE, as_parquet, create, read_statuses, size_of, speaking_of
except ImportError as _error:
    raise ImportError(f"{_error}; install what this needs with: pip install 'safelight[ray]'.") from _error

# Errors that are of a photo, by their code; others would strike any photo.
_OF_PHOTOS = frozenset(["corrupt-data", "unsupported", "too-large", "invalid-value", "worker-lost"])
_SCHEMA = pyarrow.schema(
    [
        ("key", pyarrow.string()),
        ("result", pyarrow.string()),
        # done, present (made by an earlier try), failed
        ("status", pyarrow.string()),
        ("reason", pyarrow.string()),
        ("width", pyarrow.int32()),
        ("height", pyarrow.int32()),
        ("bytes", pyarrow.int64()),
        ("hash", pyarrow.string()),
        ("seconds", pyarrow.float64()),
        ("node", pyarrow.string()),
    ]
)


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


class _Plan(NamedTuple):
    """What actors need to know."""

    source: str
    destination: str
    # The recipe, and how results are written, as names and values of the command line.
    options: "tuple[tuple[str, str], ...]"
    edit: str
    ending: str
    run: str
    program: Optional[str]
    timeout: float


def _worker(options: "Iterable[tuple[str, str]]", program: Optional[str], timeout: float, starts: bool) -> Worker:
    """A worker for an edit."""
    flags = [part for name, value in options if name != "json" for part in ("--" + name, value)]
    recipe = next((value for name, value in options if name == "json"), None)
    return Worker(flags, program, timeout, recipe=recipe, starts=starts)


def _mark(*parts: str, digits: int) -> str:
    """Hexadecimal digits that stand for some texts."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:digits]


def _result_name(key: str, version: str, plan: _Plan) -> str:
    """The name of a result: that of the photo, and a mark of the photo's version and the edit."""
    path = PurePosixPath(key)
    mark = _mark(plan.edit, key, version, digits=12)
    return str(path.with_name(f"{path.stem}.{mark}{plan.ending}"))


@ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)
class _Editor:
    """Holds a worker process, and edits blocks of photos with it."""

    def __init__(self, plan: _Plan) -> None:
        self._plan = plan
        self._source, self._destination = place(plan.source), place(plan.destination, makes=True)
        self._scratch = Scratch()
        # Not started yet: an actor that cannot be made is given up for good.
        self._worker = _worker(plan.options, plan.program, plan.timeout, starts=False)
        self._node = ray.get_runtime_context().get_node_id()

    def edit(self, number: int, photos: "list[tuple[str, str]]") -> "tuple[int, int, int, float]":
        """Edits a block; returns how many are done and failed, and the megapixels of the results."""
        rows = [self._row(key, version) for key, version in photos]
        table = pyarrow.Table.from_pylist(rows, _SCHEMA)
        self._destination.settle()
        create(self._destination.store, f"{self._plan.run}/rows/{number:08}.parquet", as_parquet(table))
        failed = sum(row["status"] == "failed" for row in rows)
        megapixels = sum((row["width"] or 0) * (row["height"] or 0) for row in rows) / 1e6
        return number, len(rows) - failed, failed, megapixels

    def _row(self, key: str, version: str) -> "dict[str, Any]":
        """Edits a photo. What is wrong with the photo is a row with a reason; what is wrong with a machine or a store is
        raised, so that the block is not taken for done."""
        result = _result_name(key, version, self._plan)
        row: "dict[str, Any]" = {name: None for name in _SCHEMA.names}
        row.update(key=key, node=self._node)
        try:
            size = self._destination.size_of(result)
            if size is None:
                edited, is_new = self._edit(key, version, result)
                row.update(width=edited["width"], height=edited["height"], seconds=edited["seconds"])
                if is_new:
                    mark = edited["fingerprint"]
                    return {**row, "result": result, "status": "done", "bytes": mark["bytes"], "hash": mark["hash"]}
                size = self._destination.size_of(result)
            return {**row, "result": result, "status": "present", "bytes": size}
        except Error as error:
            if error.code not in _OF_PHOTOS:
                raise
            return {**row, "status": "failed", "reason": str(error)}

    def _edit(self, key: str, version: str, result: str) -> "tuple[dict[str, Any], bool]":
        """Edits a photo, and returns what was done, and whether the result is new: somebody else may have made it."""
        self._scratch.clear()
        unfinished = self._destination.unfinished(self._plan.run, self._plan.ending, self._scratch)
        try:
            with self._source.fetched(key, version, self._scratch) as photo:
                edited = self._worker.edit(photo, unfinished, key)
            return edited, self._destination.publish(unfinished, result)
        finally:
            if os.path.exists(unfinished):
                os.unlink(unfinished)


def _manifest(source: str, destination: str, run: str) -> Any:
    """The list of the photos of a run: that of an earlier try, if there was one."""
    path = f"{run}/manifest.parquet"
    is_new = "://" not in destination and not os.path.isdir(destination)
    if is_new or size_of(place(destination).store, path) is None:
        with speaking_of(source):
            photos = list(place(source).photos())
        if len(photos) == 0:
            raise FileNotFoundError(f"There are no photos in {source}.")
        keys, versions = zip(*photos)
        listed = pyarrow.table({"key": keys, "version": versions}).sort_by("key")
        create(place(destination, makes=True).store, path, as_parquet(listed))
    return pyarrow.parquet.read_table(io.BytesIO(obstore.get(place(destination).store, path).bytes()))


def _blocks(photos: Any, size: int, done: "set[int]") -> "Iterator[tuple[int, list[tuple[str, str]]]]":
    for number in range((len(photos) + size - 1) // size):
        if number not in done:
            part = photos.slice(number * size, size)
            yield number, list(zip(part["key"].to_pylist(), part["version"].to_pylist()))


def _refuse_nested(source: str, destination: str) -> None:
    """Results must not be photos of the next run."""
    one, other = (name if "://" in name else os.path.realpath(name) for name in (source, destination))
    if (other.rstrip("/") + "/").startswith(one.rstrip("/") + "/"):
        raise invalid(f"{destination} is in {source}, so results would be edited again", "choose a place outside of it")


def edit(
    source: str,
    destination: str,
    recipe: Optional[Recipe] = None,
    *,
    workers: Optional[int] = None,
    block: int = 64,
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
        workers: How many photos are edited at a time; None for one per processor of the cluster.
        block: How many photos are done or done again together after a crash.
        timeout: How long a photo may take, in seconds.
        program: The program ``safelight`` on every machine; None finds it in PATH.
        progress: Whether to tell progress on standard error; None: on a terminal.
        format: The format of all results: ``"jpeg"``, ``"png"``, ``"webp"`` …
        **values: How results are written: ``quality``, ``max_size``, ``metadata``, ``color_space`` …

    Returns:
        What became of the photos. Those that fail are rows with a reason.
    """
    began = time.monotonic()
    if block < 1:
        raise ValueError(f"block is {block}; give 1 or more.")
    _refuse_nested(source, destination)
    options = [] if recipe is None else recipe._options
    options += [(name.replace("_", "-"), as_text(name, value)) for name, value in {"format": format, **values}.items()]
    # Mistakes in the edit are told before anything is listed or written.
    trial = _worker(options, program, timeout, starts=True)
    hello = trial.hello
    trial.close()
    run = f"{STATE}/{_mark(source, hello['edit'], str(block), digits=16)}"
    ending = "." + {"jpeg": "jpg", "tiff": "tif"}.get(hello["format"], hello["format"])
    plan = _Plan(source, destination, tuple(options), hello["edit"], ending, run, program, timeout)

    with speaking_of(destination):
        photos = _manifest(source, destination, run)
    into = place(destination)
    finished = {
        int(PurePosixPath(meta["path"]).stem) for batch in obstore.list(into.store, f"{run}/rows/") for meta in batch
    }
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    before = sum(min(block, len(photos) - number * block) for number in finished)
    shown = Progress(len(photos), before, progress)
    _run(plan, _blocks(photos, block, finished), workers or max(1, int(ray.cluster_resources().get("CPU", 1))), shown)
    shown.end()
    into.sweep(run, age=2 * timeout)

    done = failed = 0
    blocks = (len(photos) + block - 1) // block
    for status in read_statuses(into.store, [f"{run}/rows/{number:08}.parquet" for number in range(blocks)]):
        failed += status.count("failed")
        done += len(status) - status.count("failed")
    return Summary(len(photos), done, failed, f"{destination.rstrip('/')}/{run}/rows", time.monotonic() - began)


def _run(plan: _Plan, blocks: "Iterator[tuple[int, list[tuple[str, str]]]]", workers: int, shown: Progress) -> None:
    """Gives blocks to actors, each of which has one under way and one waiting."""
    waiting = iter(blocks)
    first = next(waiting, None)
    if first is None:
        return
    editors: "list[Any]" = []
    under_way: "dict[Any, Any]" = {}

    def give(editor: Any, item: Any) -> None:
        under_way[editor.edit.remote(*item)] = editor

    item: Any = first
    while item is not None and len(editors) < workers:
        editors.append(_Editor.remote(plan))
        give(editors[-1], item)
        item = next(waiting, None)
    for editor in editors:
        if item is None:
            break
        give(editor, item)
        item = next(waiting, None)
    try:
        while under_way:
            ready, _ = ray.wait(list(under_way), num_returns=1)
            editor = under_way.pop(ready[0])
            _, done, failed, megapixels = ray.get(ready[0])
            shown.add(done, failed, megapixels)
            if item is not None:
                give(editor, item)
                item = next(waiting, None)
    finally:
        for editor in editors:
            ray.kill(editor)
