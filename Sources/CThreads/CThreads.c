#define _GNU_SOURCE
#include "CThreads.h"

#include <sched.h>

int cthreads_usable_processors(void) {
#ifdef __linux__
  // The call rejects masks smaller than the kernel's, which has at most 8192 processors.
  enum { sets = 8192 / (8 * sizeof(cpu_set_t)) };
  cpu_set_t mask[sets];
  CPU_ZERO_S(sizeof mask, mask);
  if (sched_getaffinity(0, sizeof mask, mask) != 0) return 0;
  return CPU_COUNT_S(sizeof mask, mask);
#else
  return 0;
#endif
}
