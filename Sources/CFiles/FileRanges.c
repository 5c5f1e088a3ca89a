#define _GNU_SOURCE
#include "FileRanges.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

int file_ranges_insert(int descriptor, int64_t offset, int64_t length) {
#ifdef FALLOC_FL_INSERT_RANGE
  int result;
  do {
    result = fallocate(descriptor, FALLOC_FL_INSERT_RANGE, offset, length);
  } while (result != 0 && errno == EINTR);
  return result == 0 ? 0 : errno;
#else
  return EOPNOTSUPP;
#endif
}

int64_t file_ranges_copy(int from, int64_t from_offset, int to, int64_t to_offset, int64_t length) {
  while (1) {
    off_t source = from_offset, target = to_offset;
    ssize_t count = copy_file_range(from, &source, to, &target, (size_t)length, 0);
    if (count >= 0) return count;
    if (errno != EINTR) return -errno;
  }
}
