// Calls on ranges of files that Swift cannot import, because they require _GNU_SOURCE.
#ifndef SAFELIGHT_FILE_RANGES_H
#define SAFELIGHT_FILE_RANGES_H

#include <stdint.h>

// Moves everything from `offset` on towards the end by `length` bytes, which become zeros, without copying.
// Both must be multiples of the file system's block size. Returns 0 or an errno: EOPNOTSUPP where the file
// system cannot do it (only ext4, XFS and few others can), EINVAL where it cannot for this place or length.
int file_ranges_insert(int descriptor, int64_t offset, int64_t length);

// Copies up to `length` bytes between two regular files, sharing blocks where the file system can. Returns
// the number copied, 0 at the end of `from`, or a negative errno: -EXDEV, -EINVAL, -ENOSYS or -EOPNOTSUPP
// where it has to be done by reading and writing.
int64_t file_ranges_copy(int from, int64_t from_offset, int to, int64_t to_offset, int64_t length);

#endif
