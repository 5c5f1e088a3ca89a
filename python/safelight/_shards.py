"""Shards as WebDataset reads them, for `safelight.ray`: tar files of samples, each of which is a photo and what belongs to it."""

from __future__ import annotations

import io
import math
import re
import tarfile
from typing import IO, Callable, Iterator, NamedTuple, Optional, Tuple

from ._errors import CorruptDataError, Error, is_of_photo

# The most bytes of a sample, which is in memory while its photos are edited.
_MOST_BYTES = 1 << 30

SHARDS = frozenset(["tar"])


class Member(NamedTuple):
    """A file of a shard; None for bytes that nobody should hold."""

    info: tarfile.TarInfo
    data: Optional[bytes]


class _Header(tarfile.TarInfo):
    """tarfile takes a damaged header, or the file's end without a mark, for the end of the archive; samples would be lost."""

    @classmethod
    def fromtarfile(cls, tar: tarfile.TarFile) -> "_Header":
        try:
            return super().fromtarfile(tar)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            raise
        except (tarfile.TarError, ValueError, IndexError, OverflowError) as error:
            raise tarfile.ReadError(str(error)) from None


# Edits a photo; raises what is wrong with it.
Edit = Callable[[str, bytes], bytes]
# The name of a photo, that of the result, and what is wrong with it.
Outcome = Tuple[str, Optional[str], Optional[Error]]
# The sample that a file belongs to, and what the file is in it: both sides of the first dot of its last part.
_NAME = re.compile(r"((?:.*/)?[^./]+)\.([^/]*)", re.DOTALL)
_METADATA = re.compile(r"__[^/]*__(/|$)")


def split(name: str) -> "Optional[tuple[str, str]]":
    """The sample that a file belongs to, and what the file is in it, in lower case; None for what WebDataset passes over."""
    found = _NAME.fullmatch(name)
    return (found[1], found[2].lower()) if found and not _METADATA.match(name) else None


def samples(file: "IO[bytes]") -> "Iterator[list[Member]]":
    """The samples of a shard: neighbouring files of one name. What belongs to none is with the one before it."""
    members: "list[Member]" = []
    sample, size = None, 0
    with tarfile.open(fileobj=file, mode="r|", tarinfo=_Header, encoding="utf-8") as shard:
        for info in shard:
            # Folders and links hold nothing.
            if not info.isreg():
                continue
            named = split(info.name)
            if named and named[0] != sample:
                if members:
                    yield members
                sample, members, size = named[0], [], 0
            size += info.size
            content = shard.extractfile(info) if size <= _MOST_BYTES else None
            members.append(Member(info, content.read() if content else None))
            # It keeps all that it has seen, though nobody goes back.
            setattr(shard, "members", [])
        if members:
            yield members
        while rest := shard.fileobj.read(1 << 16):
            if rest.strip(b"\0"):
                raise tarfile.ReadError("there is more behind its end")


def _renamed(info: tarfile.TarInfo, name: str, size: int) -> tarfile.TarInfo:
    """A header of its own: what a read one says besides would be believed before its name and size."""
    made = tarfile.TarInfo(name)
    made.size, made.mode = size, info.mode & 0o777
    made.mtime = int(info.mtime) if math.isfinite(info.mtime) else 0
    made.uid, made.gid, made.uname, made.gname = info.uid, info.gid, info.uname, info.gname
    return made


def _bad(problem: str, remedy: str) -> CorruptDataError:
    return CorruptDataError(f"{problem}; {remedy}.", problem, remedy)


def _problem(kept: "list[Member]", outcomes: "list[Outcome]") -> "Optional[Error]":
    """Why a sample has to be left out."""
    names = [named for named in (split(member.info.name) for member in kept) if named]
    if any(member.data is None for member in kept):
        return _bad("The sample is too large", f"samples have at most {_MOST_BYTES} bytes")
    if len(set(names)) < len(names):
        return _bad("Two files of the sample would have one name", "choose another format, or name them apart")
    if any(error for _, _, error in outcomes):
        return _bad("Another photo of the sample failed", "see its row")
    return None


def _edited(members: "list[Member]", photos: "frozenset[str]", ending: str, edit: Edit) -> "tuple[list[Member], list[Outcome]]":
    """A sample with its photos edited: what is to be written of it, which is nothing if a photo failed."""
    outcomes: "list[Outcome]" = []
    kept: "list[Member]" = []
    for info, data in members:
        named = split(info.name)
        if data is None or named is None or named[1] not in photos:
            kept.append(Member(_renamed(info, info.name, info.size), data))
            if named and named[1] in photos:
                outcomes.append((info.name, info.name, None))
            continue
        name = info.name.rpartition(".")[0] + ending
        try:
            result = edit(info.name, data)
        except Error as error:
            if not is_of_photo(error):
                raise
            outcomes.append((info.name, None, error))
        else:
            outcomes.append((info.name, name, None))
            kept.append(Member(_renamed(info, name, len(result)), result))
    problem = _problem(kept, outcomes)
    if problem is None:
        return kept, outcomes
    # A sample without photos is not left out in silence either.
    outcomes = outcomes or [(members[0].info.name, None, None)]
    return [member for member in kept if split(member.info.name) is None and member.data is not None], [
        (name, None, error or problem) for name, _, error in outcomes
    ]


def edit_shard(
    name: str, source: "IO[bytes]", result: "IO[bytes]", photos: "frozenset[str]", ending: str, edit: Edit
) -> "Iterator[Outcome]":
    """Writes a shard anew with its photos edited. The same samples and edit always make the same bytes.

    Args:
        name: What errors call the shard.
        photos: What photos are called in samples, such as ``jpg``.
        ending: What edited photos are called instead of their last ending, with its dot.

    Raises:
        CorruptDataError: The shard is damaged, or has no photos.
    """
    count = 0
    try:
        with tarfile.open(fileobj=result, mode="w|", format=tarfile.PAX_FORMAT, encoding="utf-8") as made:
            for members in samples(source):
                kept, outcomes = _edited(members, photos, ending, edit)
                for info, data in kept:
                    made.addfile(info, io.BytesIO(data or b""))
                count += len(outcomes)
                yield from outcomes
    except tarfile.TarError as error:
        raise _bad(f"{name} is no whole tar file: {error}", "copy it again") from None
    if count == 0:
        raise _bad(f"{name} has no photos called {' or '.join(sorted(photos))}", "say what they are called with shards=")
