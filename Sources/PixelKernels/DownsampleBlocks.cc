// Separable downsampling: a horizontal pass over rows side by side in a block, then a vertical one.
#include <string.h>

#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "DownsampleBlocks.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;

constexpr int kBlock = 4 * SL_DOWNSAMPLE_ROWS;

// MARK: Rows of bytes through tables

// Pixels `from`…`n` of a block, each channel looked up in its table of 256 floats.
void PlacePixels(const uint8_t *const *rows, size_t row_count, const float *tables, float *block, size_t from,
                 size_t n) {
  const float *red = tables, *green = red + 256, *blue = green + 256;
  // All rows of a pixel together: they share a cache line of the block.
  for (size_t i = from; i < n; i++) {
    for (size_t r = 0; r < row_count; r++) {
      const uint8_t *pixel = rows[r] + 4 * i;
      float *out = block + kBlock * i + 4 * r;
      out[0] = red[pixel[0]];
      out[1] = green[pixel[1]];
      out[2] = blue[pixel[2]];
      out[3] = 1.0f;
    }
  }
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
using D16 = hn::CappedTag<uint16_t, 32>;
using V16 = hn::Vec<D16>;
using D32 = hn::CappedTag<uint32_t, 16>;

// The upper or the lower halves of the 256 floats of a table, in registers. Highway has no look-up of 16-bit
// lanes in two vectors.
struct HalfTable {
  V16 entries[8];

  HalfTable(const float *table, int shift) {
    const D16 d;
    HWY_ALIGN uint16_t halves[256];
    for (int i = 0; i < 256; i++) {
      uint32_t bits;
      memcpy(&bits, table + i, 4);
      halves[i] = static_cast<uint16_t>(bits >> shift);
    }
    for (int k = 0; k < 8; k++) entries[k] = hn::Load(d, halves + 32 * k);
  }

  HWY_INLINE V16 operator[](V16 code) const {
    const D16 d;
    // The instruction uses 6 bits of the code; the other two select one of four results.
    V16 parts[4];
    for (int k = 0; k < 4; k++) {
      parts[k] = V16{_mm512_permutex2var_epi16(entries[2 * k].raw, code.raw, entries[2 * k + 1].raw)};
    }
    const auto odd = hn::TestBit(code, hn::Set(d, uint16_t{64}));
    const auto upper = hn::TestBit(code, hn::Set(d, uint16_t{128}));
    return hn::IfThenElse(upper, hn::IfThenElse(odd, parts[3], parts[2]),
                          hn::IfThenElse(odd, parts[1], parts[0]));
  }
};

// Looks up whole groups of four pixels of four rows in one table for all channels; returns the number of
// pixels stored.
size_t PlaceGroups(const uint8_t *const *rows, const float *table, float *block, size_t n) {
  const D16 d16;
  const D32 d32;
  const hn::Half<D16> d16_half;
  const hn::Rebind<uint8_t, D16> d8;
  const hn::CappedTag<uint32_t, 4> d_row;
  const hn::Repartition<uint64_t, decltype(d_row)> d_pair;
  const hn::Repartition<uint8_t, decltype(d_row)> d_bytes;
  const HalfTable low(table, 0), high(table, 16);
  const auto is_alpha =
      hn::RebindMask(DF(), hn::Eq(hn::And(hn::Iota(d32, 0), hn::Set(d32, 3u)), hn::Set(d32, 3u)));
  const VF one = hn::Set(DF(), 1.0f);
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    hn::Vec<decltype(d_row)> p[4];
    for (int r = 0; r < 4; r++) p[r] = hn::LoadU(d_row, reinterpret_cast<const uint32_t *>(rows[r] + 4 * i));
    // Transposes four rows of four pixels.
    const auto a = hn::BitCast(d_pair, hn::InterleaveLower(d_row, p[0], p[1]));
    const auto b = hn::BitCast(d_pair, hn::InterleaveLower(d_row, p[2], p[3]));
    const auto c = hn::BitCast(d_pair, hn::InterleaveUpper(d_row, p[0], p[1]));
    const auto e = hn::BitCast(d_pair, hn::InterleaveUpper(d_row, p[2], p[3]));
    HWY_ALIGN uint8_t codes[64];
    hn::Store(hn::BitCast(d_bytes, hn::InterleaveLower(d_pair, a, b)), d_bytes, codes);
    hn::Store(hn::BitCast(d_bytes, hn::InterleaveUpper(d_pair, a, b)), d_bytes, codes + 16);
    hn::Store(hn::BitCast(d_bytes, hn::InterleaveLower(d_pair, c, e)), d_bytes, codes + 32);
    hn::Store(hn::BitCast(d_bytes, hn::InterleaveUpper(d_pair, c, e)), d_bytes, codes + 48);
    for (int half = 0; half < 2; half++) {
      const V16 code = hn::PromoteTo(d16, hn::Load(d8, codes + 32 * half));
      const V16 lower = low[code], upper = high[code];
      const auto join = [&](hn::Vec<decltype(d16_half)> l, hn::Vec<decltype(d16_half)> u) HWY_ATTR {
        const auto bits = hn::Or(hn::PromoteTo(d32, l), hn::ShiftLeft<16>(hn::PromoteTo(d32, u)));
        return hn::IfThenElse(is_alpha, one, hn::BitCast(DF(), bits));
      };
      float *out = block + kBlock * (i + 2 * half);
      hn::StoreU(join(hn::LowerHalf(d16_half, lower), hn::LowerHalf(d16_half, upper)), DF(), out);
      hn::StoreU(join(hn::UpperHalf(d16_half, lower), hn::UpperHalf(d16_half, upper)), DF(), out + kBlock);
    }
  }
  return i;
}
#endif

