// The exact colour stages, on planar float.
#include <math.h>

#include "Lookup.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Stages.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "hwy/contrib/math/math-inl.h"
#include "CubeRoot-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;

// log2 of positive normal numbers, with a relative error of 2^-23 or an absolute one of 2^-24.
HWY_INLINE VF Log2(VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  // x = m · 2^e, m in √½…√2
  const auto bits = hn::BitCast(di, x);
  const auto e = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3f3504f3)));
  const VF m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(e)));
  // ln m = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.172: the series up to the 9th power leaves 7e-10.
  const VF one = hn::Set(d, 1.0f);
  const VF s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  const VF s2 = hn::Mul(s, s);
  // 2 / (k ln 2)
  VF series = hn::MulAdd(s2, hn::Set(d, 0.32059890f), hn::Set(d, 0.41219859f));
  series = hn::MulAdd(s2, series, hn::Set(d, 0.57707802f));
  series = hn::MulAdd(s2, series, hn::Set(d, 0.96179669f));
  series = hn::MulAdd(s2, series, hn::Set(d, 2.88539008f));
  return hn::MulAdd(s, series, hn::ConvertTo(d, e));
}

// 2^x for x within ±126, with a relative error of 2^-23.
HWY_INLINE VF Exp2(VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  const auto n = hn::NearestInt(x);
  const VF f = hn::Sub(x, hn::ConvertTo(d, n));
  // (ln 2)^k / k!; |f| <= ½ leaves 1e-8.
  VF series = hn::MulAdd(f, hn::Set(d, 1.54035304e-4f), hn::Set(d, 1.33335581e-3f));
  series = hn::MulAdd(f, series, hn::Set(d, 9.61812911e-3f));
  series = hn::MulAdd(f, series, hn::Set(d, 5.55041087e-2f));
  series = hn::MulAdd(f, series, hn::Set(d, 2.40226507e-1f));
  series = hn::MulAdd(f, series, hn::Set(d, 6.93147181e-1f));
  series = hn::MulAdd(f, series, hn::Set(d, 1.0f));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, series), hn::ShiftLeft<23>(n)));
}

// x^y for x > 0; 0 for x = 0. The relative error is about |y·log2 x| · 2^-24, 1e-6 over the range in use.
HWY_INLINE VF Power(VF x, VF y) {
  const DF d;
  const auto positive = hn::Gt(x, hn::Set(d, 1e-30f));
  // Infinity must not become a plausible number's exponent.
  const VF safe = hn::Min(hn::IfThenElse(positive, x, hn::Set(d, 1.0f)), hn::Set(d, 3e38f));
  const VF exponent = hn::Min(hn::Max(hn::Mul(y, Log2(safe)), hn::Set(d, -125.0f)), hn::Set(d, 125.0f));
  return hn::IfThenElseZero(positive, Exp2(exponent));
}

struct Rgb {
  VF r, g, b;
};

HWY_INLINE Rgb Multiply(const float m[9], Rgb v) {
  const DF d;
  const auto row = [&](int i) HWY_ATTR {
    return hn::MulAdd(v.r, hn::Set(d, m[i]),
                      hn::MulAdd(v.g, hn::Set(d, m[i + 1]), hn::Mul(v.b, hn::Set(d, m[i + 2]))));
  };
  return {row(0), row(3), row(6)};
}

// y, but NaN where x is NaN: NaN must not become a plausible colour.
HWY_INLINE VF KeepNaN(VF y, VF x) { return hn::IfThenElse(hn::Eq(x, x), y, x); }

HWY_INLINE VF Parametric(const sl_parametric_curve &c, VF x) {
  const DF d;
  const VF a = hn::Abs(x);
  const VF linear = hn::Mul(a, hn::Set(d, c.slope));
  const VF base = hn::MulAdd(a, hn::Set(d, c.gain), hn::Set(d, c.offset));
  const VF curved = hn::MulAdd(Power(base, hn::Set(d, c.exponent)), hn::Set(d, c.scale), hn::Set(d, c.shift));
  return KeepNaN(hn::CopySign(hn::IfThenElse(hn::Le(a, hn::Set(d, c.toe)), linear, curved), x), x);
}

