// Conversion between 8-bit RGBA and its planes: windows of a picture for planar sampling, and sums back to
// pixels.
#include <string.h>

#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "PlanarPixels.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kPlanes = 3;

// Extracts the colours of n pixels. Rows of a window are too far apart for hardware prefetching of the next
// one, so the row `ahead` bytes further is prefetched meanwhile.
HWY_INLINE void TakeColours(const uint8_t *src, size_t ahead, uint8_t *const *dst, size_t n) {
  const hn::CappedTag<uint8_t, 32> d;
  const hn::Repartition<uint32_t, decltype(d)> d32;
  const hn::Repartition<uint64_t, decltype(d)> d64;
  using V = hn::Vec<decltype(d)>;
  const size_t lanes = hn::Lanes(d);
  alignas(16) static constexpr uint8_t kByChannel[16] = {0, 4, 8,  12, 1, 5, 9,  13,
                                                         2, 6, 10, 14, 3, 7, 11, 15};
  const V by_channel = hn::LoadDup128(d, kByChannel);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const uint8_t *from = src + 4 * i;
    for (size_t at = 0; at < 4 * lanes; at += 64) hwy::Prefetch(from + at + ahead);
    // Pixels 4k… in the first block of 16 bytes and, in vectors of two blocks, 16 + 4k… in the second: four
    // samples of one channel after another.
    const auto four = [&](size_t k) HWY_ATTR {
      V pixels;
      if constexpr (hn::MaxLanes(d) == 32) {
        const hn::Half<decltype(d)> half;
        pixels = hn::Combine(d, hn::LoadU(half, from + 16 * k + 64), hn::LoadU(half, from + 16 * k));
      } else {
        pixels = hn::LoadU(d, from + 16 * k);
      }
      return hn::BitCast(d32, hn::TableLookupBytes(pixels, by_channel));
    };
    const auto f0 = four(0), f1 = four(1), f2 = four(2), f3 = four(3);
    const auto red_green = [&](hn::Vec<decltype(d32)> a, hn::Vec<decltype(d32)> b)
                               HWY_ATTR { return hn::BitCast(d64, hn::InterleaveLower(d32, a, b)); };
    const auto blue = [&](hn::Vec<decltype(d32)> a, hn::Vec<decltype(d32)> b)
                          HWY_ATTR { return hn::BitCast(d64, hn::InterleaveUpper(d32, a, b)); };
    const auto low = red_green(f0, f1), high = red_green(f2, f3);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d64, low, high)), d, dst[0] + i);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d64, low, high)), d, dst[1] + i);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d64, blue(f0, f1), blue(f2, f3))), d, dst[2] + i);
  }
  for (; i < n; i++) {
    for (size_t c = 0; c < kPlanes; c++) dst[c][i] = src[4 * i + c];
  }
}

void CopyColours(const uint8_t *base, size_t row_bytes, int32_t src_width, int32_t src_height, int32_t x,
                 int32_t y, int32_t width, int32_t height, uint8_t *const *dst, size_t dst_row_bytes) {
  // Columns before the first pixel, inside, and after the last one.
  const int32_t before = HWY_MIN(HWY_MAX(-x, 0), width);
  const int32_t end = HWY_MAX(HWY_MIN(src_width - x, width), before);
  for (int32_t i = 0; i < height; i++) {
    const int32_t row = HWY_MIN(HWY_MAX(y + i, 0), src_height - 1);
    const uint8_t *src = base + static_cast<size_t>(row) * row_bytes;
    uint8_t *to[kPlanes], *inside[kPlanes];
    for (int c = 0; c < kPlanes; c++) {
      to[c] = dst[c] + static_cast<size_t>(i) * dst_row_bytes;
      inside[c] = to[c] + before;
    }
    if (end > before) {
      TakeColours(src + 4 * (static_cast<ptrdiff_t>(x) + before), 4 * row_bytes, inside,
                  static_cast<size_t>(end - before));
    }
    for (int c = 0; c < kPlanes; c++) {
      if (before > 0) memset(to[c], src[c], static_cast<size_t>(before));
      if (end < width) {
        memset(to[c] + end, src[4 * (static_cast<ptrdiff_t>(src_width) - 1) + c],
               static_cast<size_t>(width - end));
      }
    }
  }
}

