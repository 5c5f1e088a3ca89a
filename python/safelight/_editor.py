"""Actors that edit blocks of photos, for `safelight.ray`."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import re
import socket
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any, Iterable, Iterator, NamedTuple, Optional, Sequence, Tuple

import pyarrow
import pyarrow.parquet
import ray

from ._errors import Error, NoSpaceError, PhotoFileError, is_of_photo
from ._places import place
from ._scratch import Scratch
from ._shards import Outcome, edit_shard
from ._worker import Worker

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


# A block's number and its photos, or shards, each with its version.
Block = Tuple[int, "list[tuple[str, str]]"]


class Plan(NamedTuple):
    """What actors need to know."""

    source: str
    destination: str
    # The recipe, and how results are written, as names and values of the command line.
    options: "tuple[tuple[str, str], ...]"
    edit: str
    ending: str
    # What photos are called in shards, such as jpg; empty: photos are files.
    in_shards: "frozenset[str]"
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
    return hashlib.sha256(_text("\n".join(parts)).encode()).hexdigest()[:digits]


def _result_name(key: str, version: str, plan: Plan, without: "Sequence[str]" = ()) -> str:
    """The name of a result: that of the photo, and a mark of where it is from, its version and the edit.

    Args:
        without: The photos of a shard that failed. A later try may fare better, and makes another shard.
    """
    # Buckets refuse control characters; the mark keeps such names apart.
    path = PurePosixPath(re.sub(r"[\x00-\x1f\x7f]", "_", key))
    mark = mark_of(plan.source, plan.edit, *sorted(plan.in_shards), key, version, *without, digits=12)
    # Names have at most 255 bytes.
    stem = path.stem.encode()[: 240 - len(mark)].decode("utf-8", "ignore")
    return str(path.with_name(f"{stem}.{mark}{'.tar' if plan.in_shards else plan.ending}"))


def _facts(edited: "dict[str, Any]") -> "dict[str, Any]":
    """What a row tells of a new result."""
    mark = edited["fingerprint"]
    measured = {name: edited[name] for name in ("width", "height", "seconds")}
    return {"status": "done", "bytes": mark["bytes"], "hash": mark["hash"], **measured}


def _text(name: str) -> str:
    """A name, which need not be UTF-8, as a text that can be written down."""
    return name.encode("utf-8", "backslashreplace").decode()


def as_parquet(table: Any) -> bytes:
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(table, buffer)
    return buffer.getvalue()


# The driver replaces actors itself: Ray's own retries lose blocks when an actor is killed while it restarts.
@ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)
class Editor:
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
        self._shards = Scratch(is_large=True) if plan.in_shards else self._scratch
        # The first photo starts it, and can start it again.
        self._worker = make_worker(plan.options, plan.program, plan.timeout, starts=False)
        self._is_open = True

    def edit(self, number: int, photos: "list[tuple[str, str]]") -> "tuple[int, float]":
        """Edits a block; returns how many photos have failed, and the megapixels of the results."""
        try:
            return self._edit_block(number, photos)
        except (Error, OSError) as error:
            # Of many machines, which one it is.
            said = f"On {socket.gethostname()}: {error}"
            if isinstance(error, Error):
                raise type(error)(said, error.problem, error.remedy) from None
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise NoSpaceError(f"{said}; free some space there.", said, "free some space there") from None
            raise PhotoFileError(said, said, "") from None

    def _edit_block(self, number: int, photos: "list[tuple[str, str]]") -> "tuple[int, float]":
        self._open()
        name = f"rows/{number:08}.parquet"
        # Another driver may have been faster.
        known = self._destination.get(self._plan.run, name)
        rows: "list[dict[str, Any]]" = pyarrow.parquet.read_table(io.BytesIO(known)).to_pylist() if known else []
        if not known:
            for key, version in photos:
                rows += self._shard(key, version) if self._plan.in_shards else [self._photo(key, version)]
            table = pyarrow.Table.from_pylist(rows, _SCHEMA)
            self._destination.settle()
            self._destination.put(self._plan.run, name, as_parquet(table))
        megapixels = sum((row["width"] or 0) * (row["height"] or 0) for row in rows) / 1e6
        return sum(row["status"] == "failed" for row in rows), megapixels

    def _photo(self, key: str, version: str) -> "dict[str, Any]":
        """Edits a photo. What is wrong with the photo is a row with a reason; what is wrong with a machine or a store is
        raised, so that the block is not taken for done."""
        result = _result_name(key, version, self._plan)
        try:
            size = self._destination.size_of(result)
            if size is not None:
                return self._row(key, result=result, status="present", bytes=size)
            edited, is_new = self._edit(key, version, result)
            facts = _facts(edited)
            if not is_new:
                facts.update(status="present", bytes=self._destination.size_of(result), hash=None)
            return self._row(key, result=result, **facts)
        except Error as error:
            if not is_of_photo(error):
                raise
            # Somebody else may have had more luck with it, such as a faster machine.
            size = self._destination.size_of(result)
            if size is not None:
                return self._row(key, result=result, status="present", bytes=size)
            return self._row(key, status="failed", reason=str(error))

    def _edit(self, key: str, version: str, result: str) -> "tuple[dict[str, Any], bool]":
        """Edits a photo, and returns what was done, and whether the result is new: somebody else may have made it."""
        self._scratch.clear()
        with self._unfinished(self._plan.ending, self._scratch) as path:
            with self._source.fetched(key, version, self._scratch) as photo:
                edited = self._work(photo, path, key)
            return edited, self._destination.publish(path, result)

    def _shard(self, key: str, version: str) -> "list[dict[str, Any]]":
        """Edits the photos of a shard into another one; a row for each, or one for a shard that cannot be read."""
        facts: "dict[str, dict[str, Any]]" = {}
        outcomes: "list[Outcome]" = []

        def edit(name: str, data: bytes) -> bytes:
            self._scratch.clear()
            # Not swept away as unfinished while photos fail for long.
            os.utime(path)
            photo = self._scratch.path("photo" + PurePosixPath(name).suffix)
            edited = self._scratch.path("edited" + self._plan.ending)
            with open(photo, "wb") as file:
                file.write(data)
            facts[name] = _facts(self._work(photo, edited, f"{key}/{name}"))
            with open(edited, "rb") as file:
                return file.read()

        self._shards.clear()
        with self._unfinished(".tar", self._shards) as path:
            try:
                with self._source.fetched(key, version, self._shards) as source, open(source, "rb") as shard:
                    with open(path, "xb") as made:
                        plan = self._plan
                        outcomes += edit_shard(key, shard, made, plan.in_shards, plan.ending, edit)
                        made.flush()
                        os.fsync(made.fileno())
            except Error as error:
                if not is_of_photo(error):
                    raise
                return [self._row(key, status="failed", reason=str(error))]
            failed = [photo for photo, edited, _ in outcomes if edited is None]
            result = _result_name(key, version, self._plan, without=failed)
            is_new = self._destination.publish(path, result)
        rows = []
        for photo, edited, failure in outcomes:
            if edited is None:
                rows.append(self._row(f"{key}/{photo}", status="failed", reason=str(failure)))
            else:
                done = {**facts[photo], "status": "done" if is_new else "present"}
                rows.append(self._row(f"{key}/{photo}", result=f"{result}/{edited}", **done))
        return rows

    @contextmanager
    def _unfinished(self, ending: str, scratch: Scratch) -> "Iterator[str]":
        """Where a result is written before it is published."""
        path = self._destination.unfinished(self._plan.run, ending, scratch)
        try:
            yield path
        finally:
            if os.path.exists(path):
                os.unlink(path)

    def _work(self, photo: str, result: str, name: str) -> "dict[str, Any]":
        edited = self._worker.edit(photo, result, name)
        if self._worker.hello["edit"] != self._plan.edit:
            raise Error(
                f"The edit is another one on node {self._node}; install the same version of Safelight, and the same "
                "files that the recipe names, on every machine.",
                f"The edit is another one on node {self._node}",
                "install the same version of Safelight, and the same files that the recipe names, on every machine",
            )
        return edited

    def _row(self, key: str, **values: Any) -> "dict[str, Any]":
        row: "dict[str, Any]" = {name: None for name in _SCHEMA.names}
        texts = {name: _text(value) if isinstance(value, str) else value for name, value in values.items()}
        row.update(key=_text(key), node=self._node, **texts)
        return row

    def close(self) -> None:
        """Ends the worker, removes the scratch, and gives the processor back."""
        if self._is_open:
            self._worker.close()
            self._scratch.close()
            self._shards.close()
        ray.actor.exit_actor()
