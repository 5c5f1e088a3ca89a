// Baked 3D tables with 8-bit and 16-bit results. Part of `PixelKernels.h`, whose conventions apply.
#ifndef SAFELIGHT_BAKED_TABLES_H
#define SAFELIGHT_BAKED_TABLES_H

#include "CameraPlanes.h"
#include "PixelFormats.h"

#ifdef __cplusplus
extern "C" {
#endif

// Tetrahedral interpolation. The position of a sample x (0…1) on an axis is min(x·steep, x·gentle + offset)
// in node units: a knee that puts more nodes near black; steep == gentle and offset == 0 is a uniform grid. A
// node is int16 R, G, B, 0 at SL_NODE_UNIT per unit, values -2…2, red fastest.
#define SL_NODE_UNIT 8160
typedef struct {
  const int16_t *nodes;
  int32_t size;  // nodes per edge, 2…129
  float steep, gentle, offset;
  // The output of sl_prepare_lut, or NULL: then nodes are read one by one, which takes about twice as long
  // and gives the same colours.
  const void *prepared;
  // The output of sl_compact_lut, or NULL. Interleaved 8-bit pixels are looked up in it instead of
  // `prepared`, and in the nodes if a cell is too steep for it.
  const void *compact;
} sl_baked_lut;

// The bytes of a table with `size` nodes per edge when laid out for speed; 0 if it is too large to gain by
// it. 6.3 MB for 33.
size_t sl_prepared_lut_bytes(int32_t size);

// Lays a table out for speed in that many bytes of memory, aligned to 64: for each cell, the differences
// between its corners. The nodes are not read again.
void sl_prepare_lut(const sl_baked_lut *lut, void *memory);

// The bytes of a table with `size` nodes per edge when laid out in compact cells; 0 if it is too large to
// gain by it. 1 MB for 33.
size_t sl_compact_lut_bytes(int32_t size);

// Lays a table out for 8-bit pixels in that many bytes of memory, aligned to 64: for each cell, its corners
// as bytes. Returns 0, and the memory must not be used, if the grid is not uniform or if the table is too
// steep in too many places. Rounding the corners moves colours by at most 1/64 of a level for every 8 levels,
// or part of them, between the corners of a cell, and by at most 1/10.
int sl_compact_lut(const sl_baked_lut *lut, void *memory);

// RGBA8 or RGBA16 (src_type) → RGBA8; alpha is kept. `dst` may be `src` if that is RGBA8.
void sl_apply_baked_lut(const sl_baked_lut *lut, const void *src, sl_sample src_type, uint8_t *dst, size_t n);

// The same for planar 16-bit samples; alpha is full scale.
void sl_apply_baked_lut_planar(const sl_baked_lut *lut, const uint16_t *r, const uint16_t *g,
                               const uint16_t *b, uint8_t *dst, size_t n);

// The same for planes of luma and colour differences at 64 per level, which the matrix takes to R'G'B',
// clipped and unrounded. Grey: pass luma for all three.
void sl_apply_baked_lut_camera(const sl_baked_lut *lut, const sl_ycbcr_matrix *matrix, const int16_t *y,
                               const int16_t *cb, const int16_t *cr, uint8_t *dst, size_t n);

// The same three with RGBA16 as their result, for what amplifies small differences: rounded to SL_NODE_UNIT,
// 32 codes a level. The compact layout is not used.
void sl_apply_baked_lut_16(const sl_baked_lut *lut, const void *src, sl_sample src_type, uint16_t *dst,
                           size_t n);
void sl_apply_baked_lut_planar_16(const sl_baked_lut *lut, const uint16_t *r, const uint16_t *g,
                                  const uint16_t *b, uint16_t *dst, size_t n);
void sl_apply_baked_lut_camera_16(const sl_baked_lut *lut, const sl_ycbcr_matrix *matrix, const int16_t *y,
                                  const int16_t *cb, const int16_t *cr, uint16_t *dst, size_t n);

#ifdef __cplusplus
}
#endif

#endif
