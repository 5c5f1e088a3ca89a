// libv4lconvert behind a few plain functions, opened with dlopen on first use: pictures in formats that only
// some cameras have become planar 4:2:0 or RGB.
//
// Programs whose cameras deliver common formats do not load the library and need not have it. The library
// trusts the sizes that it is told, reads beyond short frames and knows gaps between rows in few formats. So
// it only sees memory of the converter: a copy of the frame without gaps and with zeros after it, and room
// for a picture of three bytes a pixel.
#ifndef SAFELIGHT_CV4L2_CONVERSION_H
#define SAFELIGHT_CV4L2_CONVERSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { cv4l2_message_bytes = 256 };

// Opens the library. Returns false, with the reason in `message`, if it is missing.
bool cv4l2_conversion_start(char message[cv4l2_message_bytes]);

typedef struct {
  uint32_t width, height;
  // The driver's format, as V4L2_PIX_FMT_….
  uint32_t pixel_format;
  // The rows of a frame, their bytes, and the bytes from one to the next. Compressed frames have no rows, and
  // their row has the bytes of one of samples.
  uint32_t rows, row_bytes, row_stride;
  uint32_t colorspace, ycbcr_encoding, quantization;
  // Whether the result is R G B; otherwise it is planes of Y, Cb and Cr, the latter with half the rows and
  // columns.
  bool to_rgb;
} cv4l2_conversion;

typedef struct cv4l2_converter cv4l2_converter;

typedef enum {
  CV4L2_CONVERTED,
  // The frame is damaged or incomplete.
  CV4L2_DAMAGED,
  // The library does not know the format.
  CV4L2_UNKNOWN_FORMAT,
  CV4L2_OUT_OF_MEMORY,
} cv4l2_conversion_status;

// A converter belongs to one thread at a time. `device` is the camera's descriptor, from which the library
// learns whether pictures are to be turned or balanced; it must stay open, and is -1 for
// pictures that are not a camera's. Returns NULL, with the reason in `message`, without memory or if a size
// is odd, or less than 16 or more than 16384 pixels.
cv4l2_converter *cv4l2_converter_new(int device, const cv4l2_conversion *conversion,
                                     char message[cv4l2_message_bytes]);
void cv4l2_converter_free(cv4l2_converter *converter);

// Converts a frame of `length` bytes, which is only read. `*out` is then the picture, with rows one after the
// other without gaps; it is the converter's and lives until the next call. Otherwise `message` says why.
cv4l2_conversion_status cv4l2_converter_convert(cv4l2_converter *converter, const void *frame, size_t length,
                                                const uint8_t **out, char message[cv4l2_message_bytes]);

#endif
