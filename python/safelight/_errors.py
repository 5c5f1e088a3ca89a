"""Errors: each says what is wrong, and how to remedy it."""

from __future__ import annotations

import errno
from typing import NoReturn, Optional


class Error(Exception):
    """An error of the library.

    Attributes:
        code: What kind of problem it is: ``"invalid-value"``, ``"file"`` …
        problem: What is wrong, with the values concerned.
        remedy: What to do about it; may be empty.
    """

    code = "file"
    #: The system's number, of errors that are of the system.
    number: Optional[int] = None

    def __init__(self, message: str, problem: str, remedy: str) -> None:
        super().__init__(message)
        if isinstance(self, OSError):
            setattr(self, "errno", self.number)
        self.problem = problem
        self.remedy = remedy

    def __reduce__(self) -> "tuple[type[Error], tuple[str, str, str]]":
        # Errors travel between processes, as those of multiprocessing's workers do.
        return type(self), (str(self), self.problem, self.remedy)


class InvalidValueError(Error, ValueError):
    """A value is outside the accepted range."""

    code = "invalid-value"


class PhotoFileError(Error, OSError):
    """A file is missing, unreadable or cannot be written."""

    code = "file"


class PhotoExistsError(Error, FileExistsError):
    """A file exists already, and overwriting was not allowed."""

    code = "exists"
    number = errno.EEXIST


class NoSpaceError(Error, OSError):
    """The disk or the user's quota is full."""

    code = "no-space"
    number = errno.ENOSPC


class CorruptDataError(Error, ValueError):
    """Contents are damaged."""

    code = "corrupt-data"


class UnsupportedError(Error):
    """Well-formed, but this build cannot do it."""

    code = "unsupported"


class TooLargeError(Error, ValueError):
    """Larger than a format or the library accepts."""

    code = "too-large"


class NoMemoryError(Error, MemoryError):
    """The memory of the machine or of its GPU is exhausted."""

    code = "no-memory"


class NoResourcesError(Error, OSError):
    """The system grants no more threads or open files."""

    code = "no-resources"
    number = errno.EAGAIN


class DeviceError(Error, OSError):
    """A device is missing, busy or broken, or may not be opened."""

    code = "device"


class ForkedError(Error, RuntimeError):
    """The library was used before ``fork()``; start processes with multiprocessing's ``spawn`` or ``forkserver``."""

    code = "forked"


class MissingLibraryError(Error):
    """A library that the work needs is not installed, or was built without what it needs."""

    code = "missing-library"


# In the order of the header's numbers, from 1.
_classes: "tuple[type[Error], ...]" = (
    InvalidValueError,
    PhotoFileError,
    PhotoExistsError,
    NoSpaceError,
    CorruptDataError,
    UnsupportedError,
    TooLargeError,
    NoMemoryError,
    NoResourcesError,
    DeviceError,
    ForkedError,
    MissingLibraryError,
)


# Others would strike any photo.
_OF_PHOTOS = frozenset(["corrupt-data", "unsupported", "too-large", "invalid-value", "worker-lost"])


def is_of_photo(error: Error) -> bool:
    """Whether something is wrong with a photo, and not with a machine or a store."""
    return error.code in _OF_PHOTOS


def raise_error(code: int, message: str, problem: str, remedy: str) -> NoReturn:
    known = _classes[code - 1] if 1 <= code <= len(_classes) else Error
    raise known(message, problem, remedy)


def invalid(problem: str, remedy: str) -> InvalidValueError:
    """An error found on this side."""
    return InvalidValueError(f"{problem}; {remedy}.", problem, remedy)


def error_of(failed: "dict[str, str]") -> Error:
    """The error that a worker answered with."""
    code = "".join("-" + letter.lower() if letter.isupper() else letter for letter in failed["code"])
    known = next((kind for kind in _classes if kind.code == code), Error)
    remedy = failed.get("remedy", "")
    message = failed["problem"] + (f"; {remedy}." if remedy else ".")
    return known(message, failed["problem"], remedy)
