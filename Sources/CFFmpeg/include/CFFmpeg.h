// FFmpeg's demuxers and decoders behind a few plain functions, opened with dlopen on first use.
//
// Linking libavformat and libavcodec would cost every process tens of milliseconds at its start for loading
// their dependencies, even if no video file is read. Only the given file is ever read: all protocols are
// off, so a playlist cannot make a program read another file or contact a server. One video belongs to one
// thread at a time.
#ifndef SAFELIGHT_CFFMPEG_H
#define SAFELIGHT_CFFMPEG_H

#include "CFFmpegAudioEncoding.h"
#include "CFFmpegAudioReading.h"
#include "CFFmpegContents.h"
#include "CFFmpegEncoding.h"
#include "CFFmpegMuxing.h"
#include "CFFmpegTypes.h"
#include "Resampling.h"

// Opens FFmpeg's libraries. Returns false, with the reason in `message`, if one is missing.
bool cffmpeg_start(char message[CFFMPEG_MESSAGE_BYTES]);
// The major version of libavformat that this was built for, which names the package to install.
int cffmpeg_format_version(void);

// Whether the rows of a frame show the same moment, or else which of its two fields comes first.
typedef enum {
  CFFMPEG_PROGRESSIVE,
  CFFMPEG_TOP_FIELD_FIRST,
  CFFMPEG_BOTTOM_FIELD_FIRST,
} cffmpeg_fields;

typedef struct {
  int width;
  int height;
  // The sample aspect ratio, width to height; both 0 if the file does not say.
  int sample_width;
  int sample_height;
  cffmpeg_fields fields;
  cffmpeg_layout layout;
  // Whether samples are converted, and FFmpeg's name of the format that they are stored in.
  bool is_converted;
  char format_name[32];
  char codec_name[32];
  // Code points of ITU-T H.273; 2 is unspecified.
  int primaries;
  int transfer;
  int matrix;
  bool is_full_range;
  // Whether the file states the range of its samples.
  bool states_range;
  // ChromaLocType of H.273 plus 1; 0 is unspecified.
  int chroma_location;
  // Frames per second: the rate at which no frame is lost if that is known, otherwise the average; 0 if the
  // file states neither.
  double rate;
  // The upper left part of the display matrix: a point (x, y), y down, is shown at (ax + cy, bx + dy).
  int32_t a, b, c, d;
} cffmpeg_info;

typedef struct cffmpeg_video cffmpeg_video;

// Opens the regular file in `descriptor`, which belongs to the caller and must stay open, with its best
// video stream, and decodes the first frame.
cffmpeg_video *cffmpeg_open(int descriptor, int threads, cffmpeg_status *status,
                            char message[CFFMPEG_MESSAGE_BYTES]);
void cffmpeg_free(cffmpeg_video *video);
cffmpeg_info cffmpeg_video_info(const cffmpeg_video *video);

typedef enum {
  // A frame is ready to be copied.
  CFFMPEG_FRAME,
  // A frame, or a part of the file, is damaged.
  CFFMPEG_DAMAGED,
  // A frame differs from the first in size or format.
  CFFMPEG_CHANGED,
  // Nothing yet; call again.
  CFFMPEG_AGAIN,
  CFFMPEG_END,
} cffmpeg_event;

// Reads one packet or takes one frame from the decoder.
cffmpeg_event cffmpeg_step(cffmpeg_video *video);
// The time of the current frame, in seconds on the file's clock. Returns false if the file does not say.
bool cffmpeg_frame_time(const cffmpeg_video *video, double *seconds);
// The duration of the current frame in seconds; 0 if the file does not say.
double cffmpeg_frame_duration(const cffmpeg_video *video);
// Writes the current frame into `planes`, whose rows are `row_bytes` apart; returns false if memory is
// short.
bool cffmpeg_copy(cffmpeg_video *video, void *const planes[3], const int row_bytes[3]);

// How a video ended.
typedef struct {
  // The errno of a failed read; 0 if there was none.
  int read_error;
  // Whether the demuxer could not continue before the end of the file.
  bool has_given_up;
  // Whether a frame was sought beyond the end of the file, or was there only in part.
  bool looks_beyond_end;
  // Seconds of video in the packets read.
  double reached;
  // Seconds of video in the whole file, as stated in its header; 0 if it does not say.
  double stated;
} cffmpeg_ending;

// Valid after `CFFMPEG_END`.
cffmpeg_ending cffmpeg_video_ending(const cffmpeg_video *video);

// Goes back to the first frame; returns false if the file cannot be read from its start again.
bool cffmpeg_rewind(cffmpeg_video *video);

// The duration of the file in seconds, as stated or estimated; 0 if it is not known.
double cffmpeg_duration(const cffmpeg_video *video);
// Goes to the last key frame that is not after a moment of the file's clock: the next frames may be earlier
// than it. Returns false if the file cannot be sought in; then it stays where it was.
bool cffmpeg_seek(cffmpeg_video *video, double seconds);

#endif
