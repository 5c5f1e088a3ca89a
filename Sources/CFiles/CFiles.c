#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/vfs.h>
#include <sys/xattr.h>
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
// Access control lists are stored as an extended attribute.
static const char access_list[] = "system.posix_acl_access";

static int is_copied(const char *name) {
  return strncmp(name, "user.", 5) == 0 || strcmp(name, access_list) == 0;
}

enum { LOST_ATTRIBUTE = 1, LOST_ACCESS_LIST = 2 };

// The extended attributes that could not be copied.
static int copy_extended(const char *from, int to, int takes_access_list) {
  // Linux's limits of lists and values (XATTR_LIST_MAX, XATTR_SIZE_MAX).
  const size_t most = 65536;
  char *names = malloc(2 * most);
  if (names == NULL) return LOST_ATTRIBUTE | LOST_ACCESS_LIST;
  char *value = names + most;
  int lost = 0;
  int has_access_list = 0;
  ssize_t length = listxattr(from, names, most);
  // Only on a file system without attributes is there nothing to lose.
  if (length < 0 && errno != ENOTSUP) lost = LOST_ATTRIBUTE | LOST_ACCESS_LIST;
  for (ssize_t at = 0; at < length; at += (ssize_t)strlen(names + at) + 1) {
    const char *name = names + at;
    if (!is_copied(name)) continue;
    int is_access_list = strcmp(name, access_list) == 0;
    ssize_t size = is_access_list && !takes_access_list ? -1 : getxattr(from, name, value, most);
    if (size < 0 || fsetxattr(to, name, value, (size_t)size, 0) != 0) {
      lost |= is_access_list ? LOST_ACCESS_LIST : LOST_ATTRIBUTE;
    } else if (is_access_list) {
      has_access_list = 1;
    }
  }
  // A new file inherits a list from its folder.
  if (!has_access_list) fremovexattr(to, access_list);
  free(names);
  return lost;
}
#endif

int cfiles_keep_attributes(const char *from, int to) {
  struct stat old, new;
  if (stat(from, &old) != 0 || fstat(to, &new) != 0) return CFILES_OWNER | CFILES_GROUP | CFILES_EXTENDED;
  int lost = 0;
  // Separately: a user who may not give a file away may still change its group to another of their own.
  if (old.st_uid != new.st_uid && fchown(to, old.st_uid, (gid_t)-1) != 0) lost |= CFILES_OWNER;
  if (old.st_gid != new.st_gid && fchown(to, (uid_t)-1, old.st_gid) != 0) lost |= CFILES_GROUP;
  int has_group = !(lost & CFILES_GROUP);
  int keeps_access_list = 1;
#ifdef __linux__
  // The list states the rights of the old group, and would grant them to another one.
  int extended = copy_extended(from, to, has_group);
  if (extended != 0) lost |= CFILES_EXTENDED;
  if (extended & LOST_ACCESS_LIST) keeps_access_list = 0;
#endif
  mode_t mode = old.st_mode & 0777;
  // The rights of the old group must not go to another one. If there was an access list, these bits are the
  // most that anybody in it may do, which may be more than the group was allowed.
  if (!has_group || !keeps_access_list) mode &= ~(mode_t)070 | ((mode & 07) << 3);
  // Last, because setting a list also sets these bits.
  if (fchmod(to, mode) != 0) lost |= CFILES_EXTENDED;
  return lost;
}

#ifdef __linux__
// File systems on which a lease is refused only because of writers on this machine; numbers as in
// linux/magic.h.
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
    default:
      return 0;
  }
}
#endif

int cfiles_is_being_written(const char *path) {
#ifdef __linux__
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) return -1;
  int answer = -1;
  if (leases_tell_writers(descriptor)) {
    // If a process opens the file for writing while the lease is briefly held, a signal is sent here: SIGIO
    // would end the process, SIGURG is ignored.
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
