// The pixels that baked tables are applied to, for each instruction set: included only by BakedLutSums-inl.h.
#if defined(SAFELIGHT_BAKED_LUT_SOURCES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_BAKED_LUT_SOURCES_INL_H
#undef SAFELIGHT_BAKED_LUT_SOURCES_INL_H
#else
#define SAFELIGHT_BAKED_LUT_SOURCES_INL_H
#endif

#include "BakedLutPlaces-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// RGBA8.
struct Pixels8 {
  static constexpr float kFull = 255.0f;
  static constexpr bool kIsOpaque = false;
  const uint32_t *src;

  // Only the pixels `from`…, `n` of them, padded with zeros to a vector.
  struct Copy {
    uint32_t pixels[kLanes] = {};
  };
  HWY_INLINE Pixels8 Last(size_t from, size_t n, Copy *copy) const {
    for (size_t k = 0; k < n; k++) copy->pixels[k] = src[from + k];
    return {copy->pixels};
  }

  template <bool kHasCells>
  HWY_INLINE void LocateAt(const Grid<kHasCells> &grid, size_t at, Places *out, size_t i) const {
    const DI d;
    PrefetchAhead(src + at);
    const VI p = hn::BitCast(d, hn::LoadU(DU(), src + at));
    const VI byte = hn::Set(d, 0xff);
    hn::Store(hn::BitCast(DU(), p), DU(), out->alpha + i);
    Locate(grid, hn::And(p, byte), hn::And(hn::ShiftRight<8>(p), byte), hn::And(hn::ShiftRight<16>(p), byte),
           out, i);
  }
};

// RGBA16.
struct Pixels16 {
  static constexpr float kFull = 65535.0f;
  static constexpr bool kIsOpaque = false;
  const uint64_t *src;

  struct Copy {
    uint64_t pixels[kLanes] = {};
  };
  HWY_INLINE Pixels16 Last(size_t from, size_t n, Copy *copy) const {
    for (size_t k = 0; k < n; k++) copy->pixels[k] = src[from + k];
    return {copy->pixels};
  }

  template <bool kHasCells>
  HWY_INLINE void LocateAt(const Grid<kHasCells> &grid, size_t at, Places *out, size_t i) const {
    const DI d;
    const DU du;
    const auto *words = reinterpret_cast<const uint32_t *>(src + at);
    PrefetchAhead(words);
    PrefetchAhead(words + kLanes);
    const VI low = hn::BitCast(d, hn::LoadU(du, words)), high = hn::BitCast(d, hn::LoadU(du, words + kLanes));
    const VI red_green = hn::ConcatEven(d, high, low), blue_alpha = hn::ConcatOdd(d, high, low);
    // The nearest 8-bit value: a / 257, rounded.
    const VI alpha =
        hn::ShiftRight<16>(hn::Add(hn::Mul(High16(blue_alpha), hn::Set(d, 255)), hn::Set(d, 32895)));
    hn::Store(hn::BitCast(du, hn::ShiftLeft<24>(alpha)), du, out->alpha + i);
    Locate(grid, Low16(red_green), High16(red_green), Low16(blue_alpha), out, i);
  }
};

// 16-bit planes.
struct Planes16 {
  static constexpr float kFull = 65535.0f;
  static constexpr bool kIsOpaque = true;
  const uint16_t *r, *g, *b;

  struct Copy {
    uint16_t r[kLanes] = {}, g[kLanes] = {}, b[kLanes] = {};
  };
  HWY_INLINE Planes16 Last(size_t from, size_t n, Copy *copy) const {
    for (size_t k = 0; k < n; k++) {
      copy->r[k] = r[from + k], copy->g[k] = g[from + k], copy->b[k] = b[from + k];
    }
    return {copy->r, copy->g, copy->b};
  }

  template <bool kHasCells>
  HWY_INLINE void LocateAt(const Grid<kHasCells> &grid, size_t at, Places *out, size_t i) const {
    const DI d;
    const hn::Rebind<uint16_t, DI> dh;
    const auto load = [&](const uint16_t *p) HWY_ATTR { return hn::PromoteTo(d, hn::LoadU(dh, p + at)); };
    Locate(grid, load(r), load(g), load(b), out, i);
  }
};

// Planes of luma and colour differences at 64 per level, with the matrix to R'G'B' of 0…1, which are clipped.
// In registers, they are not rounded on their way into the table.
struct CameraPlanes {
  static constexpr float kFull = 1.0f;
  static constexpr bool kIsOpaque = true;
  const sl_ycbcr_matrix &matrix;
  const int16_t *y, *cb, *cr;

  struct Copy {
    int16_t y[kLanes] = {}, cb[kLanes] = {}, cr[kLanes] = {};
  };
  HWY_INLINE CameraPlanes Last(size_t from, size_t n, Copy *copy) const {
    for (size_t k = 0; k < n; k++) {
      copy->y[k] = y[from + k], copy->cb[k] = cb[from + k], copy->cr[k] = cr[from + k];
    }
    return {matrix, copy->y, copy->cb, copy->cr};
  }

  template <bool kHasCells>
  HWY_INLINE void LocateAt(const Grid<kHasCells> &grid, size_t at, Places *out, size_t i) const {
    const DI d;
    const DF df;
    const hn::Rebind<int16_t, DI> dh;
    const auto load = [&](const int16_t *p)
                          HWY_ATTR { return hn::ConvertTo(df, hn::PromoteTo(d, hn::LoadU(dh, p + at))); };
    const VF luma = load(y), blue = load(cb), red = load(cr);
    const auto channel = [&](int c) HWY_ATTR {
      const float *row = matrix.matrix + 3 * c;
      const VF sum =
          hn::MulAdd(luma, hn::Set(df, row[0]),
                     hn::MulAdd(blue, hn::Set(df, row[1]),
                                hn::MulAdd(red, hn::Set(df, row[2]), hn::Set(df, matrix.offset[c]))));
      return hn::Min(hn::Max(sum, hn::Zero(df)), hn::Set(df, kFull));
    };
    Locate(grid, channel(0), channel(1), channel(2), out, i);
  }
};
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();
#endif
