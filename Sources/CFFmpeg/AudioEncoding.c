#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "Channels.h"
#include "Packets.h"

struct cffmpeg_sound_encoder {
  AVCodecContext *codec;
  AVPacket *packet;
  AVFrame *frame;
};

static enum AVSampleFormat stored_format(const cffmpeg_sound_settings *settings, const AVCodec *codec) {
  if (settings->bits == 16) return AV_SAMPLE_FMT_S16;
  if (settings->bits == 24) return AV_SAMPLE_FMT_S32;
  // Encoders that lose something take float, most of them by channel.
  const enum AVSampleFormat *format = codec->sample_fmts;
  for (; format != NULL && *format != AV_SAMPLE_FMT_NONE; format++) {
    if (*format == AV_SAMPLE_FMT_FLT) return *format;
  }
  return AV_SAMPLE_FMT_FLTP;
}

static bool open_encoder(cffmpeg_sound_encoder *encoder, const cffmpeg_sound_settings *settings,
                         cffmpeg_encoder_status *status, char message[CFFMPEG_MESSAGE_BYTES]) {
  AVCodecContext *codec = encoder->codec = cffmpeg_make_encoder(settings->name, status, message);
  if (codec == NULL) return false;
  *status = CFFMPEG_ENCODER_NO_MEMORY;
  encoder->packet = ff.av_packet_alloc();
  encoder->frame = ff.av_frame_alloc();
  if (encoder->packet == NULL || encoder->frame == NULL) return false;
  codec->sample_rate = settings->sample_rate;
  codec->time_base = (AVRational){1, settings->sample_rate};
  codec->bit_rate = settings->bit_rate;
  codec->sample_fmt = stored_format(settings, codec->codec);
  codec->bits_per_raw_sample = settings->bits;
  SET_CHANNELS(codec, settings->channels);
  *status = cffmpeg_open_encoder(codec, settings->options, message);
  return *status == CFFMPEG_ENCODER_OPENED;
}

cffmpeg_sound_encoder *cffmpeg_sound_open(const cffmpeg_sound_settings *settings,
                                          cffmpeg_encoder_status *status,
                                          char message[CFFMPEG_MESSAGE_BYTES]) {
  *status = CFFMPEG_ENCODER_NO_MEMORY;
  cffmpeg_sound_encoder *encoder = calloc(1, sizeof *encoder);
  if (encoder == NULL) return NULL;
  if (open_encoder(encoder, settings, status, message)) return encoder;
  cffmpeg_sound_free(encoder);
  return NULL;
}

void cffmpeg_sound_free(cffmpeg_sound_encoder *encoder) {
  if (encoder == NULL) return;
  // A context exists only if the libraries do.
  if (encoder->codec != NULL) {
    ff.avcodec_free_context(&encoder->codec);
    ff.av_frame_free(&encoder->frame);
    ff.av_packet_free(&encoder->packet);
  }
  free(encoder);
}

const uint8_t *cffmpeg_sound_header(const cffmpeg_sound_encoder *encoder, size_t *bytes) {
  *bytes = encoder->codec->extradata_size > 0 ? (size_t)encoder->codec->extradata_size : 0;
  return encoder->codec->extradata;
}

int cffmpeg_sound_block(const cffmpeg_sound_encoder *encoder) { return encoder->codec->frame_size; }

int cffmpeg_sound_priming(const cffmpeg_sound_encoder *encoder) { return encoder->codec->initial_padding; }

// Rounds to an integer of `bits` bits; what is beyond full scale is clipped, and what is no number is
// silence.
static int32_t integer(float sample, int bits) {
  float scale = (float)(1 << (bits - 1));
  float scaled = sample * scale;
  if (!(scaled > -scale)) return isnan(sample) ? 0 : -(1 << (bits - 1));
  if (scaled >= scale - 1) return (1 << (bits - 1)) - 1;
  return (int32_t)lrintf(scaled);
}

static void store(AVFrame *frame, const float *samples, int channels) {
  int count = frame->nb_samples;
  size_t total = (size_t)count * (size_t)channels;
  if (frame->format == AV_SAMPLE_FMT_S16) {
    int16_t *out = (int16_t *)(void *)frame->data[0];
    for (size_t i = 0; i < total; i++) out[i] = (int16_t)integer(samples[i], 16);
  } else if (frame->format == AV_SAMPLE_FMT_S32) {
    // 24 bits in the upper part of 32.
    int32_t *out = (int32_t *)(void *)frame->data[0];
    for (size_t i = 0; i < total; i++) out[i] = integer(samples[i], 24) * 256;
  } else if (frame->format == AV_SAMPLE_FMT_FLT) {
    memcpy(frame->data[0], samples, total * sizeof(float));
  } else {
    for (int c = 0; c < channels; c++) {
      float *out = (float *)(void *)frame->extended_data[c];
      for (int i = 0; i < count; i++) out[i] = samples[(size_t)i * (size_t)channels + (size_t)c];
    }
  }
}

int cffmpeg_sound_send(cffmpeg_sound_encoder *encoder, const float *samples, int count, int64_t time) {
  const AVCodecContext *codec = encoder->codec;
  AVFrame *frame = encoder->frame;
  frame->nb_samples = count;
  frame->format = codec->sample_fmt;
  frame->sample_rate = codec->sample_rate;
  SET_CHANNELS(frame, CHANNELS_OF(codec));
  int failed = ff.av_frame_get_buffer(frame, 0);
  if (failed == 0) {
    store(frame, samples, CHANNELS_OF(codec));
    frame->pts = time;
    failed = ff.avcodec_send_frame(encoder->codec, frame);
  }
  ff.av_frame_unref(frame);
  return failed;
}

int cffmpeg_sound_end(cffmpeg_sound_encoder *encoder) {
  int failed = ff.avcodec_send_frame(encoder->codec, NULL);
  return failed == AVERROR_EOF ? 0 : failed;
}

int cffmpeg_sound_receive(cffmpeg_sound_encoder *encoder, cffmpeg_packet *packet) {
  return cffmpeg_receive(encoder->codec, encoder->packet, packet);
}
