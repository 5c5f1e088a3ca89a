// Conversion from RGBA8 to luma and chroma: the matrix, and the box filter that subsamples chroma.
#include <string.h>

#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "RgbToYCbCr.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;
using DI = hn::RebindToSigned<DF>;

HWY_INLINE VF Row(const sl_ycbcr_matrix &m, int row, VF r, VF g, VF b) {
  const DF d;
  const float *w = m.matrix + 3 * row;
  return hn::MulAdd(
      r, hn::Set(d, w[0]),
      hn::MulAdd(g, hn::Set(d, w[1]), hn::MulAdd(b, hn::Set(d, w[2]), hn::Set(d, m.offset[row]))));
}

HWY_INLINE void ConvertVector(const sl_ycbcr_matrix &m, const uint8_t *src, uint8_t *y, int16_t *cb,
                              int16_t *cr) {
  const DF d;
  const DI di;
  const hn::RebindToUnsigned<DF> du;
  const hn::Rebind<uint8_t, DF> d8;
  const hn::Rebind<int16_t, DF> d16;
  const auto p = hn::BitCast(di, hn::LoadU(du, reinterpret_cast<const uint32_t *>(src)));
  const auto byte = hn::Set(di, 0xff);
  const auto channel = [&](hn::Vec<DI> v) HWY_ATTR { return hn::ConvertTo(d, hn::And(v, byte)); };
  const VF r = channel(p), g = channel(hn::ShiftRight<8>(p)), b = channel(hn::ShiftRight<16>(p));
  hn::StoreU(hn::DemoteTo(d8, hn::NearestInt(Row(m, 0, r, g, b))), d8, y);
  const VF scale = hn::Set(d, 64.0f);
  hn::StoreU(hn::DemoteTo(d16, hn::NearestInt(hn::Mul(Row(m, 1, r, g, b), scale))), d16, cb);
  hn::StoreU(hn::DemoteTo(d16, hn::NearestInt(hn::Mul(Row(m, 2, r, g, b), scale))), d16, cr);
}

void RgbaToYCbCr(const sl_ycbcr_matrix *m, const uint8_t *src, uint8_t *y, int16_t *cb, int16_t *cr,
                 size_t n) {
  const size_t lanes = hn::Lanes(DF());
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) ConvertVector(*m, src + 4 * i, y + i, cb + i, cr + i);
  if (i < n) {
    const size_t rest = n - i;
    uint8_t in[64] = {}, out_y[16];
    int16_t out_cb[16], out_cr[16];
    memcpy(in, src + 4 * i, 4 * rest);
    ConvertVector(*m, in, out_y, out_cb, out_cr);
    memcpy(y + i, out_y, rest);
    memcpy(cb + i, out_cb, 2 * rest);
    memcpy(cr + i, out_cr, 2 * rest);
  }
}

// Rows are added with weights that sum to 4, then columns likewise; 64 · 16 per level.
template <int kStep>
HWY_INLINE int32_t Thin(const int32_t *sums, size_t i, const int32_t *across) {
  const int32_t *p = sums + kStep * i;
  return across[0] * p[-1] + across[1] * p[0] + across[2] * p[1];
}

void ThinChroma(const int16_t *const *rows, const int32_t *down, size_t row_count, const int32_t *across,
                int32_t step, int32_t *sums, uint8_t *dst, size_t columns) {
  const DI d;
  const hn::Rebind<int16_t, DI> d16;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= columns; i += lanes) {
    auto sum = hn::Mul(hn::PromoteTo(d, hn::LoadU(d16, rows[0] + i)), hn::Set(d, down[0]));
    for (size_t r = 1; r < row_count; r++) {
      sum = hn::Add(sum, hn::Mul(hn::PromoteTo(d, hn::LoadU(d16, rows[r] + i)), hn::Set(d, down[r])));
    }
    hn::StoreU(sum, d, sums + i);
  }
  for (; i < columns; i++) {
    sums[i] = 0;
    for (size_t r = 0; r < row_count; r++) sums[i] += down[r] * rows[r][i];
  }
  // The nearest column stands in for those outside.
  sums[-1] = sums[0];
  sums[columns] = sums[columns - 1];
  const size_t n = (columns + static_cast<size_t>(step) - 1) / static_cast<size_t>(step);
  for (size_t k = 0; k < n; k++) {
    const int32_t sum = step == 2 ? Thin<2>(sums, k, across) : Thin<1>(sums, k, across);
    // Pure blue and red of full range lie half a code above the last one.
    dst[k] = static_cast<uint8_t>(HWY_MIN((sum + 512) >> 10, 255));
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(RgbaToYCbCr);
HWY_EXPORT(ThinChroma);
}  // namespace safelight

extern "C" void sl_rgba8_to_ycbcr(const sl_ycbcr_matrix *matrix, const uint8_t *src, uint8_t *y, int16_t *cb,
                                  int16_t *cr, size_t n) {
  SL_KERNEL(safelight::RgbaToYCbCr)(matrix, src, y, cb, cr, n);
}

extern "C" void sl_thin_chroma(const int16_t *const *rows, const int32_t *down, size_t row_count,
                               const int32_t *across, int32_t step, int32_t *sums, uint8_t *dst,
                               size_t columns) {
  SL_KERNEL(safelight::ThinChroma)(rows, down, row_count, across, step, sums, dst, columns);
}

// Compilers vectorize these loops: they only move bytes.
extern "C" void sl_pack_yuyv(const uint8_t *y, const uint8_t *cb, const uint8_t *cr, int luma_first,
                             uint8_t *dst, size_t pairs) {
  const size_t luma = luma_first ? 0 : 1, chroma = 1 - luma;
  for (size_t i = 0; i < pairs; i++) {
    dst[4 * i + luma] = y[2 * i];
    dst[4 * i + luma + 2] = y[2 * i + 1];
    dst[4 * i + chroma] = cb[i];
    dst[4 * i + chroma + 2] = cr[i];
  }
}

extern "C" void sl_interleave_bytes(const uint8_t *first, const uint8_t *second, uint8_t *dst, size_t n) {
  for (size_t i = 0; i < n; i++) {
    dst[2 * i] = first[i];
    dst[2 * i + 1] = second[i];
  }
}

extern "C" void sl_unpack_yuyv(const uint8_t *src, int luma_first, uint8_t *y, uint8_t *cb, uint8_t *cr,
                               size_t pairs) {
  const size_t luma = luma_first ? 0 : 1, chroma = 1 - luma;
  for (size_t i = 0; i < pairs; i++) {
    y[2 * i] = src[4 * i + luma];
    y[2 * i + 1] = src[4 * i + luma + 2];
    cb[i] = src[4 * i + chroma];
    cr[i] = src[4 * i + chroma + 2];
  }
}

extern "C" void sl_split_bytes(const uint8_t *src, uint8_t *first, uint8_t *second, size_t n) {
  for (size_t i = 0; i < n; i++) {
    first[i] = src[2 * i];
    second[i] = src[2 * i + 1];
  }
}
#endif
