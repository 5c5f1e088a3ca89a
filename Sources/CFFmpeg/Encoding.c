#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "HardwareFrames.h"
#include "Packets.h"
#include "VideoState.h"

struct cffmpeg_encoder {
  AVCodecContext *codec;
  AVPacket *packet;
  // The caller's planes.
  AVFrame *frame;
  // The picture in the encoder's format, if it takes another one.
  AVFrame *converted;
  struct SwsContext *scaler;
  // Null unless pictures are uploaded.
  cffmpeg_uploader *uploader;
  enum AVPixelFormat sent_format;
  bool is_svt;
  bool has_pictures;
  bool has_ended;
};

// Prepares the conversion from the pictures' format to the encoder's. The samples keep their range and
// matrix.
static bool start_converting(cffmpeg_encoder *encoder, enum AVPixelFormat stored,
                             const cffmpeg_encoder_settings *settings, cffmpeg_encoder_status *status,
                             char message[CFFMPEG_MESSAGE_BYTES]) {
  *status = CFFMPEG_ENCODER_NO_LIBRARY;
  if (!cffmpeg_start_scaling(message)) return false;
  *status = CFFMPEG_ENCODER_NO_MEMORY;
  int width = settings->width, height = settings->height;
  encoder->scaler = ff.sws_getContext(width, height, encoder->sent_format, width, height, stored,
                                      SWS_BILINEAR | SWS_ACCURATE_RND, NULL, NULL, NULL);
  if (encoder->scaler == NULL) return false;
  // The coefficients are not used between luma and colour differences, but must be given with the range.
  const int *coefficients = ff.sws_getCoefficients(SWS_CS_ITU709);
  int range = settings->is_full_range ? 1 : 0;
  ff.sws_setColorspaceDetails(encoder->scaler, coefficients, range, coefficients, range, 0, 1 << 16, 1 << 16);
  encoder->converted = ff.av_frame_alloc();
  if (encoder->converted == NULL) return false;
  encoder->converted->width = width;
  encoder->converted->height = height;
  encoder->converted->format = stored;
  return ff.av_frame_get_buffer(encoder->converted, 0) == 0;
}

static void configure(AVCodecContext *codec, const cffmpeg_encoder_settings *settings) {
  codec->width = settings->width;
  codec->height = settings->height;
  codec->time_base = (AVRational){1, settings->time_scale};
  codec->framerate = (AVRational){settings->rate_numerator, settings->rate_denominator};
  codec->sample_aspect_ratio = (AVRational){settings->sample_width, settings->sample_height};
  codec->color_primaries = (enum AVColorPrimaries)settings->primaries;
  codec->color_trc = (enum AVColorTransferCharacteristic)settings->transfer;
  codec->colorspace = (enum AVColorSpace)settings->matrix;
  codec->color_range = settings->is_full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  codec->chroma_sample_location = (enum AVChromaLocation)settings->chroma_location;
  codec->bit_rate = settings->bit_rate;
  codec->gop_size = settings->longest_group;
  codec->max_b_frames = 0;
  codec->thread_count = settings->threads;
  codec->thread_type = settings->has_slice_threads ? FF_THREAD_SLICE : FF_THREAD_FRAME;
  codec->profile = settings->profile;
}

static bool open_encoder(cffmpeg_encoder *encoder, const cffmpeg_encoder_settings *settings,
                         cffmpeg_encoder_status *status, char message[CFFMPEG_MESSAGE_BYTES]) {
  encoder->codec = cffmpeg_make_encoder(settings->name, status, message);
  if (encoder->codec == NULL) return false;
  *status = CFFMPEG_ENCODER_NO_MEMORY;
  encoder->packet = ff.av_packet_alloc();
  encoder->frame = ff.av_frame_alloc();
  if (encoder->packet == NULL || encoder->frame == NULL) return false;
  encoder->sent_format = cffmpeg_format_of(settings->layout);
  enum AVPixelFormat stored = ff.av_get_pix_fmt(settings->stored_format);
  if (stored != encoder->sent_format && !start_converting(encoder, stored, settings, status, message)) {
    return false;
  }
  configure(encoder->codec, settings);
  encoder->codec->pix_fmt = stored;
  if (settings->uses_vaapi) {
    *status = CFFMPEG_ENCODER_REFUSED;
    encoder->uploader = cffmpeg_start_uploading(encoder->codec, stored, message);
    if (encoder->uploader == NULL) return false;
  }
  *status = cffmpeg_open_encoder(encoder->codec, settings->options, message);
  if (*status != CFFMPEG_ENCODER_OPENED) return false;
  encoder->is_svt = strcmp(settings->name, "libsvtav1") == 0;
  return true;
}

cffmpeg_encoder *cffmpeg_encoder_open(const cffmpeg_encoder_settings *settings,
                                      cffmpeg_encoder_status *status, char message[CFFMPEG_MESSAGE_BYTES]) {
  *status = CFFMPEG_ENCODER_NO_MEMORY;
  cffmpeg_encoder *encoder = calloc(1, sizeof *encoder);
  if (encoder == NULL) return NULL;
  if (open_encoder(encoder, settings, status, message)) return encoder;
  cffmpeg_encoder_free(encoder);
  return NULL;
}

