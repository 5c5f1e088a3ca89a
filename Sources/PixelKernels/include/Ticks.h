// The processor's own clock, for timing steps of less than a microsecond, and a pause of about that length.
#ifndef SAFELIGHT_TICKS_H
#define SAFELIGHT_TICKS_H

#include <stdint.h>
#include <time.h>

// Ticks of a constant but unknown rate: only the difference of two readings is meaningful, and only relative
// to another clock. Costs a fraction of clock_gettime if the processor has such a counter; elsewhere it
// returns nanoseconds.
static inline uint64_t sl_ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
#endif
}

// Tells the processor that the thread is spinning: it leaves more of the core to the other hardware thread
// and saves power.
static inline void sl_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

#endif
