// Calls about threads that Swift does not see: they stand behind _GNU_SOURCE.
#ifndef SAFELIGHT_CTHREADS_H
#define SAFELIGHT_CTHREADS_H

// Processors that the calling thread may run on, as of sched_getaffinity(2): cpusets of containers and
// taskset(1) show in it, the processors that are merely online do not. 0 where the system does not say.
int cthreads_usable_processors(void);

#endif
