#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "VideoState.h"

enum {
  // 8192 × 8192: a header that claims more is damaged or hostile.
  MAXIMUM_PIXELS = 1 << 26,
  // After this many failures in a row, the file is considered ended.
  MAXIMUM_READ_ERRORS = 32,
  // The steps within which the first frame must arrive.
  MAXIMUM_STEPS_TO_FIRST_FRAME = 2000,
};

static bool open_codec(cffmpeg_video *video, int threads, cffmpeg_status *status,
                       char message[CFFMPEG_MESSAGE_BYTES]) {
  *status = CFFMPEG_NO_VIDEO;
  video->stream = ff.av_find_best_stream(video->input.format, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
  if (video->stream < 0) return false;
  AVStream *stream = video->input.format->streams[video->stream];
  // Cover art of a music file.
  if ((stream->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) return false;
  for (unsigned i = 0; i < video->input.format->nb_streams; i++) {
    if ((int)i != video->stream) video->input.format->streams[i]->discard = AVDISCARD_ALL;
  }
  *status = CFFMPEG_NO_DECODER;
  const char *name = ff.avcodec_get_name(stream->codecpar->codec_id);
  snprintf(message, CFFMPEG_MESSAGE_BYTES, "%s", name);
  snprintf(video->info.codec_name, sizeof video->info.codec_name, "%s", name);
  const AVCodec *decoder = ff.avcodec_find_decoder(stream->codecpar->codec_id);
  if (decoder == NULL) return false;
  *status = CFFMPEG_NO_MEMORY;
  video->codec = ff.avcodec_alloc_context3(decoder);
  if (video->codec == NULL) return false;
  if (ff.avcodec_parameters_to_context(video->codec, stream->codecpar) < 0) return false;
  video->codec->thread_count = threads;
  // Other decoders mark a frame that they had to patch up; this one shows it unless it is told to refuse it.
  // (Told so, FFmpeg 5.1 aborts on some damage in other codecs.)
  if (decoder->id == AV_CODEC_ID_MJPEG) video->codec->err_recognition = AV_EF_EXPLODE;
  video->codec->max_pixels = MAXIMUM_PIXELS;
  video->codec->pkt_timebase = stream->time_base;
  *status = CFFMPEG_NO_FRAME;
  return ff.avcodec_open2(video->codec, decoder, NULL) == 0;
}

static bool is_damaged(const AVFrame *frame) {
  return (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame->decode_error_flags != 0 || frame->width <= 0 ||
         frame->height <= 0 || frame->data[0] == NULL;
}

// Takes a frame from the decoder, or feeds it.
static cffmpeg_event advance(cffmpeg_video *video) {
  int got = ff.avcodec_receive_frame(video->codec, video->frame);
  if (got == 0) return is_damaged(video->frame) ? CFFMPEG_DAMAGED : CFFMPEG_FRAME;
  if (got == AVERROR_EOF) return CFFMPEG_END;
  if (got != AVERROR(EAGAIN)) {
    // An error with nothing left to feed would repeat for ever.
    if (video->is_drained && ++video->read_errors > MAXIMUM_READ_ERRORS) return CFFMPEG_END;
    return CFFMPEG_DAMAGED;
  }
  if (video->is_drained) return CFFMPEG_END;

  int read = ff.av_read_frame(video->input.format, video->packet);
  if (read < 0) {
    bool is_end = read == AVERROR_EOF || read == AVERROR_EXIT;
    if (!is_end && ++video->read_errors <= MAXIMUM_READ_ERRORS) return CFFMPEG_DAMAGED;
    video->has_given_up = !is_end;
    video->is_drained = true;
    return ff.avcodec_send_packet(video->codec, NULL) < 0 ? CFFMPEG_END : CFFMPEG_AGAIN;
  }
  video->read_errors = 0;
  cffmpeg_event event = CFFMPEG_AGAIN;
  // The decoder has just asked for a packet, so it accepts this one or finds it damaged.
  if (video->packet->stream_index == video->stream) {
    cffmpeg_note_packet(video);
    int sent = ff.avcodec_send_packet(video->codec, video->packet);
    if (sent < 0 && sent != AVERROR(EAGAIN) && sent != AVERROR_EOF) event = CFFMPEG_DAMAGED;
  }
  ff.av_packet_unref(video->packet);
  return event;
}

cffmpeg_video *cffmpeg_open(int descriptor, int threads, cffmpeg_status *status,
                            char message[CFFMPEG_MESSAGE_BYTES]) {
  *status = CFFMPEG_NO_LIBRARY;
  if (!cffmpeg_start(message)) return NULL;
  *status = CFFMPEG_NO_MEMORY;
  cffmpeg_video *video = calloc(1, sizeof *video);
  if (video == NULL) return NULL;
  if (cffmpeg_input_open(&video->input, descriptor, status) && open_codec(video, threads, status, message)) {
    *status = CFFMPEG_NO_MEMORY;
    video->packet = ff.av_packet_alloc();
    video->frame = ff.av_frame_alloc();
    if (video->packet != NULL && video->frame != NULL) *status = CFFMPEG_NO_FRAME;
    for (int steps = 0; *status == CFFMPEG_NO_FRAME && steps < MAXIMUM_STEPS_TO_FIRST_FRAME; steps++) {
      cffmpeg_event event = advance(video);
      if (event == CFFMPEG_FRAME) {
        cffmpeg_describe(video);
        *status = CFFMPEG_OPENED;
      } else if (event == CFFMPEG_DAMAGED) {
        video->early_damage++;
      } else if (event == CFFMPEG_END) {
        break;
      }
    }
  }
  if (*status == CFFMPEG_OPENED && video->info.is_converted && !cffmpeg_start_scaling(message)) {
    *status = CFFMPEG_NO_LIBRARY;
  }
  if (*status != CFFMPEG_OPENED) {
    cffmpeg_free(video);
    return NULL;
  }
  video->holds_first_frame = true;
  return video;
}

void cffmpeg_free(cffmpeg_video *video) {
  if (video == NULL) return;
  if (video->scaler != NULL) ff.sws_freeContext(video->scaler);
  ff.av_frame_free(&video->frame);
  ff.av_packet_free(&video->packet);
  ff.avcodec_free_context(&video->codec);
  cffmpeg_input_close(&video->input);
  free(video);
}

cffmpeg_info cffmpeg_video_info(const cffmpeg_video *video) { return video->info; }

cffmpeg_event cffmpeg_step(cffmpeg_video *video) {
  if (video->early_damage > 0) {
    video->early_damage--;
    return CFFMPEG_DAMAGED;
  }
  cffmpeg_event event = CFFMPEG_FRAME;
  if (!video->holds_first_frame) event = advance(video);
  video->holds_first_frame = false;
  if (event != CFFMPEG_FRAME) return event;
  bool is_same = video->frame->width == video->info.width && video->frame->height == video->info.height &&
                 video->frame->format == video->pixel_format;
  return is_same ? CFFMPEG_FRAME : CFFMPEG_CHANGED;
}

bool cffmpeg_frame_time(const cffmpeg_video *video, double *seconds) {
  int64_t stamp = video->frame->best_effort_timestamp;
  AVRational base = video->input.format->streams[video->stream]->time_base;
  if (stamp == AV_NOPTS_VALUE || base.num <= 0 || base.den <= 0) return false;
  *seconds = (double)stamp * base.num / base.den;
  return true;
}

double cffmpeg_frame_duration(const cffmpeg_video *video) {
  AVRational base = video->input.format->streams[video->stream]->time_base;
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  int64_t duration = video->frame->duration;
#else
  int64_t duration = video->frame->pkt_duration;
#endif
  return duration > 0 && base.num > 0 && base.den > 0 ? (double)duration * base.num / base.den : 0;
}

// The bytes of a tightly packed row, and the number of rows, of a plane.
static void plane_shape(cffmpeg_layout layout, int width, int height, int plane, int *bytes, int *rows) {
  int half_width = (width + 1) / 2, half_height = (height + 1) / 2;
  *bytes = width;
  *rows = height;
  switch (layout) {
    case CFFMPEG_I420:
      if (plane > 0) *bytes = half_width, *rows = half_height;
      break;
    case CFFMPEG_I422:
      if (plane > 0) *bytes = half_width;
      break;
    case CFFMPEG_NV12:
    case CFFMPEG_NV21:
      if (plane > 0) *bytes = 2 * half_width, *rows = half_height;
      break;
    case CFFMPEG_NV16:
      if (plane > 0) *bytes = 2 * half_width;
      break;
    case CFFMPEG_YUYV422:
    case CFFMPEG_UYVY422:
      *bytes = 4 * half_width;
      break;
    case CFFMPEG_RGBA8:
      *bytes = 4 * width;
      break;
    default:
      break;
  }
}

bool cffmpeg_copy(cffmpeg_video *video, void *const planes[3], const int row_bytes[3]) {
  const AVFrame *frame = video->frame;
  const cffmpeg_info *info = &video->info;
  if (info->is_converted) {
    if (video->scaler == NULL) {
      video->scaler = ff.sws_getContext(info->width, info->height, video->pixel_format, info->width,
                                        info->height, cffmpeg_format_of(info->layout),
                                        SWS_BILINEAR | SWS_ACCURATE_RND, NULL, NULL, NULL);
    }
    if (video->scaler == NULL) return false;
    uint8_t *out[4] = {planes[0], planes[1], planes[2], NULL};
    int strides[4] = {row_bytes[0], row_bytes[1], row_bytes[2], 0};
    return ff.sws_scale(video->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, info->height,
                        out, strides) == info->height;
  }
  for (int i = 0; i < 3 && planes[i] != NULL; i++) {
    int bytes, rows;
    plane_shape(info->layout, info->width, info->height, i, &bytes, &rows);
    // Decoders may deliver rows from bottom to top, with a negative stride.
    ptrdiff_t stride = frame->linesize[i];
    size_t count = (size_t)(bytes < llabs(stride) ? bytes : llabs(stride));
    if (frame->data[i] == NULL) return false;
    for (int y = 0; y < rows; y++) {
      memcpy((char *)planes[i] + (ptrdiff_t)y * row_bytes[i], frame->data[i] + y * stride, count);
    }
  }
  return true;
}
