// What an open video holds; shared by the files that make up `CFFmpeg.h`.
#ifndef SAFELIGHT_FFMPEG_VIDEO_STATE_H
#define SAFELIGHT_FFMPEG_VIDEO_STATE_H

#include "Libraries.h"

struct cffmpeg_video {
  AVFormatContext *format;
  AVIOContext *io;
  AVCodecContext *codec;
  AVPacket *packet;
  AVFrame *frame;
  struct SwsContext *scaler;
  int stream;
  cffmpeg_info info;
  enum AVPixelFormat pixel_format;

  int descriptor;
  int64_t position;
  // The errno of the last read that the system refused.
  int read_error;

  // Damage that was met while the first frame was looked for.
  int early_damage;
  bool holds_first_frame;
  bool is_drained;
  int read_errors;
  // Whether the end was reached by errors only.
  bool has_given_up;
  bool looks_beyond_end;

  // Where the packets that were read begin and end, in the time base of the stream.
  bool has_packets;
  int64_t first_time;
  int64_t last_time;
};

// Fills `info` from the frame that the decoder holds, the first one.
void cffmpeg_describe(cffmpeg_video *video);
// FFmpeg's format of a layout.
enum AVPixelFormat cffmpeg_format_of(cffmpeg_layout layout);
// Notes the times of the packet that was just read.
void cffmpeg_note_packet(cffmpeg_video *video);

#endif