HWY_INLINE VF Sampled(const float *samples, int32_t count, bool square_root, float end_slope, VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  const VF a = hn::Abs(x);
  const VF index = hn::Mul(square_root ? hn::Sqrt(a) : a, hn::Set(d, static_cast<float>(count - 1)));
  // The last interval also covers values above 1.
  const VF floor = hn::Min(hn::Floor(index), hn::Set(d, static_cast<float>(count - 2)));
  const auto i = hn::ConvertTo(di, floor);
  const VF low = hn::GatherIndex(d, samples, i);
  const VF high = hn::GatherIndex(d, samples, hn::Add(i, hn::Set(di, 1)));
  const VF inside = hn::MulAdd(hn::Sub(index, floor), hn::Sub(high, low), low);
  const VF one = hn::Set(d, 1.0f);
  const VF above = hn::MulAdd(hn::Sub(a, one), hn::Set(d, end_slope), hn::Set(d, samples[count - 1]));
  return KeepNaN(hn::CopySign(hn::IfThenElse(hn::Gt(a, one), above, inside), x), x);
}

// Signed cube root; 0 below 1e-27.
HWY_INLINE VF CubeRoot(VF x) {
  const DF d;
  // Three times the cube of a larger value would overflow.
  const VF a = hn::Min(hn::Abs(x), hn::Set(d, 1e37f));
  const auto nonzero = hn::Gt(a, hn::Set(d, 1e-27f));
  const VF y = PositiveCubeRoot(d, hn::IfThenElse(nonzero, a, hn::Set(d, 1.0f)));
  return KeepNaN(hn::CopySign(hn::IfThenElseZero(nonzero, y), x), x);
}

HWY_INLINE Rgb OklabMix(const sl_oklab_mix &m, Rgb v) {
  Rgb lms = Multiply(m.to_lms, v);
  lms = {CubeRoot(lms.r), CubeRoot(lms.g), CubeRoot(lms.b)};
  lms = Multiply(m.cube_root_mix, lms);
  const auto cube = [](VF x) HWY_ATTR { return hn::Mul(x, hn::Mul(x, x)); };
  return Multiply(m.from_lms, {cube(lms.r), cube(lms.g), cube(lms.b)});
}

HWY_INLINE VF Clip(VF x, VF top) { return hn::Min(hn::Max(x, hn::Zero(DF())), top); }

HWY_INLINE Rgb Tone(const sl_tone &t, Rgb v) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  // The cubes of larger values are infinite, those of much smaller ones zero.
  const VF largest = hn::Set(d, 1e6f);
  const auto level = [&](VF x) HWY_ATTR { return hn::Min(hn::Abs(x), largest); };
  const VF r = level(v.r), g = level(v.g), b = level(v.b);
  const VF r2 = hn::Mul(r, r), g2 = hn::Mul(g, g), b2 = hn::Mul(b, b);
  const VF squares = hn::Add(r2, hn::Add(g2, b2));
  const VF cubes = hn::MulAdd(r2, r, hn::MulAdd(g2, g, hn::Mul(b2, b)));
  // False for NaN, too.
  const auto visible = hn::And(hn::Gt(squares, hn::Set(d, 1e-22f)), hn::Eq(cubes, cubes));
  const VF norm = hn::IfThenElse(visible, hn::Div(cubes, squares), hn::Set(d, 1e-12f));
  const VF index = Clip(hn::MulAdd(Log2(norm), hn::Set(d, t.scale), hn::Set(d, t.bias)),
                        hn::Set(d, static_cast<float>(t.count - 1)));
  const VF floor = hn::Min(hn::Floor(index), hn::Set(d, static_cast<float>(t.count - 2)));
  const auto i = hn::ConvertTo(di, floor);
  const VF part = hn::Sub(index, floor);
  const auto factor = [&](const float *samples) HWY_ATTR {
    const VF low = hn::GatherIndex(d, samples, i);
    const VF high = hn::GatherIndex(d, samples, hn::Add(i, hn::Set(di, 1)));
    return hn::MulAdd(part, hn::Sub(high, low), low);
  };
  const VF gain = factor(t.factors), offset = factor(t.factors + t.count);
  return {hn::MulAdd(gain, v.r, offset), hn::MulAdd(gain, v.g, offset), hn::MulAdd(gain, v.b, offset)};
}

