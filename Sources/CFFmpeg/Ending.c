// How far a video was read, compared with the duration that its file states, and rewinding to its start.

#include "VideoState.h"

void cffmpeg_note_packet(cffmpeg_video *video) {
  const AVPacket *packet = video->packet;
  // Set if the file ended within the packet; other damage is also reported by the decoder.
  video->input.looks_beyond_end = (packet->flags & AV_PKT_FLAG_CORRUPT) != 0;
  int64_t time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
  if (time == AV_NOPTS_VALUE) return;
  int64_t end = time;
  // Both come from the file: a damaged one may contain any numbers.
  if (packet->duration <= 0 || __builtin_add_overflow(time, packet->duration, &end)) end = time;
  if (!video->has_packets || time < video->first_time) video->first_time = time;
  if (!video->has_packets || end > video->last_time) video->last_time = end;
  video->has_packets = true;
}

cffmpeg_ending cffmpeg_video_ending(const cffmpeg_video *video) {
  cffmpeg_ending ending = {.read_error = video->input.read_error,
                           .has_given_up = video->has_given_up,
                           .looks_beyond_end = video->input.looks_beyond_end};
  const AVFormatContext *format = video->input.format;
  const AVStream *stream = format->streams[video->stream];
  double unit = stream->time_base.den > 0 ? (double)stream->time_base.num / stream->time_base.den : 0;
  if (video->has_packets) ending.reached = ((double)video->last_time - (double)video->first_time) * unit;
  // What was passed over was not read.
  if (video->is_sought) return ending;
  // Other durations are measured or estimated from the same file, which may be cut off.
  if (format->duration_estimation_method != AVFMT_DURATION_FROM_STREAM) return ending;
  if (stream->duration != AV_NOPTS_VALUE && stream->duration > 0) {
    ending.stated = (double)stream->duration * unit;
  } else if (format->duration != AV_NOPTS_VALUE && format->duration > 0) {
    ending.stated = (double)format->duration / AV_TIME_BASE;
  }
  return ending;
}

double cffmpeg_duration(const cffmpeg_video *video) {
  const AVFormatContext *format = video->input.format;
  return format->duration != AV_NOPTS_VALUE && format->duration > 0 ? (double)format->duration / AV_TIME_BASE
                                                                    : 0;
}

// Forgets what was decoded, so that decoding goes on where the file was sought to.
static void start_over(cffmpeg_video *video, bool is_sought) {
  ff.avcodec_flush_buffers(video->codec);
  video->holds_first_frame = false;
  video->is_drained = false;
  video->has_given_up = false;
  video->input.looks_beyond_end = false;
  video->read_errors = 0;
  video->input.read_error = 0;
  // From here on, this shows how far the current pass came.
  video->is_sought = is_sought;
  video->has_packets = false;
  video->first_time = 0;
  video->last_time = 0;
}

bool cffmpeg_seek(cffmpeg_video *video, double seconds) {
  if (!(seconds > -1e9 && seconds < 1e9)) return false;
  int64_t time = (int64_t)(seconds * AV_TIME_BASE);
  if (ff.avformat_seek_file(video->input.format, -1, INT64_MIN, time, time, 0) < 0) return false;
  start_over(video, true);
  return true;
}

bool cffmpeg_rewind(cffmpeg_video *video) {
  int64_t start = video->input.format->start_time == AV_NOPTS_VALUE ? 0 : video->input.format->start_time;
  // Raw streams have no index of times, but their first byte is their start.
  if (ff.avformat_seek_file(video->input.format, -1, INT64_MIN, start, start, 0) < 0 &&
      ff.avformat_seek_file(video->input.format, -1, INT64_MIN, 0, 0, AVSEEK_FLAG_BYTE) < 0) {
    return false;
  }
  start_over(video, false);
  return true;
}
