#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
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

int cprocess_has_ended(int process) {
  siginfo_t found;
  found.si_pid = 0;
  if (waitid(P_PID, (id_t)process, &found, WEXITED | WNOHANG | WNOWAIT) != 0) return errno == ECHILD ? -1 : 0;
  return found.si_pid != 0;
}

int cprocess_socket_pair(int *own, int *other) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  *own = ends[0];
  *other = fcntl(ends[1], F_DUPFD_CLOEXEC, 16);
  const int code = errno;
  close(ends[1]);
  if (*other >= 0) return 0;
  close(ends[0]);
  return code;
}

int cprocess_shared_memory(size_t bytes, int *descriptor, void **base) {
#if defined(__linux__) && defined(MFD_ALLOW_SEALING)
  const int low = memfd_create("frames", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (low < 0) return errno;
  *descriptor = fcntl(low, F_DUPFD_CLOEXEC, 16);
  int code = errno;
  close(low);
  if (*descriptor < 0) return code;
  *base = MAP_FAILED;
  if (ftruncate(*descriptor, (off_t)bytes) == 0) {
    *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *descriptor, 0);
  }
  if (*base != MAP_FAILED && fcntl(*descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0) {
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif
    // Before Linux 5.1 there is no such seal, and the other process could write to the frames.
    fcntl(*descriptor, F_ADD_SEALS, F_SEAL_FUTURE_WRITE);
    return 0;
  }
  code = errno;
  if (*base != MAP_FAILED) munmap(*base, bytes);
  close(*descriptor);
  return code;
#else
  (void)bytes;
  (void)descriptor;
  (void)base;
  return ENOTSUP;
#endif
}
