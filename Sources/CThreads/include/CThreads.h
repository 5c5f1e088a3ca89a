// Thread calls that Swift cannot import, because they require _GNU_SOURCE.
#ifndef SAFELIGHT_CTHREADS_H
#define SAFELIGHT_CTHREADS_H

// Returns the number of processors on which the calling thread may run, as in sched_getaffinity(2), which
// respects cpusets of containers and taskset(1), unlike the number of processors online. 0 if unknown.
int cthreads_usable_processors(void);

#endif
