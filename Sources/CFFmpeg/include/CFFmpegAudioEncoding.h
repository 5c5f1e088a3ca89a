// FFmpeg's audio encoders. Sound is 32-bit float, interleaved. One encoder belongs to one thread at a time.
#ifndef SAFELIGHT_CFFMPEG_AUDIO_ENCODING_H
#define SAFELIGHT_CFFMPEG_AUDIO_ENCODING_H

#include "CFFmpegTypes.h"

typedef struct {
  const char *name;
  const char *options;
  int sample_rate;
  int channels;
  // Bits per second; 0 for lossless codecs.
  int64_t bit_rate;
  // Bits per sample of lossless codecs, 16 or 24; 0 otherwise.
  int bits;
} cffmpeg_sound_settings;

typedef struct cffmpeg_sound_encoder cffmpeg_sound_encoder;

cffmpeg_sound_encoder *cffmpeg_sound_open(const cffmpeg_sound_settings *settings,
                                          cffmpeg_encoder_status *status,
                                          char message[CFFMPEG_MESSAGE_BYTES]);
void cffmpeg_sound_free(cffmpeg_sound_encoder *encoder);
const uint8_t *cffmpeg_sound_header(const cffmpeg_sound_encoder *encoder, size_t *bytes);
// Samples per channel in a block; all but the last must have this many.
int cffmpeg_sound_block(const cffmpeg_sound_encoder *encoder);
// Samples that the encoder adds at the start.
int cffmpeg_sound_priming(const cffmpeg_sound_encoder *encoder);

// Sends a block of `count` samples per channel, the first of them at `time`, in samples. Returns 0 or
// FFmpeg's negative error.
int cffmpeg_sound_send(cffmpeg_sound_encoder *encoder, const float *samples, int count, int64_t time);
// Tells that no more blocks come.
int cffmpeg_sound_end(cffmpeg_sound_encoder *encoder);
// Like `cffmpeg_encoder_receive`.
int cffmpeg_sound_receive(cffmpeg_sound_encoder *encoder, cffmpeg_packet *packet);

#endif
