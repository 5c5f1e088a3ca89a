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

// A matrix in registers, with the rows of colour differences at 64 per level: a power of two changes no
// rounding.
struct Rows {
  VF weights[3][3], offsets[3];
};

HWY_INLINE Rows RowsOf(const sl_ycbcr_matrix &m) {
  const DF d;
  Rows rows;
  for (size_t row = 0; row < 3; row++) {
    const float scale = row == 0 ? 1.0f : 64.0f;
    for (size_t column = 0; column < 3; column++) {
      rows.weights[row][column] = hn::Set(d, m.matrix[3 * row + column] * scale);
    }
    rows.offsets[row] = hn::Set(d, m.offset[row] * scale);
  }
  return rows;
}

// The nearest integers, in the low 16 bits: codes are never negative, and those of 64 per level below 2^15.
HWY_INLINE auto Coded(const Rows &rows, size_t row, VF r, VF g, VF b) {
  const VF *w = rows.weights[row];
  const VF code = hn::MulAdd(r, w[0], hn::MulAdd(g, w[1], hn::MulAdd(b, w[2], rows.offsets[row])));
  // Unlike a conversion, it minds no numbers that do not fit.
  constexpr float kRoundingUnit = 8388608.0f;
  return hn::BitCast(hn::RebindToUnsigned<DF>(), hn::Add(code, hn::Set(DF(), kRoundingUnit)));
}

HWY_INLINE void ConvertVector(const Rows &rows, const uint8_t *src, uint8_t *y, int16_t *cb, int16_t *cr) {
  const DF d;
  const DI di;
  const hn::RebindToUnsigned<DF> du;
  const hn::Rebind<uint8_t, DF> d8;
  const hn::Rebind<uint16_t, DF> d16;
  const auto p = hn::BitCast(di, hn::LoadU(du, reinterpret_cast<const uint32_t *>(src)));
  const auto byte = hn::Set(di, 0xff);
  const auto channel = [&](hn::Vec<DI> v) HWY_ATTR { return hn::ConvertTo(d, hn::And(v, byte)); };
  const VF r = channel(p), g = channel(hn::ShiftRight<8>(p)), b = channel(hn::ShiftRight<16>(p));
  hn::StoreU(hn::TruncateTo(d8, Coded(rows, 0, r, g, b)), d8, y);
  hn::StoreU(hn::TruncateTo(d16, Coded(rows, 1, r, g, b)), d16, reinterpret_cast<uint16_t *>(cb));
  hn::StoreU(hn::TruncateTo(d16, Coded(rows, 2, r, g, b)), d16, reinterpret_cast<uint16_t *>(cr));
}

void RgbaToYCbCr(const sl_ycbcr_matrix *m, const uint8_t *src, uint8_t *y, int16_t *cb, int16_t *cr,
                 size_t n) {
  const Rows rows = RowsOf(*m);
  const size_t lanes = hn::Lanes(DF());
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) ConvertVector(rows, src + 4 * i, y + i, cb + i, cr + i);
  if (i < n) {
    const size_t rest = n - i;
    uint8_t in[64] = {}, out_y[16];
    int16_t out_cb[16], out_cr[16];
    memcpy(in, src + 4 * i, 4 * rest);
    ConvertVector(rows, in, out_y, out_cb, out_cr);
    memcpy(y + i, out_y, rest);
    memcpy(cb + i, out_cb, 2 * rest);
    memcpy(cr + i, out_cr, 2 * rest);
  }
}

// Rows are added with weights that sum to 4, then columns likewise; 64 · 16 per level.
struct Box {
  const int16_t *const *rows;
  const int32_t *down, *across;
  size_t row_count, columns;
};

// The sample whose middle column is `x`; the nearest column stands in for those outside.
HWY_INLINE uint8_t BoxMean(const Box &box, size_t x) {
  const size_t before = x > 0 ? x - 1 : 0, after = HWY_MIN(x + 1, box.columns - 1);
  int32_t sum = 512;
  for (size_t r = 0; r < box.row_count; r++) {
    const int16_t *row = box.rows[r];
    sum += box.down[r] * (box.across[0] * row[before] + box.across[1] * row[x] + box.across[2] * row[after]);
  }
  // Pure blue and red of full range lie half a code above the last one.
  return static_cast<uint8_t>(HWY_MIN(sum >> 10, 255));
}

HWY_INLINE auto Narrowed(hn::Vec<DI> sum) {
  const DI d;
  return hn::DemoteTo(hn::Rebind<uint8_t, DI>(), hn::ShiftRight<10>(hn::Add(sum, hn::Set(d, 512))));
}

