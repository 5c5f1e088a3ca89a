// libebur128 for tests to compare with, opened with dlopen: tests are skipped where it is missing.
#ifndef SAFELIGHT_CEBUR128_H
#define SAFELIGHT_CEBUR128_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cebur128_meter cebur128_meter;

// Whether libebur128 is installed.
bool cebur128_is_there(void);
// All channels are front channels. NULL if memory is short or the library missing.
cebur128_meter *cebur128_new(unsigned channels, unsigned long rate);
void cebur128_free(cebur128_meter *meter);
// Takes interleaved samples, `frames` for each channel.
bool cebur128_add(cebur128_meter *meter, const float *samples, size_t frames);
double cebur128_momentary(cebur128_meter *meter);
double cebur128_short_term(cebur128_meter *meter);
double cebur128_integrated(cebur128_meter *meter);
double cebur128_range(cebur128_meter *meter);
// Peaks are values, not decibels.
double cebur128_true_peak(cebur128_meter *meter, unsigned channel);
double cebur128_sample_peak(cebur128_meter *meter, unsigned channel);

#endif
