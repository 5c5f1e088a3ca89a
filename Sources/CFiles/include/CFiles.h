// File calls that Swift cannot import, because they require _GNU_SOURCE or take variable arguments.
// Includes the temporary files that signal handlers remove.
#ifndef SAFELIGHT_CFILES_H
#define SAFELIGHT_CFILES_H

#include <stdint.h>

#include "FileRanges.h"
#include "TemporaryFiles.h"

// Returns the creation time of the file at a path, after symbolic links, as in statx(2): a removed file's
// inode number may be reused. Returns 0, ENOTSUP if the file system does not record it, or another errno.
int cfiles_birth(const char *path, int64_t *seconds, int64_t *nanoseconds);

// The attributes that `cfiles_keep_attributes` could not set.
enum { CFILES_OWNER = 1, CFILES_GROUP = 2, CFILES_EXTENDED = 4 };

// Copies owner, group, permissions and extended attributes, including access control lists, from the file at
// `from` to the open file `to`, which is to replace it. Attributes managed by the system (security.*,
// trusted.*) are omitted. If the group cannot be kept, the new group gets no more rights than everybody, and
// the access control list is not kept either. Returns the flags of what could not be kept; 0 if everything
// was.
int cfiles_keep_attributes(const char *from, int to);

// Whether a process on this machine has the regular file at a path open for writing: the kernel grants no
// read lease (fcntl(2), F_SETLEASE) on such a file. Returns 1 or 0; -1 if unknown, as for files of other
// users, and on file systems that refuse leases for other reasons (network file systems without a
// delegation).
int cfiles_is_being_written(const char *path);

#endif
