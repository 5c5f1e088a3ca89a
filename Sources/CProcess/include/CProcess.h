// Process calls that Swift cannot import, because they require _GNU_SOURCE or take variable arguments.
#ifndef SAFELIGHT_CPROCESS_H
#define SAFELIGHT_CPROCESS_H

#include <stddef.h>
#include <stdint.h>

// pipe2(2) with O_CLOEXEC, so that processes started in the meantime do not hold the pipe open. Returns 0 or
// errno.
int cprocess_pipe(int *reading, int *writing);

// Makes the kernel send SIGTERM to this process when the thread that started it ends; its handler removes
// unfinished files.
void cprocess_end_with_parent(void);

// Limits the memory of another process: its private writable memory (RLIMIT_DATA), which, unlike its address
// space, excludes libraries, mapped files and reservations. Swift cannot import prlimit(2). Returns 0 or
// errno.
int cprocess_limit_data(int process, uint64_t bytes);

/// Whether a child has ended; it stays to be waited for, and so its process group keeps its number. 1 if it
/// has, 0 if not, -1 if there is no such child.
int cprocess_has_ended(int process);

// Waits for a child to end, and reports its status as in waitpid(2) and its peak resident memory in bytes.
// Swift cannot import wait4(2). Returns 0 or errno.
int cprocess_wait(int process, int *status, uint64_t *peak);

// Two connected stream sockets, closed on exec. `other`, for a process to be started, is at least 16, so that
// it can be duplicated to a low number without replacing another that is to be. Returns 0 or errno.
int cprocess_socket_pair(int *own, int *other);

// Memory that another process may read through `descriptor`, which is as `other` above. It is mapped here for
// writing; afterwards its size cannot change, and from Linux 5.1 on nobody else can map it for writing.
// Returns 0 or errno.
int cprocess_shared_memory(size_t bytes, int *descriptor, void **base);

#endif
