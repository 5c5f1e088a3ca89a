// The state of an open video, shared by the files that implement `CFFmpeg.h`.
#ifndef SAFELIGHT_FFMPEG_VIDEO_STATE_H
#define SAFELIGHT_FFMPEG_VIDEO_STATE_H

#include "FileInput.h"

struct cffmpeg_video {
  cffmpeg_input input;
  AVCodecContext *codec;
  AVPacket *packet;
  AVFrame *frame;
  struct SwsContext *scaler;
  int stream;
  cffmpeg_info info;
  enum AVPixelFormat pixel_format;

  // The damage found while looking for the first frame.
  int early_damage;
  bool holds_first_frame;
  bool is_drained;
  int read_errors;
  // Whether only errors led to the end.
  bool has_given_up;
  // Whether this pass did not begin with the first packet.
  bool is_sought;

  // The earliest start and the latest end of the packets read, in the time base of the stream.
  bool has_packets;
  int64_t first_time;
  int64_t last_time;
};

// Fills `info` from the frame in the decoder, the first one.
void cffmpeg_describe(cffmpeg_video *video);
// Returns FFmpeg's format of a layout.
enum AVPixelFormat cffmpeg_format_of(cffmpeg_layout layout);
// Records the times of the packet that was just read.
void cffmpeg_note_packet(cffmpeg_video *video);

#endif
