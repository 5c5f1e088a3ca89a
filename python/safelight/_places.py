"""Where photos come from and where results go, for `safelight.ray`: folders, also on a network, and buckets.

The files of folders are read and written by workers themselves; objects of buckets go through files in memory.
"""

from __future__ import annotations

import os
import stat
import uuid
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any, Iterator, Optional, Union

import obstore

from ._errors import CorruptDataError, Error
from ._names import name_file
from ._scratch import Scratch
from ._stores import STATE, create, create_from, open_bucket, size_of, speaking_of, version_of

PHOTOS = frozenset(
    "jpg jpeg jpe jfif png tif tiff webp heic heif hif avif jxl dng cr2 cr3 crw nef nrw arw srf sr2 raf orf rw2 pef srw 3fr iiq".split()
)


def _is_wanted(key: str, endings: "frozenset[str]") -> bool:
    path = PurePosixPath(key)
    return path.suffix[1:].lower() in endings and path.parts[0] != STATE and not path.name.startswith(".")


# The version of photos whose names are not UTF-8.
_UNNAMED = "unnamed"


def _of_photo(problem: str, remedy: str) -> CorruptDataError:
    return CorruptDataError(f"{problem}; {remedy}.", problem, remedy)


def _changed(key: str, how: str) -> CorruptDataError:
    return _of_photo(f"{key} {how}", "run it again with another size of blocks, which lists the photos anew")


