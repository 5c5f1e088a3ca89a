// libvips behind a few plain functions, opened with dlopen on first use.
//
// Linking libvips would cost every process about 30 ms at its start for loading its hundred dependencies,
// even if no picture needs it; opened lazily, it costs only those that use it. Its operations take variadic
// GObject properties, which Swift cannot call, so the calls are made here. Functions may be called from any
// thread; one image belongs to one thread at a time.
#ifndef SAFELIGHT_CVIPS_H
#define SAFELIGHT_CVIPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CVIPS_MESSAGE_BYTES = 512 };

// Opens and starts libvips. Returns false, with the reason in `message`, if it is missing or too old.
bool cvips_start(char message[CVIPS_MESSAGE_BYTES]);

// The supported loaders; the caller chooses one from the file's first bytes. libvips would otherwise try all
// of its loaders, some of which are not hardened against hostile files.
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
  // 1…8 as in EXIF; 1 if the loader has turned the picture itself.
  int orientation;
  // The number of pages of a document or frames of an animation; only the first is read.
  int pages;
  // The number of bits used of 16-bit samples, counted from the top: 10 or 12 in HEIC and AVIF, otherwise
  // 16.
  int used_bits;
} cvips_info;

typedef struct cvips_image cvips_image;

// Opens the picture in `descriptor`, which belongs to the caller, and reads its header. Returns NULL, with
// the reason in `message`, if that fails. Any damage is an error when its rows are read.
cvips_image *cvips_image_open(int descriptor, cvips_loader loader, char message[CVIPS_MESSAGE_BYTES]);
// The same for a file in memory, which must stay valid until the image is freed.
cvips_image *cvips_image_open_memory(const void *bytes, size_t length, cvips_loader loader,
                                     char message[CVIPS_MESSAGE_BYTES]);
void cvips_image_free(cvips_image *image);
cvips_info cvips_image_info(const cvips_image *image);
// Converts Lab and other uncommon models to 16-bit sRGB; the info changes accordingly.
bool cvips_image_convert_to_srgb16(cvips_image *image, char message[CVIPS_MESSAGE_BYTES]);
// A metadata blob by libvips' name ("exif-data", "xmp-data", "iptc-data", "icc-profile-data"), valid as long
// as the image; NULL if there is none.
const void *cvips_image_blob(const cvips_image *image, const char *name, size_t *length);
// Decodes rows `first`..<`first + count` into `out`, tightly packed. Rows must be requested from top to
// bottom.
bool cvips_image_rows(cvips_image *image, int first, int count, void *out, size_t out_bytes,
                      char message[CVIPS_MESSAGE_BYTES]);

typedef enum {
  CVIPS_SAVE_PNG,
  CVIPS_SAVE_TIFF,
  CVIPS_SAVE_WEBP,
  CVIPS_SAVE_JXL,
} cvips_saver;

typedef struct {
  // Tightly packed rows of `bands` (3 or 4) samples of 8 or 16 bits in the machine's byte order.
  const void *pixels;
  size_t pixel_bytes;
  int width;
  int height;
  int bands;
  int bits;
  // For WebP and JPEG XL: the quality 0…100, and whether compression is lossless.
  int quality;
  bool lossless;
  // For JPEG XL: libvips' `effort`, the time to spend.
  int effort;
  // The profile to embed, or NULL. libvips would rewrite some other metadata and drop some, so the caller
  // adds all of them to the file.
  const void *icc;
  size_t icc_length;
} cvips_picture;

// Encodes to memory; the caller frees `*out` with `cvips_free`.
bool cvips_save(cvips_saver saver, const cvips_picture *picture, void **out, size_t *out_length,
                char message[CVIPS_MESSAGE_BYTES]);
void cvips_free(void *memory);

#endif
