// Decoded samples as float.
#ifndef SAFELIGHT_FFMPEG_SAMPLE_CONVERSION_H
#define SAFELIGHT_FFMPEG_SAMPLE_CONVERSION_H

#include <stdbool.h>
#include <stdint.h>

// Converts samples of an AVSampleFormat to interleaved float, full scale 1. Returns false if the format is
// unknown.
bool cffmpeg_to_float(uint8_t *const *data, int format, int count, int channels, float *out);

#endif
