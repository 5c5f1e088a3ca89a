// Calls about processes that Swift does not see: they stand behind _GNU_SOURCE or take variable arguments.
#ifndef SAFELIGHT_CPROCESS_H
#define SAFELIGHT_CPROCESS_H

#include <stdint.h>

// pipe2(2) with O_CLOEXEC: other processes that are started meanwhile must not hold the pipe open. 0, or
// errno.
int cprocess_pipe(int *reading, int *writing);

// Has SIGTERM sent to this process when the thread that started it ends: its handler removes unfinished
// files.
void cprocess_end_with_parent(void);

// Bounds what another process may allocate: its private writable memory (RLIMIT_DATA), which, unlike its
// address space, does not count libraries, mapped files and what is only reserved. Swift does not see
// prlimit(2). 0, or errno.
int cprocess_limit_data(int process, uint64_t bytes);

// Waits for the end of a child. Its status as of waitpid(2), and the most memory that was resident, in bytes;
// Swift does not see wait4(2). 0, or errno.
int cprocess_wait(int process, int *status, uint64_t *peak);

#endif