void PlaceRows(const uint8_t *const *rows, size_t row_count, const float *tables, float *block, size_t n) {
  size_t placed = 0;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  static_assert(SL_DOWNSAMPLE_ROWS == 4, "PlaceGroups transposes four rows");
  const bool is_one_table =
      memcmp(tables, tables + 256, 1024) == 0 && memcmp(tables, tables + 512, 1024) == 0;
  if (row_count == 4 && is_one_table) placed = PlaceGroups(rows, tables, block, n);
#endif
  PlacePixels(rows, row_count, tables, block, placed, n);
}

// MARK: Weights

// Interleaved rows share every weight, and fill vectors that one row's pixel would not.
void DownsampleHorizontal(const float *src, const sl_taps *taps, const float *weights, float *const *dst,
                          size_t row_count, size_t n) {
  const DF d;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(DF()));
  HWY_ALIGN float pixels[kBlock];
  for (size_t i = 0; i < n; i++) {
    const float *w = weights + taps[i].weights;
    const int count = taps[i].count;
    for (int part = 0; part < kBlock; part += kLanes) {
      const float *p = src + kBlock * static_cast<ptrdiff_t>(taps[i].first) + part;
      // Two sums hide the latency of the additions.
      VF even = hn::Zero(d), odd = hn::Zero(d);
      int k = 0;
      for (; k + 2 <= count; k += 2) {
        even = hn::MulAdd(hn::LoadU(d, p + kBlock * k), hn::Set(d, w[k]), even);
        odd = hn::MulAdd(hn::LoadU(d, p + kBlock * k + kBlock), hn::Set(d, w[k + 1]), odd);
      }
      if (k < count) even = hn::MulAdd(hn::LoadU(d, p + kBlock * k), hn::Set(d, w[k]), even);
      hn::Store(hn::Add(even, odd), d, pixels + part);
    }
    for (size_t r = 0; r < row_count; r++) memcpy(dst[r] + 4 * i, pixels + 4 * r, 4 * sizeof(float));
  }
}

void DownsampleVertical(const float *const *rows, const float *weights, size_t row_count, float *dst,
                        size_t values) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= values; i += lanes) {
    VF sum = hn::Zero(d);
    for (size_t r = 0; r < row_count; r++) {
      sum = hn::MulAdd(hn::LoadU(d, rows[r] + i), hn::Set(d, weights[r]), sum);
    }
    hn::StoreU(sum, d, dst + i);
  }
  for (; i < values; i++) {
    float sum = 0;
    for (size_t r = 0; r < row_count; r++) sum += rows[r][i] * weights[r];
    dst[i] = sum;
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(PlaceRows);
HWY_EXPORT(DownsampleHorizontal);
HWY_EXPORT(DownsampleVertical);
}  // namespace safelight

extern "C" void sl_place_row(const float *src, size_t r, float *block, size_t n) {
  float *dst = block + 4 * r;
  for (size_t i = 0; i < n; i++) memcpy(dst + 4 * SL_DOWNSAMPLE_ROWS * i, src + 4 * i, 4 * sizeof(float));
}

extern "C" void sl_place_rows_by_tables(const uint8_t *const *rows, size_t row_count, const float *tables,
                                        float *block, size_t n) {
  SL_KERNEL(safelight::PlaceRows)(rows, row_count, tables, block, n);
}

extern "C" void sl_downsample_horizontal(const float *src, const sl_taps *taps, const float *weights,
                                         float *const *dst, size_t row_count, size_t n) {
  SL_KERNEL(safelight::DownsampleHorizontal)(src, taps, weights, dst, row_count, n);
}

extern "C" void sl_downsample_vertical(const float *const *rows, const float *weights, size_t row_count,
                                       float *dst, size_t values) {
  SL_KERNEL(safelight::DownsampleVertical)(rows, weights, row_count, dst, values);
}
#endif
