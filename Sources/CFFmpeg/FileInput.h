// A local file as FFmpeg's only input.
#ifndef SAFELIGHT_FFMPEG_FILE_INPUT_H
#define SAFELIGHT_FFMPEG_FILE_INPUT_H

#include "Libraries.h"

typedef struct {
  int descriptor;
  int64_t position;
  // The errno of the last failed read.
  int read_error;
  bool looks_beyond_end;
  AVIOContext *io;
  AVFormatContext *format;
} cffmpeg_input;

// Opens the regular file in `descriptor` and finds its streams. On failure, `*status` says why; either way,
// `cffmpeg_input_close` frees what was made. `input` must not move afterwards.
bool cffmpeg_input_open(cffmpeg_input *input, int descriptor, cffmpeg_status *status);
void cffmpeg_input_close(cffmpeg_input *input);

#endif
