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
import sys
import time
from pathlib import PurePosixPath
from typing import Any, Iterator, NamedTuple, Optional, Sequence

from ._errors import Error
from ._recipe import Recipe
from ._values import Value, as_text
from ._worker import Worker, find_program

try:
    import obstore
    import pyarrow
    import pyarrow.parquet
    import ray
except ImportError as _error:
    raise ImportError(f"{_error}; install what this needs with: pip install 'safelight[ray]'.") from _error

_ENDINGS = frozenset(
    "jpg jpeg jpe jfif png tif tiff webp heic heif hif avif jxl dng cr2 cr3 crw nef nrw arw srf sr2 raf orf rw2 pef srw 3fr iiq".split()
)
_STATE = "_safelight"
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


def _store(place: str) -> Any:
    """A folder or a bucket as obstore has it."""
    if "://" in place:
        return obstore.store.from_url(place)
    return obstore.store.LocalStore(prefix=os.path.abspath(place), mkdir=True)


def _create(store: Any, key: str, data: bytes) -> bool:
    """Puts an object that was not there; false if it was."""
    for _ in range(5):
        try:
            obstore.put(store, key, data, mode="create", use_multipart=False)
            return True
        except obstore.exceptions.AlreadyExistsError:
            return False
        except obstore.exceptions.PreconditionError:
            # Somebody else is creating it.
            time.sleep(0.2)
    return False


def _size(store: Any, key: str) -> Optional[int]:
    try:
        return int(obstore.head(store, key)["size"])
    except (FileNotFoundError, obstore.exceptions.NotFoundError):
        return None


def _parquet(table: Any) -> bytes:
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(table, buffer)
    return buffer.getvalue()


def _flags(recipe: Optional[Recipe], values: "dict[str, Value]", recipe_file: Optional[str]) -> "list[str]":
    """The edit and how results are written, as flags of a worker; each takes a value."""
    given: "list[tuple[str, str]]" = []
    if recipe is not None:
        own = recipe._given if recipe._given is not None else [("json", recipe.json())]
        given = [(name, value) for name, value in own if name != "json"]
    given += [(name.replace("_", "-"), as_text(name, value)) for name, value in values.items()]
    flags = [part for name, value in given for part in ("--" + name, value)]
    return flags + (["--recipe", recipe_file] if recipe_file else [])


class _Plan(NamedTuple):
    """What actors need to know."""

    source: str
    destination: str
    values: "dict[str, Value]"
    recipe: "Optional[list[tuple[str, str]]]"
    edit: str
    ending: Optional[str]
    run: str
    program: Optional[str]
    timeout: float


def _json_of(recipe: Optional[Recipe]) -> Optional[str]:
    if recipe is None:
        return None
    own = recipe._given if recipe._given is not None else [("json", recipe.json())]
    return next((value for name, value in own if name == "json"), None)


def _worker(
    recipe: Optional[Recipe], values: "dict[str, Value]", program: Optional[str], timeout: float, starts: bool
) -> Worker:
    """A worker for an edit; a recipe that is a text becomes a file, which is read by the time it says hello."""
    import tempfile

    text = _json_of(recipe)
    if text is None:
        return Worker(_flags(recipe, values, None), program, timeout, starts)
    # Kept for as long as the worker may have to be started again.
    file = tempfile.NamedTemporaryFile("w", suffix=".json", prefix="safelight-recipe-", encoding="utf-8")
    file.write(text)
    file.flush()
    worker = Worker(_flags(recipe, values, file.name), program, timeout, starts)
    worker.recipe_file = file  # type: ignore[attr-defined]
    return worker


def _result_name(key: str, version: str, plan: _Plan) -> str:
    """The name of a result: that of the photo, and a mark of the photo's version and the edit."""
    path = PurePosixPath(key)
    mark = hashlib.sha256(f"{plan.edit}\n{key}\n{version}".encode()).hexdigest()[:12]
    ending = plan.ending or path.suffix
    return str(path.with_name(f"{path.stem}.{mark}{ending}"))


@ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)
class _Editor:
    """Holds a worker process, and edits blocks of photos with it."""

    def __init__(self, plan: _Plan) -> None:
        self._plan = plan
        self._source, self._destination = _store(plan.source), _store(plan.destination)
        recipe = None if plan.recipe is None else Recipe._from(plan.recipe)
        # Not started yet: an actor that cannot be made is given up for good.
        self._worker = _worker(recipe, plan.values, plan.program, plan.timeout, starts=False)
        self._node = ray.get_runtime_context().get_node_id()

    def edit(self, number: int, photos: "list[tuple[str, str]]") -> "tuple[int, int, int, float]":
        """Edits a block; returns how many are done and failed, and the megapixels of the results."""
        rows = [self._row(key, version) for key, version in photos]
        table = pyarrow.Table.from_pylist(rows, _SCHEMA)
        _create(self._destination, f"{self._plan.run}/rows/{number:08}.parquet", _parquet(table))
        failed = sum(row["status"] == "failed" for row in rows)
        megapixels = sum((row["width"] or 0) * (row["height"] or 0) for row in rows) / 1e6
        return number, len(rows) - failed, failed, megapixels

    def _row(self, key: str, version: str) -> "dict[str, Any]":
        result = _result_name(key, version, self._plan)
        row: "dict[str, Any]" = {name: None for name in _SCHEMA.names}
        row.update(key=key, result=result, node=self._node)
        try:
            size = _size(self._destination, result)
            if size is None:
                got = obstore.get(self._source, key)
                found = _version(got.meta)
                if found != version:
                    raise Error(f"{key} has changed since it was listed.", f"{key} has changed since it was listed", "")
                edited, data = self._worker.edit(bytes(got.bytes()), key)
                if _create(self._destination, result, data):
                    size = len(data)
                    row.update(width=edited["width"], height=edited["height"], seconds=edited["seconds"])
                    row.update(hash=edited["fingerprint"]["hash"], status="done", bytes=size)
                    return row
                size = _size(self._destination, result)
            row.update(status="present", bytes=size)
        except Exception as error:  # A photo that fails is a row with a reason, and stops nothing.
            row.update(result=None, status="failed", reason=str(error))
        return row


def _version(meta: Any) -> str:
    """A text that changes with an object: what the store calls its tag, or its size and time."""
    tag = meta.get("e_tag")
    return str(tag) if tag else f"{meta['size']}-{meta['last_modified'].timestamp():.6f}"


def _list(store: Any) -> Any:
    """The photos of a source, in the order of their keys, as a table."""
    keys, versions = [], []
    for batch in obstore.list(store):
        for meta in batch:
            name = PurePosixPath(meta["path"])
            if name.suffix[1:].lower() in _ENDINGS and name.parts[0] != _STATE:
                keys.append(meta["path"])
                versions.append(_version(meta))
    return pyarrow.table({"key": keys, "version": versions}).sort_by("key")


def _manifest(source: Any, destination: Any, run: str, place: str) -> Any:
    """The list of the photos of a run: that of an earlier try, if there was one."""
    path = f"{run}/manifest.parquet"
    if _size(destination, path) is None:
        photos = _list(source)
        if len(photos) == 0:
            raise FileNotFoundError(f"There are no photos in {place}.")
        _create(destination, path, _parquet(photos))
    return pyarrow.parquet.read_table(io.BytesIO(bytes(obstore.get(destination, path).bytes())))


def _blocks(photos: Any, size: int, done: "set[int]") -> "Iterator[tuple[int, list[tuple[str, str]]]]":
    for number in range((len(photos) + size - 1) // size):
        if number not in done:
            part = photos.slice(number * size, size)
            yield number, list(zip(part["key"].to_pylist(), part["version"].to_pylist()))


class _Progress:
    """A line on standard error: photos, megapixels a second, failures, the time that remains."""

    def __init__(self, total: int, before: int, is_shown: bool) -> None:
        self._total, self._before, self._is_shown = total, before, is_shown
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
        **values: How results are written: ``format``, ``quality``, ``max_size``, ``metadata``, ``color_space`` …

    Returns:
        What became of the photos. Those that fail are rows with a reason.
    """
    began = time.monotonic()
    if block < 1:
        raise ValueError(f"block is {block}; give 1 or more.")
    program = find_program(program)
    # Mistakes in the edit are told before anything is listed or written.
    trial = _worker(recipe, values, program, timeout, starts=True)
    hello = trial.hello
    trial.close()
    edit_mark = hello["edit"]
    run = f"{_STATE}/{hashlib.sha256(f'{source}|{edit_mark}|{block}'.encode()).hexdigest()[:16]}"
    endings = {"jpeg": ".jpg", "tiff": ".tif"}
    ending = endings.get(hello["format"], "." + hello["format"]) if "format" in hello else None
    given = None if recipe is None else (recipe._given if recipe._given is not None else [("json", recipe.json())])
    plan = _Plan(source, destination, values, given, edit_mark, ending, run, program, timeout)

    into = _store(destination)
    photos = _manifest(_store(source), into, run, source)
    finished = {
        int(PurePosixPath(meta["path"]).stem) for batch in obstore.list(into, f"{run}/rows/") for meta in batch
    }
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    before = sum(min(block, len(photos) - number * block) for number in finished)
    shown = _Progress(len(photos), before, sys.stderr.isatty() if progress is None else progress)
    _run(plan, _blocks(photos, block, finished), workers or max(1, int(ray.cluster_resources().get("CPU", 1))), shown)
    shown.end()

    done = failed = 0
    for number in range((len(photos) + block - 1) // block):
        data = bytes(obstore.get(into, f"{run}/rows/{number:08}.parquet").bytes())
        status = pyarrow.parquet.read_table(io.BytesIO(data), columns=["status"])["status"].to_pylist()
        failed += status.count("failed")
        done += len(status) - status.count("failed")
    return Summary(len(photos), done, failed, f"{destination.rstrip('/')}/{run}/rows", time.monotonic() - began)


def _run(plan: _Plan, blocks: "Iterator[tuple[int, list[tuple[str, str]]]]", workers: int, shown: _Progress) -> None:
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
