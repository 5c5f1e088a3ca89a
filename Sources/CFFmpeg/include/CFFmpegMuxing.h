// FFmpeg's Matroska muxer on a file descriptor. One muxer belongs to one thread at a time.
#ifndef SAFELIGHT_CFFMPEG_MUXING_H
#define SAFELIGHT_CFFMPEG_MUXING_H

#include "CFFmpegTypes.h"

// A track of a movie. Which of the fields count is said by `is_video`.
typedef struct {
  bool is_video;
  // FFmpeg's name of the codec, such as `h264` or `pcm_f32le`.
  const char *codec;
  const uint8_t *header;
  size_t header_bytes;
  // Ticks per second of packets' times.
  int time_scale;

  int width;
  int height;
  // The four characters of the codec's variant in QuickTime, the first in the lowest byte; 0 if it has none.
  uint32_t tag;
  int primaries;
  int transfer;
  int matrix;
  bool is_full_range;
  int chroma_location;
  int sample_width;
  int sample_height;
  // Degrees that players must turn pictures anticlockwise; 0 for none.
  int rotation;

  int sample_rate;
  int channels;
  int priming;
  int block;
  int bits;
} cffmpeg_track;

typedef struct {
  // In milliseconds since the movie's start.
  int64_t start;
  int64_t end;
  const char *title;
} cffmpeg_chapter;

typedef struct cffmpeg_muxer cffmpeg_muxer;

// Writes the header of a Matroska file into `descriptor`, which belongs to the caller and must be seekable.
cffmpeg_muxer *cffmpeg_muxer_open(int descriptor, const cffmpeg_track *tracks, int count,
                                  const char *writing_program, cffmpeg_encoder_status *status,
                                  char message[CFFMPEG_MESSAGE_BYTES]);
// Whatever is still in memory is lost.
void cffmpeg_muxer_free(cffmpeg_muxer *muxer);
// Copies a packet. Returns 0 or FFmpeg's negative error.
int cffmpeg_muxer_write(cffmpeg_muxer *muxer, int track, const cffmpeg_packet *packet);
// Adds chapters, which must be done before `cffmpeg_muxer_finish`, and completes the file.
int cffmpeg_muxer_finish(cffmpeg_muxer *muxer, const cffmpeg_chapter *chapters, int count);
// Bytes in the file so far.
int64_t cffmpeg_muxer_bytes(const cffmpeg_muxer *muxer);
// The errno of the first failed write or fdatasync; 0 if there was none.
int cffmpeg_muxer_errno(const cffmpeg_muxer *muxer);

#endif
