"""Where photos come from and where results go, for `safelight.ray`: folders, also on a network, and buckets.

The files of folders are read and written by workers themselves; objects of buckets go through files in memory.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import uuid
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Iterator, Optional, Union

import obstore

from ._errors import CorruptDataError
from ._stores import STATE, create, open_store, size_of, version_of

ENDINGS = frozenset(
    "jpg jpeg jpe jfif png tif tiff webp heic heif hif avif jxl dng cr2 cr3 crw nef nrw arw srf sr2 raf orf rw2 pef srw 3fr iiq".split()
)


def _is_photo(key: str) -> bool:
    path = PurePosixPath(key)
    return path.suffix[1:].lower() in ENDINGS and path.parts[0] != STATE and not path.name.startswith(".")


def _changed(key: str, how: str) -> CorruptDataError:
    remedy = "run it again with another size of blocks, which lists the photos anew"
    return CorruptDataError(f"{key} {how}; {remedy}.", f"{key} {how}", remedy)


class Scratch:
    """A folder for the photo under way and its result: in memory where there is enough, else where TMPDIR says."""

    _prefix, _least = "safelight-ray-", 1 << 30

    def __init__(self) -> None:
        parent = os.environ.get("TMPDIR") or "/dev/shm"
        if not os.environ.get("TMPDIR"):
            try:
                status = os.statvfs(parent)
                if status.f_bavail * status.f_frsize < self._least or not os.access(parent, os.W_OK):
                    parent = tempfile.gettempdir()
            except OSError:
                parent = tempfile.gettempdir()
        # Those of killed processes would stay in memory for ever.
        for left in Path(parent).glob(self._prefix + "*"):
            number = left.name[len(self._prefix) :].split("-")[0]
            if number.isdigit() and not os.path.exists(f"/proc/{number}"):
                shutil.rmtree(left, ignore_errors=True)
        self._folder = tempfile.TemporaryDirectory(prefix=f"{self._prefix}{os.getpid()}-", dir=parent)

    def clear(self) -> None:
        """Removes what a killed worker has left."""
        for name in os.listdir(self._folder.name):
            os.unlink(self.path(name))

    def path(self, name: str) -> str:
        return os.path.join(self._folder.name, name)


class Folder:
    """A folder of photos or results."""

    def __init__(self, root: str, makes: bool = False) -> None:
        self._root = os.path.abspath(root)
        self._touched: "set[str]" = set()
        self.store = open_store(root, makes)

    def photos(self) -> "Iterator[tuple[str, str]]":
        """The key of each photo, and a text that changes with it."""
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
                    if entry.is_dir():
                        if folder != self._root or entry.name != STATE:
                            waiting.append(entry.path)
                        continue
                    key = os.path.relpath(entry.path, self._root) if folder != self._root else entry.name
                    if _is_photo(key) and entry.is_file():
                        # Names that are no UTF-8 cannot be written down; their photos fail with a reason.
                        yield key.encode("utf-8", "backslashreplace").decode(), self._version(entry.stat())

    @contextmanager
    def fetched(self, key: str, version: str, scratch: Scratch) -> "Iterator[str]":
        """The photo as a file, which is the listed one before and after."""
        path = os.path.join(self._root, key)
        self._check(key, version)
        try:
            open(path, "rb").close()
        except PermissionError:
            raise CorruptDataError(
                f"{key} may not be read; check its permissions.", f"{key} may not be read", "check its permissions"
            ) from None
        yield path
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

    def unfinished(self, run: str, ending: str, scratch: Scratch) -> str:
        """Where a result is written before it has its name; what killed workers leave there is no result."""
        folder = os.path.join(self._root, run, "unfinished")
        os.makedirs(folder, exist_ok=True)
        return os.path.join(folder, uuid.uuid4().hex + ending)

    def publish(self, path: str, name: str) -> bool:
        """Gives a result its name, unless that is taken."""
        target = os.path.join(self._root, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        self._touched.add(os.path.dirname(target))
        try:
            os.link(path, target)
        except FileExistsError:
            return False
        except OSError:
            # FAT and some network file systems have no links.
            if os.path.exists(target):
                return False
            os.rename(path, target)
        return True

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

    def sweep(self, run: str, age: float) -> None:
        """Removes what killed workers have left, once it is too old for anybody to be writing it."""
        folder = os.path.join(self._root, run, "unfinished")
        if not os.path.isdir(folder):
            return
        with os.scandir(folder) as entries:
            for entry in entries:
                if time.time() - entry.stat().st_mtime > age:
                    os.unlink(entry.path)


class Bucket:
    """A bucket, or a part of one."""

    def __init__(self, url: str) -> None:
        self.store = open_store(url)

    def photos(self) -> "Iterator[tuple[str, str]]":
        for batch in obstore.list(self.store):
            for meta in batch:
                if _is_photo(meta["path"]):
                    yield meta["path"], version_of(meta)

    @contextmanager
    def fetched(self, key: str, version: str, scratch: Scratch) -> "Iterator[str]":
        try:
            got = obstore.get(self.store, key)
        except (FileNotFoundError, obstore.exceptions.NotFoundError):
            raise _changed(key, "is no longer there") from None
        if version_of(got.meta) != version:
            raise _changed(key, "has changed since it was listed")
        # The ending tells some camera raws from TIFF files.
        path = scratch.path("photo" + PurePosixPath(key).suffix)
        with open(path, "wb") as file:
            file.write(got.bytes())
        try:
            yield path
        finally:
            os.unlink(path)

    def size_of(self, name: str) -> Optional[int]:
        return size_of(self.store, name)

    def unfinished(self, run: str, ending: str, scratch: Scratch) -> str:
        return scratch.path("result" + ending)

    def publish(self, path: str, name: str) -> bool:
        return create(self.store, name, Path(path))

    def settle(self) -> None:
        """Objects are complete when they have been put."""

    def sweep(self, run: str, age: float) -> None:
        """Nothing is left in buckets."""


Place = Union[Folder, Bucket]


def place(name: str, makes: bool = False) -> Place:
    return Bucket(name) if "://" in name else Folder(name, makes)
