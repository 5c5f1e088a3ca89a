// For syscall.
#define _GNU_SOURCE
#include "SyncObserver.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

static _Thread_local sync_observer current;
static _Thread_local void *current_context;

void sync_observer_set(sync_observer observer, void *context) {
  current = observer;
  current_context = context;
}

#if defined(__linux__)
#include <sys/syscall.h>

int fsync(int descriptor) {
  if (current != NULL) {
    int code = current(descriptor, current_context);
    if (code != 0) {
      errno = code;
      return -1;
    }
  }
  return (int)syscall(SYS_fsync, descriptor);
}
#endif
