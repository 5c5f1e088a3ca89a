#include <math.h>
#include <string.h>

#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "FusionWeights.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#pragma STDC FP_CONTRACT OFF

HWY_BEFORE_NAMESPACE();
namespace safelight_analysis {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kMaxLanes = 16;
using DF = hn::CappedTag<float, kMaxLanes>;
using VF = hn::Vec<DF>;

// MARK: Rows of pictures

struct Colors {
  VF red, green, blue;
};

template <typename Sample>
HWY_INLINE Colors LoadColors(DF d, const Sample *rgba) {
  const hn::Rebind<Sample, DF> ds;
  const hn::RebindToSigned<DF> di;
  hn::Vec<decltype(ds)> r, g, b, alpha;
  hn::LoadInterleaved4(ds, rgba, r, g, b, alpha);
  const VF scale = hn::Set(d, 1.0f / (sizeof(Sample) == 1 ? 255.0f : 65535.0f));
  const auto real = [&](auto v) HWY_ATTR { return hn::Mul(hn::ConvertTo(d, hn::PromoteTo(di, v)), scale); };
  return Colors{real(r), real(g), real(b)};
}

template <typename Sample>
HWY_INLINE void SplitPixels(DF d, const Sample *rgba, const sla_color_row &out, size_t x) {
  const Colors c = LoadColors(d, rgba);
  hn::StoreU(c.red, d, out.red + x);
  hn::StoreU(c.green, d, out.green + x);
  hn::StoreU(c.blue, d, out.blue + x);
  const VF warm = hn::Add(hn::Mul(c.red, hn::Set(d, 0.299f)), hn::Mul(c.green, hn::Set(d, 0.587f)));
  hn::StoreU(hn::Add(warm, hn::Mul(c.blue, hn::Set(d, 0.114f))), d, out.luma + x);
}

template <typename Sample>
void Split(const Sample *row, int32_t width, int32_t shift, const sla_color_row &out) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  // The columns that the picture has.
  const int first = HWY_MIN(HWY_MAX(-shift, 0), width), last = HWY_MAX(HWY_MIN(width - shift, width), 0);
  int x = first;
  for (; x + lanes <= last; x += lanes) SplitPixels(d, row + 4 * (x + shift), out, static_cast<size_t>(x));
  // The picture may end with its last pixel, so whole vectors are loaded from a copy.
  const auto split_copy = [&](int from, int source, int count, int step) HWY_ATTR {
    Sample pixels[4 * kMaxLanes] = {};
    for (int i = 0; i < count; i++) memcpy(pixels + 4 * i, row + 4 * (source + i * step), 4 * sizeof(Sample));
    SplitPixels(d, pixels, out, static_cast<size_t>(from));
  };
  if (x < last) split_copy(x, x + shift, last - x, 1);
  for (x = HWY_MAX(first, last); x < width; x += lanes) split_copy(x, width - 1, lanes, 0);
  if (first > 0) {
    // The first columns are the same pixel; stored one by one, because those after them are already there.
    float red[kMaxLanes], green[kMaxLanes], blue[kMaxLanes], luma[kMaxLanes];
    Sample pixels[4 * kMaxLanes] = {};
    memcpy(pixels, row, 4 * sizeof(Sample));
    SplitPixels(d, pixels, sla_color_row{red, green, blue, luma}, 0);
    for (int i = 0; i < first; i++) {
      out.red[i] = red[0], out.green[i] = green[0], out.blue[i] = blue[0], out.luma[i] = luma[0];
    }
  }
}

void SplitRow(const void *row, int32_t bits, int32_t width, int32_t shift, const sla_color_row *out) {
  if (bits == 8) {
    Split(static_cast<const uint8_t *>(row), width, shift, *out);
  } else {
    Split(static_cast<const uint16_t *>(row), width, shift, *out);
  }
}

void StoreRgba16(const float *red, const float *green, const float *blue, int32_t width, uint16_t *out) {
  const DF d;
  const hn::Rebind<uint16_t, DF> d16;
  const hn::RebindToSigned<DF> di;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto code = [&](const float *samples) HWY_ATTR {
    const VF x = hn::Min(hn::Max(hn::LoadU(d, samples), hn::Zero(d)), hn::Set(d, 1.0f));
    const VF scaled = hn::Add(hn::Mul(x, hn::Set(d, 65535.0f)), hn::Set(d, 0.5f));
    return hn::DemoteTo(d16, hn::ConvertTo(di, scaled));
  };
  const auto alpha = hn::Set(d16, uint16_t{65535});
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    hn::StoreInterleaved4(code(red + x), code(green + x), code(blue + x), alpha, d16, out + 4 * x);
  }
  if (x == width) return;
  uint16_t pixels[4 * kMaxLanes];
  hn::StoreInterleaved4(code(red + x), code(green + x), code(blue + x), alpha, d16, pixels);
  memcpy(out + 4 * x, pixels, static_cast<size_t>(width - x) * 4 * sizeof(uint16_t));
}

// MARK: Powers

