// libheif's encoders behind a few plain functions, opened with dlopen on first use.
//
// libvips also writes HEIC and AVIF, but tells x265 neither how fast to be nor how many threads to take. Who
// writes neither format pays nothing for the library and need not have it. Functions may be called from any
// thread; one encoder belongs to one thread at a time.
#ifndef SAFELIGHT_CHEIF_H
#define SAFELIGHT_CHEIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHEIF_MESSAGE_BYTES = 256 };

// Opens and starts libheif. Returns false, with the reason in `message`, where it is missing or too old.
bool cheif_start(char message[CHEIF_MESSAGE_BYTES]);

typedef enum { CHEIF_HEVC, CHEIF_AV1 } cheif_codec;

typedef struct {
  cheif_codec codec;
  int width;
  int height;
  bool has_alpha;
  // Of a sample: 8, 10 or 12.
  int bits;
  // 0…100, libheif's scale for the codec.
  int quality;
  // Whether every pixel has its own colour; else two by two share one.
  bool is_full_chroma;
  // At least 1. A HEVC file does not depend on it; an AV1 file does.
  int threads;
  // The profile to embed. Without one the samples are declared to be sRGB.
  const void *icc;
  size_t icc_length;
} cheif_settings;

typedef struct cheif_encoder cheif_encoder;

// Finds the encoder and allocates the picture. NULL, with the reason in `message`, where that fails.
cheif_encoder *cheif_encoder_new(const cheif_settings *settings, char message[CHEIF_MESSAGE_BYTES]);
void cheif_encoder_free(cheif_encoder *encoder);

// Where row `y` belongs: tight R G B or R G B A, samples of 8 bits, or of 16 of which the lower ones are
// used.
void *cheif_encoder_row(cheif_encoder *encoder, int y);

// Encodes the picture, once. `*out` lives as long as the encoder.
bool cheif_encoder_finish(cheif_encoder *encoder, const void **out, size_t *out_length,
                          char message[CHEIF_MESSAGE_BYTES]);

#endif