template <class Function>
HWY_INLINE void ForEach(float *r, float *g, float *b, size_t n, Function function) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const Rgb out = function(Rgb{hn::LoadU(d, r + i), hn::LoadU(d, g + i), hn::LoadU(d, b + i)});
    hn::StoreU(out.r, d, r + i);
    hn::StoreU(out.g, d, g + i);
    hn::StoreU(out.b, d, b + i);
  }
  if (i < n) {
    float t[3][16] = {};
    for (size_t k = i; k < n; k++) t[0][k - i] = r[k], t[1][k - i] = g[k], t[2][k - i] = b[k];
    const Rgb out = function(Rgb{hn::LoadU(d, t[0]), hn::LoadU(d, t[1]), hn::LoadU(d, t[2])});
    hn::StoreU(out.r, d, t[0]);
    hn::StoreU(out.g, d, t[1]);
    hn::StoreU(out.b, d, t[2]);
    for (size_t k = i; k < n; k++) r[k] = t[0][k - i], g[k] = t[1][k - i], b[k] = t[2][k - i];
  }
}

void RunStages(const sl_stage *stages, size_t count, float *r, float *g, float *b, size_t n) {
  // A block of all three planes stays in the first-level cache from stage to stage.
  constexpr size_t kBlock = 1024;
  for (size_t start = 0; start < n; start += kBlock) {
    const size_t m = HWY_MIN(kBlock, n - start);
    float *br = r + start, *bg = g + start, *bb = b + start;
    for (size_t s = 0; s < count; s++) {
      const sl_stage &stage = stages[s];
      switch (stage.kind) {
        case SL_STAGE_MATRIX:
          ForEach(br, bg, bb, m, [&](Rgb v) HWY_ATTR { return Multiply(stage.u.matrix, v); });
          break;
        case SL_STAGE_PARAMETRIC: {
          const sl_parametric_curve &c = stage.u.parametric;
          ForEach(br, bg, bb, m, [&](Rgb v) HWY_ATTR {
            return Rgb{Parametric(c, v.r), Parametric(c, v.g), Parametric(c, v.b)};
          });
          break;
        }
        case SL_STAGE_SAMPLED: {
          const sl_sampled_curve &c = stage.u.sampled;
          const bool root = c.square_root_index != 0;
          ForEach(br, bg, bb, m, [&](Rgb v) HWY_ATTR {
            return Rgb{Sampled(c.samples, c.count, root, c.end_slope[0], v.r),
                       Sampled(c.samples + c.count, c.count, root, c.end_slope[1], v.g),
                       Sampled(c.samples + 2 * c.count, c.count, root, c.end_slope[2], v.b)};
          });
          break;
        }
        case SL_STAGE_OKLAB_MIX:
          ForEach(br, bg, bb, m, [&](Rgb v) HWY_ATTR { return OklabMix(stage.u.oklab, v); });
          break;
        case SL_STAGE_TONE:
          ForEach(br, bg, bb, m, [&](Rgb v) HWY_ATTR { return Tone(stage.u.tone, v); });
          break;
        case SL_STAGE_LOOKUP:
          safelight::RunLookup(stage.u.lookup, br, bg, bb, m);
          break;
      }
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(RunStages);
}
extern "C" void sl_run_stages(const sl_stage *stages, size_t count, float *r, float *g, float *b, size_t n) {
  SL_KERNEL(safelight::RunStages)(stages, count, r, g, b, n);
}
#endif
