"""Giving a file a name that is not taken."""

from __future__ import annotations

import ctypes
import errno
import os

_AT_FDCWD, _RENAME_NOREPLACE = -100, 1


def name_file(path: str, target: str) -> bool:
    """Gives a file a name, the old one besides or instead; false if the name is taken."""
    try:
        os.link(path, target)
        return True
    except FileExistsError:
        # A network's server that answers late is asked again, and then finds the link that it has made itself.
        try:
            return os.path.samestat(os.lstat(path), os.lstat(target))
        except FileNotFoundError:
            return False
    except OSError as error:
        # FAT and some network file systems have no links.
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS):
            raise
    # Python does not offer it.
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(_AT_FDCWD, os.fsencode(path), _AT_FDCWD, os.fsencode(target), _RENAME_NOREPLACE) == 0:
        return True
    number = ctypes.get_errno()
    if number == errno.EEXIST:
        return False
    if number not in (errno.EINVAL, errno.ENOSYS):
        raise OSError(number, os.strerror(number), target)
    # There nobody can do it in one step.
    if os.path.exists(target):
        return False
    os.rename(path, target)
    return True
