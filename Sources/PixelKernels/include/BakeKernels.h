// Kernels for pairs of baked tables and for baking: values at nodes, float interpolation, colour differences,
// and the bends of a table. Part of `PixelKernels.h`, whose conventions apply.
#ifndef SAFELIGHT_BAKE_KERNELS_H
#define SAFELIGHT_BAKE_KERNELS_H

#include "BakedTables.h"

#ifdef __cplusplus
extern "C" {
#endif

// Two tables in sequence: `second` reads the unrounded output of `first` and continues outside 0…1 by
// slope_outside · (x - x clipped), slope_outside being 0…1. Otherwise as sl_apply_baked_lut and its planar
// form.
void sl_apply_baked_pair(const sl_baked_lut *first, const sl_baked_lut *second, float slope_outside,
                         const void *src, sl_sample src_type, uint8_t *dst, size_t n);
void sl_apply_baked_pair_planar(const sl_baked_lut *first, const sl_baked_lut *second, float slope_outside,
                                const uint16_t *r, const uint16_t *g, const uint16_t *b, uint8_t *dst,
                                size_t n);
void sl_apply_baked_pair_camera(const sl_baked_lut *first, const sl_baked_lut *second, float slope_outside,
                                const sl_ycbcr_matrix *matrix, const int16_t *y, const int16_t *cb,
                                const int16_t *cr, uint8_t *dst, size_t n);

// The same three with 16-bit samples as their result, rounded to SL_NODE_UNIT: 32 codes a level.
void sl_apply_baked_pair_16(const sl_baked_lut *first, const sl_baked_lut *second, float slope_outside,
                            const void *src, sl_sample type, uint16_t *dst, size_t n);
void sl_apply_baked_pair_planar_16(const sl_baked_lut *first, const sl_baked_lut *second, float slope_outside,
                                   const uint16_t *r, const uint16_t *g, const uint16_t *b, uint16_t *dst,
                                   size_t n);
void sl_apply_baked_pair_camera_16(const sl_baked_lut *first, const sl_baked_lut *second, float slope_outside,
                                   const sl_ycbcr_matrix *matrix, const int16_t *y, const int16_t *cb,
                                   const int16_t *cr, uint16_t *dst, size_t n);

// Planar float → nodes of a table: SL_NODE_UNIT per unit, rounded to nearest, -2…2; NaN becomes 0.
void sl_pack_nodes(const float *r, const float *g, const float *b, int16_t *nodes, size_t n);

// Four rows of nodes, each with its weight → one; codes are rounded to nearest, -2…2.
void sl_blend_nodes(const int16_t *const rows[4], const float weights[4], int16_t *nodes, size_t n);

// size² nodes of one blue → (2·size - 1)², those between by the four nearest along red, then along green.
// `weights` are four for each place between two nodes: those of nodes k - 1 … k + 2, or of the first or last
// four at the ends. `size` is at least 4.
void sl_refine_plane(const int16_t *coarse, size_t size, const float *weights, int16_t *fine);

// Tetrahedral interpolation in single precision, in place: colours x become table(x clipped to 0…1) +
// slope_outside · (x - x clipped), which is not clipped. Within 1e-5 of exact interpolation.
void sl_interpolate_baked_lut(const sl_baked_lut *lut, float slope_outside, float *r, float *g, float *b,
                              size_t n);

// X/Xn, Y/Yn, Z/Zn → CIE 1976 L*, a*, b*, in place; for non-negative ratios. Within 2e-4 of the definition.
void sl_xyz_to_lab(float *x, float *y, float *z, size_t n);

// CIEDE2000 of two colours in CIE L*a*b*, kL = kC = kH = 1: within 1e-4 of the definition for colours that
// differ by less than 5, within 0.01 for others. NaN propagates.
void sl_delta_e2000(const float *const lab1[3], const float *const lab2[3], float *difference, size_t n);

// Finds the sharpest bends of a table: second differences of nodes along the axes and the cube's main
// diagonal, the sharpest of each block of `block`³ nodes. `block` is 1 to 4, `size` at least 3.
//
// `keys` holds ceil(size / block)³ values. Returns the number of bends; the first `wanted` keys are the
// sharpest, in descending order: sharpness << 32 | node index << 2 | direction (0, 1, 2: red, green, blue; 3:
// diagonal).
size_t sl_find_bends(const int16_t *nodes, int32_t size, int32_t block, size_t wanted, uint64_t *keys);

#ifdef __cplusplus
}
#endif
#endif