// Pairs of columns lie in one lane of 32 bits each: the first in its low half. The weights of rows and
// columns are multiplied once for all samples.
template <bool kBefore>
struct PairWeights {
  hn::Vec<hn::Repartition<int16_t, DI>> both[3], before[3];

  explicit HWY_INLINE PairWeights(const Box &box) {
    const auto weights = [&](int32_t first, int32_t second) HWY_ATTR {
      return hn::BitCast(hn::Repartition<int16_t, DI>(), hn::Set(DI(), second << 16 | first));
    };
    for (size_t r = 0; r < 3; r++) {
      const int32_t down = r < box.row_count ? box.down[r] : 0;
      both[r] = weights(down * box.across[1], down * box.across[2]);
      before[r] = weights(0, down * box.across[0]);
    }
  }

  template <size_t kRows>
  HWY_INLINE void Thin(const int16_t *const *rows, size_t k, uint8_t *dst) const {
    const DI d;
    const auto add = [&](hn::Vec<DI> sum, const int16_t *row, auto by) HWY_ATTR {
      auto odd = hn::Zero(d);
      const auto pairs = hn::LoadU(hn::Repartition<int16_t, DI>(), row);
      const auto even = hn::ReorderWidenMulAccumulate(d, pairs, by, hn::Zero(d), odd);
      return hn::Add(sum, hn::RearrangeToOddPlusEven(even, odd));
    };
    auto sum = hn::Zero(d);
    for (size_t r = 0; r < kRows; r++) {
      sum = add(sum, rows[r] + 2 * k, both[r]);
      if (kBefore) sum = add(sum, rows[r] + 2 * k - 2, before[r]);
    }
    hn::StoreU(Narrowed(sum), hn::Rebind<uint8_t, DI>(), dst + k);
  }
};

template <bool kBefore, size_t kRows>
HWY_INLINE void ThinPairsOf(const Box &box, size_t first, size_t end, uint8_t *dst) {
  const PairWeights<kBefore> weights(box);
  const size_t lanes = hn::Lanes(DI());
  const int16_t *rows[kRows];
  for (size_t r = 0; r < kRows; r++) rows[r] = box.rows[r];
  for (size_t k = first; k < end; k += lanes) {
    // The last whole vector may repeat samples, because tiles are so narrow that the rest would take as long
    // as all vectors.
    weights.template Thin<kRows>(rows, HWY_MIN(k, end - lanes), dst);
  }
}

template <bool kBefore>
HWY_INLINE void ThinPairs(const Box &box, size_t first, size_t end, uint8_t *dst) {
  if (box.row_count == 1) {
    ThinPairsOf<kBefore, 1>(box, first, end, dst);
  } else if (box.row_count == 2) {
    ThinPairsOf<kBefore, 2>(box, first, end, dst);
  } else {
    ThinPairsOf<kBefore, 3>(box, first, end, dst);
  }
}

// For weights of one column alone.
HWY_INLINE void ThinRows(const Box &box, size_t k, uint8_t *dst) {
  const DI d;
  auto sum = hn::Zero(d);
  for (size_t r = 0; r < box.row_count; r++) {
    const auto row = hn::PromoteTo(d, hn::LoadU(hn::Rebind<int16_t, DI>(), box.rows[r] + k));
    sum = hn::Add(sum, hn::Mul(row, hn::Set(d, box.down[r] * box.across[1])));
  }
  hn::StoreU(Narrowed(sum), hn::Rebind<uint8_t, DI>(), dst + k);
}

void ThinChroma(const int16_t *const *rows, const int32_t *down, size_t row_count, const int32_t *across,
                int32_t step, uint8_t *dst, size_t columns) {
  const Box box = {rows, down, across, row_count, columns};
  const size_t width = static_cast<size_t>(step), lanes = hn::Lanes(DI());
  const size_t n = (columns + width - 1) / width;
  size_t k = 0;
  if (step == 2) {
    // The first sample has no column before it, the last one perhaps none after it.
    const size_t first = across[0] != 0 ? 1 : 0, end = columns / 2;
    if (end >= first + lanes) {
      if (first == 1) {
        dst[0] = BoxMean(box, 0);
        ThinPairs<true>(box, first, end, dst);
      } else {
        ThinPairs<false>(box, first, end, dst);
      }
      k = end;
    }
  } else if (across[0] == 0 && across[2] == 0) {
    for (; k + lanes <= n; k += lanes) ThinRows(box, k, dst);
  }
  for (; k < n; k++) dst[k] = BoxMean(box, width * k);
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
                               const int32_t *across, int32_t step, uint8_t *dst, size_t columns) {
  SL_KERNEL(safelight::ThinChroma)(rows, down, row_count, across, step, dst, columns);
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
