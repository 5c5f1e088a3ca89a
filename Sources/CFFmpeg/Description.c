// Describes a video: its layout, shape, colours, rate and turn, from the first frame and the container.

#include <stdio.h>

#include "VideoState.h"

enum {
  // FFmpeg's own bound between intended rates and those that result from fine time stamps.
  HIGHEST_COMMON_RATE = 210,
  LOWEST_AVERAGE_RATE = 24,
};

static const struct {
  enum AVPixelFormat format;
  cffmpeg_layout layout;
} layouts[] = {
    {AV_PIX_FMT_YUV420P, CFFMPEG_I420},    {AV_PIX_FMT_YUVJ420P, CFFMPEG_I420},
    {AV_PIX_FMT_YUV422P, CFFMPEG_I422},    {AV_PIX_FMT_YUVJ422P, CFFMPEG_I422},
    {AV_PIX_FMT_YUV444P, CFFMPEG_I444},    {AV_PIX_FMT_YUVJ444P, CFFMPEG_I444},
    {AV_PIX_FMT_NV12, CFFMPEG_NV12},       {AV_PIX_FMT_NV21, CFFMPEG_NV21},
    {AV_PIX_FMT_NV16, CFFMPEG_NV16},       {AV_PIX_FMT_YUYV422, CFFMPEG_YUYV422},
    {AV_PIX_FMT_UYVY422, CFFMPEG_UYVY422}, {AV_PIX_FMT_GRAY8, CFFMPEG_GRAY8},
    {AV_PIX_FMT_RGBA, CFFMPEG_RGBA8},
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

static cffmpeg_layout layout_of(enum AVPixelFormat format, bool *is_converted) {
  for (int i = 0; i < LAYOUTS; i++) {
    if (layouts[i].format == format) {
      *is_converted = false;
      return layouts[i].layout;
    }
  }
  *is_converted = true;
  const AVPixFmtDescriptor *shape = ff.av_pix_fmt_desc_get(format);
  if (shape == NULL || (shape->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) != 0)
    return CFFMPEG_RGBA8;
  if (shape->nb_components < 3) return CFFMPEG_GRAY8;
  if (shape->log2_chroma_w == 0) return CFFMPEG_I444;
  return shape->log2_chroma_h == 0 ? CFFMPEG_I422 : CFFMPEG_I420;
}

enum AVPixelFormat cffmpeg_format_of(cffmpeg_layout layout) {
  for (int i = 0; i < LAYOUTS; i++) {
    if (layouts[i].layout == layout) return layouts[i].format;
  }
  return AV_PIX_FMT_NONE;
}

static double value_of(AVRational rate) {
  return rate.num > 0 && rate.den > 0 ? (double)rate.num / rate.den : 0;
}

// The rate at which no frame is lost: a common rate with which all times of the file coincide, if there is
// one. Files without one, such as screen recordings with times in milliseconds, report a rate of hundreds of
// frames; for them it is the average, or 30 if that is too coarse to show when a picture changes.
static double frame_rate(const cffmpeg_video *video) {
  AVStream *stream = video->input.format->streams[video->stream];
  double base = value_of(stream->r_frame_rate), average = value_of(stream->avg_frame_rate);
  double guessed = value_of(ff.av_guess_frame_rate(video->input.format, stream, NULL));
  if (base <= HIGHEST_COMMON_RATE || average <= 0 || base < 1.5 * average) {
    return guessed > 0 ? guessed : average;
  }
  return average < LOWEST_AVERAGE_RATE ? 30 : average;
}

// From the frame, or from the stream if the frame does not say.
static cffmpeg_fields fields_of(const AVFrame *frame, const AVStream *stream) {
#ifdef AV_FRAME_FLAG_INTERLACED
  bool is_interlaced = (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
  bool is_top_first = (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
  bool is_interlaced = frame->interlaced_frame != 0, is_top_first = frame->top_field_first != 0;
#endif
  if (is_interlaced) return is_top_first ? CFFMPEG_TOP_FIELD_FIRST : CFFMPEG_BOTTOM_FIELD_FIRST;
  // TB and BT as FFmpeg writes them into Y4M.
  switch (stream->codecpar->field_order) {
    case AV_FIELD_TT:
    case AV_FIELD_TB:
      return CFFMPEG_TOP_FIELD_FIRST;
    case AV_FIELD_BB:
    case AV_FIELD_BT:
      return CFFMPEG_BOTTOM_FIELD_FIRST;
    default:
      return CFFMPEG_PROGRESSIVE;
  }
}

void cffmpeg_describe(cffmpeg_video *video) {
  AVFrame *frame = video->frame;
  AVStream *stream = video->input.format->streams[video->stream];
  cffmpeg_info *info = &video->info;
  video->pixel_format = frame->format;
  info->width = frame->width;
  info->height = frame->height;
  AVRational aspect = ff.av_guess_sample_aspect_ratio(video->input.format, stream, frame);
  if (aspect.num > 0 && aspect.den > 0) {
    info->sample_width = aspect.num;
    info->sample_height = aspect.den;
  }
  info->fields = fields_of(frame, stream);
  info->layout = layout_of(frame->format, &info->is_converted);
  const AVPixFmtDescriptor *shape = ff.av_pix_fmt_desc_get(frame->format);
  snprintf(info->format_name, sizeof info->format_name, "%s", shape == NULL ? "unknown" : shape->name);
  // FFmpeg's numbers are those of H.273.
  info->primaries = frame->color_primaries;
  info->transfer = frame->color_trc;
  info->matrix = frame->colorspace;
  bool is_jpeg = frame->format == AV_PIX_FMT_YUVJ420P || frame->format == AV_PIX_FMT_YUVJ422P ||
                 frame->format == AV_PIX_FMT_YUVJ444P;
  info->is_full_range = is_jpeg || frame->color_range == AVCOL_RANGE_JPEG;
  info->states_range = is_jpeg || frame->color_range != AVCOL_RANGE_UNSPECIFIED;
  // FFmpeg counts from 1.
  info->chroma_location = frame->chroma_location;
  info->rate = frame_rate(video);

  info->a = info->d = 1;
  info->b = info->c = 0;
  const int32_t *matrix = NULL;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
  for (int i = 0; i < stream->codecpar->nb_coded_side_data; i++) {
    const AVPacketSideData *data = &stream->codecpar->coded_side_data[i];
    if (data->type == AV_PKT_DATA_DISPLAYMATRIX && data->size >= 36) matrix = (const int32_t *)data->data;
  }
#else
  for (int i = 0; i < stream->nb_side_data; i++) {
    const AVPacketSideData *data = &stream->side_data[i];
    if (data->type == AV_PKT_DATA_DISPLAYMATRIX && data->size >= 36) matrix = (const int32_t *)data->data;
  }
#endif
  if (matrix != NULL) {
    info->a = matrix[0];
    info->b = matrix[1];
    info->c = matrix[3];
    info->d = matrix[4];
  }
}
