// Baked 3D tables with results of 8 bit. Part of `PixelKernels.h`, whose conventions hold.
#ifndef SAFELIGHT_BAKED_TABLES_H
#define SAFELIGHT_BAKED_TABLES_H

#include "PixelFormats.h"

#ifdef __cplusplus
extern "C" {
#endif

// Tetrahedral interpolation. The position of a sample x (0…1) on an axis is
// min(x·steep, x·gentle + offset) node units: a knee that spends more nodes near black; steep == gentle and
// offset == 0 is a uniform grid. A node is int16 R, G, B, 0 at SL_NODE_UNIT a unit, values -2…2, red fastest.
#define SL_NODE_UNIT 8160
typedef struct {
  const int16_t *nodes;
  int32_t size;  // nodes an edge, 2…129
  float steep, gentle, offset;
  // What sl_prepare_lut wrote, or NULL: then nodes are read one by one, which takes about twice the time and
  // gives the same colours.
  const void *prepared;
  // What sl_compact_lut wrote, or NULL. Interleaved pixels of 8 bit are looked up in it, not in `prepared`,
  // and in the nodes where a cell is too steep for it.
  const void *compact;
} sl_baked_lut;

// Bytes that a table of `size` nodes an edge takes when it is laid out for speed; 0 where it is too large to
// gain by it. 6.3 MB for 33.
size_t sl_prepared_lut_bytes(int32_t size);

// Lays a table out for speed in memory of so many bytes, aligned to 64: for each cell, the differences
// between its corners. The nodes are not read again.
void sl_prepare_lut(const sl_baked_lut *lut, void *memory);

// Bytes that a table of `size` nodes an edge takes when it is laid out in compact cells; 0 where it is too
// large to gain by it. 1 MB for 33.
size_t sl_compact_lut_bytes(int32_t size);

// Lays a table out for pixels of 8 bit in memory of so many bytes, aligned to 64: for each cell, its corners
// as bytes. Returns 0, and the memory is not to be used, where the grid is not uniform or the table is too
// steep in too many places. What corners are rounded by moves colours by at most 1/64 of a level for every 8
// levels, or part of them, that the corners of a cell are apart, and by at most 1/10.
int sl_compact_lut(const sl_baked_lut *lut, void *memory);

// RGBA8 or RGBA16 (src_type) → RGBA8; alpha is kept. `dst` may be `src` where that is RGBA8.
void sl_apply_baked_lut(const sl_baked_lut *lut, const void *src, sl_sample src_type, uint8_t *dst, size_t n);

// The same for planar samples of 16 bit; alpha is full scale.
void sl_apply_baked_lut_planar(const sl_baked_lut *lut, const uint16_t *r, const uint16_t *g,
                               const uint16_t *b, uint8_t *dst, size_t n);

#ifdef __cplusplus
}
#endif

#endif
