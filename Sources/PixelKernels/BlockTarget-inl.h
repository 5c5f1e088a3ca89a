// Where the pixels of a block go, and in which form. Included only by BlockResample.cc, once for every
// instruction set.
#if defined(SAFELIGHT_BLOCK_TARGET_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_BLOCK_TARGET_INL_H
#undef SAFELIGHT_BLOCK_TARGET_INL_H
#else
#define SAFELIGHT_BLOCK_TARGET_INL_H
#endif

#include <string.h>

#include "BlockSums-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct Target {
  char *dst;
  size_t row_bytes, pixel_bytes;
  bool is_float, premultiplied;
  // Of samples as stored.
  float scale;
  bool is_clipped;
  int16_t full;
  int shift;

  HWY_INLINE char *At(int32_t column, int32_t row) const {
    return dst + static_cast<size_t>(row) * row_bytes + static_cast<size_t>(column) * pixel_bytes;
  }

  HWY_INLINE void Store(FixedSums::Pixel v, char *to) const {
    const FixedSums::DPixel d;
    hn::StoreU(Widened(d, v), d, reinterpret_cast<int16_t *>(to));
  }
  // The first `count` of four pixels, below one another.
  HWY_INLINE void Store(const FourPixels &four, int32_t count, char *to) const {
    const FourPixels::D d;
    FourPixels wide;
    for (int k = 0; k < FourPixels::kVectors; k++) wide.v[k] = Widened(d, four.v[k]);
    if (HWY_LIKELY(count == 4)) {
      constexpr auto kPixels = static_cast<int>(hn::MaxLanes(d)) / 4;
      for (int k = 0; k < FourPixels::kVectors; k++) {
        StoreBelow(d, wide.v[k], to + static_cast<size_t>(k * kPixels) * row_bytes);
      }
      return;
    }
    HWY_ALIGN int16_t pixels[16];
    wide.Store(pixels);
    for (int32_t k = 0; k < count; k++) memcpy(to + static_cast<size_t>(k) * row_bytes, pixels + 4 * k, 8);
  }
  HWY_INLINE void Store(V4 v, char *to, float coverage = 1) const {
    const D4 d;
    v = Uncovered(hn::Mul(v, hn::Set(d, scale)), premultiplied, coverage);
    if (is_clipped) v = hn::Min(hn::Max(v, hn::Zero(d)), hn::Set(d, 1.0f));
    if (is_float) {
      StorePixel(v, reinterpret_cast<float *>(to));
    } else {
      StorePixel(v, reinterpret_cast<uint16_t *>(to));
    }
  }

 private:
  // Stores a vector's pixels below one another.
  template <class D>
  HWY_INLINE void StoreBelow(D d, hn::Vec<D> v, char *to) const {
    if constexpr (hn::MaxLanes(D()) <= 4) {
      hn::StoreU(v, d, reinterpret_cast<int16_t *>(to));
    } else {
      const hn::Half<D> half;
      StoreBelow(half, hn::LowerHalf(half, v), to);
      StoreBelow(half, hn::UpperHalf(half, v), to + hn::MaxLanes(half) / 4 * row_bytes);
    }
  }

  // Clipped, and at the scale of 16 bits.
  template <class D>
  HWY_INLINE hn::Vec<D> Widened(D d, hn::Vec<D> v) const {
    v = hn::Min(hn::Max(v, hn::Zero(d)), hn::Set(d, full));
    return hn::Add(hn::ShiftLeft<2>(v), hn::ShiftRightSame(v, shift));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();
#endif
