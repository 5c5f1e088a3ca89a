// Calls about files that Swift does not see: they stand behind _GNU_SOURCE or take variable arguments.
#ifndef SAFELIGHT_CFILES_H
#define SAFELIGHT_CFILES_H

#include <stdint.h>

// When the file at a path, after symbolic links, was made, as of statx(2): a file that was removed may leave its inode
// number to the next. 0; ENOTSUP where the file system does not keep it, or another errno.
int cfiles_birth(const char *path, int64_t *seconds, int64_t *nanoseconds);

// Whether a process of this machine has the regular file at a path open for writing: the kernel grants no read lease
// (fcntl(2), F_SETLEASE) on such a file. 1 or 0; -1 where it cannot be known, as for files of other users, and on file
// systems that refuse leases for other reasons (network file systems without a delegation).
int cfiles_is_being_written(const char *path);

#endif
