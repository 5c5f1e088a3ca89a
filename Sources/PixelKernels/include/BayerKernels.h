// Interpolation of the colours of a Bayer mosaic (Hamilton and Adams, Adaptive color plan interpolation in
// single sensor color electronic camera, US patent 5,629,734 of 1997, expired): green along the direction in
// which it and the site's own colour change less, then red and blue by their differences from green.
#ifndef SAFELIGHT_BAYER_KERNELS_H
#define SAFELIGHT_BAYER_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The samples that rows of these kernels need before the first pixel and after the last, readable and, where
// a row is written, writable. Two of them before and after are the picture's, mirrored; the others may be
// anything.
#define SL_BAYER_PADDING 32

// Green at each pixel of a row, and at the sites of red or blue how much that sample is above green: 0 at the
// sites of green.
//
// rows: the samples of this row and of the two above and below, rows[2] is this one; 0…max, max ≤ 65535.
// first_green: the index of the first site of green, 0 or 1.
void sl_bayer_green(const uint16_t *const rows[5], size_t n, int32_t first_green, int32_t max,
                    uint16_t *green, int32_t *difference);

// Red and blue of a row: `own` is the one that has sites in this row, `other` the one in the rows above and
// below. `difference`, `above` and `below` are what sl_bayer_green gives for the three rows, mirrored by one
// pixel before the first and after the last.
void sl_bayer_colors(const uint16_t *green, const int32_t *difference, const int32_t *above,
                     const int32_t *below, size_t n, int32_t max, uint16_t *own, uint16_t *other);

// Opaque RGBA through a table for each channel, which has an entry for each value of a sample.
void sl_bayer_store8(const uint16_t *red, const uint16_t *green, const uint16_t *blue,
                     const uint8_t *const tables[3], size_t n, uint8_t *rgba);
void sl_bayer_store16(const uint16_t *red, const uint16_t *green, const uint16_t *blue,
                      const uint16_t *const tables[3], size_t n, uint16_t *rgba);

#ifdef __cplusplus
}
#endif

#endif
