// For setenv, which strict C11 hides.
#define _POSIX_C_SOURCE 200809L

#include "Packets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t little_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

cffmpeg_packet cffmpeg_describe_packet(const AVPacket *packet) {
  cffmpeg_packet described = {.bytes = packet->data,
                              .count = (size_t)(packet->size > 0 ? packet->size : 0),
                              .presentation = packet->pts == AV_NOPTS_VALUE ? INT64_MIN : packet->pts,
                              .decode = packet->dts == AV_NOPTS_VALUE ? INT64_MIN : packet->dts,
                              .duration = packet->duration > 0 ? packet->duration : 0,
                              .is_key = (packet->flags & AV_PKT_FLAG_KEY) != 0};
  for (int i = 0; i < packet->side_data_elems; i++) {
    const AVPacketSideData *data = &packet->side_data[i];
    if (data->type != AV_PKT_DATA_SKIP_SAMPLES || data->size < 8) continue;
    described.skip_start = little_endian(data->data);
    described.skip_end = little_endian(data->data + 4);
  }
  return described;
}

AVCodecContext *cffmpeg_make_encoder(const char *name, cffmpeg_encoder_status *status,
                                     char message[CFFMPEG_MESSAGE_BYTES]) {
  *status = CFFMPEG_ENCODER_NO_LIBRARY;
  if (!cffmpeg_start_encoding(message)) return NULL;
  *status = CFFMPEG_ENCODER_MISSING;
  const AVCodec *encoder = ff.avcodec_find_encoder_by_name(name);
  if (encoder == NULL) return NULL;
  // SVT-AV1 writes a page about itself to the terminal, which only this prevents.
  if (strcmp(name, "libsvtav1") == 0) setenv("SVT_LOG", "0", 0);
  *status = CFFMPEG_ENCODER_NO_MEMORY;
  AVCodecContext *codec = ff.avcodec_alloc_context3(encoder);
  if (codec != NULL) codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  return codec;
}

cffmpeg_encoder_status cffmpeg_open_encoder(AVCodecContext *codec, const char *options,
                                            char message[CFFMPEG_MESSAGE_BYTES]) {
  AVDictionary *dictionary = NULL;
  int failed = ff.av_dict_parse_string(&dictionary, options, "=", "\n", 0);
  if (failed >= 0) failed = ff.avcodec_open2(codec, codec->codec, &dictionary);
  cffmpeg_encoder_status status = CFFMPEG_ENCODER_OPENED;
  const AVDictionaryEntry *left = ff.av_dict_get(dictionary, "", NULL, AV_DICT_IGNORE_SUFFIX);
  if (failed < 0) {
    status = failed == AVERROR(ENOMEM) ? CFFMPEG_ENCODER_NO_MEMORY : CFFMPEG_ENCODER_REFUSED;
    cffmpeg_error_text(failed, message);
  } else if (left != NULL) {
    // An encoder without an option would do something else than was asked.
    status = CFFMPEG_ENCODER_REFUSED;
    snprintf(message, CFFMPEG_MESSAGE_BYTES, "it has no option %s", left->key);
  }
  ff.av_dict_free(&dictionary);
  return status;
}

int cffmpeg_receive(AVCodecContext *codec, AVPacket *packet, cffmpeg_packet *described) {
  ff.av_packet_unref(packet);
  int got = ff.avcodec_receive_packet(codec, packet);
  if (got == AVERROR(EAGAIN) || got == AVERROR_EOF) return 0;
  if (got < 0) return got;
  *described = cffmpeg_describe_packet(packet);
  return 1;
}

bool cffmpeg_has_encoder(const char *name) { return ff.avcodec_find_encoder_by_name(name) != NULL; }

int cffmpeg_codec_version(void) { return LIBAVCODEC_VERSION_MAJOR; }

void cffmpeg_error_text(int error, char message[CFFMPEG_MESSAGE_BYTES]) {
  if (ff.av_strerror == NULL || ff.av_strerror(error, message, CFFMPEG_MESSAGE_BYTES) < 0) {
    snprintf(message, CFFMPEG_MESSAGE_BYTES, "error %d", error);
  }
}
