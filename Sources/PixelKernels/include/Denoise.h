// Noise reduction of planes of floats by sliding 8 × 8 DCTs.
#ifndef SAFELIGHT_DENOISE_H
#define SAFELIGHT_DENOISE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A plane of floats whose even and odd columns are apart: the sample at column x of row y is
// `halves[x & 1][y * stride + x / 2]`.
//
// Blocks lie on even columns, so that the samples which neighbouring blocks have at the same place are
// neighbours in memory. Each row has `stride` floats, of which `pairs` are samples; `stride` is what
// sl_denoise_stride returns, and the rest must be finite.
typedef struct {
  float *halves[2];
  size_t stride;
} sl_paired_plane;

// The floats of a row with `pairs` pairs of columns: room for whole vectors, and for what they read beyond.
size_t sl_denoise_stride(size_t pairs);

// The bytes of scratch memory that sl_denoise_plane needs, aligned to 64.
size_t sl_denoise_scratch_bytes(size_t pairs, size_t height);

// The samples at each border of a plane that lack some of the blocks which cover them, by pass.
#define SL_DENOISE_MARGIN 8

// Around a threshold of t, gains rise from 0 at t·(1 - ramp) to 1 at t·(1 + ramp): a step would make rounding
// errors visible.
#define SL_DENOISE_RAMP 0.05f

// Removes noise from a plane: each block of 8 × 8 samples on even columns and every `row_step` rows is
// transformed, changed and transformed back; a sample is the mean of the blocks over it, weighted by how
// little noise is left in each.
//
// `guide` NULL: coefficients up to `limit` become 0, with a ramp about it (threshold). Otherwise they are
// multiplied by
//   g² / (g² + limit²)
// with g being those of the guide (empirical Wiener filter). The mean of a block is kept. `limit` is above 0.
//
// `row_step` is 2 or 4, `height` a multiple of it and at least 8, `pairs` at least 4. All `result` rows are
// written; those samples closer than SL_DENOISE_MARGIN to the border have no meaning. `result` must not
// overlap the others.
void sl_denoise_plane(const sl_paired_plane *noisy, const sl_paired_plane *guide,
                      const sl_paired_plane *result, size_t pairs, size_t height, size_t row_step,
                      float limit, void *scratch);

// MARK: Samples

#define SL_NOISE_FORWARD 1024
#define SL_NOISE_BACKWARD 4096

// A function that gives noise the same deviation at every brightness, and its inverse, as tables that are
// linear between entries and beyond the ends. `forward` has SL_NOISE_FORWARD + 1 entries for samples 0…1,
// `backward` SL_NOISE_BACKWARD + 1 for values 0…`highest`.
typedef struct {
  const float *forward, *backward;
  float highest;
} sl_noise_tables;

// Samples 2 · `pairs` of three channels → row `y` of three planes from pair `first`: luma and two differences
// of stabilized samples, along axes of length 1. Samples are limited to -1…2; NaN becomes 0. The channels
// need room for 32 floats beyond, which are read, and so do the planes, where they are written.
void sl_denoise_put(const float *r, const float *g, const float *b, const sl_noise_tables *tables,
                    const sl_paired_plane *planes, size_t y, size_t first, size_t pairs);

// Row `y` of planes → samples: the inverse of sl_denoise_put, of noisy + strength · (smooth - noisy) for each
// of the three planes. Where a strength is 0, the plane in `smooth` is not read. The channels need room for
// 32 floats beyond, which are written.
void sl_denoise_take(const sl_paired_plane *noisy, const sl_paired_plane *smooth, const float *strengths,
                     const sl_noise_tables *tables, size_t y, size_t first, size_t pairs, float *r, float *g,
                     float *b);

#ifdef __cplusplus
}
#endif

#endif