// SVT-AV1 1.4 waits for ever when it is closed, or told of the end, before its first picture.
static void quiet_svt(cffmpeg_encoder *encoder) {
  AVFrame *blank = encoder->frame;
  if (!encoder->has_pictures) {
    ff.av_frame_unref(blank);
    blank->width = encoder->codec->width;
    blank->height = encoder->codec->height;
    blank->format = encoder->codec->pix_fmt;
    if (ff.av_frame_get_buffer(blank, 0) == 0) {
      for (int i = 0; i < 3; i++) {
        int rows = i == 0 ? blank->height : (blank->height + 1) / 2;
        memset(blank->data[i], 128, (size_t)blank->linesize[i] * (size_t)rows);
      }
      blank->pts = 0;
      encoder->has_pictures = ff.avcodec_send_frame(encoder->codec, blank) == 0;
    }
  }
  cffmpeg_packet packet;
  if (encoder->has_pictures && !encoder->has_ended && cffmpeg_encoder_end(encoder) == 0) {
    while (cffmpeg_encoder_receive(encoder, &packet) > 0) continue;
  }
}

void cffmpeg_encoder_free(cffmpeg_encoder *encoder) {
  if (encoder == NULL) return;
  if (encoder->is_svt) quiet_svt(encoder);
  if (encoder->scaler != NULL) ff.sws_freeContext(encoder->scaler);
  // A context exists only if the libraries do.
  if (encoder->codec != NULL) {
    ff.avcodec_free_context(&encoder->codec);
    ff.av_frame_free(&encoder->converted);
    ff.av_frame_free(&encoder->frame);
    ff.av_packet_free(&encoder->packet);
    cffmpeg_stop_uploading(encoder->uploader);
  }
  free(encoder);
}

const uint8_t *cffmpeg_encoder_header(const cffmpeg_encoder *encoder, size_t *bytes) {
  *bytes = encoder->codec->extradata_size > 0 ? (size_t)encoder->codec->extradata_size : 0;
  return encoder->codec->extradata;
}

// Lets the encoder use the caller's memory for as long as it needs it.
static int wrap(cffmpeg_encoder *encoder, const cffmpeg_picture *picture) {
  AVFrame *frame = encoder->frame;
  frame->width = encoder->codec->width;
  frame->height = encoder->codec->height;
  frame->format = encoder->sent_format;
  uintptr_t first = (uintptr_t)picture->planes[0], last = first;
  for (int i = 0; i < 3 && picture->planes[i] != NULL; i++) {
    frame->data[i] = (uint8_t *)picture->planes[i];
    frame->linesize[i] = picture->row_bytes[i];
    uintptr_t start = (uintptr_t)picture->planes[i];
    uintptr_t end = start + (size_t)picture->row_bytes[i] * (size_t)frame->height;
    first = start < first ? start : first;
    last = end > last ? end : last;
  }
  frame->buf[0] = ff.av_buffer_create((uint8_t *)first, last - first, picture->release, picture->owner,
                                      AV_BUFFER_FLAG_READONLY);
  if (frame->buf[0] != NULL) return 0;
  picture->release(picture->owner, NULL);
  return AVERROR(ENOMEM);
}

static int convert(cffmpeg_encoder *encoder) {
  const AVFrame *from = encoder->frame;
  AVFrame *to = encoder->converted;
  // The encoder may still hold the last picture.
  int failed = ff.av_frame_make_writable(to);
  if (failed < 0) return failed;
  int rows = ff.sws_scale(encoder->scaler, (const uint8_t *const *)from->data, from->linesize, 0,
                          from->height, to->data, to->linesize);
  return rows == from->height ? 0 : AVERROR_EXTERNAL;
}

int cffmpeg_encoder_send(cffmpeg_encoder *encoder, const cffmpeg_picture *picture) {
  int failed = wrap(encoder, picture);
  AVFrame *frame = encoder->frame;
  if (failed == 0 && encoder->scaler != NULL) {
    failed = convert(encoder);
    frame = encoder->converted;
  }
  if (failed == 0 && encoder->uploader != NULL) failed = cffmpeg_upload(encoder->uploader, &frame);
  if (failed == 0) {
    const AVCodecContext *codec = encoder->codec;
    frame->pts = picture->time;
    frame->pict_type = picture->is_key ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
    frame->color_primaries = codec->color_primaries;
    frame->color_trc = codec->color_trc;
    frame->colorspace = codec->colorspace;
    frame->color_range = codec->color_range;
    frame->chroma_location = codec->chroma_sample_location;
    frame->sample_aspect_ratio = codec->sample_aspect_ratio;
    failed = ff.avcodec_send_frame(encoder->codec, frame);
    if (failed == 0) encoder->has_pictures = true;
  }
  ff.av_frame_unref(encoder->frame);
  return failed;
}

int cffmpeg_encoder_end(cffmpeg_encoder *encoder) {
  if (encoder->has_ended || !encoder->has_pictures) return 0;
  encoder->has_ended = true;
  int failed = ff.avcodec_send_frame(encoder->codec, NULL);
  return failed == AVERROR_EOF ? 0 : failed;
}

int cffmpeg_encoder_receive(cffmpeg_encoder *encoder, cffmpeg_packet *packet) {
  return cffmpeg_receive(encoder->codec, encoder->packet, packet);
}