// log2 of normal numbers above 0, within 1e-7 of the larger of 1 and itself: by the series of the inverse
// hyperbolic tangent around 1.
HWY_INLINE VF Log2(VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  // The mantissa from √½ to √2.
  const auto bits = hn::Sub(hn::BitCast(di, x), hn::Set(di, 0x3f3504f3));
  const VF exponent = hn::ConvertTo(d, hn::ShiftRight<23>(bits));
  const auto fraction = hn::And(bits, hn::Set(di, 0x007fffff));
  const VF m = hn::BitCast(d, hn::Add(fraction, hn::Set(di, 0x3f3504f3)));
  const VF one = hn::Set(d, 1.0f);
  const VF s = hn::Div(hn::Sub(m, one), hn::Add(m, one)), s2 = hn::Mul(s, s);
  VF sum = hn::Set(d, 1.0f / 9);
  for (const float term : {1.0f / 7, 1.0f / 5, 1.0f / 3, 1.0f}) {
    sum = hn::Add(hn::Mul(sum, s2), hn::Set(d, term));
  }
  return hn::Add(exponent, hn::Mul(hn::Mul(s, sum), hn::Set(d, 2.88539008f)));
}

// 2^x for x up to 126; 2^-126 for all below.
HWY_INLINE VF Exp2(VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  const VF y = hn::Min(hn::Max(x, hn::Set(d, -126.0f)), hn::Set(d, 126.0f));
  const VF whole = hn::Round(y);
  const VF f = hn::Mul(hn::Sub(y, whole), hn::Set(d, 0.693147181f));
  VF sum = hn::Set(d, 1.0f / 5040);
  for (const float term : {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) {
    sum = hn::Add(hn::Mul(sum, f), hn::Set(d, term));
  }
  const auto power = hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, whole), hn::Set(di, 127)));
  return hn::Mul(sum, hn::BitCast(d, power));
}

// x^exponent for x from 0 on and an exponent above 0.
HWY_INLINE VF Power(VF x, float exponent) {
  const DF d;
  if (exponent == 1) return x;
  // Below the smallest normal number the result is 0, as at 0.
  const auto is_normal = hn::Ge(x, hn::Set(d, 1.17549435e-38f));
  return hn::IfThenElseZero(is_normal, Exp2(hn::Mul(Log2(x), hn::Set(d, exponent))));
}

// MARK: Weights

HWY_INLINE VF Square(VF x) { return hn::Mul(x, x); }

void FusionWeights(const float *above, const sla_color_row *row, const float *below,
                   const sla_fusion_exponents *exponents, int32_t width, float *weights) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const float contrast = exponents->contrast, saturation = exponents->saturation;
  // exp(-Σ / 0.08)^e = 2^(-Σ · e / (0.08 · ln 2))
  const float falloff = exponents->exposedness * -18.0336880f;
  for (int x = 0; x < width; x += lanes) {
    VF weight = hn::Set(d, 1.0f);
    if (contrast > 0) {
      const float *const luma = row->luma + x;
      const VF around = hn::Add(hn::Add(hn::LoadU(d, above + x), hn::LoadU(d, below + x)),
                                hn::Add(hn::LoadU(d, luma - 1), hn::LoadU(d, luma + 1)));
      const VF laplacian = hn::Sub(around, hn::Mul(hn::LoadU(d, luma), hn::Set(d, 4.0f)));
      weight = Power(hn::Abs(laplacian), contrast);
    }
    const VF r = hn::LoadU(d, row->red + x), g = hn::LoadU(d, row->green + x),
             b = hn::LoadU(d, row->blue + x);
    if (saturation > 0) {
      const VF mean = hn::Mul(hn::Add(hn::Add(r, g), b), hn::Set(d, 1.0f / 3));
      const VF sum =
          hn::Add(hn::Add(Square(hn::Sub(r, mean)), Square(hn::Sub(g, mean))), Square(hn::Sub(b, mean)));
      weight = hn::Mul(weight, Power(hn::Sqrt(sum), saturation));
    }
    if (falloff < 0) {
      const VF half = hn::Set(d, 0.5f);
      const VF sum =
          hn::Add(hn::Add(Square(hn::Sub(r, half)), Square(hn::Sub(g, half))), Square(hn::Sub(b, half)));
      weight = hn::Mul(weight, Exp2(hn::Mul(sum, hn::Set(d, falloff))));
    }
    hn::StoreU(hn::Add(weight, hn::Set(d, 1e-12f)), d, weights + x);
  }
}

void NormalizeWeights(float *const *weights, int32_t count, int32_t width) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    VF sum = hn::LoadU(d, weights[0] + x);
    for (int i = 1; i < count; i++) sum = hn::Add(sum, hn::LoadU(d, weights[i] + x));
    for (int i = 0; i < count; i++) {
      hn::StoreU(hn::Div(hn::LoadU(d, weights[i] + x), sum), d, weights[i] + x);
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(SplitRow);
HWY_EXPORT(StoreRgba16);
HWY_EXPORT(FusionWeights);
HWY_EXPORT(NormalizeWeights);
}  // namespace safelight_analysis

extern "C" void sla_split_row(const void *row, int32_t bits, int32_t width, int32_t shift,
                              const sla_color_row *out) {
  SL_KERNEL(safelight_analysis::SplitRow)(row, bits, width, shift, out);
}

extern "C" void sla_store_rgba16(const float *red, const float *green, const float *blue, int32_t width,
                                 uint16_t *out) {
  SL_KERNEL(safelight_analysis::StoreRgba16)(red, green, blue, width, out);
}

extern "C" void sla_fusion_weights(const float *above, const sla_color_row *row, const float *below,
                                   const sla_fusion_exponents *exponents, int32_t width, float *weights) {
  SL_KERNEL(safelight_analysis::FusionWeights)(above, row, below, exponents, width, weights);
}

extern "C" void sla_normalize_weights(float *const *weights, int32_t count, int32_t width) {
  SL_KERNEL(safelight_analysis::NormalizeWeights)(weights, count, width);
}
#endif
