// Kernels that only move memory, to measure its speed. See PixelKernels.h.
#ifndef SAFELIGHT_MEMORY_BANDWIDTH_H
#define SAFELIGHT_MEMORY_BANDWIDTH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The sum of n numbers, modulo 2^64.
uint64_t sl_read_memory(const uint64_t *src, size_t n);

// Sets n numbers to `value` with ordinary stores: the processor reads each line before writing to it
// (write-allocate), which callers do not count.
void sl_write_memory(uint64_t *dst, uint64_t value, size_t n);

// a = b + s·c. Source: J. D. McCalpin, STREAM, “triad”.
void sl_triad(float *a, const float *b, const float *c, float s, size_t n);

#ifdef __cplusplus
}
#endif

#endif
