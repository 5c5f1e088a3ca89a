// Calls about files that Swift does not see: they stand behind _GNU_SOURCE or take variable arguments. Files that
// signal handlers remove.
#ifndef SAFELIGHT_CFILES_H
#define SAFELIGHT_CFILES_H

#include <stdint.h>

#include "TemporaryFiles.h"

// When the file at a path, after symbolic links, was made, as of statx(2): a file that was removed may leave
// its inode number to the next. 0; ENOTSUP where the file system does not keep it, or another errno.
int cfiles_birth(const char *path, int64_t *seconds, int64_t *nanoseconds);

// What `cfiles_keep_attributes` could not give to a file.
enum { CFILES_OWNER = 1, CFILES_GROUP = 2, CFILES_EXTENDED = 4 };

// Gives the open file `to`, which is to take the place of the file at `from`, that file's owner, group,
// permissions and extended attributes, access control lists among them. Attributes that the system keeps for
// itself (security.*, trusted.*) are left out. Where the group cannot be kept, another one gets no more than
// everybody, and the access control list is not kept either. The sum of what could not be kept; 0 where all
// was.
int cfiles_keep_attributes(const char *from, int to);

// Whether a process of this machine has the regular file at a path open for writing: the kernel grants no
// read lease (fcntl(2), F_SETLEASE) on such a file. 1 or 0; -1 where it cannot be known, as for files of
// other users, and on file systems that refuse leases for other reasons (network file systems without a
// delegation).
int cfiles_is_being_written(const char *path);

#endif