// Transposes eight rows of eight samples, in three rounds of interleaving: bytes, pairs, quads.
HWY_INLINE void TransposeBlock(const uint8_t *src, size_t src_row_bytes, uint8_t *dst, size_t dst_row_bytes) {
  const hn::FixedTag<uint8_t, 16> d;
  const hn::Half<decltype(d)> d8;
  const hn::Repartition<uint16_t, decltype(d)> d16;
  const hn::Repartition<uint32_t, decltype(d)> d32;
  hn::Vec<decltype(d)> pairs[4];
  for (size_t r = 0; r < 4; r++) {
    const auto a = hn::ZeroExtendVector(d, hn::LoadU(d8, src + 2 * r * src_row_bytes));
    const auto b = hn::ZeroExtendVector(d, hn::LoadU(d8, src + (2 * r + 1) * src_row_bytes));
    pairs[r] = hn::InterleaveLower(d, a, b);
  }
  const auto q0 = hn::BitCast(d16, pairs[0]), q1 = hn::BitCast(d16, pairs[1]);
  const auto q2 = hn::BitCast(d16, pairs[2]), q3 = hn::BitCast(d16, pairs[3]);
  const auto top_low = hn::BitCast(d32, hn::InterleaveLower(d16, q0, q1));
  const auto top_high = hn::BitCast(d32, hn::InterleaveUpper(d16, q0, q1));
  const auto bottom_low = hn::BitCast(d32, hn::InterleaveLower(d16, q2, q3));
  const auto bottom_high = hn::BitCast(d32, hn::InterleaveUpper(d16, q2, q3));
  const hn::Vec<decltype(d32)> columns[4] = {
      hn::InterleaveLower(d32, top_low, bottom_low), hn::InterleaveUpper(d32, top_low, bottom_low),
      hn::InterleaveLower(d32, top_high, bottom_high), hn::InterleaveUpper(d32, top_high, bottom_high)};
  for (size_t c = 0; c < 4; c++) {
    const auto two = hn::BitCast(d, columns[c]);
    hn::StoreU(hn::LowerHalf(d8, two), d8, dst + 2 * c * dst_row_bytes);
    hn::StoreU(hn::UpperHalf(d8, two), d8, dst + (2 * c + 1) * dst_row_bytes);
  }
}

void TransposeSamples(const uint8_t *src, size_t src_row_bytes, size_t width, size_t height, uint8_t *dst,
                      size_t dst_row_bytes) {
  size_t y = 0;
  for (; y + 8 <= height; y += 8) {
    size_t x = 0;
    for (; x + 8 <= width; x += 8) {
      TransposeBlock(src + y * src_row_bytes + x, src_row_bytes, dst + x * dst_row_bytes + y, dst_row_bytes);
    }
    for (; x < width; x++) {
      for (size_t i = y; i < y + 8; i++) dst[x * dst_row_bytes + i] = src[i * src_row_bytes + x];
    }
  }
  for (; y < height; y++) {
    for (size_t x = 0; x < width; x++) dst[x * dst_row_bytes + y] = src[y * src_row_bytes + x];
  }
}

