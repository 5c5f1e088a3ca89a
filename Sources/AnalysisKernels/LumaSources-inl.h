// Luma of pixels in the formats of cameras and plans, for each instruction set: included by AreaAverage.cc.
//
// Each source returns luma at column x of a row, in units of its `kFullScale`: a vector from x on, or one
// sample.
#if defined(SAFELIGHT_LUMA_SOURCES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_LUMA_SOURCES_INL_H
#undef SAFELIGHT_LUMA_SOURCES_INL_H
#else
#define SAFELIGHT_LUMA_SOURCES_INL_H
#endif

#include <string.h>

#include "hwy/highway.h"

#pragma STDC FP_CONTRACT OFF

HWY_BEFORE_NAMESPACE();
namespace safelight_analysis {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;

// ITU-R BT.709-6, item 3.2.
constexpr float kRed = 0.2126f, kGreen = 0.7152f, kBlue = 0.0722f;

// Comparisons with NaN are false, so it becomes 0.
HWY_INLINE float Clip(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
HWY_INLINE VF Clip(VF x) {
  const DF d;
  return hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), hn::Min(x, hn::Set(d, 1.0f)));
}

struct PlaneLuma {
  static constexpr float kFullScale = 255;
  static HWY_INLINE VF Load(DF d, const uint8_t *row, size_t x) {
    const hn::Rebind<uint8_t, DF> d8;
    return hn::ConvertTo(d, hn::PromoteTo(hn::RebindToSigned<DF>(), hn::LoadU(d8, row + x)));
  }
  static HWY_INLINE float At(const uint8_t *row, size_t x) { return row[x]; }
};

template <int kOdd>
struct PackedLuma {
  static constexpr float kFullScale = 255;
  static HWY_INLINE VF Load(DF d, const uint8_t *row, size_t x) {
    const hn::Rebind<uint16_t, DF> d16;
    const hn::Repartition<uint8_t, decltype(d16)> d8;
    const auto pairs = hn::BitCast(d16, hn::LoadU(d8, row + 2 * x));
    const auto luma = kOdd ? hn::ShiftRight<8>(pairs) : hn::And(pairs, hn::Set(d16, uint16_t{0xff}));
    return hn::ConvertTo(d, hn::PromoteTo(hn::RebindToSigned<DF>(), luma));
  }
  static HWY_INLINE float At(const uint8_t *row, size_t x) { return row[2 * x + kOdd]; }
};

HWY_INLINE VF Weigh(VF r, VF g, VF b) {
  const DF d;
  const VF warm = hn::Add(hn::Mul(r, hn::Set(d, kRed)), hn::Mul(g, hn::Set(d, kGreen)));
  return hn::Add(warm, hn::Mul(b, hn::Set(d, kBlue)));
}
HWY_INLINE float Weigh(float r, float g, float b) {
  const float warm = r * kRed + g * kGreen;
  return warm + b * kBlue;
}

struct Rgba8Luma {
  static constexpr float kFullScale = 255;
  static HWY_INLINE VF Load(DF d, const uint8_t *row, size_t x) {
    const hn::RebindToUnsigned<DF> d32;
    const hn::RebindToSigned<DF> di;
    const hn::Repartition<uint8_t, DF> d8;
    const auto pixels = hn::BitCast(d32, hn::LoadU(d8, row + 4 * x));
    const auto byte = hn::Set(d32, 0xffu);
    const auto real = [&](auto lanes) HWY_ATTR { return hn::ConvertTo(d, hn::BitCast(di, lanes)); };
    return Weigh(real(hn::And(pixels, byte)), real(hn::And(hn::ShiftRight<8>(pixels), byte)),
                 real(hn::And(hn::ShiftRight<16>(pixels), byte)));
  }
  static HWY_INLINE float At(const uint8_t *row, size_t x) {
    return Weigh(row[4 * x], row[4 * x + 1], row[4 * x + 2]);
  }
};

struct Rgba16Luma {
  static constexpr float kFullScale = 65535;
  static HWY_INLINE VF Load(DF d, const uint8_t *row, size_t x) {
    const hn::Rebind<uint16_t, DF> d16;
    const hn::RebindToSigned<DF> di;
    hn::Vec<decltype(d16)> r, g, b, alpha;
    hn::LoadInterleaved4(d16, reinterpret_cast<const uint16_t *>(row) + 4 * x, r, g, b, alpha);
    const auto real = [&](auto v) HWY_ATTR { return hn::ConvertTo(d, hn::PromoteTo(di, v)); };
    return Weigh(real(r), real(g), real(b));
  }
  static HWY_INLINE float At(const uint8_t *row, size_t x) {
    uint16_t p[4];
    memcpy(p, row + 8 * x, sizeof p);
    return Weigh(p[0], p[1], p[2]);
  }
};

struct RgbaF32Luma {
  static constexpr float kFullScale = 1;
  static HWY_INLINE VF Load(DF d, const uint8_t *row, size_t x) {
    VF r, g, b, alpha;
    hn::LoadInterleaved4(d, reinterpret_cast<const float *>(row) + 4 * x, r, g, b, alpha);
    return Weigh(Clip(r), Clip(g), Clip(b));
  }
  static HWY_INLINE float At(const uint8_t *row, size_t x) {
    float p[4];
    memcpy(p, row + 16 * x, sizeof p);
    return Weigh(Clip(p[0]), Clip(p[1]), Clip(p[2]));
  }
};
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#endif
