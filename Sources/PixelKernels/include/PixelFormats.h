// Interleaved 8-bit, 16-bit and float RGBA, planar float, and tables for single channels. Part of
// `PixelKernels.h`, whose conventions apply.
#ifndef SAFELIGHT_PIXEL_FORMATS_H
#define SAFELIGHT_PIXEL_FORMATS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Sample types of interleaved RGBA rows: full-scale unsigned 8 and 16 bits, 32-bit float.
typedef enum { SL_U8 = 0, SL_U16 = 1, SL_F32 = 2 } sl_sample;

// Interleaved RGBA → planar red, green, blue; integers are scaled to 0…1.
void sl_unpack(const void *src, sl_sample type, float *r, float *g, float *b, size_t n);

// Planar → interleaved RGBA. Alpha is copied from `alpha`, an interleaved row of type `alpha_type`. Integers
// are clipped and rounded to nearest; NaN becomes 0. If `dither` is not NULL it holds n thresholds in
// -0.5…0.5 that are added, in units of the last place, before rounding.
void sl_pack(const float *r, const float *g, const float *b, const void *alpha, sl_sample alpha_type,
             const float *dither, void *dst, sl_sample type, size_t n);

// Copies interleaved RGBA from one sample type to another, as unpack and pack would.
void sl_convert(const void *src, sl_sample src_type, void *dst, sl_sample dst_type, size_t n);

// Copies grey or RGB pixels to interleaved RGBA, opaque; and RGBA to RGB, without its alpha.
void sl_gray_to_rgba(const void *src, sl_sample type, void *dst, size_t n);
void sl_rgb_to_rgba(const void *src, sl_sample type, void *dst, size_t n);
void sl_rgba_to_rgb(const void *src, sl_sample type, void *dst, size_t n);

// Looks up each channel in a table of its own, with 256 entries for 8-bit input and 65536 for 16-bit input;
// the tables follow one another (red, green, blue) and hold samples of the output type. Alpha is only scaled.
void sl_apply_tables(const void *src, sl_sample src_type, const void *tables, void *dst, sl_sample dst_type,
                     size_t n);

#ifdef __cplusplus
}
#endif

#endif
