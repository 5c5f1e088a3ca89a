// Tetrahedral interpolation in baked 3D tables, 8-bit or 16-bit output.
//
//   out = n0 + fmax·(nA - n0) + fmid·(nB - nA) + fmin·(n7 - nB)
//
// n0 and n7 are the corners of the cell nearest to and farthest from the origin, A is reached from n0 along
// the axis with the largest fraction, B from A along the middle one.
// Source: Kasson, Nin, Plouffe, Hafner, "Performing color space conversions with three-dimensional linear
// interpolation", J. Electronic Imaging 4(3), 1995.
//
// A block of pixels is located first, one vector of pixels at a time; then each pixel's two slots of 16 bytes
// are loaded by plain loads, which cost less than gathers, and multiplied with its weights. Prepared tables
// have the slots of each tetrahedron side by side (BakedLut.h); otherwise they are computed from four nodes.
// Products are exact and rounded once, so both ways give the same colours.
#include "BakedLut.h"

#include "CompactLut.h"

// Byte permutes of whole vectors and dot products that accumulate.
#define HWY_WANT_AVX3_DL
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "BakedLut.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "BakedLutSums-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// For any block whose size is a multiple of the vector's.
template <bool kHasCells, class Source, typename Pixel>
HWY_INLINE void ApplyToBlock(const sl_baked_lut &lut, const LutAxis &axis, const Source &source, size_t at,
                             size_t count, Places *places, Pixel *dst) {
  LocateBlock<kHasCells>(lut, axis, source, at, count, places);
  const char *table = TableOf<kHasCells>(lut);
  const ptrdiff_t n7 = FarCorner(lut);
  for (size_t i = 0; i < count; i += kLanes) {
    const Sums sums = Interpolate<kHasCells>(table, n7, *places, i, kRounding<Pixel>);
    StoreRounded<Source>(Shifted<kRoundedBits<Pixel>>(sums), *places, i, dst + i);
  }
}

template <bool kHasCells, class Source, typename Pixel>
HWY_INLINE void ApplyToAll(const sl_baked_lut &lut, const Source &source, Pixel *dst, size_t n) {
  const LutAxis axis(lut, Source::kFull);
  Places places;
  const size_t whole = n - n % kLanes;
  for (size_t i = 0; i < whole; i += kBlock) {
    ApplyToBlock<kHasCells>(lut, axis, source, i, HWY_MIN(kBlock, whole - i), &places, dst + i);
  }
  if (whole < n) {
    typename Source::Copy copy;
    Pixel out[kLanes];
    ApplyToBlock<kHasCells>(lut, axis, source.Last(whole, n - whole, &copy), 0, kLanes, &places, out);
    for (size_t k = whole; k < n; k++) dst[k] = out[k - whole];
  }
}

template <class Source, typename Pixel>
void ApplyTo(const sl_baked_lut &lut, const Source &source, Pixel *dst, size_t n) {
  if (lut.prepared != nullptr) {
    ApplyToAll<true>(lut, source, dst, n);
  } else {
    ApplyToAll<false>(lut, source, dst, n);
  }
}

template <class Source>
void Apply(const sl_baked_lut &lut, const Source &source, uint8_t *dst, size_t n) {
  ApplyTo(lut, source, reinterpret_cast<Pixel8 *>(dst), n);
}

template <class Source>
void Apply(const sl_baked_lut &lut, const Source &source, uint16_t *dst, size_t n) {
  ApplyTo(lut, source, reinterpret_cast<Pixel16 *>(dst), n);
}

void ApplyBakedLut(const sl_baked_lut *lut, const void *src, sl_sample type, uint8_t *dst, size_t n) {
  if (type == SL_U8) {
    Apply(*lut, Pixels8{static_cast<const uint32_t *>(src)}, dst, n);
  } else {
    Apply(*lut, Pixels16{static_cast<const uint64_t *>(src)}, dst, n);
  }
}

