"""Folders and buckets, through obstore, for the lists and rows of `safelight.ray`, and all of buckets."""

from __future__ import annotations

import io
import os
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator, Optional, Sequence

import obstore
import pyarrow
import pyarrow.parquet

from ._errors import PhotoFileError

# Where a destination keeps the list of photos and the rows.
STATE = "_safelight"


def open_store(place: str, makes: bool = False) -> Any:
    """A folder or a bucket as obstore has it; a folder that is not there is made, or is an error."""
    if "://" in place:
        with speaking_of(place):
            return obstore.store.from_url(place)
    if not makes and not os.path.isdir(place):
        raise FileNotFoundError(f"There is no folder {place}; name one with photos, or a URL such as s3://bucket/in.")
    return obstore.store.LocalStore(prefix=os.path.abspath(place), mkdir=makes)


@contextmanager
def speaking_of(place: str) -> "Iterator[None]":
    """Says errors of a store in a sentence; obstore's own are dumps of many lines."""
    try:
        yield
    except obstore.exceptions.BaseError as error:
        said = " ".join(str(error).split())
        if isinstance(error, (obstore.exceptions.PermissionDeniedError, obstore.exceptions.UnauthenticatedError)):
            problem, remedy = f"{place} cannot be used: access is refused", "check the credentials, such as AWS_ACCESS_KEY_ID"
        elif isinstance(error, obstore.exceptions.NotFoundError) or "NoSuchBucket" in said:
            problem, remedy = f"There is no {place}", "check the name of the bucket"
        elif "Unrecognised" in said:
            problem, remedy = f"{place} is no place for photos", "give a folder, or a URL of s3, gs, az or http"
        else:
            problem, remedy = f"{place} cannot be used: {said[:200]}", "check the network and the credentials"
        raise PhotoFileError(f"{problem}; {remedy}.", problem, remedy) from error


def create(store: Any, key: str, data: "bytes | Path") -> bool:
    """Puts bytes or a file as an object that was not there; false if it was."""
    for attempt in range(6):
        try:
            obstore.put(store, key, data, mode="create", use_multipart=False)
            return True
        except obstore.exceptions.AlreadyExistsError:
            return False
        except obstore.exceptions.PreconditionError:
            # Somebody else is creating it at this moment.
            if attempt == 5:
                raise
            time.sleep(0.2 * 2**attempt)
    raise AssertionError("unreachable")


def size_of(store: Any, key: str) -> Optional[int]:
    try:
        return int(obstore.head(store, key)["size"])
    except (FileNotFoundError, obstore.exceptions.NotFoundError):
        return None


def as_parquet(table: Any) -> bytes:
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(table, buffer)
    return buffer.getvalue()


def read_statuses(store: Any, paths: "Sequence[str]") -> "Iterator[list[str]]":
    """What became of each photo, file of rows by file; many are read at a time, because each waits for its store."""

    def read(path: str) -> "list[str]":
        data = io.BytesIO(obstore.get(store, path).bytes())
        return list(pyarrow.parquet.read_table(data, columns=["status"], use_threads=False)["status"].to_pylist())

    with ThreadPoolExecutor(32) as readers:
        yield from readers.map(read, paths)


def version_of(meta: Any) -> str:
    """A text that changes with an object: what the store calls its tag, or its size and time."""
    tag = meta.get("e_tag")
    return str(tag) if tag else f"{meta['size']}-{meta['last_modified'].timestamp():.6f}"
