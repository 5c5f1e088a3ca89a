"""Shards as WebDataset reads them, for `safelight.ray`: tar files of samples, each of which is a photo and what belongs to it."""

from __future__ import annotations

import io
import tarfile
from pathlib import PurePosixPath
from typing import IO, Callable, Iterator, NamedTuple, Optional, Tuple

from ._errors import CorruptDataError, Error, is_of_photo

# Larger members than workers take.
_MOST_BYTES = 1 << 30

SHARDS = frozenset(["tar"])


class Member(NamedTuple):
    """A file of a shard; None for bytes that nobody could hold."""

    info: tarfile.TarInfo
    data: Optional[bytes]


class _Header(tarfile.TarInfo):
    """tarfile takes a damaged header, or the file's end without a mark, for the end of the archive; samples would be lost."""

    @classmethod
    def frombuf(cls, buf: "bytes | bytearray", encoding: "str | None", errors: str) -> "_Header":
        is_end = len(buf) == tarfile.BLOCKSIZE and not any(buf)
        try:
            return super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if is_end:
                raise
            raise tarfile.ReadError(str(error)) from None


# Edits a photo; raises what is wrong with it.
Edit = Callable[[str, bytes], bytes]
# The name of a photo, that of the result, and what is wrong with it.
Outcome = Tuple[str, Optional[str], Optional[Error]]


def split(name: str) -> "tuple[str, str]":
    """The name of the sample that a file belongs to, and what the file is in it: both sides of the first dot of its last part."""
    folder, slash, last = name.rpartition("/")
    stem, _, ending = last.partition(".")
    return folder + slash + stem, ending


def samples(file: "IO[bytes]") -> "Iterator[list[Member]]":
    """The samples of a shard: neighbouring files of one name."""
    name, members = None, []
    with tarfile.open(fileobj=file, mode="r|", tarinfo=_Header) as shard:
        for info in shard:
            # Folders and links hold nothing.
            if not info.isreg():
                continue
            sample, _ = split(info.name)
            if sample != name and members:
                yield members
                members = []
            name = sample
            content = shard.extractfile(info) if info.size <= _MOST_BYTES else None
            members.append(Member(info, content.read() if content else None))
            # It keeps all that it has seen, though nobody goes back.
            shard.members = []
    if members:
        yield members


def _renamed(info: tarfile.TarInfo, name: str, size: int) -> tarfile.TarInfo:
    """A header of its own: what a read one says besides would be believed before its name and size."""
    made = tarfile.TarInfo(name)
    made.size, made.mtime, made.mode = size, int(info.mtime), info.mode & 0o777
    made.uid, made.gid, made.uname, made.gname = info.uid, info.gid, info.uname, info.gname
    return made


def _edited(members: "list[Member]", photos: "frozenset[str]", ending: str, edit: Edit) -> "tuple[list[Member], list[Outcome]]":
    """A sample with its photos edited: what is to be written of it, which is nothing if a photo failed."""
    outcomes: "list[Outcome]" = []
    kept: "list[Member]" = []
    for info, data in members:
        if split(info.name)[1].lower() not in photos:
            kept.append(Member(_renamed(info, info.name, len(data or b"")), data))
            continue
        name = str(PurePosixPath(info.name).with_suffix(ending))
        try:
            if data is None:
                raise _bad(f"{info.name} has {info.size} bytes", f"photos of shards have at most {_MOST_BYTES}")
            result = edit(info.name, data)
        except Error as error:
            if not is_of_photo(error):
                raise
            outcomes.append((info.name, None, error))
        else:
            outcomes.append((info.name, name, None))
            kept.append(Member(_renamed(info, name, len(result)), result))
    taken = [member.info.name for member in kept]
    wrong: "Optional[Error]" = None
    if len(set(taken)) < len(taken):
        wrong = _bad("Two files of the sample would have one name", "choose the format that the photos have")
    elif any(member.data is None for member in kept):
        wrong = _bad("A file of the sample is too large", f"members of shards have at most {_MOST_BYTES} bytes")
    elif any(error for _, _, error in outcomes):
        wrong = _bad("Another photo of the sample failed", "see its row")
    if wrong is None:
        return kept, outcomes
    return [], [(name, None, error or wrong) for name, _, error in outcomes]


def _bad(problem: str, remedy: str) -> CorruptDataError:
    return CorruptDataError(f"{problem}; {remedy}.", problem, remedy)


def edit_shard(
    name: str, source: "IO[bytes]", result: "IO[bytes]", photos: "frozenset[str]", ending: str, edit: Edit
) -> "Iterator[Outcome]":
    """Writes a shard anew with its photos edited. The same shard and edit always make the same bytes.

    Args:
        name: What errors call the shard.
        photos: What photos are called in samples, such as ``jpg``.
        ending: What edited photos are called instead of their last ending, with its dot.

    Raises:
        CorruptDataError: The shard is damaged.
    """
    try:
        with tarfile.open(fileobj=result, mode="w|", format=tarfile.PAX_FORMAT) as made:
            for members in samples(source):
                kept, outcomes = _edited(members, photos, ending, edit)
                for info, data in kept:
                    made.addfile(info, io.BytesIO(data or b""))
                yield from outcomes
    except tarfile.TarError as error:
        raise _bad(f"{name} is no whole tar file: {error}", "copy it again") from None