void ApplyBakedLutPlanar(const sl_baked_lut *lut, const uint16_t *r, const uint16_t *g, const uint16_t *b,
                         uint8_t *dst, size_t n) {
  Apply(*lut, Planes16{r, g, b}, dst, n);
}

void ApplyBakedLutCamera(const sl_baked_lut *lut, const sl_ycbcr_matrix *matrix, const int16_t *y,
                         const int16_t *cb, const int16_t *cr, uint8_t *dst, size_t n) {
  Apply(*lut, CameraPlanes{*matrix, y, cb, cr}, dst, n);
}

void ApplyBakedLut16(const sl_baked_lut *lut, const void *src, sl_sample type, uint16_t *dst, size_t n) {
  if (type == SL_U8) {
    Apply(*lut, Pixels8{static_cast<const uint32_t *>(src)}, dst, n);
  } else {
    Apply(*lut, Pixels16{static_cast<const uint64_t *>(src)}, dst, n);
  }
}

void ApplyBakedLutPlanar16(const sl_baked_lut *lut, const uint16_t *r, const uint16_t *g, const uint16_t *b,
                           uint16_t *dst, size_t n) {
  Apply(*lut, Planes16{r, g, b}, dst, n);
}

void ApplyBakedLutCamera16(const sl_baked_lut *lut, const sl_ycbcr_matrix *matrix, const int16_t *y,
                           const int16_t *cb, const int16_t *cr, uint16_t *dst, size_t n) {
  Apply(*lut, CameraPlanes{*matrix, y, cb, cr}, dst, n);
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(ApplyBakedLut);
HWY_EXPORT(ApplyBakedLutPlanar);
HWY_EXPORT(ApplyBakedLutCamera);
HWY_EXPORT(ApplyBakedLut16);
HWY_EXPORT(ApplyBakedLutPlanar16);
HWY_EXPORT(ApplyBakedLutCamera16);
}  // namespace safelight
extern "C" void sl_apply_baked_lut(const sl_baked_lut *lut, const void *src, sl_sample src_type, uint8_t *dst,
                                   size_t n) {
  if (src_type == SL_U8 && lut->compact != nullptr) {
    return safelight::ApplyCompactLut(*lut, static_cast<const uint32_t *>(src),
                                      reinterpret_cast<uint32_t *>(dst), n);
  }
  SL_KERNEL(safelight::ApplyBakedLut)(lut, src, src_type, dst, n);
}

extern "C" void sl_apply_baked_lut_planar(const sl_baked_lut *lut, const uint16_t *r, const uint16_t *g,
                                          const uint16_t *b, uint8_t *dst, size_t n) {
  SL_KERNEL(safelight::ApplyBakedLutPlanar)(lut, r, g, b, dst, n);
}

extern "C" void sl_apply_baked_lut_camera(const sl_baked_lut *lut, const sl_ycbcr_matrix *matrix,
                                          const int16_t *y, const int16_t *cb, const int16_t *cr,
                                          uint8_t *dst, size_t n) {
  SL_KERNEL(safelight::ApplyBakedLutCamera)(lut, matrix, y, cb, cr, dst, n);
}

extern "C" void sl_apply_baked_lut_16(const sl_baked_lut *lut, const void *src, sl_sample src_type,
                                      uint16_t *dst, size_t n) {
  SL_KERNEL(safelight::ApplyBakedLut16)(lut, src, src_type, dst, n);
}

extern "C" void sl_apply_baked_lut_planar_16(const sl_baked_lut *lut, const uint16_t *r, const uint16_t *g,
                                             const uint16_t *b, uint16_t *dst, size_t n) {
  SL_KERNEL(safelight::ApplyBakedLutPlanar16)(lut, r, g, b, dst, n);
}

extern "C" void sl_apply_baked_lut_camera_16(const sl_baked_lut *lut, const sl_ycbcr_matrix *matrix,
                                             const int16_t *y, const int16_t *cb, const int16_t *cr,
                                             uint16_t *dst, size_t n) {
  SL_KERNEL(safelight::ApplyBakedLutCamera16)(lut, matrix, y, cb, cr, dst, n);
}
#endif
