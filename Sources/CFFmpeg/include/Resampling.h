// libswresample behind a few plain functions, opened with dlopen on first use: conversion of the sample rate,
// and a rate that can be changed by parts of a million at any sample. Samples are interleaved 32-bit floats.
// One resampler belongs to one thread at a time.
#ifndef SAFELIGHT_CFFMPEG_RESAMPLING_H
#define SAFELIGHT_CFFMPEG_RESAMPLING_H

#include <stdbool.h>
#include <stdint.h>

typedef enum {
  CFFMPEG_RESAMPLER_READY,
  // `message` says which library is missing.
  CFFMPEG_RESAMPLER_NO_LIBRARY,
  CFFMPEG_RESAMPLER_NO_MEMORY,
  // The library refuses the rates or the number of channels; `message` says why.
  CFFMPEG_RESAMPLER_REFUSED,
} cffmpeg_resampler_status;

typedef struct cffmpeg_resampler cffmpeg_resampler;

// The major version of libswresample that this was built for, which names the package to install.
int cffmpeg_resampling_version(void);

// The output's first sample is at the time of the input's first sample.
cffmpeg_resampler *cffmpeg_resampler_new(int channels, int from_rate, int to_rate,
                                         cffmpeg_resampler_status *status, char message[256]);
void cffmpeg_resampler_free(cffmpeg_resampler *resampler);

// Takes `count` samples per channel and writes up to `capacity` ones; what does not fit is kept. `input` NULL
// gives out what is left at the end. Returns the number written; negative if memory is short.
int cffmpeg_resampler_convert(cffmpeg_resampler *resampler, float *output, int capacity, const float *input,
                              int count);

// From the next output sample on, the distance of output samples in the input is 1 + `deviation` times the
// nominal one, in steps of about 1e-6. Returns false if the library refuses.
bool cffmpeg_resampler_set_deviation(cffmpeg_resampler *resampler, double deviation);

// The distance from the next output sample to the end of the input taken so far, in input samples; exact to a
// thousandth.
double cffmpeg_resampler_delay(cffmpeg_resampler *resampler);

#endif
