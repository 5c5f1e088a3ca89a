// What reading and encoding share.
#ifndef SAFELIGHT_CFFMPEG_TYPES_H
#define SAFELIGHT_CFFMPEG_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CFFMPEG_MESSAGE_BYTES = 256 };

typedef enum {
  CFFMPEG_OPENED,
  CFFMPEG_NO_LIBRARY,
  CFFMPEG_NO_MEMORY,
  // No demuxer knows the data, or they are damaged before the first frame.
  CFFMPEG_NOT_MEDIA,
  CFFMPEG_NO_VIDEO,
  // `message` names the codec.
  CFFMPEG_NO_DECODER,
  // There is video, but none of it can be decoded.
  CFFMPEG_NO_FRAME,
} cffmpeg_status;

typedef enum {
  CFFMPEG_ENCODER_OPENED,
  CFFMPEG_ENCODER_NO_LIBRARY,
  CFFMPEG_ENCODER_NO_MEMORY,
  // This libavcodec was built without it.
  CFFMPEG_ENCODER_MISSING,
  // It is there, but it or its device refuses; `message` says why.
  CFFMPEG_ENCODER_REFUSED,
} cffmpeg_encoder_status;

// The layout in which decoded samples are delivered. Samples in any other layout are converted.
typedef enum {
  CFFMPEG_I420,
  CFFMPEG_I422,
  CFFMPEG_I444,
  CFFMPEG_NV12,
  CFFMPEG_NV21,
  CFFMPEG_NV16,
  CFFMPEG_YUYV422,
  CFFMPEG_UYVY422,
  CFFMPEG_GRAY8,
  CFFMPEG_RGBA8,
} cffmpeg_layout;

// A compressed picture or block of sound. Times are in the ticks of its stream; INT64_MIN if unknown.
typedef struct {
  const uint8_t *bytes;
  size_t count;
  int64_t presentation;
  int64_t decode;
  int64_t duration;
  bool is_key;
  // Samples that players must leave out at its start and at its end.
  uint32_t skip_start;
  uint32_t skip_end;
} cffmpeg_packet;

#endif
