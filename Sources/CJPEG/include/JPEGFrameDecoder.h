// Decodes Motion JPEG frames into planes of luma and colour differences, as they are stored.
//
// libjpeg converts and upsamples only on request; `jpeg_read_raw_data` gives the planes. It needs rows for
// whole blocks, reports errors with longjmp and keeps its state in macros and callbacks, none of which Swift
// can use. One decoder serves any number of frames, on one thread at a time; after the first frame of a kind
// it allocates nothing itself (libjpeg keeps a small pool for each picture).
#ifndef SAFELIGHT_JPEG_FRAME_DECODER_H
#define SAFELIGHT_JPEG_FRAME_DECODER_H

#include <stddef.h>
#include <stdint.h>

#include "CJPEG.h"

// The sampling of a decoded frame's planes. Rarer samplings are widened to the next of these by repeating
// samples: 4:4:0 to 4:4:4, 4:1:1 to 4:2:2, 4:1:0 to 4:2:0.
typedef enum {
  JPEG_FRAME_GRAY,
  JPEG_FRAME_420,
  JPEG_FRAME_422,
  JPEG_FRAME_444,
} jpeg_frame_sampling;

typedef struct {
  uint32_t width;
  uint32_t height;
  jpeg_frame_sampling sampling;
} jpeg_frame_header;

// The memory of a plane. A row must have room for the plane's width rounded up to whole blocks, a multiple
// of 16 bytes.
typedef struct {
  uint8_t *base;
  size_t row_bytes;
  uint32_t rows;
} jpeg_frame_plane;

typedef struct jpeg_frame_decoder jpeg_frame_decoder;

// Returns NULL if memory is short.
jpeg_frame_decoder *jpeg_frame_decoder_new(void);
void jpeg_frame_decoder_free(jpeg_frame_decoder *decoder);
// The error of the last frame, or "".
const char *jpeg_frame_decoder_message(const jpeg_frame_decoder *decoder);

// Reads the header of a frame: a JPEG with or without Huffman tables, as Motion JPEG allows. The data must
// stay valid until the frame is decoded.
cjpeg_status jpeg_frame_decoder_begin(jpeg_frame_decoder *decoder, const uint8_t *data, size_t length,
                                      jpeg_frame_header *header);
// Decodes the frame into `count` planes (1 for grey, otherwise 3). Rows that a plane has no room for are
// dropped, so a frame can be cropped at the bottom. Any damage beyond stray bytes between markers is an
// error.
cjpeg_status jpeg_frame_decoder_finish(jpeg_frame_decoder *decoder, const jpeg_frame_plane *planes,
                                       int count);

// The length of the segment below.
enum { JPEG_STANDARD_TABLES_BYTES = 420 };
// Writes a DHT segment with the four standard Huffman tables, marker included, for files: unlike Motion
// JPEG's frames, they must not leave them out.
void jpeg_write_standard_tables(uint8_t *segment);

#endif
