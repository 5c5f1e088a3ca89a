#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif

int cfiles_birth(const char *path, int64_t *seconds, int64_t *nanoseconds) {
#ifdef __linux__
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_BTIME, &status) != 0) return errno;
  if (!(status.stx_mask & STATX_BTIME)) return ENOTSUP;
  *seconds = status.stx_btime.tv_sec;
  *nanoseconds = status.stx_btime.tv_nsec;
  return 0;
#else
  (void)path, (void)seconds, (void)nanoseconds;
  return ENOTSUP;
#endif
}

#ifdef __linux__
// File systems whose leases ask for writers of this machine and for nothing else; numbers as in linux/magic.h.
static int leases_tell_writers(int descriptor) {
  struct statfs system;
  if (fstatfs(descriptor, &system) != 0) return 0;
  switch ((uint32_t)system.f_type) {
    case 0xEF53:      // ext2, ext3, ext4
    case 0x58465342:  // XFS
    case 0x9123683E:  // Btrfs
    case 0xF2F52010:  // F2FS
    case 0x01021994:  // tmpfs
      return 1;
    default: return 0;
  }
}
#endif

int cfiles_is_being_written(const char *path) {
#ifdef __linux__
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) return -1;
  int answer = -1;
  if (leases_tell_writers(descriptor)) {
    // Who opens the file for writing while the lease is held, which is not for long, has a signal sent here: SIGIO would
    // end the process, SIGURG is ignored.
    if (fcntl(descriptor, F_SETSIG, SIGURG) == 0) {
      if (fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0) {
        fcntl(descriptor, F_SETLEASE, F_UNLCK);
        answer = 0;
      } else if (errno == EAGAIN) {
        answer = 1;
      }
    }
  }
  close(descriptor);
  return answer;
#else
  (void)path;
  return -1;
#endif
}
