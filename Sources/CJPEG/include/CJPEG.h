// Wraps libjpeg(-turbo) in functions that never jump across a Swift frame.
//
// libjpeg reports errors with longjmp, which must not pass through Swift code, and its structures are full of
// macros and callbacks that Swift cannot import. Each function here sets its own jump target and returns a
// status instead. A reader or writer belongs to one thread at a time.
#ifndef SAFELIGHT_CJPEG_H
#define SAFELIGHT_CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The result of a call; the message of `*_message` belongs to every status but `CJPEG_OK`.
typedef enum {
  CJPEG_OK = 0,
  // The data end before the picture does.
  CJPEG_TRUNCATED,
  // libjpeg cannot interpret the data.
  CJPEG_DAMAGED,
  // A kind of JPEG that this libjpeg does not decode (12 bits, lossless, …).
  CJPEG_UNSUPPORTED,
  CJPEG_OUT_OF_MEMORY,
  // Writing to the descriptor failed; see `cjpeg_writer_errno`.
  CJPEG_WRITE_FAILED,
} cjpeg_status;

// The colour meaning of a JPEG's samples, as libjpeg interpreted its markers.
typedef enum { CJPEG_GRAY, CJPEG_RGB, CJPEG_CMYK, CJPEG_OTHER } cjpeg_model;

typedef struct {
  uint32_t width;
  uint32_t height;
  int components;
  cjpeg_model model;
  // An Adobe marker is present; its CMYK is stored inverted (255 is no ink).
  bool adobe;
  // The bytes that decoding keeps for the whole picture: the coefficients of files with several scans,
  // progressive or not; 0 for others.
  size_t coefficient_bytes;
} cjpeg_header;

// One APPn marker: `code` is 0xE0…0xEF, `data` the payload after the length.
typedef struct {
  int code;
  const uint8_t *data;
  size_t length;
} cjpeg_marker;

typedef struct cjpeg_reader cjpeg_reader;

// Creates a reader over `data`, which must outlive it. Returns NULL if memory is exhausted.
cjpeg_reader *cjpeg_reader_new(const uint8_t *data, size_t length);
void cjpeg_reader_free(cjpeg_reader *reader);
// The last error's text, or "".
const char *cjpeg_reader_message(const cjpeg_reader *reader);

// Adds `count` bytes that follow the data in memory, for a reader that was made with the beginning of a file.
// Call only between header and start.
void cjpeg_reader_extend(cjpeg_reader *reader, size_t count);

// Reads up to the first scan and keeps the markers APP1, APP2 and APP13.
cjpeg_status cjpeg_reader_header(cjpeg_reader *reader, cjpeg_header *header);
size_t cjpeg_reader_marker_count(const cjpeg_reader *reader);
cjpeg_marker cjpeg_reader_marker(const cjpeg_reader *reader, size_t index);

// Reduces the picture by `divisor` (1, 2, 4 or 8) during decoding by omitting high frequencies, which saves
// most of the work except entropy decoding. Call only between header and start. `width` and `height` become
// ceil(width / divisor) and ceil(height / divisor).
cjpeg_status cjpeg_reader_shrink(cjpeg_reader *reader, uint32_t divisor, uint32_t *width, uint32_t *height);
// Begins decoding to four bytes per pixel: R G B 255, or C M Y K as stored.
cjpeg_status cjpeg_reader_start(cjpeg_reader *reader);
// Decodes the next `count` rows, the first to `base`, each `row_bytes` after the previous one.
cjpeg_status cjpeg_reader_rows(cjpeg_reader *reader, uint8_t *base, size_t row_bytes, uint32_t count);
// Reads to the end of the picture. Data missing at the end are detected here at the latest.
cjpeg_status cjpeg_reader_finish(cjpeg_reader *reader);
// The number of decoding errors that were concealed (not counting stray bytes between markers), and the first
// one's text.
int cjpeg_reader_damage_count(const cjpeg_reader *reader);
const char *cjpeg_reader_damage(const cjpeg_reader *reader);

typedef struct cjpeg_writer cjpeg_writer;

// Creates a writer of baseline JFIF to `descriptor`, which it does not close. Returns NULL if memory is
// exhausted.
cjpeg_writer *cjpeg_writer_new(int descriptor);
// Creates a writer that keeps the last picture in memory and reuses that memory for the next.
cjpeg_writer *cjpeg_writer_new_in_memory(void);
// The last finished picture, valid until the next is started; `length` is 0 if there is none.
const uint8_t *cjpeg_writer_bytes(const cjpeg_writer *writer, size_t *length);
void cjpeg_writer_free(cjpeg_writer *writer);
const char *cjpeg_writer_message(const cjpeg_writer *writer);
// The error of the last picture started, for callers that missed it.
cjpeg_status cjpeg_writer_status(const cjpeg_writer *writer);
// errno of the write that failed, or 0.
int cjpeg_writer_errno(const cjpeg_writer *writer);

// Begins a picture of R G B x rows. `quality` is libjpeg's 1…100; `chroma_step` is 1 (4:4:4) or 2 (4:2:0).
// Every `strip_rows` rows, a multiple of 8 · chroma_step, a restart marker (T.81, B.2.1) makes the data
// behind it independent of those before; 0: no markers.
cjpeg_status cjpeg_writer_start(cjpeg_writer *writer, uint32_t width, uint32_t height, int quality,
                                int chroma_step, uint32_t strip_rows);
// Adds a marker; only between start and the first row. `length` is at most 65533.
cjpeg_status cjpeg_writer_marker(cjpeg_writer *writer, int code, const uint8_t *data, size_t length);
cjpeg_status cjpeg_writer_rows(cjpeg_writer *writer, const uint8_t *base, size_t row_bytes, uint32_t count);
cjpeg_status cjpeg_writer_finish(cjpeg_writer *writer);

// Strips of one picture can be encoded by several writers at the same time, and joined into the same bytes
// that one writer makes of the whole picture. Each strip is started in memory as a separate picture with the
// width and settings of the whole, `strip_rows` high (the last one may be lower); then call
// `cjpeg_writer_strip` for its first rows instead of `cjpeg_writer_rows`, and `cjpeg_writer_finish`.
cjpeg_status cjpeg_writer_strip(cjpeg_writer *writer, const uint8_t *base, size_t row_bytes, uint32_t count);
// Appends the next finished strip to the whole picture, instead of rows.
cjpeg_status cjpeg_writer_append_strip(cjpeg_writer *writer, const cjpeg_writer *strip);

#include "JPEGFrameDecoder.h"

#endif
