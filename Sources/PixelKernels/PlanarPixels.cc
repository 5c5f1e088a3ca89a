// Between RGBA of 8 bit and its planes: windows of a picture on the way to planar sampling, sums on the way
// back.
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

// The colours of n pixels. Rows of a window lie too far apart for processors to foresee the next one, so the
// one that is `ahead` bytes on is fetched meanwhile.
HWY_INLINE void TakeColours(const uint8_t *src, size_t ahead, uint8_t *const *dst, size_t n) {
  const hn::CappedTag<uint32_t, 16> d;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hwy::Prefetch(src + 4 * i + ahead);
    const auto pixels = hn::LoadU(d, reinterpret_cast<const uint32_t *>(src) + i);
    hn::StoreU(hn::TruncateTo(d8, pixels), d8, dst[0] + i);
    hn::StoreU(hn::TruncateTo(d8, hn::ShiftRight<8>(pixels)), d8, dst[1] + i);
    hn::StoreU(hn::TruncateTo(d8, hn::ShiftRight<16>(pixels)), d8, dst[2] + i);
  }
  for (; i < n; i++) {
    for (size_t c = 0; c < kPlanes; c++) dst[c][i] = src[4 * i + c];
  }
}

void CopyColours(const uint8_t *base, size_t row_bytes, int32_t src_width, int32_t src_height, int32_t x,
                 int32_t y, int32_t width, int32_t height, uint8_t *const *dst, size_t dst_row_bytes) {
  // Columns ahead of the first pixel, inside, and behind the last one.
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

// Eight rows of eight samples, in three rounds of interleaving: bytes, pairs, quads.
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

void PackSums(const int16_t *const *sums, uint8_t *dst, size_t n) {
  const hn::CappedTag<int16_t, 32> d;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const size_t lanes = hn::Lanes(d);
  const auto half = hn::Set(d, int16_t{32});
  const auto opaque = hn::Set(d8, uint8_t{0xff});
  const auto level = [&](const int16_t *p) HWY_ATTR {
    return hn::DemoteTo(d8, hn::ShiftRight<6>(hn::SaturatedAdd(hn::LoadU(d, p), half)));
  };
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreInterleaved4(level(sums[0] + i), level(sums[1] + i), level(sums[2] + i), opaque, d8,
                          dst + 4 * i);
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
