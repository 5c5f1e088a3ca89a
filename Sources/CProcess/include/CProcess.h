// Calls about processes that Swift does not see: they stand behind _GNU_SOURCE or take variable arguments.
#ifndef SAFELIGHT_CPROCESS_H
#define SAFELIGHT_CPROCESS_H

#include <stdint.h>

// pipe2(2) with O_CLOEXEC: other processes that are started meanwhile must not hold the pipe open. 0, or
// errno.
int cprocess_pipe(int *reading, int *writing);

// Has SIGKILL sent to this process when the thread that started it ends.
void cprocess_end_with_parent(void);

// Bounds the address space of this process. 0, or errno.
int cprocess_limit_memory(uint64_t bytes);

#endif
