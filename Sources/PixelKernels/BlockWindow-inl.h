// The samples that a block is made of, copied as its arithmetic needs them. Included only by
// BlockResample.cc, once for every instruction set.
#if defined(SAFELIGHT_BLOCK_WINDOW_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_BLOCK_WINDOW_INL_H
#undef SAFELIGHT_BLOCK_WINDOW_INL_H
#else
#define SAFELIGHT_BLOCK_WINDOW_INL_H
#endif

#include <string.h>

#include "BlockSums-inl.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A rectangle of samples. Outside the picture the nearest one is repeated. With columns first, its rows are
// the picture's columns.
template <class Sums>
struct Window {
  int32_t x, y, width, height;  // of the picture, or of the picture mirrored at the diagonal
  size_t stride;                // from one row to the next
  typename Sums::Sample *samples;

  HWY_INLINE const typename Sums::Sample *At(int32_t column, int32_t row) const {
    return samples + static_cast<ptrdiff_t>(row - y) * static_cast<ptrdiff_t>(stride) +
           4 * static_cast<ptrdiff_t>(column - x);
  }
};

// The full scale of samples in fixed point, and the shift s with which v · 4 + v / 2^s maps it to 65535 and
// keeps 0.
template <typename Sample>
constexpr int16_t kFixedFull = sizeof(Sample) == 1 ? 64 * 255 : 16383;
template <typename Sample>
constexpr int kFixedShift = sizeof(Sample) == 1 ? 6 : 12;

HWY_INLINE int16_t Fixed(uint8_t v) { return static_cast<int16_t>(v << 6); }
HWY_INLINE int16_t Fixed(uint16_t v) { return static_cast<int16_t>(v >> 2); }

// One pixel in either arithmetic.
template <typename Stored>
HWY_INLINE void TakePixel(const Stored *p, bool, int16_t *to) {
  for (int k = 0; k < 4; k++) to[k] = Fixed(p[k]);
}
template <typename Stored>
HWY_INLINE void TakePixel(const Stored *p, bool premultiply, float *to) {
  const float alpha = premultiply ? static_cast<float>(p[3]) / kFull<Stored> : 1.0f;
  for (int k = 0; k < 3; k++) to[k] = static_cast<float>(p[k]) * alpha;
  to[3] = static_cast<float>(p[3]);
}

// A run of pixels.
template <typename Stored>
HWY_INLINE void TakePixels(const Stored *HWY_RESTRICT p, bool, int16_t *HWY_RESTRICT to, size_t pixels) {
  const hn::CappedTag<int16_t, 32> d;
  const size_t count = 4 * pixels, lanes = hn::Lanes(d);
  const auto take = [&](size_t k) HWY_ATTR {
    if constexpr (sizeof(Stored) == 1) {
      const hn::Rebind<uint8_t, decltype(d)> d8;
      hn::StoreU(hn::ShiftLeft<6>(hn::PromoteTo(d, hn::LoadU(d8, p + k))), d, to + k);
    } else {
      const hn::RebindToUnsigned<decltype(d)> du;
      hn::StoreU(hn::BitCast(d, hn::ShiftRight<2>(hn::LoadU(du, p + k))), d, to + k);
    }
  };
  if (count < lanes) {
    for (size_t k = 0; k < count; k++) to[k] = Fixed(p[k]);
    return;
  }
  for (size_t k = 0; k + lanes <= count; k += lanes) take(k);
  // The last vector overlaps the one before.
  take(count - lanes);
}
template <typename Stored>
HWY_INLINE void TakePixels(const Stored *HWY_RESTRICT p, bool premultiply, float *HWY_RESTRICT to,
                           size_t pixels) {
  if (premultiply) {
    for (size_t k = 0; k < pixels; k++) TakePixel(p + 4 * k, true, to + 4 * k);
  } else {
    for (size_t k = 0; k < 4 * pixels; k++) to[k] = static_cast<float>(p[k]);
  }
}

// Copies `count` pixels of a row of the picture from column `x` on.
template <typename Stored, typename Sample>
HWY_INLINE void TakeRow(const Stored *row, int32_t size, int32_t x, int32_t count, bool premultiply,
                        Sample *to) {
  const int32_t first = HWY_MIN(HWY_MAX(x, 0), size - 1), last = HWY_MIN(HWY_MAX(x + count - 1, 0), size - 1);
  const int32_t before = HWY_MIN(HWY_MAX(first - x, 0), count - 1);
  const auto inside = static_cast<size_t>(HWY_MIN(last - first + 1, count - before));
  TakePixels(row + 4 * static_cast<size_t>(first), premultiply, to + 4 * static_cast<size_t>(before), inside);
  const Sample *own = to + 4 * static_cast<size_t>(before);
  for (int32_t k = 0; k < before; k++) memcpy(to + 4 * k, own, 4 * sizeof(Sample));
  const size_t end = static_cast<size_t>(before) + inside;
  for (size_t k = end; k < static_cast<size_t>(count); k++) {
    memcpy(to + 4 * k, to + 4 * (end - 1), 4 * sizeof(Sample));
  }
}

// Fetches what the block to the right will need of a row: its rows are too far apart for the processor to
// foresee it.
template <typename Stored>
HWY_INLINE void PrefetchRow(const Stored *row, int32_t size, int32_t x, int32_t count) {
  constexpr int32_t kLine = 64 / (4 * static_cast<int32_t>(sizeof(Stored)));
  const int32_t end = HWY_MIN(x + count, size);
  for (int32_t column = HWY_MAX(x, 0); column < end; column += kLine) {
    hwy::Prefetch(row + 4 * static_cast<size_t>(column));
  }
}

template <typename Stored, class Sums>
HWY_NOINLINE void LoadWindow(const sl_image &src, bool is_turned, bool premultiply,
                             const Window<Sums> &window, typename Sums::Sample *line) {
  using Sample = typename Sums::Sample;
  const char *base = static_cast<const char *>(src.base);
  const auto row_at = [&](int32_t y) {
    const int32_t row = HWY_MIN(HWY_MAX(y, 0), src.height - 1);
    return reinterpret_cast<const Stored *>(base + static_cast<size_t>(row) * src.row_bytes);
  };
  if (!is_turned) {
    for (int32_t row = 0; row < window.height; row++) {
      PrefetchRow(row_at(window.y + row), src.width, window.x + window.width, window.width);
      TakeRow(row_at(window.y + row), src.width, window.x, window.width, premultiply,
              window.samples + static_cast<size_t>(row) * window.stride);
    }
    return;
  }
  for (int32_t column = 0; column < window.width; column++) {
    TakeRow(row_at(window.x + column), src.width, window.y, window.height, premultiply, line);
    Sample *to = window.samples + 4 * static_cast<size_t>(column);
    for (int32_t row = 0; row < window.height; row++, to += window.stride) {
      memcpy(to, line + 4 * row, 4 * sizeof(Sample));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();
#endif
