// The opened libraries.
#ifndef SAFELIGHT_FFMPEG_LIBRARIES_H
#define SAFELIGHT_FFMPEG_LIBRARIES_H

#include "FFmpegFunctions.h"
#include "include/CFFmpeg.h"

// Filled once, before the first use, and constant afterwards.
struct cffmpeg_functions {
#define POINTER(library, name) __typeof__(name) *name;
  READING_FUNCTIONS(POINTER)
  ENCODING_FUNCTIONS(POINTER)
  SCALING_FUNCTIONS(POINTER)
#undef POINTER
};
extern struct cffmpeg_functions ff;

// Opens libswscale; returns false, with the reason in `message`, if it is missing.
bool cffmpeg_start_scaling(char message[CFFMPEG_MESSAGE_BYTES]);

#endif
