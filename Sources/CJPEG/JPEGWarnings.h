// What libjpeg's warnings mean, for both decoders.
#ifndef SAFELIGHT_JPEG_WARNINGS_H
#define SAFELIGHT_JPEG_WARNINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
// After stdio.h and stddef.h, which they take for granted.
#include <jerror.h>
#include <jpeglib.h>

typedef enum {
  // Usual with webcams and old cameras.
  JPEG_WARNING_HARMLESS,
  // The source ran dry and libjpeg made up an end marker. Many webcams leave it out; whether data are missing
  // shows when the decoder wants some.
  JPEG_WARNING_SOURCE_ENDED,
  // Bits of the very last blocks are missing: a few sloppy encoders drop them.
  JPEG_WARNING_LAST_BLOCKS,
  // Entropy-coded data are missing where the picture's end marker (real or made up) already stands.
  JPEG_WARNING_ENDS_EARLY,
  // Anything else.
  JPEG_WARNING_DAMAGE,
} jpeg_warning;

// - `source_ended`: JPEG_WARNING_SOURCE_ENDED came before.
static inline jpeg_warning jpeg_warning_of(const struct jpeg_decompress_struct *jpeg, bool source_ended) {
  switch (jpeg->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR:
      return JPEG_WARNING_HARMLESS;
    case JWRN_JPEG_EOF:
      return JPEG_WARNING_SOURCE_ENDED;
    case JWRN_HIT_MARKER: {
      if (jpeg->unread_marker != JPEG_EOI) return JPEG_WARNING_DAMAGE;
      bool is_last_row = jpeg->input_iMCU_row + 1 >= jpeg->total_iMCU_rows;
      return is_last_row && !source_ended ? JPEG_WARNING_LAST_BLOCKS : JPEG_WARNING_ENDS_EARLY;
    }
    default:
      return JPEG_WARNING_DAMAGE;
  }
}

#endif
