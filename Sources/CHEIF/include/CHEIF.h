// libheif's encoders behind a few plain functions, opened with dlopen on first use.
//
// libvips also writes HEIC and AVIF, but does not tell x265 how fast to be or how many threads to use.
// Programs that write neither format do not load the library and need not have it. Functions may be called
// from any thread; one encoder belongs to one thread at a time.
#ifndef SAFELIGHT_CHEIF_H
#define SAFELIGHT_CHEIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHEIF_MESSAGE_BYTES = 256 };

// Opens and starts libheif. Returns false, with the reason in `message`, if it is missing or too old.
bool cheif_start(char message[CHEIF_MESSAGE_BYTES]);

typedef enum { CHEIF_HEVC, CHEIF_AV1 } cheif_codec;

typedef struct {
  cheif_codec codec;
  int width;
  int height;
  bool has_alpha;
  // Bits per sample: 8, 10 or 12.
  int bits;
  // 0…100 on libheif's scale for the codec.
  int quality;
  // Whether every pixel has its own colour (4:4:4); otherwise blocks of two by two share one (4:2:0).
  bool is_full_chroma;
  // At least 1. An HEVC file does not depend on it; an AV1 file does.
  int threads;
  // The profile to embed. Without one the samples are declared to be sRGB.
  const void *icc;
  size_t icc_length;
} cheif_settings;

typedef struct cheif_encoder cheif_encoder;

// Finds the encoder and allocates the picture. Returns NULL, with the reason in `message`, if that fails.
cheif_encoder *cheif_encoder_new(const cheif_settings *settings, char message[CHEIF_MESSAGE_BYTES]);
void cheif_encoder_free(cheif_encoder *encoder);

// Returns the memory of row `y`: tightly packed R G B or R G B A, samples of 8 bits, or of 16 bits of which
// the lower ones are used.
void *cheif_encoder_row(cheif_encoder *encoder, int y);

// Encodes the picture; call once. `*out` lives as long as the encoder.
bool cheif_encoder_finish(cheif_encoder *encoder, const void **out, size_t *out_length,
                          char message[CHEIF_MESSAGE_BYTES]);

#endif
