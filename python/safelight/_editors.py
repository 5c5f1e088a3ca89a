"""Actors that edit blocks of photos, and the driver that keeps them busy and replaces them, for `safelight.ray`."""

from __future__ import annotations

import hashlib
import io
import os
import re
from pathlib import PurePosixPath
from typing import Any, Iterable, Iterator, NamedTuple, Optional, Tuple

import pyarrow
import pyarrow.parquet
import ray

from ._errors import Error
from ._places import place
from ._progress import Progress
from ._scratch import Scratch
from ._worker import Worker

# Errors that are of a photo, by their code; others would strike any photo.
_OF_PHOTOS = frozenset(["corrupt-data", "unsupported", "too-large", "invalid-value", "worker-lost"])
# How often a block may lose its actor or machine before a run is given up.
_MOST_LOSSES = 20
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


# A block's number and its photos, each with its version.
Block = Tuple[int, "list[tuple[str, str]]"]


class Plan(NamedTuple):
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


def make_worker(options: "Iterable[tuple[str, str]]", program: Optional[str], timeout: float, starts: bool) -> Worker:
    """A worker for an edit."""
    flags = [part for name, value in options if name != "json" for part in ("--" + name, value)]
    recipe = next((value for name, value in options if name == "json"), None)
    return Worker(flags, program, timeout, recipe=recipe, starts=starts)


def mark_of(*parts: str, digits: int) -> str:
    """Hexadecimal digits that stand for some texts."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:digits]


def _result_name(key: str, version: str, plan: Plan) -> str:
    """The name of a result: that of the photo, and a mark of where it is from, its version and the edit."""
    # Buckets refuse control characters; the mark keeps such names apart.
    path = PurePosixPath(re.sub(r"[\x00-\x1f\x7f]", "_", key))
    mark = mark_of(plan.source, plan.edit, key, version, digits=12)
    # Names have at most 255 bytes.
    stem = path.stem.encode()[: 240 - len(mark)].decode("utf-8", "ignore")
    return str(path.with_name(f"{stem}.{mark}{plan.ending}"))


def as_parquet(table: Any) -> bytes:
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(table, buffer)
    return buffer.getvalue()


# The driver replaces actors itself: Ray's own retries lose blocks when an actor is killed while it restarts.
@ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)
class _Editor:
    """Holds a worker process, and edits blocks of photos with it."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._is_open = False
        self._node = ray.get_runtime_context().get_node_id()

    def _open(self) -> None:
        """Not when the actor is made: what is wrong with the machine would then be told as a dump of Ray's."""
        if self._is_open:
            return
        plan = self._plan
        self._source, self._destination = place(plan.source), place(plan.destination, makes=True)
        self._scratch = Scratch()
        # The first photo starts it, and can start it again.
        self._worker = make_worker(plan.options, plan.program, plan.timeout, starts=False)
        self._is_open = True

    def edit(self, number: int, photos: "list[tuple[str, str]]") -> "tuple[int, int, int, float]":
        """Edits a block; returns how many are done and failed, and the megapixels of the results."""
        self._open()
        rows = [self._row(key, version) for key, version in photos]
        table = pyarrow.Table.from_pylist(rows, _SCHEMA)
        self._destination.settle()
        self._destination.put(self._plan.run, f"rows/{number:08}.parquet", as_parquet(table))
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
            # Somebody else may have had more luck with it, such as a faster machine.
            size = self._destination.size_of(result)
            if size is not None:
                return {**row, "result": result, "status": "present", "bytes": size}
            return {**row, "status": "failed", "reason": str(error)}

    def _edit(self, key: str, version: str, result: str) -> "tuple[dict[str, Any], bool]":
        """Edits a photo, and returns what was done, and whether the result is new: somebody else may have made it."""
        self._scratch.clear()
        unfinished = self._destination.unfinished(self._plan.run, self._plan.ending, self._scratch)
        try:
            with self._source.fetched(key, version, self._scratch) as photo:
                edited = self._worker.edit(photo, unfinished, key)
            if self._worker.hello["edit"] != self._plan.edit:
                raise Error(
                    f"The edit is another one on node {self._node}; install the same version of Safelight, and the same "
                    "files that the recipe names, on every machine.",
                    f"The edit is another one on node {self._node}",
                    "install the same version of Safelight, and the same files that the recipe names, on every machine",
                )
            return edited, self._destination.publish(unfinished, result)
        finally:
            if os.path.exists(unfinished):
                os.unlink(unfinished)

    def close(self) -> None:
        """Ends the worker, removes the scratch, and gives the processor back."""
        if self._is_open:
            self._worker.close()
            self._scratch.close()
        ray.actor.exit_actor()


def run_blocks(plan: Plan, blocks: "Iterator[Block]", workers: int, shown: Progress) -> None:
    """Gives blocks to actors, each of which has one under way and one waiting. What an actor had that is lost is given again."""
    editors: "dict[Any, int]" = {}
    under_way: "dict[Any, tuple[Any, Block]]" = {}
    again: "list[Block]" = []
    losses: "dict[int, int]" = {}
    closing: "dict[Any, Any]" = {}

    def fill() -> None:
        for depth in (1, 2):
            while len(editors) < workers or any(count < depth for count in editors.values()):
                block = again.pop() if again else next(blocks, None)
                if block is None:
                    return
                editor = min(editors, key=editors.__getitem__, default=None)
                if editor is None or len(editors) < workers:
                    editor = _Editor.remote(plan)
                    editors[editor] = 0
                editors[editor] += 1
                under_way[editor.edit.remote(*block)] = (editor, block)

    try:
        fill()
        while under_way:
            ready, _ = ray.wait(list(under_way), num_returns=1)
            editor, block = under_way.pop(ready[0])
            try:
                _, done, failed, megapixels = ray.get(ready[0])
            except ray.exceptions.RayTaskError as error:
                # Ray's own text is a dump of the stack.
                raise (error.cause or error) from None
            except (ray.exceptions.RayActorError, ray.exceptions.OutOfMemoryError) as error:
                losses[block[0]] = losses.get(block[0], 0) + 1
                if getattr(error, "actor_init_failed", False) or losses[block[0]] > _MOST_LOSSES:
                    raise
                again.append(block)
                if editors.pop(editor, None) is not None:
                    # One that only cannot be reached must not go on.
                    ray.kill(editor)
            else:
                shown.add(done, failed, megapixels)
                if editor in editors:
                    editors[editor] -= 1
            fill()
            # An actor that waits for a processor may have a block; one that has none must not keep it waiting.
            for editor in [editor for editor, count in editors.items() if count == 0]:
                del editors[editor]
                closing[editor.close.remote()] = editor
        ray.wait(list(closing), num_returns=len(closing), timeout=10)
    finally:
        for editor in [*editors, *closing.values()]:
            ray.kill(editor)