class Folder:
    """A folder of photos or results."""

    def __init__(self, root: str, makes: bool = False) -> None:
        if not makes and not os.path.isdir(root):
            raise FileNotFoundError(f"There is no folder {root}; name one with photos, or a URL such as s3://bucket/in.")
        self._root = os.path.abspath(root)
        if makes:
            os.makedirs(self._root, exist_ok=True)
        self._touched: "set[str]" = set()

    def listed(self, endings: "frozenset[str]") -> "Iterator[tuple[str, str]]":
        """The key of each file that ends so, and a text that changes with it."""
        waiting, seen = [self._root], set()
        while waiting:
            folder = waiting.pop()
            status = os.stat(folder)
            # A link may lead back.
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    try:
                        status = os.stat(entry.path)
                    except OSError:
                        # It has gone since, or is a link to nothing.
                        continue
                    if stat.S_ISDIR(status.st_mode):
                        if folder != self._root or entry.name != STATE:
                            waiting.append(entry.path)
                        continue
                    key = os.path.relpath(entry.path, self._root)
                    if _is_wanted(key, endings) and stat.S_ISREG(status.st_mode):
                        try:
                            key.encode()
                        except UnicodeEncodeError:
                            # Such names cannot be written down; the photo fails with a reason.
                            yield key.encode("utf-8", "backslashreplace").decode(), _UNNAMED
                        else:
                            yield key, self._version(status)

    @contextmanager
    def fetched(self, key: str, version: str, scratch: Scratch) -> "Iterator[str]":
        """The photo, or shard, as a file, which is the listed one before and after."""
        if version == _UNNAMED:
            raise _of_photo(f"The name {key} is not UTF-8", "rename it")
        path = os.path.join(self._root, key)
        self._check(key, version)
        try:
            open(path, "rb").close()
        except PermissionError:
            raise _of_photo(f"{key} may not be read", "check its permissions") from None
        try:
            yield path
        except Error:
            # What was found wrong may be that it changed meanwhile.
            self._check(key, version)
            raise
        self._check(key, version)

    def _check(self, key: str, version: str) -> None:
        try:
            now = self._version(os.stat(os.path.join(self._root, key)))
        except FileNotFoundError:
            raise _changed(key, "is no longer there") from None
        if now != version:
            raise _changed(key, "has changed since it was listed")

    @staticmethod
    def _version(status: os.stat_result) -> str:
        return f"{status.st_size}-{status.st_mtime_ns}"

    def size_of(self, name: str) -> Optional[int]:
        try:
            return os.stat(os.path.join(self._root, name)).st_size
        except FileNotFoundError:
            return None

    def unfinished(self, run: str, ending: str, scratch: Optional[Scratch] = None) -> str:
        """Where a result is written before it has its name; what killed workers leave there is no result."""
        folder = os.path.join(self._root, run, "unfinished")
        os.makedirs(folder, exist_ok=True)
        return os.path.join(folder, uuid.uuid4().hex + ending)

    def publish(self, path: str, name: str) -> bool:
        """Gives a result its name, unless that is taken."""
        target = os.path.join(self._root, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        self._touched.add(os.path.dirname(target))
        return name_file(path, target)

    def settle(self) -> None:
        """Results are complete on disk when they get their names; this is for the names, before rows tell of them."""
        for folder in self._touched:
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            except OSError:
                # Some file systems cannot sync a folder.
                pass
            finally:
                os.close(descriptor)
        self._touched.clear()

    def put(self, run: str, name: str, data: bytes) -> bool:
        """Creates a file of a run, whole and on disk, unless it is there."""
        path = self.unfinished(run, "")
        with open(path, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        is_new = self.publish(path, f"{run}/{name}")
        if os.path.exists(path):
            os.unlink(path)
        self.settle()
        return is_new

    def get(self, run: str, name: str) -> Optional[bytes]:
        try:
            with open(os.path.join(self._root, run, name), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def names(self, run: str, folder: str) -> "list[str]":
        path = os.path.join(self._root, run, folder)
        return os.listdir(path) if os.path.isdir(path) else []

    def sweep(self, run: str, age: float) -> None:
        """Removes what killed workers have left, once it is too old for anybody to be writing it."""
        path = self.unfinished(run, "")
        # The time as the machine has it whose disk this is.
        open(path, "xb").close()
        now = os.stat(path).st_mtime
        os.unlink(path)
        with os.scandir(os.path.dirname(path)) as entries:
            for entry in entries:
                try:
                    if now - entry.stat().st_mtime > age:
                        os.unlink(entry.path)
                except FileNotFoundError:
                    # Another run has finished it.
                    continue


class Bucket:
    """A bucket, or a part of one."""

    def __init__(self, url: str) -> None:
        self._url, self._store = url, open_bucket(url)

    def listed(self, endings: "frozenset[str]") -> "Iterator[tuple[str, str]]":
        with speaking_of(self._url):
            for batch in obstore.list(self._store):
                for meta in batch:
                    if _is_wanted(meta["path"], endings):
                        yield meta["path"], version_of(meta)

    @contextmanager
    def fetched(self, key: str, version: str, scratch: Scratch) -> "Iterator[str]":
        # The ending tells some camera raws from TIFF files.
        path = scratch.path("photo" + PurePosixPath(key).suffix)
        with open(path, "wb") as file:
            # A shard is not held in memory.
            for chunk in self._chunks(key, version):
                file.write(chunk)
        try:
            yield path
        finally:
            os.unlink(path)

    def _chunks(self, key: str, version: str) -> "Iterator[Any]":
        with speaking_of(self._url):
            try:
                got = obstore.get(self._store, key)
            except (FileNotFoundError, obstore.exceptions.NotFoundError):
                raise _changed(key, "is no longer there") from None
            if version_of(got.meta) != version:
                raise _changed(key, "has changed since it was listed")
            chunks = iter(got.stream())
        while True:
            with speaking_of(self._url):
                chunk = next(chunks, None)
            if chunk is None:
                return
            # What fails here is not the store's.
            yield chunk

    def size_of(self, name: str) -> Optional[int]:
        with speaking_of(self._url):
            return size_of(self._store, name)

    def unfinished(self, run: str, ending: str, scratch: Scratch) -> str:
        return scratch.path("result" + ending)

    def publish(self, path: str, name: str) -> bool:
        with speaking_of(self._url):
            return create_from(self._store, name, path)

    def settle(self) -> None:
        """Objects are complete when they have been put."""

    def put(self, run: str, name: str, data: bytes) -> bool:
        with speaking_of(self._url):
            return create(self._store, f"{run}/{name}", data)

    def get(self, run: str, name: str) -> Optional[bytes]:
        with speaking_of(self._url):
            try:
                return bytes(obstore.get(self._store, f"{run}/{name}").bytes())
            except (FileNotFoundError, obstore.exceptions.NotFoundError):
                return None

    def names(self, run: str, folder: str) -> "list[str]":
        with speaking_of(self._url):
            listed = obstore.list(self._store, f"{run}/{folder}/")
            return [PurePosixPath(meta["path"]).name for batch in listed for meta in batch]

    def sweep(self, run: str, age: float) -> None:
        """Nothing is left in buckets."""


Place = Union[Folder, Bucket]


def place(name: str, makes: bool = False) -> Place:
    return Bucket(name) if "://" in name else Folder(name, makes)
