#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

int cprocess_pipe(int *reading, int *writing) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  *reading = ends[0];
  *writing = ends[1];
  return 0;
}

void cprocess_end_with_parent(void) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
}

int cprocess_limit_data(int process, uint64_t bytes) {
#ifdef __linux__
  struct rlimit limit;
  if (prlimit(process, RLIMIT_DATA, NULL, &limit) != 0) return errno;
  limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
  return prlimit(process, RLIMIT_DATA, &limit, NULL) == 0 ? 0 : errno;
#else
  (void)process;
  (void)bytes;
  return ENOTSUP;
#endif
}

int cprocess_wait(int process, int *status, uint64_t *peak) {
  struct rusage usage;
  while (wait4(process, status, 0, &usage) < 0) {
    if (errno != EINTR) return errno;
  }
  *peak = (uint64_t)usage.ru_maxrss * 1024;
  return 0;
}
