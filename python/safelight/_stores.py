"""obstore, for buckets of `safelight.ray`."""

from __future__ import annotations

import mmap
import os
import re
import time
from contextlib import contextmanager
from typing import Any, Iterator, Optional, cast

import obstore

from ._errors import PhotoFileError

# Where a destination keeps the list of photos and the rows.
STATE = "_safelight"

# Without credentials in the environment, those of the machine itself are asked for, which only clouds' machines have.
_METADATA = re.compile("latest/(api/token|meta-data)|computeMetadata|metadata/identity")


def open_bucket(url: str) -> Any:
    with speaking_of(url):
        # obstore gives a request 30 s, its body included: too few for a shard. With options it no longer reads the variable.
        allows_http = os.environ.get("AWS_ALLOW_HTTP", "").lower() in ("1", "true", "yes", "on", "y")
        return obstore.store.from_url(url, client_options={"timeout": "1h", "allow_http": allows_http})


@contextmanager
def speaking_of(place: str) -> "Iterator[None]":
    """Says errors of a store in a sentence; obstore's own are dumps of many lines."""
    try:
        yield
    # obstore says with Python's own errors what is not there.
    except (obstore.exceptions.BaseError, FileNotFoundError) as error:
        said = " ".join(str(error).partition("Debug source")[0].split())
        if _METADATA.search(said):
            problem = f"{place} cannot be used: there are no credentials"
            remedy = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or what its store takes instead"
        elif isinstance(error, (obstore.exceptions.PermissionDeniedError, obstore.exceptions.UnauthenticatedError)):
            problem, remedy = f"{place} cannot be used: access is refused", "check the credentials, such as AWS_ACCESS_KEY_ID"
        elif isinstance(error, obstore.exceptions.InvalidPathError):
            problem, remedy = f"{place} has a name that cannot be used: {said[:200]}", "rename it, without //, .. or control characters"
        elif isinstance(error, (FileNotFoundError, obstore.exceptions.NotFoundError)) or "NoSuchBucket" in said:
            problem, remedy = f"There is no {place}", "check the name of the bucket"
        elif "recognise" in said:
            problem, remedy = f"{place} is no place for photos", "give a folder, or a URL of s3, gs, az or http"
        else:
            problem, remedy = f"{place} cannot be used: {said[:200]}", "check the network and the credentials"
        raise PhotoFileError(f"{problem}; {remedy}.", problem, remedy) from error


def create(store: Any, key: str, data: bytes) -> bool:
    """Puts bytes as an object that was not there; false if it was."""
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


def create_from(store: Any, key: str, path: str) -> bool:
    """As `create`, with the bytes of a file, which is not empty."""
    # Of a path, obstore would hold the bytes twice; those of a mapping stay where they are. It is not closed here: obstore may
    # still look at it after a refusal, and the last who does so ends it.
    with open(path, "rb") as file:
        mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return create(store, key, cast(bytes, mapping))


def size_of(store: Any, key: str) -> Optional[int]:
    try:
        return int(obstore.head(store, key)["size"])
    except (FileNotFoundError, obstore.exceptions.NotFoundError):
        return None


def version_of(meta: Any) -> str:
    """A text that changes with an object: what the store calls its tag, or its size and time."""
    tag = meta.get("e_tag")
    # Some stores quote it in one answer and not in another.
    return str(tag).strip('"') if tag else f"{meta['size']}-{meta['last_modified'].timestamp():.6f}"
