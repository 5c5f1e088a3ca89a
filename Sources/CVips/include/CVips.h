// libvips behind a few plain functions, opened with dlopen on first use.
//
// Linking libvips costs every process that starts about 30 ms of loading its hundred dependencies, also where
// no picture needs it; opened lazily, only those pay that need it. Its operations take variadic GObject
// properties, which Swift cannot call, so the calls are made here. Functions may be called from any thread;
// one image belongs to one thread at a time.
#ifndef SAFELIGHT_CVIPS_H
#define SAFELIGHT_CVIPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CVIPS_MESSAGE_BYTES = 512 };

// Opens and starts libvips. Returns false, with the reason in `message`, where it is missing or too old.
bool cvips_start(char message[CVIPS_MESSAGE_BYTES]);

// The loaders that are used; picked by the caller, who has seen the file's first bytes. libvips would
// otherwise try all of its loaders, some of which are not hardened against hostile files.
typedef enum {
  CVIPS_LOAD_PNG,
  CVIPS_LOAD_TIFF,
  CVIPS_LOAD_WEBP,
  CVIPS_LOAD_GIF,
  CVIPS_LOAD_HEIF,
  CVIPS_LOAD_JXL,
  CVIPS_LOAD_JP2,
} cvips_loader;

typedef enum { CVIPS_UINT8, CVIPS_UINT16, CVIPS_FLOAT32, CVIPS_OTHER_SAMPLES } cvips_samples;
typedef enum { CVIPS_GRAY, CVIPS_RGB, CVIPS_CMYK, CVIPS_LAB, CVIPS_OTHER_MODEL } cvips_model;

typedef struct {
  int width;
  int height;
  int bands;
  cvips_samples samples;
  cvips_model model;
  // 1…8 as in EXIF; 1 where the loader has turned the picture itself.
  int orientation;
  // Pages of a document or frames of an animation; only the first is read.
  int pages;
  // Of samples of 16 bits, how many from the top on are used, as HEIC and AVIF have 10 or 12; else 16.
  int used_bits;
} cvips_info;

typedef struct cvips_image cvips_image;

// Opens the picture in `descriptor` (which stays the caller's) and reads its header. NULL, with the reason in
// `message`, where that fails. Any damage is an error when its rows are read.
cvips_image *cvips_image_open(int descriptor, cvips_loader loader, char message[CVIPS_MESSAGE_BYTES]);
// The same of a file in memory, which must stay until the image is freed.
cvips_image *cvips_image_open_memory(const void *bytes, size_t length, cvips_loader loader,
                                     char message[CVIPS_MESSAGE_BYTES]);
void cvips_image_free(cvips_image *image);
cvips_info cvips_image_info(const cvips_image *image);
// Converts Lab and other uncommon models to sRGB with 16 bits; the info changes accordingly.
bool cvips_image_convert_to_srgb16(cvips_image *image, char message[CVIPS_MESSAGE_BYTES]);
// A metadata blob by libvips' name ("exif-data", "xmp-data", "iptc-data", "icc-profile-data"), which lives as
// long as the image; NULL where there is none.
const void *cvips_image_blob(const cvips_image *image, const char *name, size_t *length);
// Decodes rows `first`..<`first + count` into `out`, tight. Rows must be asked for from top to bottom.
bool cvips_image_rows(cvips_image *image, int first, int count, void *out, size_t out_bytes,
                      char message[CVIPS_MESSAGE_BYTES]);

typedef enum {
  CVIPS_SAVE_PNG,
  CVIPS_SAVE_TIFF,
  CVIPS_SAVE_WEBP,
  CVIPS_SAVE_JXL,
} cvips_saver;

typedef struct {
  // Tight rows of `bands` (3 or 4) samples of 8 or 16 bits in the machine's byte order.
  const void *pixels;
  size_t pixel_bytes;
  int width;
  int height;
  int bands;
  int bits;
  // WebP, JPEG XL: 0…100, and whether to keep every sample.
  int quality;
  bool lossless;
  // JPEG XL: how much time to take, libvips' `effort`.
  int effort;
  // The profile to embed; NULL where there is none. Of other metadata, libvips would rewrite some and drop
  // some, so the caller adds these to the file.
  const void *icc;
  size_t icc_length;
} cvips_picture;

// Encodes to memory; `*out` is to be freed with `cvips_free`.
bool cvips_save(cvips_saver saver, const cvips_picture *picture, void **out, size_t *out_length,
                char message[CVIPS_MESSAGE_BYTES]);
void cvips_free(void *memory);

#endif