// Clips to bytes: in each block of 16 bytes those of `low`, then those of `high`.
template <class V16>
HWY_INLINE auto PackBytes(V16 low, V16 high) {
  const hn::Repartition<uint8_t, hn::DFromV<V16>> d8;
#if HWY_TARGET <= HWY_AVX2
  return hn::Vec<decltype(d8)>{_mm256_packus_epi16(low.raw, high.raw)};
#else
  const hn::Half<decltype(d8)> half;
  return hn::Combine(d8, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
#endif
}

void PackSums(const int16_t *const *sums, uint8_t *dst, size_t n) {
  const hn::CappedTag<int16_t, 16> d;
  const hn::Repartition<uint8_t, decltype(d)> d8;
  const size_t lanes = hn::Lanes(d);
  const auto half = hn::Set(d, int16_t{32}), opaque = hn::Set(d, int16_t{0xff});
  const auto level = [&](const int16_t *p)
                         HWY_ATTR { return hn::ShiftRight<6>(hn::SaturatedAdd(hn::LoadU(d, p), half)); };
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto red_blue = PackBytes(level(sums[0] + i), level(sums[2] + i));
    const auto green_alpha = PackBytes(level(sums[1] + i), opaque);
    const auto red_green = hn::BitCast(d, hn::InterleaveLower(d8, red_blue, green_alpha));
    const auto blue_alpha = hn::BitCast(d, hn::InterleaveUpper(d8, red_blue, green_alpha));
    // Four pixels of each block of eight.
    const auto low = hn::BitCast(d8, hn::InterleaveLower(d, red_green, blue_alpha));
    const auto high = hn::BitCast(d8, hn::InterleaveUpper(d, red_green, blue_alpha));
    if constexpr (hn::MaxLanes(d) == 16) {
      hn::StoreU(hn::ConcatLowerLower(d8, high, low), d8, dst + 4 * i);
      hn::StoreU(hn::ConcatUpperUpper(d8, high, low), d8, dst + 4 * i + 32);
    } else {
      hn::StoreU(low, d8, dst + 4 * i);
      hn::StoreU(high, d8, dst + 4 * i + 16);
    }
  }
  for (; i < n; i++) {
    for (int c = 0; c < kPlanes; c++) {
      const int value = (sums[c][i] + 32) >> 6;
      dst[4 * i + static_cast<size_t>(c)] = static_cast<uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
    }
    dst[4 * i + 3] = 0xff;
  }
}

void ScaleSums(const int16_t *src, uint16_t *dst, size_t n) {
  const hn::CappedTag<int16_t, 32> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const size_t lanes = hn::Lanes(d);
  const auto full = hn::Set(d, int16_t{64 * 255});
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto v = hn::Min(hn::Max(hn::LoadU(d, src + i), hn::Zero(d)), full);
    hn::StoreU(hn::BitCast(du, hn::Add(hn::ShiftLeft<2>(v), hn::ShiftRight<6>(v))), du, dst + i);
  }
  for (; i < n; i++) {
    const int v = src[i] < 0 ? 0 : src[i] > 64 * 255 ? 64 * 255 : src[i];
    dst[i] = static_cast<uint16_t>(4 * v + (v >> 6));
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(CopyColours);
HWY_EXPORT(TransposeSamples);
HWY_EXPORT(PackSums);
HWY_EXPORT(ScaleSums);
}  // namespace safelight

extern "C" void sl_copy_colours(const uint8_t *base, size_t row_bytes, int32_t src_width, int32_t src_height,
                                int32_t x, int32_t y, int32_t width, int32_t height, uint8_t *const *dst,
                                size_t dst_row_bytes) {
  SL_KERNEL(safelight::CopyColours)
  (base, row_bytes, src_width, src_height, x, y, width, height, dst, dst_row_bytes);
}

extern "C" void sl_transpose_samples(const uint8_t *src, size_t src_row_bytes, size_t width, size_t height,
                                     uint8_t *dst, size_t dst_row_bytes) {
  SL_KERNEL(safelight::TransposeSamples)
  (src, src_row_bytes, width, height, dst, dst_row_bytes);
}

extern "C" void sl_pack_sums(const int16_t *const *sums, uint8_t *dst, size_t n) {
  SL_KERNEL(safelight::PackSums)(sums, dst, n);
}

extern "C" void sl_scale_sums(const int16_t *src, uint16_t *dst, size_t n) {
  SL_KERNEL(safelight::ScaleSums)(src, dst, n);
}
#endif
